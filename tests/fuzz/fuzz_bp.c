/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries on a sequence against a plain stack, and saved indices with damage.
 *
 * Input: how many bits at the end are junk (below 64); where the saved index is damaged, and how (2 bytes and 1); and
 * then the packed sequence, byte by byte, each repeated as often as its index in the input's first bytes says.
 */
#include <string.h>

#include "base/checksum.h"
#include "core/bp/bp.h"
#include "parenmatch.h"
#include "tests/bp/model.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEADER = 5,
    BYTES_MAX = 2200, /* three superblocks */
    STEP = 13         /* elements of which every one is asked about its tree */
};

static void try_queries(const bp_model *model, const pm_bp *bp) {
    uint64_t argument;
    const char *const wrong = bp_model_compare(model, bp, 0, model->n, &argument);
    fuzz_require(!wrong, wrong ? wrong : "");
    for (uint64_t i = model->n % STEP; i < model->n; i += STEP) {
        const uint64_t size = pm_bp_subtree_size(bp, i), end = model->close[i] < model->n ? model->close[i] : model->n;
        const bool open = bp_model_is_open(model, i);
        fuzz_require(size == (open ? bp_model_rank(model, end) - bp_model_rank(model, i) : 0), "subtree_size");
        fuzz_require(pm_bp_level_ancestor(bp, i, 1) == (open ? model->match[i] : PM_BP_NONE), "level_ancestor");
        const uint64_t next = pm_bp_next_sibling(bp, i), last = pm_bp_last_child(bp, i);
        fuzz_require(next == PM_BP_NONE || pm_bp_prev_sibling(bp, next) == i, "prev_sibling");
        fuzz_require(last == PM_BP_NONE || pm_bp_parent(bp, last) == i, "last_child");
        if (i < 4 * STEP)
            fuzz_require(last == PM_BP_NONE || pm_bp_child(bp, i, pm_bp_degree(bp, i) - 1) == last, "child");
    }
}

/* With the header's sum as it was, and made right. */
static void try_damage(const bp_model *model, const pm_bp *bp, const uint8_t *damage) {
    static uint64_t words[2048], kept[2048];
    pmi_kept_piece pieces[PM_BP_PIECES];
    unsigned char *const bytes = (unsigned char *)words;
    pmi_bp_file_header *const header = (pmi_bp_file_header *)words;
    size_t size = 0;
    pmi_bp_pieces(bp, header, pieces);
    for (size_t k = 0; k < PM_BP_PIECES; size += pieces[k++].bytes) {
        fuzz_require(sizeof words - size >= pieces[k].bytes, "room");
        memmove(bytes + size, pieces[k].data, pieces[k].bytes);
    }
    memcpy(kept, words, size);
    const size_t at = (damage[0] + 256u * damage[1]) % size;
    bytes[at] ^= damage[2];
    for (unsigned right = 0; right < 2; right++) {
        if (right)
            header->header_sum = pmi_checksum_of(header, offsetof(pmi_bp_file_header, header_sum) / 8);
        pm_bp *mapped;
        const pm_status status = pm_bp_map(NULL, bytes, size, model->parens, model->n, 0, &mapped);
        fuzz_require((status == PM_OK) == (memcmp(kept, words, size) == 0), "damage");
        if (status == PM_OK)
            try_queries(model, mapped);
        pm_bp_destroy(mapped);
        fuzz_require(pm_bp_map(NULL, bytes, at, model->parens, model->n, 0, &mapped) == PM_CORRUPT, "cut short");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < HEADER)
        return 0;
    const unsigned repeat = bytes[4] % 16 + 1u;
    size_t length = (size - HEADER) * repeat;
    length = length < BYTES_MAX ? length : BYTES_MAX;
    const size_t words = (length + 7) / 8;
    uint64_t *parens = fuzz_allocate(words, sizeof *parens);
    memset(parens, 0x99, words * sizeof *parens);
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)parens)[i] = bytes[HEADER + i / repeat];
    const uint64_t bits = words * 64, junk = bytes[0] % 64, n = bits > junk ? bits - junk : 0;
    bp_model model;
    fuzz_require(bp_model_create(&model, parens, n), "memory");
    for (size_t i = 0; pm_simd_at(i); i++) {
        if (!pm_simd_at(i)->supported || strncmp(pm_simd_at(i)->name, "s", 1) == 0) /* as portable */
            continue;
        const pm_options options = {.simd = pm_simd_at(i)->name, .threads = 1};
        pm_context *context;
        pm_bp *bp;
        fuzz_require(pm_context_create(&options, &context) == PM_OK, "context");
        fuzz_require(pm_bp_create(context, parens, n, &bp) == PM_OK, "create");
        try_queries(&model, bp);
        if (i == 0)
            try_damage(&model, bp, bytes + 1);
        pm_bp_destroy(bp);
        pm_context_destroy(context);
    }
    bp_model_destroy(&model);
    free(parens);
    return 0;
}
