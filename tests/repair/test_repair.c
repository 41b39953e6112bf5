/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs: texts with one bracket missing or twice, all short strings against the fewest changes, and bad arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define TEXT_MAX 8192u

static uint64_t faults_of(const char *language, const char *text, size_t n) {
    pm_check *check;
    pm_check_summary found;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, text, n));
    assert_ok(pm_check_finish(check, &found));
    pm_check_destroy(check);
    return found.unmatched.close + found.unmatched.open + found.mismatched;
}

/* Repairs a text. Returns the number of changes; `repaired` is empty if there are none. */
static size_t repair(const char *language, const char *text, size_t n, pm_repair *repairs, char *repaired) {
    size_t count = SIZE_MAX, length = SIZE_MAX;
    assert_ok(pm_text_repair(NULL, pm_language_by_name(language), NULL, text, n, PM_REPAIRS_MAX, repairs, &count));
    assert_true(count <= PM_REPAIRS_MAX);
    assert_ok(pm_text_repair_apply(text, n, repairs, count, TEXT_MAX - 1, repaired, &length));
    assert_true(length < TEXT_MAX);
    repaired[length] = '\0';
    assert_true(count == 0 || faults_of(language, repaired, length) == 0);
    return count;
}

/* ---- Texts as people write them ---- */

/* The bracket behind each ~ is taken away, or doubled; the repair must restore the text, or at least name the line. */
static const struct {
    const char *language, *text;
} texts[] = {
    {"c", "int f(int a, int b)\n{\n    if (a) {\n        g(b);\n    ~}\n    return b;\n}\n\nint h(void)\n{\n    return "
          "f~(1, 2);\n}\n"},
    {"c", "int f(int a)\n~{\n    return a;\n~}\n\nint g(int a)\n{\n    return ~f(a);\n}\n"},
    {"c", "#if A\nvoid f(int a)\n{\n#else\nvoid f(long a)\n{\n#endif\n    while ~(a)\n        a = f(a~);\n}\n"},
    {"json", "{\n  \"a\": ~[\n    1,\n    [2, 3],\n    {\"x\": 4~}\n  ~],\n  \"b\": {\n    \"c\": []\n  ~}\n}\n"},
    {"python",
     "def f(a):\n    x = g(a, b~)\n    y = [a for a in range~(3)]\n    return x\n\n\ndef g(a, b):\n    return f(a)\n"},
    {"javascript", "function f(a) {\n  g(a, function () {\n    h(`${a}`);\n  ~});\n  return a;\n}\n\nf(1);\n"},
};

static size_t line_of(const char *text, size_t at) {
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* Copies a text without its marks; returns the offset of the `which`-th marked bracket, or SIZE_MAX. */
static size_t unmark(const char *marked, size_t which, char *text, size_t *n) {
    size_t at = SIZE_MAX;
    *n = 0;
    for (; *marked; marked++) {
        if (*marked != '~')
            text[(*n)++] = *marked;
        else if (which-- == 0)
            at = *n + strcspn(marked + 1, "()[]{}");
    }
    text[*n] = '\0';
    return at;
}

/* How many texts there were, in how many the line was found, how many were restored, how many certainly repaired but
 * not restored. */
typedef struct tally {
    unsigned all, near, restored, wrong;
} tally;

static void check_mutant(tally *found, const char *language, const char *original, const char *mutant, size_t at) {
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_true(faults_of(language, mutant, strlen(mutant)) > 0);
    const size_t count = repair(language, mutant, strlen(mutant), repairs, repaired);
    assert_true(count >= 1);
    found->near += count == 1 && labs((long)repairs[0].at.line - (long)line_of(mutant, at)) <= 1;
    assert_int_equal(repairs[0].at.line, line_of(mutant, (size_t)repairs[0].at.offset));
    assert_int_equal(faults_of(language, repaired, strlen(repaired)), 0);
    const bool restored = strcmp(repaired, original) == 0;
    found->all++;
    found->restored += restored;
    found->wrong += repairs[0].certain && !restored;
}

TEST(test_one_bracket_missing_or_twice) {
    tally found = {0};
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        char text[TEXT_MAX], mutant[TEXT_MAX];
        size_t n, at;
        for (size_t which = 0; (at = unmark(texts[t].text, which, text, &n)) != SIZE_MAX; which++) {
            assert_int_equal(faults_of(texts[t].language, text, n), 0);
            snprintf(mutant, sizeof mutant, "%.*s%s", (int)at, text, text + at + 1);
            check_mutant(&found, texts[t].language, text, mutant, at);
            snprintf(mutant, sizeof mutant, "%.*s%s", (int)at + 1, text, text + at);
            check_mutant(&found, texts[t].language, text, mutant, at);
        }
    }
    print_message("%u texts, %u lines, %u restored, %u wrong\n", found.all, found.near, found.restored, found.wrong);
    assert_true(10 * found.near >= 9 * found.all);
    assert_true(10 * found.restored >= 7 * found.all);
    assert_true(found.wrong <= 2); /* so short texts say little of habits */
}

TEST(test_what_a_repair_says) {
    static const char text[] = "{\n  \"a\": [\n    1\n  ],\n  \"b\": [\n    2\n  \n}\n";
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_int_equal(repair("json", text, strlen(text), repairs, repaired), 1);
    assert_string_equal(repaired, "{\n  \"a\": [\n    1\n  ],\n  \"b\": [\n    2\n  ]\n}\n");
    assert_int_equal(repairs[0].kind, PM_REPAIR_INSERT);
    assert_int_equal(repairs[0].byte, ']');
    assert_int_equal(repairs[0].at.line, 7);
    assert_int_equal(repairs[0].at.column, 3);
    assert_int_equal(repairs[0].partner.line, 5);
    assert_int_equal(repairs[0].partner.column, 8);
    assert_int_equal(text[repairs[0].partner.offset], '[');
}

/* A new line is indented as the line of the open. */
TEST(test_a_new_line) {
    static const char text[] = "void f(int a) {\n\tif (a) {\n\t\tg(a);\n\th(a);\n}\n\nvoid g(int a) {\n\tf(a);\n}\n";
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_int_equal(repair("c", text, strlen(text), repairs, repaired), 1);
    assert_true(repairs[0].new_line);
    assert_string_equal(repaired,
                        "void f(int a) {\n\tif (a) {\n\t\tg(a);\n\t}\n\th(a);\n}\n\nvoid g(int a) {\n\tf(a);\n}\n");
}

typedef struct repair_case {
    const char *language, *broken, *whole;
} repair_case;

/* One change makes each broken text whole. */
static void check_cases(const repair_case *cases, size_t count) {
    for (size_t t = 0; t < count; t++) {
        pm_repair repairs[PM_REPAIRS_MAX];
        char repaired[TEXT_MAX];
        const char *const broken = cases[t].broken;
        assert_int_equal(repair(cases[t].language, broken, strlen(broken), repairs, repaired), 1);
        assert_string_equal(repaired, cases[t].whole);
    }
}

/* A short text has few habits: then those of code in general count, and the lines that are indented too much. */
TEST(test_short_texts) {
    static const repair_case cases[] = {
        {"c",
         "int find(const int *a, int n, int x) {\n    for (int i = 0; i < n; i++) {\n        if (a[i] == x) {\n"
         "            return i;\n    }\n    return -1;\n}\n",
         "int find(const int *a, int n, int x) {\n    for (int i = 0; i < n; i++) {\n        if (a[i] == x) {\n"
         "            return i;\n        }\n    }\n    return -1;\n}\n"},
        {"c",
         "int sum(const int *a, int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) {\n        s += a[i];\n"
         "    return s;\n}\n",
         "int sum(const int *a, int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) {\n        s += a[i];\n"
         "    }\n    return s;\n}\n"},
        {"go", "func main() {\n\tfor i := 0; i < 9; i++ {\n\t\tshow(i)\n\t}\n\tdone()\n",
         "func main() {\n\tfor i := 0; i < 9; i++ {\n\t\tshow(i)\n\t}\n\tdone()\n}\n"},
        {"python", "class A(b:\n    x = 1\n\n    def f(self):\n        return self.g(1)\n",
         "class A(b):\n    x = 1\n\n    def f(self):\n        return self.g(1)\n"},
        {"json", "\n  \"a\": 1,\n  \"b\": [2, 3],\n  \"c\": \"d\",\n  \"e\": \"f\"\n}\n",
         "{\n  \"a\": 1,\n  \"b\": [2, 3],\n  \"c\": \"d\",\n  \"e\": \"f\"\n}\n"},
    };
    check_cases(cases, COUNT_OF(cases));
}

/* What is known of a language says where a bracket is missing, even if the short text itself does not. */
TEST(test_known_languages) {
    static const repair_case cases[] = {
        {"c", "void clear(struct item *list)\n{\n    memset(list, 0, sizeof struct item));\n}\n",
         "void clear(struct item *list)\n{\n    memset(list, 0, sizeof (struct item));\n}\n"},
        {"c",
         "static BitStream* bsOpenReadStream ( FILE* stream )\n{\n   if (bs == NULL) mallocFail ( sizeof(BitStream) "
         ");\n"
         "   return bs;\n\nstatic void bsPutBit ( BitStream* bs, Int32 bit )\n{\n   if (bs->buffLive == 8) {\n   }\n}\n"
         "{\n   strncpy ( progName, argv[0], BZ_MAX_FILENAME-1);\n}\n",
         "static BitStream* bsOpenReadStream ( FILE* stream )\n{\n   if (bs == NULL) mallocFail ( sizeof(BitStream) "
         ");\n"
         "   return bs;\n}\nstatic void bsPutBit ( BitStream* bs, Int32 bit )\n{\n   if (bs->buffLive == 8) {\n   "
         "}\n}\n"
         "{\n   strncpy ( progName, argv[0], BZ_MAX_FILENAME-1);\n}\n"},
        {"php", "<?php\nfunction show($name, $values)\n{\n    return sprintf'%s: %d', $name, count($values));\n}\n",
         "<?php\nfunction show($name, $values)\n{\n    return sprintf('%s: %d', $name, count($values));\n}\n"},
        {"ruby", "def show(name, values)\n  return if [1, 2.include?(name)\n  values.each { |key| add(key) }\nend\n",
         "def show(name, values)\n  return if [1, 2].include?(name)\n  values.each { |key| add(key) }\nend\n"},
    };
    check_cases(cases, COUNT_OF(cases));
}

/* Old C indents the types of functions. However many there are, none makes it likely that all are in parentheses. */
TEST(test_indented_types) {
    static const char before[] = "static void h PARAMS((int a, int b));\n\n";
    static const char function[] =
        "\tpublic void\nf(a)\n\tint a;\n{\n\tg(a);\n\tif (a > 1)\n\t\treturn;\n\th(a, 1);\n}\n\n";
    static const char last[] = "\tpublic int\nk(a)\n\tint a;\n{\n\tif a > 0)\n\t\treturn (m(a));\n\treturn (0);\n}\n";
    char text[TEXT_MAX], repaired[TEXT_MAX];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", before);
    for (unsigned k = 0; k < 50; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", function);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", last);
    assert_true(n < sizeof text);
    pm_repair repairs[PM_REPAIRS_MAX];
    assert_int_equal(repair("c", text, n, repairs, repaired), 1);
    assert_true(repairs[0].certain);
    assert_int_equal(repairs[0].byte, '(');
    assert_string_equal(text + repairs[0].at.offset, strstr(last, "a > 0"));
}

/* Parentheses never hold a statement, even if all others of the text end as they then would. */
TEST(test_statements) {
    static const repair_case cases[] = {
        {"javascript", "x = f(g(b)\n    return h(c)\ny = f(h(c))\nx = f(h(c))\nz = f(h(c))\n",
         "x = f(g(b))\n    return h(c)\ny = f(h(c))\nx = f(h(c))\nz = f(h(c))\n"},
    };
    check_cases(cases, COUNT_OF(cases));
}

/* Data have nothing outside their brackets: the first is missing before all, however many lines there are. */
TEST(test_data) {
    char text[TEXT_MAX], whole[TEXT_MAX + 1], repaired[TEXT_MAX];
    size_t n = (size_t)snprintf(text, sizeof text, "\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t\"c\"\n\t\t]\n\t},\n");
    for (int k = 0; k < 40; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "\t\"key-%d\": \"text\",\n", k);
    snprintf(text + n, sizeof text - n, "\t\"last\": \"d\"\n}\n");
    snprintf(whole, sizeof whole, "{%s", text);
    pm_repair repairs[PM_REPAIRS_MAX];
    assert_int_equal(repair("json", text, strlen(text), repairs, repaired), 1);
    assert_string_equal(repaired, whole);
}

/* A bracket that only one branch leaves open is missing there, however few lines show it. */
TEST(test_a_branch) {
    static const char text[] = "void f(int a) {\n#ifdef A\n\tg(a);\n#else\n\th(a;\n\th(a);\n#endif\n\tg(a);\n}\n";
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_int_equal(repair("c", text, strlen(text), repairs, repaired), 1);
    assert_string_equal(repaired, "void f(int a) {\n#ifdef A\n\tg(a);\n#else\n\th(a);\n\th(a);\n#endif\n\tg(a);\n}\n");
}

/* The partner of a bracket in a new line may be another that is missing, behind the text. */
TEST(test_both_of_a_pair_missing) {
    static const char text[] = "f\n}\n#if a\n#else\n}\n{\n#endif\n";
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_true(repair("c", text, strlen(text), repairs, repaired) > 2);
    assert_true(repairs[1].new_line && repairs[1].partner.offset == strlen(text));
    assert_int_equal(faults_of("c", repaired, strlen(repaired)), 0);
}

/* Lines that end in two bytes are repaired as others, and a bracket never comes between the two. */
TEST(test_carriage_returns) {
    static const char *const broken[] = {
        "void f(int a) {\r\n\tif (a) {\r\n\t\tg(a);\r\n\th(a);\r\n}\r\n\r\nvoid g(int a) {\r\n\tf(a);\r\n}\r\n",
        "int f() {\r\n  if (x) {\r\n    g();\r\n  }\r\n\r\nint h() {\r\n  y();\r\n}\r\n",
        "{\r\n  \"a\": [\r\n    1\r\n  ],\r\n  \"b\": [\r\n    2\r\n  \r\n}\r\n"};
    static const char *const whole[] = {
        "void f(int a) {\r\n\tif (a) {\r\n\t\tg(a);\r\n\t}\r\n\th(a);\r\n}\r\n\r\nvoid g(int a) {\r\n\tf(a);\r\n}\r\n",
        "int f() {\r\n  if (x) {\r\n    g();\r\n  }\r\n}\r\nint h() {\r\n  y();\r\n}\r\n",
        "{\r\n  \"a\": [\r\n    1\r\n  ],\r\n  \"b\": [\r\n    2\r\n  ]\r\n}\r\n"};
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    for (size_t t = 0; t < 3; t++) {
        assert_int_equal(repair(t < 2 ? "c" : "json", broken[t], strlen(broken[t]), repairs, repaired), 1);
        assert_string_equal(repaired, whole[t]);
    }
}

/* ---- What a repair goes by ---- */

/* Repairs a text whose one mistake is known; returns the repair. */
static pm_repair assert_repaired(const char *language, const char *broken, const char *whole) {
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_int_equal(repair(language, broken, strlen(broken), repairs, repaired), 1);
    assert_string_equal(repaired, whole);
    return repairs[0];
}

/* Two words are one where the bracket between them is missing; they meet where no words of one name do. */
TEST(test_joined_words) {
    assert_repaired("c",
                    "int parse(int a, int b, int usb_addr) {\n    int n = 0;\n    n = (n + 1);\n    put(a);\n"
                    "    sizeofusb_addr, a);\n    return n;\n}\n",
                    "int parse(int a, int b, int usb_addr) {\n    int n = 0;\n    n = (n + 1);\n    put(a);\n"
                    "    sizeof(usb_addr, a);\n    return n;\n}\n");
    assert_repaired("java", "int parse(int a, int b) {\n    put(a);\n    x = f(writea));\n    return a;\n}\n",
                    "int parse(int a, int b) {\n    put(a);\n    x = f(write(a));\n    return a;\n}\n");
    /* Behind two words that are one no pair stands, though `File` occurs nowhere else. */
    assert_repaired("python",
                    "from base import Reader\n\n\nclass FileReader):\n    name = \"file\"\n\n"
                    "    def read(self):\n        return self.data\n",
                    "from base import Reader\n\n\nclass File(Reader):\n    name = \"file\"\n\n"
                    "    def read(self):\n        return self.data\n");
}

/* The condition of a statement stands in parentheses, whatever else could be. */
TEST(test_words_that_want_a_parenthesis) {
    static const char *const statements[] = {
        "if ~(put(a) > b) {\n        n = a;\n    }", "while ~(put(a) > b)\n        n = a;",
        "for ~(put(a); a; a)\n        put((n), a);", "switch ~(put(a) > b) {\n    }"};
    for (size_t k = 0; k < COUNT_OF(statements); k++) {
        char whole[TEXT_MAX], broken[TEXT_MAX], marked[TEXT_MAX];
        size_t n;
        snprintf(marked, sizeof marked,
                 "int find(int a, int b, int c) {\n    int n = 0;\n    put((b), a);\n    put((a), b);\n    %s\n    "
                 "return n;\n}\n",
                 statements[k]);
        const size_t at = unmark(marked, 0, whole, &n);
        memcpy(broken, whole, at);
        memcpy(broken + at, whole + at + 1, n - at);
        assert_repaired("c", broken, whole);
    }
}

/* A close is missing where each call then has as many arguments as its name has elsewhere. */
TEST(test_arguments_of_names) {
    assert_repaired("c",
                    "void f(int a, int b, int c) {\n    put(a, b, c);\n    put(b, get(a), c);\n    put(get(c), b, a);\n"
                    "    a = get(b);\n    put(a, get(b, c);\n    put(c, b, get(a));\n    b = get(c);\n}\n",
                    "void f(int a, int b, int c) {\n    put(a, b, c);\n    put(b, get(a), c);\n    put(get(c), b, a);\n"
                    "    a = get(b);\n    put(a, get(b), c);\n    put(c, b, get(a));\n    b = get(c);\n}\n");
}

/* To remove a bracket that stands twice needs no more certainty in a long line than in others. */
TEST(test_doubled_in_a_long_line) {
    static const char before[] = "x=function(){return{a:g(b),c:0}};function f1(a,b){if(a){g(b,a)}return g(a)}"
                                 "x=function(){return{a:g(b),c:2}};if(a(3)&&(b||c))g(a);g(a,h(b4));g(a,h(b5));"
                                 "if(a(6)&&(b||c))g(a);g(a,h(b7));function f8(a,b){if(a){g(b,a)}return g(a)}"
                                 "if(a(9)&&(b||c))",
                      after[] = "g(a);if(a(10)&&(b||c))g(a);var v11=[1,[2,3],g(a)];if(a(12)&&(b||c))g(a);\n";
    char broken[TEXT_MAX], whole[TEXT_MAX];
    snprintf(broken, sizeof broken, "%s)%s", before, after);
    snprintf(whole, sizeof whole, "%s%s", before, after);
    const pm_repair made = assert_repaired("javascript", broken, whole);
    assert_int_equal(made.kind, PM_REPAIR_REMOVE);
    assert_true(made.certain);
}

/* ---- Mistakes that a check reports ---- */

typedef struct fault_log {
    pm_diagnostic faults[32];
    size_t count, most;
} fault_log;

static bool log_fault(const pm_diagnostic *diagnostic, void *user) {
    fault_log *const log = user;
    assert_true(log->count < log->most);
    log->faults[log->count++] = *diagnostic;
    return log->count < log->most;
}

static pm_check_summary check_text(const char *language, const char *text, bool repairs, fault_log *log, size_t most) {
    pm_check *check;
    pm_check_summary found;
    *log = (fault_log){.most = most};
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, log_fault, log, &check));
    assert_ok(pm_check_set_repairs(check, repairs));
    for (int round = 0; round < 2; round++) { /* the check is ready for the next text */
        log->count = 0;
        assert_ok(pm_check_text(check, text, strlen(text), &found));
    }
    pm_check_destroy(check);
    return found;
}

TEST(test_mistakes) {
    static const char text[] = "int f(int a) {\n    if (a) {\n        g(a);\n    return h(a);\n}\n"
                               "int k(int a) {\n    g(a);\n    return h(a;\n}\n";
    fault_log all, mistakes;
    const pm_check_summary plain = check_text("c", text, false, &all, 32);
    const pm_check_summary found = check_text("c", text, true, &mistakes, 32);
    assert_memory_equal(&plain, &found, sizeof found);
    assert_false(all.faults[0].has_repair);
    assert_int_equal(mistakes.count, 2);
    const pm_diagnostic *const brace = &mistakes.faults[0], *const paren = &mistakes.faults[1];
    assert_int_equal(brace->fault, PM_FAULT_UNMATCHED_OPEN);
    assert_int_equal(brace->at.line, 2);
    assert_true(brace->has_repair && brace->repair.new_line);
    assert_int_equal(brace->repair.at.line, 4);
    assert_int_equal(paren->fault, PM_FAULT_UNMATCHED_OPEN);
    assert_int_equal(paren->byte, '(');
    assert_int_equal(paren->at.column, 13);
    assert_int_equal(paren->repair.kind, PM_REPAIR_INSERT);
    assert_int_equal(paren->repair.byte, ')');
    assert_int_equal(paren->repair.at.line, 8);
    check_text("c", text, true, &mistakes, 1);
    assert_int_equal(mistakes.count, 1);
}

TEST(test_mistakes_of_each_kind) {
    static const struct {
        const char *text;
        pm_fault fault;
        uint64_t at;
        pm_repair_kind kind;
    } cases[] = {{"a (b))\n", PM_FAULT_UNMATCHED_CLOSE, 5, PM_REPAIR_REMOVE},
                 {"(\n\t]\n", PM_FAULT_KIND_MISMATCH, 3, PM_REPAIR_REPLACE},
                 {"( [ ]", PM_FAULT_UNMATCHED_OPEN, 0, PM_REPAIR_INSERT},
                 {"[ ] )", PM_FAULT_UNMATCHED_CLOSE, 4, PM_REPAIR_INSERT}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fault_log log;
        check_text("text", cases[k].text, true, &log, 32);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.faults[0].fault, cases[k].fault);
        assert_int_equal(log.faults[0].at.offset, cases[k].at);
        assert_int_equal(log.faults[0].byte, cases[k].text[cases[k].at]);
        assert_true(log.faults[0].has_repair);
        assert_int_equal(log.faults[0].repair.kind, cases[k].kind);
    }
}

/* What is unterminated is reported behind the mistakes; where no repair is known, all faults are. */
TEST(test_faults_beside_mistakes) {
    fault_log log, plain;
    check_text("c", "int f(int a) {\n    g(a;\n}\n/* x", true, &log, 32);
    assert_int_equal(log.count, 2);
    assert_true(log.faults[0].has_repair);
    assert_int_equal(log.faults[1].fault, PM_FAULT_UNTERMINATED);
    assert_false(log.faults[1].has_repair);
    check_text("text", "))))))))))", true, &log, 32);
    check_text("text", "))))))))))", false, &plain, 32);
    assert_int_equal(log.count, plain.count);
    for (size_t k = 0; k < log.count; k++)
        assert_int_equal(log.faults[k].at.offset, plain.faults[k].at.offset);
    check_text("c", "/* x", true, &log, 32);
    assert_int_equal(log.count, 1);
}

/* Every reported place is a bracket of the text, no two are the same, and the summary is the plain one. */
TEST(test_mistakes_of_every_string_to_7) {
    for (size_t n = 0; n <= 7; n++)
        for (unsigned code = 0; code < 1u << 2 * n; code++) {
            char text[8] = "";
            for (size_t i = 0; i < n; i++)
                text[i] = "()[]"[code >> 2 * i & 3];
            fault_log log, plain;
            const pm_check_summary found = check_text("text", text, true, &log, 32),
                                   other = check_text("text", text, false, &plain, 32);
            assert_memory_equal(&found, &other, sizeof found);
            assert_int_equal(log.count > 0, plain.count > 0);
            assert_true(log.count <= plain.count);
            for (size_t k = 0; k < log.count; k++) {
                assert_true(log.faults[k].at.offset < n);
                assert_int_equal(log.faults[k].byte, text[log.faults[k].at.offset]);
                assert_true(!log.faults[k].has_repair || k == 0 ||
                            log.faults[k].at.offset > log.faults[k - 1].at.offset);
            }
        }
}

TEST(test_where_mistakes_are_not_looked_for) {
    pm_check *check;
    fault_log log = {.most = 32};
    assert_invalid(pm_check_set_repairs(NULL, true));
    assert_ok(pm_check_create(NULL, pm_language_by_name("text"), NULL, log_fault, &log, &check));
    assert_ok(pm_check_push(check, "(", 1));
    assert_invalid(pm_check_set_repairs(check, true));
    assert_ok(pm_check_finish(check, NULL));
    assert_ok(pm_check_set_repairs(check, true));
    assert_ok(pm_check_push(check, "(", 1)); /* chunks are not the whole text */
    assert_ok(pm_check_text(check, ")]", 2, NULL));
    assert_int_equal(log.count, 2);
    assert_false(log.faults[1].has_repair);
    pm_check_destroy(check);
    assert_ok(pm_check_create(NULL, pm_language_by_name("xml"), NULL, log_fault, &log, &check));
    assert_ok(pm_check_set_repairs(check, true));
    assert_ok(pm_check_text(check, "<a>", 3, NULL));
    assert_int_equal(log.count, 3);
    assert_false(log.faults[2].has_repair);
    pm_check_destroy(check);
}

/* ---- All short strings ---- */

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* The fewest insertions, removals and replacements of brackets after which text[i, j) matches. */
static unsigned fewest(const char *text, size_t i, size_t j) {
    static const char *const pairs = "()[]";
    if (i == j)
        return 0;
    unsigned best = 1 + fewest(text, i + 1, j); /* remove or complete the first */
    for (size_t k = i + 1; k < j; k++) {
        const char *const open = strchr(pairs, text[i]), *const close = strchr(pairs, text[k]);
        if ((open - pairs) % 2 != 0 || (close - pairs) % 2 == 0)
            continue;
        best = least(best, (open + 1 != close) + fewest(text, i + 1, k) + fewest(text, k + 1, j));
    }
    return best;
}

TEST(test_every_string_to_6) {
    for (size_t n = 0; n <= 6; n++)
        for (unsigned code = 0; code < 1u << 2 * n; code++) {
            char text[8] = "", repaired[TEXT_MAX];
            pm_repair repairs[PM_REPAIRS_MAX];
            for (size_t i = 0; i < n; i++)
                text[i] = "()[]"[code >> 2 * i & 3];
            const size_t count = repair("text", text, n, repairs, repaired);
            const unsigned expected = fewest(text, 0, n);
            if (count < expected || count > 2 * expected) /* the likeliest repair need not be the shortest */
                fail_msg("%s: %zu changes, at least %u: %s", text, count, expected, repaired);
            assert_int_equal(faults_of("text", repaired, strlen(repaired)), 0);
        }
}

/* ---- Limits ---- */

TEST(test_too_many_faults) {
    pm_repair repairs[PM_REPAIRS_MAX];
    char repaired[TEXT_MAX];
    assert_int_equal(repair("text", "))))))))", 8, repairs, repaired), 8);
    assert_int_equal(repair("text", ")))))))))", 9, repairs, repaired), 0);
}

/* Deep and long texts end in time and in memory. */
TEST(test_deep) {
    const size_t n = 6001;
    char *const text = allocate(n, 1);
    memset(text, '(', n / 2);
    memset(text + n / 2, ')', n - n / 2);
    pm_repair repairs[PM_REPAIRS_MAX];
    size_t count;
    assert_ok(pm_text_repair(NULL, pm_language_by_name("text"), NULL, text, n, PM_REPAIRS_MAX, repairs, &count));
    assert_int_equal(count, 1);
    free(text);
}

/* n opens in n lines, of which every state keeps its own, and a close too many. */
static void repair_opens(size_t n, void *user) {
    char *const text = allocate(4 * n + 2, 1);
    for (size_t i = 0; i < 4 * n + 2; i++)
        text[i] = i % 2 ? '\n' : i < 2 * n ? '(' : ')';
    pm_repair repairs[PM_REPAIRS_MAX];
    size_t count;
    assert_ok(pm_text_repair(user, pm_language_by_name("c"), NULL, text, 4 * n + 2, PM_REPAIRS_MAX, repairs, &count));
    assert_int_equal(count, 1);
    free(text);
}

#define MEMORY_MAX 64000000u /* bytes, of any text */

/* Repairs a text of C, whose memory is to stay below a limit. */
static pm_status repair_within(const char *text, size_t n, size_t bytes) {
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    const size_t before = memory.peak_bytes = memory.live_bytes;
    size_t count;
    const pm_status status = pm_text_repair(context, pm_language_by_name("c"), NULL, text, n, 0, NULL, &count);
    assert_in_range(memory.peak_bytes - before, 1, bytes);
    context_close(context, &memory);
    return status;
}

/* Texts that would take more memory than there is to be: too deep, of too many tokens, of too many words. */
TEST(test_too_large) {
    enum {
        N = 1500000,
        DEPTH = 200000,
        WORDS = 55000,
        WORDS_BYTES = 40000000
    };
    char *const text = allocate(N, 1);
    memset(text, '(', DEPTH);
    memset(text + DEPTH, ')', DEPTH - 1);
    assert_int_equal(repair_within(text, 2 * DEPTH - 1, MEMORY_MAX), PM_TOO_LARGE);
    memset(text, ';', N);
    text[0] = '(';
    assert_int_equal(repair_within(text, N, MEMORY_MAX), PM_TOO_LARGE);
    size_t n = 0;
    for (unsigned k = 0; k < WORDS; k++)
        n += (size_t)snprintf(text + n, N - n, "w%u(x%u);\n", k, 7 * k);
    assert_ok(repair_within(text, n - 3, WORDS_BYTES));
    free(text);
}

/* What cannot be repaired is not searched: no time, and no memory for what is open. */
TEST(test_beyond_repair) {
    enum {
        N = 1000000
    };
    char *const text = allocate(N, 1);
    for (const char *bracket = "()"; *bracket; bracket++) {
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        pm_repair repairs[PM_REPAIRS_MAX];
        size_t count;
        memset(text, *bracket, N);
        memory.peak_bytes = memory.live_bytes;
        assert_ok(pm_text_repair(context, pm_language_by_name("c"), NULL, text, N, PM_REPAIRS_MAX, repairs, &count));
        assert_int_equal(count, 0);
        assert_in_range(memory.peak_bytes, 1, MEMORY_MAX);
        assert_ok(pm_text_repair(context, pm_language_by_name("c"), NULL, text, PM_REPAIRS_MAX, PM_REPAIRS_MAX, repairs,
                                 &count));
        assert_int_equal(count, PM_REPAIRS_MAX);
        context_close(context, &memory);
    }
    free(text);
}

TEST(test_many_opens) {
    enum {
        N = 700 /* enough for more memory than caches have */
    };
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    const size_t before = memory.peak_bytes = memory.live_bytes;
    repair_opens(4 * N, context);
    assert_in_range(memory.peak_bytes - before, 1, 1300000 + 4 * N * (4 * 100 + 4000));
    context_close(context, &memory);
    assert_true(takes_at_most(9, (timed_work){repair_opens, 4 * N, NULL}, (timed_work){repair_opens, N, NULL}));
}

/* Texts in which each byte is a token, of every length: the counts of tokens in a row take most. */
TEST(test_memory) {
    static const char tokens[] = ";,.+-*&|~^!%?:=<>@$`";
    static char text[40000];
    uint64_t seed = 3;
    for (size_t n = 1; n < sizeof text; n = n * 5 / 4 + 1) {
        for (size_t i = 0; i < n; i++)
            text[i] = tokens[random_below(&seed, sizeof tokens - 1)];
        text[n - 1] = ')';
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        const size_t before = memory.peak_bytes = memory.live_bytes;
        size_t count;
        assert_ok(pm_text_repair(context, pm_language_by_name("c"), NULL, text, n, 0, NULL, &count));
        assert_in_range(memory.peak_bytes - before, 1, 1300000 + 100 * n);
        context_close(context, &memory);
    }
}

TEST(test_bad_arguments) {
    const pm_language *const language = pm_language_by_name("text");
    pm_repair repairs[2];
    size_t count = 7, length;
    pm_alphabet five;
    char out[8];
    assert_ok(pm_alphabet_from_pairs("()[]{}<>ab", 10, &five));
    assert_invalid(pm_text_repair(NULL, NULL, NULL, "(", 1, 2, repairs, &count));
    assert_invalid(pm_text_repair(NULL, language, NULL, NULL, 1, 2, repairs, &count));
    assert_invalid(pm_text_repair(NULL, language, NULL, "(", 1, 2, NULL, &count));
    assert_invalid(pm_text_repair(NULL, language, NULL, "(", 1, 2, repairs, NULL));
    assert_int_equal(pm_text_repair(NULL, language, &five, "(", 1, 2, repairs, &count), PM_UNSUPPORTED);
    assert_int_equal(pm_text_repair(NULL, pm_language_by_name("xml"), NULL, "<a>", 3, 2, repairs, &count),
                     PM_UNSUPPORTED);
    assert_int_equal(pm_text_repair(NULL, language, NULL, "(", PM_REPAIR_BYTES_MAX + 1, 2, repairs, &count),
                     PM_TOO_LARGE);
    assert_ok(pm_text_repair(NULL, language, NULL, NULL, 0, 0, NULL, &count));
    assert_int_equal(count, 0);
    assert_ok(pm_text_repair(NULL, language, NULL, ")", 1, 0, NULL, &count));
    assert_int_equal(count, 1);

    repairs[0] = (pm_repair){.kind = PM_REPAIR_REMOVE, .at = {1, 1, 2}};
    repairs[1] = (pm_repair){.kind = PM_REPAIR_INSERT, .at = {0, 1, 1}};
    assert_invalid(pm_text_repair_apply("()", 2, repairs, 2, 8, out, &length)); /* out of order */
    repairs[0].at.offset = 2;
    assert_invalid(pm_text_repair_apply("()", 2, repairs, 1, 8, out, &length)); /* outside */
    assert_invalid(pm_text_repair_apply("()", 2, NULL, 1, 8, out, &length));
    assert_invalid(pm_text_repair_apply("()", 2, repairs, 0, 8, out, NULL));
    assert_ok(pm_text_repair_apply("()", 2, NULL, 0, 1, out, &length));
    assert_int_equal(length, 2);
}

/* ---- What is certain ---- */

static const struct {
    const char *language, *text;
    bool certain;
} judged[] = {
    {"c", "int k(int a) {\n    g(a);\n    h(a);\n    g(a));\n    h(a);\n    g(a);\n}\n", true},
    {"json", "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": {\n    \"d\": 2\n  ,\n  \"e\": {\n    \"f\": 3\n  }\n}\n",
     true},
    /* Another kind rather means that a bracket is missing. */
    {"c", "int f(int a) {\n    g(a);\n    h(a];\n    g(a);\n    h(a);\n    g(a);\n}\n", false},
    /* What is open in the end could also be closed before. */
    {"c", "int f(int a) {\n    g(a);\n    if (a) {\n        h(a);\n", false},
    /* In a branch two places are as likely as outside it. */
    {"c",
     "void\nf (size_t size, size_t index)\n{\n#ifdef A\n  a = size * (index + size * index - size;\n  fail (buf);\n"
     "#else\n  abort ();\n#endif\n}\n",
     false},
    /* What is open in Ruby, where much stands in no brackets, is rather closed than taken away. */
    {"ruby", "module A\n  class B < C\n    D = 443\n  end\n\n  @@schemes['E' = B\nend\n", false},
    /* Each of many other places is unlikely enough, all of them together are not. */
    {"c", "int f(int a, int b, int c)\n{\n    int d = g(a + b * c + a * b;\n    h(a, b, c, d);\n    return d;\n}\n",
     false},
    /* What a short text does not say itself, much code of its language does. */
    {"c++",
     "std::string name_of(const std::vector<int> &values)\n{\n    std::string text;\n    for (auto value : values {\n"
     "        text += std::to_string(value);\n    }\n    return text;\n}\n",
     true},
    {"typescript",
     "const values = Object.keys(map).filter((key) => map[key] !== undefined;\nconst names = values.map((key) => "
     "key.name);\nexport { values, names };\n",
     true},
    /* Behind a colon begins a block, which stands in no parentheses. */
    {"python", "class A(B:\n    '''Says what it is.'''\n\n    name = \"list\"\n", true},
};

TEST(test_certain) {
    for (size_t k = 0; k < sizeof judged / sizeof *judged; k++) {
        pm_repair repairs[PM_REPAIRS_MAX];
        char repaired[TEXT_MAX];
        const size_t count = repair(judged[k].language, judged[k].text, strlen(judged[k].text), repairs, repaired);
        assert_true(count > 0);
        assert_int_equal(repairs[0].certain, judged[k].certain);
    }
}

TEST(test_failing_allocations) {
    static const char text[] = "int f(int a) {\n  g(a;\n}\n";
    for (size_t fail_at = 1;; fail_at++) {
        fault_allocator faults = {.fail_at = fail_at};
        pm_context *context;
        pm_repair repairs[PM_REPAIRS_MAX];
        size_t count;
        pm_status status = fault_allocator_context(&faults, &context);
        if (status == PM_OK) {
            status = pm_text_repair(context, pm_language_by_name("c"), NULL, text, strlen(text), PM_REPAIRS_MAX,
                                    repairs, &count);
            pm_context_destroy(context);
        }
        assert_true(fault_allocator_is_settled(&faults));
        if (faults.calls < fail_at) {
            assert_ok(status);
            break;
        }
        assert_int_equal(status, PM_OUT_OF_MEMORY);
    }
}
