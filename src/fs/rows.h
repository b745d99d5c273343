/*
 * The usual beginnings of a row: a mount option whose word is its own proof,
 * and something given to the maker that a report shows under its name.
 */
#ifndef MM_FS_ROWS_H
#define MM_FS_ROWS_H

#define ROW_MOUNT(word, text)                                                  \
	.token = word, .summary = text, .stage = STAGE_MOUNT, .on = word,      \
	.readback = word

#define ROW_MAKE(word, text, words)                                            \
	.token = word, .summary = text, .stage = STAGE_MAKE, .on = words,      \
	.readback = word

/* The same for what leaves no trace. */
#define ROW_SILENT(word, text)                                                 \
	.token = word, .summary = text, .stage = STAGE_MOUNT, .on = word

#endif
