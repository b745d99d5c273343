#include "config/bind_filesystem.h"

#include <string.h>

#include "base/argv.h"
#include "base/suggest.h"
#include "base/units.h"

enum { MOST_TITLES = 256 };

static const struct target *
find_target(struct binder *binder, const struct outline_section *section)
{
	const struct matrix *matrix = binder->matrix;
	const char *name = key_text(binder, section, "target", NULL);
	const char *titles[MOST_TITLES];
	size_t count = 0;

	if (name == NULL && outline_key(section, "target") != NULL)
		return NULL;
	if (name == NULL && matrix->target_count == 1)
		return &matrix->targets[0];
	if (name == NULL) {
		bind_complain(binder, section, section->at,
		    matrix->target_count == 0
			? "no target: write target NAME { ... } outside, and "
			  "target = \"NAME\" here"
			: "no target: write target = \"NAME\", there are %zu",
		    matrix->target_count);
		return NULL;
	}
	for (size_t i = 0; i < matrix->target_count; i++) {
		if (strcmp(matrix->targets[i].title, name) == 0)
			return &matrix->targets[i];
		if (count < MOST_TITLES)
			titles[count++] = matrix->targets[i].title;
	}
	bind_complain(binder, section, bind_position(section, "target"),
	    "target: there is no target '%s'%s", name,
	    bind_hint(binder, suggest_nearest(name, titles, count)));
	return NULL;
}

static const struct driver *
find_driver(struct binder *binder, const struct outline_section *section)
{
	const char *name = key_text(binder, section, "driver", section->title);
	const struct driver *driver = fs_driver_find(name);

	if (driver != NULL)
		return driver;
	bind_complain(binder, section, bind_position(section, "driver"),
	    "driver: there is no driver '%s'%s%s", name,
	    bind_hint(binder, fs_driver_nearest(name)),
	    outline_key(section, "driver") != NULL
		? ""
		: " (the section's title; or set driver = \"NAME\")");
	return NULL;
}

/* "an image, a device or memory": what the driver can be made on. */
static const char *
kinds_of(struct arena *arena, const struct driver *driver)
{
	static const enum target_kind kinds[] = { TARGET_IMAGE, TARGET_DEVICE,
		TARGET_DIRECTORY, TARGET_MEMORY, TARGET_MOUNTPOINT };
	const char *text = "";
	size_t left = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		left += fs_driver_takes(driver, kinds[i]) ? 1 : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!fs_driver_takes(driver, kinds[i]))
			continue;
		left--;
		text = arena_printf(arena, "%s%s%s", text,
		    text[0] == '\0' ? ""
		    : left == 0     ? " or "
				    : ", ",
		    bind_kind_name(kinds[i]));
	}
	return text;
}

static void
check_target(struct fs_binding *binding)
{
	const struct target *target = binding->filesystem->target;
	const struct driver *driver = binding->driver;
	struct position at = bind_position(binding->section, "target");
	bool is_made =
	    target->kind == TARGET_IMAGE || target->kind == TARGET_DEVICE;

	if (!fs_driver_takes(driver, target->kind)) {
		bind_complain(binding->binder, binding->section, at,
		    "%s cannot use target '%s', which is %s; it takes %s",
		    driver->name, target->title, bind_kind_name(target->kind),
		    kinds_of(binding->binder->arena, driver));
		return;
	}
	if (target->more_device_count > 0 && !driver->takes_more_devices)
		bind_complain(binding->binder, binding->section, at,
		    "target '%s' has several devices, and %s takes one",
		    target->title, driver->name);
	if (is_made && target->size_bytes > 0 &&
	    target->size_bytes < driver->minimum_bytes)
		bind_complain(binding->binder, binding->section, at,
		    "target '%s' has %s, and %s needs at least %s",
		    target->title,
		    units_format_size(
			binding->binder->arena, target->size_bytes),
		    driver->name,
		    units_format_size(
			binding->binder->arena, driver->minimum_bytes));
}

/* One command line of driver custom, which has to split into words. */
static const char *
bind_command(struct fs_binding *binding, const char *key)
{
	const char *line =
	    key_text(binding->binder, binding->section, key, NULL);
	struct error err = { 0 };
	struct argv argv;

	if (line == NULL)
		return NULL;
	argv_init(&argv, binding->binder->arena);
	if (argv_split(&argv, line, &err) == -1)
		bind_complain(binding->binder, binding->section,
		    bind_position(binding->section, key), "%s: %s", key,
		    err.text);
	return line;
}

/* Command lines of a filesystem that the tables do not know. */
static void
bind_custom(struct fs_binding *binding)
{
	struct binder *binder = binding->binder;
	const struct outline_section *section = binding->section;
	struct filesystem *filesystem = binding->filesystem;

	filesystem->custom_make = bind_command(binding, "make");
	filesystem->custom_mount = bind_command(binding, "mount");
	filesystem->custom_unmount = bind_command(binding, "unmount");
	filesystem->custom_check = bind_command(binding, "check");
	if (outline_key(section, "mount") == NULL &&
	    (filesystem->target == NULL ||
		filesystem->target->kind != TARGET_DIRECTORY))
		bind_complain(binder, section, section->at,
		    "no mount: driver custom needs "
		    "mount = \"mount -t TYPE -o %%o %%d %%m\"");
}

static void
bind_arguments(struct fs_binding *binding)
{
	static const char *const custom_only[] = { "unmount", "check" };
	struct binder *binder = binding->binder;
	const struct outline_section *section = binding->section;
	struct filesystem *filesystem = binding->filesystem;

	if (strcmp(binding->driver->name, "custom") == 0) {
		bind_custom(binding);
		return;
	}
	filesystem->make_argument_count =
	    key_list(binder, section, "make", &filesystem->make_arguments);
	filesystem->mount_option_count =
	    key_list(binder, section, "mount", &filesystem->mount_options);
	for (size_t i = 0; i < 2; i++)
		if (outline_key(section, custom_only[i]) != NULL)
			bind_complain(binder, section,
			    bind_position(section, custom_only[i]),
			    "'%s' is for driver custom, and this is %s",
			    custom_only[i], binding->driver->name);
}

static void
check_mountpoint(struct fs_binding *binding)
{
	const struct filesystem *filesystem = binding->filesystem;
	const struct target *target = filesystem->target;

	if (target->kind != TARGET_MOUNTPOINT)
		return;
	if (filesystem->make_argument_count > 0)
		bind_complain(binding->binder, binding->section,
		    bind_position(binding->section, "make"),
		    "make: target '%s' is a mountpoint and is never made",
		    target->title);
	if (!target->remount)
		bind_complain(binding->binder, binding->section,
		    filesystem->factor_count > 0 ? filesystem->factors[0].at
						 : filesystem->at,
		    "target '%s' is not mounted anew: it needs remount = true",
		    target->title);
}

static void
check_system(struct fs_binding *binding)
{
	struct binder *binder = binding->binder;
	const struct driver *driver = binding->driver;

	if (fs_driver_on(driver, binder->system, binder->version))
		return;
	binding->filesystem->inapplicable = arena_printf(binder->arena,
	    "%s is not a filesystem of %s%s%s", driver->name, binder->system,
	    binder->version[0] == '\0' ? "" : " ", binder->version);
}

void
bind_filesystem(struct binder *binder, const struct outline_section *section,
    struct filesystem *filesystem)
{
	struct fs_binding binding = {
		.binder = binder, .section = section, .filesystem = filesystem
	};

	filesystem->title = section->title;
	filesystem->at = section->at;
	filesystem->target = find_target(binder, section);
	binding.driver = find_driver(binder, section);
	bind_declared(&binding);
	if (binding.driver == NULL)
		return;
	filesystem->driver = binding.driver->name;
	/* what a driver does by default is no better than safe */
	filesystem->risk = risk_worse(binding.driver->risk, RISK_SAFE);
	check_system(&binding);
	bind_arguments(&binding);
	bind_factors(&binding);
	bind_rules(&binding);
	if (filesystem->target == NULL)
		return;
	check_target(&binding);
	check_mountpoint(&binding);
}
