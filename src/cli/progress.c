#include "cli/progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/plain.h"
#include "base/units.h"

/* Newlines would end the message early, and keys and reasons come out of
 * files and tools: nothing of theirs may steer the terminal. */
static void
put_text(struct buffer *line, const char *text)
{
	for (; *text != '\0'; text++)
		buffer_putc(line, plain_control(text) > 0 ? ' ' : *text);
}

int
progress_send_text(int fd, char kind, const char *text)
{
	struct buffer line;
	int rc;

	buffer_init(&line);
	buffer_putc(&line, kind);
	put_text(&line, text);
	buffer_putc(&line, '\n');
	rc = io_write(fd, line.data, line.length);
	buffer_reset(&line);
	return rc == 0 ? 0 : -1;
}

static const char *
trial_name(struct buffer *name, const struct night_event *event)
{
	buffer_printf(name, "%zu/%zu ", event->done, event->total);
	if (event->trial != NULL && event->trial->is_warm_up)
		buffer_puts(name, "warm-up ");
	else if (event->trial != NULL)
		buffer_printf(name, "block %d ", event->trial->block);
	if (event->cell != NULL)
		buffer_puts(name, event->cell->key);
	if (event->workload != NULL)
		buffer_printf(name, " %s", event->workload->title);
	return buffer_text(name);
}

/* The figure that the tables rank, or else the first one. */
static const struct sample *
ranked_sample(
    const struct outcome *outcome, const struct workload_spec *workload)
{
	const char *metric = workload != NULL ? workload->metric : NULL;
	bool is_flushed =
	    workload != NULL && workload->charge == CHARGE_FLUSHED;
	const struct sample *first = NULL, *ranked = NULL;
	size_t length = metric != NULL ? strcspn(metric, " ") : 0;

	for (size_t i = 0; i < outcome->sample_count; i++) {
		const struct sample *sample = &outcome->samples[i];
		size_t size = strlen(sample->metric);

		if (sample->pass != 0)
			continue;
		if (first == NULL)
			first = sample;
		if (length == 0 || strncmp(sample->metric, metric, length) != 0)
			continue;
		if (is_flushed &&
		    strcmp(sample->metric + length, "_flushed") == 0)
			return sample;
		if (size == length)
			ranked = sample;
	}
	return ranked != NULL ? ranked : first;
}

static void
put_outcome(struct buffer *text, const struct outcome *outcome,
    const struct workload_spec *workload)
{
	const struct sample *sample = ranked_sample(outcome, workload);
	struct arena *arena = arena_new();
	double seconds =
	    (double)(outcome->ended_wall_ns - outcome->started_wall_ns) / 1e9;

	buffer_printf(text, ": %s",
	    outcome->cell_rejected ? cell_status_name(CELL_REJECTED)
				   : verdict_name(outcome->verdict));
	if (sample != NULL)
		buffer_printf(text, ", %s %s", sample->metric,
		    units_format_value(arena, sample->value, sample->unit));
	arena_free(arena);
	buffer_printf(text, " (trial %.1f s)", seconds);
	if (outcome->reason[0] != '\0')
		buffer_printf(text, ": %s", outcome->reason);
}

int
progress_send(int fd, const struct night_event *event)
{
	struct buffer name;
	struct buffer text;
	int rc = 0;

	buffer_init(&name);
	buffer_init(&text);
	switch (event->kind) {
	case NIGHT_TRIAL_BEGINS:
	case NIGHT_STEP_BEGINS:
		buffer_printf(&text, "%lld ", (long long)event->remaining_ns);
		buffer_puts(&text, trial_name(&name, event));
		if (event->kind == NIGHT_STEP_BEGINS)
			buffer_printf(&text, " %s", rung_name(event->step));
		rc = progress_send_text(fd, 'L', buffer_text(&text));
		break;
	case NIGHT_TRIAL_ENDS:
		buffer_puts(&text, trial_name(&name, event));
		put_outcome(&text, event->outcome, event->workload);
		if (event->is_tried_again)
			buffer_puts(
			    &text, "; once more at the end of this block");
		rc = progress_send_text(fd, 'T', buffer_text(&text));
		break;
	case NIGHT_MESSAGE:
		rc = progress_send_text(fd, 'M', event->text);
		break;
	}
	buffer_reset(&name);
	buffer_reset(&text);
	return rc;
}

/* Some terminals only print. */
static bool
can_erase(void)
{
	const char *term = getenv("TERM");

	return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void
progress_init(struct progress *progress, FILE *out, bool is_quiet)
{
	*progress = (struct progress){
		.out = out,
		.is_terminal = isatty(fileno(out)) == 1 && can_erase(),
		.is_quiet = is_quiet,
		.started_ns = clock_now_ns(),
		.remaining_ns = -1,
	};
}

/* Takes the live line away. */
static void
hide(struct progress *progress)
{
	if (!progress->is_shown)
		return;
	(void)fputs("\r\033[K", progress->out);
	(void)fflush(progress->out);
	progress->is_shown = false;
}

void
progress_end(struct progress *progress)
{
	hide(progress);
	buffer_reset(&progress->partial);
}

static void
print_line(struct progress *progress, const char *text)
{
	hide(progress);
	if (!progress->is_quiet)
		(void)fprintf(progress->out, "%s\n", text);
	(void)fflush(progress->out);
}

static void
take_live(struct progress *progress, const char *text)
{
	char *end;

	progress->remaining_ns = strtoll(text, &end, 10);
	progress->remaining_at_ns = clock_now_ns();
	(void)snprintf(progress->line, sizeof progress->line, "%s",
	    *end == ' ' ? end + 1 : end);
	progress_tick(progress);
}

static void
take_line(struct progress *progress, const char *line)
{
	const char *text = line + 1;

	switch (line[0]) {
	case 'L':
		take_live(progress, text);
		break;
	case 'T':
	case 'M':
		print_line(progress, text);
		break;
	case 'E':
		(void)snprintf(
		    progress->error, sizeof progress->error, "%s", text);
		break;
	case 'D':
		(void)snprintf(
		    progress->ended, sizeof progress->ended, "%s", text);
		break;
	case 'K':
		(void)snprintf(
		    progress->kept, sizeof progress->kept, "%s", text);
		break;
	default:
		break;
	}
}

int
progress_read(struct progress *progress, int fd)
{
	char block[4096];
	ssize_t got = read(fd, block, sizeof block);

	if (got == -1)
		return errno == EINTR || errno == EAGAIN;
	for (ssize_t i = 0; i < got; i++) {
		if (block[i] != '\n') {
			buffer_putc(&progress->partial, block[i]);
			continue;
		}
		if (progress->partial.length > 0)
			take_line(progress, buffer_text(&progress->partial));
		buffer_clear(&progress->partial);
	}
	return got > 0;
}

/* "21:40" of a moment that many nanoseconds from now. */
static void
clock_time(char *text, size_t size, int64_t ahead_ns)
{
	time_t then = time(NULL) + (time_t)(ahead_ns / 1000000000);
	struct tm parts;

	if (localtime_r(&then, &parts) == NULL ||
	    strftime(text, size, "%H:%M", &parts) == 0)
		(void)snprintf(text, size, "?");
}

/* Columns of the terminal; asked each time, since it may be resized. */
static size_t
width_of(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) == -1 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

/* "12 s, 3 min left, ends 21:40". */
static const char *
times_text(const struct progress *progress, struct arena *arena)
{
	int64_t now = clock_now_ns();
	const char *elapsed =
	    units_format_duration(arena, now - progress->started_ns);
	int64_t left;
	char ends[16];

	if (progress->remaining_ns < 0)
		return elapsed;
	left = progress->remaining_ns - (now - progress->remaining_at_ns);
	if (left < 0)
		left = 0;
	clock_time(ends, sizeof ends, left);
	return arena_printf(arena, "%s, %s left, ends %s", elapsed,
	    units_format_duration(arena, left), ends);
}

/* A line that wraps could not be taken away again; of one that is too long the
 * middle goes, since the step stands at the end of what is done. */
static const char *
fit(const char *done, const char *times, size_t width, struct arena *arena)
{
	size_t length = strlen(done);
	size_t taken = strlen(times) + strlen(" | ") + 1;
	size_t room = width > taken ? width - taken : 0;
	size_t tail = room / 2;

	if (length <= room)
		return arena_printf(arena, "%s | %s", done, times);
	if (room < 12)
		return arena_strndup(
		    arena, done, length < width - 1 ? length : width - 1);
	return arena_printf(arena, "%.*s..%s | %s", (int)(room - tail - 2),
	    done, done + length - tail, times);
}

void
progress_tick(struct progress *progress)
{
	struct arena *arena;

	if (!progress->is_terminal || progress->is_quiet ||
	    progress->line[0] == '\0')
		return;
	arena = arena_new();
	(void)fprintf(progress->out, "\r\033[K%s",
	    fit(progress->line, times_text(progress, arena),
		width_of(progress->out), arena));
	(void)fflush(progress->out);
	progress->is_shown = true;
	arena_free(arena);
}
