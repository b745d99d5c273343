/* What is written on a device, by libblkid's low-level probing: never from
 * its cache, and everything that is there, not only the likeliest. */
#include <blkid/blkid.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "platform/device.h"
#include "platform/magic.h"
#include "platform/text.h"

enum { SIGNATURES_MAX = 64 };

static const char *
value(blkid_probe probe, struct arena *arena, const char *name)
{
	const char *text = NULL;

	if (blkid_probe_lookup_value(probe, name, &text, NULL) != 0)
		return "";
	return arena_strdup(arena, text);
}

/* A btrfs of several devices cannot be judged from one: the count is in its
 * superblock. */
static bool
is_shared_btrfs(int fd)
{
	enum { COUNT_AT = 0x10000 + 0x88 };
	unsigned char bytes[8];
	uint64_t count = 0;

	if (pread(fd, bytes, sizeof bytes, COUNT_AT) != (ssize_t)sizeof bytes)
		return false;
	for (size_t i = sizeof bytes; i-- > 0;)
		count = count << 8 | bytes[i];
	return count > 1;
}

static enum signature_kind
kind_of(const char *type, const char *usage, int fd)
{
	const char *end = strstr(type, "_member");

	if ((end != NULL && strcmp(end, "_member") == 0) ||
	    strcmp(usage, "raid") == 0 || strcmp(usage, "crypto") == 0)
		return SIGNATURE_MEMBER;
	if (strcmp(type, "btrfs") == 0 && is_shared_btrfs(fd))
		return SIGNATURE_MEMBER;
	if (strcmp(type, "swap") == 0 || strcmp(type, "swsuspend") == 0)
		return SIGNATURE_SWAP;
	return strcmp(usage, "filesystem") == 0 ? SIGNATURE_FILESYSTEM
						: SIGNATURE_UNKNOWN;
}

static void
add(struct arena *arena, struct signature_list *list, struct signature one)
{
	list->items =
	    arena_append(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = one;
}

static void
add_found(
    blkid_probe probe, int fd, struct arena *arena, struct signature_list *list)
{
	const char *type = value(probe, arena, "TYPE");
	const char *table = value(probe, arena, "PTTYPE");

	if (type[0] != '\0')
		add(arena, list,
		    (struct signature){
			.kind = kind_of(type, value(probe, arena, "USAGE"), fd),
			.type = type,
			.uuid = value(probe, arena, "UUID"),
			.label = value(probe, arena, "LABEL"),
		    });
	if (table[0] != '\0')
		add(arena, list,
		    (struct signature){
			.kind = SIGNATURE_PARTITIONS,
			.type = table,
			.uuid = value(probe, arena, "PTUUID"),
			.label = "",
		    });
}

static int
probe_all(
    blkid_probe probe, int fd, struct arena *arena, struct signature_list *list)
{
	int rc = 1;

	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(
	    probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_UUID |
		       BLKID_SUBLKS_LABEL | BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(probe, 1);
	blkid_probe_set_partitions_flags(probe, BLKID_PARTS_FORCE_GPT);
	/* each call stops at the next thing found */
	while (
	    list->count < SIGNATURES_MAX && (rc = blkid_do_probe(probe)) == 0)
		add_found(probe, fd, arena, list);
	return rc == 0 || rc == 1 ? 0 : -1;
}

static int
probe_descriptor(const struct device_info *info, int fd, struct arena *arena,
    struct signature_list *list, struct error *err)
{
	blkid_probe probe = blkid_new_probe();
	int rc;

	if (probe == NULL)
		return error_set(err, "libblkid has no memory");
	rc = blkid_probe_set_device(probe, fd, 0, 0);
	if (rc == 0)
		rc = probe_all(probe, fd, arena, list);
	blkid_free_probe(probe);
	if (rc != 0)
		return error_set(
		    err, "cannot read the signatures of '%s'", info->path);
	/* a disk of a BSD is not blank */
	if (list->count == 0)
		return magic_read(fd, info->path, arena, list, err);
	return 0;
}

int
platform_signatures(const struct device_info *info, int fd, struct arena *arena,
    struct signature_list *list, struct error *err)
{
	int rc;

	*list = (struct signature_list){ 0 };
	if (info->size_bytes == 0)
		return 0;
	if (fd != -1)
		return probe_descriptor(info, fd, arena, list, err);
	fd = open(info->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd == -1) {
		(void)error_errno(err, "cannot read '%s'", info->path);
		err->kind = ERROR_HOST;
		return -1;
	}
	rc = probe_descriptor(info, fd, arena, list, err);
	(void)close(fd);
	return rc;
}
