/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of JSON by recursive descent. */
#include "tests/json/model.h"

#include <stdlib.h>
#include <string.h>

/* ---- Characters ---- */

static unsigned peek(const json_model *m) {
    return m->at < m->n ? m->text[m->at] : 256u;
}

static bool is_one_of(unsigned byte, const char *set) {
    return byte < 256 && byte != 0 && strchr(set, (int)byte);
}

static void skip_white(json_model *m) {
    while (is_one_of(peek(m), " \t\n\r"))
        m->at++;
}

/* Goes over a character, by the number that its bytes stand for. */
static bool take_character(json_model *m) {
    const unsigned first = m->text[m->at++];
    if (first < 0x80)
        return true;
    const unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc0 || first >= 0xf8)
        return false;
    uint32_t point = first & (0x3fu >> more);
    for (unsigned k = 0; k < more; k++) {
        if ((peek(m) & ~0x3fu) != 0x80)
            return false;
        point = point << 6 | (m->text[m->at++] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    return point >= least[more] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

/* ---- The grammar ---- */

static bool take_value(json_model *m);

static size_t add_token(json_model *m) {
    m->begins[m->count] = m->at;
    m->ends[m->count] = m->next[m->count] = m->values[m->count] = PM_BP_NONE;
    return m->count++;
}

static bool take_operator(json_model *m, char byte) {
    skip_white(m);
    if (peek(m) != (unsigned char)byte)
        return false;
    add_token(m);
    m->at++;
    return true;
}

static bool take_string(json_model *m) {
    if (peek(m) != '"')
        return false;
    const size_t token = add_token(m);
    for (m->at++; peek(m) != '"';) {
        if (peek(m) < 0x20 || peek(m) > 255)
            return false;
        if (peek(m) == '\\') {
            m->at++;
            if (peek(m) < 0x20 || peek(m) > 255)
                return false;
        }
        if (!take_character(m))
            return false;
    }
    m->ends[token] = ++m->at;
    return true;
}

static bool take_scalar(json_model *m) {
    const size_t token = add_token(m);
    while (peek(m) < 256 && !is_one_of(peek(m), " \t\n\r[]{},:\"")) {
        if (peek(m) == '\\' || !take_character(m))
            return false;
    }
    m->ends[token] = m->at;
    return m->at > m->begins[token];
}

static bool take_member(json_model *m) {
    skip_white(m);
    const size_t key = m->count;
    if (!take_string(m) || !take_operator(m, ':'))
        return false;
    skip_white(m);
    m->values[key] = m->at;
    return take_value(m);
}

static bool take_container(json_model *m, bool object) {
    const size_t token = m->count;
    const char close = object ? '}' : ']';
    take_operator(m, object ? '{' : '[');
    if (!take_operator(m, close))
        for (size_t before = SIZE_MAX;;) {
            skip_white(m);
            const size_t item = m->count;
            if (before != SIZE_MAX)
                m->next[before] = m->at;
            if (before != SIZE_MAX && object)
                m->next[before + 2] = m->at; /* behind key and colon: the value */
            before = item;
            if (!(object ? take_member(m) : take_value(m)))
                return false;
            if (take_operator(m, close))
                break;
            if (!take_operator(m, ','))
                return false;
        }
    m->ends[token] = m->at;
    return true;
}

static bool take_value(json_model *m) {
    skip_white(m);
    switch (peek(m)) {
    case '{':
        return take_container(m, true);
    case '[':
        return take_container(m, false);
    case '"':
        return take_string(m);
    default:
        return take_scalar(m);
    }
}

bool json_model_read(json_model *model, const char *text, size_t n) {
    uint64_t *const arrays = malloc((4 * n + 4) * sizeof *arrays);
    if (!arrays)
        abort();
    *model = (json_model){.text = (const unsigned char *)text,
                          .n = n,
                          .begins = arrays,
                          .ends = arrays + (n + 1),
                          .next = arrays + 2 * (n + 1),
                          .values = arrays + 3 * (n + 1)};
    model->good = take_value(model);
    skip_white(model);
    model->good = model->good && model->at == n;
    return model->good;
}

void json_model_destroy(json_model *model) {
    free(model->begins);
}

/* ---- Comparing ---- */

static const char *compare_token(const json_model *m, const pm_json *json, size_t k) {
    const uint64_t at = m->begins[k];
    const unsigned char byte = m->text[at];
    const bool container = byte == '{' || byte == '[';
    const pm_json_kind kind = m->ends[k] == PM_BP_NONE ? PM_JSON_NONE
                              : byte == '{'            ? PM_JSON_OBJECT
                              : byte == '['            ? PM_JSON_ARRAY
                              : byte == '"'            ? PM_JSON_STRING
                                                       : PM_JSON_SCALAR;
    if (pm_json_next_token(json, k > 0 ? m->begins[k - 1] + 1 : 0) != at)
        return "next token";
    if (pm_json_kind_of(json, at) != kind)
        return "kind";
    if (pm_json_skip(json, at) != m->ends[k])
        return "skip";
    if (container && pm_json_partner(json, at) != m->ends[k] - 1)
        return "partner of an open";
    if (container && pm_json_partner(json, m->ends[k] - 1) != at)
        return "partner of a close";
    if (byte != ']' && byte != '}' && !container && pm_json_partner(json, at) != PM_BP_NONE)
        return "partner of something else";
    if (pm_json_member(json, at) != m->values[k])
        return "value of a key";
    if (pm_json_next(json, at) != m->next[k])
        return "next item";
    const bool filled = container && m->ends[k + 1] != PM_BP_NONE;
    if (pm_json_first(json, at) != (filled ? m->begins[k + 1] : PM_BP_NONE))
        return "first item";
    return NULL;
}

const char *json_model_compare(const json_model *m, const pm_json *json) {
    uint64_t *const offsets = malloc((m->count + 1) * sizeof *offsets);
    if (!offsets)
        abort();
    const char *wrong = NULL;
    if (pm_json_token_count(json) != m->count || pm_json_tokens(json, 0, UINT64_MAX, m->count, offsets) != m->count ||
        memcmp(offsets, m->begins, m->count * sizeof *offsets) != 0)
        wrong = "tokens";
    else if (pm_json_root(json) != m->begins[0])
        wrong = "root";
    for (size_t k = 0; k < m->count && !wrong; k++)
        wrong = compare_token(m, json, k);
    free(offsets);
    return wrong;
}

/* Every target must report the same fault. */
static const char *compare_fault(const pm_diagnostic *fault, const pm_diagnostic *first) {
    if (memcmp(&fault->at, &first->at, sizeof fault->at) != 0 || fault->fault != first->fault)
        return "faults differ";
    return NULL;
}

const char *json_model_try(const char *text, size_t n) {
    json_model model;
    const bool good = json_model_read(&model, text, n);
    pm_diagnostic first = {.length = SIZE_MAX};
    const char *wrong = NULL;
    for (size_t k = 0; pm_simd_at(k) && !wrong; k++) {
        if (!pm_simd_at(k)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(k)->name};
        pm_context *context;
        pm_json *json;
        pm_diagnostic fault;
        if (pm_context_create(&options, &context) != PM_OK)
            return "context";
        const pm_status status = pm_json_create(context, text, n, &fault, &json);
        if (status != (good ? PM_OK : PM_CORRUPT))
            wrong = good ? "refuses a right text" : "takes a wrong text";
        else if (good)
            wrong = json_model_compare(&model, json);
        else
            wrong = first.length == SIZE_MAX ? NULL : compare_fault(&fault, &first);
        first = fault;
        pm_json_destroy(json);
        pm_context_destroy(context);
    }
    json_model_destroy(&model);
    return wrong;
}
