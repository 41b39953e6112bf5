/* SPDX-License-Identifier: Apache-2.0 */
/* Counts in stretches all over the scene which kind follows which. */
#include "core/boxes/guesses.h"

enum {
    STRETCHES = 16,
    STRETCH = 256, /* elements */
    BEFORE = 3,
    KINDS = 4,
    CONTEXTS = KINDS * KINDS * KINDS
};

/* Those of a row that were not the most frequent. */
static unsigned wrong_of(const unsigned row[KINDS]) {
    unsigned all = 0, most = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        all += row[kind];
        most = row[kind] > most ? row[kind] : most;
    }
    return all - most;
}

double pmi_box_wrong_guesses(const uint8_t *kinds, size_t n) {
    unsigned seen[CONTEXTS][KINDS] = {{0}}, all = 0, wrong = 0;
    const size_t stretch = n / STRETCHES < STRETCH ? n / STRETCHES : STRETCH;
    for (size_t s = 0; s < STRETCHES; s++) {
        const uint8_t *const begin = kinds + n / STRETCHES * s;
        unsigned context = 0;
        for (size_t i = 0; i < stretch; i++) {
            const unsigned kind = begin[i] % KINDS;
            if (i >= BEFORE) {
                seen[context][kind]++;
                all++;
            }
            context = (context * KINDS + kind) % CONTEXTS;
        }
    }
    for (unsigned context = 0; context < CONTEXTS; context++)
        wrong += wrong_of(seen[context]);
    return all > 0 ? (double)wrong / all : 0;
}
