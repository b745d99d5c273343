/*
 * What time(1) prints: of sh and bash, of the BSDs, of GNU (short, -p, -v), of
 * csh and zsh.  Each group of times is one run; a group that is not whole is
 * an error.  The figures' last digit is how finely they were rounded.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/builder.h"

enum { REAL, USER, SYSTEM, FIGURES };

struct group {
	double seconds[FIGURES];
	bool has[FIGURES];
	int decimals; /* of the elapsed time */
};

static int
decimals_of(const char *text)
{
	const char *dot = strchr(text, '.');

	return dot == NULL ? 0 : (int)strspn(dot + 1, "0123456789");
}

/* A number that is not below zero. */
static bool
read_amount(const char *text, double *number)
{
	return isdigit((unsigned char)text[0]) && read_number(text, number);
}

/* "0m1.234s" of bash and ksh, "1m02s", "1.23s". */
static bool
read_minutes(const char *text, double *seconds)
{
	char copy[64];
	char *m;
	double minutes = 0;

	if (strlen(text) >= sizeof copy)
		return false;
	memcpy(copy, text, strlen(text) + 1);
	m = strchr(copy, 'm');
	if (m != NULL) {
		*m = '\0';
		if (!read_amount(copy, &minutes))
			return false;
		m++;
	} else {
		m = copy;
	}
	if (m[0] == '\0' || m[strlen(m) - 1] != 's')
		return false;
	m[strlen(m) - 1] = '\0';
	if (!read_amount(m, seconds))
		return false;
	*seconds += 60 * minutes;
	return true;
}

static void
set(struct group *group, int figure, double seconds, const char *text)
{
	group->seconds[figure] = seconds;
	group->has[figure] = true;
	if (figure == REAL)
		group->decimals = decimals_of(text);
}

/* "real 1.23", "real 0m1.234s": one figure to a line. */
static bool
read_named_line(const char *line, struct group *group)
{
	static const char *const names[] = { "real", "user", "sys" };
	char name[8], text[64], rest;
	double seconds;

	if (sscanf(line, " %7[a-z] %63s %c", name, text, &rest) != 2)
		return false;
	for (int i = 0; i < FIGURES; i++)
		if (strcmp(name, names[i]) == 0 &&
		    (read_clock(text, &seconds) ||
			read_minutes(text, &seconds))) {
			set(group, i, seconds, text);
			return true;
		}
	return false;
}

/* All three as one line had them; false when one is no time. */
static bool
set_all(
    struct group *group, const char *real, const char *user, const char *system)
{
	double values[FIGURES];

	if (!read_clock(real, &values[REAL]) ||
	    !read_amount(user, &values[USER]) ||
	    !read_amount(system, &values[SYSTEM]))
		return false;
	set(group, REAL, values[REAL], real);
	set(group, USER, values[USER], user);
	set(group, SYSTEM, values[SYSTEM], system);
	return true;
}

/* "  1.23 real   0.10 user   0.05 sys" of the BSDs. */
static bool
read_bsd_line(const char *line, struct group *group)
{
	char real[64], user[64], system[64];
	int end = 0;

	return sscanf(line, " %63s real %63s user %63s sys%n", real, user,
		   system, &end) == 3 &&
	       end > 0 && strchr(real, ':') == NULL &&
	       set_all(group, real, user, system);
}

/* "0.00user 0.01system 0:01.23elapsed 0%CPU" of GNU time. */
static bool
read_gnu_line(const char *line, struct group *group)
{
	char user[64], system[64], real[64];
	int end = 0; /* set when all up to there was as it should be */

	return sscanf(line,
		   " %63[0-9.]user %63[0-9.]system %63[0-9.:]elapsed%n", user,
		   system, real, &end) == 3 &&
	       end > 0 && set_all(group, real, user, system);
}

/* "0.1u 0.2s 0:01.23 12.3% ..." of csh. */
static bool
read_csh_line(const char *line, struct group *group)
{
	char user[64], system[64], real[64];
	int end = 0;

	return sscanf(line, " %63[0-9.]u %63[0-9.]s %63[0-9.:] %*[0-9.]%%%n",
		   user, system, real, &end) == 3 &&
	       end > 0 && strchr(real, ':') != NULL &&
	       set_all(group, real, user, system);
}

/* "find /usr  0.01s user 0.02s system 90% cpu 1:02.035 total" of zsh. */
static bool
read_zsh_line(const char *line, struct group *group)
{
	const char *at = strstr(line, "s user ");
	char user[64], system[64], real[64];
	int end = 0;

	if (at == NULL)
		return false;
	while (at > line && strchr("0123456789.", at[-1]) != NULL)
		at--;
	return sscanf(at,
		   "%63[0-9.]s user %63[0-9.]s system %*[0-9]%% cpu"
		   " %63[0-9.:] total%n",
		   user, system, real, &end) == 3 &&
	       end > 0 && set_all(group, real, user, system);
}

/* A line of GNU time -v. */
static bool
read_verbose_line(const char *line, struct group *group)
{
	static const struct {
		const char *name;
		int figure;
	} lines[] = {
		{ "User time (seconds): ", USER },
		{ "System time (seconds): ", SYSTEM },
		{ "Elapsed (wall clock) time (h:mm:ss or m:ss): ", REAL },
	};
	double seconds;

	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		size_t length = strlen(lines[i].name);

		if (strncmp(line, lines[i].name, length) == 0 &&
		    read_clock(line + length, &seconds)) {
			set(group, lines[i].figure, seconds, line + length);
			return true;
		}
	}
	return false;
}

/* "real", "user" or "sys", blanks, and what should be its figure: the rest of
 * the line is one word that begins as a number does, or nothing. */
static bool
is_named(const char *line)
{
	static const char *const names[] = { "real", "user", "sys" };

	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t length = strlen(names[i]);
		const char *figure = line + length;
		size_t word;

		if (strncmp(line, names[i], length) != 0)
			continue;
		figure += strspn(figure, " \t");
		word = strcspn(figure, " \t");
		return figure > line + length &&
		       figure[word + strspn(&figure[word], " \t")] == '\0' &&
		       (word == 0 || strchr("0123456789.:+-", figure[0]));
	}
	return false;
}

/*
 * Does a line that could not be read begin as one of the forms above?  Then it
 * was cut or edited: passing over it would lose a run without a word.
 */
static bool
is_damaged(const char *line)
{
	static const char *const begins[] = { "User time (seconds):",
		"System time (seconds):", "Elapsed (wall clock) time" };
	const char *text = line + strspn(line, " \t");
	const char *zsh = strstr(line, "s user ");
	size_t digits = strspn(text, "0123456789.");

	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			return true;
	if (zsh != NULL && zsh > line && isdigit((unsigned char)zsh[-1]))
		return true;
	if (digits == 0)
		return is_named(line);
	text += digits;
	if (strncmp(text, "user ", 5) == 0 || strcmp(text, "user") == 0)
		return true;
	if (strncmp(text, "u ", 2) == 0 && strchr(line, '%') != NULL)
		return true;
	return (text[0] == ' ' || text[0] == '\t') &&
	       strncmp(text + strspn(text, " \t"), "real", 4) == 0;
}

static bool
read_line(const char *line, struct group *group)
{
	return read_named_line(line, group) || read_bsd_line(line, group) ||
	       read_gnu_line(line, group) || read_csh_line(line, group) ||
	       read_zsh_line(line, group) || read_verbose_line(line, group);
}

static void
add_group(struct builder *builder, size_t cell, const struct group *group)
{
	const char *title = builder->options->workload;
	const char *metric = builder->options->metric;
	size_t workload =
	    builder_workload(builder, title == NULL ? "time" : title, "command",
		metric == NULL ? "elapsed" : metric);
	size_t session = builder_session(builder, NULL);
	struct outcome *outcome =
	    builder_add_run(builder, cell, workload, 0, session);

	builder_set(builder, workload, "rounded_to",
	    arena_printf(builder->arena, "%.*f", group->decimals,
		pow(10, -group->decimals)));
	builder_add_sample(builder, outcome,
	    metric == NULL ? "elapsed" : metric, "s", LOWER_IS_BETTER,
	    group->seconds[REAL]);
	builder_add_sample(builder, outcome, "user", "s", LOWER_IS_BETTER,
	    group->seconds[USER]);
	builder_add_sample(builder, outcome, "system", "s", LOWER_IS_BETTER,
	    group->seconds[SYSTEM]);
	builder_add_sample(builder, outcome, "cpu", "s", LOWER_IS_BETTER,
	    group->seconds[USER] + group->seconds[SYSTEM]);
}

static bool
is_whole(const struct group *group)
{
	return group->has[REAL] && group->has[USER] && group->has[SYSTEM];
}

/* The figure that a group still waits for. */
static const char *
missing(const struct group *group)
{
	return !group->has[REAL]   ? "the elapsed time"
	       : !group->has[USER] ? "the user time"
				   : "the system time";
}

static int
read_log(
    struct builder *builder, struct log *log, size_t cell, struct error *err)
{
	struct group group = { 0 };
	bool is_open = false;
	char *line;

	while ((line = log_next(log)) != NULL) {
		struct group found = { 0 };

		if (!read_line(line, &found)) {
			if (is_damaged(line))
				return log_fail(log, err,
				    "'%.60s' is no time that can be read: is"
				    " the line cut or edited?",
				    line);
			continue;
		}
		for (int i = 0; i < FIGURES; i++) {
			if (found.has[i] && group.has[i])
				return log_fail(log, err,
				    "a new time begins before %s of the one"
				    " before it",
				    missing(&group));
			if (found.has[i])
				set(&group, i, found.seconds[i], "");
		}
		if (found.has[REAL])
			group.decimals = found.decimals;
		is_open = !is_whole(&group);
		if (is_open)
			continue;
		add_group(builder, cell, &group);
		group = (struct group){ 0 };
	}
	if (is_open)
		return log_fail(
		    log, err, "the log is cut: %s is missing", missing(&group));
	return 0;
}

static int
read_time(const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	struct builder builder;

	builder_init(&builder, options, arena, imported);
	return builder_each_log(&builder, read_log, err);
}

extern const struct import_format import_time;

const struct import_format import_time = {
	.name = "time",
	.summary = "time(1) of sh, bash, csh, zsh, the BSDs and GNU",
	.options = "metric",
	.read = read_time,
};
