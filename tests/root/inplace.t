#!/bin/sh
# A filesystem that cannot be unmounted, as somebody works in it: options are
# changed in place where the tables say that they can be, the report says so,
# and they are as before at the end, after a signal, after a kill by "clean".
# shellcheck disable=SC2016,SC2034 # conditions are evaluated by ok
set -u
program=$PWD/${BUILD:-build}/mountmatrix
count=0

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "loop devices are Linux's"
command -v mkfs.ext4 >/dev/null || skip_all "needs mkfs.ext4"
work=$(mktemp -d)
device=$(truncate -s 64M "$work/image" && losetup -f --show "$work/image") ||
    skip_all "no loop device"
# shared, so that the copies that other programs' mount tables have of it go
# when it goes
point=$work/shared/point
mkdir "$work/shared" "$work/state"
mount -t tmpfs shared "$work/shared" && mount --make-shared "$work/shared"
mkdir "$point"
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
holder=
second=

leave()
{
	[ -z "$holder" ] || kill "$holder"
	wait 2>/dev/null
	umount "$point" 2>/dev/null
	umount "$work/shared/point" 2>/dev/null
	umount "$work/shared"
	losetup -d "$device"
	[ -z "$second" ] || losetup -d "$second"
	rm -rf "$work"
}
trap leave EXIT

ok()
{
	count=$((count + 1))
	if eval "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/log" "$work/err" 2>/dev/null
		grep "$point" /proc/self/mounts | sed 's/^/# /'
	fi
}

options()
{
	awk -v p="$point" '$2 == p { print $4 }' /proc/self/mounts
}

# matrix AXES PASSES
matrix()
{
	cat >"$work/matrix.conf" <<END
target it { mountpoint = "$point"  remount = true }
filesystem ext4 { $1 }
workload find { type = "traverse"  cache = "warm"  passes = $2 }
rounds = ${3:-2}
END
	rm -f "$work/x.db"
}

run()
{
	"$program" run "$work/matrix.conf" -o "$work/x.db" \
	    >"$work/log" 2>"$work/err"
}

mkfs.ext4 -q "$device"
mount -o nodiratime,nosuid,noatime "$device" "$point"
mkdir "$point/some"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "$i" >"$point/some/$i"
done
sync
before=$(options)
(cd "$point" && exec sleep 600) &
holder=$!
sleep 0.2

matrix 'axis atime { levels = { "relatime", "noatime" } }
    axis commit { levels = { "5", "30" } } toggle = { "nobarrier" }' 2
run
status=$?
ok "options that can be changed in place are measured" '[ $status = 0 ]'
ok "who uses it is named" \
    'cat "$work/log" "$work/err" | grep -q "in use by pid $holder (sleep)"'
ok "the report says that it was done in place, and is not cold" \
    'tr -s " \n" " " <"$work/log" | grep -q "find, 16 of 16 runs: warm: it is in use, so its options were changed in place"'
"$program" report -f json "$work/x.db" >"$work/json" 2>/dev/null
ok "no option of a cell stays for the next one" '
	tr "{" "\n" <"$work/json" | grep -q "relatime.*commit=30" &&
	! tr "{" "\n" <"$work/json" | grep "\"cell\".*\"in_force\"" |
	    grep "\"ext4:[^\"]*atime=relatime" |
	    grep -q "in_force\": \"[^\"]*noatime" &&
	! tr "{" "\n" <"$work/json" | grep "\"cell\".*\"in_force\"" |
	    grep -v "\"ext4:[^\"]*commit=30" |
	    grep -q "in_force\": \"[^\"]*commit=30"'
ok "flags that are no option of a cell stay as they are" \
    '! grep "in_force" "$work/json" | grep -v nosuid | grep -q "in_force.*rw"'
ok "it is as before at the end" '[ "$(options)" = "$before" ]'

matrix 'axis data { levels = { "ordered", "writeback" } }' 1
run
status=$?
ok "an option that needs a fresh mount fails, and is named" \
    '[ $status = 1 ] && tr -s " \n" " " <"$work/log" | grep -q "in use by pid $holder (sleep): current folder .*; not changed in place: option .data=writeback.: refused"'
ok "and it is as before" '[ "$(options)" = "$before" ]'

# a run that lasts, ended by a signal: TERM unwinds, KILL needs "clean"
start()
{
	matrix 'toggle = { "nobarrier" } only = { "nobarrier" }' 1000 50
	"$program" run "$work/matrix.conf" -o "$work/x.db" \
	    >"$work/log" 2>"$work/err" &
	pid=$!
	tries=0
	while ! options | grep -q nobarrier && [ $tries -lt 300 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

start
ok "options in force are changed" 'options | grep -q nobarrier'
kill -TERM "$pid"
wait "$pid" 2>/dev/null
ok "a signal puts them back" '[ "$(options)" = "$before" ]'
start
kill -KILL "$pid"
wait "$pid" 2>/dev/null
sleep 1
ok "a kill leaves the trial's options" 'options | grep -q nobarrier'
# what the kill ends needs a moment, and is not touched before
tries=0
while
	"$program" clean >"$work/log" 2>"$work/err"
	[ "$(options)" != "$before" ] && [ $tries -lt 100 ]
do
	sleep 0.1
	tries=$((tries + 1))
done
ok "clean puts them back" '[ "$(options)" = "$before" ]'
ok "the holder was left alone" 'kill -0 $holder'

# what an option brings along is taken back with it
if command -v mkfs.btrfs >/dev/null; then
	kill $holder
	wait $holder 2>/dev/null
	holder=
	truncate -s 128M "$work/second"
	second=$(losetup -f --show "$work/second")
	mkfs.btrfs -q -f "$second" >"$work/log" 2>"$work/err"
	point=$work/shared/second
	mkdir "$point"
	mount "$second" "$point"
	echo 1 >"$point/some"
	before=$(options)
	(cd "$point" && exec sleep 600) &
	holder=$!
	sleep 0.2
	matrix 'toggle = { "nodatacow" }' 1
	sed -i 's/^filesystem ext4/filesystem btrfs/' "$work/matrix.conf"
	run
	status=$?
	ok "btrfs: nodatacow in place is measured" '[ $status = 0 ] &&
		"$program" report -f json "$work/x.db" |
		    grep -q "in_force.*nodatasum,nodatacow"'
	ok "btrfs: and goes with the nodatasum it brought" \
	    '[ "$(options)" = "$before" ]'
fi
echo "1..$count"
