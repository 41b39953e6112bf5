/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the options that describe the machine, and creating a context by them. */
#include "cli/machine_options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum {
    DEVICE_SIZE = 1024, /* that a name of devices stays below: pm_options.device */
    THREADS_MAX = 1024,
    LIST_SIZE = 128 /* of backends in a message */
};

bool machine_is_option(int option) {
    return option >= MACHINE_BACKEND && option <= MACHINE_THREADS;
}

/* ---- Values */

static bool take_backend(const machine_command *command, machine_options *options, const char *name) {
    for (size_t b = 0; b < command->count; b++)
        if (strcmp(name, command->backends[b].name) == 0) {
            options->backend = b;
            options->backend_name = name;
            return true;
        }
    return !complain_usage(command->name, "no such backend: '%s'", name);
}

static bool take_device(const machine_command *command, machine_options *options, const char *name) {
    if (strlen(name) >= DEVICE_SIZE)
        return !complain_usage(command->name, "no such device: '%s' (see 'parenmatch devices')", name);
    if (!command->several_devices && strchr(name, ','))
        return !complain_usage(command->name, "--device takes one device here, not several: '%s'", name);
    options->device = name;
    return true;
}

static bool take_pipeline(const machine_command *command, machine_options *options, const char *name) {
    options->pipeline = name;
    for (size_t i = 0; pm_pipeline_at(i); i++)
        if (strcmp(name, pm_pipeline_at(i)->name) == 0)
            return true;
    return !complain_usage(command->name, "no such pipeline: '%s' (see 'parenmatch pipelines')", name);
}

static bool take_simd(const machine_command *command, machine_options *options, const char *name) {
    options->simd = name;
    for (size_t i = 0; pm_simd_at(i); i++)
        if (strcmp(name, pm_simd_at(i)->name) == 0)
            return true;
    return !complain_usage(command->name, "no such vector instructions: '%s' (see 'parenmatch simd')", name);
}

static bool take_threads(const machine_command *command, machine_options *options, const char *number) {
    uint64_t threads;
    if (!read_number(command->name, "--threads", number, &threads))
        return false;
    if (threads > THREADS_MAX)
        return !complain_usage(command->name, "--threads is at most %d", THREADS_MAX);
    options->threads_given = number;
    options->threads = (unsigned)threads;
    return true;
}

bool machine_option_take(const machine_command *command, machine_options *options, int option) {
    switch (option) {
    case MACHINE_BACKEND:
        return take_backend(command, options, optarg);
    case MACHINE_DEVICE:
        return take_device(command, options, optarg);
    case MACHINE_PIPELINE:
        return take_pipeline(command, options, optarg);
    case MACHINE_SIMD:
        return take_simd(command, options, optarg);
    default:
        return take_threads(command, options, optarg);
    }
}

/* ---- Together */

enum {
    USES = 4
};

/* What a backend may have a use for, by the options' order here. */
static bool uses(const machine_backend *backend, int use) {
    const bool of[USES] = {backend->device, backend->pipeline, backend->simd, backend->threads};
    return of[use];
}

static const char *const use_names[USES] = {"--device", "--pipeline", "--simd", "--threads"};

static bool is_given(const machine_options *options, int use) {
    const char *const given[USES] = {options->device, options->pipeline, options->simd, options->threads_given};
    return given[use] != NULL;
}

/* "auto, broadword and omp": the backends that have a use for it. */
static void list_users(const machine_command *command, int use, char list[LIST_SIZE]) {
    size_t left = 0, length = 0;
    for (size_t b = 0; b < command->count; b++)
        left += uses(&command->backends[b], use);
    *list = '\0';
    for (size_t b = 0; b < command->count && length < LIST_SIZE; b++)
        if (uses(&command->backends[b], use)) {
            left--;
            length += (size_t)snprintf(list + length, LIST_SIZE - length, "%s%s", command->backends[b].name,
                                       left > 1    ? ", "
                                       : left == 1 ? " and "
                                                   : "");
        }
}

bool machine_options_agree(const machine_command *command, const machine_options *options) {
    const machine_backend *const backend = &command->backends[options->backend];
    char users[LIST_SIZE];
    for (int use = 0; use < USES; use++)
        if (is_given(options, use) && !uses(backend, use)) {
            list_users(command, use, users);
            return !complain_usage(command->name, "%s works with --backend %s, not with %s", use_names[use], users,
                                   backend->name);
        }
    return true;
}

const char *machine_option_given(const machine_options *options) {
    for (int use = 0; use < USES; use++)
        if (is_given(options, use))
            return use_names[use];
    return options->backend_name ? "--backend" : NULL;
}

/* ---- The context */

bool machine_context_create(const machine_options *options, const char *profile, pm_context **context) {
    const pm_options asked = {.struct_size = sizeof asked,
                              .simd = options->simd,
                              .threads = options->threads,
                              .device = options->device,
                              .pipeline = options->pipeline,
                              .profile = profile};
    const pm_status status = pm_context_create(&asked, context);
    if (status == PM_UNSUPPORTED)
        return !complain("--simd %s: this CPU lacks these instructions", options->simd);
    return status == PM_OK || !complain("%s", pm_status_string(status));
}

/* Why the device of that index or UUID is not used, or the first one that is not if the name is NULL; NULL if nothing
 * is known about it. */
static const char *device_trouble(const char *name) {
    pm_device_info device = {.struct_size = sizeof device};
    for (size_t index = 0; pm_device_at(NULL, index, &device) == PM_OK; index++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", index);
        if (device.trouble && (!name || strcmp(name, number) == 0 || strcmp(name, device.uuid) == 0))
            return device.trouble;
    }
    return NULL;
}

int machine_complain(const machine_options *options, const char *file, pm_status status) {
    if (status != PM_NO_DEVICE)
        return complain("%s: %s", file, pm_status_string(status));
    const char *const trouble = device_trouble(options->device);
    return complain("--%s %s: %s%s%s (see 'parenmatch devices')", options->device ? "device" : "backend",
                    options->device ? options->device : "gpu", pm_status_string(status), trouble ? ": " : "",
                    trouble ? trouble : "");
}

bool machine_device_is_there(const machine_options *options, pm_context *context, const char *file) {
    const uint64_t parens = 1;
    uint32_t match;
    const pm_status status = options->device ? pm_match_gpu(context, &parens, 1, &match, NULL) : PM_OK;
    return status == PM_OK || !machine_complain(options, file, status);
}
