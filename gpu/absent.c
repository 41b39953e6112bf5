/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU backend of a build without one (PM_GPU=OFF): there is never a device. */
#include "gpu/gpu.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

pm_status pmi_gpu_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_gpu **gpu) {
    *gpu = NULL;
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_match(pmi_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_match_batch(pmi_gpu *gpu, const pmi_gpu_batch *batch) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_boxes(pmi_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    return PM_NO_DEVICE;
}

bool pmi_gpu_has_boxes(const pmi_gpu *gpu) {
    return false;
}

pm_status pmi_gpu_scan(pmi_gpu *gpu, const pmi_gpu_tree *tree) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_find(pmi_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, uint64_t *found) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_delimiters(pmi_gpu *gpu, const struct pmi_dfa *machine, const char *text, uint32_t n,
                             const pmi_gpu_tokens *arrays, pm_text_summary *summary) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_json_index(pmi_gpu *gpu, const char *text, uint32_t n, pmi_gpu_json *json) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_resident_create(pmi_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident) {
    return PM_NO_DEVICE;
}

void pmi_gpu_resident_destroy(pm_resident *resident) {}

pm_status pmi_gpu_resident_create_batch(pmi_gpu *gpu, uint64_t n, uint64_t count, pm_resident **resident) {
    return PM_NO_DEVICE;
}

const pmi_gpu_resident_shape *pmi_gpu_resident_shape_of(const pm_resident *resident) {
    static const pmi_gpu_resident_shape nothing;
    return &nothing;
}

pm_status pmi_gpu_resident_load_batch(pm_resident *resident, const pmi_gpu_batch *batch, uint64_t base) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_resident_read_totals(pm_resident *resident, uint64_t first, uint64_t count, pm_bic *totals) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_resident_load(pm_resident *resident, const uint64_t *parens) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_resident_match(pm_resident *resident, pm_bic *total) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    return PM_NO_DEVICE;
}

pm_status pmi_gpu_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info) {
    return PM_NO_DEVICE;
}

const char *pmi_gpu_key(const pmi_gpu *gpu) {
    return "";
}

const char *pmi_gpu_kind(const pmi_gpu *gpu) {
    return "";
}

void pmi_gpu_close(pmi_gpu *gpu) {}
