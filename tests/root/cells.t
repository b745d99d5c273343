#!/bin/sh
# The program itself on real filesystems: a factor of three levels and two
# toggles beside a filesystem that refuses one.  Ranked cells, a rejected one,
# inapplicable ones; what "plan" prints is what is mounted.
# shellcheck disable=SC2317 # "leave" is called by the trap
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_root
[ "$(uname -s)" = Linux ] || skip_all "xfs:nobarrier is Linux's refusal"
for program in mkfs.ext4 mkfs.xfs losetup; do
	command -v "$program" >/dev/null || skip_all "needs $program"
done
program=${MOUNTMATRIX:-$PWD/build/mountmatrix}
work=$(mktemp -d)

leave() {
	for folder in "$work"/*/mnt "$work/m"; do
		if grep -q " $folder " /proc/self/mounts; then
			umount "$folder"
		fi
	done
	losetup -a | grep "$work" | cut -d: -f1 | while read -r device; do
		losetup -d "$device"
	done
	rm -rf "$work"
}
trap leave EXIT

cat >"$work/cells.conf" <<'EOF'
target scratch { image = "auto"  size = "320M" }
filesystem ext4 {
	axis data { levels = { "ordered", "writeback", "journal" } }
	toggle = { "noatime", "nobarrier" }
}
filesystem xfs { toggle = { "nobarrier" } }
workload walk { type = "traverse"  tree = "small" }
workload post { type = "postmark"  number = 20  transactions = 20 }
tree small { archive = "small.tar" }
rounds = 1
EOF
mkdir "$work/small"
for name in a b c d e; do
	echo "$name" >"$work/small/$name"
done
tar -C "$work" -cf "$work/small.tar" small

checked=$("$program" check "$work/cells.conf" 2>&1)
status "check, with a cell that the system refuses" $? 1
like "check knows the refusal and the kernel's words" "$checked" \
    "xfs:nobarrier +rejected: .*Unknown parameter 'nobarrier'"

text=$("$program" run "$work/cells.conf" -o "$work/r.db" 2>&1)
status "a run with a rejected cell" $? 1
is "the rejected cell is tried once, and so called" \
    "$(echo "$text" | grep -c '^[0-9]*/.*xfs:nobarrier [a-z]*: rejected')" 1
is "no trial failed" "$(echo "$text" | grep -Ec '^[0-9]+/.*: (failed|void)')" 0

report=$("$program" report -f json "$work/r.db")
fields='
import json, sys
d = json.load(sys.stdin)
for w in d["workloads"]:
    placed = [r for r in w["ranking"] if r["runs"] > 0]
    no = [r for r in w["ranking"] if r["cell"] == "xfs:nobarrier"][0]
    print(w["name"], len(placed), no["status"], no["standing"], no["failed"],
        no["place"], no["reason"])
print("failures", len(d["failures"]))
'
if command -v python3 >/dev/null; then
	is "12 + 1 cells have values; the other is rejected everywhere" \
	    "$(echo "$report" | python3 -c "$fields")" \
	    "walk 13 rejected not run 0 None mount: exit 32: xfs: Unknown parameter 'nobarrier'
post 13 rejected not run 0 None mount: exit 32: xfs: Unknown parameter 'nobarrier'
failures 0"
else
	skip "12 + 1 cells have values; the other is rejected everywhere" \
	    "no python3"
fi
text=$("$program" report "$work/r.db")
is "each workload tells why it has no place" "$(echo "$text" |
    grep -c '^  xfs:nobarrier: rejected: mount: exit 32: xfs: Unknown')" 2
unlike "a refusal is no failure" "$text" '^Failures|failed'
unlike "no factor stands without words" "$text" 'told apart\): *$'

mkdir "$work/elsewhere"
cp "$work/r.db" "$work/elsewhere/copy.db"
# a long path of the file takes a line of its own
is "a copied results file tells the same, but for its name" \
    "$(cd "$work/elsewhere" && "$program" report copy.db |
	sed '/^  results in/d')" \
    "$(echo "$text" | sed -e '/^  results in/d' -e "\\|^ *$work/r.db\$|d")"

# the lines of the plan, run by hand: the same options as check found in force
"$program" plan -f sh --only 'ext4:*' --only 'xfs:default' \
    "$work/cells.conf" >"$work/plan.sh"
mkdir "$work/m m"
MNT="$work/m m" IMG="$work/by hand" sh "$work/plan.sh" 2>"$work/plan.log" |
    sed -n "s|^/dev/.* on $work/m m type .* (\(.*\))\$|\1|p" >"$work/by-hand.txt"
echo "$checked" | sed -n 's/^cell .* ok: in force: //p' >"$work/checked.txt"
rm -rf "$work/m m" "$work/by hand" "$work/plan.sh"
is "13 cells were mounted by hand" "$(grep -c . "$work/by-hand.txt")" 13
is "and each as check said" "$(cat "$work/by-hand.txt")" \
    "$(cat "$work/checked.txt")"
rm -f "$work/by-hand.txt" "$work/checked.txt" "$work/plan.log"

cat >"$work/foreign.conf" <<'EOF'
target scratch { image = "auto"  size = "320M" }
filesystem ext4 { toggle = { "softupdates" } }
workload post { type = "postmark"  number = 20  transactions = 20 }
rounds = 1
EOF
text=$("$program" run "$work/foreign.conf" -o "$work/f.db" 2>&1)
status "a run with another system's token" $? 1
like "it is inapplicable" "$text" '^  ext4:softupdates: inapplicable'
like "the rest is measured" "$text" 'ext4:default post: ok'

sed 's/softupdates/noatme/' "$work/foreign.conf" >"$work/wrong.conf"
text=$("$program" run "$work/wrong.conf" -o "$work/w.db" 2>&1)
status "a misspelt token" $? 2
like "it has file, line, word and the nearest" "$text" \
    "wrong.conf:2: .*'noatme'.*did you mean 'noatime'"
is "nothing ran" "$(find "$work" -name w.db)" ""

is "nothing is attached" "$(losetup -a | grep -c "$work")" 0
is "nothing is mounted" "$(grep -c "$work" /proc/self/mounts)" 0
is "only the results are left" "$(find "$work" -type f ! -name '*.conf' \
    ! -name '*.db' ! -name small.tar ! -path "$work/small/*")" ""
finish
