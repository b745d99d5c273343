#include "platform/mounts.h"

#include <sys/param.h>

#include <sys/mount.h>

#include "platform/bsd/bsd.h"
#include "platform/filesystem.h"
#include "platform/flags.h"

/* Words only by symbols: the same bit means other things on other systems.
 * "" is for what tells nothing of options. */
static const struct flag_word flags[] = {
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

static void
add(struct arena *arena, const struct statfs *status, struct mount_list *list)
{
	struct mount_entry entry = {
		.source = arena_strdup(arena, status->f_mntfromname),
		.mountpoint = arena_strdup(arena, status->f_mntonname),
		.type = arena_strdup(arena, status->f_fstypename),
	};
	uint64_t set = status->f_flags;

	bsd_mount_finish(arena, &entry, flags_in_words(arena, flags, set),
	    (set & MNT_RDONLY) != 0);
	bsd_mount_add(arena, list, &entry);
}

int
platform_mounts(struct arena *arena, struct mount_list *list, struct error *err)
{
	struct statfs *table;
	int count = getmntinfo(&table, MNT_WAIT);

	*list = (struct mount_list){ .is_complete = true };
	if (count <= 0)
		return error_errno(err, "cannot read the mount table");
	for (int i = 0; i < count; i++)
		add(arena, &table[i], list);
	return 0;
}

int
platform_flags(const char *path, struct arena *arena, const char **words,
    uint64_t *raw, struct error *err)
{
	struct statfs asked;
	const struct statfs *status = &asked;

	if (statfs(path, &asked) == -1)
		return error_errno(
		    err, "cannot ask for the flags of '%s'", path);
	*words = flags_in_words(arena, flags, status->f_flags);
	if (raw != NULL)
		*raw = status->f_flags;
	return 0;
}
