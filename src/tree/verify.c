/*
 * What is on disk against what should be: both sides in sorted order, folder
 * by folder.  Reading changes no access times where the system can avoid it
 * (O_NOATIME), since a check must not decide what relatime does next.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/digest.h"
#include "tree/listing.h"
#include "tree/name.h"
#include "tree/node.h"

enum { READ_BLOCK = 256 * 1024, DEEPEST = 1000 };

/* One visit of a folder's tree; with "tree" NULL there is nothing to compare
 * with and "hash" gathers the digest. */
struct visit {
	const struct tree *tree;
	bool contents;
	struct hash hash;
	struct tree_summary seen;
	unsigned char *block;
	struct arena *arena;
	const char *path;   /* first difference */
	const char *reason; /* NULL: none so far */
};

struct place {
	const struct place *up;
	const char *name;
	int fd;
	size_t node;
	size_t depth;
};

static char *
place_path(
    const struct visit *visit, const struct place *place, const char *name)
{
	char *path = arena_strdup(visit->arena, name);

	for (; place != NULL && place->up != NULL; place = place->up)
		path = arena_printf(visit->arena, "%s%s%s", place->name,
		    path[0] == '\0' ? "" : "/", path);
	return path;
}

/* Notes a difference; always -1. */
static int
differs(struct visit *visit, const struct place *place, const char *name,
    const char *reason)
{
	visit->path = name_show(visit->arena, place_path(visit, place, name));
	visit->reason = reason;
	return -1;
}

static int
differs_errno(struct visit *visit, const struct place *place, const char *name,
    const char *what)
{
	return differs(visit, place, name,
	    arena_printf(visit->arena, "%s: %s", what, strerror(errno)));
}

static int
open_quietly(int dirfd, const char *name, int flags)
{
	flags |= O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
#ifdef O_NOATIME
	int fd = openat(dirfd, name, flags | O_NOATIME);

	if (fd != -1 || errno != EPERM)
		return fd;
#endif
	return openat(dirfd, name, flags);
}

/* --- one entry ----------------------------------------------------------- */

static int
read_digest(struct visit *visit, const struct place *place, const char *name,
    struct digest_item *item)
{
	int fd = open_quietly(place->fd, name, O_NONBLOCK);
	struct hash hash;
	ssize_t got;

	if (fd == -1)
		return differs_errno(visit, place, name, "cannot be opened");
	hash_init(&hash);
	while ((got = read(fd, visit->block, READ_BLOCK)) > 0)
		hash_update(&hash, visit->block, (size_t)got);
	if (got == -1)
		(void)differs_errno(visit, place, name, "cannot be read");
	(void)close(fd);
	item->content = hash_final(&hash);
	return got == -1 ? -1 : 0;
}

static int
read_target(struct visit *visit, const struct place *place, const char *name,
    struct digest_item *item)
{
	/* the block is not in use for a link; the target is good until the next
	 */
	char *target = (char *)visit->block;
	ssize_t got = readlinkat(place->fd, name, target, 4096);

	if (got == -1)
		return differs_errno(visit, place, name, "cannot be read");
	target[got] = '\0';
	item->target = target;
	return 0;
}

/* Fills the item with what is on disk, and counts it. */
static int
look_at(struct visit *visit, const struct place *place, const char *name,
    struct digest_item *item)
{
	struct stat status;

	*item = (struct digest_item){ .name = name, .depth = place->depth + 1 };
	if (fstatat(place->fd, name, &status, AT_SYMLINK_NOFOLLOW) == -1)
		return differs_errno(visit, place, name, "cannot be examined");
	visit->seen.entries++;
	if (S_ISDIR(status.st_mode)) {
		item->kind = NODE_DIRECTORY;
		visit->seen.directories++;
		return 0;
	}
	if (S_ISLNK(status.st_mode)) {
		item->kind = NODE_SYMLINK;
		visit->seen.symlinks++;
		return read_target(visit, place, name, item);
	}
	if (!S_ISREG(status.st_mode))
		return differs(visit, place, name,
		    "is neither file, folder nor symbolic link");
	item->kind = NODE_FILE;
	item->size = status.st_size;
	visit->seen.files++;
	visit->seen.bytes += status.st_size;
	return 0;
}

static const char *
kind_name(enum node_kind kind)
{
	static const char *const names[] = { [NODE_DIRECTORY] = "a folder",
		[NODE_FILE] = "a file",
		[NODE_SYMLINK] = "a symbolic link" };

	return names[kind];
}

static int
compare(struct visit *visit, const struct place *place, size_t index,
    struct digest_item *item)
{
	const struct node *node = &visit->tree->nodes[index];
	const struct content *content;

	if (item->kind != node->kind)
		return differs(visit, place, node->name,
		    arena_printf(visit->arena, "is %s, not %s",
			kind_name(item->kind), kind_name(node->kind)));
	if (node->kind == NODE_SYMLINK &&
	    strcmp(item->target, node->target) != 0)
		return differs(visit, place, node->name,
		    arena_printf(visit->arena, "points to '%s', not to '%s'",
			name_show(visit->arena, item->target),
			name_show(visit->arena, node->target)));
	if (node->kind != NODE_FILE)
		return 0;
	content = &visit->tree->contents[node->content];
	if (item->size != content->size)
		return differs(visit, place, node->name,
		    arena_printf(visit->arena,
			"has %" PRId64 " bytes, not %" PRId64, item->size,
			content->size));
	if (!visit->contents)
		return 0;
	if (read_digest(visit, place, node->name, item) == -1)
		return -1;
	return item->content == content->digest
		   ? 0
		   : differs(visit, place, node->name, "has other contents");
}

/* --- folders ------------------------------------------------------------- */

static int visit_folder(struct visit *visit, const struct place *place);

static int
descend(struct visit *visit, const struct place *place, const char *name,
    size_t node)
{
	struct place below = { .up = place,
		.name = name,
		.node = node,
		.depth = place->depth + 1 };
	int code;

	if (below.depth > DEEPEST)
		return differs(visit, place, name, "is nested too deep");
	below.fd = open_quietly(place->fd, name, O_DIRECTORY);
	if (below.fd == -1)
		return differs_errno(visit, place, name, "cannot be opened");
	code = visit_folder(visit, &below);
	(void)close(below.fd);
	return code;
}

static int
visit_unknown(struct visit *visit, const struct place *place, const char *name)
{
	struct digest_item item;

	if (look_at(visit, place, name, &item) == -1)
		return -1;
	if (item.kind == NODE_FILE &&
	    read_digest(visit, place, name, &item) == -1)
		return -1;
	digest_add(&visit->hash, &item);
	return item.kind == NODE_DIRECTORY
		   ? descend(visit, place, name, NO_NODE)
		   : 0;
}

static int
visit_known(struct visit *visit, const struct place *place, const char *name,
    size_t node)
{
	struct digest_item item;

	if (look_at(visit, place, name, &item) == -1 ||
	    compare(visit, place, node, &item) == -1)
		return -1;
	return item.kind == NODE_DIRECTORY ? descend(visit, place, name, node)
					   : 0;
}

static int
compare_folder(struct visit *visit, const struct place *place,
    const struct listing *listing)
{
	const struct tree *tree = visit->tree;
	const struct node *folder = &tree->nodes[place->node];
	size_t have = 0;

	for (size_t i = 0; i < folder->child_count; i++) {
		size_t index = tree->sorted[folder->first_child + i];
		const char *name = tree->nodes[index].name;
		int order = have < listing->count
				? strcmp(listing->names[have], name)
				: 1;

		if (place->depth == 0 && strcmp(name, "lost+found") == 0)
			continue;
		if (order > 0)
			return differs(visit, place, name, "is missing");
		if (order < 0)
			return differs(visit, place, listing->names[have],
			    "should not be there");
		if (visit_known(visit, place, name, index) == -1)
			return -1;
		have++;
	}
	return have == listing->count
		   ? 0
		   : differs(visit, place, listing->names[have],
			 "should not be there");
}

static int
visit_folder(struct visit *visit, const struct place *place)
{
	struct listing listing;
	int code = 0;

	if (listing_read(&listing, place->fd, place->depth == 0) == -1)
		code = differs_errno(visit, place, "", "cannot be listed");
	else if (visit->tree != NULL)
		code = compare_folder(visit, place, &listing);
	else
		for (size_t i = 0; code == 0 && i < listing.count; i++)
			code = visit_unknown(visit, place, listing.names[i]);
	arena_free(listing.arena);
	return code;
}

/* --- entry points -------------------------------------------------------- */

static int
visit_start(struct visit *visit, const char *directory, struct error *err)
{
	struct place top = { .name = directory };
	int code;

	top.fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (top.fd == -1)
		return error_errno(err, "cannot open folder '%s'", directory);
	visit->block = malloc(READ_BLOCK);
	if (visit->block == NULL)
		abort();
	hash_init(&visit->hash);
	code = visit_folder(visit, &top);
	free(visit->block);
	(void)close(top.fd);
	return code == -1 ? 1 : 0;
}

/* A copy's folder may be missing: that is a difference, not our trouble. */
static int
verify_copy(struct visit *visit, const char *directory, int64_t number,
    struct error *err)
{
	char *name = arena_printf(visit->arena, "copy-%04" PRId64, number);
	char *path = arena_printf(visit->arena, "%s/%s", directory, name);
	int code;

	if (access(path, F_OK) == -1) {
		visit->path = name;
		visit->reason = arena_printf(
		    visit->arena, "is missing: %s", strerror(errno));
		return 1;
	}
	code = visit_start(visit, path, err);
	if (code == 1)
		visit->path =
		    arena_printf(visit->arena, "%s/%s", name, visit->path);
	return code;
}

int
tree_verify(const struct tree *tree, const char *directory,
    const struct verify_options *options, struct arena *arena,
    struct verify_result *result, struct error *err)
{
	struct visit visit = {
		.tree = tree, .contents = options->contents, .arena = arena
	};
	int code = 0;

	if (options->copies <= 1)
		code = visit_start(&visit, directory, err);
	for (int64_t i = 1; code == 0 && i <= options->copies; i++)
		if (options->copies > 1)
			code = verify_copy(&visit, directory, i, err);
	if (code == -1)
		return -1;
	*result = (struct verify_result){
		.ok = code == 0,
		.path = visit.path,
		.reason = visit.reason,
		.entries = visit.seen.entries,
		.bytes = visit.seen.bytes,
	};
	return 0;
}

int
tree_digest(const char *directory, struct tree_summary *summary,
    struct arena *arena, struct error *err)
{
	struct visit visit = { .arena = arena };
	int code = visit_start(&visit, directory, err);

	if (code == -1)
		return -1;
	if (code == 1)
		return error_set(err, "'%s' in '%s' %s", visit.path, directory,
		    visit.reason);
	*summary = visit.seen;
	summary->digest = hash_final(&visit.hash);
	summary->format = "";
	return 0;
}
