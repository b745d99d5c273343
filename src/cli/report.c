/* mountmatrix report: the ranking again, on any host, running nothing. */
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/reporting.h"

static const struct cli_option options[] = {
	{ "format", 'f', "NAME", "text, markdown, html, csv or json" },
	{ "json", 0, NULL, "the same as -f json" },
	{ "workload", 'w', "TITLE", "only this workload" },
	{ "metric", 'm', "NAME", "rank this recorded metric instead" },
	{ "baseline", 0, "CELL",
	    "ratios to this cell; default: to each filesystem's own" },
	{ "keep-outliers", 0, NULL, "set no run aside" },
	{ NULL, 0, NULL, NULL },
};

/* NULL for one that there is not, or that holds one report only. */
static const struct report_format *
find_format(
    const struct reporting_options *how, bool is_several, struct error *err)
{
	const char *name = how->format != NULL ? how->format : "text";
	const struct report_format *format = report_find(name);

	if (format == NULL) {
		(void)error_set_kind(err, ERROR_USAGE,
		    "there is no report format '%s'; see 'mountmatrix list "
		    "formats'",
		    name);
	} else if (is_several && format->several_between == NULL) {
		(void)error_set_kind(err, ERROR_USAGE,
		    "a report in %s is of one results file; name one at a time",
		    name);
		return NULL;
	}
	return format;
}

static int
exec(const struct cli_args *args)
{
	struct reporting_options how = {
		.format =
		    cli_has(args, "json") ? "json" : cli_value(args, "format"),
		.workload = cli_value(args, "workload"),
		.metric = cli_value(args, "metric"),
		.baseline = cli_value(args, "baseline"),
		.keep_outliers = cli_has(args, "keep-outliers"),
	};
	bool is_several = args->word_count > 1;
	const struct report_format *format;
	struct error err = { 0 };
	bool all_ok = true;

	format = find_format(&how, is_several, &err);
	if (format == NULL)
		return cli_fail(&err);
	for (size_t i = 0; i < args->word_count; i++) {
		bool ok = true;

		if (is_several)
			(void)fputs(i > 0 ? format->several_between
					  : format->several_first,
			    stdout);
		if (reporting_print(
			args->words[i], &how, args->arena, &ok, &err) == -1)
			return cli_fail(&err);
		all_ok = all_ok && ok;
	}
	if (is_several)
		(void)fputs(format->several_last, stdout);
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
