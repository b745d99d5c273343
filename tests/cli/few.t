#!/bin/sh
# What a report says of tables that are small or odd: one cell, one run, two
# runs, no noise at all, nothing told apart, axes of several levels, values
# far from one.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the report of the table on standard input; FACTORS [OPTIONS]
ranked() {
	factors=$1
	shift
	rm -f "$work/r.db"
	cat >"$work/table.csv"
	"$program" import csv "$work/table.csv" -o "$work/r.db" \
	    --factors "$factors" --block block --value s --unit s \
	    --better lower "$@" >/dev/null && "$program" report "$work/r.db"
}

# one line, so that words can be looked for across its breaks
joined() {
	printf '%s\n' "$1" | tr -s '\n ' '  '
}

out=$(printf '%s\n' cell,block,s a,1,5.0 a,2,5.1 a,3,5.05 | ranked cell)
like "one cell: its noise is all there is to say" "$(joined "$out")" \
    'One cell has a place: there is nothing to compare it with\. Run-to-run noise is 1\.0 % \(2 degrees'
unlike "one cell: nothing of differences" "$out" 'Differences|resolve'

out=$(printf '%s\n' cell,block,s a,1,10 b,1,11 c,1,12 a,2,10.1 b,2,11.1 \
    a,3,10.2 b,3,11.3 | ranked cell)
like "one run beside others has no place" "$out" '^- +c +12\.00 +- +1$'
like "and it is said why" "$out" '^  1 run, so no place: c$'

out=$(printf '%s\n' cell,block,s a,1,10 b,1,11 a,2,10.1 b,2,11.1 c,3,9 d,3,9 \
    c,4,9.1 d,4,9.2 | ranked cell)
like "cells that never met are named" "$(joined "$out")" \
    'never in a block with those that have places, so without one: c, d'

noisy=$(printf '%s\n' cell,block,s a,1,100 b,1,50 c,1,10 a,2,104 b,2,10 \
    c,2,14 a,3,102 b,3,90 c,3,8)
out=$(printf '%s\n' "$noisy" | ranked cell)
like "a place alone in ranges that overlap is not proven" "$out" \
    '^  place 2 is the best of its range, not proven: ranges overlap \(2-3\)$'
like "a wide interval is a factor" "$out" '^1= +1-2 +c +10\.4 +x/ 3\.3 '
like "and the factor is explained" "$out" \
    '^  x/ 2: from the value divided by 2 to the value times 2$'
out=$(printf '%s\n' cell,block,s a,1,10 b,1,20 a,2,10.1 b,2,20.4 a,3,10 \
    b,3,20.1 | ranked cell)
unlike "places that are told apart need no word" "$out" 'not proven|x/'
out=$(printf '%s\n' cell,block,s a,1,10 b,1,20 a,2,10.1 b,2,20.4 a,3,10 \
    b,3,20.1 | ranked cell --better higher)
like "a rate: what slower means" "$out" \
    '^  slower by: in time for the same work; half the rate is [+]100 %$'
out=$("$program" report --baseline a "$work/r.db")
like "a rate: and against the baseline" "$out" '^options +slower than base '
like "a rate: less time is less" "$out" '^b +-50\.[0-9] % '

out=$(printf '%s\n' cell,block,s a,1,10 b,1,11 a,2,10.1 b,2,11.4 | ranked cell)
like "two runs: no interval" "$out" '^  2 runs, too few for an interval: a, b$'
unlike "two runs: none is printed" "$out" '^place .*[+]-'

# no noise: what is equal to the last digit is equal, what differs differs
equal=$(for b in 1 2 3; do
	printf '%s\n' 0,0,$b,10 1,0,$b,8 0,1,$b,9 1,1,$b,7.2
done)
out=$(printf '%s\n' noatime,async,block,s "$equal" | ranked noatime,async)
like "no noise: an option is certain" "$out" '^noatime +-20\.0 %.*[*]$'
unlike "no noise: rounding is no interaction" "$out" \
    'act alone|noatime x async.*[*]'
is "no noise: by options all four differ, too" "$(printf '%s\n' "$out" |
    awk '/^place/ { n++ } n == 2 && /^[0-9]/ { printf "%s ", $1 }')" "1 2 3 4 "
level=$(for b in 1 2 3; do
	printf '%s\n' x,0,$b,10 x,1,$b,8 y,0,$b,20 y,1,$b,16 z,0,$b,30 z,1,$b,24
done)
out=$(printf '%s\n' data,noatime,block,s "$level" | ranked data,noatime)
like "no noise: nor between an axis and an option" "$out" \
    '^  data x noatime: not told from noise$'

# an axis of three levels: each with its range and its distance to the best
level=$(for b in 1 2 3 4; do
	printf '%s\n' x,0,$b,10.$b x,1,$b,8.0$b y,0,$b,20.$b y,1,$b,16.3 \
	    z,0,$b,30.2 z,1,$b,24.$b
done)
out=$(printf '%s\n' data,noatime,block,s "$level" | ranked data,noatime)
like "three levels: how far, for sure" "$(joined "$out")" \
    'data: x best \(1\), y [+][0-9.]+ % \(2; [+][0-9.]+\.\.[+][0-9.]+ %\), z'
like "three levels: why there is no table by options" "$out" \
    'no table by options: an axis has more than two levels'

out=$("$program" report -f json "$work/r.db" | tr -d ' \n')
like "three levels: in JSON, too" "$out" \
    '"axes":\[[{]"family":"[a-z]*","axis":"data","estimable":true,.*"significant":true,"levels":\[[{]"level":"x","pct":0,.*"level":"y","pct":[0-9.]+,"ci_lo":[0-9.]+'
level=$(for b in 1 2 3 4; do
	printf '%s\n' x,p,$b,10.$b x,q,$b,8.0$b x,r,$b,9 y,p,$b,20.$b y,q,$b,16.3 \
	    y,r,$b,18 z,p,$b,30.2 z,q,$b,24.$b z,r,$b,27
done)
out=$(printf '%s\n' data,atime,block,s "$level" | ranked data,atime)
like "two axes: both are told" "$(joined "$out")" ' data: x best .* atime: p .* q best'
unlike "two axes: no table without rows" "$out" '^option$|^[*] marks'

# nothing is told apart: the effects are shown with their intervals
tied=$(for b in 1 2 3 4; do
	printf '%s\n' 0,0,$b,10.$b 1,0,$b,10.$((5 - b)) 0,1,$b,10.$((b % 3)) \
	    1,1,$b,10.$((b * 3 % 5))
done)
out=$(printf '%s\n' noatime,async,block,s "$tied" | ranked noatime,async)
like "tied: said so" "$out" '^  nothing that can be told from noise \('
like "tied: and each effect's interval is there" "$out" \
    '^noatime x async +[-+][0-9.]+ % +-[0-9.]+ % +[+][0-9.]+ %$'
like "tied: and no mark is explained" "$out" '^None of them is told from noise'

# of many options: mains, pairs, and what is told apart
many=$(awk 'BEGIN { srand(5); for (b = 1; b <= 3; b++)
	for (i = 0; i < 32; i++) printf "%d,%d,%d,%d,%d,%d,%.4f\n", i % 2,
	    int(i / 2) % 2, int(i / 4) % 2, int(i / 8) % 2, int(i / 16), b,
	    10 * (i % 8 == 7 ? 1.2 : 1) * (1 + rand() / 100) }')
out=$(printf '%s\n' p,q,r,s1,t,block,s "$many" | ranked p,q,r,s1,t)
is "many options: 5 mains, 10 pairs and 1 of three" \
    "$(printf '%s\n' "$out" | awk '/^option / { on = 1; next }
	on && /^$/ { exit } on { n++ } END { print n }')" 16
like "many options: the one of three is told" "$out" '^p x q x r .*[*]$'
like "many options: the rest is counted" "$(joined "$out")" \
    'and 15 effects of three and more options, none of them told'

out=$(printf '%s\n' cell,block,s a,1,2e-9 b,1,4e-9 a,2,2.1e-9 b,2,4.1e-9 \
    a,3,2e-9 b,3,4e-9 | ranked cell)
like "nanoseconds in s have digits" "$out" '^1 +1 +a +2\.033e-09 '
out=$(printf '%s\n' cell,block,s a,1,1e300 b,1,1 a,2,2e300 b,2,1 a,3,1e300 \
    b,3,1.5 | ranked cell)
unlike "hours beyond all years are not given" "$out" 'about'
: >"$work/r.csv"
out=$("$program" import csv "$work/r.csv" -o "$work/no.db" --factors a \
    --value b --unit s 2>&1)
is "an empty file has no line to name" "$out" \
    "mountmatrix: $work/r.csv: no table is there"
finish
