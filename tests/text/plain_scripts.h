/* SPDX-License-Identifier: Apache-2.0 */
/* Languages with heredocs read plainly, for tests/text/plain_readers.c. Each of these reads the whole text where `at`
 * is 0: a plain_reader's `skip`. */
#ifndef PM_TESTS_TEXT_PLAIN_SCRIPTS_H
#define PM_TESTS_TEXT_PLAIN_SCRIPTS_H

#include "tests/text/plain_readers.h"

size_t plain_skip_perl(plain_text *text, size_t at);
size_t plain_skip_ruby(plain_text *text, size_t at);
size_t plain_skip_shell(plain_text *text, size_t at);

#endif
