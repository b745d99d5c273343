#include "platform/bsd_text.h"

#include <ctype.h>
#include <string.h>

#include "platform/text.h"

/* The next word at any blanks, or NULL. */
static char *
word_of(char **line)
{
	char *word = *line + strspn(*line, " \t");
	size_t length = strcspn(word, " \t");

	if (length == 0)
		return NULL;
	*line = word + length;
	if (**line != '\0')
		*(*line)++ = '\0';
	return word;
}

static bool
parse_file_disk(char *line, struct file_disk *disk)
{
	static const char covering[] = "covering ";
	char *colon = strstr(line, ": ");
	char *inode = strstr(line, "inode ");
	char *rest;
	char *end;

	if (colon == NULL || inode == NULL)
		return false;
	*colon = '\0';
	rest = colon + 2;
	disk->name = line;
	disk->file = "";
	disk->folder = "";
	disk->inode = (ino_t)text_number(inode + strlen("inode "), 0);
	if (strncmp(rest, covering, sizeof covering - 1) == 0) {
		rest += sizeof covering - 1;
		/* a path may hold anything but the last " on " is not of it */
		for (end = NULL; (rest = strstr(rest, " on ")) != NULL; rest++)
			end = rest;
		if (end == NULL)
			return false;
		*end = '\0';
		disk->file = colon + 2 + sizeof covering - 1;
		return true;
	}
	end = strstr(rest, " (");
	if (end == NULL)
		return false;
	*end = '\0';
	disk->folder = rest;
	return true;
}

void
vnconfig_parse(
    const char *text, struct arena *arena, struct file_disk_list *list)
{
	size_t position = 0;
	char *line;

	*list = (struct file_disk_list){ 0 };
	while (text_next_line(arena, text, strlen(text), &position, &line)) {
		struct file_disk disk;

		if (!parse_file_disk(line, &disk))
			continue;
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = disk;
	}
}

static bool
has_process(const struct process_list *list, pid_t pid)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].pid == pid)
			return true;
	return false;
}

static const char *
fd_in_words(struct arena *arena, const char *fd)
{
	static const struct {
		const char *fd;
		const char *words;
	} names[] = { { "wd", "current folder" }, { "root", "root folder" },
		{ "text", "program" }, { "mmap", "mapped file" },
		{ "jail", "jail's folder" }, { "tr", "trace file" } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(fd, names[i].fd) == 0)
			return names[i].words;
	return arena_printf(arena, "open file %.*s", (int)strcspn(fd, "*"), fd);
}

void
fstat_parse(const char *text, struct arena *arena, struct process_list *list)
{
	size_t position = 0;
	char *line;

	*list = (struct process_list){ 0 };
	while (text_next_line(arena, text, strlen(text), &position, &line)) {
		const char *user = word_of(&line);
		const char *name = word_of(&line);
		const char *pid_word = word_of(&line);
		const char *fd = word_of(&line);
		pid_t pid;

		if (fd == NULL || user == NULL ||
		    !isdigit((unsigned char)pid_word[0]))
			continue;
		pid = (pid_t)text_number(pid_word, 0);
		if (has_process(list, pid))
			continue;
		list->items = arena_append(
		    arena, list->items, list->count, sizeof *list->items);
		list->items[list->count++] = (struct process_entry){
			.pid = pid,
			.name = name,
			.what = fd_in_words(arena, fd),
		};
	}
}

/* The length of "<118>" at the start, or 0. */
static size_t
priority_length(const char *text, size_t size)
{
	size_t length = 1;

	if (size < 3 || text[0] != '<')
		return 0;
	while (length < size && isdigit((unsigned char)text[length]))
		length++;
	return length > 1 && length < size && text[length] == '>' ? length + 1
								  : 0;
}

char *
msgbuf_clean(struct arena *arena, const char *text, size_t *size)
{
	char *clean = arena_alloc(arena, *size + 1);
	size_t used = 0;

	for (size_t i = 0; i < *size;) {
		size_t skip = used == 0 || clean[used - 1] == '\n'
				  ? priority_length(text + i, *size - i)
				  : 0;

		if (skip > 0) {
			i += skip;
			continue;
		}
		if (text[i] != '\0')
			clean[used++] = text[i];
		i++;
	}
	*size = used;
	return clean;
}

size_t
msgbuf_news(
    const char *before, size_t before_size, const char *now, size_t now_size)
{
	/* the longest end of the old text that the new one begins with */
	for (size_t lost = 0; lost < before_size; lost++) {
		size_t kept = before_size - lost;

		if (kept <= now_size && memcmp(before + lost, now, kept) == 0)
			return kept;
	}
	return 0;
}
