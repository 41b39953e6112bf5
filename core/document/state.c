/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of the lexer between the leaves of a document.
 *
 * Template literals nest as deep as the text is long, and a leaf ends few of them. So the literals around the code are
 * a list from the innermost one outwards, whose outer part states share. Equal literals in a row are one run. Lists of
 * equal length and hash are taken for equal.
 */
#include <string.h>

#include "base/checksum.h"
#include "core/document/document.h"
#include "core/lexer/state.h"

/* ---- Literals around the code ---- */

struct pmi_document_literals {
    uint32_t users, count;              /* literals of this run, at least 1 */
    uint64_t total;                     /* literals of the list */
    uint64_t hash;                      /* of the list */
    const pmi_document_literals *outer; /* whose first run differs from this one */
    pmi_lexer_template literal;         /* plain */
};

static const pmi_document_literals *refer(const pmi_document_literals *literals) {
    if (literals)
        ((pmi_document_literals *)(uintptr_t)literals)->users++;
    return literals;
}

static void release(const pm_allocator *allocator, const pmi_document_literals *literals) {
    while (literals) {
        pmi_document_literals *const used = (pmi_document_literals *)(uintptr_t)literals;
        if (--used->users > 0)
            return;
        literals = used->outer;
        pmi_memory_free(allocator, used);
    }
}

static bool are_equal(const pmi_document_literals *a, const pmi_document_literals *b) {
    return a == b || (a && b && a->total == b->total && a->hash == b->hash);
}

static uint64_t hash_of(const pmi_document_literals *run) {
    const pmi_lexer_template *const literal = &run->literal;
    uint64_t hash = pmi_hash_add(run->outer ? run->outer->hash : 0, run->count);
    hash = pmi_hash_add(hash, (uint64_t)(uintptr_t)literal->region);
    hash = pmi_hash_add(hash, literal->braces);
    hash = pmi_hash_add(hash, literal->depth);
    hash = pmi_hash_add(hash, literal->raw_length);
    return pmi_hash_add(hash, literal->opener | (uint64_t)literal->closer << 8 | (uint64_t)literal->code_close << 16 |
                                  (uint64_t)literal->counted << 24 | (uint64_t)literal->in_class << 25);
}

/* A list while literals are added to it. Its innermost run is not stored yet, unless it is `stored`. */
typedef struct growing_list {
    const pm_allocator *allocator;
    const pmi_document_literals *outer, *stored; /* the growing list is a user of both */
    pmi_lexer_template literal;
    uint64_t count; /* of the innermost run; 0: the list is empty */
    bool failed;
} growing_list;

/* Begins with a list without its innermost `ended` literals. */
static growing_list without(const pm_allocator *allocator, const pmi_document_literals *run, uint64_t ended) {
    growing_list list = {.allocator = allocator};
    for (; run && ended >= run->count; run = run->outer)
        ended -= run->count;
    if (!run)
        return list;
    list.outer = refer(run->outer);
    list.stored = ended == 0 ? refer(run) : NULL;
    list.literal = run->literal;
    list.count = run->count - ended;
    return list;
}

/* Returns the list, with a user; NULL if it is empty, or if there was no memory. */
static const pmi_document_literals *finished(growing_list *list) {
    if (!list->failed && list->count > 0 && !list->stored) {
        pmi_document_literals *const run = pmi_memory_allocate(list->allocator, 1, sizeof *run);
        list->failed = !run;
        if (run) {
            const uint64_t around = list->outer ? list->outer->total : 0;
            *run = (pmi_document_literals){.users = 1,
                                           .count = (uint32_t)list->count,
                                           .total = around + list->count,
                                           .outer = refer(list->outer),
                                           .literal = list->literal};
            run->hash = hash_of(run);
            list->stored = run;
        }
    }
    release(list->allocator, list->outer);
    list->outer = NULL;
    return list->stored;
}

static void add(growing_list *list, const pmi_lexer_template *literal) {
    if (list->count > 0 && pmi_lexer_template_is_plain_of(&list->literal, literal)) {
        release(list->allocator, list->stored);
        list->stored = NULL;
        list->count++;
        return;
    }
    list->outer = finished(list);
    list->stored = NULL;
    list->literal = pmi_lexer_template_plain(literal);
    list->count = 1;
}

/* ---- From the lexer to a state ---- */

typedef struct literals_read {
    growing_list list;
    const pmi_document_literals *entry;
    uint64_t loaded, kept; /* literals of `entry`, outermost first */
    bool grows;
} literals_read;

static bool read_literal(const void *entry, void *user) {
    literals_read *const read = user;
    const pmi_lexer_template *const literal = entry;
    if (literal->loaded) {
        read->kept++;
        return true;
    }
    if (!read->grows)
        read->list = without(read->list.allocator, read->entry, read->loaded - read->kept);
    read->grows = true;
    add(&read->list, literal);
    return !read->list.failed;
}

/* Stores the literals around the code, of which the list gets a user. False: there is no memory. */
static bool read_literals(const pm_document *document, const pmi_document_literals *entry,
                          const pmi_document_literals **literals) {
    const pmi_stack *const stack = &document->reader.lexer.templates;
    *literals = NULL;
    if (!entry && !pmi_stack_top(stack))
        return true;
    literals_read read = {.list.allocator = &document->allocator, .entry = entry, .loaded = document->loaded};
    pmi_stack_visit(stack, read_literal, &read);
    if (!read.grows)
        read.list = without(&document->allocator, entry, read.loaded - read.kept);
    *literals = finished(&read.list);
    return !read.list.failed;
}

/* Where a state stands among the recent ones. */
static size_t place_of(const unsigned char *bytes, size_t length, const pmi_document_literals *literals) {
    uint64_t hash = literals ? literals->hash : 0;
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, length - i < sizeof word ? length - i : sizeof word);
        hash = pmi_hash_add(hash, word);
    }
    return pmi_hash_add(hash, length) % PM_DOCUMENT_STATES;
}

static bool is_state(const pmi_document_state *state, const unsigned char *bytes, size_t length,
                     const pmi_document_literals *literals) {
    return state && length == state->length && memcmp(bytes, state->bytes, length) == 0 &&
           are_equal(literals, state->literals);
}

/* Returns a new state, which gets the user of the literals; NULL if there is no memory. */
static pmi_document_state *create_state(const pm_document *document, const unsigned char *bytes, size_t length,
                                        const pmi_document_literals *literals) {
    pmi_document_state *const state =
        pmi_memory_allocate_with(&document->allocator, sizeof(pmi_document_state), length, 1);
    if (!state) {
        release(&document->allocator, literals);
        return NULL;
    }
    state->users = 1;
    state->length = (uint32_t)length;
    state->literals = literals;
    if (bytes)
        memcpy(state->bytes, bytes, length);
    else
        pmi_lexer_save_innermost(&document->reader.lexer, state->bytes, length);
    return state;
}

const pmi_document_state *pmi_document_state_now(pm_document *document, const pmi_document_state *entry,
                                                 const pmi_document_state *expected) {
    unsigned char bytes[256];
    const pmi_lexer *const lexer = &document->reader.lexer;
    const pmi_document_literals *literals;
    const size_t length = pmi_lexer_save_innermost(lexer, bytes, sizeof bytes);
    if (!read_literals(document, entry ? entry->literals : NULL, &literals))
        return NULL;
    if (length > sizeof bytes)
        return create_state(document, NULL, length, literals);
    const pmi_document_state **const recent = &document->states[place_of(bytes, length, literals)];
    const pmi_document_state *const same = is_state(expected, bytes, length, literals)  ? expected
                                           : is_state(*recent, bytes, length, literals) ? *recent
                                                                                        : NULL;
    if (same) {
        release(&document->allocator, literals);
        return pmi_document_state_refer(same);
    }
    const pmi_document_state *const state = create_state(document, bytes, length, literals);
    if (state) {
        pmi_document_state_release(&document->allocator, *recent);
        *recent = pmi_document_state_refer(state);
    }
    return state;
}

/* ---- From a state to the lexer ---- */

/* The most literals that may end in a text, each at a bracket. */
static uint64_t count_ends(const unsigned char *text, size_t n) {
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += text[i] == '}' || text[i] == ')';
    return count;
}

/* Loads the innermost literals of a list, at least one. */
static bool load_literals(pm_document *document, const pmi_document_literals *list, uint64_t wanted) {
    const pmi_document_literals *few[64], **runs = few;
    size_t count = 0;
    const uint64_t all = list->total;
    uint64_t left = wanted;
    for (const pmi_document_literals *run = list; left > 0; run = run->outer, count++)
        left -= run->count < left ? run->count : left;
    if (count > sizeof few / sizeof *few)
        runs = pmi_memory_allocate(&document->allocator, count, sizeof *runs);
    if (!runs)
        return false;
    for (size_t k = 0; k < count; k++, list = list->outer)
        runs[k] = list;
    uint64_t around = list ? list->total : 0; /* those of the outermost run that are left out, too */
    around = all - wanted - around;
    bool done = true;
    for (size_t k = count; done && k-- > 0; around = 0)
        done = pmi_lexer_push_plain(&document->reader.lexer, &runs[k]->literal, runs[k]->count - around);
    if (runs != few)
        pmi_memory_free(&document->allocator, runs);
    document->loaded = wanted;
    return done;
}

bool pmi_document_state_load(pm_document *document, const pmi_document_state *state, const unsigned char *text,
                             size_t n) {
    pmi_lexer_load_innermost(&document->reader.lexer, state->bytes);
    document->loaded = 0;
    if (!state->literals)
        return true;
    const uint64_t wanted = count_ends(text, n) + 1, all = state->literals->total;
    return load_literals(document, state->literals, wanted < all ? wanted : all);
}

/* ---- States ---- */

const pmi_document_state *pmi_document_state_refer(const pmi_document_state *state) {
    ((pmi_document_state *)(uintptr_t)state)->users++;
    return state;
}

void pmi_document_state_release(const pm_allocator *allocator, const pmi_document_state *state) {
    pmi_document_state *const used = (pmi_document_state *)(uintptr_t)state;
    if (!used || --used->users > 0)
        return;
    release(allocator, used->literals);
    pmi_memory_free(allocator, used);
}

bool pmi_document_state_equal(const pmi_document_state *a, const pmi_document_state *b) {
    return a == b || (a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0 &&
                      are_equal(a->literals, b->literals));
}

size_t pmi_document_state_size(const pmi_document_state *exit, const pmi_document_state *entry) {
    if (exit == entry)
        return 0;
    size_t size = sizeof *exit + exit->length;
    const pmi_document_literals *run = exit->literals, *rest = entry->literals;
    while (run != rest)
        if (rest && (!run || rest->total > run->total)) {
            rest = rest->outer;
        } else {
            size += sizeof *run;
            run = run->outer;
        }
    return size / ((exit->users + 1) / 2); /* the leaf before it and the one behind it use it */
}
