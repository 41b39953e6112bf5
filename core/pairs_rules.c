/* SPDX-License-Identifier: Apache-2.0 */
/* The languages whose delimiters have rules here: docs/structure.md says what each leaves out. */
#include <string.h>

#include "core/letters.h"
#include "parenmatch.h"

static const char xml_rules[] = "skip <!-- -->\n"
                                "skip <![CDATA[ ]]>\n"
                                "skip <? ?>\n"
                                "skip-quoted <! > [\n" /* [ begins declarations, which are read one by one */
                                "element < </ > />\n";

/* The names are those of WHATWG's HTML, 13.1.2 "Elements" and 13.1.2.4 "Optional tags". */
static const char html_rules[] =
    "ignore-case\n"
    "skip <!-- -->\n"
    "skip <![CDATA[ ]]>\n"
    "skip <? >\n"
    "skip <! >\n"
    "element < </ > />\n"
    "void area base br col embed hr img input link meta param source track wbr\n"
    "raw script style textarea title xmp\n"
    "optional html head body p li dt dd rt rp optgroup option caption colgroup thead tbody tfoot tr td th\n";

static const char latex_rules[] = "nothing \\\\ \\{ \\} \\%\n"
                                  "line %\n"
                                  "delimited \\verb \\verb*\n"
                                  "pair { }\n"
                                  "pair \\[ \\]\n"
                                  "pair \\( \\)\n"
                                  "word \\left \\right\n"
                                  "word \\begingroup \\endgroup\n"
                                  "element \\begin{ \\end{ }\n"
                                  "raw verbatim verbatim* Verbatim lstlisting minted comment filecontents "
                                  "filecontents*\n";

static const char sql_rules[] = "ignore-case\n"
                                "line --\n"
                                "skip /* */\n"
                                "string '\n"
                                "string \"\n"
                                "string `\n"
                                "pair ( )\n"
                                "word begin end\n"
                                "word case end\n"
                                "word case \"end case\"\n"
                                "nothing \"begin;\" \"begin transaction\" \"begin tran\" \"begin work\"\n"
                                "nothing \"end if\" \"end loop\" \"end while\" \"end repeat\" \"end for\"\n";

static const char pascal_rules[] =
    "ignore-case\n"
    "line //\n"
    "skip { }\n"
    "skip (* *)\n"
    "string '\n"
    "pair ( )\n"
    "pair [ ]\n"
    "word repeat until\n"
    "word begin end\n"
    "word case end\n"
    "word record end\n"
    "word try end\n"
    "word asm end\n"
    "word class end\n"
    "word object end\n"
    "word \"= interface\" end\n"
    "word begin end.\n" /* which ends a unit, too */
    "word unit end.\n"
    "nothing class; \"class of\" \"class function\" \"class procedure\" \"class constructor\" \"class destructor\"\n"
    "nothing \"class operator\" \"class property\" \"class var\" \"of object\" \"= interface;\"\n"
    /* of a record's variants, which have no end of their own */
    "nothing \"case boolean of\" \"case byte of\" \"case cardinal of\" \"case dword of\" \"case integer of\"\n"
    "nothing \"case longint of\" \"case smallint of\" \"case word of\"\n";

static const char jinja_rules[] = "skip {# #}\n"
                                  "statement {{ }}\n"
                                  "statement {% %} end if for block macro call filter with autoescape trans\n"
                                  "raw raw\n";

static const struct {
    const char *name, *aliases, *endings, *rules, *description;
} languages[] = {
    {"xml", "xhtml svg", "xml xhtml svg xsd xsl xslt rng rss atom", xml_rules,
     "tags, matched by name; skips comments, CDATA, processing instructions, declarations, attributes"},
    {"html", "htm", "html htm", html_rules,
     "tags, matched by name, but for void elements and those whose end may be left out; skips comments, scripts, "
     "styles, attributes"},
    {"latex", "tex", "tex ltx", latex_rules,
     "environments, matched by name, {}, \\[ \\], \\( \\), \\left \\right; skips % comments, \\verb, verbatim"},
    {"sql", "plsql", "sql", sql_rules,
     "begin and case with end, (); skips strings, quoted names, -- and /* */ comments"},
    {"pascal", "delphi", "pas dpr lpr", pascal_rules,
     "begin, case, record, try, class with end, repeat until, (), []; skips strings, { }, (* *) and // comments"},
    {"jinja", "j2 jinja2 twig django", "j2 jinja jinja2 twig", jinja_rules,
     "{% if %}, {% for %} and the like, matched by name; skips {{ }}, {# #}, raw blocks"},
};

#define LANGUAGES (sizeof languages / sizeof *languages)

size_t pm_rules_count(void) {
    return LANGUAGES;
}

const char *pm_rules_name(size_t index) {
    return index < LANGUAGES ? languages[index].name : NULL;
}

const char *pm_rules_description(size_t index) {
    return index < LANGUAGES ? languages[index].description : NULL;
}

const char *pm_rules_by_name(const char *name) {
    if (!name)
        return NULL;
    for (size_t i = 0; i < LANGUAGES; i++)
        if (strcmp(name, languages[i].name) == 0 || pm_list_contains(languages[i].aliases, name, false))
            return languages[i].rules;
    return NULL;
}

const char *pm_rules_by_path(const char *path) {
    const char *const ending = path ? pm_path_ending(path) : "";
    for (size_t i = 0; i < LANGUAGES; i++)
        if (pm_list_contains(languages[i].endings, ending, true))
            return languages[i].rules;
    return NULL;
}
