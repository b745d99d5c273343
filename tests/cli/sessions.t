#!/bin/sh
# What a report says of the sitting: still running, the host's load, where the
# results are, and which figure a trial's line shows.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$(realpath "${MOUNTMATRIX:-build/mountmatrix}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
mkdir "$work/target"
mkfifo "$work/gate" "$work/begun"

# the command says that it has begun, and ends when the gate is opened
cat >"$work/wait.conf" <<END
title = "wait"
target here { directory = "$work/target" }
filesystem plain { target = "here" }
workload wait {
	type = "command"
	shell = true
	run = "echo >$work/begun; cat $work/gate"
	charge = "flushed"
}
rounds = 1
END
(cd "$work" && exec "$program" run wait.conf -o wait.db) >"$work/out" 2>&1 &
run=$!
read -r _ <"$work/begun"
out=$("$program" report "$work/wait.db")
like "a run at work on the file is running" "$out" \
    '^  session: .* UTC, running, load [0-9.]+$'
unlike "and not cut off" "$out" 'cut off'
echo >"$work/gate"
read -r _ <"$work/begun"
echo >"$work/gate"
wait "$run"
status "the run" $? 0
out=$("$program" report "$work/wait.db" | tr -s '\n ' '  ')
like "an end is a time, and has a load" "$out" \
    'session: [^,]* UTC to [^,]* UTC, load [0-9.]+, at its end [0-9.]+ '
like "a trial's line shows the figure that is ranked" "$(cat "$work/out")" \
    '^2/2 block 1 plain:default wait: ok, elapsed_flushed [0-9.]+ s \(trial '
finish
