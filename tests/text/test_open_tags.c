/* SPDX-License-Identifier: Apache-2.0 */
/* Open tags of a text that comes byte by byte and is taken back, against those of a check that gets each text at once.
 */
#include <string.h>

#include "inputs/families.h"
#include "parenmatch/open.h"
#include "tests/support/unit.h"

#define ASKED 5u
#define SUFFIX_MAX 256u
#define PIECES_MAX 40u

static const char *const pieces[] = {"<a>", "</a>", "<b x='1>'>", "</b>", "<br/>", "<c d=\"<\" />",
                                     "<!-- x > - -- y -->", "<![CDATA[ <a> ]] ]]>", "<?pi x?y ?>",
                                     "<!DOCTYPE a [<!ENTITY b 'c>'>]>", "\n", "text", "<a\n b>",
                                     "<a-longer.name v=\"w\">", "</a-longer.name>",
                                     /* from here on parts of others */
                                     "< ", "<", ">", "\"", "'", "]]>", "<!", "<!-", "<![", "</", "/", "["};
#define WHOLE_PIECES 15u

static size_t make_text(uint64_t *seed, char *text) {
    const size_t kinds = random_below(seed, 2) ? COUNT_OF(pieces) : WHOLE_PIECES;
    size_t n = 0;
    for (uint64_t k = 1 + random_below(seed, PIECES_MAX); k > 0; k--) {
        const char *const piece = pieces[random_below(seed, kinds)];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

static pm_check *check_make(void) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name("xml"), NULL, NULL, NULL, &check));
    return check;
}

typedef struct answer {
    pm_open_bracket opens[ASKED];
    uint64_t count;
    pm_open_end end;
    pm_status status; /* of the suffix */
    size_t length;
    char suffix[SUFFIX_MAX];
} answer;

static answer ask(pm_check *check) {
    answer given;
    memset(&given, 0, sizeof given);
    assert_ok(pm_check_open(check, given.opens, ASKED, &given.count, &given.end));
    given.status = pm_check_suffix(check, given.suffix, sizeof given.suffix, &given.length);
    return given;
}

static void compare(pm_check *check, const char *text, size_t n) {
    pm_check *const once = check_make();
    assert_ok(pm_check_push(once, text, n));
    const answer given = ask(check), right = ask(once);
    if (memcmp(&given, &right, sizeof given) != 0)
        fail_msg("<%.*s>: %llu open, suffix <%s>, not %llu, <%s>", (int)n, text, (unsigned long long)given.count,
                 given.suffix, (unsigned long long)right.count, right.suffix);
    pm_check_destroy(once);
}

TEST(test_tags_that_come_byte_by_byte) {
    uint64_t seed = 5;
    for (unsigned round = 0; round < 150; round++) {
        char text[PIECES_MAX * 32];
        const size_t n = make_text(&seed, text);
        pm_check *const check = check_make();
        for (size_t i = 0; i < n; i++) {
            assert_ok(pm_check_push(check, text + i, 1));
            compare(check, text, i + 1);
        }
        pm_check_destroy(check);
    }
}

/* From a saved state the text goes on in another way, again and again. */
TEST(test_tags_that_are_taken_back) {
    uint64_t seed = 7;
    for (unsigned round = 0; round < 100; round++) {
        char text[PIECES_MAX * 32];
        const size_t n = make_text(&seed, text), middle = random_below(&seed, n);
        pm_check *const check = check_make();
        pm_check_state *saved;
        assert_ok(pm_check_push(check, text, middle));
        compare(check, text, middle);
        assert_ok(pm_check_save(check, &saved));
        for (unsigned way = 0; way < 3; way++) {
            for (size_t i = middle; i < n; i += 3) {
                const size_t end = i + 3 < n ? i + 3 : n;
                assert_ok(pm_check_push(check, text + i, end - i));
                compare(check, text, end);
            }
            assert_ok(pm_check_restore(check, saved));
            compare(check, text, middle);
            for (size_t i = middle; i < n; i++)
                text[i] = random_below(&seed, 3) ? text[i] : "<>/a b-"[random_below(&seed, 7)];
        }
        if (round % 2 == 0) { /* a text of its own, of which the state knows nothing */
            assert_ok(pm_check_finish(check, NULL));
            assert_ok(pm_check_push(check, "<x>", 3));
            compare(check, "<x>", 3);
            assert_ok(pm_check_restore(check, saved));
            compare(check, text, middle);
        }
        pm_check_state_destroy(saved);
        pm_check_destroy(check);
    }
}

/* Many opens: what is asked after each further byte does not read them. */
TEST(test_deep_tags) {
    enum {
        DEPTH = 100000,
        MORE = 3000
    };
    pm_check *const check = check_make();
    for (unsigned k = 0; k < DEPTH; k++)
        assert_ok(pm_check_push(check, "<a>", 3));
    for (unsigned k = 0; k < MORE; k++) {
        char suffix[8];
        size_t length;
        uint64_t count;
        assert_ok(pm_check_push(check, "<b>\n</b>", 8));
        assert_ok(pm_check_open(check, NULL, 0, &count, NULL));
        assert_int_equal(count, DEPTH);
        assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
        assert_int_equal(length, 4 * DEPTH);
        assert_memory_equal(suffix, "</a></a>", sizeof suffix);
    }
    pm_check_destroy(check);
}
