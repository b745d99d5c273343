#include "platform/magic.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "platform/text.h"

/* Where a magic number stands, and where the label and UUID do. */
struct magic {
	const char *type;
	enum signature_kind kind;
	size_t offset;
	const char *bytes;
	size_t size;
	size_t label_at; /* 0: none; else from the device's start */
	size_t label_size;
	size_t uuid_at; /* 0: none; 16 bytes */
};

#define BYTES(text) text, sizeof(text) - 1

/*
 * Numbers are in the byte order of the machines that make them (x86, arm64);
 * the BSD disk labels and UFS, which occur in both orders, come twice.
 */
static const struct magic magics[] = {
	{ "ext", SIGNATURE_FILESYSTEM, 1080, BYTES("\x53\xef"), 1144, 16,
	    1128 },
	{ "xfs", SIGNATURE_FILESYSTEM, 0, BYTES("XFSB"), 108, 12, 32 },
	{ "btrfs", SIGNATURE_FILESYSTEM, 65600, BYTES("_BHRfS_M"), 65835, 256,
	    65568 },
	{ "hammer", SIGNATURE_FILESYSTEM, 0,
	    BYTES("\x31\x30\x52\xc5\x4d\x4d\x41\xc8"), 80, 64, 0 },
	{ "hammer2", SIGNATURE_FILESYSTEM, 0,
	    BYTES("\x11\x20\x17\x05\x32\x4d\x41\x48"), 0, 0, 0 },
	{ "lfs", SIGNATURE_FILESYSTEM, 8192, BYTES("\x62\x01\x07\x00"), 0, 0,
	    0 },
	{ "iso9660", SIGNATURE_FILESYSTEM, 32769, BYTES("CD001"), 32808, 32,
	    0 },
	{ "ntfs", SIGNATURE_FILESYSTEM, 3, BYTES("NTFS    "), 0, 0, 0 },
	{ "exfat", SIGNATURE_FILESYSTEM, 3, BYTES("EXFAT   "), 0, 0, 0 },
	{ "msdos", SIGNATURE_FILESYSTEM, 54, BYTES("FAT1"), 43, 11, 0 },
	{ "msdos", SIGNATURE_FILESYSTEM, 82, BYTES("FAT32"), 71, 11, 0 },
	{ "linux_swap", SIGNATURE_SWAP, 4086, BYTES("SWAPSPACE2"), 1052, 16,
	    1036 },
	{ "LVM2_member", SIGNATURE_MEMBER, 536, BYTES("LVM2 001"), 0, 0, 0 },
	{ "linux_raid_member", SIGNATURE_MEMBER, 4096,
	    BYTES("\xfc\x4e\x2b\xa9"), 0, 0, 0 },
	{ "crypto_LUKS", SIGNATURE_MEMBER, 0, BYTES("LUKS\xba\xbe"), 0, 0, 0 },
	{ "gpt", SIGNATURE_PARTITIONS, 512, BYTES("EFI PART"), 0, 0, 568 },
	{ "gpt", SIGNATURE_PARTITIONS, 4096, BYTES("EFI PART"), 0, 0, 4152 },
	{ "bsd", SIGNATURE_PARTITIONS, 512, BYTES("\x57\x45\x56\x82"), 0, 0,
	    0 },
	{ "bsd", SIGNATURE_PARTITIONS, 64, BYTES("\x57\x45\x56\x82"), 0, 0, 0 },
	{ "bsd", SIGNATURE_PARTITIONS, 0, BYTES("\x57\x45\x56\x82"), 0, 0, 0 },
	{ "dragonfly_label64", SIGNATURE_PARTITIONS, 512,
	    BYTES("\x59\x4c\x46\xc4"), 0, 0, 0 },
};

static void
add(struct arena *arena, struct signature_list *list, struct signature one)
{
	list->items =
	    arena_append(arena, list->items, list->count, sizeof *list->items);
	list->items[list->count++] = one;
}

static bool
has_bytes(const unsigned char *data, size_t data_size, size_t offset,
    const char *bytes, size_t size)
{
	return offset + size <= data_size &&
	       memcmp(data + offset, bytes, size) == 0;
}

/* Text that ends at a NUL or at its field's end, without blanks around. */
static char *
label_of(struct arena *arena, const unsigned char *data, size_t data_size,
    size_t offset, size_t size)
{
	const unsigned char *end;
	char *copy;

	if (size == 0 || offset + size > data_size)
		return arena_strdup(arena, "");
	end = memchr(data + offset, '\0', size);
	if (end != NULL)
		size = (size_t)(end - (data + offset));
	copy = arena_alloc(arena, size + 1);
	memcpy(copy, data + offset, size);
	return text_trim(arena, copy);
}

static char *
uuid_of(struct arena *arena, const unsigned char *data, size_t data_size,
    size_t offset)
{
	const unsigned char *u = data + offset;

	if (offset == 0 || offset + 16 > data_size)
		return arena_strdup(arena, "");
	return arena_printf(arena,
	    "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
	    "%02x%02x%02x%02x%02x%02x",
	    u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10],
	    u[11], u[12], u[13], u[14], u[15]);
}

static uint32_t
little(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
	       (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * UFS1 at 8 KiB, UFS2 at 64 KiB, either at 0 and 256 KiB.  The two words of
 * its id make the name in FreeBSD's /dev/ufsid.  Several alike at once are
 * one filesystem and copies of its superblock.
 */
static void
find_ufs(const unsigned char *head, size_t head_size, struct arena *arena,
    struct signature_list *list)
{
	enum { ID = 144, VOLUME = 680, VOLUME_SIZE = 32, MAGIC = 1372 };
	static const size_t places[] = { 65536, 8192, 0, 262144 };
	static const struct {
		const char *bytes;
		const char *type;
	} kinds[] = { { "\x19\x01\x54\x19", "ufs2" },
		{ "\x54\x19\x01\x00", "ufs1" }, { "\x19\x54\x01\x19", "ufs2" },
		{ "\x00\x01\x19\x54", "ufs1" } };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
			const unsigned char *block = head + places[i];

			if (!has_bytes(head, head_size, places[i] + MAGIC,
				kinds[k].bytes, 4))
				continue;
			add(arena, list,
			    (struct signature){
				.kind = SIGNATURE_FILESYSTEM,
				.type = kinds[k].type,
				.uuid = arena_printf(arena, "%08x%08x",
				    little(block + ID), little(block + ID + 4)),
				.label = label_of(arena, head, head_size,
				    places[i] + VOLUME, VOLUME_SIZE),
			    });
			return;
		}
}

/* A pool's label has a ring of uberblocks in its second 128 KiB. */
static void
find_zfs(const unsigned char *head, size_t head_size, struct arena *arena,
    struct signature_list *list)
{
	enum { FROM = 128 * 1024, TO = 256 * 1024, STEP = 1024 };

	for (size_t at = FROM; at < TO; at += STEP)
		if (has_bytes(head, head_size, at, "\x0c\xb1\xba\x00", 4) ||
		    has_bytes(head, head_size, at + 4, "\x00\xba\xb1\x0c", 4)) {
			add(arena, list,
			    (struct signature){ .kind = SIGNATURE_MEMBER,
				.type = "zfs_member",
				.uuid = "",
				.label = "" });
			return;
		}
}

/* A master boot record has a magic number that boot sectors of filesystems
 * have as well: it counts when its table is sound and has an entry. */
static void
find_mbr(const unsigned char *head, size_t head_size, struct arena *arena,
    struct signature_list *list)
{
	enum { TABLE = 446, ENTRY = 16, ENTRIES = 4 };
	size_t used = 0;

	if (!has_bytes(head, head_size, 510, "\x55\xaa", 2))
		return;
	for (size_t i = 0; i < ENTRIES; i++) {
		const unsigned char *entry = head + TABLE + i * ENTRY;

		if (entry[0] != 0 && entry[0] != 0x80)
			return;
		used += entry[4] != 0 && little(entry + 12) != 0;
	}
	if (used > 0)
		add(arena, list,
		    (struct signature){ .kind = SIGNATURE_PARTITIONS,
			.type = "dos",
			.uuid = "",
			.label = "" });
}

/* FreeBSD's classes keep "GEOM::MIRROR" and the like in the last sector,
 * Linux' older RAID its superblock near the end. */
static void
find_at_end(const unsigned char *tail, size_t tail_size, struct arena *arena,
    struct signature_list *list)
{
	static const size_t sectors[] = { 512, 4096 };

	for (size_t i = 0; i < sizeof sectors / sizeof sectors[0]; i++) {
		const char *type;

		if (tail_size < sectors[i] ||
		    !has_bytes(tail, tail_size, tail_size - sectors[i],
			BYTES("GEOM::")))
			continue;
		type = label_of(
		    arena, tail, tail_size, tail_size - sectors[i], 16);
		add(arena, list,
		    (struct signature){ .kind = SIGNATURE_MEMBER,
			.type = type,
			.uuid = "",
			.label = "" });
		return;
	}
	if (tail_size >= 512 &&
	    has_bytes(tail, tail_size, tail_size - 512, BYTES("EFI PART")))
		add(arena, list,
		    (struct signature){ .kind = SIGNATURE_PARTITIONS,
			.type = "gpt_backup",
			.uuid = "",
			.label = "" });
}

void
magic_signatures(const unsigned char *head, size_t head_size,
    const unsigned char *tail, size_t tail_size, struct arena *arena,
    struct signature_list *list)
{
	*list = (struct signature_list){ 0 };
	for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
		const struct magic *magic = &magics[i];

		if (!has_bytes(head, head_size, magic->offset, magic->bytes,
			magic->size))
			continue;
		add(arena, list,
		    (struct signature){
			.kind = magic->kind,
			.type = magic->type,
			.uuid = uuid_of(arena, head, head_size, magic->uuid_at),
			.label = label_of(arena, head, head_size,
			    magic->label_at, magic->label_size),
		    });
	}
	find_ufs(head, head_size, arena, list);
	find_zfs(head, head_size, arena, list);
	find_mbr(head, head_size, arena, list);
	find_at_end(tail, tail_size, arena, list);
}
