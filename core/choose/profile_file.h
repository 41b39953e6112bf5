/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles as files: the figures of one machine, and what machine that is. */
#ifndef PM_CORE_CHOOSE_PROFILE_FILE_H
#define PM_CORE_CHOOSE_PROFILE_FILE_H

#include "core/choose/profile.h"
#include "parenmatch.h"

/* Longest profile that is read, in bytes. */
#define PM_PROFILE_SIZE ((size_t)4096)

/*
 * Writes the profile's text and returns its length, without the NUL at its end. It is valid for this version of the
 * library, this CPU and these vector instructions, and for the device and its driver. Figures are rounded, and limited
 * to plausible values.
 */
size_t pmi_profile_format(const char *simd, const pmi_profile *profile, char text[PM_PROFILE_SIZE]);

/* Reads a profile from a text of n bytes and a NUL. Returns false unless pmi_profile_format() could have written
 * exactly this text here, for these instructions. */
bool pmi_profile_parse(const char *simd, const char *text, size_t n, pmi_profile *profile);

/* Replaces the file atomically. PM_IO, PM_OUT_OF_MEMORY. */
pm_status pmi_profile_write(const pm_allocator *allocator, const char *path, const char *simd,
                            const pmi_profile *profile);

/* Reads a profile. PM_IO if there is no such file; PM_CORRUPT if it is damaged or made for another machine. */
pm_status pmi_profile_read(const char *path, const char *simd, pmi_profile *profile);

#endif
