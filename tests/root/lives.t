#!/bin/sh
# What ends a run from outside, and who may do what in it, through the real
# program: killed processes, another user's command, hostile archives.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

need_root
command -v mkfs.ext4 >/dev/null || skip_all "needs mkfs.ext4"
work=$(mktemp -d)
running=
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	[ -z "$running" ] || kill -9 "$running" 2>/dev/null
	wait
	"$program" clean "$work/a 'b\" c/out.db" >/dev/null 2>&1
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
mkdir "$work/a 'b\" c"
cd "$work/a 'b\" c" || exit 1

matrix() { # WORKLOAD-LINES [MORE]
	cat >matrix.conf <<-EOF
		target disk { image = "auto"  size = "48M" }
		filesystem ext4 { }
		${2:-}
		workload w { $1 }
		rounds = 1
	EOF
	rm -f out.db
}

# relative results, so that the image's path is made from the folder
begin() {
	matrix "type = \"command\"  run = \"sh -c \\\"touch '$work/there'; sleep 60\\\"\""
	rm -f "$work/there"
	"$program" run -q -o out.db matrix.conf >log 2>&1 &
	running=$!
	tries=0
	while [ ! -e "$work/there" ] && [ $tries -lt 200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

left() {
	find "$work" -name '*.img' -o -name '*-journal'
	losetup -nO BACK-FILE -a | grep -F "$work"
	grep -F "$work" /proc/self/mounts
}

begin
is "while it runs there is an image" "$(find . -name '*.img' | wc -l)" 1
kill -9 $running
wait $running 2>/dev/null
running=
tries=0
while losetup -nO BACK-FILE -a | grep -qF "$work" && [ $tries -lt 100 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
out=$(cd / && "$program" clean 2>&1)
status "clean, from another folder" $? 0
is "the outer process killed, then clean: nothing is left" "$(left)" ""

begin
inner=$(pgrep -P $running | head -1)
kill -9 "$inner"
wait $running
status "the inner process killed" $? 3
running=
like "the inner process killed: says by what" "$(cat log)" \
    "the run was ended by signal 9"
like "the inner process killed: says how to go on" "$(cat log)" \
    "^go on with: mountmatrix resume out.db\$"
is "the inner process killed: nothing is left" "$(left)" ""

# --keep, entered as it says, and let go of only when asked
matrix 'type = "command"  run = "false"'
keep() { # COMMAND... before the program
	rm -f out.db
	out=$("$@" "$program" run --keep -o out.db matrix.conf 2>&1)
	enter=$(echo "$out" | sed -n 's/^enter it with: *//p')
	[ -n "$enter" ] || echo "$out" | sed 's/^/# not kept: /'
	kept=$(echo "$out" | sed -n 's/^kept for inspection: //p')
}
keep env
like "kept: says how to enter" "$enter" "^nsenter --mount=/"
like "kept: and there is the filesystem" "$($enter df "$kept" 2>&1)" \
    "/dev/loop[0-9]* .*/run/mountmatrix"
out=$("$program" clean 2>&1)
status "kept: clean" $? 0
like "kept: clean names it" "$out" "^kept, not touched: $kept, of $work/.*/out.db"
like "kept: clean says how to enter it" "$out" "enter it with: *$enter"
mv out.db kept.db
echo 'target d { directory = "." } filesystem plain { } workload w { type = "null" } rounds = 1' \
    >other.conf
like "kept: the next run names it" \
    "$("$program" run -o out.db other.conf 2>&1)" \
    "a trial is still kept \($kept\)"
like "kept: and is there all the same" "$($enter df "$kept" 2>&1)" \
    "/dev/loop[0-9]* .*/run/mountmatrix"
mv kept.db out.db
"$program" clean nothing.db >log 2>&1
status "kept: clean of what has none" $? 2
"$program" clean out.db >log 2>&1
status "kept: clean of it" $? 0
is "kept, and let go: nothing is left" "$(left)" ""
is "kept, and let go: nobody stays in it" \
    "$(pgrep -r R,S,D -x mm-kept)" ""

# namespaces have numbers of their CPU: from one that is not the first it must
# not matter where the run makes its own
cpus=$(taskset -cp $$ 2>/dev/null | sed -n 's/.*: //p')
first=${cpus%%[,-]*}
last=${cpus##*[,-]}
if [ "$first" != "$last" ]; then
	for pair in "$first $last" "$last $first"; do
		keep taskset -c "${pair% *}" unshare -m taskset -c "${pair#* }"
		like "kept from another namespace, CPUs $pair" \
		    "$($enter df "$kept" 2>&1)" "/dev/loop[0-9]* "
		"$program" clean out.db >log 2>&1
		is "and let go: nothing is left" "$(left)" ""
	done
else
	skip "kept from another namespace" "one CPU only"
fi

# all of them, with a state folder that no other run has
mkdir -p /var/lib/mountmatrix
# shellcheck disable=SC2016 # for the inner sh
out=$(rm -f out.db; unshare -m sh -c '
	mount -t tmpfs -o mode=700 state /var/lib/mountmatrix || exit 1
	"$1" run -q --keep -o out.db matrix.conf 2>&1 | grep ^kept
	"$1" clean --kept && "$1" clean' sh "$program")
like "all kept trials: clean --kept" "$out" "^let go of the kept mounts"
like "all kept trials: and nothing is left then" "$out" \
    "^nothing was left behind"
is "all kept trials: nor mounted" "$(left)" ""

if id nobody >/dev/null 2>&1; then
	matrix 'type = "command"  user = "nobody"  run = "sh -c \"id -un >%m/who; cat %m/who; env\""  metric n { pattern = "([0-9]+)"  unit = ""  better = "lower" }'
	out=$(SECRET=4711 "$program" run -o out.db matrix.conf 2>&1)
	unlike "a command as another user can use its folder" "$out" \
	    "Permission denied"
	# shellcheck disable=SC2016 # for the command's own sh
	matrix 'type = "command"  user = "nobody"  run = "sh -c \"id -un >%m/who && cat %m/who >&2 && test -z \\\"$SECRET\\\" && ! echo x >/etc/mountmatrix-test && exit 9\""'
	out=$(SECRET=4711 "$program" run -o out.db matrix.conf 2>&1)
	like "it is that user, without root's rights or environment" "$out" \
	    "failed .*exit 9: nobody"
else
	skip "a command as another user" "no user nobody"
fi

# what the kernel says of the device while it is measured makes it void
cat >"$work/say.sh" <<'EOF'
device=$(awk -v m="${1%/work}" '$2 == m { print $1 }' /proc/self/mounts)
echo "<3>EXT4-fs error (device ${device#/dev/}): said by a test" >/dev/kmsg
EOF
if [ -w /dev/kmsg ] && [ -r /dev/kmsg ]; then
	matrix "type = \"command\"  run = \"sh $work/say.sh %m\""
	out=$("$program" run -o out.db matrix.conf 2>&1)
	status "a kernel error while measuring" $? 1
	like "a kernel error while measuring" "$out" \
	    "block 1 .*: void.* the kernel said: .*EXT4-fs error"
else
	skip "a kernel error while measuring" "no /dev/kmsg"
fi

# commands in a results file are run: not those of somebody else
chmod 666 out.db
out=$("$program" resume out.db 2>&1)
status "resume of a file that all can write to" $? 3
like "resume of a file that all can write to" "$out" "written to by everybody"
chmod 600 out.db
if chown nobody out.db 2>/dev/null; then
	out=$("$program" resume out.db 2>&1)
	status "resume of another user's file" $? 3
	like "resume of another user's file" "$out" "belongs to another user"
fi

# an archive that no tree may come from: refused before anything is made
hostile() { # NAME WORDS
	matrix 'type = "traverse"  tree = "t"' \
	    'tree t { archive = "bad.tar" }'
	out=$("$program" run -o out.db matrix.conf 2>&1)
	status "archive: $1" $? 2
	like "archive: $1" "$out" "tree 't': archive '.*bad.tar'.*$2"
	is "archive: $1: no results file" "$(ls out.db 2>/dev/null)" ""
	rm -f bad.tar
}
echo x >plain
tar -cPf bad.tar --transform 's,plain,../../outside,' plain
hostile "climbs out" "'\.\.'"
tar -cPf bad.tar "$work/a 'b\" c/plain"
hostile "absolute" "absolute"
ln -s "$work" link
tar -cf bad.tar link
tar -rf bad.tar --transform 's,plain,link/outside,' plain
hostile "writes through a link" "symbolic link"
: >bad.tar
hostile "empty" "no files"
head -c 3000 /dev/urandom >bad.tar
hostile "garbage" "(cannot be read|no files)"
is "nothing was written outside" "$(find "$work" -name 'outside*')" ""
finish
