/* SPDX-License-Identifier: Apache-2.0 */
/* Copying memory with several threads: one alone does not keep up with a fast bus. */
#ifndef PM_CPU_COPY_TEAM_H
#define PM_CPU_COPY_TEAM_H

#include <stddef.h>

/* As memcpy(), by at most `threads` threads (0: as many as OpenMP gives), of which short copies get fewer. */
void pmi_copy_team(void *to, const void *from, size_t bytes, unsigned threads);

#endif
