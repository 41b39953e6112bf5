/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_match_auto(), pm_box_auto() and devices: which figures they go by, and that a device which fails, at whatever call
 * of Vulkan's, is done without. On whatever Vulkan device there is; skipped (77) without one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/boxes/boxes.h"
#include "core/choose/profile.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "core/match/match.h"
#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "inputs/scenes.h"
#include "tests/support/unit.h"

enum {
    SKIPPED = 77,
    N = (int)PM_SELECT_GPU_MIN,
    FEW = 20000 /* elements of scenes, of which a software renderer does not take long */
};

static fault_allocator faults;
static uint64_t parens[N / 64];
static uint32_t match[N + 1], expected[N];
static pm_bic expected_total;

static pm_context *context_make(const char *simd) {
    pm_context *context = NULL;
    const pm_options options = {
        .allocator = fault_allocator_functions(&faults), .simd = simd, .threads = 1, .allow_cpu_device = true};
    assert_ok(pm_context_create(&options, &context));
    return context;
}

/* Says that the device is faster than all, and opened at once. */
static void profile_make(pm_context *context, const char *device) {
    context->profiled = true;
    context->profile = (pmi_profile){.cpu = *pmi_figures_shipped("portable"),
                                     .device = "",
                                     .gpu = {.open = 1e-6,
                                             .call = 1e-6,
                                             .upload_element = 1e-6,
                                             .download_element = 1e-6,
                                             .copy_element = 1e-6,
                                             .launch = 1e-6,
                                             .match_element = 1e-6},
                                     .box = {.thread_element = 1,
                                             .guess_element = 10,
                                             .shared_element = 1,
                                             .kernels = 1e-6,
                                             .call = 1e-6,
                                             .device_element = 1e-6,
                                             .copy_element = 1e-6}};
    snprintf(context->profile.device, sizeof context->profile.device, "%s", device);
}

static void check_auto(pm_context *context, size_t n) {
    pm_bic total;
    memset(match, 0xa5, sizeof match);
    assert_ok(pm_match_auto(context, parens, n, match, &total));
    assert_memory_equal(match, expected, n * sizeof *match);
    assert_int_equal(match[n], 0xa5a5a5a5);
    if (n == N)
        assert_memory_equal(&total, &expected_total, sizeof total);
}

static void check_choice(pm_context *context, size_t n, const char *backend, const char *reason) {
    pm_match_choice choice = {0};
    assert_ok(pm_match_explain(context, n, &choice));
    assert_string_equal(choice.backend, backend);
    assert_non_null(choice.reason);
    assert_non_null(strstr(choice.reason, reason));
}

/* ---- A driver that fails ---- */

static pmi_vk sound;
static unsigned submissions, calls, failing_call; /* the first is 1; 0: none */
static VkResult failure;
static bool failure_lasts; /* all calls from that one on */

static bool call_fails(void) {
    calls++;
    return calls == failing_call || (failure_lasts && failing_call > 0 && calls > failing_call);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkBuffer *buffer) {
    return call_fails() ? failure : sound.CreateBuffer(device, info, callbacks, buffer);
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory) {
    return call_fails() ? failure : sound.AllocateMemory(device, info, callbacks, memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_memory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                                  VkDeviceSize offset) {
    return call_fails() ? failure : sound.BindBufferMemory(device, buffer, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                                 VkDeviceSize size, VkMemoryMapFlags flags, void **mapped) {
    return call_fails() ? failure : sound.MapMemory(device, memory, offset, size, flags, mapped);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
    return call_fails() ? failure : sound.CreateComputePipelines(device, cache, count, infos, callbacks, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL begin_commands(VkCommandBuffer commands, const VkCommandBufferBeginInfo *info) {
    return call_fails() ? failure : sound.BeginCommandBuffer(commands, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL end_commands(VkCommandBuffer commands) {
    return call_fails() ? failure : sound.EndCommandBuffer(commands);
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                   VkFence fence) {
    submissions++;
    return call_fails() ? failure : sound.QueueSubmit(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count, const VkFence *fences,
                                                      VkBool32 all, uint64_t timeout) {
    return call_fails() ? failure : sound.WaitForFences(device, count, fences, all, timeout);
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_fences(VkDevice device, uint32_t count, const VkFence *fences) {
    return call_fails() ? failure : sound.ResetFences(device, count, fences);
}

/* Opens the context's device, whose calls are counted, and fail when told to. */
static void device_watch(pm_context *context) {
    assert_ok(pmi_context_gpu_open(context));
    pmi_gpu_device(context->gpu)->can.type = VK_PHYSICAL_DEVICE_TYPE_CPU; /* whatever it is: no shipped figures */
    pmi_vk *const vk = &pmi_gpu_device(context->gpu)->instance.vk;
    sound = *vk;
    submissions = calls = failing_call = 0;
    failure_lasts = false;
    vk->CreateBuffer = create_buffer;
    vk->AllocateMemory = allocate_memory;
    vk->BindBufferMemory = bind_memory;
    vk->MapMemory = map_memory;
    vk->CreateComputePipelines = create_pipelines;
    vk->BeginCommandBuffer = begin_commands;
    vk->EndCommandBuffer = end_commands;
    vk->QueueSubmit = queue_submit;
    vk->WaitForFences = wait_for_fences;
    vk->ResetFences = reset_fences;
}

/* Every call that a match makes fails, each in a context of its own: that match is right, and so are those after it. */
TEST(test_device_is_lost) {
    failure = VK_ERROR_DEVICE_LOST;
    unsigned all = 0;
    for (unsigned failing = 1; all == 0 || failing <= all; failing++) {
        pm_context *const context = context_of(NULL);
        device_watch(context);
        profile_make(context, pmi_context_gpu_key(context));
        failing_call = failing;
        check_auto(context, N);
        failing_call = 0;
        if (calls < failing) {
            all = calls;
            assert_true(all > 10 && submissions > 0);
            assert_false(context->gpu_given_up);
        } else if (context->gpu_given_up) { /* else there was another way, without what failed */
            const unsigned before = submissions;
            check_choice(context, N, "broadword", "has failed");
            check_auto(context, N);
            assert_int_equal(submissions, before);
        }
        pm_context_destroy(context);
    }
}

/* ---- Figures ---- */

TEST(test_profile_of_device) {
    pm_context *const context = context_of(NULL);
    device_watch(context);
    check_choice(context, N, "broadword", "");
    profile_make(context, pmi_context_gpu_key(context));
    check_choice(context, N, "gpu", "this machine's profile");
    check_auto(context, N);
    assert_true(submissions > 0);
    submissions = 0;
    check_auto(context, N - 1); /* too short */
    assert_int_equal(submissions, 0);

    context->profile.device[0] ^= 1; /* another device */
    check_choice(context, N, "broadword", "another device");
    check_auto(context, N);
    assert_int_equal(submissions, 0);
    context->profile.device[0] ^= 1;
    context->profile.device[strlen(context->profile.device) - 1] ^= 1; /* another driver */
    check_choice(context, N, "broadword", "another device or driver");
    check_auto(context, N);
    assert_int_equal(submissions, 0);
    pm_context_destroy(context);
}

/* Without a profile: a discrete device that is open is used where one thread is slow, none is opened. */
TEST(test_shipped_figures) {
    pm_context *const context = context_make("portable");
    check_auto(context, N);
    assert_null(context->gpu);
    device_watch(context);
    check_auto(context, N);
    assert_int_equal(submissions, 0);
    pmi_gpu_device(context->gpu)->can.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    check_choice(context, N, "gpu", "shipped");
    check_auto(context, N);
    assert_true(submissions > 0);
    pm_context_destroy(context);
}

/* A pipeline that takes fewer elements is no reason to give the device up. */
TEST(test_short_pipeline) {
    pm_context *context = NULL;
    const pm_options options = {.pipeline = "direct", .threads = 1, .allow_cpu_device = true};
    assert_ok(pm_context_create(&options, &context));
    device_watch(context);
    profile_make(context, pmi_context_gpu_key(context));
    check_auto(context, N);
    assert_false(context->gpu_given_up);
    pm_context_destroy(context);
}

/* ---- Boxes ---- */

static struct {
    uint8_t kinds[N];
    pm_box boxes[N], expected[N], out[N + 1];
} scene;

/* With what floating-point numbers have beside numbers. */
static void scene_make(const char *name) {
    uint64_t seed = 5;
    assert_true(scene_fill(name, 1, N, scene.kinds, scene.boxes));
    for (size_t i = 0; i < N; i += 3)
        scene.boxes[i] = scene_odd_box(&seed);
}

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

/* pmi_box_auto() is pm_box_auto() of scenes however short. */
static void check_boxes(pm_context *context, box_function *function, size_t n, bool in_place) {
    assert_ok(pm_box_seq(NULL, scene.kinds, scene.boxes, n, scene.expected));
    memset(scene.out, 0xa5, sizeof scene.out);
    const pm_box junk = scene.out[0];
    if (in_place)
        memcpy(scene.out, scene.boxes, n * sizeof *scene.out);
    assert_ok(function(context, scene.kinds, in_place ? scene.out : scene.boxes, n, scene.out));
    assert_memory_equal(scene.out, scene.expected, n * sizeof *scene.out);
    assert_memory_equal(&scene.out[n], &junk, sizeof junk);
}

/* The same, and whether the device has been used. */
static void check_boxes_on(pm_context *context, box_function *function, size_t n, bool on_device) {
    for (int in_place = 0; in_place < 2; in_place++) {
        submissions = 0;
        check_boxes(context, function, n, in_place);
        assert_int_equal(submissions > 0, on_device);
    }
}

TEST(test_boxes_by_profile) {
    scene_make("mixed:33:random");
    pm_context *const context = context_of(NULL);
    device_watch(context);
    pmi_gpu_device(context->gpu)->can.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU; /* no shipped figures for boxes */
    check_boxes_on(context, pmi_box_auto, FEW, false);
    check_boxes_on(context, pm_box_auto, N, false);
    profile_make(context, pmi_context_gpu_key(context));
    check_boxes_on(context, pmi_box_auto, FEW, true);
    check_boxes_on(context, pm_box_auto, N - 1, false); /* too short */
    context->profile.device[0] ^= 1;                    /* another device */
    check_boxes_on(context, pmi_box_auto, FEW, false);
    context->profile.device[0] ^= 1;

    calls = 0, failing_call = 1, failure = VK_ERROR_DEVICE_LOST, failure_lasts = true;
    check_boxes(context, pm_box_auto, N, true); /* would take a software renderer long */
    assert_true(calls > 0 && context->gpu_given_up);
    check_boxes_on(context, pmi_box_auto, FEW, false);
    pm_context_destroy(context);
}

/* By figures with which kinds decide that can be guessed, or cannot; and the number of threads. */
TEST(test_boxes_by_kinds) {
    pm_context *const context = context_of(NULL);
    device_watch(context);
    profile_make(context, pmi_context_gpu_key(context));
    context->profile.box.device_element = 3;
    scene_make("cards");
    check_boxes_on(context, pmi_box_auto, FEW, false);
    scene_make("mixed:90:random");
    check_boxes_on(context, pmi_box_auto, FEW, false);
    scene_make("mixed:0:random");
    check_boxes_on(context, pmi_box_auto, FEW, true);
    pm_context_destroy(context);
    const pmi_box_figures figures = {.thread_element = 4, .shared_element = .1, .device_element = 1, .copy_element = 2};
    assert_true(pmi_box_device_time(&figures, N, 1) < pmi_box_host_time(&figures, N, 1, 0));
    assert_true(pmi_box_device_time(&figures, N, 16) > pmi_box_host_time(&figures, N, 16, 0));
}

/* The device is opened, and has its kernels made, when calls have missed it for as long as both take. */
TEST(test_boxes_open_late) {
    scene_make("mixed:0:random");
    for (int open = 0; open < 2; open++) {
        pm_context *context = context_of(NULL);
        char key[PM_DEVICE_KEY_SIZE];
        assert_ok(pmi_context_gpu_open(context));
        snprintf(key, sizeof key, "%s", pmi_context_gpu_key(context));
        if (!open)
            pmi_context_gpu_close(context);
        profile_make(context, key);
        const pmi_box_figures *const figures = &context->profile.box;
        const double wrong = pmi_box_wrong_guesses(scene.kinds, FEW);
        const double saves = pmi_box_host_time(figures, FEW, 1, wrong) - pmi_box_device_time(figures, FEW, 1);
        context->profile.box.kernels = 1.5 * saves;
        context->profile.gpu.open = saves;
        for (int missed = 0; missed < (open ? 1 : 2); missed++) {
            check_boxes(context, pmi_box_auto, FEW, false);
            assert_true(!pmi_context_gpu_has_boxes(context) && !context->gpu == !open);
        }
        check_boxes(context, pmi_box_auto, FEW, false);
        assert_true(pmi_context_gpu_has_boxes(context));
        pm_context_destroy(context);
    }
}

/* A scene that does not fit the device is no reason to give it up, nor is an invalid one. */
TEST(test_boxes_do_not_fit) {
    scene_make("mixed:0:random");
    pm_context *const context = context_of(NULL);
    device_watch(context);
    profile_make(context, pmi_context_gpu_key(context));
    scene.kinds[77] = PM_END + 1;
    assert_invalid(pmi_box_auto(context, scene.kinds, scene.boxes, FEW, scene.out));
    scene.kinds[77] = PM_END;
    calls = 0, failing_call = 1, failure = VK_ERROR_OUT_OF_DEVICE_MEMORY, failure_lasts = true;
    check_boxes(context, pmi_box_auto, FEW, false);
    assert_true(calls > 0);
    failing_call = 0;
    check_boxes_on(context, pmi_box_auto, FEW, false);
    check_boxes_on(context, pmi_box_auto, FEW - 1, true);
    assert_false(context->gpu_given_up);
    pm_context_destroy(context);
}

/* Calls fail once kernels and buffers are made: boxes are right, also those that are found in place, where some may
 * have come down before. */
TEST(test_boxes_and_a_lost_device) {
    scene_make("mixed:33:random");
    failure = VK_ERROR_DEVICE_LOST;
    bool through = false;
    for (unsigned failing = 1; !through; failing += 3) {
        pm_context *const context = context_of(NULL);
        device_watch(context);
        profile_make(context, pmi_context_gpu_key(context));
        check_boxes_on(context, pmi_box_auto, FEW, true);
        calls = 0, failing_call = failing;
        check_boxes(context, pmi_box_auto, FEW, failing % 2);
        through = calls < failing;
        assert_int_equal(context->gpu_given_up, !through);
        failing_call = 0;
        check_boxes_on(context, pmi_box_auto, FEW, through);
        pm_context_destroy(context);
    }
}

/* ---- Measuring ---- */

#define PROFILE "test_auto_device.profile"

TEST(test_measured_profile) {
    pm_context *context = context_make("portable");
    assert_ok(pm_profile_measure(context, 0, PROFILE));
    pmi_profile profile;
    assert_ok(pmi_profile_read(PROFILE, "portable", &profile));
    assert_string_equal(profile.device, pmi_context_gpu_key(context));
#define CHECK(field, name, most) assert_true(profile.gpu.field > 0);
    PM_GPU_FIGURE_MAP(CHECK)
#undef CHECK
#define CHECK(field, name, most) assert_true(profile.box.field > 0 && profile.box.field <= (most));
    PM_BOX_FIGURE_MAP(CHECK)
#undef CHECK
    assert_true(profile.box.kernels < 1e12); /* else nothing has been measured */
    assert_true(profile.gpu.open > profile.gpu.call);
    pm_context_destroy(context);

    const pm_options options = {.profile = PROFILE, .simd = "portable", .threads = 1, .allow_cpu_device = true};
    assert_ok(pm_context_create(&options, &context));
    pm_match_choice choice = {0};
    assert_ok(pm_match_explain(context, N, &choice));
    assert_true(choice.profiled && choice.gpu_ns > 0 && choice.gpu_resident_ns > 0);
    assert_null(context->gpu);
    pm_context_destroy(context);
    remove(PROFILE);
}

int main(void) {
    pm_context *const context = context_of(NULL);
    const pm_status status = pmi_context_gpu_open(context);
    pm_context_destroy(context);
    if (status == PM_NO_DEVICE) {
        puts("skipped: no Vulkan device here");
        return SKIPPED;
    }
    assert_ok(status);
    assert_true(family_fill("twist:.25", 3, N, parens));
    assert_ok(pm_match_seq(NULL, parens, N, expected, &expected_total));
    const int failures = tests_run();
    return fault_allocator_is_settled(&faults) && failures == 0 ? 0 : 1;
}
