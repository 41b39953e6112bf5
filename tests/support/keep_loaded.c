/* SPDX-License-Identifier: Apache-2.0 */
/* Linked into every program under AddressSanitizer. Mesa's drivers hold some memory in globals for the life of the
 * process; when the Vulkan loader unloads a driver, LeakSanitizer no longer sees those globals and reports the memory
 * as lost. */
int dlclose(void *library);

__attribute__((visibility("default"))) int dlclose(void *library) {
    (void)library;
    return 0;
}
