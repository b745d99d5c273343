/* Command lines and cells of a plan as text, for plan and check. */
#ifndef MM_CLI_PLANPRINT_H
#define MM_CLI_PLANPRINT_H

#include "base/arena.h"
#include "model/plan.h"

/*
 * One command as a line that sh reads: placeholders become "$DEV", "$MNT",
 * "$IMG", "$RAW", "$UNIT", "$LABEL" and "$BASE"; the device of a device
 * target is written out.
 */
char *planprint_command(struct arena *arena, const struct command *command,
    const struct target *target);

/* "3 cells, 1 workload, 6 blocks, 19 trials". */
char *planprint_size(const struct plan *plan, struct arena *arena);

/* Cells, commands, order: for a person. */
void planprint_text(
    const struct plan *plan, int64_t predicted_ns, struct arena *arena);

/* A script that makes and mounts each cell by hand. */
void planprint_script(const struct plan *plan, struct arena *arena);

/* For a program. */
void planprint_json(
    const struct plan *plan, int64_t predicted_ns, struct arena *arena);

#endif
