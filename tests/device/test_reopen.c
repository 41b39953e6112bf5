/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that are opened and closed again and again in one process: some drivers cannot be loaded more than some
 * thirty times, so from the second time on they stay (gpu/device/instance.c). Skipped (77) where there is no device.
 */
#define _GNU_SOURCE /* RTLD_NOLOAD */
#include <dlfcn.h>
#include <stdio.h>

#include "parenmatch.h"
#include "tests/support/unit.h"

enum {
    SKIPPED = 77,
    TIMES = 40
};

#ifdef __SANITIZE_ADDRESS__
static const bool unloads = false; /* tests/support/keep_loaded.c */
#else
static const bool unloads = true;
#endif

static bool loader_is_loaded(void) {
    void *const loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (loader)
        dlclose(loader);
    return loader != NULL;
}

static pm_status open_and_close(void) {
    static const uint64_t parens = 0x35;
    uint32_t match[7];
    pm_context *context;
    const pm_options options = {.struct_size = sizeof options, .allow_cpu_device = true};
    assert_ok(pm_context_create(&options, &context));
    const pm_status status = pm_match_gpu(context, &parens, 7, match, NULL);
    pm_context_destroy(context);
    return status == PM_OK ? pm_match_verify(NULL, &parens, 7, match, NULL) : status;
}

TEST(test_again_and_again) {
    for (int k = 1; k < TIMES; k++) {
        assert_ok(open_and_close());
        assert_true(loader_is_loaded());
    }
}

int main(void) {
    const bool loaded = loader_is_loaded();
    const pm_status status = open_and_close();
    if (status == PM_NO_DEVICE) {
        puts("skipped: no Vulkan device here");
        return SKIPPED;
    }
    if (status != PM_OK || (unloads && loader_is_loaded() != loaded)) {
        fprintf(stderr, "the first time: %s, and the loader is %sloaded\n", pm_status_name(status),
                loader_is_loaded() ? "" : "not ");
        return 1;
    }
    return tests_run();
}
