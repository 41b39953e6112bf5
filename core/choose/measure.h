/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of measuring: pm_profile_measure() has the CPU's, and the device's are beside it. */
#ifndef PM_CORE_CHOOSE_MEASURE_H
#define PM_CORE_CHOOSE_MEASURE_H

#include "core/choose/measure_times.h"
#include "core/context/context.h"

#define PM_MEASURE_SHORT ((size_t)1 << 12) /* elements */
#define PM_MEASURE_LONG ((size_t)1 << 23)

/* Noise may make a difference negative: then it is small, and `least` stands for it. */
double pmi_measure_at_min(double least, double value);

/* Measures the context's device, which is closed and opened again, if there is one that works. */
void pmi_profile_measure_gpu(pmi_call_times *times, pmi_profile *profile);

/* Measures what boxes take on the CPU and on that device, which is open, and is so again. */
void pmi_profile_measure_boxes(pm_context *context, double input_ns, pmi_box_figures *figures);

#endif
