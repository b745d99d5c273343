#!/bin/sh
# Matrix files as a user meets them: all that is wrong at once, on standard
# error, with exit status 2 and nothing run; and what a right one plans.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$(realpath "${MOUNTMATRIX:-build/mountmatrix}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# every kind of mistake in one file
cp tests/fuzz/corpus/config/wrong.conf "$scratch/wrong.conf"
for command in check plan run; do
	out=$(cd "$scratch" && "$program" $command wrong.conf 2>errors)
	status "$command of a wrong file" $? 2
	is "$command of a wrong file prints nothing else" "$out" ""
	golden "$command says all that is wrong" "$(cat "$scratch/errors")" \
	    tests/golden/config-wrong.errors
done
is "a wrong file leaves nothing behind" "$(cd "$scratch" && ls)" "errors
wrong.conf"

out=$("$program" plan "$scratch/none.conf" 2>&1)
status "a file that is not there" $? 2
is "a file that is not there" "$out" \
    "$scratch/none.conf: No such file or directory"

out=$("$program" plan "$scratch" 2>&1)
status "a folder" $? 2
is "a folder" "$out" "$scratch: this is a folder, not a file"

# 10001 = 73 * 137
{
	echo 'target t { } workload null { } rounds = 1'
	echo 'filesystem ext4 {'
	list=$(awk 'BEGIN { for (i = 1; i <= 73; i++) printf "%d,", i + 5 }')
	echo "axis commit { levels = { $list } }"
	list=$(awk 'BEGIN { for (i = 1; i <= 137; i++) printf "%d,", i }')
	echo "axis stripe { levels = { $list } } }"
} >"$scratch/many.conf"
out=$("$program" plan "$scratch/many.conf" 2>&1)
status "10001 cells" $? 2
is "10001 cells are refused with their number" "$out" \
    "mountmatrix: $scratch/many.conf: 10001 cells, more than 10000; if that is meant, say --yes"
out=$("$program" plan --yes "$scratch/many.conf" 2>&1 | head -2 | tail -1)
like "10001 cells with --yes" "$out" "10001 cells"

cat >"$scratch/gone.conf" <<'EOF'
target t { } workload null { }
filesystem ext4 { toggle = { noatime } only = { default } }
baseline = "ext4:noatime"
EOF
out=$("$program" plan "$scratch/gone.conf" 2>&1)
status "a baseline that a rule left out" $? 2
is "a baseline that a rule left out" "$out" \
    "mountmatrix: $scratch/gone.conf:3: baseline 'ext4:noatime' names no cell; the first one is 'ext4:default'"

cat >"$scratch/few.conf" <<'EOF'
target t { } workload null { } rounds = 6 seed = 3
filesystem ext4 { toggle = { noatime, nobarrier, softupdates } }
EOF
out=$("$program" plan "$scratch/few.conf" 2>&1)
status "a plan" $? 0
like "a token of other systems is inapplicable" "$out" \
    "ext4:noatime[+]softupdates  .inapplicable"
like "and it is said who has it" "$out" "ufs [(]freebsd"
is "the same seed gives the same plan" \
    "$("$program" plan "$scratch/few.conf" 2>&1)" "$out"
like "--only in any order" \
    "$("$program" plan --only ext4:nobarrier+noatime "$scratch/few.conf")" \
    "^ext4:noatime[+]nobarrier "
out=$("$program" plan --only ext4:nobarier "$scratch/few.conf" 2>&1)
status "--only of no cell" $? 2
like "--only of no cell names the nearest" "$out" \
    "did you mean 'ext4:nobarrier'"
out=$("$program" plan --baseline ext4:noatme "$scratch/few.conf" 2>&1)
status "a baseline that is no cell" $? 2
like "a baseline that is no cell names the nearest" "$out" \
    "did you mean 'ext4:noatime'"

finish
