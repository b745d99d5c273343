/* Parts of the JSON report that stand by themselves. */
#ifndef MM_REPORT_JSON_PARTS_H
#define MM_REPORT_JSON_PARTS_H

#include "model/ranking.h"
#include "report/json.h"

/* "axes": the factors of several levels, each level against the best. */
void json_axes(struct json *json, const struct ranking *ranking);

/* "overall": all workloads together; nothing where none was made. */
void json_overall(struct json *json, const struct overall *overall);

#endif
