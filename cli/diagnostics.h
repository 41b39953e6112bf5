/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics on standard output: as compilers print them, or as JSON, one object a line. */
#ifndef PM_CLI_DIAGNOSTICS_H
#define PM_CLI_DIAGNOSTICS_H

#include "cli/source.h"
#include "parenmatch.h"

/* Prints a diagnostic of a bracket, or its JSON object. */
void diagnostic_print(const text_source *source, const pm_diagnostic *diagnostic);
void diagnostic_print_json(const text_source *source, const pm_diagnostic *diagnostic);

/* Prints a diagnostic of a token, or its JSON object; the whole text is loaded. */
void structure_diagnostic_print(const text_source *source, const pm_delimiters_diagnostic *diagnostic);
void structure_diagnostic_print_json(const text_source *source, const pm_delimiters_diagnostic *diagnostic);

/* Prints what is wrong with rules, on standard error. */
void rules_error_print(const text_source *source, const pm_delimiters_error *error);

/* A byte as text: itself, or an escape as in C if it is not printable ASCII. */
typedef struct byte_text {
    char text[5];
} byte_text;
byte_text byte_show(char byte);

#endif
