/*
 * Placeholders of a plan's commands filled in: %d the device, %r its raw
 * name, %m the mount point, %i the image, %l the label of this program's
 * makes, %u the unit, %b the place beside.
 */
#ifndef MM_TRIAL_WORDS_H
#define MM_TRIAL_WORDS_H

#include <stddef.h>

#include "base/arena.h"

/* NULL: not known, the placeholder stays. */
struct word_values {
	const char *device;
	const char *raw;
	const char *mountpoint;
	const char *image;
	const char *unit;
	const char *beside;
	/* words that are replaced as a whole: further devices by their
	 * canonical names */
	const char *const *from;
	const char *const *to;
	size_t replaced;
};

/* The NULL-ended words; "*line" (may be NULL) is the line for a person. */
const char *const *words_fill(const char *const *argv,
    const struct word_values *values, struct arena *arena, const char **line);

/* As the system calls the device for makers that want the raw one. */
const char *words_raw_name(
    const char *system, const char *device, struct arena *arena);

#endif
