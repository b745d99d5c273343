#include "trial/blame.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
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

/* --- whose trouble it is ------------------------------------------------- */

/* "sda", "vdb1", "loop0", "nvme0n1p2": what disks are called.  Those of the
 * first kind have letters next, the others a digit. */
static bool
is_disk_name(const char *word, size_t length)
{
	static const char *const lettered[] = { "sd", "vd", "hd", "xvd", NULL };
	static const char *const numbered[] = { "loop", "nvme", "mmcblk", "md",
		"dm-", "ada", "da", "nvd", "vtbd", "vnd", "wd", "ld", NULL };

	for (int i = 0; lettered[i] != NULL; i++) {
		size_t prefix = strlen(lettered[i]);
		size_t letters = 0;

		if (length <= prefix || strncmp(word, lettered[i], prefix) != 0)
			continue;
		while (prefix + letters < length &&
		       islower((unsigned char)word[prefix + letters]))
			letters++;
		if (letters == 1 || letters == 2)
			return true;
	}
	for (int i = 0; numbered[i] != NULL; i++) {
		size_t prefix = strlen(numbered[i]);

		if (length > prefix &&
		    strncmp(word, numbered[i], prefix) == 0 &&
		    isdigit((unsigned char)word[prefix]))
			return true;
	}
	return false;
}

/* The device itself, or the disk that it is a part of: "sda" of "sda1",
 * "nvme0n1" of "nvme0n1p2", but not "loop1" of "loop10". */
static bool
is_device_or_disk(const char *word, size_t length, const char *device)
{
	const char *rest = device + length;

	if (strncmp(word, device, length) != 0)
		return false;
	if (*rest == '\0' || !isdigit((unsigned char)word[length - 1]))
		return rest[strspn(rest, "0123456789")] == '\0';
	return (*rest == 'p' || *rest == 's') &&
	       isdigit((unsigned char)rest[1]);
}

/* Which devices a line names. */
struct named {
	bool ours;
	bool others;
};

static struct named
names_in(const char *line, const char *device)
{
	struct named named = { false, false };

	while (*line != '\0') {
		size_t length = 0;

		while (isalnum((unsigned char)line[length]) ||
		       (length == 2 && strncmp(line, "dm-", 3) == 0))
			length++;
		if (is_disk_name(line, length)) {
			if (is_device_or_disk(line, length, device))
				named.ours = true;
			else
				named.others = true;
		}
		line += length > 0 ? length : 1;
	}
	return named;
}

/* Does the line name a device at all, and if so another one?  A target without
 * a device has no part in any disk's trouble. */
static bool
is_about_another(const char *line, const char *device)
{
	struct named named = names_in(line, device);

	return named.others && !named.ours;
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

const char *
blame_device_trouble(
    const char *kernel, const char *device, struct arena *arena)
{
	char *line;

	while ((line = next_line(&kernel, arena)) != NULL)
		if (has_any_word(line, troubles) && names_in(line, device).ours)
			return line;
	return NULL;
}

char *
blame_without_others(
    const char *kernel, const char *device, struct arena *arena)
{
	struct buffer kept;
	char *line, *text;

	buffer_init(&kept);
	while ((line = next_line(&kernel, arena)) != NULL)
		if (!is_about_another(line, device))
			buffer_printf(&kept, "%s\n", line);
	text = arena_strdup(arena, buffer_text(&kept));
	buffer_reset(&kept);
	return text;
}

const char *
blame_killed(const char *kernel, struct arena *arena)
{
	char *line;

	while ((line = next_line(&kernel, arena)) != NULL)
		if (strcasestr(line, "out of memory: killed process") != NULL)
			return line;
	return NULL;
}

/* "mkfs.ext4" of "/sbin/mkfs.ext4 -F /dev/loop0", "probe" of "probe: read". */
static const char *
program_of(const char *what, struct arena *arena)
{
	size_t length = strcspn(what, " :");
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
	/* one that was stopped did not end for what the kernel says */
	bool is_stopped = result->timed_out || result->signal != 0;
	const struct fs_said said = said_of(result, is_stopped ? "" : kernel);
	const char *program = program_of(what, arena);
	enum fs_failure failure = fs_classify(rung, &said);
	const char *words;

	*blame = (struct blame){ .verdict = verdict_of(result, failure) };
	if (result->is_missing) {
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
	if (result->is_missing) {
		blame->reason = arena_printf(
		    arena, "not checked: program '%s' not found", program);
		return;
	}
	if (result->timed_out || result->stuck)
		blame->verdict = VERDICT_TIMEOUT;
	else if (fs_says_no_room(result->errors))
		blame->verdict = VERDICT_NO_SPACE;
	else if (result->signal != 0 || !result->started)
		blame->verdict = VERDICT_FAILED;
	else
		blame->verdict = verdicts[fs_check_verdict(program, &said)];
	if (blame->verdict == VERDICT_OK)
		return;
	words = blame_first_line(fs_reason(RUNG_CHECK, &said, arena), arena);
	blame->reason = arena_printf(arena, "%s: %s%s%s", program, how,
	    words[0] != '\0' ? ": " : "", words);
}
