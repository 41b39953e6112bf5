/* SPDX-License-Identifier: Apache-2.0 */
/* The languages with brackets, and what each skips. */
#include "core/text/language.h"

#define COMMENT PM_REGION_COMMENT
#define ESCAPES PM_REGION_ESCAPES
#define LINE PM_REGION_LINE
#define CONTINUED PM_REGION_CONTINUED
#define NESTS PM_REGION_NESTS
#define FIRST PM_REGION_FIRST
#define NOTHING PM_REGION_NOTHING
#define TEMPLATE PM_REGION_TEMPLATE
#define BRACKET PM_REGION_BRACKET
#define CHARACTER (PM_REGION_LIFETIME | PM_REGION_TICK | LINE | ESCAPES)

#define ROUND ['('] = PM_ROLE(PM_ROLE_OPEN, 0), [')'] = PM_ROLE(PM_ROLE_CLOSE, 0)
#define SQUARE(kind) ['['] = PM_ROLE(PM_ROLE_OPEN, kind), [']'] = PM_ROLE(PM_ROLE_CLOSE, kind)
#define CURLY(kind) ['{'] = PM_ROLE(PM_ROLE_OPEN, kind), ['}'] = PM_ROLE(PM_ROLE_CLOSE, kind)

static const pm_alphabet emacs_lisp_brackets = {{ROUND, SQUARE(1)}};
static const pm_alphabet no_brackets = {{0}};
static const pm_alphabet data_brackets = {{SQUARE(0), CURLY(1)}};

/* ---- Regions, a table a language; see core/text/language.h for the columns ---- */

#define SKIP(opens, closes, ...)                                                                                       \
    { .open = (opens), .close = (closes), .flags = __VA_ARGS__ }

static const pmi_region json_regions[] = {
    SKIP("\"", "\"", ESCAPES),
};

/* In C raw strings are an extension of gcc; and a header may be either. */
static const pmi_region cpp_regions[] = {
    SKIP("//", "\n", COMMENT | LINE | CONTINUED),
    SKIP("/*", "*/", COMMENT),
    SKIP("\"", "\"", ESCAPES | LINE | CONTINUED),
    SKIP("'", "'", ESCAPES | LINE | CONTINUED),
    SKIP(NULL, "\n", COMMENT | LINE | CONTINUED | PM_REGION_FREE),
    SKIP(NULL, ")", PM_REGION_DELIMITED, .prefix = "R LR uR UR u8R"),
};

static const pmi_region java_regions[] = {
    SKIP("//", "\n", COMMENT | LINE), SKIP("/*", "*/", COMMENT),      SKIP("\"\"\"", "\"\"\"", ESCAPES),
    SKIP("\"", "\"", ESCAPES | LINE), SKIP("'", "'", ESCAPES | LINE),
};

#define JAVASCRIPT_REGIONS                                                                                             \
    SKIP("#!", "\n", COMMENT | LINE | FIRST), SKIP("//", "\n", COMMENT | LINE), SKIP("/*", "*/", COMMENT),             \
        SKIP("\"", "\"", ESCAPES | LINE | CONTINUED), SKIP("'", "'", ESCAPES | LINE | CONTINUED),                      \
        SKIP("`", "`", ESCAPES | TEMPLATE, .code = "${"), SKIP("/", "/", ESCAPES | LINE | PM_REGION_REGEX)

static const pmi_region typescript_regions[] = {JAVASCRIPT_REGIONS};

/* No JavaScript has an operand that begins with <; TypeScript has type assertions, and JSX in files of its own. */
static const pmi_region javascript_regions[] = {JAVASCRIPT_REGIONS, SKIP(NULL, NULL, PM_REGION_JSX)};

static const pmi_region go_regions[] = {
    SKIP("//", "\n", COMMENT | LINE), SKIP("/*", "*/", COMMENT), SKIP("\"", "\"", ESCAPES | LINE),
    SKIP("'", "'", ESCAPES | LINE),   SKIP("`", "`", 0),
};

static const pmi_region rust_regions[] = {
    SKIP("//", "\n", COMMENT | LINE),
    SKIP("/*", "*/", COMMENT | NESTS),
    SKIP("\"", "\"", ESCAPES),
    SKIP("'", "'", ESCAPES | LINE | PM_REGION_LIFETIME),
    SKIP(NULL, "\"", PM_REGION_HASHED, .prefix = "r br cr"),
};

static const pmi_region python_regions[] = {
    SKIP("#", "\n", COMMENT | LINE),
    SKIP("\"\"\"", "\"\"\"", ESCAPES),
    SKIP("'''", "'''", ESCAPES),
    SKIP("\"", "\"", ESCAPES | LINE | CONTINUED),
    SKIP("'", "'", ESCAPES | LINE | CONTINUED),
};

static const pmi_region lisp_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST), SKIP(";", "\n", COMMENT | LINE), SKIP("#;", NULL, NOTHING),
    SKIP("#|", "|#", COMMENT | NESTS),        SKIP("\"", "\"", ESCAPES),       SKIP("|", "|", ESCAPES),
};

static const pmi_region clojure_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE),
    SKIP(";", "\n", COMMENT | LINE),
    SKIP("\"", "\"", ESCAPES),
};

static const pmi_region emacs_lisp_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SKIP(";", "\n", COMMENT | LINE),
    SKIP("\"", "\"", ESCAPES),
};

#define SLASHES SKIP("//", "\n", COMMENT | LINE)
#define HASH SKIP("#", "\n", COMMENT | LINE)
#define STARS SKIP("/*", "*/", COMMENT)
#define NESTED_STARS SKIP("/*", "*/", COMMENT | NESTS)
#define QUOTE SKIP("\"", "\"", ESCAPES | LINE)
#define LONG_QUOTE SKIP("\"", "\"", ESCAPES)
#define TICKS SKIP("'", "'", ESCAPES | LINE)
#define LETTER SKIP("'", "'", CHARACTER)

static const pmi_region csharp_regions[] = {
    SLASHES,
    STARS,
    SKIP("\"\"\"", "\"\"\"", 0),
    SKIP("@\"", "\"", PM_REGION_DOUBLED),
    SKIP("$@\"", "\"", PM_REGION_DOUBLED | TEMPLATE, .code = " {"),
    SKIP("@$\"", "\"", PM_REGION_DOUBLED | TEMPLATE, .code = " {"),
    SKIP("$\"", "\"", ESCAPES | LINE | TEMPLATE, .code = " {"),
    QUOTE,
    TICKS,
    SKIP(NULL, "\n", COMMENT | LINE | PM_REGION_FREE),
};

static const pmi_region kotlin_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SLASHES,
    NESTED_STARS,
    SKIP("\"\"\"", "\"\"\"", PM_REGION_DOUBLED | TEMPLATE, .code = "${"),
    SKIP("\"", "\"", ESCAPES | LINE | TEMPLATE, .code = "${"),
    TICKS,
    SKIP("`", "`", LINE),
};

static const pmi_region swift_regions[] = {
    SLASHES,
    NESTED_STARS,
    SKIP("#\"", "\"#", 0),
    SKIP("##\"", "\"##", 0),
    SKIP("\"\"\"", "\"\"\"", ESCAPES | TEMPLATE, .code = "\\("),
    SKIP("\"", "\"", ESCAPES | LINE | TEMPLATE, .code = "\\("),
};

#define SCALA_PREFIXES "s f raw md q sql fr json uri"
static const pmi_region scala_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SLASHES,
    NESTED_STARS,
    SKIP("\"\"\"", "\"\"\"", PM_REGION_DOUBLED | TEMPLATE, .code = "${", .prefix = SCALA_PREFIXES),
    SKIP("\"\"\"", "\"\"\"", PM_REGION_DOUBLED),
    SKIP("\"", "\"", ESCAPES | LINE | TEMPLATE, .code = "${", .prefix = SCALA_PREFIXES),
    QUOTE,
    LETTER,
    SKIP("`", "`", LINE),
};

static const pmi_region dart_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SLASHES,
    NESTED_STARS,
    SKIP("\"\"\"", "\"\"\"", 0, .prefix = "r"),
    SKIP("'''", "'''", 0, .prefix = "r"),
    SKIP("\"", "\"", LINE, .prefix = "r"),
    SKIP("'", "'", LINE, .prefix = "r"),
    SKIP("\"\"\"", "\"\"\"", ESCAPES | TEMPLATE, .code = "${"),
    SKIP("'''", "'''", ESCAPES | TEMPLATE, .code = "${"),
    SKIP("\"", "\"", ESCAPES | LINE | TEMPLATE, .code = "${"),
    SKIP("'", "'", ESCAPES | LINE | TEMPLATE, .code = "${"),
};

static const pmi_region d_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SLASHES,
    STARS,
    SKIP("/+", "+/", COMMENT | NESTS),
    SKIP("\"", "\"", 0, .prefix = "r"),
    LONG_QUOTE,
    SKIP("`", "`", 0),
    TICKS,
};

static const pmi_region zig_regions[] = {
    SLASHES,
    SKIP("\\\\", "\n", LINE),
    QUOTE,
    TICKS,
};

static const pmi_region php_regions[] = {
    SKIP("?>", "<?", PM_REGION_OUTSIDE | PM_REGION_REST),
    SKIP("//", "?>", COMMENT | LINE | PM_REGION_LEAVES),
    SKIP("#", "?>", COMMENT | LINE | PM_REGION_LEAVES),
    SKIP("#[", NULL, PM_REGION_NOT),
    STARS,
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "{$"),
    SKIP("'", "'", ESCAPES),
    SKIP("`", "`", ESCAPES),
    SKIP(NULL, NULL, PM_REGION_HEREDOC | PM_REGION_REST, .prefix = "php"),
};

static const pmi_region ruby_regions[] = {
    SKIP("=be", "\n=end", COMMENT | PM_REGION_START),
    SKIP("__END__", NULL, COMMENT | PM_REGION_START | PM_REGION_REST),
    HASH,
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP("'", "'", ESCAPES),
    SKIP("`", "`", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP("/", "/", ESCAPES | TEMPLATE | PM_REGION_REGEX, .code = "#{"),
    SKIP("/ ", NULL, PM_REGION_NOT),
    SKIP("/=", NULL, PM_REGION_NOT),
    SKIP("$\"", NULL, NOTHING),
    SKIP("$'", NULL, NOTHING),
    SKIP("$`", NULL, NOTHING),
    SKIP("$/", NULL, NOTHING),
    SKIP(NULL, NULL, ESCAPES | TEMPLATE | PM_REGION_PAIRED, .code = "#{"),
    SKIP(NULL, NULL, PM_REGION_HEREDOC, .prefix = "ruby"),
};

/* What other regions are of Perl, its quote operators are too. POD begins with a = and a name. */
#define POD(open) SKIP(open, "\n=cut", COMMENT | PM_REGION_START | PM_REGION_REST)
static const pmi_region perl_regions[] = {
    HASH,
    LONG_QUOTE,
    SKIP("'", "'", ESCAPES),
    SKIP("`", "`", ESCAPES),
    SKIP("__END__", NULL, COMMENT | PM_REGION_START | PM_REGION_REST),
    SKIP("__DATA__", NULL, COMMENT | PM_REGION_START | PM_REGION_REST),
    POD("=po"),
    POD("=he"),
    POD("=ov"),
    POD("=it"),
    POD("=ba"),
    POD("=be"),
    POD("=en"),
    POD("=fo"),
    SKIP(NULL, ">", LINE | PM_REGION_FREE),
    SKIP(NULL, NULL, ESCAPES | PM_REGION_PAIRED),
    SKIP(NULL, NULL, PM_REGION_HEREDOC, .prefix = "Perl"),
};

static const pmi_region shell_regions[] = {
    SKIP("#", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "$({"),
    SKIP("'", "'", ESCAPES, .prefix = "$"),
    SKIP("'", "'", 0),
    SKIP(NULL, NULL, PM_REGION_HEREDOC | PM_REGION_REST, .prefix = "sh"),
};

static const pmi_region lua_regions[] = {
    SKIP("#!", "\n", COMMENT | LINE | FIRST),
    SKIP("--[", "]", COMMENT | PM_REGION_LONG),
    SKIP("--", "\n", COMMENT | LINE),
    SKIP("\"", "\"", ESCAPES | LINE | CONTINUED | PM_REGION_ZAPS),
    SKIP("'", "'", ESCAPES | LINE | CONTINUED | PM_REGION_ZAPS),
    SKIP(NULL, "]", PM_REGION_LONG),
};

static const pmi_region cmake_regions[] = {
    SKIP("#[", "]", COMMENT | PM_REGION_LONG),
    HASH,
    LONG_QUOTE,
    SKIP(NULL, "]", PM_REGION_LONG),
};

static const pmi_region julia_regions[] = {
    SKIP("#=", "=#", COMMENT | NESTS),
    HASH,
    SKIP("\"\"\"", "\"\"\"", ESCAPES, .prefix = "raw r b v s html md"),
    SKIP("\"", "\"", ESCAPES, .prefix = "raw r b v s html md"),
    SKIP("\"\"\"", "\"\"\"", ESCAPES | TEMPLATE, .code = "$("),
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "$("),
    SKIP("`", "`", ESCAPES | TEMPLATE, .code = "$("),
    LETTER,
};

static const pmi_region r_regions[] = {
    HASH,
    LONG_QUOTE,
    SKIP("'", "'", ESCAPES),
    SKIP("`", "`", ESCAPES),
    SKIP("%", "%", LINE),
    SKIP(NULL, ")", PM_REGION_DELIMITED, .prefix = "r R"),
};

static const pmi_region haskell_regions[] = {
    SKIP("{-", "-}", COMMENT | NESTS | BRACKET),
    SKIP("--", "\n", COMMENT | LINE),
    SKIP("-->", NULL, NOTHING), /* operators */
    SKIP("': ", NULL, NOTHING),
    SKIP("'[]", NULL, NOTHING),
    SKIP("|--", NULL, NOTHING),
    SKIP("<--", NULL, NOTHING),
    SKIP("\"", "\"", ESCAPES | PM_REGION_GAPS),
    LETTER,
};

static const pmi_region ocaml_regions[] = {
    SKIP("(*", "*)", COMMENT | NESTS | BRACKET),
    SKIP("{|", "|}", BRACKET),
    LONG_QUOTE,
    LETTER,
};

static const pmi_region coq_regions[] = {
    SKIP("(*)", NULL, PM_REGION_NOT),
    SKIP("(*", "*)", COMMENT | NESTS | BRACKET),
    SKIP("\"", "\"", 0),
};

/* Any word may have brackets; only comments and strings end with one byte. */
static const pmi_region forth_regions[] = {
    SKIP("\\ ", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("( ", ")", COMMENT | PM_REGION_WORD),
    SKIP("\" ", "\"", LINE),
};

static const pmi_region fsharp_regions[] = {
    SKIP("(*)", NULL, PM_REGION_NOT),
    SKIP("(*", "*)", COMMENT | NESTS | BRACKET),
    SLASHES,
    SKIP("\"\"\"", "\"\"\"", 0),
    SKIP("@\"", "\"", PM_REGION_DOUBLED),
    SKIP("$\"", "\"", ESCAPES | TEMPLATE, .code = " {"),
    LONG_QUOTE,
    SKIP("``", "``", LINE),
    LETTER,
};

static const pmi_region nix_regions[] = {
    HASH,
    STARS,
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "${"),
    SKIP("''", "''", PM_REGION_DOUBLED | TEMPLATE, .code = "${"),
};

static const pmi_region elixir_regions[] = {
    HASH,
    SKIP("\"\"\"", "\"\"\"", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP("'''", "'''", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP("\"", "\"", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP("'", "'", ESCAPES | TEMPLATE, .code = "#{"),
    SKIP(NULL, NULL, ESCAPES | PM_REGION_PAIRED),
    SKIP(NULL, NULL, ESCAPES | TEMPLATE | PM_REGION_PAIRED, .code = "#{"),
};

static const pmi_region erlang_regions[] = {
    SKIP("%", "\n", COMMENT | LINE),
    LONG_QUOTE,
    SKIP("'", "'", ESCAPES),
};

/* SCSS has the line comment too; in CSS url(//a/b) alone looks like one. */
static const pmi_region css_regions[] = {
    STARS,
    SKIP("\"", "\"", ESCAPES | LINE | CONTINUED),
    SKIP("'", "'", ESCAPES | LINE | CONTINUED),
    SKIP("//", "\n", COMMENT | LINE | PM_REGION_WORD),
};

static const pmi_region toml_regions[] = {
    HASH, SKIP("\"\"\"", "\"\"\"", ESCAPES), SKIP("'''", "'''", 0), QUOTE, SKIP("'", "'", LINE),
};

static const pmi_region yaml_regions[] = {
    SKIP(NULL, NULL, PM_REGION_OUTSIDE | PM_REGION_REST | PM_REGION_YAML),
};

/* Those of JSON with comments, and of Protobuf. */
static const pmi_region slashed_regions[] = {SLASHES, STARS, QUOTE, TICKS};

static const pmi_region glsl_regions[] = {
    SKIP("//", "\n", COMMENT | LINE | CONTINUED),
    STARS,
    SKIP("\"", "\"", LINE),
    SKIP(NULL, "\n", COMMENT | LINE | CONTINUED | PM_REGION_FREE),
};

/* What begins a comment depends on the processor; the rest of a line matters little to what is open behind it. */
static const pmi_region assembly_regions[] = {
    STARS,
    SLASHES,
    SKIP(";", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("!", "\n", COMMENT | LINE | PM_REGION_START),
    SKIP("|", "\n", COMMENT | LINE | PM_REGION_START),
    SKIP("! ", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("# ", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("@ ", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("@\t", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("@", "\n", COMMENT | LINE | PM_REGION_START),
    QUOTE,
    SKIP("'", "'", LINE | ESCAPES | PM_REGION_LIFETIME),
    SKIP(NULL, "\n", COMMENT | LINE | CONTINUED | PM_REGION_FREE),
};

/* Assembly that m4 makes, as GMP's; C begins a comment there. */
static const pmi_region m4_regions[] = {
    STARS,
    SKIP("dnl", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("C ", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("C\t", "\n", COMMENT | LINE | PM_REGION_WORD),
    SKIP("# ", "\n", COMMENT | LINE | PM_REGION_WORD),
};

static const pmi_region wgsl_regions[] = {SLASHES, NESTED_STARS};

static const pmi_region verilog_regions[] = {
    SLASHES,
    STARS,
    SKIP("\"", "\"", ESCAPES | LINE | CONTINUED),
};

static const pmi_region vhdl_regions[] = {
    SKIP("--", "\n", COMMENT | LINE),
    STARS,
    SKIP("\"", "\"", LINE),
    SKIP("'", "'", PM_REGION_LIFETIME | PM_REGION_TICK | LINE),
};

static const pmi_region ada_regions[] = {
    SKIP("--", "\n", COMMENT | LINE),
    SKIP("\"", "\"", LINE),
    SKIP("'", "'", PM_REGION_LIFETIME | PM_REGION_TICK | LINE),
};

static const pmi_region fortran_regions[] = {
    SKIP("!", "\n", COMMENT | LINE),
    SKIP("\"", "\"", LINE | CONTINUED | PM_REGION_AMPERSAND),
    SKIP("'", "'", LINE | CONTINUED | PM_REGION_AMPERSAND),
    SKIP(NULL, "\n", COMMENT | LINE | CONTINUED | PM_REGION_FREE),
};

/* ---- Languages ---- */

#define REGIONS(table) .regions = (table), .region_count = sizeof(table) / sizeof *(table)

const pm_language pmi_bracket_languages[] = {
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
        .endings = "c h idl",
        REGIONS(cpp_regions),
        .code = PM_CODE_SEPARATORS | PM_CODE_DIRECTIVES,
    },
    {
        .name = "c++",
        .description = "skips what c does",
        .aliases = "cpp cxx cc",
        .endings = "cc cpp cxx c++ hpp hh hxx h++ inl ipp tpp txx ixx cppm cu cuh metal mm",
        REGIONS(cpp_regions),
        .code = PM_CODE_SEPARATORS | PM_CODE_DIRECTIVES,
    },
    {
        .name = "json",
        .description = "skips strings; brackets are [] and {}",
        .aliases = "",
        .endings = "json jsonl ndjson geojson ipynb webmanifest",
        .alphabet = &data_brackets,
        REGIONS(json_regions),
    },
    {
        .name = "java",
        .description = "skips strings, text blocks, characters, // and /* */ comments; no \\uXXXX for the delimiters",
        .aliases = "",
        .endings = "java gradle",
        REGIONS(java_regions),
    },
    {
        .name = "javascript",
        .description =
            "skips strings, template literals (but not the code in ${ }), regular expressions, // and /* */ "
            "comments, a #! line, tags and text of JSX (but not the code in { }); distinguishes a regular expression "
            "from a division by the token before it (after a closing bracket it is a division)",
        .aliases = "js jsx",
        .endings = "js mjs cjs jsx",
        REGIONS(javascript_regions),
    },
    {
        .name = "typescript",
        .description = "skips what javascript does, without JSX",
        .aliases = "ts",
        .endings = "ts mts cts",
        REGIONS(typescript_regions),
    },
    {
        .name = "tsx",
        .description = "TypeScript with JSX: skips what javascript does",
        .aliases = "",
        .endings = "tsx",
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
        .endings = "rs ron",
        REGIONS(rust_regions),
    },
    {
        .name = "python",
        .description = "skips strings of every prefix, triple-quoted ones too, and # comments; an f-string is skipped "
                       "whole, so quotes nested in it end it",
        .aliases = "py",
        .endings = "py pyi pyw bazel bzl gyp gypi",
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
        .description = "skips strings, characters such as ?( and ?\\C-(, ; comments; brackets are () and []",
        .aliases = "elisp",
        .endings = "el",
        .alphabet = &emacs_lisp_brackets,
        REGIONS(emacs_lisp_regions),
        .code = PM_CODE_ESCAPES | PM_CODE_CHARACTERS,
    },
    {
        .name = "csharp",
        .description = "skips strings of every prefix (but not the code in $\"{ }\"), characters, // and /* */ "
                       "comments, the rest of #error and #region lines; follows #if",
        .aliases = "c# cs",
        .endings = "cs csx",
        REGIONS(csharp_regions),
        .code = PM_CODE_DIRECTIVES,
    },
    {
        .name = "kotlin",
        .description = "skips strings (but not the code in ${ }), characters, // and nested /* */ comments",
        .aliases = "kt",
        .endings = "kt kts",
        REGIONS(kotlin_regions),
        .by_table = true,
    },
    {
        .name = "swift",
        .description =
            "skips strings (but not the code in \\( )), // and nested /* */ comments; no /regular expressions/",
        .aliases = "",
        .endings = "swift",
        REGIONS(swift_regions),
        .by_table = true,
    },
    {
        .name = "scala",
        .description =
            "skips strings (but not the code in s\"${ }\"), characters, // and nested /* */ comments; no XML literals",
        .aliases = "",
        .endings = "scala sc sbt",
        REGIONS(scala_regions),
        .by_table = true,
    },
    {
        .name = "dart",
        .description = "skips strings (but not the code in ${ }), // and nested /* */ comments",
        .aliases = "",
        .endings = "dart",
        REGIONS(dart_regions),
        .by_table = true,
    },
    {
        .name = "d",
        .description = "skips strings, characters, //, /* */ and nested /+ +/ comments",
        .aliases = "dlang",
        .endings = "d di",
        REGIONS(d_regions),
    },
    {
        .name = "zig",
        .description = "skips strings, lines of \\\\, characters, // comments",
        .aliases = "",
        .endings = "zig zon",
        REGIONS(zig_regions),
        .by_table = true,
    },
    {
        .name = "php",
        .description =
            "skips what is outside <?php ?>, strings (but not the code in {$ }), heredocs, //, # and /* */ comments",
        .aliases = "",
        .endings = "php php5 phtml",
        REGIONS(php_regions),
        .by_table = true,
        .code = PM_CODE_HEREDOCS,
    },
    {
        .name = "ruby",
        .description = "skips strings (but not the code in #{ }), %w( ), regular expressions, heredocs, # and =begin "
                       "comments, what follows __END__",
        .aliases = "rb",
        .endings = "rb rake gemspec ru",
        REGIONS(ruby_regions),
        .by_table = true,
        .code = PM_CODE_RUBY | PM_CODE_HEREDOCS,
    },
    {
        .name = "perl",
        .description = "skips strings, quote operators such as q{} and s///, regular expressions, heredocs, POD, "
                       "variables such as $), # comments",
        .aliases = "pl",
        .endings = "pl pm psgi",
        REGIONS(perl_regions),
        .code = PM_CODE_HEREDOCS | PM_CODE_PERL,
    },
    {
        .name = "shell",
        .description = "skips strings (but not the code in $( ) and ${ }), heredocs, # comments; the close of a "
                       "pattern of case is no bracket",
        .aliases = "sh bash",
        .endings = "sh bash ksh",
        REGIONS(shell_regions),
        .code = PM_CODE_SHELL | PM_CODE_HEREDOCS | PM_CODE_ESCAPES,
    },
    {
        .name = "lua",
        .description = "skips strings, [==[ ]==], -- and --[[ ]] comments",
        .aliases = "",
        .endings = "lua",
        REGIONS(lua_regions),
        .by_table = true,
    },
    {
        .name = "cmake",
        .description = "skips strings, [==[ ]==], # and #[[ ]] comments",
        .aliases = "",
        .endings = "cmake",
        REGIONS(cmake_regions),
        .by_table = true,
        .code = PM_CODE_ESCAPES,
    },
    {
        .name = "julia",
        .description = "skips strings (but not the code in $( )), characters, # and nested #= =# comments",
        .aliases = "jl",
        .endings = "jl",
        REGIONS(julia_regions),
    },
    {
        .name = "r",
        .description = "skips strings, raw strings r\"( )\", quoted names, %operators%, # comments",
        .aliases = "",
        .endings = "r",
        REGIONS(r_regions),
        .by_table = true,
    },
    {
        .name = "haskell",
        .description =
            "skips strings, characters, -- and nested {- -} comments (whose ends count as brackets); no quasi-quotes",
        .aliases = "hs",
        .endings = "hs hsc hs-boot",
        REGIONS(haskell_regions),
        .by_table = true,
    },
    {
        .name = "ocaml",
        .description = "skips strings, {| |}, characters, nested (* *) comments (whose ends count as brackets)",
        .aliases = "ml",
        .endings = "ml mli",
        REGIONS(ocaml_regions),
        .by_table = true,
    },
    {
        .name = "coq",
        .description = "skips strings, nested (* *) comments (whose ends count as brackets)",
        .aliases = "rocq",
        .endings = "",
        REGIONS(coq_regions),
        .by_table = true,
    },
    {
        .name = "forth",
        .description = "( ) comments have ends, brackets do not count; skips strings and \\ comments",
        .aliases = "",
        .endings = "fth 4th forth",
        .alphabet = &no_brackets,
        REGIONS(forth_regions),
    },
    {
        .name = "fsharp",
        .description = "skips strings, characters, // and nested (* *) comments (whose ends count as brackets)",
        .aliases = "f#",
        .endings = "fs fsi fsx",
        REGIONS(fsharp_regions),
        .by_table = true,
    },
    {
        .name = "nix",
        .description = "skips strings and '' '' (but not the code in ${ }), # and /* */ comments",
        .aliases = "",
        .endings = "nix",
        REGIONS(nix_regions),
        .by_table = true,
    },
    {
        .name = "elixir",
        .description = "skips strings (but not the code in #{ }), sigils, characters such as ?(, # comments",
        .aliases = "ex",
        .endings = "ex exs",
        REGIONS(elixir_regions),
        .code = PM_CODE_SIGILS,
    },
    {
        .name = "erlang",
        .description = "skips strings, quoted atoms, characters such as $(, % comments",
        .aliases = "erl",
        .endings = "erl hrl",
        REGIONS(erlang_regions),
        .by_table = true,
        .code = PM_CODE_DOLLAR,
    },
    {
        .name = "css",
        .description = "skips strings, /* */ comments, and the // comments of SCSS and Less",
        .aliases = "scss less",
        .endings = "css scss less",
        REGIONS(css_regions),
        .code = PM_CODE_ESCAPES,
    },
    {
        .name = "toml",
        .description = "skips strings and # comments",
        .aliases = "",
        .endings = "toml",
        REGIONS(toml_regions),
    },
    {
        .name = "yaml",
        .description = "the brackets of flow collections; skips plain, quoted and block scalars, # comments",
        .aliases = "yml",
        .endings = "yaml yml",
        .alphabet = &data_brackets,
        REGIONS(yaml_regions),
    },
    {
        .name = "jsonc",
        .description = "JSON with // and /* */ comments",
        .aliases = "json5",
        .endings = "jsonc json5",
        REGIONS(slashed_regions),
    },
    {
        .name = "protobuf",
        .description = "skips strings, // and /* */ comments",
        .aliases = "proto",
        .endings = "proto",
        REGIONS(slashed_regions),
    },
    {
        .name = "glsl",
        .description = "skips // and /* */ comments; follows #if; for HLSL too",
        .aliases = "hlsl",
        .endings =
            "glsl vert frag geom tesc tese comp mesh rgen rchit rmiss rahit rcall rint vsh fsh gsh hlsl hlsli fx cg",
        REGIONS(glsl_regions),
        .code = PM_CODE_DIRECTIVES,
    },
    {
        .name = "assembly",
        .description = "skips strings, characters, /* */, //, # and ; comments, ARM's @; follows #if",
        .aliases = "asm",
        .endings = "s asm",
        REGIONS(assembly_regions),
        .code = PM_CODE_DIRECTIVES | PM_CODE_ASSEMBLY,
    },
    {
        .name = "m4",
        .description = "assembly for m4: skips dnl, C, # and /* */ comments",
        .aliases = "",
        .endings = "",
        REGIONS(m4_regions),
    },
    {
        .name = "wgsl",
        .description = "skips // and nested /* */ comments",
        .aliases = "",
        .endings = "wgsl",
        REGIONS(wgsl_regions),
        .by_table = true,
    },
    {
        .name = "verilog",
        .description = "skips strings, // and /* */ comments; brackets alone, not begin and end; follows `ifdef",
        .aliases = "systemverilog",
        .endings = "v vh sv svh",
        REGIONS(verilog_regions),
        .code = PM_CODE_BACKTICKS,
    },
    {
        .name = "vhdl",
        .description = "skips strings, characters, -- and /* */ comments; brackets alone",
        .aliases = "",
        .endings = "vhd vhdl",
        REGIONS(vhdl_regions),
        .by_table = true,
    },
    {
        .name = "ada",
        .description = "skips strings, characters, -- comments; brackets alone",
        .aliases = "",
        .endings = "adb ads",
        REGIONS(ada_regions),
        .by_table = true,
    },
    {
        .name = "fortran",
        .description = "free form: skips strings and ! comments; brackets alone; follows #if",
        .aliases = "f90",
        .endings = "f90 f95 f03 f08",
        REGIONS(fortran_regions),
        .by_table = true,
        .code = PM_CODE_DIRECTIVES | PM_CODE_REST,
    },
};

const size_t pmi_bracket_language_count = sizeof pmi_bracket_languages / sizeof *pmi_bracket_languages;
