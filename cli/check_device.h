/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a text's structure by a device. */
#ifndef PM_CLI_CHECK_DEVICE_H
#define PM_CLI_CHECK_DEVICE_H

#include "cli/machine_options.h"
#include "cli/source.h"
#include "parenmatch.h"

/* Complains of what a device cannot do, and returns false. */
bool check_refuse(const text_source *source, const char *why);

/* Checks a loaded text on the context's device, which the options named. Sets all of *found except lines; max_depth
 * only if depth_wanted. Complains and returns false if the check fails. */
bool check_on_device(const machine_options *machine, pm_context *context, const pm_delimiters *pairs,
                     const text_source *source, bool depth_wanted, pm_check_summary *found);

#endif
