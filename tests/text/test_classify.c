/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to masks and back: every implementation that this CPU can run, against loops over bytes. */
#include <stdlib.h>
#include <string.h>

#include "broadword/simd.h"
#include "core/context/context.h"
#include "inputs/families.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

enum {
    WORDS_MAX = 70,
    BYTES_MAX = 64 * WORDS_MAX
};

static const char *tested; /* the name of the target whose classifier is tested */

/* Calls the test for the classifier of each target. */
static void for_each_classifier(void (*test)(const pmi_classifier *classifier)) {
    for (size_t i = 0; pmi_simd_at(i); i++)
        if (pmi_simd_at(i)->supported()) {
            tested = pmi_simd_at(i)->name;
            test(pmi_simd_at(i)->classifier);
        }
}

/* Every target has the functions of every feature; the last one works everywhere. */
TEST(test_the_table) {
    size_t count = 0, best = 0;
    for (; pmi_simd_at(count); count++) {
        const pmi_simd_target *const simd = pmi_simd_at(count);
        assert_true(simd->engine && simd->bp && simd->classifier && simd->finder);
        assert_ptr_equal(pmi_simd_by_name(simd->name), simd);
        assert_string_equal(pm_simd_at(count)->name, simd->name);
    }
    assert_true(count >= 1);
    assert_null(pmi_simd_at(count + 1));
    assert_string_equal(pmi_simd_at(count - 1)->name, "portable");
    assert_true(pmi_simd_at(count - 1)->supported());
    while (!pmi_simd_at(best)->supported())
        best++;
    assert_ptr_equal(pmi_simd_best(), pmi_simd_at(best));
}

/* In every bit of their classes, bytes whose halves are of one set each, so often. */
static void add_rectangles(pmi_byte_classes *classes, unsigned count, uint64_t *seed) {
    for (unsigned bit = 0; bit < PM_CLASS_BITS; bit++)
        for (unsigned k = 0; k < count; k++) {
            const uint64_t rows = random_next(seed) & random_next(seed), columns = random_next(seed);
            for (unsigned byte = 0; byte < 256; byte++)
                classes->of[byte] |= (uint8_t)((rows >> byte / 16 & columns >> byte % 16 & 1) << bit);
        }
}

/* Classes of no byte, a few, ASCII alone, most bytes, or what pairs of look-ups find, or miss by a byte. */
static pmi_byte_classes random_classes(uint64_t *seed) {
    pmi_byte_classes classes = {.row_count = 0};
    const size_t bytes = random_below(seed, 2) ? 256 : 128;
    size_t classified = 0;
    switch (random_below(seed, 4)) {
    case 0:
        classified = random_below(seed, 5);
        break;
    case 1:
        classified = random_below(seed, 20);
        break;
    case 2:
        add_rectangles(&classes, 1 + (unsigned)random_below(seed, 5), seed);
        classified = random_below(seed, 2);
        break;
    default:
        classified = 300;
        break;
    }
    while (classified-- > 0)
        classes.of[random_below(seed, bytes)] = (uint8_t)random_next(seed);
    pmi_byte_classes_finish(&classes);
    return classes;
}

static void random_text(uint64_t *seed, unsigned char *text, size_t n, unsigned char often) {
    for (size_t i = 0; i < n; i++)
        text[i] = random_below(seed, 3) ? (unsigned char)random_next(seed) : often;
}

/* Every alignment, the text's last byte the last of its page. */
static void classify_and_find(const pmi_classifier *classifier) {
    guarded_memory text = guarded_allocate(BYTES_MAX + 64);
    guarded_memory masks = guarded_allocate(PM_CLASS_BITS * (WORDS_MAX + 1) * sizeof(uint64_t));
    uint64_t seed = 1;
    for (unsigned round = 0; round < 600; round++) {
        const pmi_byte_classes classes = random_classes(&seed);
        const unsigned char often = (unsigned char)random_next(&seed);
        const unsigned planes = 1 + (unsigned)random_below(&seed, PM_CLASS_BITS);
        const size_t words = round < 500 ? round % 5 : random_below(&seed, WORDS_MAX + 1);
        const unsigned char *begin = text.end - round % 64 * (round % 2) - 64 * words; /* half of them at the end */
        uint64_t *found = (uint64_t *)(void *)masks.end - planes * words;
        random_text(&seed, text.end - text.size, text.size, often);
        classifier->classify(&classes, planes, begin, words, found);
        for (size_t i = 0; i < 64 * words; i++)
            for (unsigned p = 0; p < planes; p++)
                assert_int_equal(found[i / 64 * planes + p] >> i % 64 & 1, classes.of[begin[i]] >> p & 1);
        found = (uint64_t *)(void *)masks.end - words;
        size_t count = 0;
        uint16_t before[WORDS_MAX + 1];
        const size_t counted = classifier->find(often, begin, words, found, round % 3 ? before : NULL);
        for (size_t i = 0; i < 64 * words; i++) {
            if (round % 3 && i % 64 == 0)
                assert_int_equal(before[i / 64], count);
            assert_int_equal(found[i / 64] >> i % 64 & 1, begin[i] == often);
            count += begin[i] == often;
        }
        assert_int_equal(counted, count);
        if (round % 3)
            assert_int_equal(before[words], count);
    }
    guarded_free(&text);
    guarded_free(&masks);
}

TEST(test_classify_and_find) {
    for_each_classifier(classify_and_find);
}

/* Every byte is of its class, and every byte is found, among bytes that differ from it by little. */
static void every_byte(const pmi_classifier *classifier) {
    pmi_byte_classes classes = {.row_count = 0};
    unsigned char text[256];
    uint64_t masks[4 * PM_CLASS_BITS];
    for (unsigned byte = 0; byte < 256; byte++) {
        classes.of[byte] = (uint8_t)(byte * 151 + 7);
        text[byte] = (unsigned char)byte;
    }
    pmi_byte_classes_finish(&classes);
    classifier->classify(&classes, PM_CLASS_BITS, text, 4, masks);
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned p = 0; p < PM_CLASS_BITS; p++)
            assert_int_equal(masks[byte / 64 * PM_CLASS_BITS + p] >> byte % 64 & 1, classes.of[byte] >> p & 1);
    for (unsigned byte = 0; byte < 256; byte++) {
        assert_int_equal(classifier->find((unsigned char)byte, text, 4, masks, NULL), 1);
        for (unsigned w = 0; w < 4; w++)
            assert_true(masks[w] == (w == byte / 64 ? UINT64_C(1) << byte % 64 : 0));
    }
}

/* Any roles: few as alphabets have, or all. */
static void roles_of_brackets(const pmi_classifier *classifier) {
    guarded_memory text = guarded_allocate(BYTES_MAX);
    uint64_t opens[WORDS_MAX], seed = 3;
    guarded_memory kinds = guarded_allocate(BYTES_MAX);
    for (unsigned round = 0; round < 100; round++) {
        const pmi_byte_classes roles = random_classes(&seed);
        const size_t words = random_below(&seed, WORDS_MAX + 1);
        const unsigned char *const brackets = text.end - 64 * words;
        uint8_t *const found = kinds.end - 64 * words;
        random_text(&seed, text.end - text.size, text.size, (unsigned char)random_next(&seed));
        classifier->roles(&roles, brackets, words, opens, found);
        for (size_t i = 0; i < 64 * words; i++) {
            assert_int_equal(opens[i / 64] >> i % 64 & 1, roles.of[brackets[i]] & PM_ROLE_OPEN);
            assert_int_equal(found[i], roles.of[brackets[i]] >> 2);
        }
    }
    guarded_free(&text);
    guarded_free(&kinds);
}

TEST(test_roles_of_brackets) {
    for_each_classifier(roles_of_brackets);
}

TEST(test_every_byte) {
    for_each_classifier(every_byte);
}

/* Masks of all densities, so that words have none, a few, or all of their bits. */
static uint64_t random_mask(uint64_t *seed) {
    uint64_t mask = random_next(seed);
    switch (random_below(seed, 6)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return mask & random_next(seed) & random_next(seed) & random_next(seed);
    case 3:
        return mask | random_next(seed) | random_next(seed);
    case 4:
        return UINT64_C(1) << mask % 64;
    default:
        return mask;
    }
}

static void pick_and_positions(const pmi_classifier *classifier) {
    guarded_memory text = guarded_allocate(BYTES_MAX);
    guarded_memory picked = guarded_allocate(BYTES_MAX + PM_PICK_SLACK);
    guarded_memory positions = guarded_allocate(BYTES_MAX * sizeof(uint64_t));
    uint64_t masks[WORDS_MAX], seed = 2;
    uint16_t before[WORDS_MAX];
    for (unsigned round = 0; round < 600; round++) {
        const size_t words = round < 500 ? round % 5 : random_below(&seed, WORDS_MAX + 1);
        const uint64_t base = round % 3 ? random_next(&seed) : 0;
        const unsigned char *begin = text.end - 64 * words;
        size_t count = 0;
        random_text(&seed, text.end - text.size, text.size, 'a');
        for (size_t w = 0; w < words; w++) {
            masks[w] = random_mask(&seed);
            count += pmi_bits_count(masks[w]);
        }
        unsigned char *bytes = picked.end - PM_PICK_SLACK - count;
        uint64_t *at = (uint64_t *)(void *)positions.end - count;
        assert_int_equal(classifier->count(masks, words), count);
        assert_int_equal(classifier->pick(begin, masks, words, bytes, before), count);
        if (at > (uint64_t *)(void *)(positions.end - positions.size))
            at[-1] = 77;
        classifier->positions(masks, words, base, at);
        size_t k = 0;
        for (size_t w = 0; w < words; w++) {
            assert_int_equal(before[w], k);
            for (size_t i = 0; i < 64; i++)
                if (masks[w] >> i & 1) {
                    assert_int_equal(bytes[k], begin[64 * w + i]);
                    assert_true(at[k] == base + 64 * w + i);
                    k++;
                }
        }
        assert_int_equal(k, count);
        if (at > (uint64_t *)(void *)(positions.end - positions.size))
            assert_int_equal(at[-1], 77);
    }
    guarded_free(&text);
    guarded_free(&picked);
    guarded_free(&positions);
}

TEST(test_pick_and_positions) {
    for_each_classifier(pick_and_positions);
}

/* ---- Quotations ---- */

/* Byte by byte: which bytes of a text of " and \ and others are quoted, opening quotes included. */
static void quoted_by_definition(pmi_quotation *now, const char *text, size_t n, bool *inside) {
    for (size_t i = 0; i < n; i++) {
        inside[i] = now->inside && !(text[i] == '"' && !now->escaped);
        if (!now->inside) {
            now->inside = inside[i] = text[i] == '"';
        } else if (now->escaped) {
            now->escaped = false;
        } else {
            now->escaped = text[i] == '\\';
            now->inside = text[i] != '"';
        }
    }
}

static void assert_quoted(const pmi_classifier *classifier, pmi_quotation before, const char *text, size_t words) {
    bool expected[4 * 64];
    pmi_quoted_masks masks[4] = {{0, 0, 0}};
    uint64_t outside[4], inside[4];
    pmi_quotation now = before, after = before;
    assert_in_range(words, 0, 4);
    for (size_t i = 0; i < 64 * words; i++) {
        masks[i / 64].brackets |= (uint64_t)(text[i] == '[') << i % 64;
        masks[i / 64].quotes |= (uint64_t)(text[i] == '"') << i % 64;
        masks[i / 64].backslashes |= (uint64_t)(text[i] == '\\') << i % 64;
    }
    quoted_by_definition(&after, text, 64 * words, expected);
    classifier->quoted(&now, masks, words, outside, inside);
    assert_int_equal(now.inside, after.inside);
    assert_int_equal(now.escaped, after.escaped);
    for (size_t w = 0; w < words; w++) {
        uint64_t mask = 0;
        for (size_t i = 0; i < 64; i++)
            mask |= (uint64_t)expected[64 * w + i] << i;
        if (inside[w] != mask)
            fail_msg("%s: %.*s", tested, (int)(64 * words), text);
        assert_true(outside[w] == (masks[w].brackets & ~mask));
    }
}

static const pmi_quotation quotations[] = {{false, false}, {true, false}, {true, true}};

/* Every string of 8 bytes over four, across the end of a word. */
static void every_quotation(const pmi_classifier *classifier) {
    static const char bytes[] = "\"\\[a";
    enum {
        LENGTH = 8
    };
    char text[128];
    for (unsigned q = 0; q < COUNT_OF(quotations); q++)
        for (unsigned code = 0; code < 1u << 2 * LENGTH; code++) {
            const size_t at = 64 - code % (LENGTH + 1);
            memset(text, '[', sizeof text);
            for (unsigned i = 0; i < LENGTH; i++)
                text[at + i] = bytes[code >> 2 * i & 3];
            assert_quoted(classifier, quotations[q], text, 2);
        }
}

TEST(test_every_quotation) {
    for_each_classifier(every_quotation);
}

/* Runs of backslashes of all lengths and places; and random soups of all mixtures. */
static void long_quotations(const pmi_classifier *classifier) {
    char text[4 * 64];
    uint64_t seed = 3;
    for (unsigned q = 0; q < COUNT_OF(quotations); q++) {
        for (size_t length = 0; length <= 140; length++)
            for (size_t at = 0; at <= 70; at++) {
                memset(text, '[', sizeof text);
                if (length % 3 != 0 || at == 0)
                    text[at] = '"';
                memset(text + at + 1, '\\', length);
                text[at + length + 1] = '"';
                assert_quoted(classifier, quotations[q], text, 4);
            }
        for (unsigned round = 0; round < 3000; round++) {
            static const char *const soups[] = {"\"\\[a", "\"[aaaaaaa", "\\\\\\\"", "\"\"\\aaaaaaaaaaaaaa", "\\[", "a"};
            const char *soup = soups[round % (COUNT_OF(soups))];
            for (size_t i = 0; i < sizeof text; i++)
                text[i] = soup[random_below(&seed, strlen(soup))];
            assert_quoted(classifier, quotations[q], text, round % 5);
        }
    }
}

TEST(test_long_quotations) {
    for_each_classifier(long_quotations);
}

/* ---- The classifier of a context ---- */

static unsigned spied;

static void spy_classify(const pmi_byte_classes *classes, unsigned planes, const unsigned char *text, size_t words,
                         uint64_t *masks) {
    spied++;
    pmi_simd_by_name("portable")->classifier->classify(classes, planes, text, words, masks);
}

static size_t spy_find(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks, uint16_t *before) {
    spied++;
    return pmi_simd_by_name("portable")->classifier->find(byte, text, words, masks, before);
}

/* pm_options.simd holds for texts too: every function that reads one takes the classifier of its context's target. */
TEST(test_classifier_of_the_context) {
    static const char rules[] = "pair ( )\n";
    char text[1024];
    memset(text, '\n', sizeof text);
    const pm_options options = {.simd = "portable"};
    pm_context *context = context_of(&options);
    assert_ptr_equal(pmi_simd_of(context)->classifier, pmi_simd_by_name("portable")->classifier);
    assert_ptr_equal(pmi_simd_of(NULL), pmi_simd_best());

    pmi_classifier spy = *context->simd->classifier;
    spy.classify = spy_classify;
    spy.find = spy_find;
    pmi_simd_target simd = *context->simd;
    simd.classifier = &spy;
    context->simd = &simd;

    size_t count;
    assert_ok(
        pm_text_brackets(context, pm_language_by_name("json"), NULL, text, sizeof text, 0, NULL, NULL, NULL, &count));
    assert_true(spied > 0);

    spied = 0;
    pm_check *check;
    assert_ok(pm_check_create(context, pm_language_by_name("c"), NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, text, sizeof text));
    pm_check_destroy(check);
    assert_true(spied > 0);

    spied = 0;
    pm_language *delimiters;
    pm_check_summary summary;
    assert_ok(pm_language_create_rules(context, rules, strlen(rules), &delimiters, NULL));
    assert_ok(pm_check_create(context, delimiters, NULL, NULL, NULL, &check));
    assert_ok(pm_check_text(check, text, sizeof text, &summary));
    pm_check_destroy(check);
    pm_language_destroy(delimiters);
    assert_int_equal(summary.lines, sizeof text);
    assert_true(spied > 0);
    pm_context_destroy(context);
}
