/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The states of a search: stacks of opens that share their entries, what each costs, and the changes that led there.
 * The cheapest are kept, of equal stacks at least two, so that the second best repair is known, too.
 */
#ifndef PM_CORE_REPAIR_BEAM_H
#define PM_CORE_REPAIR_BEAM_H

#include "core/repair/search.h"

#define PM_BEAM 32u

/* An open bracket, or a group of conditional branches. */
typedef struct pmi_open {
    struct pmi_open *below;
    struct pmi_open *start, *end; /* of a group: the stack before its #if, and behind its first branch */
    uint64_t identity, kinds;     /* hashes of all from here down */
    uint32_t at, indent;
    uint32_t name;   /* of the token before it */
    uint32_t commas; /* in the open below, before this one; of a group: before its #if */
    uint8_t kind, surrounding, frame;
    uint8_t change;                   /* 1 + the change that inserted it; 0: it is in the text */
    bool condition;                   /* of an `if` or the like */
    bool declares;                    /* holds declarations, each on a line */
    bool ends_line, ended, directive; /* directive: in a line of one */
    bool marked;                      /* in use */
    float by_frame, frame_added;      /* what its frame has cost, and the last token of that */
    uint32_t token, frame_token;      /* the last that cost something, and that by the frame */
    double added;                     /* how much */
    double by_lines, by_fits;         /* what lines and tokens inside it have cost */
} pmi_open;

typedef struct pmi_state {
    pmi_open *top, *group;
    double cost;
    float by_frame;  /* what tokens outside all brackets have cost by their frame */
    double outside;  /* what tokens outside all brackets have cost */
    uint32_t commas; /* in the top, not deeper */
    uint32_t indent; /* of the line, or of what was closed in it */
    uint8_t count;
    uint8_t closed; /* 1 + the frame of the bracket closed right before; 0: a token follows it already */
    uint8_t close;  /* its byte */
    bool condition; /* the bracket closed right before held one */
    bool fresh;     /* a bracket was put right before the token */
    pmi_change changes[PM_CHANGES_MAX];
} pmi_state;

typedef struct pmi_beam {
    const pm_allocator *allocator;
    size_t count, next_count;
    pmi_state *now, *next;
    struct pmi_open_block *blocks;
    pmi_open *free;
    size_t free_count, open_count;
    size_t equal_max; /* states with equal stacks */
    double best;      /* of next */
    double dearest;   /* at least; of next, if it is full */
} pmi_beam;

/* Begins with one state without opens; equal_max: how many of equal stacks are kept. PM_OUT_OF_MEMORY. */
pm_status pmi_beam_create(pmi_beam *beam, const pm_allocator *allocator, size_t equal_max);
void pmi_beam_destroy(pmi_beam *beam);

/* Has as many opens ready as a step can take. PM_OUT_OF_MEMORY; PM_TOO_LARGE: too many are in use. */
pm_status pmi_beam_prepare(pmi_beam *beam);

/* Returns an open on top of others, its hashes set; `made` gives the rest. */
pmi_open *pmi_beam_open(pmi_beam *beam, pmi_open *below, pmi_open made);

/* Could a state of this cost, or a dearer one, be among those of the next step? */
bool pmi_beam_wants(const pmi_beam *beam, double cost);

/* Offers a state for the next step. */
void pmi_beam_offer(pmi_beam *beam, const pmi_state *state);

/* The states offered become the present ones. */
void pmi_beam_step(pmi_beam *beam);

#endif
