/* SPDX-License-Identifier: Apache-2.0 */
/* How the opens of a word are gone through, compiled into what is done with each. */
#ifndef PM_CORE_CHECK_WALK_H
#define PM_CORE_CHECK_WALK_H

#include "core/text/open_bracket_stack.h"

typedef bool (*pmi_take_open)(const pmi_text_word *word, unsigned bit, void *user); /* false: no more */

/* Visits the opens of a run, the innermost first. A constant `take` becomes part of the loop. */
static inline bool pmi_walk_run(const void *entry, pmi_take_open take, void *user) {
    const pmi_text_word *const run = entry;
    for (uint64_t step = run->run; step-- > 0 && run->opens != 0;) {
        pmi_text_word later;
        const pmi_text_word *word = run; /* not copied: that would wait for what was just written to it */
        if (step > 0) {
            later = pmi_text_word_after(run, step);
            word = &later;
        }
        for (uint64_t opens = word->opens; opens != 0;) {
            const unsigned bit = pmi_bits_highest(opens);
            opens ^= UINT64_C(1) << bit;
            if (!take(word, bit, user))
                return false;
        }
    }
    return true;
}

#endif
