/* SPDX-License-Identifier: Apache-2.0 */
/* Tags that are read in batches against the same rules' tokens that a dictionary finds: summary, diagnostics, tokens,
 * for all SIMD targets. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "core/context/context.h"
#include "core/delimiters/tags/check.h"
#include "core/text/language.h"
#include "inputs/families.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

enum {
    KEPT = 64, /* diagnostics that are compared whole; of the others the hash */
    LANGUAGES = 4,
    TARGETS = 8
};

typedef struct findings {
    pm_check_summary summary;
    size_t count;
    uint64_t hash;
    pm_diagnostic first[KEPT];
} findings;

static void mix(uint64_t *hash, uint64_t value) {
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static bool keep(const pm_diagnostic *diagnostic, void *user) {
    findings *const found = user;
    const uint64_t values[] = {diagnostic->fault,
                               diagnostic->at.offset,
                               diagnostic->at.line,
                               diagnostic->at.column,
                               diagnostic->length,
                               (unsigned char)diagnostic->byte,
                               diagnostic->partner.offset,
                               diagnostic->partner.line,
                               diagnostic->partner.column,
                               diagnostic->partner_length,
                               (unsigned char)diagnostic->partner_byte};
    for (size_t k = 0; k < COUNT_OF(values); k++)
        mix(&found->hash, values[k]);
    if (found->count < KEPT)
        found->first[found->count] = *diagnostic;
    found->count++;
    return true;
}

static pm_context *contexts[TARGETS];
static pm_language *fast[LANGUAGES], *plain[LANGUAGES];
static const char *const names[LANGUAGES] = {"xml", "html", "vue", "svelte"};

static int set_up(void **state) {
    (void)state;
    for (size_t t = 0, made = 0; pm_simd_at(t) && made < TARGETS; t++)
        if (pm_simd_at(t)->supported) {
            const pm_options options = {.struct_size = sizeof options, .simd = pm_simd_at(t)->name, .threads = 1};
            contexts[made++] = context_of(&options);
        }
    for (size_t l = 0; l < LANGUAGES; l++) {
        const char *const rules = pm_language_rules(pm_language_by_name(names[l]));
        fast[l] = pairs_of(rules);
        plain[l] = pairs_of(rules);
        assert_true(fast[l]->delimiters->tags.fits);
        plain[l]->delimiters->tags = (pmi_tag_language){.fits = false};
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (size_t l = 0; l < LANGUAGES; l++) {
        pm_language_destroy(fast[l]);
        pm_language_destroy(plain[l]);
    }
    for (size_t c = 0; c < TARGETS && contexts[c]; c++)
        pm_context_destroy(contexts[c]);
    return 0;
}

static void check(pm_context *context, const pm_language *language, const char *text, size_t n, findings *found) {
    pm_check_summary counted;
    memset(found, 0, sizeof *found);
    assert_ok(check_text_in(context, language, text, n, keep, found, &found->summary));
    assert_ok(check_text_in(context, language, text, n, NULL, NULL, &counted)); /* faults are only counted */
    assert_memory_equal(&found->summary, &counted, sizeof counted);
}

/* A hash of all tokens, for which arrays have room of `expected`, mostly just as many. */
static uint64_t tokens_of(pm_context *context, const pm_language *language, const char *text, size_t n,
                          size_t expected) {
    size_t count;
    uint64_t *const parens = allocate(expected / 64 + 1, 8), *const positions = allocate(expected, 8);
    uint32_t *const lengths = allocate(expected, 4), *const kinds = allocate(expected, 4);
    assert_ok(scan_tokens(context, language, text, n, expected, parens, positions, lengths, kinds, &count));
    uint64_t hash = count;
    for (size_t k = 0; k < count && k < expected; k++) {
        mix(&hash, positions[k]);
        mix(&hash, lengths[k]);
        mix(&hash, kinds[k]);
        mix(&hash, parens[k / 64] >> k % 64 & 1);
    }
    free(parens);
    free(positions);
    free(lengths);
    free(kinds);
    return hash;
}

static void show_difference(const char *what, size_t l, size_t c, const char *text, size_t n) {
    print_error("%s, %s, target %u, %u bytes: %.*s\n", what, names[l], (unsigned)c, (unsigned)n,
                (int)(n < 300 ? n : 300), text);
    fail();
}

/* By the targets from `first` on, every `step`-th of them. */
static void try_some(size_t l, const char *text, size_t n, size_t first, size_t step) {
    findings expected, found;
    size_t count;
    check(contexts[first], plain[l], text, n, &expected);
    assert_ok(pm_text_scan(contexts[first], plain[l], text, n, NULL, &count));
    const uint64_t tokens = tokens_of(contexts[first], plain[l], text, n, count);
    for (size_t c = first; c < TARGETS && contexts[c]; c += step) {
        check(contexts[c], fast[l], text, n, &found);
        if (memcmp(&expected, &found, sizeof found) != 0)
            show_difference("check", l, c, text, n);
        if (tokens_of(contexts[c], fast[l], text, n, count) != tokens)
            show_difference("tokens", l, c, text, n);
    }
}

static void try_all(const char *text, size_t n) {
    for (size_t l = 0; l < LANGUAGES; l++)
        try_some(l, text, n, 0, 1);
}

/* ---- Small texts, alone and between others that make words of them ---- */

TEST(test_every_small_text) {
    static const char alphabet[] = "<a/>\"'!-= \n", braces[] = "<a/>\"'{}=# ";
    const size_t letters = sizeof alphabet - 1, most = 5;
    static char text[256];
    const char *const before = "<a b=\"1\"><c/></a> text <a b='2'>";
    for (size_t n = 0, texts = 1; n <= most; n++, texts *= letters)
        for (size_t code = 0; code < texts; code++) {
            const size_t lead = 32 + code % 97;
            memset(text, ' ', sizeof text);
            memcpy(text, before, strlen(before));
            for (size_t i = 0, rest = code; i < n; i++, rest /= letters)
                text[lead + i] = alphabet[rest % letters];
            if (n < most || code % 3 == 0)
                try_some(0, text + lead, n, 0, 8);
            try_some(code & 1, text, sizeof text, code % 2, 8);
            for (size_t i = 0, rest = code; i < n; i++, rest /= letters)
                text[lead + i] = braces[rest % letters];
            try_some(2 + (code & 1), text, sizeof text, code % 2, 8);
        }
}

/* ---- Pieces ---- */

static const char *const pieces[] = {"<a>",
                                     "</a>",
                                     "<a/>",
                                     "<b c=\"d\">",
                                     "</b>",
                                     "<b c='d'/>",
                                     "text",
                                     " ",
                                     "\n",
                                     "<!-- x -->",
                                     "<p>",
                                     "</p>",
                                     "<li>",
                                     "<br>",
                                     "<table>",
                                     "<tr>",
                                     "<td>",
                                     "</table>",
                                     "<A>",
                                     "</LI>",
                                     "<script>",
                                     "</script>",
                                     "<title>",
                                     "</title>",
                                     "<![CDATA[ <a> ]]>",
                                     "<?x y?>",
                                     "<!DOCTYPE a>",
                                     "<a b=\">\">",
                                     "<a b='>'>",
                                     "<a b = \"x\">",
                                     "<a \"x>",
                                     "<a\n b=\"\n\">",
                                     "<long-name-of-more-than-thirty-two-bytes>",
                                     "</long-name-of-more-than-thirty-two-bytes>",
                                     "<a=b>",
                                     "</a=b>",
                                     "<a b=\"it's\">",
                                     "<",
                                     ">",
                                     "\"",
                                     "'",
                                     "=",
                                     "/",
                                     "!",
                                     "-",
                                     "<!",
                                     "<!--",
                                     "<?",
                                     "< a>",
                                     "</ a>",
                                     "<1>",
                                     "<\xc3\xa9>",
                                     "</\xc3\xa9>",
                                     "<a{b>",
                                     "<html>",
                                     "</html>",
                                     "</body>",
                                     "<!DOCTYPE a [ <!ENTITY b \"c\"> ]>",
                                     "{#if a}",
                                     "{/if}",
                                     "{a}",
                                     "{{a}}",
                                     "{{ 'a' }}",
                                     "{a ? \"b\" : '}'}",
                                     "{{ a < b }}",
                                     "<a b={c > d}>",
                                     "<a b=\"{c}\">",
                                     "<a {...b}/>",
                                     "<a {b: {c}}>",
                                     "<a{b}>",
                                     "{:else}",
                                     "{\"a\" + \"b\"}",
                                     "{'{'}",
                                     "{\"a\n\"}",
                                     "{\"\\\"\"}",
                                     "{'\"' + \"}\"}",
                                     "{{ \"}}\" }}",
                                     "<a b=\"{\" c=\"}\">",
                                     "{() => { a }}",
                                     "{a({b: {c: d}}, \"e\")}",
                                     "{a({\"{\"})}",
                                     "{/a }",
                                     "{/a}b>",
                                     "</a}b>",
                                     "{#if {a}}",
                                     "{/if a/}",
                                     "</if>",
                                     "{/a}",
                                     "{/* } */}",
                                     "{`}`}",
                                     "{",
                                     "}",
                                     "{{",
                                     "}}",
                                     "{#",
                                     "{/",
                                     "`",
                                     "*/",
                                     "/*"};

/* Pieces from here on are of components. */
#define FIRST_OF_COMPONENTS 58u

/* The first pieces, or the first ones of components, come more often; `wild` in 1,000 are any. */
static size_t random_text(uint64_t *seed, char *text, size_t n, size_t wild) {
    const size_t often = random_below(seed, 2) ? FIRST_OF_COMPONENTS : 0;
    size_t at = 0;
    while (at < n) {
        const bool any = random_below(seed, 1000) < wild;
        const size_t few = (random_below(seed, 2) ? often : 0) + random_below(seed, 12);
        const size_t choice = any ? random_below(seed, COUNT_OF(pieces)) : few;
        const size_t length = strlen(pieces[choice]), kept = length < n - at ? length : n - at;
        memcpy(text + at, pieces[choice], kept);
        at += kept;
    }
    return n;
}

TEST(test_random_texts) {
    uint64_t seed = 1;
    for (size_t round = 0; round < 3000; round++) {
        static const size_t wilds[] = {0, 5, 50, 300, 1000};
        const size_t n = random_below(&seed, round % 10 == 0 ? 20000 : 600);
        guarded_memory memory = guarded_allocate(n);
        char *const text = (char *)memory.end - n;
        random_text(&seed, text, n, wilds[round % COUNT_OF(wilds)]);
        try_all(text, n);
        guarded_free(&memory);
    }
}

/* Each size around words, and a tag at each place. */
TEST(test_sizes_and_places) {
    static char text[700];
    static const char tag[] = "<name a=\"b\" c='d'><e/></name>";
    for (size_t n = 0; n < 400; n++) {
        uint64_t seed = n;
        random_text(&seed, text, n, 20);
        try_all(text, n);
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = ' ';
        memcpy(text + n, tag, sizeof tag - 1);
        try_all(text, sizeof text);
    }
}

/* Tags, names and regions that are longer than what is read at once. */
TEST(test_long_ones) {
    enum {
        N = 60000
    };
    static const char *const parts[][3] = {
        {"<a b=\"", "x>", "\">"},  {"<!--", "<a>", "-->"},           {"<", "n", ">"},        {"</", "n", ">"},
        {"<a ", "' ", ">"},        {"<a=\"", "<b>", "\">"},          {"<? ", "<a>\n", "?>"}, {"< ", "<a>", ">"},
        {"<a b='", "\"", "'>"},    {"<script>", "<a>", "</script>"}, {"{`", "} ", "`}"},     {"<a b={`", "}> ", "`}>"},
        {"{#if {`", "}} ", "`}}"}, {"{{ '", "}} ", "'}}"},           {"<a b={", "c>", "}>"}, {"{", "{ ", "}"}};
    char *const text = allocate(N, 1);
    for (size_t p = 0; p < COUNT_OF(parts); p++)
        for (size_t length = 1000; length < 20000; length = length * 3 / 2 + 1) {
            uint64_t seed = p * length;
            size_t at = random_text(&seed, text, 500 + length % 64, 0);
            for (size_t part = 0; part < 3; part++)
                for (size_t k = 0; k < (part == 1 ? length : 1); k += strlen(parts[p][part])) {
                    memcpy(text + at, parts[p][part], strlen(parts[p][part]));
                    at += strlen(parts[p][part]);
                }
            at += random_text(&seed, text + at, 9000, 0);
            try_all(text, at);
            try_all(text, 500 + length % 64 + length); /* without its end */
        }
    free(text);
}

/* Names of up to 60 bytes that come again, and others of which only one byte differs; between them tags whose ends may
 * be left open. */
TEST(test_long_names) {
    static const char *const short_ones[] = {"<li>", "<ul>", "</ul>", "<tr>", "<td>", "</td>", "<p>", "</p>", "<br>"};
    enum {
        N = 8000,
        LONGEST = 60
    };
    char *const text = allocate(N, 1);
    for (size_t length = 7; length <= LONGEST; length++) {
        uint64_t seed = length;
        size_t n = 0;
        while (n + LONGEST + 5 < N) {
            if (random_below(&seed, 3) == 0) {
                const char *const tag = short_ones[random_below(&seed, COUNT_OF(short_ones))];
                memcpy(text + n, tag, strlen(tag));
                n += strlen(tag);
                continue;
            }
            const size_t closes = random_below(&seed, 2);
            text[n] = '<';
            text[n + closes] = closes ? '/' : '<';
            char *const name = text + n + 1 + closes;
            memset(name, 'n', length);
            if (random_below(&seed, 4) == 0)
                name[random_below(&seed, length)] = 'o';
            memcpy(name + length, random_below(&seed, 5) == 0 ? "/>" : " >", 2);
            n += 3 + closes + length;
        }
        try_all(text, n);
    }
    free(text);
}

/* A long name of `length` bytes that is known where a reader of short names looks which takes it for one of that
 * length, of which it sees `seen` bytes. The first sixteen do not differ. */
static void find_misplaced(char *name, size_t length, size_t seen) {
    uint64_t seed = length, first = 0, last;
    memset(name, 'n', length);
    name[length] = '\0';
    memcpy(&first, name, seen);
    do {
        if (length == 16)
            name[8 + random_below(&seed, 8)] = (char)('a' + random_below(&seed, 26));
        else
            name[16 + random_below(&seed, length - 16)] = (char)('a' + random_below(&seed, 26));
        memcpy(&last, name + length - sizeof last, sizeof last);
    } while (pmi_known_long_name_place(UINT64_C(0x6e6e6e6e6e6e6e6e), last, length, PM_KNOWN_FACTOR) !=
             pmi_known_name_place(first, length, PM_KNOWN_FACTOR));
}

/* Another long name with the same first bytes is not taken for it. */
TEST(test_long_names_in_places_of_short_ones) {
    static const size_t lengths[] = {16, 32}, seen[] = {8, 0};
    char text[8192], name[64];
    for (size_t k = 0; k < COUNT_OF(lengths); k++) {
        find_misplaced(name, lengths[k], seen[k]);
        char *end = text;
        for (int times = 0; times < 90; times++)
            end += sprintf(end, "<a><%s></%s></a>", name, name);
        for (int times = 0; times < 5; times++)
            end += sprintf(end, "<%.16sx></%s><%sx></%s><a></a>", name, name, name, name);
        memset(end, ' ', 256);
        try_all(text, (size_t)(end - text) + 256);
    }
}

/* The place of the close of a name of two letters; with the slash it has three. */
static size_t place_of_close(const char name[2]) {
    return pmi_known_name_place((uint64_t)'/' | (uint64_t)name[0] << 8 | (uint64_t)name[1] << 16, 3, PM_KNOWN_FACTOR);
}

/* Both closes are known when the second pair of tags ends; the third has to be read by what is known of the first. */
TEST(test_names_that_share_what_is_known) {
    enum {
        LETTERS = 26,
        NAMES = LETTERS * LETTERS,
        N = 1200
    };
    static char text[N];
    size_t tried = 0;
    for (int x = 0; x < NAMES; x++)
        for (int y = 0; y < NAMES; y++) {
            const char one[2] = {(char)('a' + x / LETTERS), (char)('a' + x % LETTERS)},
                       other[2] = {(char)('a' + y / LETTERS), (char)('a' + y % LETTERS)};
            if (x == y || (place_of_close(one) ^ place_of_close(other)) > 1)
                continue;
            memset(text, ' ', sizeof text);
            const int length = snprintf(text, sizeof text, "<%.2s></%.2s><%.2s></%.2s><%.2s></%.2s>", one, one, other,
                                        other, other, one);
            text[length] = ' ';
            try_all(text, sizeof text);
            tried++;
        }
    assert_true(tried > 0);
}

static size_t place_of_open(const char *name) {
    uint64_t bytes = 0;
    memcpy(&bytes, name, strlen(name));
    return pmi_known_name_place(bytes, strlen(name), PM_KNOWN_FACTOR);
}

static char *repeat_empty(char *to, const char *name, int times) {
    for (; times > 0; times--)
        to += sprintf(to, "<%s/>", name);
    return to;
}

static char *repeat_pair(char *to, const char *name, int times) {
    for (; times > 0; times--)
        to += sprintf(to, "<%s></%s>", name, name);
    return to;
}

/* Writes a name of two letters, or a long one. */
static size_t put_name(char *to, unsigned name, bool is_long) {
    const size_t length = is_long ? 20 : 2;
    memset(to, 'n', length);
    to[0] = (char)('a' + name / 26 % 26);
    to[length - 1] = (char)('a' + name % 26);
    return length;
}

/* Names that share places so often that these are chosen anew, and anew; some close what is not open, or lack closes.
 */
TEST(test_names_that_change_places) {
    enum {
        NAMES = 26 * 26,
        N = 20000
    };
    static char text[N + 64];
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t seed = round;
        unsigned chosen[60], count = 0, few = 2 + (unsigned)random_below(&seed, 58);
        const size_t wanted = place_of_open((const char[]){(char)('a' + round % 26), 'q', 0});
        for (unsigned name = 0; name < NAMES && count < few; name++) {
            char bytes[3] = "";
            put_name(bytes, name, false);
            if (((place_of_open(bytes) ^ wanted) & 0x1f0) == 0 || random_below(&seed, 30) == 0)
                chosen[count++] = name;
        }
        char *end = text;
        while (end < text + N - 200 && count > 0) {
            const unsigned name = chosen[random_below(&seed, count)], fault = (unsigned)random_below(&seed, 400);
            const bool is_long = name % 5 == 0, empty = name % 7 == 0;
            *end++ = '<';
            end += put_name(end, name, is_long);
            end += sprintf(end, empty ? "/>" : ">");
            if (empty || fault == 0)
                continue;
            end += sprintf(end, "</");
            end += put_name(end, fault == 1 ? name + 1 : name, is_long);
            *end++ = '>';
        }
        memset(end, ' ', 64);
        try_all(text, (size_t)(end - text) + 64);
    }
}

/* Empty tags that come often take the place of another name, which takes it back; then they are no empty ones. */
TEST(test_empty_tags_that_take_a_place) {
    enum {
        LETTERS = 26,
        NAMES = LETTERS * LETTERS * LETTERS
    };
    static const char one[] = "ab";
    static char text[4096];
    size_t tried = 0;
    for (int x = 0; x < NAMES; x++) {
        const char other[] = {(char)('a' + x / LETTERS / LETTERS), (char)('a' + x / LETTERS % LETTERS),
                              (char)('a' + x % LETTERS), 0};
        if (place_of_open(one) != place_of_open(other))
            continue;
        char *end = repeat_pair(text, one, 3);
        for (int turn = 0; turn < 3; turn++) {
            end = repeat_empty(end, other, 20 + 15 * turn);
            end = repeat_pair(end, one, 1 + turn);
        }
        end += sprintf(end, "<%s><%s></%s>", other, other, one);
        memset(end, ' ', (size_t)(text + sizeof text - end));
        try_all(text, sizeof text);
        tried++;
    }
    assert_true(tried > 0);
}

/* A name with a = is known from tags that were read byte by byte. Then comes one that is not, where it matters. */
TEST(test_odd_names_that_are_known) {
    static const char *const tags[] = {"<x= \"a>\">", "<x='>'>", "<x=>", "<x={\">\"}>"};
    static char text[8192];
    for (size_t t = 0; t < COUNT_OF(tags); t++)
        for (int between = 0; between < 300; between += 7) {
            char *end = repeat_pair(text, "a", 70);
            end = repeat_pair(end, "x=", 9);
            end = repeat_pair(end, "ab", between);
            end += sprintf(end, "%s", tags[t]);
            end = repeat_pair(end, "ab", 30);
            try_all(text, (size_t)(end - text));
        }
}

/* Tags that end right behind their names, or nearly so, at any distance from the text's end. */
TEST(test_bare_tags) {
    static const char *const ends[] = {">", "/>", "/ >", " >", "/a>", "{>", "/", "=>", "/\">\">"};
    static char text[256];
    for (size_t length = 1; length <= 36; length++)
        for (size_t e = 0; e < COUNT_OF(ends); e++)
            for (size_t left = 0; left <= 40; left += left < 30 ? 6 : 1) {
                memset(text, ' ', sizeof text);
                size_t n = (size_t)sprintf(text, "<x=><b></b><");
                memset(text + n, 'n', length);
                text[n + length / 2] = '=';
                n += length;
                n += (size_t)sprintf(text + n, "%s", ends[e]);
                text[n] = ' ';
                try_all(text, n + left);
            }
}

/* Tags that end many opens, whose closes may be left out, or more than are looked at. */
TEST(test_tags_that_end_many) {
    static const char *const opens[] = {"<thead>", "<caption>", "<li>", "<p>", "<tfoot>", "<i>"};
    static const char *const enders[] = {"<tbody>", "<tr>", "<li>", "</table>", "</thead>", "<hr>"};
    static const size_t counts[] = {1, 2, 3, 62, 63, 64, 65, 66, 130};
    enum {
        N = 1 << 14,
        LONGEST = 1500
    };
    char *const text = allocate(N, 1);
    for (uint64_t round = 1; round < 40; round++) {
        uint64_t seed = round;
        const size_t odd = random_below(&seed, 3) ? 0 : 8, kinds = 1 + random_below(&seed, COUNT_OF(opens));
        char *end = text;
        while (text + N - LONGEST > end) {
            end += sprintf(end, "<table>");
            for (size_t k = counts[random_below(&seed, COUNT_OF(counts))]; k > 0; k--)
                end += sprintf(end, "%s", opens[random_below(&seed, kinds)]);
            end += sprintf(end, "%s", enders[random_below(&seed, COUNT_OF(enders))]);
            end += sprintf(end, "%s", odd && random_below(&seed, odd) == 0 ? "<x=></table>" : "</table>");
        }
        try_all(text, (size_t)(end - text));
    }
    free(text);
}

/* ---- Real files, cut and changed ---- */

static void try_file(const char *path, uint64_t *seed) {
    FILE *const file = fopen(path, "rb");
    enum {
        MOST = 200000
    };
    if (!file)
        return;
    char *const text = allocate(MOST, 1);
    const size_t n = fread(text, 1, MOST, file);
    fclose(file);
    try_some(0, text, n, 0, 2);
    for (size_t k = 0; k < 12 && n > 0; k++) {
        static const char odd[] = "<>/\"'=!?- an\n";
        const size_t at = random_below(seed, n);
        const char before = text[at];
        text[at] = odd[random_below(seed, sizeof odd - 1)];
        try_some(k % LANGUAGES, text, n - random_below(seed, n < 5000 ? n : 5000), k % 2, 4);
        text[at] = before;
    }
    free(text);
}

TEST(test_files_of_the_system) {
    static const char *const folders[] = {"/usr/share/mime/packages", "/usr/share/mime/text",
                                          "/usr/share/xml/iso-codes", "/usr/share/X11/xkb/rules",
                                          "/usr/share/vulkan/registry"};
    uint64_t seed = 7;
    for (size_t f = 0; f < COUNT_OF(folders); f++) {
        DIR *const folder = opendir(folders[f]);
        const struct dirent *entry;
        for (size_t count = 0; folder && count < 30 && (entry = readdir(folder)); count++) {
            char path[600];
            snprintf(path, sizeof path, "%s/%s", folders[f], entry->d_name);
            if (strstr(entry->d_name, ".xml"))
                try_file(path, &seed);
        }
        if (folder)
            closedir(folder);
    }
}

/* ---- By several threads ---- */

static bool keep_tag(pm_fault fault, const pmi_tag *at, const pmi_tag *partner, void *user) {
    findings *const found = user;
    const uint64_t values[] = {fault, at->begin, at->end, partner ? partner->begin : 0, partner ? partner->end : 0};
    for (size_t k = 0; k < COUNT_OF(values); k++)
        mix(&found->hash, values[k]);
    found->count++;
    return true;
}

/* By slices, and as a whole; returns how many faults there are. */
static size_t try_slices(const char *text, size_t n, size_t slice_bytes, size_t c) {
    findings found[2] = {{.count = 0}, {.count = 0}};
    size_t cut[2];
    for (int sliced = 0; sliced < 2; sliced++) {
        pmi_tag_memory memory = {NULL, 0};
        pmi_tag_check tags = {
            .allocator = pm_context_allocator(NULL), .memory = &memory, .report = keep_tag, .user = &found[sliced]};
        pmi_token_scan scan = {.pairs = fast[0]->delimiters, .text = (const unsigned char *)text, .n = n};
        assert_true(sliced ? pmi_tag_check_slices(&tags, &scan, pmi_simd_of(contexts[c]), slice_bytes, 2)
                           : pmi_tag_check_text(&tags, &scan, pmi_simd_of(contexts[c])));
        pmi_memory_free(&tags.allocator, memory.opens);
        found[sliced].summary = tags.found;
        cut[sliced] = scan.cut;
    }
    if (memcmp(&found[0], &found[1], sizeof *found) != 0 || cut[0] != cut[1])
        show_difference("slices", 0, c, text, n);
    return found[0].count;
}

/* A text without faults: pieces, and a close for each open. */
static size_t good_text(uint64_t *seed, char *text, size_t most) {
    static const char *const contents[] = {
        "text <!-- <a> </b> -->", "<c d=\"</a>\"/>", "<![CDATA[<a>]]>", "<e/>", "\n", "<?x <a> ?>", "<f g='<!--'></f>"};
    size_t at = 0, depth = 0;
    char opened[2000];
    while (at < most || depth > 0) {
        const size_t choice = random_below(seed, 10);
        if (at < most && choice < 4 && depth < sizeof opened) {
            opened[depth++] = (char)('a' + random_below(seed, 26));
            at += (size_t)sprintf(text + at, "<n%c i=\"1\">", opened[depth - 1]);
        } else if (depth > 0 && (choice < 8 || at >= most)) {
            at += (size_t)sprintf(text + at, "</n%c>", opened[--depth]);
        } else {
            at += (size_t)sprintf(text + at, "%s", contents[random_below(seed, COUNT_OF(contents))]);
        }
    }
    return at;
}

TEST(test_slices) {
    uint64_t seed = 11;
    char *const text = allocate(60000, 1);
    for (size_t round = 0; round < 900; round++) {
        const size_t n = good_text(&seed, text, random_below(&seed, 20000)), bytes = 1 + random_below(&seed, n + 1);
        const size_t slice_bytes = bytes < 64 || round % 3 == 0 ? 64 : bytes;
        assert_int_equal(try_slices(text, n, slice_bytes, round % 2), 0);
        try_slices(text, n - random_below(&seed, n + 1), slice_bytes, 0);
        text[random_below(&seed, n + 1)] = "<>/\"'-!"[random_below(&seed, 7)];
        try_slices(text, n, slice_bytes, 0);
        random_text(&seed, text, 5000, round % 2 ? 20 : 300);
        try_slices(text, random_below(&seed, 5001), 64 + random_below(&seed, 1000), 0);
    }
    free(text);
}

/* A slice begins in a tag, and so with a region that the text does not have; it is noted, though the < behind it is
 * read again. */
TEST(test_slices_that_begin_in_tags) {
    static const char piece[] =
        "<ATA[<![CDATA[</ -><pdraw %}-->[<? </ ]]>skip-quoted<! </ <!/>[[</<![CDATA[[?.><? --><![[<"
        "!--ip-quote![[/></ <p><li><! <li><? ?>]]></TA[<? [{% endraw %}{% endraw %}[<.......!<!-->["
        "?>[</p><? {% e>>";
    char text[125 + sizeof piece - 1];
    memset(text, 'x', sizeof text);
    memcpy(text + sizeof text - strlen(piece), piece, strlen(piece));
    for (size_t slice_bytes = 64; slice_bytes <= 256; slice_bytes *= 2)
        for (size_t c = 0; c < 2; c++)
            try_slices(text, sizeof text, slice_bytes, c);
}

/* ---- However odd a text is, it takes time for its length ---- */

static const char *repeated;
static size_t repeated_in;

static void check_repeated(size_t n, void *user) {
    char *const text = user;
    const size_t length = strlen(repeated);
    pm_check_summary summary;
    for (size_t k = 0; k < n; k++)
        text[k] = repeated[k % length];
    assert_ok(check_text_in(contexts[0], fast[repeated_in], text, n, NULL, NULL, &summary));
}

TEST(test_time_grows_with_length) {
    enum {
        N = 1 << 19
    };
    static const char *const odd[] = {"<",           "< >",
                                      "<1>",         "<a <",
                                      "<a=></a=>",   "<!>",
                                      "<?\?>",       "<!---->",
                                      "<!-- <",      "<a b=\"><!-- ",
                                      "<a=\"><!-- ", "<a=\"'><? ",
                                      "</b>",        "<a b=\"1\" c='2'>",
                                      "< a=\"",      "{",
                                      "<a {",        "<a {`",
                                      "{#a",         "{#a `",
                                      "{{ '",        "<a b={c} {\"",
                                      "{{"};
    char *const text = allocate(N, 1);
    for (size_t k = 0; k < LANGUAGES * COUNT_OF(odd); k++) {
        repeated = odd[k / LANGUAGES];
        repeated_in = k % LANGUAGES;
        assert_true(takes_at_most(9, (timed_work){check_repeated, N, text}, (timed_work){check_repeated, N / 4, text}));
    }
    free(text);
}

static void check_scripts(size_t n, void *user) {
    const char *const piece = user;
    const size_t length = strlen(piece);
    char *const text = allocate(n, 1);
    for (size_t k = 0; k < n; k++)
        text[k] = piece[k % length];
    assert_ok(check_text_in(NULL, pm_language_by_name("html"), text, n, NULL, NULL, NULL));
    free(text);
}

/* What is read behind a script's tag is read again behind the script: it must not be much, in whatever way it is read.
 */
TEST(test_scripts_among_regions) {
    static char regions[] = "<!</script><script>", scripts[] = "<script></script>";
    enum {
        N = 1 << 17
    };
    assert_true(takes_at_most(8, (timed_work){check_scripts, N, regions}, (timed_work){check_scripts, N, scripts}));
}

int main(void) {
    return tests_run_between(set_up, tear_down);
}
