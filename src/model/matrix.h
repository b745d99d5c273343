/*
 * A matrix file as it was meant: names resolved, defaults applied, every
 * token bound to a row of its driver's table.
 *
 * Made by config/, read by plan/.  All texts live in the arena it was loaded
 * into, except options, which are constant tables.
 */
#ifndef MM_MODEL_MATRIX_H
#define MM_MODEL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/option.h"

/* Where something was written, for messages. */
struct position {
	const char *file;
	int line;
};

enum target_kind {
	TARGET_IMAGE,      /* a file the program makes, fills and removes */
	TARGET_DEVICE,     /* a device; needs --destroy */
	TARGET_DIRECTORY,  /* a folder; nothing is made or mounted */
	TARGET_MEMORY,     /* tmpfs and the like */
	TARGET_MOUNTPOINT, /* an existing filesystem, mounted anew */
};

struct target {
	const char *title;
	enum target_kind kind;
	const char *path;   /* device, directory, mountpoint, image file */
	bool image_is_auto; /* path is chosen beside the results */
	int64_t size_bytes; /* image, memory; expected size of a device */
	bool remount;       /* mountpoint targets */
	const char *serial; /* a device must have it; NULL: any */
	const char *const *overwrite; /* UUIDs or labels that may be lost */
	size_t overwrite_count;
	const char *const *more_devices; /* for filesystems of several */
	size_t more_device_count;
	int64_t sector_size; /* image attach; 0: the default */
	struct position at;
};

/* One level of a factor.  "option" is NULL for the off level of a toggle and
 * for a token that this driver does not have. */
struct level {
	const char *name;  /* "on", "off", or the level's own word */
	const char *token; /* the token it stands for; NULL for off */
	const struct option *option;
	const char *inapplicable; /* NULL, or which drivers do have it */
	int order;                /* of the token in the driver's table */
};

/* An axis of the matrix.  A toggle has two levels, off first. */
struct factor {
	const char *name;
	bool is_toggle;
	struct level *levels;
	size_t level_count;
	struct position at;
};

/* A list of tokens out of "skip" or "only": "async+softupdates". */
struct combination {
	const char *text;
	const char *const *tokens;
	size_t count;
	struct position at;
};

struct filesystem {
	const char *title;
	const char *driver; /* name in fs/drivers.def */
	enum risk risk;     /* of the driver's defaults */
	/* NULL, or why this system cannot have it: all cells inapplicable */
	const char *inapplicable;
	const struct target *target;
	const char *const *make_arguments;
	size_t make_argument_count;
	const char *const *mount_options; /* extra -o items, every cell */
	size_t mount_option_count;
	struct factor *factors;
	size_t factor_count;
	struct combination *skip;
	size_t skip_count;
	struct combination *only;
	size_t only_count;
	/* driver "custom": whole command lines with placeholders */
	const char *custom_make;
	const char *custom_mount;
	const char *custom_unmount;
	const char *custom_check;
	struct position at;
};

struct tree_spec {
	const char *title;
	const char *archive; /* full path */
	int64_t copies;
	int64_t age_ns; /* how old files are made; 0: as unpacked */
	struct position at;
};

/* One key of a workload section, as written: validated, not yet typed. */
struct setting {
	const char *key;
	const char *const *values;
	size_t value_count;
	struct position at;
};

enum charge { CHARGE_DEFAULT, CHARGE_OWN, CHARGE_FLUSHED };
enum cache { CACHE_DEFAULT, CACHE_COLD, CACHE_WARM, CACHE_BOTH };

/* metric NAME { pattern unit better } of a command workload. */
struct metric_pattern {
	struct metric metric;
	const char *pattern;
};

struct workload_spec {
	const char *title;
	const char *type; /* name in workload/workloads.def */
	const char *tree; /* title of a tree; NULL: none */
	struct setting *settings;
	size_t setting_count;
	struct metric_pattern *patterns;
	size_t pattern_count;
	int64_t timeout_ns;
	int64_t memory_limit_bytes; /* 0: none */
	const char *metric;         /* which one ranks; NULL: the first */
	enum charge charge;
	enum cache cache;
	struct position at;
};

struct matrix {
	const char *path; /* the file it came from */
	const char *text; /* as read, includes expanded */
	const char *title;
	struct target *targets;
	size_t target_count;
	struct filesystem *filesystems;
	size_t filesystem_count;
	struct tree_spec *trees;
	size_t tree_count;
	struct workload_spec *workloads;
	size_t workload_count;
	int64_t rounds;
	int64_t budget_ns; /* 0: none */
	uint64_t seed;     /* 0: choose one */
	const char *baseline;
	struct position baseline_at;
	int64_t memory_limit_bytes;
};

#endif
