#include "report/report.h"

#include <string.h>

#define FORMAT(name) extern const struct report_format report_##name;
#include "report/formats.def"
#undef FORMAT

static const struct report_format *const formats[] = {
#define FORMAT(name) &report_##name,
#include "report/formats.def"
#undef FORMAT
	NULL,
};

const struct report_format *const *
report_formats(void)
{
	return formats;
}

const struct report_format *
report_find(const char *name)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
