#include "fs/risks.h"

#include <string.h>

void
risks_init(struct risks *risks, const struct driver *driver)
{
	*risks = (struct risks){ driver, driver->risk, RISK_SAFE };
}

void
risks_add(struct risks *risks, const struct option *option)
{
	const char *group = risks->driver->risk_group;

	risks->worst = risk_together(risks->worst, option->risk);
	if (group != NULL && option->group != NULL &&
	    strcmp(option->group, group) == 0)
		risks->defaults = RISK_SAFE;
}

enum risk
risks_together(const struct risks *risks)
{
	return risks->defaults > RISK_SAFE
		   ? risk_worse(risks->defaults, risks->worst)
		   : risks->worst;
}
