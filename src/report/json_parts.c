#include "report/json_parts.h"

#include <stddef.h>

static void
put_level(struct json *json, const struct factor_level *level)
{
	json_open(json, NULL, '{');
	json_text(json, "level", level->level);
	json_number(json, "pct", level->pct);
	json_number(json, "ci_lo", level->pct_lo);
	json_number(json, "ci_hi", level->pct_hi);
	json_integer(json, "rank_lo", level->rank_lo);
	json_integer(json, "rank_hi", level->rank_hi);
	json_close(json, '}');
}

static void
put_axis(struct json *json, const char *family, const struct factor_test *test)
{
	json_open(json, NULL, '{');
	json_text(json, "family", family);
	json_text(json, "axis", test->factor);
	json_bool(json, "estimable", test->estimable);
	json_number(json, "f", test->f);
	json_number(json, "df1", test->df1);
	json_number(json, "df2", test->df2);
	json_number(json, "p", test->p);
	json_bool(json, "significant", test->significant);
	json_open(json, "levels", '[');
	for (size_t i = 0; i < test->level_count; i++)
		put_level(json, &test->levels[i]);
	json_close(json, ']');
	json_close(json, '}');
}

void
json_axes(struct json *json, const struct ranking *ranking)
{
	json_open(json, "axes", '[');
	for (size_t i = 0; i < ranking->effects_count; i++)
		for (size_t j = 0; j < ranking->effects[i].factor_test_count;
		     j++)
			put_axis(json, ranking->effects[i].family,
			    &ranking->effects[i].factor_tests[j]);
	json_close(json, ']');
}

static void
put_overall_row(struct json *json, const struct overall_row *row)
{
	json_open(json, NULL, '{');
	json_text(json, "cell", row->key);
	json_integer(json, "place", row->place);
	json_bool(json, "tied", row->tied);
	json_integer(json, "rank_lo", row->rank_lo);
	json_integer(json, "rank_hi", row->rank_hi);
	json_number(json, "slower_pct", row->slower_pct);
	json_number(json, "slower_lo", row->slower_lo);
	json_number(json, "slower_hi", row->slower_hi);
	json_bool(json, "unbeaten", row->undominated);
	json_close(json, '}');
}

static void
put_tradeoff(struct json *json, const struct overall_tradeoff *tradeoff)
{
	json_open(json, NULL, '{');
	json_text(json, "cell", tradeoff->key);
	json_text(json, "better_at", tradeoff->workload);
	json_number(json, "other_slower_pct", tradeoff->pct);
	json_text(json, "other", tradeoff->other);
	json_text(json, "other_better_at", tradeoff->other_workload);
	json_number(json, "cell_slower_pct", tradeoff->other_pct);
	json_close(json, '}');
}

void
json_overall(struct json *json, const struct overall *overall)
{
	if (overall == NULL || !overall->available)
		return;
	json_open(json, "overall", '{');
	json_text(json, "caveat", overall->caveat);
	json_open(json, "workloads", '[');
	for (size_t i = 0; i < overall->workload_count; i++)
		json_text(json, NULL, overall->workloads[i]);
	json_close(json, ']');
	json_open(json, "ranking", '[');
	for (size_t i = 0; i < overall->row_count; i++)
		put_overall_row(json, &overall->rows[i]);
	json_close(json, ']');
	json_open(json, "tradeoffs", '[');
	for (size_t i = 0; i < overall->tradeoff_count; i++)
		put_tradeoff(json, &overall->tradeoffs[i]);
	json_close(json, ']');
	json_close(json, '}');
}
