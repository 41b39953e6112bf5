/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of pmi_habits_learn() that count what stands in brackets. */
#ifndef PM_CORE_REPAIR_LEARN_H
#define PM_CORE_REPAIR_LEARN_H

#include "core/repair/habits.h"

/* Counts which forms of tokens follow which in which frames, and behind which. False: out of memory. */
bool pmi_frames_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens);

/* Counts which tokens stand in which brackets; `stack` has a byte for each token. False: out of memory. */
bool pmi_surroundings_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens,
                            uint8_t *stack);

#endif
