/*
 * The traps of reading options back, each with the text a real system gave,
 * and what failed commands say on Linux.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fs/bsd_options.h"
#include "fs/build.h"
#include "fs/classify.h"
#include "fs/driver.h"
#include "fs/readback.h"

enum { MOST = 6 };

static struct arena *arena;

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* A question to the comparison: what was asked, what was read. */
struct question {
	const char *driver;
	const char *system;
	const char *on[MOST];
	const char *off[MOST];
	enum cell_status status;
	struct fs_sources sources;
};

/* Compares; the cell is in "*cell". */
static void
ask(const struct question *question, struct cell *cell)
{
	const struct driver *driver = fs_driver_find(question->driver);
	const struct option **on =
	    arena_array(arena, MOST, sizeof(const struct option *));
	const struct option **off =
	    arena_array(arena, MOST, sizeof(const struct option *));

	*cell = (struct cell){ .driver = question->driver,
		.on = on,
		.off = off,
		.asked = "(asked)",
		.status = question->status };
	for (size_t i = 0; question->on[i] != NULL; i++) {
		on[i] = fs_option_find(
		    driver, question->on[i], question->system, "", arena);
		assert_non_null(on[i]);
		cell->on_count++;
	}
	for (size_t i = 0; question->off[i] != NULL; i++) {
		off[i] = fs_option_find(
		    driver, question->off[i], question->system, "", arena);
		assert_non_null(off[i]);
		cell->off_count++;
	}
	fs_compare(
	    cell, driver, question->system, "", &question->sources, arena);
}

static void
is_ok(const struct question *question)
{
	struct cell cell;

	ask(question, &cell);
	if (cell.status != CELL_OK)
		fail_msg("%s", cell.reason);
	assert_null(cell.reason);
}

static void
is_changed(const struct question *question, const char *because)
{
	struct cell cell;

	ask(question, &cell);
	assert_int_equal(cell.status, CELL_CHANGED);
	if (strstr(cell.reason, because) == NULL)
		fail_msg("'%s' is not in '%s'", because, cell.reason);
	/* both sides are in it */
	assert_non_null(strstr(cell.reason, "(asked)"));
	assert_non_null(strstr(cell.reason, cell.in_force));
}

static void
relatime_is_there_though_nobody_asked(void **state)
{
	(void)state;
	is_ok(&(struct question){ "ext4", "linux", .off = { "noatime" },
	    .sources = { "rw,relatime", "rw" } });
	is_changed(&(struct question){ "ext4", "linux", .on = { "strictatime" },
		       .sources = { "rw,relatime", "rw" } },
	    "strictatime is not in force");
	/* beside a cell that asks for it, it is an option that is off */
	is_ok(&(struct question){ "ext4", "linux", .on = { "nodiratime" },
	    .off = { "relatime", "barrier" },
	    .sources = { "rw,nodiratime,relatime", "rw", "barrier\n" } });
	is_changed(&(struct question){ "xfs", "linux", .on = { "noatime" },
		       .sources = { "rw,relatime", "rw,inode64" } },
	    "noatime is not in force");
}

static void
strictatime_and_async_leave_no_trace(void **state)
{
	(void)state;
	is_ok(&(struct question){ "ext4", "linux",
	    .on = { "strictatime", "async" }, .sources = { "rw", "rw" } });
	is_changed(&(struct question){ "ext4", "linux", .on = { "async" },
		       .sources = { "rw", "rw,sync" } },
	    "async is not in force");
}

/* "tune2fs -o nobarrier,nodelalloc": the mount table shows plain rw. */
static void
options_of_the_superblock_are_seen_in_the_report(void **state)
{
	struct question question = { "ext4", "linux", .off = { "nobarrier" },
		.sources = { "rw,relatime", "rw",
		    .report = "rw\nbsddf\ndioread_nolock\nnodiscard\n"
			      "nodelalloc\njournal_checksum\nnobarrier\n"
			      "commit=5\ndata=writeback\n" } };
	struct cell cell;

	(void)state;
	is_changed(&question, "nobarrier is in force though off");
	ask(&question, &cell);
	/* what deviates from the default is told, what does not is not */
	assert_string_equal(
	    cell.in_force, "rw,relatime,nodelalloc,nobarrier,data=writeback");
}

static void
the_default_commit_is_not_shown_but_reported(void **state)
{
	(void)state;
	is_ok(&(struct question){ "ext4", "linux", .on = { "commit=5" },
	    .sources = { "rw", "rw", .report = "rw\ncommit=5\n" } });
	is_ok(&(struct question){ "ext4", "linux", .on = { "commit=0" },
	    .sources = { "rw", "rw", .report = "rw\ncommit=5\n" } });
	is_changed(&(struct question){ "ext4", "linux", .on = { "commit=30" },
		       .sources = { "rw", "rw", .report = "rw\ncommit=5\n" } },
	    "commit=30 is not in force");
	is_ok(&(struct question){ "btrfs", "linux", .on = { "commit=30" },
	    .sources = { "rw", "rw,space_cache=v2" } });
}

static void
data_journal_brings_nodelalloc_along(void **state)
{
	(void)state;
	is_ok(&(struct question){ "ext4", "linux", .on = { "data=journal" },
	    .off = { "nodelalloc" },
	    .sources = { "rw", "rw,nodelalloc,data=journal" } });
}

static void
of_nodatacow_and_compress_the_later_wins(void **state)
{
	struct question question = { "btrfs", "linux",
		.on = { "compress=zstd", "nodatacow" },
		.sources = {
		    "rw,relatime", "rw,nodatasum,nodatacow,space_cache=v2" } };

	(void)state;
	is_changed(&question, "compress=zstd is without effect");
	/* named as the duplicate it is, it is not called changed */
	question.status = CELL_DUPLICATE;
	{
		struct cell cell;

		ask(&question, &cell);
		assert_int_equal(cell.status, CELL_DUPLICATE);
	}
	/* a level the kernel clamps is a change */
	is_changed(
	    &(struct question){ "btrfs", "linux", .on = { "compress=zstd:99" },
		.sources = { "rw", "rw,compress=zstd:15" } },
	    "compress=zstd:99 is not in force");
	is_ok(&(struct question){ "btrfs", "linux", .on = { "compress=zstd" },
	    .sources = { "rw", "rw,compress=zstd:3" } });
}

/* FreeBSD and DragonFly drop async in silence, with SUJ too. */
static void
async_beside_soft_updates_is_soft_updates(void **state)
{
	static const char *const suj[] = { "/dev/vtbd1 on /mnt (ufs, local, "
					   "journaled soft-updates)\n" };
	struct question question = { "ufs", "freebsd",
		.on = { "softupdates", "async" },
		.sources = { "softupdates", "" } };
	struct cell cell;

	(void)state;
	is_changed(&question, "async is without effect");
	question.status = CELL_DUPLICATE;
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_DUPLICATE);
	/* with a journal the flag of plain soft updates is not set */
	is_ok(&(struct question){ "ufs", "freebsd", .on = { "suj" },
	    .sources = { "suj", "", .outputs = suj, .output_count = 1 } });
	is_changed(&(struct question){ "ufs", "freebsd",
		       .on = { "softupdates" }, .sources = { "suj", "" } },
	    "softupdates is not in force");
}

static void
soft_updates_are_read_from_tunefs_on_standard_error(void **state)
{
	static const char *const outputs[] = { "",
		"tunefs: soft updates: (-n)                                 "
		"enabled\n"
		"tunefs: soft update journaling: (-j)                       "
		"disabled\n"
		"tunefs: trim: (-t)                                         "
		"disabled\n",
		"" };

	(void)state;
	is_ok(&(struct question){ "ufs", "freebsd", .on = { "softupdates" },
	    .off = { "discard" },
	    .sources = { "", "", .outputs = outputs, .output_count = 3 } });
	is_changed(
	    &(struct question){ "ufs", "freebsd", .off = { "softupdates" },
		.sources = { "", "", .outputs = outputs, .output_count = 3 } },
	    "softupdates is in force though off");
}

static void
sign_extended_noclusterw_is_a_known_quirk(void **state)
{
	const char *words = bsd_parse_mount(
	    "/dev/vtbd0 on / (ufs, local)\n"
	    "/dev/vtbd1 on /mnt (ufs, local, noclusterw, automounted, "
	    "untrusted, writes: sync 2 async 0)\n",
	    "/mnt", arena);

	(void)state;
	assert_string_equal(words, "noclusterw");
	is_ok(&(struct question){ "ufs", "freebsd", .on = { "noclusterw" },
	    .off = { "noatime", "async" }, .sources = { words, "" } });
}

static void
hammer_has_no_access_times_to_ask_for(void **state)
{
	static const char *const outputs[] = {
		"h2 on /mnt (hammer, noatime, local, nohistory)\n",
		"vfs.hammer.fsync_mode: 3\n"
	};
	struct question question = { "hammer", "dragonfly", .on = { "atime" },
		.sources = { "noatime", "", .mountpoint = "/mnt",
		    .outputs = outputs, .output_count = 2 } };

	(void)state;
	is_changed(&question, "atime is not in force");
	/* noatime is the default there: not even a deviation */
	question.on[0] = "nohistory";
	is_ok(&question);
	question.on[0] = "fsync_mode=2";
	is_changed(&question, "fsync_mode=2 is not in force");
	assert_string_equal(fs_option_find(fs_driver_find("hammer2"), "noatime",
				"dragonfly", "", arena)
				->effect,
	    "");
}

static void
softdep_is_history_on_netbsd_and_openbsd(void **state)
{
	const struct driver *ffs = fs_driver_find("ffs");
	const struct option *row;

	(void)state;
	is_changed(&(struct question){ "ffs", "netbsd", .on = { "softdep" },
		       .sources = { "", "" } },
	    "softdep is not in force");
	is_changed(&(struct question){ "ffs", "openbsd", .on = { "softdep" },
		       .sources = { "", "" } },
	    "softdep is not in force");
	/* up to 7.3 they were real */
	row = fs_option_find(ffs, "softdep", "openbsd", "7.3", arena);
	assert_int_equal(row->risk, RISK_WINDOW);
	assert_true(option_list_has(row->conflicts, "async"));
	row = fs_option_find(ffs, "softdep", "openbsd", "7.4", arena);
	assert_true(option_is_default(row));
}

/* An existing filesystem with soft updates, mounted async: dropped. */
static void
what_was_dropped_is_no_risk(void **state)
{
	struct question question = { "ufs", "freebsd", .on = { "async" },
		.sources = { "softupdates", "" } };
	struct cell cell;

	(void)state;
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_CHANGED);
	assert_int_equal(cell.risk, RISK_WINDOW);
	question.sources.mount_options = "async";
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_OK);
	assert_int_equal(cell.risk, RISK_WRECK);
	/* what nobody asked for and is there all the same */
	question = (struct question){ "ext4", "linux", .off = { "nobarrier" },
		.sources = { "rw,nobarrier", "" } };
	ask(&question, &cell);
	assert_int_equal(cell.risk, RISK_FLUSH);
	/* nobody spoke of it */
	question.off[0] = NULL;
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_OK);
	assert_int_equal(cell.risk, RISK_FLUSH);
	/* what comes along has no risk of its own */
	question = (struct question){ "ufs", "freebsd", .on = { "gjournal" },
		.sources = { "async,gjournal", "" } };
	ask(&question, &cell);
	assert_int_equal(cell.risk, RISK_WINDOW);
	question =
	    (struct question){ "ufs", "freebsd", .sources = { "local", "" } };
	ask(&question, &cell);
	assert_int_equal(cell.risk, RISK_SAFE);
	/* a report that says nothing takes no risk away */
	question = (struct question){ "ext4", "linux", .on = { "nojournal" },
		.sources = { "rw", "rw" } };
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_CHANGED);
	assert_int_equal(cell.risk, RISK_WRECK);
	/* the filesystem's own stays */
	question = (struct question){ "hammer", "dragonfly", .on = { "atime" },
		.sources = { "noatime", "" } };
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_CHANGED);
	assert_int_equal(cell.risk, RISK_FLUSH);
}

/* newfs: less than 8 percent free is "space", whatever was said, and no
 * fragment is less than an eighth of a block. */
static void
what_an_option_brings_along_is_no_change(void **state)
{
	static const char little[] =
	    "magic\t19540119 (UFS2)\nbsize\t32768\tshift\t15\n"
	    "fsize\t4096\tshift\t12\nminfree\t2%\toptim\tspace\n";
	static const char large[] =
	    "magic\t19540119 (UFS2)\nbsize\t65536\tshift\t16\n"
	    "fsize\t8192\tshift\t13\nminfree\t8%\toptim\ttime\n";
	const char *outputs[] = { "", "", little };
	struct question question = { "ufs", "freebsd", .on = { "minfree=2" },
		.off = { "optimize=space" },
		.sources = { "", "", .outputs = outputs, .output_count = 3 } };

	(void)state;
	is_ok(&question);
	question.on[0] = "minfree=10";
	is_changed(&question, "minfree=10 is not in force");
	question.on[0] = "minfree=2";
	question.on[1] = "optimize=time";
	question.off[0] = NULL;
	is_changed(&question, "optimize=time is without effect");
	outputs[2] = large;
	question = (struct question){ "ufs", "freebsd",
		.on = { "block_size=65536" }, .off = { "frag_size=8192" },
		.sources = { "", "", .outputs = outputs, .output_count = 3 } };
	is_ok(&question);
	/* enough is 8 percent there and 5 here */
	assert_null(fs_option_find(
	    fs_driver_find("ufs"), "minfree=8", "freebsd", "", arena)
			->implies);
	assert_non_null(fs_option_find(
	    fs_driver_find("ufs"), "minfree=7", "freebsd", "", arena)
			    ->implies);
	assert_null(fs_option_find(
	    fs_driver_find("ffs"), "minfree=5", "netbsd", "", arena)
			->implies);
}

static void
a_read_only_mount_is_a_change(void **state)
{
	struct fs_said said = { .started = true,
		.errors = "mount: /mnt: WARNING: source write-protected, "
			  "mounted read-only.\n" };

	(void)state;
	is_changed(&(struct question){ "ext4", "linux",
		       .sources = { "ro,relatime", "ro" } },
	    "mounted read-only");
	/* the command itself did not fail */
	assert_int_equal(fs_classify(RUNG_MOUNT, &said), FAILURE_NONE);
	/* NetBSD clears log on a read-only mount */
	is_changed(&(struct question){ "ffs", "netbsd", .on = { "log" },
		       .sources = { "ro", "" } },
	    "mounted read-only");
}

static void
fuse2fs_fails_with_status_0(void **state)
{
	struct fs_said said = { .started = true,
		.errors = "fuse: unknown option `relatime'\n"
			  "/dev/loop0: Writing to the journal is not "
			  "supported.\n" };
	struct fs_said works = { .started = true,
		.errors = "/dev/loop0: Writing to the journal is not "
			  "supported.\n" };

	(void)state;
	assert_int_equal(fs_classify(RUNG_MOUNT, &said), FAILURE_REJECTED);
	assert_string_equal(fs_reason(RUNG_MOUNT, &said, arena),
	    "fuse: unknown option `relatime'");
	assert_int_equal(fs_classify(RUNG_MOUNT, &works), FAILURE_NONE);
}

static void
zfs_tells_its_properties_not_its_flags(void **state)
{
	static const char *const outputs[] = {
		"recordsize\t16384\natime\toff\ncompression\tgzip-2\n"
		"sync\tstandard\n",
		"ashift\t12\n"
	};

	(void)state;
	/* the flag still says relatime; 16K is 16384 */
	is_ok(&(struct question){ "zfs", "freebsd",
	    .on = { "noatime", "recordsize=16K", "compression=gzip-2",
		"ashift=12" },
	    .sources = {
		"rw,relatime", "", .outputs = outputs, .output_count = 2 } });
}

static void
made_things_are_read_from_their_reports(void **state)
{
	static const char *const dumpe2fs[] = {
		"Filesystem features:      has_journal ext_attr dir_index "
		"filetype needs_recovery extent 64bit flex_bg bigalloc "
		"metadata_csum\n"
		"Block count:              204800\n"
		"Reserved block count:     10240\n"
		"Block size:               1024\n"
		"Inode size:\t          256\n"
		"Total journal size:       4096k\n"
	};
	static const char *const xfs_info[] = {
		"meta-data=/dev/loop0 isize=512    agcount=2, agsize=51200 "
		"blks\n"
		"         =           sectsz=512   attr=2, projid32bit=1\n"
		"         =           crc=1        finobt=1, sparse=1, "
		"rmapbt=0\n"
		"         =           reflink=0    bigtime=1 inobtcount=1 "
		"nrext64=0\n"
		"data     =           bsize=4096   blocks=102400, "
		"imaxpct=25\n"
		"         =           sunit=0      swidth=0 blks\n"
		"naming   =version 2  bsize=8192   ascii-ci=0, ftype=1\n"
		"log      =internal   bsize=4096   blocks=16384, version=2\n"
	};
	static const char *const btrfs[] = {
		"Data, single: total=8.00MiB, used=0.00B\n"
		"System, DUP: total=8.00MiB, used=16.00KiB\n"
		"Metadata, DUP: total=32.00MiB, used=128.00KiB\n",
		"csum_type\t\t1 (xxhash64)\nnodesize\t\t16384\n"
		"incompat_flags\t\t0x361\n\t\t\t( NO_HOLES )\n"
	};

	(void)state;
	is_ok(&(struct question){ "ext4", "linux",
	    .on = { "bigalloc", "block_size=1024", "journal_size=4",
		"reserved=5" },
	    .off = { "nojournal", "inline_data" },
	    .sources = {
		"rw", "rw", .outputs = dumpe2fs, .output_count = 1 } });
	is_ok(&(struct question){ "xfs", "linux",
	    .on = { "reflink=0", "agcount=2", "dir_block_size=8192",
		"log_size=64m", "block_size=4096" },
	    .sources = {
		"rw", "rw", .outputs = xfs_info, .output_count = 1 } });
	is_ok(&(struct question){ "btrfs", "linux",
	    .on = { "metadata=dup", "csum=xxhash", "node_size=16k" },
	    .off = { "data=dup" },
	    .sources = { "rw", "rw", .outputs = btrfs, .output_count = 2 } });
	is_changed(&(struct question){ "xfs", "linux", .on = { "rmapbt=1" },
		       .sources = { "rw", "rw", .outputs = xfs_info,
			   .output_count = 1 } },
	    "rmapbt=1 is not in force");
}

static void
sizes_are_the_same_in_other_words(void **state)
{
	(void)state;
	is_ok(&(struct question){ "xfs", "linux", .on = { "logbsize=262144" },
	    .sources = { "rw", "rw,logbufs=8,logbsize=256k" } });
	is_ok(&(struct question){ "tmpfs", "linux", .on = { "nr_inodes=5k" },
	    .sources = { "rw", "rw,nr_inodes=5120" } });
}

static void
a_rejected_cell_stays_rejected(void **state)
{
	struct question question = { "ext4", "linux", .status = CELL_REJECTED,
		.sources = { "rw", "rw" } };
	struct cell cell;

	(void)state;
	ask(&question, &cell);
	assert_int_equal(cell.status, CELL_REJECTED);
}

/* util-linux guesses; the kernel log knows. */
static void
linux_words_are_told_apart(void **state)
{
	static const char bad[] =
	    "mount: /mnt: wrong fs type, bad option, bad superblock on "
	    "/dev/loop0, missing codepage or helper program, or other error.\n"
	    "       dmesg(1) may have more information after failed mount "
	    "system call.\n";
	static const struct {
		enum rung rung;
		int exit_code;
		const char *errors;
		const char *kernel;
		enum fs_failure failure;
		const char *reason;
	} cases[] = {
		{ RUNG_MOUNT, 32, bad,
		    "[ 12.5] xfs: Unknown parameter "
		    "'nobarrier'\n",
		    FAILURE_REJECTED, "xfs: Unknown parameter 'nobarrier'" },
		{ RUNG_MOUNT, 32, bad,
		    "[1212.687076] EXT4-fs (loop0): can't mount with "
		    "journal_async_commit in data=ordered mode\n",
		    FAILURE_REJECTED,
		    "EXT4-fs (loop0): can't mount with journal_async_commit in "
		    "data=ordered mode" },
		{ RUNG_MOUNT, 32, bad, NULL, FAILURE_REJECTED,
		    "mount: /mnt: wrong fs type, bad option, bad superblock "
		    "on /dev/loop0, missing codepage or helper program, or "
		    "other error." },
		{ RUNG_MOUNT, 32,
		    "mount: /mnt: unknown filesystem type 'f2fs'.\n", NULL,
		    FAILURE_NO_FILESYSTEM,
		    "mount: /mnt: unknown filesystem type 'f2fs'." },
		{ RUNG_MOUNT, 32,
		    "mount: /mnt: special device /dev/x does not exist.\n",
		    NULL, FAILURE_NO_DEVICE,
		    "mount: /mnt: special device /dev/x does not exist." },
		{ RUNG_MOUNT, 32,
		    "mount: /mnt: must be superuser to use "
		    "mount.\n",
		    NULL, FAILURE_PERMISSION,
		    "mount: /mnt: must be superuser to use mount." },
		{ RUNG_MOUNT, 32,
		    "mount: /mnt: /dev/loop0 already mounted or "
		    "mount point busy.\n",
		    NULL, FAILURE_IN_USE,
		    "mount: /mnt: /dev/loop0 already mounted or mount point "
		    "busy." },
		/* what is wrong stands before how it should be called */
		{ RUNG_MAKE, 1,
		    "internal log size 25600 too large, must be less than "
		    "20469\nUsage: mkfs.xfs\n/* blocksize */ [-b size=num]\n",
		    NULL, FAILURE_REJECTED,
		    "internal log size 25600 too large, must be less than "
		    "20469" },
		{ RUNG_MAKE, 1, "Usage: mkfs.xfs\n", NULL, FAILURE_REJECTED,
		    "Usage: mkfs.xfs" },
		{ RUNG_UNMOUNT, 32, "umount: /mnt: target is busy.\n", NULL,
		    FAILURE_BUSY, "umount: /mnt: target is busy." },
		{ RUNG_UNMOUNT, 32, "umount: /mnt: not mounted.\n", NULL,
		    FAILURE_NOT_THERE, "umount: /mnt: not mounted." },
		{ RUNG_MAKE, 1,
		    "mke2fs 1.47.0 (5-Feb-2023)\n/dev/loop0 is mounted; will "
		    "not make a filesystem here!\n",
		    NULL, FAILURE_IN_USE,
		    "/dev/loop0 is mounted; will not make a filesystem "
		    "here!" },
		{ RUNG_MAKE, 1,
		    "mkfs.ext4: /dev/loop0 is apparently in use by the "
		    "system; will not make a filesystem here!\n",
		    NULL, FAILURE_IN_USE,
		    "mkfs.ext4: /dev/loop0 is apparently in use by the "
		    "system; will not make a filesystem here!" },
		{ RUNG_MAKE, 1,
		    "mkfs.xfs: cannot open /dev/loop0: Device or "
		    "resource busy\n",
		    NULL, FAILURE_IN_USE,
		    "mkfs.xfs: cannot open /dev/loop0: Device or resource "
		    "busy" },
		{ RUNG_MAKE, 1,
		    "Log size must be at least 64MB.\nUsage: "
		    "mkfs.xfs\n",
		    NULL, FAILURE_TOO_SMALL,
		    "Log size must be at least 64MB." },
		{ RUNG_MAKE, 1,
		    "Filesystem must be larger than 300MB.\nUsage: mkfs.xfs\n",
		    NULL, FAILURE_TOO_SMALL,
		    "Filesystem must be larger than 300MB." },
		{ RUNG_MAKE, 1,
		    "mke2fs: Invalid filesystem option set: "
		    "bogus\n",
		    NULL, FAILURE_REJECTED,
		    "mke2fs: Invalid filesystem option set: bogus" },
		{ RUNG_MAKE, 1,
		    "ERROR: unrecognized filesystem feature 'zip'\n", NULL,
		    FAILURE_REJECTED,
		    "ERROR: unrecognized filesystem feature 'zip'" },
		{ RUNG_MAKE, 1,
		    "cannot create 'y': 'compression' must be one of 'on | "
		    "off | lzjb'\n",
		    NULL, FAILURE_REJECTED,
		    "cannot create 'y': 'compression' must be one of 'on | "
		    "off | lzjb'" },
		{ RUNG_MAKE, 127, "", NULL, FAILURE_NO_PROGRAM, "" },
		{ RUNG_MAKE, 139, "", NULL, FAILURE_OTHER, "" },
		{ RUNG_MOUNT, 0, "", "EXT4-fs (loop0): mounted\n", FAILURE_NONE,
		    "EXT4-fs (loop0): mounted" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fs_said said = { true, cases[i].exit_code, "",
			cases[i].errors, cases[i].kernel };

		assert_string_equal(
		    fs_failure_name(fs_classify(cases[i].rung, &said)),
		    fs_failure_name(cases[i].failure));
		assert_string_equal(
		    fs_reason(cases[i].rung, &said, arena), cases[i].reason);
	}
}

static void
checkers_are_judged_by_code_and_text(void **state)
{
	static const struct {
		const char *program;
		int exit_code;
		const char *output;
		enum fs_check verdict;
	} cases[] = {
		{ "e2fsck", 0, "", FS_CHECK_CLEAN },
		{ "e2fsck", 4, "UNEXPECTED INCONSISTENCY", FS_CHECK_CORRUPT },
		{ "e2fsck", 8, "", FS_CHECK_FAILED },
		{ "xfs_repair", 0, "No modify flag set", FS_CHECK_CLEAN },
		{ "xfs_repair", 1, "would have", FS_CHECK_CORRUPT },
		{ "btrfs", 0, "no error found", FS_CHECK_CLEAN },
		{ "btrfs", 1, "ERROR: errors found", FS_CHECK_CORRUPT },
		{ "fsck_ffs", 0, "***** FILE SYSTEM WAS MODIFIED *****",
		    FS_CHECK_CORRUPT },
		{ "fsck_ffs", 0, "***** FILE SYSTEM IS CLEAN *****",
		    FS_CHECK_CLEAN },
		{ "fsck", 8, "", FS_CHECK_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fs_said said = { true, cases[i].exit_code,
			cases[i].output, "", NULL };

		assert_int_equal(fs_check_verdict(cases[i].program, &said),
		    cases[i].verdict);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(relatime_is_there_though_nobody_asked),
		TEST(strictatime_and_async_leave_no_trace),
		TEST(options_of_the_superblock_are_seen_in_the_report),
		TEST(the_default_commit_is_not_shown_but_reported),
		TEST(data_journal_brings_nodelalloc_along),
		TEST(of_nodatacow_and_compress_the_later_wins),
		TEST(async_beside_soft_updates_is_soft_updates),
		TEST(soft_updates_are_read_from_tunefs_on_standard_error),
		TEST(sign_extended_noclusterw_is_a_known_quirk),
		TEST(hammer_has_no_access_times_to_ask_for),
		TEST(softdep_is_history_on_netbsd_and_openbsd),
		TEST(what_was_dropped_is_no_risk),
		TEST(what_an_option_brings_along_is_no_change),
		TEST(a_read_only_mount_is_a_change),
		TEST(fuse2fs_fails_with_status_0),
		TEST(zfs_tells_its_properties_not_its_flags),
		TEST(made_things_are_read_from_their_reports),
		TEST(sizes_are_the_same_in_other_words),
		TEST(a_rejected_cell_stays_rejected),
		TEST(linux_words_are_told_apart),
		TEST(checkers_are_judged_by_code_and_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
