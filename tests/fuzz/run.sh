#!/bin/sh
# Fuzzes one entry with clang's fuzzer under ASan and UBSan.
#
#   sh tests/fuzz/run.sh NAME [SECONDS]
#
# NAME is that of tests/fuzz/NAME_fuzz.c.  New inputs go to build/fuzz/NAME,
# what crashes to build/fuzz/NAME-crash-*; add it to tests/fuzz/corpus/NAME
# with the fix.
set -eu
name=$1
seconds=${2:-60}
build=build/fuzz

command -v clang >/dev/null || {
	echo "no clang: apt-get install clang libclang-rt-14-dev" >&2
	exit 3
}
mkdir -p "$build/$name"
make BUILD="$build/lib" CC=clang \
    SAN='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined' \
    "$build/lib/libmountmatrix.a" >"$build/build.log" 2>&1 || {
	tail -20 "$build/build.log" >&2
	exit 1
}
# the store's entry stands before three functions of the library
wrap=
if [ "$name" = store ]; then
	wrap=-Wl,--wrap=tukey_quantile,--wrap=tukey_range_quantile,--wrap=dunnett_quantile
fi
# shellcheck disable=SC2046,SC2086 # lists of words
clang -g -O1 -std=c11 -D_GNU_SOURCE -Isrc \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    "tests/fuzz/${name}_fuzz.c" "$build/lib/libmountmatrix.a" \
    $(pkg-config --libs libconfuse libarchive sqlite3 blkid) -lm -lpthread \
    $wrap -o "$build/${name}_fuzz"
dictionary=
if [ -e "tests/fuzz/$name.dict" ]; then
	dictionary=-dict=tests/fuzz/$name.dict
fi
# shellcheck disable=SC2086 # empty or one word
exec "$build/${name}_fuzz" -max_total_time="$seconds" -rss_limit_mb=2000 \
    -max_len=8192 -artifact_prefix="$build/$name-" -print_final_stats=1 \
    $dictionary "$build/$name" "tests/fuzz/corpus/$name"
