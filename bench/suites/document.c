/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite document: a text that changes. A line for each sort of operation, with the median and the 99th percentile of
 * the times of single operations at random places. Each insertion is undone by the operation after it, so the text
 * stays what it was; its faults are counted in the end. Last come edits that are not undone, and the most memory beside
 * the text, as a part of it: bytes allocated and bytes in memory (Linux), which the latter counts from before the
 * document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"
#include "inputs/families.h"
#include "parenmatch.h"

#define PLACES 2048u
#define SCREEN 5000u
#define OPENINGS 7u

struct document_case {
    struct text text;
    pm_context *context;
    pm_document *document;
    pm_check_summary expected;
    uint64_t place[PLACES];
    double times[2 * PLACES];
    pm_document_bracket *screen;
    bool held;
};

/* ---- Operations ---- */

static void insert_and_remove(struct document_case *c, size_t p, const char *bytes, size_t length) {
    const uint64_t begin = clock_now();
    c->held &= pm_document_replace(c->document, c->place[p], 0, bytes, length) == PM_OK;
    const uint64_t middle = clock_now();
    c->held &= pm_document_replace(c->document, c->place[p], length, NULL, 0) == PM_OK;
    c->times[2 * p] = (double)(middle - begin);
    c->times[2 * p + 1] = (double)(clock_now() - middle);
}

static void key_letter(struct document_case *c, size_t p) {
    insert_and_remove(c, p, "a", 1);
}
static void insert_line(struct document_case *c, size_t p) {
    static const char line[] =
        "\"name of a value\": [1, 2, 3], \"name of another value\": {\"a\": true, \"b\": false},\n";
    insert_and_remove(c, p, line, sizeof line - 1);
}
static void key_bracket(struct document_case *c, size_t p) {
    insert_and_remove(c, p, "[", 1);
}
static void key_quote(struct document_case *c, size_t p) {
    insert_and_remove(c, p, "\"", 1);
}
static void key_comment(struct document_case *c, size_t p) {
    insert_and_remove(c, p, "/*", 2);
}

/* What an edit leaves to the query behind it. */
static void sum_up(struct document_case *c, size_t p) {
    pm_check_summary found;
    for (size_t k = 0; k < 2; k++) {
        const bool inserts = k == 0;
        c->held &= pm_document_replace(c->document, c->place[p], !inserts, inserts ? "[" : NULL, inserts) == PM_OK;
        const uint64_t begin = clock_now();
        c->held &= pm_document_summary(c->document, &found) == PM_OK;
        c->times[2 * p + k] = (double)(clock_now() - begin);
    }
}

static void list_screen(struct document_case *c, size_t p) {
    const uint64_t n = pm_document_length(c->document), at = c->place[p] < n ? c->place[p] : 0;
    const uint64_t length = n - at < SCREEN ? n - at : SCREEN, begin = clock_now();
    size_t count;
    c->held &= pm_document_brackets(c->document, at, length, SCREEN, c->screen, &count) == PM_OK && count <= length;
    c->times[2 * p] = c->times[2 * p + 1] = (double)(clock_now() - begin);
}

static void find_partner(struct document_case *c, size_t p) {
    const uint64_t begin = clock_now(), partner = pm_document_partner(c->document, c->place[p]);
    c->times[2 * p] = c->times[2 * p + 1] = (double)(clock_now() - begin);
    c->held &= partner == PM_BP_NONE || pm_document_partner(c->document, partner) == c->place[p];
}

static const struct {
    const char *name;
    void (*run)(struct document_case *c, size_t p);
} jobs[] = {{"letter", key_letter},   {"line", insert_line}, {"bracket", key_bracket}, {"quote", key_quote},
            {"comment", key_comment}, {"summary", sum_up},   {"screen", list_screen},  {"partner", find_partner}};

bool suite_document_knows(const char *name) {
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
        if (strcmp(name, jobs[j].name) == 0)
            return true;
    return strcmp(name, "open") == 0 || strcmp(name, "memory") == 0;
}

/* ---- Lines ---- */

static void report_head(const struct document_case *c, const char *name, const char *family) {
    report_begin("document");
    report_text("backend", name);
    report_text("kind", family);
    report_count("n", c->text.n);
}

static bool is_as_before(const struct document_case *c) {
    pm_check_summary found;
    return c->held && pm_document_summary(c->document, &found) == PM_OK &&
           memcmp(&found, &c->expected, sizeof found) == 0;
}

static enum outcome time_job(struct document_case *c, size_t job, const char *family) {
    for (size_t p = 0; p < PLACES; p++)
        jobs[job].run(c, p);
    const struct distribution times = distribution_of(c->times, 2 * PLACES); /* sorts them */
    const bool verified = is_as_before(c);
    report_head(c, jobs[job].name, family);
    report_number("ns_median", times.median);
    report_number("ns_99_percent", c->times[2 * PLACES * 99 / 100]);
    report_number("ns_most", c->times[2 * PLACES - 1]);
    report_verified(verified);
    return verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static bool check_text(struct document_case *c) {
    pm_check *check;
    if (pm_check_create(c->context, c->text.language, NULL, NULL, NULL, &check) != PM_OK)
        return false;
    const bool read =
        pm_check_push(check, c->text.bytes, c->text.n) == PM_OK && pm_check_finish(check, &c->expected) == PM_OK;
    pm_check_destroy(check);
    return read;
}

/* Opens the text in a new document, which borrows it or not. Returns how long that takes; 0 after a failure. */
static double time_creation(struct document_case *c, bool borrows) {
    pm_document_destroy(c->document);
    const uint64_t begin = clock_now();
    const pm_status status = (borrows ? pm_document_create_borrowed : pm_document_create)(
        c->context, c->text.language, c->text.bytes, c->text.n, &c->document);
    return status == PM_OK ? (double)(clock_now() - begin) : 0;
}

/* Opens the text some times, the check of it in between. */
static enum outcome time_opening(struct document_case *c, const char *family) {
    double opening[OPENINGS], borrowing[OPENINGS], check[OPENINGS];
    double borrowed_bytes = 0;
    for (unsigned k = 0; k < OPENINGS; k++) {
        const uint64_t begin = clock_now();
        if (!check_text(c))
            return OUTCOME_FAILED;
        check[k] = (double)(clock_now() - begin);
        borrowing[k] = time_creation(c, true);
        if (borrowing[k] == 0)
            return OUTCOME_FAILED;
        borrowed_bytes = (double)pm_document_size_in_bytes(c->document);
        opening[k] = time_creation(c, false);
        if (opening[k] == 0)
            return OUTCOME_FAILED;
    }
    const double bytes = (double)pm_document_size_in_bytes(c->document), n = (double)c->text.n;
    const bool verified = is_as_before(c);
    report_head(c, "open", family);
    report_number("GB_per_s", n / distribution_of(opening, OPENINGS).median);
    report_number("borrowed_GB_per_s", n / distribution_of(borrowing, OPENINGS).median);
    report_number("check_GB_per_s", n / distribution_of(check, OPENINGS).median);
    report_number("bytes_per_byte", bytes / n - 1);
    report_number("borrowed_bytes_per_byte", borrowed_bytes / n);
    report_verified(verified);
    return verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

/* ---- Memory ---- */

/* Bytes of the process that are in memory, without pages of files, as of code; 0 where the system does not say. */
static double resident(void) {
    unsigned long pages = 0, of_files = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*u %lu %lu", &pages, &of_files) != 2)
        pages = of_files = 0;
    if (file)
        fclose(file);
    return 4096.0 * (double)(pages - of_files);
}

struct memory {
    double allocated, resident; /* beside the text, by its bytes */
};

/* `before`: bytes in memory without the document. */
static struct memory memory_of(const struct document_case *c, double before) {
    const double n = (double)pm_document_length(c->document);
    return (struct memory){(double)pm_document_size_in_bytes(c->document) / n - 1, (resident() - before) / n - 1};
}

/* Edits at random places, three sorts of them, and the most memory that the document has in the meantime. */
static enum outcome weigh(struct document_case *c, const char *family, uint64_t seed, double before) {
    static const struct {
        const char *name;
        size_t removed, inserted; /* bytes */
        double edits;             /* by bytes of text */
    } mixtures[] = {{"letters", 0, 1, 1e-3},      {"lines", 0, 80, 5e-4},     {"cuts", 80, 0, 5e-4},
                    {"pastes", 0, 3000, 1.25e-4}, {"gaps", 2500, 0, 1.25e-4}, {"letters", 0, 1, 1e-3}};
    char line[3000];
    memset(line, 'a', sizeof line);
    for (size_t m = 0; m < sizeof mixtures / sizeof *mixtures; m++) {
        const struct memory fresh = memory_of(c, before);
        struct memory most = fresh;
        const size_t edits = (size_t)(mixtures[m].edits * (double)c->text.n);
        double time = 0;
        for (size_t k = 0; k < edits; k++) {
            const uint64_t at = random_below(&seed, pm_document_length(c->document) - mixtures[m].removed);
            const uint64_t begin = clock_now();
            c->held &= pm_document_replace(c->document, at, mixtures[m].removed, line, mixtures[m].inserted) == PM_OK;
            time += (double)(clock_now() - begin);
            if (k % (edits / 32 + 1) == 0) {
                const struct memory now = memory_of(c, before);
                most.allocated = now.allocated > most.allocated ? now.allocated : most.allocated;
                most.resident = now.resident > most.resident ? now.resident : most.resident;
            }
        }
        report_head(c, "memory", family);
        report_text("edits", mixtures[m].name);
        report_number("ns_mean", time / (double)edits);
        report_number("allocated_before", fresh.allocated);
        report_number("allocated_most", most.allocated);
        report_number("resident_before", fresh.resident);
        report_number("resident_most", most.resident);
        report_verified(c->held);
    }
    return c->held ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static enum outcome time_text(const struct suite *suite, const struct settings *settings, const char *family,
                              size_t n) {
    (void)suite;
    struct document_case *const c = calloc(1, sizeof *c);
    enum outcome worst = OUTCOME_FAILED;
    uint64_t seed = settings->seed;
    double before = 0;
    if (c && text_create(family, seed, n, &c->text) && c->text.language &&
        pm_context_create(&(pm_options){.simd = settings->simd, .threads = settings->threads}, &c->context) == PM_OK) {
        c->held = true;
        before = resident();
        c->screen = malloc(SCREEN * sizeof *c->screen);
        for (size_t p = 0; p < PLACES; p++)
            c->place[p] = random_below(&seed, c->text.n + 1);
        worst = c->screen ? time_opening(c, family) : OUTCOME_FAILED;
    }
    for (size_t j = 0; worst != OUTCOME_FAILED && j < sizeof jobs / sizeof *jobs; j++)
        if (name_list_wants(&settings->backends, jobs[j].name))
            worst = outcome_worse(worst, time_job(c, j, family));
    if (worst != OUTCOME_FAILED && name_list_wants(&settings->backends, "memory"))
        worst = outcome_worse(worst, weigh(c, family, seed, before));
    if (worst == OUTCOME_FAILED)
        fprintf(stderr, "pm_bench: no document of '%s'; the text must have a language, and there must be memory\n",
                family);
    if (c) {
        pm_document_destroy(c->document);
        pm_context_destroy(c->context);
        free(c->screen);
        free(c->text.bytes);
    }
    free(c);
    return worst;
}

const struct suite suite_document = {.name = "document",
                                     .description = "a text that changes; times of single edits and queries",
                                     .families = {2, {"json", "soup"}},
                                     .sizes = {2, {1u << 20, 100000000u}},
                                     .time_case = time_text};
