#include <string.h>

#include "base/suggest.h"
#include "config/bind_filesystem.h"

static const char *const stages[] = { "attach", "make", "tune", "mount", "prop",
	"sysctl", NULL };

static const char *const risks[] = { "safe+", "safe", "func", "window", "stale",
	"flush", "wreck", "volatile", NULL };

static void
need(struct binder *binder, const struct outline_section *section,
    const char *key)
{
	if (outline_key(section, key) == NULL)
		bind_complain(binder, section, section->at,
		    "no %s: an option needs stage and on", key);
}

/* An option that the tables do not have: tried the day it appears. */
static void
bind_option(struct binder *binder, const struct outline_section *section,
    struct option *option)
{
	enum stage stage = STAGE_MOUNT;
	enum risk risk = RISK_SAFE;

	need(binder, section, "stage");
	need(binder, section, "on");
	stage_parse(
	    stages[key_word(binder, section, "stage", stages, STAGE_MOUNT)],
	    &stage);
	risk_parse(
	    risks[key_word(binder, section, "risk", risks, RISK_SAFE)], &risk);
	*option = (struct option){ .token = section->title,
		.summary = key_any_text(
		    binder, section, "summary", "declared in the matrix file"),
		.stage = stage,
		.on = key_text(binder, section, "on", ""),
		.off = key_any_text(binder, section, "off", NULL),
		.group = key_text(binder, section, "group", NULL),
		.conflicts = key_joined(binder, section, "conflicts"),
		.implies = key_joined(binder, section, "implies"),
		.voids = key_joined(binder, section, "voids"),
		.readback = key_text(binder, section, "readback", NULL),
		.effect = key_any_text(binder, section, "effect", NULL),
		.risk = risk };
	if (option->off != NULL && option->off[0] == '\0')
		option->off = NULL;
}

void
bind_declared(struct fs_binding *binding)
{
	const struct outline_section *section = binding->section;
	struct binder *binder = binding->binder;

	binding->declared = arena_array(binder->arena,
	    section->section_count + 1, sizeof *binding->declared);
	for (size_t i = 0; i < section->section_count; i++)
		if (strcmp(section->sections[i]->name, "option") == 0)
			bind_option(binder, section->sections[i],
			    &binding->declared[binding->declared_count++]);
}
