#!/bin/sh
# A filesystem that fills up under a workload: a verdict, never a figure, and
# whether the room or the inodes ran out.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "needs Linux's tmpfs"
work=$(mktemp -d)
mkdir "$work/mnt"
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	umount "$work/mnt" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
mount -t tmpfs -o size=1m,nr_inodes=200 tmpfs "$work/mnt" 2>/dev/null ||
    skip_all "tmpfs cannot be mounted here"

# a tree of 3 MiB in 12 files, as a manifest
{
	echo "#mtree"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		echo "./f$i type=file size=262144"
	done
} >"$work/tree.mtree"

# refused NAME KEYS...: with ENOSPC
refused() {
	name=$1
	shift
	rm -rf "$work/mnt/box"
	mkdir "$work/mnt/box"
	out=$("$program" bench "$name" -d "$work/mnt/box" "$@" --json 2>&1)
	status "$name $*" $? 1
	like "$name: no-space is the verdict" "$out" '"verdict": "no-space"'
	like "$name: the system's words" "$out" "No space left on device"
}

refused untar "archive=$work/tree.mtree"
refused create files=100 size=64K
refused create files=1000 size=0
refused stream bytes=2M
refused postmark number=150 size=8000,9000
refused fileio total=4M files=4
refused blogbench interval=100ms iterations=50 readers=2 writers=1

# with the tree in place there is no room for a second one
rm -rf "$work/mnt/box"
mkdir "$work/mnt/box"
head -4 "$work/tree.mtree" >"$work/small.mtree"
out=$("$program" bench copytree -d "$work/mnt/box" \
    "archive=$work/small.mtree" 2>&1)
status "copytree of 768 KiB into 1 MiB" $? 1
like "copytree: no-space" "$out" "no-space: cannot copy 'f[123]'"
finish
