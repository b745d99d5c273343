#!/bin/sh
# Devices that a cell's own words name, beside the target: whatever mkfs or
# mount would write to is destroyed only when it was named twice as well.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

need_root
for tool in mkfs.ext4 mkfs.xfs mkfs.btrfs losetup; do
	command -v "$tool" >/dev/null || skip_all "needs $tool"
done
work=$(mktemp -d)
first=
second=
third=
running=
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	[ -z "$running" ] || kill "$running" 2>/dev/null
	[ -z "$running" ] || wait "$running" 2>/dev/null
	[ -z "$first" ] || losetup -d "$first"
	[ -z "$second" ] || losetup -d "$second"
	[ -z "$third" ] || losetup -d "$third"
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
truncate -s 320M "$work/first.img"
truncate -s 128M "$work/second.img"
first=$(losetup -f --show "$work/first.img") || skip_all "no loop device"
second=$(losetup -f --show "$work/second.img") || skip_all "no loop device"
cd "$work" || exit 1

matrix() { # FILESYSTEM-LINE [TARGET-LINE]
	cat >"$work/matrix.conf" <<-EOF
		target disk { device = "$first"  ${2:-} }
		$1
		workload nothing { type = "null" }
		rounds = 2
	EOF
	rm -f "$work/out.db"
}

run() {
	timeout 120 "$program" run -o "$work/out.db" "$work/matrix.conf" \
	    --destroy "$first" "$@" 2>&1
}

mkfs.ext4 -q -L precious "$second"
before=$(cksum <"$work/second.img")

check() {
	timeout 120 "$program" check "$work/matrix.conf" --destroy "$first" \
	    "$@" 2>&1
}

# refused WHAT FILESYSTEM-LINE [WORDS]: by run, and by check in its words
refused() {
	matrix "$2"
	out=$(check)
	status "$1: check" $? 3
	words=${3:-"'$second' is not named by --destroy"}
	like "$1: check says so" "$out" "^target +disk +unsafe: .*$words"
	said=$(echo "$out" | sed -n "s/^target *disk *unsafe: //p" | head -1)
	out=$(run)
	status "$1: refused" $? 3
	like "$1: with these words" "$out" "target 'disk': .*$words"
	is "$1: check and run agree" \
	    "$(echo "$out" | grep -qF "target 'disk': $said" && echo yes)" yes
	is "$1: nothing was begun" "$(find . -name out.db)" ""
	is "$1: unchanged" "$(cksum <"$work/second.img")" "$before"
}

refused "a second disk for mkfs.btrfs" \
    "filesystem btrfs { make = { \"$second\" } }"
refused "the journal of ext4" \
    "filesystem ext4 { make = { \"-J\", \"size=4,device=$second\" } }"
refused "the log of xfs" \
    "filesystem xfs { make = { \"-l\", \"logdev=$second,size=16m\" } }"
refused "a bare name" \
    "filesystem btrfs { make = { \"${second#/dev/}\" } }"
ln -s "$second" "$work/link"
refused "a link" "filesystem btrfs { make = { \"link\" } }" \
    "'link' leads to '$second' by a way that may be changed"
refused "a name with an option's letter" \
    "filesystem ext4 { make = { \"-j$second\" } }"
refused "the words of a shell" \
    "filesystem foo { driver = \"custom\" make = \"sh -c 'mkfs.ext4 -q -F %d && mkfs.ext4 -q -F $second'\" mount = \"mount %d %m\" }"
refused "a character device" \
    "filesystem ext4 { make = { \"/dev/loop-control\" } }" \
    "'/dev/loop-control' is not a disk"
refused "the mount of another device" \
    "filesystem foo { driver = \"custom\" make = \"mkfs.ext4 -q -F %d\" mount = \"mount -t ext4 $second %m\" }"

# files among the words of a maker, which takes them for disks
cp "$work/second.img" "$work/letter.img"
refused_file() { # WHAT FILESYSTEM-LINE
	target="target disk { image = \"auto\"  size = \"320M\" }"
	matrix "$2"
	{ echo "$target" && tail -n +2 "$work/matrix.conf"; } >"$work/image.conf"
	kept=$(cksum <"$work/letter.img")
	out=$(run)
	like "$1, device: refused" "$out" "'$work/letter.img' is named in the matrix file only|letter.img' is not named by --destroy .*--destroy $work/letter.img"
	out=$(timeout 120 "$program" run -o out.db image.conf 2>&1)
	status "$1: refused" $? 3
	like "$1: with these words" "$out" \
	    "^mountmatrix: target 'disk': .*--destroy $work/letter.img"
	out=$(timeout 120 "$program" check image.conf 2>&1)
	like "$1: check says so" "$out" "^target +disk +unsafe: .*letter.img"
	is "$1: unchanged" "$(cksum <"$work/letter.img")" "$kept"
	is "$1: nothing was begun" "$(find . -name out.db)" ""
}
refused_file "a file for mkfs.btrfs" \
    "filesystem btrfs { make = { \"$work/letter.img\" } }"
echo "a letter" >"$work/letter.img"
refused_file "a small file for mkfs.xfs" \
    "filesystem xfs { make = { \"-l\", \"file=1,name=$work/letter.img,size=16m\" } }"
matrix 'filesystem btrfs { make = { "letter.img" } }'
like "a file here" "$(run)" "'letter.img' leads to '$work/letter.img'"
truncate -s 0 "$work/letter.img"
truncate -s 128M "$work/letter.img"
matrix "filesystem btrfs { make = { \"$work/letter.img\" } }"
out=$(run --destroy "$work/letter.img")
like "a blank file that was named twice: made over, and no more" "$out" \
    "block 2 btrfs:default .*: failed .* mount: exit 32"
rm -f "$work/letter.img" out.db
# names that only look so, and files that are only read
echo ext4 >ext4
echo noatime >noatime
printf '[naming]\nversion = 2\n' >"$work/given"
printf "#!/bin/sh\nmkfs.ext4 -q -F \$1\n" >"$work/maker"
cat >"$work/image.conf" <<EOF
target disk { image = "auto"  size = "320M" }
filesystem ext4 { only = { "noatime" } }
filesystem xfs { make = { "-c", "options=$work/given" } }
filesystem foo { driver = "custom"  make = "sh $work/maker %d"
    mount = "mount -t ext4 %d %m" }
workload nothing { type = "null" }
rounds = 1
EOF
out=$(timeout 120 "$program" run -o out.db image.conf 2>&1)
for cell in ext4:noatime xfs:default foo:default; do
	like "$cell: names and files that nobody writes to" "$out" \
	    "block 1 $cell .*: ok"
done
rm -f ext4 noatime out.db

matrix 'filesystem ext4 { make = { "-J", "device=LABEL=precious" } }'
out=$(run)
like "a label: refused" "$out" "target 'disk': 'LABEL=precious' does not exist"
sed -i s/LABEL=precious/TYPE=jbd/ matrix.conf
like "a type: refused" "$(run)" "target 'disk': 'TYPE=jbd' does not exist"
is "a label: unchanged" "$(cksum <"$work/second.img")" "$before"

matrix "filesystem btrfs { make = { \"$second\" } }"
out=$(run --destroy "$second")
like "named, but it holds something: refused" "$out" \
    "target 'disk': '$second' holds ext4 'precious'"
is "named, but it holds something: unchanged" \
    "$(cksum <"$work/second.img")" "$before"

wipefs -aq "$second"
matrix "filesystem btrfs { make = { \"$second\" } }"
out=$(run --destroy "$second")
like "named, and blank: used" "$out" "warm-up btrfs:default .*: ok"
like "named, and blank: used again" "$out" "block 2 btrfs:default .*: ok"
wipefs -aq "$first" "$second"

# several devices of one target are made again and again
matrix "filesystem btrfs { }" "devices = { \"$second\" }"
out=$(run)
like "the second of two devices: refused" "$out" \
    "target 'disk': '$second' is not named by --destroy"
like "the second of two devices: refused by check" "$(check)" \
    "^target +disk +unsafe: '$second' is not named by --destroy"
out=$(check --destroy "$second")
status "two devices, both named: check" $? 0
like "two devices: the first is safe" "$out" "^target +disk +safe: $first\$"
like "two devices: the second is safe" "$out" "^target +disk +safe: $second\$"
like "two devices: no scratch image stands for them" "$out" \
    "^cell +btrfs:default +ok: not tried"
out=$(rm -f out.db && run --destroy "$second")
status "two devices, both named" $? 0
like "two devices, made a third time" "$out" "block 2 btrfs:default .*: ok"

# a link among them is followed once, however it is turned meanwhile
truncate -s 128M "$work/third.img"
third=$(losetup -f --show "$work/third.img")
mkfs.ext4 -q -L precious "$third"
ln -sfn "$second" "$work/turned"
cat >"$work/matrix.conf" <<EOF
target disk { device = "$first"  devices = { "$work/turned" } }
filesystem btrfs { }
workload turn { type = "command"  run = "ln -sfn $third $work/turned" }
rounds = 1
EOF
before=$(cksum <"$work/third.img")
rm -f "$work/out.db"
out=$(run --destroy "$second" --destroy "$third")
like "a link that is turned: the device that was asked about" "$out" \
    "block 1 btrfs:default .*: ok"
is "a link that is turned: not the other" "$(cksum <"$work/third.img")" \
    "$before"

# the image's name, given to another file: by who can write to its folder
cp "$work/third.img" "$work/precious.img"
before=$(cksum <"$work/precious.img")
for put in "ln -s" "ln" "cp --"; do
	cat >"$work/swap.sh" <<EOF
for image in "$work"/mountmatrix-*.img; do
	mv "\$image" "$work/aside" && $put "$work/precious.img" "\$image"
done
EOF
	cat >"$work/matrix.conf" <<EOF
target disk { image = "auto"  size = "32M" }
filesystem ext4 { }
workload swap { type = "command"  run = "sh $work/swap.sh" }
rounds = 1
EOF
	rm -f "$work/out.db"
	out=$("$program" run -o out.db matrix.conf 2>&1)
	like "another file in the image's place ($put): refused" "$out" \
	    "block 1 ext4:default .*: failed .*not the image that was made"
	is "another file in the image's place ($put): unchanged" \
	    "$(cksum <"$work/precious.img")" "$before"
	rm -f "$work"/mountmatrix-*.img "$work/aside"
done

# a device that nothing is made on is written to all the same
mkfs.ext4 -q -F -L precious "$second"
cat >"$work/matrix.conf" <<EOF
target disk { device = "$second" }
filesystem foo { driver = "custom"  mount = "mount %d %m" }
workload nothing { type = "null" }
rounds = 1
EOF
rm -f "$work/out.db"
before=$(cksum <"$work/second.img")
out=$(run)
like "a device that is only mounted: refused" "$out" \
    "'$second' is not named by --destroy"
is "what is wrong with it is said one thing a line" \
    "$(echo "$out" | grep -c "^mountmatrix: target 'disk': ")" \
    "$(echo "$out" | grep -o "'$second'[ :]" | grep -c .)"
like "the second thing, too" "$out" \
    "^mountmatrix: target 'disk': '$second'.* ext4"
is "a device that is only mounted: unchanged" "$(cksum <"$work/second.img")" \
    "$before"
wipefs -aq "$second"
losetup -d "$third"
third=

# and all of them are locked
cat >"$work/long.conf" <<EOF
target disk { device = "$first"  devices = { "$second" } }
filesystem btrfs { }
workload sleep { type = "command"  run = "sleep 30" }
rounds = 1
EOF
"$program" run -q -o "$work/long.db" "$work/long.conf" --destroy "$first" \
    --destroy "$second" >"$work/long.log" 2>&1 &
running=$!
tries=0
while [ $tries -lt 100 ] && ! grep -qs "^$first " "/proc/$running/mounts" &&
    [ -z "$(pgrep -f '^sleep 30$')" ]; do
	sleep 0.1
	tries=$((tries + 1))
done
cat >"$work/matrix.conf" <<EOF
target other { device = "$second" }
filesystem ext4 { }
workload nothing { type = "null" }
rounds = 1
EOF
rm -f "$work/out.db"
out=$(run --destroy "$second")
status "another run on the second device" $? 3
like "another run on the second device" "$out" \
    "'$second' is in use by another run: process $running since .*, results in $work/long.db"
finish
