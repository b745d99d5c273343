/*
 * A tree of files out of an archive: decoded once, written many times.
 *
 * tree_load reads any format and compression libarchive knows, and mtree
 * manifests, whose files get made-up content that does not compress.  Each
 * name is judged here, never by the library's extractor, and nothing is
 * ever created through a symbolic link, so a hostile archive cannot reach
 * outside the folder it is written to:
 *
 *   refused      absolute names, "..", empty or overlong ones, names below a
 *                link or a file, hard links to what is not in the archive,
 *                more entries or bytes than the limits allow
 *   left out     devices, fifos, sockets (counted)
 *   made tame    setuid, setgid and sticky bits are dropped, symbolic links
 *                that point out of the tree point into it (both counted)
 *
 * A tree owns everything it holds; tree_free lets go of it.  It never
 * changes once loaded, so a forked child may use it too.  Sizes are bytes.
 */
#ifndef MM_TREE_TREE_H
#define MM_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct tree;

/* Bounds for tree_load; 0 in a field is the default named beside it. */
struct tree_limits {
	int64_t memory_bytes;  /* contents kept in memory: 1 GiB */
	int64_t content_bytes; /* sum of all sizes: 256 GiB */
	int64_t entries;       /* 16 million */
};

/* What one copy of a tree holds, and what loading did to it. */
struct tree_summary {
	int64_t entries; /* everything below the root, which is not counted */
	int64_t files;   /* hard links are files too */
	int64_t directories;
	int64_t symlinks;
	int64_t hard_links;  /* those of the files that are another's name */
	int64_t bytes;       /* sum of sizes, a hard-linked one once */
	int64_t blocks_4k;   /* 4096-byte blocks those sizes fill */
	int64_t left_out;    /* devices, fifos, sockets */
	int64_t modes_tamed; /* setuid, setgid or sticky dropped */
	int64_t links_tamed; /* symbolic links made to stay inside */
	int64_t replaced;    /* entries that a later one of the name won */
	bool is_streamed;    /* too big for memory: read again each time */
	bool is_manifest;    /* mtree: contents are made up */
	uint64_t digest;     /* names, types, contents, link targets */
	const char *format;  /* "GNU tar format", as libarchive says */
	const char *left_out_example; /* a name for messages; NULL: none */
	const char *modes_example;
	const char *links_example;
};

/*
 * Reads the whole archive.  An archive that is damaged, cut short or not
 * acceptable gives -1 and a message with its path, the entry and libarchive's
 * words.  "limits" may be NULL.  The path is kept for trees that are streamed.
 */
int tree_load(const char *path, const struct tree_limits *limits,
    struct tree **tree, struct error *err);

/* NULL is allowed. */
void tree_free(struct tree *tree);

/* Borrowed from the tree. */
const struct tree_summary *tree_summary(const struct tree *tree);

/* "3 devices left out (\"dev/sda\"), ..." for a report, or "" when loading
 * changed nothing. */
const char *tree_remarks(const struct tree *tree, struct arena *arena);

/*
 * Fails (ERROR_HOST) when "copies" of the tree need more than what is free.
 * A negative number, and 0 inodes, mean not known.
 */
int tree_check_room(const struct tree *tree, int64_t copies, int64_t bytes_free,
    int64_t inodes_free, struct error *err);

struct populate_options {
	int64_t copies; /* above 1 each goes to copy-0001, copy-0002, ... */
	int64_t age_ns; /* > 0: access and modification times are this old */
	bool owners;    /* root only: also the archive's owners */
};

/*
 * What came of writing.  Trouble of the filesystem is data: errno_value is
 * 0 when all was written, else the errno of the call that failed, with the
 * path it was about, relative to the folder.
 */
struct populate_result {
	int errno_value;
	const char *path;
	const char *action; /* "create", "write", "mkdir", ... */
	int64_t entries;
	int64_t bytes;
};

/*
 * Writes the tree into an existing folder, about four system calls an entry.
 * Returns -1 only for the harness's own trouble (an archive that changed
 * since it was loaded).  Result texts are in the arena.
 */
int tree_populate(const struct tree *tree, const char *directory,
    const struct populate_options *options, struct arena *arena,
    struct populate_result *result, struct error *err);

struct verify_options {
	int64_t copies;
	bool contents; /* also read the files */
};

/* What a check found: ok, or the first path in sorted order that differs. */
struct verify_result {
	bool ok;
	const char *path;   /* relative to the folder; NULL when ok */
	const char *reason; /* "is missing", "has 5 bytes, not 7" */
	int64_t entries;    /* seen on disk up to there */
	int64_t bytes;
};

/*
 * Compares a folder with what tree_populate should have made there.  Errors of
 * the disk are reasons.  "lost+found" at the top belongs to the filesystem and
 * is passed over.
 */
int tree_verify(const struct tree *tree, const char *directory,
    const struct verify_options *options, struct arena *arena,
    struct verify_result *result, struct error *err);

/*
 * Count, bytes and digest of a folder as it is: tree_summary.digest when it
 * holds one copy of that tree.  Only entries, files, directories, symlinks,
 * bytes and digest are set; a file with several names counts its bytes once
 * for each here.  Fails for a folder that cannot be read.
 */
int tree_digest(const char *directory, struct tree_summary *summary,
    struct arena *arena, struct error *err);

#endif
