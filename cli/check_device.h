/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a text's structure by a device. */
#ifndef PM_CLI_CHECK_DEVICE_H
#define PM_CLI_CHECK_DEVICE_H

#include "cli/source.h"
#include "parenmatch.h"

/* Reads the name of a backend that checks: gpu, and *context is made for it, or auto, and it is NULL; what it was
 * before, is destroyed. Complains and returns false if it is none. */
bool check_backend_read(const char *name, pm_context **context);

/* Complains of what a device cannot do, and returns false. */
bool check_refuse(const text_source *source, const char *why);

/* Checks a text that is at hand, on the context's device. All of *found is told but for lines, and max_depth only where
 * that is wanted. Complains and returns false where it cannot be done. */
bool check_on_device(pm_context *context, const pm_pairs *pairs, const text_source *source, bool depth_wanted,
                     pm_check_summary *found);

#endif
