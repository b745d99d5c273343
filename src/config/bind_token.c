#include <string.h>

#include "base/suggest.h"
#include "config/bind_filesystem.h"

/* Declared tokens stand behind those of the tables, unknown ones last. */
enum { ORDER_DECLARED = 100000, ORDER_ELSEWHERE = 200000 };

/* The place of a token in the driver's table; "commit=30" has the place of
 * "commit=*". */
static int
table_order(struct fs_binding *binding, const char *token)
{
	const struct option **rows;
	size_t count =
	    fs_options_list(binding->driver, &rows, binding->binder->arena);

	for (size_t i = 0; i < count; i++) {
		const char *name = rows[i]->token;
		size_t length = strlen(name);

		if (strcmp(name, token) == 0)
			return (int)i;
		if (length >= 2 && strcmp(name + length - 2, "=*") == 0 &&
		    strncmp(name, token, length - 1) == 0)
			return (int)i;
	}
	return (int)count;
}

static bool
find_declared(
    struct fs_binding *binding, const char *token, struct level *level)
{
	for (size_t i = 0; i < binding->declared_count; i++)
		if (strcmp(binding->declared[i].token, token) == 0) {
			level->option = &binding->declared[i];
			level->token = level->option->token;
			level->order = ORDER_DECLARED + (int)i;
			return true;
		}
	return false;
}

int
bind_token(struct fs_binding *binding, const char *token, struct level *level)
{
	struct binder *binder = binding->binder;
	const char *owners;

	if (find_declared(binding, token, level))
		return 0;
	level->option = fs_option_find(binding->driver, token, binder->system,
	    binder->version, binder->arena);
	if (level->option != NULL) {
		level->token = level->option->token;
		level->order = table_order(binding, level->token);
		return 0;
	}
	owners = fs_option_owners(token, binder->arena);
	if (owners == NULL)
		return -1;
	level->token = fs_token_name(token);
	level->order = ORDER_ELSEWHERE + (int)binding->filesystem->factor_count;
	level->inapplicable = arena_printf(binder->arena,
	    "%s on %s%s%s has no option '%s'; it is one of %s",
	    binding->driver->name, binder->system,
	    binder->version[0] != '\0' ? " " : "", binder->version, token,
	    owners);
	return 0;
}

void
complain_token(struct fs_binding *binding, struct position at, const char *what,
    const char *token)
{
	struct binder *binder = binding->binder;
	const char *names[64];
	size_t count = 0;
	const char *nearest;

	for (; count < binding->declared_count && count < 64; count++)
		names[count] = binding->declared[count].token;
	nearest = suggest_nearest(token, names, count);
	if (nearest == NULL)
		nearest = fs_option_nearest(
		    binding->driver, token, binder->system, binder->version);
	bind_complain(binder, binding->section, at,
	    "%s: no filesystem has an option '%s'%s", what, token,
	    bind_hint(binder, nearest));
}
