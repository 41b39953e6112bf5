/* SPDX-License-Identifier: Apache-2.0 */
/* A shell's text read plainly, for tests/text/plain_readers.c. */
#ifndef PM_TESTS_TEXT_PLAIN_SHELL_H
#define PM_TESTS_TEXT_PLAIN_SHELL_H

#include "tests/text/plain_readers.h"

/* Reads the whole text where `at` is 0: a plain_reader's `skip`. */
size_t plain_skip_shell(plain_text *text, size_t at);

#endif
