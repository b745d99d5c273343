#!/bin/sh
# The tests under AddressSanitizer and UBSan.
#
#   sh tests/asan.sh BUILD
#
# Left out: full, options, torture, cells and night run hundreds of trials on
# real filesystems.  What takes their time is other programs, which are not
# sanitized, and the code of ours that they go through is gone through by the
# ones that are kept.
set -u
build=${1:-build/asan}
set --
for test in tests/unit/*.c; do
	set -- "$@" "$build/${test%.c}.t"
done
for folder in cli fuzz root; do
	for test in tests/"$folder"/*.t; do
		case $test in
		*/full.t | */options.t | */torture.t | */cells.t | */night.t) ;;
		*) set -- "$@" "$test" ;;
		esac
	done
done
exec sh tests/check.sh "$build" "$@"
