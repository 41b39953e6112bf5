/* SPDX-License-Identifier: Apache-2.0 */
/* Delimiters of any length: of a language that the library knows, or of a file of rules. */
#ifndef PM_CLI_RULES_H
#define PM_CLI_RULES_H

#include <stdbool.h>

#include "parenmatch.h"

/* Rules of the library; complains by that name and returns false, *pairs being NULL, where there is no memory. */
bool delimiters_of_rules(const char *name, const char *rules, pm_delimiters **pairs);

/* Complains and returns false, *pairs being NULL, for a language that is none. */
bool delimiters_of_language(const char *command, const char *name, pm_delimiters **pairs);

/* Complains and returns false, *pairs being NULL, for a file that cannot be read, or where a rule is wrong. */
bool delimiters_of_file(const char *path, pm_delimiters **pairs);

#endif
