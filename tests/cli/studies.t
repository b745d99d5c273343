#!/bin/sh
# What a ranking may say and what it must not: the published studies in the
# words of their reports, controls, comparisons and programs' JSON.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
studies=fixtures/studies

# import NAME FORMAT OPTION...: then its report in $out, on one line in $flat
import() {
	name=$1
	shift
	"$program" import "$@" -o "$work/$name.db" >/dev/null 2>"$work/notes"
	status "import $name" $? 0
	out=$("$program" report "$work/$name.db")
	flat=$(printf '%s\n' "$out" | tr -s ' \n' '  ')
}

# without a system nothing tells what async gives up
import nowhere csv $studies/find-usr-2001.csv \
    --factors noatime,softupdates,async --value seconds --unit s --driver ufs
unlike "no system: no cell is called safe" "$out" "safe$"
like "no system: and it says so" "$(cat "$work/notes")" \
    "without --platform the options were not looked up"

# 2001
import 2001 csv $studies/find-usr-2001.csv \
    --factors noatime,softupdates,async --value seconds --metric elapsed \
    --unit s --better lower --driver ufs --platform freebsd
is "2001: what stands out" \
    "$(printf '%s\n' "$out" | grep -c '^[a-z].* \*$')" 1
like "2001: noatime it is" "$out" '^noatime +-26\.7 % .* \*$'
like "2001: Lenth's margins" "$flat" 'must exceed 3\.8 % .* 1\.8 % if it was'
like "2001: what two single runs must differ by" "$flat" \
    'must differ by 3\.3 %, any two of all by 5\.9 %'

# 2004
import 2004 csv $studies/postmark-2004.csv --factors system \
    --session kernel --value elapsed=seconds --step 1 --workload postmark
like "2004: one pair" "$flat" '1 of 15 pairs is told apart'
like "2004: runs, and how many there are" "$flat" \
    '; 54 more runs of each cell \(about [^;]*; 56 in all\) would resolve 1 %'
like "2004: the clock" "$flat" "noise is 1\\.4 % .* clock's step is 1\\.4 %"
like "2004: kernels" "$flat" '4\.x to 6\.x, .* -4\.3 % \(-6\.6 % to -2\.0 %'
like "2004: and the session" "$flat" 'confounded with the session'

# 2008
import 2008 blogbench --cell hammer=$studies/blogbench-hammer-2008.log \
    --cell ufs=$studies/blogbench-ufs-2008.log
is "2008: HAMMER's phases" "$(printf '%s\n' "$out" |
    awk '$1 == "hammer" && $2 == "read" { printf "%s ", $3 }')" "1 6 9 "
is "2008: UFS breaks after sample 5" "$(printf '%s\n' "$out" |
    awk '$1 == "ufs" && /^ufs +(read|write) / { printf "%s ", $3 }')" \
    "1 6 1 6 "
like "2008: stalls" "$flat" 'in 24 of 30 intervals, .* longest 220 s'
like "2008: equal size" "$flat" \
    'equal data-set size \(22 to 65\) hammer has 1\.11 times the reads of ufs'

like "2008: how long an interval is" "$out" \
    '^Phases \(counts per interval of 10 s, numbered from 1\):$'
import doubled blogbench --cell ufs=$studies/blogbench-ufs-2008.log \
    --cell ufs=$studies/blogbench-ufs-2008.log
is "phases of two runs are each of one" "$(printf '%s\n' "$out" |
    awk '$1 == "ufs" && $3 == "read" { printf "%s %s, ", $2, $4 }')" \
    "1 1, 1 6, 2 1, 2 6, "
like "in words, too" "$out" '^  ufs, block 2: write 5356 per interval, '

# 2009
import 2009 csv $studies/sysbench-rndrd-2009.csv --factors system \
    --block block_kib --value request_rate=iops --unit 1/s --better higher
like "2009: how much, and how sure" "$flat" \
    '\+24\.4 % 9 .* \+16\.7\.\.\+32\.6 %'
like "2009: sizes are no repeats" "$flat" 'values of block_kib serve as blocks'
like "2009: nine of them" "$("$program" report -f json "$work/2009.db")" \
    '^    "blocks": 9,'

# DragonFly: what is fast because fsync is not
import dragonfly csv $studies/dragonfly-5.9-study.csv --factors cell \
    --block block --value create=create_s+create_sync_s+umount1_s \
    --platform dragonfly
is "DragonFly: rank and risk" "$(printf '%s\n' "$out" |
    awk '/^place/ { n++ } n == 1 && /^[0-9]/ { printf "%s %s %s, ", $2, $3, $NF }')" \
    "1 hammer flush, 2 ufs+su window, 3 hammer2 flush, 4-5 ufs safe, 4-5 ufs+noatime func, "
is "DragonFly: what power cuts left of fsynced files" "$(printf '%s\n' "$out" |
    sed -n 's/^\([a-z2+][a-z2+]*\) .* \([0-9] of 5\).*/\1 \2/p' | paste -sd ,)" \
    "hammer 0 of 5,ufs+su 5 of 5,hammer2 0 of 5,ufs 5 of 5,ufs+noatime 5 of 5"
like "DragonFly: in words" "$flat" \
    "HAMMER's fsync of the default mode is not durable"
unlike "DragonFly: nothing is the same" "$out" '^Controls'

# a driver whose table does not know the words says nothing of them
sed 's/ufs+su/ufs+warp/; s/hammer2/hammer9/' \
    $studies/dragonfly-5.9-study.csv >"$work/odd.csv"
import odd csv "$work/odd.csv" --factors cell --block block \
    --value create_s --driver ufs --platform dragonfly
unlike "unknown cells are no default" "$out" '^Controls'
like "and are named" "$(cat "$work/notes")" \
    "'ufs:hammer9' is not in the tables of ufs"

# few runs, missing runs, failures and time limits
cat >"$work/holes.csv" <<'EOF'
cell,workload,metric,unit,better,block,state,value
a,w,elapsed,s,lower,1,ok,10.1
b,w,elapsed,s,lower,1,ok,12.2
c,w,elapsed,s,lower,1,failed,
d,w,elapsed,s,lower,1,ok,30.3
e,w,elapsed,s,lower,1,timeout,60
a,w,elapsed,s,lower,2,ok,10.4
b,w,elapsed,s,lower,2,ok,12.0
c,w,elapsed,s,lower,2,failed,
d,w,elapsed,s,lower,2,failed,
e,w,elapsed,s,lower,2,ok,50
a,w,elapsed,s,lower,3,ok,10.2
b,w,elapsed,s,lower,3,ok,12.1
c,w,elapsed,s,lower,3,ok,11.0
d,w,elapsed,s,lower,3,ok,31.3
e,w,elapsed,s,lower,3,ok,52
EOF
import holes csv "$work/holes.csv"
like "two runs have no interval" "$out" '^3 +3 +d +30\.86 +\+201\.6 % +2$'
like "half of the blocks failed" "$out" '^  c: unreliable, failed in 2 of 3'
like "a time limit" "$out" '^  e: > 60\.00 s, the time limit, in 1 of 3 runs'
"$program" report -f csv "$work/holes.db" >"$work/holes2.csv"
import holes2 csv "$work/holes2.csv"
like "and it comes back" "$out" '^  e: > 60\.00 s, the time limit, in 1 of 3'
grep -v ',[23],' "$work/holes.csv" | grep -v '^[ce],[^e]' >"$work/one.csv"
import one csv "$work/one.csv"
unlike "one run gives no place" "$out" '^place'
unlike "and no interval" "$out" '\+-'

# a cell that is fast where it works, and figures of few places: the variance of
# 1/12 of a second squared, q(3, 4 degrees of freedom) = 5.04
{
	echo cell,workload,metric,unit,better,block,state,value
	for block in 1 2 3; do
		echo "a,one,elapsed,s,lower,$block,ok,71"
		echo "b,one,elapsed,s,lower,$block,ok,72"
		echo "c,one,elapsed,s,lower,$block,ok,60"
		echo "a,two,rate,1/s,higher,$block,ok,$((100 - block))"
		echo "b,two,rate,1/s,higher,$block,ok,$((100 - block))"
		echo "c,two,rate,1/s,higher,$block,failed,"
	done
} >"$work/few.csv"
import few csv "$work/few.csv"
like "whole seconds are no noise of nothing" "$flat" \
    "noise is 0\\.4 % .*, all of it the figures' step of 1\\.7 %"
like "and no exact difference" "$out" '^b +72\.0-72\.0 .* \+18\.4\.\.\+21\.6 %$'
like "what is not in the table of all" "$flat" \
    'left out, without a place in every workload: c '
like "a block of lower rates is slower" "$flat" \
    'mean, \+ is slower: -1\.0 %, 0\.0 %, \+1\.0 %'
is "the heads are explained once" \
    "$(printf '%s\n' "$out" | grep -c '^  range: the places')" 1
sed 2q "$work/few.csv" >"$work/single.csv"
like "one value is no values" \
    "$("$program" import csv "$work/single.csv" -o "$work/single.db")" \
    '^1 value of 1 cell in '

# whole seconds on both sides: s^2 is the mean of 1/12 of a step squared, t of
# three ratios and 12 degrees of freedom is 2.78
seconds() { # A B C
	echo cell,workload,metric,unit,better,block,state,value
	for block in 1 2 3; do
		echo "a,w,elapsed,s,lower,$block,ok,$1"
		echo "b,w,elapsed,s,lower,$block,ok,$2"
		echo "c,w,elapsed,s,lower,$block,ok,$3"
	done
}
seconds 10 20 30 >"$work/before.csv"
seconds 11 22 33 >"$work/after.csv"
import before csv "$work/before.csv"
import after csv "$work/after.csv"
out=$("$program" compare "$work/before.db" "$work/after.db")
like "equal changes are no exact ones" "$out" \
    '^b +20\.00 +22\.00 +\+10\.0 % +\+5\.5 % +\+14\.7 %  slower$'
like "least of all the roughest figure" "$out" \
    '^a +10\.00 +11\.00 +\+10\.0 % +\+3\.3 % +\+17\.1 %  slower$'
like "nor all together" "$(printf '%s\n' "$out" | tr -s ' \n' '  ')" \
    'together: \+10\.0 % \(\+5\.9 % to \+14\.2 %, p = 0\.0083, 2 degrees'
sed 's/elapsed,s,lower/rate,1\/s,higher/' "$work/before.csv" >"$work/rate1.csv"
sed 's/elapsed,s,lower/rate,1\/s,higher/' "$work/after.csv" >"$work/rate2.csv"
import rate1 csv "$work/rate1.csv"
import rate2 csv "$work/rate2.csv"
out=$("$program" compare "$work/rate1.db" "$work/rate2.db")
like "a rate's change is one of time" "$out" \
    '^b +20\.00 +22\.00 +-9\.1 % .* faster$'
like "and that is said" "$out" 'in time for the same work: half the$'

# rates that no row has, one that is 0 once, a unit in Greek, and cells that
# never met
micro=$(printf '\302\265')
{
	echo cell,workload,metric,unit,better,block,state,value
	for block in 1 2 3; do
		echo "a,none,rate,1/s,higher,$block,failed,"
		echo "a,some,latency,${micro}s,lower,$block,ok,$((block % 3)).5"
		echo "a,zero,rate,1/s,higher,$block,ok,$((block - 1))"
		echo "b,zero,rate,1/s,higher,$block,ok,50.$block"
		echo "a,apart,time,s,lower,$block,ok,10.$block"
		echo "b,apart,time,s,lower,$block,ok,20.$block"
		echo "c,apart,time,s,lower,$((block + 3)),ok,13.$block"
	done
} >"$work/odd.csv"
import cells csv "$work/odd.csv"
like "a rate without a value is one" "$out" '^none: rate in 1/s, higher is better$'
like "microseconds" "$out" '^some: latency in us, lower is better$'
like "stalled, and how often" "$out" '^  a: stalled: 1 of 3 runs with nothing done$'
unlike "blocks that share no cell have no mean" \
    "$("$program" report -w apart "$work/cells.db")" 'Blocks against their mean'

# effects of whole seconds: once (Lenth: 2.30 and 4.87 times the error of one of
# eight, the step squared over 12) and three times (t with 14 degrees is 2.145)
options() { # BLOCKS
	echo block,x,y,z,value
	for run in $(seq 0 $(($1 * 8 - 1))); do
		echo "$((run / 8 + 1)),$((run / 4 % 2)),$((run / 2 % 2)),$((run % 2)),$((run / 4 % 2 == 1 ? 100 : 130))"
	done
}
options 1 >"$work/once.csv"
options 3 >"$work/thrice.csv"
set -- --factors x,y,z --value value --unit s --better lower --block block
import once csv "$work/once.csv" "$@"
like "an effect among zeros stands out" "$out" \
    '^x +-23\.1 % +-23\.4 % +-22\.8 %  \*$'
like "and not by nothing" "$flat" \
    'must exceed 0\.9 % to stand out .* 0\.4 % if it was the only one'
import thrice csv "$work/thrice.csv" "$@"
like "and has an interval" "$out" \
    '^x +-23\.1 % +-23\.3 % +-22\.9 %  \*$'

# units that no log states are asked for
out=$("$program" import csv $studies/freebsd-12.1-study.csv \
    --factors noatime --value writes_create -o "$work/no.db" 2>&1)
status "no unit" $? 2
like "is asked for" "$out" "does not say the unit of 'writes_create'"
awk 'NR == 13 { sub(/[0-9]+/, "x") } { print }' \
    $studies/blogbench-ufs-2008.log >"$work/edited.log"
out=$("$program" import blogbench "$work/edited.log" -o "$work/no.db" 2>&1)
status "an edited log" $? 2
like "has file and line" "$out" 'edited\.log:13: '

# the baseline twice, under two names, on twenty nights
{
	for target in a b c; do
		echo "target $target { directory = \"$work/$target\" }"
		mkdir "$work/$target"
	done
	echo 'filesystem one { driver = "plain" target = "a" }'
	echo 'filesystem two { driver = "plain" target = "a" }'
	echo 'filesystem three { driver = "plain" target = "b" }'
	echo 'filesystem four { driver = "plain" target = "c" }'
	night=0
	while [ $night -lt 20 ]; do
		night=$((night + 1))
		echo "workload night$night { type = \"null\" seed = $night }"
	done
	echo 'rounds = 3'
} >"$work/twice.conf"
"$program" run --seed 14 -o "$work/twice.db" "$work/twice.conf" \
    >/dev/null 2>&1
status "twenty nights" $? 0
json=$("$program" report -f json "$work/twice.db")
is "controls on each" \
    "$(printf '%s\n' "$json" | grep -c '"duplicate": "two:default"')" 20
claimed=$(printf '%s\n' "$json" | grep -c '"claimed": true')
[ "$claimed" -le 1 ]
status "a claim between the two on $claimed of 20 nights" $? 0

# two results of one matrix: slower beyond noise, or within it
before_after() {
	cat >"$work/$1.conf" <<EOF
target a { directory = "$work/a" }
target b { directory = "$work/b" }
filesystem one { driver = "plain" target = "a" }
filesystem two { driver = "plain" target = "b" }
workload w { type = "null" cv = "1%" mean = $2 seed = $3 }
rounds = 5
EOF
	"$program" run --seed 3 -o "$work/$1.db" "$work/$1.conf" \
	    >/dev/null 2>&1
}
before_after old 1 1
before_after same 1 2
before_after slow 1.2 3
compare() {
	"$program" compare "$@" >"$work/compared"
}
compare "$work/old.db" "$work/same.db" --fail-if-slower 5%
status "no slower" $? 0
like "and says so" "$(cat "$work/compared")" 'not proven'
compare "$work/old.db" "$work/slow.db" --fail-if-slower 5%
status "slower by 20 %" $? 1
compare "$work/slow.db" "$work/old.db" --fail-if-slower 5%
status "faster" $? 0
compare "$work/old.db" "$work/slow.db" --fail-if-slower 40%
status "slower, but less than asked" $? 0

compare "$work/old.db" "$work/same.db" "$work/old.db"
is "the same file twice is said" \
    "$(tr -s '\n ' '  ' <"$work/compared" | grep -o 'are one and the same file' |
	grep -c .)" 1
compare "$work/old.db" "$work/same.db" "$work/slow.db"
is "three files are two tables" \
    "$(grep -c '(before)' "$work/compared")" 2

# what else differs is named; what cannot be compared is no pass
out=$(tr -s '\n ' '  ' <"$work/compared")
like "another setting of a workload" "$out" \
    "workload 'w' was set otherwise in [^ ]*/old.db than in [^ ]*/slow.db"
sed 's/mean = 1 seed = 1/seed = 1 cv = "1.0%" mean = 1.0 drift = "0%"/
    s/cv = "1%"//' "$work/old.conf" >"$work/spelt.conf"
"$program" run --seed 3 -o "$work/spelt.db" "$work/spelt.conf" >/dev/null 2>&1
unlike "a default written out is not" \
    "$("$program" compare "$work/old.db" "$work/spelt.db")" 'otherwise'
unlike "the same host, target and cells are not" "$out" \
    'the (hosts|tools|programs) |is of another kind|other options in force'
# tool FILE NAME VERSION: as if its cells had needed one
tool() {
	sqlite3 "$work/$1.db" "INSERT INTO fact SELECT id, 'tool', (SELECT
	    count(*) FROM fact WHERE kind = 'tool'), '$2', '$3' FROM session"
}
cp "$work/old.db" "$work/tool-a.db"
cp "$work/old.db" "$work/tool-b.db"
tool tool-a mkfs.both 1
tool tool-a mkfs.one 1
tool tool-b mkfs.both 2
compare "$work/tool-a.db" "$work/tool-b.db"
is "a tool that both used, and of two versions, is the only one named" \
    "$(grep -o 'tools differ in mkfs\.[a-z]*' "$work/compared")" \
    "tools differ in mkfs.both"
out=$("$program" compare "$work/old.db" --fail-if-slower 5% 2>&1)
status "one file of one session" $? 2
like "one file of one session" "$out" 'has one session only'
out=$("$program" compare "$work/old.db" "$work/same.db" --fail-if-slower -5% \
    2>&1)
status "a threshold below zero" $? 2
"$program" compare "$work/old.db" "$work/same.db" --fail-if-slower 0 >/dev/null
status "a threshold of zero, and nothing slower" $? 0
# the second cell's command fails where FOLDER is its own
in_folder() { # NAME FOLDER
	sed "s|workload w .*|workload w { type = \"command\" run = \"sh -c 'case %m in */$2/*) exit 1; esac'\" }|
	    s/rounds.*/rounds = 2/" "$work/old.conf" >"$work/$1.conf"
	"$program" run -o "$work/$1.db" "$work/$1.conf" >/dev/null 2>&1
}
in_folder whole none
in_folder half b
compare "$work/whole.db" "$work/half.db" --fail-if-slower 5000%
status "a cell that fails now" $? 1
like "a cell that fails now" "$(cat "$work/compared")" \
    '^A cell that had values failed\.$'
compare "$work/half.db" "$work/whole.db" --fail-if-slower 5000%
status "a cell that failed before" $? 0
# a figure of a command's own: in its unit also when no run gave one
metric() { # NAME PRINTS
	sed "s|workload w .*|workload w { type = \"command\" run = \"echo $2\" metric v { pattern = \"v ([0-9]+)\" unit = \"x/s\" better = \"higher\" } metric = \"v\" }|
	    s/rounds.*/rounds = 2/" "$work/old.conf" >"$work/$1.conf"
	"$program" run -o "$work/$1.db" "$work/$1.conf" 2>/dev/null
}
out=$(metric nothing none)
like "no run gave a value" "$out" '^w: v in x/s, higher is better$'
like "no run gave a value" "$out" 'warning: no run finished'
out=$(metric zero 'v 0')
like "all runs stalled" "$out" 'one:default: stalled: 2 of 2 runs'
like "all runs stalled" "$out" 'warning: no run gave a value'
# and a figure of the program's own
sed 's|workload w .*|workload w { type = "fileio" timeout = "1s" seconds = 30 files = 1 total = "1M" }|
    s/rounds.*/rounds = 1/' "$work/old.conf" >"$work/late.conf"
"$program" run -o "$work/late.db" "$work/late.conf" >"$work/late" 2>/dev/null
like "a rate that no run gave" "$(cat "$work/late")" \
    '^w: iops in 1/s, higher is better$'

for tree in one two; do
	mkdir -p "$work/$tree/files"
	echo $tree >"$work/$tree/files/$tree"
	tar -C "$work/$tree" -cf "$work/tree.tar" files
	sed "s/workload w .*/tree t { archive = \"tree.tar\" } workload w { type = \"traverse\" tree = \"t\" }/" \
	    "$work/old.conf" >"$work/tree.conf"
	"$program" run -o "$work/tree-$tree.db" "$work/tree.conf" >/dev/null 2>&1
done
compare "$work/tree-one.db" "$work/tree-two.db"
like "another tree" "$(tr -s '\n ' '  ' <"$work/compared")" \
    "the tree of workload 'w' is not the same"

# which cell ratios are to
import night csv $studies/freebsd-12.1-study.csv \
    --factors noatime,softupdates,async --block block \
    --value create=create_s+create_sync_s+umount1_s --driver ufs \
    --platform freebsd
out=$("$program" report --baseline ufs:async+noatime "$work/night.db")
like "a baseline, its tokens in any order" "$out" '^noatime async +baseline'
out=$("$program" report --baseline default "$work/night.db")
like "the default as baseline" "$out" '^default +baseline'
out=$("$program" report --baseline ufs:asinc "$work/night.db" 2>&1)
status "a baseline that is not there" $? 2
like "and the nearest" "$out" "did you mean 'ufs:async'"

out=$("$program" report -f html "$work/night.db" "$work/2008.db" 2>&1)
status "two reports in one page" $? 2
like "two reports in one page" "$out" 'is of one results file'

# the keys that programs rely on
if perl -MJSON::PP -e 1 2>/dev/null; then
	out=$("$program" report -f json "$work/2008.db" | perl -MJSON::PP -e '
	    my $r = decode_json(join "", <STDIN>);
	    sub lacks { my ($what, $h, @keys) = @_;
	        exists $h->{$_} or print "$what: no $_\n" for @keys }
	    lacks "report", $r, qw(format version run workloads failures warnings);
	    lacks "run", $r->{run}, qw(title seed blocks host);
	    my $w = $r->{workloads}[0];
	    lacks "workload", $w, qw(name metric unit better ranking noise effects phases);
	    lacks "row", $w->{ranking}[0], qw(cell status place tied rank_lo rank_hi
	        estimate ci_lo ci_hi slower_pct runs risk options in_force);
	    lacks "noise", $w->{noise}, qw(cv_pct hsd_pct blocks_for_1pct df);
	    lacks "phase", $w->{phases}[0], qw(cell series start mean median);
	    defined $w->{ranking}[0]{place} and print "a single run has a place\n"')
	is "the keys of the JSON report" "$out" ""
	out=$("$program" report -f json "$work/night.db" | perl -MJSON::PP -e '
	    my $e = decode_json(join "", <STDIN>)->{workloads}[0]{effects}[0];
	    exists $e->{$_} or print "no $_\n"
	        for qw(options pct ci_lo ci_hi significant)')
	is "the keys of an effect" "$out" ""
	is "all workloads together have their keys" "$("$program" report -f json \
	    "$work/twice.db" | perl -MJSON::PP -e '
	    my $o = decode_json(join "", <STDIN>)->{overall};
	    exists $o->{$_} or print "no $_\n"
	        for qw(caveat workloads ranking tradeoffs);
	    print scalar @{$o->{workloads}}, " ", scalar @{$o->{ranking}}')" "20 4"
	is "two reports are one list" "$("$program" report -f json \
	    "$work/night.db" "$work/2008.db" | perl -MJSON::PP -e '
	    print scalar @{decode_json(join "", <STDIN>)}')" 2
else
	skip "the keys of the JSON report" "perl has no JSON::PP"
fi
finish
