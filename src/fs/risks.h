/*
 * What several options of one driver give up together: the worst, and what
 * the driver's defaults give up, unless an option of its risk group chooses
 * otherwise.
 */
#ifndef MM_FS_RISKS_H
#define MM_FS_RISKS_H

#include "fs/driver.h"

struct risks {
	const struct driver *driver;
	enum risk defaults;
	enum risk worst;
};

void risks_init(struct risks *risks, const struct driver *driver);
void risks_add(struct risks *risks, const struct option *option);
enum risk risks_together(const struct risks *risks);

#endif
