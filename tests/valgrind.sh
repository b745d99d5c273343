#!/bin/sh
# The unit programs, and as root one small night on a loop image, under
# valgrind: no bad access, nothing lost.
#
#   sh tests/valgrind.sh BUILD
#
# Left out: nights_test simulates hundreds of nights and config_test reads
# endless lists, which take minutes here and run under AddressSanitizer.
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
		cat "$work"/log.* "$work/output" | tail -n 40 | sed 's/^/# /'
	fi
}

for test in tests/unit/*.c; do
	name=$(basename "$test" .c)
	case $name in
	nights_test | config_test)
		skipped=$((skipped + 1))
		echo "ok - $name # SKIP minutes; under AddressSanitizer only"
		;;
	*) under "$name" "$build/${test%.c}.t" ;;
	esac
done

if [ "$(id -u)" = 0 ] && [ -w /dev/loop-control ]; then
	mkdir "$work/state"
	cat >"$work/night.conf" <<'CONF'
target t { image = "auto"  size = "32M" }
filesystem ext4 { target = "t"  toggle = { "noatime" } }
workload postmark { type = "postmark"  number = 20  transactions = 20 }
rounds = 2
CONF
	XDG_STATE_HOME=$work/state
	export XDG_STATE_HOME
	under "a night" "$build/mountmatrix" run "$work/night.conf" \
	    -o "$work/night.db"
	under "its report" "$build/mountmatrix" report "$work/night.db"
else
	skipped=$((skipped + 1))
	echo "ok - a night # SKIP needs root and loop devices"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
