/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a text: its slices are read, and put together. */
#include "core/document/opening.h"

#include "core/check/slices.h"
#include "core/lexer/state.h"
#include "cpu/threads.h"

#ifndef PM_DOCUMENT_SLICE_MIN                     /* tests have smaller ones */
#define PM_DOCUMENT_SLICE_MIN ((uint64_t)2 << 20) /* bytes */
#endif

typedef struct opening {
    const unsigned char *text;
    uint64_t n;
    bool borrows; /* the text */
    const pmi_document_state *entry;
    size_t slices;
    pm_document **readers;     /* of each thread; the first is the document that is opened */
    pmi_document_node **trees; /* of each slice; NULL: there was no memory */
} opening;

static uint64_t leaves_of(uint64_t n) {
    return n > 0 ? (n + PM_DOCUMENT_LEAF_NEW - 1) / PM_DOCUMENT_LEAF_NEW : 1;
}

static uint64_t begin_of(const opening *job, size_t slice) {
    return slice == job->slices ? job->n : job->n / job->slices / PM_WORD_BITS * PM_WORD_BITS * slice;
}

/* Returns the state that a slice is read from, with a user that no other thread has; NULL: there is no memory. */
static const pmi_document_state *state_of(const opening *job, size_t slice, pm_document *reader) {
    if (slice == 0) {
        if (!pmi_document_state_load(reader, job->entry, job->text, 0))
            return NULL;
    } else {
        reader->loaded = 0;
        pmi_lexer_guess(&reader->reader, job->text, (size_t)begin_of(job, slice), 0, SIZE_MAX, NULL);
    }
    return pmi_document_state_now(reader, NULL, NULL);
}

static void read_slice(size_t slice, unsigned thread, void *user) {
    opening *const job = user;
    pm_document *const reader = job->readers[thread];
    const uint64_t begin = begin_of(job, slice), n = begin_of(job, slice + 1) - begin;
    const pmi_document_piece pieces[PM_DOCUMENT_PIECES] = {{job->text + begin, n}, {NULL, 0}};
    const pmi_document_state *const entry = state_of(job, slice, reader);
    if (!entry)
        return;
    job->trees[slice] = pmi_document_build(reader, pieces, entry, leaves_of(n), job->borrows);
    pmi_document_state_release(&reader->allocator, entry);
}

/* ---- Documents of threads ---- */

static pm_document *create_reader(const pm_document *document) {
    pm_document *const reader = pmi_memory_allocate(&document->allocator, 1, sizeof *reader);
    if (reader)
        pmi_document_init(reader, &document->allocator, document->language, document->reader.classifier);
    return reader;
}

/* Its leaves become those of the document. */
static void destroy_reader(pm_document *reader, pm_document *document) {
    if (!reader)
        return;
    pmi_slab_merge(&document->slabs, &reader->slabs);
    pmi_document_forget(reader);
    pmi_memory_free(&document->allocator, reader);
}

/* ---- All slices ---- */

/* Joins the trees, and gives them back one by one. NULL: there is no memory. */
static pmi_document_node *join(pm_document *document, const opening *job) {
    pmi_document_node *whole = job->trees[0];
    for (size_t k = 1; k < job->slices; k++) {
        pmi_document_node *const left = whole, *const right = job->trees[k];
        whole = NULL;
        if (left && right)
            (void)pmi_document_join(document, left, right, &whole);
        pmi_document_release(&document->allocator, left);
        pmi_document_release(&document->allocator, right);
    }
    return whole;
}

static pm_status read_slices(pm_document *document, opening *job, unsigned threads) {
    bool have_all = true;
    job->readers[0] = document;
    for (unsigned t = 1; t < threads; t++) {
        job->readers[t] = create_reader(document);
        have_all &= job->readers[t] != NULL;
    }
    for (size_t k = 0; k < job->slices; k++)
        job->trees[k] = NULL;
    if (have_all)
        pmi_threads_run(threads, job->slices, read_slice, job);
    for (unsigned t = 1; t < threads; t++)
        destroy_reader(job->readers[t], document);
    document->root = join(document, job);
    return document->root ? pm_document_settle(document, UINT64_MAX) : PM_OUT_OF_MEMORY;
}

unsigned pmi_document_opening_threads(const pm_document *document, uint64_t n, unsigned most) {
    if (!pmi_allocator_is_default(&document->allocator))
        return 1;
    return pmi_threads_paying((size_t)n, 2 * PM_DOCUMENT_SLICE_MIN, most);
}

pm_status pmi_document_open(pm_document *document, const unsigned char *text, uint64_t n,
                            const pmi_document_state *entry, unsigned threads, bool borrows) {
    const pm_allocator *const allocator = &document->allocator;
    opening job = {.text = text, .n = n, .borrows = borrows, .entry = entry};
    const uint64_t most = n / PM_DOCUMENT_SLICE_MIN, wanted = (uint64_t)threads * PM_SLICES_PER_THREAD;
    job.slices = threads <= 1 ? 1 : (size_t)(most < wanted ? most : wanted);
    job.readers = pmi_memory_allocate(allocator, threads, sizeof *job.readers);
    job.trees = pmi_memory_allocate(allocator, job.slices, sizeof *job.trees);
    const pm_status status = job.readers && job.trees ? read_slices(document, &job, threads) : PM_OUT_OF_MEMORY;
    pmi_memory_free(allocator, job.readers);
    pmi_memory_free(allocator, job.trees);
    pmi_document_sweep(document);
    pmi_slab_trim(&document->slabs);
    return status;
}
