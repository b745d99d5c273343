#!/bin/sh
# What the README shows is what the program does.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the commands of "A ranking, read aloud", run as they stand there
sed -n '/^    build\/mountmatrix import csv/,/^    build\/mountmatrix report/p' \
    README.md | sed "s|^    build/mountmatrix|$program|; s|results/night.db|$work/night.db|" \
    >"$work/commands"
out=$(sh "$work/commands" 2>&1)
status "the README's commands" $? 0

# every line of its table is a line of the report
table=$(sed -n '/^    place  range/,/^$/p' README.md | sed 's/^    //; /^$/d')
is "the README has a table" "$(printf '%s\n' "$table" | wc -l)" 12
printf '%s\n' "$out" >"$work/out"
missing=$(printf '%s\n' "$table" | while IFS= read -r line; do
	grep -qxF -- "$line" "$work/out" || printf '%s\n' "$line"
done)
is "the README's table is the report's" "$missing" ""
like "16.5 % is the floor" "$out" 'Differences below 16\.5 %'
like "what softupdates does beside async" "$out" \
    'softupdates saves 85\.0 %'

# the matrix of "A first real night" is a matrix file
sed -n '/^       title = /,/^       budget/p' README.md |
    sed 's/^       //' >"$work/night.conf"
: >"$work/empty"
mkdir "$work/mail"
(cd "$work" && tar -cf mail.tar mail && mv mail.tar mail.tar.zst)
out=$("$program" plan --platform linux "$work/night.conf" 2>&1)
status "the README's matrix file" $? 0
like "it plans 14 cells" "$out" '14 cells, 2 workloads, 6 blocks'

# the folders it names are there
for word in Makefile matrix src fixtures results tests LICENSE; do
	[ -e "$word" ]
	status "$word is there" $? 0
done
finish
