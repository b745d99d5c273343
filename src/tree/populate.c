/*
 * Writing a tree.  Everything goes through the descriptor of the folder it
 * lies in, opened with O_NOFOLLOW from its own parent, so no name is ever
 * looked up through a link.  The descriptors of the current path are kept:
 * archives come in folder order, so most entries need none opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tree/name.h"
#include "tree/node.h"
#include "tree/source.h"

struct writer {
	const struct tree *tree;
	const struct populate_options *options;
	struct source source;
	int base;        /* the folder of this copy */
	int *fds;        /* of the current path, by depth; [0] is base */
	size_t *folders; /* their nodes */
	size_t depth;    /* last one in use */
	size_t depth_room;
	bool *is_made;    /* folders, by node */
	bool *is_written; /* contents */
	size_t *made;     /* folders in the order they were made */
	size_t made_count;
	bool set_owners;
	struct timespec aged; /* for options->age_ns */
	struct populate_result *result;
	size_t failed_node;
	struct error *err;
};

/* Notes the failed call; always 1. */
static int
failed(struct writer *writer, const char *action, size_t node)
{
	writer->result->errno_value = errno;
	writer->result->action = action;
	writer->failed_node = node;
	return 1;
}

/* The descriptor of a folder, opening what the path lacks; -1 with errno. */
static int
folder_fd(struct writer *writer, size_t folder)
{
	const struct node *nodes = writer->tree->nodes;
	size_t depth = nodes[folder].depth;
	int parent;
	int fd;

	if (depth <= writer->depth && writer->folders[depth] == folder)
		return writer->fds[depth];
	parent = folder_fd(writer, nodes[folder].parent);
	if (parent == -1)
		return -1;
	fd = openat(parent, nodes[folder].name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd == -1)
		return -1;
	while (writer->depth >= depth)
		(void)close(writer->fds[writer->depth--]);
	writer->depth = depth;
	writer->fds[depth] = fd;
	writer->folders[depth] = folder;
	return fd;
}

/* Makes a folder and those above it; one that is there already is used. */
static int
make_folder(struct writer *writer, size_t folder)
{
	const struct node *node = &writer->tree->nodes[folder];
	int parent;

	if (folder == 0 || writer->is_made[folder])
		return 0;
	if (make_folder(writer, node->parent) == 1)
		return 1;
	parent = folder_fd(writer, node->parent);
	if (parent == -1)
		return failed(writer, "open folder", node->parent);
	if (mkdirat(parent, node->name, node->mode | 0700) == -1 &&
	    errno != EEXIST)
		return failed(writer, "mkdir", folder);
	if (folder_fd(writer, folder) == -1)
		return failed(writer, "open folder", folder);
	writer->is_made[folder] = true;
	writer->made[writer->made_count++] = folder;
	writer->result->entries++;
	return 0;
}

/* Access and modification time; false when they stay as they are. */
static bool
times_of(const struct writer *writer, const struct node *node,
    struct timespec times[2])
{
	times[0] = (struct timespec){ .tv_nsec = UTIME_OMIT };
	times[1] = times[0];
	if (writer->options->age_ns > 0) {
		times[0] = writer->aged;
		times[1] = writer->aged;
		return true;
	}
	if (!node->has_mtime)
		return false;
	times[1].tv_sec = (time_t)node->mtime_s;
	times[1].tv_nsec = node->mtime_ns;
	return true;
}

/* Owner and times of what has no open descriptor: links and folders. */
static int
finish_name(struct writer *writer, size_t index, int parent)
{
	const struct node *node = &writer->tree->nodes[index];
	struct timespec times[2];

	if (writer->set_owners && fchownat(parent, node->name, node->uid,
				      node->gid, AT_SYMLINK_NOFOLLOW) == -1)
		return failed(writer, "set owner", index);
	if (times_of(writer, node, times) &&
	    utimensat(parent, node->name, times, AT_SYMLINK_NOFOLLOW) == -1)
		return failed(writer, "set times", index);
	return 0;
}

static int
fill_file(struct writer *writer, size_t index, int fd)
{
	const struct node *node = &writer->tree->nodes[index];
	struct timespec times[2];
	int code = source_write(&writer->source,
	    &writer->tree->contents[node->content], fd, writer->err);

	if (code == -1)
		return -1;
	if (code == 1)
		return failed(writer, "write", index);
	if (writer->set_owners && fchown(fd, node->uid, node->gid) == -1)
		return failed(writer, "set owner", index);
	if (times_of(writer, node, times) && futimens(fd, times) == -1)
		return failed(writer, "set times", index);
	return 0;
}

static int
write_file(struct writer *writer, size_t index, int parent)
{
	const struct node *node = &writer->tree->nodes[index];
	int fd = openat(parent, node->name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, node->mode);
	int code;

	if (fd == -1)
		return failed(writer, "create", index);
	code = fill_file(writer, index, fd);
	if (close(fd) == -1 && code == 0)
		code = failed(writer, "close", index);
	if (code == 0)
		writer->result->bytes +=
		    writer->tree->contents[node->content].size;
	writer->is_written[node->content] = true;
	return code;
}

static int
write_link(struct writer *writer, size_t index, int parent)
{
	const struct tree *tree = writer->tree;
	const struct node *node = &tree->nodes[index];
	struct arena *arena = arena_new();
	const char *from =
	    node_path(tree, tree->contents[node->content].creator, arena);
	int code = linkat(writer->base, from, parent, node->name, 0);

	arena_free(arena);
	return code == -1 ? failed(writer, "link", index) : 0;
}

static int
write_node(struct writer *writer, size_t index)
{
	const struct node *node = &writer->tree->nodes[index];
	int parent;
	int code;

	if (node->kind == NODE_DIRECTORY)
		return make_folder(writer, index);
	if (make_folder(writer, node->parent) == 1)
		return 1;
	parent = folder_fd(writer, node->parent);
	if (parent == -1)
		return failed(writer, "open folder", node->parent);
	if (node->kind == NODE_SYMLINK) {
		code = symlinkat(node->target, parent, node->name) == -1
			   ? failed(writer, "symlink", index)
			   : finish_name(writer, index, parent);
	} else {
		code = writer->is_written[node->content]
			   ? write_link(writer, index, parent)
			   : write_file(writer, index, parent);
	}
	writer->result->entries += code == 0;
	return code;
}

/* Modes and times of folders, last made first: filling a folder changes its
 * times, and a mode without "w" or "x" would be in the way. */
static int
finish_folders(struct writer *writer)
{
	for (size_t i = writer->made_count; i-- > 0;) {
		size_t index = writer->made[i];
		const struct node *node = &writer->tree->nodes[index];
		int parent = folder_fd(writer, node->parent);

		if (parent == -1)
			return failed(writer, "open folder", node->parent);
		if ((node->mode & 0700) != 0700 &&
		    fchmodat(parent, node->name, node->mode, 0) == -1)
			return failed(writer, "set mode", index);
		if (finish_name(writer, index, parent) == 1)
			return 1;
	}
	return 0;
}

static int
write_nodes(struct writer *writer)
{
	int code = 0;

	if (source_open(&writer->source, writer->tree, writer->err) == -1)
		return -1;
	for (size_t i = 0; code == 0 && i < writer->tree->order_count; i++)
		code = write_node(writer, writer->tree->order[i]);
	if (code == 0)
		code = finish_folders(writer);
	source_close(&writer->source);
	return code;
}

/* One copy into the folder; "prefix" is its name for messages. */
static int
write_copy(
    struct writer *writer, int base, const char *prefix, struct arena *arena)
{
	const struct tree *tree = writer->tree;
	int code;

	writer->base = base;
	writer->fds[0] = base;
	writer->folders[0] = 0;
	writer->depth = 0;
	writer->made_count = 0;
	memset(writer->is_made, 0, tree->node_count);
	memset(writer->is_written, 0, tree->content_count);
	code = write_nodes(writer);
	while (writer->depth > 0)
		(void)close(writer->fds[writer->depth--]);
	if (code == 1)
		writer->result->path = arena_printf(arena, "%s%s", prefix,
		    name_show(
			arena, node_path(tree, writer->failed_node, arena)));
	return code;
}

static int
write_numbered_copy(
    struct writer *writer, int base, int64_t number, struct arena *arena)
{
	char name[32];
	char *prefix;
	int fd;
	int code;

	(void)snprintf(name, sizeof name, "copy-%04" PRId64, number);
	prefix = arena_printf(arena, "%s/", name);
	if (mkdirat(base, name, 0755) == -1 && errno != EEXIST)
		code = failed(writer, "mkdir", 0);
	else if ((fd = openat(base, name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) == -1)
		code = failed(writer, "open folder", 0);
	else {
		code = write_copy(writer, fd, prefix, arena);
		(void)close(fd);
		writer->result->entries += code == 0;
		return code;
	}
	writer->result->path = arena_strdup(arena, name);
	return code;
}

static int
write_copies(struct writer *writer, int base, struct arena *arena)
{
	int64_t copies = writer->options->copies;
	int code = 0;

	if (copies <= 1)
		return write_copy(writer, base, "", arena);
	for (int64_t i = 1; code == 0 && i <= copies; i++)
		code = write_numbered_copy(writer, base, i, arena);
	return code;
}

static void
make_writer(struct writer *writer)
{
	const struct tree *tree = writer->tree;
	size_t deepest = 0;
	int64_t aged_ns = clock_wall_ns() - writer->options->age_ns;

	for (size_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].depth > deepest)
			deepest = tree->nodes[i].depth;
	writer->fds = calloc(deepest + 1, sizeof *writer->fds);
	writer->folders = calloc(deepest + 1, sizeof *writer->folders);
	writer->is_made = calloc(tree->node_count + 1, sizeof *writer->is_made);
	writer->is_written =
	    calloc(tree->content_count + 1, sizeof *writer->is_written);
	writer->made = calloc(tree->node_count + 1, sizeof *writer->made);
	if (writer->fds == NULL || writer->folders == NULL ||
	    writer->is_made == NULL || writer->is_written == NULL ||
	    writer->made == NULL)
		abort();
	writer->set_owners = writer->options->owners && geteuid() == 0;
	writer->aged = (struct timespec){ .tv_sec = aged_ns / 1000000000,
		.tv_nsec = aged_ns % 1000000000 };
}

int
tree_populate(const struct tree *tree, const char *directory,
    const struct populate_options *options, struct arena *arena,
    struct populate_result *result, struct error *err)
{
	struct writer writer = {
		.tree = tree, .options = options, .result = result, .err = err
	};
	int base = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	mode_t mask;
	int code;

	*result = (struct populate_result){ .path = "", .action = "" };
	if (base == -1)
		return error_errno(err, "cannot open folder '%s'", directory);
	make_writer(&writer);
	mask = umask(0);
	code = write_copies(&writer, base, arena);
	(void)umask(mask);
	(void)close(base);
	free(writer.fds);
	free(writer.folders);
	free(writer.is_made);
	free(writer.is_written);
	free(writer.made);
	return code == -1 ? -1 : 0;
}
