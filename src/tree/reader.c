#include "tree/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_SIZE = 1 << 20 };

/* Names in 7z and zip are UTF-16 or UTF-8 and are lost in the C locale.
 * NetBSD has no locale of a thread, so it is the program's for a while. */
static void
use_utf8(struct reader *reader)
{
	static const char *const names[] = { "C.UTF-8", "en_US.UTF-8" };
	const char *former = setlocale(LC_CTYPE, NULL);

	reader->former_locale = former != NULL ? strdup(former) : NULL;
	for (size_t i = 0; reader->former_locale != NULL && i < 2; i++)
		if (setlocale(LC_CTYPE, names[i]) != NULL)
			return;
}

static int
open_file(struct reader *reader, struct error *err)
{
	struct stat status;

	/* O_NONBLOCK: a fifo must not hang us */
	reader->fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->fd == -1)
		return error_errno(
		    err, "cannot open archive '%s'", reader->path);
	if (fstat(reader->fd, &status) == -1 || !S_ISREG(status.st_mode)) {
		(void)close(reader->fd);
		return error_set(
		    err, "archive '%s' is not a regular file", reader->path);
	}
	reader->size = status.st_size;
	reader->mtime_s = status.st_mtime;
	return 0;
}

static void
support(struct archive *archive)
{
	(void)archive_read_support_format_all(archive);
	(void)archive_read_support_filter_bzip2(archive);
	(void)archive_read_support_filter_compress(archive);
	(void)archive_read_support_filter_gzip(archive);
	(void)archive_read_support_filter_lz4(archive);
	(void)archive_read_support_filter_lzip(archive);
	(void)archive_read_support_filter_lzma(archive);
	(void)archive_read_support_filter_xz(archive);
	(void)archive_read_support_filter_zstd(archive);
}

/* libarchive's words, which may be absent, or hold what the archive says. */
static int
complain(struct reader *reader, const char *what, struct error *err)
{
	const char *words = archive_error_string(reader->archive);
	char text[512];

	(void)snprintf(
	    text, sizeof text, "%s", words != NULL ? words : "no reason given");
	text[strcspn(text, "\n")] = '\0';
	for (char *at = text; *at != '\0'; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return error_set_kind(
	    err, ERROR_USAGE, "archive '%s': %s: %s", reader->path, what, text);
}

int
reader_open(struct reader *reader, const char *path, struct error *err)
{
	*reader = (struct reader){ .path = path };
	if (open_file(reader, err) == -1)
		return -1;
	reader->archive = archive_read_new();
	if (reader->archive == NULL) {
		(void)close(reader->fd);
		return error_set(err, "cannot start libarchive");
	}
	use_utf8(reader);
	support(reader->archive);
	if (archive_read_open_fd(reader->archive, reader->fd, BLOCK_SIZE) !=
	    ARCHIVE_OK) {
		(void)complain(reader, "cannot be read", err);
		reader_close(reader);
		return -1;
	}
	return 0;
}

void
reader_close(struct reader *reader)
{
	(void)archive_read_free(reader->archive);
	(void)close(reader->fd);
	if (reader->former_locale != NULL)
		(void)setlocale(LC_CTYPE, reader->former_locale);
	free(reader->former_locale);
	reader->former_locale = NULL;
}

bool
reader_is_manifest(const struct reader *reader)
{
	return archive_format(reader->archive) == ARCHIVE_FORMAT_MTREE;
}

/* libarchive takes a tar that just stops between two entries for whole; but
 * then nothing was read behind the last entry, where two zero blocks belong. */
static int
check_end_mark(struct reader *reader, struct error *err)
{
	int format = archive_format(reader->archive);

	if ((format & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR ||
	    archive_filter_bytes(reader->archive, 0) >
		archive_read_header_position(reader->archive))
		return 0;
	return error_set_kind(err, ERROR_USAGE,
	    "archive '%s' is cut short: no end mark after %zu entries",
	    reader->path, reader->ordinal);
}

int
reader_next(struct reader *reader, struct error *err)
{
	int code = archive_read_next_header(reader->archive, &reader->entry);

	if (code == ARCHIVE_EOF)
		return check_end_mark(reader, err);
	/* ARCHIVE_WARN: a name could not be converted and is taken raw;
	 * ARCHIVE_RETRY: an entry was lost, the next may be good */
	if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
		return complain(reader,
		    reader->ordinal == 0 ? "cannot be read" : "is damaged",
		    err);
	reader->ordinal++;
	return 1;
}

int
reader_block(struct reader *reader, const void **bytes, size_t *size,
    int64_t *offset, struct error *err)
{
	la_int64_t at = 0;
	int code = archive_read_data_block(reader->archive, bytes, size, &at);

	*offset = at;
	if (code == ARCHIVE_OK)
		return 1;
	if (code == ARCHIVE_EOF)
		return 0;
	/* a warning here is a wrong checksum */
	(void)complain(reader, "data is damaged", err);
	return -1;
}
