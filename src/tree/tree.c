#include "tree/tree.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "base/units.h"
#include "tree/node.h"

const struct tree_summary *
tree_summary(const struct tree *tree)
{
	return &tree->summary;
}

static void
remark(
    struct buffer *text, int64_t count, const char *what, const char *example)
{
	if (count == 0)
		return;
	buffer_printf(text, "%s%" PRId64 " %s", text->length > 0 ? "; " : "",
	    count, what);
	if (example != NULL)
		buffer_printf(
		    text, " ('%s'%s)", example, count > 1 ? ", ..." : "");
}

const char *
tree_remarks(const struct tree *tree, struct arena *arena)
{
	const struct tree_summary *summary = &tree->summary;
	struct buffer text;
	const char *copy;

	buffer_init(&text);
	remark(&text, summary->left_out, "devices, fifos or sockets left out",
	    summary->left_out_example);
	remark(&text, summary->modes_tamed,
	    "setuid, setgid or sticky modes dropped", summary->modes_example);
	remark(&text, summary->links_tamed,
	    "symbolic links out of the tree turned inwards",
	    summary->links_example);
	remark(
	    &text, summary->replaced, "entries replaced by later ones", NULL);
	if (summary->is_streamed)
		buffer_printf(&text,
		    "%sread again from the archive for each populate, too large for memory",
		    text.length > 0 ? "; " : "");
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

/* A folder takes a block of its own on most filesystems. */
static int64_t
room_needed(const struct tree_summary *summary)
{
	return (summary->blocks_4k + summary->directories) * 4096;
}

int
tree_check_room(const struct tree *tree, int64_t copies, int64_t bytes_free,
    int64_t inodes_free, struct error *err)
{
	const struct tree_summary *summary = &tree->summary;
	int64_t each = room_needed(summary);
	struct arena *arena;

	if (copies < 1)
		copies = 1;
	if (inodes_free > 0 && summary->entries + 1 > inodes_free / copies)
		return error_set_kind(err, ERROR_HOST,
		    "%" PRId64 " x %" PRId64
		    " entries of '%s' do not fit: %" PRId64 " inodes are free",
		    copies, summary->entries, tree->path, inodes_free);
	if (bytes_free < 0 || each <= bytes_free / copies)
		return 0;
	arena = arena_new();
	(void)error_set_kind(err, ERROR_HOST,
	    "%" PRId64 " x %s of '%s' do not fit: %s are free", copies,
	    units_format_size(arena, each), tree->path,
	    units_format_size(arena, bytes_free));
	arena_free(arena);
	return -1;
}
