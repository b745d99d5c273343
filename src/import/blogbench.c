/*
 * Logs of Blogbench: the interval table becomes a curve, the two final scores
 * are what ranks, reads and writes apart.
 *
 * The table shows the blogs so far and six counts per interval.  The final
 * score of writes is the last of the first; the one of reads counts whole
 * blogs and cannot be recomputed.
 */
#include <string.h>

#include "import/builder.h"

enum { BLOGS = 0, COLUMNS = 9, FIELDS = 7 };

static const char *const columns[COLUMNS] = { "blogs", "read", "write",
	"r_articles", "w_articles", "r_pictures", "w_pictures", "r_comments",
	"w_comments" };

struct table {
	double interval;   /* seconds; 0: not said */
	double iterations; /* 0: not said */
	bool is_open;
	double *values;
	size_t rows, capacity;
	double writes, reads;
	bool has_writes, has_reads;
};

/* Seven whole numbers; -1 when a line of numbers is not whole. */
static int
read_fields(char *line, double *fields)
{
	size_t count = 0;
	char *save = NULL;

	for (char *word = strtok_r(line, " \t", &save); word != NULL;
	     word = strtok_r(NULL, " \t", &save)) {
		if (count == FIELDS || !read_count(word, &fields[count]))
			return -1;
		count++;
	}
	return count == FIELDS ? 0 : -1;
}

static void
add_row(struct builder *builder, struct table *table, const double *fields)
{
	double *row;

	if (table->rows == table->capacity)
		table->values =
		    arena_grow(builder->arena, table->values, table->rows,
			&table->capacity, COLUMNS * sizeof *table->values);
	row = &table->values[table->rows++ * COLUMNS];
	row[0] = fields[0];
	row[1] = fields[1] + fields[3] + fields[5];
	row[2] = fields[2] + fields[4] + fields[6];
	memcpy(&row[3], &fields[1], 6 * sizeof *fields);
}

/* Is the table whole, and does it agree with the scores below it? */
static int
check_table(struct log *log, const struct table *table, struct error *err)
{
	if (!table->has_writes || !table->has_reads)
		return log_fail(log, err,
		    "the log is cut: the final score for %s is missing",
		    table->has_writes ? "reads" : "writes");
	if (table->rows == 0)
		return log_fail(log, err, "no interval was counted");
	if (table->iterations > 0 && (double)table->rows != table->iterations)
		return log_fail(log, err,
		    "%zu intervals are there of %.0f: the log is cut",
		    table->rows, table->iterations);
	if (table->values[(table->rows - 1) * COLUMNS] != table->writes)
		return log_fail(log, err,
		    "the final score for writes is %.0f, the last interval"
		    " says %.0f: the log was edited",
		    table->writes, table->values[(table->rows - 1) * COLUMNS]);
	if (table->interval <= 0)
		return log_fail(log, err,
		    "how long an interval is ('Frequency = 10 secs') is not"
		    " said");
	return 0;
}

static int
finish(struct builder *builder, struct log *log, struct table *table,
    size_t cell, struct error *err)
{
	const char *title = builder->options->workload;
	size_t workload;
	struct outcome *outcome;

	if (check_table(log, table, err) == -1)
		return -1;
	workload = builder_workload(builder,
	    title == NULL ? "blogbench" : title, "blogbench", "reads writes");
	outcome = builder_add_run(
	    builder, cell, workload, 0, builder_session(builder, NULL));
	builder_add_sample(
	    builder, outcome, "reads", "blogs", HIGHER_IS_BETTER, table->reads);
	builder_add_sample(builder, outcome, "writes", "blogs",
	    HIGHER_IS_BETTER, table->writes);
	outcome->curves =
	    arena_array(builder->arena, 1, sizeof *outcome->curves);
	outcome->curve_count = 1;
	outcome->curves[0] = (struct trial_curve){
		.name = "intervals",
		.interval_s = table->interval,
		.columns = columns,
		.column_count = COLUMNS,
		.values = table->values,
		.row_count = table->rows,
	};
	*table = (struct table){ 0 };
	return 0;
}

/* What stands around the table. */
static void
read_remark(const char *line, struct table *table)
{
	double value;

	if (scan_text(line, " Frequency = # secs", &value, NULL) && value > 0)
		table->interval = value;
	else if (scan_text(
		     line, " Benchmarking for # iterations", &value, NULL))
		table->iterations = value;
	else if (scan_text(line, " Final score for writes: #", &value, NULL)) {
		table->writes = value;
		table->has_writes = true;
	} else if (scan_text(
		       line, " Final score for reads : #", &value, NULL)) {
		table->reads = value;
		table->has_reads = true;
	}
}

/* "  Nb blogs   R articles    W articles ..." */
static bool
is_head(const char *line)
{
	line += strspn(line, " \t");
	return strncmp(line, "Nb blogs", 8) == 0 &&
	       strstr(line, "W comments") != NULL;
}

/* A row of the table, whole or spoilt: most of its words are numbers. */
static bool
is_row(const char *bare)
{
	size_t numbers = 0;

	if (*bare >= '0' && *bare <= '9')
		return true;
	while (*bare != '\0') {
		bare += strcspn(bare, " \t");
		bare += strspn(bare, " \t");
		numbers += *bare >= '0' && *bare <= '9' ? 1 : 0;
	}
	return numbers > FIELDS / 2;
}

static int
read_log(
    struct builder *builder, struct log *log, size_t cell, struct error *err)
{
	struct table table = { 0 };
	double fields[FIELDS], before = 0;
	char *line;

	while ((line = log_next(log)) != NULL) {
		const char *bare = line + strspn(line, " \t");

		if (is_head(line)) {
			if (table.is_open)
				return log_fail(log, err,
				    "a new table begins before the final"
				    " scores of the one before it");
			table.is_open = true;
			before = 0;
			continue;
		}
		if (!table.is_open || !is_row(bare)) {
			read_remark(line, &table);
			if (table.has_writes && table.has_reads &&
			    finish(builder, log, &table, cell, err) == -1)
				return -1;
			continue;
		}
		if (read_fields(line, fields) == -1)
			return log_fail(log, err,
			    "an interval has seven whole numbers: is the line"
			    " cut?");
		if (fields[BLOGS] < before)
			return log_fail(log, err,
			    "the number of blogs falls from %.0f to %.0f: the"
			    " log was edited",
			    before, fields[BLOGS]);
		before = fields[BLOGS];
		add_row(builder, &table, fields);
	}
	if (table.is_open || table.rows > 0)
		return finish(builder, log, &table, cell, err);
	return 0;
}

static int
read_blogbench(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;

	builder_init(&builder, options, arena, imported);
	return builder_each_log(&builder, read_log, err);
}

extern const struct import_format import_blogbench;

const struct import_format import_blogbench = {
	.name = "blogbench",
	.summary = "logs of Blogbench 1.x: intervals and final scores",
	.options = "",
	.read = read_blogbench,
};
