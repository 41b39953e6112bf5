/* SPDX-License-Identifier: Apache-2.0 */
/* JSON strings on standard output. */
#ifndef PM_CLI_JSON_H
#define PM_CLI_JSON_H

#include <stddef.h>

/* Prints a quoted JSON string; bytes that are no UTF-8 become U+FFFD. */
void json_print_string(const char *bytes, size_t length);

#endif
