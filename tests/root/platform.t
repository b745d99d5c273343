#!/bin/sh
# What platform/ finds and does as root on Linux: every use of a device that
# the guard must know, loop devices, and namespaces that leave nothing.
set -u
platform=$PWD/${BUILD:-build}/tests/helpers/platform
n=0

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(uname -s)" = Linux ] || skip_all "this tests the Linux part"
[ "$(id -u)" = 0 ] || skip_all "needs root"
[ -x "$platform" ] || skip_all "$platform is not built"
"$platform" isolation | grep -q 'root 1 mounts 1' ||
    skip_all "no mount namespaces here"
[ -w /dev/loop-control ] || skip_all "no loop devices here"

folder=$(mktemp -d)
holders=
cleanup() {
	for pid in $holders; do
		kill "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	[ -n "${swap:-}" ] && swapoff "$swap" 2>/dev/null
	"$platform" unpin "$folder/pin" 2>/dev/null
	for place in "$folder"/m "$folder"/n; do
		umount "$place" 2>/dev/null
	done
	for image in "$folder"/*.img; do
		[ -e "$image" ] || continue
		"$platform" attached "$image" | while read -r device; do
			"$platform" detach "$device"
		done
	done
	rm -rf "$folder"
	rm -f /var/lib/mountmatrix/lock-mountmatrix-test%2F*
}
trap cleanup EXIT
trap 'exit 1' INT TERM
cd "$folder" || exit 1
mkdir m n

ok() {
	n=$((n + 1))
	echo "ok $n - $1"
}

not_ok() {
	n=$((n + 1))
	echo "not ok $n - $1"
	shift
	printf '%s\n' "$@" | sed 's/^/# /'
}

# has TEXT WORD NAME: TEXT contains WORD
has() {
	case $1 in
	*"$2"*) ok "$3" ;;
	*) not_ok "$3" "wanted: $2" "got: $1" ;;
	esac
}

is() {
	if [ "$1" = "$2" ]; then ok "$3"; else not_ok "$3" "wanted: $2" "got: $1"; fi
}

# await TEST FILE: up to ten seconds
await() {
	tries=0
	until test "$1" "$2" || [ $tries -ge 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}

# hold IMAGE: attaches it until "release"; sets $device
hold() {
	mkfifo "$1.hold" 2>/dev/null
	rm -f "$1.out" # of an earlier hold
	"$platform" attach "$1" <"$1.hold" >"$1.out" &
	holder=$!
	holders="$holders $holder"
	exec 7>"$1.hold"
	await -s "$1.out"
	read -r device dio <"$1.out"
	export dio
}

release() {
	exec 7>&-
	wait "$holder"
	released=$?
}

# --- images and loop devices
"$platform" image a.img $((64 * 1024 * 1024))
is "$(stat -c '%s %a' a.img)" "67108864 600" "an image has its size and mode 0600"
is "$(test "$(stat -c %b a.img)" -ge 131072; echo $?)" 0 "its space is allocated"
has "$("$platform" image a.img 4096 2>&1)" "File exists" "an existing image is refused"
has "$("$platform" image huge.img 9000000000000000 2>&1)" "bytes are free" \
    "no room is told with what is free"
is "$(ls huge.img 2>/dev/null)" "" "and leaves no file"

hold a.img
has "$dio" "dio=1" "direct I/O is on, as the kernel says"
is "$("$platform" attached a.img)" "$device" "an image's devices are found"
is "$("$platform" device "$device" | sed -n 's/^backing //p')" "$folder/a.img" \
    "a device knows its image"
ln -s "$device" link
is "$("$platform" device link | sed -n 's/^path //p')" "$device" "links are followed"
uses=$("$platform" uses a.img)
has "$uses" "backing: attached to the loop device '${device#/dev/}'" \
    "an attached image is in use"
mkfs.ext4 -q -L mmtest "$device"
has "$("$platform" signatures "$device")" "filesystem ext4 '" "ext4 is recognised"
has "$("$platform" signatures "$device")" "'mmtest'" "with its label"

# --- uses
is "$("$platform" uses "$device" | grep -v "'platform'")" "" "an idle device has no uses"
mount "$device" m
has "$("$platform" uses "$device")" "mounted: mounted on '$folder/m'" "mounted here"
has "$("$platform" uses link)" "mounted: mounted on '$folder/m'" "also through a link"
is "$("$platform" is-on m "$device")" 1 "a path is on the device"
is "$("$platform" is-on m a.img)" 1 "and on the image behind it"
is "$("$platform" is-on / "$device")" 0 "the root is not"
has "$("$platform" counters m)" "reads " "its device is counted"
(cd m && exec sleep 60) &
sleeper=$!
holders="$holders $sleeper"
sleep 0.2
has "$("$platform" holders "$folder/m")" "$sleeper sleep: current folder '$folder/m'" \
    "a holder of a busy mount is named"
kill "$sleeper"
wait "$sleeper" 2>/dev/null

# a loop device on a file of a mounted loop device
dd if=/dev/zero of=m/inner.img bs=1M count=16 2>/dev/null
outer=$device
(
	hold m/inner.img
	mkfs.ext4 -q "$device"
	mount "$device" n
	echo "$device" >inner.name
	"$platform" uses "$outer" >outer.uses
	"$platform" is-on n a.img >inner.on
	"$platform" is-on n "$outer" >>inner.on
	umount n
	release
)
has "$(cat outer.uses)" "backing: attached to the loop device '$(sed 's,/dev/,,' inner.name)'" \
    "a loop device on a file of it is seen"
has "$(cat outer.uses)" "is mounted on '$folder/n'" "and what is mounted from that"
is "$(tr '\n' ' ' <inner.on)" "1 1 " "a path is on what is two layers down"
umount m

# the hole that O_EXCL leaves: a loop device on the device itself
(
	hold "$outer"
	mount "$device" n
	"$platform" uses "$outer" >nested.uses
	"$platform" uses a.img >>nested.uses
	umount n
	release
)
is "$(grep -c "is mounted on '$folder/n'" nested.uses)" 2 \
    "a nested loop device that is mounted is seen from both ends"
device=$outer

# another loop device on the same file
twin=$(losetup -f --show a.img)
has "$("$platform" uses "$device")" "backing: on the same file as the loop device '${twin#/dev/}'" \
    "a twin loop device is seen"
mount "$twin" m
has "$("$platform" uses "$device")" "its twin '${twin#/dev/}' is mounted on" "and its mount"
umount m
losetup -d "$twin"

# in another namespace
unshare -m sh -c "mount $device $folder/m && exec sleep 60" &
sleeper=$!
holders="$holders $sleeper"
sleep 0.5
has "$("$platform" uses "$device")" "mounted on '$folder/m' in another mount namespace" \
    "mounted in another namespace"
has "$("$platform" erase "$device" 2>&1)" "is in use" "it cannot be opened"
kill "$sleeper"
wait "$sleeper" 2>/dev/null
sleep 0.3

"$platform" erase "$device"
is "$("$platform" signatures "$device")" "" "erased signatures are gone"
mkswap "$device" >/dev/null 2>&1
has "$("$platform" signatures "$device")" "swap swap" "swap is recognised"
if swapon "$device" 2>/dev/null; then
	swap=$device
	has "$("$platform" uses "$device")" "swap: active swap" "active swap is seen"
	swapoff "$device"
	swap=
else
	ok "active swap is seen # SKIP this kernel does not swap to $device"
fi
"$platform" erase "$device"
# one Linux partition of 2048 sectors from sector 2048, and the magic number
printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\010\0\0' |
    dd of="$device" bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of="$device" bs=1 seek=510 conv=notrunc 2>/dev/null
has "$("$platform" signatures "$device")" "partitions dos" "a partition table is recognised"
release
is "$released" 0 "detaching succeeds"
is "$("$platform" attached a.img)" "" "and is really done"

# --- signatures by magic number agree with libblkid's
"$platform" image s.img $((320 * 1024 * 1024))
for maker in "mkfs.ext4 -q -F -L mm" "mkfs.xfs -q -f -L mm" "mkfs.btrfs -q -f -L mm" \
    "mkswap -L mm"; do
	dd if=/dev/zero of=s.img bs=1M count=2 conv=notrunc 2>/dev/null
	# shellcheck disable=SC2086 # a list of words
	$maker s.img >/dev/null 2>&1
	is "$("$platform" magic s.img | sed 's/^ext /ext4 /; s/^linux_swap/swap/')" \
	    "$("$platform" signatures s.img | sed 's/^[a-z]* //')" \
	    "magic numbers of ${maker%% *}"
done
rm -f s.img

# --- namespaces
ps_inside=$("$platform" isolate ps -e -o comm= 2>/dev/null | sort -u | tr '\n' ' ')
is "$ps_inside" "platform ps " "inside, only its own processes are seen"
"$platform" isolate sh -c 'exit 7' 2>/dev/null
is $? 7 "an exit status comes out"
"$platform" isolate sh -c "kill -9 \$PPID" 2>/dev/null
is $? 137 "a signal comes out"
"$platform" isolate sh -c "(sleep 0.1; sleep 0.1) & exit 3" 2>/dev/null
is $? 3 "orphans do not change it"
hold a.img
mkfs.ext4 -q "$device"
release
"$platform" isolate sh -c "echo ready; mount -o loop a.img m && touch m/x &&
    echo ready >ready && exec sleep 60" 2>identity &
outer=$!
await -e ready
is "$(ls m)" "" "mounts inside are invisible outside"
has "$("$platform" mounts all)" "on $folder/m type ext4" "but found by looking for them"
kill -9 "$outer"
wait "$outer" 2>/dev/null
identity=$(sed -n 's/^identity //p' identity)
"$platform" wait-gone "$identity"
is $? 0 "after SIGKILL all inside ends"
is "$("$platform" attached a.img)" "" "and no loop device stays"
"$platform" wait-gone "$(echo "$identity" | sed 's/^[^:]*/other-boot/')"
is $? 0 "a process of another boot is gone"
rm -f ready
"$platform" isolate sh -c "trap 'echo caught >caught; exit 5' TERM
    echo ready >ready; while :; do sleep 0.1; done" 2>/dev/null &
outer=$!
await -e ready
kill -TERM "$outer"
wait "$outer"
# the helper's worker has no handler: it dies by the signal, its child with it
is $? 143 "SIGTERM to the outer one arrives in the worker"

"$platform" isolate -k "$folder/pin" mount -t tmpfs kept m 2>/dev/null
is "$(nsenter --mount="/proc/$(cut -d: -f2 "$folder/pin")/ns/mnt" stat -f -c %T "$folder/m")" tmpfs \
    "kept mounts can be entered"
is "$(ls m)" "" "and are still private"
"$platform" unpin "$folder/pin"
is "$(ls pin 2>/dev/null; "$platform" mounts | grep pin)" "" "a pin is undone"

# on a host whose mounts are shared, as systemd makes them
cat >shared.sh <<END
mount --make-rshared / && mount -t tmpfs host m || exit 9
"$platform" isolate sh -c 'mount -t tmpfs inner n && : >ready &&
    until [ -e go ]; do sleep 0.05; done; grep -c " $folder/m " /proc/self/mountinfo' &
until [ -e ready ]; do sleep 0.05; done
echo "outside: \$(grep -c " $folder/n " /proc/self/mountinfo)"
umount m
: >go
wait
END
rm -f ready
is "$(timeout 20 unshare -m sh shared.sh 2>/dev/null | tr '\n' ' ')" "outside: 0 0 " \
    "mounts stay inside, the host's unmounts come in"

# --- the rest
has "$("$platform" log sh -c 'echo "<6>mountmatrix test \\x41" >/dev/kmsg')" \
    "mountmatrix test" "the kernel's words meanwhile are kept"
limit=$("$platform" limit 16777216 sh -c 'exec tail </dev/zero' 2>&1)
case $limit in
absent*) ok "too much memory is killed and counted # SKIP $limit" ;;
*) has "$limit" "kills 1" "too much memory is killed and counted" ;;
esac
# a group of version 2, played by a folder: what is written to it
mkdir unified && echo cpu memory >unified/cgroup.controllers
cat >unified.sh <<END
group=unified/mountmatrix-test-\$\$
mkdir \$group && cd \$group && echo oom_kill 3 >memory.events &&
    : >memory.max && : >memory.swap.max && : >memory.oom.group &&
    : >cgroup.procs && cd ../.. || exit 9
echo "1 1 0:1 / $folder/unified rw - cgroup2 cgroup2 rw" >mountinfo
mount --bind mountinfo /proc/\$\$/mountinfo || exit 9
exec "$platform" limit 16777216 true
END
limit=$(unshare -m sh unified.sh 2>/dev/null)
is "$limit, $(cat unified/*/memory.max unified/*/memory.swap.max \
    unified/*/memory.oom.group | tr '\n' ' ')" "exit 0, kills 3, 1677721601" \
    "version 2: limited, without swap, and killed as one"
"$platform" lock mountmatrix-test/key sh -c ': >locked; exec sleep 5' &
locker=$!
holders="$holders $locker"
await -e locked
has "$("$platform" lock mountmatrix-test/key true 2>&1)" "in use by another run: process $locker" \
    "a lock excludes"
kill -9 "$locker"
wait "$locker" 2>/dev/null
"$platform" lock mountmatrix-test/other true
is $? 0 "another key is free"
"$platform" lock mountmatrix-test/third true
left=
for file in /var/lib/mountmatrix/lock-mountmatrix-test*; do
	case $file in
	*third) ;;
	*) left="$left $file" ;;
	esac
done
is "$left" "" "files of locks that nobody has are swept away"
rounds=$(for _ in 1 2 3 4; do
	(for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$platform" lock mountmatrix-test/race sh -c \
		    'mkdir only || echo two at once; rmdir only; echo turn' 2>/dev/null
	done) &
done; wait)
is "$(echo "$rounds" | sort -u)" turn "runs that sweep while others lock never both have it"

probe=$("$platform" probe ext4 bogus commit=x data=ordered noatime)
has "$probe" "refused bogus: ext4: Unknown parameter 'bogus'" "the kernel's own reason"
is "$(echo "$probe" | grep -c refused)" 2 "and only for what it refuses"
has "$("$platform" probe nosuchfs a)" "known 0" "an unknown filesystem is told"
if runuser -u nobody -- true 2>/dev/null && chmod 755 "$folder" &&
    runuser -u nobody -- "$platform" isolation 2>/dev/null | grep -q 'user 1'; then
	is "$(runuser -u nobody -- "$platform" probe ext4 bogus noatime)" \
	    "$("$platform" probe ext4 bogus noatime)" "an ordinary user hears the same"
	is "$(runuser -u nobody -- "$platform" isolate \
	    sh -c "mount -t tmpfs x $folder/m && stat -f -c %T $folder/m" 2>/dev/null)" \
	    tmpfs "an ordinary user can mount tmpfs"
else
	ok "an ordinary user hears the same # SKIP no user namespaces here"
	ok "an ordinary user can mount tmpfs # SKIP no user namespaces here"
fi
echo "1..$n"
