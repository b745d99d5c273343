#!/bin/sh
# Plans for systems that are not this one: the command lines of the study of
# 2001 and of each system's own filesystems, against goldens
# (UPDATE_GOLDENS=1 writes them anew).
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cells PLATFORM FILE: the plan's cells, without their order
cells() {
	"$program" plan --platform "$1" --seed 2001 "$2" 2>&1 |
	    sed -e "s#$work/##" -e '/^order of the trials/,$d' \
		-e '/^predicted time/d'
}

for platform in freebsd:4 freebsd:14 dragonfly:6; do
	golden "find-usr-2001 on $platform" \
	    "$(cells $platform matrix/find-usr-2001.conf)" \
	    "tests/golden/platform-find-usr-2001-$(echo $platform | tr -d :).txt"
done
golden "find-usr-2001 on linux" \
    "$(cells linux matrix/find-usr-2001-linux.conf)" \
    tests/golden/platform-find-usr-2001-linux.txt

# every sample plans on the systems it is for: FILE, its systems, and how many
# cells of it no system of these has
samples='blogbench-2008 dragonfly:6 0
blogbench-2011 dragonfly:6 0
blogbench-2011 freebsd:8 1
dragonfly-5.9 dragonfly:5 0
freebsd-12.1 freebsd:12 0
sysbench-2009 dragonfly:6 0
formats-linux linux 0
postmark-2004 freebsd:6 0
postmark-2004-linux linux 0
ext4-data linux 0
demo linux 0
rehearsal linux 0
find-usr-2001 freebsd:4 0
find-usr-2001-linux linux 0'
while read -r sample platform without; do
	out=$("$program" plan --platform "$platform" "matrix/$sample.conf" 2>&1)
	status "matrix/$sample.conf plans on $platform" $? 0
	is "matrix/$sample.conf on $platform: cells that it cannot have" \
	    "$(echo "$out" | grep -c '  \[inapplicable\|  \[rejected')" "$without"
done <<END
$samples
END
for file in matrix/*.conf; do
	sample=${file#matrix/}
	like "$file is tried above" "$samples" "(^|[^-a-z0-9])${sample%.conf} "
done

# own NAME PLATFORM: a matrix from standard input
own() {
	cat - >"$work/$1.conf"
	echo 'workload nothing { type = "null" }' >>"$work/$1.conf"
	golden "$1 on $2" "$(cells "$2" "$work/$1.conf")" \
	    "tests/golden/platform-$1.txt"
}

own hammer dragonfly <<'END'
target disk { device = "/dev/serno/B620.s1d" size = "60G" }
filesystem hammer {
	axis fsync_mode { levels = { "3", "2" } }
	toggle = { "nohistory" }
	skip = { "nohistory+fsync_mode=2" }
}
filesystem hammer2 {
	axis comp { levels = { "lz4", "none" } }
	toggle = { "check=disabled" }
}
filesystem ufs { toggle = { "su", "trim" } }
END

own ffs netbsd:10 <<'END'
target disk { device = "/dev/wd0e" size = "8G" }
filesystem ffs { toggle = { "log", "async", "noatime" } skip = { "noatime" } }
filesystem lfs { toggle = { "noatime" } }
END

own openbsd openbsd <<'END'
target image { image = "auto" size = "1G" }
filesystem ffs { toggle = { "softdep", "async" } make = { "-b", "32768" } }
END

# soft updates ended with 7.3
own openbsd73 openbsd:7.3 <<'END'
target image { image = "auto" size = "1G" }
filesystem ffs { toggle = { "softdep", "async" } make = { "-b", "32768" } }
END

# what newfs brings along itself
own newfs freebsd:14 <<'END'
target image { image = "auto" size = "1G" }
filesystem ufs {
	axis minfree { levels = { "2", "8" } }
	axis optimize { levels = { "time", "space" } }
}
filesystem large {
	driver = "ufs"
	toggle = { "block_size=65536", "frag_size=8192" }
}
filesystem journal { driver = "ufs" only = { "gjournal", "gjournal+async" } }
END

own zfs freebsd:14 <<'END'
target disks {
	device = "/dev/ada1"
	devices = { "/dev/ada2" }
	size = "20G"
}
filesystem zfs {
	axis sync { levels = { "standard", "disabled" } }
	axis recordsize { levels = { "16K", "128K" } }
}
END

own suj freebsd <<'END'
target image { image = "auto" size = "2G" sector_size = 4096 }
filesystem ufs {
	axis journal { levels = { "nosoftupdates", "softupdates", "suj" } }
	make = { "-b", "32768" }
}
END

own linux linux <<'END'
target image { image = "auto" size = "2G" }
target memory { memory = "256M" }
filesystem ext4 {
	target = "image"
	axis data { levels = { "ordered", "writeback", "journal" } }
	toggle = { "nobarrier" }
}
filesystem xfs { target = "image" toggle = { "nobarrier" } }
filesystem btrfs {
	target = "image"
	toggle = { "nodatacow" }
	axis compress { levels = { "no", "zstd" } }
}
filesystem f2fs { target = "image" axis fsync_mode { levels = { "posix", "strict" } } }
filesystem tmpfs { target = "memory" toggle = { "huge=always" } }
filesystem overlay { target = "memory" toggle = { "volatile" } }
filesystem zfs-fuse { target = "image" toggle = { "noatime" } }
END

# of several toggles of one group only one says its off form; one of the
# default's own behaviour, off, is another cell than the default
own groups linux <<'END'
target image { image = "auto" size = "1G" }
filesystem xfs { only = { "finobt=0", "finobt=1", "wsync" } }
filesystem x { driver = "xfs" toggle = { "reflink=1" } }
filesystem btrfs { toggle = { "discard=async" } }
END
own zfs12 freebsd:12 <<'END'
target disk { device = "/dev/ada1" size = "20G" }
filesystem zfs {
	only = { "noatime", "atime=on", "relatime=on", "sync=always" }
}
filesystem lz4 {
	driver = "zfs"
	make = { "-O", "compression=lz4" }
	toggle = { "compression=off" }
	skip = { "compression=off" }
}
END
own fsync dragonfly <<'END'
target disk { device = "/dev/da0s1d" size = "60G" }
filesystem hammer { only = { "nohistory", "fsync_mode=0", "fsync_mode=3" } }
filesystem hammer2 { only = { "comp=none", "comp=zlib:6", "check=xxhash64" } }
END

# a pair that the tables refuse, asked for explicitly
own panic netbsd <<'END'
target disk { device = "/dev/wd0e" size = "8G" }
filesystem ffs {
	only = { "log+async" }
	option log { stage = "mount" on = "log" off = "nolog" risk = "flush" }
	option async { stage = "mount" on = "async" off = "noasync" risk = "wreck" }
}
END

# the plan as a script: the device is what the attaching made, whether it
# prints that or not, and no name needs to be without blanks
script() {
	printf 'workload nothing { type = "null" }\n%s\n' "$3" >"$work/script.conf"
	golden "a script: $1" "$("$program" plan -f sh --platform "$2" \
	    "$work/script.conf" 2>&1 | sed "s#$work/##")" \
	    "tests/golden/script-$1.txt"
}
script dragonfly dragonfly 'target i { image = "auto" size = "100M" }
filesystem ufs { }'
script netbsd netbsd:10 'target i { image = "auto" size = "100M" }
filesystem ffs { }'
script freebsd freebsd:14 'target i { image = "auto" size = "100M" }
filesystem ufs { }'
printf '%s\n' 'target m { mountpoint = "/usr"  remount = true }
filesystem ext4 { toggle = { "noatime" } }
workload find { type = "traverse" }' >"$work/script.conf"
out=$("$program" plan -f sh --platform linux "$work/script.conf" 2>&1)
unlike "a script leaves a filesystem in use alone" "$out" "^u?mount -|^umount "
like "a script says of each of its cells why" "$out" \
    "^# ext4:noatime: not here; what is mounted there is mounted anew by 'run'"
# shellcheck disable=SC2016 # a name with a dollar in it
script blanks netbsd 'target d { device = "/dev/my $wd0e" size = "1G" }
filesystem ffs { target = "d" }'

# which versions have a token
out=$(echo 'target d { device = "/dev/ad0s1f" size = "8G" }
filesystem ufs { toggle = { "suj" } }
workload nothing { type = "null" }' >"$work/old.conf"
	"$program" plan --platform freebsd:8 "$work/old.conf" 2>&1)
like "a token of later versions says of which" "$out" \
    "ufs on freebsd 8 has no option 'suj'; it is one of ufs \(freebsd:9-\)"
out=$("$program" list options ufs)
like "a list has each system's row" "$out" \
    '^discard +mount .*\| dragonfly \|'
like "and all its stages" "$out" '^softupdates +make\+tune .*\| freebsd:9- '

# a token of another system is said to be so, a wrong one stops it all
cat >"$work/other.conf" <<'END'
target image { image = "auto" size = "1G" }
filesystem ext4 { toggle = { "softupdates", "noatime" } }
workload nothing { type = "null" }
END
out=$("$program" plan --platform linux "$work/other.conf" 2>&1)
like "a token of another system is inapplicable" "$out" \
    '^ext4:softupdates +\[inapplicable'
like "and it is said who has it" "$out" 'ufs \(freebsd, dragonfly\)'
sed -i 's/softupdates/noatme/' "$work/other.conf"
out=$("$program" plan --platform linux "$work/other.conf" 2>&1)
status "a misspelt token" $? 2
like "a misspelt token: the nearest" "$out" "noatme.*did you mean 'noatime'"
out=$("$program" plan --platform freebds matrix/find-usr-2001.conf 2>&1)
status "a misspelt platform" $? 2

finish
