/* What is measured: a name, a unit, and which way is better. */
#ifndef MM_MODEL_METRIC_H
#define MM_MODEL_METRIC_H

enum better { LOWER_IS_BETTER, HIGHER_IS_BETTER };

/* Lists of metrics end with a row whose name is NULL. */
struct metric {
	const char *name;
	const char *unit;
	enum better better;
	const char *summary;
};

/* What every trial records beside its workload's own figures, as far as the
 * system counts it; ended as above. */
extern const struct metric metrics_of_trials[];

/* "lower" or "higher". */
const char *better_name(enum better better);

/* The reverse; -1 when the text is neither. */
int better_parse(const char *text, enum better *better);

#endif
