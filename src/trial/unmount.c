#include "trial/unmount.h"

#include <stddef.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "platform/mounts.h"
#include "platform/process.h"

static const int64_t UNMOUNT_TIMEOUT_NS = 600 * INT64_C(1000000000);
enum { RETRY_MS = 200, HOLDERS_SHOWN = 5 };

const char *
unmount_source_at(struct arena *arena, const char *mountpoint)
{
	struct error ignored = { 0 };
	struct mount_list list = { 0 };
	const struct mount_entry *entry;

	if (platform_mounts(arena, &list, &ignored) == -1)
		return NULL;
	entry = mount_list_at(&list, mountpoint);
	return entry != NULL ? entry->source : NULL;
}

const char *
unmount_holders(struct arena *arena, const char *mountpoint)
{
	struct error ignored = { 0 };
	struct process_list list = { 0 };
	struct buffer text;
	const char *copy;

	if (platform_mount_holders(mountpoint, arena, &list, &ignored) != 0)
		return "";
	buffer_init(&text);
	for (size_t i = 0; i < list.count && i < HOLDERS_SHOWN; i++)
		buffer_printf(&text, "%spid %ld (%s): %s", i > 0 ? "; " : "",
		    (long)list.items[i].pid, list.items[i].name,
		    list.items[i].what);
	if (list.count > HOLDERS_SHOWN)
		buffer_printf(
		    &text, "; and %zu more", list.count - HOLDERS_SHOWN);
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}

int
unmount_path(const struct unmount_job *job, struct arena *arena,
    struct unmount_result *result, struct error *err)
{
	const char *const standard[] = { "umount", job->mountpoint, NULL };
	const struct proc_job proc = {
		.argv = job->argv != NULL ? job->argv : standard,
		.timeout_ns =
		    job->timeout_ns > 0 ? job->timeout_ns : UNMOUNT_TIMEOUT_NS,
		.ignores_cancel = true,
	};
	int64_t until = clock_now_ns() + job->patience_ns;

	*result = (struct unmount_result){ .holders = "" };
	/* Linux takes "umount /" for a wish to have it read-only */
	if (strcmp(job->mountpoint, "/") == 0) {
		result->holders = "the running system";
		return 0;
	}
	for (;;) {
		if (proc_run(&proc, arena, &result->last, err) == -1)
			return -1;
		if (result->attempts++ == 0)
			result->first = result->last;
		result->is_gone =
		    unmount_source_at(arena, job->mountpoint) == NULL;
		if (result->is_gone || result->last.stuck ||
		    !result->last.started || clock_now_ns() >= until)
			break;
		clock_sleep_ms(RETRY_MS);
	}
	if (!result->is_gone)
		result->holders = unmount_holders(arena, job->mountpoint);
	return 0;
}
