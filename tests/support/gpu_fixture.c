/* SPDX-License-Identifier: Apache-2.0 */
/* Listening to the validation layer; what all such programs do before and after their tests. */
#include "tests/support/gpu_fixture.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"

enum {
    SKIPPED = 77
};

fault_allocator faults;

static size_t messages; /* of the validation layer */
static char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
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

void gpu_tests_on(const pmi_device *device) {
    snprintf(name, sizeof name, "%s", device->name);
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
    printf("on %s, teams are %ss\n", name, teams == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
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
