#!/bin/sh
# What a signal to each command leaves: nothing of it runs, nothing is mounted,
# and the message says how to go on.  A signal that nohup had ignored stays so.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-$PWD/build/mountmatrix}

need_root
for tool in mkfs.ext4 unshare; do
	command -v "$tool" >/dev/null || skip_all "needs $tool"
done
# a /run of its own: what another run has there is no concern of this one
if [ -z "${OWN_RUN-}" ]; then
	# shellcheck disable=SC2016 # expanded by the inner sh
	OWN_RUN=yes exec unshare -m sh -c \
	    'mount -t tmpfs tmpfs /run && exec sh "$0"' "$0"
fi
work=$(mktemp -d)
running=
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	[ -z "$running" ] || kill -9 "$running" 2>/dev/null
	losetup -a | grep "$work" | cut -d: -f1 | while read -r device; do
		losetup -d "$device"
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
cd "$work" || exit 1

# start LOG WORD...: in the background, with all signals as they are by
# default: a shell has its "&" ignore SIGINT
start() {
	log=$1
	shift
	env --default-signal=INT,HUP,TERM,QUIT "$@" >"$log" 2>&1 &
	running=$!
}

# until COMMAND...: it succeeds, or half a minute is over
until_true() {
	tries=0
	while ! "$@" && [ $tries -lt 600 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

# ended_by SIGNAL: the exit status of what runs
ended_by() {
	kill "-$1" "$running"
	wait "$running"
	code=$?
	running=
}

# shellcheck disable=SC2317 # called by until_true
has_files() { [ -n "$(ls "$work/box/s0" 2>/dev/null)" ]; }

mkdir box
start bench.log "$program" bench postmark -d box transactions=100000000 \
    subdirectories=2
worker=$running
until_true has_files
ended_by INT
is "bench ends by the signal" $code 130
is "bench leaves no worker" "$(pgrep -P "$worker"; pgrep -g "$worker")" ""
before=$(find box | wc -l)
sleep 0.3
is "and nobody writes any more" "$(find box | wc -l)" "$before"
like "bench says what it leaves" "$(cat bench.log)" "left in '(.*/)?box'"

if [ "$(uname -s)" = Linux ]; then
	rm -rf box && mkdir box
	start bench.log "$program" bench postmark -d box \
	    transactions=100000000 subdirectories=2
	until_true has_files
	worker=$(pgrep -P "$running")
	ended_by KILL
	# shellcheck disable=SC2317 # called by until_true
	is_gone() { ! kill -0 "$worker" 2>/dev/null; }
	until_true is_gone
	is "bench that is killed takes its worker along" \
	    "$(is_gone && echo gone)" gone
	is_gone || kill "$worker"
fi

# begun with nothing open: no file of its own gets what it prints
rm -rf box && mkdir box
env "$program" bench postmark -d box transactions=100000000 \
    subdirectories=2 <&- >&- 2>&- &
running=$!
until_true has_files
is "closed descriptors are none of its files" \
    "$(readlink /proc/$running/fd/0 /proc/$running/fd/1 /proc/$running/fd/2)" \
    "/dev/null
/dev/null
/dev/null"
kill -TERM "$running"
wait "$running" 2>/dev/null
running=

cat >many.conf <<'END'
target disk { image = "auto"  size = "64M" }
filesystem ext4 {
	axis commit { levels = { "commit=2", "commit=3", "commit=4", "commit=6",
	    "commit=7", "commit=8", "commit=9", "commit=10", "commit=11" } }
	toggle = { "noatime", "nobarrier", "nodelalloc" }
}
workload nothing { type = "null" }
END
for signal in INT TERM HUP QUIT; do
	start check.log "$program" check many.conf
	until_true grep -q '^cell ' check.log
	ended_by $signal
	case $signal in
	INT) expected=130 ;;
	TERM) expected=143 ;;
	HUP) expected=129 ;;
	QUIT) expected=131 ;;
	esac
	is "check ends by SIG$signal" $code "$expected"
	unlike "no cell is judged by the signal" "$(cat check.log)" \
	    'stopped by a signal'
	is "check leaves no image, journal or folder" \
	    "$(find "$work" -name '*.img' -o -name '*.undo'
	    find /run -maxdepth 1 -name 'mountmatrix-*' -newer many.conf)" ""
done

# a limit on the size of files is an error like any other, and not the end
cat >limit.conf <<'END'
target disk { image = "auto"  size = "64M" }
filesystem ext4 { }
workload nothing { type = "null" }
END
# shellcheck disable=SC3045 # known to dash and bash
out=$(ulimit -f 20000 && "$program" run -q limit.conf -o limit.db 2>&1)
status "run below a limit of file size" $? 3
like "it says so" "$out" 'File too large'
is "and leaves no image" "$(find . -name '*.img')" ""

truncate -s 64M disk
device=$(losetup -f --show disk) || skip_all "no loop device"
sed "s|image = .auto.  size = .64M.|device = \"$device\"|" many.conf >device.conf
start run.log "$program" run device.conf --destroy "$device" -o new/r.db
until_true grep -q 'block 1' run.log
ended_by INT
is "run ends by the signal" $code 130
like "run says how to go on, with what was named twice" "$(cat run.log)" \
    "go on with: mountmatrix resume new/r.db --destroy $device\$"

# to the inner process alone, as somebody's kill may
start inner.log "$program" run device.conf --destroy "$device" -o new/inner.db
until_true grep -q 'block 1' inner.log
worker=$(pgrep -P "$(pgrep -P "$running" | head -1)" | head -1)
kill -TERM "$worker"
wait "$running"
status "run whose inner process is stopped" $? 3
running=
like "it is said" "$(cat inner.log)" '^mountmatrix: a signal came'
like "and how to go on" "$(cat inner.log)" \
    "^go on with: mountmatrix resume new/inner.db"
rm new/inner.db

# begun without what it needs, the rest of that night stays as it is
cp new/r.db new/copy.db
out=$("$program" resume new/r.db 2>&1)
status "resume without --destroy" $? 3
like "says what to add" "$out" "target 'disk': .*add --destroy $device"
is "and records nothing" "$(cksum <new/r.db)" "$(cksum <new/copy.db)"
out=$("$program" run device.conf -o new/none.db 2>&1)
status "run without --destroy" $? 3
is "one line for the target, one for the run" "$(echo "$out" | wc -l)" 2
is "and no results file" "$(ls new)" "copy.db
r.db"

# the rest of that night, by the line that was printed
go_on=$(sed -n 's/^go on with: mountmatrix //p' run.log)
# shellcheck disable=SC2086 # split into words
start resume.log nohup "$program" $go_on
until_true grep -q '/' resume.log
kill -HUP "$running"
sleep 0.5
like "nohup: SIGHUP does not end it" \
    "$(kill -0 "$running" 2>&1 && echo alive)" alive
ended_by TERM
is "but SIGTERM does" $code 143

# another disk under the same name, as after a reboot
losetup -d "$device"
truncate -s 80M disk2
if losetup "$device" disk2 2>losetup.log; then
	out=$("$program" resume new/r.db --destroy "$device" 2>&1)
	status "resume on another disk" $? 3
	like "it is said what changed" "$out" \
	    'changed: host disk was .*, 64 MiB.* and is .*, 80 MiB'
else
	skip "resume on another disk" "$device was taken by another"
fi

finish
