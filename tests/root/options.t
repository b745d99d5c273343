#!/bin/sh
# Every token of the filesystems this kernel can mount, tried for real: a
# scratch image is made, mounted and read back with it on, and with its OFF
# form where it has one, and what was read is held against the table.  Only a
# token with a stated reason may be left out.
set -u
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "needs Linux"
losetup -f >/dev/null 2>&1 || skip_all "no loop devices"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree" "$work/state"
echo hello >"$work/tree/file"
tar -cf "$work/tree.tar" -C "$work" tree
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

# value DRIVER TOKEN: the token with a value in place of "*"
value() {
	case $2 in
	commit=\*) echo commit=17 ;;
	journal_ioprio=\*) echo journal_ioprio=1 ;;
	journal_size=\*) echo journal_size=8 ;;
	inode_readahead_blks=\*) echo inode_readahead_blks=64 ;;
	stripe=\*) echo stripe=16 ;;
	max_batch_time=\*) echo max_batch_time=1000 ;;
	min_batch_time=\*) echo min_batch_time=500 ;;
	max_dir_size_kb=\*) echo max_dir_size_kb=64 ;;
	block_size=\*) echo block_size=2048 ;;
	inode_size=\*) echo inode_size=1024 ;;
	inode_ratio=\*) echo inode_ratio=65536 ;;
	reserved=\*) echo reserved=2 ;;
	logbufs=\*) echo logbufs=4 ;;
	logbsize=\*) echo logbsize=64k ;;
	allocsize=\*) echo allocsize=64k ;;
	log_size=\*) echo log_size=72m ;;
	agcount=\*) echo agcount=2 ;;
	dir_block_size=\*) echo dir_block_size=8192 ;;
	sector_size=\*) echo sector_size=4096 ;;
	compress=\*) echo compress=zstd:7 ;;
	compress-force=\*) echo compress-force=lzo ;;
	max_inline=\*) echo max_inline=1024 ;;
	thread_pool=\*) echo thread_pool=4 ;;
	metadata_ratio=\*) echo metadata_ratio=4 ;;
	node_size=\*) echo node_size=32768 ;;
	csum=\*) echo csum=xxhash ;;
	alloc_start=\*) echo alloc_start=1048576 ;;
	nr_inodes=\*) echo nr_inodes=5000 ;;
	mpol=\*) echo mpol=local ;;
	max_read=\*) echo max_read=65536 ;;
	entry_timeout=\*) echo entry_timeout=5 ;;
	attr_timeout=\*) echo attr_timeout=5 ;;
	negative_timeout=\*) echo negative_timeout=3 ;;
	max_readahead=\*) echo max_readahead=131072 ;;
	*\*) echo "no value for $2" >&2 ;;
	*) echo "$2" ;;
	esac
}

# What does not come out as ok, and why that is right: DRIVER:TOKEN, status,
# and words of the reason.
cat >"$work/expected" <<'END'
ext4:journal_async_commit	rejected	journal_async_commit in data=ordered mode
ext2:nouser_xattr	rejected	Unknown parameter
ext2:noacl	rejected	Unknown parameter
ext3:nouser_xattr	rejected	Unknown parameter
ext3:noacl	rejected	Unknown parameter
ext4:nouser_xattr	rejected	Unknown parameter
ext4:noacl	rejected	Unknown parameter
btrfs:inode_cache	rejected	Unknown parameter
btrfs:check_int	rejected	Unknown parameter
btrfs:recovery	rejected	Unknown parameter
btrfs:alloc_start=1048576	rejected	Unknown parameter
xfs:nobarrier	rejected	Unknown parameter
xfs:barrier	rejected	Unknown parameter
xfs:delaylog	rejected	Unknown parameter
xfs:crc=0	rejected	V4 format
xfs:quota	rejected	
xfs:dax=always	changed	dax=always is not in force
END

# Where a token works only together with another one.
cat >"$work/together" <<'END'
ext4 journal_async_commit+data=writeback
ext4 nojournal+noatime
ext4 data=journal+dirsync
xfs finobt=0+reflink=0
btrfs compress=zstd+autodefrag
btrfs metadata=single+data=dup
overlay metacopy=on+index=on
END

# tokens DRIVER: "token<tab>off form<tab>reason for not trying it", one a line
tokens() {
	"$program" list options "$1" --json |
	    sed -n 's/.*"token": "\([^"]*\)".*"off": "\([^"]*\)".*"untried": "\([^"]*\)".*/\1	\2	\3/p'
}

# sections DRIVER TARGET: a filesystem section for every token
sections() {
	number=0
	tab=$(printf '\t')
	tokens "$1" >"$work/tokens"
	while IFS= read -r line; do
		token=${line%%"$tab"*}
		rest=${line#*"$tab"}
		number=$((number + 1))
		[ -z "${rest#*"$tab"}" ] || continue
		if [ -n "${rest%%"$tab"*}" ]; then
			list=toggle
		else
			list=only
		fi
		printf 'filesystem %s_%s { driver = "%s" target = "%s" %s = { "%s" } }\n' \
		    "$1" "$number" "$1" "$2" $list "$(value "$1" "$token")"
	done <"$work/tokens"
	while read -r owner combination; do
		number=$((number + 1))
		[ "$owner" = "$1" ] || continue
		printf 'filesystem %s_%s { driver = "%s" target = "%s" only = { "%s" } }\n' \
		    "$1" "$number" "$1" "$2" "$combination"
	done <"$work/together"
}

# judge DRIVER: reads check's JSON, prints one line for each cell that is not
# as the table and the list of exceptions say
judge() {
	sed -n 's/.*"check": "cell", "subject": "[a-z0-9]*_[0-9]*:\([^"]*\)", "verdict": "\([^"]*\)", "text": "\(.*\)" }.*/\1	\2	\3/p' |
	    awk -F '\t' -v driver="$1" -v expected="$work/expected" '
		BEGIN {
			while ((getline line < expected) > 0) {
				split(line, part, "\t")
				status[part[1]] = part[2]
				words[part[1]] = part[3]
			}
		}
		{
			key = driver ":" $1
			wanted = (key in status) ? status[key] : "ok"
			# the same effect as the default: a duplicate, as told
			if (wanted == "ok" && $2 == "duplicate-of")
				next
			if ($2 != wanted)
				print key " is " $2 ", not " wanted ": " $3
			else if ((key in words) && !index($3, words[key]))
				print key ": no \"" words[key] "\" in: " $3
		}'
}

covered=0
cells=0
try() {
	driver=$1
	target=$2
	size=$3
	shift 3
	for tool in "$@"; do
		if ! command -v "$tool" >/dev/null; then
			tap_count=$((tap_count + 1))
			echo "ok $tap_count - $driver # SKIP needs $tool"
			return
		fi
	done
	{
		echo "target image { image = \"auto\" size = \"$size\" }"
		echo "target memory { memory = \"32M\" }"
		echo "tree t { archive = \"tree.tar\" }"
		echo 'workload find { type = "traverse" tree = "t" }'
		sections "$driver" "$target"
	} >"$work/$driver.conf"
	(cd "$work" && "$program" check --json --yes "$driver.conf") \
	    >"$work/$driver.json" 2>"$work/$driver.err"
	all=$(wc -l <"$work/tokens")
	untried=$(awk -F '\t' '$3 != ""' "$work/tokens" | wc -l)
	seen=$(grep -c '"check": "cell"' "$work/$driver.json")
	wanted=$(grep -c '^filesystem' "$work/$driver.conf")
	bad=$(judge "$driver" <"$work/$driver.json")
	[ "$seen" -ge "$wanted" ] ||
	    bad="$bad$(printf '\n%s sections, but %s cells: ' "$wanted" "$seen")$(head -5 "$work/$driver.err")"
	is "$driver: $((all - untried)) tokens are as the table says, $untried untried for a reason" \
	    "$bad" ""
	covered=$((covered + all - untried))
	cells=$((cells + seen))
}

try ext2 image 64M mkfs.ext2
try ext3 image 64M mkfs.ext3
try ext4 image 64M mkfs.ext4
try xfs image 320M mkfs.xfs
try btrfs image 320M mkfs.btrfs
try tmpfs memory 64M mount
try overlay memory 64M mount
if [ -w /dev/fuse ]; then
	try fuse2fs image 64M fuse2fs
fi

# no trace of it all
is "nothing stays mounted or attached" \
    "$(grep "$work" /proc/self/mounts; losetup -a | grep "$work")" ""
echo "# covered $covered tokens in $cells cells, each made, mounted and read back"
finish
