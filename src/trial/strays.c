#include "trial/strays.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Also what a shell would cut at: a word may be a script for "sh -c". */
static const char cuts[] = "=,: \t\n;|&<>(){}'\"`$";

/* What the look at one command needs. */
struct search {
	const struct device_info *known;
	size_t known_count;
	struct arena *arena;
	struct stray_list *list;
	const char *word;   /* that the piece at hand was cut from */
	bool is_program;    /* the first word of its command */
	bool is_plain_name; /* behind an option that takes no file */
};

static void
add(struct search *search, const char *path)
{
	struct stray_list *list = search->list;

	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->paths[i], path) == 0)
			return;
	if (list->count == list->capacity)
		list->paths = arena_grow(search->arena, list->paths,
		    list->count, &list->capacity, sizeof *list->paths);
	list->paths[list->count++] = path;
}

/* Character devices that nothing is lost on; another one may well be a way to
 * a disk (sg, nvme). */
static bool
is_harmless(const char *path)
{
	static const char *const names[] = { "/dev/null", "/dev/zero",
		"/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
		"/dev/console", "/dev/fuse" };
	static const char terminals[] = "/dev/pts/";

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return strncmp(path, terminals, strlen(terminals)) == 0;
}

static bool
is_character_device(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

/*
 * A link in a folder that others can write to may lead elsewhere by the time
 * the maker follows it; those of /dev are the system's.
 */
static bool
may_be_turned(const char *path, const char *real)
{
	static const char *const of_system[] = { "/dev/disk/", "/dev/mapper/",
		"/dev/block/" };

	if (strcmp(path, real) == 0)
		return false;
	for (size_t i = 0; i < sizeof of_system / sizeof of_system[0]; i++)
		if (strncmp(path, of_system[i], strlen(of_system[i])) == 0)
			return strstr(path, "/../") != NULL;
	/* "/dev/vg/lv" is one, "/dev/shm/x" is anybody's */
	return strncmp(path, "/dev/", 5) != 0 ||
	       strncmp(path, "/dev/shm", 8) == 0 ||
	       strstr(path, "/../") != NULL;
}

/* "#!" or an ELF header: run by the command, or by the shell in it. */
static bool
is_program_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char start[4] = "";
	ssize_t got = fd == -1 ? -1 : read(fd, start, sizeof start);

	if (fd != -1)
		(void)close(fd);
	return (got >= 2 && strncmp(start, "#!", 2) == 0) ||
	       (got == 4 && memcmp(start, "\177ELF", 4) == 0);
}

/*
 * A file that a maker would write to as to a disk.  Not in the words of a
 * shell, which writes logs and the kernel's files as well; not what mkfs.xfs
 * reads options from.
 */
static bool
is_file_at_risk(const struct search *search, const char *path,
    const struct device_info *info)
{
	bool is_bare = strchr(path, '/') == NULL;
	bool is_whole = strcmp(path, search->word) == 0;

	if (info->kind != DEVICE_IMAGE || info->size_bytes == 0 ||
	    search->is_program || (search->is_plain_name && is_bare))
		return false;
	if (!is_whole && search->word[strcspn(search->word, " \t\n")] != '\0')
		return false;
	if (strncmp(search->word, "options=", 8) == 0 ||
	    strncmp(info->path, "/proc/", 6) == 0 ||
	    strncmp(info->path, "/sys/", 5) == 0)
		return false;
	return !is_program_file(info->path);
}

static int
look_at(
    struct search *search, const char *path, bool is_bare, struct error *err)
{
	struct device_info info;

	if (platform_device_describe(path, search->arena, &info, err) == -1)
		return -1;
	/* a bare "mem" is a word, not a device */
	if (info.kind == DEVICE_OTHER && !is_bare &&
	    is_character_device(info.path) && !is_harmless(info.path))
		add(search, info.path);
	if (!is_bare && is_file_at_risk(search, path, &info)) {
		add(search, path);
		return 0;
	}
	if (info.kind != DEVICE_DISK)
		return 0;
	if (may_be_turned(path, info.path)) {
		add(search, path);
		return 0;
	}
	for (size_t i = 0; i < search->known_count; i++)
		if (device_is_same(&info, &search->known[i]))
			return 0;
	add(search, info.path);
	return 0;
}

static bool
has_tag(const char *piece)
{
	static const char *const tags[] = { "UUID=", "LABEL=", "PARTUUID=",
		"PARTLABEL=", "TYPE=", "ID=", "UUID_SUB=", "USAGE=" };

	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (strncmp(piece, tags[i], strlen(tags[i])) == 0)
			return true;
	return false;
}

/* "-j/dev/sdb": a path that an option's letter stands before. */
static int
look_behind(struct search *search, const char *piece, struct error *err)
{
	const char *slash = strchr(piece, '/');

	if (piece[0] != '-' || slash == NULL)
		return 0;
	return look_at(search, slash, false, err);
}

/* No name in a folder is longer than 255, and no path than 4095. */
static bool
may_be_path(const char *piece)
{
	enum { NAME_MOST = 255, PATH_MOST = 4095 };

	if (strlen(piece) > PATH_MOST)
		return false;
	for (; *piece != '\0'; piece += *piece == '/') {
		size_t length = strcspn(piece, "/");

		if (length > NAME_MOST)
			return false;
		piece += length;
	}
	return true;
}

/* One piece, under each name that a maker may take it for. */
static int
look_for(struct search *search, const char *piece, struct error *err)
{
	if (look_at(search, piece, false, err) == -1 ||
	    look_behind(search, piece, err) == -1)
		return -1;
	if (strchr(piece, '/') != NULL)
		return 0;
	return look_at(
	    search, arena_printf(search->arena, "/dev/%s", piece), true, err);
}

/* A piece from here to its next cut, its next comma and its end: a name below
 * /dev/disk/by-path has colons in it. */
static int
look_from(struct search *search, const char *start, struct error *err)
{
	const size_t lengths[] = { strcspn(start, cuts), strcspn(start, ","),
		strcspn(start, " \t\n"), strlen(start) };

	if (has_tag(start))
		add(search, arena_strndup(search->arena, start,
				strcspn(start, ", \t\n'\"")));
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		const char *piece =
		    arena_strndup(search->arena, start, lengths[i]);

		if (lengths[i] == 0 ||
		    (i > 0 && lengths[i] == lengths[i - 1]) ||
		    !may_be_path(piece))
			continue;
		if (look_for(search, piece, err) == -1)
			return -1;
	}
	return 0;
}

/* Options whose argument is a type, a label, a feature: no file, whatever the
 * current folder has of that name. */
static bool
takes_no_file(const char *word)
{
	static const char *const options[] = { "-t", "-T", "-L", "-O", "-o",
		"-U" };

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strcmp(word, options[i]) == 0)
			return true;
	return false;
}

int
strays_find(const char *const *argv, const struct device_info *known,
    size_t known_count, struct arena *arena, struct stray_list *list,
    struct error *err)
{
	struct search search = {
		.known = known,
		.known_count = known_count,
		.arena = arena,
		.list = list,
	};

	for (size_t i = 0; argv[i] != NULL; i++) {
		const char *at = argv[i];

		search.word = at;
		search.is_program = i == 0;
		search.is_plain_name = i > 0 && takes_no_file(argv[i - 1]);
		if (look_from(&search, at, err) == -1)
			return -1;
		while (*(at += strcspn(at, cuts)) != '\0')
			if (look_from(&search, ++at, err) == -1)
				return -1;
	}
	return 0;
}
