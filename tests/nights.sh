# Nights in which something goes wrong: for the scripts in tests/root.
#
#     begin [OPTION...]             the next night (tests/helpers/night.c)
#     fault CLASS WORDS [OPTION...] a cell, and how its trial is to end
#     go NAME [END]                 runs the night, looks at each trial, at what
#                                   is left between two and at the end
#
# $faults counts the cells.  $work is the folder for everything; below $work/bin are programs that fail
# on cue.  The workload of the cells is "$work/work %m %t" unless "workload"
# names another type; what it is to do once is in $work/what.
# shellcheck shell=sh
# shellcheck disable=SC2016 # for another shell
# shellcheck source=tests/tap.sh
. tests/tap.sh
night=$PWD/${BUILD:-build}/tests/helpers/night
fake=$PWD/tests/fakes/fake
classes=
faults=0
limit=4 # seconds of a step; a loaded machine takes one for what is instant

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "loop devices are Linux's"
for program in mkfs.ext4 tune2fs dumpe2fs e2fsck chattr blockdev losetup; do
	command -v "$program" >/dev/null || skip_all "needs $program"
done
work=$(mktemp -d)
device=
# shellcheck disable=SC2317 # called by the trap
leave()
{
	rm -f "$work"/bin/*.cue
	"$night" clean "$work/state" >/dev/null 2>&1
	[ -z "$device" ] || losetup -d "$device" 2>/dev/null
	umount "$work/small" 2>/dev/null
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM
mkdir "$work/bin" "$work/state" "$work/run" "$work/image" "$work/tree" \
    "$work/small"
for name in mkfs.ext4 tune2fs mount umount dumpe2fs e2fsck sysctl chattr \
    blockdev; do
	ln -s "$fake" "$work/bin/$name"
done
ln -s "$(command -v sleep)" "$work/bin/hang"
PATH=$work/bin:$PATH
export PATH
for i in 1 2 3 4 5 6 7 8; do
	head -c 20000 /dev/urandom >"$work/tree/$i"
done
tar cf "$work/tree.tar" -C "$work/tree" .

# the workload reads the tree, or does once what it was told
cat >"$work/work" <<'END'
#!/bin/sh
cd "${0%/*}" || exit 1
read -r what <what 2>/dev/null
: >what
case ${what:-} in
exit) echo broken >&2; exit 1 ;;
signal) kill -SEGV $$ ;;
hang) exec bin/hang 1000 ;;
garbage) head -c 3000 /dev/urandom; head -c 3000 /dev/urandom >&2 ;;
full) exec dd if=/dev/zero of="$1/full" bs=1M ;;
leave-full) dd if=/dev/zero of="$1/full" bs=64K 2>/dev/null; exit 0 ;;
kill) kill -KILL $$ ;;
# one process: with a pipe between two, the one killed may hold the other up
memory) exec tail </dev/zero ;;
# a part of it, and the rest goes on; its words may stay in a pipe
memory-part) tail </dev/zero >/dev/null 2>&1; echo n=1; exit 0 ;;
write) exec dd if=/dev/zero of="$1/written" bs=1M count=16 conv=fsync ;;
read) cat "$2"/* >/dev/null || exit 1 ;;
read-on) cat "$2"/* >/dev/null 2>&1; exit 0 ;;
freeze) fsfreeze -f "${1%/work}" && exec touch "$1/x" ;;
*) echo n=1; exec grep -rc x "$2" ;;
esac
END
# a program that can be taken away
printf '#!/bin/sh\nexec umount "$@"\n' >"$work/bin/umount2"
chmod +x "$work/work" "$work/bin/umount2"

make='mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0 -L %l %d'
# words of the next night, one a line
say()
{
	for word; do
		case $word in
		*"
"*) word=$(printf '%s' "$word" | tr '\n' ' ') ;;
		esac
		printf '%s\n' "$word"
	done >>"$work/words"
}

# begin [OPTION...]: the next night
begin()
{
	: >"$work/words"
	: >"$work/expected"
	: >"$work/between"
	: >"$work/what"
	say --state "$work/state" --work "$work/run" --tree "$work/tree.tar" \
	    --type "${workload:-command}"
	[ -n "${workload-}" ] || say --set "run=$work/work %m %t"
	say \
	    --timeout $limit --step-timeout $limit \
	    --each "{ losetup -a; cat /proc/self/mounts; } |
		grep -F '$work' | grep -v -e '^${device:-none}:' -e ' $work/small ' \
		    >>'$work/between'" "$@"
}

# fault CLASS WORDS [OPTION VALUE...]: a cell that is to fail so.  CLASS may
# have a number, for a second fault of its kind.
fault()
{
	printf '%s\t%s\n' "$1" "$2" >>"$work/expected"
	[ "$1" = good ] || faults=$((faults + 1))
	say --cell "$1" ext4
	shift 2
	for line in "--make $make" "--mount mount -t ext4 %d %m" \
	    "--unmount umount %m" "--check e2fsck -fn %d"; do
		option=${line%% *}
		case " $* " in
		*" $option "*) ;;
		*) say "$option" "${line#* }" ;;
		esac
	done
	[ $# -eq 0 ] || say "$@"
}

# cue STEP PROGRAM WHAT [TIMES]: as options of a cell, in $cue
cue()
{
	# shellcheck disable=SC2034 # for the test
	cue="echo $3 ${4:-1} >$work/bin/$2.cue"
}

# all that is below the test's folder and should not be there
left()
{
	find "$work/state" "$work/run" "$work/image" "$work/small" -mindepth 1
	losetup -a | grep -F "$work" | grep -v "^${device:-none}:"
	grep "$work" /proc/self/mounts | grep -v "$work/small"
	pgrep -f "^$work/bin/hang"
}

note()
{
	sed 's/^/#   /' "$work/log" | head -60
}

# go STEP [END]: runs the night; each fault's words, the table's entries
go()
{
	fault good ok
	# shellcheck disable=SC2086 # words
	xargs -d '\n' timeout 300 ${inside:-} "$night" run <"$work/words" \
	    >"$work/log" 2>&1
	while IFS='	' read -r class words; do
		[ "$class" != good ] || [ "${2:-complete}" = complete ] ||
		    continue
		line=$(grep -E "^trial [0-9]+ $class block 1( retry)?: " \
		    "$work/log" | head -1 | cut -d: -f2-)
		like "$1, $class: $words" "$line" "^ $words"
		verdict=${line#?}
		verdict=${verdict%%:*}
		case " $classes " in
		*" ${class%%[0-9]*} "*)
			echo "$1 ${class%%[0-9]*} ${verdict:-none}"
			;;
		esac >>"$work/table"
	done <"$work/expected"
	like "$1: the night's end" "$(grep '^end: ' "$work/log")" \
	    "^end: ${2:-complete}"
	is "$1: nothing is left between two trials" "$(cat "$work/between")" ""
	if [ "${2:-complete}" != complete ]; then
		is "$1: no mount and no device is left" \
		    "$(losetup -a | grep -F "$work"
			grep "$work" /proc/self/mounts)" ""
		rm -f "$work"/bin/*.cue
		"$night" clean "$work/state" >>"$work/log"
	fi
	is "$1: nothing is left" "$(left)" ""
	rm -f "$work"/bin/*.cue
	# shellcheck disable=SC2154 # of tap.sh
	[ "$tap_failed" = "${failed_before:-0}" ] || note
	failed_before=$tap_failed
}

