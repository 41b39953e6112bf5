/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed UTF-8, by the table of the Unicode standard; JSON strings, by RFC 8259, section 7. */
#include "cli/utf8.h"

#include <stdio.h>
#include <string.h>

/* Unicode 15, table 3-7: by first byte the length, and the range that the second byte is restricted to. */
static const struct {
    unsigned char first_low, first_high, length, second_low, second_high;
} forms[] = {{0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
             {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
             {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f}};

size_t utf8_mark(const char *text, size_t length) {
    const size_t size = sizeof UTF8_BYTE_ORDER_MARK - 1;
    return length >= size && memcmp(text, UTF8_BYTE_ORDER_MARK, size) == 0 ? size : 0;
}

size_t utf8_character(const char *text, size_t length) {
    const unsigned char *byte = (const unsigned char *)text;
    for (size_t f = 0; length > 0 && f < sizeof forms / sizeof *forms; f++) {
        if (byte[0] < forms[f].first_low || byte[0] > forms[f].first_high)
            continue;
        if (forms[f].length > length)
            return 0;
        if (forms[f].length > 1 && (byte[1] < forms[f].second_low || byte[1] > forms[f].second_high))
            return 0;
        for (size_t i = 2; i < forms[f].length; i++)
            if (byte[i] < 0x80 || byte[i] > 0xbf)
                return 0;
        return forms[f].length;
    }
    return 0;
}

void json_print_string(const char *bytes, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length;) {
        const size_t size = utf8_character(bytes + i, length - i);
        if (size == 0)
            fputs(UTF8_REPLACEMENT, stdout);
        else if (bytes[i] == '"' || bytes[i] == '\\')
            printf("\\%c", bytes[i]);
        else if ((unsigned char)bytes[i] < 0x20)
            printf("\\u%04x", (unsigned)bytes[i]);
        else
            fwrite(bytes + i, 1, size, stdout);
        i += size ? size : 1;
    }
    putchar('"');
}
