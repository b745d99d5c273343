#!/bin/sh
# What "resume" goes on with, and what it refuses: a tree, a tool, a program
# or a host that is another one than before.  It says what changed, and goes on
# when told.
set -u
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix

need_root
[ "$(uname -s)" = Linux ] || skip_all "needs Linux"
for tool in mkfs.ext4 sqlite3 setarch; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done
work=$(mktemp -d)
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	"$program" clean >/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
mkdir bin tree
printf 'a' >tree/a
tar cf tree.tar tree
cp tree.tar tree.before
# tools of the user's own, as a custom driver has them
for name in mkfs.own fsck.own; do
	printf '#!/bin/sh\nexec mkfs.ext4 -q -F "$@"\n' >bin/$name
	chmod +x bin/$name
done
printf '#!/bin/sh\nexec e2fsck -fn "$@"\n' >bin/fsck.own
cat >matrix.conf <<END
target disk { image = "auto"  size = "48M" }
filesystem own { driver = "custom"
	make = "$work/bin/mkfs.own %d"  mount = "mount -t ext4 %d %m"
	check = "$work/bin/fsck.own %d" }
filesystem ext4 { }
tree t { archive = "$work/tree.tar" }
workload w { type = "traverse"  tree = "t" }
rounds = 2
END

# a run that is stopped after its first block, without the budget that did it
"$program" run -q -o out.db --budget 1s matrix.conf >log 2>&1
done_before=$(sqlite3 out.db "SELECT count(*) FROM attempt WHERE verdict = 'ok'")
like "a night is stopped with trials to go" "$done_before" "^[1-3]$"
sqlite3 out.db "UPDATE plan SET budget_ns = 0"
cp out.db stopped.db

# resume NAME STATUS [OPTION...]: of a copy of it
resume() {
	name=$1 expected=$2
	shift 2
	cp stopped.db out.db
	log=$("$@" "$program" resume -q out.db ${accept:+--accept-changes} 2>&1)
	status "$name" $? "$expected"
}

# refused NAME WORDS [COMMAND...]: and then goes on when told
refused() {
	name=$1 words=$2
	shift 2
	resume "$name: refused" 3 "$@"
	like "$name: says what changed" "$log" "$words"
	like "$name: says how to go on" "$log" "1 thing changed .*--accept-changes"
	is "$name: no trial was begun" \
	    "$(sqlite3 out.db "SELECT count(*) FROM attempt WHERE verdict = 'ok'")" \
	    "$done_before"
	accept=yes
	resume "$name: goes on when told" 0 "$@"
	accept=
	is "$name: to the end" "$(sqlite3 out.db \
	    "SELECT count(*) FROM attempt WHERE verdict = 'ok'")" 5
}
accept=
resume "nothing changed" 0 env
unlike "nothing changed: nothing is said of it" "$log" "changed:"

printf 'b' >tree/b
tar cf tree.tar tree
refused tree "^changed: tree 't' .* had 2 entries of digest [0-9a-f]* and has 3" \
    env
cp tree.before tree.tar

mkdir other
# shellcheck disable=SC2016 # for the program itself
printf '#!/bin/sh\n[ "$1" != -V ] || { echo "mke2fs 9.99" >&2; exit; }\nexec %s "$@"\n' \
    "$(command -v mkfs.ext4)" >other/mkfs.ext4
chmod +x other/mkfs.ext4
refused version \
    "^changed: tool mkfs.ext4 was 'mke2fs [1-9].*' and is 'mke2fs 9.99'" \
    env "PATH=$work/other:$PATH"

cp -p bin/mkfs.own own.before
echo "# another one" >>bin/mkfs.own
refused "tool that has no version" \
    "^changed: tool .*/mkfs.own was '.* bytes of .*' and is '.* bytes of " env
cp -p own.before bin/mkfs.own
mv bin/fsck.own own.before
resume "tool gone: refused" 3 env
like "tool gone: says so" "$log" \
    "^changed: tool .*/bin/fsck.own was '.*' and is gone"
mv own.before bin/fsck.own

refused host "^changed: host release was '.*' and is '2\.6\." \
    setarch "$(uname -m)" --uname-2.6

cp stopped.db begun.db
sqlite3 stopped.db "UPDATE session SET program = 'mountmatrix 0.0'"
refused program "^changed: the program was 'mountmatrix 0.0' and is 'mountmatrix" \
    env

# what changes from day to day is no change
cp begun.db stopped.db
sqlite3 stopped.db "UPDATE fact SET value = 'x'
	WHERE name IN ('boot_id', 'uptime', 'load', 'background')"
resume "another boot" 0 env
unlike "another boot: nothing is said of it" "$log" "changed:"

# a night that is finished is reported, and no session begun for nothing
cp out.db stopped.db
sessions=$(sqlite3 out.db "SELECT count(*) FROM session")
mv tree.tar tree.gone
resume "a night that is finished" 0 env
mv tree.gone tree.tar
like "a night that is finished: its report" "$log" "^w: elapsed in s"
is "a night that is finished: no session for it" \
    "$(sqlite3 out.db "SELECT count(*) FROM session")" "$sessions"
is "nothing is left" "$(find "$work" -name '*.img' -o -name '*-journal')" ""
finish
