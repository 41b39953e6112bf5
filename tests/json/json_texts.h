/* SPDX-License-Identifier: Apache-2.0 */
/* Random JSON texts for tests of devices. */
#ifndef PM_TESTS_JSON_JSON_TEXTS_H
#define PM_TESTS_JSON_JSON_TEXTS_H

#include <stddef.h>
#include <stdint.h>

/* Writes one value of n > 0 bytes, blanks around it included. The seed chooses how deep it is, how long its strings,
 * numbers and blanks are, and how many brackets it has. */
void json_text_make(uint64_t seed, char *to, size_t n);

/* Changes a byte, mostly to one that means something. */
void json_text_change(uint64_t *seed, char *text, size_t n);

#endif
