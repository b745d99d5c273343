#!/bin/sh
# A filesystem that fills up under a workload: a verdict, never a figure, and
# whether the room or the inodes ran out.  And images that have no room: said
# before anything starts.
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

# images beside the results
umount "$work/mnt"
mount -t tmpfs -o size=40m tmpfs "$work/mnt"
cd "$work/mnt" || exit 1
matrix() { # SIZE OF ONE, OF ANOTHER [IMAGE]
	cat >matrix.conf <<-EOF
		target one { image = "${3:-auto}"  size = "$1" }
		target two { image = "auto"  size = "$2" }
		filesystem a { driver = "ext4"  target = "one" }
		filesystem b { driver = "ext4"  target = "two" }
		workload w { type = "null" }
		rounds = 1
	EOF
}

# no_room WHAT WORDS: check says so, and run leaves nothing behind
no_room() {
	out=$("$program" check matrix.conf 2>&1)
	status "$1: check" $? 3
	like "$1: check" "$out" "^target +one +no room: .*$2"
	before=$(ls -A)
	out=$("$program" run -o out.db matrix.conf 2>&1)
	status "$1: run" $? 3
	like "$1: run" "$out" "^mountmatrix: target 'one': .*$2"
	is "$1: nothing was begun" "$(ls -A)" "$before"
}
if command -v mkfs.ext4 >/dev/null && [ -e /dev/loop-control ]; then
	matrix 64M 16M
	no_room "an image larger than the disk" "80 MiB of images do not fit"
	matrix 24M 24M
	no_room "images that only together are" "48 MiB of images do not fit"
	matrix 16M 16M "$work/mnt/none/x.img"
	no_room "an image in no folder" "no image can be made in '.*/none': No such"
	: >"$work/mnt/precious.img"
	matrix 16M 16M "$work/mnt/precious.img"
	no_room "an image that is there" "precious.img' exists already"
	matrix 16M 16M
	out=$("$program" check matrix.conf 2>&1)
	like "two images that fit" "$out" "^target +two +ok: 16 MiB of .* free"
	mount -o remount,ro "$work/mnt"
	no_room "images where nothing can be written" "Read-only file system"
else
	skip "images without room" "needs mkfs.ext4 and loop devices"
fi
cd /
finish
