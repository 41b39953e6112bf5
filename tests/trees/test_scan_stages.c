/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of scans of trees one by one: twins in C up to a stage, then that stage by the device and by its twin,
 * after which all buffers must be the same, canaries between them included. Skipped (77) where there is no device.
 *   test_scan_stages [IGNORED [PATTERN]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/trees/scan.h"
#include "inputs/families.h"
#include "shaders/twins.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

static gpu_host host;
static pmi_nodes nodes_kernels;

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
static struct {
    const struct subject *subject;
    uint32_t n, nodes, tiles;
    block of_device;
    uint32_t *twin;
    size_t words; /* of all */
    const char *what;
} tree;

static size_t words_of(int buffer) {
    const size_t value = tree.subject->kernels.value_size / 4;
    switch (buffer) {
    case PARENS:
    case WORD_RANK:
        return (tree.n + 31) / 32;
    case MATCH:
        return tree.n;
    case BLOCK_RANK:
        return pmi_nodes_blocks(tree.n);
    case COUNT:
        return 1;
    case VALUES:
    case RESULTS:
        return tree.nodes * value;
    case SURVIVORS:
        return (tree.nodes + 31) / 32;
    case BASES_0:
    case BASES_1:
        return tree.tiles * value;
    case PRODUCTS:
        return tree.nodes / 8 * value;
    case PARENTS:
    case ENDS:
        return tree.nodes;
    default:
        return tree.tiles;
    }
}

/* Quarter turns and moves, or numbers. */
static void fill_values(uint32_t *values) {
    uint64_t seed = tree.n;
    for (uint32_t k = 0; k < tree.nodes; k++) {
        const uint64_t drawn = random_next(&seed);
        const pm_affine turns[] = {{{{0, -1, 0, (float)(drawn % 5)}, {1, 0, 0, 0}, {0, 0, 1, 2}}},
                                   {{{1, 0, 0, 0}, {0, 0, -1, (float)(drawn % 3)}, {0, 1, 0, 1}}}};
        if (tree.subject == &sums)
            memcpy(values + k * 2, &drawn, sizeof drawn);
        else
            memcpy(values + k * 12, &turns[drawn % 2], sizeof *turns);
    }
}

static uint32_t *twin_of(int buffer) {
    return tree.twin + tree.of_device.buffers[buffer].first;
}

static void tree_make(const struct subject *subject, const char *family, uint32_t n) {
    uint64_t *const parens = family_make(family, n, n);
    const uint32_t nodes = (uint32_t)pm_forest_count(parens, n), tile = subject->kernels.tile;
    tree.subject = subject;
    tree.n = n;
    tree.nodes = nodes;
    tree.tiles = (nodes + tile - 1) / tile;
    tree.what = family;
    size_t words[BUFFERS];
    for (int b = 0; b < BUFFERS; b++)
        words[b] = words_of(b);
    block_open_with(&tree.of_device, &host.device, words, BUFFERS);
    tree.words = tree.of_device.memory.size / 4;
    tree.twin = allocate(tree.words, 4);
    memcpy(tree.twin, tree.of_device.memory.mapped, tree.words * 4); /* canaries */
    memcpy(twin_of(PARENS), parens, 4 * words[PARENS]);
    assert_ok(pm_match_seq(NULL, parens, n, twin_of(MATCH), NULL));
    fill_values(twin_of(VALUES));
    free(parens);
}

static void tree_free(void) {
    block_close(&tree.of_device);
    free(tree.twin);
}

/* ---- Stages */

static uint64_t address(block_side side, int buffer) {
    return side == BLOCK_HOST ? (uint64_t)(uintptr_t)twin_of(buffer)
                              : block_address(&tree.of_device, BLOCK_DEVICE, (size_t)buffer);
}

static pmi_nodes_parameters nodes_parameters(block_side side) {
    return (pmi_nodes_parameters){.parens = address(side, PARENS),
                                  .match = address(side, MATCH),
                                  .word_rank = address(side, WORD_RANK),
                                  .block_rank = address(side, BLOCK_RANK),
                                  .count = address(side, COUNT),
                                  .parents = address(side, PARENTS),
                                  .ends = address(side, ENDS),
                                  .n = tree.n,
                                  .nodes = tree.nodes,
                                  .blocks = pmi_nodes_blocks(tree.n)};
}

/* turn: which of links and bases are read. */
static pmi_monoid_parameters monoid_parameters(block_side side, unsigned turn, uint32_t shift, bool exclusive) {
    return (pmi_monoid_parameters){.values = address(side, VALUES),
                                   .results = address(side, RESULTS),
                                   .count = address(side, COUNT),
                                   .parents = address(side, PARENTS),
                                   .ends = address(side, ENDS),
                                   .survivors = address(side, SURVIVORS),
                                   .heads = address(side, HEADS),
                                   .links_from = address(side, LINKS_0 + turn % 2),
                                   .links_to = address(side, LINKS_1 - turn % 2),
                                   .bases_from = address(side, BASES_0 + turn % 2),
                                   .bases_to = address(side, BASES_1 - turn % 2),
                                   .products = address(side, PRODUCTS),
                                   .shift = shift,
                                   .exclusive = exclusive};
}

/* Before a stage the device has what the twins have. */
static void stage_begin(void) {
    memcpy(tree.of_device.memory.mapped, tree.twin, tree.words * 4);
    gpu_commands_begin(&host);
}

/* The same word; or two zeros that are floats. */
static bool is_same(uint32_t a, uint32_t b) {
    return a == b || (tree.subject == &transforms && ((a | b) << 1) == 0);
}

static void stage_end(const char *stage) {
    gpu_commands_run(&host);
    const uint32_t *const got = tree.of_device.memory.mapped;
    for (size_t i = 0; i < tree.words; i++)
        if (!is_same(got[i], tree.twin[i]))
            fail_msg("%s, n = %u: after %s word %zu of %zu is %#x, not %#x", tree.what, tree.n, stage, i, tree.words,
                     got[i], tree.twin[i]);
}

static void check_links(void) {
    const pmi_nodes_parameters of_device = nodes_parameters(BLOCK_DEVICE);
    const pmi_nodes_parameters of_twin = nodes_parameters(BLOCK_HOST);
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
    const pmi_monoid_parameters of_device = monoid_parameters(BLOCK_DEVICE, turn, shift, exclusive);
    const pmi_monoid_parameters of_twin = monoid_parameters(BLOCK_HOST, turn, shift, exclusive);
    stage_begin();
    pmi_kernel_dispatch(&host.device, host.commands, &tree.subject->kernels.stages[stage], &of_device, sizeof of_device,
                        tiles);
    pmi_monoid_twin(&of_twin, tree.subject->monoid, tree.subject->kernels.tile, stage);
    stage_end(what);
}

static void check_down(bool exclusive) {
    const uint32_t tile = tree.subject->kernels.tile;
    unsigned jumps = 0;
    if (tree.tiles > 1) {
        check_stage(PM_MONOID_CHAINS, tree.tiles, 0, 0, exclusive, "chains");
        for (uint64_t reached = 1; reached < tree.tiles; reached *= PM_MONOID_HOPS, jumps++)
            check_stage(PM_MONOID_JUMP, (tree.tiles + tile - 1) / tile, jumps, jumps, exclusive, "jump");
        check_stage(PM_MONOID_SURVIVORS, tree.tiles, jumps, jumps, exclusive, "survivors");
    }
    check_stage(PM_MONOID_REST, tree.tiles, jumps, jumps, exclusive, "rest");
}

static void check_up(void) {
    const uint32_t given = tree.subject->kernels.tile * PM_MONOID_GIVEN;
    for (uint32_t shift = 0; tree.nodes >> (shift == 0 ? PM_MONOID_BLOCK_SHIFT : shift + 1) > 0; shift += 7)
        check_stage(PM_MONOID_PRODUCTS, ((tree.nodes >> shift) + given - 1) / given, 0, shift, false, "products");
    check_stage(PM_MONOID_RANGES, tree.tiles, 0, 0, false, "ranges");
}

static void check(const struct subject *subject, const char *family, uint32_t n) {
    tree_make(subject, family, n);
    if (tree.nodes > 0) {
        check_links();
        check_down(false);
        check_down(true);
        check_up();
    }
    tree_free();
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
    const pm_status status = gpu_host_open((pmi_gpu_settings){.tile_nodes = 32}, &host);
    if (status != PM_OK)
        return status;
    subject_open(&sums, pm_monoid_sum_u64(), pm_gpu_monoid_sum_u64());
    subject_open(&transforms, pm_monoid_affine(), pm_gpu_monoid_affine());
    return pmi_nodes_create(&host.device, &nodes_kernels);
}

static void close_all(void) {
    pmi_monoid_kernels_destroy(&host.device, &transforms.kernels);
    pmi_monoid_kernels_destroy(&host.device, &sums.kernels);
    pmi_nodes_destroy(&host.device, &nodes_kernels);
    gpu_host_close(&host);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
