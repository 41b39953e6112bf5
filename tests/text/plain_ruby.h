/* SPDX-License-Identifier: Apache-2.0 */
/* Ruby's text read plainly, for tests/text/plain_readers.c. */
#ifndef PM_TESTS_TEXT_PLAIN_RUBY_H
#define PM_TESTS_TEXT_PLAIN_RUBY_H

#include "tests/text/plain_readers.h"

/* Reads the whole text where `at` is 0: a plain_reader's `skip`. */
size_t plain_skip_ruby(plain_text *text, size_t at);

#endif
