/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that devices do from host memory to host memory, each feature in gpu/FEATURE/host.c. Arguments have been
 * checked. Once a device is lost, every call returns PM_DEVICE_LOST. */
#ifndef PM_GPU_GPU_H
#define PM_GPU_GPU_H

#include "gpu/device/settings.h"

typedef struct pmi_gpu pmi_gpu;

/* Opens the device, or all that the settings list. *gpu must be given to pmi_gpu_close(). Copies the allocator, both of
 * whose functions are set. PM_NO_DEVICE or PM_OUT_OF_MEMORY, with *gpu NULL. */
pm_status pmi_gpu_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_gpu **gpu);

/*
 * As pm_match_gpu(), with 0 < n < 2^32. For measuring, parts can be left out. parens NULL: the sequence is the last
 * call's, with as many elements, and is not uploaded again. match NULL: the match is not downloaded; its chunks
 * overwrite each other, and the total is undefined.
 */
pm_status pmi_gpu_match(pmi_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* Many sequences of fewer than 2^32 elements in all. */
typedef struct pmi_gpu_batch {
    const uint64_t *parens, *offsets; /* as pm_match_batch_gpu() has them; offsets[0] is less than 64 */
    size_t count;                     /* 0 < count < 2^31 */
    uint32_t *match;                  /* nothing before offsets[0] is written; not read where the batch stays */
    pm_bic *totals;                   /* NULL: not wanted; not read where the batch stays */
} pmi_gpu_batch;

/* As pm_match_batch_gpu(), for at least one element. */
pm_status pmi_gpu_match_batch(pmi_gpu *gpu, const pmi_gpu_batch *batch);

/* As pm_box_gpu(). PM_TOO_LARGE for more than PM_BOXES_N_MAX elements. */
pm_status pmi_gpu_boxes(pmi_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Do the kernels for boxes exist? If not, the next call creates them. */
bool pmi_gpu_has_boxes(const pmi_gpu *gpu);

/* A tree of n elements, and a scan of its nodes' values. */
typedef struct pmi_gpu_tree {
    const uint64_t *parens;
    size_t n;
    size_t nodes; /* opens among the elements */
    const pm_gpu_monoid *monoid;
    bool up;        /* else down */
    bool exclusive; /* down, without a node's own value */
    const void *values;
    void *out;
} pmi_gpu_tree;

/* As pm_tree_scan_down_gpu() and pm_tree_reduce_up_gpu(). */
pm_status pmi_gpu_scan(pmi_gpu *gpu, const pmi_gpu_tree *tree);

struct pm_dict;

/* As pm_find_gpu(), with n > 0 and at least one pattern. */
pm_status pmi_gpu_find(pmi_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, uint64_t *found);

struct pmi_dfa;

/* Where tokens go: as pm_text_arrays. */
typedef struct pmi_gpu_tokens {
    size_t capacity;
    uint64_t *parens;
    void *positions; /* of 32 bits */
    uint32_t *lengths, *kinds, *match;
} pmi_gpu_tokens;

/* As pm_text_scan_gpu(), with the DFA of the language and n > 0. */
pm_status pmi_gpu_delimiters(pmi_gpu *gpu, const struct pmi_dfa *machine, const char *text, uint32_t n,
                             const pmi_gpu_tokens *tokens, pm_text_summary *summary);

/* Where the index of a JSON text goes: as struct pm_json has it. */
typedef struct pmi_gpu_json {
    uint64_t *tokens, *brackets; /* with whole eights of words, as `before` */
    uint32_t *before;
    uint32_t *(*partners)(void *user, uint32_t brackets); /* makes room for them; NULL: there is no memory */
    void *user;
    uint32_t token_count;
} pmi_gpu_json;

/* As pm_json_read_gpu(), with n > 0, but PM_CORRUPT does not come with a fault. */
pm_status pmi_gpu_json_index(pmi_gpu *gpu, const char *text, uint32_t n, pmi_gpu_json *json);

/* ---- A sequence and its match that stay on the devices, a slice on each ---- */

/* Creates buffers for a sequence of fewer than 2^32 elements. Device k has lengths[k] of them, a multiple of
 * PM_SUPERBLOCK, except the last device that has any. lengths NULL: equal slices of whole superblocks, each of at least
 * pmi_gpu_settings.slice_elements. The devices must outlive it. PM_OUT_OF_MEMORY; PM_DEVICE_LOST. */
pm_status pmi_gpu_resident_create(pmi_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident);

/* The same for at most `count` sequences of n < 2^32 elements in all, n > 0 and count < 2^31, on the first device. */
pm_status pmi_gpu_resident_create_batch(pmi_gpu *gpu, uint64_t n, uint64_t count, pm_resident **resident);
void pmi_gpu_resident_destroy(pm_resident *resident);

/* What is there. */
typedef struct pmi_gpu_resident_shape {
    const pm_allocator *allocator; /* of the devices */
    bool of_batch;                 /* many sequences */
    uint64_t n_most, count_most;   /* elements and sequences that there is room for */
    uint64_t first, n;             /* the elements: from `first` on, n */
    uint64_t count;                /* sequences loaded */
} pmi_gpu_resident_shape;

const pmi_gpu_resident_shape *pmi_gpu_resident_shape_of(const pm_resident *resident);

/* As pm_resident_load(), pm_resident_match() and pm_resident_read(). */
pm_status pmi_gpu_resident_load(pm_resident *resident, const uint64_t *parens);
pm_status pmi_gpu_resident_match(pm_resident *resident, pm_bic *total);
pm_status pmi_gpu_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match);

/* As pm_resident_load_batch(), with what fits: the offsets count from element `base` on, where parens begin. offsets
 * NULL: `count` sequences are all empty. */
pm_status pmi_gpu_resident_load_batch(pm_resident *resident, const pmi_gpu_batch *batch, uint64_t base);

/* As pm_resident_read_totals(). */
pm_status pmi_gpu_resident_read_totals(pm_resident *resident, uint64_t first, uint64_t count, pm_bic *totals);

/* ---- What the devices are ---- */

/* As pm_device_at(), with settings->allow_cpu_device; does not change struct_size. */
pm_status pmi_gpu_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info);

/* The first device's UUID and driver version: 32 and 8 hexadecimal digits, with a hyphen between them. */
const char *pmi_gpu_key(const pmi_gpu *gpu);

/* The first device's kind: "discrete", "integrated", "virtual", "cpu" or "other". */
const char *pmi_gpu_kind(const pmi_gpu *gpu);

/* The first device, for tests that make it fail. */
struct pmi_device *pmi_gpu_device(pmi_gpu *gpu);

/* NULL is allowed. */
void pmi_gpu_close(pmi_gpu *gpu);

#endif
