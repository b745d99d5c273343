#!/bin/sh
# Foreign logs and tables become results files that rank like a night's own;
# report, compare and merge on them, and what is refused.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
studies=fixtures/studies

# 2001: single runs, so effects only; the tables know that su clears async
"$program" import csv $studies/find-usr-2001.csv -o "$work/2001.db" \
    --factors noatime,softupdates,async --value seconds --metric elapsed \
    --unit s --driver ufs --platform freebsd >/dev/null
status "import csv" $? 0
out=$("$program" report "$work/2001.db")
like "2001: noatime and its size" "$out" 'noatime saves 26\.7 % on average'
unlike "2001: nothing else" "$out" '(softupdates|async) (saves|costs)'
unlike "2001: no places" "$out" '^place'
like "2001: a pair is the same thing" "$out" \
    '^  softupdates async = softupdates:'
like "2001: so is the other pair" "$out" \
    '^  noatime softupdates async = noatime softupdates:'

# names that are no files to SQLite
here=$PWD
case $program in /*) whole=$program ;; *) whole=$PWD/$program ;; esac
for name in :memory: "file:x.db?mode=memory" "file:y.db"; do
	cd "$work" || exit 1
	"$whole" import csv "$here/$studies/postmark-2004.csv" -o "$name" \
	    --factors system --value elapsed=seconds --step 1 >/dev/null
	status "import to '$name'" $? 0
	like "report of '$name'" "$("$whole" report "$name")" 'place'
	cd "$here" || exit 1
	is "it is in a file of that name, and nothing else" \
	    "$(cd "$work" && find . -type f ! -name 2001.db)" "./$name"
	rm "$work/$name"
done

# 2004: kernels as sessions, compared and called confounded
"$program" import csv $studies/postmark-2004.csv -o "$work/2004.db" \
    --factors system --session kernel --value elapsed=seconds --step 1 \
    --workload postmark >/dev/null
out=$("$program" report "$work/2004.db")
like "2004: the floor" "$out" 'Differences below 5\.8 %'
like "2004: one cell is told apart" "$out" '^2 +2-6 +4\.x UP '
out=$("$program" compare "$work/2004.db")
status "compare of sessions" $? 0
like "2004: the kernels" "$out" '2 and 4 cells together: -4\.3 % \(-6\.6 %'
like "2004: confounded" "$out" 'confounded with the session'

# 2008: two logs of Blogbench
"$program" import blogbench -o "$work/2008.db" \
    --cell hammer=$studies/blogbench-hammer-2008.log \
    --cell ufs=$studies/blogbench-ufs-2008.log >/dev/null
status "import blogbench" $? 0
out=$("$program" report "$work/2008.db")
like "2008: the stalls" "$out" \
    'ufs: writes stalled in 24 of 30 intervals, first at 50 s, longest 220'
like "2008: at equal size" "$out" \
    'equal data-set size \(22 to 65\) hammer has 1\.11 times the reads'
like "2008: phases" "$out" '^hammer +read +9 +22 .* steady'

# 2009: sizes as blocks
"$program" import csv $studies/sysbench-rndrd-2009.csv -o "$work/2009.db" \
    --factors system --block block_kib --value request_rate=iops \
    --unit 1/s --better higher >/dev/null
like "2009: +24.4 %" "$("$program" report "$work/2009.db")" \
    'DragonFly 2\.x HAMMER .*\+24\.4 %'

# the BSD nights
"$program" import csv $studies/freebsd-12.1-study.csv -o "$work/f.db" \
    --factors noatime,softupdates,async --block block --in-force effective \
    --value create=create_s+create_sync_s+umount1_s --value find=find_cold_s \
    --driver ufs --platform freebsd >/dev/null
out=$("$program" report "$work/f.db" -m create)
is "FreeBSD: three groups" "$(printf '%s\n' "$out" |
    awk '/^place/ { n++ } n == 1 && /^[0-9]+=? / { printf "%s ", $2 }')" \
    "1-2 1-2 3-6 3-6 3-6 3-6 7-8 7-8 "
like "FreeBSD: options interact" "$out" \
    'softupdates and async do not act alone'
out=$("$program" report "$work/f.db" -m find)
is "FreeBSD: find is all tied" "$(printf '%s\n' "$out" |
    awk '/^place/ { n++ } n == 1 && /^[0-9]+=? / { printf "%s ", $2 }')" \
    "1-8 1-8 1-8 1-8 1-8 1-8 1-8 1-8 "
"$program" import csv $studies/dragonfly-5.9-study.csv -o "$work/d.db" \
    --factors cell --block block --in-force effective \
    --value create=create_s+create_sync_s+umount1_s \
    --beside device_flushes=nodata_create >/dev/null
out=$("$program" report "$work/d.db")
is "DragonFly: the ranks" "$(printf '%s\n' "$out" |
    awk '/^place/ { n++ } n == 1 && /^[0-9]+=? / { printf "%s ", $2 }')" \
    "1 2 3 4-5 4-5 "
like "DragonFly: flushes beside it" "$out" '^hammer .* 16$'

# out as CSV and in again: the same ranking
"$program" report "$work/f.db" -f csv >"$work/f.csv"
"$program" import csv "$work/f.csv" -o "$work/f2.db" \
    --factors noatime,softupdates,async --driver ufs --platform freebsd \
    >/dev/null
is "csv goes out and comes back" \
    "$("$program" report "$work/f2.db" -m create | grep '^[1-8]=')" \
    "$("$program" report "$work/f.db" -m create | grep '^[1-8]=')"

# every format of a report is there, and text is fit for mail
for format in text markdown html csv json; do
	"$program" report "$work/f.db" -f $format >"$work/out.$format"
	status "report -f $format" $? 0
done
is "no line is wider than 72" "$(awk 'length > 72' "$work/out.text")" ""

# refused, with file and line
out=$("$program" import csv $studies/find-usr-2001.csv -o "$work/2001.db" \
    --factors noatime --value seconds --unit s 2>&1)
status "a results file is never overwritten" $? 2
like "and says so" "$out" 'never overwritten'
head -20 $studies/blogbench-ufs-2008.log >"$work/cut.log"
out=$("$program" import blogbench "$work/cut.log" -o "$work/no.db" 2>&1)
status "a log that is cut" $? 2
like "names file and line" "$out" 'cut\.log:20: the log is cut'
[ ! -e "$work/no.db" ]
status "and leaves no file" $? 0
out=$("$program" import time $studies/find-usr-2001.csv -o "$work/no.db" 2>&1)
status "a log of another kind" $? 2
out=$("$program" merge "$work/m.db" "$work/2001.db" "$work/2004.db" 2>&1)
status "results of different plans do not merge" $? 2
like "and it says why" "$out" 'different plans'
out=$("$program" report "$work/f.csv" 2>&1)
status "what is no results file" $? 2
like "is called so" "$out" 'not a results file'
finish
