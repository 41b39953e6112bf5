/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a stranger with a Vulkan device, otherwise in C; prints the versions of header and library. */
#include <parenmatch_vulkan.h>
#include <stdio.h>

int main(void) {
    const pm_vk_context_info info = {.struct_size = sizeof info};
    pm_vk_context *matcher = NULL;
    if (pm_vk_context_create(&info, &matcher) != PM_INVALID_ARGUMENT || matcher)
        return 1;
    pm_vk_context_destroy(matcher);
    return printf("%s %s\n", PM_VERSION_STRING, pm_version_string()) < 0;
}
