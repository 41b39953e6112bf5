/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines: a table of long options, and functions that take their values. */
#ifndef PM_BENCH_OPTIONS_H
#define PM_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMES_MOST 64u /* of an option that may be repeated */

struct name_list {
    size_t count;
    const char *names[NAMES_MOST];
};

/* Returns whether the list has the name, or is empty. */
bool name_list_wants(const struct name_list *list, const char *name);

struct option_known {
    const char *name;
    bool (*take)(const struct option_known *option, const char *value); /* false for a value that is not possible */
    void *to;                                                           /* what it writes */
    uint64_t least, most;                                               /* of a number, or length of a list */
    const char *words[4];
};

/* Write a bool, a const char *, an unsigned, a uint64_t; the index of a word as an unsigned; one more of a name_list.
 */
bool take_flag(const struct option_known *option, const char *value);
bool take_text(const struct option_known *option, const char *value);
bool take_number(const struct option_known *option, const char *value);
bool take_large_number(const struct option_known *option, const char *value);
bool take_word(const struct option_known *option, const char *value);
bool take_name(const struct option_known *option, const char *value);

/* Reads a decimal number, the whole text, of at most `most`. */
bool parse_number(const char *text, uint64_t most, uint64_t *number);

/* Takes all options. False, after a line on standard error, for one that is wrong. */
bool options_parse(int argc, char **argv, const struct option_known *known, size_t count);

#endif
