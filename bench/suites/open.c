/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite open: a text that comes byte by byte, as a language model writes it. After each byte the innermost opens are
 * listed (open), the suffix is made (suffix), or the state is saved and destroyed (save); push does nothing more. ns a
 * byte, pushing included; what a query takes is the difference. The text is cut, so brackets are open at its end;
 * with its suffix it must have no fault.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"
#include "parenmatch.h"

#define ASKED 16u /* opens or bytes */
#define SUFFIX_MAX 4096u
#define ROUNDS 5u

typedef bool step(pm_check *check);

static bool nothing(pm_check *check) {
    (void)check;
    return true;
}

static bool list_opens(pm_check *check) {
    pm_open_bracket opens[ASKED];
    pm_open_end end;
    uint64_t count;
    return pm_check_open(check, opens, ASKED, &count, &end) == PM_OK;
}

static bool make_suffix(pm_check *check) {
    char suffix[ASKED];
    size_t length;
    return pm_check_suffix(check, suffix, ASKED, &length) == PM_OK;
}

static bool save(pm_check *check) {
    pm_check_state *state;
    const bool saved = pm_check_save(check, &state) == PM_OK;
    pm_check_state_destroy(state);
    return saved;
}

static const struct {
    const char *name;
    step *run;
} jobs[] = {{"push", nothing}, {"open", list_opens}, {"suffix", make_suffix}, {"save", save}};

bool suite_open_knows(const char *name) {
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
        if (strcmp(name, jobs[j].name) == 0)
            return true;
    return false;
}

/* Pushes n bytes one by one; returns the time. */
static double type_text(pm_check *check, const char *text, size_t n, step *run, bool *held) {
    const uint64_t begin = clock_now();
    for (size_t i = 0; i < n; i++)
        *held &= pm_check_push(check, text + i, 1) == PM_OK && run(check);
    return (double)(clock_now() - begin);
}

/* Ends the text with its suffix; is all well? */
static bool completes(pm_check *check) {
    char suffix[SUFFIX_MAX];
    size_t length;
    pm_check_summary found;
    return pm_check_suffix(check, suffix, sizeof suffix, &length) == PM_OK && length <= sizeof suffix &&
           pm_check_push(check, suffix, length) == PM_OK && pm_check_finish(check, &found) == PM_OK &&
           found.unmatched.close + found.unmatched.open + found.mismatched + found.unterminated == 0;
}

static enum outcome time_job(const struct text *text, pm_context *context, size_t job, const char *family) {
    pm_check *check;
    double times[ROUNDS];
    const size_t n = text->n - text->n / 3;
    bool held = true;
    if (pm_check_create(context, text->language, NULL, NULL, NULL, &check) != PM_OK)
        return OUTCOME_FAILED;
    for (unsigned k = 0; k < ROUNDS; k++) {
        times[k] = type_text(check, text->bytes, n, jobs[job].run, &held) / (double)n;
        held &= completes(check);
    }
    pm_check_destroy(check);
    report_begin("open");
    report_text("backend", jobs[job].name);
    report_text("kind", family);
    report_count("n", n);
    report_number("ns_per_byte", distribution_of(times, ROUNDS).median);
    report_verified(held);
    return held ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static enum outcome time_text(const struct suite *suite, const struct settings *settings, const char *family,
                              size_t n) {
    struct text text = {0};
    pm_context *context = NULL;
    enum outcome worst = OUTCOME_FAILED;
    (void)suite;
    if (text_create(family, settings->seed, n, &text) && text.language &&
        pm_context_create(&(pm_options){.simd = settings->simd}, &context) == PM_OK)
        worst = OUTCOME_VERIFIED;
    for (size_t j = 0; worst != OUTCOME_FAILED && j < sizeof jobs / sizeof *jobs; j++)
        if (name_list_wants(&settings->backends, jobs[j].name))
            worst = outcome_worse(worst, time_job(&text, context, j, family));
    pm_context_destroy(context);
    free(text.bytes);
    return worst;
}

const struct suite suite_open = {.name = "open",
                                 .description = "a text that comes byte by byte; what is open after each byte",
                                 .families = {1, {"json"}},
                                 .sizes = {1, {1u << 20}},
                                 .time_case = time_text};
