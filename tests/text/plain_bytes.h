/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of bytes, for the plain readers of languages: by their definitions, which are not the library's. */
#ifndef PM_TESTS_TEXT_PLAIN_BYTES_H
#define PM_TESTS_TEXT_PLAIN_BYTES_H

#include <stdbool.h>
#include <string.h>

static inline bool is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

static inline bool is_lower(char byte) {
    return byte >= 'a' && byte <= 'z';
}

static inline bool is_capital(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

static inline bool is_letter(char byte) {
    return is_lower(byte) || is_capital(byte);
}

static inline bool in_word(char byte) {
    return is_letter(byte) || is_digit(byte) || byte == '_' || (unsigned char)byte >= 0x80;
}

static inline bool in_name(char byte) {
    return in_word(byte) || byte == '$';
}

static inline bool is_one_of(char byte, const char *bytes) {
    return byte && strchr(bytes, byte);
}

#endif
