/* The rules: facts in, refusals out.  Nothing here looks at the system. */
#include "trial/guard.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"

const char GUARD_LABEL[] = "mountmatrix";

struct judge {
	const struct guard_facts *facts;
	const struct guard_request *request;
	struct arena *arena;
	struct guard_report *report;
	size_t capacity;
};

static void
refuse(struct judge *judge, const char *rule, const char *text)
{
	struct guard_report *report = judge->report;

	/* mount table, file and GEOM may each tell of the same use */
	for (size_t i = 0; i < report->count; i++)
		if (strcmp(report->refusals[i].text, text) == 0)
			return;
	if (report->count == judge->capacity)
		report->refusals = arena_grow(judge->arena, report->refusals,
		    report->count, &judge->capacity, sizeof *report->refusals);
	report->refusals[report->count++] =
	    (struct guard_refusal){ .rule = rule, .text = text };
	report->is_safe = false;
}

#define REFUSE(judge, rule, ...)                                               \
	refuse(judge, rule, arena_printf((judge)->arena, __VA_ARGS__))

/* --- rules --------------------------------------------------------------- */

static void
rule_kind(struct judge *judge)
{
	const struct device_info *info = &judge->facts->info;

	switch (info->kind) {
	case DEVICE_DISK:
		return;
	case DEVICE_ABSENT:
		REFUSE(judge, "kind",
		    "'%s' does not exist; check the name (ls -l /dev/disk/by-id)",
		    judge->request->path);
		return;
	case DEVICE_IMAGE:
		/* among the words of a maker it is written to like a disk */
		if (judge->request->is_stray)
			return;
		REFUSE(judge, "kind",
		    "'%s' is a file, not a device; to work on a file say 'image = \"%s\"'",
		    judge->request->path, judge->request->path);
		return;
	case DEVICE_DIRECTORY:
	case DEVICE_OTHER:
		REFUSE(
		    judge, "kind", "'%s' is not a disk", judge->request->path);
		return;
	}
}

/* The target's own names are resolved before; a maker follows its words. */
static void
rule_link(struct judge *judge)
{
	const char *path = judge->request->path;
	const char *real = judge->facts->info.path;

	if (judge->request->is_stray && strcmp(path, real) != 0)
		REFUSE(judge, "link",
		    "'%s' leads to '%s' by a way that may be changed meanwhile; name '%s' itself",
		    path, real, real);
}

static void
rule_named_twice(struct judge *judge)
{
	const struct guard_facts *facts = judge->facts;
	const char *path = judge->request->path;

	if (judge->request->is_own_image || facts->is_named)
		return;
	if (facts->destroy_note != NULL && facts->destroy_note[0] != '\0')
		REFUSE(judge, "named-twice",
		    "'%s' is not named by --destroy (%s); to have it erased add --destroy %s",
		    path, facts->destroy_note, path);
	else
		REFUSE(judge, "named-twice",
		    "'%s' is named in the matrix file only; to have it erased add --destroy %s",
		    path, path);
}

static const struct {
	enum device_use_kind kind;
	const char *rule;
	const char *advice;
} uses[] = {
	{ USE_MOUNTED, "mounted", "unmount it, or name another target" },
	{ USE_SWAP, "swap", "swapoff it first, or name another target" },
	{ USE_SYSTEM, "system",
	    "name a disk that this system does not run from" },
	{ USE_HOLDER, "holder",
	    "take it out of its array, volume group or pool first" },
	{ USE_BACKING, "backing", "detach the device that is made from it" },
	{ USE_PARTITION, "partitions",
	    "name one partition, or remove the partition table yourself" },
	{ USE_OPEN, "open", "end the program that has it open" },
	{ USE_WRITER, "open", "end the program that has it open" },
	{ USE_UNSEEN, "unseen", "run as root, so that all can be looked at" },
};

static void
rule_uses(struct judge *judge)
{
	const struct device_uses *found = &judge->facts->uses;

	for (size_t i = 0; i < found->count; i++)
		for (size_t j = 0; j < sizeof uses / sizeof uses[0]; j++)
			if (uses[j].kind == found->items[i].kind)
				REFUSE(judge, uses[j].rule, "'%s': %s; %s",
				    judge->request->path, found->items[i].text,
				    uses[j].advice);
}

static void
rule_open(struct judge *judge)
{
	if (judge->facts->is_replaced)
		REFUSE(judge, "replaced",
		    "'%s' became another device while it was looked at; try again",
		    judge->request->path);
	if (judge->facts->is_open_elsewhere)
		REFUSE(judge, "open",
		    "'%s' cannot be opened for this program alone: %s; end what uses it",
		    judge->request->path,
		    judge->facts->open_error != NULL ? judge->facts->open_error
						     : "in use");
}

static void
rule_read_only(struct judge *judge)
{
	if (judge->facts->info.is_read_only)
		REFUSE(judge, "read-only",
		    "'%s' is write-protected; nothing can be made on it",
		    judge->request->path);
}

static bool
may_be_lost(const struct guard_request *request, const struct signature *found)
{
	const struct target *target = request->target;

	/* one over several devices is a member of itself */
	bool is_whole =
	    found->kind == SIGNATURE_FILESYSTEM ||
	    (found->kind == SIGNATURE_MEMBER && request->is_one_of_many);

	if (found->label[0] != '\0' && request->label != NULL && is_whole &&
	    strcmp(found->label, request->label) == 0)
		return true;
	for (size_t i = 0; i < target->overwrite_count; i++)
		if ((found->uuid[0] != '\0' &&
			strcmp(target->overwrite[i], found->uuid) == 0) ||
		    (found->label[0] != '\0' &&
			strcmp(target->overwrite[i], found->label) == 0))
			return true;
	return false;
}

static void
refuse_signature(struct judge *judge, const struct signature *found)
{
	const char *path = judge->request->path;
	const char *name = found->uuid[0] != '\0' ? found->uuid : found->label;

	if (found->kind == SIGNATURE_PARTITIONS)
		REFUSE(judge, "partition-table",
		    "'%s' holds a partition table (%s); name one partition, or remove the table yourself",
		    path, found->type);
	else if (found->kind == SIGNATURE_MEMBER)
		REFUSE(judge, "member",
		    "'%s' is part of something bigger (%s); take it out of there first",
		    path, found->type);
	else if (name[0] == '\0')
		REFUSE(judge, "signature",
		    "'%s' holds %s without UUID or label; erase it yourself (wipefs -a %s) when it may be lost",
		    path, found->type, path);
	else
		REFUSE(judge, "signature",
		    "'%s' holds %s%s%s%s (UUID %s), not made by this program; when it may be lost say 'overwrite = { \"%s\" }' in the target",
		    path, found->type, found->label[0] != '\0' ? " '" : "",
		    found->label, found->label[0] != '\0' ? "'" : "",
		    found->uuid[0] != '\0' ? found->uuid : "none", name);
}

static void
rule_signatures(struct judge *judge)
{
	const struct guard_facts *facts = judge->facts;

	if (judge->request->is_own_image)
		return;
	if (!facts->signatures_known) {
		REFUSE(judge, "signature", "cannot see what '%s' holds: %s",
		    judge->request->path,
		    facts->signatures_error != NULL ? facts->signatures_error
						    : "not readable");
		return;
	}
	for (size_t i = 0; i < facts->signatures.count; i++)
		if (!may_be_lost(judge->request, &facts->signatures.items[i]))
			refuse_signature(judge, &facts->signatures.items[i]);
}

static void
rule_size(struct judge *judge)
{
	const struct guard_request *request = judge->request;
	const struct target *target = request->target;
	int64_t size = judge->facts->info.size_bytes;
	struct arena *arena = judge->arena;

	if (size < 0) {
		REFUSE(judge, "size", "the size of '%s' is not known",
		    request->path);
		return;
	}
	if (request->need_bytes > 0 && size < request->need_bytes)
		REFUSE(judge, "too-small",
		    "'%s' has %s, and at least %s are needed", request->path,
		    units_format_size(arena, size),
		    units_format_size(arena, request->need_bytes));
	if (!request->is_own_image && target->size_bytes > 0 &&
	    size != target->size_bytes)
		REFUSE(judge, "size",
		    "'%s' has %" PRId64
		    " bytes, and the matrix file says size = %" PRId64
		    "; is it the right disk?",
		    request->path, size, target->size_bytes);
}

static void
rule_serial(struct judge *judge)
{
	const struct target *target = judge->request->target;
	const char *serial = judge->facts->info.serial;

	if (target->serial == NULL || judge->request->is_own_image)
		return;
	if (serial == NULL || strcmp(serial, target->serial) != 0)
		REFUSE(judge, "serial",
		    "'%s' has the serial number '%s', and the matrix file says '%s'; is it the right disk?",
		    judge->request->path, serial != NULL ? serial : "",
		    target->serial);
}

static void
refuse_holding(struct judge *judge, int holds, const char *rule,
    const char *what, const char *advice)
{
	if (holds == 0)
		return;
	REFUSE(judge, rule, "%s %s on '%s'; %s", what,
	    holds == 1 ? "is" : "may be", judge->request->path, advice);
}

static void
rule_holds(struct judge *judge)
{
	const struct guard_facts *facts = judge->facts;

	refuse_holding(judge, facts->holds_results, "holds-results",
	    "the results file", "write it elsewhere (-o FILE)");
	refuse_holding(judge, facts->holds_program, "holds-program",
	    "this program", "copy it to another disk");
	refuse_holding(judge, facts->holds_folder, "holds-folder",
	    "the current folder", "start from another one");
}

static void (*const rules[])(struct judge *judge) = {
	rule_kind,
	rule_link,
	rule_named_twice,
	rule_uses,
	rule_open,
	rule_read_only,
	rule_signatures,
	rule_size,
	rule_serial,
	rule_holds,
};

void
guard_judge(const struct guard_facts *facts,
    const struct guard_request *request, struct arena *arena,
    struct guard_report *report)
{
	struct judge judge = {
		.facts = facts,
		.request = request,
		.arena = arena,
		.report = report,
	};

	*report = (struct guard_report){ .is_safe = true };
	/* of what is no disk, or perhaps another, nothing else can be said */
	rule_kind(&judge);
	rule_link(&judge);
	if (!report->is_safe)
		return;
	for (size_t i = 2; i < sizeof rules / sizeof rules[0]; i++)
		rules[i](&judge);
}

char *
guard_report_text(const struct guard_report *report, struct arena *arena)
{
	struct buffer text;
	char *copy;

	buffer_init(&text);
	for (size_t i = 0; i < report->count; i++)
		buffer_printf(
		    &text, "%s%s", i > 0 ? "; " : "", report->refusals[i].text);
	copy = arena_strdup(arena, buffer_text(&text));
	buffer_reset(&text);
	return copy;
}
