#!/bin/sh
# What "make install" puts in place works from there: the program, manuals that
# can be read, and sample matrix files with what they refer to.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
command -v make >/dev/null || skip_all "no make"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

env -u MAKEFLAGS make -s install BUILD="$(dirname "$program")" DESTDIR="$work" \
    PREFIX=/opt/x >/dev/null 2>&1
status "make install" $? 0
like "the program" "$("$work/opt/x/sbin/mountmatrix" --help)" '^usage: mountmatrix'
is "three manuals" "$(cd "$work/opt/x/share/man" && find . -type f | sort)" \
    "./man1/mountmatrix.1
./man5/mountmatrix.conf.5
./man5/mountmatrix.options.5"
is "every sample" "$(ls "$work/opt/x/share/mountmatrix/matrix")" \
    "$(cd matrix && ls)"
mkdir "$work/opt/x/share/mountmatrix/results" # where the rehearsal works
for matrix in "$work"/opt/x/share/mountmatrix/matrix/*.conf; do
	(cd / && "$work/opt/x/sbin/mountmatrix" plan "$matrix" >/dev/null 2>&1)
	status "plan of the installed ${matrix##*/}" $? 0
done
finish
