/* SPDX-License-Identifier: Apache-2.0 */
/* Rules as finite state machines: what these find, place by place, against scan_tokens(), on random rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dfa.h"
#include "core/delimiters/token_scan.h"
#include "inputs/families.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/delimiters/structure_fixture.h"
#include "tests/support/unit.h"

enum {
    RULES = 1024,
    TEXT = 150
};

/* ---- A machine at work ---- */

typedef struct names_seen {
    size_t count, lengths[TEXT];
    const unsigned char *names[TEXT];
} names_seen;

static bool parts_words(const unsigned char *text, size_t n, size_t at) {
    return at == 0 || at == n || !pmi_byte_is_word(text[at - 1]) || !pmi_byte_is_word(text[at]);
}

static size_t behind_blanks(const unsigned char *text, size_t n, size_t at) {
    while (at < n && pmi_byte_is_space(text[at]))
        at++;
    return at;
}

static bool has_second(const pmi_dfa *machine, const pmi_dfa_choice *choice, const unsigned char *text, size_t n,
                       size_t from) {
    const size_t at = behind_blanks(text, n, from);
    return choice->second_length <= n - at && (at > from || parts_words(text, n, at)) &&
           pmi_bytes_equal(text + at, machine->bytes + choice->second, choice->second_length, machine->ignore_case) &&
           parts_words(text, n, at + choice->second_length);
}

static bool is_tagged(const unsigned char *text, size_t n, size_t at) {
    size_t end = at + 1;
    if (end == n || !pmi_byte_is_word(text[end]) || (text[end] >= '0' && text[end] <= '9'))
        return false;
    while (end < n && pmi_byte_is_word(text[end]))
        end++;
    return end < n && text[end] == text[at];
}

/* Texts are too short for more blanks than are looked at. */
static bool is_made(const pmi_dfa *machine, const pmi_dfa_choice *choice, const unsigned char *text, size_t n,
                    size_t at) {
    const size_t behind = at + choice->length;
    const bool apart = at == 0 || !pmi_byte_is_word(text[at - 1]);
    switch (choice->condition) {
    case PM_IF_WORD:
        return parts_words(text, n, at) && parts_words(text, n, behind);
    case PM_IF_NAME:
        return behind < n && pmi_byte_begins_name(text[behind]);
    case PM_IF_FAR:
        return false;
    case PM_IF_TWO:
        return parts_words(text, n, at) && has_second(machine, choice, text, n, behind);
    case PM_IF_APART:
        return apart;
    case PM_IF_TAGGED:
        return apart && is_tagged(text, n, at);
    default:
        return true;
    }
}

static uint32_t letter_at(const pmi_dfa *machine, const unsigned char *text, size_t n, size_t at) {
    if (machine->of_bytes)
        return text[at];
    uint32_t node = 0, choice = 0;
    for (size_t i = at; i < n; i++) {
        uint32_t child = machine->nodes[node].child;
        while (child != 0 && machine->nodes[child].byte != pmi_fold_case(text[i], machine->ignore_case))
            child = machine->nodes[child].sibling;
        if (child == 0)
            break;
        node = child;
        choice = machine->nodes[node].choice;
    }
    const pmi_dfa_choice *chosen = &machine->choices[choice];
    while (!is_made(machine, chosen, text, n, at))
        chosen++;
    return chosen->letter;
}

/* The bytes of a tag's name. */
static size_t name_length(const pmi_dfa *machine, const unsigned char *name) {
    size_t length = 0;
    while (!pmi_byte_is_space(name[length]) && name[length] != machine->name_ends[0] &&
           name[length] != machine->name_ends[1])
        length++;
    return length;
}

/* The kind of the name: names are numbered in the order in which they come. */
static uint32_t kind_of(const pmi_dfa *machine, const unsigned char *name, names_seen *seen) {
    const size_t length = name_length(machine, name);
    uint32_t k = 0;
    while (k < seen->count &&
           !(seen->lengths[k] == length && pmi_bytes_equal(seen->names[k], name, length, machine->ignore_case)))
        k++;
    assert_true(k < TEXT);
    seen->names[k] = name;
    seen->lengths[k] = length;
    seen->count += k == seen->count;
    return machine->kinds + k;
}

static bool is_token(const pmi_letter *letter) {
    return letter->role == PM_LETTER_OPEN || letter->role == PM_LETTER_CLOSE;
}

/* Or something is told later that begins there. */
static bool is_start(const pmi_letter *letter) {
    return letter->role != PM_LETTER_NOTHING && letter->role != PM_LETTER_UNKNOWN && !is_token(letter);
}

/* False: something in it is unknown to the machine. */
static bool check_text(const pmi_dfa *machine, const pm_language *pairs, const char *rules, const char *text,
                       size_t n) {
    const unsigned char *const bytes = (const unsigned char *)text;
    structure_expected e;
    names_seen seen = {.count = 0};
    size_t found = 0, start = SIZE_MAX;
    uint32_t state = 0;
    structure_expect(pairs, text, n, &e);
    for (size_t i = 0; i < n; i++) {
        const pmi_letter *const letter = &machine->letters[letter_at(machine, bytes, n, i)];
        const bool late = letter->late >> state & 1;
        if (state == 0 && letter->role == PM_LETTER_UNKNOWN) {
            structure_expected_clear(&e);
            return false;
        }
        if (late || (state == 0 && is_token(letter))) {
            const size_t begin = late ? start : i, length = late ? i + letter->late_length - begin : letter->length;
            const pmi_letter *const first = &machine->letters[letter_at(machine, bytes, n, begin)];
            const bool tag = first->role == PM_LETTER_OPEN_TAG || first->role == PM_LETTER_CLOSE_TAG;
            const uint32_t kind = tag ? kind_of(machine, bytes + begin + first->length, &seen) : first->kind;
            const bool open = first->role == PM_LETTER_OPEN || first->role == PM_LETTER_OPEN_TAG ||
                              first->role == PM_LETTER_OPEN_LATE;
            if (found == e.count || e.positions[found] != begin || e.kinds[found] != kind ||
                e.lengths[found] != length || (e.parens[found / 64] >> found % 64 & 1) != open)
                fail_msg("%s: in \"%.*s\" token %zu is not at %zu", rules, (int)n, text, found, begin);
            found++;
        }
        if (state == 0 && is_start(letter))
            start = i;
        state = letter->next[state];
        assert_true(state < machine->states);
    }
    if (found != e.count)
        fail_msg("%s: in \"%.*s\" there are %zu tokens, not %zu", rules, (int)n, text, e.count, found);
    const bool cut = machine->unterminated >> state & 1;
    if (cut != (e.cut != UINT64_MAX) || (cut && start != e.cut))
        fail_msg("%s: \"%.*s\" is cut at %zu, not %zu", rules, (int)n, text, cut ? start : n, (size_t)e.cut);
    structure_expected_clear(&e);
    return true;
}

/* ---- Random rules ---- */

static void letters_append(uint64_t *seed, char *rules) {
    static const char letters[] = "abAB+*";
    char word[5];
    const size_t length = 1 + random_below(seed, 1 + random_below(seed, 4));
    for (size_t i = 0; i < length; i++)
        word[i] = letters[random_below(seed, sizeof letters - 1)];
    word[length] = '\0';
    strcat(rules, word);
}

static void word_append(uint64_t *seed, char *rules) {
    strcat(rules, " ");
    letters_append(seed, rules);
}

/* A pattern of two words. */
static void two_words_append(uint64_t *seed, char *rules) {
    strcat(rules, " \"");
    letters_append(seed, rules);
    strcat(rules, " ");
    letters_append(seed, rules);
    strcat(rules, "\"");
}

static void rules_make(uint64_t *seed, char *rules) {
    static const struct {
        const char *name;
        size_t least, most; /* words */
    } directives[] = {{"pair", 2, 2},    {"pair", 2, 2},   {"word", 2, 2},        {"nothing", 1, 2},
                      {"line", 1, 1},    {"skip", 2, 3},   {"skip-quoted", 2, 3}, {"string", 1, 1},
                      {"element", 3, 4}, {"tagged", 1, 1}, {"escaped", 3, 3}};
    strcpy(rules, random_below(seed, 3) ? "" : "ignore-case\n");
    for (size_t lines = 1 + random_below(seed, 5); lines > 0; lines--) {
        const size_t d = random_below(seed, COUNT_OF(directives));
        const size_t more = random_below(seed, directives[d].most - directives[d].least + 1);
        strcat(rules, directives[d].name);
        const bool words = strcmp(directives[d].name, "word") == 0 || strcmp(directives[d].name, "nothing") == 0;
        for (size_t w = 0; w < directives[d].least + more; w++)
            (words && random_below(seed, 3) == 0 ? two_words_append : word_append)(seed, rules);
        if (strcmp(directives[d].name, "string") == 0 && random_below(seed, 2))
            strcat(rules, random_below(seed, 2) ? " +" : " b");
        strcat(rules, "\n");
    }
}

TEST(test_random) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    uint64_t seed = 1;
    size_t followed = 0, unknown = 0;
    for (int round = 0; round < 6000; round++) {
        char rules[RULES], text[TEXT];
        pm_language *pairs;
        pmi_dfa *machine;
        rules_make(&seed, rules);
        if (pm_language_create_rules(NULL, rules, strlen(rules), &pairs, NULL) != PM_OK)
            continue; /* a pattern has two meanings */
        const pm_status status = pmi_dfa_create(&allocator, pairs, &machine);
        assert_true(status == PM_OK || status == PM_UNSUPPORTED);
        followed += status == PM_OK;
        for (int t = 0; t < 5 && status == PM_OK; t++) {
            const size_t n = random_below(&seed, TEXT);
            for (size_t i = 0; i < n; i++)
                text[i] = "aabbAB++**+*=\n \"'"[random_below(&seed, 17)];
            unknown += !check_text(machine, pairs, rules, text, n);
        }
        pmi_dfa_destroy(&allocator, machine);
        pm_language_destroy(pairs);
    }
    assert_true(followed > 1000 && unknown > 10 && unknown < followed / 4);
}

TEST(test_sets) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    for (const structure_rules *set = structure_sets; set->name; set++) {
        pm_language *const pairs = structure_pairs(set);
        pmi_dfa *machine;
        assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
        for (uint64_t seed = 0; seed < 200; seed++) {
            char text[TEXT];
            structure_text(set, seed, text, TEXT);
            check_text(machine, pairs, set->name, text, TEXT - seed % 7);
        }
        pmi_dfa_destroy(&allocator, machine);
        pm_language_destroy(pairs);
    }
}

/* What comes to how many states and letters. */
TEST(test_sizes) {
    static const struct {
        const char *rules;
        uint32_t states;
        bool of_bytes;
    } machines[] = {
        {"", 1, true},
        {"pair [ ]\npair { }\nstring \" \\\n", 3, true},
        {"skip-quoted < >\n", 4, true},
        {"word a b\n", 1, false},
        {"pair begin end\n", 1, false},       /* nothing can begin inside of them */
        {"pair ab ba\n", 2, false},           /* "aba" is one token */
        {"pair ( )\nskip /* */\n", 4, false}, /* behind the first byte of either the other could begin */
        {"pair ( )\nline //\n", 2, false},    /* the second byte counts for nothing in a line */
        {"element < <- >\n", 11, false},      /* name, inside, value, two strings, of each sort */
    };
    const pm_allocator allocator = pm_context_allocator(NULL);
    for (size_t m = 0; m < COUNT_OF(machines); m++) {
        pm_language *const pairs = pairs_of(machines[m].rules);
        pmi_dfa *machine;
        assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
        if (machine->states != machines[m].states)
            fail_msg("%s: %u states, not %u", machines[m].rules, machine->states, machines[m].states);
        assert_int_equal(machine->of_bytes, machines[m].of_bytes);
        pmi_dfa_destroy(&allocator, machine);
        pm_language_destroy(pairs);
    }
}

/* More of anything than there may be is refused. */
TEST(test_limits) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    char *const rules = allocate(1 << 16, 1);
    for (int kind = 0; kind < 4; kind++) {
        size_t used = 0;
        if (kind == 0) /* letters: kinds are told apart */
            for (int k = 0; k < 200; k++)
                used += (size_t)sprintf(rules + used, "pair (%d. )%d.\n", k, k);
        else if (kind == 1) /* nodes */
            for (int k = 0; k < 60; k++)
                used += (size_t)sprintf(rules + used, "nothing %d%0100d\n", k, 0);
        else if (kind == 2) /* states */
            for (int k = 0; k < 17; k++)
                used += (size_t)sprintf(rules + used, "string %c \\\n", 'A' + k);
        else /* steps */
            used += (size_t)sprintf(rules + used, "nothing %0600d\n", 0);
        pm_language *pairs;
        pmi_dfa *machine;
        assert_ok(pm_language_create_rules(NULL, rules, used, &pairs, NULL));
        assert_int_equal(pmi_dfa_create(&allocator, pairs, &machine), PM_UNSUPPORTED);
        assert_null(machine);
        pm_language_destroy(pairs);
    }
    free(rules);
}

/* So are rules whose texts no finite machine can follow, and those that shaders cannot tell apart. */
TEST(test_refused) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    static const char *const rules[] = {
        "delimited \\\n",
        "renames a\n",
        "element < </ >\nvoid br\n",
        "element < </ >\nraw script\n",
        "element < </ >\nelement [ [/ ]\n",
        "element < </ end\n",
        "statement % $\n",
        "word \"a b c\" d\n",
        "tagged $$\n",
        "tagged $\ntagged %\n",
        "pair \"\\n\" )\nline #\n",
        "ignore-case\npair ( )\nstring ' e\n",
        "skip a zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\npair z )\n", /* more than 32 states */
    };
    for (size_t r = 0; r < COUNT_OF(rules); r++) {
        pm_language *const pairs = pairs_of(rules[r]);
        pmi_dfa *machine;
        assert_int_equal(pmi_dfa_create(&allocator, pairs, &machine), PM_UNSUPPORTED);
        assert_null(machine);
        pm_language_destroy(pairs);
    }
}

TEST(test_memory) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pm_language *const pairs = pairs_of("pair ( )\n");
    pmi_dfa *machine;
    for (size_t k = 1; k <= 2; k++) {
        faults.fail_at = faults.calls + k;
        assert_int_equal(pmi_dfa_create(&allocator, pairs, &machine), PM_OUT_OF_MEMORY);
        assert_null(machine);
    }
    faults.fail_at = 0;
    assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
    pmi_dfa_destroy(&allocator, machine);
    assert_true(fault_allocator_is_settled(&faults));
    pm_language_destroy(pairs);
}
