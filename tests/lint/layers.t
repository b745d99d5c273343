#!/bin/sh
# The rules of the source tree: who may include whom, one door per library,
# every table line there, no shell, no system named in code, short functions.
tests=0
failed=0

# result NAME BAD-LINES: one TAP line, the bad lines as comments.
result() {
	tests=$((tests + 1))
	if [ -z "$2" ]; then
		echo "ok $tests - $1"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $tests - $1"
	echo "$2" | sed 's/^/#   /'
}

# allowed FOLDER FOLDERS...: includes in src/FOLDER stay within them.
allowed() {
	folder=$1
	shift
	pattern=$(echo "$folder $*" | tr ' ' '|')
	result "src/$folder includes only: $folder $*" "$(
		grep -rnE '^#include "' "src/$folder" --include='*.[ch]' |
		    grep -vE "#include \"($pattern)/"
	)"
}

allowed base
allowed model base
allowed analysis model base
allowed report model base
allowed import model base
allowed store model base
allowed plan model base
allowed platform base
allowed tree base
allowed system model base
allowed fs system model base
allowed workload tree platform model base
allowed trial fs system tree workload platform model base
allowed config fs workload model base system

# door HEADER FOLDER: the library's header is included there only.
door() {
	result "$1 only in src/$2" "$(
		grep -rnE "#include <$1" src --include='*.[ch]' |
		    grep -v "^src/$2/"
	)"
}

door 'confuse' config
door 'archive' tree
door 'sqlite3' store
door 'blkid' platform/linux

result "no system is asked for by the preprocessor" "$(
	grep -rnE '^ *# *(if|ifdef|ifndef|elif).*__(linux|FreeBSD|NetBSD|OpenBSD|DragonFly|APPLE)' \
	    src --include='*.[ch]'
)"

result "no shell" "$(
	grep -rnE '\b(system|popen) *\(' src --include='*.[ch]' |
	    grep -vE 'struct|/\*|^\S+: \*'
)"

result "no forced unmount, lazy unmount or forced wipe" "$(
	grep -rnE '"(umount|wipefs)", *"-[lf]|MNT_DETACH|MNT_FORCE' src \
	    --include='*.[ch]' | grep -v '/\*'
)"

result "only cli prints" "$(
	grep -rnE '\b(printf|puts|putchar|fputs|fprintf|perror) *\(' src \
	    --include='*.c' | grep -vE '^src/(cli|base/arena|base/buffer)' |
	    grep -vE 'dprintf|/\*|^\S+: \*'
)"

# every file with a table row is in its folder's list
listed() {
	folder=$1
	list=$2
	shift 2
	for file in "src/$folder"/*.c; do
		name=$(grep -oE '^const struct (driver|workload|report_format|importer|import_format|system|cli_command) [a-z_0-9]+ = \{' \
		    "$file" | sed 's/ = {//; s/.* //')
		for row in $name; do
			word=${row#driver_}
			word=${word#workload_}
			word=${word#report_}
			word=${word#import_}
			word=${word#system_}
			word=${word#command_}
			grep -qE "\b(${word}|${row})\b" "src/$folder/$list" ||
			    echo "$file: $row is not in $list"
		done
	done
}

for pair in fs:drivers.def workload:workloads.def report:formats.def \
    import:imports.def system:systems.def cli:commands.def; do
	folder=${pair%:*}
	list=${pair#*:}
	result "src/$folder/$list names every table" "$(listed "$folder" "$list" 2>&1)"
done

result "functions have at most 60 lines" "$(
	find src -name '*.c' -exec awk '
		FNR == 1 { body = 0 }
		/^\{/ { body = FNR }
		/^\}/ { if (body && FNR - body > 60)
			print FILENAME ": " FNR - body " lines end at " FNR
			body = 0 }' {} +
)"

result "no path or tool of a workplace" "$(
	grep -rnE '(^|[^a-z])/(work|root|home/[a-z]+)/' src matrix README.md tests/*.sh \
	    2>/dev/null | grep -v '/home/tester'
)"

echo "1..$tests"
[ "$failed" -eq 0 ]
