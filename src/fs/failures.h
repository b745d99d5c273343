/*
 * The words by which a failure is known, of every program and kernel that was
 * met; inside fs/ only.  classify.h is what others ask.
 */
#ifndef MM_FS_FAILURES_H
#define MM_FS_FAILURES_H

#include <stdbool.h>

#include "fs/classify.h"

enum failure_where { ANYWHERE, KERNEL_ONLY };

struct failure_rule {
	const char *text;
	unsigned rungs; /* bits; 0: all of them */
	enum fs_failure failure;
	enum failure_where where;
	bool even_at_zero; /* though the exit code says all is well */
	bool is_no_room;   /* a workload may say it as well */
};

/* The first rule that fits what was said, or NULL. */
const struct failure_rule *failure_rule_for(
    enum rung rung, const struct fs_said *said);

/* True when the text, which may be NULL, has the words. */
bool failure_says(const char *text, const char *words);

#endif
