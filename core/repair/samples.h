/* SPDX-License-Identifier: Apache-2.0 */
/* Short samples of how code is written, for texts too short to tell their own habits. */
#ifndef PM_CORE_REPAIR_SAMPLES_H
#define PM_CORE_REPAIR_SAMPLES_H

#include "core/text/language.h"

/* Returns the sample for a language, in static storage; the empty string if no sample is like it. */
const char *pmi_repair_sample(const pm_language *language);

#endif
