/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a scene slow on a CPU: kinds that its branches guess wrongly. */
#ifndef PM_CORE_BOXES_GUESSES_H
#define PM_CORE_BOXES_GUESSES_H

#include <stddef.h>
#include <stdint.h>

/* The share of a scene's elements whose kind is another one than most often follows the three before it; of a sample of
 * some thousand. Of kinds that are none the lowest two bits count. */
double pmi_box_wrong_guesses(const uint8_t *kinds, size_t n);

#endif
