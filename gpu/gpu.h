/* SPDX-License-Identifier: Apache-2.0 */
/* Matching, boxes, scans of trees and searches on a device, from host memory to host memory. */
#ifndef PM_GPU_GPU_H
#define PM_GPU_GPU_H

#include "gpu/device/settings.h"

typedef struct pmi_gpu pmi_gpu;

/* Opens the device, or all that the settings list; *gpu is to be given to pmi_gpu_close(), and is NULL on failure
 * (PM_NO_DEVICE, PM_OUT_OF_MEMORY). The allocator, both of whose functions are set, is copied. */
pm_status pmi_gpu_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_gpu **gpu);

/*
 * As pm_match_gpu(), with 0 < n < 2^32, arguments checked. After PM_DEVICE_LOST every call returns that.
 * For measuring there is less: parens NULL, the sequence is the last call's, of as many elements, and goes up no more;
 * match NULL, the match stays on the device, where its chunks overwrite each other, and the total means nothing.
 */
pm_status pmi_gpu_match(pmi_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* As pm_box_gpu(), likewise; more than PM_BOXES_N_MAX elements are PM_TOO_LARGE. */
pm_status pmi_gpu_boxes(pmi_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Are the kernels for that made? Else its next call makes them. */
bool pmi_gpu_has_boxes(const pmi_gpu *gpu);

/* A tree of n elements and what is to be done with the values of its nodes. */
typedef struct pmi_gpu_tree {
    const uint64_t *parens;
    size_t n;
    size_t nodes; /* so many of the elements are opens */
    const pm_gpu_monoid *monoid;
    bool up;        /* or down: */
    bool exclusive; /* without a node's own value */
    const void *values;
    void *out;
} pmi_gpu_tree;

/* As pm_tree_scan_down_gpu() and pm_tree_reduce_up_gpu(), likewise. */
pm_status pmi_gpu_scan(pmi_gpu *gpu, const pmi_gpu_tree *tree);

struct pm_dict;

/* As pm_find_gpu(), with n > 0 and a pattern at least, arguments checked. After PM_DEVICE_LOST every call returns that.
 */
pm_status pmi_gpu_find(pmi_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, uint64_t *found);

struct pmi_dfa;

/* As pm_delimiters_scan_gpu(), by the machine of its rules, with n > 0, arguments checked. After PM_DEVICE_LOST every
 * call returns that. */
pm_status pmi_gpu_structure(pmi_gpu *gpu, const struct pmi_dfa *machine, const char *text, uint32_t n,
                            const pm_delimiters_arrays *arrays, pm_delimiters_summary *summary);

/* As pm_device_at(), by settings->allow_cpu_device; struct_size is left alone. */
pm_status pmi_gpu_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info);

/* Of the first device, as what follows: its UUID and its driver's version, 32 and 8 hexadecimal digits with a hyphen
 * between them. */
const char *pmi_gpu_key(const pmi_gpu *gpu);

/* "discrete", "integrated", "virtual", "cpu" or "other". */
const char *pmi_gpu_kind(const pmi_gpu *gpu);

/* The device that is open, for tests, which have it fail. */
struct pmi_device *pmi_gpu_device(pmi_gpu *gpu);

/* Closes a pmi_gpu; NULL is fine. */
void pmi_gpu_close(pmi_gpu *gpu);

#endif
