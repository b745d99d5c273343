/*
 * What "check" looks at, shared by its files: check.c has the command, the
 * trees and the host, checkcells.c the cells, checktargets.c the targets.
 */
#ifndef MM_CLI_CHECKUP_H
#define MM_CLI_CHECKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"
#include "cli/prepare.h"
#include "platform/isolate.h"

/* What is checked, and what came of it. */
struct checkup {
	const struct cli_args *args;
	struct prepared prepared;
	struct isolation isolation;
	bool can_try; /* as root: a scratch image per cell */
	bool is_json;
	const char *scratch; /* folder of the scratch images */
	const char *state;
	size_t bad_cells;
	size_t unsafe_targets;
	size_t problems; /* tools, room */
	size_t findings; /* printed so far, for JSON commas */
};

/* Prints one finding. */
void checkup_say(struct checkup *checkup, const char *what, const char *subject,
    const char *verdict, const char *text);

/* Room, and the guard's word on every device that a cell would write to. */
void checkup_targets(struct checkup *checkup);

/* Each cell's status, by the kernel's word or by a trial of it; a trial runs in
 * a mount namespace of its own where there is one. */
int checkup_cells(struct checkup *checkup, struct error *err);

/* True when the cell writes to more than one device, so that no scratch image
 * can stand for its target. */
bool checkup_names_more(const struct checkup *checkup, const struct cell *cell);

#endif
