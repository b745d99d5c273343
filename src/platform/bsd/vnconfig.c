#include "platform/bsd/vnconfig.h"

#include "platform/bsd/bsd.h"

void
bsd_vnconfig_list(struct arena *arena, struct file_disk_list *list)
{
	static const char *const ask[] = { "vnconfig", "-l", NULL };

	vnconfig_parse(bsd_output_of(arena, ask), arena, list);
}
