#!/bin/sh
# Every fuzz entry over its corpus: inputs that once did harm, and one of each
# form.  The fuzzer itself runs with tests/fuzz/run.sh.
build=${BUILD:-build}
set -- tests/fuzz/*_fuzz.c
echo "1..$#"
number=0
mkdir -p "$build/tests/fuzz"
libraries=$(pkg-config --libs libconfuse libarchive sqlite3 blkid 2>/dev/null ||
    pkg-config --libs libconfuse libarchive sqlite3)
for entry; do
	number=$((number + 1))
	name=${entry#tests/fuzz/}
	name=${name%_fuzz.c}
	program=$build/tests/fuzz/${name}_replay
	# an instrumented library needs the same flags: those of "make asan"
	sanitize=
	case $build in
	*asan*) sanitize='-fsanitize=address,undefined' ;;
	esac
	# the store's entry stands before three functions of the library
	wrap=
	if [ "$name" = store ]; then
		wrap=-Wl,--wrap=tukey_quantile,--wrap=tukey_range_quantile,--wrap=dunnett_quantile
	fi
	# shellcheck disable=SC2086 # lists of words
	if ! ${CC:-cc} -std=c11 -D_GNU_SOURCE -Isrc -g $sanitize "$entry" \
	    tests/fuzz/replay.c "$build/libmountmatrix.a" $libraries -lm \
	    -lpthread $wrap -o "$program" 2>"$program.log"; then
		sed 's/^/# /' "$program.log"
		echo "not ok $number - $name builds"
		continue
	fi
	if output=$(timeout 60 "$program" "tests/fuzz/corpus/$name" \
	    2>"$program.log"); then
		echo "# fuzz: $name: $output"
		echo "ok $number - $name comes back from its corpus"
	else
		tail -3 "$program.log" | sed 's/^/# /'
		echo "not ok $number - $name comes back from its corpus"
	fi
done
