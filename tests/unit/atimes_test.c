/* When a report must say that no cell wrote an access time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/atimes.h"

static struct arena *arena;

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* Two cells of one filesystem and one workload. */
struct scene {
	const char *factor;
	const char *probes[2];
	const char *type;
	const char *content; /* NULL: not said */
	double writes[2];
	enum cell_status status; /* of the second */
};

/* The only sentence, or NULL for none. */
static const char *
said(const struct scene *scene)
{
	struct cell_level levels[2] = { { scene->factor, "off", true },
		{ scene->factor, "on", true } };
	struct cell cells[2];
	const char *values[] = { scene->content };
	struct setting content = {
		.key = "content", .values = values, .value_count = 1
	};
	struct workload_spec spec = { .title = "walk",
		.type = scene->type,
		.settings = &content,
		.setting_count = scene->content != NULL };
	struct plan plan = { .cells = cells,
		.cell_count = 2,
		.workloads = &spec,
		.workload_count = 1 };
	double writes[2] = { scene->writes[0], scene->writes[1] };
	struct companion companion = { "device_writes", "", writes };
	struct results_table table = { .companions = &companion,
		.companion_count = 1 };
	struct results_tables tables = { &table, 1 };
	const char **sentences;
	size_t count;

	table.series =
	    series_table_new(arena, "walk", "elapsed", "s", LOWER_IS_BETTER);
	for (size_t i = 0; i < 2; i++) {
		const char *key = i == 0 ? "ufs:default" : "ufs:other";
		const struct series_cell cell = { .key = key };

		cells[i] = (struct cell){ .key = key,
			.filesystem = "ufs",
			.levels = &levels[i],
			.level_count = 1,
			.status = i == 0 ? CELL_OK : scene->status,
			.atime_probe = scene->probes[i] };
		series_add_cell(table.series, &cell);
	}
	count = atimes_unwritten(&plan, &tables, &sentences, arena);
	assert_true(count <= 1);
	return count == 0 ? NULL : sentences[0];
}

static void
says(const struct scene *scene, const char *text)
{
	const char *sentence = said(scene);

	if (sentence == NULL || strstr(sentence, text) == NULL)
		fail_msg("'%s' is not in '%s'", text,
		    sentence == NULL ? "(nothing)" : sentence);
}

static void
no_probe_found_one(void **state)
{
	struct scene scene = { "noatime", { "none", "none" }, "null", NULL,
		{ 9, 9 }, CELL_OK };

	(void)state;
	says(&scene, "ufs: no cell wrote an atime when probed");
	scene.probes[0] = "strict";
	assert_null(said(&scene));
	scene.probes[0] = "relative";
	assert_null(said(&scene));
	scene.probes[0] = "none, relative for folders";
	assert_null(said(&scene));
	/* what was not probed may have written one */
	scene.probes[0] = NULL;
	assert_null(said(&scene));
	scene.probes[0] = "none";
	/* nobody asked */
	scene.factor = "softupdates";
	assert_null(said(&scene));
	/* a cell that never ran is no level of anything */
	scene.factor = "noatime";
	scene.status = CELL_REJECTED;
	assert_null(said(&scene));
}

/* FreeBSD, DragonFly: reading a folder never moves its time. */
static void
a_walk_of_names_sees_no_atime_of_files(void **state)
{
	struct scene scene = { "noatime",
		{ "strict, none for folders", "none" }, "traverse", NULL,
		{ 9, 9 }, CELL_OK };

	(void)state;
	says(&scene, "ufs, walk: no cell wrote an atime: a folder's never");
	scene.content = "false";
	says(&scene, "content = true");
	scene.content = "true";
	assert_null(said(&scene));
	scene.content = NULL;
	scene.type = "readtree";
	assert_null(said(&scene));
	scene.type = "traverse";
	scene.probes[0] = "strict";
	assert_null(said(&scene));
}

static void
the_counters_stayed_at_nothing(void **state)
{
	struct scene scene = { "noatime", { "strict", "none" }, "traverse",
		NULL, { 0, 0 }, CELL_OK };

	(void)state;
	says(&scene, "the device was not written to at all");
	scene.writes[1] = 1;
	assert_null(said(&scene));
	scene.writes[1] = NAN;
	assert_null(said(&scene));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_probe_found_one),
		TEST(a_walk_of_names_sees_no_atime_of_files),
		TEST(the_counters_stayed_at_nothing),
	};

	return cmocka_run_group_tests_name("atimes", tests, NULL, NULL);
}
