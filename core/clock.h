/* SPDX-License-Identifier: Apache-2.0 */
/* The clock that calls are timed by. */
#ifndef PM_CORE_CLOCK_H
#define PM_CORE_CLOCK_H

/* Now, in nanoseconds since some time that stays. */
double pm_clock_ns(void);

#endif
