#include "platform/linux/host_proc.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "platform/text.h"

enum { FILE_LIMIT = 16 * 1024 * 1024 };

static int kept_fd = -1;
static struct stat kept;

/* A child that closed its descriptors may have another file there by now. */
static bool
is_kept(void)
{
	struct stat now;

	return kept_fd != -1 && fstat(kept_fd, &now) == 0 &&
	       now.st_dev == kept.st_dev && now.st_ino == kept.st_ino;
}

void
host_proc_keep(void)
{
	if (is_kept())
		return;
	kept_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (kept_fd != -1)
		(void)fstat(kept_fd, &kept);
}

int
host_proc_fd(void)
{
	host_proc_keep();
	return kept_fd;
}

char *
host_proc_text(struct arena *arena, pid_t pid, const char *name)
{
	char path[128];
	char block[16384];
	struct buffer buffer;
	char *text = NULL;
	ssize_t got;
	int fd;

	(void)snprintf(path, sizeof path, "%d/%s", (int)pid, name);
	fd = openat(host_proc_fd(), path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return NULL;
	buffer_init(&buffer);
	while ((got = read(fd, block, sizeof block)) > 0 &&
	       buffer.length < FILE_LIMIT)
		buffer_append(&buffer, block, (size_t)got);
	if (got == 0)
		text =
		    arena_strndup(arena, buffer_text(&buffer), buffer.length);
	buffer_reset(&buffer);
	(void)close(fd);
	return text;
}

size_t
host_proc_pids(struct arena *arena, pid_t **pids)
{
	int fd =
	    openat(host_proc_fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd != -1 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	size_t count = 0;

	*pids = NULL;
	if (directory == NULL)
		return 0;
	while ((entry = readdir(directory)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		*pids = arena_append(arena, *pids, count, sizeof **pids);
		(*pids)[count++] = (pid_t)text_number(entry->d_name, 0);
	}
	(void)closedir(directory);
	return count;
}

pid_t
host_proc_self(void)
{
	char text[32];
	ssize_t length =
	    readlinkat(host_proc_fd(), "self", text, sizeof text - 1);

	if (length <= 0)
		return -1;
	text[length] = '\0';
	return (pid_t)text_number(text, -1);
}
