/* One value of a key: from its text to its row's type, within its range. */
#ifndef MM_WORKLOAD_KEY_VALUE_H
#define MM_WORKLOAD_KEY_VALUE_H

#include "workload/workload.h"

/* Which of them is set follows from the row's type; the text always is. */
struct key_value {
	int64_t integer; /* bytes, nanoseconds, 0 and 1, or plain */
	double number;   /* of integers as well */
	const char *text;
};

/* Keeps "text" itself, not a copy.  -1 (ERROR_USAGE) says what the row would
 * have taken. */
int key_value_parse(const struct workload_key *row, const char *text,
    struct key_value *value, struct error *err);

#endif
