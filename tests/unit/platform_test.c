/* The texts of the kernel that platform/ reads, and what is made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "platform/counters.h"
#include "platform/device.h"
#include "platform/flags.h"
#include "platform/host.h"
#include "platform/kernel_log.h"
#include "platform/mounts.h"
#include "platform/text.h"

static struct arena *arena;

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
	arena_free(arena);
	return 0;
}

static struct mount_list
parse(const char *text, size_t bad_wanted)
{
	struct mount_list list;
	size_t bad;

	mountinfo_parse(text, strlen(text), arena, &list, &bad);
	assert_int_equal(bad, bad_wanted);
	return list;
}

static void
mountinfo_lines_give_every_field(void **state)
{
	struct mount_list list = parse(
	    "36 35 7:1 /sub /mnt/a\\040b rw,noatime master:1 shared:2 - ext4"
	    " /dev/loop1 rw,errors=remount-ro,data=ordered\n"
	    "40 35 0:33 / /t ro,relatime - tmpfs  rw,size=1024k\n"
	    "41 35 0:34 / /b\\134n rw - btrfs /dev/x ro\n",
	    0);
	const struct mount_entry *entry = &list.items[0];

	(void)state;
	assert_int_equal(list.count, 3);
	assert_string_equal(entry->mountpoint, "/mnt/a b");
	assert_string_equal(entry->root, "/sub");
	assert_string_equal(entry->type, "ext4");
	assert_string_equal(entry->source, "/dev/loop1");
	assert_string_equal(entry->options, "rw,noatime");
	assert_int_equal(entry->id, 36);
	assert_true(entry->device == platform_make_device(7, 1));
	assert_false(entry->read_only);
	/* an empty source leaves two blanks */
	assert_string_equal(list.items[1].source, "");
	assert_string_equal(list.items[1].super_options, "rw,size=1024k");
	assert_true(list.items[1].read_only);
	assert_string_equal(list.items[2].mountpoint, "/b\\n");
	assert_true(list.items[2].read_only);
}

static void
mountinfo_passes_over_what_it_does_not_know(void **state)
{
	static const char *const lines[] = { "nonsense\n", "1 2\n",
		"1 2 x:y / / rw - ext4 /dev/a rw\n",
		"1 2 8:1 / / rw shared:1 ext4 /dev/a rw\n",
		"1 2 8:1 / / rw -\n", "1 2 8:1 / / rw - ext4\n",
		"1 2 8: / / rw - ext4 a rw\n" };

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		assert_int_equal(parse(lines[i], 1).count, 0);
	assert_int_equal(parse("\n\n", 0).count, 0);
	assert_int_equal(parse("1 2 8:1 / / rw - ext4 /dev/a rw", 0).count, 1);
}

static void
the_topmost_mount_is_found(void **state)
{
	struct mount_list list = parse("1 0 8:1 / / rw - ext4 /dev/a rw\n"
				       "2 1 8:2 / /usr rw - ext4 /dev/b rw\n"
				       "3 2 8:3 / /usr rw - ext4 /dev/c rw\n",
	    0);

	(void)state;
	assert_string_equal(mount_list_at(&list, "/usr")->source, "/dev/c");
	assert_null(mount_list_at(&list, "/us"));
	assert_string_equal(
	    mount_list_holding(&list, "/usr/bin/x")->source, "/dev/c");
	assert_string_equal(
	    mount_list_holding(&list, "/usrlocal")->source, "/dev/a");
	assert_string_equal(mount_list_holding(&list, "/")->source, "/dev/a");
}

static void
options_in_force_are_merged_without_repeats(void **state)
{
	static const struct {
		const char *options;
		const char *super;
		const char *wanted;
	} cases[] = {
		{ "rw,noatime", "rw,data=ordered", "rw,noatime,data=ordered" },
		{ "ro,relatime", "rw,commit=9", "ro,relatime,commit=9" },
		{ "rw,relatime", "ro", "rw,relatime,ro" },
		{ "rw", "", "rw" },
		{ "rw", "rw,context=\"a,b\",x", "rw,context=\"a,b\",x" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct mount_entry entry = { .options = cases[i].options,
			.super_options = cases[i].super };

		assert_string_equal(
		    mount_options_in_force(arena, &entry), cases[i].wanted);
	}
}

static void
an_option_is_a_whole_word(void **state)
{
	(void)state;
	assert_true(mount_options_have("rw,commit=5", "commit"));
	assert_true(mount_options_have("rw,commit=5", "commit=5"));
	assert_true(mount_options_have("ro", "ro"));
	assert_false(mount_options_have("errors=remount-ro", "ro"));
	assert_false(mount_options_have("noatime", "atime"));
	assert_false(mount_options_have("commit=50", "commit=5"));
	assert_false(mount_options_have("", "ro"));
}

static void
swap_lines_give_paths(void **state)
{
	static const char text[] =
	    "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
	    "/dev/loop0                              partition\t8188\t0\t-2\n"
	    "/var/a\\040swap                          file\t\t8188\t0\t-3\n"
	    "/gone\\040(deleted)                      file\t\t8188\t0\t-3\n";
	struct swap_list list;

	(void)state;
	swaps_parse(text, sizeof text - 1, arena, &list);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.paths[0], "/dev/loop0");
	assert_string_equal(list.paths[1], "/var/a swap");
	assert_string_equal(list.paths[2], "/gone");
}

static void
disk_counters_of_old_and_new_kernels(void **state)
{
	struct device_counters now;
	struct device_counters before = { .reads = 1, .busy_ns = 5 };

	(void)state;
	assert_int_equal(
	    counters_parse_sysfs("  136   7  2048   11   24   3   160   9   0"
				 "   20   20   4   0   8   0   5   1\n",
		&now),
	    0);
	assert_int_equal(now.reads, 136);
	assert_int_equal(now.read_bytes, 2048 * 512);
	assert_int_equal(now.writes, 24);
	assert_int_equal(now.write_bytes, 160 * 512);
	assert_int_equal(now.busy_ns, 20000000);
	assert_int_equal(now.discards, 4);
	assert_int_equal(now.flushes, 5);
	assert_true(now.has_flushes);
	now = counters_difference(&now, &before);
	assert_int_equal(now.reads, 135);
	assert_int_equal(now.busy_ns, 19999995);
	assert_int_equal(
	    counters_parse_sysfs("1 2 3 4 5 6 7 8 9 10 11\n", &now), 0);
	assert_false(now.has_flushes);
	assert_int_equal(counters_parse_sysfs("1 2 3\n", &now), -1);
	assert_int_equal(counters_parse_sysfs("", &now), -1);
}

static void
kernel_records_become_lines(void **state)
{
	static const struct {
		const char *record;
		const char *wanted;
	} cases[] = {
		{ "6,339,5140900,-;EXT4-fs (loop1): mounted\n",
		    "EXT4-fs (loop1): mounted" },
		{ "4,1,2,-,caller=T1;a\\x0ab\\x5c\n SUBSYSTEM=block\n",
		    "a b\\" },
		{ "6,1,2,-;no newline", "no newline" },
		{ "6,1,2,-;cut \\x4", "cut \\x4" },
		{ " KEY=value;x\n", NULL },
		{ "6,1,2,-", NULL },
		{ "6,1,2,-;\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *clean =
		    kmsg_clean(arena, cases[i].record, strlen(cases[i].record));

		if (cases[i].wanted == NULL)
			assert_null(clean);
		else
			assert_string_equal(clean, cases[i].wanted);
	}
}

static void
flags_become_words(void **state)
{
	static const struct flag_word table[] = { { 1, "ro" },
		{ 0x200000, "softupdates" }, { 0x1000, "" },
		{ UINT64_C(0x100000000), "suj" }, { 0, NULL } };

	static const struct flag_word spread[] = {
		{ 1, "ro" },
		{ UINT64_C(0xa80000000), "noclusterw" },
		{ UINT64_C(0x80000000), "noclusterw" },
		{ UINT64_C(0x800000000), "untrusted" },
		{ 0, NULL },
	};

	(void)state;
	/* FreeBSD's noclusterw is an int's sign that spread */
	assert_string_equal(
	    flags_in_words(arena, spread, UINT64_C(0xa80000001)),
	    "ro,noclusterw");
	assert_string_equal(
	    flags_in_words(arena, spread, UINT64_C(0x880000000)),
	    "noclusterw,untrusted");
	assert_string_equal(flags_in_words(arena, table, 0), "");
	assert_string_equal(flags_in_words(arena, table, 0x1001), "ro");
	assert_string_equal(
	    flags_in_words(arena, table, UINT64_C(0x100000001)), "ro,suj");
	assert_string_equal(
	    flags_in_words(arena, table, 0x200006), "softupdates,0x6");
	assert_string_equal(flags_in_words(arena, table, 2), "0x2");
}

static void
facts_keep_their_order_and_leave_out_nothing_known(void **state)
{
	struct fact_list facts = { 0 };

	(void)state;
	fact_list_add(arena, &facts, "cpu", "fast");
	fact_list_add(arena, &facts, "governor", "");
	fact_list_add(arena, &facts, "serial", NULL);
	fact_list_add(arena, &facts, "memory", "1 GiB");
	assert_int_equal(facts.count, 2);
	assert_string_equal(fact_list_get(&facts, "memory"), "1 GiB");
	assert_null(fact_list_get(&facts, "governor"));
}

static void
devices_are_compared_by_number_and_files_by_inode(void **state)
{
	struct device_info a = { .kind = DEVICE_DISK, .id = 5, .inode = 1 };
	struct device_info b = { .kind = DEVICE_DISK, .id = 5, .inode = 2 };

	(void)state;
	assert_true(device_is_same(&a, &b));
	a.kind = b.kind = DEVICE_IMAGE;
	assert_false(device_is_same(&a, &b));
	b.inode = 1;
	assert_true(device_is_same(&a, &b));
	b.kind = DEVICE_DIRECTORY;
	assert_false(device_is_same(&a, &b));
	a.kind = b.kind = DEVICE_ABSENT;
	assert_false(device_is_same(&a, &b));
}

static bool
has_one_identity(const struct device_info *a, const struct device_info *b)
{
	return strcmp(device_identity(a, arena), device_identity(b, arena)) ==
	       0;
}

static void
a_disk_that_comes_back_is_known_by_what_it_keeps(void **state)
{
	struct device_info a = { .id = 5,
		.size_bytes = 100,
		.serial = "S1",
		.sequence = "7",
		.backing_file = "" };
	struct device_info b = a;

	(void)state;
	b.sequence = "8";
	assert_true(has_one_identity(&a, &b));
	b.serial = "S2";
	assert_false(has_one_identity(&a, &b));
	a.serial = b.serial = "";
	assert_false(has_one_identity(&a, &b));
	b.sequence = "7";
	assert_true(has_one_identity(&a, &b));
	b.id = 6;
	assert_false(has_one_identity(&a, &b));
	a.backing_file = b.backing_file = "/disk";
	assert_true(has_one_identity(&a, &b));
	b.size_bytes = 50;
	assert_false(has_one_identity(&a, &b));
	b.size_bytes = 100;
	b.backing_file = "/other";
	assert_false(has_one_identity(&a, &b));
}

static void
lists_keep_what_grows_past_their_room(void **state)
{
	struct name_list list = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		name_list_add(arena, &list, arena_printf(arena, "%d", i));
	name_list_add(arena, &list, "500");
	assert_int_equal(list.count, 1000);
	for (size_t i = 0; i < list.count; i++)
		assert_int_equal(text_number(list.names[i], -1), i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mountinfo_lines_give_every_field),
		cmocka_unit_test(mountinfo_passes_over_what_it_does_not_know),
		cmocka_unit_test(the_topmost_mount_is_found),
		cmocka_unit_test(options_in_force_are_merged_without_repeats),
		cmocka_unit_test(an_option_is_a_whole_word),
		cmocka_unit_test(swap_lines_give_paths),
		cmocka_unit_test(disk_counters_of_old_and_new_kernels),
		cmocka_unit_test(kernel_records_become_lines),
		cmocka_unit_test(flags_become_words),
		cmocka_unit_test(
		    facts_keep_their_order_and_leave_out_nothing_known),
		cmocka_unit_test(
		    devices_are_compared_by_number_and_files_by_inode),
		cmocka_unit_test(
		    a_disk_that_comes_back_is_known_by_what_it_keeps),
		cmocka_unit_test(lists_keep_what_grows_past_their_room),
	};

	return cmocka_run_group_tests_name(
	    "platform", tests, set_up, tear_down);
}
