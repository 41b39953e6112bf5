/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, and values one after another: an index of masks is asked for the next bit. */
#include "base/sizes.h"
#include "core/json/json.h"

static bool begins_token(const pm_json *json, uint64_t offset) {
    return offset < json->n && pmi_bits_get(json->found.tokens, offset);
}

/* The byte of the token there; 0 if none begins there. */
static unsigned char token_at(const pm_json *json, uint64_t offset) {
    return begins_token(json, offset) ? json->text[offset] : 0;
}

/* ---- Tokens ---- */

uint64_t pm_json_token_count(const pm_json *json) {
    return json->token_count;
}

/* The tokens of a word of text that begin in the range. */
static uint64_t tokens_of(const pm_json *json, uint64_t w, uint64_t begin, uint64_t end) {
    const uint64_t first = w * PM_WORD_BITS;
    uint64_t tokens = json->found.tokens[w];
    if (begin > first)
        tokens &= ~pmi_bits_low((unsigned)(begin - first));
    return end - first < PM_WORD_BITS ? tokens & pmi_bits_low((unsigned)(end - first)) : tokens;
}

uint64_t pm_json_tokens(const pm_json *json, uint64_t begin, uint64_t end, uint64_t capacity, uint64_t *offsets) {
    uint64_t count = 0;
    end = pmi_min(end, json->n);
    for (uint64_t w = begin / PM_WORD_BITS; begin < end && w * PM_WORD_BITS < end; w++) {
        uint64_t tokens = tokens_of(json, w, begin, end);
        const unsigned here = pmi_bits_count(tokens);
        if (count < capacity) {
            for (uint64_t extra = here - pmi_min(here, capacity - count); extra > 0; extra--)
                tokens ^= UINT64_C(1) << pmi_bits_highest(tokens);
            json->classifier->positions(&tokens, 1, w * PM_WORD_BITS, offsets + count);
        }
        count += here;
    }
    return count;
}

uint64_t pm_json_next_token(const pm_json *json, uint64_t offset) {
    const size_t next = offset < json->n ? pmi_bits_next(json->found.tokens, (size_t)json->n, (size_t)offset) : json->n;
    return next < json->n ? next : PM_BP_NONE;
}

uint64_t pm_json_partner(const pm_json *json, uint64_t offset) {
    if (offset >= json->n || !pmi_bits_get(json->found.brackets, offset))
        return PM_BP_NONE;
    const uint64_t w = offset / PM_WORD_BITS;
    const uint64_t upto = json->found.brackets[w] & pmi_bits_low((unsigned)(offset % PM_WORD_BITS) + 1);
    return json->partners[json->found.before[w] + pmi_bits_count(upto)];
}

/* ---- Values ---- */

uint64_t pm_json_root(const pm_json *json) {
    return pm_json_next_token(json, 0);
}

pm_json_kind pm_json_kind_of(const pm_json *json, uint64_t value) {
    if (!begins_token(json, value))
        return PM_JSON_NONE;
    switch (json->text[value]) {
    case '{':
        return PM_JSON_OBJECT;
    case '[':
        return PM_JSON_ARRAY;
    case '"':
        return PM_JSON_STRING;
    case '}':
    case ']':
    case ',':
    case ':':
        return PM_JSON_NONE;
    default:
        return PM_JSON_SCALAR;
    }
}

uint64_t pm_json_skip(const pm_json *json, uint64_t value) {
    switch (pm_json_kind_of(json, value)) {
    case PM_JSON_NONE:
        return PM_BP_NONE;
    case PM_JSON_OBJECT:
    case PM_JSON_ARRAY:
        return pm_json_partner(json, value) + 1;
    default:
        break;
    }
    uint64_t end = pmi_min(pm_json_next_token(json, value + 1), json->n);
    while (pmi_json_is_white(json->text[end - 1]))
        end--;
    return end;
}

/* The token behind a value or key; PM_BP_NONE at the end of the text. */
static uint64_t token_behind(const pm_json *json, uint64_t value) {
    const pm_json_kind kind = pm_json_kind_of(json, value);
    if (kind == PM_JSON_NONE)
        return PM_BP_NONE;
    const bool container = kind == PM_JSON_OBJECT || kind == PM_JSON_ARRAY;
    return pm_json_next_token(json, (container ? pm_json_partner(json, value) : value) + 1);
}

uint64_t pm_json_first(const pm_json *json, uint64_t container) {
    const unsigned char open = token_at(json, container);
    if (open != '{' && open != '[')
        return PM_BP_NONE;
    const uint64_t first = pm_json_next_token(json, container + 1);
    return pm_json_kind_of(json, first) == PM_JSON_NONE ? PM_BP_NONE : first;
}

uint64_t pm_json_member(const pm_json *json, uint64_t key) {
    const uint64_t colon = token_at(json, key) == '"' ? pm_json_next_token(json, key + 1) : PM_BP_NONE;
    return token_at(json, colon) == ':' ? pm_json_next_token(json, colon + 1) : PM_BP_NONE;
}

uint64_t pm_json_next(const pm_json *json, uint64_t item) {
    const uint64_t value = pm_json_member(json, item);
    const uint64_t comma = token_behind(json, value != PM_BP_NONE ? value : item);
    return token_at(json, comma) == ',' ? pm_json_next_token(json, comma + 1) : PM_BP_NONE;
}

uint64_t pm_json_count(const pm_json *json, uint64_t container) {
    uint64_t count = 0;
    for (uint64_t item = pm_json_first(json, container); item != PM_BP_NONE; item = pm_json_next(json, item))
        count++;
    return count;
}
