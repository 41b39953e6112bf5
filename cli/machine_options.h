/* SPDX-License-Identifier: Apache-2.0 */
/* The options that say what of the machine a command works with: they mean the same in all commands, each of which has
 * those that one of its backends has a use for. */
#ifndef PM_CLI_MACHINE_OPTIONS_H
#define PM_CLI_MACHINE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

/* What getopt_long() returns for them: other numbers than for a command's own. */
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

/* A backend, as the command calls it, and what it has a use for. */
typedef struct machine_backend {
    const char *name;
    bool device, pipeline, simd, threads;
} machine_backend;

typedef struct machine_command {
    const char *name;
    const machine_backend *backends; /* the one that is meant where none is named comes first */
    size_t count;                    /* 0: no choice of one */
    bool several_devices;            /* may be named at once */
} machine_command;

typedef struct machine_options {
    const char *backend_name; /* NULL: none is named */
    size_t backend;           /* among the command's */
    const char *device;       /* NULL: the best; likewise the others */
    const char *pipeline;
    const char *simd;
    const char *threads_given; /* as it is written; NULL: it is not */
    unsigned threads;          /* 0: as many as there are */
} machine_options;

/* Is what getopt_long() returned one of these options? */
bool machine_is_option(int option);

/* Takes one that is, with its value in optarg; complains and returns false if that is none. */
bool machine_option_take(const machine_command *command, machine_options *options, int option);

/* Does the backend have a use for all that is given? Complains and returns false if not. */
bool machine_options_agree(const machine_command *command, const machine_options *options);

/* The name of one that is given, such as "--backend"; NULL: none is. */
const char *machine_option_given(const machine_options *options);

/* Makes a context as they say, with a profile (NULL: none). Complains and returns false if that cannot be done. */
bool machine_context_create(const machine_options *options, const char *profile, pm_context **context);

/* Complains about what a call with such a context came to that was given a file; where no device is to be had, about
 * that. Returns EXIT_TROUBLE. */
int machine_complain(const machine_options *options, const char *file, pm_status status);

#endif
