/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch devices: lists the Vulkan devices of this machine. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/utf8.h"

static const char devices_help[] =
    "Usage: parenmatch devices [OPTION]...\n"
    "List the Vulkan devices, one a line, as INDEX, KIND, MEMORY, UUID, NAME and USE, separated by tabs. --device "
    "takes\n"
    "INDEX or UUID. MEMORY is in bytes. USE is yes, or the reason why the device is not used.\n"
    "\n"
    "      --json   print JSON, one object a line\n"
    "      --help   print this\n"
    "\n"
    "Exit code: 0, or 2 for wrong usage or if there are no devices.";

static void print_line(size_t index, const pm_device_info *device) {
    printf("%zu\t%s\t%" PRIu64 "\t%s\t%s\t%s\n", index, device->kind, device->memory,
           *device->uuid ? device->uuid : "-", device->name, device->trouble ? device->trouble : "yes");
}

static void print_json(size_t index, const pm_device_info *device) {
    printf("{\"index\":%zu,\"kind\":\"%s\",\"memory\":%" PRIu64 ",\"uuid\":", index, device->kind, device->memory);
    if (*device->uuid)
        json_print_string(device->uuid, strlen(device->uuid));
    else
        fputs("null", stdout);
    fputs(",\"name\":", stdout);
    json_print_string(device->name, strlen(device->name));
    fputs(",\"trouble\":", stdout);
    if (device->trouble)
        json_print_string(device->trouble, strlen(device->trouble));
    else
        fputs("null", stdout);
    puts("}");
}

static int list_devices(bool json) {
    pm_device_info device = {.struct_size = sizeof device};
    pm_status status;
    size_t index = 0;
    for (; (status = pm_device_at(NULL, index, &device)) == PM_OK; index++)
        (json ? print_json : print_line)(index, &device);
    if (status == PM_NO_DEVICE && index > 0)
        return EXIT_FINE;
    return status == PM_NO_DEVICE ? complain("no Vulkan device, or no Vulkan loader")
                                  : complain("devices: %s", pm_status_string(status));
}

int command_devices(int argc, char **argv) {
    enum {
        OPTION_JSON = 256,
        OPTION_HELP
    };
    static const struct option options[] = {
        {"json", no_argument, NULL, OPTION_JSON}, {"help", no_argument, NULL, OPTION_HELP}, {NULL, 0, NULL, 0}};
    bool json = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == OPTION_HELP)
            return puts(devices_help), EXIT_FINE;
        if (option != OPTION_JSON)
            return point_to_help("devices");
        json = true;
    }
    return optind == argc ? list_devices(json) : complain_usage("devices", "takes no file");
}
