/*
 * What the BSDs' fast filesystems print about themselves.
 *
 * The parsers give words in the spelling of the option tables and skip what
 * they do not know: newer releases print more lines.  Their form is that of
 * struct readback; only bsd_parse_mount looks at the mount point.
 */
#ifndef MM_FS_BSD_OPTIONS_H
#define MM_FS_BSD_OPTIONS_H

#include "base/arena.h"

/* "tunefs -p" of FreeBSD and DragonFly ("tunefs: soft updates: (-n)
 * enabled"), all of it on standard error, and "tunefs -N" of NetBSD. */
char *bsd_parse_tunefs(
    const char *text, const char *mountpoint, struct arena *arena);

/* "dumpfs" of any BSD: format, block and fragment size, minfree, flags. */
char *bsd_parse_dumpfs(
    const char *text, const char *mountpoint, struct arena *arena);

/*
 * The flags of one mount in the output of "mount" or "mount -v", in the words
 * of the matrix file: "/dev/ada0p5 on /mnt (ufs, asynchronous, local,
 * noatime, writes: sync 2 async 0)" gives "async,noatime"; NetBSD's "on /mnt
 * type ffs (log, local)" gives "log".  "" when nothing is mounted there.
 */
char *bsd_parse_mount(
    const char *text, const char *mountpoint, struct arena *arena);

#endif
