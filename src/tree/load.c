/* From an archive's entries to nodes: the judgement on each is here. */
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "tree/loader.h"
#include "tree/name.h"

static const int64_t MEMORY_BYTES = (int64_t)1 << 30;
static const int64_t CONTENT_BYTES = (int64_t)256 << 30;
static const int64_t ENTRIES = (int64_t)16 << 20;

static int64_t
or_default(int64_t value, int64_t standard)
{
	return value > 0 ? value : standard;
}

/* --- where an entry belongs ---------------------------------------------- */

/* Finds the folder the name lies in, making what the archive does not list,
 * and its last component.  A name of the root itself gives NULL in "*last". */
static int
find_parent(struct loader *loader, const char *name, size_t *parent,
    const char **last, size_t *length)
{
	struct tree *tree = loader->tree;
	const char *part;
	size_t part_length = 0;

	*parent = 0;
	*last = name_next(&name, length);
	while (
	    *last != NULL && (part = name_next(&name, &part_length)) != NULL) {
		size_t node = node_find(tree, *parent, *last, *length);

		if (node == NO_NODE) {
			node = node_add(
			    tree, *parent, *last, *length, NODE_DIRECTORY);
			tree->nodes[node].mode = 0755;
			tree->nodes[node].ordinal = loader->reader.ordinal;
		}
		if (tree->nodes[node].kind == NODE_SYMLINK)
			return loader_refuse(
			    loader, "lies below a symbolic link");
		if (tree->nodes[node].kind == NODE_FILE)
			return loader_refuse(loader, "lies below a file");
		*parent = node;
		*last = part;
		*length = part_length;
	}
	return 0;
}

/* The node for an entry: new, or a folder met again.  What was there under
 * that name gives way, unless it is a folder that holds something. */
static int
claim(
    struct loader *loader, const char *name, enum node_kind kind, size_t *node)
{
	struct tree *tree = loader->tree;
	const char *last;
	size_t parent;
	size_t length;

	if (find_parent(loader, name, &parent, &last, &length) == -1)
		return -1;
	*node = last == NULL ? 0 : node_find(tree, parent, last, length);
	if (last == NULL && kind != NODE_DIRECTORY)
		return loader_refuse(loader, "would replace the tree's root");
	if (*node != NO_NODE && kind == NODE_DIRECTORY &&
	    tree->nodes[*node].kind == NODE_DIRECTORY)
		return 0;
	if (*node != NO_NODE) {
		if (tree->nodes[*node].child_count > 0)
			return loader_refuse(
			    loader, "would replace a folder that is not empty");
		node_kill(tree, *node);
		tree->summary.replaced++;
	}
	*node = node_add(tree, parent, last, length, kind);
	tree->nodes[*node].ordinal = loader->reader.ordinal;
	return 0;
}

static void
set_attributes(struct loader *loader, size_t index)
{
	struct tree *tree = loader->tree;
	struct node *node = &tree->nodes[index];
	struct archive_entry *entry = loader->reader.entry;
	mode_t mode = archive_entry_mode(entry) & 07777;

	if ((mode & 07000) != 0 && node->kind != NODE_SYMLINK) {
		tree->summary.modes_tamed++;
		if (tree->summary.modes_example == NULL)
			tree->summary.modes_example =
			    name_show(loader->arena, loader->name);
	}
	node->mode = mode & 0777;
	/* a manifest need not say any */
	if (node->mode == 0 && tree->summary.is_manifest)
		node->mode = node->kind == NODE_DIRECTORY ? 0755 : 0644;
	node->uid = (uid_t)archive_entry_uid(entry);
	node->gid = (gid_t)archive_entry_gid(entry);
	node->has_mtime = archive_entry_mtime_is_set(entry) != 0;
	node->mtime_s = archive_entry_mtime(entry);
	node->mtime_ns = archive_entry_mtime_nsec(entry);
	if (node->mtime_ns < 0 || node->mtime_ns > 999999999)
		node->mtime_ns = 0;
}

/* --- kinds of entries ---------------------------------------------------- */

static int
add_file(struct loader *loader)
{
	struct tree *tree = loader->tree;
	size_t node;

	if (claim(loader, loader->name, NODE_FILE, &node) == -1)
		return -1;
	set_attributes(loader, node);
	tree->nodes[node].content = content_add(tree);
	return loader_content(loader, tree->nodes[node].content);
}

static size_t
find_path(const struct tree *tree, const char *path)
{
	size_t node = 0;
	size_t length;
	const char *part;

	while (node != NO_NODE && (part = name_next(&path, &length)) != NULL)
		node = node_find(tree, node, part, length);
	return node;
}

/* A new content in place of the old for all names that share it: cpio gives
 * the data with the last of the names. */
static int
refill(struct loader *loader, size_t index)
{
	struct content *content = &loader->tree->contents[index];

	loader->bytes -= content->size;
	*content = (struct content){ .creator = NO_NODE };
	return loader_content(loader, index);
}

static int
add_hard_link(struct loader *loader, const char *to)
{
	struct tree *tree = loader->tree;
	size_t target;
	size_t node;
	size_t content;

	if (name_trouble(to) != NULL)
		return loader_refuse(loader, "is a hard link out of the tree");
	target = find_path(tree, to);
	if (target == NO_NODE)
		return loader_refuse(
		    loader, "is a hard link to what is not in the archive");
	if (tree->nodes[target].kind != NODE_FILE)
		return loader_refuse(
		    loader, "is a hard link to what is not a file");
	content = tree->nodes[target].content;
	if (target != find_path(tree, loader->name)) {
		if (claim(loader, loader->name, NODE_FILE, &node) == -1)
			return -1;
		set_attributes(loader, node);
		tree->nodes[node].content = content;
	}
	if (!archive_entry_size_is_set(loader->reader.entry) ||
	    archive_entry_size(loader->reader.entry) == 0)
		return 0;
	return refill(loader, content);
}

static int
add_symlink(struct loader *loader)
{
	struct tree *tree = loader->tree;
	const char *target = archive_entry_symlink(loader->reader.entry);
	char *tame;
	size_t node;

	if (target == NULL || target[0] == '\0')
		return loader_refuse(loader, "is a symbolic link to nothing");
	if (strlen(target) > 4095)
		return loader_refuse(
		    loader, "is a symbolic link to an overlong name");
	if (claim(loader, loader->name, NODE_SYMLINK, &node) == -1)
		return -1;
	set_attributes(loader, node);
	tame =
	    name_tame_target(tree->arena, target, tree->nodes[node].depth - 1);
	if (tame != NULL) {
		tree->summary.links_tamed++;
		if (tree->summary.links_example == NULL)
			tree->summary.links_example =
			    name_show(loader->arena, loader->name);
	}
	tree->nodes[node].target =
	    tame != NULL ? tame : arena_strdup(tree->arena, target);
	return 0;
}

static int
add_directory(struct loader *loader)
{
	size_t node;

	if (claim(loader, loader->name, NODE_DIRECTORY, &node) == -1)
		return -1;
	if (node != 0)
		set_attributes(loader, node);
	return 0;
}

static int
leave_out(struct loader *loader)
{
	struct tree_summary *summary = &loader->tree->summary;

	summary->left_out++;
	if (summary->left_out_example == NULL)
		summary->left_out_example =
		    name_show(loader->arena, loader->name);
	return 0;
}

static int
load_entry(struct loader *loader)
{
	struct archive_entry *entry = loader->reader.entry;
	const char *name = archive_entry_pathname(entry);
	const char *link = archive_entry_hardlink(entry);
	const char *trouble;
	mode_t type = archive_entry_filetype(entry);

	loader->name = name != NULL ? name : "?";
	loader->tree->summary.is_manifest = reader_is_manifest(&loader->reader);
	if ((int64_t)loader->reader.ordinal > loader->limits.entries)
		return error_set_kind(loader->err, ERROR_USAGE,
		    "archive '%s' has more than %lld entries",
		    loader->tree->path, (long long)loader->limits.entries);
	if (name == NULL)
		return loader_refuse(
		    loader, "has a name that cannot be converted");
	trouble = name_trouble(name);
	if (trouble != NULL)
		return loader_refuse(loader, trouble);
	if (link != NULL)
		return add_hard_link(loader, link);
	if (type == AE_IFREG || type == 0)
		return add_file(loader);
	if (type == AE_IFDIR)
		return add_directory(loader);
	if (type == AE_IFLNK)
		return add_symlink(loader);
	return leave_out(loader);
}

/* A signal must not have to wait for the end of a large archive. */
static int
check_cancel(struct loader *loader)
{
	if (loader->reader.ordinal % 64 != 0 || !proc_is_cancelled())
		return 0;
	return error_set_kind(loader->err, ERROR_CANCELLED,
	    "archive '%s': stopped while reading", loader->tree->path);
}

static int
load_entries(struct loader *loader)
{
	int code;

	while ((code = reader_next(&loader->reader, loader->err)) == 1)
		if (load_entry(loader) == -1 || check_cancel(loader) == -1)
			return -1;
	if (code == -1)
		return -1;
	nodes_finish(loader->tree);
	if (loader->tree->summary.entries == 0)
		return error_set_kind(loader->err, ERROR_USAGE,
		    "archive '%s' holds no files", loader->tree->path);
	loader->tree->summary.format = arena_strdup(
	    loader->tree->arena, archive_format_name(loader->reader.archive));
	return 0;
}

int
tree_load(const char *path, const struct tree_limits *limits,
    struct tree **tree, struct error *err)
{
	struct loader loader = { .err = err };
	int code;

	if (limits != NULL)
		loader.limits = *limits;
	loader.limits.memory_bytes =
	    or_default(loader.limits.memory_bytes, MEMORY_BYTES);
	loader.limits.content_bytes =
	    or_default(loader.limits.content_bytes, CONTENT_BYTES);
	loader.limits.entries = or_default(loader.limits.entries, ENTRIES);
	if (reader_open(&loader.reader, path, err) == -1)
		return -1;
	loader.tree = nodes_new(path);
	loader.arena = loader.tree->arena;
	loader.tree->archive_size = loader.reader.size;
	loader.tree->archive_mtime_s = loader.reader.mtime_s;
	code = load_entries(&loader);
	reader_close(&loader.reader);
	if (code == -1) {
		tree_free(loader.tree);
		return -1;
	}
	*tree = loader.tree;
	return 0;
}
