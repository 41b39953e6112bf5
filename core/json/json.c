/* SPDX-License-Identifier: Apache-2.0 */
/* Making the index of a JSON text: memory, and the text word by word. */
#include "core/json/json.h"

#include <string.h>

#include "base/sizes.h"
#include "core/context/context.h"

/* Bytes of text for a bracket, as room is made at first. */
#define BYTES_A_BRACKET 32u

/* ---- Memory ---- */

/* Moves an array to a block of at least twice its room. */
static bool grow(const pm_allocator *allocator, void **array, size_t *room, size_t used, size_t count, size_t size) {
    if (count <= *room)
        return true;
    const size_t wider = count > 2 * *room ? count : 2 * *room;
    void *const block = pmi_memory_allocate(allocator, wider, size);
    if (!block)
        return false;
    if (used > 0)
        memcpy(block, *array, used * size);
    pmi_memory_free(allocator, *array);
    *array = block;
    *room = wider;
    return true;
}

bool pmi_json_reserve_partners(pm_json *json, size_t used, size_t count) {
    void *array = json->partners;
    const bool grown = grow(&json->allocator, &array, &json->partners_room, used, count, sizeof *json->partners);
    json->partners = array;
    return grown;
}

bool pmi_json_reserve_stack(pm_json *json, size_t used, size_t count) {
    void *array = json->stack;
    const bool grown = grow(&json->allocator, &array, &json->stack_room, used, count, sizeof *json->stack);
    json->stack = array;
    return grown;
}

/* The three arrays with an entry a word are one block. */
bool pmi_json_reserve_words(pm_json *json, size_t words) {
    if (words > json->words_room || !json->found.tokens) {
        const size_t size = 2 * sizeof *json->found.tokens + sizeof *json->found.before;
        uint64_t *const block = pmi_memory_allocate(&json->allocator, words, size);
        if (!block)
            return false;
        pmi_memory_free(&json->allocator, json->found.tokens);
        json->found.tokens = block;
        json->words_room = words;
    }
    json->found.brackets = json->found.tokens + json->words_room;
    json->found.before = (uint32_t *)(json->found.brackets + json->words_room);
    return true;
}

size_t pm_json_size_in_bytes(const pm_json *json) {
    return sizeof *json + json->words_room * (2 * sizeof *json->found.tokens + sizeof *json->found.before) +
           json->partners_room * sizeof *json->partners + json->stack_room * sizeof *json->stack;
}

/* ---- Reading ---- */

size_t pmi_json_words(size_t n) {
    return (size_t)pmi_divide_up(n, PM_JSON_STEP * PM_WORD_BITS) * PM_JSON_STEP;
}

static bool reserve_first(pm_json *json, size_t n) {
    const size_t words = pmi_json_words(n), most = (size_t)pmi_min(words, PM_JSON_WORDS);
    if (!pmi_json_reserve_words(json, words) ||
        !pmi_json_reserve_stack(json, 0, PM_JSON_BENEATH + most * PM_WORD_BITS) ||
        !pmi_json_reserve_partners(json, 0, 1 + most * PM_WORD_BITS + PM_JSON_SLACK + n / BYTES_A_BRACKET))
        return false;
    for (size_t k = 0; k < PM_JSON_BENEATH; k++)
        json->stack[k] = (pmi_json_open){.kind = PM_JSON_IN_NOTHING};
    return true;
}

/* Makes room for the brackets of some words, in arrays that may move. */
static bool reserve_more(pm_json *json, pmi_json_state *state, size_t words) {
    const size_t brackets = (size_t)state->brackets + 1, opens = (size_t)(state->top - json->stack) + 1;
    if (!pmi_json_reserve_partners(json, brackets, brackets + words * PM_WORD_BITS + PM_JSON_SLACK) ||
        !pmi_json_reserve_stack(json, opens, opens + words * PM_WORD_BITS))
        return false;
    state->partners = json->partners;
    state->bottom = json->stack + PM_JSON_BENEATH - 1;
    state->top = json->stack + opens - 1;
    return true;
}

/* Reads words of text, the first of which is word `w`: a multiple of PM_JSON_WORDS, or fewer at once. */
static pm_status read_words(pm_json *json, pmi_json_state *state, const unsigned char *text, size_t w, size_t words) {
    const size_t now = (size_t)pmi_min(words, PM_JSON_WORDS);
    for (size_t done = 0; done < words; done += now) {
        const pmi_json_found found = {json->found.tokens + w + done, json->found.brackets + w + done,
                                      json->found.before + w + done};
        if (!reserve_more(json, state, now))
            return PM_OUT_OF_MEMORY;
        if (!json->kernel->read(state, text + done * PM_WORD_BITS, now, &found))
            return PM_CORRUPT;
    }
    return PM_OK;
}

/* Reads the bytes behind the last whole block, with blanks behind them. */
static pm_status read_rest(pm_json *json, pmi_json_state *state, const unsigned char *text, size_t n) {
    unsigned char padded[PM_JSON_WORDS * PM_WORD_BITS];
    const size_t rest = n % sizeof padded, words = pmi_json_words(rest);
    if (rest == 0)
        return PM_OK;
    memcpy(padded, text + n - rest, rest);
    memset(padded + rest, ' ', words * PM_WORD_BITS - rest);
    return read_words(json, state, padded, (n - rest) / PM_WORD_BITS, words);
}

static pm_status read_text(pm_json *json, const unsigned char *text, size_t n) {
    if (!reserve_first(json, n))
        return PM_OUT_OF_MEMORY;
    pmi_json_state state = {.after_separator = 1, /* a value is expected */
                            .top = json->stack + PM_JSON_BENEATH - 1};
    pm_status status = read_words(json, &state, text, 0, n / PM_WORD_BITS / PM_JSON_WORDS * PM_JSON_WORDS);
    if (status == PM_OK)
        status = read_rest(json, &state, text, n);
    if (status != PM_OK)
        return status;
    json->token_count = state.tokens;
    const bool ended = state.tokens > 0 && state.top == state.bottom && !state.inside;
    return ended && state.continuations == 0 ? PM_OK : PM_CORRUPT;
}

pm_status pmi_json_finish(pm_json *json, pm_status status, const char *text, size_t n, pm_diagnostic *fault) {
    const unsigned char *const bytes = (const unsigned char *)(text ? text : ""); /* n may be 0 */
    if (status == PM_OK) {
        json->text = bytes;
        json->n = n;
        return PM_OK;
    }
    json->token_count = 0;
    return status == PM_CORRUPT && fault ? pmi_json_fault(json, bytes, n, fault) : status;
}

pm_status pm_json_read(pm_json *json, const char *text, size_t n, pm_diagnostic *fault) {
    if (!json || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    json->n = json->token_count = 0;
    if (n > PM_JSON_BYTES_MAX)
        return PM_TOO_LARGE;
    return pmi_json_finish(json, read_text(json, (const unsigned char *)text, n), text, n, fault);
}

/* ---- Creating ---- */

pm_status pmi_json_allocate(pm_context *context, pm_json **json) {
    const pm_allocator allocator = pm_context_allocator(context);
    *json = pmi_memory_allocate(&allocator, 1, sizeof **json);
    if (!*json)
        return PM_OUT_OF_MEMORY;
    const pmi_simd_target *const simd = pmi_simd_of(context);
    **json = (pm_json){.allocator = allocator, .kernel = simd->json, .classifier = simd->classifier};
    return PM_OK;
}

pm_status pm_json_create(pm_context *context, const char *text, size_t n, pm_diagnostic *fault, pm_json **json) {
    if (!json)
        return PM_INVALID_ARGUMENT;
    *json = NULL;
    pm_json *made;
    pm_status status = pmi_json_allocate(context, &made);
    if (status != PM_OK)
        return status;
    status = pm_json_read(made, text, n, fault);
    if (status == PM_OK)
        *json = made;
    else
        pm_json_destroy(made);
    return status;
}

void pm_json_destroy(pm_json *json) {
    if (!json)
        return;
    const pm_allocator allocator = json->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, json->found.tokens);
    pmi_memory_free(&allocator, json->partners);
    pmi_memory_free(&allocator, json->stack);
    pmi_memory_free(&allocator, json);
}
