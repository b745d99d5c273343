/* mountmatrix plan: every command line that would run, and the order. */
#include <string.h>

#include "cli/cli.h"
#include "cli/planprint.h"
#include "cli/prepare.h"
#include "plan/predict.h"

static const struct cli_option options[] = {
	{ "platform", 'p', "SYSTEM",
	    "plan for linux, freebsd:14, netbsd, ..." },
	{ "format", 'f', "NAME", "text, sh or json" },
	{ "json", 0, NULL, "the same as -f json" },
	{ "rounds", 'r', "N", "complete blocks" },
	{ "budget", 'b', "TIME", "stop at a block's end before this, as 8h" },
	{ "seed", 's', "N", "the order of the trials" },
	{ "baseline", 0, "CELL", "ratios to this cell" },
	{ "only", 0, "CELL", "only cells that match; may be repeated" },
	{ "shard", 0, "I/N", "only part I of N" },
	{ "yes", 0, NULL, "also more than 10000 cells" },
	{ NULL, 0, NULL, NULL },
};

static int
exec(const struct cli_args *args)
{
	const char *format = cli_value(args, "format");
	struct prepared prepared = { 0 };
	struct error err = { 0 };
	struct prediction predicted;

	if (cli_has(args, "json"))
		format = "json";
	if (prepare_plan(args, args->words[0], &prepared, &err) == -1)
		return prepare_fail(&err);
	predict_plan(&prepared.plan, NULL, &predicted);
	if (format == NULL || strcmp(format, "text") == 0)
		planprint_text(&prepared.plan, predicted.total_ns, args->arena);
	else if (strcmp(format, "sh") == 0)
		planprint_script(&prepared.plan, args->arena);
	else if (strcmp(format, "json") == 0)
		planprint_json(&prepared.plan, predicted.total_ns, args->arena);
	else {
		(void)error_set_kind(&err, ERROR_USAGE,
		    "a plan has no format '%s'; it has text, sh and json",
		    format);
		return cli_fail(&err);
	}
	return EXIT_ALL_OK;
}

const struct cli_command command_plan = {
	.name = "plan",
	.arguments = "FILE",
	.summary = "Prints every cell, command line and the order; runs "
		   "nothing.",
	.options = options,
	.words_least = 1,
	.words_most = 1,
	.exec = exec,
};
