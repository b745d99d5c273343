/* mountmatrix merge: shards of one plan into one results file. */
#include <stdint.h>
#include <stdio.h>

#include "base/units.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "store/store.h"

static int
exec(const struct cli_args *args)
{
	struct error err = { 0 };

	if (output_make_folder(args->words[0], args->arena, &err) == -1 ||
	    store_merge(args->words[0], args->words + 1, args->word_count - 1,
		&err) == -1)
		return cli_fail(&err);
	(void)printf("merged %s into %s\n",
	    units_format_count(args->arena, args->word_count - 1, "file"),
	    args->words[0]);
	return EXIT_ALL_OK;
}

const struct cli_command command_merge = {
	.name = "merge",
	.arguments = "OUT IN...",
	.summary = "Merges shards of one plan into one results file.",
	.words_least = 2,
	.words_most = SIZE_MAX,
	.exec = exec,
};
