#!/bin/sh
# Compiles the whole program for the other systems, warnings as errors, and
# looks at what it would need to be linked with.
#
# The compiler is the C compiler of the Python package ziglang, which brings
# the headers and symbols of FreeBSD, NetBSD and OpenBSD; without that package
# and without a registry to get it from, this says so and skips.  DragonFly's
# headers are taken from DRAGONFLY_INCLUDE (as installed) or laid out from a
# source tree at DRAGONFLY_SRC; without either its check skips.
set -u
cd "$(dirname "$0")/.." || exit 1
version=0.17.1
build=build/cross
passed=0
failed=0
skipped=0
mkdir -p "$build"

ok() {
	passed=$((passed + 1))
	echo "ok - $1"
}

not_ok() {
	failed=$((failed + 1))
	echo "not ok - $1"
	shift
	printf '%s\n' "$@" | head -n 40 | sed 's/^/# /'
}

skip() {
	skipped=$((skipped + 1))
	echo "ok - $1 # SKIP $2"
}

finish() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# get_compiler: sets $zig, the start of the compiler's command line
get_compiler() {
	if python3 -m ziglang version >/dev/null 2>&1; then
		zig="python3 -m ziglang"
		return
	fi
	zig="$PWD/$build/venv/bin/python -m ziglang"
	$zig version >/dev/null 2>&1 && return
	python3 -m venv "$build/venv" >"$build/venv.log" 2>&1 &&
	    "$build/venv/bin/pip" install -q --disable-pip-version-check \
		"ziglang==$version" >>"$build/venv.log" 2>&1
}

# The libraries' own headers are the same on every system.
copy_headers() {
	mkdir -p "$build/include"
	for header in confuse.h archive.h archive_entry.h sqlite3.h; do
		if [ ! -e "/usr/include/$header" ]; then
			skip "cross-compilation" "no $header on this host"
			finish
		fi
		cp "/usr/include/$header" "$build/include/"
	done
}

# compile SYSTEM: every object, by the project's own Makefile
compile() {
	make -k -j2 "CC=$zig cc -target x86_64-$1" "SYSTEM=$1" \
	    "BUILD=$build/$1" "PACKAGE_CFLAGS=-I$build/include" \
	    PACKAGE_LIBS= CMOCKA_LIBS= OPTIMISE=-O1 WERROR=-Werror \
	    "$build/$1/libmountmatrix.a" "$build/$1/src/main.o" \
	    >"$build/$1.log" 2>&1
}

# undefined SYSTEM: what a link without the declared libraries lacks, except
# what those libraries have
undefined() {
	$zig cc -target "x86_64-$1" -o "$build/$1/mountmatrix" \
	    "$build/$1/src/main.o" -Wl,--whole-archive \
	    "$build/$1/libmountmatrix.a" -Wl,--no-whole-archive -lm -lpthread \
	    >"$build/$1.link" 2>&1
	grep -oE 'undefined symbol: *[A-Za-z_0-9]+' "$build/$1.link" |
	    sed 's/.*[: ]//' | sort -u >"$build/$1.undefined"
	grep -vE '^(cfg|archive|sqlite3)_' "$build/$1.undefined"
}

check_system() {
	if ! compile "$1"; then
		not_ok "compiles for $1" "$(grep -E 'error|warning' "$build/$1.log")" \
		    "$(tail -n 5 "$build/$1.log")"
		return
	fi
	ok "compiles for $1 without a warning"
	missing=$(undefined "$1")
	if [ ! -s "$build/$1.undefined" ]; then
		not_ok "links for $1 up to the declared libraries" \
		    "the link told of no library at all:" "$(tail -n 5 "$build/$1.link")"
	elif [ -n "$missing" ]; then
		not_ok "links for $1 up to the declared libraries" "$missing"
	else
		ok "only libconfuse, libarchive and SQLite are missing for $1 ($(
			wc -l <"$build/$1.undefined" | tr -d ' ') symbols)"
	fi
}

# lay_out TREE: DragonFly's headers as they would be installed
lay_out() {
	target=$build/dragonfly/include
	rm -rf "$target"
	mkdir -p "$target/machine" "$target/cpu"
	cp -R "$1"/include/. "$1"/lib/libc/include/. "$target"/
	cp -R "$1"/contrib/openbsd_libm/include/global/. "$target"/
	cp -R "$1"/contrib/openbsd_libm/include/amd64/. "$target"/
	cp "$1"/lib/libc/tre-regex/regex.h "$target"/
	for header in aio errno fcntl linker_set poll sched syslog ucontext; do
		cp "$1/sys/sys/$header.h" "$target"/
	done
	for folder in sys vm net vfs; do
		cp -R "$1/sys/$folder" "$target"/
	done
	cp -R "$1"/sys/cpu/x86_64/include/. "$target/cpu"
	cp -R "$1"/sys/cpu/x86_64/include/. "$target/machine"
	cp -R "$1"/sys/platform/pc64/include/. "$target/machine"
}

check_dragonfly() {
	include=${DRAGONFLY_INCLUDE:-}
	if [ -n "${DRAGONFLY_SRC:-}" ]; then
		lay_out "$DRAGONFLY_SRC"
		include=$build/dragonfly/include
	fi
	if [ -z "$include" ] || [ ! -e "$include/sys/mount.h" ]; then
		skip "syntax for DragonFly" \
		    "no headers (DRAGONFLY_INCLUDE or DRAGONFLY_SRC)"
		return
	fi
	if ! command -v clang >/dev/null; then
		skip "syntax for DragonFly" "no clang"
		return
	fi
	resources=$(clang -print-resource-dir)/include
	count=0
	errors=
	for file in src/main.c src/*/*.c src/platform/bsd/*.c \
	    src/platform/dragonfly/*.c; do
		count=$((count + 1))
		output=$(clang --target=x86_64-unknown-dragonfly -nostdinc \
		    -isystem "$include" -isystem "$resources" \
		    "-I$build/include" -Isrc -std=c11 -Wall -Wextra -Werror \
		    -fsyntax-only "$file" 2>&1) || errors="$errors$output
"
	done
	if [ -z "$errors" ]; then
		ok "syntax for DragonFly ($count files)"
	else
		not_ok "syntax for DragonFly" "$errors"
	fi
}

if ! command -v python3 >/dev/null; then
	skip "cross-compilation" "no python3"
	finish
fi
get_compiler
if ! $zig version >/dev/null 2>&1; then
	skip "cross-compilation" \
	    "the package ziglang is not installed and cannot be got"
	finish
fi
copy_headers
for system in freebsd netbsd openbsd; do
	check_system "$system"
done
check_dragonfly
finish
