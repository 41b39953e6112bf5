/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/repair.h: where a bracket is probably missing, or one too many.
 *
 * pm_check reports brackets that do not match; the mistake may be far from there. pm_text_repair() reads the whole
 * text and looks for the likeliest changes after which all brackets match. It judges by indentation and by the habits
 * of the text itself: which token follows which, and which stand in which brackets. In C, C++, PHP, Python, Ruby, Rust
 * and TypeScript it also knows what is usual in much code. With pm_check_set_repairs() a check reports these changes
 * instead of all faults. pm_repair is declared in parenmatch/text.h.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_REPAIR_H
#define PARENMATCH_REPAIR_H

#include "parenmatch/base.h"
#include "parenmatch/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_REPAIR_BYTES_MAX (UINT32_C(1) << 22) /**< The longest text that pm_text_repair() takes. */
#define PM_REPAIRS_MAX 8u                       /**< The largest number of repairs of a text. */

/**
 * Finds the likeliest repair of a text whose brackets do not match. It takes the fewest changes that explain the
 * faults, weighed by indentation and habits. In C and C++ it follows each branch of an `#if`; all must leave the same
 * brackets open, else the first one counts.
 *
 * One thread. Time: 1 to 2 s a MB of code, up to 10 µs a token. Memory: 1.3 MB, up to 100 bytes for each byte of text,
 * and 4 KB for each bracket that is open at a time; at most 64 MB.
 *
 * @param context   its allocator is used; NULL for the defaults.
 * @param language  not NULL.
 * @param alphabet  NULL: the language's own. More than 4 kinds are PM_UNSUPPORTED.
 * @param text      n bytes, at most PM_REPAIR_BYTES_MAX, else PM_TOO_LARGE. So is a text of more than 2^20 tokens, or
 *                  one in which thousands of brackets are open at a time.
 * @param repairs   receives the first `capacity` changes, in the order of their places.
 * @param count     receives the number of changes. It is 0 if the brackets match, if more than PM_REPAIRS_MAX changes
 *                  would be needed, or if the likeliest ones leave a bracket unmatched (a change may alter what is a
 *                  string).
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_UNSUPPORTED, also for a language with delimiters; PM_TOO_LARGE;
 *         PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_text_repair(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                const char *text, size_t n, size_t capacity, pm_repair *repairs, size_t *count);

/**
 * Writes a text with its repairs.
 *
 * @param text      n bytes, those given to pm_text_repair().
 * @param repairs   `count` changes, in the order that pm_text_repair() gives.
 * @param capacity  the room at `repaired`, in bytes. Only the first `capacity` bytes are stored.
 * @param repaired  may be NULL if capacity is 0; must not overlap the text.
 * @param length    receives the length of the repaired text, which may exceed capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT, also for changes out of order or outside of the text.
 */
PM_API pm_status pm_text_repair_apply(const char *text, size_t n, const pm_repair *repairs, size_t count,
                                      size_t capacity, char *repaired, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_REPAIR_H */
