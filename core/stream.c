/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streaming form: a stack of far opens in which the open elements of 64 consecutive indices share one entry, their
 * survivor mask. What is pushed is cut into slices that fall into one such group each, and a slice is reduced to its
 * far closes and its far opens: at once, or element by element where matches are asked for. Its far closes pop whole
 * groups at a time, and its far opens are pushed as one mask.
 */
#include "core/slice.h"
#include "core/stack.h"

/* Opens still on the stack among elements base ... base + 63; base is a multiple of 64. */
typedef struct survivors {
    uint64_t base;
    uint64_t mask;
} survivors;

struct pm_stream {
    pm_allocator allocator;
    pm_stack below;    /* survivors, of finished groups of 64 */
    survivors current; /* of the group that the next element falls in, or of the group last uncovered by pops */
    uint64_t position; /* elements pushed */
    pm_bic total;
    pm_status failure; /* met by a push since the last finish */
};

static void stream_reset(pm_stream *stream) {
    pm_stack_clear(&stream->below);
    stream->current = (survivors){0, 0};
    stream->position = 0;
    stream->total = (pm_bic){0, 0};
    stream->failure = PM_OK;
}

pm_status pm_stream_create(pm_context *context, pm_stream **stream) {
    if (!stream)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    *stream = pm_memory_allocate(&allocator, 1, sizeof **stream);
    if (!*stream)
        return PM_OUT_OF_MEMORY;
    (*stream)->allocator = allocator;
    pm_stack_init(&(*stream)->below, &allocator, sizeof(survivors));
    stream_reset(*stream);
    return PM_OK;
}

void pm_stream_destroy(pm_stream *stream) {
    if (!stream)
        return;
    pm_stack_clear(&stream->below);
    const pm_allocator allocator = stream->allocator;
    pm_memory_free(&allocator, stream);
}

/* Sees to it that the current group has an open on the stack. False where there is none at all. */
static bool stream_uncover(pm_stream *stream) {
    if (stream->current.mask == 0) {
        const survivors *below = pm_stack_top(&stream->below);
        if (!below)
            return false;
        stream->current = *below;
        pm_stack_pop(&stream->below);
    }
    return true;
}

/* Pops as many opens as there are closes, or all: whole groups at a time. */
static void stream_close(pm_stream *stream, unsigned closes) {
    while (closes > 0 && stream_uncover(stream)) {
        const unsigned here = pm_bits_count(stream->current.mask);
        if (closes >= here) {
            stream->current.mask = 0;
            closes -= here;
        } else {
            for (; closes > 0; closes--)
                stream->current.mask ^= UINT64_C(1) << pm_bits_highest(stream->current.mask);
        }
    }
}

/* Pushes opens, of which the lowest bit stands for the element at `position`; first puts an older group away. */
static bool stream_open(pm_stream *stream, uint64_t opens) {
    if (opens == 0)
        return true;
    const unsigned shift = stream->position % PM_WORD_BITS;
    const uint64_t base = stream->position - shift;
    if (stream->current.base != base) {
        if (stream->current.mask != 0) {
            survivors *entry = pm_stack_push(&stream->below);
            if (!entry)
                return false;
            *entry = stream->current;
        }
        stream->current = (survivors){base, 0};
    }
    stream->current.mask |= opens << shift;
    return true;
}

/* What is left of a slice: closes that reach below it, and opens, by their positions in it. */
typedef struct slice {
    unsigned far_closes;
    uint64_t far_opens;
} slice;

/* Reduces the first `length` elements of a word, close by close; those that no open precedes all at once. */
static slice slice_reduce(uint64_t parens, unsigned length) {
    slice reduced = {0, parens & pm_bits_low(length)};
    uint64_t closes = ~parens & pm_bits_low(length);
    while (closes != 0) {
        const uint64_t before_close = reduced.far_opens & (closes ^ (closes - 1)); /* opens before the first close */
        if (before_close != 0) {
            reduced.far_opens ^= UINT64_C(1) << pm_bits_highest(before_close);
            closes &= closes - 1;
        } else {
            const uint64_t before_open = ~reduced.far_opens & (reduced.far_opens - 1); /* everything if there is none */
            reduced.far_closes += pm_bits_count(closes & before_open);
            closes &= ~before_open;
        }
    }
    return reduced;
}

/* Reduces a slice, and closes what its far closes close. */
static slice stream_account(pm_stream *stream, uint64_t parens, unsigned length) {
    const slice reduced = slice_reduce(parens, length);
    stream_close(stream, reduced.far_closes);
    return reduced;
}

/* The same element by element, with the match of each: the last open of the slice itself, else of the stack below. */
static slice stream_match(pm_stream *stream, uint64_t parens, unsigned length, uint64_t *match) {
    slice reduced = {0, 0};
    for (unsigned i = 0; i < length; i++) {
        const bool open = parens >> i & 1;
        if (reduced.far_opens != 0) {
            const unsigned top = pm_bits_highest(reduced.far_opens);
            match[i] = stream->position + top;
            reduced.far_opens ^= (uint64_t)!open << top;
        } else {
            const bool below = stream_uncover(stream);
            const unsigned top = below ? pm_bits_highest(stream->current.mask) : 0;
            match[i] = below ? stream->current.base + top : PM_NONE64;
            stream->current.mask ^= (uint64_t)(below && !open) << top;
            reduced.far_closes += !open;
        }
        reduced.far_opens |= (uint64_t)open << i;
    }
    return reduced;
}

pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match) {
    if (!stream || (n > 0 && !parens))
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    for (size_t i = 0, length; i < n; i += length) {
        const size_t left = n - i, room = PM_WORD_BITS - stream->position % PM_WORD_BITS;
        length = left < room ? left : room;
        const uint64_t word = pm_bits_from(parens, n, i);
        const slice next = match ? stream_match(stream, word, (unsigned)length, match + i)
                                 : stream_account(stream, word, (unsigned)length);
        if (!stream_open(stream, next.far_opens))
            return stream->failure = PM_OUT_OF_MEMORY;
        stream->total = pm_bic_multiply(stream->total, (pm_bic){next.far_closes, pm_bits_count(next.far_opens)});
        stream->position += length;
    }
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
