#!/bin/sh
# The command line itself: help, nearest words, exit statuses.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=${MOUNTMATRIX:-build/mountmatrix}
part=$(mktemp)
trap 'rm -f "$part"' EXIT

out=$("$program" --help 2>&1)
status "--help" $? 0
for command in check plan run resume report compare merge import bench clean \
    list; do
	like "--help names $command" "$out" "^  $command +[A-Z]"
	help=$("$program" $command --help 2>&1)
	status "$command --help" $? 0
	like "$command --help tells the usage" "$help" \
	    "^usage: mountmatrix $command"
	# the part of the manual that is about it names each option
	awk -v part=".Ss Options of $command" '
	    /^[.]S/ { inside = $0 == part } inside' src/cli/mountmatrix.1 >"$part"
	missing=
	for option in $(printf '%s\n' "$help" | sed -n \
	    -e 's/^  -\([a-z]\), --\([a-z-]*\) .*/\1 -\2/p' \
	    -e 's/^  --\([a-z-]*\) .*/-\1/p'); do
		grep -Eq -- "Fl $option( |\$)" "$part" ||
		    missing="$missing $option"
	done
	is "the manual has each option of $command" "$missing" ""
	again=$("$program" help $command 2>&1)
	is "help $command is the same" "$again" "$help"
done

out=$("$program" 2>&1)
status "no command" $? 2

out=$("$program" rnu 2>&1)
status "unknown command" $? 2
is "unknown command names the nearest" "$out" \
    "mountmatrix: there is no command 'rnu'; did you mean 'run'?; see 'mountmatrix --help'"

out=$("$program" run --round 3 x.conf 2>&1)
status "unknown option" $? 2
like "unknown option names the nearest" "$out" "did you mean '--rounds'"

out=$("$program" run --rounds 2>&1)
status "option without its value" $? 2
like "option without its value" "$out" "run: --rounds needs N"

out=$("$program" run --rounds 0 matrix/demo.conf 2>&1)
status "value out of range" $? 2
like "value out of range" "$out" "--rounds: '0' is less than 1"

out=$("$program" run 2>&1)
status "missing argument" $? 2
like "missing argument" "$out" "run: needs FILE"

out=$("$program" run a.conf b.conf 2>&1)
status "one argument too many" $? 2
like "one argument too many" "$out" "does not know what to do with 'b.conf'"

out=$("$program" report nowhere.db 2>&1)
status "results file that is not there" $? 2
like "results file that is not there" "$out" "nowhere.db"

out=$("$program" list fliesystems 2>&1)
status "unknown list" $? 2
like "unknown list names the nearest" "$out" "did you mean 'filesystems'"

out=$("$program" list options ext5 2>&1)
status "unknown filesystem" $? 2
like "unknown filesystem names the nearest" "$out" "did you mean 'ext"

for list in filesystems options workloads metrics formats systems; do
	out=$("$program" list $list 2>&1)
	status "list $list" $? 0
	out=$("$program" list --json $list)
	if command -v python3 >/dev/null; then
		printf '%s' "$out" | python3 -m json.tool >/dev/null 2>&1
		status "list --json $list is JSON" $? 0
	else
		skip "list --json $list is JSON" "no python3 to read it"
	fi
done
# the manual's synopsis has the options that --help has, and no others
flat() {
	sort -u | tr '\n' ' '
}
for command in check run resume report compare merge bench clean list; do
	help=$("$program" $command --help | sed -n \
	    's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\1\2/p' |
	    sed 's/^-\(.\), --.*/\1/; s/^-//' | flat)
	manual=$(awk -v "command=$command" '
		/^\.Sh DESCRIPTION/ { exit }
		/^\.Nm/ { on = 0 }
		$0 == ".Cm " command { on = 1 }
		on && match($0, /Fl [-a-z]+/) { print substr($0, RSTART + 3,
		    RLENGTH - 3) }' src/cli/mountmatrix.1)
	# a long name in the manual may be one that has a letter, too
	manual=$(for option in $manual; do
		letter=$("$program" $command --help |
		    sed -n "s/^  -\(.\), -$option .*/\1/p")
		echo "${letter:-$option}"
	done | flat)
	is "options of $command in the manual" "$manual" "$help"
done
finish
