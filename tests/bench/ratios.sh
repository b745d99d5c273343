#!/bin/sh
# Our workloads beside the tools whose names they bear: paired runs, the order
# turned round each time, and the ratio of the medians (ours / theirs).
#
#   sh tests/bench/ratios.sh [PAIRS [FOLDER]]
#
# Prints figures and never passes or fails: times are the host's.  Tools that
# are not here are left out.  FOLDER should be on tmpfs, so that the tools are
# compared and not a disk.
set -eu
pairs=${1:-9}
base=${2:-/dev/shm}
mm=$(pwd)/build/mountmatrix
work=$(mktemp -d "$base/mm-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

[ -x "$mm" ] || { echo "no $mm: run make first" >&2; exit 1; }

# fresh: an empty folder to work in
fresh() {
	rm -rf "$work/box"
	mkdir "$work/box"
}

# value METRIC: its value out of --json
value() {
	sed -n 's/.*"metric": "'"$1"'".*"pass": 0, "value": \([0-9.e+-]*\).*/\1/p'
}

# theirs RUN: seconds a command takes, timed by the same clock as ours
theirs() {
	fresh
	"$mm" bench command -d "$work/box" "run=$1" --json | value elapsed
}

# ours METRIC WORKLOAD KEYS...: what the workload measured
ours() {
	metric=$1
	shift
	fresh
	name=$1
	shift
	"$mm" bench "$name" -d "${folder:-$work/box}" "$@" --json | value "$metric"
}

median() {
	sort -g "$1" | awk '{ v[NR] = $1 } END {
		print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# compare LABEL WANTED THEIRS-COMMAND METRIC OURS...
compare() {
	label=$1
	wanted=$2
	command=$3
	shift 3
	: >"$work/theirs"
	: >"$work/ours"
	i=0
	while [ "$i" -lt "$pairs" ]; do
		if [ $((i % 2)) -eq 0 ]; then
			theirs "$command" >>"$work/theirs"
			ours "$@" >>"$work/ours"
		else
			ours "$@" >>"$work/ours"
			theirs "$command" >>"$work/theirs"
		fi
		i=$((i + 1))
	done
	printf '%s %s %s %s\n' "$label" "$(median "$work/theirs")" \
	    "$(median "$work/ours")" "$wanted" | awk '{
		printf "%-34s %9.4f s %9.4f s   ratio %.3f (aim %s)\n",
		    $1, $2, $3, $3 / $2, $4 }'
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# A tree of empty and small files, as a manifest and as an archive.
awk 'BEGIN {
	print "#mtree"
	for (d = 0; d < 2000; d++) {
		printf "./d%d type=dir mode=755\n", d
		for (f = 0; f < 20; f++)
			printf "./d%d/file-%d type=file mode=644 size=%d\n",
			    d, f, (d * 20 + f) % 3000
	}
}' >"$work/tree.mtree"
fresh
"$mm" bench untar -d "$work/box" "archive=$work/tree.mtree" >/dev/null
mv "$work/box/untar" "$work/tree"
if have bsdtar; then
	bsdtar -cf "$work/tree.tar" -C "$work/tree" .
fi
cat >"$work/postmark.conf" <<END
set location $work/box
set size 300 100000
set transactions 10000
run
quit
END

echo "$pairs pairs each; theirs, ours, medians; $(uname -srm)"
if have find; then
	folder=$work/tree
	# the first walk of ours fills the cache and is not counted
	compare find/traverse,names 0.55 "find $work/tree" \
	    elapsed_warm traverse cache=warm
	compare find-size/traverse,stat 0.78 "find $work/tree -size +100M" \
	    elapsed_warm traverse cache=warm stat=true
	folder=
fi
if have postmark; then
	compare postmark/postmark 0.87 "postmark $work/postmark.conf" \
	    elapsed postmark size=300,100000 transactions=10000
fi
if have bsdtar; then
	compare bsdtar/untar 0.50 "bsdtar -xf $work/tree.tar -C $work/box" \
	    elapsed untar "archive=$work/tree.tar"
	mkdir "$work/copies"
	# what is removed must be there first: made off the clock
	: >"$work/theirs"
	: >"$work/ours"
	i=0
	while [ "$i" -lt "$pairs" ]; do
		rm -rf "$work/copies"
		mkdir "$work/copies"
		bsdtar -xf "$work/tree.tar" -C "$work/copies"
		theirs "rm -rf $work/copies" >>"$work/theirs"
		ours elapsed remove "archive=$work/tree.tar" >>"$work/ours"
		i=$((i + 1))
	done
	printf '%s %s %s\n' rm/remove "$(median "$work/theirs")" \
	    "$(median "$work/ours")" | awk '{
		printf "%-34s %9.4f s %9.4f s   ratio %.3f (aim 0.95)\n",
		    $1, $2, $3, $3 / $2 }'
fi
if have sysbench; then
	set -- --file-num=16 --file-total-size=256M --file-block-size=4096 \
	    --file-test-mode=rndrd --time=0 --events=200000 --threads=1
	mkdir "$work/sysbench"
	(cd "$work/sysbench" && sysbench fileio "$@" prepare >/dev/null)
	: >"$work/theirs"
	: >"$work/ours"
	i=0
	while [ "$i" -lt "$pairs" ]; do
		(cd "$work/sysbench" && sysbench fileio "$@" run) |
		    sed -n 's/.*total time: *\([0-9.]*\)s.*/\1/p' \
			>>"$work/theirs"
		ours elapsed fileio files=16 total=256M block=4096 \
		    mode=rndrd requests=200000 >>"$work/ours"
		i=$((i + 1))
	done
	printf '%s %s %s\n' sysbench/fileio,rndrd,4K \
	    "$(median "$work/theirs")" "$(median "$work/ours")" | awk '{
		printf "%-34s %9.4f s %9.4f s   ratio %.3f\n",
		    $1, $2, $3, $3 / $2 }'
fi
