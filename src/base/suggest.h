/* "Did you mean": the nearest word of a list. */
#ifndef MM_BASE_SUGGEST_H
#define MM_BASE_SUGGEST_H

#include <stddef.h>

/*
 * The candidate with the smallest edit distance (insert, delete, replace,
 * swap neighbours), or NULL when none is near enough to be meant: more than
 * a third of the word's length, at least one edit allowed.
 */
const char *suggest_nearest(
    const char *word, const char *const *candidates, size_t count);

/*
 * The same for names of the form "ext4:noatime": a word without its first part
 * means the first candidate that ends in ":" and the word.
 */
const char *suggest_key(
    const char *word, const char *const *candidates, size_t count);

#endif
