#include "model/option.h"

#include <stddef.h>
#include <string.h>

static const char *const stages[STAGE_COUNT] = {
	[STAGE_ATTACH] = "attach",
	[STAGE_MAKE] = "make",
	[STAGE_TUNE] = "tune",
	[STAGE_MOUNT] = "mount",
	[STAGE_PROP] = "prop",
	[STAGE_SYSCTL] = "sysctl",
};

static const struct {
	const char *name;
	const char *meaning;
} risks[RISK_COUNT] = {
	[RISK_SAFE_PLUS] = { "safe+", "stronger than the default" },
	[RISK_SAFE] = { "safe", "the default's guarantees" },
	[RISK_FUNC] = { "func", "changes meaning or space only" },
	[RISK_WINDOW] = { "window", "recent work lost at a crash" },
	[RISK_STALE] = { "stale", "file contents may be old after a crash" },
	[RISK_FLUSH] = { "flush", "fsync does not reach the medium" },
	[RISK_WRECK] = { "wreck", "a crash may leave it beyond repair" },
	[RISK_VOLATILE] = { "volatile", "everything is lost at unmount" },
};

static const char *const remounts[] = {
	[REMOUNT_UNKNOWN] = "unknown",
	[REMOUNT_OK] = "ok",
	[REMOUNT_REFUSED] = "refused",
	[REMOUNT_IGNORED] = "silently ignored",
};

const char *
stage_name(enum stage stage)
{
	return stages[stage];
}

int
stage_parse(const char *text, enum stage *stage)
{
	for (int i = 0; i < STAGE_COUNT; i++)
		if (strcmp(text, stages[i]) == 0) {
			*stage = (enum stage)i;
			return 0;
		}
	return -1;
}

const char *
risk_name(enum risk risk)
{
	return risks[risk].name;
}

int
risk_parse(const char *text, enum risk *risk)
{
	for (int i = 0; i < RISK_COUNT; i++)
		if (strcmp(text, risks[i].name) == 0) {
			*risk = (enum risk)i;
			return 0;
		}
	return -1;
}

const char *
risk_meaning(enum risk risk)
{
	return risks[risk].meaning;
}

enum risk
risk_worse(enum risk a, enum risk b)
{
	return a > b ? a : b;
}

enum risk
risk_together(enum risk a, enum risk b)
{
	if (a > RISK_SAFE || b > RISK_SAFE)
		return risk_worse(a, b);
	return a == RISK_SAFE_PLUS ? a : b;
}

const char *
remount_name(enum remount remount)
{
	return remounts[remount];
}

bool
option_is_default(const struct option *option)
{
	return option->effect != NULL && option->effect[0] == '\0';
}

bool
option_off_departs(const struct option *option)
{
	return option_is_default(option) && option->off != NULL &&
	       strcmp(option->off, option->on) != 0;
}

bool
option_list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at != NULL && *at != '\0';) {
		size_t size = strcspn(at, " ");

		if (size == length && strncmp(at, word, size) == 0)
			return true;
		if (size > 0 && at[size - 1] == '*' && size <= length + 1 &&
		    strncmp(at, word, size - 1) == 0)
			return true;
		at += size;
		at += strspn(at, " ");
	}
	return false;
}
