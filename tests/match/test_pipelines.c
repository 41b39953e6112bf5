/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipelines beside `levels`, on whatever Vulkan device there is, under the validation layer where that is
 * installed. Skipped (77) where there is no device. Most tests are made with workgroups as small as they can be, so
 * that the limits are near. test_pipelines any [PATTERN]   PATTERN: of the names of the tests to run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/match_stages.h"
#include "tests/support/unit.h"

enum {
    INVOCATIONS = 64, /* of small workgroups */
    REACH = 1 << 18   /* elements */
};

/* A pipeline under test: opened once, because a software renderer compiles slowly. */
typedef struct tested {
    pmi_pipeline_id id;
    pmi_gpu *gpu;              /* as it comes */
    pmi_gpu *small;            /* with small workgroups, and slots as small as can be */
    match_stages stages;       /* with small workgroups */
    uint32_t partition, limit; /* elements, with small workgroups */
    uint32_t reach;            /* the limit, or what is tested */
} tested;

enum {
    DIRECT,
    SIMPLE,
    WORK_EFFICIENT,
    LOOKBACK,
    TESTED
};
static tested pipelines[TESTED] = {
    [DIRECT] = {.id = PM_PIPELINE_DIRECT},
    [SIMPLE] = {.id = PM_PIPELINE_SIMPLE},
    [WORK_EFFICIENT] = {.id = PM_PIPELINE_WORK_EFFICIENT},
    [LOOKBACK] = {.id = PM_PIPELINE_LOOKBACK},
};

/* ---- Against the oracle ---- */

TEST(test_every_string_to_8) {
    for (size_t t = 0; t < TESTED; t++)
        for (size_t n = 1; n <= 8; n++)
            for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
                check_match(pipelines[t].small, &bits, n, pm_pipeline_at(pipelines[t].id)->name);
}

TEST(test_families_around_blocks) {
    for (size_t t = 0; t < TESTED; t++) {
        const size_t partition = pipelines[t].partition;
        const size_t edges[] = {32, 64, partition, 2 * partition, 5 * partition, INVOCATIONS * partition};
        for (const char *const *name = family_names; *name; name++)
            for (size_t e = 0; e < COUNT_OF(edges); e++)
                for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                    if (n <= pipelines[t].reach)
                        check_family(pipelines[t].small, *name, n, n);
    }
}

TEST(test_random_sizes) {
    uint64_t seed = 5;
    for (size_t t = 0; t < TESTED; t++)
        for (int round = 0; round < 60; round++) {
            const size_t bound = pipelines[t].reach >> random_below(&seed, 10);
            const size_t n = 1 + random_below(&seed, bound);
            uint64_t *const parens = wandering_make(&seed, n);
            check_match(pipelines[t].small, parens, n, pm_pipeline_at(pipelines[t].id)->name);
            free(parens);
        }
}

/* All the way to the limit, or far: what is at the end may have its match at the begin. */
TEST(test_families_that_reach) {
    for (size_t t = 0; t < TESTED; t++)
        for (const char *const *name = family_names; *name; name++)
            check_family(pipelines[t].small, *name, t, pipelines[t].reach);
}

/* The limits are those that the headers tell, w^2 k^2 or w k. */
TEST(test_limits_as_told) {
    assert_int_equal(pipelines[DIRECT].limit, INVOCATIONS * 128);
    assert_int_equal(pipelines[SIMPLE].limit, INVOCATIONS * INVOCATIONS);
    assert_int_equal(pipelines[WORK_EFFICIENT].limit, 64 * INVOCATIONS * INVOCATIONS);
    const pmi_device *const device = &pipelines[DIRECT].stages.host.device;
    if (device->can.workgroup_invocations < 512 || device->can.workgroup_bytes < 32768)
        return;
    static const unsigned logs[] = {[DIRECT] = 16, [SIMPLE] = 18, [WORK_EFFICIENT] = 24};
    pmi_device roomy = *device;
    roomy.can.partition_invocations = 0;
    for (size_t t = 0; t < COUNT_OF(logs); t++) {
        pmi_pipeline pipeline;
        assert_ok(pmi_pipeline_create(&roomy, pipelines[t].id, &pipeline));
        assert_int_equal(pmi_pipeline_limit(&pipeline), UINT64_C(1) << logs[t]);
        pmi_pipeline_destroy(&roomy, &pipeline);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL kernels_none(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *callbacks, VkPipeline *kernels) {
    (void)device, (void)cache, (void)infos, (void)callbacks;
    for (uint32_t k = 0; k < count; k++)
        kernels[k] = VK_NULL_HANDLE;
    return VK_SUCCESS;
}

/* Workgroups of little memory and few invocations get smaller partitions. */
TEST(test_small_devices) {
    pmi_device small = pipelines[DIRECT].stages.host.device;
    small.can.partition_invocations = 0;
    small.can.workgroup_invocations = 128; /* what every device has */
    small.can.workgroup_bytes = 16384;
    for (size_t t = 0; t < TESTED; t++) {
        pmi_pipeline pipeline;
        assert_ok(pmi_pipeline_create(&small, pipelines[t].id, &pipeline));
        assert_true(pmi_pipeline_limit(&pipeline) >= 16384);
        pmi_pipeline_destroy(&small, &pipeline);
    }
    pmi_device large = small; /* and none gets larger ones than numbers have room for */
    large.can.partition_invocations = 1u << 20;
    large.can.workgroup_invocations = 1u << 20;
    large.can.workgroup_bytes = 1u << 30;
    static const uint32_t most[TESTED] = {
        [DIRECT] = 65536, [SIMPLE] = 32768, [WORK_EFFICIENT] = 32768, [LOOKBACK] = 16384};
    for (size_t t = 0; t < TESTED; t++) {
        large.vk = &large.instance.vk; /* whose driver makes nothing of it */
        large.instance.vk.CreateComputePipelines = kernels_none;
        pmi_pipeline pipeline;
        assert_ok(pmi_pipeline_create(&large, pipelines[t].id, &pipeline));
        assert_int_equal(pmi_pipeline_unit(&pipeline, PM_STAGE_MATCH), most[t]);
    }
    small.can.workgroup_invocations = 32;
    pmi_pipeline pipeline;
    assert_int_equal(pmi_pipeline_create(&small, PM_PIPELINE_SIMPLE, &pipeline), PM_UNSUPPORTED);
    assert_null(pipeline.kind);
}

/* Past the limit nothing is written. */
TEST(test_limits) {
    for (size_t t = 0; t < TESTED; t++) {
        const size_t limit = pipelines[t].limit;
        if (limit > REACH)
            continue;
        uint64_t *const parens = family_make("bits", 3, limit + 1);
        uint32_t match = 7;
        pm_bic total = {7, 7};
        assert_int_equal(pmi_gpu_match(pipelines[t].small, parens, limit + 1, &match, &total), PM_TOO_LARGE);
        assert_int_equal(pmi_gpu_match(pipelines[t].small, parens, UINT32_MAX, &match, &total), PM_TOO_LARGE);
        assert_int_equal(match, 7);
        assert_int_equal(total.close, 7);
        check_match(pipelines[t].small, parens, limit, "the limit, after too much");
        free(parens);
    }
}

/* The limit of lookback is what fits the device's largest allocation; here, of a device that allocates little. */
TEST(test_limit_by_memory) {
    match_stages little = pipelines[LOOKBACK].stages;
    for (uint64_t bytes = 1000; bytes < 1000000; bytes = bytes * 3 / 2) {
        pmi_lookback lookback;
        little.host.device.can.allocation_bytes = bytes;
        assert_ok(pmi_lookback_create(&little.host.device, &lookback));
        assert_true(lookback.limit == 0 || pmi_lookback_scratch_bytes(&lookback, (uint32_t)lookback.limit) <= bytes);
        assert_true(pmi_lookback_scratch_bytes(&lookback, (uint32_t)lookback.limit + 1) > bytes);
        pmi_lookback_destroy(&little.host.device, &lookback);
    }
    uint32_t match = 7;
    pm_bic total = {7, 7};
    const uint64_t parens = 5;
    if (pipelines[LOOKBACK].limit < UINT32_MAX)
        assert_int_equal(pmi_gpu_match(pipelines[LOOKBACK].gpu, &parens, UINT32_MAX, &match, &total), PM_TOO_LARGE);
}

/* Some partitions never publish their states, or only when all else is done, or none ever publishes anything. */
TEST(test_stalls) {
    static const struct {
        size_t every;
        bool late;
    } stalls[] = {{1, false}, {2, false}, {5, false}, {3, true}, {1, true}};
    for (size_t k = 0; k < COUNT_OF(stalls); k++) {
        const pmi_gpu_settings settings = {.pipeline = PM_PIPELINE_LOOKBACK,
                                           .workgroup_invocations = INVOCATIONS,
                                           .lookback_stall = stalls[k].every,
                                           .lookback_late = stalls[k].late};
        pmi_gpu *gpu;
        assert_ok(gpu_tests_open(settings, &gpu));
        for (const char *const *name = family_names; *name; name++)
            check_family(gpu, *name, k, 11 * pipelines[LOOKBACK].partition + 77);
        check_family(gpu, "bits", k, 70 * pipelines[LOOKBACK].partition + 1);
        pmi_gpu_close(gpu);
    }
}

/* Workgroups of their own size; for some buffers were larger once, and hold other sequences' leavings. */
TEST(test_sizes_that_shrink) {
    for (size_t t = 0; t < TESTED; t++)
        for (size_t n = 65536; n > 0; n /= 5) {
            check_family(pipelines[t].gpu, "bits", n, n);
            check_family(pipelines[t].gpu, "closes", n, n);
            check_family(pipelines[t].gpu, "opens", n, n);
        }
}

/* ---- Stage by stage ---- */

TEST(test_stages_and_their_twins) {
    for (size_t t = 0; t < TESTED; t++) {
        const uint32_t partition = pipelines[t].partition;
        const uint32_t sizes[] = {1, 33, partition, partition + 1, 2 * partition, 7 * partition - 5, 13 * partition};
        for (const char *const *name = family_names; *name; name++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                if (sizes[s] > pipelines[t].reach)
                    continue;
                uint64_t *const parens = family_make(*name, s, sizes[s]);
                char what[100];
                snprintf(what, sizeof what, "%s, %s", pm_pipeline_at(pipelines[t].id)->name, *name);
                match_stages_check(&pipelines[t].stages, parens, sizes[s], what);
                free(parens);
            }
    }
}

/* Links that lie further back than a workgroup can look at once, so that it gets there along other links. */
TEST(test_far_links_and_their_twins) {
    const uint32_t n = 3 * INVOCATIONS * pipelines[LOOKBACK].partition - 99;
    static const char *const families[] = {"drift", "saw:70000", "sparse:511"};
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        uint64_t *const parens = family_make(families[f], f, n);
        match_stages_check(&pipelines[LOOKBACK].stages, parens, n, families[f]);
        free(parens);
    }
    uint64_t seed = 11;
    for (int round = 0; round < 4; round++) {
        uint64_t *const parens = wandering_make(&seed, n);
        match_stages_check(&pipelines[LOOKBACK].stages, parens, n, "a wandering string");
        free(parens);
    }
}

/* ---- A driver that fails ---- */

static unsigned kernels_left; /* before kernels_lost() fails */
static PFN_vkCreateComputePipelines kernels_create;

static VKAPI_ATTR VkResult VKAPI_CALL kernels_lost(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *callbacks, VkPipeline *kernels) {
    return kernels_left-- > 0 ? kernels_create(device, cache, count, infos, callbacks, kernels) : VK_ERROR_DEVICE_LOST;
}

/* The kernels made before the failure are gone, or the validation layer would tell. */
TEST(test_driver_that_fails) {
    for (size_t t = 0; t < TESTED; t++) {
        pmi_device *const device = &pipelines[t].stages.host.device;
        pmi_pipeline pipeline;
        kernels_create = device->vk->CreateComputePipelines;
        device->instance.vk.CreateComputePipelines = kernels_lost;
        for (unsigned made = 0; made < (t == DIRECT ? 1 : 2); made++) {
            kernels_left = made;
            assert_int_equal(pmi_pipeline_create(device, pipelines[t].id, &pipeline), PM_DEVICE_LOST);
            assert_null(pipeline.kind);
        }
        device->instance.vk.CreateComputePipelines = kernels_create;
        pmi_pipeline_destroy(device, &pipeline); /* all zeros */
    }
}

/* ---- The public function ---- */

TEST(test_option) {
    pm_options options = {.struct_size = sizeof options, .allow_cpu_device = true};
    pm_context *context;
    const uint32_t n = 5000, many = (1u << 30) + 1;
    uint64_t *const parens = family_make("bits", 4, n);
    uint32_t *const match = allocate(n, sizeof *match);
    for (size_t t = 0; t < TESTED; t++) {
        options.pipeline = pm_pipeline_at(pipelines[t].id)->name;
        assert_ok(pm_context_create(&options, &context));
        memset(match, 0, n * sizeof *match);
        assert_ok(pm_match_gpu(context, parens, n, match, NULL));
        assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
        pm_bic total = {7, 7};
        if (t != LOOKBACK)
            assert_int_equal(pm_match_gpu(context, parens, many, match, &total), PM_TOO_LARGE);
        assert_int_equal(total.close, 7);
        pm_context_destroy(context);
    }
    free(match);
    free(parens);
}

/* ---- */

static pm_status tested_open(tested *t) {
    pmi_gpu_settings settings = gpu_tests_settings((pmi_gpu_settings){.pipeline = t->id});
    pm_status status = gpu_tests_open(settings, &t->gpu);
    settings.workgroup_invocations = INVOCATIONS;
    settings.chunk_bytes = 1;
    if (status == PM_OK)
        status = gpu_tests_open(settings, &t->small);
    if (status == PM_OK)
        status = match_stages_open(settings, &t->stages);
    if (status == PM_OK) {
        t->partition = pmi_pipeline_unit(&t->stages.pipeline, PM_STAGE_MATCH);
        t->limit = (uint32_t)pmi_pipeline_limit(&t->stages.pipeline);
        t->reach = t->limit <= REACH ? t->limit : REACH / 2;
    }
    return status;
}

static pm_status open_all(void) {
    pm_status status = PM_OK;
    for (size_t t = 0; t < TESTED && status == PM_OK; t++)
        status = tested_open(&pipelines[t]);
    return status;
}

static void close_all(void) {
    for (size_t t = 0; t < TESTED; t++) {
        match_stages_close(&pipelines[t].stages);
        pmi_gpu_close(pipelines[t].gpu);
        pmi_gpu_close(pipelines[t].small);
    }
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
