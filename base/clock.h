/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that calls are timed by. */
#ifndef PM_BASE_CLOCK_H
#define PM_BASE_CLOCK_H

/* Now, in nanoseconds since some time that stays. */
double pmi_clock_ns(void);

#endif
