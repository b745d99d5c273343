#!/bin/sh
# Runs every test under prove and ends with one line of counts.
#
#   sh tests/check.sh BUILD [TEST...]
#
# BUILD is the folder that "make" filled.  Without TESTs: the unit programs
# built there, and every .t script that this host can run (each skips by
# itself and says why where it cannot).
set -u
build=${1:-build}
shift || true

MOUNTMATRIX=$PWD/$build/mountmatrix
BUILD=$build
CMOCKA_MESSAGE_OUTPUT=TAP
export MOUNTMATRIX BUILD CMOCKA_MESSAGE_OUTPUT

if [ $# -eq 0 ]; then
	for test in tests/unit/*.c; do
		set -- "$@" "$build/${test%.c}.t"
	done
	for folder in lint cli fuzz root; do
		for test in tests/"$folder"/*.t; do
			[ -e "$test" ] && set -- "$@" "$test"
		done
	done
fi

log=$build/check.log
# -v keeps every test's own lines, from which the counts are made
prove -v "$@" >"$log" 2>&1
status=$?

grep -E '^# (oracles|covered|counts|skipped|fuzz|parsed)' "$log"
grep -E '^(not ok|Bail out)' "$log" | grep -v '# TODO'
sed -n '/^Test Summary Report/,$p' "$log"

skipped=$(grep -cE '^ok .*# SKIP|^1\.\.0 # [Ss][Kk][Ii][Pp]' "$log")
passed=$(($(grep -cE '^ok ' "$log") - $(grep -cE '^ok .*# SKIP' "$log")))
failed=$(grep -E '^not ok ' "$log" | grep -cv '# TODO')
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
	failed=1 # a test that died or broke its plan
	tail -40 "$log"
fi
grep -E '^(ok .*# SKIP|1\.\.0 # [Ss][Kk][Ii][Pp])' "$log" |
    sed 's/^.*# [Ss][Kk][Ii][Pp]/skipped:/' | sort | uniq -c
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
