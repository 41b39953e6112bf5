/* SPDX-License-Identifier: Apache-2.0 */
/* Delimiters of any length: of a language that the library knows, or of a file of rules. */
#ifndef PM_CLI_RULES_H
#define PM_CLI_RULES_H

#include <stdbool.h>

#include "parenmatch.h"

/* Creates delimiters from rules of the library. Complains with `name` and returns false, with *pairs NULL, if there is
 * no memory. */
bool delimiters_of_rules(const char *name, const char *rules, pm_delimiters **pairs);

/* Creates the delimiters of a language. Complains and returns false, with *pairs NULL, if there is no such language. */
bool delimiters_of_language(const char *command, const char *name, pm_delimiters **pairs);

/* Creates delimiters from a file of rules. Complains and returns false, with *pairs NULL, if the file cannot be read or
 * a rule is wrong. */
bool delimiters_of_file(const char *path, pm_delimiters **pairs);

#endif
