/* SPDX-License-Identifier: Apache-2.0 */
/* Listening to the validation layer; what all such programs do before and after their tests. */
#include "tests/support/gpu_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "gpu/device/commands.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    SKIPPED = 77,
    CANARY = 0x5ca1ab1e
};

fault_allocator faults;

static size_t messages; /* of the validation layer */
static char device_name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
static pmi_team_kind teams;

static void hear(const char *text, void *user) {
    (void)user;
    messages++;
    print_error("validation: %s\n", text);
}

pmi_gpu_settings gpu_tests_settings(pmi_gpu_settings settings) {
    settings.allow_cpu_device = true;
    settings.message = hear;
    return settings;
}

/* Notes a device for what a program says before its tests. */
static void gpu_tests_on(const pmi_device *device) {
    snprintf(device_name, sizeof device_name, "%s", device->name);
    teams = device->can.team_kind;
}

pmi_team_kind gpu_tests_teams(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "subgroup") == 0)
        return PM_TEAM_SUBGROUP;
    return argc > 1 && strcmp(argv[1], "workgroup") == 0 ? PM_TEAM_WORKGROUP : PM_TEAM_ANY;
}

pm_status gpu_tests_open(pmi_gpu_settings settings, pmi_gpu **gpu) {
    const pm_allocator allocator = fault_allocator_functions(&faults);
    settings = gpu_tests_settings(settings);
    const pm_status status = pmi_gpu_open(&settings, &allocator, gpu);
    if (status == PM_OK)
        gpu_tests_on(pmi_gpu_device(*gpu));
    return status;
}

int gpu_tests_main(int argc, char **argv, pm_status (*open_all)(void), void (*close_all)(void)) {
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const pm_status status = open_all();
    if (status == PM_NO_DEVICE) {
        puts("skipped: no such Vulkan device here");
        return SKIPPED;
    }
    if (status != PM_OK) {
        fprintf(stderr, "cannot open the devices: %s\n", pm_status_string(status));
        return 1;
    }
    printf("on %s, teams are %ss\n", device_name, teams == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
    const int failures = tests_run();
    close_all();
    return fault_allocator_is_settled(&faults) && messages == 0 && failures == 0 ? 0 : 1;
}

/* ---- Of devices alone ---- */

static const gpu_tests_device *wanted;
static size_t wanted_count;

static pm_status open_wanted(void) {
    pm_status status = PM_OK;
    for (size_t k = 0; k < wanted_count && status == PM_OK; k++)
        status = gpu_tests_open(wanted[k].settings, wanted[k].gpu);
    return status;
}

static void close_wanted(void) {
    for (size_t k = 0; k < wanted_count; k++)
        pmi_gpu_close(*wanted[k].gpu);
}

int gpu_tests_with(int argc, char **argv, const gpu_tests_device *devices, size_t count) {
    wanted = devices;
    wanted_count = count;
    return gpu_tests_main(argc, argv, open_wanted, close_wanted);
}

/* ---- A device alone ---- */

pm_status gpu_host_open(pmi_gpu_settings settings, gpu_host *host) {
    *host = (gpu_host){0};
    settings = gpu_tests_settings(settings);
    const pm_status status = pmi_device_open(&settings, &host->device);
    if (status != PM_OK)
        return status;
    gpu_tests_on(&host->device);
    assert_int_equal(pmi_commands_pool(&host->device, &host->pool), VK_SUCCESS);
    assert_int_equal(pmi_commands_create(&host->device, host->pool, &host->commands, &host->fence), VK_SUCCESS);
    return PM_OK;
}

void gpu_host_close(gpu_host *host) {
    pmi_device *const device = &host->device;
    device->vk->DestroyFence(device->handle, host->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, host->pool, NULL);
    pmi_device_close(device);
}

void gpu_commands_begin(const gpu_host *host) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    assert_int_equal(host->device.vk->BeginCommandBuffer(host->commands, &info), VK_SUCCESS);
}

void gpu_commands_run(const gpu_host *host) {
    const pmi_device *const device = &host->device;
    pmi_device_barrier(device, host->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    assert_int_equal(device->vk->EndCommandBuffer(host->commands), VK_SUCCESS);
    assert_int_equal(pmi_commands_submit(device, host->commands, host->fence), VK_SUCCESS);
    assert_int_equal(device->vk->WaitForFences(device->handle, 1, &host->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    assert_int_equal(device->vk->ResetFences(device->handle, 1, &host->fence), VK_SUCCESS);
}

void gpu_commands_barrier(const gpu_host *host) {
    pmi_device_barrier(&host->device, host->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- Matches ---- */

uint64_t *family_make(const char *name, uint64_t seed, size_t n) {
    uint64_t *parens = allocate(n / 64 + 1, sizeof *parens);
    assert_true(family_fill(name, seed, n, parens));
    return parens;
}

uint64_t *wandering_make(uint64_t *seed, size_t n) {
    uint64_t *parens = allocate(pmi_bits_words(n), sizeof *parens);
    uint64_t run = 0, kind = 0;
    for (size_t w = 0; w < pmi_bits_words(n); w++) {
        if (run-- == 0) {
            run = random_below(seed, UINT64_C(1) << random_below(seed, 10));
            kind = random_below(seed, 6);
        }
        const uint64_t a = random_next(seed), b = random_next(seed), c = random_next(seed);
        parens[w] = kind == 0   ? 0
                    : kind == 1 ? ~UINT64_C(0)
                    : kind == 2 ? a & b
                    : kind == 3 ? a | b
                    : kind == 4 ? a & (b | c)
                                : a | (b & c);
    }
    return parens;
}

void check_match(pmi_gpu *tested, const uint64_t *parens, size_t n, const char *what) {
    uint32_t *const expected = allocate(n, sizeof *expected), *const around = allocate(n + 2, sizeof *around);
    pm_bic total, expected_total;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    for (size_t i = 0; i < n + 2; i++)
        around[i] = CANARY;
    assert_ok(pmi_gpu_match(tested, parens, n, around + 1, &total));
    for (size_t i = 0; i < n; i++)
        if (around[i + 1] != expected[i])
            fail_msg("%s, n = %zu: match[%zu] is %u, not %u", what, n, i, around[i + 1], expected[i]);
    if (total.close != expected_total.close || total.open != expected_total.open)
        fail_msg("%s, n = %zu: wrong total", what, n);
    if (around[0] != CANARY || around[n + 1] != CANARY)
        fail_msg("%s, n = %zu: wrote outside the output", what, n);
    free(expected);
    free(around);
}

void check_family(pmi_gpu *tested, const char *family, uint64_t seed, size_t n) {
    uint64_t *const parens = family_make(family, seed, n);
    check_match(tested, parens, n, family);
    free(parens);
}
