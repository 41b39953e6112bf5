/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a text's structure by a device. */
#ifndef PM_CLI_CHECK_DEVICE_H
#define PM_CLI_CHECK_DEVICE_H

#include "cli/machine_options.h"
#include "cli/source.h"
#include "parenmatch.h"

/* Complains of what a device cannot do, and returns false. */
bool check_refuse(const text_source *source, const char *why);

/* Checks a text that is at hand, on the context's device, which the options named. All of *found is told but for lines,
 * and max_depth only where that is wanted. Complains and returns false where it cannot be done. */
bool check_on_device(const machine_options *machine, pm_context *context, const pm_delimiters *pairs,
                     const text_source *source, bool depth_wanted, pm_check_summary *found);

#endif
