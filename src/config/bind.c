#include "config/bind.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct bind_range rounds_range = { 1, 1000000, 6 };
static const struct bind_range copies_range = { 1, 1000000, 1 };
static const struct bind_range seed_range = { 0, INT64_MAX, 0 };
static const struct bind_range time_range = { 0, INT64_MAX, 0 };
static const struct bind_range memory_range = { BIND_MIB, INT64_MAX, 0 };

static size_t
count_sections(const struct outline_section *top, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < top->section_count; i++)
		if (strcmp(top->sections[i]->name, name) == 0)
			count++;
	return count;
}

static void
check_archive(struct binder *binder, const struct outline_section *section,
    const char *path)
{
	struct position at = bind_position(section, "archive");
	struct stat status;

	if (stat(path, &status) == -1 || access(path, R_OK) == -1)
		bind_complain(binder, section, at, "archive '%s': %s", path,
		    strerror(errno));
	else if (!S_ISREG(status.st_mode))
		bind_complain(binder, section, at,
		    "archive '%s': not a regular file", path);
}

static void
bind_tree(struct binder *binder, const struct outline_section *section,
    struct tree_spec *tree)
{
	const char *archive = key_text(binder, section, "archive", NULL);

	tree->title = section->title;
	tree->at = section->at;
	if (outline_key(section, "archive") == NULL)
		bind_complain(binder, section, section->at,
		    "no archive: write archive = \"FILE\"");
	if (archive != NULL) {
		archive = bind_beside(
		    binder, bind_position(section, "archive").file, archive);
		check_archive(binder, section, archive);
		tree->archive = bind_full_path(binder, archive);
	}
	tree->copies = key_integer(binder, section, "copies", copies_range);
	tree->age_ns = key_duration(binder, section, "age", time_range);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* The title is printed before anything else, to a terminal or into mail: it is
 * one line, whatever blanks were written. */
static const char *
bind_title(struct binder *binder, const struct outline_section *top)
{
	char *title = arena_strdup(binder->arena,
	    key_text(binder, top, "title", base_name(binder->matrix->path)));

	for (char *at = title; *at != '\0'; at++) {
		if (!iscntrl((unsigned char)*at))
			continue;
		if (!isspace((unsigned char)*at) &&
		    outline_key(top, "title") != NULL) {
			bind_complain(binder, top, bind_position(top, "title"),
			    "title: character %d of it is a control character",
			    (int)(at - title) + 1);
			return "";
		}
		*at = ' ';
	}
	return title;
}

static void
bind_top(struct binder *binder, const struct outline_section *top)
{
	struct matrix *matrix = binder->matrix;

	matrix->title = bind_title(binder, top);
	matrix->rounds = key_integer(binder, top, "rounds", rounds_range);
	matrix->budget_ns = key_duration(binder, top, "budget", time_range);
	matrix->seed = (uint64_t)key_integer(binder, top, "seed", seed_range);
	matrix->baseline = key_text(binder, top, "baseline", "default");
	matrix->memory_limit_bytes =
	    key_size(binder, top, "memory_limit", memory_range);
}

static void
make_room(struct binder *binder, const struct outline_section *top)
{
	struct matrix *m = binder->matrix;

	m->targets = arena_array(binder->arena,
	    count_sections(top, "target") + 1, sizeof *m->targets);
	m->trees = arena_array(
	    binder->arena, count_sections(top, "tree") + 1, sizeof *m->trees);
	m->filesystems = arena_array(binder->arena,
	    count_sections(top, "filesystem") + 1, sizeof *m->filesystems);
	m->workloads = arena_array(binder->arena,
	    count_sections(top, "workload") + 1, sizeof *m->workloads);
}

/* The sections of one name, in the order of the file.  The counts grow one by
 * one, so a section sees all that come before it in binding order. */
static void
bind_sections(
    struct binder *binder, const struct outline_section *top, const char *name)
{
	struct matrix *m = binder->matrix;

	for (size_t i = 0; i < top->section_count; i++) {
		const struct outline_section *section = top->sections[i];

		if (strcmp(section->name, name) != 0)
			continue;
		if (strcmp(name, "target") == 0)
			bind_target(
			    binder, section, &m->targets[m->target_count++]);
		else if (strcmp(name, "tree") == 0)
			bind_tree(binder, section, &m->trees[m->tree_count++]);
		else if (strcmp(name, "filesystem") == 0)
			bind_filesystem(binder, section,
			    &m->filesystems[m->filesystem_count++]);
		else
			bind_workload(binder, section,
			    &m->workloads[m->workload_count++]);
	}
}

void
bind_file(struct binder *binder, const struct outline *outline)
{
	static const char *const order[] = { "target", "tree", "filesystem",
		"workload" };
	const struct outline_section *top = outline->top;
	struct position nowhere = { outline->top->at.file, 0 };
	size_t complaints = 0;

	bind_top(binder, top);
	make_room(binder, top);
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		size_t before = binder->diagnostics->count;

		bind_sections(binder, top, order[i]);
		if (strcmp(order[i], "filesystem") == 0)
			complaints = binder->diagnostics->count - before;
	}
	bind_baseline(binder, top, complaints == 0);
	if (binder->diagnostics->count > 0)
		return; /* the section may be there, with a mistake */
	if (binder->matrix->filesystem_count == 0)
		bind_complain(binder, top, nowhere,
		    "nothing to compare: no section filesystem NAME { ... }");
	if (binder->matrix->workload_count == 0)
		bind_complain(binder, top, nowhere,
		    "nothing to measure: no section workload NAME { ... }");
}
