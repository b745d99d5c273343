#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "platform/attach.h"
#include "platform/linux/sysfs.h"
#include "platform/text.h"

enum { TRIES = 32, POLL_MS = 10 };

int
platform_allocate(int fd, int64_t size)
{
	/* not posix_fallocate, which writes where it cannot allocate */
	return fallocate(fd, 0, 0, (off_t)size) == -1 ? errno : 0;
}

static int
open_free(char *path, size_t size, struct error *err)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int number;
	int fd;

	if (control == -1)
		return error_errno(err, "cannot open '/dev/loop-control'");
	number = ioctl(control, LOOP_CTL_GET_FREE);
	(void)close(control);
	if (number == -1)
		return error_errno(err, "no free loop device");
	(void)snprintf(path, size, "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd == -1)
		return error_errno(
		    err, "cannot open the loop device '%s'", path);
	return fd;
}

static int
configure(int fd, int file, const char *image, uint32_t sector_bytes)
{
	struct loop_config config = {
		.fd = (uint32_t)file,
		.block_size = sector_bytes,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO,
	};
	int rc;

	(void)snprintf(
	    (char *)config.info.lo_file_name, LO_NAME_SIZE, "%s", image);
	rc = ioctl(fd, LOOP_CONFIGURE, &config);
	if (rc == -1 && errno == EINVAL) {
		/* some kernels refuse instead of doing without */
		config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
		rc = ioctl(fd, LOOP_CONFIGURE, &config);
	}
	return rc;
}

/* Two runs may be given the same free number: the slower one tries again. */
static int
take_free(int file, const char *image, uint32_t sector_bytes, char *path,
    struct error *err)
{
	enum { PATH_SIZE = 32 };

	for (int i = 0; i < TRIES; i++) {
		int fd = open_free(path, PATH_SIZE, err);

		if (fd == -1)
			return -1;
		if (configure(fd, file, image, sector_bytes) == 0)
			return fd;
		if (errno != EBUSY) {
			(void)error_errno(
			    err, "cannot attach it to '%s'", path);
			(void)close(fd);
			return -1;
		}
		(void)close(fd);
	}
	return error_set(err, "no free loop device after %d tries", TRIES);
}

static void
check_direct_io(struct arena *arena, struct attachment *attachment)
{
	const char *name = strrchr(attachment->device, '/') + 1;
	const char *text =
	    text_first_line(arena, "/sys/block/%s/loop/dio", name);
	int failure = 0;

	if (strcmp(text, "1") != 0) {
		if (ioctl(attachment->fd, LOOP_SET_DIRECT_IO, 1UL) == -1)
			failure = errno;
		text = text_first_line(arena, "/sys/block/%s/loop/dio", name);
	}
	attachment->direct_io = strcmp(text, "1") == 0;
	attachment->note = "";
	if (!attachment->direct_io)
		attachment->note = arena_printf(arena,
		    "no direct I/O on '%s': the image stays in the cache (%s)",
		    attachment->device,
		    failure != 0 ? strerror(failure)
				 : "the kernel left it off");
}

int
platform_attach(const char *image, int64_t sector_bytes, struct arena *arena,
    struct attachment *attachment, struct error *err)
{
	int file = open(image, O_RDWR | O_CLOEXEC);
	struct stat status = { 0 };
	char path[32];
	int fd;

	if (file == -1 || fstat(file, &status) == -1) {
		(void)error_errno(err, "cannot open image '%s'", image);
		if (file != -1)
			(void)close(file);
		return -1;
	}
	fd = take_free(file, image, (uint32_t)sector_bytes, path, err);
	(void)close(file);
	if (fd == -1)
		return error_wrap(err, "image '%s'", image);
	*attachment = (struct attachment){
		.device = arena_strdup(arena, path),
		.fd = fd,
		.file_device = status.st_dev,
		.file_inode = status.st_ino,
	};
	check_direct_io(arena, attachment);
	return 0;
}

/* Whether the loop device is attached to anything, and to what. */
static bool
is_attached(const char *name, struct loop_backing *backing)
{
	struct arena *arena = arena_new();
	bool attached = sysfs_loop_backing(arena, name, backing);

	backing->path = NULL; /* it was in the arena */
	arena_free(arena);
	return attached;
}

/* Gone, or already somebody else's. */
static int
wait_detached(const char *device, const struct loop_backing *was,
    int64_t timeout_ns, struct error *err)
{
	const char *name = strrchr(device, '/') + 1;
	int64_t until = clock_now_ns() + timeout_ns;
	struct loop_backing now;

	for (;;) {
		if (!is_attached(name, &now) || now.device != was->device ||
		    now.inode != was->inode)
			return 0;
		if (clock_now_ns() >= until)
			return error_set(err,
			    "'%s' is still in use and cannot be detached",
			    device);
		clock_sleep_ms(POLL_MS);
	}
}

int
platform_detach(
    struct attachment *attachment, int64_t timeout_ns, struct error *err)
{
	struct loop_backing was = { 0 };
	const char *name = strrchr(attachment->device, '/') + 1;
	bool attached = is_attached(name, &was);

	(void)close(attachment->fd);
	attachment->fd = -1;
	if (!attached)
		return 0;
	return wait_detached(attachment->device, &was, timeout_ns, err);
}

int
platform_detach_device(
    const char *device, int64_t timeout_ns, struct error *err)
{
	const char *name = strrchr(device, '/');
	struct loop_backing was = { 0 };
	int fd;
	int rc;

	if (name == NULL || !is_attached(name + 1, &was))
		return 0;
	fd = open(device, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return error_errno(err, "cannot open '%s'", device);
	/* in use by others it only becomes autoclear */
	rc = ioctl(fd, LOOP_CLR_FD, 0);
	if (rc == -1 && errno != ENXIO) {
		(void)error_errno(err, "cannot detach '%s'", device);
		(void)close(fd);
		return -1;
	}
	(void)close(fd);
	return wait_detached(device, &was, timeout_ns, err);
}

int
platform_attached_to(const char *image, struct arena *arena,
    struct name_list *devices, struct error *err)
{
	struct name_list loops;
	struct stat status;

	*devices = (struct name_list){ 0 };
	if (stat(image, &status) == -1)
		return error_errno(err, "cannot look at '%s'", image);
	sysfs_loops(arena, &loops);
	for (size_t i = 0; i < loops.count; i++) {
		struct loop_backing backing;
		bool is_same;

		if (!sysfs_loop_backing(arena, loops.names[i], &backing))
			continue;
		is_same = S_ISBLK(status.st_mode)
			      ? backing.block == status.st_rdev
			      : backing.block == 0 &&
				    backing.device == status.st_dev &&
				    backing.inode == status.st_ino;
		if (is_same)
			name_list_add(arena, devices,
			    arena_printf(arena, "/dev/%s", loops.names[i]));
	}
	return 0;
}
