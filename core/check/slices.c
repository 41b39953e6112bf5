/* SPDX-License-Identifier: Apache-2.0 */
/* Reading slices, and putting their effects together. */
#include "core/check/slices.h"

#include <stdatomic.h>
#include <string.h>

#include "core/check/parts.h"
#include "core/lexer/parts.h"
#include "core/lexer/state.h"
#include "cpu/threads.h"

#define PIECE ((size_t)1 << 16)                  /* between two looks whether a slice is worth going on */
#define FIRST_LINE UINT64_C(1024)                /* of a slice, as its check counts; lines before it have numbers too */
#define STATE_BYTES 256u                         /* longer states are not compared */
#define GUESS_SHARE 8u                           /* a guess looks at no more than such a part of a slice */
#define BORDER_BYTES ((size_t)64 * PM_WORD_BITS) /* that a slice is shortened by, to end with a line, are fewer */
#define ROUND_SLICES 16u /* of a round, for each thread; at its end threads wait for the last slice */
#define WRONG_ALIKE 2u   /* wrong guesses in a row in one string or comment that end a round of few threads */
#define ALONE_MIN 2u     /* slices that the caller reads alone after a round of wrong guesses, */
#define ALONE_MAX 256u   /* and after several of them */

/* What the checks of slices get memory from, as only the caller may ask the user's allocator: a few equal blocks. */
#define BLOCKS 12u
#define BLOCK_BYTES 16384u

typedef struct blocks {
    unsigned used; /* bit k: block k is */
    _Alignas(16) unsigned char block[BLOCKS][BLOCK_BYTES];
} blocks;

typedef struct text_slice {
    pm_check check;       /* of the slice alone */
    size_t begin, length; /* in the text */
    bool known;           /* the state that it begins in is job->known */
    bool failed;          /* there was too much to note */
    size_t state_length;
    unsigned char state[STATE_BYTES]; /* that the lexer began in, */
    pmi_lexer_history history;        /* and the history */
    pmi_check_effect effect;
    blocks memory;
} text_slice;

/* Slices are allocated one by one. All at once they would be large enough for huge pages, and to clear what no slice
 * uses of those took longer than the reading. */
typedef struct slice_slot {
    text_slice *slice;
    bool ready;       /* initialised, by the thread that first used it */
    atomic_bool done; /* read in this round */
} slice_slot;

struct pmi_check_slots {
    size_t room;
    slice_slot slots[];
};

typedef struct slices_job {
    pm_check *check;           /* the caller's; what the threads need of it they find below */
    pmi_bracket_reader reader; /* as it was before the first slice */
    pmi_lexer known;           /* state before this round's first slice, if it is known */
    const unsigned char *text;
    uint64_t offset; /* of text[0] in the whole text */
    size_t slice_bytes;
    slice_slot *slots; /* of the slices of a round */
    size_t most;       /* slices of a round, at most */
    size_t first, end; /* slices of this round, counted over all */
    size_t applied;    /* slices that the caller is through with, */
    size_t wrong;      /* those of them that it read again, */
    size_t in_a_row;   /* and those that it read again last */
    unsigned threads;
    bool lasts;        /* what job->known is inside of has lasted for a slice: it probably goes on */
    atomic_bool ended; /* the round is, before all its slices have been read */
} slices_job;

static slice_slot *slot_of(const slices_job *job, size_t slice) {
    return &job->slots[slice - job->first];
}

/* ---- Memory ---- */

static void *block_take(size_t size, void *user) {
    blocks *const from = user;
    if (size > BLOCK_BYTES)
        return NULL;
    for (unsigned k = 0; k < BLOCKS; k++)
        if (!(from->used >> k & 1)) {
            from->used |= 1u << k;
            return from->block[k];
        }
    return NULL;
}

static void block_give(void *block, void *user) {
    blocks *const to = user;
    to->used &= ~(1u << (size_t)((unsigned char *)block - to->block[0]) / BLOCK_BYTES);
}

/* Makes the slice's check one that reads as the caller's does. */
static void slice_init(text_slice *slice, const slices_job *job) {
    pm_check *const part = &slice->check;
    const pm_check *const whole = job->check; /* of which only what never changes is read */
    slice->memory.used = 0;
    memset(part, 0, offsetof(pm_check, kinds));
    part->allocator = (pm_allocator){block_take, block_give, &slice->memory};
    part->alphabet = whole->alphabet;
    memcpy(part->open_byte, whole->open_byte, sizeof part->open_byte);
    part->reader = job->reader;
    part->reader.lexer.directives = &part->directives;
    part->effect = &slice->effect;
    part->keeps_pending = true;
    pmi_stack_init(&part->reader.lexer.templates, &part->allocator, sizeof(pmi_lexer_template));
    pmi_bracket_stack_init(&part->opens, &part->allocator);
    pmi_readings_init(&part->readings, &part->allocator);
    pmi_check_reset(part);
}

/* ---- One slice, on any thread ---- */

static void slice_begin(const slices_job *job, text_slice *slice) {
    pm_check *const part = &slice->check;
    const uint64_t offset = job->offset + slice->begin;
    pmi_check_reset(part);
    pmi_effect_clear(&slice->effect);
    if (slice->known)
        pmi_lexer_enter(&part->reader.lexer, &job->known);
    else
        pmi_lexer_guess(&part->reader, job->text, slice->begin, job->offset, job->slice_bytes / GUESS_SHARE,
                        job->lasts ? &job->known : NULL);
    part->progress.current = (pmi_text_word){
        .index = offset / PM_WORD_BITS & PM_TEXT_WORD_INDEX_MAX, .run = 1, .line = FIRST_LINE, .line_start = offset};
    part->progress.previous = part->progress.current;
    part->progress.previous.index--;
    pmi_lexer_perhaps_inside(&part->reader.lexer, &part->progress.cut.at.offset, &part->progress.cut.byte);
    slice->state_length = pmi_lexer_save_apart(&part->reader.lexer, slice->state, STATE_BYTES);
    slice->history = part->reader.lexer.history;
}

/* ---- Its effect on the whole ---- */

/* Does the text before the slice end in the state that the slice was read from? */
static bool slice_fits(const text_slice *slice, const pm_check *whole) {
    const pmi_lexer *const lexer = &whole->reader.lexer;
    unsigned char state[STATE_BYTES];
    if (slice->failed || slice->state_length > STATE_BYTES || pmi_stack_top(&lexer->templates) ||
        pmi_lexer_save_apart(lexer, state, STATE_BYTES) != slice->state_length ||
        memcmp(state, slice->state, slice->state_length) != 0)
        return false;
    return !lexer->remembers ||
           pmi_lexer_histories_agree(&lexer->history, &slice->history, pmi_bracket_reader_is_near(&whole->reader));
}

/* A place of the slice in the whole text, where `first` is the slice's first word. */
static pm_place whole_place(pm_place place, const pmi_text_word *first) {
    if (place.line == FIRST_LINE)
        place.column = place.offset - first->line_start + 1;
    place.line += first->line - FIRST_LINE;
    return place;
}

static pmi_text_word whole_word(pmi_text_word word, const pmi_text_word *first) {
    if (word.line == FIRST_LINE)
        word.line_start = first->line_start;
    word.line += first->line - FIRST_LINE;
    return word;
}

/* Returns a word that knows a place in it; *bit is where. */
static pmi_text_word word_at(pm_place place, unsigned *bit) {
    *bit = place.offset % PM_WORD_BITS;
    return (pmi_text_word){.index = place.offset / PM_WORD_BITS & PM_TEXT_WORD_INDEX_MAX,
                           .run = 1,
                           .line = place.line,
                           .line_start = place.offset + 1 - place.column};
}

static void rise(pm_check *check, uint64_t by) {
    if (by > 0)
        pmi_check_note_depth(check, check->progress.depth + by);
}

/* Applies what the slice noted. Returns false if there is no memory. */
static bool apply_events(pm_check *check, const pmi_check_effect *effect, const pmi_text_word *first) {
    pm_place partner = {0, 0, 0};
    unsigned partner_kind = 0, bit;
    for (const pmi_effect_event *event = effect->events; event < effect->events + effect->count; event++) {
        if (event->what == PM_EFFECT_DIRECTIVE) {
            if (!check->readings.skipped)
                rise(check, event->rise);
            if (!pmi_check_direct(check, (pmi_directive)event->kind))
                return false;
            continue;
        }
        if (check->readings.skipped)
            continue;
        rise(check, event->rise);
        const pm_place at = whole_place(event->at, first);
        check->progress.current = word_at(at, &bit);
        switch ((pmi_effect_kind)event->what) {
        case PM_EFFECT_CLOSE:
            pmi_check_close(check, bit, event->kind, event->byte);
            break;
        case PM_EFFECT_PARTNER:
            partner = at;
            partner_kind = event->kind;
            break;
        case PM_EFFECT_MISMATCH:
            pmi_check_mismatch(check, bit, event->byte, partner, partner_kind);
            break;
        case PM_EFFECT_OPEN:
            if (!pmi_check_settle(check) || !pmi_readings_push(&check->readings, at, event->kind))
                return false;
            break;
        case PM_EFFECT_DIRECTIVE:
            break;
        }
    }
    if (!check->readings.skipped)
        rise(check, effect->rise);
    return true;
}

typedef struct words_visit {
    pm_check *check;
    const pmi_text_word *first;
    bool fine;
} words_visit;

static bool push_run(const void *entry, void *user) {
    const pmi_text_word *const run = entry;
    words_visit *const visit = user;
    for (uint64_t step = 0; step < run->run && run->opens != 0 && visit->fine; step++) {
        const pmi_text_word word = whole_word(pmi_text_word_after(run, step), visit->first);
        visit->fine = pmi_bracket_stack_push(&visit->check->opens, &word);
        visit->check->progress.depth += pmi_bits_count(word.opens);
    }
    return visit->fine;
}

/* What a lexer takes over from that of a slice. */
typedef struct lexer_copy {
    pmi_lexer *to;
    uint64_t begin; /* of the slice, */
    uint64_t start; /* and where began what it begins in, */
    unsigned char first;
    bool fine;
} lexer_copy;

/* What began before the slice, began where the whole knows. */
static void correct_start(const lexer_copy *copy, uint64_t *start, unsigned char *first) {
    if (*start >= copy->begin)
        return;
    *start = copy->start;
    *first = copy->first;
}

static bool push_template(const void *entry, void *user) {
    lexer_copy *const copy = user;
    pmi_lexer_template *const pushed = pmi_stack_push(&copy->to->templates);
    copy->fine = pushed != NULL;
    if (pushed) {
        *pushed = *(const pmi_lexer_template *)entry;
        correct_start(copy, &pushed->start, &pushed->first);
    }
    return copy->fine;
}

/* Takes over the lexer of a slice that begins there. Returns false if there is no memory. */
static bool take_lexer(pm_check *check, const pmi_lexer *from, uint64_t begin) {
    pmi_lexer *const lexer = &check->reader.lexer;
    lexer_copy copy = {lexer, begin, lexer->start, lexer->first, true};
    pmi_lexer_enter(lexer, from);
    correct_start(&copy, &lexer->start, &lexer->first);
    pmi_stack_visit(&from->templates, push_template, &copy);
    return copy.fine;
}

/* Notes where began what the slice ends in. */
static void take_cut(pm_check *check, const pm_check *part, const pmi_text_word *first, const pmi_text_word *before) {
    uint64_t cut;
    char byte;
    if (!pmi_lexer_perhaps_inside(&check->reader.lexer, &cut, &byte) || cut == check->progress.cut.at.offset)
        return;
    check->progress.cut.byte = byte;
    check->progress.cut.at = cut >= pmi_text_word_offset(first) ? whole_place(part->progress.cut.at, first)
                                                                : pmi_text_word_place(before, cut % PM_WORD_BITS);
}

static bool slice_apply(const text_slice *slice, pm_check *check) {
    const pm_check *const part = &slice->check;
    const pmi_text_word first = check->progress.current, before = check->progress.previous;
    check->kinds_known = false;
    check->progress.found.brackets += part->progress.found.brackets;
    if (!pmi_check_unfold(check) || !apply_events(check, &slice->effect, &first) ||
        !take_lexer(check, &part->reader.lexer, pmi_text_word_offset(&first)))
        return false;
    words_visit visit = {check, &first, true};
    if (!check->readings.skipped)
        pmi_bracket_stack_visit(&part->opens, push_run, &visit);
    check->progress.current = whole_word(part->progress.current, &first);
    check->progress.previous = whole_word(part->progress.previous, &first);
    take_cut(check, part, &first, &before);
    return visit.fine && !check->readings.failed;
}

/* ---- All slices ---- */

/* Is the lexer inside something that has lasted since that place of the text, or longer? */
static bool lasts_since(const slices_job *job, const pmi_lexer *lexer, size_t begin) {
    return lexer->state == PM_LEXER_REGION && !(lexer->region->flags & PM_REGION_YAML) &&
           lexer->start <= job->offset + begin;
}

/* The same up to `begin`, for a slice at least. */
static bool lasts_for_slice(const slices_job *job, size_t begin) {
    return begin >= job->slice_bytes && lasts_since(job, &job->check->reader.lexer, begin - job->slice_bytes);
}

/* Reads a slice again that was not read from the state that it begins in. The round ends where slices behind it
 * probably were not, either: after a wrong guess of each thread, and at both ends of long strings and comments. There
 * it goes on for some slices: the more threads, the more right ones may have been read, which would be lost. */
static void read_again(slices_job *job, const text_slice *slice) {
    pmi_check_read(job->check, job->text + slice->begin, slice->length);
    job->wrong++;
    job->in_a_row++;
    const bool lasts = lasts_since(job, &job->check->reader.lexer, slice->begin);
    const bool other = lasts != job->lasts && (job->lasts || job->in_a_row >= WRONG_ALIKE + job->threads / 4);
    if (other || job->in_a_row >= job->threads)
        atomic_store_explicit(&job->ended, true, memory_order_relaxed);
}

static bool is_ended(const slices_job *job) {
    return atomic_load_explicit(&job->ended, memory_order_relaxed);
}

/* The caller goes through the round's slices in order, as far as they have been read without a gap. */
static void apply_done(slices_job *job) {
    pm_check *const check = job->check;
    for (; job->applied < job->end && check->failure == PM_OK && !is_ended(job); job->applied++) {
        slice_slot *const slot = slot_of(job, job->applied);
        if (!atomic_load_explicit(&slot->done, memory_order_acquire))
            return;
        if (!slice_fits(slot->slice, check)) {
            read_again(job, slot->slice);
            continue;
        }
        job->in_a_row = 0;
        if (!slice_apply(slot->slice, check))
            check->failure = PM_OUT_OF_MEMORY;
    }
}

/* Returns false if the round ended before. The caller applies what there is meanwhile: a wrong guess may be slow. */
static bool slice_read(slices_job *job, text_slice *slice, bool is_caller) {
    slice_begin(job, slice);
    slice->failed = false;
    for (size_t done = 0, length; done < slice->length && !slice->failed; done += length) {
        length = pmi_min(PIECE, slice->length - done);
        const unsigned char *const text = job->text + slice->begin + done;
        slice->failed = pmi_check_read(&slice->check, text, length) != PM_OK || slice->effect.full;
        if (is_caller)
            apply_done(job);
        if (is_ended(job))
            return false;
    }
    slice->failed = slice->failed || !pmi_check_unfold(&slice->check);
    return true;
}

/* Thread 0 is the caller. */
static void slot_read(size_t item, unsigned thread, void *user) {
    slices_job *const job = user;
    slice_slot *const slot = slot_of(job, job->first + item);
    if (is_ended(job))
        return;
    if (!slot->ready)
        slice_init(slot->slice, job);
    slot->ready = true;
    if (!slice_read(job, slot->slice, thread == 0))
        return;
    atomic_store_explicit(&slot->done, true, memory_order_release);
    if (thread == 0)
        apply_done(job);
}

/* The last word before a place that begins a line, if there is one near, or else the place. The state there is guessed
 * best: fewer strings go on, and nothing is half read. */
static size_t border_before(const slices_job *job, size_t at) {
    const size_t most = pmi_min(BORDER_BYTES, job->slice_bytes);
    for (size_t begin = at; at - begin < most; begin -= PM_WORD_BITS)
        if (job->text[begin - 1] == '\n')
            return begin;
    return at;
}

/* Reads `count` slices from `begin` on, or fewer, and applies them. Returns where they end. */
static size_t read_round(slices_job *job, size_t begin, size_t count) {
    const pmi_lexer *const lexer = &job->check->reader.lexer;
    const bool known = !pmi_stack_top(&lexer->templates);
    job->first = job->applied;
    job->end = job->first + count;
    job->in_a_row = 0;
    atomic_store_explicit(&job->ended, false, memory_order_relaxed);
    if (known)
        job->known = *lexer;
    job->lasts = known && lasts_for_slice(job, begin);
    size_t border = begin;
    for (size_t k = 0; k < count; k++) {
        slice_slot *const slot = slot_of(job, job->first + k);
        slot->slice->known = known && k == 0;
        slot->slice->begin = border;
        border = border_before(job, begin + (k + 1) * job->slice_bytes);
        slot->slice->length = border - slot->slice->begin;
        atomic_store_explicit(&slot->done, false, memory_order_relaxed);
    }
    pmi_threads_run(job->threads, count, slot_read, job);
    apply_done(job);
    return job->applied < job->end ? slot_of(job, job->applied)->slice->begin : border;
}

/* Reads a slice as one thread does, which is through with those before it. Returns where it ends. */
static size_t read_alone(slices_job *job, size_t begin) {
    pmi_check_read(job->check, job->text + begin, job->slice_bytes);
    return begin + job->slice_bytes;
}

/* Reads most of a text that begins with a word. Returns how much was read. */
static size_t read_rounds(slices_job *job, size_t n) {
    size_t done = 0, alone = 0, penalty = 0;
    while (n - done >= 2 * job->slice_bytes && job->check->failure == PM_OK) {
        if (alone > 0) {
            alone--;
            done = read_alone(job, done);
            continue;
        }
        const size_t applied = job->applied, wrong = job->wrong, count = (n - done) / job->slice_bytes;
        if (count <= job->most) /* the last round: hardly anything is to be left */
            job->slice_bytes = (n - done) / count / PM_WORD_BITS * PM_WORD_BITS;
        done = read_round(job, done, pmi_min(count, job->most));
        const bool learnt = job->lasts != lasts_for_slice(job, done); /* the next guesses are others */
        const bool right = 2 * (job->wrong - wrong) < job->applied - applied;
        penalty = right || learnt ? 0 : pmi_min(4 * penalty + ALONE_MIN, ALONE_MAX);
        alone = penalty;
    }
    return done;
}

/* ---- The interface ---- */

void pmi_check_free_slots(pm_check *check) {
    struct pmi_check_slots *const slots = check->slots;
    for (size_t k = 0; slots && k < slots->room; k++)
        pmi_memory_free(&check->allocator, slots->slots[k].slice);
    pmi_memory_free(&check->allocator, slots);
    check->slots = NULL;
}

/* Sees to it that there are `room` slots with slices, which stay for the next text: to give their memory back and get
 * it again took longer than some threads need for a text. Returns false if there is none. */
static bool slots_reserve(pm_check *check, size_t room) {
    if (check->slots && check->slots->room >= room)
        return true;
    pmi_check_free_slots(check);
    check->slots = pmi_memory_allocate(&check->allocator, 1, sizeof *check->slots + room * sizeof(slice_slot));
    if (!check->slots)
        return false;
    bool all = true;
    for (check->slots->room = 0; all && check->slots->room < room; check->slots->room += all) {
        text_slice *const slice = pmi_memory_allocate(&check->allocator, 1, sizeof *slice);
        check->slots->slots[check->slots->room].slice = slice;
        all = slice != NULL;
    }
    return all;
}

pm_status pmi_check_read_slices(pm_check *check, const unsigned char *text, size_t n, size_t slice_bytes,
                                unsigned threads) {
    const size_t filled = check->progress.filled, head = filled > 0 ? PM_WORD_BITS - filled : 0;
    if (threads <= 1 || n < head + PM_CHECK_SLICES_MIN * slice_bytes || check->failure != PM_OK)
        return pmi_check_read(check, text, n);
    const size_t all = (n - head) / slice_bytes, most = pmi_min((size_t)threads * ROUND_SLICES, all);
    slices_job job = {
        .check = check, .text = text + head, .slice_bytes = slice_bytes, .most = most, .threads = threads};
    size_t done = 0;
    if (slots_reserve(check, most) && pmi_check_read(check, text, head) == PM_OK) {
        job.slots = check->slots->slots;
        for (size_t k = 0; k < most; k++)
            job.slots[k].ready = false;
        job.offset = check->reader.lexer.position;
        job.reader = check->reader;
        done = head + read_rounds(&job, n - head);
    }
    return check->failure == PM_OK ? pmi_check_read(check, text + done, n - done) : check->failure;
}
