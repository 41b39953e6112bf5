/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/match.h: the match of every element of a sequence, on the CPU or by the fastest backend.
 *
 * The match of element i is the index on top of the stack before element i is processed, or PM_NONE if the stack is
 * empty. Then an open pushes i and a close pops; popping an empty stack does nothing. So the match of a close is its
 * open, and the match of an open is its parent.
 *
 * Sources: Levien, "Fast parentheses matching on GPU" (the problem, the bicyclic semigroup) and "The stack monoid
 * revisited" (the match as the index on top of the stack).
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_MATCH_H
#define PARENMATCH_MATCH_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Matches a sequence with the backend that is predicted to be the fastest for its length: pm_match_seq(),
 * pm_match_broadword(), pm_match_omp() or pm_match_gpu(). pm_match_explain() reports which. Errors and memory are those
 * of the chosen backend.
 *
 * A GPU is considered only if n >= 2^20 and the context has opened it or its profile (pm_options.profile) describes it.
 * It is opened once the time it would have saved exceeds the cost of opening it. If a device fails, this call and all
 * later ones on the context use the CPU. On a busy machine, where threads wait for each other, the context falls back
 * to one thread for a while.
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits in (n + 63) / 64 words.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param match    receives n results: match[i] < i, or PM_NONE.
 * @param total    receives the sequence's bicyclic element; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence on one thread with a plain stack, the reference implementation for all other backends. The stack
 * lies inside `match`, so it allocates nothing and cannot run out of memory. Parameters as pm_match_auto().
 */
PM_API pm_status pm_match_seq(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence on one thread with vector instructions (pm_options.simd). Parameters as pm_match_auto().
 * Memory: none for n <= 2048, else at most n / 8 bytes and 129 KiB from the context's allocator during the call.
 */
PM_API pm_status pm_match_broadword(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                    pm_bic *total);

/**
 * Matches a sequence on several threads (pm_options.threads), each working as pm_match_broadword(). It uses the
 * calling thread alone for short sequences, inside a parallel region without nested parallelism, and in a library built
 * without OpenMP. Results do not depend on the number of threads. Parameters as pm_match_auto().
 * Memory: at most n / 8 bytes, and 1 MiB for each thread, from the context's allocator during the call.
 */
PM_API pm_status pm_match_omp(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/** What pm_match_auto() would choose, and why. Set struct_size as in pm_options; the call fills in the rest. */
typedef struct pm_match_choice {
    size_t struct_size;  /**< sizeof(pm_match_choice) as the caller knows it; 0: the library's own size. */
    const char *backend; /**< "seq", "broadword", "omp" or "gpu". All texts are in static storage. */
    const char *simd;    /**< A name that pm_simd_at() lists; "none" for seq and gpu. */
    unsigned threads;    /**< How many threads would work. */
    bool profiled;       /**< Predicted from a profile of this machine; else from figures the library ships with. */
    double seq_ns;       /**< The predicted time of pm_match_seq(), ns: a mean over inputs. */
    double broadword_ns; /**< The predicted time of pm_match_broadword(), ns. */
    double omp_ns;       /**< The predicted time of pm_match_omp(), ns; 0 if it would use one thread. */
    double gpu_ns;       /**< The predicted time of pm_match_gpu() with its transfers, ns; 0 if not considered. */
    const char *reason;  /**< The reason, one line of English. */
    /** The predicted time on a device, ns, if sequence and match stay there; 0 if unknown. */
    double gpu_resident_ns;
} pm_match_choice;

/**
 * Reports what pm_match_auto() would choose for n elements. Opens no device.
 *
 * @param context  NULL for the defaults.
 * @param n        at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param choice   receives the choice. PM_INVALID_ARGUMENT if struct_size ends before `reason`. Fields unknown to this
 *                 version are not written.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_match_explain(pm_context *context, size_t n, pm_match_choice *choice);

/**
 * Matches a sequence that has neutral elements (leaves), which neither push nor pop. For every element, match[i] is the
 * index on top of the stack before it. So the match of a leaf is its enclosing open.
 *
 * @param opens, closes  one bit an element each. An element with neither bit is neutral. One with both makes the call
 *                       return PM_INVALID_ARGUMENT. Other parameters as pm_match_auto().
 */
PM_API pm_status pm_match_masks(pm_context *context, const uint64_t *opens, const uint64_t *closes, size_t n,
                                uint32_t *match, pm_bic *total);

/**
 * Checks that `match` is the match of `parens`: PM_OK if every element is right, PM_CORRUPT if one is not. The check is
 * a complete proof by induction and takes O(n) time. match[0] must be PM_NONE. After an open at i, match[i + 1] must be
 * i. After a close at i, it must be match[match[i]], or PM_NONE if match[i] is PM_NONE.
 *
 * @param parens, n  a sequence, as for pm_match_auto().
 * @param match      n results to check.
 * @param wrong      receives, with PM_CORRUPT, the index of the first wrong element; may be NULL.
 * @return PM_OK; PM_CORRUPT; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_match_verify(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                 size_t *wrong);

/**
 * Finds pairs of two different kinds, such as "( ]". Matching looks only at open and close; this function compares the
 * kinds afterwards.
 *
 * @param parens, n, match  a sequence and its match, from any pm_match_* function except pm_match_masks().
 * @param kinds             n kinds.
 * @param mismatched        receives the indices of the first `capacity` closes whose open has another kind, in order;
 *                          may be NULL if capacity is 0.
 * @param found             receives their number, which may exceed capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_match_check_kinds(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                      const uint8_t *kinds, size_t capacity, uint32_t *mismatched, size_t *found);

/* ---- One word --------------------------------------------------------------------------------------------------- */
/*
 * A word is a sequence of 64 elements, and any word is legal. An element is far if its partner is outside the word.
 * Positions, and ordinals of far elements, go from 0 to 63. Each function returns -1 if there is no answer, and also
 * for an argument outside 0 ... 63 or an element of the wrong kind. The functions are pure: any thread may call them.
 * Source: Vigna, "Broadword implementation of parenthesis queries".
 */

/** Returns the close that matches the open at i; -1 if it is far, or if i is a close. */
PM_API int pm_word_find_close(uint64_t x, int i);
/** Returns the open that matches the close at i; -1 if it is far, or if i is an open. */
PM_API int pm_word_find_open(uint64_t x, int i);
/**
 * Returns the match of i with the word as the whole sequence: of an open its parent, of a close its open; -1 if the
 * stack is empty there.
 */
PM_API int pm_word_enclose(uint64_t x, int i);
/** Returns the number of far closes, 0 ... 64. */
PM_API int pm_word_far_close_count(uint64_t x);
/** Returns the number of far opens, 0 ... 64. */
PM_API int pm_word_far_open_count(uint64_t x);
/** Returns the position of far close k, counted from 0 at the lowest; -1 if there are at most k. */
PM_API int pm_word_find_far_close(uint64_t x, int k);
/** Returns the position of far open k, counted from 0 at the highest; -1 if there are at most k. */
PM_API int pm_word_find_far_open(uint64_t x, int k);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_MATCH_H */
