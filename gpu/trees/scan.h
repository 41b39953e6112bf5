/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan of the tree of a sequence that is on a device, for any monoid: match, then nodes' parents and ends, then the
 * monoid's stages. Sizes and recording only; it allocates, submits and waits for nothing.
 */
#ifndef PM_GPU_TREES_SCAN_H
#define PM_GPU_TREES_SCAN_H

#include "gpu/match/levels.h"
#include "gpu/trees/monoid.h"
#include "gpu/trees/nodes.h"

#define PM_TREE_SCAN_N_MAX 0x7fffffffu

/* What it takes. */
typedef struct pmi_tree_scanner {
    const pmi_levels *levels;
    const pmi_nodes *nodes;
    const pmi_monoid_kernels *monoid;
} pmi_tree_scanner;

/* A tree on a device, by addresses, all aligned to 16 bytes. */
typedef struct pmi_tree_scan {
    uint32_t n;     /* > 0 elements, at most PM_TREE_SCAN_N_MAX */
    uint32_t nodes; /* > 0 of them are opens, or more are, of which the first so many count */
    bool up, exclusive;
    uint64_t parens;          /* n bits; no 32-bit word without one of them is read */
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t scratch;         /* pmi_tree_scan_scratch_bytes(); whatever they hold */
} pmi_tree_scan;

/* Bytes of scratch, for either way. */
uint64_t pmi_tree_scan_scratch_bytes(const pmi_device *device, const pmi_monoid_kernels *monoid, uint32_t n,
                                     uint32_t nodes);

/* How many steps there are, and one of them. They are recorded in order, each with barriers before it and inside, so
 * that each may be a submission of its own. They read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
uint32_t pmi_tree_scan_steps(const pmi_device *device, const pmi_tree_scanner *scanner, const pmi_tree_scan *scan);
/* Those of them, the first ones, that are the same for every monoid. */
uint32_t pmi_tree_scan_link_steps(const pmi_device *device, const pmi_tree_scan *scan);
void pmi_tree_scan_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                               const pmi_tree_scan *scan, uint32_t step);

/* All of them. */
void pmi_tree_scan_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                          const pmi_tree_scan *scan);

#endif
