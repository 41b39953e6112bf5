/* SPDX-License-Identifier: Apache-2.0 */
/* What the command lsp is made of: a language server, or in a program without json-c a message about that. */
#ifndef PM_CLI_LSP_H
#define PM_CLI_LSP_H

#include <stdint.h>

/* Serves a client on standard input and output until it ends. At most max_errors diagnostics of a text are sent; 0:
 * all. Returns the exit code. */
int lsp_serve(uint64_t max_errors);

#endif
