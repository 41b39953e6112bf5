/* SPDX-License-Identifier: Apache-2.0 */
/* The peers behind word_peers.h: a table, by query. */
#include "bench/peers/word_peers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bench/peers/word_vigna.h"
#include "broadword/word.h"

int word_nothing(uint64_t x, unsigned argument) {
    (void)argument;
    return (int)(x & 63);
}

/* ---- word.h, word_vigna.h ---- */

#define WORD_ANSWER(peer, query)                                                                                       \
    static int peer##_##query(uint64_t x, unsigned argument) {                                                         \
        return pmi_##peer##_##query(x, argument);                                                                      \
    }
WORD_ANSWER(broadword, find_close)
WORD_ANSWER(broadword, enclose)
WORD_ANSWER(broadword, find_far_close)
WORD_ANSWER(vigna, find_close)
WORD_ANSWER(vigna, enclose)
WORD_ANSWER(vigna, find_far_close)

static int broadword_far_close_count(uint64_t x, unsigned none) {
    (void)none;
    return (int)pmi_broadword_total(x).close;
}

/* ---- Loops ---- */

/* 1 for an open at i, -1 for a close; without a branch for every element, which random words would make a slow one. */
static int element(uint64_t x, unsigned i) {
    return 2 * (int)(x >> i & 1) - 1;
}

/* A prefix ends at far close k where closes lead opens by k + 1 for the first time. */
static int loop_find_far_close(uint64_t x, unsigned k) {
    int lead = 0;
    for (unsigned i = 0; i < 64; i++) {
        lead -= element(x, i);
        if (lead > (int)k)
            return (int)i;
    }
    return -1;
}

static int loop_find_close(uint64_t x, unsigned i) {
    int depth = 1;
    for (unsigned j = i + 1; j < 64; j++) {
        depth += element(x, j);
        if (depth == 0)
            return (int)j;
    }
    return -1;
}

static int loop_enclose(uint64_t x, unsigned i) {
    int depth = 1;
    for (unsigned j = i; j-- > 0;) {
        depth -= element(x, j);
        if (depth == 0)
            return (int)j;
    }
    return -1;
}

/* As many as closes lead opens by at most. */
static int loop_far_close_count(uint64_t x, unsigned none) {
    (void)none;
    int lead = 0, most = 0;
    for (unsigned i = 0; i < 64; i++) {
        lead -= element(x, i);
        most += lead > most;
    }
    return most;
}

/* ---- BMI2 ---- */

#if defined(__x86_64__)
#define BMI2 __attribute__((target("bmi,bmi2,popcnt")))

/* Where bit number j of the set ones is, 0 <= j < 64; 64 if there are fewer. */
BMI2 static inline unsigned bit_select(uint64_t set, unsigned j) {
    return (unsigned)_tzcnt_u64(_pdep_u64(UINT64_C(1) << j, set));
}

/* Far close k is close number j with j - k opens before it, the first such. No close before number k can be, so that is
 * the first guess, and the opens before a guess make the next. */
BMI2 static int bmi2_find_far_close(uint64_t x, unsigned k) {
    for (unsigned j = k; j < 64;) {
        const unsigned at = bit_select(~x, j);
        if (at == 64)
            return -1;
        const unsigned next = k + (unsigned)_mm_popcnt_u64(_bzhi_u64(x, at));
        if (next == j)
            return (int)at;
        j = next;
    }
    return -1;
}

/* Far close 0 of what is above i; opens come in behind the word's end. */
BMI2 static int bmi2_find_close(uint64_t x, unsigned i) {
    const int distance = bmi2_find_far_close(~(~x >> i >> 1), 0);
    return distance < 0 ? -1 : (int)i + 1 + distance;
}

/* The mirror image: of the opens below i, number j from the highest is number `opens - 1 - j` from the lowest. */
BMI2 static int bmi2_enclose(uint64_t x, unsigned i) {
    const uint64_t below = _bzhi_u64(x, i);
    const unsigned opens = (unsigned)_mm_popcnt_u64(below);
    for (unsigned j = 0; j < opens;) {
        const unsigned at = bit_select(below, opens - 1 - j);
        const unsigned next = i - at - 1 - j; /* the closes between */
        if (next == j)
            return (int)at;
        j = next;
    }
    return -1;
}

static bool has_bmi2(void) {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#define PEER_BMI2(query, argument) {{#query, "bmi2", "bmi2", argument, bmi2_##query, loop_##query}, has_bmi2},
#else
#define PEER_BMI2(query, argument)
#endif

/* ---- The table ---- */

static bool always(void) {
    return true;
}

#define PEER(query, name, argument) {{#query, #name, "none", argument, name##_##query, loop_##query}, always},

/* All that search; each row brings its comma. */
#define SEARCHES(query, argument)                                                                                      \
    PEER(query, broadword, argument) PEER(query, vigna, argument) PEER_BMI2(query, argument) PEER(query, loop, argument)

static const struct {
    struct word_peer peer;
    bool (*supported)(void);
} peers[] = {
    /* clang-format off */
    SEARCHES(find_close, ARGUMENT_OPEN)
    SEARCHES(enclose, ARGUMENT_ELEMENT)
    SEARCHES(find_far_close, ARGUMENT_K)
    PEER(far_close_count, broadword, ARGUMENT_K)
    PEER(far_close_count, loop, ARGUMENT_K)
    /* clang-format on */
};

bool word_peer_at(size_t index, struct word_peer *peer) {
    for (size_t p = 0; p < sizeof peers / sizeof *peers; p++)
        if (peers[p].supported() && index-- == 0) {
            *peer = peers[p].peer;
            return true;
        }
    return false;
}
