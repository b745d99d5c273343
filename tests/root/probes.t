#!/bin/sh
# What the probes find on real filesystems, which trust behaviour and not
# flags: how access times are kept, and what reaches the device at an fsync.
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_root
program=$PWD/${BUILD:-build}/mountmatrix
for tool in mkfs.ext4 mkfs.xfs mkfs.btrfs; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree" "$work/state"
echo hello >"$work/tree/file"
tar -cf "$work/tree.tar" -C "$work" tree
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

cat >"$work/probes.conf" <<'END'
target image { image = "auto" size = "320M" }
target memory { memory = "32M" }
tree t { archive = "tree.tar" }
filesystem ext4 {
	target = "image"
	only = { "strictatime", "relatime", "noatime", "nodiratime",
	    "nobarrier" }
}
filesystem xfs { target = "image" only = { "strictatime", "wsync" } }
filesystem btrfs { target = "image" only = { "noatime+nobarrier" } }
filesystem tmpfs { target = "memory" only = { "strictatime", "noatime" } }
END
[ ! -w /dev/fuse ] || cat >>"$work/probes.conf" <<'END'
filesystem fuse2fs { target = "image" toggle = { "noatime" } }
END
cat >>"$work/probes.conf" <<'END'
workload find { type = "traverse" tree = "t" }
rounds = 1
END

(cd "$work" && "$program" run --seed 3 -o probes.db probes.conf) \
    >"$work/log" 2>&1
status "the run" $? 0
# one line for each cell
found=$("$program" report "$work/probes.db" | sed -n '/^Options asked/,/^Risks/p' |
    tr -s ' \n' ' ' | sed -E 's/ ((ext4|xfs|btrfs|tmpfs|fuse2fs):[a-z+]*): /\n\1 /g')

# probe CELL ATIME FSYNC
probe() {
	line=$(printf '%s\n' "$found" | grep "^$1 ")
	unlike "$1: is as asked" "$line" " changed "
	like "$1: access times $2" "$line" "atime $2($|[; ])"
	[ -z "$3" ] ||
	    like "$1: $3 per fsync" "$line" "fsync $3 flushes"
}

probe ext4:strictatime strict '[1-9][.0-9]*'
probe ext4:relatime relative '[1-9][.0-9]*'
probe ext4:noatime none '[1-9][.0-9]*'
probe ext4:nodiratime 'relative, none for folders' '[1-9][.0-9]*'
probe ext4:nobarrier relative '0[.]0'
probe xfs:strictatime strict '[1-9][.0-9]*'
probe xfs:wsync relative '[1-9][.0-9]*'
probe btrfs:noatime+nobarrier none '0[.]0'
probe tmpfs:strictatime strict ''
probe tmpfs:noatime none ''
# shown or not, it makes no difference there
if [ -w /dev/fuse ]; then
	like "fuse2fs:noatime is a duplicate of the default" "$found" \
	    '^fuse2fs:noatime the same as fuse2fs:default'
	like "fuse2fs is unmounted and mounted again" "$found" \
	    '^fuse2fs:default asked.*atime relative'
	like "fuse2fs writes access times under noatime too" "$found" \
	    '^fuse2fs:noatime .*atime relative'
fi
unlike "some cell wrote an atime" "$("$program" report "$work/probes.db")" \
    'no cell wrote'

# a factor of access times where there are none to be written
cat >"$work/none.conf" <<'END'
target memory { memory = "32M" }
tree t { archive = "tree.tar" }
filesystem tmpfs { mount = { "noatime" } toggle = { "nodiratime" } }
workload find { type = "traverse" tree = "t" }
rounds = 1
END
(cd "$work" && "$program" run --seed 3 -o none.db none.conf) >"$work/log" 2>&1
like "no cell wrote an atime: the report says so" \
    "$(tr -s ' \n' ' ' <"$work/log")" \
    'tmpfs: no cell wrote an atime when probed: what its options'
like "and tells programs" "$("$program" report -f json "$work/none.db")" \
    'tmpfs: no cell wrote an atime when probed'
is "nothing stays mounted or attached" \
    "$(grep "$work" /proc/self/mounts; losetup -a | grep "$work")" ""
finish
