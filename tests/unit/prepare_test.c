/* What "check" makes of a plan before it tries the cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/prepare.h"

static const char DEVICE[] = "target disk { device = \"/dev/no0p1\" }\n"
			     "filesystem ufs { target = \"disk\" }\n"
			     "workload null { type = \"null\" }\n";

static struct arena *arena;
static struct error err;
static char file[] = "/tmp/prepare_test.XXXXXX";

static int
set_up(void **state)
{
	int fd = mkstemp(file);

	(void)state;
	arena = arena_new();
	if (fd == -1 || write(fd, DEVICE, strlen(DEVICE)) == -1)
		return -1;
	return close(fd);
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return unlink(file);
}

static void
prepare(const char *platform, struct prepared *prepared)
{
	const char *names[] = { "platform" };
	const char *values[] = { platform };
	struct cli_args args = { .arena = arena,
		.command = "check",
		.names = names,
		.values = values,
		.option_count = 1 };

	*prepared = (struct prepared){ 0 };
	if (prepare_plan(&args, file, prepared, &err) == -1)
		fail_msg("%s: %s", platform, err.text);
	assert_int_equal(prepared->plan.cell_count, 1);
}

static size_t
commands_at(const struct prepared *prepared, enum rung rung)
{
	const struct cell *cell = &prepared->plan.cells[0];
	size_t count = 0;

	for (size_t i = 0; i < cell->command_count; i++)
		count += cell->commands[i].rung == rung;
	return count;
}

/* A device is not attached; the image that stands for it has to be, also on
 * systems where commands do that. */
static void
test_scratch_image_of_device_is_attached(void **state)
{
	static const char *const platforms[] = { "freebsd:12", "dragonfly" };

	(void)state;
	for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
		struct prepared prepared;

		prepare(platforms[i], &prepared);
		assert_int_equal(commands_at(&prepared, RUNG_ATTACH), 0);
		assert_int_equal(
		    prepare_scratch_targets(&prepared, arena, &err), 0);
		assert_int_equal(prepared.plan.targets[0].kind, TARGET_IMAGE);
		assert_true(prepared.plan.targets[0].size_bytes > 0);
		assert_int_equal(commands_at(&prepared, RUNG_ATTACH), 1);
		assert_int_equal(commands_at(&prepared, RUNG_DETACH), 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scratch_image_of_device_is_attached),
	};

	return cmocka_run_group_tests_name("prepare", tests, set_up, tear_down);
}
