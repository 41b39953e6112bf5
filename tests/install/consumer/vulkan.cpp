/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C++11. */
#include <parenmatch_vulkan.h>

#include <iostream>

int main() {
    pm_vk_match_info info = {};
    info.struct_size = sizeof info;
    const bool fine = pm_vk_cmd_match(VK_NULL_HANDLE, nullptr, &info) == PM_INVALID_ARGUMENT;
    std::cout << PM_VERSION_STRING << ' ' << pm_version_string() << '\n';
    return fine ? 0 : 1;
}
