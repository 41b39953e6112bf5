/* SPDX-License-Identifier: Apache-2.0 */
/* The languages with built-in rules of delimiters. docs/guide/delimiters.md says what each leaves out. */
#include <string.h>

#include "base/ascii.h"
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
    "name-end {\n" /* of a template: <form{% if x %} a="b"{% endif %}> */
    "void area base br col embed hr img input link meta param source track wbr\n"
    "raw iframe noembed noframes script style textarea title xmp\n"
    "optional html head body\n"
    "implied p address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul\n"
    "implied li li\n"
    "implied dt dt dd\n"
    "implied dd dt dd\n"
    "implied rt rt rp\n"
    "implied rp rt rp\n"
    "implied optgroup optgroup hr\n"
    "implied option option optgroup hr\n"
    "implied caption colgroup thead tbody tfoot tr\n"
    "implied colgroup thead tbody tfoot tr\n"
    "implied thead tbody tfoot\n"
    "implied tbody tbody tfoot\n"
    "implied tfoot\n"
    "implied tr tr tbody tfoot\n"
    "implied td td th\n"
    "implied th td th\n";

static const char latex_rules[] = "nothing \\\\ \\{ \\} \\%\n"
                                  "line %\n"
                                  "delimited \\verb \\verb*\n"
                                  "skip \\url{ }\n" /* a % in it begins no comment */
                                  "skip \\href{ }\n"
                                  "pair { }\n"
                                  "loose {\n" /* a macro's argument or text: {\begin{equation}} */
                                  "pair \\[ \\]\n"
                                  "pair \\( \\)\n"
                                  "word \\left \\right\n"
                                  "word \\begingroup \\endgroup\n"
                                  "unclosed \\begingroup\n" /* a macro may end it */
                                  "element \\begin{ \\end{ }\n"
                                  "raw verbatim verbatim* Verbatim lstlisting minted comment filecontents "
                                  "filecontents*\n";

static const char sql_rules[] = "ignore-case\n"
                                "line -- \\echo\n" /* which is psql's */
                                "skip /* */\n"
                                "string '\n"
                                "string \"\n"
                                "string `\n"
                                "escaped e' ' \\\n"
                                "tagged $\n"
                                "pair ( )\n"
                                "word begin end\n"
                                "word case end\n"
                                "word case \"end case\"\n"
                                "word loop \"end loop\"\n"
                                "nothing \"begin ;\" \"begin transaction\" \"begin tran\" \"begin work\"\n"
                                "nothing \"begin deferred\" \"begin immediate\" \"begin exclusive\" \"begin read\"\n"
                                "nothing \"begin isolation\" \"end transaction\" \"end tran\" \"end work\"\n"
                                "nothing \"end if\" \"end while\" \"end repeat\" \"end for\"\n";

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
    "unclosed unit\n"          /* that ends with begin ... end. */
    "nothing-in case record\n" /* whose variants have no end of their own */
    "bodyless ; \"= class\" \"= interface\" \"= dispinterface\" \"= object\" \"= objcclass\" \"= objcprotocol\"\n"
    "nothing :=\n" /* so that its = is not looked at */
    "nothing \"= class of\" \"= objcclass external ;\" \"= objcprotocol external ;\"\n";

static const char jinja_rules[] = "skip {# #}\n"
                                  "statement {{ }}\n"
                                  "statement {% %} end if for block macro call filter with autoescape trans set\n"
                                  "assigned set\n"
                                  "quoted trans block\n" /* {% trans 'Go' %}, Twig's {% block title 'x' %} */
                                  "raw raw verbatim comment\n";

static const struct {
    pm_rules_info info;
    const char *aliases, *endings, *rules;
} languages[] = {
    {{"xml", "tags, matched by name; skips comments, CDATA, processing instructions, declarations, attributes"},
     "xhtml svg",
     "xml xhtml svg xsd xsl xslt rng rss atom rdf gpx kml wsdl",
     xml_rules},
    {{"html",
      "tags, matched by name; supplies ends that may be left out; skips void elements, comments, scripts, styles, "
      "attributes"},
     "htm",
     "html htm",
     html_rules},
    {{"latex",
      "environments, matched by name, {}, \\[ \\], \\( \\), \\left \\right; skips % comments, \\verb, \\url, verbatim"},
     "tex",
     "tex ltx",
     latex_rules},
    {{"sql",
      "begin and case with end, loop with end loop, (); skips strings, quoted names, $$ $$, -- and /* */ comments"},
     "plsql",
     "sql",
     sql_rules},
    {{"pascal",
      "begin, case, record, try, class with end, repeat until, (), []; skips strings, { }, (* *) and // comments"},
     "delphi",
     "pas dpr lpr",
     pascal_rules},
    {{"jinja", "{% if %}, {% for %} and the like, matched by name; skips {{ }}, {# #}, raw blocks"},
     "j2 jinja2 twig django",
     "j2 jinja jinja2 twig",
     jinja_rules},
};

#define LANGUAGES (sizeof languages / sizeof *languages)

const pm_rules_info *pm_rules_at(size_t index) {
    return index < LANGUAGES ? &languages[index].info : NULL;
}

const char *pm_rules_endings(size_t index) {
    return index < LANGUAGES ? languages[index].endings : NULL;
}

const char *pm_rules_by_name(const char *name) {
    if (!name)
        return NULL;
    for (size_t i = 0; i < LANGUAGES; i++)
        if (strcmp(name, languages[i].info.name) == 0 || pmi_list_contains(languages[i].aliases, name, false))
            return languages[i].rules;
    return NULL;
}

const char *pm_rules_by_path(const char *path) {
    const char *const ending = path ? pmi_path_ending(path) : "";
    for (size_t i = 0; i < LANGUAGES; i++)
        if (pmi_list_contains(languages[i].endings, ending, true))
            return languages[i].rules;
    return NULL;
}
