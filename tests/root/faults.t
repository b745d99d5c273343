#!/bin/sh
# Every step of the ladder x every kind of fault: the verdict and the words
# are as expected, each next cell is measured all the same, nothing is left.
# A combination that cannot be has its reason in the table; one that is left
# out without a reason is a failure.
#
# What goes wrong is a program that fails on cue (tests/fakes), a child of
# the program itself (--child), or the real thing, done at the beginning of a
# step (--at).  One night for each step, one cell for each fault.
# shellcheck disable=SC2016 # for another shell
set -u
# shellcheck source=tests/nights.sh
. tests/nights.sh
steps='attach guard make tune mount prop sysctl read_back populate settle cool
measure flush probe unmount check restore detach'
classes='exit signal hang garbage enospc missing'

# never STEP CLASS REASON: cannot be
never()
{
	echo "$1 $2 -" >>"$work/table"
	echo "$1, $2: $3" >>"$work/reasons"
}

# programs STEP PROGRAM [OPTION LINE MISSING]: the six faults of a step that is
# a program, which fails once in each cell
programs()
{
	name=$1 program=$2
	shift 2
	for class in exit1 signal hang enospc; do
		case $class in
		exit1) words="failed: $name: ($program: )?exit 1: $program: it went wrong" ;;
		signal) words="failed: $name: ($program: )?signal 11" ;;
		hang) words="timeout: $name: ($program: )?timed out after $limit" ;;
		enospc) words="no-space: $name: ($program: )?exit 1: $program: No space" ;;
		esac
		cue "$name" "$program" $class
		fault "${class%1}" "$words" --at "$name" "$cue" "$@"
	done
}


disk=$work/image/disk
point='$(echo '"$work"'/run/*/m)' # for the shell of a hook
fill="for size in 64K 1K; do
	dd if=/dev/zero bs=\$size >>$point/fill 2>/dev/null; done; true"

# --- attach: ioctls of the program itself
begin --target "image:$disk" --size 33554432 --no-probes
fault missing "failed: attach: the image '$disk' was removed by somebody" \
    --at attach "rm $disk"
fault missing2 "failed: attach: image '$disk': no free loop device: " \
    --at attach "mount --bind /dev/null /dev/loop-control"
fault garbage "failed: attach: '$disk' is not the image that was made: left" \
    --at attach "umount /dev/loop-control; mv $disk $work/aside;
	echo precious >$disk"
fault back "ok" --at attach "mv $disk $work/precious; mv $work/aside $disk"
go attach
is "attach: another file of the image's name is as it was" \
    "$(cat "$work/precious")" precious
is "attach: what failed was tried again and was measured" \
    "$(grep -c ' block 1 retry: ok' "$work/log")" 3
mount -t tmpfs -o size=16m small "$work/small"
begin --target "image:$work/small/disk" --size 33554432
fault enospc ""
xargs -d '\n' "$night" run <"$work/words" >"$work/log" 2>&1
like "attach, enospc: no night begins, and it is said how much is free" \
    "$(cat "$work/log")" "cannot create image .* \(16[0-9]* bytes are free\): no room for 33554432"
is "attach, enospc: nothing is left" "$(left)" ""
umount "$work/small"
echo "attach enospc no-night" >>"$work/table"
for class in exit signal hang; do
	never attach $class "on Linux an ioctl of the program's own process; on the BSDs a command like those of make"
done

# --- guard: looks, in the program's own process, at a device
truncate -s 32M "$work/disk"
device=$(losetup -f --show "$work/disk")
begin --target "device:$device" --destroy "$device" --no-probes
fault missing "failed: guard: .*'$device'.*" --at guard "losetup -d $device"
fault garbage "failed: guard: .*'$device'.*ext4.*precious" \
    --at attach "losetup $device $work/disk" \
    --at guard "mkfs.ext4 -q -F -L precious $device"
fault enospc "failed: guard: .*'$device'.*" \
    --at attach "losetup -d $device; truncate -s 64K $work/disk;
	losetup $device $work/disk" --at guard true
fault back "ok" \
    --at attach "losetup -d $device; rm $work/disk;
	truncate -s 32M $work/disk; losetup $device $work/disk"
go guard
losetup -d "$device"
device=
for class in exit signal; do
	never guard $class "no program and no child: a signal to the program itself ends the night"
done
never guard hang "reads the device in the program's own process: one that never answers holds the run, and SIGKILL ends that (tests/torture.sh)"

standard="--target image:$disk --size 33554432 --once --no-probes"

# --- make
# shellcheck disable=SC2086 # words
begin ${standard% --once*} --no-probes
programs make mkfs.ext4
cue make mkfs.ext4 stubborn
fault hang2 "timeout: make: mkfs.ext4: timed out" --at make "$cue"
cue make mkfs.ext4 garbage
fault garbage "failed: mount: exit 32: .*Can't find ext4 filesystem" \
    --at make "$cue"
cue make mkfs.ext4 noise
fault garbage2 ok --at make "$cue"
cue make mkfs.ext4 refuse
fault exit2 "failed: make: .*invalid option" --at make "$cue"
fault missing "failed: make: program 'mkfs.missing' not found" \
    --make "mkfs.missing %d"
go make
is "make: each trial that failed was tried again, but no rejected one" \
    "$(grep -c '^trial .* retry: ok' "$work/log")" 5
is "make: one that fails again is not tried a third time" \
    "$(grep -c '^trial .* missing ' "$work/log")" 2
is "make: only who refused an option is rejected" \
    "$(grep '^cell .*: rejected' "$work/log" | cut -d' ' -f2)" exit2:

# --- tune
# shellcheck disable=SC2086 # words
begin $standard
programs tune tune2fs --tune "tune2fs -i 0 %d"
cue tune tune2fs garbage
fault garbage ok --tune "tune2fs -i 0 %d" --at tune "$cue"
fault missing "failed: tune: program 'tune.missing' not found" \
    --tune "tune.missing %d"
go tune

# --- mount
# shellcheck disable=SC2086 # words
begin $standard
programs mount mount
cue mount mount garbage
fault garbage "failed: mount: .*nothing is mounted" --at mount "$cue"
cue mount mount noise
fault garbage2 ok --at mount "$cue"
fault missing "failed: mount: program 'mount.missing' not found" \
    --mount "mount.missing %d %m"
fault exit2 "failed: mount: exit 32: ext4: Unknown parameter 'bogus'" \
    --mount "mount -t ext4 -o bogus %d %m"
fault garbage3 "failed: mount: mounted read-only" \
    --mount "mount -t ext4 -o ro %d %m"
go mount
like "mount: a refused option rejects the cell, with the kernel's words" \
    "$(cat "$work/log")" "^cell exit2: rejected.*Unknown parameter"

# --- prop
# shellcheck disable=SC2086 # words
begin $standard
programs prop chattr --prop "chattr +S %m"
cue prop chattr garbage
fault garbage ok --prop "chattr +S %m" --at prop "$cue"
fault missing "failed: prop: program 'prop.missing' not found" \
    --prop "prop.missing %m"
go prop

# --- sysctl
range=$(sysctl -n net.ipv4.ip_local_port_range)
# shellcheck disable=SC2086 # words
begin $standard
programs sysctl sysctl --sysctl "sysctl vm.stat_interval=1"
cue sysctl sysctl garbage
fault garbage \
    "failed: sysctl: 'sysctl -n vm.stat_interval' printed no value, so nothing" \
    --sysctl "sysctl vm.stat_interval=1" --at sysctl "$cue"
fault tabs ok --sysctl "sysctl 'net.ipv4.ip_local_port_range=$range'"
fault missing "failed: sysctl: program 'sysctl.missing' not found" \
    --sysctl "sysctl.missing a=b"
go sysctl
is "sysctl: a value with a tab in it is put back" \
    "$(sysctl -n net.ipv4.ip_local_port_range)" "$range"

# --- read back: says nothing, and stops nothing
# shellcheck disable=SC2086 # words
begin $standard
for class in exit signal hang garbage enospc; do
	cue "read back" dumpe2fs "$(echo $class | sed s/exit/exit1/)"
	fault $class ok --at "read back" "$cue"
done
real=$(PATH=${PATH#*:} command -v dumpe2fs)
fault missing ok --at "read back" \
    "rm $work/bin/dumpe2fs; mount --bind /dev/null $(realpath "$real")"
fault back ok --at attach \
    "umount $(realpath "$real"); ln -s $fake $work/bin/dumpe2fs"
go read_back

# --- populate: two children of the program, one for the folders
# shellcheck disable=SC2086 # words
begin $standard
fault exit "failed: populate: write: exit 1" --child populate exit:1
fault signal "failed: populate: write: signal 11" --child populate signal:1
fault hang "timeout: populate: write: timed out after $limit" \
    --child populate hang:1
fault garbage "failed: populate: write .*: ended with an answer of 0 bytes" \
    --child populate garbage:1
fault hang2 "timeout: populate: mkdir: timed out after $limit" \
    --child populate hang
fault enospc "no-space: populate: cannot make the folder .*No space left" \
    --at populate "$fill"
fault enospc2 "no-space: populate: write '.*' after .*No space left" \
    --at populate "dd if=/dev/zero of=$point/fill bs=64K 2>/dev/null;
	truncate -s -100K $point/fill"
go populate
never populate missing "no program is run: the tree is in memory before the night begins"

# --- settle
# shellcheck disable=SC2086 # words
begin $standard
for class in exit signal; do
	fault $class "failed: settle: sync: $class " --child settle $class
done
fault hang "timeout: settle: sync: timed out after $limit" --child settle hang
fault garbage "failed: settle: sync .*: ended with an answer of 0 bytes" \
    --child settle garbage
fault enospc ok --at settle "$fill"
go settle
never settle missing "no program is run"

# --- cool: unmounting, and mounting again
# shellcheck disable=SC2086 # words
begin $standard
for class in exit1 signal hang noise enospc; do
	cue cool umount $class
	fault "$(echo $class | sed 's/1//;s/noise/garbage/')" ok \
	    --at cool "$cue"
done
fault missing "failed: cool: program 'umount.missing' not found" \
    --unmount "umount.missing %m"
cue cool mount exit1
fault exit2 "failed: mount: exit 1: mount: it went wrong" --at cool "$cue"
cue cool mount hang
fault hang2 "timeout: mount: timed out" --at cool "$cue"
cue cool mount garbage
fault garbage2 "failed: cool: .*nothing is mounted" --at cool "$cue"
go cool
for class in exit1 garbage; do
	# shellcheck disable=SC2086 # words
	begin $standard
	cue cool umount $class 1000
	fault "$(echo $class | sed 's/1/3/')" "failed: cool: umount: exit" \
	    --at cool "$cue"
	go cool stuck
done

# --- measure
# shellcheck disable=SC2086 # words
begin $standard
fault exit "failed: measure: .*exit 1: broken" \
    --at measure "echo exit >$work/what"
fault signal "failed: measure: .*signal 11" \
    --at measure "echo signal >$work/what"
fault hang "timeout: measure: .*" --at measure "echo hang >$work/what"
fault garbage ok --at measure "echo garbage >$work/what"
fault enospc "no-space: measure: .*No space left" \
    --at measure "echo full >$work/what"
fault missing "failed: measure: .*(not found|No such file)" \
    --at measure "mv $work/work $work/away"
fault exit2 "failed: measure: " --at attach "mv $work/away $work/work" \
    --child measure exit
fault signal2 "failed: measure: .*signal 11" --child measure signal
fault hang2 "timeout: measure: " --child measure hang
go measure
# a workload of the program's own
workload=traverse
# shellcheck disable=SC2086 # words
begin $standard
fault garbage2 "failed: measure: .*" --child measure garbage
go measure
workload=

# --- flush: a sync in a child, and unmounting
# shellcheck disable=SC2086 # words
begin $standard
for class in exit signal; do
	fault $class "failed: flush: sync: $class " --child flush $class
done
fault hang "timeout: flush: sync: timed out after $limit" --child flush hang
fault garbage "failed: flush: sync .*: ended with an answer of 0 bytes" \
    --child flush garbage
fault enospc ok --at flush "$fill"
for class in exit1 signal hang noise enospc; do
	cue flush umount $class
	fault "$(echo ${class%1} | sed 's/noise/garbage/')2" ok --at flush "$cue"
done
fault missing "failed: flush: program 'umount2' not found" \
    --unmount "umount2 %m" --at flush "mv $work/bin/umount2 $work/away"
fault back ok --at attach "mv $work/away $work/bin/umount2"
go flush

# --- probe and unmount: the second look, and unmounting after it
# shellcheck disable=SC2086 # words
begin ${standard% --no-probes}
for class in exit signal; do
	fault $class "failed: probe: .*$class 1" --child probe $class:1
done
fault hang "timeout: probe: .*timed out after $limit" --child probe hang:1
fault garbage "failed: probe: .*: ended with an answer of 0 bytes" \
    --child probe garbage:1
cue probe mount exit1
fault exit2 "failed: mount: exit 1: mount: it went wrong" --at probe "$cue"
fault enospc ok --at measure "echo leave-full >$work/what"
go probe
like "probe: no room is no fault of the cell's" "$(cat "$work/log")" \
    "^notes .*not probed: no room left"
never probe missing "no program is run but mount, as in the step of that name"
# shellcheck disable=SC2086 # words
begin ${standard% --no-probes}
for class in exit1 signal hang noise enospc; do
	cue unmount umount $class
	fault "$(echo ${class%1} | sed 's/noise/garbage/')" ok \
	    --at unmount "$cue"
done
fault missing "failed: unmount: program 'umount2' not found" \
    --unmount "umount2 %m" --at unmount "mv $work/bin/umount2 $work/away"
fault back ok --at attach "mv $work/away $work/bin/umount2"
go unmount

# --- check
# shellcheck disable=SC2086 # words
begin $standard
for class in exit4 exit1 exit8 signal hang garbage enospc; do
	cue check e2fsck $class
	case $class in
	exit4) words="corrupt: check: e2fsck: exit 4: e2fsck: errors left" ;;
	exit1) words="corrupt: check: e2fsck: exit 1" ;;
	exit8) words="failed: check: e2fsck: exit 8: e2fsck: could not look" ;;
	signal) words="failed: check: e2fsck: signal 11" ;;
	hang) words="timeout: check: e2fsck: timed out" ;;
	garbage) words=ok ;;
	enospc) words="no-space: check: e2fsck: exit 1" ;;
	esac
	fault $class "$words" --at check "$cue"
done
fault missing ok --check "fsck.missing %d"
go check
like "check: that no checker is there is noted" "$(cat "$work/log")" \
    "^notes .*: not checked: program 'fsck.missing' not found"

# --- restore
# shellcheck disable=SC2086 # words
begin $standard
programs restore blockdev --restore "blockdev --getss %d"
cue restore blockdev garbage
fault garbage ok --restore "blockdev --getss %d" --at restore "$cue"
fault missing "failed: restore: program 'restore.missing' not found" \
    --restore "restore.missing %d"
go restore
# a setting of the system that cannot be put back
# shellcheck disable=SC2086 # words
begin $standard
cue restore sysctl exit1 1000
old=$(sysctl -n vm.stat_interval)
fault exit2 ok --sysctl "sysctl vm.stat_interval=$((old + 1))" \
    --at restore "$cue"
go restore stuck
is "restore: clean puts a setting back" "$(sysctl -n vm.stat_interval)" "$old"

# --- detach: on Linux the device is let go of, and then a plan's command
# shellcheck disable=SC2086 # words
begin $standard
for class in exit1 signal enospc; do
	cue detach blockdev $class
	# the system may be looking at the device for a moment
	fault ${class%1} ok --detach "blockdev --getss %d" --at detach "$cue"
done
cue detach blockdev exit1 1000
fault exit2 "failed: detach: blockdev: exit 1: blockdev: it went wrong" \
    --detach "blockdev --getss %d" --at detach "$cue"
cue detach blockdev hang
fault hang "timeout: detach: blockdev: timed out after $limit" \
    --detach "blockdev --getss %d" --at detach "$cue"
cue detach blockdev garbage
fault garbage ok --detach "blockdev --getss %d" --at detach "$cue"
fault missing "failed: detach: program 'detach.missing' not found" \
    --detach "detach.missing %d"
go detach
# the real thing: somebody has the device open
# shellcheck disable=SC2086 # words
begin $standard
fault hang2 "failed: detach: '/dev/loop[0-9]*' is still in use" \
    --at detach "exec 3<\$(losetup -nO NAME -j $disk); hang 1000 &"
go detach stuck

# --- the table
# shellcheck disable=SC2086 # words
set -- $classes
printf '# %-10s' step
printf ' %-9s' "$@"
echo
for step in $steps; do
	row=
	for class in $classes; do
		first=$(grep "^$step $class " "$work/table" | head -1)
		row="$row $(printf '%-9s' "${first##* }")"
		if [ -z "$first" ]; then
			tap_result 1 "$step, $class: neither tried nor impossible"
		fi
	done
	printf '# %-10s%s\n' "$step" "$row"
done
sort -u "$work/reasons" | sed 's/^/# - in /'
# shellcheck disable=SC2086 # words
set -- $steps
echo "# counts: $(grep -vc ' -$' "$work/table") faults in $# steps x 6 kinds," \
    "$(grep -c ' -$' "$work/table") of the $(($# * 6)) combinations impossible" \
    "with a reason; each night went on, or stopped where something stayed" \
    "mounted; nothing was left"
finish
