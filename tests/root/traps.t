#!/bin/sh
# Where a mount table misleads, for real: what the report says is in force is
# what the kernel does, not what was asked for and not what is shown.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "needs Linux"
for tool in mkfs.ext4 tune2fs mkfs.btrfs fuse2fs; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done
losetup -f >/dev/null 2>&1 || skip_all "no loop devices"
work=$(mktemp -d)
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
mkdir "$work/shared"
# shared, so that copies in other programs' mount tables go with it
mount -t tmpfs shared "$work/shared" && mount --make-shared "$work/shared"
devices=
# shellcheck disable=SC2317 # called by the trap
leave() {
	for point in defaults readonly; do
		umount "$work/shared/$point" 2>/dev/null
	done
	for device in $devices; do
		losetup -d "$device"
	done
	umount "$work/shared"
	rm -rf "$work"
}
trap leave EXIT

# disk NAME MODE OPTIONS [TUNE]: an ext4 mounted at shared/NAME
disk() {
	mkdir "$work/shared/$1"
	truncate -s 32M "$work/$1.img"
	mkfs.ext4 -q "$work/$1.img"
	[ -z "$4" ] || tune2fs -o "$4" "$work/$1.img" >/dev/null
	# shellcheck disable=SC2086 # perhaps no word
	device=$(losetup -f --show $2 "$work/$1.img")
	devices="$devices $device"
	mount -o "$3" "$device" "$work/shared/$1"
}
disk defaults "" rw nobarrier,nodelalloc,journal_data_writeback
disk readonly "" ro,nosuid ""

cat >"$work/x.conf" <<END
target image { image = "auto" size = "128M" }
target defaults { mountpoint = "$work/shared/defaults" remount = true }
target readonly { mountpoint = "$work/shared/readonly" remount = true }
filesystem ext4 { target = "image" axis commit { levels = { "5", "17" } } }
filesystem quiet { driver = "ext4" target = "image"
	axis atime { levels = { "relatime", "strictatime" } } toggle = { "sync" } }
filesystem btrfs { target = "image"
	only = { "compress=zstd", "nodatacow", "nodatacow+compress=zstd" } }
filesystem fuse2fs { target = "image" toggle = { "bogus" }
	option bogus { stage = "mount" on = "bogus" risk = "func" } }
filesystem super { driver = "ext4" target = "defaults" toggle = { "noatime" } }
filesystem locked { driver = "ext4" target = "readonly" toggle = { "noatime" } }
workload nothing { type = "null" }
rounds = 1
END
"$program" run "$work/x.conf" -o "$work/x.db" >"$work/log" 2>&1
report=$("$program" report "$work/x.db" 2>&1 | tr -s ' \n' ' ' |
    sed -E 's/ ((ext4|quiet|btrfs|fuse2fs|super|locked):[a-z0-9=+]*)(:| )/\n\1\3/g')

# says WHAT CELL WORDS: a line of the cell has the words
says() {
	like "$1" "$(printf '%s\n' "$report" | grep -E "^($2)[: ]")" "$3"
}
# lacks WHAT CELL WORDS: what is in force has not
lacks() {
	says "$1: mounted" "$2" "in force"
	unlike "$1" "$(printf '%s\n' "$report" | grep -E "^($2)[: ]")" \
	    "in force [^ ]*($3)"
}

says "relatime is in force though the mount table is all that says so" \
    quiet:relatime "in force [^ ]*relatime"
lacks "strictatime leaves no trace: neither of the others is there" \
    quiet:strictatime "noatime|relatime"
says "and behaves so" quiet:strictatime "atime strict"
lacks "async leaves no trace" quiet:relatime ",sync"
says "sync does" "quiet:relatime[+]sync" "in force [^ ]*,sync"
says "options of the superblock are in force though the mount shows none" \
    super:default "in force [^ ]*nobarrier"
says "delayed allocation is off by the superblock too" \
    super:default "in force [^ ]*nodelalloc"
says "and the data mode is the superblock's" \
    super:default "in force [^ ]*data=writeback"
lacks "the default commit interval is not shown" ext4:commit=5 "commit=17"
says "another one is" ext4:commit=17 "in force [^ ]*commit=17"
says "of nodatacow and a compression the later wins" \
    "btrfs:[a-z+=]*nodatacow[a-z+=]*compress=zstd|^btrfs:compress=zstd[+]nodatacow" \
    "the same as btrfs:nodatacow|changed"
lacks "and the other vanishes" "btrfs:compress=zstd[+]nodatacow" "compress"
like "fuse2fs says it is done with nothing mounted, and why is told" \
    "$(printf '%s' "$report" | tr '\n' ' ')" \
    'fuse2fs:bogus, nothing[^:]*: failed at mount: the mount command says it is done, but nothing is mounted: .*bogus'
says "what was mounted read-only stays so" locked:noatime \
    "in force ro,nosuid,noatime|in force ro,[^ ]*noatime"
says "and is as asked" locked:default "^locked:default: asked .*in force ro,"
like "and is so afterwards" \
    "$(grep " $work/shared/readonly " /proc/self/mounts)" " ro,nosuid"

# a value out of range, which the kernel refuses without a word to who asks:
# a mount is tried, and its log says what was wrong
cat >"$work/range.conf" <<END
target image { image = "auto" size = "64M" }
filesystem ext4 { only = { "inode_readahead_blks=3", "inode_size=100" } }
workload nothing { type = "null" }
END
checked=$("$program" check "$work/range.conf" 2>&1)
words="must be 0 or a power of 2"
dmesg >/dev/null 2>&1 || words="rejected: "
like "a value out of range is told in the kernel's words" "$checked" \
    "^cell +ext4:inode_readahead_blks=3 +rejected: .*$words"
like "one that mkfs refuses in its own" "$checked" \
    "^cell +ext4:inode_size=100 +rejected: make: mkfs.ext4: .*invalid inode size"
finish
