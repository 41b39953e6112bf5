/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of scenes: one thread against the definition, slices against one thread.
 *
 * Input: elements of a slice, less 1; then a byte for each element: its kind in the two lowest bits, and which odd box
 * it has in the others.
 */
#include <string.h>

#include "cpu/boxes/boxes.h"
#include "inputs/scenes.h"
#include "tests/boxes/definition.h"
#include "tests/fuzz/fuzz.h"

enum {
    DEFINED_MAX = 64, /* elements that the definition takes which looks above and below each of them */
    N_MAX = 4096
};

static void *allocate_plainly(size_t size, void *user) {
    (void)user;
    return malloc(size);
}

static void free_plainly(void *block, void *user) {
    (void)user;
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size - 1 > N_MAX)
        return 0;
    const size_t n = size - 1, bytes = n * sizeof(pm_box);
    uint8_t *kinds = fuzz_allocate(n, 1);
    pm_box *boxes = fuzz_allocate(n, sizeof *boxes), *expected = fuzz_allocate(n, sizeof *expected);
    for (size_t i = 0; i < n; i++) {
        uint64_t which = data[i + 1] >> 2;
        kinds[i] = data[i + 1] & 3;
        boxes[i] = scene_odd_box(&which);
    }
    fuzz_require(pm_box_seq(NULL, kinds, boxes, n, expected) == PM_OK, "seq");
    pm_box *defined = fuzz_allocate(n, sizeof *defined);
    definition_boxes_long(kinds, boxes, n, defined);
    fuzz_require(memcmp(expected, defined, bytes) == 0, "seq");
    if (n <= DEFINED_MAX) {
        definition_boxes(kinds, boxes, n, defined);
        fuzz_require(memcmp(expected, defined, bytes) == 0, "seq, read aloud");
    }
    free(defined);
    const pm_allocator allocator = {allocate_plainly, free_plainly, NULL};
    const pmi_slice_plan plan = {.threads = 1, .slice_size = (size_t)data[0] + 1, .survivors_max = n};
    fuzz_require(pmi_omp_boxes(&allocator, &plan, &(pmi_scene){kinds, boxes, n, boxes}) == PM_OK, "slices");
    fuzz_require(memcmp(boxes, expected, bytes) == 0, "slices");
    free(expected);
    free(boxes);
    free(kinds);
    return 0;
}
