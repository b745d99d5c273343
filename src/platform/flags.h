/* Mount flags in words; inside platform/ only. */
#ifndef MM_PLATFORM_FLAGS_H
#define MM_PLATFORM_FLAGS_H

#include <stdint.h>

#include "base/arena.h"

/* A row of a table that ends with the word NULL. */
struct flag_word {
	/* a symbol of the system's headers; all its bits are needed, and are
	 * used up by the row */
	uint64_t flag;
	const char *word; /* "" for a bit that says nothing about options */
};

/* The words of the flags that are set, in table order, commas between; what
 * no row has comes last as "0x...". */
char *flags_in_words(
    struct arena *arena, const struct flag_word *table, uint64_t flags);

#endif
