/* What was run, where and on what: the facts without which a figure says
 * nothing. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/sections.h"

/* Facts that change from hour to hour, or that only programs want. */
static bool
is_passing(const char *name)
{
	static const char *const names[] = { "boot_id", "boot id", "uptime",
		"load", "load_at_end", "hostname" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void
add_facts(struct document *document, const struct fact_list *facts)
{
	static const char *const first[] = { "system", "release", "machine" };
	struct buffer line;

	buffer_init(&line);
	for (size_t i = 0; i < 3; i++) {
		const char *value = fact_list_get(facts, first[i]);

		if (value != NULL)
			buffer_printf(
			    &line, "%s%s", line.length > 0 ? " " : "", value);
	}
	if (line.length > 0)
		document_add(
		    document, BLOCK_ITEM, "host: %s", buffer_text(&line));
	buffer_reset(&line);
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->items[i];
		bool is_first = false;

		for (size_t j = 0; j < 3; j++)
			is_first =
			    is_first || strcmp(first[j], fact->name) == 0;
		if (!is_first && !is_passing(fact->name))
			document_add(document, BLOCK_ITEM, "%s: %s", fact->name,
			    fact->value);
	}
}

static void
add_tools(struct document *document, const struct fact_list *tools)
{
	struct buffer line;

	if (tools->count == 0)
		return;
	buffer_init(&line);
	for (size_t i = 0; i < tools->count; i++) {
		const char *name = tools->items[i].name;
		const char *value = tools->items[i].value;
		size_t length;

		/* a path is all that was found of some */
		if (value[0] == '/')
			continue;
		if (strncmp(value, name, strlen(name)) == 0)
			name = "";
		/* "(libmount 2.38.1: ...)" is more than one wants to know */
		length = strcspn(value, "(");
		while (length > 0 && value[length - 1] == ' ')
			length--;
		buffer_printf(&line, "%s%s%s%.*s", line.length > 0 ? ", " : "",
		    name, name[0] != '\0' ? " " : "", (int)length, value);
	}
	if (line.length > 0)
		document_add(
		    document, BLOCK_ITEM, "tools: %s", buffer_text(&line));
	buffer_reset(&line);
}

/* ", load 0.10, at the end 1.20": of the last minute. */
static const char *
load_text(struct arena *arena, const struct session *session)
{
	const char *from = fact_list_get(&session->host, "load");
	const char *to = fact_list_get(&session->host, "load_at_end");

	if (from == NULL)
		return "";
	return arena_printf(arena, ", load %.*s%s%.*s", (int)strcspn(from, " "),
	    from, to != NULL ? ", at its end " : "",
	    to != NULL ? (int)strcspn(to, " ") : 0, to != NULL ? to : "");
}

static void
add_sessions(const struct report_input *input, struct document *document)
{
	struct arena *arena = document->arena;

	for (size_t i = 0; i < input->session_count; i++) {
		const struct session *session = &input->sessions[i];
		const char *from = day_text(arena, session->started_wall_ns);
		const char *to = day_text(arena, session->ended_wall_ns);
		bool is_last = i + 1 == input->session_count;
		const char *end =
		    is_last && input->is_running ? ", running" : ", cut off";

		if (from[0] == '\0' && session->label[0] == '\0')
			continue;
		document_add(document, BLOCK_ITEM, "session%s%s%s%s%s%s%s%s",
		    session->label[0] != '\0' ? " " : "", session->label,
		    from[0] != '\0' ? ": " : "", from,
		    to[0] != '\0' ? " to " : "", to,
		    from[0] != '\0' && to[0] == '\0' ? end : "",
		    load_text(arena, session));
		if (fact_list_is_busy(&session->host))
			document_add(document, BLOCK_ITEM,
			    "busy host: load %s on %s CPUs before it began;"
			    " other work is in these figures",
			    fact_list_get(&session->host, "load"),
			    fact_list_get(&session->host, "cpus"));
	}
}

static bool
has_same_facts(const struct fact_list *a, const struct fact_list *b)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < a->count && is_passing(a->items[i].name))
			i++;
		while (j < b->count && is_passing(b->items[j].name))
			j++;
		if (i == a->count || j == b->count)
			return i == a->count && j == b->count;
		if (strcmp(a->items[i].name, b->items[j].name) != 0 ||
		    strcmp(a->items[i].value, b->items[j].value) != 0)
			return false;
	}
}

static void
add_hosts(const struct report_input *input, struct document *document)
{
	for (size_t i = 0; i < input->session_count; i++) {
		const struct session *session = &input->sessions[i];

		if (i > 0 && has_same_facts(
				 &session->host, &input->sessions[i - 1].host))
			continue;
		if (i > 0)
			document_add(document, BLOCK_ITEM,
			    "from session %zu%s%s on:", i + 1,
			    session->label[0] != '\0' ? ", " : "",
			    session->label);
		add_facts(document, &session->host);
		add_tools(document, &session->tools);
	}
}

static void
add_targets(const struct report_input *input, struct document *document)
{
	static const char *const kinds[] = {
		[TARGET_IMAGE] = "image file",
		[TARGET_DEVICE] = "device",
		[TARGET_DIRECTORY] = "folder",
		[TARGET_MEMORY] = "memory",
		[TARGET_MOUNTPOINT] = "mount point",
	};
	struct arena *arena = document->arena;

	for (size_t i = 0; i < input->plan->target_count; i++) {
		const struct target *target = &input->plan->targets[i];
		bool has_path = target->path != NULL && !target->image_is_auto;
		const char *size =
		    target->size_bytes > 0
			? units_format_size(arena, target->size_bytes)
			: "";

		document_add(document, BLOCK_ITEM, "target %s: %s%s%s%s%s",
		    target->title, kinds[target->kind], has_path ? " " : "",
		    has_path ? target->path : "", size[0] != '\0' ? ", " : "",
		    size);
		if (target->kind == TARGET_MOUNTPOINT)
			document_add(document, BLOCK_ITEM,
			    "nothing was written there, so atimes were not"
			    " set back between runs");
	}
}

static void
add_trees(const struct report_input *input, struct document *document)
{
	struct arena *arena = document->arena;

	for (size_t i = 0;
	     input->plan->tree_facts != NULL && i < input->plan->tree_count;
	     i++) {
		const struct tree_spec *tree = &input->plan->trees[i];
		const struct tree_facts *facts = &input->plan->tree_facts[i];

		document_add(document, BLOCK_ITEM,
		    "tree %s: %" PRId64 " %s, %s, digest %016" PRIx64 "%s",
		    tree->title, facts->entries,
		    facts->entries == 1 ? "entry" : "entries",
		    units_format_size(arena, facts->bytes), facts->digest,
		    tree->copies > 1 ? arena_printf(arena,
					   ", %" PRId64 " copies", tree->copies)
				     : "");
	}
}

void
section_head(const struct report_input *input, struct document *document)
{
	const struct plan *plan = input->plan;
	struct arena *arena = document->arena;

	document_add(document, BLOCK_TITLE, "%s",
	    plan->title == NULL || plan->title[0] == '\0' ? "results"
							  : plan->title);
	if (input->is_imported)
		document_add(document, BLOCK_ITEM,
		    "imported by %s: measured by others", input->program);
	else
		document_add(document, BLOCK_ITEM,
		    "measured by %s, %s, %s planned, seed %" PRIu64,
		    input->program,
		    units_format_count(arena, plan->cell_count, "cell"),
		    units_format_count(arena, (size_t)plan->rounds, "round"),
		    plan->seed);
	if (input->trials_pending > 0)
		document_add(document, BLOCK_ITEM,
		    "not finished: %s still to be run",
		    units_format_count(arena, input->trials_pending, "trial"));
	if (input->path != NULL && input->path[0] != '\0' &&
	    !input->is_imported)
		document_add(
		    document, BLOCK_ITEM, "results in %s", input->path);
	add_sessions(input, document);
	add_hosts(input, document);
	if (!input->is_imported)
		add_targets(input, document);
	add_trees(input, document);
}
