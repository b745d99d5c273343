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

/* Written by a program, to the console or with a level of syslog: the number
 * is the facility times eight and the level, and the kernel's facility 0. */
static bool
is_from_program(const char *priority)
{
	return text_number(priority + 1, 0) >= 8;
}

char *
msgbuf_clean(struct arena *arena, const char *text, size_t *size)
{
	char *clean = arena_alloc(arena, *size + 1);
	bool is_dropped = false;
	bool at_start = true;
	size_t used = 0;

	for (size_t i = 0; i < *size; i++) {
		/* the ring has NULs where nothing was written yet */
		if (text[i] == '\0')
			continue;
		if (at_start) {
			size_t skip = priority_length(text + i, *size - i);

			is_dropped = skip > 0 && is_from_program(text + i);
			at_start = false;
			if (skip > 0) {
				i += skip - 1;
				continue;
			}
		}
		at_start = text[i] == '\n';
		if (!is_dropped)
			clean[used++] = text[i];
	}
	*size = used;
	return clean;
}

/* The end of the old text that the new one begins with, as long as can be. */
static size_t
kept_of(
    const char *before, size_t before_size, const char *now, size_t now_size)
{
	for (size_t lost = 0; lost < before_size; lost++) {
		size_t kept = before_size - lost;

		if (kept <= now_size && memcmp(before + lost, now, kept) == 0)
			return kept;
	}
	return 0;
}

size_t
msgbuf_news(
    const char *before, size_t before_size, const char *now, size_t now_size)
{
	size_t kept = kept_of(before, before_size, now, now_size);
	const char *end = memchr(now, '\n', now_size);
	size_t first = end != NULL ? (size_t)(end - now) + 1 : 0;

	if (kept > 0 || first == 0)
		return kept;
	/* the first line may be the rest of one that was dropped before */
	kept = kept_of(before, before_size, now + first, now_size - first);
	return kept > 0 ? first + kept : 0;
}
