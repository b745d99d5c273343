/* The rules of the guard, the meaning of failures, the lines of a journal. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "trial/blame.h"
#include "trial/guard.h"
#include "trial/inplace.h"
#include "trial/undo_action.h"
#include "trial/undo_journal.h"

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

/* --- guard --------------------------------------------------------------- */

static const char *const overwrite[] = { "1234-ABCD", "scratch" };
static const struct target target = {
	.title = "t",
	.kind = TARGET_DEVICE,
	.path = "/dev/ada0p5",
	.overwrite = overwrite,
	.overwrite_count = 2,
};

/* What a device that may be destroyed looks like. */
static struct guard_facts
harmless(void)
{
	return (struct guard_facts){
		.info = {
			.kind = DEVICE_DISK,
			.path = "/dev/ada0p5",
			.name = "ada0p5",
			.size_bytes = 1 << 30,
			.serial = "S1",
		},
		.signatures_known = true,
		.is_named = true,
		.destroy_note = "",
	};
}

static struct guard_request
request_for(const struct target *one)
{
	return (struct guard_request){
		.target = one,
		.path = "/dev/ada0p5",
		.label = GUARD_LABEL,
	};
}

static struct guard_report
judge(const struct guard_facts *facts, const struct guard_request *request)
{
	struct guard_report report;

	guard_judge(facts, request, arena, &report);
	return report;
}

/* Exactly one refusal, by this rule, with these words. */
static void
assert_refused(
    const struct guard_report *report, const char *rule, const char *words)
{
	assert_false(report->is_safe);
	assert_int_equal(report->count, 1);
	assert_string_equal(report->refusals[0].rule, rule);
	if (strstr(report->refusals[0].text, words) == NULL)
		fail_msg(
		    "'%s' is not in '%s'", words, report->refusals[0].text);
}

static void
guard_lets_a_harmless_device_pass(void **state)
{
	struct guard_facts facts = harmless();
	struct guard_request request = request_for(&target);
	struct guard_report report = judge(&facts, &request);

	(void)state;
	assert_true(report.is_safe);
	assert_int_equal(report.count, 0);
}

static void
guard_wants_a_disk(void **state)
{
	static const enum device_kind kinds[] = { DEVICE_ABSENT, DEVICE_IMAGE,
		DEVICE_DIRECTORY, DEVICE_OTHER };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct guard_facts facts = harmless();
		struct guard_request request = request_for(&target);
		struct guard_report report;

		facts.info.kind = kinds[i];
		report = judge(&facts, &request);
		assert_refused(&report, "kind", "/dev/ada0p5");
	}
}

static void
guard_wants_it_named_twice(void **state)
{
	struct guard_facts facts = harmless();
	struct guard_request request = request_for(&target);
	struct guard_report report;

	(void)state;
	facts.is_named = false;
	report = judge(&facts, &request);
	assert_refused(&report, "named-twice", "add --destroy /dev/ada0p5");
	facts.destroy_note = "--destroy names '/dev/ada1', another device";
	report = judge(&facts, &request);
	assert_refused(&report, "named-twice", "/dev/ada1");
	request.is_own_image = true;
	report = judge(&facts, &request);
	assert_true(report.is_safe);
}

/* The texts are what the BSDs' and Linux's facts were seen to be. */
static void
guard_refuses_every_use(void **state)
{
	static const struct {
		enum device_use_kind kind;
		const char *text;
		const char *rule;
	} cases[] = {
		{ USE_MOUNTED, "mounted on '/home'", "mounted" },
		{ USE_MOUNTED, "mounted on '/h2' as '/dev/vbd1@LOCAL'",
		    "mounted" },
		{ USE_MOUNTED, "its slice 'vbd1s0' is mounted on '/x'",
		    "mounted" },
		{ USE_SWAP, "active swap", "swap" },
		{ USE_SYSTEM, "what '/usr' is on", "system" },
		{ USE_HOLDER, "part of 'md0'", "holder" },
		{ USE_BACKING, "attached to 'md1'", "backing" },
		{ USE_PARTITION, "has the partition 'ada0p1'", "partitions" },
		{ USE_OPEN, "open for writing (r1w1e0)", "open" },
		{ USE_UNSEEN, "other mount namespaces", "unseen" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct guard_facts facts = harmless();
		struct guard_request request = request_for(&target);
		struct device_use use = { cases[i].kind, cases[i].text };
		struct guard_report report;

		facts.uses = (struct device_uses){ &use, 1 };
		report = judge(&facts, &request);
		assert_refused(&report, cases[i].rule, cases[i].text);
		/* nor does an image of our own excuse it */
		request.is_own_image = true;
		report = judge(&facts, &request);
		assert_refused(&report, cases[i].rule, cases[i].text);
	}
}

static void
guard_knows_its_own_signatures(void **state)
{
	static const struct {
		struct signature signature;
		const char *rule; /* NULL: safe */
	} cases[] = {
		{ { SIGNATURE_FILESYSTEM, "ext4", "u", "mountmatrix" }, NULL },
		{ { SIGNATURE_FILESYSTEM, "ext4", "1234-ABCD", "" }, NULL },
		{ { SIGNATURE_FILESYSTEM, "hammer2", "", "scratch" }, NULL },
		{ { SIGNATURE_FILESYSTEM, "ext4", "u", "photos" },
		    "signature" },
		{ { SIGNATURE_FILESYSTEM, "ufs", "", "" }, "signature" },
		{ { SIGNATURE_SWAP, "swap", "u", "mountmatrix" }, "signature" },
		{ { SIGNATURE_MEMBER, "zfs_member", "u", "tank" }, "member" },
		{ { SIGNATURE_MEMBER, "linux_raid_member", "u", "mountmatrix" },
		    "member" },
		{ { SIGNATURE_PARTITIONS, "gpt", "u", "" }, "partition-table" },
		{ { SIGNATURE_UNKNOWN, "several", "", "" }, "signature" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct guard_facts facts = harmless();
		struct guard_request request = request_for(&target);
		struct signature one = cases[i].signature;
		struct guard_report report;

		facts.signatures = (struct signature_list){ &one, 1 };
		report = judge(&facts, &request);
		if (cases[i].rule == NULL)
			assert_true(report.is_safe);
		else
			assert_refused(&report, cases[i].rule, one.type);
	}
}

static void
guard_refuses_what_it_cannot_see(void **state)
{
	struct guard_facts facts = harmless();
	struct guard_request request = request_for(&target);
	struct guard_report report;

	(void)state;
	facts.signatures_known = false;
	facts.signatures_error = "permission denied";
	report = judge(&facts, &request);
	assert_refused(&report, "signature", "permission denied");
	facts = harmless();
	facts.info.size_bytes = -1;
	report = judge(&facts, &request);
	assert_refused(&report, "size", "not known");
	facts = harmless();
	facts.holds_folder = -1;
	report = judge(&facts, &request);
	assert_refused(&report, "holds-folder", "may be on");
}

static void
guard_compares_size_and_serial(void **state)
{
	struct target other = target;
	struct guard_facts facts = harmless();
	struct guard_request request = request_for(&other);
	struct guard_report report;

	(void)state;
	other.size_bytes = (1 << 30) + 512;
	report = judge(&facts, &request);
	assert_refused(&report, "size", "1073741824 bytes");
	other.size_bytes = 1 << 30;
	other.serial = "S1";
	report = judge(&facts, &request);
	assert_true(report.is_safe);
	other.serial = "S2";
	report = judge(&facts, &request);
	assert_refused(&report, "serial", "'S1'");
	facts.info.serial = "";
	report = judge(&facts, &request);
	assert_refused(&report, "serial", "''");
	other = target;
	request.need_bytes = INT64_C(1) << 31;
	report = judge(&facts, &request);
	assert_refused(&report, "too-small", "2 GiB");
}

static void
guard_refuses_the_ground_it_stands_on(void **state)
{
	struct guard_request request = request_for(&target);
	struct guard_facts facts = harmless();
	struct guard_report report;

	(void)state;
	facts.holds_results = 1;
	report = judge(&facts, &request);
	assert_refused(&report, "holds-results", "-o FILE");
	facts = harmless();
	facts.holds_program = 1;
	report = judge(&facts, &request);
	assert_refused(&report, "holds-program", "this program");
	facts = harmless();
	facts.is_open_elsewhere = true;
	facts.open_error = "Device busy";
	report = judge(&facts, &request);
	assert_refused(&report, "open", "Device busy");
	facts = harmless();
	facts.info.is_read_only = true;
	report = judge(&facts, &request);
	assert_refused(&report, "read-only", "write-protected");
}

static void
guard_says_all_at_once(void **state)
{
	struct guard_request request = request_for(&target);
	struct guard_facts facts = harmless();
	struct device_use uses[] = { { USE_SWAP, "active swap" },
		{ USE_MOUNTED, "mounted on '/a'" },
		/* seen in two ways: said once */
		{ USE_SWAP, "active swap" } };
	struct guard_report report;

	(void)state;
	facts.uses = (struct device_uses){ uses, 3 };
	facts.is_named = false;
	facts.holds_folder = 1;
	report = judge(&facts, &request);
	assert_int_equal(report.count, 4);
	assert_non_null(
	    strstr(guard_report_text(&report, arena), "; '/dev/ada0p5': "));
}

/* --- blame --------------------------------------------------------------- */

static void
blame_tells_refusals_from_accidents(void **state)
{
	static const char generic[] =
	    "mount: /m: wrong fs type, bad option, bad superblock on "
	    "/dev/loop0, missing codepage or helper program, or other error.";
	static const struct {
		enum rung rung;
		int code;
		const char *errors;
		const char *kernel;
		enum verdict verdict;
		bool is_rejected;
		const char *words;
	} cases[] = {
		{ RUNG_MOUNT, 32, generic, "xfs: Unknown parameter 'x'\n",
		    VERDICT_FAILED, true, "exit 32: xfs: Unknown parameter" },
		{ RUNG_MOUNT, 32, generic,
		    "EXT4-fs (loop0): VFS: Can't find ext4 filesystem\n",
		    VERDICT_FAILED, false, "Can't find ext4" },
		{ RUNG_MOUNT, 1,
		    "mount: /dev/md0: mount option <softdep> is unknown: "
		    "Invalid argument\n",
		    "", VERDICT_FAILED, true, "softdep" },
		{ RUNG_MAKE, 1, "mkfs.ext4: No space left on device\n", "",
		    VERDICT_NO_SPACE, false, "No space" },
		{ RUNG_MAKE, 1, "mkfs.ext4: Input/output error\n", "",
		    VERDICT_FAILED, false, "Input/output" },
		{ RUNG_FLUSH, 32, "umount: /m: target is busy.\n", "",
		    VERDICT_FAILED, false, "busy" },
		{ RUNG_MAKE, 1, "", "", VERDICT_FAILED, false, "exit 1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_result result = {
			.started = true,
			.exit_code = cases[i].code,
			.output = "",
			.errors = cases[i].errors,
		};
		struct blame blame;

		blame_command(cases[i].rung, "/sbin/tool -x", &result,
		    cases[i].kernel, arena, &blame);
		assert_int_equal(blame.verdict, cases[i].verdict);
		if (blame.is_rejected != cases[i].is_rejected)
			fail_msg("wrong about: %s", blame.reason);
		if (strstr(blame.reason, cases[i].words) == NULL)
			fail_msg("'%s' is not in '%s'", cases[i].words,
			    blame.reason);
		assert_int_equal(strncmp(blame.reason, "tool: ", 6), 0);
	}
}

static void
blame_never_rejects_what_was_killed(void **state)
{
	struct proc_result result = { .started = true,
		.exit_code = -1,
		.signal = 9,
		.output = "",
		.errors = "mount: unknown option\n" };
	struct blame blame;

	(void)state;
	blame_command(RUNG_MOUNT, "mount", &result, "", arena, &blame);
	assert_false(blame.is_rejected);
	result.signal = 0;
	result.timed_out = true;
	blame_command(RUNG_MOUNT, "mount", &result, "", arena, &blame);
	assert_false(blame.is_rejected);
	assert_int_equal(blame.verdict, VERDICT_TIMEOUT);
	result = (struct proc_result){
		.is_missing = true, .exit_code = 127, .output = "", .errors = ""
	};
	blame_command(
	    RUNG_MAKE, "mkfs.f2fs /dev/x", &result, "", arena, &blame);
	assert_false(blame.is_rejected);
	assert_string_equal(blame.reason, "program 'mkfs.f2fs' not found");
	blame_check("e2fsck -fn /dev/x", &result, arena, &blame);
	assert_int_equal(blame.verdict, VERDICT_OK);
	/* it is there, but its disk does not give it */
	result.is_missing = false;
	result.errors = "mkfs.f2fs: Input/output error";
	blame_command(
	    RUNG_MAKE, "mkfs.f2fs /dev/x", &result, "", arena, &blame);
	assert_false(blame.is_rejected);
	assert_string_equal(blame.reason,
	    "mkfs.f2fs: could not be started: mkfs.f2fs: Input/output error");
	blame_check("e2fsck -fn /dev/x", &result, arena, &blame);
	assert_int_equal(blame.verdict, VERDICT_FAILED);
}

static void
blame_finds_the_kernel_in_trouble(void **state)
{
	static const struct {
		const char *kernel;
		bool is_trouble;
	} cases[] = {
		{ "", false },
		{ "EXT4-fs (loop0): mounted filesystem with ordered data\n",
		    false },
		{ "blk_update_request: I/O error, dev loop0, sector 5\n",
		    true },
		{ "I/O error, dev loop3, sector 5\n", false },
		{ "EXT4-fs error (device loop0): ext4_lookup\n", true },
		{ "EXT4-fs error (device sda1): ext4_lookup\n", false },
		{ "BTRFS error (device loop0): bdev\n", true },
		{ "XFS (loop0): Corruption of in-memory data\n", true },
		{ "usb 1-1: debug: two loops: fine\n", false },
		{ "hello\nBUG: soft lockup - CPU#1 stuck\n", true },
		{ "Out of memory: Killed process 12 (postmark)\n", true },
		{ "tail invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL)\n"
		  "Call Trace:\n <TASK>\n"
		  "oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/x\n"
		  "Memory cgroup out of memory: Killed process 9 (tail)\n",
		    false },
		{ "tail invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL)\n"
		  "Call Trace:\n <TASK>\n"
		  "oom-kill:constraint=CONSTRAINT_NONE,task=postmark\n",
		    true },
		{ "tail invoked oom-killer: order=0\nCall Trace:\n"
		  "oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/x\n"
		  "BUG: soft lockup - CPU#1 stuck\n",
		    true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *line =
		    blame_kernel_trouble(cases[i].kernel, "loop0", arena);

		if ((line != NULL) != cases[i].is_trouble)
			fail_msg("wrong about: %s", cases[i].kernel);
	}
}

static void
blame_knows_whose_device_it_is(void **state)
{
	static const struct {
		const char *device;
		const char *kernel;
		bool is_trouble; /* while measuring */
		bool is_ours;    /* names the device, or its disk */
	} cases[] = {
		{ "sda1", "I/O error, dev sda, sector 8 op 0x1\n", true, true },
		{ "sda1", "Buffer I/O error on dev sda1, logical block 3\n",
		    true, true },
		{ "sda1", "I/O error, dev sdab, sector 8\n", false, false },
		{ "sda1", "Buffer I/O error on dev sda11\n", false, false },
		{ "loop1", "I/O error, dev loop10, sector 8\n", false, false },
		{ "loop10", "I/O error, dev loop1, sector 8\n", false, false },
		{ "loop10", "I/O error, dev loop10, sector 8\n", true, true },
		{ "loop0",
		    "JBD2: I/O error when updating journal superblock for "
		    "loop0-8.\n",
		    true, true },
		{ "nvme0n1p2", "critical medium I/O error, dev nvme0n1\n", true,
		    true },
		{ "nvme0n1p2", "I/O error, dev nvme1n1, sector 8\n", false,
		    false },
		{ "dm-3", "EXT4-fs error (device dm-3): ext4_lookup\n", true,
		    true },
		{ "dm-3", "EXT4-fs error (device dm-30): ext4_lookup\n", false,
		    false },
		{ "ada0p5", "(ada0:ahcich0:0:0:0): I/O error\n", true, true },
		/* a word that only begins like a disk's name */
		{ "loop0", "Oops: 0002 in sdcard data, 5 modules\n", true,
		    false },
		{ "loop0",
		    "INFO: task dd:5 blocked for more than 120 seconds\n", true,
		    false },
		/* memory has no part in a disk's trouble, but in the machine's
		 */
		{ "", "I/O error, dev sda, sector 8\n", false, false },
		{ "", "EXT4-fs error (device loop3): ext4_lookup\n", false,
		    false },
		{ "", "Out of memory: Killed process 12 (postmark)\n", true,
		    false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *kernel = cases[i].kernel;
		const char *device = cases[i].device;

		if ((blame_kernel_trouble(kernel, device, arena) != NULL) !=
			cases[i].is_trouble ||
		    (blame_device_trouble(kernel, device, arena) != NULL) !=
			cases[i].is_ours)
			fail_msg("wrong for '%s' about: %s", device, kernel);
	}
}

static void
blame_makes_garbage_printable(void **state)
{
	const char *line = blame_first_line("\n \033[31m\001x\xff\ny\n", arena);

	(void)state;
	assert_string_equal(line, "?[31m?x?");
	assert_string_equal(blame_first_line("  \n\n", arena), "");
}

/* --- changing options in place ------------------------------------------- */

static void
inplace_restates_every_flag(void **state)
{
	static const struct {
		const char *in_force;
		const char *asked;
		const char *plain_atime;
		const char *result;
	} cases[] = {
		/* Linux: strict access times show as nothing */
		{ "rw,nosuid,relatime", "noatime", "strictatime",
		    "rw,nosuid,noatime" },
		{ "rw,nosuid", "nodev", "strictatime",
		    "rw,nosuid,nodev,strictatime" },
		{ "rw,noatime", "relatime,barrier", "strictatime",
		    "rw,relatime,barrier" },
		{ "rw,relatime,nobarrier", "barrier", "strictatime",
		    "rw,relatime,barrier" },
		{ "rw,relatime,commit=5", "commit=30", "strictatime",
		    "rw,relatime,commit=30" },
		/* BSD: a bare -u noatime would drop async and nosuid, and make
		 * a read-only mount writable */
		{ "ro,nosuid,async,local", "noatime", NULL,
		    "ro,nosuid,async,noatime" },
		{ "noclusterw,automounted,0x8000", "noatime", NULL,
		    "noclusterw,noatime" },
		{ "noatime,soft-updates", "sync", NULL, "noatime,sync" },
		{ "async", "sync", NULL, "sync" },
		{ "", "noatime", NULL, "noatime" },
		{ "nosuid", "", NULL, "nosuid" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(
		    inplace_restate(cases[i].in_force, cases[i].asked,
			cases[i].plain_atime, arena),
		    cases[i].result);
}

static void
inplace_restores_what_was_in_force(void **state)
{
	(void)state;
	assert_string_equal(
	    inplace_restore("rw,nosuid,relatime", ",relatime,barrier,relatime",
		"strictatime", arena),
	    "barrier,rw,nosuid,relatime");
	assert_string_equal(inplace_restore("rw,noatime,nobarrier", ",barrier",
				"strictatime", arena),
	    "rw,noatime,nobarrier");
	assert_string_equal(
	    inplace_restore("ro,async", ",atime,sync", NULL, arena),
	    "atime,ro,async");
}

static void
inplace_is_for_options_that_change_so(void **state)
{
	static const struct option can = {
		.token = "noatime", .stage = STAGE_MOUNT, .remount = REMOUNT_OK
	};
	static const struct option cannot = { .token = "data=journal",
		.stage = STAGE_MOUNT,
		.remount = REMOUNT_REFUSED };
	static const struct option made = {
		.token = "nojournal", .stage = STAGE_MAKE, .remount = REMOUNT_OK
	};
	const struct option *on[] = { &can, NULL };
	struct command make = { .rung = RUNG_MAKE };
	struct cell cell = {
		.driver = "ufs", .on = on, .on_count = 1, .asked = ""
	};
	const struct system *system;
	const char *version;

	(void)state;
	assert_int_equal(system_find("freebsd", &system, &version, NULL), 0);
	assert_null(inplace_obstacle(&cell, "rw", system, arena));
	cell.on_count = 2;
	on[1] = &cannot;
	assert_string_equal(inplace_obstacle(&cell, "rw", system, arena),
	    "option 'data=journal': refused");
	on[1] = &made;
	assert_string_equal(inplace_obstacle(&cell, "rw", system, arena),
	    "option 'nojournal': make");
	cell.on_count = 1;
	cell.level_count = 2;
	assert_string_equal(inplace_obstacle(&cell, "rw", system, arena),
	    "an option is in no table");
	cell.level_count = 1;
	cell.commands = &make;
	cell.command_count = 1;
	assert_string_equal(inplace_obstacle(&cell, "rw", system, arena),
	    "the cell has a make command");
}

/* Of the section's own options those in force are fine, and those that the
 * tables know; where an update adds, only what can be taken back. */
static void
inplace_looks_at_every_word_asked_for(void **state)
{
	static const struct {
		const char *driver;
		const char *system;
		const char *asked;
		const char *obstacle; /* NULL: none */
	} cases[] = {
		{ "ext4", "linux", "noatime", NULL },
		{ "ext4", "linux", "commit=30", NULL },
		{ "ext4", "linux", "nosuid", NULL },
		{ "ext4", "linux", "data=journal", "option 'data=journal'" },
		{ "ext4", "linux", "stripe=16", "option 'stripe=16'" },
		{ "ext4", "linux", "unheard-of", "option 'unheard-of'" },
		{ "ufs", "freebsd", "sync", NULL },
		{ "ufs", "freebsd", "softupdates", "option 'softupdates'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct cell cell = { .driver = cases[i].driver,
			.asked = cases[i].asked };
		const struct system *system;
		const char *version, *found;

		assert_int_equal(
		    system_find(cases[i].system, &system, &version, NULL), 0);
		found = inplace_obstacle(&cell, "rw,nosuid", system, arena);
		if (cases[i].obstacle == NULL)
			assert_null(found);
		else
			assert_ptr_equal(
			    strstr(found, cases[i].obstacle), found);
	}
}

/* --- journal ------------------------------------------------------------- */

static void
journal_lines_come_back_as_they_were(void **state)
{
	static const char *const texts[] = { "", "/mnt/a b", "tab\there",
		"line\nbreak", "100%", "%0a%09", "\xc3\xa4\xff" };

	(void)state;
	for (int kind = 0; kind < UNDO_KIND_COUNT; kind++)
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
			struct undo_record in = {
				.verb = UNDO_VERB_DO,
				.number = i * 1000000007,
				.kind = (enum undo_kind)kind,
				.wall_ns = INT64_C(1796067402698635645),
				.subject = texts[i],
				.detail = texts[6 - i],
			};
			struct undo_record out;
			struct buffer line;

			buffer_init(&line);
			undo_record_format(&in, &line);
			assert_int_equal(undo_record_parse(buffer_text(&line),
					     line.length - 1, arena, &out),
			    0);
			assert_int_equal(out.number, in.number);
			assert_int_equal(out.kind, in.kind);
			assert_int_equal(out.wall_ns, in.wall_ns);
			assert_string_equal(out.subject, in.subject);
			assert_string_equal(out.detail, in.detail);
			buffer_reset(&line);
		}
}

/* A line that was being written when the machine went down, or that rotted,
 * is not acted on: any byte missing or changed is noticed. */
static void
journal_lines_that_are_damaged_are_noticed(void **state)
{
	struct undo_record in = {
		.verb = UNDO_VERB_DO,
		.number = 7,
		.kind = UNDO_FILE,
		.wall_ns = 5,
		.subject = "/home/me/image",
		.detail = "x",
	};
	struct undo_record out;
	struct buffer line;
	size_t length;
	char *copy;

	(void)state;
	buffer_init(&line);
	undo_record_format(&in, &line);
	length = line.length - 1;
	copy = arena_strndup(arena, buffer_text(&line), length);
	for (size_t i = 0; i < length; i++)
		assert_int_equal(undo_record_parse(copy, i, arena, &out), -1);
	for (size_t i = 0; i < length; i++) {
		char was = copy[i];

		copy[i] = was == 'e' ? 'f' : 'e';
		assert_int_equal(
		    undo_record_parse(copy, length, arena, &out), -1);
		copy[i] = was;
	}
	buffer_reset(&line);
}

/* Of the same number as the image that was there before it: its own owner
 * made it, and would never get it back. */
static void
another_file_of_the_same_number_is_not_removed(void **state)
{
	static const struct {
		mode_t mode;
		enum undo_result result;
	} cases[] = {
		{ 0644, UNDO_GONE },
		{ 0755, UNDO_GONE },
		{ 04600, UNDO_GONE },
		{ 0600, UNDO_DONE },
	};
	char path[] = "/tmp/mountmatrix-test-XXXXXX";
	int fd = mkstemp(path);
	struct undo_entry entry = { .kind = UNDO_FILE, .subject = path };
	const char *text;

	(void)state;
	assert_true(fd != -1);
	entry.identity = undo_identity_of(arena, path);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(fchmod(fd, cases[i].mode), 0);
		assert_int_equal(
		    undo_act(&entry, arena, &text), cases[i].result);
		assert_int_equal(
		    access(path, F_OK), cases[i].result == UNDO_DONE ? -1 : 0);
	}
	(void)close(fd);
	/* made under an umask of 277 */
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0400);
	assert_true(fd != -1);
	(void)close(fd);
	entry.identity = undo_identity_of(arena, path);
	assert_int_equal(undo_act(&entry, arena, &text), UNDO_DONE);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	entry.identity = undo_identity_of(arena, path);
	assert_int_equal(undo_act(&entry, arena, &text), UNDO_GONE);
	assert_int_equal(unlink(path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guard_lets_a_harmless_device_pass),
		cmocka_unit_test(guard_wants_a_disk),
		cmocka_unit_test(guard_wants_it_named_twice),
		cmocka_unit_test(guard_refuses_every_use),
		cmocka_unit_test(guard_knows_its_own_signatures),
		cmocka_unit_test(guard_refuses_what_it_cannot_see),
		cmocka_unit_test(guard_compares_size_and_serial),
		cmocka_unit_test(guard_refuses_the_ground_it_stands_on),
		cmocka_unit_test(guard_says_all_at_once),
		cmocka_unit_test(blame_tells_refusals_from_accidents),
		cmocka_unit_test(blame_never_rejects_what_was_killed),
		cmocka_unit_test(blame_finds_the_kernel_in_trouble),
		cmocka_unit_test(blame_knows_whose_device_it_is),
		cmocka_unit_test(blame_makes_garbage_printable),
		cmocka_unit_test(inplace_restates_every_flag),
		cmocka_unit_test(inplace_restores_what_was_in_force),
		cmocka_unit_test(inplace_is_for_options_that_change_so),
		cmocka_unit_test(inplace_looks_at_every_word_asked_for),
		cmocka_unit_test(journal_lines_come_back_as_they_were),
		cmocka_unit_test(journal_lines_that_are_damaged_are_noticed),
		cmocka_unit_test(
		    another_file_of_the_same_number_is_not_removed),
	};

	return cmocka_run_group_tests_name("trial", tests, set_up, tear_down);
}
