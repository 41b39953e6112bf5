/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a long text of tags by several threads. Each slice is read as if it began outside of tags and regions.
 * That is right if its first tag or region begins at or behind where the last one before it ends; if not, the caller
 * reads it once more from there. What a slice closes that it has not opened is matched when the slices are put
 * together.
 *
 * Texts with faults are left to one thread, which reports them in order.
 */
#include "base/memory.h"
#include "base/sizes.h"
#include "core/delimiters/tags/check.h"
#include "cpu/threads.h"

#define OPENS_MAX ((size_t)8192) /* that a slice may leave open, and that it may close */
#define NOWHERE SIZE_MAX

typedef struct tag_slice {
    size_t begin, stop;
    size_t first, end; /* where its first tag or region begins, and where the last one that begins in it ends */
    uint64_t newlines; /* from begin to stop */
    uint64_t rise;     /* how much deeper it gets than it begins, at most */
    size_t closes;     /* tags that close what is open before it */
    bool failed;       /* something is wrong, or there is too much to note */
    pmi_tag_stack stack;
    pmi_token_scan scan;
    pmi_tag_reader reader;
    uint64_t close_at[OPENS_MAX], opens[PM_TAGS_BENEATH + OPENS_MAX + PM_TAG_ROOM + 1];
} tag_slice;

typedef struct slices_job {
    const pmi_token_scan *scan;
    const pmi_simd_target *simd;
    size_t slice_bytes, count;
    tag_slice *slices;
} slices_job;

/* ---- One slice, on any thread ---- */

/* Notes how deep the slice has been since it closed something that was open before it. */
static void note_rise(tag_slice *slice) {
    const uint64_t deepest = slice->stack.deepest, closes = slice->closes;
    if (deepest > closes && deepest - closes > slice->rise)
        slice->rise = deepest - closes;
}

static void take_close(tag_slice *slice, const pmi_tag *tag) {
    pmi_tag_stack *const stack = &slice->stack;
    stack->count++;
    if (stack->depth > 0) {
        slice->failed |= !pmi_tag_closes(&slice->scan, (size_t)stack->opens[--stack->depth], tag);
    } else if (slice->closes < OPENS_MAX) {
        note_rise(slice);
        stack->deepest = 0;
        slice->close_at[slice->closes++] = tag->begin;
    } else {
        slice->failed = true;
    }
}

/* Takes tag k. False: it has been read wrongly. */
static bool take_tag(tag_slice *slice, size_t k) {
    pmi_tag_stack *const stack = &slice->stack;
    pmi_tag tag;
    if (!pmi_tag_reader_tag(&slice->reader, k, &tag))
        return false;
    if (tag.closes) {
        take_close(slice, &tag);
    } else if (slice->scan.text[tag.end - 2] != '/') {
        stack->count++;
        stack->opens[stack->depth++] = tag.begin;
        if (stack->depth > stack->deepest)
            stack->deepest = stack->depth;
    }
    return true;
}

/* Takes the first `count` tags of a batch. Returns how many it took before one that has been read wrongly. */
static size_t take_tags(tag_slice *slice, size_t count) {
    const pmi_tag_reader *const reader = &slice->reader;
    const bool kernel = reader->kernel && slice->scan.n - reader->ends[count - 1] >= PM_TAGS_AHEAD;
    size_t k = 0;
    while (k < count) {
        if (kernel)
            k +=
                reader->kernel->match(&slice->stack, slice->scan.text, reader->begins + k, reader->ends + k, count - k);
        if (k < count && !take_tag(slice, k))
            break;
        k += k < count;
    }
    return k;
}

/* Reads on until a tag begins behind the slice, or the reader is there. */
static void read_tags(tag_slice *slice) {
    pmi_tag_reader *const reader = &slice->reader;
    for (bool more = true; more && !slice->failed && pmi_tag_reader_next(reader);) {
        size_t count = reader->places.end_count;
        while (count > 0 && reader->begins[count - 1] >= slice->stop)
            count--;
        more = count == reader->places.end_count;
        const size_t taken = count > 0 ? take_tags(slice, count) : 0;
        if (taken > 0) {
            slice->first = slice->first == NOWHERE ? (size_t)reader->begins[0] : slice->first;
            slice->end = (size_t)reader->ends[taken - 1] + 1;
        }
        if (taken < count) {
            pmi_tag_reader_again(reader, (size_t)reader->begins[taken]);
            more = true;
        }
        slice->failed |= slice->stack.depth > OPENS_MAX;
    }
}

/* Reads what begins from byte `at` of a slice on. */
static void read_slice_from(const slices_job *job, tag_slice *slice, size_t at) {
    const size_t n = job->scan->n, most = slice->stop + job->slice_bytes;
    slice->scan = *job->scan;
    slice->scan.n = n < most ? n : most; /* a longer tag or region is left to one thread */
    slice->scan.cut = PM_CUT_NONE;
    slice->stack = (pmi_tag_stack){.opens = slice->opens + PM_TAGS_BENEATH};
    slice->first = NOWHERE;
    slice->end = at;
    slice->closes = 0;
    slice->rise = 0;
    slice->failed = false;
    pmi_tag_reader_begin(&slice->reader, &slice->scan, job->simd);
    pmi_tag_reader_begin_at(&slice->reader, at, slice->stop);
    read_tags(slice);
    note_rise(slice);
    slice->failed |= slice->scan.cut < slice->stop;
    if (slice->reader.region_first < slice->first)
        slice->first = slice->reader.region_first;
    if (slice->reader.region_behind > slice->end)
        slice->end = slice->reader.region_behind;
}

static void read_slice(size_t item, unsigned thread, void *user) {
    const slices_job *const job = user;
    tag_slice *const slice = &job->slices[item];
    (void)thread;
    read_slice_from(job, slice, slice->begin);
    slice->newlines = pmi_tag_reader_newlines(&slice->reader, slice->stop);
}

/* ---- All slices ---- */

static bool closes_open(const slices_job *job, size_t begin, size_t close) {
    const unsigned char *const text = job->scan->text;
    pmi_tag tag = {.begin = close, .name = close + 2, .name_end = close + 2};
    while (!(job->scan->pairs->families[0].roles[text[tag.name_end]] & PM_TAG_NAME_ENDS))
        tag.name_end++;
    return pmi_tag_closes(job->scan, begin, &tag);
}

/* Do the slice's closes close what is open before it? */
static bool fits(const slices_job *job, const tag_slice *slice, const pmi_tag_stack *stack) {
    if (slice->failed || slice->closes > stack->depth)
        return false;
    for (size_t k = 0; k < slice->closes; k++)
        if (!closes_open(job, (size_t)stack->opens[stack->depth - 1 - k], (size_t)slice->close_at[k]))
            return false;
    return true;
}

/* Puts a slice behind those before it. False: there is no memory. */
static bool apply(pmi_tag_check *check, const tag_slice *slice, pmi_tag_stack *stack) {
    if (stack->depth + slice->rise > stack->deepest)
        stack->deepest = stack->depth + slice->rise;
    stack->depth -= slice->closes;
    if (!pmi_tag_check_reserve(check, stack, (size_t)slice->stack.depth))
        return false;
    memcpy(stack->opens + stack->depth, slice->stack.opens, (size_t)slice->stack.depth * sizeof *stack->opens);
    stack->depth += slice->stack.depth;
    stack->count += slice->stack.count;
    return true;
}

/* Reads job->count slices from `begin` on; *end: where the last tag or region before them ends. */
static bool read_round(pmi_tag_check *check, slices_job *job, pmi_token_scan *scan, size_t begin, unsigned threads,
                       pmi_tag_stack *stack, size_t *end) {
    for (size_t k = 0; k < job->count; k++) {
        tag_slice *const slice = &job->slices[k];
        slice->begin = begin + k * job->slice_bytes;
        slice->stop = scan->n - slice->begin < job->slice_bytes ? scan->n : slice->begin + job->slice_bytes;
    }
    pmi_threads_run(threads, job->count, read_slice, job);
    for (size_t k = 0; k < job->count; k++) {
        tag_slice *const slice = &job->slices[k];
        const size_t from = *end > slice->begin ? *end : slice->begin;
        check->found.lines += slice->newlines;
        if (from >= slice->stop)
            continue;
        if (slice->first >= *end && fits(job, slice, stack)) {
            if (!apply(check, slice, stack))
                return false;
            *end = slice->end > *end ? slice->end : *end;
        } else if (!pmi_tag_check_range(check, &slice->reader, scan, job->simd, stack, from, slice->stop, end)) {
            return false;
        }
    }
    return true;
}

bool pmi_tag_check_slices(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd, size_t slice_bytes,
                          unsigned threads) {
    const size_t all = pmi_divide_up(scan->n, slice_bytes), room = pmi_min((size_t)threads * PM_SLICES_PER_THREAD, all);
    slices_job job = {.scan = scan, .simd = simd, .slice_bytes = slice_bytes};
    pmi_tag_stack stack = {.opens = check->memory->opens ? check->memory->opens + PM_TAGS_BENEATH : NULL};
    size_t end = 0;
    job.slices = pmi_memory_allocate(&check->allocator, room, sizeof *job.slices);
    if (!job.slices)
        return pmi_tag_check_text(check, scan, simd);
    scan->cut = PM_CUT_NONE;
    check->found = (pm_check_summary){.bytes = 0};
    bool good = pmi_tag_check_reserve(check, &stack, 0);
    for (size_t done = 0; good && done < all; done += job.count) {
        job.count = pmi_min(room, all - done);
        good = read_round(check, &job, scan, done * slice_bytes, threads, &stack, &end);
    }
    pmi_memory_free(&check->allocator, job.slices);
    check->found.lines += scan->n > 0 && scan->text[scan->n - 1] != '\n';
    if (good)
        pmi_tag_check_finish(check, scan, &stack);
    return good;
}
