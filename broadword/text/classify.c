/* SPDX-License-Identifier: Apache-2.0 */
/* The portable classifier: table look-ups, and bits gathered by multiplication. */
#include <string.h>

#include "broadword/simd.h"
#include "broadword/text/code_masks.h"

static uint64_t load_8(const unsigned char *bytes) {
    uint64_t word = 0;
    for (unsigned k = 0; k < 8; k++)
        word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

/* The lowest bit of each of 8 bytes, gathered. Other bits are 0. */
static uint64_t gather_lowest_bits(uint64_t bytes) {
    return bytes * UINT64_C(0x0102040810204080) >> 56; /* takes bit 8k to bit 56 + k, and no two bits to one place */
}

#define LOWEST_BITS UINT64_C(0x0101010101010101)

/* Where one bit of the classes is: sets of columns, each that of one or more rows. */
typedef struct column_sets {
    uint16_t columns[16];
    unsigned count;
} column_sets;

/* Adds a row that has the bit to its pairs of look-ups, one a set. */
static void add_row(pmi_byte_classes *classes, column_sets *sets, unsigned bit, unsigned row) {
    const uint8_t *const of = classes->of + 16 * row;
    const unsigned columns = (unsigned)(gather_lowest_bits(load_8(of) >> bit & LOWEST_BITS) |
                                        gather_lowest_bits(load_8(of + 8) >> bit & LOWEST_BITS) << 8);
    unsigned k = 0;
    while (k < sets->count && sets->columns[k] != columns)
        k++;
    const bool is_new = k == sets->count;
    if (is_new)
        sets->columns[sets->count++] = (uint16_t)columns;
    if (k >= PM_CLASS_PAIRS)
        return;
    classes->high[k][row] |= (uint8_t)(1u << bit);
    for (unsigned column = 0; is_new && column < 16; column++)
        classes->low[k][column] |= (uint8_t)((columns >> column & 1) << bit);
}

void pmi_byte_classes_finish(pmi_byte_classes *classes) {
    column_sets sets[PM_CLASS_BITS] = {{.count = 0}};
    memset(classes->low, 0, sizeof classes->low);
    memset(classes->high, 0, sizeof classes->high);
    classes->row_count = 0;
    for (unsigned row = 0; row < 16; row++) {
        unsigned any = 0;
        for (unsigned k = 0; k < 16; k++)
            any |= classes->of[16 * row + k];
        if (any)
            classes->rows[classes->row_count++] = (uint8_t)row;
        for (unsigned bit = 0; bit < PM_CLASS_BITS; bit++)
            if (any >> bit & 1)
                add_row(classes, &sets[bit], bit, row);
    }
    classes->pair_count = 0;
    for (unsigned bit = 0; bit < PM_CLASS_BITS; bit++)
        if (sets[bit].count > classes->pair_count)
            classes->pair_count = (uint8_t)sets[bit].count;
}

/* Gives the bytes with one of the classes a bit of the first look from `bit` on for each set of columns. Returns the
 * first bit that is not used, or more than `end` if those are not enough. */
static unsigned look_add(pmi_code_classes *classes, unsigned asked, unsigned bit, unsigned end) {
    uint16_t sets[PM_CLASS_BITS];
    unsigned count = 0;
    for (unsigned row = 0; row < 16; row++) {
        unsigned columns = 0, k = 0;
        for (unsigned column = 0; column < 16; column++)
            columns |= (unsigned)((classes->all.of[16 * row + column] & asked) != 0) << column;
        if (columns == 0)
            continue;
        while (k < count && sets[k] != columns)
            k++;
        if (k == count && bit + ++count > end)
            return end + 1;
        sets[k] = (uint16_t)columns;
        classes->high[row] |= (uint8_t)(1u << (bit + k));
        for (unsigned column = 0; column < 16; column++)
            classes->low[column] |= (uint8_t)((columns >> column & 1) << (bit + k));
    }
    return bit + count;
}

void pmi_code_classes_finish(pmi_code_classes *classes) {
    const unsigned begins = 1u << PM_MASK_STRING | 1u << PM_MASK_CHARACTER | 1u << PM_MASK_SLASH | 1u << PM_MASK_OTHER;
    pmi_byte_classes_finish(&classes->all);
    memset(classes->high, 0, sizeof classes->high);
    memset(classes->low, 0, sizeof classes->low);
    classes->looks = look_add(classes, begins, 0, PM_LOOK_BRACKET) <= PM_LOOK_BRACKET &&
                     look_add(classes, 1u << PM_MASK_BRACKET, PM_LOOK_BRACKET, PM_CLASS_BITS) <= PM_CLASS_BITS;
}

/* ---- The portable implementation ---- */

static void classify(const pmi_byte_classes *classes, unsigned planes, const unsigned char *text, size_t words,
                     uint64_t *masks) {
    for (; words > 0; words--, text += PM_WORD_BITS, masks += planes) {
        for (unsigned p = 0; p < planes; p++)
            masks[p] = 0;
        for (unsigned k = 0; k < PM_WORD_BITS; k += 8) {
            uint64_t eight = 0;
            for (unsigned i = 0; i < 8; i++)
                eight |= (uint64_t)classes->of[text[k + i]] << 8 * i;
            for (unsigned p = 0; eight != 0 && p < planes; p++)
                masks[p] |= gather_lowest_bits(eight >> p & LOWEST_BITS) << k;
        }
    }
}

/* Of each bit, the parity of the bits up to and with it. */
static uint64_t prefix_parity(uint64_t x) {
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        x ^= x << shift;
    return x;
}

static void quoted(pmi_quotation *state, const pmi_quoted_masks *masks, size_t words, uint64_t *outside,
                   uint64_t *inside) {
    pmi_quotation now = *state;
    for (size_t w = 0; w < words; w++) {
        inside[w] = pmi_quoted_inside(&now, &masks[w], prefix_parity(pmi_quoted_quotes(&now, &masks[w])));
        outside[w] = masks[w].brackets & ~inside[w];
    }
    *state = now;
}

/* Masks that were made at the first look. */
typedef struct code_target {
    const pmi_code_classes *classes;
    const unsigned char *text;
    uint64_t masks[PM_CODE_LOOK_WORDS * PM_MASK_COUNT];
} code_target;

static void look_at_code(void *target, const unsigned char *text, size_t words, const pmi_code_found *found,
                         size_t first, pmi_code_looked *looked) {
    code_target *const of = target;
    looked->first = first;
    looked->begins = 0;
    of->text = text;
    classify(&of->classes->all, PM_MASK_COUNT, text, words, of->masks);
    for (size_t w = 0; w < words; w++) {
        const uint64_t *const masks = of->masks + w * PM_MASK_COUNT;
        found->brackets[first + w] = masks[PM_MASK_BRACKET];
        found->comments[first + w] = found->quoted[first + w] = 0;
        const uint64_t any =
            masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER] | masks[PM_MASK_SLASH] | masks[PM_MASK_OTHER];
        looked->begins |= (uint64_t)(any != 0) << w;
    }
}

static void code_masks(const void *target, const unsigned char *word, uint64_t *masks) {
    const code_target *const of = target;
    memcpy(masks, of->masks + (word - of->text) / PM_WORD_BITS * PM_MASK_COUNT, PM_MASK_COUNT * sizeof *masks);
}

static uint64_t equal_mask(const unsigned char *word, unsigned char byte) {
    uint64_t mask = 0;
    for (unsigned k = 0; k < PM_WORD_BITS; k += 8) {
        const uint64_t differs = load_8(word + k) ^ byte * LOWEST_BITS;
        const uint64_t low_bits = 0x7f * LOWEST_BITS;
        const uint64_t top_if_differs = ((differs & low_bits) + low_bits) | differs;
        mask |= gather_lowest_bits(~top_if_differs >> 7 & LOWEST_BITS) << k;
    }
    return mask;
}

static void signs_of(const unsigned char *word, pmi_code_signs *signs) {
    *signs = (pmi_code_signs){.less = equal_mask(word, '<'),
                              .greater = equal_mask(word, '>'),
                              .braces = equal_mask(word, '{') | equal_mask(word, '}')};
    for (unsigned k = 0; k < PM_WORD_BITS; k++) {
        signs->blanks |= (uint64_t)pmi_byte_is_space(word[k]) << k;
        signs->names |= (uint64_t)pmi_byte_in_name(word[k]) << k;
    }
}

static size_t code(const pmi_code_rules *rules, const pmi_code_classes *classes, pmi_code_state *state,
                   const unsigned char *text, size_t words, const pmi_code_found *found) {
    code_target target; /* not initialised: most of it is not used most of the time; the same: */
    pmi_code_looked looked;
    target.classes = classes;
    looked.first = SIZE_MAX;
    looked.begins = 0;
    return pmi_code_words(
        rules, state, text, 0, words, found,
        (pmi_code_looks){look_at_code, code_masks, equal_mask, NULL, signs_of, prefix_parity, NULL, NULL}, &target,
        &looked);
}

static size_t find(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks, uint16_t *before) {
    size_t found = 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t mask = equal_mask(text + PM_WORD_BITS * w, byte);
        masks[w] = mask;
        if (before)
            before[w] = (uint16_t)found;
        found += pmi_bits_count(mask);
    }
    if (before)
        before[words] = (uint16_t)found;
    return found;
}

static size_t count(const uint64_t *masks, size_t words) {
    size_t counted = 0;
    for (size_t w = 0; w < words; w++)
        counted += pmi_bits_count(masks[w]);
    return counted;
}

static size_t pick(const unsigned char *text, const uint64_t *masks, size_t words, unsigned char *picked,
                   uint16_t *before) {
    size_t k = 0;
    for (size_t w = 0; w < words; w++) {
        before[w] = (uint16_t)k;
        for (uint64_t mask = masks[w]; mask != 0; mask &= mask - 1)
            picked[k++] = text[PM_WORD_BITS * w + pmi_bits_lowest(mask)];
    }
    return k;
}

static void positions(const uint64_t *masks, size_t words, uint64_t base, uint64_t *out) {
    for (size_t w = 0; w < words; w++)
        for (uint64_t mask = masks[w]; mask != 0; mask &= mask - 1)
            *out++ = base + PM_WORD_BITS * w + pmi_bits_lowest(mask);
}

static void roles(const pmi_byte_classes *of, const unsigned char *brackets, size_t words, uint64_t *opens,
                  uint8_t *kinds) {
    classify(of, 1, brackets, words, opens);
    for (size_t k = 0; k < words * PM_WORD_BITS; k++)
        kinds[k] = (uint8_t)(of->of[brackets[k]] >> 2);
}

static void copy(const unsigned char *from, size_t n, unsigned char *to) {
    memcpy(to, from, n);
}

const pmi_classifier pmi_classifier_portable = {classify, quoted, code, find, count, pick, positions, roles,
                                                NULL,     NULL,   NULL, NULL, NULL,  copy, false};
