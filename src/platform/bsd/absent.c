/* What the BSDs do not have, or do by a command of the system tables. */
#include <unistd.h>

#include "platform/attach.h"
#include "platform/memory.h"
#include "platform/probe.h"

int
platform_attach(const char *image, int64_t sector_bytes, struct arena *arena,
    struct attachment *attachment, struct error *err)
{
	(void)image;
	(void)sector_bytes;
	(void)arena;
	(void)err;
	*attachment = (struct attachment){ .fd = -1,
		.note = "attached by command: the file may stay in the cache" };
	return PLATFORM_ABSENT;
}

int
platform_detach(
    struct attachment *attachment, int64_t timeout_ns, struct error *err)
{
	(void)attachment;
	(void)timeout_ns;
	(void)err;
	return PLATFORM_ABSENT;
}

int
platform_detach_device(
    const char *device, int64_t timeout_ns, struct error *err)
{
	(void)device;
	(void)timeout_ns;
	(void)err;
	return PLATFORM_ABSENT;
}

int
platform_memory_limit_create(const char *name, int64_t bytes,
    struct arena *arena, struct memory_limit *limit, struct error *err)
{
	(void)name;
	(void)arena;
	*limit = (struct memory_limit){ .bytes = bytes };
	(void)error_set_kind(err, ERROR_HOST,
	    "this system limits memory only at boot (hw.physmem in "
	    "loader.conf)");
	return PLATFORM_ABSENT;
}

int
platform_memory_limit_join(void *limit)
{
	(void)limit;
	return 0;
}

int64_t
platform_memory_limit_kills(const struct memory_limit *limit)
{
	(void)limit;
	return -1;
}

int
platform_memory_limit_remove(const char *path, struct error *err)
{
	(void)path;
	(void)err;
	return 0;
}

int
platform_probe_options(const char *type, const char *const *options,
    size_t count, struct arena *arena, struct probe_result *result,
    struct error *err)
{
	(void)type;
	(void)options;
	(void)count;
	(void)arena;
	(void)err;
	*result = (struct probe_result){
		.reason = "this kernel judges options only at a mount"
	};
	return 0;
}
