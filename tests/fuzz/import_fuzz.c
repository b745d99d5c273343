/*
 * Any bytes as a log of each foreign format: reading must end, and either
 * give outcomes of cells that exist or one line with the file and the reason.
 * The first byte chooses the format.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/import.h"
#include "model/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[] = "/tmp/mountmatrix-import-XXXXXX";
static int file = -1;

static void
remove_file(void)
{
	unlink(path);
}

static void
write_input(const uint8_t *bytes, size_t size)
{
	if (file == -1) {
		file = mkstemp(path);
		if (file == -1)
			abort();
		atexit(remove_file);
	}
	if (ftruncate(file, 0) == -1 ||
	    pwrite(file, bytes, size, 0) != (ssize_t)size)
		abort();
}

/* What every importer promises of what it gives. */
static void
check(const struct imported *imported)
{
	const struct plan *plan = imported->plan;

	if (imported->outcome_count == 0 || plan->cell_count == 0)
		abort();
	for (size_t i = 0; i < imported->outcome_count; i++) {
		const struct outcome *outcome = &imported->outcomes[i];

		if (outcome->trial >= plan->trial_count ||
		    imported->outcome_sessions[i] >= imported->session_count)
			abort();
		for (size_t j = 0; j < outcome->curve_count; j++)
			if (outcome->curves[j].row_count > 0 &&
			    outcome->curves[j].values == NULL)
				abort();
	}
	for (size_t i = 0; i < plan->trial_count; i++)
		if (plan->trials[i].cell >= plan->cell_count ||
		    plan->trials[i].workload >= plan->workload_count)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const factors[] = { "a", "b" };
	const struct import_value value = { NULL, "v" };
	const struct import_log log = { path, NULL };
	struct import_options options = { .logs = &log, .log_count = 1 };
	const struct import_format *const *formats = import_formats();
	struct imported imported;
	struct error err = { 0 };
	struct arena *arena;
	size_t count = 0;

	if (size == 0)
		return 0;
	while (formats[count] != NULL)
		count++;
	write_input(bytes + 1, size - 1);
	arena = arena_new();
	if (strcmp(formats[bytes[0] % count]->name, "csv") == 0 &&
	    bytes[0] < 128) {
		options.factors = factors;
		options.factor_count = 2;
		options.values = &value;
		options.value_count = 1;
		options.unit = "s";
	}
	if (import_run(formats[bytes[0] % count], &options, arena, &imported,
		&err) == 0)
		check(&imported);
	else if (err.text[0] == '\0' || strchr(err.text, '\n') != NULL)
		abort();
	arena_free(arena);
	return 0;
}
