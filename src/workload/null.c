/*
 * Samples drawn, not measured: for testing the harness and the statistics.
 *
 * The same seed, cell and place in the plan give the same value whatever runs
 * before, so a resumed night draws what the whole one would have.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/units.h"
#include "workload/run.h"

enum { ELAPSED };

static const struct metric metrics[] = {
	[ELAPSED] = { "elapsed", "s", LOWER_IS_BETTER,
	    "a value drawn at random" },
	{ .name = NULL },
};

static const struct workload_key keys[] = {
	{ "mean", KEY_NUMBER, "1", 1e-9, 1e12, NULL, 1,
	    "centre of the values, in seconds" },
	{ "cv", KEY_PERCENT, "2%", 0, 200, NULL, 1,
	    "spread: coefficient of variation, log-normal" },
	{ "drift", KEY_PERCENT, "0%", -50, 100, NULL, 1,
	    "change from each block to the next" },
	{ "outliers", KEY_PERCENT, "0%", 0, 100, NULL, 1,
	    "share of values that are twice to five times as large" },
	{ "effects", KEY_TEXT, NULL, 0, 0, NULL, 64,
	    "what options do: \"noatime=-27%\", \"async+su=10%\"" },
	{ "seed", KEY_INTEGER, "1", 0, 1e15, NULL, 1, "of the values" },
	{ "fault", KEY_WORD, "none", 0, 0,
	    "none exit crash hang garbage no-space", 1,
	    "instead of a value, go wrong in this way" },
	KEY_PASSES,
	KEY_ONE_THREAD,
	KEY_BY_COUNT,
	{ .name = NULL },
};

/* "async+su=10%" in two; false when it is not of that form. */
static bool
split_effect(const char *text, size_t *tokens, double *percent)
{
	const char *equals = strrchr(text, '=');
	struct error err = { 0 };

	if (equals == NULL || equals == text)
		return false;
	*tokens = (size_t)(equals - text);
	return units_parse_percent(equals + 1, percent, &err) == 0 &&
	       *percent > -100;
}

static int
check(const struct workload_keys *bound, struct error *err)
{
	size_t tokens;
	double percent;

	for (size_t i = 0; i < keys_count(bound, "effects"); i++) {
		const char *text = keys_text_at(bound, "effects", i);

		if (!split_effect(text, &tokens, &percent))
			return error_set(err,
			    "key 'effects': '%s' is not of the form TOKEN=PERCENT, with more than -100%%",
			    text);
	}
	return 0;
}

/* True when the level is on and is this token: "noatime", "data=ordered". */
static bool
is_token(const struct cell_level *level, const char *token, size_t length)
{
	char whole[256];

	if (level->is_toggle)
		return strcmp(level->level, "on") == 0 &&
		       strlen(level->factor) == length &&
		       strncmp(level->factor, token, length) == 0;
	if (strlen(level->level) == length &&
	    strncmp(level->level, token, length) == 0)
		return true;
	(void)snprintf(
	    whole, sizeof whole, "%s=%s", level->factor, level->level);
	return strlen(whole) == length && strncmp(whole, token, length) == 0;
}

static bool
cell_has(const struct cell *cell, const char *token, size_t length)
{
	for (size_t i = 0; cell != NULL && i < cell->level_count; i++)
		if (is_token(&cell->levels[i], token, length))
			return true;
	return false;
}

static bool
cell_has_all(const struct cell *cell, const char *tokens, size_t length)
{
	for (;;) {
		const char *plus = memchr(tokens, '+', length);
		size_t part = plus == NULL ? length : (size_t)(plus - tokens);

		if (!cell_has(cell, tokens, part))
			return false;
		if (plus == NULL)
			return true;
		tokens += part + 1;
		length -= part + 1;
	}
}

static double
effect_factor(const struct workload_run *run)
{
	double factor = 1;
	size_t tokens;
	double percent;

	for (size_t i = 0; i < keys_count(run->keys, "effects"); i++) {
		const char *text = keys_text_at(run->keys, "effects", i);

		if (split_effect(text, &tokens, &percent) &&
		    cell_has_all(run->job->cell, text, tokens))
			factor *= 1 + percent / 100;
	}
	return factor;
}

static void
seed_draws(const struct workload_run *run, struct rng *rng)
{
	const struct cell *cell = run->job->cell;
	char text[512];
	struct hash hash;
	int length = snprintf(text, sizeof text, "%lld %d %s",
	    (long long)keys_integer(run->keys, "seed"), run->job->block,
	    cell != NULL ? cell->key : "");

	hash_init(&hash);
	hash_update(&hash, text,
	    length < (int)sizeof text ? (size_t)length : sizeof text);
	rng_seed(rng, hash_final(&hash));
}

/* Box and Muller. */
static double
normal(struct rng *rng)
{
	double u = 1 - rng_uniform(rng);
	double v = rng_uniform(rng);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static double
draw(const struct workload_run *run, struct rng *rng)
{
	double cv = keys_number(run->keys, "cv") / 100;
	double sigma = sqrt(log1p(cv * cv));
	double value = keys_number(run->keys, "mean") * effect_factor(run) *
		       exp(sigma * normal(rng) - sigma * sigma / 2);
	double outlier = rng_uniform(rng);
	double size = rng_uniform(rng);

	if (run->job->block > 1)
		value *= pow(1 + keys_number(run->keys, "drift") / 100,
		    run->job->block - 1);
	if (outlier < keys_number(run->keys, "outliers") / 100)
		value *= 2 + 3 * size;
	return value;
}

/* 0: no fault. */
static int
go_wrong(struct workload_run *run)
{
	const char *fault = keys_text(run->keys, "fault");

	if (strcmp(fault, "exit") == 0) {
		run_complain("null: told to fail");
		_exit(1);
	}
	if (strcmp(fault, "crash") == 0)
		(void)raise(SIGKILL);
	while (strcmp(fault, "hang") == 0)
		(void)pause();
	if (strcmp(fault, "garbage") == 0)
		buffer_puts(&run->out, "neither\tsample nor note\n");
	if (strcmp(fault, "no-space") == 0)
		return run_fail(run, VERDICT_NO_SPACE, "told to find no space");
	return 0;
}

static int
run_null(struct workload_run *run, struct error *err)
{
	size_t count = (size_t)keys_integer(run->keys, "passes");
	double *values;
	struct rng rng;

	(void)err;
	if (go_wrong(run) != 0)
		return 1;
	values = malloc(count * sizeof *values);
	if (values == NULL)
		abort();
	seed_draws(run, &rng);
	for (size_t i = 0; i < count; i++)
		values[i] = draw(run, &rng);
	run_passes(run, &metrics[ELAPSED], 1, values, count);
	free(values);
	return 0;
}

const struct workload workload_null = {
	.name = "null",
	.summary =
	    "draw values instead of measuring: tests harness and statistics",
	.keys = keys,
	.metrics = metrics,
	.tree = TREE_OPTIONAL,
	.is_classic = true,
	.check = check,
	.run = run_null,
};
