/* Finding drivers, systems and tokens; the tables' own soundness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fs/build.h"
#include "fs/driver.h"
#include "system/system.h"

static struct arena *arena;
static struct error err;

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

static const struct option *
find(const char *driver, const char *token, const char *system,
    const char *version)
{
	return fs_option_find(
	    fs_driver_find(driver), token, system, version, arena);
}

static void
a_system_is_named_with_or_without_version(void **state)
{
	const struct system *system;
	const char *version;

	(void)state;
	assert_int_equal(system_find("freebsd:14", &system, &version, &err), 0);
	assert_string_equal(system->name, "freebsd");
	assert_string_equal(version, "14");
	assert_int_equal(system_find("linux", &system, &version, &err), 0);
	assert_string_equal(version, "");
	assert_int_equal(system_find("freebds", &system, &version, &err), -1);
	assert_non_null(strstr(err.text, "'freebds' is none of linux"));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(system_find("netbsd:", &system, &version, &err), -1);
	assert_int_equal(system_find("linux:x", &system, &version, &err), -1);
}

static void
version_ranges_take_in_minor_releases(void **state)
{
	static const struct {
		const char *list;
		const char *name;
		const char *version;
		bool matches;
	} cases[] = {
		{ NULL, "linux", "", true },
		{ "linux", "linux", "6.1", true },
		{ "linux", "linuxulator", "", false },
		{ "freebsd", "free", "", false },
		{ "freebsd:5-", "freebsd", "4", false },
		{ "freebsd:5-", "freebsd", "5", true },
		{ "freebsd:5-", "freebsd", "14.2-RELEASE", true },
		{ "freebsd:5-", "freebsd", "", true },
		{ "freebsd:-4", "freebsd", "4.11", true },
		{ "freebsd:-4", "freebsd", "5", false },
		{ "freebsd:-4", "freebsd", "", false },
		{ "freebsd:5-8", "freebsd", "8.2", true },
		{ "freebsd:5-8", "freebsd", "9.0", false },
		{ "freebsd:12.1-", "freebsd", "12.0", false },
		{ "freebsd:12.1-", "freebsd", "12.10", true },
		{ "freebsd:14", "freebsd", "14.1", true },
		{ "openbsd:7.4-", "openbsd", "7.3", false },
		{ "openbsd:7.4-", "openbsd", "7.4", true },
		{ "openbsd:7.4-", "openbsd", "7.10", true },
		{ "openbsd:-7.3", "openbsd", "7.4", false },
		{ "openbsd:-7.3", "openbsd", "6.9", true },
		/* a version without its minor release is the newest of them */
		{ "openbsd:7.4-", "openbsd", "7", true },
		{ "openbsd:-7.3", "openbsd", "7", false },
		{ "openbsd:-7.3", "openbsd", "6", true },
		{ "openbsd:7.4", "openbsd", "7.3", false },
		{ "freebsd:-4 dragonfly", "dragonfly", "6", true },
		{ "freebsd:-4 dragonfly", "netbsd", "9", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (system_matches(cases[i].list, cases[i].name,
			cases[i].version) != cases[i].matches)
			fail_msg("'%s' and %s:%s", cases[i].list, cases[i].name,
			    cases[i].version);
}

static void
attached_units_are_found_in_what_is_printed(void **state)
{
	const struct system *system;
	const struct system_attach *attach;
	const char *version, *unit;

	(void)state;
	(void)system_find("freebsd:12.1", &system, &version, &err);
	attach = system_attach_of(system, version);
	unit = system_attached_unit(attach, "md10\n", arena);
	assert_string_equal(unit, "10");
	assert_string_equal(
	    system_attached_device(attach, unit, arena), "/dev/md10");
	assert_null(system_attached_unit(attach, "mdconfig: no\n", arena));
	(void)system_find("linux", &system, &version, &err);
	attach = system_attach_of(system, version);
	assert_string_equal(
	    system_attached_unit(attach, "/dev/loop3\n", arena), "3");
	(void)system_find("netbsd", &system, &version, &err);
	attach = system_attach_of(system, version);
	assert_string_equal(
	    system_attached_device(attach, "1", arena), "/dev/vnd1a");
	assert_string_equal(
	    system_raw_name(system, "/dev/wd0e", arena), "/dev/rwd0e");
	assert_string_equal(
	    system_raw_name(system, "/dev/rwd0e", arena), "/dev/rwd0e");
	(void)system_find("dragonfly", &system, &version, &err);
	assert_string_equal(
	    system_raw_name(system, "/dev/da0s1d", arena), "/dev/da0s1d");
}

static void
one_idea_is_one_token_under_all_its_names(void **state)
{
	(void)state;
	assert_string_equal(
	    find("ufs", "su", "freebsd", "14")->token, "softupdates");
	assert_string_equal(
	    find("ufs", "trim", "dragonfly", "")->token, "discard");
	assert_string_equal(
	    find("ext4", "barrier=0", "linux", "")->token, "nobarrier");
	assert_string_equal(fs_token_name("wapbl"), "log");
	assert_string_equal(fs_token_name("noatime"), "noatime");
}

static void
a_pattern_carries_its_value(void **state)
{
	const struct option *row = find("ext4", "commit=30", "linux", "");

	(void)state;
	assert_string_equal(row->token, "commit=30");
	assert_string_equal(row->on, "commit=30");
	assert_string_equal(row->readback, "commit=30");
	/* the default's own value is a row of its own, and no deviation */
	assert_string_equal(find("ext4", "commit=5", "linux", "")->effect, "");
	assert_string_equal(
	    find("ufs", "block_size=16384", "freebsd", "")->on, "-b 16384");
	assert_null(find("ext4", "commit=", "linux", ""));
	assert_null(find("ext4", "commit", "linux", ""));
	assert_string_equal(find("btrfs", "compress=zstd:7", "linux", "")->on,
	    "compress=zstd:7");
}

static void
a_token_belongs_to_systems(void **state)
{
	(void)state;
	assert_null(find("ffs", "log", "openbsd", ""));
	assert_non_null(find("ffs", "log", "netbsd", ""));
	assert_null(find("ufs", "suj", "dragonfly", ""));
	assert_null(find("ufs", "suj", "freebsd", "8"));
	assert_non_null(find("ufs", "suj", "freebsd", "9.0"));
	assert_null(find("ufs", "ufs2", "freebsd", "4"));
	/* Linux has no async that endangers anything */
	assert_string_equal(find("ext4", "async", "linux", "")->effect, "");
	assert_int_equal(find("ufs", "async", "freebsd", "")->risk, RISK_WRECK);
}

static void
owners_and_neighbours_are_named(void **state)
{
	const char *owners = fs_option_owners("softupdates", arena);

	(void)state;
	assert_string_equal(owners, "ufs (freebsd, dragonfly)");
	assert_string_equal(fs_option_owners("data=journal", arena),
	    "ext3 (linux), ext4 "
	    "(linux)");
	assert_null(fs_option_owners("bogus", arena));
	assert_string_equal(
	    fs_option_nearest(fs_driver_find("ext4"), "noatme", "linux", ""),
	    "noatime");
	assert_string_equal(fs_option_nearest(fs_driver_find("ufs"),
				"softupdate", "freebsd", ""),
	    "softupdates");
	assert_null(fs_option_nearest(
	    fs_driver_find("tmpfs"), "softupdates", "linux", ""));
	assert_string_equal(fs_driver_nearest("brtfs"), "btrfs");
	assert_null(fs_driver_find("ext5"));
}

static void
durability_is_from_power_cuts(void **state)
{
	static const struct {
		const char *driver;
		const char *system;
		const char *tokens[3];
		const char *kept; /* NULL: not tested */
	} cases[] = {
		{ "ufs", "freebsd", { NULL }, "5 of 5" },
		{ "ufs", "freebsd", { "softupdates" }, "5 of 5" },
		{ "ufs", "freebsd", { "suj" }, "5 of 5" },
		{ "ufs", "freebsd", { "async" }, "0 of 5" },
		/* soft updates make async void */
		{ "ufs", "freebsd", { "softupdates", "async" }, "5 of 5" },
		{ "ufs", "freebsd", { "gjournal" }, NULL },
		{ "ufs", "dragonfly", { "async", "noatime" }, "0 of 5" },
		{ "hammer", "dragonfly", { "nohistory" }, "0 of 5" },
		{ "hammer", "dragonfly", { "fsync_mode=2" }, "4 of 5" },
		{ "hammer", "dragonfly", { "fsync_mode=4" }, "0 of 5" },
		{ "hammer2", "dragonfly", { "comp=none" }, "0 of 5" },
		{ "ffs", "netbsd", { "noatime" }, "5 of 5" },
		{ "ffs", "netbsd", { "log" }, "0 of 5" },
		{ "ffs", "netbsd", { "async" }, "0 of 5" },
		{ "ffs", "openbsd", { "async" }, NULL },
		{ "lfs", "netbsd", { NULL }, NULL },
		/* its devices count flushes */
		{ "ext4", "linux", { "nobarrier" }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct option *on[3];
		struct cell cell = { .driver = cases[i].driver, .on = on };
		const char *kept;

		while (cases[i].tokens[cell.on_count] != NULL) {
			on[cell.on_count] = find(cases[i].driver,
			    cases[i].tokens[cell.on_count], cases[i].system,
			    "");
			cell.on_count++;
		}
		kept = fs_durability(&cell, cases[i].system, "", arena);
		if ((kept == NULL) != (cases[i].kept == NULL) ||
		    (kept != NULL && strcmp(kept, cases[i].kept) != 0))
			fail_msg("case %zu, %s: %s", i, cases[i].driver,
			    kept == NULL ? "(none)" : kept);
	}
}

/* True when two rows could both be meant on one system. */
static bool
overlap(const struct option *a, const struct option *b)
{
	static const char *const places[][2] = { { "linux", "" },
		{ "freebsd", "4" }, { "freebsd", "5" }, { "freebsd", "8" },
		{ "freebsd", "9" }, { "freebsd", "14" }, { "dragonfly", "" },
		{ "netbsd", "" }, { "openbsd", "" }, { "openbsd", "7.3" } };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (system_matches(a->systems, places[i][0], places[i][1]) &&
		    system_matches(b->systems, places[i][0], places[i][1]))
			return true;
	return false;
}

static void
no_token_has_two_rows_for_one_stage(void **state)
{
	size_t tokens = 0, rows = 0;

	(void)state;
	for (size_t i = 0; fs_driver_at(i) != NULL; i++) {
		const struct driver *driver = fs_driver_at(i);
		const struct option **list;

		tokens += fs_options_list(driver, &list, arena);
		for (const struct option *a = driver->options; a->token != NULL;
		     a++, rows++)
			for (const struct option *b = a + 1; b->token != NULL;
			     b++)
				if (strcmp(a->token, b->token) == 0 &&
				    a->stage == b->stage && overlap(a, b))
					fail_msg("%s: %s twice at %s",
					    driver->name, a->token,
					    stage_name(a->stage));
	}
	printf("# counts: %zu tokens in %zu rows\n", tokens, rows);
}

static void
every_row_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; fs_driver_at(i) != NULL; i++) {
		const struct driver *driver = fs_driver_at(i);
		const struct option **list;
		size_t count = fs_options_list(driver, &list, arena);

		for (size_t j = 0; j < count; j++) {
			const struct option *row = list[j];

			if (row->summary == NULL)
				fail_msg("%s: %s has no summary", driver->name,
				    row->token);
			if (row->on == NULL)
				fail_msg("%s: %s has no ON form", driver->name,
				    row->token);
			if (strlen(row->summary) > 66)
				fail_msg("%s: %s: summary too long",
				    driver->name, row->token);
		}
	}
}

/* What a cell may not do without: its relations name tokens that exist. */
static void
check_relation(const struct driver *driver, const struct option *row,
    const char *list, const char *what)
{
	for (const char *at = list; at != NULL && *at != '\0';) {
		size_t size = strcspn(at, " ");
		const char *word = arena_strndup(arena, at, size);
		size_t prefix = strcspn(word, "*");
		bool found;

		/* rows shared by a family may name a token that only some of
		 * it have */
		found = fs_option_owners(word[prefix] == '\0'
					     ? word
					     : arena_printf(arena, "%.*s1",
						   (int)prefix, word),
			    arena) != NULL;
		if (!found)
			fail_msg("%s: %s %s '%s', which is no token",
			    driver->name, row->token, what, word);
		at += size;
		at += strspn(at, " ");
	}
}

static void
relations_name_tokens_of_the_tables(void **state)
{
	(void)state;
	for (size_t i = 0; fs_driver_at(i) != NULL; i++) {
		const struct driver *driver = fs_driver_at(i);

		for (const struct option *row = driver->options;
		     row->token != NULL; row++) {
			check_relation(
			    driver, row, row->conflicts, "conflicts with");
			check_relation(driver, row, row->voids, "voids");
			check_relation(driver, row, row->implies, "implies");
		}
	}
}

static void
what_cannot_be_is_refused_by_name(void **state)
{
	struct target target = {
		.title = "small", .kind = TARGET_IMAGE, .size_bytes = 100 << 20
	};
	struct filesystem filesystem = { .title = "x",
		.driver = "xfs",
		.target = &target,
		.at = { "night.conf", 7 } };
	struct cell cell = { .driver = "xfs" };

	(void)state;
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "linux", "", arena, &err),
	    -1);
	assert_string_equal(err.text,
	    "night.conf:7: filesystem 'x': target 'small' has 100 MiB, xfs "
	    "needs at least 300 MiB");
	target.size_bytes = 1 << 30;
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "netbsd", "", arena, &err),
	    -1);
	assert_non_null(strstr(err.text, "not available on netbsd"));
	target.kind = TARGET_MEMORY;
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "linux", "", arena, &err),
	    -1);
	assert_non_null(strstr(err.text, "which is memory"));
	target.kind = TARGET_IMAGE;
	filesystem.driver = "custom";
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "linux", "", arena, &err),
	    -1);
}

static void
custom_lines_are_split_and_filled(void **state)
{
	static const struct option lazy = { .token = "lazyflush",
		.stage = STAGE_MOUNT,
		.on = "lazyflush",
		.risk = RISK_WINDOW };
	static const struct option big = {
		.token = "big", .stage = STAGE_MAKE, .on = "--blocks 'very big'"
	};
	const struct option *on[] = { &lazy, &big };
	struct target target = { .title = "t", .kind = TARGET_DEVICE };
	struct filesystem filesystem = {
		.title = "foo",
		.driver = "custom",
		.target = &target,
		.custom_make = "mkfs.foo -n 'my label' %d",
		.custom_mount = "mount -t foo -o %o %d %m",
		.custom_check = "fsck.foo %d",
	};
	struct cell cell = { .driver = "custom", .on = on, .on_count = 2 };

	(void)state;
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "linux", "", arena, &err), 0);
	assert_int_equal(cell.command_count, 4);
	assert_string_equal(cell.commands[0].argv[2], "my label");
	assert_string_equal(cell.commands[0].argv[3], "--blocks");
	assert_string_equal(cell.commands[0].argv[4], "very big");
	assert_string_equal(cell.commands[0].argv[5], "%d");
	assert_string_equal(cell.commands[1].argv[4], "lazyflush");
	assert_int_equal(cell.risk, RISK_WINDOW);
}

static void
programs_are_named_once(void **state)
{
	struct target target = {
		.title = "t", .kind = TARGET_IMAGE, .size_bytes = 1LL << 30
	};
	struct filesystem filesystem = {
		.title = "x", .driver = "xfs", .target = &target
	};
	struct cell cell = { .driver = "xfs" };
	const char *const *programs;
	static const char *const wanted[] = { "losetup", "mkfs.xfs", "mount",
		"umount", "xfs_repair", "xfs_info", NULL };

	(void)state;
	assert_int_equal(
	    fs_build_commands(&cell, &filesystem, "linux", "", arena, &err), 0);
	programs = fs_programs(&cell, "linux", "", arena);
	for (size_t i = 0; wanted[i] != NULL; i++)
		assert_string_equal(programs[i], wanted[i]);
	assert_null(programs[6]);
}

static void
a_stored_cell_gets_its_rows_back(void **state)
{
	struct cell_level levels[] = { { "noatime", "off", true },
		{ "su", "on", true }, { "commit", "30", false },
		{ "data", "writeback", false } };
	struct cell cell = {
		.driver = "ext4", .levels = levels, .level_count = 4
	};

	(void)state;
	fs_bind_cell(&cell, "linux", "", arena);
	assert_int_equal(cell.off_count, 1);
	assert_int_equal(cell.on_count, 2); /* ext4 has no soft updates */
	assert_string_equal(cell.on[0]->token, "commit=30");
	assert_string_equal(cell.on[1]->token, "data=writeback");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_system_is_named_with_or_without_version),
		TEST(version_ranges_take_in_minor_releases),
		TEST(attached_units_are_found_in_what_is_printed),
		TEST(one_idea_is_one_token_under_all_its_names),
		TEST(a_pattern_carries_its_value),
		TEST(a_token_belongs_to_systems),
		TEST(owners_and_neighbours_are_named),
		TEST(durability_is_from_power_cuts),
		TEST(no_token_has_two_rows_for_one_stage),
		TEST(every_row_is_whole),
		TEST(relations_name_tokens_of_the_tables),
		TEST(what_cannot_be_is_refused_by_name),
		TEST(custom_lines_are_split_and_filled),
		TEST(programs_are_named_once),
		TEST(a_stored_cell_gets_its_rows_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
