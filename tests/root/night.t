#!/bin/sh
# What a night leaves, whatever ends it: nothing, or what "clean" undoes.
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
mkdir "$work/state" "$work/run" "$work/image"

leave()
{
	"$night" clean "$work/state" >/dev/null 2>&1
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
		sed 's/^/# /' "$work/log"
		left | sed 's/^/# left: /'
	fi
}

left()
{
	find "$work/state" "$work/run" "$work/image" -mindepth 1
	losetup -a | grep "$work"
	grep "$work" /proc/self/mounts
}

run()
{
	"$night" run --state "$work/state" --work "$work/run" \
	    --image "$work/image" --target "${target:-image}" --size 33554432 \
	    --no-probes "$@" --cell ext4:default ext4 \
	    --make 'mkfs.ext4 -q -F -L %l %d' --mount 'mount -t ext4 %d %m' \
	    --check 'e2fsck -fn %d' >"$work/log" 2>&1
}

run --rounds 2
ok "a whole night is ok and leaves nothing" \
    'grep -q "^end: complete; 2 ok, 0 not ok" "$work/log" && [ -z "$(left)" ]'

# --- a signal, at many moments
bad=0
for delay in 0.02 0.05 0.1 0.2 0.3 0.4 0.5 0.6; do
	run --rounds 20 --run 'sleep 0.1' &
	pid=$!
	sleep $delay
	kill -TERM "$(pgrep -P $pid night)" 2>/dev/null || kill -TERM $pid
	wait $pid 2>/dev/null
	[ -z "$(left)" ] || bad=$((bad + 1))
done
ok "SIGTERM at eight moments leaves nothing" '[ $bad = 0 ]'

bad=0
for delay in 0.02 0.05 0.1 0.2 0.3 0.4 0.5 0.6; do
	run --rounds 20 --run 'sleep 0.1' &
	pid=$!
	sleep $delay
	kill -KILL "$(pgrep -P $pid night)" 2>/dev/null
	wait $pid 2>/dev/null
	tries=0
	while losetup -a | grep -q "$work" && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	! losetup -a | grep -q "$work" || bad=$((bad + 1))
	! grep -q "$work" /proc/self/mounts || bad=$((bad + 1))
	"$night" clean "$work/state" >"$work/log" 2>&1 || bad=$((bad + 1))
	[ -z "$(left)" ] || bad=$((bad + 1))
done
ok "SIGKILL at eight moments leaves no mount and no device, and clean undoes the rest" \
    '[ $bad = 0 ]'

# --- keep
run --keep "$work/state/kept" --run "false"
ok "a failed trial is kept" 'grep -q "^end: a failed trial was kept" "$work/log"'
point=$(find "$work/run" -name m)
ok "and can be entered" \
    'nsenter --mount="/proc/$(cut -d: -f2 "$work/state/kept")/ns/mnt" test -d "$point/work"'
"$night" clean "$work/state" >"$work/log" 2>&1
ok "clean lets it go" 'grep -q "let go of the kept mounts" "$work/log"'
sleep 0.5
"$night" clean "$work/state" >>"$work/log" 2>&1
ok "and nothing is left" '[ -z "$(left)" ]'

# --- what is not ours any more is left alone
run --rounds 50 --run 'sleep 0.1' &
pid=$!
sleep 0.5
kill -KILL "$(pgrep -P $pid night)"
wait $pid 2>/dev/null
image=$(find "$work/image" -type f)
sleep 0.5
mv "$image" "$work/aside"
echo precious >"$image"
"$night" clean "$work/state" >"$work/log" 2>&1
ok "another file of the image's name is left alone" \
    '[ "$(cat "$image")" = precious ] && grep -q "is not the file that was made" "$work/log"'
rm -f "$image" "$work/aside"

# --- locks, budget, memory
run --rounds 20 --run 'sleep 0.2' &
pid=$!
sleep 0.4
"$night" clean "$work/state" >"$work/log" 2>&1
ok "clean does not touch a run that lives" \
    'grep -q "running 1" "$work/log" && losetup -a | grep -q "$work"'
kill -TERM "$(pgrep -P $pid night)"
wait $pid
truncate -s 33554432 "$work/disk"
device=$(losetup -f --show "$work/disk")
target=device:$device
run --run 'sleep 0.2' --rounds 20 --destroy "$device" &
pid=$!
sleep 0.6
"$night" run --state "$work/state" --work "$work/run" --target "$target" \
    --destroy "$device" --cell a ext4 --make 'mkfs.ext4 -q -F %d' \
    --mount 'mount %d %m' >"$work/log2" 2>&1
ok "two runs on one target exclude each other" \
    'grep -q "^target .scratch.: " "$work/log2"'
kill -TERM "$(pgrep -P $pid night)"
wait $pid
run --destroy "$device"
ok "a device that was named twice is measured" \
    'grep -q "^trial 0 ext4:default block 1: ok" "$work/log"'
"$night" hold "$device" "$work/held" &
holder=$!
wait_for "$work/held"
(sleep 1 && kill $holder) &
run --destroy "$device"
wait
ok "one that somebody else holds for a moment is waited for" \
    'grep -q "^trial 0 ext4:default block 1: ok" "$work/log"'
run
ok "a device that was named once is not, and says how" \
    'grep -q "^cell ext4:default: unsafe.*add --destroy $device" "$work/log"'
losetup -d "$device"
rm -f "$work/disk"
target=''
run --rounds 100 --budget 3
ok "the budget ends a night at a block's end" \
    'grep -q "^end: the budget is used up" "$work/log" && [ -z "$(left)" ]'
run --memory 33554432 \
    --run "python3 -c 'x = b\"x\" * 200000000'"
if command -v python3 >/dev/null; then
	ok "a workload that needs too much memory says so" \
	    'grep -q "killed for want of memory, limited to 32 MiB\|memory was not limited" "$work/log"'
fi
target=memory
"$night" run --state "$work/state" --work "$work/run" --target memory \
    --size 33554432 --cell tmpfs tmpfs \
    --mount 'mount -t tmpfs -o size=32M,noatime %l %m' \
    --cell overlay overlay \
    --make 'mount -t tmpfs %l %b' --make 'mkdir %b/l %b/u %b/w' \
    --mount 'mount -t overlay -o lowerdir=%b/l,upperdir=%b/u,workdir=%b/w %l %m' \
    --unmount 'umount %m' >"$work/log" 2>&1
ok "memory needs no image" \
    'grep -q "^end: complete; 2 ok" "$work/log" && [ -z "$(left)" ]'
ok "the probe sees what is in force" \
    'grep -q "cell tmpfs: .*atime none" "$work/log"'
mkdir "$work/folder"
"$night" run --state "$work/state" --work "$work/run" \
    --target "directory:$work/folder" --cell plain plain \
    --run 'touch %m/a' >"$work/log" 2>&1
ok "a folder is as it was afterwards" \
    'grep -q "^end: complete; 1 ok" "$work/log" && [ -z "$(find "$work/folder" -mindepth 1)" ]'
echo "1..$count"
