/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indices for queries on a long sequence:
 *
 *   bp        the library's
 *   view      the library's by parenmatch/bp_view.h, compiled as the others are and, where it may be, with more
 *   pioneers  the library's with pioneers, which find_close and find_open use
 *   sada      sdsl-lite's bp_support_sada with its rank and select, if it was present at build time
 */
#ifndef PM_BENCH_PEERS_BP_PEERS_H
#define PM_BENCH_PEERS_BP_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bp_query {
    BP_FIND_CLOSE,
    BP_FIND_OPEN,
    BP_ENCLOSE,
    BP_RANK,
    BP_SELECT,
    BP_EXCESS,
    BP_QUERIES
};

/* 0 for every answer, a small number even if negative, but the processor has to wait for the answer. */
#define BP_NOTHING_OF(answer) (((answer) + (UINT64_C(1) << 60)) >> 62)

/* Answers as pm_bp_* gives them; of an excess its low 64 bits. */
typedef uint64_t bp_answer(const void *index, uint64_t argument);

/* The sum of many answers, from a loop that calls the peer as its callers do: inlined where it lets them. */
typedef uint64_t bp_loop(const void *index, const uint64_t *arguments, size_t count);
typedef void bp_answer_many(const void *index, const uint64_t *arguments, size_t count, uint64_t *answers);

struct bp_peer {
    const char *name;
    const char *simd; /* the instruction set it takes beyond plain C; NULL: the one it is created with */
    void *(*create)(const uint64_t *parens, uint64_t n, const char *simd); /* with one thread; NULL: it failed */
    void (*destroy)(void *index);
    size_t (*size)(const void *index);       /* bytes, without the sequence */
    bp_answer *answer[BP_QUERIES];           /* NULL: as another peer */
    bp_loop *apart[BP_QUERIES];              /* with arguments that are known beforehand */
    bp_loop *chained[BP_QUERIES];            /* with arguments that wait for the answer before (BP_NOTHING_OF) */
    bp_answer_many *answer_many[BP_QUERIES]; /* NULL: there is no function */
    bool built_by_another;                   /* peer, which times it */
};

extern const struct bp_peer bp_peer_library, bp_peer_view, bp_peer_pioneers;
#ifdef PM_BENCH_SDSL
extern const struct bp_peer bp_peer_sada;
#endif

#ifdef __cplusplus
}
#endif

#endif
