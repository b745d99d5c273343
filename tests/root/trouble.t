#!/bin/sh
# Trouble that no exit status tells of, by real means: a disk that gives I/O
# errors, a filesystem that gives up, a backing file that is cut, a process
# that nothing ends, memory that runs out, a clock that is set.
# shellcheck disable=SC2016 # for another shell
set -u
# shellcheck source=tests/nights.sh
. tests/nights.sh

small=$work/small/disk
disk=$work/image/disk
point='$(echo '"$work"'/run/*/m)' # for the shell of a hook
here="--target image:$disk --size 33554432 --once --no-probes"
loop="\$(losetup -nO NAME -j $disk | sed s,/dev/,,)"
make_sparse='mkfs.ext4 -q -F -E lazy_itable_init=0 -L %l %d'

has_log=false
[ -w /dev/kmsg ] && [ -r /dev/kmsg ] && has_log=true

# --- the room of the image: a maker that discards does not give it back
# shellcheck disable=SC2086 # words
begin $here
fault discard ok --make "$make_sparse" \
    --at mount "du -k $disk | cut -f1 >$work/room"
go "image"
like "image: its room stays its own when the maker discards it" \
    "$(cat "$work/room")" "^327[67][0-9]$"

# --- I/O errors: the image is on a disk that is full, its free room trimmed
thin="fstrim $point && dd if=/dev/zero of=$work/small/fill bs=64K 2>/dev/null"
mount -t tmpfs -o size=40m small "$work/small"
# shellcheck disable=SC2086 # words
begin --target "image:$small" ${here#*disk}
again="rm -f $work/small/fill"
fault measured "(failed|no-space): measure: .*(Input/output error|No space left).*; the kernel says: .*I/O error" \
    --at measure "$thin; echo write >$work/what"
fault populated "failed: settle: .*Input/output error" --at attach "$again" \
    --at populate "$thin; dd if=/dev/zero of=$point/b bs=1M count=8"
fault trimmed ok --at attach "$again"
go "full disk"
umount "$work/small"

# --- the image is cut while it is measured
# shellcheck disable=SC2086 # words
begin $here
fault cut "failed: measure: .*(Input/output error|Structure needs cleaning)" \
    --at measure "truncate -s 1M $disk; echo read >$work/what"
go cut
like "cut: the next trial has an image of the full size" "$(cat "$work/log")" \
    "^message: the image '$disk' was cut by somebody; it is made again"
# one cut to nothing: the device is there and nothing else is
# shellcheck disable=SC2086 # words
begin $here
fault gone "failed: measure: .*(Input/output error|Structure needs cleaning)" \
    --at measure "truncate -s 0 $disk; echo read >$work/what"
go gone

# --- the filesystem finds an error, and goes on or gives up
if $has_log && [ -e /sys/fs/ext4/features ]; then
	broken="echo test >/sys/fs/ext4/$loop/trigger_fs_error"
	# shellcheck disable=SC2086 # words
	begin $here
	for step in settle cool measure flush; do
		fault "error-$step" \
		    "void: .*: the kernel said: EXT4-fs error \(device loop[0-9]+\).*: test" \
		    --at $step "$broken"
	done
	fault readonly \
	    "failed: measure: the filesystem has gone read-only; the kernel says: EXT4-fs error" \
	    --mount "mount -t ext4 -o errors=remount-ro %d %m" \
	    --at measure "$broken"
	fault readonly-populated \
	    "failed: populate: .*Read-only file system; the filesystem has gone read-only" \
	    --mount "mount -t ext4 -o errors=remount-ro %d %m" \
	    --at populate "$broken"
	# somebody else's trouble is not ours
	fault another ok --at measure \
	    'echo "<3>I/O error, dev sdzz, sector 8" >/dev/kmsg'
	fault machine-before ok --at populate \
	    'echo "<3>INFO: task x:1 blocked for more than 120 seconds" >/dev/kmsg'
	fault machine "void: measure: the kernel said: .*blocked for more" \
	    --at measure \
	    'echo "<3>INFO: task x:1 blocked for more than 120 seconds" >/dev/kmsg'
	go "errors found"
	like "errors found: the machine's trouble before the measurement is noted" \
	    "$(cat "$work/log")" \
	    "^notes .*populate: the kernel said: INFO: task x:1 blocked"
else
	skip "errors found" "needs ext4 and a kernel log"
fi

# --- killed: by whom?
# shellcheck disable=SC2086 # words
begin $here
fault self "failed: measure: signal 9 \(Killed\)$" \
    --at measure "echo kill >$work/what"
go "killed"
unlike "killed: one that kills itself is no matter of memory" \
    "$(cat "$work/log")" "memory"
if { [ -w /sys/fs/cgroup/memory ] ||
	grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null; }; then
	# shellcheck disable=SC2086 # words
	begin $here --memory 33554432
	fault limited \
	    "failed: measure: killed for want of memory, limited to 32 MiB \((exit 137|signal 9).*\)" \
	    --at measure "echo memory >$work/what"
	fault limited-part \
	    "failed: measure: killed for want of memory, limited to 32 MiB \(.*\)" \
	    --at measure "echo memory-part >$work/what"
	go "memory"
else
	skip "memory" "no control group for memory"
fi
# a limit around all of us, as a container has it
group=/sys/fs/cgroup/memory/mountmatrix-test-$$
if $has_log && mkdir "$group" 2>/dev/null; then
	echo 134217728 >"$group/memory.limit_in_bytes"
	# shellcheck disable=SC2086 # words
	begin $here
	fault around \
	    "failed: measure: (exit 137|signal 9).*; the kernel says: Memory cgroup out of memory: Killed process" \
	    --at measure "echo memory >$work/what"
	printf '#!/bin/sh\necho $$ >%s/cgroup.procs\nexec "$@"\n' "$group" \
	    >"$work/inside"
	chmod +x "$work/inside"
	inside=$work/inside
	go "memory around"
	inside=
	rmdir "$group" || tap_result 1 "memory around: the group is empty"
else
	skip "memory around" "no control group of version 1, or no kernel log"
fi

# --- the clock is set
# shellcheck disable=SC2086 # words
begin $here
fault forward ok --clock measure 3600
fault back ok --clock cool -7200
go clock
is "clock: a step is noted, and the figures are as good as any" \
    "$(grep -c '^notes [01]: the clock was set by [+-][0-9]*.[0-9] s' \
	"$work/log")" 2
unlike "clock: no duration is a clock's step long" "$(cat "$work/log")" \
    "(3600|7200)[.0-9]* s( |$)[^m]*$"
# shellcheck disable=SC2086 # words
begin $here --metric 'n=([0-9]+)'
fault figures "void: measure: the clock was set by [+]3600.* s while" \
    --clock measure 3600
go "clock of a command"

# --- a process that nothing ends
if command -v fsfreeze >/dev/null; then
	# shellcheck disable=SC2086 # words
	begin $here
	fault frozen "timeout: measure: timed out" \
	    --at measure "echo freeze >$work/what"
	fault good ok
	xargs -d '\n' timeout 120 "$night" run <"$work/words" >"$work/log" 2>&1
	like "stuck: the trial" "$(cat "$work/log")" \
	    "^trial 0 frozen block 1 retry: timeout: measure"
	like "stuck: the night stops, and says who is in the way" \
	    "$(cat "$work/log")" \
	    "^end: stuck: process [0-9]+ \(touch\) is in uninterruptible sleep"
	unlike "stuck: no other trial is begun" "$(cat "$work/log")" "^trial 1"
	stuck=$(pgrep -fx "touch $work/run/.*/x")
	is "stuck: one process" "$(echo "$stuck" | wc -w)" 1
	# by way of who is stuck in it: no other has that mount
	fsfreeze -u "/proc/$stuck/root$(echo "$work"/run/*/m)"
	tries=0
	while losetup -a | grep -qF "$work" && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	"$night" clean "$work/state" >>"$work/log"
	is "stuck: once it can end, nothing is left" "$(left)" ""
else
	skip "stuck" "needs fsfreeze"
fi
echo "# counts: $faults troubles by real means, the night went" \
    "on after each but the process that nothing ends; nothing was left"
finish
