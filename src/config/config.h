/*
 * Reading a matrix file: text to a resolved matrix, or to all its errors.
 *
 * The grammar is libconfuse's, and this folder is the only one that knows the
 * library.  Names are bound here to drivers, options and workloads, values to
 * types and ranges; nothing is run and no device is looked at.  The manual is
 * mountmatrix.conf(5), beside this file.
 */
#ifndef MM_CONFIG_CONFIG_H
#define MM_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/error.h"
#include "config/diagnostics.h"
#include "model/matrix.h"

/* What system the tokens are bound for: a name and version of
 * system/system.h.  A NULL system is the running one, with version "". */
struct config_options {
	const char *system;
	const char *version;
};

/*
 * Reads the file and what it includes into "*matrix", whose texts live in the
 * arena.  "options" may be NULL.
 *
 * When anything in it is wrong, returns -1 (ERROR_USAGE) with all complaints
 * in "diagnostics", by file and line, and their number in "err".  A mistake
 * of syntax ends the reading: complaints about what comes after it are
 * missing then.  "diagnostics" is initialised here, in the arena.
 */
int config_load(const char *path, const struct config_options *options,
    struct arena *arena, struct matrix *matrix, struct diagnostics *diagnostics,
    struct error *err);

#endif
