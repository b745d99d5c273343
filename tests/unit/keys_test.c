/* Keys: every default fits its own row, and every mistake is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "workload/workload.h"

static const struct {
	const char *workload;
	const char *key;
	const char *values[3];
	const char *words; /* NULL: fine */
} cases[] = {
	{ "postmark", "number", { "500" }, NULL },
	{ "postmark", "number", { "0" },
	    "'0' is out of range (1 to 100000000)" },
	{ "postmark", "number", { "five" }, "'five'" },
	{ "postmark", "number", { "1", "2" }, "2 values given, at most 1" },
	{ "postmark", "size", { "300", "100K" }, NULL },
	{ "postmark", "size", { "0" }, "out of range (1 B to" },
	{ "postmark", "size", { "10q" }, "'10q'" },
	{ "postmark", "size", { NULL }, "needs a value" },
	{ "postmark", "bias_read", { "-1" }, NULL },
	{ "postmark", "bias_read", { "11" }, "out of range (-1 to 10)" },
	{ "postmark", "buffering", { "maybe" }, "'maybe'" },
	{ "postmark", "bufering", { "true" }, "did you mean 'buffering'?" },
	{ "postmark", "xyz", { "true" }, "takes no key 'xyz'" },
	{ "postmark", "threads", { "2" }, "is not possible here, only 1" },
	{ "traverse", "cache", { "warn" }, "did you mean 'warm'?" },
	{ "traverse", "order", { "depth" }, NULL },
	{ "traverse", "passes", { "1001" }, "out of range (1 to 1000)" },
	{ "null", "cv", { "3%" }, NULL },
	{ "null", "cv", { "300%" }, "out of range (0% to 200%)" },
	{ "null", "effects", { "a=1%", "b=2%" }, NULL },
};

static void
test_each_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct workload *workload =
		    workload_find(cases[i].workload);
		struct error err = { 0 };
		size_t count = 0;
		int code;

		assert_non_null(workload);
		while (count < 3 && cases[i].values[count] != NULL)
			count++;
		code = workload_key_check(
		    workload, cases[i].key, cases[i].values, count, &err);
		if (cases[i].words == NULL) {
			assert_int_equal(code, 0);
			continue;
		}
		assert_int_equal(code, -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (strstr(err.text, cases[i].words) == NULL ||
		    strstr(err.text, cases[i].workload) == NULL)
			fail_msg("'%s' lacks '%s'", err.text, cases[i].words);
	}
}

/* Together they do not go, though each is fine. */
static const struct {
	const char *workload;
	const char *settings[3];
	const char *words;
} pairs[] = {
	{ "traverse", { "passes=3" }, "needs 'cache' warm or both" },
	{ "command", { "passes=3" }, "needs the key 'run'" },
	{ "command", { "run=make 'x" }, "key 'run'" },
	{ "command", { "run=" }, "'run' is empty" },
	{ "command", { "run=x", "env=A" }, "NAME=VALUE" },
	{ "command", { "run=x", "user=no-such-user" }, "'no-such-user'" },
	{ "null", { "effects=noatime" }, "TOKEN=PERCENT" },
	{ "null", { "effects=noatime=-100%" }, "TOKEN=PERCENT" },
	{ "postmark", { "locations=/tmp 1" }, "within the folder" },
	{ "postmark", { "locations=A 0" }, "weight '0'" },
	{ "postmark", { "locations=../A" }, "within the folder" },
	{ "postmark", { "seed=1", "seed=2" }, "given twice" },
};

static void
test_what_does_not_go_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct arena *arena = arena_new();
		const struct workload *workload =
		    workload_find(pairs[i].workload);
		struct setting settings[3];
		struct workload_keys *keys;
		struct error err = { 0 };
		size_t n = 0;

		for (; n < 3 && pairs[i].settings[n] != NULL; n++) {
			if (workload_parse_setting(workload,
				pairs[i].settings[n], arena, &settings[n],
				&err) == -1)
				fail_msg("%s", err.text);
			settings[n].at = (struct position){ "a.conf", 7 };
		}
		assert_int_equal(
		    workload_bind(workload, settings, n, arena, &keys, &err),
		    -1);
		if (strstr(err.text, pairs[i].words) == NULL)
			fail_msg("'%s' lacks '%s'", err.text, pairs[i].words);
		arena_free(arena);
	}
}

static void
test_values_and_defaults(void **state)
{
	static const char *const texts[] = { "size=300,100K", "buffering=off",
		"locations=A 2,B" };
	const struct workload *workload = workload_find("postmark");
	struct arena *arena = arena_new();
	struct setting settings[3];
	struct workload_keys *keys;
	struct error err = { 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(workload_parse_setting(workload, texts[i],
				     arena, &settings[i], &err),
		    0);
	assert_int_equal(
	    workload_bind(workload, settings, 3, arena, &keys, &err), 0);
	assert_int_equal(keys_count(keys, "size"), 2);
	assert_int_equal(keys_integer_at(keys, "size", 0), 300);
	assert_int_equal(keys_integer_at(keys, "size", 1), 102400);
	assert_false(keys_boolean(keys, "buffering"));
	assert_string_equal(keys_text_at(keys, "locations", 1), "B");
	assert_int_equal(keys_integer(keys, "number"), 500);
	assert_int_equal(
	    workload_parse_setting(workload, "size", arena, &settings[0], &err),
	    -1);
	assert_non_null(strstr(err.text, "KEY=VALUE"));
	arena_free(arena);
}

/* Binding nothing binds every default; a bad one would abort. */
static void
test_every_default_is_valid(void **state)
{
	const struct workload *const *all = workload_list();
	int count = 0;

	(void)state;
	for (; *all != NULL; all++, count++) {
		struct arena *arena = arena_new();
		struct workload_keys *keys;
		struct error err = { 0 };

		assert_ptr_equal(workload_find((*all)->name), *all);
		assert_non_null((*all)->summary);
		assert_true((*all)->run != NULL || (*all)->execute != NULL);
		assert_non_null((*all)->metrics[0].name);
		assert_non_null(workload_key_find(*all, "passes"));
		assert_non_null(workload_key_find(*all, "threads"));
		assert_non_null(workload_key_find(*all, "seconds"));
		(void)workload_bind(*all, NULL, 0, arena, &keys, &err);
		for (const struct workload_key *row = (*all)->keys;
		     row->name != NULL; row++) {
			assert_non_null(row->help);
			(void)keys_count(keys, row->name);
		}
		arena_free(arena);
	}
	print_message("# %d workloads\n", count);
	assert_null(workload_find("no-such-workload"));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_key),
		cmocka_unit_test(test_what_does_not_go_together),
		cmocka_unit_test(test_values_and_defaults),
		cmocka_unit_test(test_every_default_is_valid),
	};

	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
