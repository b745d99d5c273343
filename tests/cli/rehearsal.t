#!/bin/sh
# The rehearsal's plain folder, which needs no privilege, from whatever folder
# it is run: the demo of an ordinary user.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-$PWD/build/mountmatrix}
matrix=$PWD/matrix/rehearsal.conf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=$(find results -name 'mountmatrix-*')

cd "$work" || exit 1
text=$("$program" run --rounds 1 --only plain:default --seed 1 -o r.db \
    "$matrix" 2>&1)
status "a plain folder" $? 0
is "every trial is ok" "$(echo "$text" | grep -c '^[0-9]*/3 .*: ok, ')" 3
like "both passes and postmark are ranked" "$(echo "$text" |
    grep -c 'in s, lower is better')" '^3$'
like "how to run it again has the choice of cells" "$(echo "$text" |
    sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba;}')" \
    "^    mountmatrix run .*/rehearsal.conf --seed 1 --rounds 1 --only plain:default\$"
source=$(df -P "$OLDPWD/results" | awk 'NR == 2 { print $1 }')
queue=/sys/class/block/${source#/dev/}/queue/scheduler
if [ -b "$source" ] && [ -r "$queue" ]; then
	like "the folder's disk is named, with its scheduler" \
	    "$(echo "$text" | tr -s '\n ' '  ')" \
	    " disk: ${source#/dev/}, [^:]* scheduler"
else
	skip "the folder's disk is named, with its scheduler" "no whole disk"
fi
known=$("$program" list metrics | awk '{ print $1 }')
out=$("$program" report -m nonsense r.db 2>&1)
status "a metric that is not there" $? 2
is "each that is there is said once, and listed" "$(echo "$out" |
    sed 's/.*it has: //; s/, /\n/g' | sort | while read -r name; do
	[ "$name" != "${last-}" ] && echo "$known" | grep -qx "$name" ||
	    echo "$name"
	last=$name
done)" ""
cd "$OLDPWD" || exit 1
is "its own folder is removed" "$(find results -name 'mountmatrix-*')" "$before"
finish
