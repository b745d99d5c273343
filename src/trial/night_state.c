#include "trial/night_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/trial.h"

/* --- progress ------------------------------------------------------------ */

static size_t
count_done(const struct night *night)
{
	size_t count = 0;

	for (size_t i = 0; night->done != NULL && i < night->plan->trial_count;
	     i++)
		count += night->done[i];
	return count;
}

bool
night_is_pending(const struct night_state *state, size_t index)
{
	const struct night *night = state->night;
	const struct planned_trial *planned = &night->plan->trials[index];

	if (index < state->known && night->done != NULL && night->done[index])
		return false;
	if (night->panicked != NULL && night->panicked[planned->cell])
		return false;
	return cell_status_runs(night->plan->cells[planned->cell].status);
}

/* What will still be run after this trial. */
static size_t
count_left(const struct night_state *state, const struct planned_trial *planned)
{
	const struct plan *plan = state->night->plan;
	size_t count = 0;

	for (size_t i = 0; planned != NULL && i < plan->trial_count; i++) {
		bool is_later = plan->trials[i].block > planned->block ||
				(plan->trials[i].block == planned->block &&
				    i > planned->index);

		count += is_later && night_is_pending(state, i) ? 1 : 0;
	}
	return count;
}

static int64_t
remaining_ns(const struct night_state *state, size_t left)
{
	if (state->finished == 0)
		return -1;
	return state->trial_ns / (int64_t)state->finished * (int64_t)left;
}

int
night_tell(struct night_state *state, const struct night_event *event,
    struct error *err)
{
	const struct night_hooks *hooks = state->night->hooks;
	struct night_event full = *event;
	size_t left = 0;

	if (hooks->progress == NULL)
		return 0;
	if (full.trial != NULL)
		left = count_left(state, full.trial) +
		       (full.kind == NIGHT_TRIAL_ENDS ? 0 : 1);
	full.done = state->done_before + state->finished;
	full.total = full.done + left;
	full.elapsed_ns = clock_now_ns() - state->started_ns;
	full.remaining_ns = remaining_ns(state, left);
	return hooks->progress(hooks->context, &full, err);
}

void
night_say(void *context, const char *text)
{
	struct night_state *state = context;
	struct error ignored = { 0 };

	(void)night_tell(state,
	    &(struct night_event){ .kind = NIGHT_MESSAGE, .text = text },
	    &ignored);
}

/* --- folders ------------------------------------------------------------- */

static int
make_folder(struct night_state *state, const char *path, enum undo_kind kind,
    struct error *err)
{
	if (undo_push(state->undo, kind, path, "", err) == -1)
		return -1;
	if (mkdir(path, 0700) == -1)
		return error_errno(err, "cannot make the folder '%s'", path);
	return kind == UNDO_TREE ? undo_identify(state->undo, kind, path, err)
				 : 0;
}

static const char *
work_directory(const struct night_options *options)
{
	if (options->work_directory != NULL)
		return options->work_directory;
	return access("/run", W_OK) == 0 ? "/run" : options->state_directory;
}

/* Mount tables know canonical paths only. */
static void
make_canonical(struct night_state *state)
{
	char *canonical = realpath(state->folder, NULL);

	if (canonical != NULL)
		state->folder = arena_strdup(state->arena, canonical);
	free(canonical);
}

static int
make_folders(struct night_state *state, struct error *err)
{
	/* by the name that the mount table will have */
	const char *named = work_directory(state->night->options);
	char *real = realpath(named, NULL);

	state->folder = arena_printf(state->arena, "%s/mountmatrix-%llx",
	    real != NULL ? real : named, (unsigned long long)clock_wall_ns());
	free(real);
	if (make_folder(state, state->folder, UNDO_FOLDER, err) == -1)
		return -1;
	make_canonical(state);
	state->mountpoint = arena_printf(state->arena, "%s/m", state->folder);
	state->beside = arena_printf(state->arena, "%s/b", state->folder);
	if (make_folder(state, state->mountpoint, UNDO_FOLDER, err) == -1)
		return -1;
	return make_folder(state, state->beside, UNDO_TREE, err);
}

/* --- opening and closing ------------------------------------------------- */

static void
init_targets(struct night_state *state)
{
	const struct plan *plan = state->night->plan;

	state->targets = arena_array(
	    state->arena, plan->target_count, sizeof *state->targets);
	for (size_t i = 0; i < plan->target_count; i++) {
		state->targets[i].target = &plan->targets[i];
		state->targets[i].more_devices = arena_array(state->arena,
		    plan->targets[i].more_device_count + 1,
		    sizeof *state->targets[i].more_devices);
		state->targets[i].device_identities = arena_array(state->arena,
		    plan->targets[i].more_device_count + 1,
		    sizeof *state->targets[i].device_identities);
		state->targets[i].lock_fds = arena_array(state->arena,
		    plan->targets[i].more_device_count + 1,
		    sizeof *state->targets[i].lock_fds);
	}
}

int
night_state_open(struct night_state *state, struct night *night,
    struct arena *arena, struct error *err)
{
	size_t cells = night->plan->cell_count;

	*state = (struct night_state){
		.night = night,
		.arena = arena,
		.started_ns = clock_now_ns(),
		.known = night->plan->trial_count,
		.done_before = count_done(night),
	};
	state->probed = arena_array(arena, cells, sizeof *state->probed);
	state->verified = arena_array(arena, cells, sizeof *state->verified);
	state->mounted_once =
	    arena_array(arena, cells, sizeof *state->mounted_once);
	for (size_t i = 0; i < cells; i++) {
		const struct cell *cell = &night->plan->cells[i];

		/* known from a session before this one */
		state->probed[i] = cell->atime_probe != NULL;
		state->mounted_once[i] = cell->in_force != NULL;
	}
	init_targets(state);
	if (undo_open(night->options->state_directory, &state->undo, err) == -1)
		return -1;
	platform_kernel_log_open(&state->kernel_log);
	if (make_folders(state, err) == -1) {
		(void)night_state_close(state);
		return -1;
	}
	return 0;
}

size_t
night_state_close(struct night_state *state)
{
	struct undo_report report = { night_say, NULL, state };
	size_t left = 0;

	if (!state->is_kept)
		left = undo_rollback(state->undo, 0, &report, state->arena);
	undo_close(state->undo);
	for (size_t i = 0; i < state->night->plan->target_count; i++)
		while (state->targets[i].lock_count > 0)
			(void)close(
			    state->targets[i]
				.lock_fds[--state->targets[i].lock_count]);
	platform_kernel_log_close(&state->kernel_log);
	return left;
}

static int
make_pin(const char *pin, struct error *err)
{
	int fd = open(pin, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd == -1)
		return error_errno(err, "cannot make '%s'", pin);
	(void)close(fd);
	return 0;
}

/* The file is there before the journal's lock goes: who cleans up meanwhile
 * must not take it for what a crash left. */
int
night_keep(struct night_state *state, struct error *err)
{
	const struct night_options *options = state->night->options;
	const char *pin = options->keep_file;
	char *results;
	int rc;

	state->is_kept = true;
	if (pin == NULL)
		return 0;
	results = options->results_path != NULL
		      ? realpath(options->results_path, NULL)
		      : NULL;
	/* the newest record, so it is the first that is undone */
	rc = undo_push(state->undo, UNDO_PIN, pin,
	    arena_printf(state->arena, "%s\n%s", results != NULL ? results : "",
		state->night->kept),
	    err);
	free(results);
	return rc == -1 ? -1 : make_pin(pin, err);
}
