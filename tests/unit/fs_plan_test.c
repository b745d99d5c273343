/*
 * The command lines of the published studies and of every driver, on every
 * system, against golden files.  REGENERATE=1 writes them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/argv.h"
#include "base/buffer.h"
#include "fs/build.h"

enum { MOST = 8 };

/* One matrix in short: toggles and levels by name, all combinations. */
struct sketch {
	const char *golden; /* tests/golden/NAME */
	const char *driver;
	const char *system;
	const char *version;
	enum target_kind kind;
	const char *device;
	const char *toggles[MOST];
	/* exact combinations of tokens instead of the product */
	const char *only[MOST];
	const char *section_options[MOST];
	const char *make_arguments[MOST];
	int64_t sector_size;
};

static struct arena *arena;
static struct error err;

static const struct option *
find(const struct sketch *sketch, const char *token)
{
	const struct driver *driver = fs_driver_find(sketch->driver);
	const struct option *row;

	assert_non_null(driver);
	row = fs_option_find(
	    driver, token, sketch->system, sketch->version, arena);
	if (row == NULL)
		fail_msg("%s on %s has no '%s'", sketch->driver, sketch->system,
		    token);
	return row;
}

static size_t
length_of(const char *const *list)
{
	size_t count = 0;

	while (count < MOST && list[count] != NULL)
		count++;
	return count;
}

static void
print_cell(struct buffer *out, const struct sketch *sketch, struct cell *cell,
    const struct filesystem *filesystem)
{
	if (fs_build_commands(cell, filesystem, sketch->system, sketch->version,
		arena, &err) == -1)
		fail_msg("%s: %s", sketch->golden, err.text);
	buffer_printf(out, "%s (%s; -o '%s'; expected '%s')%s%s\n", cell->key,
	    risk_name(cell->risk), cell->asked, cell->expected,
	    cell->status == CELL_OK ? "" : " ",
	    cell->status == CELL_OK ? "" : cell->reason);
	for (size_t i = 0; i < cell->command_count; i++) {
		struct argv argv;

		argv_init(&argv, arena);
		argv_extend(&argv, cell->commands[i].argv);
		buffer_printf(out, "  %-9s %s\n",
		    rung_name(cell->commands[i].rung), argv_quote(&argv));
	}
}

/* The cell with those toggles on whose bits are set. */
static void
print_combination(struct buffer *out, const struct sketch *sketch,
    unsigned bits, const struct filesystem *filesystem)
{
	size_t count = length_of(sketch->toggles);
	const struct option *on[MOST], *off[MOST];
	struct cell cell = { .driver = sketch->driver, .on = on, .off = off };
	const char *key = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct option *row = find(sketch, sketch->toggles[i]);

		if ((bits & (1U << i)) == 0) {
			off[cell.off_count++] = row;
			continue;
		}
		on[cell.on_count++] = row;
		key = key == NULL
			  ? row->token
			  : arena_printf(arena, "%s+%s", key, row->token);
	}
	cell.key = arena_printf(
	    arena, "%s:%s", sketch->driver, key == NULL ? "default" : key);
	print_cell(out, sketch, &cell, filesystem);
}

static void
print_only(struct buffer *out, const struct sketch *sketch, const char *tokens,
    const struct filesystem *filesystem)
{
	const struct option *on[MOST];
	struct cell cell = { .driver = sketch->driver, .on = on };

	cell.key = arena_printf(arena, "%s:%s", sketch->driver, tokens);
	for (const char *at = tokens; *at != '\0';) {
		size_t size = strcspn(at, "+");

		on[cell.on_count++] =
		    find(sketch, arena_strndup(arena, at, size));
		at += size;
		at += *at == '+' ? 1 : 0;
	}
	print_cell(out, sketch, &cell, filesystem);
}

static void
print_sketch(struct buffer *out, const struct sketch *sketch)
{
	struct target target = {
		.title = "scratch",
		.kind = sketch->kind,
		.path = sketch->device,
		.size_bytes = 4LL << 30,
		.sector_size = sketch->sector_size,
	};
	struct filesystem filesystem = {
		.title = sketch->driver,
		.driver = sketch->driver,
		.target = &target,
		.make_arguments = sketch->make_arguments,
		.make_argument_count = length_of(sketch->make_arguments),
		.mount_options = sketch->section_options,
		.mount_option_count = length_of(sketch->section_options),
	};
	size_t count = length_of(sketch->toggles);

	buffer_printf(out, "# %s on %s%s%s\n", sketch->driver, sketch->system,
	    sketch->version[0] == '\0' ? "" : ":", sketch->version);
	if (sketch->only[0] == NULL)
		for (unsigned bits = 0; bits < 1U << count; bits++)
			print_combination(out, sketch, bits, &filesystem);
	for (size_t i = 0; i < length_of(sketch->only); i++)
		print_only(out, sketch, sketch->only[i], &filesystem);
}

static void
compare(const char *golden, const char *text)
{
	char *path = arena_printf(arena, "tests/golden/%s", golden);
	struct buffer wanted;

	if (getenv("REGENERATE") != NULL) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		assert_true(fputs(text, file) >= 0);
		assert_int_equal(fclose(file), 0);
		return;
	}
	buffer_init(&wanted);
	if (buffer_read_file(&wanted, path, 1 << 20, &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(text, buffer_text(&wanted));
	buffer_reset(&wanted);
}

static void
matches(const struct sketch *sketches, size_t count, const char *golden)
{
	struct buffer out;

	arena = arena_new();
	buffer_init(&out);
	for (size_t i = 0; i < count; i++)
		if (strcmp(sketches[i].golden, golden) == 0)
			print_sketch(&out, &sketches[i]);
	compare(golden, buffer_text(&out));
	buffer_reset(&out);
	arena_free(arena);
}

/* The study of 2001, where it was made and where it is made again. */
#define STUDY                                                                  \
	{                                                                      \
		"noatime", "softupdates", "async"                              \
	}
#define DISK TARGET_DEVICE

static const struct sketch sketches[] = {
	{ "plan-find-usr-2001-freebsd4.txt", "ufs", "freebsd", "4", DISK,
	    "/dev/ad0s1f", .toggles = STUDY },
	{ "plan-find-usr-2001-freebsd14.txt", "ufs", "freebsd", "14", DISK,
	    "/dev/ada0p5", .toggles = STUDY },
	{ "plan-find-usr-2001-dragonfly.txt", "ufs", "dragonfly", "6", DISK,
	    "/dev/da0s1d", .toggles = STUDY },
	{ "plan-find-usr-2001-linux.txt", "ext4", "linux", "", TARGET_IMAGE,
	    NULL,
	    .only = { "strictatime+nojournal+dirsync",
		"strictatime+data=ordered", "strictatime+nojournal",
		"noatime+nojournal+dirsync", "noatime+data=ordered",
		"noatime+nojournal" } },
	{ "plan-linux.txt", "ext2", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime", "nobarrier" } },
	{ "plan-linux.txt", "ext4", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime", "nojournal", "data=writeback" },
	    .make_arguments = { "-O", "bigalloc", "-m", "0" },
	    .sector_size = 4096 },
	{ "plan-linux.txt", "ext4", "linux", "", TARGET_MOUNTPOINT, "/dev/sda2",
	    .toggles = { "noatime", "nodelalloc" } },
	{ "plan-linux.txt", "xfs", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "nobarrier" },
	    .only = { "nobarrier", "reflink=0+logbufs=2" } },
	{ "plan-linux.txt", "btrfs", "linux", "", DISK, "/dev/sdb",
	    .only = { "nodatacow+compress=zstd", "space_cache=v1",
		"metadata=single+data=dup" },
	    .section_options = { "strictatime", "nodiscard" } },
	{ "plan-linux.txt", "f2fs", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "fsync_mode=strict" } },
	{ "plan-linux.txt", "tmpfs", "linux", "", TARGET_MEMORY, NULL,
	    .toggles = { "huge=always" } },
	{ "plan-linux.txt", "overlay", "linux", "", TARGET_MEMORY, NULL,
	    .toggles = { "volatile" } },
	{ "plan-linux.txt", "fuse2fs", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime" } },
	{ "plan-linux.txt", "plain", "linux", "", TARGET_DIRECTORY, "/mnt/x",
	    .toggles = { NULL } },
	{ "plan-zfs.txt", "zfs", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime", "sync=disabled" } },
	{ "plan-zfs.txt", "zfs", "freebsd", "14", DISK, "/dev/ada1",
	    .only = { "recordsize=16K+compression=lz4", "ashift=12" } },
	{ "plan-zfs.txt", "zfs-fuse", "linux", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime" } },
	{ "plan-freebsd.txt", "ufs", "freebsd", "", TARGET_IMAGE, NULL,
	    .only = { "suj", "suj+suj_size=8388608", "softupdates",
		"nosoftupdates+ufs1", "discard+sync", "snapshot", "gjournal" },
	    .sector_size = 4096 },
	{ "plan-freebsd.txt", "ufs", "freebsd", "14", TARGET_IMAGE, NULL,
	    .toggles = { "suj", "discard" } },
	{ "plan-freebsd.txt", "tmpfs", "freebsd", "12", TARGET_MEMORY, NULL,
	    .only = { "nr_inodes=1000" } },
	{ "plan-freebsd.txt", "ufs", "freebsd", "4", TARGET_IMAGE, NULL,
	    .only = { "ufs0+async" } },
	{ "plan-dragonfly.txt", "hammer", "dragonfly", "", DISK, "/dev/da0s1d",
	    .toggles = { "nohistory", "fsync_mode=2" } },
	{ "plan-dragonfly.txt", "hammer", "dragonfly", "", TARGET_IMAGE, NULL,
	    .only = { "undo_size=16m" } },
	{ "plan-dragonfly.txt", "hammer2", "dragonfly", "", TARGET_IMAGE, NULL,
	    .toggles = { "comp=none", "check=disabled" } },
	{ "plan-dragonfly.txt", "ufs", "dragonfly", "", TARGET_IMAGE, NULL,
	    .only = { "trim+ufs1" } },
	{ "plan-netbsd.txt", "ffs", "netbsd", "", DISK, "/dev/wd0e",
	    .toggles = { "noatime", "log", "async" } },
	{ "plan-netbsd.txt", "ffs", "netbsd", "10", TARGET_IMAGE, NULL,
	    .only = { "softdep", "ufs1+discard" } },
	{ "plan-netbsd.txt", "ffs", "netbsd", "6", TARGET_IMAGE, NULL,
	    .only = { "relatime" } },
	{ "plan-netbsd.txt", "lfs", "netbsd", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime" } },
	{ "plan-netbsd.txt", "lfs", "netbsd", "", TARGET_IMAGE, NULL,
	    .only = { "cleaner" } },
	{ "plan-openbsd.txt", "ffs", "openbsd", "", TARGET_IMAGE, NULL,
	    .toggles = { "noatime", "softdep", "async" } },
};

#define GOLDEN(name, file)                                                     \
	static void name(void **state)                                         \
	{                                                                      \
		(void)state;                                                   \
		matches(sketches, sizeof sketches / sizeof sketches[0], file); \
	}

GOLDEN(the_study_of_2001_on_freebsd_4, "plan-find-usr-2001-freebsd4.txt")
GOLDEN(the_study_of_2001_on_freebsd_14, "plan-find-usr-2001-freebsd14.txt")
GOLDEN(the_study_of_2001_on_dragonfly, "plan-find-usr-2001-dragonfly.txt")
GOLDEN(the_study_of_2001_on_linux, "plan-find-usr-2001-linux.txt")
GOLDEN(linux_drivers, "plan-linux.txt")
GOLDEN(zfs_everywhere, "plan-zfs.txt")
GOLDEN(freebsd_drivers, "plan-freebsd.txt")
GOLDEN(dragonfly_drivers, "plan-dragonfly.txt")
GOLDEN(netbsd_drivers, "plan-netbsd.txt")
GOLDEN(openbsd_drivers, "plan-openbsd.txt")

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_study_of_2001_on_freebsd_4),
		cmocka_unit_test(the_study_of_2001_on_freebsd_14),
		cmocka_unit_test(the_study_of_2001_on_dragonfly),
		cmocka_unit_test(the_study_of_2001_on_linux),
		cmocka_unit_test(linux_drivers),
		cmocka_unit_test(zfs_everywhere),
		cmocka_unit_test(freebsd_drivers),
		cmocka_unit_test(dragonfly_drivers),
		cmocka_unit_test(netbsd_drivers),
		cmocka_unit_test(openbsd_drivers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
