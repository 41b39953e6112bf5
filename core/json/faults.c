/* SPDX-License-Identifier: Apache-2.0 */
/* The first fault of a JSON text, byte by byte: what the masks found to be wrong, with its place. */
#include "core/json/json.h"
#include "core/text/place.h"

/* What may come next. */
typedef enum expectation {
    ANY_VALUE,
    FIRST_ELEMENT, /* or a close */
    FIRST_KEY,     /* or a close */
    NEXT_KEY,
    COLON,
    BEHIND_VALUE, /* a comma or a close */
    NOTHING
} expectation;

typedef struct reader {
    pm_json *json;
    const unsigned char *text;
    size_t n, at;
    size_t depth;
    expectation next;
    pm_diagnostic *fault;
} reader;

static pm_status say(const reader *r, pm_fault fault, size_t at, size_t length) {
    *r->fault = (pm_diagnostic){.fault = fault,
                                .at = pmi_place_of((const char *)r->text, at),
                                .length = length,
                                .byte = length > 0 ? (char)r->text[at] : (char)0};
    return PM_CORRUPT;
}

static pm_status misplaced(const reader *r, size_t length) {
    return say(r, r->next == NOTHING ? PM_FAULT_TRAILING : PM_FAULT_MISPLACED, r->at, length);
}

/* ---- Characters ---- */

/* Bytes of the character of more than one byte that begins there; 0 if it is not UTF-8. Table 3-7 of the Unicode
 * Standard. */
static size_t character_length(const unsigned char *text, size_t left) {
    const unsigned char first = text[0];
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t k = 2; k < length; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Goes over a character of a string or scalar. */
static pm_status take_character(reader *r) {
    const size_t length = r->text[r->at] < 0x80 ? 1 : character_length(r->text + r->at, r->n - r->at);
    if (length == 0)
        return say(r, PM_FAULT_BAD_BYTE, r->at, 1);
    r->at += length;
    return PM_OK;
}

/* ---- Tokens ---- */

static bool is_operator(unsigned char byte) {
    return byte == '{' || byte == '}' || byte == '[' || byte == ']' || byte == ',' || byte == ':';
}

static const pmi_json_open *innermost(const reader *r) {
    return &r->json->stack[r->depth - 1];
}

static expectation behind_value(const reader *r) {
    return r->depth > 0 ? BEHIND_VALUE : NOTHING;
}

static pm_status take_string(reader *r) {
    const size_t begin = r->at;
    if (r->next == BEHIND_VALUE || r->next == COLON || r->next == NOTHING)
        return misplaced(r, 1);
    r->next = r->next == FIRST_KEY || r->next == NEXT_KEY ? COLON : behind_value(r);
    for (r->at++; r->at < r->n;) {
        const unsigned char byte = r->text[r->at];
        if (byte < 0x20)
            return say(r, PM_FAULT_BAD_BYTE, r->at, 1);
        if (byte == '"') {
            r->at++;
            return PM_OK;
        }
        if (byte == '\\' && r->at + 1 < r->n && r->text[r->at + 1] >= 0x20 && r->text[r->at + 1] < 0x80) {
            r->at += 2;
            continue;
        }
        const pm_status status = take_character(r);
        if (status != PM_OK)
            return status;
    }
    return say(r, PM_FAULT_UNTERMINATED, begin, 1);
}

static pm_status take_scalar(reader *r) {
    if (r->next != ANY_VALUE && r->next != FIRST_ELEMENT)
        return r->text[r->at] == '\\' ? say(r, PM_FAULT_BAD_BYTE, r->at, 1) : misplaced(r, 1);
    r->next = behind_value(r);
    while (r->at < r->n && !pmi_json_is_white(r->text[r->at]) && !is_operator(r->text[r->at]) &&
           r->text[r->at] != '"') {
        const pm_status status = r->text[r->at] == '\\' ? say(r, PM_FAULT_BAD_BYTE, r->at, 1) : take_character(r);
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

static pm_status take_open(reader *r) {
    const bool object = r->text[r->at] == '{';
    if (r->next != ANY_VALUE && r->next != FIRST_ELEMENT)
        return misplaced(r, 1);
    if (!pmi_json_reserve_stack(r->json, r->depth, r->depth + 1))
        return PM_OUT_OF_MEMORY;
    r->json->stack[r->depth++] =
        (pmi_json_open){.at = (uint32_t)r->at++, .kind = object ? PM_JSON_IN_OBJECT : PM_JSON_IN_ARRAY};
    r->next = object ? FIRST_KEY : FIRST_ELEMENT;
    return PM_OK;
}

static pm_status take_close(reader *r) {
    const uint32_t kind = r->text[r->at] == '}' ? PM_JSON_IN_OBJECT : PM_JSON_IN_ARRAY;
    if (r->depth == 0)
        return say(r, r->next == NOTHING ? PM_FAULT_TRAILING : PM_FAULT_UNMATCHED_CLOSE, r->at, 1);
    if (innermost(r)->kind != kind) {
        const size_t open = innermost(r)->at;
        say(r, PM_FAULT_KIND_MISMATCH, r->at, 1);
        r->fault->partner = pmi_place_of((const char *)r->text, open);
        r->fault->partner_byte = (char)r->text[open];
        r->fault->partner_length = 1;
        return PM_CORRUPT;
    }
    if (r->next != BEHIND_VALUE && r->next != FIRST_KEY && r->next != FIRST_ELEMENT)
        return misplaced(r, 1);
    r->depth--;
    r->at++;
    r->next = behind_value(r);
    return PM_OK;
}

static pm_status take_comma(reader *r) {
    if (r->next != BEHIND_VALUE)
        return misplaced(r, 1);
    r->next = innermost(r)->kind == PM_JSON_IN_OBJECT ? NEXT_KEY : ANY_VALUE;
    r->at++;
    return PM_OK;
}

static pm_status take_colon(reader *r) {
    if (r->next != COLON)
        return misplaced(r, 1);
    r->next = ANY_VALUE;
    r->at++;
    return PM_OK;
}

static pm_status take_token(reader *r) {
    switch (r->text[r->at]) {
    case '"':
        return take_string(r);
    case '{':
    case '[':
        return take_open(r);
    case '}':
    case ']':
        return take_close(r);
    case ',':
        return take_comma(r);
    case ':':
        return take_colon(r);
    default:
        return take_scalar(r);
    }
}

pm_status pmi_json_fault(pm_json *json, const unsigned char *text, size_t n, pm_diagnostic *fault) {
    reader r = {.json = json, .text = text, .n = n, .fault = fault};
    while (r.at < n) {
        if (pmi_json_is_white(text[r.at])) {
            r.at++;
            continue;
        }
        const pm_status status = take_token(&r);
        if (status != PM_OK)
            return status;
    }
    if (r.depth > 0)
        return say(&r, PM_FAULT_UNMATCHED_OPEN, innermost(&r)->at, 1);
    return r.next == NOTHING ? PM_OK : say(&r, PM_FAULT_MISPLACED, n, 0);
}
