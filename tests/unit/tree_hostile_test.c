/*
 * Hostile archives: each has a verdict, and nothing they hold reaches beyond
 * the folder they are written to.
 *
 * The tar headers are made here byte by byte, because no decent writer would
 * make them; other formats go through libarchive.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "tree/tree.h"

static char box[PATH_MAX]; /* box/inner is written to, box/victim must stay */
static char archive_path[PATH_MAX + 16];
static char inner[PATH_MAX + 16];
static char victim[PATH_MAX + 16];
static int refused;
static int tamed;

/* One entry of a handmade tar. */
struct item {
	char type; /* '0' file, '1' hard, '2' symbolic link, '3' '4' device,
		      '5' folder, '6' fifo; 0 ends a list */
	const char *name;
	const char *link;
	unsigned mode;
	const char *data;
};

/* --- making archives ----------------------------------------------------- */

static void
octal(char *field, size_t size, unsigned long long value)
{
	char digits[32];

	(void)snprintf(digits, sizeof digits, "%0*llo", (int)size - 1, value);
	memcpy(field, digits, size);
}

static void
tar_header(struct buffer *tar, const struct item *item, const char *name,
    unsigned long long size, char type)
{
	char header[512] = { 0 };
	unsigned sum = 0;

	(void)strncpy(header, name, 100);
	octal(header + 100, 8, item->mode != 0 ? item->mode : 0644);
	octal(header + 108, 8, 0);
	octal(header + 116, 8, 0);
	octal(header + 124, 12, size);
	octal(header + 136, 12, 1000000000);
	header[156] = type;
	if (item->link != NULL)
		(void)strncpy(header + 157, item->link, 100);
	(void)memcpy(header + 257, "ustar", 6);
	(void)memcpy(header + 263, "00", 2);
	octal(header + 329, 8, 1);
	octal(header + 337, 8, 3);
	(void)memset(header + 148, ' ', 8);
	for (int i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	octal(header + 148, 7, sum);
	buffer_append(tar, header, sizeof header);
}

static void
tar_data(struct buffer *tar, const char *data, size_t size)
{
	static const char zeros[512];

	buffer_append(tar, data, size);
	buffer_append(tar, zeros, (512 - size % 512) % 512);
}

static void
tar_item(struct buffer *tar, const struct item *item)
{
	size_t size = item->data != NULL ? strlen(item->data) : 0;

	/* GNU's way with long names */
	if (strlen(item->name) > 100) {
		tar_header(
		    tar, item, "././@LongLink", strlen(item->name) + 1, 'L');
		tar_data(tar, item->name, strlen(item->name) + 1);
	}
	tar_header(tar, item, item->name, size, item->type);
	if (size > 0)
		tar_data(tar, item->data, size);
}

static void
tar_end(struct buffer *tar)
{
	static const char zeros[1024];

	buffer_append(tar, zeros, sizeof zeros);
}

static void
save(const struct buffer *bytes, size_t size)
{
	FILE *file = fopen(archive_path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes->data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void
save_tar(const struct item *items)
{
	struct buffer tar;

	buffer_init(&tar);
	for (; items->type != 0; items++)
		tar_item(&tar, items);
	tar_end(&tar);
	save(&tar, tar.length);
	buffer_reset(&tar);
}

static void
save_text(const char *text)
{
	struct buffer bytes;

	buffer_init(&bytes);
	buffer_puts(&bytes, text);
	save(&bytes, bytes.length);
	buffer_reset(&bytes);
}

/* Through libarchive; data may be longer than the text, zeros follow. */
static void
save_other(const char *format, const char *filter, const struct item *items,
    size_t zeros)
{
	struct archive *out = archive_write_new();
	static char empty[65536];

	assert_int_equal(archive_write_set_format_by_name(out, format), 0);
	if (filter != NULL)
		assert_int_equal(
		    archive_write_add_filter_by_name(out, filter), 0);
	assert_int_equal(archive_write_open_filename(out, archive_path), 0);
	for (; items->type != 0; items++) {
		struct archive_entry *entry = archive_entry_new();
		size_t size = items->data != NULL ? strlen(items->data) : 0;

		archive_entry_set_pathname(entry, items->name);
		archive_entry_set_mode(
		    entry, (items->type == '0'      ? S_IFREG
			       : items->type == '2' ? S_IFLNK
			       : items->type == '3' ? S_IFCHR
			       : items->type == 's' ? S_IFSOCK
						    : S_IFDIR) |
			       0644);
		archive_entry_set_size(entry, (la_int64_t)(size + zeros));
		if (items->link != NULL)
			archive_entry_set_symlink(entry, items->link);
		assert_int_equal(archive_write_header(out, entry), 0);
		if (size > 0)
			(void)archive_write_data(out, items->data, size);
		for (size_t left = zeros; left > 0;) {
			size_t part = left < sizeof empty ? left : sizeof empty;

			(void)archive_write_data(out, empty, part);
			left -= part;
		}
		archive_entry_free(entry);
	}
	assert_int_equal(archive_write_close(out), 0);
	(void)archive_write_free(out);
}

/* --- what must hold afterwards ------------------------------------------- */

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
is_harmless(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	char resolved[PATH_MAX];

	(void)type;
	(void)where;
	if ((status->st_mode & 07000) != 0)
		fail_msg("%s has mode %o", path, (unsigned)status->st_mode);
	if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode) &&
	    !S_ISLNK(status->st_mode))
		fail_msg("%s is a device", path);
	if (S_ISLNK(status->st_mode) && realpath(path, resolved) != NULL &&
	    strncmp(resolved, inner, strlen(inner)) != 0)
		fail_msg("%s leads to %s", path, resolved);
	return 0;
}

static void
check_box(void)
{
	char text[32] = { 0 };
	FILE *file = fopen(victim, "rb");
	struct stat status;

	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof text - 1, file), 9);
	assert_int_equal(fclose(file), 0);
	assert_string_equal(text, "untouched");
	assert_int_equal(stat(victim, &status), 0);
	assert_int_equal(status.st_nlink, 1);
	assert_int_equal(lstat(box, &status), 0);
	(void)nftw(inner, is_harmless, 16, FTW_PHYS);
	assert_int_equal(access("/mountmatrix-escape", F_OK), -1);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char path[PATH_MAX];
	FILE *file;

	(void)state;
	(void)snprintf(path, sizeof path, "%s/mm-hostile-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(path) == NULL || realpath(path, box) == NULL)
		return -1;
	(void)snprintf(inner, sizeof inner, "%s/inner", box);
	(void)snprintf(victim, sizeof victim, "%s/victim", box);
	(void)snprintf(archive_path, sizeof archive_path, "%s/archive", box);
	file = fopen(victim, "wb");
	if (file == NULL || fputs("untouched", file) < 0)
		return -1;
	return fclose(file) == 0 && mkdir(inner, 0755) == 0 ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	return nftw(box, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void
assert_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' lacks '%s'", text, part);
}

/* The archive in place is refused with these words. */
static void
assert_refused(const struct tree_limits *limits, const char *words)
{
	struct tree *tree = NULL;
	struct error err = { 0 };

	if (tree_load(archive_path, limits, &tree, &err) != -1)
		fail_msg("loaded, though: %s", words);
	assert_has(err.text, words);
	assert_has(err.text, archive_path);
	check_box();
	refused++;
}

/* It loads with this remark, is written whole, and checks. */
static void
assert_tamed(const char *remark, int64_t entries)
{
	static const struct populate_options plain = { .copies = 1 };
	static const struct verify_options whole = { .copies = 1,
		.contents = true };
	struct arena *arena = arena_new();
	struct tree *tree = NULL;
	struct error err = { 0 };
	struct populate_result populated;
	struct verify_result verified;

	if (tree_load(archive_path, NULL, &tree, &err) == -1)
		fail_msg("%s: %s", remark, err.text);
	assert_has(tree_remarks(tree, arena), remark);
	assert_int_equal(tree_summary(tree)->entries, entries);
	assert_int_equal(
	    tree_populate(tree, inner, &plain, arena, &populated, &err), 0);
	assert_int_equal(populated.errno_value, 0);
	assert_int_equal(populated.entries, entries);
	assert_int_equal(
	    tree_verify(tree, inner, &whole, arena, &verified, &err), 0);
	if (!verified.ok)
		fail_msg("%s %s", verified.path, verified.reason);
	tree_free(tree);
	arena_free(arena);
	check_box();
	tamed++;
}

/* --- tables -------------------------------------------------------------- */

static const struct {
	const char *words;
	struct item items[5];
} refused_tars[] = {
	{ "has '..' in its name", { { '0', "../escape", 0, 0, "x" } } },
	{ "has '..' in its name", { { '0', "a/../../victim", 0, 0, "x" } } },
	{ "has '..' in its name", { { '5', "a/..", 0, 0, 0 } } },
	{ "has '..' in its name",
	    { { '0', "a/b/c/d/../../../../../e", 0, 0, "x" } } },
	{ "absolute name", { { '0', "/mountmatrix-escape", 0, 0, "x" } } },
	{ "absolute name", { { '5', "//mountmatrix-escape", 0, 0, 0 } } },
	{ "empty name", { { '0', "", 0, 0, "x" } } },
	{ "replace the tree's root", { { '0', ".", 0, 0, "x" } } },
	{ "replace the tree's root", { { '2', "./.", "/etc", 0, 0 } } },
	{ "below a symbolic link",
	    { { '2', "l", "/etc", 0, 0 }, { '0', "l/x", 0, 0, "x" } } },
	{ "below a symbolic link",
	    { { '2', "l", "..", 0, 0 }, { '0', "l/victim", 0, 0, "x" } } },
	{ "below a symbolic link",
	    { { '2', "l", ".", 0, 0 }, { '5', "l/x", 0, 0, 0 } } },
	{ "below a symbolic link",
	    { { '5', "d", 0, 0755, 0 }, { '2', "d", "/tmp", 0, 0 },
		{ '0', "d/x", 0, 0, "x" } } },
	{ "folder that is not empty",
	    { { '0', "d/x", 0, 0, "x" }, { '2', "d", "/tmp", 0, 0 } } },
	{ "folder that is not empty",
	    { { '0', "d/x", 0, 0, "x" }, { '0', "d", 0, 0, "x" } } },
	{ "below a file",
	    { { '0', "f", 0, 0, "x" }, { '0', "f/x", 0, 0, "x" } } },
	{ "hard link out of the tree", { { '1', "h", "/etc/passwd", 0, 0 } } },
	{ "hard link out of the tree", { { '1', "h", "../victim", 0, 0 } } },
	{ "not in the archive", { { '1', "h", "victim", 0, 0 } } },
	{ "not in the archive", { { '1', "h", "h", 0, 0 } } },
	{ "not in the archive",
	    { { '2', "l", "/etc", 0, 0 }, { '1', "h", "l/passwd", 0, 0 } } },
	{ "what is not a file",
	    { { '5', "d", 0, 0755, 0 }, { '1', "h", "d", 0, 0 } } },
	{ "what is not a file",
	    { { '2', "l", "../victim", 0, 0 }, { '1', "h", "l", 0, 0 } } },
	{ "below a file", { { '0', "f", 0, 0, "x" }, { '1', "h", "f", 0, 0 },
			      { '0', "h/x", 0, 0, "x" } } },
	/* what would write on the reader's terminal */
	{ "entry '/\\033[2J\\012\\177x' has an absolute name",
	    { { '0', "/\033[2J\n\177x", 0, 0, "x" } } },
	{ "symbolic link to nothing", { { '2', "l", "", 0, 0 } } },
};

static void
test_refused_tars(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused_tars / sizeof *refused_tars;
	     i++) {
		save_tar(refused_tars[i].items);
		assert_refused(NULL, refused_tars[i].words);
	}
}

static const struct {
	const char *remark;
	int64_t entries;
	struct item items[6];
} tamed_tars[] = {
	{ "1 symbolic links out", 1, { { '2', "a1", "/etc/passwd", 0, 0 } } },
	{ "1 symbolic links out", 1, { { '2', "a2", "../victim", 0, 0 } } },
	{ "1 symbolic links out", 2,
	    { { '2', "a3/l", "../../../../etc", 0, 0 } } },
	{ "1 symbolic links out", 5,
	    { { '5', "b/c/d", 0, 0755, 0 }, { '2', "b/up", "..", 0, 0 },
		{ '2', "b/out", "up/../victim", 0, 0 } } },
	{ "1 symbolic links out", 1, { { '2', "a4", "/", 0, 0 } } },
	{ "left out ('c'", 1,
	    { { '3', "c", 0, 0666, 0 }, { '4', "b1", 0, 0666, 0 },
		{ '6', "p", 0, 0666, 0 }, { '0', "ok", 0, 0, "x" } } },
	{ "2 setuid, setgid or sticky", 3,
	    { { '0', "su", 0, 04755, "x" }, { '0', "sg", 0, 02755, "y" },
		{ '0', "plain", 0, 0755, "z" } } },
	{ "1 setuid, setgid or sticky", 1, { { '5', "st", 0, 01777, 0 } } },
	{ "1 entries replaced", 2,
	    { { '2', "r", "/etc", 0, 0 }, { '5', "r", 0, 0755, 0 },
		{ '0', "r/passwd", 0, 0, "x" } } },
	{ "1 entries replaced", 1,
	    { { '2', "s", "../victim", 0, 0 }, { '0', "s", 0, 0, "x" } } },
	{ "", 3,
	    { { '0', "q", 0, 0, "x" }, { '1', "q", "q", 0, 0 },
		{ '0', "d2/.//e", 0, 0, "x" } } },
};

static void
test_tamed_tars(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof tamed_tars / sizeof *tamed_tars; i++) {
		save_tar(tamed_tars[i].items);
		assert_tamed(tamed_tars[i].remark, tamed_tars[i].entries);
		assert_int_equal(
		    nftw(inner, remove_one, 16, FTW_PHYS | FTW_DEPTH), 0);
		assert_int_equal(mkdir(inner, 0755), 0);
	}
}

static void
test_overlong_and_deep_names(void **state)
{
	static char text[8000];
	struct item items[2] = { { '0', text, 0, 0, "x" } };

	(void)state;
	memset(text, 'n', 300);
	save_tar(items);
	assert_refused(NULL, "longer than 255");
	for (size_t i = 0; i + 1 < 600; i += 2)
		memcpy(text + i, "d/", 2);
	text[600] = '\0';
	save_tar(items);
	assert_refused(NULL, "200 folders deep");
	for (size_t i = 0; i + 250 < 5000; i += 250) {
		memset(text + i, 'm', 249);
		text[i + 249] = '/';
	}
	text[5000] = '\0';
	save_tar(items);
	assert_refused(NULL, "longer than 4095");
}

static void
test_bombs(void **state)
{
	static const struct item one[] = { { '0', "bomb", 0, 0, "x" }, { 0 } };
	static const struct tree_limits small = { .content_bytes = 1 << 20,
		.entries = 3 };
	struct buffer tar;

	(void)state;
	save_other("ustar", "gzip", one, 32 << 20);
	assert_refused(&small, "over the limit of 1 MiB");
	save_other("zip", NULL, one, 32 << 20);
	assert_refused(&small, "over the limit of 1 MiB");
	save_other("7zip", NULL, one, 32 << 20);
	assert_refused(&small, "over the limit of 1 MiB");
	/* says 7 GiB, holds nothing: refused before a byte is read */
	buffer_init(&tar);
	tar_header(&tar, one, "claims", 7516192768u, '0');
	save(&tar, tar.length);
	assert_refused(&small, "over the limit");
	buffer_clear(&tar);
	for (int i = 0; i < 5; i++) {
		char name[2] = { (char)('a' + i), '\0' };
		struct item item = { '5', name, 0, 0755, 0 };

		tar_item(&tar, &item);
	}
	tar_end(&tar);
	save(&tar, tar.length);
	assert_refused(&small, "more than 3 entries");
	buffer_reset(&tar);
}

/* A sparse file of 64 GiB in a few bytes (GNU format 0.1 in a pax header). */
static void
test_sparse_bomb(void **state)
{
	static const struct tree_limits small = { .content_bytes = 1 << 30 };
	static const char *const records[] = { "GNU.sparse.major=1",
		"GNU.sparse.minor=0", "GNU.sparse.name=s",
		"GNU.sparse.realsize=68719476736" };
	struct item item = { 'x', "PaxHeaders/s", 0, 0644, NULL };
	struct buffer tar;
	struct buffer pax;
	char map[512] = "1\n68719476735\n1\n";

	(void)state;
	buffer_init(&tar);
	buffer_init(&pax);
	for (size_t i = 0; i < 4; i++)
		buffer_printf(
		    &pax, "%zu %s\n", strlen(records[i]) + 4, records[i]);
	tar_header(&tar, &item, item.name, pax.length, 'x');
	tar_data(&tar, pax.data, pax.length);
	tar_header(&tar, &item, "GNUSparseFile.0/s", sizeof map + 1, '0');
	tar_data(&tar, map, sizeof map);
	tar_data(&tar, "y", 1);
	tar_end(&tar);
	save(&tar, tar.length);
	assert_refused(&small, "over the limit of 1 GiB");
	buffer_reset(&tar);
	buffer_reset(&pax);
}

static void
cut_archive(off_t size)
{
	assert_int_equal(truncate(archive_path, size), 0);
}

static void
flip_byte(off_t at)
{
	int fd = open(archive_path, O_RDWR);
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte = (unsigned char)~byte;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

static off_t
archive_size(void)
{
	struct stat status;

	assert_int_equal(stat(archive_path, &status), 0);
	return status.st_size;
}

/* Behind the first local header, its name and its extra field. */
static off_t
zip_data_at(void)
{
	int fd = open(archive_path, O_RDONLY);
	unsigned char sizes[4];

	assert_int_equal(pread(fd, sizes, 4, 26), 4);
	(void)close(fd);
	return 30 + sizes[0] + sizes[1] * 256 + sizes[2] + sizes[3] * 256;
}

static void
test_damaged(void **state)
{
	static const struct item items[] = { { '0', "a", 0, 0, "some text" },
		{ '0', "b", 0, 0, "more text of the second file" }, { 0 } };
	static const char *const filters[] = { "gzip", "bzip2", "xz", "zstd",
		"lz4" };

	(void)state;
	save_tar(items);
	cut_archive(1024 + 512 + 10); /* in the data of b */
	assert_refused(NULL, "damaged");
	save_tar(items);
	cut_archive(1024); /* between two entries */
	assert_refused(NULL, "cut short");
	save_tar(items);
	cut_archive(1024 + 100); /* in a header */
	assert_refused(NULL, "damaged");
	save_tar(items);
	flip_byte(1024 + 20); /* checksum of b's header */
	assert_refused(NULL, "damaged");
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		save_other("ustar", filters[i], items, 100000);
		cut_archive(archive_size() / 2);
		assert_refused(NULL, "archive '");
	}
	save_other("zip", NULL, items, 0);
	flip_byte(zip_data_at() + 2); /* the checksum tells */
	assert_refused(NULL, "damaged");
	save_other("7zip", NULL, items, 0);
	cut_archive(archive_size() - 10);
	assert_refused(NULL, "archive '");
}

static void
test_not_an_archive(void **state)
{
	struct tree *tree = NULL;
	struct error err = { 0 };

	(void)state;
	save_text("this is no archive at all, only a line of text\n");
	assert_refused(NULL, "cannot be read");
	save_text("");
	assert_refused(NULL, "holds no files");
	assert_int_equal(tree_load(box, NULL, &tree, &err), -1);
	assert_has(err.text, "not a regular file");
	(void)unlink(archive_path);
	assert_int_equal(tree_load(archive_path, NULL, &tree, &err), -1);
	assert_has(err.text, "No such file");
	assert_int_equal(mkfifo(archive_path, 0600), 0);
	assert_refused(NULL, "not a regular file");
}

static void
test_other_formats(void **state)
{
	static const struct item up[] = { { '0', "../victim", 0, 0, "x" },
		{ 0 } };
	static const struct item root[] = {
		{ '0', "/mountmatrix-escape", 0, 0, "x" }, { 0 }
	};
	static const struct item through[] = { { '2', "l", "/etc", 0, 0 },
		{ '0', "l/x", 0, 0, "x" }, { 0 } };
	static const struct item devices[] = { { '3', "dev", 0, 0, 0 },
		{ 's', "sock", 0, 0, 0 }, { '0', "ok", 0, 0, "x" }, { 0 } };
	static const char *const formats[] = { "zip", "7zip", "newc", "odc" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		save_other(formats[i], NULL, up, 0);
		assert_refused(NULL, "has '..'");
		save_other(formats[i], NULL, root, 0);
		assert_refused(NULL, "absolute");
		save_other(formats[i], NULL, through, 0);
		assert_refused(NULL, "below a symbolic link");
	}
	save_other("newc", NULL, devices, 0);
	assert_tamed("2 devices", 1);
}

/* A manifest's files are made up, also when it names a file to read. */
static void
test_manifests(void **state)
{
	char text[PATH_MAX + 200];
	char path[PATH_MAX + 32];
	char bytes[16] = { 0 };
	FILE *file;

	(void)state;
	save_text("#mtree\n../victim type=file size=3\n");
	assert_refused(NULL, "archive '");
	save_text("#mtree\n/mountmatrix-escape type=file size=3\n");
	assert_refused(NULL, "archive '");
	save_text("#mtree\n./f type=file size=-5\n");
	assert_refused(NULL, "entry './f' has a negative size");
	(void)snprintf(text, sizeof text,
	    "#mtree\n./f type=file size=9 mode=4755 contents=%s\n"
	    "./d type=char mode=666 device=native,1,3\n",
	    victim);
	save_text(text);
	assert_tamed("1 devices", 1);
	(void)snprintf(path, sizeof path, "%s/f", inner);
	file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof bytes, file), 9);
	assert_int_equal(fclose(file), 0);
	assert_string_not_equal(bytes, "untouched");
}

/* The folder itself may be hostile: a link where the tree has a folder. */
static void
test_link_in_the_way(void **state)
{
	static const struct item items[] = { { '0', "trap/new", 0, 0, "x" },
		{ 0 } };
	static const struct populate_options plain = { .copies = 1 };
	struct arena *arena = arena_new();
	struct tree *tree;
	struct error err = { 0 };
	struct populate_result result;
	char path[PATH_MAX + 32];

	(void)state;
	save_tar(items);
	assert_int_equal(tree_load(archive_path, NULL, &tree, &err), 0);
	(void)snprintf(path, sizeof path, "%s/trap", inner);
	assert_int_equal(symlink("..", path), 0);
	assert_int_equal(
	    tree_populate(tree, inner, &plain, arena, &result, &err), 0);
	assert_int_not_equal(result.errno_value, 0);
	assert_string_equal(result.path, "trap");
	(void)snprintf(path, sizeof path, "%s/new", box);
	assert_int_equal(access(path, F_OK), -1);
	tree_free(tree);
	arena_free(arena);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_refused_tars, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_tamed_tars, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_overlong_and_deep_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bombs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_sparse_bomb, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_not_an_archive, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_other_formats, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_manifests, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_link_in_the_way, set_up, tear_down),
	};

	int failed =
	    cmocka_run_group_tests_name("hostile archives", tests, NULL, NULL);

	(void)printf(
	    "# counts: %d hostile archives refused, %d made tame, none wrote outside\n",
	    refused, tamed);
	return failed;
}
