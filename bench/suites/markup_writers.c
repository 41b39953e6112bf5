/* SPDX-License-Identifier: Apache-2.0 */
/* The records behind markup_writers.h: things as they are met in such files, prose between them. */
#include "bench/suites/markup_writers.h"

#include <inttypes.h>
#include <stdio.h>

#include "inputs/families.h"

static const char *prose(uint64_t *seed) {
    static const char *const lines[] = {
        "It was about this time that the ships were seen from the wall, and nobody could say whose they were.",
        "A few words.",
        "What follows is less certain; two of the three accounts that we have leave it out, and the third is late.",
        "They went on until evening & then rested.",
    };
    return lines[random_below(seed, sizeof lines / sizeof *lines)];
}

size_t write_xml(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "  <item id=\"%" PRIu64 "\" class='a > b'>\n    <title>Item %" PRIu64 "</title>\n"
        "    <link href=\"https://example.org/%" PRIu64 "\"/>\n    <!-- as of <date> -->\n"
        "    <text xml:lang=\"en\">%s <em>%s</em></text>\n    <![CDATA[ if (a < b) ]]>\n  </item>\n",
        number % 1000000, number % 1000, number % 997, prose(seed), prose(seed));
}

size_t write_html(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "<div class=\"entry\" id=e%" PRIu64 ">\n<h2><a href=\"/e/%" PRIu64 "\">Entry</a></h2>\n"
                            "<p>%s<br>\n<IMG src=\"%" PRIu64 ".png\" alt=\"<none>\">\n<ul><li>%s<li><b>%s</b></ul>\n"
                            "<script>if (a < b) { write(\"</div>\"); }</script>\n</div>\n",
                            number % 1000000, number % 1000, prose(seed), number % 997, prose(seed), prose(seed));
}

size_t write_latex(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "\\section{Of item %" PRIu64 "} %% {not counted\n%s\n\\begin{equation}\\label{e%" PRIu64
                            "}\n"
                            "  \\left( x_{%" PRIu64 "} + \\frac{a}{b} \\right)^{2} \\{ 1 \\}\n\\end{equation}\n"
                            "%s \\emph{%s} as \\verb|{| does.\n\n",
                            number % 1000, prose(seed), number % 997, number % 90, prose(seed), prose(seed));
}

size_t write_sql(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "-- %s\nCREATE PROCEDURE p%" PRIu64 "(a INT) BEGIN\n"
        "  INSERT INTO t (id, note) VALUES (%" PRIu64 ", 'it''s the end'), (%" PRIu64 ", \"begin\");\n"
        "  UPDATE t SET state = CASE WHEN (a > %" PRIu64 ") THEN 1 ELSE 2 END /* of case */;\nEND;\n",
        prose(seed), number % 1000000, number % 1000, number % 997, number % 90);
}

size_t write_pascal(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "{ %s }\nprocedure P%" PRIu64 "(var a: array of integer);\nbegin\n  repeat\n"
        "    if a[%" PRIu64 "] > 0 then begin WriteLn('the end'); Dec(a[%" PRIu64 "]) end;\n"
        "    case a[0] of 1: Halt; else Friend := Extend; end // of case\n  until a[0] = 0;\nend;\n\n",
        prose(seed), number % 1000000, number % 1000, number % 997);
}

size_t write_jinja(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "{%%- for item in items[%" PRIu64
                            "] %%}\n<p class=\"{{ item.class|default('}}') }}\">%s</p>\n"
                            "{%% if item.n > %" PRIu64 " -%%}\n  {{ item.text }} {# {%% if %%} #}\n{%% else %%}\n  %s\n"
                            "{%% endif %%}\n{%% endfor %%}\n",
                            number % 1000, prose(seed), number % 997, prose(seed));
}
