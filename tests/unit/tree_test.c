/* Trees: what goes in comes out, whatever the format and the order. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tree/tree.h"

static char box[PATH_MAX];
static char archive_path[PATH_MAX + 16];
static char out[PATH_MAX + 16];
static struct arena *arena;

struct item {
	mode_t type;
	const char *name;
	const char *link; /* hard link when type is S_IFREG */
	size_t size;
	mode_t mode;
};

/* Unordered, with folders listed late or never, a read-only folder, a name
 * that is not ASCII, hard and symbolic links. */
static const struct item items[] = {
	{ S_IFREG, "usr/share/doc/a.txt", NULL, 5000, 0644 },
	{ S_IFREG, "top", NULL, 0, 0600 },
	{ S_IFDIR, "usr", NULL, 0, 0755 },
	{ S_IFREG, "usr/bin/tool", NULL, 200000, 0755 },
	{ S_IFREG, "usr/share/doc/gr\303\274n", NULL, 17, 0444 },
	{ S_IFLNK, "usr/bin/alias", "tool", 0, 0777 },
	{ S_IFDIR, "sealed", NULL, 0, 0555 },
	{ S_IFREG, "sealed/inside", NULL, 100, 0400 },
	{ S_IFREG, "usr/lib/x/y/z/deep", NULL, 4096, 0644 },
	{ S_IFDIR, "empty", NULL, 0, 0700 },
	{ S_IFREG, "usr/share/doc/b.txt", NULL, 4097, 0644 },
};
enum { ITEMS = sizeof items / sizeof *items, IMPLIED = 7 };

static void
write_item(struct archive *to, const struct item *item)
{
	struct archive_entry *entry = archive_entry_new();
	char *data = malloc(item->size + 1);
	struct rng rng;

	archive_entry_set_pathname(entry, item->name);
	archive_entry_set_mode(entry, item->type | item->mode);
	archive_entry_set_size(entry, (la_int64_t)item->size);
	archive_entry_set_mtime(entry, 1000000000, 0);
	if (item->link != NULL && item->type == S_IFLNK)
		archive_entry_set_symlink(entry, item->link);
	if (item->link != NULL && item->type == S_IFREG)
		archive_entry_set_hardlink(entry, item->link);
	if (archive_write_header(to, entry) < ARCHIVE_WARN)
		fail_msg("%s: %s", item->name, archive_error_string(to));
	rng_seed(&rng, item->size);
	rng_fill(&rng, data, item->size);
	if (item->size > 0)
		assert_int_equal(
		    archive_write_data(to, data, item->size), item->size);
	archive_entry_free(entry);
	free(data);
}

static void
save(const char *format, const char *filter, const struct item *list,
    size_t count)
{
	struct archive *to = archive_write_new();

	assert_int_equal(archive_write_set_format_by_name(to, format), 0);
	if (filter != NULL)
		assert_int_equal(
		    archive_write_add_filter_by_name(to, filter), 0);
	assert_int_equal(archive_write_open_filename(to, archive_path), 0);
	for (size_t i = 0; i < count; i++)
		write_item(to, &list[i]);
	assert_int_equal(archive_write_close(to), 0);
	(void)archive_write_free(to);
}

static void
save_text(const char *text)
{
	FILE *file = fopen(archive_path, "wb");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int
remove_one(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static int
open_up(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)where;
	(void)type;
	return S_ISDIR(status->st_mode) ? chmod(path, 0700) : 0;
}

static void
empty_out(void)
{
	(void)nftw(out, open_up, 16, FTW_PHYS);
	assert_int_equal(nftw(out, remove_one, 16, FTW_PHYS | FTW_DEPTH), 0);
	assert_int_equal(mkdir(out, 0755), 0);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	arena = arena_new();
	(void)snprintf(
	    box, sizeof box, "%s/mm-tree-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(box) == NULL)
		return -1;
	(void)snprintf(archive_path, sizeof archive_path, "%s/archive", box);
	(void)snprintf(out, sizeof out, "%s/out", box);
	return mkdir(out, 0755);
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	(void)nftw(out, open_up, 16, FTW_PHYS);
	return nftw(box, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static struct tree *
load(const struct tree_limits *limits)
{
	struct tree *tree = NULL;
	struct error err = { 0 };

	if (tree_load(archive_path, limits, &tree, &err) == -1)
		fail_msg("%s", err.text);
	return tree;
}

static struct populate_result
populate(const struct tree *tree, int64_t copies, int64_t age_ns)
{
	struct populate_options options = { .copies = copies,
		.age_ns = age_ns };
	struct populate_result result;
	struct error err = { 0 };

	if (tree_populate(tree, out, &options, arena, &result, &err) == -1)
		fail_msg("%s", err.text);
	return result;
}

static struct verify_result
verify(const struct tree *tree, int64_t copies, bool contents)
{
	struct verify_options options = { .copies = copies,
		.contents = contents };
	struct verify_result result;
	struct error err = { 0 };

	if (tree_verify(tree, out, &options, arena, &result, &err) == -1)
		fail_msg("%s", err.text);
	return result;
}

static void
assert_written(const struct tree *tree, int64_t copies)
{
	struct populate_result written = populate(tree, copies, 0);
	struct verify_result verified = verify(tree, copies, true);

	if (written.errno_value != 0)
		fail_msg("%s %s: %s", written.action, written.path,
		    strerror(written.errno_value));
	if (!verified.ok)
		fail_msg("%s %s", verified.path, verified.reason);
}

static struct stat
status_of(const char *name)
{
	char *path = arena_printf(arena, "%s/%s", out, name);
	struct stat status;

	if (lstat(path, &status) == -1)
		fail_msg("%s: %s", name, strerror(errno));
	return status;
}

static void
assert_same_digest(const struct tree *tree, uint64_t digest, const char *format)
{
	if (tree_summary(tree)->digest != digest)
		fail_msg("%s gives another tree", format);
}

static void
test_every_format_and_filter(void **state)
{
	static const char *const formats[] = { "pax", "ustar", "gnutar", "newc",
		"zip", "7zip", "iso9660" };
	static const char *const filters[] = { NULL, "gzip", "bzip2", "xz",
		"zstd", "lz4", "lzip", "compress" };
	uint64_t digest = 0;
	int tried = 0;

	(void)state;
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		size_t count = f >= 4 ? 1 : sizeof filters / sizeof *filters;

		for (size_t c = 0; c < count; c++) {
			struct tree *tree;

			/* ISO images fold what they cannot name */
			if (strcmp(formats[f], "iso9660") == 0)
				save(formats[f], NULL, items, 1);
			else
				save(formats[f], filters[c], items, ITEMS);
			tree = load(NULL);
			assert_written(tree, 1);
			if (digest == 0)
				digest = tree_summary(tree)->digest;
			if (strcmp(formats[f], "iso9660") != 0)
				assert_same_digest(tree, digest, formats[f]);
			tree_free(tree);
			empty_out();
			tried++;
		}
	}
	print_message("# %d combinations of format and filter\n", tried);
}

static void
test_counts_modes_and_times(void **state)
{
	struct tree *tree;
	const struct tree_summary *summary;
	struct tree_summary disk;
	struct error err = { 0 };
	struct stat status;

	(void)state;
	save("pax", "zstd", items, ITEMS);
	tree = load(NULL);
	summary = tree_summary(tree);
	assert_int_equal(summary->entries, ITEMS + IMPLIED);
	assert_int_equal(summary->files, 7);
	assert_int_equal(summary->directories, 3 + IMPLIED);
	assert_int_equal(summary->symlinks, 1);
	assert_int_equal(
	    summary->bytes, 5000 + 200000 + 17 + 100 + 4096 + 4097);
	assert_int_equal(summary->blocks_4k, 2 + 49 + 1 + 1 + 1 + 2);
	assert_string_equal(tree_remarks(tree, arena), "");
	assert_written(tree, 1);
	assert_int_equal(tree_digest(out, &disk, arena, &err), 0);
	assert_int_equal(disk.entries, summary->entries);
	assert_int_equal(disk.bytes, summary->bytes);
	assert_true(disk.digest == summary->digest);
	status = status_of("usr/bin/tool");
	assert_int_equal(status.st_mode & 07777, 0755);
	assert_int_equal(status.st_mtime, 1000000000);
	status = status_of("sealed");
	assert_int_equal(status.st_mode & 07777, 0555);
	assert_int_equal(status.st_mtime, 1000000000);
	assert_int_equal(status_of("usr/bin/alias").st_mtime, 1000000000);
	assert_int_equal(status_of("top").st_mode & 07777, 0600);
	tree_free(tree);
}

/* Too large for memory: the same tree, read again for each copy. */
static void
test_streamed_equals_kept(void **state)
{
	static const struct tree_limits tiny = { .memory_bytes = 10000 };
	struct tree *kept;
	struct tree *streamed;
	struct error err = { 0 };
	struct populate_options plain = { .copies = 1 };
	struct populate_result result;

	(void)state;
	save("pax", "gzip", items, ITEMS);
	kept = load(NULL);
	streamed = load(&tiny);
	assert_false(tree_summary(kept)->is_streamed);
	assert_true(tree_summary(streamed)->is_streamed);
	assert_true(
	    tree_summary(kept)->digest == tree_summary(streamed)->digest);
	assert_written(streamed, 3);
	empty_out();
	save("pax", "gzip", items, ITEMS - 1);
	assert_int_equal(
	    tree_populate(streamed, out, &plain, arena, &result, &err), -1);
	assert_non_null(strstr(err.text, "changed since it was loaded"));
	tree_free(kept);
	tree_free(streamed);
}

static void
test_copies(void **state)
{
	struct tree *tree;
	struct verify_result verified;

	(void)state;
	save("pax", NULL, items, ITEMS);
	tree = load(NULL);
	assert_written(tree, 3);
	(void)status_of("copy-0001/usr/bin/tool");
	(void)status_of("copy-0003/empty");
	verified = verify(tree, 4, false);
	assert_false(verified.ok);
	assert_string_equal(verified.path, "copy-0004");
	tree_free(tree);
}

static void
test_age(void **state)
{
	static const int64_t day_ns = (int64_t)86400 * 1000000000;
	struct tree *tree;
	time_t then = time(NULL) - 3 * 86400;
	static const char *const names[] = { "top", "usr", "sealed/inside" };

	(void)state;
	save("pax", NULL, items, ITEMS);
	tree = load(NULL);
	assert_int_equal(populate(tree, 1, 3 * day_ns).errno_value, 0);
	for (size_t i = 0; i < 3; i++) {
		struct stat status = status_of(names[i]);

		assert_in_range(status.st_atime, then, then + 60);
		assert_in_range(status.st_mtime, then, then + 60);
	}
	tree_free(tree);
}

/* The last of two entries counts; hard links share; cpio gives the data of
 * linked files with the last name. */
static void
test_duplicates_and_hard_links(void **state)
{
	static const struct item doubled[] = {
		{ S_IFREG, "a", NULL, 10, 0644 },
		{ S_IFREG, "h", "a", 0, 0644 },
		{ S_IFREG, "a", NULL, 33, 0644 },
		{ S_IFREG, "d/late", "h", 0, 0644 },
	};
	static const struct tree_limits tiny = { .memory_bytes = 1 };

	(void)state;
	save("ustar", NULL, doubled, 4);
	for (int i = 0; i < 2; i++) {
		struct tree *tree = load(i == 0 ? NULL : &tiny);

		assert_int_equal(tree_summary(tree)->replaced, 1);
		assert_int_equal(tree_summary(tree)->hard_links, 1);
		assert_written(tree, 1);
		assert_int_equal(status_of("a").st_size, 33);
		assert_int_equal(status_of("h").st_size, 10);
		assert_int_equal(status_of("h").st_nlink, 2);
		assert_int_equal(
		    status_of("h").st_ino, status_of("d/late").st_ino);
		tree_free(tree);
		empty_out();
	}
}

static void
test_cpio_links_carry_data_last(void **state)
{
	struct archive *to = archive_write_new();
	static const char *const names[] = { "first", "second", "third" };
	struct tree *tree;

	(void)state;
	assert_int_equal(archive_write_set_format_by_name(to, "newc"), 0);
	assert_int_equal(archive_write_open_filename(to, archive_path), 0);
	for (int i = 0; i < 3; i++) {
		struct archive_entry *entry = archive_entry_new();

		archive_entry_set_pathname(entry, names[i]);
		archive_entry_set_mode(entry, S_IFREG | 0644);
		archive_entry_set_nlink(entry, 3);
		archive_entry_set_ino(entry, 77);
		archive_entry_set_size(entry, i == 2 ? 6 : 0);
		assert_int_equal(archive_write_header(to, entry), 0);
		if (i == 2)
			assert_int_equal(
			    archive_write_data(to, "shared", 6), 6);
		archive_entry_free(entry);
	}
	assert_int_equal(archive_write_close(to), 0);
	(void)archive_write_free(to);
	tree = load(NULL);
	assert_written(tree, 1);
	assert_int_equal(status_of("first").st_size, 6);
	assert_int_equal(status_of("first").st_nlink, 3);
	tree_free(tree);
}

static void
test_manifest(void **state)
{
	static const struct tree_limits tiny = { .memory_bytes = 1000 };
	struct tree *kept;
	struct tree *made;

	(void)state;
	save_text("#mtree\n"
		  "/set type=file mode=644\n"
		  "./bin type=dir mode=755\n"
		  "./bin/one size=300000\n"
		  "./bin/two size=300000\n"
		  "./bin/link type=link link=one\n"
		  "./none size=0\n");
	kept = load(NULL);
	made = load(&tiny);
	assert_true(tree_summary(kept)->is_manifest);
	assert_int_equal(tree_summary(kept)->entries, 5);
	assert_int_equal(tree_summary(kept)->bytes, 600000);
	assert_true(tree_summary(kept)->digest == tree_summary(made)->digest);
	assert_written(kept, 1);
	assert_true(verify(made, 1, true).ok);
	empty_out();
	assert_written(made, 2);
	tree_free(kept);
	tree_free(made);
}

static void
overwrite(const char *name, const char *bytes)
{
	int fd = open(
	    arena_printf(arena, "%s/%s", out, name), O_WRONLY | O_CREAT, 0600);

	assert_int_not_equal(fd, -1);
	assert_int_equal(
	    write(fd, bytes, strlen(bytes)), (ssize_t)strlen(bytes));
	(void)close(fd);
}

static void
assert_differs(
    const struct tree *tree, bool contents, const char *path, const char *why)
{
	struct verify_result result = verify(tree, 1, contents);

	assert_false(result.ok);
	assert_string_equal(result.path, path);
	if (strstr(result.reason, why) == NULL)
		fail_msg("'%s' lacks '%s'", result.reason, why);
}

static void
test_verify_names_the_first_difference(void **state)
{
	struct tree *tree;
	char *path;

	(void)state;
	save("pax", NULL, items, ITEMS);
	tree = load(NULL);
	assert_written(tree, 1);
	assert_int_equal(
	    mkdir(arena_printf(arena, "%s/lost+found", out), 0700), 0);
	assert_true(verify(tree, 1, true).ok);
	overwrite("usr/share/doc/a.txt", "damage");
	assert_true(verify(tree, 1, false).ok);
	assert_differs(tree, true, "usr/share/doc/a.txt", "has other contents");
	path = arena_printf(arena, "%s/usr/lib/x/y/z/deep", out);
	assert_int_equal(truncate(path, 5), 0);
	assert_differs(
	    tree, true, "usr/lib/x/y/z/deep", "has 5 bytes, not 4096");
	path = arena_printf(arena, "%s/usr/bin/alias", out);
	assert_int_equal(unlink(path), 0);
	assert_differs(tree, false, "usr/bin/alias", "is missing");
	assert_int_equal(symlink("elsewhere", path), 0);
	assert_differs(tree, false, "usr/bin/alias", "points to 'elsewhere'");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_differs(
	    tree, false, "usr/bin/alias", "is a folder, not a symbolic link");
	overwrite("empty/guest", "x");
	assert_differs(tree, false, "empty/guest", "should not be there");
	tree_free(tree);
}

/* A filesystem that takes no more is data: what failed, where, and how far
 * it came.  The limit on a file's size stands in for a full disk. */
static void
test_a_failed_write_is_data(void **state)
{
	struct rlimit limit = { 100000, RLIM_INFINITY };
	struct rlimit former;
	struct populate_result result;
	struct tree *tree;

	(void)state;
	save("pax", NULL, items, ITEMS);
	tree = load(NULL);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
	limit.rlim_max = former.rlim_max;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	result = populate(tree, 2, 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
	assert_int_equal(result.errno_value, EFBIG);
	assert_string_equal(result.path, "copy-0001/usr/bin/tool");
	assert_string_equal(result.action, "write");
	assert_in_range(result.entries, 1, ITEMS);
	empty_out();
	overwrite("top", "in the way");
	result = populate(tree, 1, 0);
	assert_int_equal(result.errno_value, EEXIST);
	assert_string_equal(result.path, "top");
	tree_free(tree);
}

static void
test_room(void **state)
{
	struct tree *tree;
	struct error err = { 0 };

	(void)state;
	save("pax", NULL, items, ITEMS);
	tree = load(NULL);
	assert_int_equal(tree_check_room(tree, 1, 1 << 20, 100, &err), 0);
	assert_int_equal(tree_check_room(tree, 9, -1, 0, &err), 0);
	assert_int_equal(tree_check_room(tree, 1, 100000, 100, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_int_equal(tree_check_room(tree, 9, 1 << 20, 1000, &err), -1);
	assert_int_equal(tree_check_room(tree, 9, 1 << 30, 100, &err), -1);
	assert_non_null(strstr(err.text, "100 inodes are free"));
	tree_free(tree);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_every_format_and_filter),
		TEST(test_counts_modes_and_times),
		TEST(test_streamed_equals_kept),
		TEST(test_copies),
		TEST(test_age),
		TEST(test_duplicates_and_hard_links),
		TEST(test_cpio_links_carry_data_last),
		TEST(test_manifest),
		TEST(test_verify_names_the_first_difference),
		TEST(test_a_failed_write_is_data),
		TEST(test_room),
	};

	/* so that libarchive writes the names as they are */
	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
