/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that list something: they have no option but --help, and take no file. */
#ifndef PM_CLI_LISTING_H
#define PM_CLI_LISTING_H

#include <stdbool.h>

/* Is the list wanted? If not, the help is printed, or what is wrong has been complained about, and *code is set. */
bool listing_wanted(const char *command, const char *help, int *code, int argc, char **argv);

#endif
