/* SPDX-License-Identifier: Apache-2.0 */
/* What a text leaves open so far: the opens above the last directive from the stack of words, those below it from the
 * first reading. */
#include "core/check/parts.h"
#include "core/check/walk.h"
#include "core/lexer/parts.h"

/* ---- Opens above the readings ---- */

typedef struct opens_walk {
    pmi_take_open take;
    void *user;
} opens_walk;

static bool walk_run(const void *entry, void *user) {
    const opens_walk *const walk = user;
    return pmi_walk_run(entry, walk->take, walk->user);
}

/* Visits the opens, the innermost first. */
static void walk_opens(const pm_check *check, pmi_take_open take, void *user) {
    opens_walk walk = {take, user};
    if (walk_run(&check->progress.current, &walk) && walk_run(&check->opens.uncovered, &walk))
        pmi_stack_visit_down(&check->opens.far, walk_run, &walk);
}

/* ---- For the other files ---- */

typedef struct opens_visit {
    pm_check *check;
    bool (*take)(pm_check *check, pm_place at, unsigned kind); /* false: no more */
    bool more;
} opens_visit;

static void visit_word(const pmi_text_word *word, opens_visit *visit) {
    for (uint64_t opens = word->opens; opens != 0 && visit->more; opens &= opens - 1) {
        const unsigned bit = pmi_bits_lowest(opens);
        visit->more = visit->take(visit->check, pmi_text_word_place(word, bit), pmi_text_word_kind(word, bit));
    }
}

static bool visit_run(const void *entry, void *user) {
    const pmi_text_word *const run = entry;
    opens_visit *const visit = user;
    visit_word(run, visit);
    for (uint64_t step = 1; step < run->run && run->opens != 0 && visit->more; step++) {
        const pmi_text_word word = pmi_text_word_after(run, step);
        visit_word(&word, visit);
    }
    return visit->more;
}

bool pmi_check_visit_opens(pm_check *check, bool (*take)(pm_check *check, pm_place at, unsigned kind)) {
    opens_visit visit = {check, take, true};
    pmi_bracket_stack_visit(&check->opens, visit_run, &visit);
    return visit.more && visit_run(&check->progress.current, &visit);
}

void pmi_check_drop_opens(pm_check *check) {
    pmi_bracket_stack_pop(&check->opens, check->progress.depth - pmi_bits_count(check->progress.current.opens));
    check->progress.current.opens = 0;
    check->progress.depth = 0;
}

bool pmi_check_settle_open(pm_check *check, pm_place at, unsigned kind) {
    if (check->effect) {
        pmi_effect_open(check->effect, at, kind);
        return true;
    }
    check->failure = pmi_readings_push(&check->readings, at, kind) ? PM_OK : PM_OUT_OF_MEMORY;
    return check->failure == PM_OK;
}

bool pmi_check_settle(pm_check *check) {
    if (check->progress.depth == 0)
        return true;
    if (!pmi_check_visit_opens(check, pmi_check_settle_open))
        return false;
    pmi_check_drop_opens(check);
    return true;
}

typedef struct innermost {
    unsigned kind;
    uint64_t offset;
} innermost;

static bool take_innermost(const pmi_text_word *word, unsigned bit, void *user) {
    *(innermost *)user = (innermost){pmi_text_word_kind(word, bit), pmi_text_word_offset(word) + bit};
    return false;
}

bool pmi_check_innermost(const pm_check *check, unsigned *kind, uint64_t *offset) {
    const pmi_reading *const top = pmi_readings_at(&check->readings, check->readings.now.top[0]);
    innermost found = {top->kind, top->at.offset};
    if (check->progress.depth > 0)
        walk_opens(check, take_innermost, &found);
    *kind = found.kind;
    *offset = found.offset;
    return check->progress.depth > 0 || top->depth > 0;
}

typedef struct inner_closes {
    const pm_check *check;
    unsigned char *closes;
    uint64_t *offsets;
    unsigned count, most;
} inner_closes;

static bool take_close(const pmi_text_word *word, unsigned bit, void *user) {
    inner_closes *const inner = user;
    inner->offsets[inner->count] = pmi_text_word_offset(word) + bit;
    inner->closes[inner->count++] = (unsigned char)inner->check->close_byte[pmi_text_word_kind(word, bit)];
    return inner->count < inner->most;
}

unsigned pmi_check_inner_closes(const pm_check *check, unsigned most, unsigned char *closes, uint64_t *offsets) {
    inner_closes inner = {check, closes, offsets, 0, most};
    walk_opens(check, take_close, &inner);
    return inner.count;
}

/* ---- The list ---- */

typedef struct open_list {
    const pm_check *check;
    pm_open_bracket *opens;
    size_t stored, capacity;
} open_list;

static bool store(open_list *list, pm_place at, unsigned kind) {
    list->opens[list->stored++] =
        (pm_open_bracket){.at = at, .length = 1, .kind = kind, .byte = list->check->open_byte[kind]};
    return list->stored < list->capacity;
}

static bool store_open(const pmi_text_word *word, unsigned bit, void *user) {
    open_list *const list = user;
    if (word->newlines & pmi_bits_low(bit))
        return store(list, pmi_text_word_place(word, bit), pmi_text_word_kind(word, bit));
    const uint64_t offset = pmi_text_word_offset(word) + bit;
    return store(list, (pm_place){offset, word->line, offset - word->line_start + 1}, pmi_text_word_kind(word, bit));
}

static bool store_run(const void *run, void *user) {
    return pmi_walk_run(run, store_open, user);
}

/* As walk_opens(), without a call for each open. */
static void store_opens(open_list *list) {
    const pm_check *const check = list->check;
    if (store_run(&check->progress.current, list) && store_run(&check->opens.uncovered, list))
        pmi_stack_visit_down(&check->opens.far, store_run, list);
}

static void store_readings(open_list *list) {
    const pmi_readings *const readings = &list->check->readings;
    pmi_readings_walk walk = pmi_readings_walk_begin(readings, readings->now.top[0]);
    const pmi_reading *open;
    while (list->stored < list->capacity && (open = pmi_readings_walk_down(&walk)) != NULL)
        store(list, open->at, open->kind);
}

static pm_status open_delimiters(pm_check *check, pm_open_bracket *opens, size_t capacity, uint64_t *count,
                                 pm_open_end *end) {
    uint64_t all;
    const pm_status status = pmi_delimiters_check_open(&check->delimiters, opens, capacity, &all, end);
    if (status != PM_OK)
        return status;
    for (size_t k = 0; k < capacity && k < all && check->progress.begin.offset > 0; k++)
        opens[k].at = pmi_check_place(check, opens[k].at);
    if (count)
        *count = all;
    if (end) {
        end->offset += check->progress.begin.offset;
        end->begin += end->inside == PM_IN_CODE ? 0 : check->progress.begin.offset;
    }
    return PM_OK;
}

pm_status pm_check_open(pm_check *check, pm_open_bracket *opens, size_t capacity, uint64_t *count, pm_open_end *end) {
    if (!check || (capacity > 0 && !opens))
        return PM_INVALID_ARGUMENT;
    if (check->failure != PM_OK)
        return check->failure;
    if (check->delimiters.pairs)
        return open_delimiters(check, opens, capacity, count, end);
    open_list list = {check, opens, 0, capacity};
    if (capacity > 0) {
        store_opens(&list);
        if (list.stored < capacity)
            store_readings(&list);
    }
    if (count)
        *count = pmi_check_depth(check);
    if (end) {
        end->offset = pmi_check_text_length(check);
        end->inside = pmi_lexer_inside_of(&check->reader.lexer);
        end->begin = end->inside == PM_IN_CODE ? 0 : check->reader.lexer.start;
    }
    return PM_OK;
}
