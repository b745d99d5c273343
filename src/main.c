/*
 * mountmatrix: which filesystem, made and mounted how, is best for this work
 * on this disk, and how sure can we be?
 *
 * A tour of the source, in the order in which the data goes through it:
 *
 *   matrix file -> config -> plan -> trial -> store -> analysis -> report
 *
 *   cli/       one file per command; the only place that prints and the only
 *              one that joins the stages below
 *   config/    reads a matrix file (libconfuse) and binds its names to the
 *              tables of fs/ and workload/: all errors of a file in one go
 *   plan/      cells from axes and rules, randomised complete blocks
 *   fs/        one table per filesystem: options, how to make, tune, mount,
 *              check and read back; builds argument vectors, runs nothing
 *   system/    one table per operating system: how it attaches and mounts
 *   trial/     the ladder of a trial, its undoing, the guard before a make,
 *              and the night that runs one trial after the other
 *   tree/      archives (libarchive), loaded once and replayed fast
 *   workload/  one file per workload
 *   platform/  what only the running system can do; one folder is compiled
 *   store/     the results file (SQLite)
 *   import/    other programs' logs, one file per format
 *   analysis/  pure functions: summaries, ranks, effects, curves
 *   report/    one file per output format
 *   model/     the nouns all of these speak of
 *   base/      tools: errors, arenas, argument vectors, children, units
 *
 * Stages know the nouns, never each other.
 */
#include "cli/cli.h"

int
main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
