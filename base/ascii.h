/* SPDX-License-Identifier: Apache-2.0 */
/* Letters of ASCII, whatever the locale; parts of words; lists of words; the endings of file names. */
#ifndef PM_BASE_ASCII_H
#define PM_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

/* A capital as the small letter, where case is ignored. */
static inline unsigned char pmi_fold_case(unsigned char byte, bool ignore_case) {
    return ignore_case && byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte - 'A' + 'a') : byte;
}

static inline bool pmi_byte_is_letter(unsigned char byte) {
    return (unsigned char)((byte | ('a' ^ 'A')) - 'a') < 26;
}

/* May the byte stand in a name of a program? All of UTF-8 beyond ASCII may. */
static inline bool pmi_byte_in_name(unsigned char byte) {
    return pmi_byte_is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || byte >= 0x80;
}

/* Part of a word: a letter, a digit, an underline, a byte of what is not ASCII. Computed without branches, because what
 * follows a word is hard to foretell. */
static inline bool pmi_byte_is_word(unsigned char byte) {
    return pmi_byte_is_letter(byte) | ((unsigned char)(byte - '0') < 10) | (byte == '_') | (byte >= 0x80);
}

static inline bool pmi_byte_is_space(unsigned char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Are n bytes equal? The case of letters may be ignored. */
static inline bool pmi_bytes_equal(const unsigned char *a, const unsigned char *b, size_t n, bool ignore_case) {
    if (!ignore_case)
        return memcmp(a, b, n) == 0;
    for (size_t i = 0; i < n; i++)
        if (pmi_fold_case(a[i], true) != pmi_fold_case(b[i], true))
            return false;
    return true;
}

/* Is `word` one of the words of `list`, which blanks separate? */
static inline bool pmi_list_contains(const char *list, const char *word, bool ignore_case) {
    const size_t length = strlen(word);
    if (length == 0)
        return false;
    while (*list) {
        const size_t listed = strcspn(list, " ");
        if (listed == length &&
            pmi_bytes_equal((const unsigned char *)list, (const unsigned char *)word, length, ignore_case))
            return true;
        list += listed + strspn(list + listed, " ");
    }
    return false;
}

/* What follows the last dot of a path's last part; "" if nothing does. A hidden file's dot begins no ending. */
static inline const char *pmi_path_ending(const char *path) {
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    const char *const dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

#endif
