/* mountmatrix import: other programs' logs as a results file. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/cli.h"
#include "cli/importcells.h"
#include "cli/output.h"
#include "import/import.h"
#include "store/store.h"

static const struct cli_option options[] = {
	{ "output", 'o', "FILE", "the results file to make (needed)" },
	{ "cell", 0, "KEY=LOG", "a log and the cell it belongs to" },
	{ "factors", 0, "A,B", "csv: columns that hold levels" },
	{ "block", 0, "COLUMN", "csv: the column of the block" },
	{ "position", 0, "COLUMN", "csv: place in the block" },
	{ "session", 0, "COLUMN", "csv: label of the session" },
	{ "in-force", 0, "COLUMN", "csv: options read back" },
	{ "value", 0, "[NAME=]SUM", "csv: columns to add up, a_s+b_s" },
	{ "beside", 0, "NAME=SUM", "csv: figures to show, not to rank" },
	{ "step", 0, "NUMBER", "csv: steps of the clock, in the unit" },
	{ "metric", 0, "NAME", "name of the ranked metric" },
	{ "unit", 0, "UNIT", "its unit, where the log says none" },
	{ "better", 0, "WAY", "lower or higher" },
	{ "workload", 'w', "TITLE", "what was run" },
	{ "driver", 0, "NAME", "the filesystem's driver (ufs)" },
	{ "platform", 0, "SYSTEM", "the system it ran on (freebsd:12)" },
	{ "label", 0, "TEXT", "a name for the session" },
	{ "baseline", 0, "CELL", "ratios to this cell" },
	{ NULL, 0, NULL, NULL },
};

static int
read_logs(
    const struct cli_args *args, struct import_options *how, struct error *err)
{
	const char **cells;
	size_t cell_count = cli_values(args, "cell", &cells);
	struct import_log *logs = arena_array(
	    args->arena, args->word_count + cell_count, sizeof *logs);

	for (size_t i = 1; i < args->word_count; i++)
		logs[how->log_count++].path = args->words[i];
	for (size_t i = 0; i < cell_count; i++) {
		/* keys hold '=' ("data=ordered"), so the last one divides */
		const char *equals = strrchr(cells[i], '=');

		if (equals == NULL || equals == cells[i] || equals[1] == '\0')
			return error_set_kind(err, ERROR_USAGE,
			    "--cell: '%s' is not of the form KEY=LOG",
			    cells[i]);
		logs[how->log_count].cell = arena_strndup(
		    args->arena, cells[i], (size_t)(equals - cells[i]));
		logs[how->log_count++].path = equals + 1;
	}
	how->logs = logs;
	if (how->log_count == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "import needs a log: a file, or --cell KEY=FILE");
	return 0;
}

/* Every "--OPTION [NAME=]SUM". */
static const struct import_value *
read_values(const struct cli_args *args, const char *option, size_t *count)
{
	const char **texts;
	struct import_value *values;

	*count = cli_values(args, option, &texts);
	values = arena_array(args->arena, *count + 1, sizeof *values);

	for (size_t i = 0; i < *count; i++) {
		const char *equals = strchr(texts[i], '=');

		values[i].sum = equals != NULL ? equals + 1 : texts[i];
		if (equals != NULL)
			values[i].name = arena_strndup(
			    args->arena, texts[i], (size_t)(equals - texts[i]));
	}
	return values;
}

static int
read_options(
    const struct cli_args *args, struct import_options *how, struct error *err)
{
	const char *factors = cli_value(args, "factors");
	const char **items;

	if (factors != NULL) {
		how->factor_count =
		    cli_split_commas(args->arena, factors, &items);
		how->factors = items;
	}
	how->block = cli_value(args, "block");
	how->position = cli_value(args, "position");
	how->session = cli_value(args, "session");
	how->in_force = cli_value(args, "in-force");
	how->metric = cli_value(args, "metric");
	how->unit = cli_value(args, "unit");
	how->better = cli_value(args, "better");
	how->workload = cli_value(args, "workload");
	how->driver = cli_value(args, "driver");
	how->platform = cli_value(args, "platform");
	how->label = cli_value(args, "label");
	how->baseline = cli_value(args, "baseline");
	how->step = cli_value(args, "step");
	how->values = read_values(args, "value", &how->value_count);
	how->besides = read_values(args, "beside", &how->beside_count);
	return read_logs(args, how, err);
}

static int
store(const char *path, struct imported *imported, struct arena *arena,
    struct error *err)
{
	importcells_keep_warnings(imported, arena);
	return store_create_imported(path, imported, err);
}

static int
exec(const struct cli_args *args)
{
	const struct import_format *format = import_find(args->words[0]);
	const char *output = cli_value(args, "output");
	struct import_options how = { 0 };
	struct imported imported = { 0 };
	struct error err = { 0 };

	if (format == NULL)
		(void)error_set_kind(&err, ERROR_USAGE,
		    "there is no import format '%s'; see 'mountmatrix list "
		    "formats'",
		    args->words[0]);
	else if (output == NULL)
		(void)error_set_kind(&err, ERROR_USAGE,
		    "import needs -o FILE, the results file to make");
	else if (read_options(args, &how, &err) == 0 &&
		 import_run(format, &how, args->arena, &imported, &err) == 0 &&
		 importcells_look_up(&imported, how.driver, how.platform,
		     args->arena, &err) == 0 &&
		 output_make_folder(output, args->arena, &err) == 0 &&
		 store(output, &imported, args->arena, &err) == 0) {
		for (size_t i = 0; i < imported.warning_count; i++)
			cli_say("note: %s", imported.warnings[i]);
		(void)printf("%s of %s in %s\n",
		    units_format_count(
			args->arena, imported.outcome_count, "value"),
		    units_format_count(
			args->arena, imported.plan->cell_count, "cell"),
		    output);
		return EXIT_ALL_OK;
	}
	return cli_fail(&err);
}

const struct cli_command command_import = {
	.name = "import",
	.arguments = "FORMAT LOG...",
	.summary = "Makes a results file out of other programs' logs.",
	.help =
	    "FORMAT is one of 'mountmatrix list formats'.  With --platform "
	    "the option tables\nsay what a cell risks and which are the same "
	    "thing: of --driver, or of the\nfilesystem that a cell's name "
	    "begins with (ufs+su).",
	.options = options,
	.words_least = 1,
	.words_most = SIZE_MAX,
	.exec = exec,
};
