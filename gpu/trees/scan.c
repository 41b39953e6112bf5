/* SPDX-License-Identifier: Apache-2.0 */
/* The scratch of a tree scan, and its steps. The match is made in pieces, and is needed only until nodes are linked. So
 * the monoid's scratch replaces everything except the links. */
#include "gpu/trees/scan.h"

#include "base/sizes.h"

enum {
    PIECE_BLOCKS = 2048 /* of the match: 64 MiB */
};

/* Steps before those of the monoid. The last is repeated for each piece. */
enum {
    STEP_REDUCE,
    STEP_SCAN,
    STEP_RANK,
    STEP_LINK
};

typedef struct layout {
    uint64_t ends, parents, count; /* needed until the end */
    uint64_t monoid;               /* in place of everything below */
    uint64_t summary, word_rank, block_rank, levels, match;
    uint64_t end;
} layout;

static uint64_t aligned(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

static uint32_t piece_blocks(const pmi_device *device) {
    return device->can.piece_blocks ? device->can.piece_blocks : PIECE_BLOCKS;
}

static layout lay_out(const pmi_device *device, const pmi_monoid_kernels *monoid, uint32_t n, uint32_t nodes,
                      uint64_t at) {
    layout l = {.ends = at};
    l.parents = l.ends + aligned((uint64_t)nodes * sizeof(uint32_t));
    l.count = l.parents + aligned((uint64_t)nodes * sizeof(uint32_t));
    l.monoid = l.summary = l.count + aligned(sizeof(uint32_t));
    l.word_rank = l.summary + aligned(2 * sizeof(uint32_t));
    l.block_rank = l.word_rank + aligned(pmi_divide_up(n, 32) * sizeof(uint32_t));
    l.levels = l.block_rank + aligned((uint64_t)pmi_nodes_blocks(n) * sizeof(uint32_t));
    l.match = l.levels + aligned(pmi_levels_scratch_bytes(n));
    const uint64_t piece = pmi_min(piece_blocks(device), pmi_nodes_blocks(n));
    const uint64_t of_sequence = l.match + piece * PM_NODES_BLOCK * sizeof(uint32_t);
    const uint64_t of_monoid = l.monoid + pmi_monoid_scratch_bytes(monoid, nodes);
    l.end = of_sequence > of_monoid ? of_sequence : of_monoid;
    return l;
}

uint64_t pmi_tree_scan_scratch_bytes(const pmi_device *device, const pmi_monoid_kernels *monoid, uint32_t n,
                                     uint32_t nodes) {
    return lay_out(device, monoid, n, nodes, 0).end;
}

static pmi_monoid_task monoid_task(const pmi_tree_scan *scan, const layout *l) {
    return (pmi_monoid_task){.nodes = scan->nodes,
                             .up = scan->up,
                             .exclusive = scan->exclusive,
                             .values = scan->values,
                             .results = scan->results,
                             .count = l->count,
                             .parents = l->parents,
                             .ends = l->ends,
                             .scratch = l->monoid};
}

uint32_t pmi_tree_scan_link_steps(const pmi_device *device, const pmi_tree_scan *scan) {
    return STEP_LINK + pmi_divide_up32(pmi_nodes_blocks(scan->n), piece_blocks(device));
}

/* The match of a piece, and the links of its nodes. */
static void record_piece(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                         const pmi_tree_scan *scan, const layout *l, pmi_levels_parameters levels,
                         pmi_nodes_parameters nodes, uint32_t piece) {
    const uint32_t ratio = PM_NODES_BLOCK / PM_TILE, tiles = pmi_levels_tiles(scan->n);
    const uint32_t first = piece * piece_blocks(device);
    const uint32_t blocks = pmi_min32(piece_blocks(device), pmi_nodes_blocks(scan->n) - first);
    pmi_levels_record_match(device, commands, scanner->levels, levels, first * ratio,
                            pmi_min32(blocks * ratio, tiles - first * ratio), l->match);
    pmi_shader_barrier(device, commands);
    pmi_nodes_record_link(device, commands, scanner->nodes, nodes, first, blocks, l->match);
}

static void record_links(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                         const pmi_tree_scan *scan, const layout *l, uint32_t step) {
    const uint32_t blocks = pmi_nodes_blocks(scan->n);
    const pmi_levels_parameters levels = pmi_levels_parameters_make(scan->n, scan->parens, l->levels, l->summary);
    const pmi_nodes_parameters nodes = {.parens = scan->parens,
                                        .word_rank = l->word_rank,
                                        .block_rank = l->block_rank,
                                        .count = l->count,
                                        .parents = l->parents,
                                        .ends = l->ends,
                                        .n = scan->n,
                                        .nodes = scan->nodes,
                                        .blocks = blocks};
    if (step == STEP_REDUCE) {
        pmi_levels_record_reduce(device, commands, scanner->levels, levels, 0, levels.superblocks);
        pmi_nodes_record_count(device, commands, scanner->nodes, nodes, 0, blocks);
    } else if (step == STEP_SCAN) {
        pmi_levels_record_scan(device, commands, scanner->levels, levels);
        pmi_nodes_record_scan(device, commands, scanner->nodes, nodes);
    } else if (step == STEP_RANK) {
        pmi_nodes_record_rank(device, commands, scanner->nodes, nodes, 0, blocks);
    } else {
        record_piece(device, commands, scanner, scan, l, levels, nodes, step - STEP_LINK);
    }
}

uint32_t pmi_tree_scan_steps(const pmi_device *device, const pmi_tree_scanner *scanner, const pmi_tree_scan *scan) {
    const pmi_monoid_task task = {.nodes = scan->nodes, .up = scan->up};
    return pmi_tree_scan_link_steps(device, scan) + pmi_monoid_steps(scanner->monoid, &task);
}

void pmi_tree_scan_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                               const pmi_tree_scan *scan, uint32_t step) {
    const layout l = lay_out(device, scanner->monoid, scan->n, scan->nodes, scan->scratch);
    const pmi_monoid_task task = monoid_task(scan, &l);
    const uint32_t linked = pmi_tree_scan_link_steps(device, scan);
    if (step > 0)
        pmi_shader_barrier(device, commands);
    if (step < linked)
        record_links(device, commands, scanner, scan, &l, step);
    else
        pmi_monoid_record_step(device, commands, scanner->monoid, &task, step - linked);
}

void pmi_tree_scan_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                          const pmi_tree_scan *scan) {
    const uint32_t steps = pmi_tree_scan_steps(device, scanner, scan);
    for (uint32_t step = 0; step < steps; step++)
        pmi_tree_scan_record_step(device, commands, scanner, scan, step);
}
