#include "fs/bsd_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "fs/readback.h"

/* What mount prints, in the words of the matrix file; NULL: nothing new. */
static const struct {
	const char *printed;
	const char *word;
} flags[] = {
	{ "asynchronous", "async" },
	{ "synchronous", "sync" },
	{ "read-only", "ro" },
	{ "soft-updates", "softupdates" },
	{ "soft updates", "softupdates" },
	{ "soft dependencies", "softdep" },
	{ "softdep", "softdep" },
	{ "journaled soft-updates", "suj" },
	{ "trim", "discard" },
	{ "noatime", "noatime" },
	{ "noclusterr", "noclusterr" },
	{ "noclusterw", "noclusterw" },
	{ "nosuid", "nosuid" },
	{ "noexec", "noexec" },
	{ "nodev", "nodev" },
	{ "nosymfollow", "nosymfollow" },
	{ "nodevmtime", "nodevmtime" },
	{ "nocoredump", "nocoredump" },
	{ "discard", "discard" },
	{ "log", "log" },
	{ "union", "union" },
	{ "acls", "acls" },
	{ "nfsv4acls", "nfsv4acls" },
	{ "gjournal", "gjournal" },
	{ "multilabel", "multilabel" },
	{ "suiddir", "suiddir" },
	{ "symperm", "symperm" },
	{ "hidden", "hidden" },
	{ "nohistory", "nohistory" },
	{ "nomirror", "nomirror" },
	{ "master", "master" },
	{ "extattr", "extattr" },
};

static void
add_flag(struct words *words, const char *text, size_t size)
{
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (strlen(flags[i].printed) == size &&
		    strncmp(flags[i].printed, text, size) == 0)
			words_add(words, flags[i].word);
}

/* The "(ufs, local, noatime)" of a line that tells of this mount point. */
static const char *
flags_of_line(const char *line, size_t length, const char *mountpoint)
{
	const char *end = line + length;
	const char *on = strstr(line, " on ");
	const char *open;

	if (on == NULL || on >= end)
		return NULL;
	on += 4;
	if (mountpoint != NULL) {
		size_t size = strlen(mountpoint);

		if (strncmp(on, mountpoint, size) != 0 || on[size] != ' ')
			return NULL;
	}
	open = strstr(on, " (");
	return open == NULL || open >= end ? NULL : open + 2;
}

char *
bsd_parse_mount(const char *text, const char *mountpoint, struct arena *arena)
{
	const char *found = NULL;
	struct words words;

	words_init(&words, arena);
	/* the last line of a mount point is the topmost mount */
	for (const char *line = text; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		const char *open = flags_of_line(line, length, mountpoint);

		if (open != NULL && (found == NULL || mountpoint != NULL))
			found = open;
		line += length;
		line += *line == '\n' ? 1 : 0;
	}
	if (found == NULL)
		return words_text(&words);
	while (*found != '\0' && *found != ')') {
		size_t size = strcspn(found, ",)\n");

		add_flag(&words, found, size);
		found += size;
		found += strspn(found, ", ");
		if (*found == '\n')
			break;
	}
	return words_text(&words);
}

/* Lines of tunefs whose value is "enabled" or "disabled". */
static const struct {
	const char *line;
	const char *word;
} switches[] = {
	{ "tunefs: soft updates:", "softupdates" },
	{ "tunefs: soft update journaling:", "suj" },
	{ "tunefs: trim:", "discard" },
	{ "tunefs: gjournal:", "gjournal" },
	{ "tunefs: POSIX.1e ACLs:", "acls" },
	{ "tunefs: NFSv4 ACLs:", "nfsv4acls" },
	{ "tunefs: MAC multilabel:", "multilabel" },
};

/* Lines whose value is a number or a word, on FreeBSD and on NetBSD. */
static const struct {
	const char *line;
	const char *key;
} settings[] = {
	{ "tunefs: minimum percentage of free space:", "minfree" },
	{ "minimum percentage of free space", "minfree" },
	{ "tunefs: optimization preference:", "optimize" },
	{ "optimization preference:", "optimize" },
	{ "tunefs: maximum blocks per file in a cylinder group:", "maxbpg" },
	{ "maximum blocks per file in a cylinder group", "maxbpg" },
	{ "tunefs: average file size:", "avgfilesize" },
	{ "average file size:", "avgfilesize" },
	{ "tunefs: average number of files in a directory:", "avgfpdir" },
	{ "expected number of files per directory:", "avgfpdir" },
};

/* Adds "key=value" for a value that ends at a blank, "%" or the line. */
static void
add_setting(struct words *words, const char *key, const char *value)
{
	size_t size = strcspn(value, "% \t\r\n");

	if (size > 0)
		words_addf(words, "%s=%.*s", key, (int)size, value);
}

char *
bsd_parse_tunefs(const char *text, const char *mountpoint, struct arena *arena)
{
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		const char *line =
		    text_line(arena, text_value(text, switches[i].line));
		const char *last = strrchr(line, ' ');

		if (last != NULL && strcmp(last, " enabled") == 0)
			words_add(&words, switches[i].word);
	}
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		const char *value = text_value(text, settings[i].line);

		if (value != NULL && value[0] == '(') { /* its option letter */
			value += strcspn(value, ")\n");
			value += strspn(value, ") ");
		}
		if (value != NULL)
			add_setting(&words, settings[i].key, value);
	}
	return words_text(&words);
}

/* "name<blank>value" anywhere in dumpfs's columns. */
static const char *
column(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
		bool starts = at == text || strchr("\n\t ", at[-1]) != NULL;

		if (starts && strchr("\t ", at[length]) != NULL &&
		    at[length] != '\0')
			return at + length + strspn(at + length, "\t ");
	}
	return NULL;
}

static void
add_column(
    struct words *words, const char *text, const char *name, const char *key)
{
	const char *value = column(text, name);

	if (value != NULL)
		add_setting(words, key, value);
}

char *
bsd_parse_dumpfs(const char *text, const char *mountpoint, struct arena *arena)
{
	const char *magic = column(text, "magic");
	const char *listed = text_value(text, "flags");
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	if (magic != NULL && strncmp(magic, "11954", 5) == 0)
		words_add(&words, "ufs1");
	if (magic != NULL && strncmp(magic, "19540119", 8) == 0)
		words_add(&words, "ufs2");
	if (strstr(text, "4.2/4.3BSD") != NULL)
		words_add(&words, "ufs0");
	add_column(&words, text, "bsize", "block_size");
	add_column(&words, text, "fsize", "frag_size");
	add_column(&words, text, "minfree", "minfree");
	add_column(&words, text, "optim", "optimize");
	if (listed != NULL) {
		const char *line = text_line(arena, listed);

		if (strstr(line, "soft-updates+journal") != NULL)
			words_add(&words, "suj");
		if (strstr(line, "soft-updates") != NULL)
			words_add(&words, "softupdates");
		if (option_list_has(line, "trim"))
			words_add(&words, "discard");
	}
	return words_text(&words);
}
