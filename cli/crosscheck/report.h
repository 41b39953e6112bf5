/* SPDX-License-Identifier: Apache-2.0 */
/* What has been found of a way, on standard output. */
#ifndef PM_CLI_CROSSCHECK_REPORT_H
#define PM_CLI_CROSSCHECK_REPORT_H

#include "cli/crosscheck/compare.h"

/* As a line, and two more where it differs. */
void crosscheck_print_line(const crosscheck_way *way);

/* As a JSON object on a line of its own. */
void crosscheck_print_json(const crosscheck_way *way);

#endif
