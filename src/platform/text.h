/*
 * Small helps inside platform/: short files of the kernel, lines and words,
 * lists of names.  Not for other folders.
 */
#ifndef MM_PLATFORM_TEXT_H
#define MM_PLATFORM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "platform/attach.h"
#include "platform/device.h"

/* The whole file, at most 4 MiB, or NULL when it cannot be read.  The path is
 * formatted. */
char *text_file(struct arena *arena, const char *path_format, ...)
    MM_PRINTF(2, 3);

/* The file's first line without blanks at either end; "" when it cannot be
 * read. */
char *text_first_line(struct arena *arena, const char *path_format, ...)
    MM_PRINTF(2, 3);

/* A decimal number at the start of the text; "otherwise" when there is none
 * or it is too large. */
int64_t text_number(const char *text, int64_t otherwise);

/*
 * Reads decimal numbers with single other characters ("8:1", "1.5" is 1 and
 * 5) or blanks between them; returns how many, at most "max".  A minus sign
 * or a number too large ends the list.
 */
size_t text_numbers(const char *text, uint64_t *numbers, size_t max);

/* A copy without blanks at either end. */
char *text_trim(struct arena *arena, const char *text);

/*
 * The next line of a text of "size" bytes: sets "*line" (a copy, without its
 * newline, cut at a NUL) and moves "*position" on.  False at the end.
 */
bool text_next_line(struct arena *arena, const char *text, size_t size,
    size_t *position, char **line);

/* Cuts the next word off the line at single blanks; words may be empty.
 * NULL at the end. */
char *text_next_word(char **line);

/* Appends a name once. */
void name_list_add(
    struct arena *arena, struct name_list *list, const char *name);

/* The names in a folder without "." and "..", sorted; empty when it cannot be
 * read. */
void name_list_folder(
    struct arena *arena, struct name_list *list, const char *folder);

bool name_list_has(const struct name_list *list, const char *name);

/* Writes the text to an existing file of the kernel. */
int text_write(const char *path, const char *text, struct error *err);

/* dev_t from its parts, which each system packs in its own way. */
dev_t platform_make_device(unsigned int major, unsigned int minor);

/* Is a node of that mode one of a disk, in this system's eyes? */
bool platform_is_disk_node(mode_t mode);

/* Fills in what is known of the disk that info->path leads to; the rest is
 * unknown already.  <sys/stat.h> has the struct. */
struct stat;
int platform_describe_disk(const struct stat *status, struct arena *arena,
    struct device_info *info, struct error *err);

/* True when the process, by its number, lives and began at "start", as its
 * identity has it; a zombie has let go of everything and is gone. */
bool platform_is_alive(struct arena *arena, pid_t pid, int64_t start);

/* Bytes of the device or file behind the descriptor, or -1. */
int64_t platform_descriptor_size(int fd);

/* Allocates a file's space: 0, an errno, or EOPNOTSUPP where the system or
 * the filesystem only allocates what is written. */
int platform_allocate(int fd, int64_t size);

/* Decides once whether state belongs to root or to the user: before a user
 * namespace makes everybody look like root. */
void state_owner_remember(void);

#endif
