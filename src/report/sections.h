/*
 * What a report says, part by part.  Each function adds its part to the
 * document, or nothing where there is nothing to say.
 */
#ifndef MM_REPORT_SECTIONS_H
#define MM_REPORT_SECTIONS_H

#include "report/document.h"
#include "report/report.h"

/* The workload at hand. */
struct section {
	struct document *document;
	const struct report_input *input;
	const struct results_table *table;
	const struct ranking *ranking;
	int decimals;       /* of its values */
	bool is_one_family; /* names without the filesystem */
};

/* Everything, in order, in the way of a format (document_to_text, ...). */
typedef void document_format(
    const struct document *document, struct buffer *out);
void sections_render(const struct report_input *input, document_format *format,
    struct buffer *out);
void sections_compare(const struct comparison_input *input,
    document_format *format, struct buffer *out);

/* head.c: what was run, where, and on what. */
void section_head(const struct report_input *input, struct document *document);

/* ranked.c */
void section_ranking(const struct section *section);
/* Is the row one of the table, or is only said why it is not? */
bool is_in_ranking(const struct ranking_row *row);
size_t rows_in_ranking(const struct ranking *ranking);

/* noise.c */
void section_noise(const struct section *section);

/* beside.c */
void section_beside(const struct section *section);

/* effects.c */
void section_effects(const struct section *section);

/* runs.c: what is to be said of single runs and of the night */
void section_controls(const struct section *section);
void section_outliers(const struct section *section);
void section_drift(const struct section *section);

/* compare.c: what sessions of one file say of each other; NULL: nothing */
void section_sessions(
    const struct comparison *comparison, struct document *document);

/* curves.c */
void section_curves(const struct section *section);

/* closing.c */
void section_overall(
    const struct report_input *input, struct document *document);
void section_cells(const struct report_input *input, struct document *document);
void section_risks(const struct report_input *input, struct document *document);
void section_failures(
    const struct report_input *input, struct document *document);
void section_again(const struct report_input *input, struct document *document);

/* wording.c: figures as a person reads them, in the arena */

/* "+36.3 %", "-0.4 %"; "-" for NAN. */
char *percent_text(struct arena *arena, double percent);
/* "+16.7..+32.6 %" */
char *percent_range(struct arena *arena, double low, double high);
/* "36.3 %" without a sign. */
char *percent_size(struct arena *arena, double percent);
/* Half of an interval on the log scale, for a "+-" column: "36.3 %", from 50 %
 * on "x/ 2.2", which nobody takes as reaching below zero. */
char *margin_size(struct arena *arena, double percent);
/* The same within a sentence: "+-36.3 %", "x/ 2.2". */
char *margin_words(struct arena *arena, double percent);
bool is_factor_margin(double percent);
/* "540.3" with that many decimals; "-" for NAN. */
char *value_text(struct arena *arena, double value, int decimals);
/* How many decimals show four digits of the smallest value. */
int value_decimals(double smallest);
/* "3=", "12"; "-" when there is none. */
char *place_text(struct arena *arena, int place, bool is_tied);
/* "1-3", "2"; "" when there is none. */
char *range_text(struct arena *arena, int low, int high);
/* "12:34:56" of a day in UTC, "2026-11-30 12:34 UTC"; "" for 0. */
char *day_text(struct arena *arena, int64_t wall_ns);
/* The cell as this section calls it. */
const char *cell_name(const struct section *section, size_t cell);

#endif
