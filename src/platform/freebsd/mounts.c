#include <sys/param.h>

#include <sys/mount.h>

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
	/* SUJ stands alone: soft updates are implied, their bit is clear */
	{ MNT_SUJ, "suj" },
	{ MNT_SOFTDEP, "softupdates" },
	{ MNT_GJOURNAL, "gjournal" },
	{ MNT_NOCLUSTERR, "noclusterr" },
	/* an int's sign spreads over the bits above: nobody asked for those,
	 * and to restate "untrusted" would make it so */
	{ MNT_NOCLUSTERW | MNT_AUTOMOUNTED | MNT_UNTRUSTED, "noclusterw" },
	{ MNT_NOCLUSTERW, "noclusterw" },
	{ MNT_UNION, "union" },
	{ MNT_SUIDDIR, "suiddir" },
	{ MNT_NOSYMFOLLOW, "nosymfollow" },
	{ MNT_MULTILABEL, "multilabel" },
	{ MNT_ACLS, "acls" },
	{ MNT_NFS4ACLS, "nfsv4acls" },
	{ MNT_UNTRUSTED, "untrusted" },
	{ MNT_AUTOMOUNTED, "" },
	{ MNT_VERIFIED, "" },
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
		    table[i].f_flags);
	return count;
}

int
bsd_mount_flags(const char *path, uint64_t *flags)
{
	struct statfs status;

	if (statfs(path, &status) == -1)
		return -1;
	*flags = status.f_flags;
	return 0;
}
