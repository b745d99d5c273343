/* Disks made from files, as "vnconfig -l" lists them; for the systems that
 * have it. */
#ifndef MM_PLATFORM_BSD_VNCONFIG_H
#define MM_PLATFORM_BSD_VNCONFIG_H

#include "platform/bsd_text.h"

void bsd_vnconfig_list(struct arena *arena, struct file_disk_list *list);

#endif
