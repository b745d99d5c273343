#include <sys/param.h>

#include <sys/mount.h>

#include "platform/bsd/bsd.h"

/* f_flags is an int whose highest bit is noclusterw: a sign that must not
 * spread. */
#define BITS(status) ((uint64_t)(uint32_t)(status)->f_flags)

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
	{ MNT_SOFTDEP, "softupdates" },
	{ MNT_TRIM, "discard" },
	{ MNT_NOCLUSTERR, "noclusterr" },
	{ MNT_NOCLUSTERW, "noclusterw" },
	{ MNT_SUIDDIR, "suiddir" },
	{ MNT_NOSYMFOLLOW, "nosymfollow" },
	{ MNT_AUTOMOUNTED, "" },
	{ MNT_USER, "" },
	{ MNT_IGNORE, "" },
	{ MNT_EXKERB, "" },
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
	struct statfs *table;
	int count = getmntinfo(&table, MNT_WAIT);

	for (int i = 0; i < count; i++)
		bsd_mount_add(arena, list, table[i].f_mntfromname,
		    table[i].f_mntonname, table[i].f_fstypename,
		    BITS(&table[i]));
	return count;
}

int
bsd_mount_flags(const char *path, uint64_t *flags)
{
	struct statfs status;

	if (statfs(path, &status) == -1)
		return -1;
	*flags = BITS(&status);
	return 0;
}
