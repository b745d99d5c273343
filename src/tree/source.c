#include "tree/source.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "base/rng.h"

enum { MADE_UP_BLOCK = 256 * 1024 };

int
source_open(struct source *source, const struct tree *tree, struct error *err)
{
	*source = (struct source){ .tree = tree };
	if (!tree->summary.is_streamed || tree->summary.is_manifest)
		return 0;
	if (reader_open(&source->reader, tree->path, err) == -1)
		return -1;
	source->is_open = true;
	if (source->reader.size == tree->archive_size &&
	    source->reader.mtime_s == tree->archive_mtime_s)
		return 0;
	source_close(source);
	return error_set(
	    err, "archive '%s' changed since it was loaded", tree->path);
}

void
source_close(struct source *source)
{
	if (source->is_open)
		reader_close(&source->reader);
	source->is_open = false;
}

static int
write_runs(const struct content *content, int fd, int64_t *end)
{
	for (size_t i = 0; i < content->run_count; i++) {
		const struct run *run = &content->runs[i];

		if (io_write_at(fd, run->data, run->size, run->offset) == 1)
			return 1;
		*end = run->offset + (int64_t)run->size;
	}
	return 0;
}

static int
write_made_up(const struct content *content, int fd, int64_t *end)
{
	unsigned char *bytes = malloc(MADE_UP_BLOCK);
	struct rng rng;
	int code = 0;

	if (bytes == NULL)
		abort();
	rng_seed(&rng, content->seed);
	while (code == 0 && *end < content->size) {
		size_t part = content->size - *end < MADE_UP_BLOCK
				  ? (size_t)(content->size - *end)
				  : MADE_UP_BLOCK;

		rng_fill(&rng, bytes, part);
		code = io_write_at(fd, bytes, part, *end);
		*end += (int64_t)part;
	}
	free(bytes);
	return code;
}

static int
write_streamed(struct source *source, const struct content *content, int fd,
    int64_t *end, struct error *err)
{
	const void *bytes;
	size_t size;
	int64_t offset;
	int code = 1;

	while (code == 1 && source->reader.ordinal < content->ordinal)
		code = reader_next(&source->reader, err);
	if (code == 0)
		return error_set(err, "archive '%s' has fewer entries now",
		    source->tree->path);
	if (code == -1)
		return -1;
	while ((code = reader_block(
		    &source->reader, &bytes, &size, &offset, err)) == 1) {
		if (io_write_at(fd, bytes, size, offset) == 1)
			return 1;
		*end = offset + (int64_t)size;
	}
	return code;
}

int
source_write(struct source *source, const struct content *content, int fd,
    struct error *err)
{
	int64_t end = 0;
	int code;

	if (content->size == 0)
		return 0;
	if (!source->tree->summary.is_streamed)
		code = write_runs(content, fd, &end);
	else if (source->tree->summary.is_manifest)
		code = write_made_up(content, fd, &end);
	else
		code = write_streamed(source, content, fd, &end, err);
	/* a hole at the end */
	if (code == 0 && end < content->size &&
	    ftruncate(fd, (off_t)content->size) == -1)
		return 1;
	return code;
}
