/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Pointers (RFC 6901): from "/a/0" to a value. Keys and names are compared byte by byte as their escapes are read.
 */
#include <string.h>

#include "core/json/json.h"

/* Bytes of a key or name that are still to be read. */
typedef struct part {
    const unsigned char *at, *end;
} part;

/* Some bytes that an escape stands for. */
typedef struct unescaped {
    unsigned char bytes[4];
    unsigned count; /* 0: the escape means nothing */
} unescaped;

/* ---- Escapes ---- */

/* Reads four hexadecimal digits. */
static bool read_unit(part *key, unsigned *unit) {
    *unit = 0;
    if (key->end - key->at < 4)
        return false;
    for (unsigned k = 0; k < 4; k++, key->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *const digit = *key->at ? strchr(digits, *key->at) : NULL;
        if (!digit)
            return false;
        *unit = *unit << 4 | ((unsigned)(digit - digits) & 15);
    }
    return true;
}

static unescaped utf8_of(uint32_t point) {
    const unsigned char last = (unsigned char)(0x80 | (point & 0x3f));
    const unsigned char third = (unsigned char)(0x80 | (point >> 6 & 0x3f));
    if (point < 0x80)
        return (unescaped){{(unsigned char)point}, 1};
    if (point < 0x800)
        return (unescaped){{(unsigned char)(0xc0 | point >> 6), last}, 2};
    if (point < 0x10000)
        return (unescaped){{(unsigned char)(0xe0 | point >> 12), third, last}, 3};
    return (unescaped){{(unsigned char)(0xf0 | point >> 18), (unsigned char)(0x80 | (point >> 12 & 0x3f)), third, last},
                       4};
}

/* Reads what is behind \u, with the second half of a surrogate pair. */
static unescaped read_point(part *key) {
    unsigned high, low;
    if (!read_unit(key, &high) || (high & 0xfc00) == 0xdc00)
        return (unescaped){.count = 0};
    if ((high & 0xfc00) != 0xd800)
        return utf8_of(high);
    if (key->end - key->at < 2 || key->at[0] != '\\' || key->at[1] != 'u')
        return (unescaped){.count = 0};
    key->at += 2;
    if (!read_unit(key, &low) || (low & 0xfc00) != 0xdc00)
        return (unescaped){.count = 0};
    return utf8_of(0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff));
}

/* Reads the next byte of a key, or what its escape stands for. */
static unescaped read_key(part *key) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const unsigned char byte = *key->at++;
    if (byte != '\\')
        return (unescaped){{byte}, 1};
    if (key->at == key->end)
        return (unescaped){.count = 0};
    const unsigned char letter = *key->at++;
    if (letter == 'u')
        return read_point(key);
    const char *const known = letter ? strchr(letters, letter) : NULL;
    return known ? (unescaped){{(unsigned char)meanings[known - letters]}, 1} : (unescaped){.count = 0};
}

/* Reads the next byte of a pointer's name, in which ~0 and ~1 are right. */
static unsigned char read_name(part *name) {
    const unsigned char byte = *name->at++;
    if (byte != '~')
        return byte;
    return *name->at++ == '0' ? '~' : '/';
}

static bool is_key(part key, part name) {
    while (key.at < key.end) {
        const unescaped found = read_key(&key);
        if (found.count == 0)
            return false;
        for (unsigned k = 0; k < found.count; k++)
            if (name.at == name.end || read_name(&name) != found.bytes[k])
                return false;
    }
    return name.at == name.end;
}

/* ---- Steps ---- */

static uint64_t find_member(const pm_json *json, uint64_t object, part name) {
    for (uint64_t key = pm_json_first(json, object); key != PM_BP_NONE; key = pm_json_next(json, key))
        if (is_key((part){json->text + key + 1, json->text + pm_json_skip(json, key) - 1}, name))
            return pm_json_member(json, key);
    return PM_BP_NONE;
}

/* Reads the number of an element: digits, without a 0 before others. No text has 2^32 elements. */
static bool read_index(part name, uint64_t *index) {
    const ptrdiff_t length = name.end - name.at;
    *index = 0;
    if (length < 1 || length > 10 || (length > 1 && *name.at == '0'))
        return false;
    for (; name.at < name.end; name.at++) {
        if (*name.at < '0' || *name.at > '9')
            return false;
        *index = *index * 10 + (*name.at - (unsigned)'0');
    }
    return true;
}

static uint64_t find_element(const pm_json *json, uint64_t array, part name) {
    uint64_t index;
    if (!read_index(name, &index))
        return PM_BP_NONE;
    uint64_t element = pm_json_first(json, array);
    for (; index > 0 && element != PM_BP_NONE; index--)
        element = pm_json_next(json, element);
    return element;
}

static bool is_pointer(const char *pointer, size_t length) {
    if (length > 0 && pointer[0] != '/')
        return false;
    for (size_t i = 0; i < length; i++)
        if (pointer[i] == '~' && (i + 1 == length || (pointer[i + 1] != '0' && pointer[i + 1] != '1')))
            return false;
    return true;
}

pm_status pm_json_pointer(const pm_json *json, const char *pointer, size_t length, pm_json_range *value) {
    if (!json || !value || (length > 0 && !pointer) || !is_pointer(pointer, length))
        return PM_INVALID_ARGUMENT;
    const unsigned char *const end = (const unsigned char *)pointer + length;
    part name = {(const unsigned char *)pointer, (const unsigned char *)pointer};
    uint64_t at = pm_json_root(json);
    while (name.end < end && at != PM_BP_NONE) {
        name.at = name.end + 1;
        for (name.end = name.at; name.end < end && *name.end != '/';)
            name.end++;
        const bool object = pm_json_kind_of(json, at) == PM_JSON_OBJECT;
        at = object ? find_member(json, at, name) : find_element(json, at, name);
    }
    *value = (pm_json_range){at, pm_json_skip(json, at)};
    return PM_OK;
}
