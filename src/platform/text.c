#include "platform/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

enum { PATH_SIZE = 4096 };
enum { FILE_LIMIT = 4 * 1024 * 1024 };

static char *
file_text(struct arena *arena, const char *path)
{
	struct error ignored = { 0 };
	struct buffer buffer;
	char *text = NULL;

	buffer_init(&buffer);
	if (buffer_read_file(&buffer, path, FILE_LIMIT, &ignored) == 0)
		text =
		    arena_strndup(arena, buffer_text(&buffer), buffer.length);
	buffer_reset(&buffer);
	return text;
}

char *
text_file(struct arena *arena, const char *path_format, ...)
{
	char path[PATH_SIZE];
	va_list arguments;

	va_start(arguments, path_format);
	(void)vsnprintf(path, sizeof path, path_format, arguments);
	va_end(arguments);
	return file_text(arena, path);
}

char *
text_first_line(struct arena *arena, const char *path_format, ...)
{
	char path[PATH_SIZE];
	va_list arguments;
	char *text;

	va_start(arguments, path_format);
	(void)vsnprintf(path, sizeof path, path_format, arguments);
	va_end(arguments);
	text = file_text(arena, path);
	if (text == NULL)
		return arena_strdup(arena, "");
	text[strcspn(text, "\n")] = '\0';
	return text_trim(arena, text);
}

int64_t
text_number(const char *text, int64_t otherwise)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	return end == text || errno != 0 ? otherwise : value;
}

size_t
text_numbers(const char *text, uint64_t *numbers, size_t max)
{
	size_t count = 0;

	while (count < max) {
		char *end;

		text += strspn(text, " \t\n");
		if (!isdigit((unsigned char)*text))
			break;
		errno = 0;
		numbers[count] = strtoull(text, &end, 10);
		if (errno != 0)
			break;
		count++;
		text = *end != '\0' ? end + 1 : end;
	}
	return count;
}

char *
text_trim(struct arena *arena, const char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	return arena_strndup(arena, text, length);
}

bool
text_next_line(struct arena *arena, const char *text, size_t size,
    size_t *position, char **line)
{
	size_t left = size - *position;
	const char *newline;
	const char *start;
	size_t length;

	if (left == 0)
		return false;
	start = text + *position;
	newline = memchr(start, '\n', left);
	length = newline != NULL ? (size_t)(newline - start) : left;
	*position += length + (newline != NULL);
	*line = arena_strndup(arena, start, length);
	return true;
}

char *
text_next_word(char **line)
{
	char *word = *line;
	char *blank;

	if (word == NULL)
		return NULL;
	blank = strchr(word, ' ');
	if (blank != NULL)
		*blank++ = '\0';
	*line = blank;
	return word;
}

bool
name_list_has(const struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return true;
	return false;
}

void
name_list_add(struct arena *arena, struct name_list *list, const char *name)
{
	if (name_list_has(list, name))
		return;
	list->names =
	    arena_append(arena, list->names, list->count, sizeof *list->names);
	list->names[list->count++] = arena_strdup(arena, name);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
name_list_folder(
    struct arena *arena, struct name_list *list, const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	list->names = NULL;
	list->count = 0;
	if (directory == NULL)
		return;
	while ((entry = readdir(directory)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			name_list_add(arena, list, entry->d_name);
	(void)closedir(directory);
	if (list->count > 0)
		qsort(list->names, list->count, sizeof *list->names,
		    compare_names);
}

int
text_write(const char *path, const char *text, struct error *err)
{
	size_t length = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written;

	if (fd == -1)
		return error_errno(err, "cannot open '%s'", path);
	written = write(fd, text, length);
	if (written != (ssize_t)length) {
		(void)error_errno(err, "cannot write '%s' to '%s'", text, path);
		(void)close(fd);
		return -1;
	}
	if (close(fd) == -1)
		return error_errno(
		    err, "cannot write '%s' to '%s'", text, path);
	return 0;
}
