/*
 * What platform/ reads on the BSDs, on texts that their kernels and tools
 * gave (fixtures/bsd/), and which disks share bytes by their names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "platform/bsd_text.h"
#include "platform/geom.h"
#include "platform/magic.h"
#include "platform/names.h"

static struct arena *arena;
static struct name_list fixtures_read;
static size_t lines_read;

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	print_message("# parsed %zu lines of the BSDs\n", lines_read);
	arena_free(arena);
	return 0;
}

static char *
fixture(const char *name)
{
	char *text = text_file(arena, "fixtures/bsd/%s", name);

	assert_non_null(text);
	if (!name_list_has(&fixtures_read, name))
		for (const char *c = text; *c != '\0'; c++)
			lines_read += *c == '\n';
	name_list_add(arena, &fixtures_read, name);
	return text;
}

static struct geom_mesh
mesh_of(const char *name)
{
	struct geom_mesh mesh;

	geom_parse(fixture(name), arena, &mesh);
	return mesh;
}

/* "kind: text; kind: text" of all uses. */
static const char *
uses_in(const struct geom_mesh *mesh, const char *name, int own_writes)
{
	static const char *const kinds[] = { "mounted", "swap", "system",
		"holder", "backing", "partition", "open", "writer", "unseen" };
	struct device_uses uses = { 0 };
	char *text = arena_strdup(arena, "");

	geom_uses(mesh, name, own_writes, arena, &uses);
	for (size_t i = 0; i < uses.count; i++)
		text =
		    arena_printf(arena, "%s%s%s: %s", text, i > 0 ? "; " : "",
			kinds[uses.items[i].kind], uses.items[i].text);
	return text;
}

static const char *
joined(const struct name_list *list)
{
	char *text = arena_strdup(arena, "");

	for (size_t i = 0; i < list->count; i++)
		text = arena_printf(
		    arena, "%s%s%s", text, i > 0 ? " " : "", list->names[i]);
	return text;
}

static void
geom_tells_providers_and_their_facts(void **state)
{
	struct geom_mesh mesh = mesh_of("freebsd-geom-mounted.xml");
	const struct geom_provider *disk = geom_provider(&mesh, "vtbd1");
	struct name_list names;

	(void)state;
	assert_int_equal(mesh.provider_count, 3);
	assert_int_equal(mesh.consumer_count, 5);
	assert_non_null(disk);
	assert_int_equal(disk->size_bytes, 536870912);
	assert_int_equal(disk->sector_bytes, 512);
	assert_string_equal(disk->geom_class, "DISK");
	assert_string_equal(disk->rotation_rate, "unknown");
	assert_int_equal(disk->mode.exclusive, 1);
	geom_ancestors(&mesh, "ufsid/6b0db21b25b713b0", arena, &names);
	assert_string_equal(joined(&names), "ufsid/6b0db21b25b713b0 md0");
	geom_children(&mesh, "md0", arena, &names);
	assert_string_equal(joined(&names), "ufsid/6b0db21b25b713b0");
	assert_null(geom_provider(&mesh, "ada0"));
}

static void
geom_tells_mounts_swap_and_labels(void **state)
{
	struct geom_mesh mounted = mesh_of("freebsd-geom-mounted.xml");
	struct geom_mesh swap = mesh_of("freebsd-geom-swap.xml");
	struct geom_mesh label = mesh_of("freebsd-geom-label.xml");

	(void)state;
	assert_string_equal(
	    uses_in(&mounted, "vtbd1", 0), "mounted: mounted ('ffs.vtbd1')");
	/* labelled, but only a label's own node would be a use */
	assert_string_equal(uses_in(&mounted, "md0", 0), "");
	/* a read-only mount has no exclusive count, and is one */
	assert_string_equal(
	    uses_in(&swap, "vtbd1", 0), "mounted: mounted ('ffs.vtbd1')");
	assert_string_equal(uses_in(&swap, "vtbd3", 0), "swap: active swap");
	assert_string_equal(uses_in(&label, "vtbd1", 0),
	    "mounted: its 'ufs/vol1' is mounted ('ffs.ufs/vol1')");
	assert_string_equal(uses_in(&label, "ufs/vol1", 0),
	    "mounted: mounted ('ffs.ufs/vol1')");
	assert_string_equal(uses_in(&label, "vtbd3", 0), "");
	assert_string_equal(uses_in(&label, "nosuch", 0), "");
}

static void
a_partition_has_its_place_in_the_label(void **state)
{
	static const struct {
		const char *name;
		int part;
	} cases[] = { { "wd0a", 0 }, { "rwd0e", 4 }, { "sd12p", 15 },
		{ "sd0B", 27 }, { "vnd0c", 2 }, { "wd0", -1 }, { "dk3", -1 },
		{ "wd0ab", -1 }, { "raid0a", 0 }, { "", -1 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (disk_part_of_name(cases[i].name) != cases[i].part)
			fail_msg("'%s': %d", cases[i].name,
			    disk_part_of_name(cases[i].name));
}

static const char PARTS[] =
    "<mesh>"
    "<class id=\"c1\"><name>DISK</name><geom id=\"g1\"><class ref=\"c1\"/>"
    "<name>ada0</name><provider id=\"p1\"><geom ref=\"g1\"/>"
    "<mode>r1w1e2</mode><name>ada0</name></provider></geom>"
    "<geom id=\"g9\"><name>ada1</name><provider id=\"p9\">"
    "<mode>r1w1e1</mode><name>ada1</name></provider></geom></class>"
    "<class id=\"c2\"><name>PART</name><geom id=\"g2\"><name>ada0</name>"
    "<consumer id=\"k\"><provider ref=\"p1\"/><mode>r1w1e2</mode></consumer>"
    "<provider id=\"p2\"><name>ada0p1</name><config><offset>20480</offset>"
    "<label>a&amp;b</label></config></provider>"
    "<provider id=\"p3\"><name>ada0p2</name></provider></geom></class>"
    "<class id=\"c3\"><name>VFS</name><geom id=\"g3\"><name>ffs.ada0p2</name>"
    "<consumer id=\"k\"><provider ref=\"p3\"/><mode>r1w1e1</mode></consumer>"
    "</geom></class>"
    "<class id=\"c4\"><name>MIRROR</name><geom id=\"g4\"><name>gm0</name>"
    "<consumer id=\"k\"><provider ref=\"p9\"/><mode>r1w1e1</mode></consumer>"
    "<provider id=\"p5\"><name>mirror/gm0</name></provider></geom></class>"
    "<class id=\"c5\"><name>DEV</name><geom id=\"g5\"><name>ada0p1</name>"
    "<consumer id=\"k\"><provider ref=\"p2\"/><mode>r1w1e0</mode></consumer>"
    "</geom></class>"
    "<class id=\"c6\"><name>MD</name><geom id=\"g6\"><name>md0</name>"
    "<provider id=\"p6\"><name>md0</name><config><file>/w/i</file></config>"
    "</provider></geom><geom id=\"g7\"><name>md1</name><provider id=\"p7\">"
    "<name>md1</name><config><file>/w/i</file></config></provider></geom>"
    "</class>"
    "<class id=\"c7\"><name>VFS</name><geom id=\"g8\"><name>ffs.md1</name>"
    "<consumer id=\"k\"><provider ref=\"p7\"/><mode>r1w0e0</mode></consumer>"
    "</geom></class></mesh>";

static void
geom_tells_partitions_holders_and_twins(void **state)
{
	struct geom_mesh mesh;

	(void)state;
	geom_parse(PARTS, arena, &mesh);
	assert_int_equal(geom_provider(&mesh, "ada0p1")->start_bytes, 20480);
	assert_string_equal(uses_in(&mesh, "ada0", 0),
	    "partition: divided, 'ada0p1' is a partition; "
	    "writer: its 'ada0p1' is open for writing in a program; "
	    "mounted: its 'ada0p2' is mounted ('ffs.ada0p2')");
	/* a sibling's mount is no use; the guard's own opening neither */
	assert_string_equal(uses_in(&mesh, "ada0p1", 1), "");
	assert_string_equal(uses_in(&mesh, "ada0p1", 0),
	    "writer: open for writing in a program");
	assert_string_equal(
	    uses_in(&mesh, "ada1", 0), "holder: held by MIRROR 'gm0'");
	assert_string_equal(uses_in(&mesh, "md0", 0),
	    "backing: on the same file as the disk 'md1'; "
	    "mounted: its 'md1' is mounted ('ffs.md1')");
}

static void
geom_survives_any_cut(void **state)
{
	char *text = fixture("freebsd-geom-mounted.xml");
	struct arena *own;

	(void)state;
	for (size_t length = strlen(text); length > 0; length -= 7) {
		struct geom_mesh mesh;

		own = arena_new();
		text[length] = '\0';
		geom_parse(text, own, &mesh);
		assert_true(mesh.provider_count <= 3);
		arena_free(own);
		if (length < 7)
			break;
	}
}

static void
names_that_share_bytes(void **state)
{
	static const struct {
		const char *a, *b;
		enum disk_naming naming;
		bool overlap;
	} cases[] = {
		{ "da0", "da0", NAMING_SLICES, true },
		{ "da0", "da0s1d", NAMING_SLICES, true },
		{ "da0s1", "da0s1d", NAMING_SLICES, true },
		{ "da0s1c", "da0s1d", NAMING_SLICES, true },
		{ "da0s1a", "da0s1d", NAMING_SLICES, false },
		{ "da0s1", "da0s2", NAMING_SLICES, false },
		{ "da0s1", "da0s10", NAMING_SLICES, false },
		{ "ada0p1", "ada0p10", NAMING_SLICES, false },
		{ "da0", "da1", NAMING_SLICES, false },
		{ "da0", "da01", NAMING_SLICES, false },
		{ "vbd1", "vbd1s0", NAMING_SLICES, true },
		{ "vbd1s0", "vbd1s1", NAMING_SLICES, true },
		{ "ufs/vol1", "ufs/vol1", NAMING_SLICES, true },
		{ "ufs/vol1", "ufs/vol10", NAMING_SLICES, false },
		{ "wd0a", "wd0e", NAMING_LETTERS, false },
		{ "wd0d", "wd0e", NAMING_LETTERS, true },
		{ "wd0", "wd0e", NAMING_LETTERS, true },
		{ "wd0e", "wd0e", NAMING_LETTERS, true },
		{ "wd0e", "wd1e", NAMING_LETTERS, false },
		{ "dk0", "dk1", NAMING_LETTERS, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(disk_names_overlap(cases[i].a, cases[i].b,
				     cases[i].naming, 'd'),
		    cases[i].overlap);
		assert_int_equal(disk_names_overlap(cases[i].b, cases[i].a,
				     cases[i].naming, 'd'),
		    cases[i].overlap);
	}
}

static void
base_names_of_nodes(void **state)
{
	static const struct {
		const char *path;
		enum disk_naming naming;
		const char *base, *disk;
	} cases[] = {
		{ "/dev/da0s1d", NAMING_SLICES, "da0s1d", "da0" },
		{ "/dev/ufs/vol1", NAMING_SLICES, "ufs/vol1", "ufs/vol1" },
		{ "/dev/rwd0e", NAMING_LETTERS, "wd0e", "wd0" },
		{ "/dev/wd0e", NAMING_LETTERS, "wd0e", "wd0" },
		{ "/dev/raid0a", NAMING_LETTERS, "raid0a", "raid0" },
		{ "/dev/rraid0a", NAMING_LETTERS, "raid0a", "raid0" },
		{ "/dev/rvnd0a", NAMING_LETTERS, "vnd0a", "vnd0" },
		{ "vtbd1", NAMING_SLICES, "vtbd1", "vtbd1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *base =
		    disk_base_name(arena, cases[i].path, cases[i].naming);

		assert_string_equal(base, cases[i].base);
		assert_string_equal(disk_of_name(arena, base), cases[i].disk);
	}
}

/* Every mount that the transcripts show: system, source, place, type. */
static void
sources_of_mounts_name_devices(void **state)
{
	char *text = fixture("mount-sources.txt");
	const char *info = fixture("dragonfly-hammer-info.txt");
	size_t position = 0;
	size_t labels = 0;
	char *line;

	(void)state;
	while (text_next_line(arena, text, strlen(text), &position, &line)) {
		struct mount_entry entry = { 0 };
		struct name_list devices;
		const char *all = arena_strdup(arena, line);
		const char *wanted;
		bool is_known;

		(void)text_next_word(&line);
		entry.source = text_next_word(&line);
		entry.mountpoint = text_next_word(&line);
		entry.type = text_next_word(&line);
		assert_non_null(entry.type);
		is_known = mount_source_devices(arena, &entry, info, &devices);
		wanted = entry.source;
		if (strcmp(entry.type, "devfs") == 0)
			wanted = "";
		if (strcmp(entry.type, "hammer2") == 0 ||
		    strcmp(entry.source, "h2") == 0)
			wanted = "/dev/vbd1";
		if (strcmp(entry.source, "h1") == 0) {
			/* not the one that hammer info tells of */
			assert_false(is_known);
			wanted = "";
			labels++;
		} else if (!is_known) {
			fail_msg("%s", all);
		}
		assert_string_equal(joined(&devices), wanted);
	}
	assert_int_equal(labels, 1);
}

static void
hammer2_and_hammer_of_several_volumes(void **state)
{
	struct mount_entry entry = { .type = "hammer2",
		.source = "/dev/da0s1:/dev/da1s1@ROOT" };
	struct name_list devices;

	(void)state;
	assert_true(mount_source_devices(arena, &entry, NULL, &devices));
	assert_string_equal(joined(&devices), "/dev/da0s1 /dev/da1s1");
	entry.type = "hammer";
	entry.source = "BIG";
	assert_true(mount_source_devices(arena, &entry,
	    "\tLabel  OTHER\n\tHAMMER Volumes  /dev/x\n"
	    "\tLabel  BIG\n\tHAMMER Volumes  /dev/a:/dev/b\n",
	    &devices));
	assert_string_equal(joined(&devices), "/dev/a /dev/b");
	assert_false(mount_source_devices(arena, &entry, "", &devices));
}

static void
disks_that_are_files(void **state)
{
	struct file_disk_list list;

	(void)state;
	vnconfig_parse(fixture("dragonfly-vnconfig.txt"), arena, &list);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].name, "vn0");
	assert_string_equal(list.items[0].file, "/w/img");
	assert_int_equal(list.items[0].inode, 3);
	vnconfig_parse(fixture("netbsd-vnconfig.txt"), arena, &list);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[1].name, "vnd1");
	assert_string_equal(list.items[1].file, "");
	assert_string_equal(list.items[1].folder, "/w");
	assert_int_equal(list.items[1].inode, 4);
	vnconfig_parse(
	    "vnd0: covering /a on b/i on sd0a, inode 77\n", arena, &list);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].file, "/a on b/i");
	vnconfig_parse("vnd0: not in use\nnonsense\nvnd1:\n", arena, &list);
	assert_int_equal(list.count, 0);
}

static void
holders_are_one_entry_a_process(void **state)
{
	static const char text[] =
	    "USER     CMD          PID   FD MOUNT      INUM MODE         SZ|DV"
	    " R/W\n"
	    "root     sh          1234   wd /mnt          2 drwxr-xr-x     512"
	    "  r\n"
	    "root     sh          1234    3 /mnt          3 -rw-r--r--       0"
	    "  w\n"
	    "root     tail          77    4* /mnt         3 -rw-r--r--       0"
	    "  r\n"
	    "short line\n";
	struct process_list list;

	(void)state;
	fstat_parse(text, arena, &list);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].pid, 1234);
	assert_string_equal(list.items[0].name, "sh");
	assert_string_equal(list.items[0].what, "current folder");
	assert_string_equal(list.items[1].what, "open file 4");
}

static void
only_new_kernel_messages(void **state)
{
	static const struct {
		const char *before, *now, *news;
	} cases[] = {
		{ "a\n", "a\nb\n", "b\n" },
		{ "a\n", "a\n", "" },
		{ "", "a\n", "a\n" },
		{ "a\nb\nc\n", "b\nc\nd\n", "d\n" },
		{ "a\nb\n", "x\ny\n", "x\ny\n" },
		{ "a\na\n", "a\na\na\n", "a\n" },
		{ "a\nb\n", "", "" },
		{ "a\nb\n", "program's\na\nb\nc\n", "c\n" },
	};
	size_t size;
	const char *clean;
	static const char raw[] = "\0\0<6>one\n<118>1/9 trial: failed\n"
				  "<3>two\n<x>three\n\0\0four <6>\n"
				  "<13>logger's\nfive\n";

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t at =
		    msgbuf_news(cases[i].before, strlen(cases[i].before),
			cases[i].now, strlen(cases[i].now));

		assert_string_equal(cases[i].now + at, cases[i].news);
	}
	size = sizeof raw - 1;
	clean = msgbuf_clean(arena, raw, &size);
	assert_string_equal(clean, "one\ntwo\n<x>three\nfour <6>\nfive\n");
	assert_int_equal(size, strlen(clean));
}

enum { HEAD = 1024 * 1024, TAIL = 64 * 1024 };

struct piece {
	size_t offset;
	const char *bytes;
	size_t size;
};

static const char *
signatures_of(const struct piece *pieces, size_t count, bool at_end)
{
	unsigned char *head = arena_alloc(arena, HEAD);
	unsigned char *tail = arena_alloc(arena, TAIL);
	struct signature_list list;
	char *text = arena_strdup(arena, "");

	for (size_t i = 0; i < count; i++)
		memcpy((at_end ? tail : head) + pieces[i].offset,
		    pieces[i].bytes, pieces[i].size);
	magic_signatures(head, HEAD, tail, TAIL, arena, &list);
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(arena, "%s%s%s '%s' '%s'", text,
		    i > 0 ? "; " : "", list.items[i].type, list.items[i].uuid,
		    list.items[i].label);
	return text;
}

#define SIGNATURES(at_end, ...)                                                \
	signatures_of((const struct piece[]){ __VA_ARGS__ },                   \
	    sizeof((const struct piece[]){ __VA_ARGS__ }) /                    \
		sizeof(struct piece),                                          \
	    at_end)

static void
signatures_by_magic_number(void **state)
{
	(void)state;
	assert_string_equal(SIGNATURES(false, { 0, "", 0 }), "");
	assert_string_equal(
	    SIGNATURES(false, { 65536 + 1372, "\x19\x01\x54\x19", 4 },
		{ 65536 + 680, "vol1", 4 },
		{ 65536 + 144, "\x1b\xb2\x0d\x6b\xb0\x13\xb7\x25", 8 }),
	    "ufs2 '6b0db21b25b713b0' 'vol1'");
	assert_string_equal(
	    SIGNATURES(false, { 8192 + 1372, "\x54\x19\x01\x00", 4 }),
	    "ufs1 '0000000000000000' ''");
	assert_string_equal(
	    SIGNATURES(false, { 0, "\x11\x20\x17\x05\x32\x4d\x41\x48", 8 }),
	    "hammer2 '' ''");
	assert_string_equal(
	    SIGNATURES(false, { 0, "\x31\x30\x52\xc5\x4d\x4d\x41\xc8", 8 },
		{ 80, "h2", 2 }),
	    "hammer '' 'h2'");
	/* one that is stale beside one that lives: both are told */
	assert_string_equal(
	    SIGNATURES(false, { 0, "\x11\x20\x17\x05\x32\x4d\x41\x48", 8 },
		{ 65536 + 1372, "\x19\x01\x54\x19", 4 }),
	    "hammer2 '' ''; ufs2 '0000000000000000' ''");
	assert_string_equal(
	    SIGNATURES(false, { 128 * 1024, "\x0c\xb1\xba\x00", 4 }),
	    "zfs_member '' ''");
	assert_string_equal(
	    SIGNATURES(true, { TAIL - 512, "GEOM::MIRROR", 12 }),
	    "GEOM::MIRROR '' ''");
	assert_string_equal(
	    SIGNATURES(false, { 512, "\x57\x45\x56\x82", 4 }), "bsd '' ''");
}

static void
a_boot_record_needs_a_sound_table(void **state)
{
	static const char entry[] =
	    "\x80\0\0\0\xa5\0\0\0\x3f\0\0\0\x00\x10\0\0";

	(void)state;
	assert_string_equal(SIGNATURES(false, { 510, "\x55\xaa", 2 }), "");
	assert_string_equal(
	    SIGNATURES(false, { 510, "\x55\xaa", 2 }, { 446, entry, 16 }),
	    "dos '' ''");
	assert_string_equal(SIGNATURES(false, { 510, "\x55\xaa", 2 },
				{ 446, entry, 16 }, { 462, "text", 4 }),
	    "");
}

static void
signatures_of_a_tiny_device(void **state)
{
	unsigned char byte = 0;
	struct signature_list list;

	(void)state;
	magic_signatures(&byte, 0, &byte, 0, arena, &list);
	assert_int_equal(list.count, 0);
	magic_signatures(&byte, 1, &byte, 1, arena, &list);
	assert_int_equal(list.count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geom_tells_providers_and_their_facts),
		cmocka_unit_test(geom_tells_mounts_swap_and_labels),
		cmocka_unit_test(a_partition_has_its_place_in_the_label),
		cmocka_unit_test(geom_tells_partitions_holders_and_twins),
		cmocka_unit_test(geom_survives_any_cut),
		cmocka_unit_test(names_that_share_bytes),
		cmocka_unit_test(base_names_of_nodes),
		cmocka_unit_test(sources_of_mounts_name_devices),
		cmocka_unit_test(hammer2_and_hammer_of_several_volumes),
		cmocka_unit_test(disks_that_are_files),
		cmocka_unit_test(holders_are_one_entry_a_process),
		cmocka_unit_test(only_new_kernel_messages),
		cmocka_unit_test(signatures_by_magic_number),
		cmocka_unit_test(a_boot_record_needs_a_sound_table),
		cmocka_unit_test(signatures_of_a_tiny_device),
	};

	return cmocka_run_group_tests_name(
	    "platform_bsd", tests, set_up, tear_down);
}
