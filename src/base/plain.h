/*
 * Text that may be shown: names and messages come out of files that others
 * made, and a terminal obeys what it is sent.
 */
#ifndef MM_BASE_PLAIN_H
#define MM_BASE_PLAIN_H

#include <stddef.h>

/*
 * Length of the control character that the text begins with, 0 where it
 * begins with another: bytes below the blank, DEL, and the UTF-8 of U+0080 to
 * U+009F, which some terminals obey like ESC.
 */
size_t plain_control(const char *text);

/* Puts a blank in place of every byte of one.  Returns the text. */
char *plain_make(char *text);

#endif
