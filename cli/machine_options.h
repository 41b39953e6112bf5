/* SPDX-License-Identifier: Apache-2.0 */
/* The options for backend, device, algorithm, instructions and threads. They mean the same in all commands; a command
 * has those that one of its backends uses. */
#ifndef PM_CLI_MACHINE_OPTIONS_H
#define PM_CLI_MACHINE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

/* What getopt_long() returns for them; the numbers differ from those of a command's own options. */
enum {
    MACHINE_BACKEND = 512,
    MACHINE_DEVICE,
    MACHINE_PIPELINE,
    MACHINE_SIMD,
    MACHINE_THREADS
};

/* For getopt_long(): a command lists those that it has. */
#define MACHINE_LONG_BACKEND                                                                                           \
    { "backend", required_argument, NULL, MACHINE_BACKEND }
#define MACHINE_LONG_DEVICE                                                                                            \
    { "device", required_argument, NULL, MACHINE_DEVICE }
#define MACHINE_LONG_PIPELINE                                                                                          \
    { "pipeline", required_argument, NULL, MACHINE_PIPELINE }
#define MACHINE_LONG_SIMD                                                                                              \
    { "simd", required_argument, NULL, MACHINE_SIMD }
#define MACHINE_LONG_THREADS                                                                                           \
    { "threads", required_argument, NULL, MACHINE_THREADS }

/* The name of a backend, and the options that it uses. */
typedef struct machine_backend {
    const char *name;
    bool device, pipeline, simd, threads;
} machine_backend;

typedef struct machine_command {
    const char *name;
    const machine_backend *backends; /* the default comes first */
    size_t count;                    /* 0: the command has no --backend */
    bool several_devices;            /* --device may name several */
} machine_command;

typedef struct machine_options {
    const char *backend_name;  /* NULL: none is named */
    size_t backend;            /* among the command's */
    const char *device;        /* NULL: the best */
    const char *pipeline;      /* NULL: by n */
    const char *simd;          /* NULL: the best */
    const char *threads_given; /* as written; NULL: not given */
    unsigned threads;          /* 0: as many as there are */
} machine_options;

/* Is what getopt_long() returned one of these options? */
bool machine_is_option(int option);

/* Takes such an option, whose value is optarg. Complains and returns false if the value is invalid. */
bool machine_option_take(const machine_command *command, machine_options *options, int option);

/* Does the backend use all options that are given? Complains and returns false if not. */
bool machine_options_agree(const machine_command *command, const machine_options *options);

/* Returns the name of an option that is given, such as "--backend"; NULL if none is given. */
const char *machine_option_given(const machine_options *options);

/* Creates a context by the options, with a profile (NULL: none). Complains and returns false if that fails. */
bool machine_context_create(const machine_options *options, const char *profile, pm_context **context);

/* Complains about the failure of a call for a file; if there is no device, about the option that asked for one, and
 * says why it is not used. Returns EXIT_TROUBLE. */
int machine_complain(const machine_options *options, const char *file, pm_status status);

/* If a device is named, can the context use it? Complains and returns false if not. For commands whose backend might
 * never try. */
bool machine_device_is_there(const machine_options *options, pm_context *context, const char *file);

#endif
