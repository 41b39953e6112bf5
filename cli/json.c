/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch json: the value of a JSON text that a JSON Pointer names. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/source.h"

static const char json_help[] =
    "Usage: parenmatch json FILE POINTER\n"
    "Print the value that a JSON Pointer (RFC 6901) names, byte by byte as it stands in the text, and a line end.\n"
    "'' is the whole value, '/a/0' is element 0 of member \"a\"; ~1 stands for a / in a key, ~0 for a ~.\n"
    "The text is checked first, except for the letters of numbers and escapes.\n"
    "\n"
    "      --help             print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0; 1 if there is no such value; 2 for wrong usage, a text that is not JSON, or a file that cannot be\n"
    "read.";

static int print_value(const text_source *source, const pm_json *json, const char *pointer) {
    pm_json_range value;
    if (pm_json_pointer(json, pointer, strlen(pointer), &value) != PM_OK)
        return complain("json: '%s' is not a JSON Pointer: it is '', or begins with '/', and ~ is written ~0", pointer);
    if (value.begin == PM_BP_NONE) {
        complain("%s: has no value '%s'", source->name, pointer);
        return EXIT_NOTHING_FOUND;
    }
    fwrite(source->text + value.begin, 1, (size_t)(value.end - value.begin), stdout);
    putchar('\n');
    return EXIT_FINE;
}

/* Answers for a text that is loaded. */
static int answer(const text_source *source, const char *pointer) {
    diagnostic_printer printer = {.to = stderr, .format = FORMAT_GCC, .delimited = true};
    pm_diagnostic fault;
    pm_json *json;
    const pm_status status = pm_json_create(NULL, source->text, source->length, &fault, &json);
    if (status == PM_CORRUPT) {
        diagnostic_print(&printer, source, &fault);
        return EXIT_TROUBLE;
    }
    if (status != PM_OK)
        return complain("%s: %s", source->name, pm_status_string(status));
    const int code = print_value(source, json, pointer);
    pm_json_destroy(json);
    return code;
}

static int json_file(const char *path, const char *pointer) {
    text_source source;
    if (!source_open(&source, path))
        return EXIT_TROUBLE;
    const int code = source_load(&source) ? answer(&source, pointer) : EXIT_TROUBLE;
    source_close(&source);
    return code;
}

int command_json(int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option != 'h')
            return point_to_help("json");
        puts(json_help);
        return EXIT_FINE;
    }
    if (argc - optind != 2)
        return complain_usage("json", "a file and a JSON Pointer are needed");
    return json_file(argv[optind], argv[optind + 1]);
}
