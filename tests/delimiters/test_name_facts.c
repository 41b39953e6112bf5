/* SPDX-License-Identifier: Apache-2.0 */
/* What rules say of names: each name of a list is found, in the family that it was said of, and no other. */
#include "core/delimiters/tags/name_facts.h"

#include <string.h>

#include "tests/support/unit.h"

static struct pmi_delimiters *create(const char *rules) {
    struct pmi_delimiters *pairs;
    assert_int_equal(pmi_delimiters_create(NULL, rules, strlen(rules), &pairs, NULL), PM_OK);
    return pairs;
}

static const pmi_name_fact *find(const struct pmi_delimiters *pairs, uint32_t family, const char *name) {
    return pmi_name_facts_find(pairs, family, (const unsigned char *)name, strlen(name));
}

TEST(test_lists) {
    struct pmi_delimiters *const pairs = create("element < </ > />\n"
                                                "void br hr\nraw script hr\noptional html\n"
                                                "implied p ul p\nimplied li li\nimplied p ol li\n");
    assert_int_equal(find(pairs, 0, "br")->lists, PM_NAMED_NOTHING);
    assert_int_equal(find(pairs, 0, "html")->lists, PM_NAMED_NOTHING);
    assert_int_equal(find(pairs, 0, "script")->lists, PM_NAMED_RAW);
    assert_int_equal(find(pairs, 0, "hr")->lists, PM_NAMED_NOTHING | PM_NAMED_RAW);
    assert_int_equal(find(pairs, 0, "br")->implied, PM_NONE);
    assert_int_equal(find(pairs, 0, "p")->implied, 2); /* the last line that says so */
    assert_int_equal(find(pairs, 0, "p")->ends, 1);
    assert_int_equal(find(pairs, 0, "li")->implied, 1);
    assert_int_equal(find(pairs, 0, "li")->ends, 2 | 4);
    assert_int_equal(find(pairs, 0, "ol")->ends, 4);
    assert_int_equal(find(pairs, 0, "ol")->lists, 0);
    static const char *const others[] = {"b", "brr", "BR", "element", "void", "<", "scripts", "a name in no list"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_null(find(pairs, 0, others[k]));
    pmi_delimiters_destroy(pairs);
}

TEST(test_families) {
    struct pmi_delimiters *const pairs = create("element < </ >\nvoid a\n"
                                                "statement {% %} end a if\nraw c\nassigned if\n");
    assert_int_equal(find(pairs, 0, "a")->lists, PM_NAMED_NOTHING);
    assert_int_equal(find(pairs, 1, "a")->lists, PM_NAMED_OPENS);
    assert_int_equal(find(pairs, 1, "if")->lists, PM_NAMED_OPENS | PM_NAMED_ASSIGNED);
    assert_int_equal(find(pairs, 1, "c")->lists, PM_NAMED_RAW);
    assert_null(find(pairs, 0, "if"));
    assert_null(find(pairs, 0, "c"));
    pmi_delimiters_destroy(pairs);
}

TEST(test_case) {
    struct pmi_delimiters *const pairs = create("ignore-case\nelement < </ >\nvoid Br\n");
    assert_int_equal(find(pairs, 0, "bR")->lists, PM_NAMED_NOTHING);
    assert_null(find(pairs, 0, "b2"));
    pmi_delimiters_destroy(pairs);
}

TEST(test_no_lists) {
    struct pmi_delimiters *const pairs = create("pair ( )\n");
    assert_null(find(pairs, 0, "("));
    pmi_delimiters_destroy(pairs);
}

/* More names than a table has to begin with. */
TEST(test_many) {
    char rules[8192] = "element < </ >\nvoid";
    for (unsigned k = 0; k < 1000; k++) {
        const char name[] = {' ', (char)('a' + k / 100), (char)('a' + k / 10 % 10), (char)('a' + k % 10), '\0'};
        strcat(rules, name);
    }
    strcat(rules, "\n");
    struct pmi_delimiters *const pairs = create(rules);
    for (unsigned k = 0; k < 1728; k++) {
        const unsigned char name[] = {(unsigned char)('a' + k / 144), (unsigned char)('a' + k / 12 % 12),
                                      (unsigned char)('a' + k % 12)};
        const bool listed = name[0] < 'k' && name[1] < 'k' && name[2] < 'k';
        assert_int_equal(pmi_name_facts_find(pairs, 0, name, sizeof name) != NULL, listed);
    }
    pmi_delimiters_destroy(pairs);
}
