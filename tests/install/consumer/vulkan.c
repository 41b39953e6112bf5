/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program with a Vulkan device, in C, but for the device; prints the header's version and the library's. */
#include <parenmatch_vulkan.h>
#include <stdio.h>

int main(void) {
    const pm_vk_matcher_info info = {.struct_size = sizeof info};
    pm_vk_matcher *matcher = NULL;
    if (pm_vk_matcher_create(&info, &matcher) != PM_INVALID_ARGUMENT || matcher)
        return 1;
    pm_vk_matcher_destroy(matcher);
    return printf("%s %s\n", PM_VERSION_STRING, pm_version_string()) < 0;
}
