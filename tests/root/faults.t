#!/bin/sh
# Every step of the ladder x every kind of fault: the verdict and the words
# are as expected, the next cell is measured all the same, nothing is left.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated by ok
set -u
night=$PWD/${BUILD:-build}/tests/helpers/night
fake=$PWD/tests/fakes/fake
count=0
faults=0

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "loop devices are Linux's"
for program in mkfs.ext4 tune2fs dumpe2fs e2fsck losetup; do
	command -v "$program" >/dev/null || skip_all "needs $program"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/state" "$work/run" "$work/image" "$work/tree"
for name in mkfs.ext4 tune2fs mount umount dumpe2fs e2fsck sysctl; do
	ln -s "$fake" "$work/bin/$name"
done
ln -s "$(command -v sleep)" "$work/bin/hang"
PATH=$work/bin:$PATH
export PATH
for i in 1 2 3 4 5 6 7 8; do
	head -c 20000 /dev/urandom >"$work/tree/$i"
done
tar cf "$work/tree.tar" -C "$work/tree" .
dd if=/dev/urandom of="$work/big" bs=1M count=40 2>/dev/null
tar cf "$work/big.tar" -C "$work" big


make='mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0 -L %l %d'
cell_make=''
cell_tune=''
cell_mount=''
cell_sysctl=''
cell_unmount=''
cell_check=''
cell_detach=''
tree=''
command=''

ok()
{
	count=$((count + 1))
	if eval "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/log" | head -40
	fi
}

left()
{
	find "$work/state" "$work/run" "$work/image" -mindepth 1
	losetup -a | grep "$work"
	grep "$work" /proc/self/mounts
	pgrep -f "^$work/bin/hang"
}

# run FAULTY-CELL-LINES...: the cell that fails, then a good one
run()
{
	timeout 100 "$night" run --state "$work/state" --work "$work/run" \
	    --image "$work/image" --target image --size 33554432 \
	    --tree "${tree:-$work/tree.tar}" --type command \
	    --set "run=${command:-grep -rc x %t}" \
	    --timeout 1 --step-timeout 1 --no-probes "$@" \
	    --cell good ext4 --make "$make" --mount 'mount -t ext4 %d %m' \
	    --check 'e2fsck -fn %d' >"$work/log" 2>&1
	status=$?
}

cell()
{
	run --cell bad ext4 --make "${cell_make:-$make}" \
	    ${cell_tune:+--tune "$cell_tune"} \
	    --mount "${cell_mount:-mount -t ext4 %d %m}" \
	    ${cell_sysctl:+--sysctl "$cell_sysctl"} \
	    --unmount "${cell_unmount:-umount %m}" \
	    --check "${cell_check:-e2fsck -fn %d}" \
	    ${cell_detach:+--detach "$cell_detach"}
}

# expect WHAT WORDS [good|stuck|-]: the faulty trial's line has these words;
# the good cell is measured; nothing is left
expect()
{
	faults=$((faults + 1))
	words=$2
	ok "$1: $2" \
	    'grep "^trial 0 bad" "$work/log" | grep -q -- "block 1: $words"'
	case ${3:-good} in
	good)
		ok "$1: the night goes on" \
		    'grep -q "^trial 1 good block 1: ok" "$work/log"'
		;;
	stuck)
		ok "$1: the night stops" 'grep -q "^end: stuck" "$work/log"'
		ok "$1: and leaves no mount and no device" \
		    '! losetup -a | grep -q "$work" &&
		    ! grep -q "$work" /proc/self/mounts'
		rm -f "$work"/bin/*.cue
		"$night" clean "$work/state" >>"$work/log"
		;;
	esac
	ok "$1: nothing is left" '[ -z "$(left)" ]'
	left | sed 's/^/# left: /'
	rm -f "$work"/bin/*.cue
}

cue() # PROGRAM WHAT [TIMES]; the good cell comes after the faulty one's
{
	echo "$2 ${3:-}" >"$work/bin/$1.cue"
}

cell
ok "without a fault all is well" '[ "$status" = 0 ]'

# --- make
cue mkfs.ext4 exit1 1
cell
expect "make exits 1" "failed: make: mkfs.ext4: exit 1: mkfs.ext4: it went wrong"
ok "a failed trial is tried again at the end of its block" \
    'grep -q "^trial 2 bad block 1 retry: ok" "$work/log"'
cue mkfs.ext4 signal 1
cell
expect "make is killed" "failed: make: mkfs.ext4: signal 11"
cue mkfs.ext4 hang 1
cell
expect "make hangs" "timeout: make: mkfs.ext4: timed out after 1"
cue mkfs.ext4 stubborn 1
cell
expect "make hangs and ignores SIGTERM" "timeout: make: mkfs.ext4: timed out"
cue mkfs.ext4 garbage 1
cell
expect "make prints garbage and does nothing" \
    "failed: mount: exit 32: .*Can't find ext4 filesystem"
ok "and no option is blamed for it" '! grep -q rejected "$work/log"'
cue mkfs.ext4 noise 1
cell
expect "make prints garbage and does its work" "ok"
cue mkfs.ext4 enospc 1
cell
expect "make finds no room" "no-space: make: mkfs.ext4: exit 1.*No space left"
cell_make="mkfs.missing %d"
cell
cell_make=
expect "make is missing" "failed: make: program 'mkfs.missing' not found"
cue mkfs.ext4 refuse 1
cell
expect "make refuses an option" "failed: make: .*invalid option"
ok "and the cell is rejected, not tried again" \
    'grep -q "^cell bad: rejected" "$work/log" && ! grep -q retry "$work/log"'

# --- tune
cell_tune='tune2fs -i 0 %d'
cue tune2fs exit1
cell
expect "tune exits 1" "failed: tune: tune2fs: exit 1: tune2fs: it went wrong"
ok "a trial that fails again is not tried a third time" \
    '[ "$(grep -c "^trial .* bad" "$work/log")" = 2 ]'
cue tune2fs signal 1
cell
expect "tune is killed" "failed: tune: tune2fs: signal 11"
cue tune2fs hang 1
cell
expect "tune hangs" "timeout: tune: tune2fs: timed out"
cue tune2fs noise
cell
expect "tune prints garbage" "ok"
cue tune2fs enospc 1
cell
expect "tune finds no room" "no-space: tune: tune2fs: exit 1"
cell_tune="tune.missing %d"
cell
cell_tune=
expect "tune is missing" "failed: tune: program 'tune.missing' not found"
cell_tune=

# --- mount
cue mount exit1 1
cell
expect "mount exits 1" "failed: mount: exit 1: mount: it went wrong"
cue mount signal 1
cell
expect "mount is killed" "failed: mount: signal 11"
cue mount hang 1
cell
expect "mount hangs" "timeout: mount: timed out"
cue mount garbage 1
cell
expect "mount says it is done and is not" "failed: mount: .*nothing is mounted"
cue mount noise
cell
expect "mount prints garbage" "ok"
cue mount enospc 1
cell
expect "mount finds no room" "no-space: mount: exit 1"
cell_mount="mount.missing %d %m"
cell
cell_mount=
expect "mount is missing" "failed: mount: program 'mount.missing' not found"
cell_mount="mount -t ext4 -o bogus %d %m"
cell
cell_mount=
expect "mount refuses an option" \
    "failed: mount: exit 32: ext4: Unknown parameter 'bogus'"
ok "and the cell is rejected with the kernel's words" \
    'grep -q "^cell bad: rejected.*Unknown parameter" "$work/log"'
cell_mount="mount -t ext4 -o ro %d %m"
cell
cell_mount=
expect "mounted read-only though that was not asked for" \
    "failed: mount: mounted read-only"

# --- sysctl
cell_sysctl='sysctl vm.stat_interval=1'
cue sysctl exit1 1
cell
expect "sysctl exits 1" "failed: sysctl: exit 1: sysctl: it went wrong"
cue sysctl signal 1
cell
expect "sysctl is killed" "failed: sysctl: signal 11"
cue sysctl hang 1
cell
expect "sysctl hangs" "timeout: sysctl: timed out"
cue sysctl garbage
cell
expect "sysctl prints garbage" "ok"
cell_sysctl=

# --- read back: says nothing, and stops nothing
for what in exit1 signal hang garbage enospc; do
	cue dumpe2fs $what
	cell
	expect "reading back: $what" "ok"
done

# --- populate
tree=$work/big.tar
cell
tree=
expect "the target is too small for the tree" \
    "no-space: populate: write 'big' after" -
ok "and that is not tried again" '! grep -q retry "$work/log"'

# --- cool, flush: unmounting
cue umount exit1 1
cell
expect "unmounting fails once" "ok"
cue umount signal 1
cell
expect "unmounting is killed once" "ok"
cue umount hang 1
cell
expect "unmounting hangs once" "ok"
cue umount noise
cell
expect "unmounting prints garbage" "ok"
cue umount exit1
cell
expect "unmounting fails for good" "failed: cool: umount: exit 1" stuck
cue umount garbage
cell
expect "unmounting says it is done and is not" "failed: cool:" stuck
cell_unmount="umount.missing %m"
cell
cell_unmount=
expect "unmounting is missing" "failed: cool: program 'umount.missing' not found"

# --- measure
command="sh -c 'echo broken >&2; exit 1'"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload exits 1" "failed: measure: .*exit 1" -
command="sh -c 'kill -SEGV \$\$'"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload is killed" "failed: measure: .*signal 11" -
command="$work/bin/hang 1000"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload hangs" "timeout: measure: .*" -
command="head -c 3000 /dev/urandom"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload prints garbage" "ok"
command="dd if=/dev/zero of=%m/full bs=1M"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload fills the target" "no-space: measure: " -
command="workload.missing"
run --cell bad ext4 --make "$make" --mount 'mount -t ext4 %d %m'
expect "the workload is missing" "failed: measure: .*not found\|failed: measure: .*No such file" -
command=

# --- check
cue e2fsck exit4 1
cell
expect "the checker finds damage" "corrupt: check: e2fsck: exit 4: e2fsck: errors left"
cue e2fsck exit1 1
cell
expect "the checker exits 1" "corrupt: check: e2fsck: exit 1"
cue e2fsck exit8 1
cell
expect "the checker cannot look" "failed: check: e2fsck: exit 8: e2fsck: could not look"
cue e2fsck signal 1
cell
expect "the checker is killed" "failed: check: e2fsck: signal 11"
cue e2fsck hang 1
cell
expect "the checker hangs" "timeout: check: e2fsck: timed out"
cue e2fsck garbage 1
cell
expect "the checker prints garbage" "ok"
cue e2fsck enospc 1
cell
expect "the checker finds no room" "no-space: check: e2fsck: exit 1"
cell_check="fsck.missing %d"
cell
cell_check=
expect "the checker is missing" "ok"
ok "and that is noted" \
    'grep -q "^notes 0: not checked: program .fsck.missing. not found" "$work/log"'

# --- detach by command: the system may look at the device for a moment
cat >"$work/bin/letgo" <<'END'
#!/bin/sh
[ -e "$0.tries" ] || printf 3 >"$0.tries"
read -r tries <"$0.tries"
echo $((tries - 1)) >"$0.tries"
[ "$tries" -le 0 ] || { echo "letgo: Device busy" >&2; exit 1; }
END
chmod +x "$work/bin/letgo"
cell_detach=letgo
cell
expect "a device that is busy for a moment is let go of" "ok"
ok "after as many tries as that took" \
    '[ "$(cat "$work/bin/letgo.tries")" = -1 ]'
echo 1000 >"$work/bin/letgo.tries"
cell
expect "one that stays busy" "failed: detach: letgo: exit 1: letgo: Device busy"
cell_detach=

echo "# counts: $faults faults, night went on and nothing was left after each"
echo "1..$count"
