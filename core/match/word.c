/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of one word: they return -1 for invalid positions and else call broadword/word.h. */
#include "broadword/word.h"

/* Is i an index of a word? */
static bool in_word(int i) {
    return (unsigned)i < PM_WORD_BITS;
}

int pm_word_find_close(uint64_t x, int i) {
    if (!in_word(i) || !(x >> i & 1))
        return -1;
    return pmi_broadword_find_close(x, (unsigned)i);
}

int pm_word_find_open(uint64_t x, int i) {
    if (!in_word(i) || (x >> i & 1))
        return -1;
    return pmi_broadword_enclose(x, (unsigned)i);
}

int pm_word_far_close_count(uint64_t x) {
    return (int)pmi_broadword_total(x).close;
}

int pm_word_far_open_count(uint64_t x) {
    return (int)pmi_broadword_total(x).open;
}

int pm_word_find_far_close(uint64_t x, int k) {
    return in_word(k) ? pmi_broadword_find_far_close(x, (unsigned)k) : -1;
}

int pm_word_find_far_open(uint64_t x, int k) {
    return in_word(k) ? pmi_broadword_find_far_open(x, (unsigned)k) : -1;
}

int pm_word_enclose(uint64_t x, int i) {
    return in_word(i) ? pmi_broadword_enclose(x, (unsigned)i) : -1;
}
