/* What the parts of a filesystem section's binding share. */
#ifndef MM_CONFIG_BIND_FILESYSTEM_H
#define MM_CONFIG_BIND_FILESYSTEM_H

#include "config/bind.h"
#include "fs/driver.h"

/* Bounds that no real matrix meets, so that a file of a million tokens is
 * refused quickly. */
enum { MOST_FACTORS = 64, MOST_LEVELS = 256, MOST_COMBINATIONS = 10000 };

struct fs_binding {
	struct binder *binder;
	const struct outline_section *section;
	struct filesystem *filesystem;
	const struct driver *driver;
	struct option *declared; /* "option NAME { ... }" of this section */
	size_t declared_count;
};

/* The declared options (bind_option.c). */
void bind_declared(struct fs_binding *binding);

/*
 * Finds what a token means here (bind_token.c): a declared option, a row of
 * the driver, or that other filesystems have it.  -1, without a complaint,
 * when nobody knows it.
 */
int bind_token(
    struct fs_binding *binding, const char *token, struct level *level);

/* Complains that nobody knows the token, with the nearest one. */
void complain_token(struct fs_binding *binding, struct position at,
    const char *what, const char *token);

/* Toggles and axes, then skip and only (bind_factors.c, bind_rules.c). */
void bind_factors(struct fs_binding *binding);
void bind_rules(struct fs_binding *binding);

/* Complains and returns true when a list has more than "most" values. */
bool bind_is_too_long(struct fs_binding *binding, const char *name,
    const struct outline_key *key, size_t most);

/* A new factor at the end of the filesystem's list; NULL, after a complaint,
 * when there are MOST_FACTORS already. */
struct factor *bind_add_factor(struct fs_binding *binding, const char *name,
    size_t level_count, struct position at);

/* A toggle of one token: levels off and on.  NULL as above. */
struct factor *bind_add_toggle(
    struct fs_binding *binding, const struct level *on, struct position at);

#endif
