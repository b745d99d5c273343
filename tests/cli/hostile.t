#!/bin/sh
# Results files from somebody else, given to every command that reads one:
# each is refused in one line that names it, in no time, and nothing of it
# steers the terminal.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
mkdir "$work/box"
cd "$work/box" || exit 1

esc=$(printf '\033')
bell=$(printf '\007')
{
	echo "block,fs,atime,elapsed"
	for block in 1 2 3 4; do
		echo "$block,e,${esc}[2Jon,1.$block"
		echo "$block,e,${esc}]0;mine${bell}off,2.$block"
	done
} >good.csv
out=$("$program" import csv good.csv -o good.db --factors atime \
    --block block --value elapsed --unit s --better lower \
    --label "${esc}[5m" 2>&1)
status "a log with escape sequences is imported" $? 0
unlike "quietly" "$out" "$esc"
for format in text markdown html csv json; do
	"$program" report -f $format good.db >../out 2>&1
	status "report -f $format" $? 0
	LC_ALL=C tr -d '\n\040-\176\200-\377' <../out >../control
	is "report -f $format sends the terminal nothing else" \
	    "$(wc -c <../control | tr -d ' ')" 0
done
for format in text markdown json; do
	"$program" compare -f $format good.db good.db >../out 2>&1
	status "compare -f $format" $? 0
	LC_ALL=C tr -d '\n\040-\176\200-\377' <../out >../control
	is "compare -f $format sends the terminal nothing else" \
	    "$(wc -c <../control | tr -d ' ')" 0
done
out=$("$program" report "${esc}[2Jno.db" 2>&1)
unlike "nor does an error that quotes" "$out" "$esc"
like "the words stay readable" "$("$program" report good.db)" '2Jon'

: >empty.db
echo 'not a database' >text.db
head -c 5000 good.db >cut.db
head -c 99 good.db >short.db
{
	head -c 100 good.db
	head -c 40000 /dev/zero
} >zeros.db
cp good.db wal.db
printf '\002\002' | dd of=wal.db bs=1 seek=18 conv=notrunc 2>/dev/null
cp good.db future.db
printf '\000\000\000\011' |
    dd of=future.db bs=1 seek=60 conv=notrunc 2>/dev/null
cp good.db stranger.db
printf 'file' | dd of=stranger.db bs=1 seek=68 conv=notrunc 2>/dev/null
mkdir folder.db
mkfifo fifo.db
ln -s loop.db loop.db
ln -s nowhere dangling.db
cp good.db logged.db
printf '7\177\006\202' >logged.db-wal
# a journal that has another file removed when it is rolled back
cp good.db journal.db
echo dear >victim
{
	printf '\331\325\005\371\040\241\143\327\0\0\0\0\0\0\0\1\0\0\0\050'
	printf '\0\0\002\0\0\0\020\0'
	head -c 484 /dev/zero
	printf '\0\004\0\001victim\0\0\0\006\0\0\002\207'
	printf '\331\325\005\371\040\241\143\327'
} >journal.db-journal
names="empty text cut short zeros wal future stranger folder fifo loop dangling
    logged journal absent"
if [ "$(id -u)" != 0 ]; then
	cp good.db unreadable.db
	chmod 0 unreadable.db
	names="$names unreadable"
fi
ls >../before

# refused NAME COMMAND...: status 2 or 3, one line with the file's name
refused() {
	name=$1
	shift
	timeout 20 "$program" "$@" >../out 2>../err </dev/null
	code=$?
	[ ! -s ../out ] && [ "$(wc -l <../err)" -eq 1 ] &&
	    grep -q "^mountmatrix: .*$name\.db" ../err || code="$code, not so"
	case $code in
	2 | 3) code=refused ;;
	esac
	is "$1 of $name" "$code: $(cat ../err)" "refused: $(cat ../err)"
}

for name in $names; do
	for command in "report" "resume" "compare good.db" "compare" \
	    "merge new.db" "merge new.db good.db"; do
		# shellcheck disable=SC2086 # words
		refused "$name" $command "$name.db"
	done
done
ls >../after
is "nothing was made or removed beside them" "$(diff ../before ../after)" ""
is "nor by a journal" "$(cat victim)" "dear"
"$program" clean >/dev/null 2>&1
status "and nothing is left to clean" $? 0
finish
