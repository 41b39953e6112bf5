/* SPDX-License-Identifier: Apache-2.0 */
/* How tables of a device begin, so that a table that is kept says what made it. */
#ifndef PM_BENCH_GPU_TABLE_H
#define PM_BENCH_GPU_TABLE_H

#include "gpu/device/device.h"

/* Prints lines that begin with "# ": the command as typed, without the folder of the program; the date, UTC, and the
 * library's version; and the device (NULL: none is told of). */
void gpu_table_begin(int argc, char *const *argv, const pmi_device *device);

#endif
