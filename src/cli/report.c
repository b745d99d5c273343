/* mountmatrix report: the ranking again, on any host, running nothing. */
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/reporting.h"

static const struct cli_option options[] = {
	{ "format", 'f', "NAME", "text, markdown, html, csv or json" },
	{ "workload", 'w', "TITLE", "only this workload" },
	{ "metric", 'm', "NAME", "rank this recorded metric instead" },
	{ "baseline", 0, "CELL",
	    "ratios to this cell; default: to each filesystem's own" },
	{ "keep-outliers", 0, NULL, "set no run aside" },
	{ NULL, 0, NULL, NULL },
};

static int
exec(const struct cli_args *args)
{
	struct reporting_options how = {
		.format = cli_value(args, "format"),
		.workload = cli_value(args, "workload"),
		.metric = cli_value(args, "metric"),
		.baseline = cli_value(args, "baseline"),
		.keep_outliers = cli_has(args, "keep-outliers"),
	};
	struct error err = { 0 };
	bool all_ok = true;

	for (size_t i = 0; i < args->word_count; i++) {
		bool ok = true;

		if (i > 0)
			(void)puts("");
		if (reporting_print(
			args->words[i], &how, args->arena, &ok, &err) == -1)
			return cli_fail(&err);
		all_ok = all_ok && ok;
	}
	return all_ok ? EXIT_ALL_OK : EXIT_CELLS;
}

const struct cli_command command_report = {
	.name = "report",
	.arguments = "RESULTS...",
	.summary = "Prints the ranking of a results file again.",
	.options = options,
	.words_least = 1,
	.words_most = SIZE_MAX,
	.exec = exec,
};
