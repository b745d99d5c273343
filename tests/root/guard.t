#!/bin/sh
# Every rule of the guard on real loop devices: refused with the right words,
# and the first and last MiB of the device unchanged.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated by ok
set -u
night=$PWD/${BUILD:-build}/tests/helpers/night
platform=$PWD/${BUILD:-build}/tests/helpers/platform
count=0
rules=0

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ "$(uname -s)" = Linux ] || skip_all "loop devices are Linux's"
for program in mkfs.ext4 mkfs.xfs mkfs.btrfs mkswap losetup unshare; do
	command -v "$program" >/dev/null || skip_all "needs $program"
done
work=$(mktemp -d)
mkdir "$work/m" "$work/state"
devices=
holder=

attach() # IMAGE: sets $device
{
	device=$(losetup -f --show "$1") || skip_all "no loop device"
	devices="$device $devices"
}

leave()
{
	[ -n "$holder" ] && kill "$holder" 2>/dev/null
	swapoff "$device" 2>/dev/null
	umount "$work/joined" 2>/dev/null
	umount "$work/m" 2>/dev/null
	delpart "$device" 1 2>/dev/null
	delpart "$device" 2 2>/dev/null
	for one in $devices; do
		losetup -d "$one" 2>/dev/null
	done
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM

ends()
{
	head -c 1048576 "$1" | cksum
	tail -c 1048576 "$1" | cksum
}

# a FILE that a program in the background makes, ten seconds at most
wait_for()
{
	tries=0
	while [ ! -e "$1" ] && [ $tries -lt 200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

ok()
{
	count=$((count + 1))
	if eval "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/log"
	fi
}

# refused WHAT RULE WORDS DEVICE OPTION...: the rule is among the refusals,
# with these words, and nothing was written even though erasing was asked for
refused()
{
	what=$1 rule=$2 words=$3 name=$4
	shift 4
	ends "$name" >"$work/before" 2>/dev/null
	"$night" guard "$name" --erase "$@" >"$work/log" 2>&1
	status=$?
	ends "$name" >"$work/after" 2>/dev/null
	ok "$what is refused" \
	    '[ $status = 1 ] && grep "^$rule: " "$work/log" | grep -q -- "$words"'
	ok "$what is unchanged" 'cmp -s "$work/before" "$work/after"'
	rules=$((rules + 1))
}

fresh() # SIZE: sets $device to one that is blank
{
	rm -f "$work/image"
	truncate -s "$1" "$work/image"
	[ -z "${device:-}" ] || losetup -d "$device"
	devices=
	attach "$work/image"
}

fresh 128M
"$night" guard "$device" --destroy "$device" >"$work/log" 2>&1
ok "a blank device that was named twice is safe" 'grep -q "^safe$" "$work/log"'

refused "one named once" named-twice "add --destroy $device" "$device"
truncate -s 1M "$work/other"
named=$device
attach "$work/other"
refused "one while another is named" named-twice "another device" "$named" \
    --destroy "$device"
losetup -d "$device"
device=$named
ln -s "$device" "$work/link"
"$night" guard "$work/link" --destroy "$device" >"$work/log" 2>&1
ok "a link to a device that was named is the device" 'grep -q "^safe$" "$work/log"'
refused "a file" kind "is a file, not a device" "$work/image" \
    --destroy "$work/image"
refused "what is not there" kind "does not exist" "$work/nothing" \
    --destroy "$work/nothing"
refused "a terminal" kind "is not a disk" /dev/null --destroy /dev/null

refused "one too small" too-small "at least" "$device" --destroy "$device" \
    --need 1000000000
refused "one of another size" size "is it the right disk" "$device" \
    --destroy "$device" --size 4096
refused "one of another serial number" serial "is it the right disk" "$device" \
    --destroy "$device" --serial WD-1234

mkfs.ext4 -q -L photos "$device"
uuid=$(blkid -p -s UUID -o value "$device")
refused "a foreign ext4" signature "ext4 'photos' (UUID $uuid)" "$device" \
    --destroy "$device"
refused "a foreign ext4 behind a link" signature "ext4 'photos'" "$work/link" \
    --destroy "$work/link"
"$night" guard "$device" --destroy "$device" --overwrite "$uuid" \
    >"$work/log" 2>&1
ok "one whose UUID may be lost is safe" 'grep -q "^safe$" "$work/log"'
"$night" guard "$device" --destroy "$device" --overwrite photos \
    >"$work/log" 2>&1
ok "one whose label may be lost is safe" 'grep -q "^safe$" "$work/log"'

mount -o noinit_itable "$device" "$work/m"; sync
refused "a mounted one" mounted "mounted on '$work/m'" "$device" \
    --destroy "$device" --overwrite photos
refused "one with the results file" holds-results "write it elsewhere" \
    "$device" --destroy "$device" --overwrite photos \
    --results "$work/m/results.db"
mount -o remount,ro "$work/m"
refused "one mounted read-only" mounted "mounted on" "$device" \
    --destroy "$device" --overwrite photos
umount "$work/m"

unshare -m sh -c "mount -o noinit_itable '$device' '$work/m' && sync && : >'$work/there' &&
    exec sleep 100" &
holder=$!
wait_for "$work/there"
refused "one mounted in another namespace" mounted "namespace" "$device" \
    --destroy "$device" --overwrite photos
kill "$holder"
wait "$holder" 2>/dev/null
holder=

# a loop on a file of a filesystem on the device
mount -o noinit_itable "$device" "$work/m"; sync
truncate -s 16M "$work/m/inner"
attach "$work/m/inner"
inner=$device
device=$(losetup -j "$work/image" | cut -d: -f1)
umount -l "$work/m"
refused "one with a file of it attached" "[a-z]*" "in use\|backing\|attached\|loop" \
    "$device" --destroy "$device" --overwrite photos
losetup -d "$inner"
sleep 0.2

wipefs -aq "$device"
attach "$device"
outer=$device
device=$(losetup -j "$work/image" | cut -d: -f1)
refused "one that backs another loop device" backing "${outer#/dev/}" "$device" \
    --destroy "$device"
mkfs.ext4 -q "$outer"
mount -o noinit_itable "$outer" "$work/m"; sync
refused "one under a mounted nested loop device" mounted "${outer#/dev/}" \
    "$device" \
    --destroy "$device" --overwrite "$(blkid -p -s UUID -o value "$outer")"
umount "$work/m"
losetup -d "$outer"
sleep 0.2

for make in "mkfs.xfs -q -f" "mkfs.btrfs -q -f" "mkswap"; do
	fresh 320M
	$make "$device" >/dev/null 2>&1
	type=$(blkid -p -s TYPE -o value "$device")
	refused "a foreign $type" signature "holds $type" "$device" \
	    --destroy "$device"
done
if swapon "$device" 2>/dev/null; then
	refused "active swap" swap "swapoff" "$device" --destroy "$device" \
	    --overwrite "$(blkid -p -s UUID -o value "$device")"
	swapoff "$device"
else
	count=$((count + 1))
	echo "ok $count - active swap # SKIP swapon does not work here"
fi

fresh 128M
# a DOS partition table with one entry, written by hand
printf '\000\001\001\000\203\376\077\017\077\000\000\000\000\000\002\000' |
    dd of="$device" bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of="$device" bs=1 seek=510 conv=notrunc 2>/dev/null
refused "one with a partition table" partition-table "dos" "$device" \
    --destroy "$device"

# signatures of what no tool here makes, by their bytes: TYPE RULE, then pairs
# of an offset and what stands there
signed()
{
	type=$1 rule=$2
	shift 2
	fresh 128M
	while [ $# -gt 0 ]; do
		# shellcheck disable=SC2059 # the bytes are a format
		printf "$2" | dd of="$device" bs=1 seek="$1" conv=notrunc 2>/dev/null
		shift 2
	done
	refused "$type" "$rule" "($type)\|holds $type" "$device" \
	    --destroy "$device"
}
signed crypto_LUKS member 0 'LUKS\272\276\000\001aes'
signed crypto_LUKS member 0 'LUKS\272\276\000\002'
signed LVM2_member member 512 'LABELONE\001\000\000\000\000\000\000\000' \
    532 '\040\000\000\000LVM2 001'
signed linux_raid_member member 4096 '\374\116\053\251\001' 4240 '\010'
md=$((134217728 - 65536))
signed linux_raid_member member $md '\374\116\053\251\000\000\000\000\132'
# four uberblocks of the last label only
uber='\014\261\272\000\000\000\000\000\210\023'
zfs=$((134217728 - 131072))
signed zfs_member member $zfs "$uber" $((zfs + 1024)) "$uber" \
    $((zfs + 2048)) "$uber" $((zfs + 3072)) "$uber" $((zfs + 4096)) "$uber"
signed bcache signature 4104 '\010' 4112 '\001' \
    4120 '\306\205\163\366\116\032\105\312\202\145\365\177\110\272\155\201abcd'
signed VMFS_volume_member member 1048576 '\015\320\001\300'
signed iso9660 signature 32768 '\001CD001\001'
signed hfsplus signature 1024 'H+\000\004' 1064 '\000\000\020\000'
signed f2fs signature 1024 '\020\040\365\362\001\000\017\000\011\000\000\000\003\000\000\000\014'
signed swsuspend signature 4086 'S1SUSPEND'
signed bsd partition-table 512 '\127\105\126\202'
signed hammer2 signature 0 '\021\040\027\005\062\115\101\110'
# the second GPT of a disk whose first one is gone
signed gpt partition-table 134217216 \
    'EFI PART\000\000\001\000\134\000\000\000\302\374\066\116\000\000\000\000\377\377\003\000\000\000\000\000\001\000\000\000\000\000\000\000\042\000\000\000\000\000\000\000\336\377\003\000\000\000\000\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\337\377\003\000\000\000\000\000\200\000\000\000\200\000\000\000\233\232\022\312' \
    134200832 \
    '\257\075\306\017\203\204\162\107\216\171\075\151\330\107\175\344\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\000\010\000\000\000\000\000\000\000\020'

# sectors as of a CD, and of today's disks
for sector in 2048 4096; do
	losetup -d "$device"
	truncate -s 0 "$work/image"
	truncate -s 128M "$work/image"
	device=$(losetup -f --show -b $sector "$work/image")
	devices=$device
	mkfs.ext4 -q -L photos "$device"
	refused "a foreign ext4 on sectors of $sector" signature \
	    "ext4 'photos'" "$device" --destroy "$device"
done

# other names for it
fresh 128M
refused "a name with a slash behind it" named-twice "no disk" "$device" \
    --destroy "$device/"
"$night" guard "$device" --destroy "/dev/../$device" >"$work/log" 2>&1
ok "a crooked name of the device is the device" 'grep -q "^safe$" "$work/log"'
mkdir "$work/a b"
ln -s "$device" "$work/a b/by id"
"$night" guard "$work/a b/by id" --destroy "$work/a b/by id" >"$work/log" 2>&1
ok "a name with blanks is the device" 'grep -q "^safe$" "$work/log"'
ln -s loop2 "$work/loop1"
ln -s loop1 "$work/loop2"
ends "$device" >"$work/before"
"$night" guard "$device" --erase --destroy "$work/loop1" >"$work/log" 2>&1
status=$?
ends "$device" >"$work/after"
ok "a loop of links names nothing" \
    '[ $status != 0 ] && cmp -s "$work/before" "$work/after"'
mkfs.ext4 -q -L photos "$device"
refused "a foreign ext4 while another UUID may be lost" signature \
    "ext4 'photos'" "$device" --destroy "$device" \
    --overwrite 01234567-89ab-cdef-0123-456789abcdef
refused "a foreign ext4 while nothing may be lost" signature \
    "ext4 'photos'" "$device" --destroy "$device" --overwrite ""

# under an overlay, where no mount shows it any more
mount -o noinit_itable "$device" "$work/m"; sync
mkdir "$work/m/lower" "$work/m/upper" "$work/m/work" "$work/joined"
if mount -t overlay -o "lowerdir=$work/m/lower,upperdir=$work/m/upper,workdir=$work/m/work" \
    joined "$work/joined" 2>/dev/null; then
	umount "$work/m"
	refused "one below an overlay only" mounted "no process sees it" \
	    "$device" --destroy "$device" --overwrite photos
	umount "$work/joined"
else
	umount "$work/m"
	count=$((count + 1))
	echo "ok $count - one below an overlay # SKIP no overlay here"
fi

# partitions
fresh 128M
if addpart "$device" 1 2048 100000 2>/dev/null && [ -b "${device}p1" ]; then
	addpart "$device" 2 110000 100000
	refused "a divided disk" partitions "name one partition" "$device" \
	    --destroy "$device"
	refused "a partition while its disk is named" named-twice \
	    "another device" "${device}p1" --destroy "$device"
	mkfs.ext4 -q "${device}p2"
	mount -o noinit_itable "${device}p2" "$work/m"; sync
	refused "a disk with a mounted partition" mounted \
	    "its partition '${device#/dev/}p2' is mounted" "$device" \
	    --destroy "$device"
	"$night" guard "${device}p1" --destroy "${device}p1" >"$work/log" 2>&1
	ok "a partition beside a mounted one is safe" \
	    'grep -q "^safe$" "$work/log"'
	umount "$work/m"
	delpart "$device" 1
	delpart "$device" 2
else
	count=$((count + 1))
	echo "ok $count - partitions # SKIP no partitions of loop devices here"
fi

fresh 128M
"$night" hold "$device" "$work/held" &
other=$!
wait_for "$work/held"
refused "one held by another program" open "held exclusively" "$device" \
    --destroy "$device"
kill "$other"
wait "$other" 2>/dev/null

losetup -d "$device"
devices=
device=$(losetup -f --show -r "$work/image")
devices=$device
refused "a write-protected one" "read-only\|open" "protected\|ead-only" \
    "$device" --destroy "$device"

fresh 128M
mkfs.ext4 -q -L mountmatrix "$device"
"$night" guard "$device" --destroy "$device" --erase >"$work/log" 2>&1
ok "what this program made is recognised by its label" \
    'grep -q "^safe$" "$work/log"'
ok "and its signatures are erased before the next make" \
    '[ -z "$(blkid -p -o value "$device")" ]'

# all devices of a target stay held until their maker begins
fresh 128M
truncate -s 128M "$work/other"
first=$device
attach "$work/other"
second=$device
device=$first
"$night" run --state "$work/state" --target "device:$first" --more "$second" \
    --destroy "$first" --destroy "$second" --held "$first" --held "$second" \
    --cell btrfs:default btrfs --make "mkfs.btrfs -q -L %l %d $second" \
    --mount 'mount -t btrfs %d %m' >"$work/log" 2>&1
ok "both devices of a target are held when the make begins" \
    'grep -q "^$first held" "$work/log" && grep -q "^$second held" "$work/log"'
ok "and its maker gets both" 'grep -q "block 1: ok" "$work/log"'
cat >"$work/maker" <<EOF
#!/bin/sh
exec "$platform" exclusive "\$@"
EOF
chmod +x "$work/maker"
"$platform" handover "$work/maker" "$first" "$second" >"$work/log" 2>&1
ok "they are held to the start of the maker, which can open them" \
    '[ "$(tr "\n" " " <"$work/log")" = "held held exit 0 " ]'
losetup -d "$second"
devices=$first

# another disk under that name, as when one is pulled in the night
wipefs -aq "$first"
truncate -s 128M "$work/fourth"
cksum <"$work/fourth" >"$work/before"
"$night" run --state "$work/state" --target "device:$first" \
    --destroy "$first" --rounds 2 \
    --each "if [ -e '$work/begun' ]; then losetup -d $first;
	losetup $first '$work/fourth'; fi; : >'$work/begun'" \
    --cell ext4:default ext4 --make 'mkfs.ext4 -q -F -L %l %d' \
    --mount 'mount -t ext4 %d %m' --unmount 'umount %m' \
    >"$work/log" 2>&1
cksum <"$work/fourth" >"$work/after"
ok "the disk that was there first is made over" \
    'grep -q "block 1: ok" "$work/log"'
ok "another one under its name is refused" \
    'grep -q "guard: .$first. is not the disk that it was" "$work/log"'
ok "and is unchanged" 'cmp -s "$work/before" "$work/after"'

root=$(findmnt -no SOURCE /)
if [ -b "$root" ]; then
	"$night" guard "$root" --destroy "$root" >"$work/log" 2>&1
	ok "the root filesystem is refused" \
	    'grep -q "^mounted: " "$work/log" && grep -q "^system: " "$work/log"'
else
	count=$((count + 1))
	echo "ok $count - root filesystem # SKIP it is on no block device"
fi
echo "# counts: $rules refusals, first and last MiB compared after each"
echo "1..$count"
