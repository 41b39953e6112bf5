/* SPDX-License-Identifier: Apache-2.0 */
/* Files to hold plain readers against: those that PM_TEXTS names, with blanks between them. */
#ifndef PM_TESTS_TEXT_PLAIN_FILES_H
#define PM_TESTS_TEXT_PLAIN_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Compares a reading of a text with the library's. Returns false if there is no reader for the language. */
typedef bool (*plain_file_try)(const char *language, const char *text, size_t n);

/* Tries each file, the same with bytes changed, and parts of it alone. `text` has room for `room` bytes, and of a
 * longer file no more are read. A file that cannot be read, or whose language has no reader, fails the test. */
void plain_files_try(char *text, size_t room, plain_file_try try_text);

#endif
