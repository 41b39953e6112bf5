/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch tune: measures this machine and keeps the profile. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/profile_path.h"

enum {
    SECONDS_USUAL = 10,
    SECONDS_MAX = 29
};

static const char tune_help[] =
    "Usage: parenmatch tune [OPTION]...\n"
    "Measure this machine and its GPU, so that 'parenmatch match' and 'parenmatch boxes' choose the fastest backend.\n"
    "Print the path of the profile.\n"
    "\n"
    "      --device NAME  the GPU: an index or a UUID (see 'parenmatch devices')\n"
    "      --threads N    the threads to measure, which also copy for the GPU; by default all\n"
    "      --seconds N    how long to measure, about 0 to 29 seconds (10 by default)\n"
    "      --help         print this\n"
    "\n"
    "Exit code: 0, or 2 for wrong usage or a profile that cannot be written.";

static const machine_command machine = {.name = "tune"};

static int tune(const char *path, const machine_options *options, uint64_t seconds) {
    if (!path)
        return complain("neither XDG_CACHE_HOME nor HOME says where to keep the profile");
    if (!profile_path_make(path))
        return complain("%s: %s", path, strerror(errno));
    pm_context *context;
    if (!machine_context_create(options, NULL, &context))
        return EXIT_TROUBLE;
    const bool there = machine_device_is_there(options, context, path);
    const pm_status status = there ? pm_profile_measure(context, (double)seconds, path) : PM_NO_DEVICE;
    pm_context_destroy(context);
    if (!there)
        return EXIT_TROUBLE;
    if (status != PM_OK)
        return machine_complain(options, path, status);
    puts(path);
    return EXIT_FINE;
}

int command_tune(int argc, char **argv) {
    enum {
        OPTION_SECONDS = 256,
        OPTION_HELP
    };
    static const struct option options[] = {
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        MACHINE_LONG_DEVICE,
        MACHINE_LONG_THREADS,
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    uint64_t seconds = SECONDS_USUAL;
    machine_options chosen = {0};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case OPTION_SECONDS:
            if (!read_number("tune", "--seconds", optarg, &seconds))
                return EXIT_TROUBLE;
            if (seconds > SECONDS_MAX)
                return complain_usage("tune", "--seconds takes 0 to %d", SECONDS_MAX);
            break;
        case MACHINE_DEVICE:
        case MACHINE_THREADS:
            if (!machine_option_take(&machine, &chosen, option))
                return EXIT_TROUBLE;
            break;
        case OPTION_HELP:
            puts(tune_help);
            return EXIT_FINE;
        default:
            return point_to_help("tune");
        }
    if (optind != argc)
        return complain_usage("tune", "takes no file");
    char *const path = profile_path();
    const int code = tune(path, &chosen, seconds);
    free(path);
    return code;
}
