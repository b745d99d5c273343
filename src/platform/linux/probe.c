/*
 * Each option gets a context of its own, so that one refusal spoils nothing
 * for the next, and the child that asks is thrown away.
 */
#include "platform/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/proc.h"
#include "platform/text.h"

static const int64_t TIMEOUT_NS = 20000000000;

/* What mount(8) and mount(2) keep for themselves. */
static const char *const mount_words[] = { "defaults", "atime", "noatime",
	"relatime", "norelatime", "strictatime", "nostrictatime", "diratime",
	"nodiratime", "suid", "nosuid", "dev", "nodev", "exec", "noexec",
	"symfollow", "nosymfollow", "auto", "noauto", "user", "nouser", "users",
	"owner", "group", "_netdev", "nofail", "loop", "bind", "rbind",
	"remount", "move", "silent", "loud", "iversion", "noiversion", NULL };

struct question {
	const char *type;
	const char *const *options;
	size_t count;
	bool needs_namespace;
};

static bool
is_mount_word(const char *option)
{
	if (strncmp(option, "x-", 2) == 0 || strncmp(option, "X-", 2) == 0 ||
	    strncmp(option, "comment=", 8) == 0)
		return true;
	for (size_t i = 0; mount_words[i] != NULL; i++)
		if (strcmp(option, mount_words[i]) == 0)
			return true;
	return false;
}

/* The kernel's messages: "e text" refuses, "w" warns, "i" informs. */
static void
tell_messages(int context, int out, size_t index)
{
	char text[1024];
	ssize_t size;

	while ((size = read(context, text, sizeof text - 1)) > 0) {
		text[size] = '\0';
		text[strcspn(text, "\n")] = '\0';
		if (size > 2 && text[1] == ' ')
			(void)dprintf(
			    out, "%c %zu %s\n", text[0], index, text + 2);
	}
}

static int
set_option(int context, const char *option)
{
	char key[256];
	const char *equals = strchr(option, '=');
	size_t length =
	    equals != NULL ? (size_t)(equals - option) : strlen(option);

	(void)snprintf(key, sizeof key, "%.*s", (int)length, option);
	if (equals == NULL)
		return (int)syscall(
		    SYS_fsconfig, context, FSCONFIG_SET_FLAG, key, NULL, 0);
	return (int)syscall(
	    SYS_fsconfig, context, FSCONFIG_SET_STRING, key, equals + 1, 0);
}

/*
 * Lines for the parent: "f ERRNO" no context; "n INDEX ERRNO" refused;
 * "e|w|i INDEX TEXT" the kernel's words about it.
 */
static int
ask(void *argument, int out)
{
	const struct question *question = argument;

	if (question->needs_namespace &&
	    unshare(CLONE_NEWUSER | CLONE_NEWNS) == -1) {
		(void)dprintf(out, "f %d\n", errno);
		return 0;
	}
	for (size_t i = 0; i < question->count; i++) {
		int context;

		if (is_mount_word(question->options[i]))
			continue;
		context =
		    (int)syscall(SYS_fsopen, question->type, FSOPEN_CLOEXEC);
		if (context == -1) {
			(void)dprintf(out, "f %d\n", errno);
			return 0;
		}
		if (set_option(context, question->options[i]) == -1)
			(void)dprintf(out, "n %zu %d\n", i, errno);
		tell_messages(context, out, i);
		(void)close(context);
	}
	return 0;
}

static void
add(struct arena *arena, struct probe_refusal **list, size_t *count,
    struct probe_refusal one)
{
	*list = arena_append(arena, *list, *count, sizeof **list);
	(*list)[(*count)++] = one;
}

static void
no_context(struct arena *arena, int code, const char *type,
    struct probe_result *result)
{
	if (code == ENODEV) {
		result->was_asked = true;
		result->reason = arena_printf(
		    arena, "this kernel has no filesystem '%s'", type);
	} else {
		result->reason = arena_printf(
		    arena, "the kernel cannot be asked: %s", strerror(code));
	}
}

/* Refusals first, then the words of those lines are put beside them. */
static void
take_line(struct arena *arena, char *line, const struct question *question,
    struct probe_result *result)
{
	char kind = line[0];
	char *rest = strchr(line, ' ');
	size_t index;

	if (rest == NULL)
		return;
	rest++;
	index = (size_t)text_number(rest, 0);
	if (kind == 'f') {
		no_context(arena, (int)index, question->type, result);
		return;
	}
	rest = strchr(rest, ' ');
	if (index >= question->count || rest == NULL)
		return;
	rest++;
	if (kind == 'n')
		add(arena, &result->refusals, &result->refusal_count,
		    (struct probe_refusal){ question->options[index],
			arena_strdup(
			    arena, strerror((int)text_number(rest, EINVAL))),
			false });
	else if (kind == 'e' && result->refusal_count > 0)
		result->refusals[result->refusal_count - 1] =
		    (struct probe_refusal){ question->options[index], rest,
			    true };
	else if (kind == 'w')
		add(arena, &result->warnings, &result->warning_count,
		    (struct probe_refusal){
			question->options[index], rest, true });
}

int
platform_probe_options(const char *type, const char *const *options,
    size_t count, struct arena *arena, struct probe_result *result,
    struct error *err)
{
	/* "defaults" alone would never open a context */
	static const char *const any[] = { "ro" };
	struct question question = { .type = type,
		.options = options,
		.count = count,
		.needs_namespace = geteuid() != 0 };
	struct proc_job job = { .function = ask,
		.context = &question,
		.timeout_ns = TIMEOUT_NS,
		.output_limit = (size_t)1024 * 1024 };
	struct proc_result answer;
	size_t position = 0;
	bool is_empty = true;
	char *line;

	*result = (struct probe_result){ .reason = "" };
	for (size_t i = 0; i < count; i++)
		is_empty = is_empty && is_mount_word(options[i]);
	if (is_empty) {
		question.options = any;
		question.count = 1;
	}
	if (proc_run(&job, arena, &answer, err) == -1)
		return -1;
	if (!proc_succeeded(&answer)) {
		result->reason =
		    arena_printf(arena, "the kernel cannot be asked: %s",
			proc_describe(arena, &answer));
		return 0;
	}
	result->was_asked = true;
	result->is_known = true;
	while (text_next_line(
	    arena, answer.output, answer.output_size, &position, &line)) {
		if (line[0] == 'f') {
			result->was_asked = false;
			result->is_known = false;
		}
		take_line(arena, line, &question, result);
	}
	return 0;
}
