/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles as files: the figures of one machine, with what they hold for. */
#ifndef PM_CORE_CHOOSE_PROFILE_FILE_H
#define PM_CORE_CHOOSE_PROFILE_FILE_H

#include "core/choose/profile.h"
#include "parenmatch.h"

/* Longest profile that is read, in bytes. */
#define PM_PROFILE_SIZE ((size_t)4096)

/*
 * Writes the profile's text and returns its length, without the NUL that ends it. It holds for this version of the
 * library, this CPU and these vector instructions; what it says of a device, for that device and its driver. Figures
 * are rounded, and made to lie where they make sense.
 */
size_t pmi_profile_format(const char *simd, const pmi_profile *profile, char text[PM_PROFILE_SIZE]);

/* The profile of a text, n bytes and a NUL; false if it is not, in every byte, what pmi_profile_format() could have
 * written for these instructions here. */
bool pmi_profile_parse(const char *simd, const char *text, size_t n, pmi_profile *profile);

/* Replaces the file at one stroke. PM_IO, PM_OUT_OF_MEMORY. */
pm_status pmi_profile_write(const pm_allocator *allocator, const char *path, const char *simd,
                            const pmi_profile *profile);

/* PM_IO if there is no such file; PM_CORRUPT if it is damaged, or holds for something else. */
pm_status pmi_profile_read(const char *path, const char *simd, pmi_profile *profile);

#endif
