/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search of a text that arrives in chunks. What may begin in the last bytes of a chunk is not known before the next
 * one: fewer of them than the longest pattern has are kept, and searched when what follows is there.
 */
#include <string.h>

#include "core/context/context.h"
#include "core/find/find.h"

#define HITS_MIN ((size_t)1024) /* that are reported at once */

/* A search reads `reach` bytes behind its places. So that a byte is not read too often if it comes alone, places are
 * searched by an eighth of that, unless patterns are short. */
#define BATCHES 8u

struct pm_find_stream {
    pm_allocator allocator;
    const pm_dict *dict;
    const struct pmi_finder *finder;
    unsigned threads;
    pmi_find_plan plan;
    pmi_hit_sink sink, fresh; /* the latter as it was before the first hit */
    pm_status status;         /* PM_OK until a push fails */
    size_t reach;             /* bytes that patterns may have after their first */
    size_t batch;             /* places that are searched at a time if chunks are short */
    unsigned char *kept;      /* 2 * reach + batch bytes: those kept, and what follows them */
    size_t kept_size;         /* of the former; less than reach + batch */
    uint64_t base;            /* the number of the first byte kept */
};

pm_status pm_find_stream_create(pm_context *context, const pm_dict *dict, const pm_find_options *options,
                                pm_find_report report, void *user, pm_find_stream **stream) {
    if (!stream)
        return PM_INVALID_ARGUMENT;
    *stream = NULL;
    if (!dict)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    const struct pmi_finder *const finder = pmi_simd_of(context)->finder;
    pm_find_options known;
    pmi_find_plan plan = {.engine = NULL};
    pm_status status = pmi_find_options_read(options, &known);
    if (status == PM_OK)
        status = pmi_find_plan_choose(context, dict, &known, &plan);
    if (status != PM_OK)
        return status;
    const size_t reach = dict->longest > 0 ? dict->longest - 1 : 0, of_a_place = dict->nested_max;
    const size_t batch = reach < 2 * BATCHES ? 1 : reach / BATCHES;
    pmi_hit_sink sink = {.dict = dict, .kind = known.kind, .report = report, .user = user};
    if (report)
        sink.capacity = of_a_place > HITS_MIN ? of_a_place : HITS_MIN;
    pm_find_stream *const made = pmi_memory_allocate(&allocator, 1, sizeof *made);
    unsigned char *const kept = pmi_memory_allocate(&allocator, 2 * reach + batch, 1);
    sink.hits = pmi_memory_allocate(&allocator, sink.capacity, sizeof *sink.hits);
    if (!made || !kept || !sink.hits) {
        pmi_memory_free(&allocator, made);
        pmi_memory_free(&allocator, kept);
        pmi_memory_free(&allocator, sink.hits);
        return PM_OUT_OF_MEMORY;
    }
    *made = (pm_find_stream){.allocator = allocator,
                             .dict = dict,
                             .finder = finder,
                             .threads = context ? context->threads : 0,
                             .plan = plan,
                             .sink = sink,
                             .fresh = sink,
                             .status = PM_OK,
                             .reach = reach,
                             .batch = batch,
                             .kept = kept};
    *stream = made;
    return PM_OK;
}

/* Searches the first `places` of n bytes, which are the next ones of the text. */
static pm_status search(pm_find_stream *stream, const unsigned char *text, size_t n, size_t places) {
    pmi_search next = pmi_search_make(stream->dict, stream->finder, (const char *)text, n);
    next.places = places;
    next.base = stream->base;
    pm_status status = PM_OK;
    if (places > 0 && stream->dict->count > 0) {
        pmi_find_plan_divide(&stream->plan, stream->dict, places, stream->threads);
        status = pmi_find_run(&stream->allocator, &stream->plan, &next, &stream->sink);
    }
    stream->base += places;
    return status;
}

/* Bytes of n at which patterns begin that n bytes hold whole. */
static size_t places_known(const pm_find_stream *stream, size_t n) {
    return n > stream->reach ? n - stream->reach : 0;
}

static pm_status push(pm_find_stream *stream, const unsigned char *text, size_t n) {
    if (stream->kept_size > 0) {
        const size_t follows = n < stream->reach ? n : stream->reach, joined = stream->kept_size + follows;
        memcpy(stream->kept + stream->kept_size, text, follows);
        const size_t known = places_known(stream, joined);
        if (n < stream->reach && known < stream->batch) {
            stream->kept_size = joined;
            return PM_OK;
        }
        const size_t places = known < stream->kept_size ? known : stream->kept_size;
        const pm_status status = search(stream, stream->kept, joined, places);
        stream->kept_size -= places;
        if (stream->kept_size > 0) { /* it was a short chunk, and is kept whole */
            memmove(stream->kept, stream->kept + places, stream->kept_size + n);
            stream->kept_size += n;
        }
        if (status != PM_OK || stream->kept_size > 0)
            return status;
    }
    const size_t places = places_known(stream, n);
    const pm_status status = search(stream, text, n, places);
    stream->kept_size = n - places;
    memcpy(stream->kept, text + places, n - places);
    return status;
}

pm_status pm_find_stream_push(pm_find_stream *stream, const char *text, size_t n) {
    if (!stream || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (stream->status == PM_OK && n > 0) {
        stream->status = push(stream, (const unsigned char *)text, n);
        pmi_hit_sink_flush(&stream->sink);
    }
    return stream->status;
}

pm_status pm_find_stream_finish(pm_find_stream *stream, uint64_t *found) {
    if (!stream)
        return PM_INVALID_ARGUMENT;
    pm_status status = stream->status;
    if (status == PM_OK) {
        status = search(stream, stream->kept, stream->kept_size, stream->kept_size);
        pmi_hit_sink_flush(&stream->sink);
    }
    if (found)
        *found = stream->sink.found;
    stream->sink = stream->fresh;
    stream->status = PM_OK;
    stream->kept_size = 0;
    stream->base = 0;
    return status;
}

void pm_find_stream_destroy(pm_find_stream *stream) {
    if (!stream)
        return;
    const pm_allocator allocator = stream->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, stream->kept);
    pmi_memory_free(&allocator, stream->sink.hits);
    pmi_memory_free(&allocator, stream);
}
