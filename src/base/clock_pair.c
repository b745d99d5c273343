#include "base/clock.h"

static const int64_t NOTABLE_NS = 1000000000;

struct clock_pair
clock_pair_now(void)
{
	return (struct clock_pair){
		.now_ns = clock_now_ns(),
		.wall_ns = clock_wall_ns(),
	};
}

int64_t
clock_step_ns(const struct clock_pair *began)
{
	struct clock_pair now = clock_pair_now();
	int64_t step =
	    (now.wall_ns - began->wall_ns) - (now.now_ns - began->now_ns);

	return step > NOTABLE_NS || step < -NOTABLE_NS ? step : 0;
}
