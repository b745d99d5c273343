# TAP for plain sh: source it, call the checks, end with "finish".
#
# is NAME GOT EXPECTED; like NAME TEXT REGEX; unlike; status NAME GOT EXPECTED;
# golden NAME TEXT FILE (UPDATE_GOLDENS=1 writes the file instead).
# shellcheck shell=sh
tap_count=0
tap_failed=0

tap_result() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
	fi
}

tap_note() {
	printf '%s\n' "$1" | sed 's/^/#   /'
}

is() {
	if [ "$2" = "$3" ]; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1"
	tap_note "got:"
	tap_note "$2"
	tap_note "expected:"
	tap_note "$3"
}

status() {
	is "$1: exit status" "$2" "$3"
}

like() {
	if printf '%s\n' "$2" | grep -Eq -- "$3"; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1"
	tap_note "no line matches: $3"
	tap_note "$2"
}

unlike() {
	if printf '%s\n' "$2" | grep -Eq -- "$3"; then
		tap_result 1 "$1"
		tap_note "a line matches: $3"
		tap_note "$2"
		return
	fi
	tap_result 0 "$1"
}

golden() {
	if [ -n "${UPDATE_GOLDENS-}" ]; then
		printf '%s\n' "$2" >"$3"
	fi
	if difference=$(printf '%s\n' "$2" | diff -u "$3" - 2>&1); then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1"
	tap_note "$difference"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# for tests that attach and mount
need_root() {
	[ "$(id -u)" = 0 ] || skip_all "needs root"
	[ -e /dev/loop-control ] || skip_all "needs loop devices"
}

finish() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
	exit
}
