/* SPDX-License-Identifier: Apache-2.0 */
/* Options, by getopt_long(). */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KNOWN_MOST = 32
};

bool name_list_wants(const struct name_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return list->count == 0;
}

bool parse_number(const char *text, uint64_t most, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

bool take_flag(const struct option_known *option, const char *value) {
    (void)value;
    return *(bool *)option->to = true;
}

bool take_text(const struct option_known *option, const char *value) {
    *(const char **)option->to = value;
    return true;
}

bool take_large_number(const struct option_known *option, const char *value) {
    return parse_number(value, option->most, option->to) && *(const uint64_t *)option->to >= option->least;
}

bool take_number(const struct option_known *option, const char *value) {
    uint64_t number = 0;
    const bool right = parse_number(value, option->most, &number) && number >= option->least;
    *(unsigned *)option->to = (unsigned)number;
    return right;
}

bool take_word(const struct option_known *option, const char *value) {
    unsigned *const word = option->to;
    for (*word = 0; option->words[*word]; ++*word)
        if (strcmp(option->words[*word], value) == 0)
            return true;
    return false;
}

bool take_name(const struct option_known *option, const char *value) {
    struct name_list *const list = option->to;
    if (list->count == (option->most > 0 ? option->most : NAMES_MOST))
        return false;
    list->names[list->count++] = value;
    return true;
}

bool options_parse(int argc, char **argv, const struct option_known *known, size_t count) {
    struct option options[KNOWN_MOST + 1] = {{0}};
    for (size_t k = 0; k < count && k < KNOWN_MOST; k++)
        options[k] =
            (struct option){known[k].name, known[k].take == take_flag ? no_argument : required_argument, NULL, (int)k};
    for (int k; (k = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (k == '?')
            return false; /* getopt has said why */
        if (!known[k].take(&known[k], optarg)) {
            fprintf(stderr, "pm_bench: invalid value '%s' for --%s\n", optarg, known[k].name);
            return false;
        }
    }
    if (optind < argc)
        fprintf(stderr, "pm_bench: unexpected argument '%s'\n", argv[optind]);
    return optind == argc;
}
