/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch languages, pipelines and simd: they list the names that --lang, --pipeline and --simd take. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* "c  description (.c .h)": the endings are those that tell the language, if any do. */
static void list_language(const pm_language *language) {
    const char *const endings = pm_language_endings(language);
    printf("%-12s %s%s", pm_language_name(language), pm_language_description(language), *endings ? " (" : "");
    for (const char *at = endings; *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        printf("%s.%.*s", at > endings ? " " : "", length, at);
        at += length;
    }
    puts(*endings ? ")" : "");
}

static void list_languages(void) {
    for (size_t i = 0; i < pm_language_count(); i++)
        list_language(pm_language_at(i));
}

static void list_pipelines(void) {
    for (size_t i = 0; pm_pipeline_at(i); i++)
        printf("%-14s %s\n", pm_pipeline_at(i)->name, pm_pipeline_at(i)->description);
}

static void list_simd(void) {
    for (size_t i = 0; pm_simd_at(i); i++)
        printf("%-12s %-4s %s\n", pm_simd_at(i)->name, pm_simd_at(i)->supported ? "yes" : "no",
               pm_simd_at(i)->description);
}

/* Prints the list, or the help; complains if there are other arguments. */
static int run(const char *command, const char *summary, void (*list)(void), int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const int option = getopt_long(argc, argv, "", options, NULL);
    if (option == 'h')
        printf("Usage: parenmatch %s [OPTION]\n%s\n\n      --help   print this\n\n"
               "Exit code: 0, or 2 for wrong usage.\n",
               command, summary);
    else if (option != -1)
        return point_to_help(command);
    else if (optind < argc)
        return complain_usage(command, "takes no file");
    else
        list();
    return EXIT_FINE;
}

int command_languages(int argc, char **argv) {
    return run("languages", "List the names that --lang takes, what each language skips, and the endings of its files.",
               list_languages, argc, argv);
}

int command_pipelines(int argc, char **argv) {
    return run("pipelines", "List the names that --pipeline takes, the one for any length first.", list_pipelines, argc,
               argv);
}

int command_simd(int argc, char **argv) {
    return run("simd", "List the names that --simd takes, best first, and whether this CPU has them.", list_simd, argc,
               argv);
}
