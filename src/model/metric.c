#include "model/metric.h"

#include <stddef.h>
#include <string.h>

const char *
better_name(enum better better)
{
	return better == LOWER_IS_BETTER ? "lower" : "higher";
}

int
better_parse(const char *text, enum better *better)
{
	if (strcmp(text, "lower") == 0)
		*better = LOWER_IS_BETTER;
	else if (strcmp(text, "higher") == 0)
		*better = HIGHER_IS_BETTER;
	else
		return -1;
	return 0;
}
