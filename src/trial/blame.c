#include "trial/blame.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "fs/classify.h"

enum { LINE_LIMIT = 200 };

/* What the kernel writes when a run of it cannot be believed. */
static const char *const troubles[] = { "i/o error", "ext4-fs error",
	"ext3-fs error", "ext2-fs error", "corruption", "btrfs error",
	"btrfs critical", "metadata i/o", "kernel bug at",
	"bug: unable to handle", "bug: soft lockup", "bug: kasan",
	"bug: bad page", "bug: scheduling while", "bug: workqueue",
	"oops:", "kernel panic", "call trace", "hung_task",
	"blocked for more than", "out of memory",
	"oom-kill:", "aborting journal", "shutting down",
	"remounting filesystem read-only", "hardware error", NULL };

static bool
has_any(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcasestr(text, *words) != NULL)
			return true;
	return false;
}

/* The same, at the start of a word: "oops:" is not in "loops:". */
static bool
has_any_word(const char *line, const char *const *words)
{
	for (; *words != NULL; words++) {
		const char *at = line;

		while ((at = strcasestr(at, *words)) != NULL) {
			if (at == line || !isalnum((unsigned char)at[-1]))
				return true;
			at++;
		}
	}
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

/*
 * Somebody who ran into a memory limit of his own says nothing of this
 * machine; a machine out of memory does.  Which it was stands at the end of
 * the kernel's report; until there its call trace is no trouble of its own.
 */
static bool
is_others_memory(const char *line, bool *in_report)
{
	static const char *const of_a_group[] = { "constraint_memcg",
		"memory cgroup out of memory", NULL };

	if (strcasestr(line, "invoked oom-killer") != NULL)
		*in_report = true;
	if (strcasestr(line, "oom-kill:") != NULL)
		*in_report = false;
	return *in_report || has_any(line, of_a_group);
}

const char *
blame_kernel_trouble(
    const char *kernel, const char *device, struct arena *arena)
{
	bool in_report = false;
	char *line;

	while ((line = next_line(&kernel, arena)) != NULL)
		if (!is_others_memory(line, &in_report) &&
		    has_any_word(line, troubles) &&
		    !is_about_another(line, device))
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

static bool
is_option_rung(enum rung rung)
{
	return rung == RUNG_MAKE || rung == RUNG_TUNE || rung == RUNG_MOUNT ||
	       rung == RUNG_PROP || rung == RUNG_SYSCTL;
}

static struct fs_said
said_of(const struct proc_result *result, const char *kernel)
{
	return (struct fs_said){
		.started = result->started,
		.exit_code = result->exit_code,
		.output = result->output,
		.errors = result->errors,
		.kernel = kernel,
	};
}

/* A filesystem that the kernel does not know will never be mounted; one that
 * it cannot find was not made properly this time. */
static bool
is_refusal(enum fs_failure failure, const char *kernel)
{
	return failure == FAILURE_REJECTED ||
	       (failure == FAILURE_NO_FILESYSTEM && kernel[0] == '\0');
}

static enum verdict
verdict_of(const struct proc_result *result, enum fs_failure failure)
{
	if (result->timed_out || result->stuck)
		return VERDICT_TIMEOUT;
	return failure == FAILURE_NO_SPACE ? VERDICT_NO_SPACE : VERDICT_FAILED;
}

void
blame_command(enum rung rung, const char *what,
    const struct proc_result *result, const char *kernel, struct arena *arena,
    struct blame *blame)
{
	const struct fs_said said = said_of(result, kernel);
	const char *program = program_of(what, arena);
	enum fs_failure failure = fs_classify(rung, &said);
	const char *words;

	*blame = (struct blame){ .verdict = verdict_of(result, failure) };
	if (!result->started) {
		blame->reason =
		    arena_printf(arena, "program '%s' not found", program);
		return;
	}
	words = blame_first_line(fs_reason(rung, &said, arena), arena);
	blame->is_rejected = blame->verdict == VERDICT_FAILED &&
			     result->exit_code > 0 && is_option_rung(rung) &&
			     is_refusal(failure, kernel);
	blame->reason = arena_printf(arena, "%s: %s%s%s", program,
	    proc_describe(arena, result), words[0] != '\0' ? ": " : "", words);
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
	const struct fs_said said = said_of(result, "");
	const char *words;

	*blame = (struct blame){ .verdict = VERDICT_OK, .reason = "" };
	if (!result->started) {
		blame->reason = arena_printf(
		    arena, "not checked: program '%s' not found", program);
		return;
	}
	if (result->timed_out || result->stuck)
		blame->verdict = VERDICT_TIMEOUT;
	else if (fs_says_no_room(result->errors))
		blame->verdict = VERDICT_NO_SPACE;
	else if (result->signal != 0)
		blame->verdict = VERDICT_FAILED;
	else
		blame->verdict = verdicts[fs_check_verdict(program, &said)];
	if (blame->verdict == VERDICT_OK)
		return;
	words = blame_first_line(fs_reason(RUNG_CHECK, &said, arena), arena);
	blame->reason = arena_printf(arena, "%s: %s%s%s", program, how,
	    words[0] != '\0' ? ": " : "", words);
}
