#include "platform/folder.h"

#include <sys/types.h>

#include <dirent.h>

#include "platform/bsd/bsd.h"

static enum folder_type
type_of(unsigned char type)
{
	switch (type) {
	case DT_DIR:
		return FOLDER_DIRECTORY;
	case DT_REG:
		return FOLDER_FILE;
	case DT_LNK:
		return FOLDER_SYMLINK;
	case DT_UNKNOWN:
		return FOLDER_UNKNOWN;
	default:
		return FOLDER_SPECIAL;
	}
}

size_t
platform_folder_next(
    const void *buffer, size_t offset, struct folder_entry *entry)
{
	const struct dirent *record =
	    (const void *)((const char *)buffer + offset);

	entry->name = record->d_fileno != 0 ? record->d_name : "";
	entry->inode = record->d_fileno;
	entry->type = type_of(record->d_type);
	return offset + bsd_record_size(record);
}
