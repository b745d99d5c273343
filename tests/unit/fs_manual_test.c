/*
 * The manual page of the tokens is made from the tables: one entry for each
 * token, whatever filesystems and systems have it.  REGENERATE=1 writes it.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "fs/driver.h"

static const char page[] = "src/fs/mountmatrix.options.5";

static const char head[] =
    ".\\\" made from the tables in src/fs by tests/unit/fs_manual_test.c\n"
    ".Dd November 30, 2026\n"
    ".Dt MOUNTMATRIX.OPTIONS 5\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm mountmatrix.options\n"
    ".Nd tokens of the filesystems that mountmatrix knows\n"
    ".Sh DESCRIPTION\n"
    "A matrix file\n"
    ".Pq Xr mountmatrix.conf 5\n"
    "names the options of a filesystem by tokens, as toggles, as levels of an\n"
    "axis, or in combinations.\n"
    "One idea has one token on every system, though the commands differ.\n"
    "A token that ends in\n"
    ".Ql =*\n"
    "takes a value.\n"
    ".Pp\n"
    "Under each token stands, for each filesystem and system that has it:\n"
    "the stage at which it acts, what is said when it is on and, for a toggle\n"
    "that is off, what is said then, since defaults differ; and its risk:\n"
    ".Bl -tag -width volatile\n";

struct entry {
	const char *token;
	const char *driver;
	const struct option *row;
};

static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->token, y->token);

	/* rows of one driver stay in table order */
	if (order == 0)
		order = strcmp(x->driver, y->driver);
	if (order == 0)
		order = x->row < y->row ? -1 : x->row > y->row;
	return order;
}

static size_t
gather(struct arena *arena, struct entry **entries)
{
	size_t count = 0, capacity = 0;

	*entries = NULL;
	for (size_t i = 0; fs_driver_at(i) != NULL; i++) {
		const struct driver *driver = fs_driver_at(i);

		for (const struct option *row = driver->options;
		     row->token != NULL; row++) {
			*entries = arena_grow(arena, *entries, count, &capacity,
			    sizeof **entries);
			(*entries)[count++] =
			    (struct entry){ row->token, driver->name, row };
		}
	}
	qsort(*entries, count, sizeof **entries, compare);
	return count;
}

/* A quoted word on a line of its own, its odd characters escaped, and the
 * mark after it. */
static void
put_quoted(struct buffer *out, const char *text, char mark)
{
	buffer_puts(out, ".Ql \"");
	for (; *text != '\0'; text++)
		switch (*text) {
		case '^':
			buffer_puts(out, "\\(ha");
			break;
		case '\\':
			buffer_puts(out, "\\e");
			break;
		default:
			buffer_putc(out, *text);
		}
	buffer_printf(out, "\" %c\n", mark);
}

static void
put_heading(struct buffer *out, const char *token)
{
	const char *stands_for = NULL, *other, *last = NULL;

	buffer_printf(out, ".It Sy %s\n", token);
	for (size_t i = 0; (other = fs_token_alias(i, &stands_for)) != NULL;
	     i++) {
		if (strcmp(stands_for, token) != 0)
			continue;
		if (last == NULL)
			buffer_puts(out, "Also called\n");
		else
			put_quoted(out, last, ',');
		last = other;
	}
	if (last != NULL) {
		put_quoted(out, last, '.');
		buffer_puts(out, ".Pp\n");
	}
}

/* "Stage tune, on `x', off `y', risk window." */
static void
put_forms(struct buffer *out, const struct option *row)
{
	bool is_whole = row->summary != NULL; /* else a second row */
	bool has_off = row->off != NULL;

	buffer_printf(out, "Stage %s,\n", stage_name(row->stage));
	if (row->on[0] != '\0') {
		buffer_puts(out, "on\n");
		put_quoted(out, row->on, is_whole || has_off ? ',' : '.');
	}
	if (has_off) {
		buffer_puts(out, "off\n");
		put_quoted(out, row->off, is_whole ? ',' : '.');
	}
	if (is_whole)
		buffer_printf(out, "risk %s.\n", risk_name(row->risk));
}

static void
put_row(struct buffer *out, const struct entry *entry)
{
	const struct option *row = entry->row;

	buffer_printf(out, ".It %s (%s)\n", entry->driver,
	    row->systems != NULL ? row->systems
				 : fs_driver_find(entry->driver)->systems);
	if (row->summary != NULL)
		buffer_printf(out, "%c%s.\n",
		    toupper((unsigned char)row->summary[0]), row->summary + 1);
	put_forms(out, row);
	if (row->below > 0)
		buffer_printf(out, "For less than %d:\n", row->below);
	if (row->implies != NULL)
		buffer_printf(out, "Brings along: %s.\n", row->implies);
	if (row->voids != NULL)
		buffer_printf(
		    out, "Beside it without effect: %s.\n", row->voids);
	if (row->conflicts != NULL)
		buffer_printf(out, "Not together with: %s.\n", row->conflicts);
}

static char *
write_page(struct arena *arena)
{
	struct entry *entries;
	size_t count = gather(arena, &entries);
	struct buffer out;
	char *text;

	buffer_init(&out);
	buffer_puts(&out, head);
	for (int i = 0; i < RISK_COUNT; i++)
		buffer_printf(&out, ".It Sy %s\n%s\n", risk_name((enum risk)i),
		    risk_meaning((enum risk)i));
	buffer_puts(&out, ".El\n.Sh TOKENS\n.Bl -tag -width Ds\n");
	for (size_t i = 0; i < count; i++) {
		bool starts = i == 0 || strcmp(entries[i].token,
					    entries[i - 1].token) != 0;
		bool ends = i + 1 == count ||
			    strcmp(entries[i].token, entries[i + 1].token) != 0;

		if (starts) {
			put_heading(&out, entries[i].token);
			buffer_puts(&out, ".Bl -tag -width Ds -compact\n");
		}
		put_row(&out, &entries[i]);
		if (ends)
			buffer_puts(&out, ".El\n");
	}
	buffer_puts(&out,
	    ".El\n.Sh SEE ALSO\n.Xr mountmatrix 1 ,\n.Xr mountmatrix.conf 5\n");
	text = arena_strdup(arena, buffer_text(&out));
	buffer_reset(&out);
	return text;
}

static void
the_manual_has_one_entry_for_each_token(void **state)
{
	struct arena *arena = arena_new();
	char *text = write_page(arena);
	struct buffer written;
	struct error err = { 0 };

	(void)state;
	if (getenv("REGENERATE") != NULL) {
		FILE *file = fopen(page, "w");

		assert_non_null(file);
		assert_true(fputs(text, file) >= 0);
		assert_int_equal(fclose(file), 0);
	}
	buffer_init(&written);
	if (buffer_read_file(&written, page, 1 << 20, &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(buffer_text(&written), text);
	buffer_reset(&written);
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manual_has_one_entry_for_each_token),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
