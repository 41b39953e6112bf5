/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of scans of trees one by one: twins in C up to a stage, then that stage by the device and by its twin,
 * after which all buffers must be the same, canaries between them included. Skipped (77) where there is no device.
 *   test_scan_stages [IGNORED [PATTERN]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/trees/monoid.h"
#include "gpu/trees/nodes.h"
#include "inputs/families.h"
#include "shaders/trees/monoid_twin.h"
#include "shaders/trees/nodes_twin.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/match_stages.h"
#include "tests/support/unit.h"

enum {
    CANARY = 0x5ca1ab1e,
    GAP = 16 /* words before each buffer, at least */
};

static gpu_stages host;
static pm_nodes nodes_kernels;

/* A monoid, on the CPU and on the device. */
static struct subject {
    const pm_monoid *monoid;
    const pm_gpu_monoid *code;
    pmi_monoid_kernels kernels;
} sums, transforms;

/* ---- Buffers */

enum {
    PARENS,
    MATCH,
    WORD_RANK,
    BLOCK_RANK,
    COUNT,
    PARENTS,
    ENDS,
    VALUES,
    RESULTS,
    HEADS,
    SURVIVORS,
    LINKS_0,
    LINKS_1,
    BASES_0,
    BASES_1,
    PRODUCTS,
    BUFFERS
};

/* All of them, on the device, and as the twins have them. */
static struct bed {
    const struct subject *subject;
    uint32_t n, nodes, tiles;
    pmi_buffer block;
    uint32_t *twin;
    size_t begin[BUFFERS], words; /* in words; of all */
    const char *what;
} bed;

static size_t words_of(int buffer) {
    const size_t value = bed.subject->kernels.value_size / 4;
    switch (buffer) {
    case PARENS:
    case WORD_RANK:
        return (bed.n + 31) / 32;
    case MATCH:
        return bed.n;
    case BLOCK_RANK:
        return pmi_nodes_blocks(bed.n);
    case COUNT:
        return 1;
    case VALUES:
    case RESULTS:
        return bed.nodes * value;
    case SURVIVORS:
        return (bed.nodes + 31) / 32;
    case BASES_0:
    case BASES_1:
        return bed.tiles * value;
    case PRODUCTS:
        return bed.nodes / 8 * value;
    case PARENTS:
    case ENDS:
        return bed.nodes;
    default:
        return bed.tiles;
    }
}

/* Quarter turns and moves, or numbers. */
static void fill_values(uint32_t *values) {
    uint64_t seed = bed.n;
    for (uint32_t k = 0; k < bed.nodes; k++) {
        const uint64_t drawn = random_next(&seed);
        const pm_affine turns[] = {{{{0, -1, 0, (float)(drawn % 5)}, {1, 0, 0, 0}, {0, 0, 1, 2}}},
                                   {{{1, 0, 0, 0}, {0, 0, -1, (float)(drawn % 3)}, {0, 1, 0, 1}}}};
        if (bed.subject == &sums)
            memcpy(values + k * 2, &drawn, sizeof drawn);
        else
            memcpy(values + k * 12, &turns[drawn % 2], sizeof *turns);
    }
}

static void bed_make(const struct subject *subject, const char *family, uint32_t n) {
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    assert_true(family_fill(family, n, n, parens));
    const uint32_t nodes = (uint32_t)pm_forest_count(parens, n), tile = subject->kernels.tile;
    bed = (struct bed){.subject = subject, .n = n, .nodes = nodes, .tiles = (nodes + tile - 1) / tile, .what = family};
    for (int b = 0; b < BUFFERS; b++) {
        bed.begin[b] = (bed.words + GAP + 3) / 4 * 4;
        bed.words = bed.begin[b] + words_of(b);
    }
    bed.words += GAP;
    assert_ok(pmi_buffer_create(&host.device, PM_MEMORY_DOWNLOAD, bed.words * 4, &bed.block));
    bed.twin = allocate(bed.words, 4);
    for (size_t i = 0; i < bed.words; i++)
        bed.twin[i] = CANARY;
    memcpy(bed.twin + bed.begin[PARENS], parens, 4 * words_of(PARENS));
    assert_ok(pm_match_seq(NULL, parens, n, bed.twin + bed.begin[MATCH], NULL));
    fill_values(bed.twin + bed.begin[VALUES]);
    free(parens);
}

static void bed_free(void) {
    pmi_buffer_destroy(&host.device, &bed.block);
    free(bed.twin);
}

/* ---- Stages */

static pmi_nodes_parameters nodes_parameters(uint64_t at) {
    return (pmi_nodes_parameters){.parens = at + 4 * bed.begin[PARENS],
                                  .match = at + 4 * bed.begin[MATCH],
                                  .word_rank = at + 4 * bed.begin[WORD_RANK],
                                  .block_rank = at + 4 * bed.begin[BLOCK_RANK],
                                  .count = at + 4 * bed.begin[COUNT],
                                  .parents = at + 4 * bed.begin[PARENTS],
                                  .ends = at + 4 * bed.begin[ENDS],
                                  .n = bed.n,
                                  .nodes = bed.nodes,
                                  .blocks = pmi_nodes_blocks(bed.n)};
}

/* turn: which of links and bases are read. */
static pmi_monoid_parameters monoid_parameters(uint64_t at, unsigned turn, uint32_t shift, bool exclusive) {
    return (pmi_monoid_parameters){.values = at + 4 * bed.begin[VALUES],
                                   .results = at + 4 * bed.begin[RESULTS],
                                   .count = at + 4 * bed.begin[COUNT],
                                   .parents = at + 4 * bed.begin[PARENTS],
                                   .ends = at + 4 * bed.begin[ENDS],
                                   .survivors = at + 4 * bed.begin[SURVIVORS],
                                   .heads = at + 4 * bed.begin[HEADS],
                                   .links_from = at + 4 * bed.begin[LINKS_0 + turn % 2],
                                   .links_to = at + 4 * bed.begin[LINKS_1 - turn % 2],
                                   .bases_from = at + 4 * bed.begin[BASES_0 + turn % 2],
                                   .bases_to = at + 4 * bed.begin[BASES_1 - turn % 2],
                                   .products = at + 4 * bed.begin[PRODUCTS],
                                   .shift = shift,
                                   .exclusive = exclusive};
}

/* Before a stage the device has what the twins have. */
static void stage_begin(void) {
    memcpy(bed.block.mapped, bed.twin, bed.words * 4);
    gpu_commands_begin(&host);
}

/* The same word; or two zeros that are floats. */
static bool is_same(uint32_t a, uint32_t b) {
    return a == b || (bed.subject == &transforms && ((a | b) << 1) == 0);
}

static void stage_end(const char *stage) {
    gpu_commands_run(&host);
    const uint32_t *const got = bed.block.mapped;
    for (size_t i = 0; i < bed.words; i++)
        if (!is_same(got[i], bed.twin[i]))
            fail_msg("%s, n = %u: after %s word %zu of %zu is %#x, not %#x", bed.what, bed.n, stage, i, bed.words,
                     got[i], bed.twin[i]);
}

static void check_links(void) {
    const pmi_nodes_parameters of_device = nodes_parameters(bed.block.address);
    const pmi_nodes_parameters of_twin = nodes_parameters((uint64_t)(uintptr_t)bed.twin);
    const uint32_t blocks = of_device.blocks;
    stage_begin();
    pmi_nodes_record_count(&host.device, host.commands, &nodes_kernels, of_device, 0, blocks);
    pmi_nodes_count_twin(&of_twin);
    stage_end("count");
    stage_begin();
    pmi_nodes_record_scan(&host.device, host.commands, &nodes_kernels, of_device);
    pmi_nodes_scan_twin(&of_twin);
    stage_end("scan");
    stage_begin();
    pmi_nodes_record_rank(&host.device, host.commands, &nodes_kernels, of_device, 0, blocks);
    pmi_nodes_rank_twin(&of_twin);
    stage_end("rank");
    stage_begin();
    pmi_nodes_record_link(&host.device, host.commands, &nodes_kernels, of_device, 0, blocks, of_device.match);
    pmi_nodes_link_twin(&of_twin);
    stage_end("link");
}

static void check_stage(uint32_t stage, uint32_t tiles, unsigned turn, uint32_t shift, bool exclusive,
                        const char *what) {
    const pmi_monoid_parameters of_device = monoid_parameters(bed.block.address, turn, shift, exclusive);
    const pmi_monoid_parameters of_twin = monoid_parameters((uint64_t)(uintptr_t)bed.twin, turn, shift, exclusive);
    stage_begin();
    pmi_kernel_dispatch(&host.device, host.commands, &bed.subject->kernels.stages[stage], &of_device, sizeof of_device,
                        tiles);
    pmi_monoid_twin(&of_twin, bed.subject->monoid, bed.subject->kernels.tile, stage);
    stage_end(what);
}

static void check_down(bool exclusive) {
    const uint32_t tile = bed.subject->kernels.tile;
    unsigned jumps = 0;
    if (bed.tiles > 1) {
        check_stage(PM_MONOID_CHAINS, bed.tiles, 0, 0, exclusive, "chains");
        for (uint64_t reached = 1; reached < bed.tiles; reached *= PM_MONOID_HOPS, jumps++)
            check_stage(PM_MONOID_JUMP, (bed.tiles + tile - 1) / tile, jumps, jumps, exclusive, "jump");
        check_stage(PM_MONOID_SURVIVORS, bed.tiles, jumps, jumps, exclusive, "survivors");
    }
    check_stage(PM_MONOID_REST, bed.tiles, jumps, jumps, exclusive, "rest");
}

static void check_up(void) {
    const uint32_t given = bed.subject->kernels.tile * PM_MONOID_GIVEN;
    for (uint32_t shift = 0; bed.nodes >> (shift == 0 ? PM_MONOID_BLOCK_SHIFT : shift + 1) > 0; shift += 7)
        check_stage(PM_MONOID_PRODUCTS, ((bed.nodes >> shift) + given - 1) / given, 0, shift, false, "products");
    check_stage(PM_MONOID_RANGES, bed.tiles, 0, 0, false, "ranges");
}

static void check(const struct subject *subject, const char *family, uint32_t n) {
    bed_make(subject, family, n);
    if (bed.nodes > 0) {
        check_links();
        check_down(false);
        check_down(true);
        check_up();
    }
    bed_free();
}

/* ---- Trees */

TEST(test_families_and_their_twins) {
    for (size_t f = 0; family_names[f]; f++) {
        check(&sums, family_names[f], 1 + (uint32_t)f * 90);
        if (f % 3 == 0)
            check(&transforms, family_names[f], 3000 + (uint32_t)f);
    }
}

/* Nodes that fill tiles, and elements that fill blocks. */
TEST(test_edges_and_their_twins) {
    static const uint32_t edges[] = {32, 64, 1024, 8192, 16384};
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (uint32_t n = edges[e] - 1; n <= edges[e] + 1; n++)
            check(n % 2 ? &sums : &transforms, n % 3 == 0 ? "opens" : n % 3 == 1 ? "random" : "deep", n);
}

static void subject_open(struct subject *subject, const pm_monoid *monoid, const pm_gpu_monoid *code) {
    *subject = (struct subject){.monoid = monoid, .code = code};
    assert_ok(pmi_monoid_kernels_create(&host.device, code, &subject->kernels));
    assert_int_equal(subject->kernels.tile, 32); /* so that `shift` grows by seven */
}

static pm_status open_all(void) {
    const pmi_gpu_settings settings = gpu_tests_settings((pmi_gpu_settings){.tile_nodes = 32});
    const pm_status status = gpu_stages_open(&settings, &host);
    if (status != PM_OK)
        return status;
    gpu_tests_on(&host.device);
    subject_open(&sums, pm_monoid_sum_u64(), pm_gpu_monoid_sum_u64());
    subject_open(&transforms, pm_monoid_affine(), pm_gpu_monoid_affine());
    return pmi_nodes_create(&host.device, &nodes_kernels);
}

static void close_all(void) {
    pmi_monoid_kernels_destroy(&host.device, &transforms.kernels);
    pmi_monoid_kernels_destroy(&host.device, &sums.kernels);
    pmi_nodes_destroy(&host.device, &nodes_kernels);
    gpu_stages_close(&host);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
