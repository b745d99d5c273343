/*
 * Any bytes as a matrix file: reading them must end, and either give a matrix
 * without complaints or say what is wrong in one-line messages.  What can be
 * read is made into a plan of one round too.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "plan/plan_make.h"

enum { LARGEST = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[] = "/tmp/mountmatrix-fuzz-XXXXXX";
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

static void
check_messages(const struct diagnostics *diagnostics, struct arena *arena)
{
	if (diagnostics->count == 0)
		abort();
	for (size_t i = 0; i < diagnostics->count; i++) {
		const char *line =
		    diagnostic_format(&diagnostics->items[i], arena);

		if (strlen(diagnostics->items[i].text) == 0)
			abort();
		for (; *line != '\0'; line++)
			if (iscntrl((unsigned char)*line))
				abort();
	}
}

static void
check_plan(const struct matrix *matrix, struct arena *arena)
{
	struct plan_options options = { .rounds = 1, .seed = 1 };
	struct error err = { 0 };
	struct plan plan;

	if (plan_make(matrix, &options, arena, &plan, &err) == -1) {
		if (err.text[0] == '\0')
			abort();
		return;
	}
	for (size_t i = 0; i < plan.trial_count; i++)
		if (plan.trials[i].cell >= plan.cell_count ||
		    plan.trials[i].workload >= plan.workload_count)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const systems[] = { "linux", "freebsd", "netbsd",
		"dragonfly" };
	struct config_options options = { systems[size % 4], "" };
	struct diagnostics diagnostics;
	struct error err = { 0 };
	struct arena *arena;
	struct matrix matrix;

	if (size > LARGEST)
		return 0;
	write_input(bytes, size);
	arena = arena_new();
	if (config_load(path, &options, arena, &matrix, &diagnostics, &err) ==
	    -1)
		check_messages(&diagnostics, arena);
	else if (diagnostics.count != 0)
		abort();
	else
		check_plan(&matrix, arena);
	arena_free(arena);
	return 0;
}
