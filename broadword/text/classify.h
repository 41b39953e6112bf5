/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to masks, in bulk: of every 64 bytes of text one word a question, bit i of which is the answer for byte i; and
 * from such masks back to bytes and positions. Everything works on whole words of 64 bytes and reads nothing else.
 */
#ifndef PM_BROADWORD_TEXT_CLASSIFY_H
#define PM_BROADWORD_TEXT_CLASSIFY_H

#include "base/slice.h"
#include "broadword/text/quoted.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A class is 8 bits, each the answer to a question. */
#define PM_CLASS_BITS 8u

typedef struct pmi_byte_classes {
    uint8_t of[256];   /* by byte: 16 rows of 16, found by the byte's high and low half */
    uint8_t rows[16];  /* those with a class that is not 0 */
    uint8_t row_count; /* ... how many */
} pmi_byte_classes;

/* Notes the rows of a table that was filled in. */
void pmi_byte_classes_finish(pmi_byte_classes *classes);

#define PM_PICK_SLACK 64u   /* bytes that pmi_classifier.pick may write behind those it promises */
#define PM_PICK_WORDS 1023u /* most words it takes */

/* The functions of texts for one SIMD target. */
typedef struct pmi_classifier {
    /* masks[planes * w + p], p < planes <= PM_CLASS_BITS: bit p of the classes of text[64w] ... text[64w + 63]. */
    void (*classify)(const pmi_byte_classes *classes, unsigned planes, const unsigned char *text, size_t words,
                     uint64_t *masks);

    /* outside[w]: the brackets of word w that are not quoted; inside[w]: see pmi_quoted_inside(). */
    void (*quoted)(pmi_quotation *state, const pmi_quoted_masks *masks, size_t words, uint64_t *outside,
                   uint64_t *inside);

    /* masks[w]: which bytes are `byte`. Returns how many are. */
    size_t (*find)(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks);

    /* Bits set in words. */
    size_t (*count)(const uint64_t *masks, size_t words);

    /* The bytes that the masks have, one after another, into picked, which has room for PM_PICK_SLACK more.
     * before[w]: how many come before word w. Returns how many there are. */
    size_t (*pick)(const unsigned char *text, const uint64_t *masks, size_t words, unsigned char *picked,
                   uint16_t *before);

    /* Their positions: base + 64w + i for bit i of masks[w]. Writes as many as there are bits. */
    void (*positions)(const uint64_t *masks, size_t words, uint64_t base, uint64_t *positions);
} pmi_classifier;

#ifdef __cplusplus
}
#endif

#endif
