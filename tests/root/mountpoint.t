#!/bin/sh
# An existing filesystem as a target: mounted anew with each option set, and
# as it was again at the end, after a signal, after a kill by "clean".
# shellcheck disable=SC2016,SC2034 # conditions are evaluated by ok
set -u
night=$PWD/${BUILD:-build}/tests/helpers/night
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
mkdir "$work/shared" "$work/state" "$work/run"
mount -t tmpfs shared "$work/shared" && mount --make-shared "$work/shared"
mkdir "$point"

leave()
{
	umount "$point" 2>/dev/null
	umount "$work/shared"
	losetup -d "$device"
	rm -rf "$work"
}
trap leave EXIT

# a FILE that a program in the background makes, ten seconds at most
wait_for()
{
	tries=0
	while [ ! -e "$1" ] && [ $tries -lt 200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

ok()
{
	count=$((count + 1))
	if eval "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/log" 2>/dev/null
		grep "$point" /proc/self/mounts | sed 's/^/# /'
	fi
}

run()
{
	"$night" run --state "$work/state" --work "$work/run" --target "mountpoint:$point" \
	    --type traverse --cell ext4:default ext4 \
	    --mount 'mount -t ext4 %d %m' --asked relatime,barrier \
	    --level noatime=off --level nobarrier=off \
	    --cell ext4:noatime ext4 --mount 'mount -t ext4 -o noatime %d %m' \
	    --level noatime=on "$@" >"$work/log" 2>&1
}

# a run that lasts
start()
{
	"$night" run --state "$work/state" --work "$work/run" --target "mountpoint:$point" \
	    --type traverse --set cache=both --set passes=1000 --rounds 200 \
	    --cell ext4:noatime ext4 --mount 'mount -t ext4 -o noatime %d %m' \
	    >"$work/log" 2>&1 &
	pid=$!
	tries=0
	while ! options | grep -q noatime && [ $tries -lt 100 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

options()
{
	awk -v p="$point" '$2 == p { print $4 }' /proc/self/mounts
}

mkfs.ext4 -q "$device"
mount -o nodiratime,nosuid "$device" "$point"
mkdir "$point/some"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "$i" >"$point/some/$i"
done
before=$(options)
sum=$(cd "$point" && find . -type f -exec cksum {} + | sort | cksum)

run
ok "every option set is measured" \
    '[ "$(grep -c "^trial .*: ok" "$work/log")" = 2 ]'
ok "what is in force is read back" \
    'grep -q "cell ext4:noatime: ok; in force rw,nosuid,noatime" "$work/log"'
ok "it is mounted as before at the end" '[ "$(options)" = "$before" ]'
ok "nothing was written" \
    '[ "$(cd "$point" && find . -type f -exec cksum {} + | sort | cksum)" = "$sum" ]'

(cd "$point" && exec sleep 60) &
holder=$!
sleep 0.2
# in use, and a cell whose making is asked for: nothing can be done
"$night" run --state "$work/state" --work "$work/run" --target "mountpoint:$point" \
    --type traverse --cell ext4:noatime ext4 --tune 'true' \
    --mount 'mount -t ext4 -o noatime %d %m' >"$work/log" 2>&1
ok "a busy one is reported with who holds it" \
    'grep -q "failed: mount: in use by pid $holder (sleep): current folder" "$work/log"'
ok "a busy one stays as it was" '[ "$(options)" = "$before" ]'
run --level nobarrier=on --asked noatime,nobarrier
ok "one in use has its options changed in place where that can be" \
    '[ "$(grep -c "^trial .*: ok" "$work/log")" = 2 ] &&
    grep -q "in force rw,nosuid,noatime,nodiratime,nobarrier" "$work/log"'
ok "and the report says that nothing was cold" \
    'grep -q "warm: it is in use, so its options were changed in place" "$work/log"'
ok "and has them as before afterwards" '[ "$(options)" = "$before" ]'
kill $holder
wait $holder 2>/dev/null

mkdir "$work/second"
mount "$device" "$work/second"
run
ok "one that is mounted twice is refused" \
    'grep -q "is mounted at .*/second. too: unmount that first" "$work/log"'
umount "$work/second"

unshare -m sh -c ": >'$work/there'; exec sleep 60" &
holder=$!
wait_for "$work/there"
run
ok "one that another mount namespace keeps is not measured" \
    'grep -q "is still mounted at .* in another mount namespace" "$work/log"'
kill $holder
wait $holder 2>/dev/null
ok "and it is as before" '[ "$(options)" = "$before" ]'

"$night" run --state "$work/state" --work "$work/run" --target "mountpoint:$work/second" \
    --type traverse --cell x ext4 --mount 'mount %d %m' >"$work/log" 2>&1
ok "a folder that is no mount point is refused" \
    'grep -q "is not a mount point" "$work/log"'
run --run 'touch %m/written'
ok "a workload that writes is refused" \
    'grep -q "only workloads that read run there" "$work/log"'
ok "and nothing was unmounted for it" '[ "$(options)" = "$before" ]'

start
kill -TERM "$pid"
wait "$pid"
ok "a signal ends the night" 'grep -q "^end: stopped by a signal" "$work/log"'
ok "it is mounted as before after a signal" '[ "$(options)" = "$before" ]'

start
kill -KILL "$pid"
wait "$pid" 2>/dev/null
sleep 0.5
ok "a kill leaves the trial's options" 'options | grep -q noatime'
"$night" clean "$work/state" >"$work/log" 2>&1
ok "clean mounts it as it was, and says so" \
    'grep -q "mounted .* as it was" "$work/log" && [ "$(options)" = "$before" ]'
ok "no journal is left" '[ -z "$(ls "$work/state")" ]'
ok "clean has nothing more to do" \
    '"$night" clean "$work/state" | grep -q "undone 0 gone 0 left 0"'
ok "no folder is left" '! ls "$work/run" | grep -q .'

# --- what is settled otherwise does not come up again and again
start
kill -KILL "$pid"
wait "$pid" 2>/dev/null
sleep 0.5
umount "$point"
mv "$point" "$work/renamed"
"$night" clean "$work/state" >"$work/log" 2>&1
ok "a mount point that is gone is said to be gone, once" \
    'grep -q "the mount point .* is gone" "$work/log" && [ -z "$(ls "$work/state")" ]'
echo "1..$count"
