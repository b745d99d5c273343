#!/bin/sh
# What the compilers and checkers say beyond the build's own warnings.
# Prints each finding; ends with counts as TAP would.
# shellcheck disable=SC2317 # functions are called by "step"
set -u
status=0
packages='clang clang-format clang-tidy cppcheck shellcheck mandoc'

missing=
for program in clang clang-format clang-tidy cppcheck shellcheck mandoc; do
	command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq
		# shellcheck disable=SC2086 # a list of words
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		    --no-install-recommends $packages >/dev/null
	else
		echo "missing:$missing; as root: apt-get install $packages" >&2
		exit 1
	fi
fi

passed=0
failed=0
step() {
	name=$1
	shift
	output=$("$@" 2>&1)
	code=$?
	if [ $code -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok - $name"
	else
		failed=$((failed + 1))
		status=1
		echo "not ok - $name"
		echo "$output" | tail -60
	fi
}

system=$(uname -s | tr '[:upper:]' '[:lower:]')
sources=$(ls src/*.c src/*/*.c "src/platform/$system"/*.c)
flags="-std=c11 -D_GNU_SOURCE -Isrc $(pkg-config --cflags libconfuse \
    libarchive sqlite3 blkid)"

format() {
	# shellcheck disable=SC2046 # names without blanks
	clang-format --dry-run --Werror $(find src tests -name '*.[ch]')
}

analyzer() {
	for file in $sources; do
		# shellcheck disable=SC2086 # lists of words
		gcc $flags -O1 -fanalyzer -Werror -c "$file" -o /dev/null || return 1
	done
}

tidy() {
	# shellcheck disable=SC2086 # lists of words
	printf '%s\n' $sources | xargs -P 2 -n 1 sh -c \
	    'clang-tidy --quiet --warnings-as-errors="*" "$@" -- '"$flags"' 2>/dev/null' sh
}

check_cpp() {
	# shellcheck disable=SC2086 # a list of words
	cppcheck --std=c11 --enable=warning,performance,portability \
	    --suppressions-list=tests/lint/cppcheck.txt --inline-suppr \
	    --error-exitcode=1 --quiet -j 2 -Isrc $sources
}

scripts() {
	# shellcheck disable=SC2046 # names without blanks
	shellcheck -s sh $(find tests .ci -name '*.sh' -o -name '*.t' -o \
	    -path .ci/run -o -path 'tests/fakes/*' -type f)
}

manuals() {
	mandoc -Tlint -Wwarning src/cli/*.1 src/config/*.5 src/fs/*.5
}

step "clang-format" format
step "shellcheck" scripts
step "manuals" manuals
step "cppcheck" check_cpp
step "gcc -fanalyzer" analyzer
step "clang-tidy" tidy
echo "$passed passed, $failed failed, 0 skipped"
exit $status
