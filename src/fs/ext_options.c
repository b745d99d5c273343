#include "fs/ext_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "fs/readback.h"

/* A feature whose presence or absence is a token. */
static const struct {
	const char *feature;
	const char *token;
	bool when_present;
} features[] = {
	{ "has_journal", "nojournal", false },
	{ "dir_index", "nodir_index", false },
	{ "metadata_csum", "nometadata_csum", false },
	{ "extent", "noextent", false },
	{ "flex_bg", "noflex_bg", false },
	{ "fast_commit", "fast_commit", true },
	{ "bigalloc", "bigalloc", true },
	{ "inline_data", "inline_data", true },
	{ "large_dir", "large_dir", true },
	{ "ea_inode", "ea_inode", true },
	{ "sparse_super2", "sparse_super2", true },
	{ "meta_bg", "meta_bg", true },
	{ "orphan_file", "orphan_file", true },
};

/* Lines "name:   value" whose value is a token's. */
static const struct {
	const char *line;
	const char *token;
} values[] = {
	{ "Block size:", "block_size" },
	{ "Inode size:", "inode_size" },
};

static double
number_after(const char *text, const char *line)
{
	const char *value = text_value(text, line);

	return value == NULL ? 0 : strtod(value, NULL);
}

char *
ext_parse_dumpe2fs(
    const char *text, const char *mountpoint, struct arena *arena)
{
	const char *line = text_value(text, "Filesystem features:");
	const char *list = text_line(arena, line);
	const char *journal = text_value(text, "Total journal size:");
	double blocks = number_after(text, "Block count:");
	double reserved = number_after(text, "Reserved block count:");
	struct words words;

	(void)mountpoint;
	words_init(&words, arena);
	for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
		if (line != NULL &&
		    option_list_has(list, features[i].feature) ==
			features[i].when_present)
			words_add(&words, features[i].token);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		const char *value = text_value(text, values[i].line);

		if (value != NULL)
			words_addf(&words, "%s=%ld", values[i].token,
			    strtol(value, NULL, 10));
	}
	if (journal != NULL) { /* "4096k" or "8M" */
		const char *unit = journal + strspn(journal, "0123456789");

		words_addf(&words, "journal_size=%ld",
		    strtol(journal, NULL, 10) / (*unit == 'k' ? 1024 : 1) *
			(*unit == 'G' ? 1024 : 1));
	}
	if (blocks > 0)
		words_addf(&words, "reserved=%.0f", 100 * reserved / blocks);
	return words_text(&words);
}
