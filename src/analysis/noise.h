/* How large a difference must be to be seen, and how to see a smaller one. */
#ifndef MM_ANALYSIS_NOISE_H
#define MM_ANALYSIS_NOISE_H

#include <stddef.h>

enum { NOISE_MAX_BLOCKS = 1 << 16 };

/* Tukey's honestly significant difference in %, for balanced runs. */
double noise_hsd_pct(
    size_t cells, double runs_per_cell, double s, double df, double alpha);

/*
 * Complete blocks that show a difference of so many % with a chance of 80 %,
 * at alpha 0.05 over all pairs; 0 when more than NOISE_MAX_BLOCKS.
 */
int noise_blocks_for(size_t cells, double s, double gap_pct);

#endif
