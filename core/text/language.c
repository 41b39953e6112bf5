/* SPDX-License-Identifier: Apache-2.0 */
/* The table of languages, what each skips, and finding a language by its name or a file name. */
#include "core/text/language.h"

#include <string.h>

#include "base/ascii.h"

#define COMMENT PM_REGION_COMMENT
#define ESCAPES PM_REGION_ESCAPES
#define LINE PM_REGION_LINE
#define CONTINUED PM_REGION_CONTINUED
#define NESTS PM_REGION_NESTS
#define FIRST PM_REGION_FIRST
#define NOTHING PM_REGION_NOTHING

#define ROUND ['('] = PM_ROLE(PM_ROLE_OPEN, 0), [')'] = PM_ROLE(PM_ROLE_CLOSE, 0)
#define SQUARE(kind) ['['] = PM_ROLE(PM_ROLE_OPEN, kind), [']'] = PM_ROLE(PM_ROLE_CLOSE, kind)
#define CURLY(kind) ['{'] = PM_ROLE(PM_ROLE_OPEN, kind), ['}'] = PM_ROLE(PM_ROLE_CLOSE, kind)

static const pm_alphabet brackets = {{ROUND, SQUARE(1), CURLY(2)}};
static const pm_alphabet json_brackets = {{SQUARE(0), CURLY(1)}};

/* ---- Regions, a table a language; see core/text/language.h for the columns ---- */

static const pmi_region json_regions[] = {
    {"\"", "\"", ESCAPES},
};

/* In C raw strings are an extension of gcc; and a header may be either. */
static const pmi_region cpp_regions[] = {
    {"//", "\n", COMMENT | LINE | CONTINUED},
    {"/*", "*/", COMMENT},
    {"\"", "\"", ESCAPES | LINE | CONTINUED},
    {"'", "'", ESCAPES | LINE | CONTINUED},
    {NULL, "\n", COMMENT | LINE | CONTINUED | PM_REGION_FREE},
    {NULL, ")", PM_REGION_DELIMITED},
};

static const pmi_region java_regions[] = {
    {"//", "\n", COMMENT | LINE}, {"/*", "*/", COMMENT},      {"\"\"\"", "\"\"\"", ESCAPES},
    {"\"", "\"", ESCAPES | LINE}, {"'", "'", ESCAPES | LINE},
};

static const pmi_region javascript_regions[] = {
    {"#!", "\n", COMMENT | LINE | FIRST},
    {"//", "\n", COMMENT | LINE},
    {"/*", "*/", COMMENT},
    {"\"", "\"", ESCAPES | LINE | CONTINUED},
    {"'", "'", ESCAPES | LINE | CONTINUED},
    {"`", "`", ESCAPES | PM_REGION_TEMPLATE},
    {"/", "/", ESCAPES | LINE | PM_REGION_REGEX},
};

static const pmi_region go_regions[] = {
    {"//", "\n", COMMENT | LINE}, {"/*", "*/", COMMENT}, {"\"", "\"", ESCAPES | LINE},
    {"'", "'", ESCAPES | LINE},   {"`", "`", 0},
};

static const pmi_region rust_regions[] = {
    {"//", "\n", COMMENT | LINE},   {"/*", "*/", COMMENT | NESTS},
    {"\"", "\"", ESCAPES},          {"'", "'", ESCAPES | LINE | PM_REGION_LIFETIME},
    {NULL, "\"", PM_REGION_HASHED},
};

static const pmi_region python_regions[] = {
    {"#", "\n", COMMENT | LINE},
    {"\"\"\"", "\"\"\"", ESCAPES},
    {"'''", "'''", ESCAPES},
    {"\"", "\"", ESCAPES | LINE | CONTINUED},
    {"'", "'", ESCAPES | LINE | CONTINUED},
};

static const pmi_region lisp_regions[] = {
    {"#!", "\n", COMMENT | LINE | FIRST}, {";", "\n", COMMENT | LINE}, {"#;", NULL, NOTHING},
    {"#|", "|#", COMMENT | NESTS},        {"\"", "\"", ESCAPES},       {"|", "|", ESCAPES},
};

static const pmi_region clojure_regions[] = {
    {"#!", "\n", COMMENT | LINE},
    {";", "\n", COMMENT | LINE},
    {"\"", "\"", ESCAPES},
};

static const pmi_region emacs_lisp_regions[] = {
    {"#!", "\n", COMMENT | LINE | FIRST},
    {";", "\n", COMMENT | LINE},
    {"\"", "\"", ESCAPES},
};

/* ---- Languages ---- */

#define REGIONS(table) .regions = (table), .region_count = sizeof(table) / sizeof *(table)

static const pm_language languages[] = {
    {
        .name = "text",
        .description = "skips nothing",
        .aliases = "plain",
        .endings = "txt",
    },
    {
        .name = "c",
        .description = "skips strings, raw strings, characters, // and /* */ comments, the rest of #error and #warning "
                       "lines; knows 1'000 for a number; no trigraphs, no line continuation within a delimiter",
        .aliases = "",
        .endings = "c h",
        REGIONS(cpp_regions),
        .code = PM_CODE_SEPARATORS | PM_CODE_DIRECTIVES,
    },
    {
        .name = "c++",
        .description = "skips what c does",
        .aliases = "cpp cxx cc",
        .endings = "cc cpp cxx c++ hpp hh hxx h++ inl ipp tpp txx ixx cppm cu cuh",
        REGIONS(cpp_regions),
        .code = PM_CODE_SEPARATORS | PM_CODE_DIRECTIVES,
    },
    {
        .name = "json",
        .description = "skips strings; brackets are [] and {}",
        .aliases = "",
        .endings = "json jsonl ndjson geojson ipynb webmanifest",
        .alphabet = &json_brackets,
        REGIONS(json_regions),
    },
    {
        .name = "java",
        .description = "skips strings, text blocks, characters, // and /* */ comments; no \\uXXXX for the delimiters",
        .aliases = "",
        .endings = "java",
        REGIONS(java_regions),
    },
    {
        .name = "javascript",
        .description =
            "skips strings, template literals (but not the code in ${ }), regular expressions, // and /* */ "
            "comments, a #! line; distinguishes a regular expression from a division by the token before it (after "
            "a closing bracket "
            "it is a division); no JSX text",
        .aliases = "js typescript ts",
        .endings = "js mjs cjs ts mts cts",
        REGIONS(javascript_regions),
    },
    {
        .name = "go",
        .description = "skips strings, raw strings, runes, // and /* */ comments",
        .aliases = "golang",
        .endings = "go",
        REGIONS(go_regions),
    },
    {
        .name = "rust",
        .description = "skips strings, raw strings, characters (but not lifetimes), // and nested /* */ comments",
        .aliases = "rs",
        .endings = "rs",
        REGIONS(rust_regions),
    },
    {
        .name = "python",
        .description = "skips strings of every prefix, triple-quoted ones too, and # comments; an f-string is skipped "
                       "whole, so quotes nested in it end it",
        .aliases = "py",
        .endings = "py pyi pyw",
        REGIONS(python_regions),
    },
    {
        .name = "lisp",
        .description = "Common Lisp and Scheme: skips strings, |symbols|, characters such as #\\(, ; and nested #| |# "
                       "comments",
        .aliases = "common-lisp scheme racket",
        .endings = "lisp lsp cl asd scm ss sld sls rkt",
        REGIONS(lisp_regions),
        .code = PM_CODE_ESCAPES,
    },
    {
        .name = "clojure",
        .description = "skips strings, regular expressions, characters such as \\(, ; and #! comments",
        .aliases = "clj",
        .endings = "clj cljs cljc edn bb",
        REGIONS(clojure_regions),
        .code = PM_CODE_ESCAPES,
    },
    {
        .name = "emacs-lisp",
        .description = "skips strings, characters such as ?( and ?\\C-(, ; comments",
        .aliases = "elisp",
        .endings = "el",
        REGIONS(emacs_lisp_regions),
        .code = PM_CODE_ESCAPES | PM_CODE_CHARACTERS,
    },
};

#define LANGUAGE_COUNT (sizeof languages / sizeof *languages)

/* ---- Look-up ---- */

size_t pm_language_count(void) {
    return LANGUAGE_COUNT;
}

const pm_language *pm_language_at(size_t index) {
    return index < LANGUAGE_COUNT ? &languages[index] : NULL;
}

const pm_language *pm_language_by_name(const char *name) {
    if (!name)
        return NULL;
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (strcmp(name, languages[i].name) == 0 || pmi_list_contains(languages[i].aliases, name, false))
            return &languages[i];
    return NULL;
}

const pm_language *pm_language_by_path(const char *path) {
    const pm_language *const text = &languages[0];
    if (!path)
        return text;
    const char *const ending = pmi_path_ending(path);
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (pmi_list_contains(languages[i].endings, ending, true))
            return &languages[i];
    return text;
}

const char *pm_language_name(const pm_language *language) {
    return language ? language->name : NULL;
}

const char *pm_language_description(const pm_language *language) {
    return language ? language->description : NULL;
}

const char *pm_language_endings(const pm_language *language) {
    return language ? language->endings : NULL;
}

const pm_alphabet *pm_language_alphabet(const pm_language *language) {
    if (!language)
        return NULL;
    return language->alphabet ? language->alphabet : &brackets;
}
