#!/bin/sh
# The unit programs, every command, and as root one small night on a loop
# image, under valgrind: no bad access, nothing lost.
#
#   sh tests/valgrind.sh BUILD
#
# Left out: nights_test, which simulates hundreds of nights out of the functions
# that the others test, and of config_test the endless lists.  They take many
# minutes here, and run under AddressSanitizer.
set -u
build=${1:-build}
passed=0
failed=0
skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

if ! command -v valgrind >/dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		    --no-install-recommends valgrind libc6-dbg >/dev/null
	else
		echo "missing: valgrind; as root: apt-get install valgrind" >&2
		exit 1
	fi
fi

fault='definitely lost|Invalid|ninitialised|Mismatched|points to un'

# under NAME COMMAND...: a clean exit, here and in its children
under() {
	name=$1
	shift
	rm -f "$work"/log.*
	valgrind --quiet --error-exitcode=99 --leak-check=full \
	    --show-leak-kinds=definite --errors-for-leak-kinds=definite \
	    --trace-children=yes \
	    --trace-children-skip='*/sbin/*,*/bin/*' \
	    --log-file="$work/log.%p" "$@" >"$work/output" 2>&1
	status=$?
	# a child's errors do not come with its parent's exit status
	if [ $status -eq 0 ] && ! grep -qE "$fault" "$work"/log.*; then
		passed=$((passed + 1))
		echo "ok - $name"
	else
		failed=$((failed + 1))
		echo "not ok - $name: exit $status"
		{
			tail -n 20 "$work/output"
			cat "$work"/log.* | head -n 60
		} | sed 's/^/# /'
	fi
}

for test in tests/unit/*.c; do
	name=$(basename "$test" .c)
	case $name in
	nights_test)
		skipped=$((skipped + 1))
		echo "ok - $name # SKIP minutes; under AddressSanitizer only"
		;;
	config_test)
		SKIP_TESTS='endless_lists*'
		export SKIP_TESTS
		under "$name" "$build/${test%.c}.t"
		unset SKIP_TESTS
		;;
	*) under "$name" "$build/${test%.c}.t" ;;
	esac
done

program=$build/mountmatrix
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
mkdir "$work/state" "$work/files"
cat >"$work/night.conf" <<'CONF'
target t { image = "auto"  size = "32M" }
filesystem ext4 { target = "t"  toggle = { "noatime" } }
workload postmark { type = "postmark"  number = 20  transactions = 20 }
rounds = 2
CONF
study=fixtures/studies/freebsd-12.1-study.csv
db=$work/study.db
under "import csv" "$program" import csv $study -o "$db" --block block \
    --factors noatime,softupdates,async --value create_s --value find_cold_s \
    --unit s --better lower
under "import blogbench" "$program" import blogbench \
    --cell a=fixtures/studies/blogbench-ufs-2008.log \
    --cell b=fixtures/studies/blogbench-hammer-2008.log -o "$work/blog.db"
for format in text markdown html csv json; do
	under "report -f $format" "$program" report -f $format "$db"
done
under "report of curves" "$program" report "$work/blog.db"
under "compare" "$program" compare "$db" "$db"
under "merge" "$program" merge "$work/merged.db" "$db"
under "plan" "$program" plan "$work/night.conf"
under "plan -f sh" "$program" plan -f sh "$work/night.conf"
under "plan --json" "$program" plan --json "$work/night.conf"
under "list" "$program" list workloads
under "bench" "$program" bench postmark -d "$work/files" number=20 \
    transactions=20
under "clean" "$program" clean

if [ "$(id -u)" = 0 ] && [ -w /dev/loop-control ]; then
	under "check" "$program" check "$work/night.conf"
	under "a night" "$program" run "$work/night.conf" -o "$work/night.db"
	under "its report" "$program" report "$work/night.db"
	under "resume, with nothing to do" "$program" resume "$work/night.db"
else
	skipped=$((skipped + 1))
	echo "ok - a night # SKIP needs root and loop devices"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
