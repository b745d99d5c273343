#include <sys/param.h>

#include <sys/mount.h>
#include <sys/statvfs.h>

#include "platform/bsd/bsd.h"

/* Words only by symbols: the same bit means other things on other systems.
 * "" is for what tells nothing of options. */
const struct flag_word bsd_flag_words[] = {
	{ MNT_RDONLY, "ro" },
	{ MNT_SYNCHRONOUS, "sync" },
	{ MNT_ASYNC, "async" },
	{ MNT_NOATIME, "noatime" },
	{ MNT_NOEXEC, "noexec" },
	{ MNT_NOSUID, "nosuid" },
	{ MNT_NODEV, "nodev" },
	{ MNT_LOG, "log" },
	{ MNT_SOFTDEP, "softdep" },
	{ MNT_DISCARD, "discard" },
	{ MNT_RELATIME, "relatime" },
	{ MNT_NODEVMTIME, "nodevmtime" },
	{ MNT_NOCOREDUMP, "nocoredump" },
	{ MNT_SYMPERM, "symperm" },
	{ MNT_EXTATTR, "extattr" },
	{ MNT_UNION, "union" },
	{ MNT_IGNORE, "hidden" },
	{ MNT_EXKERB, "" },
	{ MNT_EXNORESPORT, "" },
	{ MNT_EXPUBLIC, "" },
	{ MNT_LOCAL, "" },
	{ MNT_QUOTA, "quota" },
	{ MNT_ROOTFS, "" },
	{ MNT_EXRDONLY, "" },
	{ MNT_EXPORTED, "" },
	{ MNT_DEFEXPORTED, "" },
	{ MNT_EXPORTANON, "" },
	{ 0, NULL },
};

int
bsd_mount_table(struct arena *arena, struct mount_list *list)
{
	struct statvfs *table;
	int count = getmntinfo(&table, MNT_WAIT);

	for (int i = 0; i < count; i++)
		bsd_mount_add(arena, list, table[i].f_mntfromname,
		    table[i].f_mntonname, table[i].f_fstypename,
		    table[i].f_flag);
	return count;
}

int
bsd_mount_flags(const char *path, uint64_t *flags)
{
	struct statvfs status;

	if (statvfs(path, &status) == -1)
		return -1;
	*flags = status.f_flag;
	return 0;
}
