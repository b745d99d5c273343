#include "platform/geom.h"

#include <string.h>

#include "base/buffer.h"

/* Where the reader is: the elements that are open, as far as they matter. */
struct reader {
	struct arena *arena;
	struct geom_mesh *mesh;
	const char *class_name;
	const char *geom_name;
	const char *geom_id;
	bool in_class;
	bool in_geom;
	struct geom_provider *provider; /* NULL outside of one */
	struct geom_consumer *consumer;
};

/* One tag and the text behind it: <name attribute="value">text */
struct tag {
	const char *name;
	bool is_end;
	const char *id; /* of id="..." or ref="..." */
	const char *text;
};

static char *
attribute(struct arena *arena, const char *text, size_t size)
{
	const char *open = memchr(text, '"', size);
	const char *close =
	    open == NULL
		? NULL
		: memchr(open + 1, '"', size - (size_t)(open + 1 - text));

	if (close == NULL)
		return arena_strdup(arena, "");
	return arena_strndup(arena, open + 1, (size_t)(close - open - 1));
}

/* "&amp;" and its like; numbers are left as they are. */
static char *
decode(struct arena *arena, const char *text)
{
	static const struct {
		const char *code;
		char character;
	} codes[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
		{ "&quot;", '"' }, { "&apos;", '\'' } };
	char *copy = text_trim(arena, text);
	char *to = copy;

	for (const char *from = copy; *from != '\0';) {
		size_t used = 0;

		for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
			if (strncmp(from, codes[i].code,
				strlen(codes[i].code)) == 0) {
				*to++ = codes[i].character;
				used = strlen(codes[i].code);
			}
		if (used == 0) {
			*to++ = *from;
			used = 1;
		}
		from += used;
	}
	*to = '\0';
	return copy;
}

/* The next tag from the position on; false at the end or a cut. */
static bool
next_tag(struct arena *arena, const char **position, struct tag *tag)
{
	const char *open = strchr(*position, '<');
	const char *close = open != NULL ? strchr(open, '>') : NULL;
	size_t length;

	if (close == NULL)
		return false;
	open++;
	tag->is_end = *open == '/';
	open += tag->is_end;
	length = strcspn(open, " \t\n/>");
	tag->name = arena_strndup(arena, open, length);
	tag->id = attribute(arena, open, (size_t)(close - open));
	close++;
	tag->text =
	    decode(arena, arena_strndup(arena, close, strcspn(close, "<")));
	*position = close;
	return true;
}

static struct geom_mode
parse_mode(const char *text)
{
	uint64_t counts[3] = { 0 };

	/* "r1w1e0" */
	if (text[0] == 'r')
		(void)text_numbers(text + 1, counts, 3);
	return (struct geom_mode){ .read = (int)counts[0],
		.write = (int)counts[1],
		.exclusive = (int)counts[2] };
}

static void
begin_provider(struct reader *reader, const char *id)
{
	struct geom_mesh *mesh = reader->mesh;

	mesh->providers = arena_append(reader->arena, mesh->providers,
	    mesh->provider_count, sizeof *mesh->providers);
	reader->provider = &mesh->providers[mesh->provider_count++];
	*reader->provider = (struct geom_provider){ .id = id,
		.name = "",
		.geom_class = reader->class_name,
		.geom_name = reader->geom_name,
		.geom_id = reader->geom_id,
		.size_bytes = -1,
		.sector_bytes = -1,
		.start_bytes = -1,
		.ident = "",
		.description = "",
		.rotation_rate = "",
		.file = "" };
}

static void
begin_consumer(struct reader *reader)
{
	struct geom_mesh *mesh = reader->mesh;

	mesh->consumers = arena_append(reader->arena, mesh->consumers,
	    mesh->consumer_count, sizeof *mesh->consumers);
	reader->consumer = &mesh->consumers[mesh->consumer_count++];
	*reader->consumer = (struct geom_consumer){ .provider_id = "",
		.geom_class = reader->class_name,
		.geom_name = reader->geom_name,
		.geom_id = reader->geom_id };
}

static void
provider_value(struct geom_provider *provider, const struct tag *tag)
{
	if (strcmp(tag->name, "name") == 0 && provider->name[0] == '\0')
		provider->name = tag->text;
	else if (strcmp(tag->name, "mode") == 0)
		provider->mode = parse_mode(tag->text);
	else if (strcmp(tag->name, "mediasize") == 0)
		provider->size_bytes = text_number(tag->text, -1);
	else if (strcmp(tag->name, "sectorsize") == 0 &&
		 provider->sector_bytes == -1)
		provider->sector_bytes = text_number(tag->text, -1);
	else if (strcmp(tag->name, "offset") == 0)
		provider->start_bytes = text_number(tag->text, -1);
	else if (strcmp(tag->name, "ident") == 0)
		provider->ident = tag->text;
	else if (strcmp(tag->name, "descr") == 0)
		provider->description = tag->text;
	else if (strcmp(tag->name, "rotationrate") == 0)
		provider->rotation_rate = tag->text;
	else if (strcmp(tag->name, "file") == 0)
		provider->file = tag->text;
}

static void
consumer_value(struct geom_consumer *consumer, const struct tag *tag)
{
	if (strcmp(tag->name, "provider") == 0)
		consumer->provider_id = tag->id;
	else if (strcmp(tag->name, "mode") == 0)
		consumer->mode = parse_mode(tag->text);
}

static void
end_element(struct reader *reader, const char *name)
{
	if (strcmp(name, "provider") == 0)
		reader->provider = NULL;
	else if (strcmp(name, "consumer") == 0)
		reader->consumer = NULL;
	else if (strcmp(name, "geom") == 0)
		reader->in_geom = false;
	else if (strcmp(name, "class") == 0)
		reader->in_class = false;
}

/* A geom has a <class ref> inside, and its name after that. */
static void
begin_element(struct reader *reader, const struct tag *tag)
{
	if (reader->provider != NULL) {
		provider_value(reader->provider, tag);
	} else if (reader->consumer != NULL) {
		consumer_value(reader->consumer, tag);
	} else if (strcmp(tag->name, "class") == 0 && !reader->in_geom) {
		reader->in_class = true;
		reader->class_name = "";
	} else if (strcmp(tag->name, "geom") == 0) {
		reader->in_geom = true;
		reader->geom_name = "";
		reader->geom_id = tag->id;
	} else if (strcmp(tag->name, "provider") == 0) {
		begin_provider(reader, tag->id);
	} else if (strcmp(tag->name, "consumer") == 0) {
		begin_consumer(reader);
	} else if (strcmp(tag->name, "name") == 0) {
		if (reader->in_geom)
			reader->geom_name = tag->text;
		else if (reader->in_class)
			reader->class_name = tag->text;
	}
}

void
geom_parse(const char *text, struct arena *arena, struct geom_mesh *mesh)
{
	struct reader reader = { .arena = arena,
		.mesh = mesh,
		.class_name = "",
		.geom_name = "",
		.geom_id = "" };
	struct tag tag;

	*mesh = (struct geom_mesh){ 0 };
	while (next_tag(arena, &text, &tag)) {
		if (tag.is_end)
			end_element(&reader, tag.name);
		else
			begin_element(&reader, &tag);
	}
}
