/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan of the tree of a sequence on a device, for any monoid: the match, the nodes' parents and ends, and the
 * monoid's stages. Sizes and recording only; it allocates, submits and waits for nothing.
 */
#ifndef PM_GPU_TREES_SCAN_H
#define PM_GPU_TREES_SCAN_H

#include "gpu/match/levels.h"
#include "gpu/trees/monoid.h"
#include "gpu/trees/nodes.h"

#define PM_TREE_SCAN_N_MAX 0x7fffffffu

/* The kernels. */
typedef struct pmi_tree_scanner {
    const pmi_levels *levels;
    const pmi_nodes *nodes;
    const pmi_monoid_kernels *monoid;
} pmi_tree_scanner;

/* A tree on a device, by addresses, all aligned to 16 bytes. */
typedef struct pmi_tree_scan {
    uint32_t n;     /* > 0 elements, at most PM_TREE_SCAN_N_MAX */
    uint32_t nodes; /* > 0 opens, of which the first ones are used if there are more */
    bool up, exclusive;
    uint64_t parens;          /* n bits; no 32-bit word without one of them is read */
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t scratch;         /* pmi_tree_scan_scratch_bytes(); contents undefined before and after */
} pmi_tree_scan;

/* Bytes of scratch, up or down. */
uint64_t pmi_tree_scan_scratch_bytes(const pmi_device *device, const pmi_monoid_kernels *monoid, uint32_t n,
                                     uint32_t nodes);

/* The number of steps, and recording one of them. Steps are in order; each has the barriers before it and inside it, so
 * that it may be a submission of its own. They read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
uint32_t pmi_tree_scan_steps(const pmi_device *device, const pmi_tree_scanner *scanner, const pmi_tree_scan *scan);
/* The number of first steps that are the same for every monoid. */
uint32_t pmi_tree_scan_link_steps(const pmi_device *device, const pmi_tree_scan *scan);
void pmi_tree_scan_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                               const pmi_tree_scan *scan, uint32_t step);

/* Records all steps. */
void pmi_tree_scan_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                          const pmi_tree_scan *scan);

#endif
