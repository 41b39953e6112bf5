/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenes for tests and benchmarks, by name; the only place that makes them. The same name, n and seed give the same
 * scene on every machine.
 *
 *   NODES:LEAVES:FAMILY  LEAVES per cent of the elements, anywhere; the others are a family of families.h, whose
 *                        opens are all "clips", all "blends", or either with equal chance, "mixed"
 *   wide                 one blend with n - 2 leaves
 *   cards                clip, leaf, leaf, end, and again
 *   kinds                any kind of the four at every element
 *   file:PATH            a scene that `parenmatch boxes --binary` has written, again and again
 */
#ifndef PM_INPUTS_SCENES_H
#define PM_INPUTS_SCENES_H

#include "parenmatch.h"

/* Fills n kinds, and n boxes of which few are empty where the scene is not deep. False for an unknown name, or
 * where there is no memory. */
bool scene_fill(const char *name, uint64_t seed, size_t n, uint8_t *kinds, pm_box *boxes);

/* Names that cover the scenes, for loops over all of them; ends with NULL. */
extern const char *const scene_names[];

/* A box whose coordinates are few, so that many are equal, and some NaN, infinite, or zero of either sign. */
pm_box scene_odd_box(uint64_t *state);

#endif
