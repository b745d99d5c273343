#!/bin/sh
# Installs what the build, the demo and the tests need, or prints the one
# command that would.  Quick when nothing is missing.
set -eu

debian_packages='gcc libc6-dev pkg-config libconfuse-dev libarchive-dev
libsqlite3-dev libblkid-dev libcmocka-dev e2fsprogs xfsprogs btrfs-progs
fuse2fs mount util-linux procps sqlite3 zstd bmake mandoc perl'
freebsd_packages='pkgconf libconfuse libarchive sqlite3 cmocka'

has_all() {
	for program in cc pkg-config mkfs.ext4 mkfs.xfs mkfs.btrfs fuse2fs \
	    pgrep sqlite3 zstd bmake mandoc prove; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null ||
		    return 1
	done
	pkg-config --exists libconfuse libarchive sqlite3 blkid cmocka
}

linux() {
	if has_all; then
		return 0
	fi
	# shellcheck disable=SC2086 # a list of words
	set -- $debian_packages
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "missing packages; as root run:" >&2
		echo "  apt-get install --no-install-recommends $*" >&2
		exit 1
	fi
	echo "installing: $*"
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	    --no-install-recommends "$@" >/dev/null
}

freebsd() {
	if pkg-config --exists libconfuse libarchive sqlite3 cmocka; then
		return 0
	fi
	# shellcheck disable=SC2086 # a list of words
	set -- $freebsd_packages
	if [ "$(id -u)" != 0 ]; then
		echo "missing packages; as root run: pkg install $*" >&2
		exit 1
	fi
	pkg install -y "$@"
}

case $(uname -s) in
Linux) linux ;;
FreeBSD) freebsd ;;
*)
	pkg-config --exists libconfuse libarchive sqlite3 || {
		echo "install libconfuse, libarchive and sqlite3 first" >&2
		exit 1
	}
	;;
esac
