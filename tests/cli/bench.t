#!/bin/sh
# One workload on one folder: what it prints, what it refuses, and that its
# counts are those of the tools whose names it bears.
# shellcheck source=tests/tap.sh
. tests/tap.sh
program=$PWD/${BUILD:-build}/mountmatrix
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fresh: an empty folder "box"
fresh() {
	rm -rf "$work/box"
	mkdir "$work/box"
}

# --- what it refuses ---------------------------------------------------------
fresh
out=$("$program" bench nonsense -d "$work/box" 2>&1)
status "unknown workload" $? 2
out=$("$program" bench postmark -d "$work/box" sice=3 2>&1)
status "unknown key" $? 2
like "unknown key names the nearest" "$out" "'sice'.*did you mean 'size'"
out=$("$program" bench postmark -d "$work/box" number=many 2>&1)
status "wrong type" $? 2
out=$("$program" bench untar -d "$work/box" 2>&1)
status "no tree" $? 2
like "no tree says so" "$out" "workload 'untar' needs a tree"
out=$("$program" bench remove -d "$work/box" 2>&1)
status "nothing to remove" $? 2
out=$("$program" bench traverse -d "$work/box" --style find 2>&1)
status "no such style" $? 2
: >"$work/box/precious"
out=$("$program" bench create -d "$work/box" 2>&1)
status "writing into a used folder" $? 2
[ -e "$work/box/precious" ]
status "what was there is there" $? 0
out=$("$program" bench traverse -d "$work/box" 2>&1)
status "walking a used folder" $? 0
printf 'no archive' >"$work/broken.tar"
fresh
out=$("$program" bench untar -d "$work/box" "archive=$work/broken.tar" 2>&1)
status "broken archive" $? 2
like "broken archive is named" "$out" "broken.tar"
is "nothing was written" "$(ls "$work/box")" ""

# --- a failed workload is a result -------------------------------------------
out=$("$program" bench null -d "$work/box" fault=crash 2>&1)
status "a crash" $? 1
like "a crash is told" "$out" "signal 9"
out=$("$program" bench null -d "$work/box" fault=hang timeout=200ms --json 2>&1)
status "a hang" $? 1
like "a hang is a verdict" "$out" '"verdict": "timeout"'

# --- a command finds its folders, wherever it was called ----------------------
fresh
mkdir "$work/leaf"
echo green >"$work/leaf/colour"
tar -cf "$work/leaf.tar" -C "$work/leaf" .
out=$(cd "$work" && "$program" bench command -d box archive=leaf.tar \
    shell=true run='grep green %t/colour >%m/found' 2>&1)
status "a command in a folder of a relative name" $? 0
is "it found the tree and the folder" "$(cat "$work/box/found")" green

# --- the tree workloads ------------------------------------------------------
mkdir -p "$work/source/deep/er"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "content $i" >"$work/source/deep/er/file$i"
done
ln -s deep/er "$work/source/link"
tar -cf "$work/tree.tar" -C "$work/source" .
for workload in traverse untar remove readtree copytree; do
	fresh
	out=$("$program" bench $workload -d "$work/box" \
	    "archive=$work/tree.tar" --json 2>&1)
	status "$workload" $? 0
	like "$workload has a time" "$out" \
	    '"metric": "elapsed".*"pass": 0, "value": [0-9.e-]+ '
done
fresh
"$program" bench untar -d "$work/box" "archive=$work/tree.tar" >/dev/null
is "untar wrote what tar would" \
    "$(cd "$work/box/untar" && find . | sort)" \
    "$(cd "$work/source" && find . | sort)"
out=$("$program" bench traverse -d "$work/source" --json | grep entries\")
like "traverse meets what find meets" "$out" \
    "\"value\": $(find "$work/source" -mindepth 1 | wc -l | tr -d ' ') "

# --- PostMark ----------------------------------------------------------------
# figures REPORT: its counts and bytes, without what hangs on the seconds
figures() {
	sed -n '/^Files:/,$p' | sed 's/(.*//; s/ *$//' | grep -v '^$'
}

if command -v postmark >/dev/null 2>&1; then
	while read -r keys; do
		fresh
		{
			echo "set location $work/box"
			for key in $keys; do
				echo "set ${key%%=*} ${key#*=}"
			done | sed 's/bias_/bias /; s/,/ /'
			echo run
			echo quit
		} >"$work/postmark.conf"
		theirs=$(postmark "$work/postmark.conf" 2>&1 | figures)
		fresh
		# shellcheck disable=SC2086 # a list of words
		ours=$("$program" bench postmark -d "$work/box" $keys \
		    --style postmark 2>&1 | figures)
		is "postmark: $keys" "$ours" "$theirs"
	done <<-END
		number=500
		seed=7 number=300
		size=300,20000 transactions=1000
		number=200 subdirectories=5 transactions=400
		number=100 bias_create=10 transactions=300
		number=300 bias_read=-1 transactions=400
		size=4096 transactions=500 buffering=false
		transactions=15
	END
else
	skip "the same figures as PostMark" "postmark is not installed"
fi
finish
