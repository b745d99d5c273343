#include "import/import.h"

#include <string.h>

#include "model/option.h"

#define IMPORT(name) extern const struct import_format import_##name;
#include "import/imports.def"
#undef IMPORT

static const struct import_format *const formats[] = {
#define IMPORT(name) &import_##name,
#include "import/imports.def"
#undef IMPORT
	NULL,
};

const struct import_format *const *
import_formats(void)
{
	return formats;
}

const struct import_format *
import_find(const char *name)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

static int
refuse_others(const struct import_format *format,
    const struct import_options *options, struct error *err)
{
	const struct {
		const char *name;
		bool is_given;
	} given[] = {
		{ "factors", options->factor_count > 0 },
		{ "block", options->block != NULL },
		{ "position", options->position != NULL },
		{ "session", options->session != NULL },
		{ "in-force", options->in_force != NULL },
		{ "step", options->step != NULL },
		{ "value", options->value_count > 0 },
		{ "beside", options->beside_count > 0 },
		{ "metric", options->metric != NULL },
		{ "unit", options->unit != NULL },
		{ "better", options->better != NULL },
	};

	for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
		if (given[i].is_given &&
		    !option_list_has(format->options, given[i].name))
			return error_set_kind(err, ERROR_USAGE,
			    "import %s takes no --%s", format->name,
			    given[i].name);
	return 0;
}

int
import_run(const struct import_format *format,
    const struct import_options *options, struct arena *arena,
    struct imported *imported, struct error *err)
{
	*imported = (struct imported){ 0 };
	if (options->log_count == 0)
		return error_set_kind(err, ERROR_USAGE,
		    "import %s: no log was named", format->name);
	if (refuse_others(format, options, err) == -1)
		return -1;
	return format->read(options, arena, imported, err);
}
