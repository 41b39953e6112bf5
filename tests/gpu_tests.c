/* SPDX-License-Identifier: Apache-2.0 */
/* Listening to the validation layer; what all such programs do before and after their tests. */
#include "tests/gpu_tests.h"

#include <stdio.h>

#include "gpu/device.h"
#include "tests/cmocka_all.h"

enum {
    SKIPPED = 77
};

fault_allocator faults;

static size_t messages; /* of the validation layer */
static char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];

static void hear(const char *text, void *user) {
    (void)user;
    messages++;
    print_error("validation: %s\n", text);
}

pm_status gpu_tests_open(pm_gpu_settings settings, pm_gpu **gpu) {
    const pm_allocator allocator = fault_allocator_functions(&faults);
    settings.allow_cpu_device = true;
    settings.message = hear;
    const pm_status status = pm_gpu_open(&settings, &allocator, gpu);
    if (status == PM_OK)
        snprintf(name, sizeof name, "%s", pm_gpu_device(*gpu)->name);
    return status;
}

int gpu_tests_main(int argc, char **argv, pm_status (*open_all)(void), int (*tests_run)(void),
                   void (*close_all)(void)) {
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
    printf("on %s\n", name);
    const int failures = tests_run();
    close_all();
    return fault_allocator_is_settled(&faults) && messages == 0 && failures == 0 ? 0 : 1;
}
