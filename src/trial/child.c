#include "trial/child.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trial/trial.h"

enum { HARNESS_FAILED = 3 };

static int
answer_child(void *context, int result_fd)
{
	const struct child_call *call = context;
	struct child_answer answer = { 0 };
	struct error err = { 0 };

	if (call->function(call->context, &answer, &err) == -1) {
		(void)!write(2, err.text, strlen(err.text));
		return HARNESS_FAILED;
	}
	if (write(result_fd, &answer, sizeof answer) != (ssize_t)sizeof answer)
		return HARNESS_FAILED;
	return 0;
}

void
child_say(struct child_answer *answer, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	(void)vsnprintf(answer->text, sizeof answer->text, format, list);
	va_end(list);
}

static enum verdict
verdict_of(int errno_value)
{
	return errno_value == ENOSPC || errno_value == EDQUOT ? VERDICT_NO_SPACE
							      : VERDICT_FAILED;
}

int
child_run(struct trial *trial, enum rung rung, const struct child_call *call,
    const char *what, struct child_answer *answer, struct error *err)
{
	struct child_call copy = *call;
	struct proc_job job = {
		.function = answer_child,
		.context = &copy,
		.timeout_ns = call->timeout_ns,
	};
	struct proc_result result;

	*answer = (struct child_answer){ 0 };
	if (trial_run(trial, rung, &job, what, &result, err) == -1)
		return -1;
	if (result.exit_code == HARNESS_FAILED)
		return error_set(err, "%s: %s", rung_name(rung), result.errors);
	if (!proc_succeeded(&result))
		return trial_blame(trial, rung, what, &result);
	if (result.output_size != sizeof *answer)
		return trial_fail(trial, VERDICT_FAILED, rung,
		    arena_printf(trial->arena,
			"%s: ended with an answer of %zu bytes, not %zu", what,
			result.output_size, sizeof *answer));
	memcpy(answer, result.output, sizeof *answer);
	answer->text[sizeof answer->text - 1] = '\0';
	if (answer->errno_value == 0)
		return RUNG_DONE;
	return trial_fail(trial, verdict_of(answer->errno_value), rung,
	    arena_printf(trial->arena, "%s: %s", answer->text,
		strerror(answer->errno_value)));
}
