/* SPDX-License-Identifier: Apache-2.0 */
/* The repair of a text, for fix and for the language server. */
#ifndef PM_CLI_REPAIR_H
#define PM_CLI_REPAIR_H

#include "parenmatch.h"

/* As pm_text_repair(), and *count is 0 also if not all brackets match in the repaired text. */
pm_status repair_text(const pm_language *language, const pm_alphabet *alphabet, const char *text, size_t n,
                      pm_repair repairs[PM_REPAIRS_MAX], size_t *count);

#endif
