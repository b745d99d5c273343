/* A series table out of readings, and the figures beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "store/readings.h"

/* Of figures that somebody printed; what is measured here has nanoseconds. */
enum { MOST_PLACES = 6 };

/* "softupdates noatime" out of "ufs:softupdates+noatime". */
static const char *
cell_title(struct arena *arena, const struct cell *cell)
{
	size_t prefix = strlen(cell->filesystem);
	char *title;

	if (strncmp(cell->key, cell->filesystem, prefix) != 0 ||
	    cell->key[prefix] != ':')
		return cell->key;
	title = arena_strdup(arena, cell->key + prefix + 1);
	for (char *at = title; *at != '\0'; at++)
		if (*at == '+')
			*at = ' ';
	return title;
}

static void
add_cell(struct series_table *table, struct arena *arena,
    const struct plan *plan, const struct cell *cell)
{
	struct series_factor *factors =
	    arena_array(arena, cell->level_count, sizeof *factors);
	struct series_cell copy = {
		.key = cell->key,
		.title = cell_title(arena, cell),
		.family = cell->filesystem,
		.factors = factors,
		.factor_count = cell->level_count,
		.status = cell->status,
		.reason = cell->reason,
		/* without a driver nobody looked it up */
		.risk = cell->driver == NULL || cell->driver[0] == '\0'
			    ? ""
			    : risk_name(cell->risk),
		.in_force = cell->in_force,
		.is_baseline = cell->is_baseline,
	};

	if (cell->duplicate_of != NO_CELL)
		copy.duplicate_of = plan->cells[cell->duplicate_of].key;
	for (size_t i = 0; i < cell->level_count; i++)
		factors[i] = (struct series_factor){
			.name = cell->levels[i].factor,
			.level = cell->levels[i].level,
			.is_toggle = cell->levels[i].is_toggle,
		};
	series_add_cell(table, &copy);
}

/* "FreeBSD 12.1-RELEASE amd64". */
static const char *
host_line(struct arena *arena, const struct session *session)
{
	static const char *const names[] = { "system", "release", "machine" };
	struct buffer line;
	const char *copy;

	buffer_init(&line);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = fact_list_get(&session->host, names[i]);

		if (value != NULL)
			buffer_printf(
			    &line, "%s%s", line.length == 0 ? "" : " ", value);
	}
	copy = arena_strdup(arena, buffer_text(&line));
	buffer_reset(&line);
	return copy;
}

/* The limit that a run which timed out had reached, where that says
 * anything in the metric's unit. */
static double
limit_of(const struct readings *readings, const struct named *named)
{
	int64_t ns = readings->plan->workloads[readings->workload].timeout_ns;

	if (ns <= 0 || strcmp(named->unit, "s") != 0)
		return NAN;
	return (double)ns / 1e9;
}

static void
add_run(struct series_table *table, const struct readings *readings,
    const struct run *run, const struct named *named, double value)
{
	struct series_run copy = {
		.cell = run->cell,
		.block = run->block,
		.position = run->position,
		.state = RUN_OK,
		.value = value,
		.started_ns = run->started_ns,
		.trial_s = run->ended_ns > run->started_ns
			       ? (double)(run->ended_ns - run->started_ns) / 1e9
			       : 0,
		.trial = (int64_t)run->trial,
		.note = run->reason[0] == '\0' ? NULL : run->reason,
	};

	copy.session =
	    series_add_session(table, readings->sessions[run->session].label,
		host_line(readings->arena, &readings->sessions[run->session]));
	if (run->verdict == VERDICT_TIMEOUT) {
		copy.state = RUN_TIMEOUT;
		copy.value = limit_of(readings, named);
	} else if (run->verdict != VERDICT_OK) {
		copy.state = RUN_FAILED;
	} else if (!isfinite(value)) {
		copy.state = RUN_FAILED;
		copy.note = arena_printf(
		    readings->arena, "it gave no value of %s", named->name);
	}
	if (run->is_warm_up)
		copy.state = RUN_WARMUP;
	series_add_run(table, &copy);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, compare_doubles);
	return count % 2 == 1 ? values[count / 2]
			      : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* The geometric mean, as of the ranked figure, so that the two agree; where a
 * count is 0 there is none, and the median has to do. */
static double
centre(double *values, size_t count)
{
	double logs = 0;

	if (count == 0)
		return NAN;
	/* about the first value: counts that are all alike stay whole */
	for (size_t i = 0; i < count; i++) {
		if (values[i] <= 0)
			return median(values, count);
		logs += log(values[i] / values[0]);
	}
	return values[0] * exp(logs / (double)count);
}

/* The cells' centres of one name; false when no run has it. */
static bool
cell_centres(const struct readings *readings, size_t name, double *centres)
{
	double *values =
	    arena_array(readings->arena, readings->run_count, sizeof *values);
	bool any = false;

	for (size_t cell = 0; cell < readings->plan->cell_count; cell++) {
		size_t count = 0;

		for (size_t i = 0; i < readings->run_count; i++) {
			const struct run *run = &readings->runs[i];

			if (run->cell == cell && !run->is_warm_up &&
			    run->verdict == VERDICT_OK &&
			    isfinite(run->values[name]))
				values[count++] = run->values[name];
		}
		centres[cell] = centre(values, count);
		any = any || count > 0;
	}
	return any;
}

static void
add_companions(const struct readings *readings, struct results_table *table,
    const struct named *ranked)
{
	static const struct named cpu = { "cpu", "s", LOWER_IS_BETTER };
	size_t most = readings->names.count + 1;
	bool has_cpu = readings_find(readings, "cpu") != SIZE_MAX;

	table->companions =
	    arena_array(readings->arena, most, sizeof *table->companions);
	for (size_t i = 0; i < most; i++) {
		const struct named *named = i < readings->names.count
						? &readings->names.items[i]
						: &cpu;
		double *centres = arena_array(readings->arena,
		    readings->plan->cell_count, sizeof *centres);

		if (strcmp(named->name, ranked->name) == 0 ||
		    (named == &cpu && has_cpu) ||
		    !cell_centres(readings, i, centres))
			continue;
		table->companions[table->companion_count++] =
		    (struct companion){ named->name, named->unit, centres };
	}
}

static enum curve_role
curve_role(const char *name)
{
	static const struct {
		const char *name;
		enum curve_role role;
	} roles[] = {
		{ "read", CURVE_READ },
		{ "reads", CURVE_READ },
		{ "write", CURVE_WRITE },
		{ "writes", CURVE_WRITE },
		{ "blogs", CURVE_SIZE },
		{ "size", CURVE_SIZE },
	};

	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
		if (strcmp(roles[i].name, name) == 0)
			return roles[i].role;
	return CURVE_OTHER;
}

static bool
has_role(const struct trial_curve *curve, enum curve_role role)
{
	for (size_t i = 0; i < curve->column_count; i++)
		if (curve_role(curve->columns[i]) == role)
			return true;
	return false;
}

/* Is it one of the counts that make up the reads (or writes) of an interval?
 * "read_blogs" counts the same reads once more, as whole blogs. */
static bool
is_part(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0 &&
	       strcmp(name, "read_blogs") != 0;
}

/* A column that is the sum of others; false when there are none. */
static bool
sum_column(struct arena *arena, const struct trial_curve *curve,
    const char *prefix, enum curve_role role, struct series_column *column)
{
	double *sums = arena_array(arena, curve->row_count, sizeof *sums);
	bool any = false;

	if (has_role(curve, role))
		return false;
	for (size_t i = 0; i < curve->column_count; i++) {
		if (!is_part(curve->columns[i], prefix))
			continue;
		any = true;
		for (size_t row = 0; row < curve->row_count; row++)
			sums[row] +=
			    curve->values[row * curve->column_count + i];
	}
	*column = (struct series_column){
		.name = role == CURVE_READ ? "read" : "write",
		.role = role,
		.values = sums,
	};
	return any;
}

static void
add_curve(struct series_table *table, struct arena *arena,
    const struct run *run, size_t session, const struct trial_curve *curve)
{
	size_t count = curve->column_count;
	struct series_column *columns =
	    arena_array(arena, count + 2, sizeof *columns);
	struct series_curve copy = {
		.cell = run->cell,
		.session = session,
		.block = run->block,
		.interval_s = curve->interval_s,
		.sample_count = curve->row_count,
		.columns = columns,
	};

	for (size_t i = 0; i < count; i++) {
		double *values =
		    arena_array(arena, curve->row_count, sizeof *values);

		for (size_t row = 0; row < curve->row_count; row++)
			values[row] = curve->values[row * count + i];
		columns[i] = (struct series_column){
			.name = curve->columns[i],
			.role = curve_role(curve->columns[i]),
			.values = values,
		};
	}
	if (sum_column(arena, curve, "read_", CURVE_READ, &columns[count]))
		count++;
	if (sum_column(arena, curve, "write_", CURVE_WRITE, &columns[count]))
		count++;
	copy.column_count = count;
	series_add_curve(table, &copy);
}

static int
add_curves(
    struct readings *readings, struct series_table *table, struct error *err)
{
	for (size_t i = 0; i < readings->run_count; i++) {
		const struct run *run = &readings->runs[i];
		struct outcome outcome = { 0 };
		size_t session;

		if (run->is_warm_up || run->verdict != VERDICT_OK)
			continue;
		if (curves_read(&readings->store->db, run->attempt,
			readings->arena, &outcome, err) == -1)
			return -1;
		if (outcome.curve_count == 0)
			continue;
		session = series_add_session(table,
		    readings->sessions[run->session].label,
		    host_line(
			readings->arena, &readings->sessions[run->session]));
		for (size_t j = 0; j < outcome.curve_count; j++)
			if (outcome.curves[j].interval_s > 0)
				add_curve(table, readings->arena, run, session,
				    &outcome.curves[j]);
	}
	return 0;
}

/* A metric measured in steps: PostMark's own clock counts seconds. */
static void
set_clock(struct series_table *table, const struct readings *readings)
{
	const struct workload_spec *spec =
	    &readings->plan->workloads[readings->workload];

	for (size_t i = 0; i < spec->setting_count; i++) {
		const struct setting *setting = &spec->settings[i];
		bool is_step = strcmp(setting->key, "clock_step") == 0;

		if (!is_step && strcmp(setting->key, "rounded_to") != 0)
			continue;
		if (setting->value_count == 1 && strcmp(table->unit, "s") == 0)
			table->clock_step = strtod(setting->values[0], NULL);
		if (table->clock_step > 0 && isfinite(table->clock_step))
			table->clock =
			    is_step ? CLOCK_TWO_READS : CLOCK_ROUNDED;
	}
}

/* Is each value a multiple of the step?  The last bits of a double are not
 * what was printed. */
static bool
has_step(const struct series_table *table, double step)
{
	for (size_t i = 0; i < table->run_count; i++) {
		double steps = table->runs[i].value / step;

		if (table->runs[i].state == RUN_OK &&
		    fabs(steps - nearbyint(steps)) > 1e-9 * (1 + fabs(steps)))
			return false;
	}
	return true;
}

/* Figures with few places were rounded to them, whatever the clock: three
 * times "71" is not a noise of nothing. */
static void
find_rounding(struct series_table *table)
{
	for (int places = 0; places <= MOST_PLACES; places++) {
		double step = pow(10, -places);

		if (has_step(table, step)) {
			table->clock = CLOCK_ROUNDED;
			table->clock_step = step;
			return;
		}
	}
}

int
table_build(struct readings *readings, const struct named *named,
    bool with_curves, struct results_table *table, struct error *err)
{
	size_t name = readings_find(readings, named->name);
	struct series_table *series = series_table_new(readings->arena,
	    readings->plan->workloads[readings->workload].title, named->name,
	    named->unit, named->better);

	*table = (struct results_table){ .series = series };
	for (size_t i = 0; i < readings->plan->cell_count; i++)
		add_cell(series, readings->arena, readings->plan,
		    &readings->plan->cells[i]);
	for (size_t i = 0; i < readings->run_count; i++)
		add_run(series, readings, &readings->runs[i], named,
		    name == SIZE_MAX ? NAN : readings->runs[i].values[name]);
	set_clock(series, readings);
	if (series->clock == CLOCK_FINE)
		find_rounding(series);
	add_companions(readings, table, named);
	table->is_flushed = strstr(named->name, "_flushed") != NULL;
	return with_curves ? add_curves(readings, series, err) : 0;
}
