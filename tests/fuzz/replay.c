/*
 * Runs a fuzz entry over files, or over all files of folders, and exits with
 * status 0 when it came back from each.  For compilers without a fuzzer, and
 * to hold what a fuzzer once found.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static size_t replayed;

static void
replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t size = 0, room = 0, got;

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	do {
		if (size == room) {
			room = room == 0 ? 65536 : room * 2;
			bytes = realloc(bytes, room);
			if (bytes == NULL)
				abort();
		}
		got = fread(bytes + size, 1, room - size, file);
		size += got;
	} while (got > 0);
	fclose(file);
	/* so that the last words on a crash say which file it was */
	fprintf(stderr, "replay %s\n", path);
	(void)LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
	replayed++;
}

static void
replay(const char *path)
{
	struct stat status;
	struct dirent *entry;
	DIR *folder;

	if (stat(path, &status) == -1) {
		perror(path);
		exit(1);
	}
	if (!S_ISDIR(status.st_mode)) {
		replay_file(path);
		return;
	}
	folder = opendir(path);
	if (folder == NULL) {
		perror(path);
		exit(1);
	}
	while ((entry = readdir(folder)) != NULL) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		replay(name);
	}
	closedir(folder);
}

int
main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	printf("%zu inputs replayed\n", replayed);
	return replayed == 0;
}
