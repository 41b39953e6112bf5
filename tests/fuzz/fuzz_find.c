/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dictionaries and searches: every engine with all vector instructions, and streams, against the definition; saved
 * dictionaries with damage.
 *
 * Input: kind and case (the lowest two bits, and the next); how often the text is repeated, and a seed for chunks (1
 * byte each); where the saved dictionary is damaged, and how (1 each); the number of patterns; of each its length and
 * its bytes; and the rest is the text.
 */
#include <string.h>

#include "core/context/context.h"
#include "core/find/dict_compile.h"
#include "core/find/find.h"
#include "inputs/families.h"
#include "tests/find/word_sets.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEADER = 6,
    PATTERNS_MOST = 64,
    TEXT_MOST = 12000,
    HITS_MOST = 40000
};

typedef struct fuzzed {
    const char *patterns[PATTERNS_MOST];
    size_t lengths[PATTERNS_MOST];
    word_set set;
    pm_find_kind kind;
    char *text;
    size_t n;
    pm_hit *expected;
    size_t count;
} fuzzed;

/* Takes the patterns; returns where the text begins. */
static size_t read_patterns(fuzzed *input, const uint8_t *bytes, size_t size) {
    const size_t count = bytes[5] % (PATTERNS_MOST + 1u);
    size_t at = HEADER;
    while (input->set.count < count && at < size) {
        const size_t left = size - at - 1, length = bytes[at] < left ? bytes[at] : left;
        input->patterns[input->set.count] = (const char *)bytes + at + 1;
        input->lengths[input->set.count++] = length;
        at += 1 + length;
    }
    input->set.patterns = input->patterns;
    input->set.lengths = input->lengths;
    return at;
}

static bool are_legal(const word_set *set) {
    for (size_t p = 0; p < set->count; p++) {
        const word_set before = {.patterns = set->patterns, .lengths = set->lengths, .count = p, .flags = set->flags};
        pm_hit hits[PATTERNS_MOST];
        if (set->lengths[p] == 0)
            return false;
        const size_t found = word_set_find(&before, set->patterns[p], set->lengths[p], hits, PATTERNS_MOST);
        for (size_t h = 0; h < found && h < PATTERNS_MOST && hits[h].start == 0; h++)
            if (hits[h].length == set->lengths[p])
                return false;
    }
    return true;
}

static void require_hits(const fuzzed *input, const pm_hit *hits, size_t found, const char *what) {
    fuzz_require(found == input->count, what);
    fuzz_require(memcmp(hits, input->expected, found * sizeof *hits) == 0, what);
}

static void try_engines(const fuzzed *input, const pm_dict *dict, pm_context *context) {
    pm_hit *const hits = fuzz_allocate(input->count, sizeof *hits);
    for (size_t e = 0; pm_find_engine_at(e); e++) {
        const pm_find_options options = {.kind = input->kind, .engine = pm_find_engine_at(e)->name};
        size_t found;
        const pm_status status =
            pm_find_with(context, dict, &options, input->text, input->n, hits, input->count, &found);
        if (status == PM_UNSUPPORTED)
            continue;
        fuzz_require(status == PM_OK, "status");
        require_hits(input, hits, found, options.engine);
    }
    free(hits);
}

/* What a stream reported. */
typedef struct collected {
    pm_hit *hits;
    size_t count, room;
} collected;

static bool collect(const pm_hit *hits, size_t count, void *user) {
    collected *const to = user;
    fuzz_require(count <= to->room - to->count, "hits of a stream");
    memcpy(to->hits + to->count, hits, count * sizeof *hits);
    to->count += count;
    return true;
}

static void try_stream(const fuzzed *input, const pm_dict *dict, uint64_t seed) {
    collected got = {.hits = fuzz_allocate(input->count, sizeof *got.hits), .room = input->count};
    const pm_find_options options = {.kind = input->kind};
    pm_find_stream *stream;
    uint64_t found;
    fuzz_require(pm_find_stream_create(NULL, dict, &options, collect, &got, &stream) == PM_OK, "stream");
    for (size_t begin = 0, length; begin < input->n; begin += length) {
        length = random_below(&seed, 1 + seed % 300);
        length = length < input->n - begin ? length : input->n - begin;
        char *const chunk = fuzz_allocate(length, 1);
        memcpy(chunk, input->text + begin, length);
        fuzz_require(pm_find_stream_push(stream, chunk, length) == PM_OK, "push");
        free(chunk);
    }
    fuzz_require(pm_find_stream_finish(stream, &found) == PM_OK && found == got.count, "finish");
    require_hits(input, got.hits, got.count, "stream");
    pm_find_stream_destroy(stream);
    free(got.hits);
}

static void try_damage(const pm_dict *dict, const uint8_t *damage) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    size_t size;
    unsigned char *const file = pmi_dict_pack(dict, &size);
    pm_dict *made = NULL;
    fuzz_require(file != NULL, "pack");
    file[damage[0] % size] ^= damage[1];
    const pm_status status = pmi_dict_unpack(&allocator, file, size, &made);
    fuzz_require(status == (damage[1] == 0 ? PM_OK : PM_CORRUPT), "damage");
    pm_dict_destroy(made);
    pmi_memory_free(&allocator, file);
}

static void try_dictionary(fuzzed *input, const uint8_t *bytes) {
    pm_dict *dict;
    const bool legal = are_legal(&input->set);
    const pm_status status =
        pm_dict_create(NULL, input->patterns, input->lengths, input->set.count, input->set.flags, &dict);
    fuzz_require(status == (legal ? PM_OK : PM_INVALID_ARGUMENT), "patterns");
    if (!legal)
        return;
    input->count = word_set_find(&input->set, input->text, input->n, input->expected, HITS_MOST);
    if (input->count <= HITS_MOST) {
        input->count = word_hits_select(input->kind, input->expected, input->count);
        for (size_t s = 0; pm_simd_at(s); s++) {
            const pm_options options = {.simd = pm_simd_at(s)->name, .threads = 1};
            pm_context *context;
            if (!pm_simd_at(s)->supported)
                continue;
            fuzz_require(pm_context_create(&options, &context) == PM_OK, "context");
            try_engines(input, dict, context);
            pm_context_destroy(context);
        }
        try_stream(input, dict, bytes[2]);
    }
    try_damage(dict, bytes + 3);
    pm_dict_destroy(dict);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < HEADER)
        return 0;
    fuzzed input = {.set.flags = bytes[0] / 4 % 2, .kind = (pm_find_kind)(bytes[0] % 4)};
    const size_t at = read_patterns(&input, bytes, size), once = size - at, times = 1 + (size_t)bytes[1] * bytes[1];
    input.n = once * times < TEXT_MOST ? once * times : TEXT_MOST;
    input.text = fuzz_allocate(input.n, 1);
    for (size_t i = 0; i < input.n; i++)
        input.text[i] = (char)bytes[at + i % once];
    input.expected = fuzz_allocate(HITS_MOST, sizeof *input.expected);
    try_dictionary(&input, bytes);
    free(input.expected);
    free(input.text);
    return 0;
}
