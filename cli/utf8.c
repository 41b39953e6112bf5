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

size_t utf8_count(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0, size; i < length; i += size ? size : 1, count++)
        size = utf8_character(text + i, length - i);
    return count;
}

/* Writes a character; returns its bytes. */
static size_t put_character(char *to, uint32_t character) {
    const unsigned behind = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(first[behind] | character >> 6 * behind);
    for (unsigned k = 1; k <= behind; k++)
        to[k] = (char)(0x80 | (character >> 6 * (behind - k) & 0x3f));
    return behind + 1;
}

size_t utf8_from_utf16(char *to, const char *text, size_t n, bool big_endian) {
    const unsigned char *const byte = (const unsigned char *)text;
    size_t length = 0;
    for (size_t i = 0; i < n; i += 2) {
        uint32_t character = 0xfffd;
        if (i + 1 < n)
            character = (uint32_t)byte[i + !big_endian] << 8 | byte[i + big_endian];
        if (character >= 0xd800 && character < 0xe000) {
            const uint32_t low = i + 3 < n ? (uint32_t)byte[i + 2 + !big_endian] << 8 | byte[i + 2 + big_endian] : 0;
            const bool pair = character < 0xdc00 && low >= 0xdc00 && low < 0xe000;
            character = pair ? 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
            i += pair ? 2 : 0;
        }
        length += put_character(to + length, character);
    }
    return length;
}

void json_write_string(FILE *to, const char *bytes, size_t length) {
    putc('"', to);
    for (size_t i = 0; i < length;) {
        const size_t size = utf8_character(bytes + i, length - i);
        if (size == 0)
            fputs(UTF8_REPLACEMENT, to);
        else if (bytes[i] == '"' || bytes[i] == '\\')
            fprintf(to, "\\%c", bytes[i]);
        else if ((unsigned char)bytes[i] < 0x20)
            fprintf(to, "\\u%04x", (unsigned)bytes[i]);
        else
            fwrite(bytes + i, 1, size, to);
        i += size ? size : 1;
    }
    putc('"', to);
}

void json_print_string(const char *bytes, size_t length) {
    json_write_string(stdout, bytes, length);
}

void json_write_file(FILE *to, const char *name) {
    const size_t length = strlen(name);
    size_t valid = 0;
    for (size_t size; valid < length && (size = utf8_character(name + valid, length - valid)) > 0;)
        valid += size;
    fputs("\"file\":", to);
    json_write_string(to, name, length);
    if (valid == length)
        return;
    fputs(",\"file_bytes\":\"", to);
    for (const char *at = name; *at; at++)
        fprintf(to, "%02x", (unsigned)(unsigned char)*at);
    putc('"', to);
}
