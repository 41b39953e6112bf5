/* SPDX-License-Identifier: Apache-2.0 */
/* The languages with built-in rules of delimiters. docs/guide/delimiters.md says what each leaves out. */
#include "core/text/language.h"

static const char xml_rules[] = "skip <!-- -->\n"
                                "skip <![CDATA[ ]]>\n"
                                "skip <? ?>\n"
                                "skip-quoted <! > [\n" /* [ begins declarations, which are read one by one */
                                "element < </ > />\n";

/* The names are those of WHATWG's HTML, 13.1.2 "Elements" and 13.1.2.4 "Optional tags". */
#define HTML_VOID                                                                                                      \
    "void area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr\n"
#define HTML_IMPLIED                                                                                                   \
    "implied p address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 "   \
    "h3 "                                                                                                              \
    "h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul\n"                                       \
    "implied li li\n"                                                                                                  \
    "implied dt dt dd\n"                                                                                               \
    "implied dd dt dd\n"                                                                                               \
    "implied rt rt rp\n"                                                                                               \
    "implied rp rt rp\n"                                                                                               \
    "implied optgroup optgroup hr\n"                                                                                   \
    "implied option option optgroup hr\n"                                                                              \
    "implied caption colgroup thead tbody tfoot tr\n"                                                                  \
    "implied colgroup thead tbody tfoot tr\n"                                                                          \
    "implied thead tbody tfoot\n"                                                                                      \
    "implied tbody tbody tfoot\n"                                                                                      \
    "implied tfoot\n"                                                                                                  \
    "implied tr tr tbody tfoot\n"                                                                                      \
    "implied td td th\n"                                                                                               \
    "implied th td th\n"
static const char html_rules[] = "ignore-case\n"
                                 "skip <!-- -->\n"
                                 "skip <![CDATA[ ]]>\n"
                                 "skip <? >\n"
                                 "skip <! >\n"
                                 "element < </ > />\n"
                                 "name-end {\n" /* of a template: <form{% if x %} a="b"{% endif %}> */
    HTML_VOID "raw iframe noembed noframes script style textarea title xmp\n"
                                 "optional html head body\n" HTML_IMPLIED;

/* The tags of components; scripts and styles as HTML's are. */
static const char vue_rules[] = "skip <!-- -->\n"
                                "skip-quoted {{ }}\n"
                                "element < </ > />\n" HTML_VOID "raw docs i18n script style textarea\n";

/* The blocks, {#if} ... {/if}, are elements of another family. */
static const char svelte_rules[] =
    "skip <!-- -->\n"
    "nested { }\n"
    "element < </ > />\n" HTML_VOID "raw script style\n" HTML_IMPLIED "element {# {/ }\n";

static const char latex_rules[] = "nothing \\\\ \\{ \\} \\%\n"
                                  "nothing `\\( `\\) `\\[ `\\]\n" /* numbers of characters */
                                  "line %\n"
                                  "delimited \\verb \\verb*\n"
                                  "skip \\url{ }\n" /* a % in it begins no comment */
                                  "skip \\href{ }\n"
                                  "renames \\let\n"                   /* \let\x\endgroup */
                                  "branch \\else\\begin{ \\if \\fi\n" /* as in the other branch */
                                  "branch \\else\\end{ \\if \\fi\n"
                                  "pair { }\n"
                                  "loose {\n" /* a macro's argument or text: {\begin{equation}} */
                                  "pair \\[ \\]\n"
                                  "pair \\( \\)\n"
                                  "word \\left \\right\n"
                                  "word \\begingroup \\endgroup\n"
                                  "unclosed \\begingroup\n" /* a macro may end it */
                                  "element \\begin{ \\end{ }\n"
                                  "raw verbatim verbatim* Verbatim lstlisting minted comment filecontents "
                                  "filecontents*\n"
                                  "stray \\end{document}\n"; /* of a part, or whose begin a part has */

#define SQL_WORDS                                                                                                      \
    "pair ( )\n"                                                                                                       \
    "word begin end\n"                                                                                                 \
    "word case end\n"                                                                                                  \
    "word case \"end case\"\n"                                                                                         \
    "word loop \"end loop\"\n"                                                                                         \
    "nothing \"begin ;\" \"begin \\\\;\" \"begin transaction\" \"begin tran\" \"begin work\"\n"                        \
    "nothing \"begin deferred\" \"begin immediate\" \"begin exclusive\" \"begin read\"\n"                              \
    "nothing \"begin isolation\" \"end transaction\" \"end tran\" \"end work\"\n"                                      \
    "nothing \"loop join\" \"loop .\" \"row end\"\n"                                                                   \
    "nothing package \"compound trigger\"\n"                                                                           \
    "nothing \"end if\" \"end while\" \"end repeat\" \"end for\" \"end foreach\" \"end forrows\"\n"                    \
    "lone end \"begin ;\" \"begin \\\\;\" \"begin transaction\" \"begin work\" \"begin read\" "                        \
    "package \"compound trigger\"\n"                                                                                   \
    "spare end = (\n" /* an option's name, a bound of partitions */
static const char sql_rules[] = "ignore-case\n"
                                "line -- \\echo\n" /* which is psql's */
                                "skip /* */\n"
                                "string '\n"
                                "string \"\n"
                                "string `\n"
                                "escaped e' ' \\\n"
                                "tagged $\n" SQL_WORDS;

static const char mysql_rules[] = "ignore-case\n"
                                  "line -- #\n"
                                  "skip /* */\n"
                                  "string ' \\\n"
                                  "string \" \\\n"
                                  "string `\n" SQL_WORDS;

static const char pascal_rules[] =
    "ignore-case\n"
    "line //\n"
    "skip { }\n"
    "branch {$else {$if {$endif {$ifend {$endc\n" /* as in the other branch */
    "skip (* *)\n"
    "may-nest { (*\n" /* as Free Pascal's own mode has it, and Delphi's has not */
    "string '\n"
    "pair ( )\n"
    "pair [ ]\n"
    "word repeat until\n"
    "word begin end\n"
    "word case end\n"
    "word record end\n"
    "word try end\n"
    "word asm end\n"
    "word \"= class\" end\n"
    "word \"= packed class\" end\n"
    "word \"= object\" end\n"
    "word \"= packed object\" end\n"
    "word \"= interface\" end\n"
    "word \"= type helper\" end\n"
    "word \"= dispinterface\" end\n"
    "word \"= objcclass\" end\n"
    "word \"= objccategory\" end\n"
    "word \"= objcprotocol\" end\n"
    "word begin end.\n" /* which ends a unit, too */
    "word unit end.\n"
    "word library end.\n"
    "unclosed unit library\n"  /* that end with begin ... end. */
    "nothing-in case record\n" /* whose variants have no end of their own */
    "bodyless ; \"= class\" \"= interface\" \"= dispinterface\" \"= object\" \"= objcclass\" \"= objcprotocol\"\n"
    "nothing :=\n" /* so that its = is not looked at */
    "nothing \"= class of\" \"= objcclass external ;\" \"= objcprotocol external ;\"\n"
    "nothing \"= objcclass external name\" \"= objcprotocol external name\"\n"
    "sigil & @\n"; /* &begin is a name, @begin a label of assembly */

static const char jinja_rules[] = "skip {# #}\n"
                                  "statement {{ }}\n"
                                  "statement {% %} end if for block macro call filter with autoescape trans set\n"
                                  "assigned set\n"
                                  "quoted trans block\n" /* {% trans 'Go' %}, Twig's {% block title 'x' %} */
                                  "raw raw verbatim comment\n";

const pm_language pmi_delimiter_languages[] = {
    {
        .name = "xml",
        .description =
            "tags, matched by name; skips comments, CDATA, processing instructions, declarations, attributes",
        .aliases = "xhtml svg",
        .endings = "xml xhtml svg xsd xsl xslt rng rss atom rdf gpx kml wsdl",
        .rules = xml_rules,
    },
    {
        .name = "html",
        .description = "tags, matched by name; supplies ends that may be left out; skips void elements, comments, "
                       "scripts, styles, attributes",
        .aliases = "htm",
        .endings = "html htm",
        .rules = html_rules,
    },
    {
        .name = "latex",
        .description = "environments, matched by name, {}, \\[ \\], \\( \\), \\left \\right; skips % comments, \\verb, "
                       "\\url, verbatim",
        .aliases = "tex",
        .endings = "tex ltx",
        .rules = latex_rules,
    },
    {
        .name = "sql",
        .description = "begin and case with end, loop with end loop, (); skips strings, quoted names, $$ $$, -- and /* "
                       "*/ comments",
        .aliases = "plsql",
        .endings = "sql",
        .rules = sql_rules,
    },
    {
        .name = "pascal",
        .description =
            "begin, case, record, try, class with end, repeat until, (), []; skips strings, { }, (* *) and // comments",
        .aliases = "delphi",
        .endings = "pas dpr lpr",
        .rules = pascal_rules,
    },
    {
        .name = "jinja",
        .description = "{% if %}, {% for %} and the like, matched by name; skips {{ }}, {# #}, raw blocks",
        .aliases = "j2 jinja2 twig django",
        .endings = "j2 jinja jinja2 twig",
        .rules = jinja_rules,
    },
    {
        .name = "vue",
        .description = "tags, matched by name; skips comments, {{ }}, scripts, styles, void elements, attributes",
        .aliases = "",
        .endings = "vue",
        .rules = vue_rules,
    },
    {
        .name = "svelte",
        .description = "tags and blocks such as {#if}, matched by name; skips comments, expressions in { }, scripts, "
                       "styles, void elements, attributes",
        .aliases = "",
        .endings = "svelte",
        .rules = svelte_rules,
    },
    {
        .name = "mysql",
        .description = "SQL with # comments and backslashes in strings",
        .aliases = "mariadb",
        .endings = "",
        .rules = mysql_rules,
    },
};

const size_t pmi_delimiter_language_count = sizeof pmi_delimiter_languages / sizeof *pmi_delimiter_languages;
