#!/bin/sh
# Effects and noise of a results file are those that R's lm() finds in the
# same file.  Skips where R is not installed.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}

if ! command -v Rscript >/dev/null; then
	echo "1..0 # SKIP Rscript is not installed"
	exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# agrees NAME FILE OPTION...: imports the table and compares
agrees() {
	name=$1
	file=$2
	shift 2
	results=$folder/$name.db
	"$program" import csv "$file" -o "$results" "$@" >/dev/null
	"$program" report -f csv "$results" >"$folder/$name.csv"
	"$program" report -f json --keep-outliers "$results" |
	    perl tests/r/effects.pl >"$folder/$name.tsv"
	out=$(Rscript tests/r/agrees.R "$folder/$name.csv" \
	    "$folder/$name.tsv" 2>&1)
	code=$?
	status "$name" $code 0
	tap_note "$out"
}

oracle() {
	agrees "$1" "fixtures/oracles/$2" --factors noatime,su,async \
	    --block block --value value --metric elapsed --unit s \
	    --better lower
}

oracle "complete blocks" 05_rcb8.csv
oracle "missing runs" 06_rcb8_holes.csv
oracle "cells that do not exist" 07_rcb6_struct.csv
oracle "a real night" 17_freebsd_create.csv

# a rate, with two runs of each cell in a block
awk -F, 'NR == 1 { print "block,noatime,su,rate"; next }
	{ printf "%s,%s,%s,%.6f\n", $2, $4, $5, 1e5 / $8 }' \
    fixtures/oracles/05_rcb8.csv >"$folder/rates.in"
agrees "a rate" "$folder/rates.in" --factors noatime,su --block block \
    --value rate --metric rate --unit 1/s --better higher
finish
