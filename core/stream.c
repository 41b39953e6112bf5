/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streaming form: a stack of far opens in which the open elements of 64 consecutive indices share one entry, their
 * survivor mask. Matching stays a loop over elements; the mask makes the stack at most two bits an open.
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

/* The index on top of the stack. When the current group has no open left, the next one down becomes current. */
static uint64_t stream_top(pm_stream *stream) {
    if (stream->current.mask == 0) {
        const survivors *below = pm_stack_top(&stream->below);
        if (!below)
            return PM_NONE64;
        stream->current = *below;
        pm_stack_pop(&stream->below);
    }
    return stream->current.base + pm_bits_highest(stream->current.mask);
}

/* Pushes the element at `position`, first putting an older group away. */
static bool stream_open(pm_stream *stream) {
    const uint64_t base = stream->position - stream->position % PM_WORD_BITS;
    if (stream->current.base != base) {
        if (stream->current.mask != 0) {
            survivors *entry = pm_stack_push(&stream->below);
            if (!entry)
                return false;
            *entry = stream->current;
        }
        stream->current = (survivors){base, 0};
    }
    stream->current.mask |= UINT64_C(1) << stream->position % PM_WORD_BITS;
    stream->total.open++;
    return true;
}

/* Pops the element `top` that stream_top() has just found. */
static void stream_close(pm_stream *stream, uint64_t top) {
    if (top == PM_NONE64) {
        stream->total.close++;
    } else {
        stream->current.mask ^= UINT64_C(1) << top % PM_WORD_BITS;
        stream->total.open--;
    }
}

pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match) {
    if (!stream || (n > 0 && !parens))
        return PM_INVALID_ARGUMENT;
    if (stream->failure != PM_OK)
        return stream->failure;
    for (size_t i = 0; i < n; i++) {
        const uint64_t top = stream_top(stream);
        if (match)
            match[i] = top;
        if (!pm_bits_get(parens, i))
            stream_close(stream, top);
        else if (!stream_open(stream))
            return stream->failure = PM_OUT_OF_MEMORY;
        stream->position++;
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
