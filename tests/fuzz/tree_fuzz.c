/*
 * Any bytes as an archive: loading must end within its limits, and either
 * refuse with one-line words or give a tree that can be written, with nothing
 * outside its folder, and that then checks.
 */
#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/tree.h"

enum { LARGEST = 256 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* box holds the archive and the folder "inner", and nothing else, ever. */
static char box[PATH_MAX];
static char archive[PATH_MAX + 16];
static char inner[PATH_MAX + 16];

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
	(void)type;
	(void)where;
	return S_ISDIR(status->st_mode) ? chmod(path, 0700) : 0;
}

static void
remove_tree(const char *path)
{
	(void)nftw(path, open_up, 32, FTW_PHYS);
	(void)nftw(path, remove_one, 32, FTW_PHYS | FTW_DEPTH);
}

static void
remove_box(void)
{
	remove_tree(box);
}

static void
make_box(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(box, sizeof box, "%s/mountmatrix-fuzz-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(box) == NULL)
		abort();
	(void)snprintf(archive, sizeof archive, "%s/archive", box);
	(void)snprintf(inner, sizeof inner, "%s/inner", box);
	(void)atexit(remove_box);
}

static void
write_input(const uint8_t *bytes, size_t size)
{
	int fd = open(archive, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd == -1 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	(void)close(fd);
}

static int
is_tame(
    const char *path, const struct stat *status, int type, struct FTW *where)
{
	char resolved[PATH_MAX];

	(void)type;
	(void)where;
	if (S_ISLNK(status->st_mode)) {
		if (realpath(path, resolved) != NULL &&
		    strncmp(resolved, inner, strlen(inner)) != 0)
			abort();
		return 0;
	}
	if ((status->st_mode & 07000) != 0 ||
	    (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode)))
		abort();
	return 0;
}

static void
check_box(void)
{
	struct stat status;

	/* two names besides "." and "..": the second folder is "inner" */
	if (stat(box, &status) == -1 || status.st_nlink != 3)
		abort();
	(void)nftw(inner, is_tame, 32, FTW_PHYS);
}

static void
write_and_check(const struct tree *tree, struct arena *arena)
{
	static const struct populate_options plain = { .copies = 1 };
	static const struct verify_options whole = { .copies = 1,
		.contents = true };
	struct populate_result populated;
	struct verify_result verified;
	struct error err = { 0 };

	if (mkdir(inner, 0700) == -1)
		abort();
	if (tree_populate(tree, inner, &plain, arena, &populated, &err) == -1)
		abort();
	check_box();
	if (populated.errno_value == 0 &&
	    (tree_verify(tree, inner, &whole, arena, &verified, &err) == -1 ||
		!verified.ok)) {
		(void)fprintf(
		    stderr, "'%s' %s\n", verified.path, verified.reason);
		abort();
	}
	remove_tree(inner);
}

static void
check_refusal(const struct error *err)
{
	if (err->text[0] == '\0')
		abort();
	for (const char *at = err->text; *at != '\0'; at++)
		if (iscntrl((unsigned char)*at))
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct tree_limits limits = { .memory_bytes = 1 << 16,
		.content_bytes = 1 << 20,
		.entries = 500 };
	struct error err = { 0 };
	struct arena *arena;
	struct tree *tree;

	if (size > LARGEST)
		return 0;
	if (box[0] == '\0')
		make_box();
	write_input(bytes, size);
	if (size % 2 == 1)
		limits.memory_bytes = 1; /* streamed */
	if (tree_load(archive, &limits, &tree, &err) == -1) {
		check_refusal(&err);
		return 0;
	}
	arena = arena_new();
	write_and_check(tree, arena);
	arena_free(arena);
	tree_free(tree);
	return 0;
}
