/* SPDX-License-Identifier: Apache-2.0 */
/* Where brackets go: as many of them as there is room for, in packed bits, positions and kinds. */
#ifndef PM_CORE_TOKENS_BRACKET_OUTPUT_H
#define PM_CORE_TOKENS_BRACKET_OUTPUT_H

#include "core/text/bracket_masks.h"

typedef struct pmi_bracket_output {
    const pm_alphabet *alphabet;
    const pmi_classifier *classifier;
    pmi_byte_classes roles;
    size_t capacity, count;
    uint64_t *parens, *positions;
    uint8_t *kinds;
} pmi_bracket_output;

/* Prepares an output whose classifier, capacity and arrays are set. */
void pmi_bracket_output_init(pmi_bracket_output *output, const pm_alphabet *alphabet);

/* Stores the brackets of words <= PM_CHUNK_WORDS words of text, whose first byte is at `position`. */
void pmi_bracket_output_words(pmi_bracket_output *output, size_t position, const unsigned char *text, size_t words,
                              const uint64_t *brackets);

/* Reads n more bytes, the first at `position`, and stores their brackets. */
pm_status pmi_bracket_output_read(pmi_bracket_output *output, pmi_bracket_reader *reader, size_t position,
                                  const unsigned char *text, size_t n);

#endif
