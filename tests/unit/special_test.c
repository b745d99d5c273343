/*
 * The distributions against reference values computed elsewhere
 * (fixtures/oracles/00_functions.csv), and where the reference has none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/special.h"
#include "analysis/tukey.h"

struct reference {
	char name[16];
	double a, b, c, d;
	double expected;
};

struct function {
	const char *name;
	double (*call)(const struct reference *r);
	double tolerance;
	int is_absolute;
};

static double
pt_upper(const struct reference *r)
{
	return special_t_upper(r->a, r->b);
}

static double
qt_upper(const struct reference *r)
{
	return special_t_quantile(r->a, r->b);
}

static double
pf_upper(const struct reference *r)
{
	return special_f_upper(r->a, r->b, r->c);
}

static double
pchisq_upper(const struct reference *r)
{
	return special_chi2_upper(r->a, r->b);
}

static double
pbeta(const struct reference *r)
{
	return special_beta(r->a, r->b, r->c);
}

static double
qnorm(const struct reference *r)
{
	return special_normal_quantile(r->a);
}

static double
ptukey(const struct reference *r)
{
	size_t size = (size_t)r->b;

	return tukey_lower(r->a, &size, 1, r->c);
}

static double
qtukey(const struct reference *r)
{
	return tukey_range_quantile(r->a, (size_t)r->b, r->c);
}

static double
qtukey2(const struct reference *r)
{
	size_t sizes[] = { (size_t)r->b, (size_t)r->b };

	return tukey_quantile(r->a, sizes, 2, r->c);
}

static double
qtukeymix(const struct reference *r)
{
	size_t sizes[] = { (size_t)r->b, (size_t)r->d };

	return tukey_quantile(r->a, sizes, 2, r->c);
}

static double
qdunnett1(const struct reference *r)
{
	return dunnett_quantile(r->a, (size_t)r->b, r->c);
}

static const struct function functions[] = {
	{ "pt_upper", pt_upper, 1e-10, 0 },
	{ "qt_upper", qt_upper, 1e-10, 0 },
	{ "pf_upper", pf_upper, 1e-10, 0 },
	{ "pchisq_upper", pchisq_upper, 1e-10, 0 },
	{ "pbeta", pbeta, 1e-10, 0 },
	{ "qnorm", qnorm, 1e-10, 0 },
	{ "ptukey", ptukey, 1e-8, 1 },
	{ "qtukeyx", qtukey, 1e-8, 0 },
	{ "qtukey", qtukey, 1e-4, 0 },
	{ "qtukey2", qtukey2, 1e-4, 0 },
	{ "qtukeymix", qtukeymix, 1e-8, 0 },
	{ "qdunnett1", qdunnett1, 1e-8, 0 },
};

static const struct function *
find_function(const char *name)
{
	size_t count = sizeof(functions) / sizeof(functions[0]);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	}
	return NULL;
}

static int
parse_reference(char *line, struct reference *r)
{
	double *numbers[] = { &r->a, &r->b, &r->c, &r->d, &r->expected };
	char *rest = strchr(line, ',');

	if (rest == NULL || rest - line >= (ptrdiff_t)sizeof(r->name))
		return -1;
	*rest = '\0';
	strcpy(r->name, line);
	for (size_t i = 0; i < 5; i++)
		*numbers[i] = strtod(rest + 1, &rest);
	return 0;
}

static int
is_close(double got, double expected, double tolerance, int is_absolute)
{
	double scale = is_absolute ? 1 : fmax(fabs(expected), 1e-290);

	return fabs(got - expected) <= tolerance * scale;
}

/*
 * R's own ptukey and qtukey are off by more than the tolerance in some rows.
 * For those the value of nested quadrature is asked for instead
 * (tests/r/studentized_range.R), which must itself be near to R's.
 */
enum { MAX_CORRECTIONS = 64 };

struct corrections {
	struct reference rows[MAX_CORRECTIONS];
	size_t count;
};

static FILE *
open_references(const char *path)
{
	char line[256];
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	return file;
}

static void
read_corrections(struct corrections *corrections)
{
	FILE *file = open_references("fixtures/oracles/00_corrections.csv");
	char line[256];

	corrections->count = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		assert_true(corrections->count < MAX_CORRECTIONS);
		assert_int_equal(parse_reference(line,
				     &corrections->rows[corrections->count++]),
		    0);
	}
	(void)fclose(file);
}

static int
correct(const struct corrections *corrections, struct reference *r)
{
	for (size_t i = 0; i < corrections->count; i++) {
		const struct reference *fix = &corrections->rows[i];

		if (strcmp(fix->name, r->name) != 0 || fix->a != r->a ||
		    fix->b != r->b || fix->c != r->c)
			continue;
		assert_true(fabs(fix->expected - r->expected) <
			    2e-3 * fmax(0.001, r->expected));
		r->expected = fix->expected;
		return 1;
	}
	return 0;
}

static int
is_reproduced(const struct reference *r, int is_corrected)
{
	const struct function *function = find_function(r->name);
	double tolerance;
	double got;

	assert_non_null(function);
	tolerance = is_corrected ? 1e-8 : function->tolerance;
	got = function->call(r);
	if (is_close(got, r->expected, tolerance, function->is_absolute))
		return 1;
	print_message("# %s(%g, %g, %g, %g) = %.12g, not %.12g\n", r->name,
	    r->a, r->b, r->c, r->d, got, r->expected);
	return 0;
}

static void
reproduces_every_reference_value(void **state)
{
	FILE *file = open_references("fixtures/oracles/00_functions.csv");
	struct corrections corrections;
	char line[256];
	size_t total = 0;
	size_t right = 0;
	size_t corrected = 0;

	(void)state;
	read_corrections(&corrections);
	while (fgets(line, sizeof(line), file) != NULL) {
		struct reference r;
		int is_corrected;

		assert_int_equal(parse_reference(line, &r), 0);
		is_corrected = correct(&corrections, &r);
		corrected += (size_t)is_corrected;
		right += (size_t)is_reproduced(&r, is_corrected);
		total++;
	}
	(void)fclose(file);
	printf("# oracles: %zu of %zu functions (%zu by nested quadrature, "
	       "where R's ptukey and qtukey are off)\n",
	    right, total, corrected);
	assert_int_equal(total, 1102);
	assert_int_equal(corrected, corrections.count);
	assert_int_equal(right, total);
}

static void
quantiles_invert_tails(void **state)
{
	static const double dfs[] = { 1, 1.5, 2, 7.4254, 21, 300, 4845 };

	(void)state;
	for (size_t i = 0; i < sizeof(dfs) / sizeof(dfs[0]); i++) {
		double df = dfs[i];
		size_t sizes[] = { 4, 3, 1, 4 };
		double q = tukey_quantile(0.95, sizes, 4, df);

		assert_true(
		    is_close(special_t_upper(special_t_quantile(0.01, df), df),
			0.01, 1e-10, 0));
		assert_true(is_close(
		    special_f_upper(special_f_quantile(0.025, 3, df), 3, df),
		    0.025, 1e-10, 0));
		assert_true(
		    is_close(tukey_lower(q, sizes, 4, df), 0.95, 1e-9, 0));
	}
}

static void
two_cells_give_student(void **state)
{
	(void)state;
	for (double df = 1; df < 100; df *= 3) {
		double t = special_t_quantile(0.025, df);

		assert_true(is_close(
		    tukey_range_quantile(0.95, 2, df), t * M_SQRT2, 1e-9, 0));
	}
}

static void
coin_tosses(void **state)
{
	(void)state;
	assert_true(is_close(special_coin_below(1, 6), 1.0 / 64, 1e-14, 0));
	assert_true(is_close(special_coin_below(3, 12), 79.0 / 4096, 1e-14, 0));
	assert_true(special_coin_below(0, 5) == 0);
	assert_true(is_close(special_coin_below(6, 5), 1, 1e-14, 0));
}

static void
tails_at_the_ends(void **state)
{
	(void)state;
	assert_true(special_f_upper(0, 3, 5) == 1);
	assert_true(special_chi2_upper(0, 3) == 1);
	assert_true(special_t_upper(0, 3) == 0.5);
	assert_true(special_t_two_sided(INFINITY, 3) == 0);
	assert_true(special_normal_quantile(0.5) == 0);
	assert_true(tukey_quantile(0.95, NULL, 0, 5) == 0);
	assert_true(is_close(special_t_upper(40, 12), 1.925615e-14, 1e-6, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reproduces_every_reference_value),
		cmocka_unit_test(quantiles_invert_tails),
		cmocka_unit_test(two_cells_give_student),
		cmocka_unit_test(coin_tosses),
		cmocka_unit_test(tails_at_the_ends),
	};

	return cmocka_run_group_tests_name("special", tests, NULL, NULL);
}
