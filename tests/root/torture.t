#!/bin/sh
# A short torture; tests/torture.sh has the long one.
if [ "$(id -u)" != 0 ] || [ ! -e /dev/loop-control ]; then
	echo "1..0 # SKIP needs root and loop devices"
	exit 0
fi
echo "1..1"
output=$(sh tests/torture.sh 12 2>&1)
status=$?
echo "$output" | sed 's/^\([^#]\)/# \1/'
[ $status -eq 0 ] || printf 'not '
echo "ok 1 - killed 12 times and resumed: nothing left, lost or repeated"
