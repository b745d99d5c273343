#include "tree/listing.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
listing_add(struct listing *listing, const char *name)
{
	if (listing->count == listing->capacity)
		listing->names = arena_grow(listing->arena, listing->names,
		    listing->count, &listing->capacity, sizeof *listing->names);
	listing->names[listing->count++] = arena_strdup(listing->arena, name);
}

static bool
is_passed_over(const char *name, bool is_top)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       (is_top && strcmp(name, "lost+found") == 0);
}

int
listing_read(struct listing *listing, int folder, bool is_top)
{
	int fd = dup(folder);
	DIR *dir = fd == -1 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*listing = (struct listing){ .arena = arena_new() };
	if (dir == NULL) {
		if (fd != -1)
			(void)close(fd);
		return -1;
	}
	rewinddir(dir);
	errno = 0;
	while ((entry = readdir(dir)) != NULL)
		if (!is_passed_over(entry->d_name, is_top))
			listing_add(listing, entry->d_name);
	if (errno != 0) {
		int code = errno;

		(void)closedir(dir);
		errno = code;
		return -1;
	}
	(void)closedir(dir);
	if (listing->count > 0)
		qsort(listing->names, listing->count, sizeof *listing->names,
		    by_text);
	return 0;
}
