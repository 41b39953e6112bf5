/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the language server in programs built without json-c. */
#include "cli/cli.h"
#include "cli/lsp.h"

int lsp_serve(uint64_t max_errors) {
    (void)max_errors;
    return complain("lsp: this program was built without json-c");
}
