#!/bin/sh
# What a host or a file lacks is found by check, all of it, and said in words
# that tell what to do; what is asked for is said where it can be seen.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$(realpath "${MOUNTMATRIX:-build/mountmatrix}")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
cd "$work" || exit 1
mkdir target
common='target here { directory = "target" }
filesystem plain { target = "here" }'

printf '%s\n' "$common" 'tree broken { archive = "broken.tar" }
workload find { type = "traverse"  tree = "broken" }
workload own { type = "command"  run = "no-such-program -x" }
workload shell { type = "command"  run = "no-such-program"  shell = true }' \
    >lacks.conf
head -c 2000 /dev/zero | tr '\0' x >broken.tar
out=$("$program" check lacks.conf 2>&1)
status "check of a broken archive" $? 3
like "a broken archive is one of its findings" "$out" '^tree +broken +bad: '
like "and it goes on: a program that is missing" "$out" \
    "^tool +no-such-program +missing: workload 'own' runs it"
unlike "a shell finds programs in its own way" "$out" "workload 'shell'"
like "and it goes on: the cells" "$out" '^cell +plain:default +ok'
is "and it ends with what it comes to" "$(echo "$out" | tail -n 1)" \
    "not all ok: a file or this host lacks something"
out=$("$program" check --json lacks.conf 2>&1)
like "the same as JSON, to its end" "$(printf '%s' "$out" | tail -n 1)" '^\]$'

printf '%s\n' 'titel = "x"' >wrong.conf
out=$("$program" check --json wrong.conf 2>/dev/null)
status "check --json of a wrong file" $? 2
is "a wrong file is a finding, too" "$(echo "$out" | tr -d '\n')" \
    '[  { "check": "check", "subject": "wrong.conf", "verdict": "failed", "text": "wrong.conf:1: unknown key '\''titel'\''; did you mean '\''title'\''?" }]'

printf '%s\n' "$common" 'workload n { type = "null" }' 'rounds = 1' >one.conf
out=$("$program" run -q -o reslts/one.db one.conf 2>&1 >/dev/null)
is "a folder that a slip made is told of" "$out" \
    "made the folder 'reslts'"
is "the usual one is not" \
    "$("$program" run -q -o results/one.db one.conf 2>&1 >/dev/null)" ""
out=$("$program" run -q -o reslts/one.db one.conf 2>&1)
status "results that are there already" $? 2
like "are to be gone on with, or left alone" "$out" \
    "exists and is never overwritten; .*: mountmatrix resume reslts/one.db$"
rm -r results reslts
out=$("$program" run -q -o none/such/one.db one.conf 2>&1)
status "and no more than one is made" $? 2
out=$("$program" check -p freebsd:14 "$root/matrix/find-usr-2001.conf")
like "another system's duplicates are named" "$out" \
    '^cell +ufs:softupdates[+]async +duplicate-of: ufs:softupdates$'
unlike "that this host has not its tools is no finding" "$out" "^(tool|host) "
is "nor a lack" "$(echo "$out" | tail -n 1)" "all ok"
printf '%s\n' "$common" 'workload n { type = "null" }' >fine.conf
is "where all is ok it ends with that" \
    "$("$program" check fine.conf | tail -n 1)" "all ok"
is "verdicts stand in one column, however long a cell's name is" "$("$program" \
    check -p linux --no-try "$root/matrix/ext4-data.conf" |
    sed -n 's/^\(cell *[^ ]* *\)[a-z].*/\1/p' |
    awk '{ print length }' | sort -u | wc -l | tr -d ' ')" 1

printf '%s\n' 'target i { image = "auto"  size = "60G" }
filesystem hammer { toggle = { "noatime" } }
workload n { type = "null" }' >none.conf
if [ "$(uname)" = DragonFly ]; then
	skip "a night of nothing" "hammer is of this system"
else
	out=$("$program" run none.conf -o none.db 2>&1)
	status "a night of nothing" $? 3
	like "a night of nothing is refused" "$out" \
	    "^mountmatrix: none of the 2 cells can run on .*plan --platform'$"
	[ ! -e none.db ]
	status "and leaves nothing" $? 0
fi

# what is no folder, or nothing is mounted on, is told before there is a file
n=0
while read -r target driver words; do
	n=$((n + 1))
	printf '%s\n' "target it { $target }" "filesystem $driver { }" \
	    'workload find { type = "traverse" }' 'rounds = 1' >place.conf
	[ "$driver" = plain ] && printf '%s\n' "target it { $target }" \
	    'filesystem plain { }' 'workload n { type = "null" }' >place.conf
	out=$("$program" check place.conf 2>&1)
	like "place $n: check" "$out" "^target +it +(missing|needs root)"
	[ "$driver" = plain ] || [ "$(id -u)" = 0 ] || continue
	like "place $n: in its words" "$out" "^target +it +missing: $words"
	out=$("$program" run -o place.db place.conf 2>&1)
	status "place $n: run" $? 3
	is "place $n: the reason and no more" "$out" \
	    "mountmatrix: target 'it': $words"
	[ ! -e place.db ]
	status "place $n: nothing is left" $? 0
done <<EOF
directory="$work/nowhere" plain '$work/nowhere': No such file or directory
directory="$work/wrong.conf" plain '$work/wrong.conf': Not a directory
mountpoint="$work/nowhere"remount=true ext4 '$work/nowhere': No such file or directory
mountpoint="$work/target"remount=true ext4 '$work/target' is not a mount point
EOF

printf '%s\n' "$common" 'workload one { type = "traverse"  tree = "one" }
tree one { archive = "one.tar" }
rounds = 1' >one.conf
echo one >one
tar -cf one.tar one
like "one entry is not several" "$("$program" check one.conf 2>&1)" \
    '^tree +one +ok: 1 entry, 4 B, 1 copy'
like "nor in a report" "$("$program" run -q one.conf -o one.db 2>&1)" \
    '^  tree one: 1 entry, 4 B, digest '

printf '%s\n' "$common" 'workload good { type = "null" }
workload bad { type = "command"  run = "false" }
rounds = 1' >half.conf
out=$("$program" run -q half.conf 2>&1 >/dev/null)
status "a workload that fails" $? 1
like "quiet says where the results are, if nobody said where" "$out" \
    '^results in results/half-[0-9-]*\.db$'
results=$(ls results/*.db)
out=$("$program" report "$results" | tr -s '\n ' '  ')
like "a report names its file" "$out" " results in $results "
like "a failed trial is tried twice, in one block" "$out" \
    'plain:default, bad, block 1 \(2 tries\): failed'
like "failed in a block, not in two" "$out" \
    'default: failed in all of 1 block, 2 tries'
out=$("$program" report -w good "$results")
status "one workload has its own failures only" $? 0
unlike "and names no other" "$out" '^Failures'
out=$("$program" report --baseline default:x "$results" 2>&1)
status "a baseline that is not there" $? 2
"$program" report "$results" -f nothing >/dev/null 2>&1
status "a format that is not there" $? 2
is "--json is -f json" "$("$program" report --json "$results" | head -c 9)" \
    "$("$program" report -f json "$results" | head -c 9)"
if [ -e /dev/full ]; then
	"$program" run -q half.conf -o full.db >/dev/full 2>&1
	status "a report that cannot be written" $? 3
else
	skip "a report that cannot be written" "no /dev/full"
fi

# a header that is right, and pages that are not
size=$(wc -c <"$results")
cp "$results" damaged.db
dd if=/dev/zero of=damaged.db bs=4096 seek=2 count=$((size / 4096 - 2)) \
    conv=notrunc 2>/dev/null
out=$("$program" resume damaged.db 2>&1)
status "a damaged file" $? 2
is "is told in one line" "$(printf '%s\n' "$out" | grep -c .)" 1
like "by its name" "$out" "damaged.db.*damaged"

nobody=$(command -v setpriv)
if [ "$(id -u)" = 0 ] && [ -n "$nobody" ]; then
	cp "$program" mountmatrix
	chmod 755 . mountmatrix
	chmod 644 lacks.conf broken.tar
	out=$(env -u XDG_STATE_HOME HOME=/proc/none setpriv --reuid=65534 \
	    --regid=65534 --clear-groups ./mountmatrix check lacks.conf 2>&1)
	like "a user without a home: check says what for" "$out" \
	    '^host +state +no: no place for locks .*XDG_STATE_HOME'
else
	skip "a user without a home" "needs root and setpriv"
fi
finish
