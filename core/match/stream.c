/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streaming form: a stack of far opens in which the open elements of 64 consecutive indices share one entry.
 * Long stretches that want matches go to an engine, in chunks that begin with an entry.
 *
 * What else is pushed is cut into slices that fall into one entry each, and a slice is reduced to its far closes and
 * its far opens: at once, or element by element where matches are asked for. Its far closes pop whole entries at a
 * time, and its far opens are pushed as one mask.
 */
#include "base/stack.h"
#include "core/context/context.h"
#include "core/match/stream_chunk.h"

/* Opens still on the stack among elements base ... base + 63; base is a multiple of 64. */
typedef struct survivors {
    uint64_t base;
    uint64_t mask;
} survivors;

struct pm_stream {
    pm_allocator allocator;
    pmi_stack below;   /* entries, finished ones */
    survivors current; /* of the entry that the next element falls in, or of the entry last uncovered by pops */
    uint64_t position; /* elements pushed */
    bool skipped;      /* may opens be at odd distances, since pm_stream_skip() gave some or left elements out? */
    pm_bic total;
    pm_status failure; /* met by a push since the last finish */
    pmi_stream_chunk chunk;
};

static void stream_reset(pm_stream *stream) {
    pmi_stack_clear(&stream->below);
    stream->current = (survivors){0, 0};
    stream->position = 0;
    stream->skipped = false;
    stream->total = (pm_bic){0, 0};
    stream->failure = PM_OK;
}

pm_status pm_stream_create(pm_context *context, pm_stream **stream) {
    if (!stream)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    *stream = pmi_memory_allocate(&allocator, 1, sizeof **stream);
    if (!*stream)
        return PM_OUT_OF_MEMORY;
    (*stream)->allocator = allocator;
    (*stream)->chunk.engine = pmi_simd_of(context)->engine;
    pmi_stack_init(&(*stream)->below, &allocator, sizeof(pmi_stream_entry));
    stream_reset(*stream);
    return PM_OK;
}

void pm_stream_destroy(pm_stream *stream) {
    if (!stream)
        return;
    pmi_stack_clear(&stream->below);
    const pm_allocator allocator = stream->allocator;
    pmi_memory_free(&allocator, stream);
}

/* The opens of an entry, of which `length` elements are there, that are left on the stack. */
static survivors entry_survivors(pmi_stream_entry entry, unsigned length) {
    if (pmi_stream_entry_is_mask(entry))
        return (survivors){pmi_stream_entry_base(entry), entry.bits};
    const uint64_t mask = pmi_word_reduce(entry.bits, length).far_opens;
    const unsigned gone = pmi_bits_count(mask) - pmi_stream_entry_count(entry);
    return (survivors){pmi_stream_entry_base(entry), pmi_bits_drop_highest(mask, gone)};
}

/* Makes an entry with opens on the stack the current one. Returns false if the stack is empty. */
static bool stream_uncover(pm_stream *stream) {
    if (stream->current.mask == 0) {
        const pmi_stream_entry *below = pmi_stack_top(&stream->below);
        if (!below)
            return false;
        stream->current = entry_survivors(*below, PM_WORD_BITS);
        pmi_stack_pop(&stream->below);
    }
    return true;
}

/* Pops as many opens as there are closes, or all: whole entries at a time. */
static void stream_close(pm_stream *stream, unsigned closes) {
    while (closes > 0 && stream_uncover(stream)) {
        const unsigned here = pmi_bits_count(stream->current.mask);
        if (closes >= here) {
            stream->current.mask = 0;
            closes -= here;
        } else {
            stream->current.mask = pmi_bits_drop_highest(stream->current.mask, closes);
            closes = 0;
        }
    }
}

/* Puts a finished entry on the stack. */
static bool stream_put(pm_stream *stream, pmi_stream_entry entry) {
    pmi_stream_entry *const pushed = pmi_stack_push(&stream->below);
    if (pushed)
        *pushed = entry;
    return pushed != NULL;
}

/* Puts away what is left of the current entry if it is not the one at `base`, which is the current one then. */
static bool stream_begin(pm_stream *stream, uint64_t base) {
    survivors left = stream->current;
    if (left.base == base)
        return true;
    stream->current = (survivors){base, 0};
    for (uint64_t opens; left.mask != 0; left.mask ^= opens) {
        opens = stream->skipped ? pmi_stream_entry_first_opens(left.mask) : left.mask;
        if (!stream_put(stream, pmi_stream_entry_make(left.base, pmi_bits_count(opens), opens)))
            return false;
    }
    return true;
}

/* Pushes opens, of which the lowest bit stands for the element at `position`. */
static bool stream_open(pm_stream *stream, uint64_t opens) {
    if (opens == 0)
        return true;
    const unsigned shift = stream->position % PM_WORD_BITS;
    if (!stream_begin(stream, stream->position - shift))
        return false;
    stream->current.mask |= opens << shift;
    return true;
}

/* Reduces a slice, and closes what its far closes close. */
static pmi_word_slice stream_account(pm_stream *stream, uint64_t parens, unsigned length) {
    const pmi_word_slice reduced = pmi_word_reduce(parens, length);
    stream_close(stream, reduced.far_closes);
    return reduced;
}

/* The same element by element, with the match of each: the last open of the slice itself, else of the stack below. */
static pmi_word_slice stream_match(pm_stream *stream, uint64_t parens, unsigned length, uint64_t *match) {
    pmi_word_slice reduced = {0, 0};
    for (unsigned i = 0; i < length; i++) {
        const bool open = parens >> i & 1;
        if (reduced.far_opens != 0) {
            const unsigned top = pmi_bits_highest(reduced.far_opens);
            match[i] = stream->position + top;
            reduced.far_opens ^= (uint64_t)!open << top;
        } else {
            const bool below = stream_uncover(stream);
            const unsigned top = below ? pmi_bits_highest(stream->current.mask) : 0;
            match[i] = below ? stream->current.base + top : PM_BP_NONE;
            stream->current.mask ^= (uint64_t)(below && !open) << top;
            reduced.far_closes += !open;
        }
        reduced.far_opens |= (uint64_t)open << i;
    }
    return reduced;
}

/* Pushes elements from i on, as many as the current entry takes. Returns their number; 0 if there is no memory. */
static size_t push_slice(pm_stream *stream, const uint64_t *parens, size_t n, size_t i, uint64_t *match) {
    const size_t left = n - i, room = PM_WORD_BITS - stream->position % PM_WORD_BITS;
    const unsigned length = (unsigned)(left < room ? left : room);
    const uint64_t word = pmi_bits_from(parens, n, i);
    const pmi_word_slice next =
        match ? stream_match(stream, word, length, match) : stream_account(stream, word, length);
    if (!stream_open(stream, next.far_opens))
        return 0;
    stream->total = pmi_bic_multiply(stream->total, (pm_bic){next.far_closes, pmi_bits_count(next.far_opens)});
    stream->position += length;
    return length;
}

static size_t push_slice_32(pm_stream *stream, const uint64_t *parens, size_t n, size_t i, uint32_t *match) {
    uint64_t wide[PM_WORD_BITS];
    const size_t length = push_slice(stream, parens, n, i, wide);
    for (size_t k = 0; k < length; k++)
        match[k] = (uint32_t)wide[k]; /* "none" becomes "none" */
    return length;
}

/* The same with an engine, from the beginning of an entry on; one of match and match_32 is NULL. */
static size_t push_chunk(pm_stream *stream, const uint64_t *parens, size_t n, size_t i, uint64_t *match,
                         uint32_t *match_32) {
    pmi_stream_chunk *const chunk = &stream->chunk;
    if (!stream_begin(stream, stream->position))
        return 0;
    const uint64_t open_below = stream->total.open;
    pmi_stream_chunk_load(chunk, parens, n, i, stream->position);
    const bool past_caches = match && pmi_results_should_stream(n * sizeof *match);
    stream->total.close += pmi_stream_chunk_match(chunk, &stream->below, past_caches, match, match_32);
    stream->total.open = open_below - chunk->borrowed_opens + chunk->far.depth;
    stream->position += chunk->length;
    for (size_t k = 0; k < chunk->far.used; k++) {
        const pmi_stream_entry entry = pmi_stream_chunk_survivor(chunk, k);
        const uint64_t begun = stream->position - pmi_stream_entry_base(entry);
        if (begun < PM_WORD_BITS)
            stream->current = entry_survivors(entry, (unsigned)begun);
        else if (!stream_put(stream, entry))
            return 0;
    }
    return chunk->length;
}

/* Elements from which on a chunk is faster than slices. */
#define CHUNK_SHORTEST 192u

/* Pushes all elements; at least one of match and match_32 is NULL. */
static pm_status push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match, uint32_t *match_32) {
    for (size_t i = 0, length; i < n; i += length) {
        uint64_t *const to = match ? match + i : NULL;
        uint32_t *const to_32 = match_32 ? match_32 + i : NULL;
        if ((to || to_32) && n - i >= CHUNK_SHORTEST && stream->position % PM_WORD_BITS == 0)
            length = push_chunk(stream, parens, n, i, to, to_32);
        else
            length = to_32 ? push_slice_32(stream, parens, n, i, to_32) : push_slice(stream, parens, n, i, to);
        if (length == 0)
            return stream->failure = PM_OUT_OF_MEMORY;
    }
    return PM_OK;
}

pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match) {
    if (!stream || (n > 0 && !parens))
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    return n > UINT64_MAX - stream->position ? PM_TOO_LARGE : push(stream, parens, n, match, NULL);
}

pm_status pm_stream_push_u32(pm_stream *stream, const uint64_t *parens, size_t n, uint32_t *match) {
    if (!match || !stream || (n > 0 && !parens))
        return pm_stream_push(stream, parens, n, NULL);
    if (stream->failure != PM_OK)
        return stream->failure;
    const bool too_large = n > 0 && (n > PM_NONE || stream->position > PM_NONE - n);
    return too_large ? PM_TOO_LARGE : push(stream, parens, n, NULL, match);
}

/* The index behind the highest open of a word that has one. */
static uint64_t opens_end(pm_open_word word) {
    return word.first + pmi_bits_highest(word.opens) + 1;
}

/* Are the opens in order, after what has been pushed and before `position`? */
static bool opens_in_order(uint64_t pushed, uint64_t position, const pm_open_word *opens, size_t count) {
    const pm_open_word *last = NULL; /* that has opens */
    for (size_t k = 0; k < count; k++) {
        if (opens[k].opens == 0)
            continue;
        if (opens[k].first > UINT64_MAX - PM_WORD_BITS)
            return false;
        const bool apart = opens[k].first >= (last ? last->first + PM_WORD_BITS : pushed); /* mostly */
        if (!apart && opens[k].first + pmi_bits_lowest(opens[k].opens) < (last ? opens_end(*last) : pushed))
            return false;
        last = &opens[k];
    }
    return (last ? opens_end(*last) : pushed) <= position;
}

/* Returns the number of words, without the last, that are an entry each, of which neither the one before nor the one
 * after has a part. */
static size_t opens_in_entries(const pm_stream *stream, const pm_open_word *opens, size_t count) {
    size_t k = 0;
    if (count > 0 && opens->first == stream->current.base)
        return 0;
    while (k + 1 < count && opens[k].first % PM_WORD_BITS == 0 && opens[k].opens != 0 && opens[k + 1].opens != 0 &&
           opens[k + 1].first >= opens[k].first + PM_WORD_BITS &&
           pmi_stream_entry_first_opens(opens[k].opens) == opens[k].opens)
        k++;
    return k;
}

/* Puts such words on the stack. */
static bool stream_restore_entries(pm_stream *stream, const pm_open_word *opens, size_t count) {
    if (count > 0 && !stream_begin(stream, opens->first))
        return false;
    for (size_t k = 0, some; k < count; k += some) {
        uint64_t sum = 0;
        some = count - k;
        pmi_stream_entry *const entries = pmi_stack_push_some(&stream->below, &some);
        if (!entries)
            return false;
        for (size_t j = 0; j < some; j++) {
            const unsigned here = pmi_bits_count(opens[k + j].opens);
            entries[j] = pmi_stream_entry_make(opens[k + j].first, here, opens[k + j].opens);
            sum += here;
        }
        stream->total.open += sum;
    }
    return true;
}

/* Puts a word of opens, which falls into at most two entries, on the stack. */
static bool stream_restore(pm_stream *stream, pm_open_word word) {
    const unsigned shift = word.first % PM_WORD_BITS;
    const survivors low = {word.first - shift, word.opens << shift};
    const survivors high = {low.base + PM_WORD_BITS, shift > 0 ? word.opens >> (PM_WORD_BITS - shift) : 0};
    if (low.mask != 0) {
        if (!stream_begin(stream, low.base))
            return false;
        stream->current.mask |= low.mask;
    }
    if (high.mask != 0) {
        if (!stream_begin(stream, high.base))
            return false;
        stream->current.mask |= high.mask;
    }
    stream->total.open += pmi_bits_count(word.opens);
    return true;
}

pm_status pm_stream_skip(pm_stream *stream, uint64_t position, const pm_open_word *opens, size_t count) {
    if (!stream || (count > 0 && !opens))
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    if (!opens_in_order(stream->position, position, opens, count))
        return PM_INVALID_ARGUMENT;
    stream->skipped = true;
    for (size_t k = 0; k < count; k++) {
        const size_t entries = opens_in_entries(stream, opens + k, count - k);
        const bool kept = stream_restore_entries(stream, opens + k, entries);
        k += entries;
        if (!kept || !stream_restore(stream, opens[k]))
            return stream->failure = PM_OUT_OF_MEMORY;
    }
    stream->position = position;
    return PM_OK;
}

pm_status pm_stream_finish(pm_stream *stream, pm_bic *total) {
    if (!stream)
        return PM_INVALID_ARGUMENT;
    const pm_status status = stream->failure;
    if (total && status == PM_OK)
        *total = stream->total;
    stream_reset(stream);
    return status;
}

/* ---- What is open, and saved states ---- */

/* Opens that are still to be stored. */
typedef struct open_list {
    uint64_t *opens;
    size_t stored, capacity;
} open_list;

static bool list_survivors(open_list *list, survivors left) {
    for (; left.mask != 0 && list->stored < list->capacity; left.mask = pmi_bits_drop_highest(left.mask, 1))
        list->opens[list->stored++] = left.base + pmi_bits_highest(left.mask);
    return list->stored < list->capacity;
}

static bool list_entry(const void *entry, void *user) {
    return list_survivors(user, entry_survivors(*(const pmi_stream_entry *)entry, PM_WORD_BITS));
}

pm_status pm_stream_open(const pm_stream *stream, uint64_t *opens, size_t capacity, uint64_t *count) {
    if (!stream || (capacity > 0 && !opens))
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    open_list list = {opens, 0, capacity};
    if (list_survivors(&list, stream->current))
        pmi_stack_visit_down(&stream->below, list_entry, &list);
    if (count)
        *count = stream->total.open;
    return PM_OK;
}

struct pm_stream_state {
    const pm_stream *stream;
    pmi_stack below;
    survivors current;
    uint64_t position;
    bool skipped;
    pm_bic total;
};

pm_status pm_stream_save(pm_stream *stream, pm_stream_state **state) {
    if (!state)
        return PM_INVALID_ARGUMENT;
    *state = NULL;
    if (!stream)
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    pm_stream_state *const saved = pmi_memory_allocate(&stream->allocator, 1, sizeof *saved);
    if (!saved)
        return PM_OUT_OF_MEMORY;
    *saved = (pm_stream_state){.stream = stream,
                               .current = stream->current,
                               .position = stream->position,
                               .skipped = stream->skipped,
                               .total = stream->total};
    if (!pmi_stack_save(&stream->below, &saved->below)) {
        pmi_memory_free(&stream->allocator, saved);
        return PM_OUT_OF_MEMORY;
    }
    *state = saved;
    return PM_OK;
}

pm_status pm_stream_restore(pm_stream *stream, const pm_stream_state *state) {
    if (!stream || !state || state->stream != stream)
        return PM_INVALID_ARGUMENT;
    if (!pmi_stack_reserve_for(&stream->below, &state->below))
        return PM_OUT_OF_MEMORY;
    pmi_stack_restore(&stream->below, &state->below);
    stream->current = state->current;
    stream->position = state->position;
    stream->skipped = state->skipped;
    stream->total = state->total;
    stream->failure = PM_OK;
    return PM_OK;
}

void pm_stream_state_destroy(pm_stream_state *state) {
    if (!state)
        return;
    const pm_allocator allocator = state->below.allocator;
    pmi_stack_clear(&state->below);
    pmi_memory_free(&allocator, state);
}
