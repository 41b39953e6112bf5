/* SPDX-License-Identifier: Apache-2.0 */
/* What a pm_json holds. */
#ifndef PM_CORE_JSON_JSON_H
#define PM_CORE_JSON_JSON_H

#include "base/memory.h"
#include "broadword/json/json.h"
#include "parenmatch.h"

struct pm_json {
    pm_allocator allocator;
    const pmi_json_kernel *kernel;
    const pmi_classifier *classifier;
    const unsigned char *text;
    uint64_t n; /* 0: no text */
    uint64_t token_count;
    pmi_json_found found; /* in one block, which begins with found.tokens */
    size_t words_room;    /* of that block */
    uint32_t *partners;
    size_t partners_room;
    pmi_json_open *stack; /* with the entries that stand for nothing */
    size_t stack_room;
};

static inline bool pmi_json_is_white(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Allocates an index without a text. */
pm_status pmi_json_allocate(pm_context *context, pm_json **json);

/* The words of a text, in whole steps; and room for them in the masks. */
size_t pmi_json_words(size_t n);
bool pmi_json_reserve_words(pm_json *json, size_t words);

/* Ends a reading that came to `status`: gives the index its text, or finds the first fault. */
pm_status pmi_json_finish(pm_json *json, pm_status status, const char *text, size_t n, pm_diagnostic *fault);

/* Makes room for `count` partners, or entries of the stack, of which `used` are kept; returns false without memory. */
bool pmi_json_reserve_partners(pm_json *json, size_t used, size_t count);
bool pmi_json_reserve_stack(pm_json *json, size_t used, size_t count);

/* Finds the first fault of a text, byte by byte, with the stack of `json`. Returns PM_CORRUPT, PM_OK for a text
 * without a fault, or PM_OUT_OF_MEMORY. */
pm_status pmi_json_fault(pm_json *json, const unsigned char *text, size_t n, pm_diagnostic *fault);

#endif
