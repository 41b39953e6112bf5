/* SPDX-License-Identifier: Apache-2.0 */
/* The length of slices of short scenes, and their dispatches. */
#include "gpu/boxes/boxes.h"
#include "shaders/spv/boxes.h"

enum {
    SLICE_TEAMS = 16, /* a power of two, at most 32 */
    SHORT_TEAMS = 4   /* of a short slice: the fewer, the less they wait for each other */
};

_Static_assert(sizeof(pmi_boxes_slices_parameters) <= PM_PUSH_BYTES, "parameters fit");

/* ---- Creating ---- */

static bool slice_fits(const pmi_device *device, uint32_t slice) {
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    const uint32_t each = PM_BOXES_SLICE_BYTES + (subgroups ? 0 : PM_BOXES_SLICE_EXCHANGE_BYTES);
    return slice <= device->can.workgroup_invocations &&
           (!subgroups || slice / PM_LANES <= device->can.workgroup_teams) &&
           slice * each + PM_BOXES_SLICE_MORE <= device->can.workgroup_bytes;
}

/* If block_tiles is set, there are no slices. */
static uint32_t slice_of(const pmi_device *device) {
    uint32_t slice = device->can.block_tiles > 0 ? 0 : SLICE_TEAMS * PM_LANES;
    while (slice > 0 && !slice_fits(device, slice))
        slice /= 2;
    return slice >= PM_BOXES_SLICES_FEW ? slice : 0;
}

static pm_status kernel_create(const pmi_device *device, pmi_shader subgroup, pmi_shader workgroup, uint32_t slice,
                               uint32_t slices, pmi_kernel *kernel) {
    const pmi_constant constants[] = {
        {PM_CONSTANT_SLICE, slice}, {PM_CONSTANT_SLICES, slices}, {PM_CONSTANT_WORKGROUP, slice}};
    return device->can.team_kind == PM_TEAM_SUBGROUP
               ? pmi_kernel_create_with(device, subgroup, slice / PM_LANES, constants, 2, kernel)
               : pmi_kernel_create_with(device, workgroup, 0, constants, 3, kernel);
}

pm_status pmi_boxes_slices_create(const pmi_device *device, pmi_boxes_slices *slices) {
    const uint32_t slice = slice_of(device);
    *slices = (pmi_boxes_slices){.slice = slice, .short_slice = pmi_min32(SHORT_TEAMS * PM_LANES, slice)};
    pm_status status = PM_OK;
#define CREATE(kernel, stage, length, slices_most)                                                                     \
    if (status == PM_OK && slice > 0)                                                                                  \
        status = kernel_create(device, PM_SHADER(spv_boxes_slices_##stage##_subgroup),                                 \
                               PM_SHADER(spv_boxes_slices_##stage##_workgroup), length, slices_most, &slices->kernel);
    CREATE(reduce, reduce, slice, PM_BOXES_SLICES_FEW)
    CREATE(match, match, slice, PM_BOXES_SLICES_FEW)
    CREATE(fix, fix, slice, PM_BOXES_SLICES_FEW)
    CREATE(reduce_blends, blends_reduce, slice, PM_BOXES_SLICES_FEW)
    CREATE(match_blends, blends_match, slice, PM_BOXES_SLICES_FEW)
    CREATE(match_many, match, slice, slice * PM_BOXES_OWN_SLICES)
    CREATE(fix_many, fix, slice, slice * PM_BOXES_OWN_SLICES)
    CREATE(match_direct, direct, slice, PM_BOXES_SLICES_DIRECT)
    CREATE(match_short, direct, slices->short_slice, PM_BOXES_SLICES_DIRECT)
    CREATE(fix_short, fix, slices->short_slice, PM_BOXES_SLICES_FEW)
#undef CREATE
    if (status != PM_OK)
        pmi_boxes_slices_destroy(device, slices);
    return status;
}

void pmi_boxes_slices_destroy(const pmi_device *device, pmi_boxes_slices *slices) {
    pmi_kernel_destroy(device, &slices->reduce);
    pmi_kernel_destroy(device, &slices->match);
    pmi_kernel_destroy(device, &slices->fix);
    pmi_kernel_destroy(device, &slices->reduce_blends);
    pmi_kernel_destroy(device, &slices->match_blends);
    pmi_kernel_destroy(device, &slices->match_many);
    pmi_kernel_destroy(device, &slices->fix_many);
    pmi_kernel_destroy(device, &slices->match_direct);
    pmi_kernel_destroy(device, &slices->match_short);
    pmi_kernel_destroy(device, &slices->fix_short);
}

/* ---- Sizes ---- */

/* Slices that begin before an element. */
static uint32_t slices_before(uint32_t slice, uint32_t element) {
    return (element + slice - 1) / slice;
}

/* Lays out the scratch; returns its end in units of 16 bytes. */
static uint32_t scratch_lay_out(uint32_t slice, uint32_t n, pmi_boxes_slices_parameters *p) {
    const uint32_t count = slices_before(slice, n), all = count * slice;
    p->n = n;
    p->slices = count;
    p->slice_record_part = 0;
    p->slice_survivors_part = (count * 8 + 15) / 16;
    p->slice_clipped_part = p->slice_survivors_part + all / 4;
    p->blend_closed_part = p->slice_clipped_part + all;
    p->slice_covered_part = p->blend_closed_part + all / 4;
    return p->slice_covered_part + count;
}

/* Is a scene of n elements one of short slices, as long as nothing is promised? */
static bool are_short(const pmi_boxes_slices *slices, uint32_t n) {
    return n <= slices->short_slice * PM_BOXES_SLICES_DIRECT;
}

uint64_t pmi_boxes_slices_scratch_bytes(const pmi_boxes_slices *slices, uint32_t n) {
    pmi_boxes_slices_parameters parameters;
    const uint64_t fours = scratch_lay_out(slices->slice, n, &parameters);
    const uint64_t of_short = are_short(slices, n) ? scratch_lay_out(slices->short_slice, n, &parameters) : 0;
    return (of_short > fours ? of_short : fours) * 16;
}

uint32_t pmi_boxes_slice_of(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene) {
    return are_short(slices, scene->n) && !(scene->lacks & PM_BOXES_NO_CLIPS) ? slices->short_slice : slices->slice;
}

pmi_boxes_slices_parameters pmi_boxes_slices_parameters_make(const pmi_boxes_slices *slices,
                                                             const pmi_boxes_scene *scene) {
    pmi_boxes_slices_parameters parameters = {
        .kinds = scene->kinds, .boxes = scene->boxes, .results = scene->results, .scratch = scene->scratch};
    scratch_lay_out(pmi_boxes_slice_of(slices, scene), scene->n, &parameters);
    return parameters;
}

/* ---- Recording ---- */

static uint32_t count_of(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene) {
    return slices_before(pmi_boxes_slice_of(slices, scene), scene->n);
}

static bool has_many(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene) {
    return count_of(slices, scene) > PM_BOXES_SLICES_FEW;
}

bool pmi_boxes_slices_have_no_clips(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene) {
    return (scene->lacks & PM_BOXES_NO_CLIPS) && !has_many(slices, scene);
}

/* Needs match no stage before? */
static bool are_direct(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene) {
    return !(scene->lacks & PM_BOXES_NO_CLIPS) && count_of(slices, scene) <= PM_BOXES_SLICES_DIRECT;
}

bool pmi_boxes_slices_has_stage(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene, pmi_boxes_stage stage) {
    if (stage == PM_BOXES_MATCH)
        return true;
    if (stage == PM_BOXES_FIX && ((scene->lacks & PM_BOXES_NO_BLENDS) || pmi_boxes_slices_have_no_clips(slices, scene)))
        return false;
    if (stage == PM_BOXES_SCAN && are_direct(slices, scene))
        return false;
    return stage != PM_BOXES_REDUCE && count_of(slices, scene) > 1;
}

static const pmi_kernel *kernel_of(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene,
                                   pmi_boxes_stage stage) {
    const bool many = has_many(slices, scene), is_match = stage == PM_BOXES_MATCH;
    if (pmi_boxes_slices_have_no_clips(slices, scene))
        return is_match ? &slices->match_blends : &slices->reduce_blends;
    if (stage == PM_BOXES_SCAN)
        return &slices->reduce;
    if (are_short(slices, scene->n))
        return is_match ? &slices->match_short : &slices->fix_short;
    if (is_match && are_direct(slices, scene))
        return &slices->match_direct;
    if (is_match)
        return many ? &slices->match_many : &slices->match;
    return many ? &slices->fix_many : &slices->fix;
}

void pmi_boxes_slices_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes_slices *slices,
                             const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count) {
    pmi_boxes_slices_parameters parameters = pmi_boxes_slices_parameters_make(slices, scene);
    if (!pmi_boxes_slices_has_stage(slices, scene, stage))
        return;
    uint32_t end = parameters.slices;
    if (stage == PM_BOXES_MATCH) {
        const uint32_t slice = pmi_boxes_slice_of(slices, scene);
        const uint32_t until = slices_before(slice, (first + count) * PM_BOXES_TILE);
        parameters.first = slices_before(slice, first * PM_BOXES_TILE);
        end = until < end ? until : end;
    }
    if (parameters.first >= end)
        return;
    const pmi_kernel *const kernel = kernel_of(slices, scene, stage);
    pmi_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters, end - parameters.first);
}
