#!/bin/sh
# SIGKILL at random moments of real runs, and resume: nothing may be left, no
# trial lost or run twice, the results file whole.
#
#   sh tests/torture.sh [KILLS]           200 unless said
#
# Needs root and loop devices.  Prints the counts; exit 0 when all held.
set -u
kills=${1:-200}
program=${MOUNTMATRIX:-$PWD/build/mountmatrix}
work=$(mktemp -d)
outer=
trap '[ -n "$outer" ] && kill -9 "$outer" 2>/dev/null; rm -rf "$work"' EXIT

cat >"$work/torture.conf" <<'EOF'
target disk { image = "auto"  size = "48M" }
filesystem ext4 { toggle = { "noatime" } }
filesystem ext2 { }
tree small { archive = "small.tar" }
workload find { type = "traverse"  tree = "small"  cache = "both"  passes = 2 }
workload post { type = "postmark"  number = 50  transactions = 100 }
rounds = 3
EOF
mkdir "$work/small"
i=0
while [ $i -lt 40 ]; do
	mkdir -p "$work/small/d$((i % 7))"
	printf '%s\n' "$i" >"$work/small/d$((i % 7))/f$i"
	i=$((i + 1))
done
tar -C "$work" -cf "$work/small.tar" small
expected=$((3 * 3 * 3)) # cells x ranked metrics x blocks

header=3 # header lines: find, find warm, postmark
done_kills=0
resumes=0
runs=0
left=0
lost=0
damaged=0

# a random number below $1
random() {
	od -An -N4 -tu4 /dev/urandom | awk -v n="$1" '{ print $1 % n }'
}

# nothing of ours may be there shortly after a kill
check_left() {
	tries=0
	while :; do
		found=$(
			grep -F mountmatrix /proc/self/mounts
			losetup -nO NAME,BACK-FILE -a | grep -F "$work"
			for link in /proc/[0-9]*/exe; do
				[ "$(readlink "$link")" = "$program" ] &&
				    grep -aqF "$work" "${link%exe}cmdline" &&
				    echo "process ${link%/exe}"
			done
		)
		[ -z "$found" ] && return 0
		tries=$((tries + 1))
		[ $tries -ge 100 ] && break
		sleep 0.1
	done
	echo "left behind: $found"
	left=$((left + 1))
}

# after the next start the journal of the dead run has been followed
check_files() {
	found=$(find "$work" -name '*.img' -o -name '*.db-journal')
	if [ -n "$found" ]; then
		echo "files left: $found"
		left=$((left + 1))
	fi
}

# the finished file: every trial once, every one of them ok
check_trials() {
	rows=$("$program" report -f csv "$work/out.db" | grep -vc '^#')
	unique=$("$program" report -f csv "$work/out.db" | grep -v '^#' |
	    sort -u | wc -l)
	if [ "$rows" -ne $((expected + header)) ] || [ "$rows" -ne "$unique" ]; then
		echo "rows $rows, unique $unique, expected $((expected + header))"
		lost=$((lost + 1))
	fi
}

while [ $done_kills -lt "$kills" ]; do
	rm -f "$work/out.db"
	runs=$((runs + 1))
	set -- run -q -o "$work/out.db" "$work/torture.conf"
	while :; do
		"$program" "$@" >"$work/log" 2>&1 &
		outer=$!
		if [ $done_kills -lt "$kills" ]; then
			# long enough that some trials come to their end
			sleep "$(random 3).$(random 10)$(random 10)"
			kill -9 $outer 2>/dev/null
		fi
		wait $outer
		status=$?
		outer=
		if [ $status -ne 137 ]; then
			break
		fi
		done_kills=$((done_kills + 1))
		check_left
		if [ -e "$work/out.db" ]; then
			set -- resume -q "$work/out.db"
			resumes=$((resumes + 1))
		fi
	done
	if [ "$status" -ne 0 ]; then
		echo "exit $status:"
		tail -5 "$work/log"
		damaged=$((damaged + 1))
		[ $damaged -ge 3 ] && break
	fi
	check_files
	check_trials
done
check_left

echo "# counts: $done_kills kills, $runs runs, $resumes resumes;" \
    "$left left something, $lost lost or repeated a trial," \
    "$damaged ended badly"
[ $((left + lost + damaged)) -eq 0 ]
