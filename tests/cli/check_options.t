#!/bin/sh
# "check" as an ordinary user: the kernel itself is asked about each option
# set, and each refused one is named with the kernel's words.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
[ "$(uname -s)" = Linux ] || skip_all "only Linux can be asked"
for type in ext4 tmpfs; do
	grep -qw $type /proc/filesystems || skip_all "this kernel has no $type"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp "$program" "$work/mountmatrix"
mkdir -m 777 "$work/state"

cat >"$work/bad.conf" <<'END'
target image { image = "auto" size = "512M" }
target memory { memory = "32M" }
filesystem ext4 {
	target = "image"
	only = { "commit=soon", "stripe=-3", "max_batch_time=1e9",
	    "data_err=abort" }
}
filesystem tmpfs {
	target = "memory"
	only = { "nr_inodes=lots", "mpol=nowhere", "huge=never" }
}
filesystem later {
	driver = "ext4"
	target = "image"
	toggle = { "lazyflush" }
	option lazyflush { stage = "mount" on = "lazyflush" risk = "window" }
}
workload nothing { type = "null" }
END

# as somebody who is not root
if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null || skip_all "needs setpriv"
	plainly() {
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	}
else
	plainly() {
		"$@"
	}
fi
plainly unshare -Urm true 2>/dev/null || skip_all "no user namespaces here"
out=$(cd "$work" && HOME=$work XDG_STATE_HOME=$work/state \
    plainly ./mountmatrix check bad.conf 2>&1)
status "six bad option sets, and an image that needs root" $? 3
like "the image needs root" "$out" '^target +image +needs root'
like "memory does not" "$out" '^target +[a-z]+ +ok: [0-9]+ MiB$'

# refused CELL WORDS
refused() {
	like "$1: with the kernel's words" "$out" \
	    "^cell +$1 +rejected: .*$2"
}
refused ext4:commit=soon "Bad value for 'commit'"
refused ext4:stripe=-3 "Bad value for 'stripe'"
refused ext4:max_batch_time=1e9 "Bad value for 'max_batch_time'"
refused tmpfs:nr_inodes=lots "Bad value for 'nr_inodes'"
refused tmpfs:mpol=nowhere "Bad value for 'mpol'"
refused later:lazyflush "Unknown parameter 'lazyflush'"
like "a good set passes" "$out" '^cell +ext4:data_err=abort +ok'
like "and another" "$out" '^cell +tmpfs:huge=never +ok'
finish
