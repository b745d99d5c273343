#include "base/io.h"
#include "platform/magic.h"
#include "platform/text.h"

enum { HEAD_BYTES = 1024 * 1024, TAIL_BYTES = 64 * 1024 };

int
magic_read(int fd, const char *name, struct arena *arena,
    struct signature_list *list, struct error *err)
{
	int64_t size = platform_descriptor_size(fd);
	size_t head_size = size < HEAD_BYTES ? (size_t)size : HEAD_BYTES;
	size_t tail_size = size < TAIL_BYTES ? (size_t)size : TAIL_BYTES;
	unsigned char *head;
	unsigned char *tail;

	if (size < 0)
		return error_errno(
		    err, "cannot find out the size of '%s'", name);
	head = arena_alloc(arena, head_size);
	tail = arena_alloc(arena, tail_size);
	/* whole sectors from whole sectors: a raw device takes nothing else */
	if (io_read_at(fd, head, head_size, 0) == 1 ||
	    io_read_at(fd, tail, tail_size, size - (int64_t)tail_size) == 1)
		return error_errno(err, "cannot read '%s'", name);
	magic_signatures(head, head_size, tail, tail_size, arena, list);
	return 0;
}
