#include "platform/folder.h"

#include <sys/types.h>

#include <dirent.h>
#include <unistd.h>

#include "platform/bsd/bsd.h"

long
platform_folder_read(int fd, void *buffer, size_t size)
{
	return (long)getdents(fd, buffer, size);
}

size_t
bsd_record_size(const struct dirent *record)
{
	return record->d_reclen;
}
