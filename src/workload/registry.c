/* The list of all workloads, out of workloads.def. */
#include <string.h>

#include "workload/workload.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workload/workloads.def"
#undef WORKLOAD

static const struct workload *const all[] = {
#define WORKLOAD(name) &workload_##name,
#include "workload/workloads.def"
#undef WORKLOAD
	NULL,
};

const struct workload *const *
workload_list(void)
{
	return all;
}

const struct workload *
workload_find(const char *name)
{
	for (size_t i = 0; all[i] != NULL; i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}
