/* SPDX-License-Identifier: Apache-2.0 */
/* pm_bench: the suites asked for, one after another. A suite is a line in the table and a file. */
#include <stdio.h>
#include <string.h>

#include "bench/backends.h"
#include "bench/floors.h"
#include "bench/load.h"
#include "bench/machine.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"
#include "inputs/scenes.h"

static const struct suite *const suites[] = {
    &suite_floor,    &suite_batch,      &suite_boxes,   &suite_bp,   &suite_call,  &suite_crossover,
    &suite_document, &suite_edit,       &suite_find,    &suite_json, &suite_keys,  &suite_match,
    &suite_open,     &suite_open_worst, &suite_records, &suite_scan, &suite_split, &suite_structure,
    &suite_text,     &suite_text_worst, &suite_word,    &suite_worst};

#define SUITES (sizeof suites / sizeof *suites)

static bool suite_exists(const char *name) {
    for (size_t s = 0; s < SUITES; s++)
        if (strcmp(suites[s]->name, name) == 0)
            return true;
    return false;
}

/* Is there a backend of that name, NULL for any, with the instruction set asked for? */
static bool backend_exists(const char *name, const struct settings *settings) {
    struct backend backend;
    for (size_t b = 0; backend_at(b, &backend); b++)
        if ((!name || strcmp(backend.name, name) == 0) && backend_wanted(&backend, settings))
            return true;
    return false;
}

/* Does everything named exist? */
static bool settings_check(const struct settings *settings) {
    for (size_t i = 0; i < settings->suites.count; i++)
        if (!suite_exists(settings->suites.names[i])) {
            fprintf(stderr, "pm_bench: no suite '%s' (see --list)\n", settings->suites.names[i]);
            return false;
        }
    for (size_t i = 0; i < settings->backends.count; i++) {
        const char *const name = settings->backends.names[i];
        if (!backend_exists(name, settings) && !suite_find_knows(name) && !suite_bp_knows(name) &&
            !suite_edit_knows(name) && !suite_document_knows(name) && !suite_json_knows(name) &&
            !suite_open_knows(name) && !suite_open_worst_knows(name) && !suite_records_knows(name)) {
            fprintf(stderr, "pm_bench: no such backend '%s' (see --list)\n", name);
            return false;
        }
    }
    if (settings->simd && settings->backends.count == 0 && !backend_exists(NULL, settings)) {
        fprintf(stderr, "pm_bench: no backend with instruction set '%s' (see --list)\n", settings->simd);
        return false;
    }
    return true;
}

/* Is there a device, if a named backend needs one? Without it, the timed calls would fail. */
static bool devices_answer(const struct settings *settings) {
    struct backend backend;
    for (size_t b = 0; backend_at(b, &backend); b++) {
        if (!backend.device || !backend_wanted(&backend, settings))
            continue;
        pm_context *context;
        pm_status status = backend_context_create(&backend, 1, settings, &context);
        if (status == PM_OK)
            status = backend_try(&backend, context);
        pm_context_destroy(context);
        if (status != PM_OK) {
            fprintf(stderr, "pm_bench: --backend %s: %s\n", backend.name, pm_status_string(status));
            return false;
        }
    }
    return true;
}

static void list_everything(void) {
    puts("suites");
    for (size_t s = 0; s < SUITES; s++)
        printf("  %-8s %s\n", suites[s]->name, suites[s]->description);
    puts("backends, with their instruction sets");
    struct backend backend;
    for (size_t b = 0; backend_at(b, &backend); b++)
        printf("  %-8s %s\n", backend.name, backend.simd);
    puts("floors, with their instruction sets");
    const struct floor *floor;
    for (size_t f = 0; (floor = floor_at(f)) != NULL; f++)
        printf("  %-8s %-8s %s\n", floor->name, floor_simd(floor), floor->description);
    puts("families (other numbers and file:PATH are possible, too)");
    for (const char *const *name = family_names; *name; name++)
        printf("  %s\n", *name);
    puts("scenes (other numbers and file:PATH are possible, too)");
    for (const char *const *name = scene_names; *name; name++)
        printf("  %s\n", *name);
}

static enum outcome suite_run(const struct suite *suite, const struct settings *asked) {
    struct settings settings = *asked;
    if (settings.families.count == 0)
        settings.families = suite->families;
    for (size_t s = 0; s < suite->sizes.count && asked->sizes.count == 0; s++)
        if (suite->sizes.sizes[s] <= asked->most)
            settings.sizes.sizes[settings.sizes.count++] = suite->sizes.sizes[s];
    return suite->run ? suite->run(suite, &settings) : suite_run_cases(suite, &settings, suite->time_case);
}

int main(int argc, char **argv) {
    struct settings settings;
    if (!settings_parse(argc, argv, NULL, &settings) || !settings_check(&settings)) {
        fputs("Try 'pm_bench --help'.\n", stderr);
        return OUTCOME_FAILED;
    }
    if (settings.help)
        fputs(settings_help, stdout);
    else if (settings.list)
        list_everything();
    if (settings.help || settings.list)
        return OUTCOME_VERIFIED;
    if (settings.pin >= 0 && !machine_pin(settings.pin, settings.threads)) {
        fprintf(stderr, "pm_bench: cannot run on CPU %d and the %u after it\n", settings.pin, settings.threads - 1);
        return OUTCOME_FAILED;
    }
    load_start(settings.load);
    if (!devices_answer(&settings))
        return OUTCOME_FAILED;
    report_run(argc, argv);
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < SUITES && worst != OUTCOME_FAILED; s++)
        if (name_list_wants(&settings.suites, suites[s]->name))
            worst = outcome_worse(worst, suite_run(suites[s], &settings));
    return (int)worst;
}
