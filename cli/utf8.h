/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 and JSON strings, just enough to print text of unknown origin. */
#ifndef PM_CLI_UTF8_H
#define PM_CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Stands for bytes that are no UTF-8: U+FFFD, the replacement character. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* U+FEFF at a text's beginning says how it is encoded, and takes no room on a screen. */
#define UTF8_BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Bytes of the mark that the text begins with; 0 if it does not. */
size_t utf8_mark(const char *text, size_t length);

/* Bytes of the well-formed character that the text begins with (Unicode, table 3-7); 0 if it begins with none. */
size_t utf8_character(const char *text, size_t length);

/* Returns the number of characters of a text; a byte that is not UTF-8 counts as one. */
size_t utf8_count(const char *text, size_t length);

/* Writes a text of UTF-16, n bytes, as UTF-8, at most three bytes for each two begun; returns its length. What is no
 * character becomes U+FFFD. The byte order mark stays. */
size_t utf8_from_utf16(char *to, const char *text, size_t n, bool big_endian);

/* Prints a quoted JSON string. Bytes that are not UTF-8 become U+FFFD. */
void json_write_string(FILE *to, const char *bytes, size_t length);

/* Prints a quoted JSON string on standard output. Bytes that are not UTF-8 become U+FFFD. */
void json_print_string(const char *bytes, size_t length);

/* Prints the member "file" of a JSON object, and for a name that is not UTF-8 also "file_bytes", its bytes in
 * hexadecimal digits. */
void json_write_file(FILE *to, const char *name);

#endif
