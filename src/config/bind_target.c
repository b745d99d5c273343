#include <string.h>

#include "base/units.h"
#include "config/bind.h"

static const char *const kind_keys[] = {
	[TARGET_IMAGE] = "image",
	[TARGET_DEVICE] = "device",
	[TARGET_DIRECTORY] = "directory",
	[TARGET_MEMORY] = "memory",
	[TARGET_MOUNTPOINT] = "mountpoint",
};

enum { KINDS = sizeof kind_keys / sizeof kind_keys[0] };

static const struct bind_range image_size = { BIND_MIB, INT64_MAX,
	2048 * BIND_MIB };
static const struct bind_range device_size = { BIND_MIB, INT64_MAX, 0 };

const char *
bind_kind_name(enum target_kind kind)
{
	static const char *const names[KINDS] = { "an image", "a device",
		"a directory", "memory", "a mountpoint" };

	return names[kind];
}

/* Which kind of target: the one key of the five that is there. */
static enum target_kind
find_kind(struct binder *binder, const struct outline_section *section)
{
	int found = -1;

	for (int i = 0; i < KINDS; i++) {
		if (outline_key(section, kind_keys[i]) == NULL)
			continue;
		if (found != -1)
			bind_complain(binder, section,
			    bind_position(section, kind_keys[i]),
			    "it is '%s' already, it cannot be '%s' too",
			    kind_keys[found], kind_keys[i]);
		else
			found = i;
	}
	return found == -1 ? TARGET_IMAGE : (enum target_kind)found;
}

/* Keys that mean something for some kinds only. */
static void
check_keys(struct binder *binder, const struct outline_section *section,
    enum target_kind kind)
{
	static const struct {
		const char *key;
		unsigned kinds;
		const char *where;
	} rules[] = {
		{ "size", 1U << TARGET_IMAGE | 1U << TARGET_DEVICE,
		    "image and device" },
		{ "serial", 1U << TARGET_DEVICE, "device" },
		{ "overwrite", 1U << TARGET_DEVICE, "device" },
		{ "devices", 1U << TARGET_DEVICE, "device" },
		{ "sector_size", 1U << TARGET_IMAGE, "image" },
		{ "remount", 1U << TARGET_MOUNTPOINT, "mountpoint" },
	};

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (outline_key(section, rules[i].key) != NULL &&
		    (rules[i].kinds & 1U << kind) == 0)
			bind_complain(binder, section,
			    bind_position(section, rules[i].key),
			    "'%s' is for %s targets, and this one is %s",
			    rules[i].key, rules[i].where, bind_kind_name(kind));
}

static void
bind_path(struct binder *binder, const struct outline_section *section,
    struct target *target)
{
	const char *key = kind_keys[target->kind];

	target->path = key_text(binder, section, key, NULL);
	if (target->path != NULL && target->path[0] != '/' &&
	    (target->kind == TARGET_DEVICE ||
		target->kind == TARGET_MOUNTPOINT))
		bind_complain(binder, section, bind_position(section, key),
		    "%s: '%s' is not a full path", key, target->path);
}

static void
check_devices(struct binder *binder, const struct outline_section *section,
    const struct target *target)
{
	for (size_t i = 0; i < target->more_device_count; i++)
		if (target->more_devices[i][0] != '/')
			bind_complain(binder, section,
			    bind_position(section, "devices"),
			    "devices: '%s' is not a full path",
			    target->more_devices[i]);
}

/* A target has its image or device to itself for the whole night. */
static void
check_is_alone(struct binder *binder, const struct outline_section *section,
    const struct target *target)
{
	const struct matrix *matrix = binder->matrix;
	const char *key = kind_keys[target->kind];

	for (size_t i = 0; i < matrix->target_count && target->path != NULL;
	     i++) {
		const struct target *other = &matrix->targets[i];

		if (other != target && other->kind == target->kind &&
		    other->path != NULL &&
		    strcmp(other->path, target->path) == 0)
			bind_complain(binder, section,
			    bind_position(section, key),
			    "%s: '%s' is that of target '%s' already; several "
			    "filesystems can have one target",
			    key, target->path, other->title);
	}
}

static int64_t
bind_sector_size(struct binder *binder, const struct outline_section *section)
{
	static const char *const words[] = { "512", "1024", "2048", "4096",
		NULL };
	static const int64_t sizes[] = { 512, 1024, 2048, 4096, 0 };

	return sizes[key_word(binder, section, "sector_size", words, 4)];
}

void
bind_target(struct binder *binder, const struct outline_section *section,
    struct target *target)
{
	target->title = section->title;
	target->at = section->at;
	target->kind = find_kind(binder, section);
	check_keys(binder, section, target->kind);
	if (target->kind == TARGET_MEMORY) {
		target->size_bytes =
		    key_size(binder, section, "memory", image_size);
		return;
	}
	bind_path(binder, section, target);
	if (target->kind == TARGET_IMAGE) {
		target->image_is_auto =
		    target->path == NULL || strcmp(target->path, "auto") == 0;
		if (target->image_is_auto)
			target->path = NULL;
		else
			target->path = bind_full_path(binder, target->path);
		check_is_alone(binder, section, target);
		target->size_bytes =
		    key_size(binder, section, "size", image_size);
		target->sector_size = bind_sector_size(binder, section);
	} else if (target->kind == TARGET_DEVICE) {
		target->size_bytes =
		    key_size(binder, section, "size", device_size);
		target->serial = key_text(binder, section, "serial", NULL);
		target->overwrite_count =
		    key_list(binder, section, "overwrite", &target->overwrite);
		target->more_device_count =
		    key_list(binder, section, "devices", &target->more_devices);
		check_devices(binder, section, target);
		check_is_alone(binder, section, target);
	} else if (target->kind == TARGET_DIRECTORY) {
		if (target->path != NULL)
			target->path = bind_full_path(binder,
			    bind_beside(binder,
				bind_position(section, "directory").file,
				target->path));
	} else if (target->kind == TARGET_MOUNTPOINT) {
		target->remount =
		    key_boolean(binder, section, "remount", false);
	}
}
