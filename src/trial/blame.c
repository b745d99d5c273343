#include "trial/blame.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "fs/classify.h"

enum { LINE_LIMIT = 200 };

/* Words of makers and mounters for an option that is not taken, as util-linux,
 * e2fsprogs, xfsprogs, btrfs-progs and the BSDs write them. */
static const char *const refusals[] = { "bad option", "unknown option",
	"unknown parameter", "unknown filesystem", "unknown feature",
	"is unknown", "bad value", "unrecognized", "not supported",
	"unsupported", "illegal option", "invalid option", "invalid argument",
	"invalid filesystem option", "invalid mount option",
	"no longer supported", "cannot be used with", "conflict",
	"can't be mixed", "incompatible", "usage:", "out of range",
	"no such device", "incorrect super block", "operation not supported",
	"can't mount with", "must be", "illegal value", "bad extended option",
	NULL };

static const char *const full[] = { "no space left on device",
	"filesystem full", "file system is full", "disk full", NULL };

static const char *const broken[] = { "input/output error", "i/o error",
	"device not configured", "no such device or address", NULL };

/* What the kernel writes when a run of it cannot be believed. */
static const char *const troubles[] = { "i/o error", "ext4-fs error",
	"ext3-fs error", "ext2-fs error", "corruption", "btrfs error",
	"btrfs critical", "metadata i/o", "bug:", "oops", "kernel panic",
	"call trace", "hung_task", "blocked for more than", "out of memory",
	"oom-kill", "aborting journal", "shutting down",
	"remounting filesystem read-only", "hardware error", NULL };

static bool
has_any(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcasestr(text, *words) != NULL)
			return true;
	return false;
}

/* The next line of a text, trimmed and cut; NULL at its end. */
static char *
next_line(const char **text, struct arena *arena)
{
	const char *start = *text;
	size_t length, kept;

	if (*start == '\0')
		return NULL;
	length = strcspn(start, "\n");
	*text = start + length + (start[length] == '\n');
	while (length > 0 && isspace((unsigned char)*start)) {
		start++;
		length--;
	}
	while (length > 0 && isspace((unsigned char)start[length - 1]))
		length--;
	kept = length < LINE_LIMIT ? length : LINE_LIMIT;
	return arena_strndup(arena, start, kept);
}

const char *
blame_first_line(const char *text, struct arena *arena)
{
	char *line;

	while ((line = next_line(&text, arena)) != NULL) {
		/* garbage must not reach a terminal or a mail */
		for (char *c = line; *c != '\0'; c++)
			if (!isprint((unsigned char)*c))
				*c = '?';
		if (line[0] != '\0' && strstr(line, "WARNING") == NULL)
			return line;
	}
	return "";
}

/* The last line that has one of the words: the kernel's reason comes last. */
static const char *
last_with(const char *text, const char *const *words, struct arena *arena)
{
	const char *found = NULL;
	char *line;

	while ((line = next_line(&text, arena)) != NULL)
		if (has_any(line, words))
			found = line;
	return found;
}

const char *
blame_kernel_refusal(const char *kernel, struct arena *arena)
{
	return last_with(kernel, refusals, arena);
}

/* Does the line name a device at all, and if so another one? */
static bool
is_about_another(const char *line, const char *device)
{
	static const char *const names[] = { "loop", "sd", "vd", "nvme", "md",
		"dm-", "ada", "da", NULL };
	bool has_name = false;

	if (device[0] == '\0' || strstr(line, device) != NULL)
		return false;
	for (int i = 0; names[i] != NULL; i++) {
		const char *at = strstr(line, names[i]);

		if (at != NULL &&
		    (at == line || !isalnum((unsigned char)at[-1])))
			has_name |= strpbrk(at, "0123456789") != NULL;
	}
	return has_name;
}

const char *
blame_kernel_trouble(
    const char *kernel, const char *device, struct arena *arena)
{
	char *line;

	while ((line = next_line(&kernel, arena)) != NULL)
		if (has_any(line, troubles) && !is_about_another(line, device))
			return line;
	return NULL;
}

/* "mkfs.ext4" of "/sbin/mkfs.ext4 -F /dev/loop0". */
static const char *
program_of(const char *what, struct arena *arena)
{
	size_t length = strcspn(what, " ");
	const char *word = arena_strndup(arena, what, length);
	const char *slash = strrchr(word, '/');

	return slash != NULL ? slash + 1 : word;
}

/* The words that say it best: the complaint, else what it printed. */
static const char *
best_words(const struct proc_result *result, struct arena *arena)
{
	const char *words = last_with(result->errors, refusals, arena);

	if (words == NULL || words[0] == '\0')
		words = blame_first_line(result->errors, arena);
	if (words[0] == '\0')
		words = blame_first_line(result->output, arena);
	return words;
}

static bool
is_option_rung(enum rung rung)
{
	return rung == RUNG_MAKE || rung == RUNG_TUNE || rung == RUNG_MOUNT ||
	       rung == RUNG_PROP || rung == RUNG_SYSCTL;
}

static enum verdict
verdict_of(const struct proc_result *result, const char *kernel)
{
	if (result->timed_out || result->stuck)
		return VERDICT_TIMEOUT;
	if (has_any(result->errors, full) || has_any(result->output, full) ||
	    has_any(kernel, full))
		return VERDICT_NO_SPACE;
	return VERDICT_FAILED;
}

void
blame_command(enum rung rung, const char *what,
    const struct proc_result *result, const char *kernel, struct arena *arena,
    struct blame *blame)
{
	const char *program = program_of(what, arena);
	const char *how = proc_describe(arena, result);
	const char *refusal = blame_kernel_refusal(kernel, arena);
	const char *words = best_words(result, arena);
	bool is_plain = result->started && !result->timed_out &&
			!result->stuck && result->exit_code > 0;

	*blame = (struct blame){ .verdict = verdict_of(result, kernel) };
	if (!result->started) {
		blame->reason =
		    arena_printf(arena, "program '%s' not found", program);
		return;
	}
	blame->is_rejected =
	    is_plain && is_option_rung(rung) &&
	    blame->verdict == VERDICT_FAILED &&
	    !has_any(result->errors, broken) &&
	    (refusal != NULL || has_any(result->errors, refusals));
	if (is_plain && refusal != NULL)
		words = refusal;
	blame->reason = arena_printf(arena, "%s: %s%s%s", program, how,
	    words[0] != '\0' ? ": " : "", words);
}

void
blame_check(const char *what, const struct proc_result *result,
    struct arena *arena, struct blame *blame)
{
	static const enum verdict verdicts[] = {
		[FS_CHECK_CLEAN] = VERDICT_OK,
		[FS_CHECK_CORRUPT] = VERDICT_CORRUPT,
		[FS_CHECK_FAILED] = VERDICT_FAILED,
	};
	const char *program = program_of(what, arena);
	const char *how = proc_describe(arena, result);
	const struct fs_said said = {
		.started = result->started,
		.exit_code = result->exit_code,
		.output = result->output,
		.errors = result->errors,
		.kernel = "",
	};
	const char *words;

	*blame = (struct blame){ .verdict = VERDICT_OK, .reason = "" };
	if (!result->started) {
		blame->reason = arena_printf(
		    arena, "not checked: program '%s' not found", program);
		return;
	}
	if (result->timed_out || result->stuck)
		blame->verdict = VERDICT_TIMEOUT;
	else
		blame->verdict = verdicts[fs_check_verdict(program, &said)];
	if (blame->verdict == VERDICT_OK)
		return;
	words = fs_reason(RUNG_CHECK, &said, arena);
	blame->reason = arena_printf(arena, "%s: %s%s%s", program, how,
	    words[0] != '\0' ? ": " : "", words);
}
