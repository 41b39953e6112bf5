/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that name files and folders, as lines of a .gitignore file do (gitignore(5)). */
#ifndef PM_CLI_CHECK_IGNORE_H
#define PM_CLI_CHECK_IGNORE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ignore_rules ignore_rules;

/* Creates rules from lines; the text is not used after the call. Returns NULL if there is no memory. */
ignore_rules *ignore_create(const char *text, size_t length);
void ignore_destroy(ignore_rules *rules);

typedef enum ignore_verdict {
    IGNORE_UNDECIDED, /* no pattern fits */
    IGNORE_SKIP,
    IGNORE_KEEP /* a pattern with '!' fits, and none behind it */
} ignore_verdict;

/* Judges a path, given from the folder that the rules belong to. */
ignore_verdict ignore_judge(const ignore_rules *rules, const char *path, bool is_folder);

#endif
