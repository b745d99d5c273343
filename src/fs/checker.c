#include <stddef.h>
#include <string.h>

#include "fs/failures.h"

/* What the BSDs' checkers print when something was or is wrong. */
static const char *const damage[] = {
	"FILE SYSTEM WAS MODIFIED",
	"UNEXPECTED",
	"UNRESOLVED INCONSISTENCIES",
	"PLEASE RERUN FSCK",
	"(SALVAGED)",
	"(CORRECTED)",
	"(CREATED)",
	"(RECONNECTED)",
	"SALVAGE?",
	"CORRECT?",
	"RECONNECT?",
	"CLEAR?",
	"REMOVE?",
	"ADJUST?",
	"BAD SUPER BLOCK",
	"BAD CHECK-HASH",
	"Cannot find file system superblock",
};

static bool
shows_damage(const struct fs_said *said)
{
	for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++)
		if (failure_says(said->output, damage[i]) ||
		    failure_says(said->errors, damage[i]))
			return true;
	return false;
}

enum fs_check
fs_check_verdict(const char *program, const struct fs_said *said)
{
	bool is_e2fsck = strcmp(program, "e2fsck") == 0;

	if (!said->started || said->exit_code < 0 || said->exit_code == 127)
		return FS_CHECK_FAILED;
	if (is_e2fsck) /* 1, 2: mended; 4: left; 8 and more: could not */
		return said->exit_code == 0  ? FS_CHECK_CLEAN
		       : said->exit_code < 8 ? FS_CHECK_CORRUPT
					     : FS_CHECK_FAILED;
	if (strcmp(program, "xfs_repair") == 0) /* 2: the log is dirty */
		return said->exit_code == 0   ? FS_CHECK_CLEAN
		       : said->exit_code <= 2 ? FS_CHECK_CORRUPT
					      : FS_CHECK_FAILED;
	if (strncmp(program, "fsck", 4) == 0) {
		if (shows_damage(said))
			return FS_CHECK_CORRUPT;
		return said->exit_code == 0 ? FS_CHECK_CLEAN : FS_CHECK_FAILED;
	}
	return said->exit_code == 0 ? FS_CHECK_CLEAN : FS_CHECK_CORRUPT;
}
