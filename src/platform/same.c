#include "platform/device.h"

bool
device_is_same(const struct device_info *a, const struct device_info *b)
{
	if (a->kind != b->kind || a->kind == DEVICE_ABSENT || a->id != b->id)
		return false;
	/* two nodes of one device have one number but two inodes */
	return a->kind == DEVICE_DISK || a->inode == b->inode;
}
