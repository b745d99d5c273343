/* mountmatrix list: what this build knows. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"
#include "fs/driver.h"
#include "import/import.h"
#include "report/report.h"
#include "system/system.h"
#include "workload/workload.h"

static const struct cli_option options[] = {
	{ "json", 0, NULL, "for a program" },
	{ NULL, 0, NULL, NULL },
};

/* Rows of a list: texts under the same names everywhere.  NULL ends each. */
struct listing {
	const struct cli_args *args;
	const char *const *columns;
	size_t rows;
	bool is_json;
};

static void
begin(struct listing *listing)
{
	if (listing->is_json)
		(void)puts("[");
}

static void
row(struct listing *listing, const char *const *values)
{
	struct arena *arena = listing->args->arena;

	if (!listing->is_json) {
		(void)printf("%-22s", values[0]);
		for (size_t i = 1; listing->columns[i] != NULL; i++)
			if (values[i] != NULL && values[i][0] != '\0')
				(void)printf(
				    " %s%s", i > 1 ? "| " : "", values[i]);
		(void)puts("");
		return;
	}
	(void)printf("%s  {", listing->rows++ > 0 ? ",\n" : "");
	for (size_t i = 0; listing->columns[i] != NULL; i++)
		(void)printf("%s %s: %s", i > 0 ? "," : "",
		    cli_json_string(arena, listing->columns[i]),
		    cli_json_string(arena, values[i] != NULL ? values[i] : ""));
	(void)printf(" }");
}

static void
end(struct listing *listing)
{
	if (listing->is_json)
		(void)puts("\n]");
}

static int
list_filesystems(struct listing *listing)
{
	static const char *const columns[] = { "name", "summary", "systems",
		NULL };

	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; fs_driver_at(i) != NULL; i++) {
		const struct driver *driver = fs_driver_at(i);
		const char *values[] = { driver->name, driver->summary,
			driver->systems != NULL ? driver->systems : "any" };

		row(listing, values);
	}
	end(listing);
	return EXIT_ALL_OK;
}

/* One of its rows, with the stages that the token acts at there. */
static void
option_row(struct listing *listing, const struct driver *driver,
    const struct option *option)
{
	struct arena *arena = listing->args->arena;
	const char *stages = fs_option_stages(driver, option, arena);
	const char *systems =
	    option->systems != NULL ? option->systems : driver->systems;
	const char *values[] = { option->token, stages, risk_name(option->risk),
		option->summary, option->on, option->off, option->group,
		systems, remount_name(option->remount), option->conflicts,
		option->implies, option->voids, option->readback,
		option->effect, option->untried, driver->name };

	if (listing->is_json) {
		row(listing, values);
		return;
	}
	(void)printf("%-24s %-9s %-8s %s", option->token, stages,
	    risk_name(option->risk), option->summary);
	if (systems != NULL && strcmp(systems, "linux") != 0)
		(void)printf(" | %s", systems);
	if (option->group != NULL)
		(void)printf(" | one of %s", option->group);
	if (option->untried != NULL)
		(void)printf(" | not tried: %s", option->untried);
	(void)puts("");
}

static void
driver_rows(struct listing *listing, const struct driver *driver)
{
	for (const struct option *option = driver->options;
	     option->token != NULL; option++)
		if (option->summary != NULL) /* else a second stage of one */
			option_row(listing, driver, option);
}

/* Of one filesystem, or of all. */
static int
list_options(struct listing *listing)
{
	static const char *const columns[] = { "token", "stage", "risk",
		"summary", "on", "off", "group", "systems", "remount",
		"conflicts", "implies", "voids", "readback", "effect",
		"untried", "filesystem", NULL };
	const struct cli_args *args = listing->args;
	const char *name = args->word_count > 1 ? args->words[1] : NULL;
	const struct driver *driver;
	struct error err = { 0 };

	if (name != NULL && fs_driver_find(name) == NULL) {
		const char *nearest = fs_driver_nearest(name);

		(void)error_set_kind(&err, ERROR_USAGE,
		    "there is no filesystem '%s'%s%s%s", name,
		    nearest != NULL ? "; did you mean '" : "",
		    nearest != NULL ? nearest : "",
		    nearest != NULL ? "'?" : "");
		return cli_fail(&err);
	}
	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; (driver = fs_driver_at(i)) != NULL; i++) {
		if (name != NULL && fs_driver_find(name) != driver)
			continue;
		if (name == NULL && !listing->is_json)
			(void)printf(
			    "%s%s:\n", i > 0 ? "\n" : "", driver->name);
		driver_rows(listing, driver);
	}
	end(listing);
	return EXIT_ALL_OK;
}

static int
list_workloads(struct listing *listing)
{
	static const char *const columns[] = { "name", "summary", NULL };
	const struct workload *const *workloads = workload_list();

	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; workloads[i] != NULL; i++) {
		const char *values[] = { workloads[i]->name,
			workloads[i]->summary };
		const struct workload_key *key = workloads[i]->keys;

		row(listing, values);
		for (; !listing->is_json && key != NULL && key->name != NULL;
		     key++)
			(void)printf("    %-18s %s%s%s%s\n", key->name,
			    key->help, key->standard != NULL ? " (" : "",
			    key->standard != NULL ? key->standard : "",
			    key->standard != NULL ? ")" : "");
	}
	end(listing);
	return EXIT_ALL_OK;
}

static void
list_metrics_of(
    struct listing *listing, const char *workload, const struct metric *metric)
{
	for (; metric != NULL && metric->name != NULL; metric++) {
		const char *values[] = { metric->name, workload, metric->unit,
			better_name(metric->better), metric->summary };

		row(listing, values);
	}
}

static int
list_metrics(struct listing *listing)
{
	static const char *const columns[] = { "metric", "workload", "unit",
		"better", "summary", NULL };
	const struct workload *const *workloads = workload_list();

	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; workloads[i] != NULL; i++)
		list_metrics_of(
		    listing, workloads[i]->name, workloads[i]->metrics);
	list_metrics_of(listing, "all", metrics_of_trials);
	end(listing);
	return EXIT_ALL_OK;
}

static int
list_formats(struct listing *listing)
{
	static const char *const columns[] = { "name", "use", "summary", NULL };

	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; report_formats()[i] != NULL; i++) {
		const char *values[] = { report_formats()[i]->name, "report",
			report_formats()[i]->summary };

		row(listing, values);
	}
	for (size_t i = 0; import_formats()[i] != NULL; i++) {
		const char *values[] = { import_formats()[i]->name, "import",
			import_formats()[i]->summary };

		row(listing, values);
	}
	end(listing);
	return EXIT_ALL_OK;
}

static int
list_systems(struct listing *listing)
{
	static const char *const columns[] = { "name", "summary", NULL };

	listing->columns = columns;
	begin(listing);
	for (size_t i = 0; system_at(i) != NULL; i++) {
		const char *values[] = { system_at(i)->name,
			system_at(i)->summary };

		row(listing, values);
	}
	end(listing);
	return EXIT_ALL_OK;
}

static const struct {
	const char *name;
	int (*print)(struct listing *listing);
} lists[] = {
	{ "filesystems", list_filesystems },
	{ "options", list_options },
	{ "workloads", list_workloads },
	{ "metrics", list_metrics },
	{ "formats", list_formats },
	{ "systems", list_systems },
};

static int
exec(const struct cli_args *args)
{
	struct listing listing = { .args = args,
		.is_json = cli_has(args, "json") };
	const char *names[sizeof lists / sizeof lists[0]];
	const char *nearest;
	struct error err = { 0 };

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		if (strcmp(lists[i].name, args->words[0]) == 0)
			return lists[i].print(&listing);
		names[i] = lists[i].name;
	}
	nearest = suggest_nearest(
	    args->words[0], names, sizeof lists / sizeof lists[0]);
	(void)error_set_kind(&err, ERROR_USAGE,
	    "there is no list of '%s'%s%s%s; there are filesystems, options "
	    "FS, workloads, metrics, formats and systems",
	    args->words[0], nearest != NULL ? ", did you mean '" : "",
	    nearest != NULL ? nearest : "", nearest != NULL ? "'" : "");
	return cli_fail(&err);
}

const struct cli_command command_list = {
	.name = "list",
	.arguments = "WHAT [FILESYSTEM]",
	.summary = "Lists what this build knows.",
	.help =
	    "WHAT is filesystems, options [FILESYSTEM], workloads, metrics, "
	    "formats or systems.",
	.options = options,
	.words_least = 1,
	.words_most = 2,
	.exec = exec,
};
