/* SPDX-License-Identifier: Apache-2.0 */
/* Values for the nodes of trees whose scans are timed, on the CPU and on a device alike. */
#ifndef PM_BENCH_SUITES_TREE_VALUES_H
#define PM_BENCH_SUITES_TREE_VALUES_H

#include "parenmatch.h"

/* Fills values of a ready-made monoid, one for each node, on which nothing is rounded: any numbers, whole boxes, and
 * quarter turns about two axes. */
void tree_values_fill(const pm_monoid *monoid, uint64_t seed, size_t nodes, unsigned char *values);

#endif
