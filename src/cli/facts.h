/* Facts for the record that need programs to be asked: tool versions. */
#ifndef MM_CLI_FACTS_H
#define MM_CLI_FACTS_H

#include "base/arena.h"
#include "base/facts.h"
#include "model/plan.h"

/* Name and version of every program that the plan's commands run: the first
 * line that each prints when asked for it. */
void facts_tools(
    struct fact_list *tools, const struct plan *plan, struct arena *arena);

/* The first program of the plan that this host does not have, or NULL. */
const char *facts_missing_tool(const struct plan *plan, struct arena *arena);

/* The program of a "command" workload when this host does not have it; NULL
 * when it does, or when a shell or a PATH of the workload's own decides. */
const char *facts_missing_command(
    const struct workload_spec *spec, struct arena *arena);

#endif
