/* SPDX-License-Identifier: Apache-2.0 */
/* The queries on a sequence that changes, in terms of a few that its implementation answers. */
#include "core/edit/edit.h"

static bool is_open(const pm_edit *edit, uint64_t i) {
    uint64_t begin, end;
    const void *const leaf = pmi_edit_block_at(edit, 0, i, &begin, &end);
    return pmi_bits_get(pmi_edit_read_words(leaf), i - begin);
}

uint64_t pm_edit_select_close(const pm_edit *edit, uint64_t k) {
    return edit->queries.select_close(edit, k);
}

#define SEQUENCE pm_edit
#define QUERY(name) pm_edit_##name
#define LENGTH(s) ((uint64_t)(s)->root->length)
#define IS_OPEN(s, i) is_open(s, i)
#define IS_BATCH(s) false
#define BEGIN_OF(s, i) ((void)(s), (void)(i), UINT64_C(0))
#define END_OF(s, i) ((void)(i), LENGTH(s))
#define MIN_BEFORE(s, i) (s)->queries.min(s, 0, i)
#include "core/bp/queries.h"
