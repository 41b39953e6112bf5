/* SPDX-License-Identifier: Apache-2.0 */
/* Saved states of texts with conditional branches and of texts with delimiters: a walk from state to state, forward
 * too, in which allocations fail, against checks that get each text at once. */
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

enum {
    STATES = 6,
    STEPS = 250,
    ASKED = 64,
    ADDED_MAX = 200,
    DEEP = 3000 /* pieces, so that the brackets of branches fill several pages, and names a table */
};

typedef struct walk_sample {
    const char *language, *before; /* before: is repeated */
    const char *pieces[16];
} walk_sample;

static const walk_sample samples[] = {
    {"c",
     "{\n#if A\n",
     {"(", ")", "[", "]", "{", "}", "\n#if A\n", "\n#if B\n", "\n#elif C\n", "\n#else\n", "\n#endif\n", "\n#if 0\n",
      "\"", "/*", "*/", "\n#endif\n"}},
    {"csharp",
     "\n#if A\n(\n#else\n",
     {"(", ")", "[", "]", "{", "}", "\n#if A\n", "$\"a {", "\n#elif C\n", "\n#else\n", "\n#endif\n", "\n#if 0\n", "\"",
      "}\"", "\n#endif\n", "\n#endif\n"}},
    {"glsl",
     "\n#if A\n(\n#else\n(\n#endif\n",
     {"(", ")", "[", "]", "{", "}", "\n#if A\n", "\n#endif\n", "\n#elif C\n", "\n#else\n", "\n#endif\n", ")", ")", ")",
      "//", "\n"}},
    {"verilog",
     "(`ifdef A\n[(`else\n{",
     {"(", ")", "[", "]", "{", "}", "`ifdef A ", "`ifndef B ", "`elsif C ", "`else ", "`endif ", "`if 0 ", "\"", ")",
      "}", "`endif "}},
    {"xml",
     "<a><bc>",
     {"<a>", "</a>", "<bc>", "</bc>", "<a-longer.name>", "</a-longer.name>", "<d e='f>'/>", "<a-longer.nam2>",
      "</a-longer.nam2>", "text", "<g", "h>", "</", "\n", "<!-- ", "-->"}},
    {"html",
     "<ul><li>",
     {"<ul>", "</ul>", "<li>", "</li>", "<p>", "<a-longer.name>", "</a-longer.name>", "<br>", "<script>", "</script>",
      "<div", ">", "</", "text", "</p>", "<table><tr><td>"}},
    {"latex",
     "\\begin{a}{",
     {"\\begin{a}", "\\end{a}", "\\begin{longer name}", "\\end{longer name}", "{", "}", "\\begin{", "\\end{", "b}", "$",
      "\\[", "\\]", "%", "\n", "text", "\\begingroup "}},
    {"svelte",
     "{`}<b>text behind a quote that waits, more than a word of it, and {others}</b><c d='e'>\"",
     {"<b>", "</b>", "<c>", "</c>", "{a}", "{'}", "{\"", "`", "'", "\n", "{#if x}", "{/if}", "<a-longer.name f={", "}",
      "/>", "{/*"}},
    {"jinja",
     "{% if x %}",
     {"{% if x %}", "{% endif %}", "{% for a in b %}", "{% endfor %}", "{% ", "%}", "{{ ", " }}", "{# ", " #}",
      "{% endraw %}", "{% raw %}", "{% block c %}", "{% endblock %}", "text", "'"}},
};

typedef struct told {
    pm_check_summary found; /* if the text ended there */
    pm_status made;
    size_t length;
    uint64_t count;
    char suffix[ASKED];
    pm_open_bracket opens[ASKED];
} told;

/* What a check says, without its summary. */
static void ask(pm_check *check, told *said) {
    memset(said, 0, sizeof *said);
    assert_ok(pm_check_open(check, said->opens, ASKED, &said->count, NULL));
    said->made = pm_check_suffix(check, said->suffix, ASKED, &said->length);
    assert_true(said->made == PM_OK || said->made == PM_UNSUPPORTED);
}

static void ask_once(const pm_language *language, const char *text, size_t n, told *said) {
    pm_check *check;
    pm_check_summary found;
    assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, text, n));
    ask(check, said);
    assert_ok(pm_check_finish(check, &found));
    said->found = found;
    pm_check_destroy(check);
}

typedef struct states_walk {
    fault_allocator memory;
    const pm_language *language;
    pm_check *check;
    pm_check_state *states[STATES];
    char *texts[STATES];
    size_t lengths[STATES];
    unsigned failures;
} states_walk;

/* One of the next allocations fails, if enough of them follow. */
static void fail_soon(states_walk *walk, uint64_t *seed) {
    walk->memory.fail_at = walk->memory.calls + 1 + random_below(seed, 5);
}

/* Is that so for want of memory, which there is from now on? */
static bool has_failed(states_walk *walk, pm_status status) {
    walk->memory.fail_at = 0;
    walk->failures += status != PM_OK;
    assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
    return status != PM_OK;
}

/* Pushes a text from a state on, byte by byte or at once. */
static pm_status push_from(states_walk *walk, size_t k, const char *added, size_t n, size_t length) {
    pm_status status = pm_check_restore(walk->check, walk->states[k]);
    for (size_t i = 0; i < n && status == PM_OK; i += length)
        status = pm_check_push(walk->check, added + i, n - i < length ? n - i : length);
    return status;
}

static pm_check_summary finish(states_walk *walk, size_t k, uint64_t *seed) {
    pm_check_summary found;
    fail_soon(walk, seed);
    if (has_failed(walk, pm_check_finish(walk->check, &found))) {
        assert_ok(pm_check_restore(walk->check, walk->states[k]));
        assert_ok(pm_check_finish(walk->check, &found));
    }
    return found;
}

/* One state is left for another one, which takes the place of a third. */
static void step(states_walk *walk, const walk_sample *sample, uint64_t *seed) {
    const size_t from = random_below(seed, STATES), to = random_below(seed, STATES);
    char added[ADDED_MAX] = "";
    told said, right;
    for (size_t k = random_below(seed, 6); k > 0; k--)
        strcat(added, sample->pieces[random_below(seed, 16)]);
    const size_t m = strlen(added), n = walk->lengths[from] + m;
    char *const text = allocate(n + 1, 1);
    memcpy(text, walk->texts[from], walk->lengths[from]);
    memcpy(text + walk->lengths[from], added, m);
    fail_soon(walk, seed);
    const size_t length = random_below(seed, 2) ? 1 : ADDED_MAX;
    if (has_failed(walk, push_from(walk, from, added, m, length)))
        assert_ok(push_from(walk, from, added, m, length));
    fail_soon(walk, seed);
    (void)has_failed(walk, pm_check_open(walk->check, NULL, 0, NULL, NULL));
    ask(walk->check, &said);
    ask_once(walk->language, text, n, &right);
    pm_check_state_destroy(walk->states[to]);
    assert_ok(pm_check_save(walk->check, &walk->states[to]));
    said.found = finish(walk, to, seed);
    assert_memory_equal(&said, &right, sizeof right);
    free(walk->texts[to]);
    walk->texts[to] = text;
    walk->lengths[to] = n;
}

static void try_walk(const walk_sample *sample, size_t repeated, uint64_t seed) {
    states_walk walk = {.language = pm_language_by_name(sample->language)};
    pm_context *context;
    assert_ok(fault_allocator_context(&walk.memory, &context));
    assert_ok(pm_check_create(context, walk.language, NULL, NULL, NULL, &walk.check));
    const size_t length = strlen(sample->before);
    for (size_t k = 0; k < STATES; k++) {
        walk.lengths[k] = repeated * length;
        walk.texts[k] = allocate(walk.lengths[k] + 1, 1);
        for (size_t piece = 0; piece < repeated; piece++)
            memcpy(walk.texts[k] + piece * length, sample->before, length);
    }
    assert_ok(pm_check_push(walk.check, walk.texts[0], walk.lengths[0]));
    for (size_t k = 0; k < STATES; k++)
        assert_ok(pm_check_save(walk.check, &walk.states[k]));
    for (unsigned k = 0; k < (repeated > 100 ? STEPS / 5 : STEPS); k++)
        step(&walk, sample, &seed);
    pm_check_destroy(walk.check);
    for (size_t k = 0; k < STATES; k++) {
        pm_check_state_destroy(walk.states[k]);
        free(walk.texts[k]);
    }
    pm_context_destroy(context);
    assert_true(walk.failures > 0);
    assert_true(fault_allocator_is_settled(&walk.memory));
}

TEST(test_walks) {
    for (uint64_t seed = 0; seed < 8; seed++)
        for (size_t k = 0; k < COUNT_OF(samples); k++)
            try_walk(&samples[k], seed < 6 ? seed * seed : DEEP, seed);
}
