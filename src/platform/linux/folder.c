#include "platform/folder.h"

#include <dirent.h>

static const enum folder_type types[] = {
	[DT_UNKNOWN] = FOLDER_UNKNOWN,
	[DT_FIFO] = FOLDER_SPECIAL,
	[DT_CHR] = FOLDER_SPECIAL,
	[DT_DIR] = FOLDER_DIRECTORY,
	[DT_BLK] = FOLDER_SPECIAL,
	[DT_REG] = FOLDER_FILE,
	[DT_LNK] = FOLDER_SYMLINK,
	[DT_SOCK] = FOLDER_SPECIAL,
};

long
platform_folder_read(int fd, void *buffer, size_t size)
{
	return (long)getdents64(fd, buffer, size);
}

size_t
platform_folder_next(
    const void *buffer, size_t offset, struct folder_entry *entry)
{
	const struct dirent64 *record =
	    (const void *)((const char *)buffer + offset);
	unsigned char type = record->d_type;

	entry->name = record->d_name;
	entry->inode = record->d_ino;
	entry->type = type <= DT_SOCK ? types[type] : FOLDER_SPECIAL;
	return offset + record->d_reclen;
}
