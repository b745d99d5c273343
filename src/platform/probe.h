/*
 * Asking the kernel about mount options without a device and without root.
 *
 * Linux: fsopen and fsconfig, in a user namespace for an ordinary user.  The
 * kernel judges each option by itself; what only shows when a filesystem is
 * made from them together (ranges, conflicts) is not seen here.  Options that
 * belong to the mount and not to the filesystem (noatime, nosuid, ...) are
 * passed over.
 */
#ifndef MM_PLATFORM_PROBE_H
#define MM_PLATFORM_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct probe_refusal {
	const char *option;
	const char *words; /* the kernel's: "ext4: Unknown parameter 'x'" */
	bool has_words;    /* false: only the name of an error */
};

struct probe_result {
	bool was_asked;     /* false: could not ask; why is in reason */
	bool is_known;      /* false: this kernel has no such filesystem */
	const char *reason; /* of the above, or "" */
	struct probe_refusal *refusals;
	size_t refusal_count;
	struct probe_refusal *warnings; /* accepted, but the kernel grumbled */
	size_t warning_count;
};

/* "options" are single mount options ("data=ordered", "nobarrier"). */
int platform_probe_options(const char *type, const char *const *options,
    size_t count, struct arena *arena, struct probe_result *result,
    struct error *err);

#endif
