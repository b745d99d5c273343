/*
 * The report of PostMark 1.53 as the tool printed it: whole seconds, at least
 * one, and rates by whole-number division.  Only a view for who compares with
 * old reports; nothing ranks by it.
 */
#ifndef MM_WORKLOAD_POSTMARK_REPORT_H
#define MM_WORKLOAD_POSTMARK_REPORT_H

#include "base/arena.h"

/* A row of the curve "postmark", one a pass: all that a report needs. */
enum {
	CREATION_S,
	TRANSACTION_S,
	DELETION_S,
	TOTAL_S,
	N_INITIAL,
	N_TRANSACTIONS,
	N_CREATED,
	N_READ,
	N_APPENDED,
	N_DELETED,
	N_DELETED_ALONE,
	BYTES_READ,
	BYTES_WRITTEN,
	BYTES_READ_F32,
	BYTES_WRITTEN_F32,
	POSTMARK_COLUMNS,
};

/* The text for one pass; times are in the row, no clock is asked. */
char *postmark_report(const double row[POSTMARK_COLUMNS], struct arena *arena);

#endif
