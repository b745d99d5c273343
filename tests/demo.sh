#!/bin/sh
# The demo: a whole small night.  As root on loop images of real filesystems;
# otherwise the rehearsal, which needs no privilege.
set -u
program=$1
results=results/demo-$(date +%Y%m%d-%H%M%S).db

if [ "$(id -u)" = 0 ]; then
	exec "$program" run matrix/demo.conf -o "$results"
fi
"$program" run matrix/rehearsal.conf -o "$results" || exit $?
cat <<'TEXT'

This was the rehearsal: without root no image can be attached and no disk
filesystem mounted.  As root, "make demo" makes and mounts ext4, xfs and
btrfs on an image file with four option sets each and ranks those.
TEXT
