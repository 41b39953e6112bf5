/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules of a language as a finite state machine, for who reads many places of a text at once. A place's letter says
 * what begins there; the machine goes from each place to the next by that letter alone, and a token begins where the
 * letter is a token's and the state is 0, which is code. So what a stretch of text does is a function from states to
 * states, and those of stretches that follow each other are composed, in any grouping.
 *
 * The letters are the bytes, as long as all that rules look for is a byte. Else they are found in a trie of all words
 * that rules look for, by the longest that begins at the place. A token of several bytes leads to states that pass over
 * the rest of it, as far as something else could begin there.
 *
 * Some tokens are told late: a tag is one, or none, once its end is known; one of two words at the second. They begin
 * at the last start, which is a place in code whose letter begins such a thing, or a region. Names are no matter of the
 * machine's; it only knows where they begin and end. And where a text does what no machine can follow, it says so.
 */
#ifndef PM_BASE_DFA_H
#define PM_BASE_DFA_H

#include <stdint.h>

#include "parenmatch.h"

#define PM_MACHINE_STATES_MAX 32u
#define PM_MACHINE_LETTERS_MAX 256u
#define PM_MACHINE_NODES_MAX 4096u
#define PM_MACHINE_CHOICES_MAX 2048u
#define PM_MACHINE_BYTES_MAX 1024u
#define PM_MACHINE_SECOND_MAX 255u /* bytes of a second word */
#define PM_MACHINE_BLANKS_MAX 255u /* between two words; and bytes of a name between quotes */
#define PM_MACHINE_STEPS_MAX 400u  /* Mesa's software renderer leaves a lane's loops after 65535 rounds in all */
#define PM_MACHINE_LOOKS_MAX 300u  /* bytes of second words, for the same reason */

/* What a letter is where the state is 0. */
typedef enum pmi_letter_role {
    PM_LETTER_NOTHING,
    PM_LETTER_CLOSE,
    PM_LETTER_OPEN,
    PM_LETTER_REGION,   /* begins what is skipped, and has an end that may be missing */
    PM_LETTER_OPEN_TAG, /* begins a tag, whose name is behind it; the end may be missing, too */
    PM_LETTER_CLOSE_TAG,
    PM_LETTER_OPEN_LATE, /* begins a token of two words */
    PM_LETTER_CLOSE_LATE,
    PM_LETTER_UNKNOWN /* begins what no machine can follow */
} pmi_letter_role;

typedef struct pmi_letter {
    pmi_letter_role role;
    uint32_t kind;        /* of a token */
    uint32_t length;      /* of a token of one word, or of what begins a tag */
    uint32_t late;        /* a bit for each state in which it ends a token that began before */
    uint32_t late_length; /* from here to that one's end */
    uint8_t next[PM_MACHINE_STATES_MAX];
} pmi_letter;

/* Of the trie; the first is its root. Nodes are numbered, 0 standing for none. */
typedef struct pmi_dfa_node {
    unsigned char byte; /* that leads here; small, where case is ignored */
    uint16_t child;     /* the first of them */
    uint16_t sibling;   /* the next child of its parent */
    uint16_t choice;    /* the first of those that there are where the way down ends here */
} pmi_dfa_node;

/* A letter, if ...; else the next choice is made. */
typedef enum pmi_choice_if {
    PM_IF_ANYTHING,
    PM_IF_WORD,  /* ... no word of the text goes on across an end of the bytes */
    PM_IF_NAME,  /* ... a name begins behind them */
    PM_IF_FAR,   /* ... no word of the text goes on into them, and more than PM_MACHINE_BLANKS_MAX blanks are behind */
    PM_IF_TWO,   /* ... they, any blanks, and other bytes are there, and no word of the text goes on across an end */
    PM_IF_APART, /* ... no word of the text goes on into them */
    PM_IF_TAGGED /* ... the same, and the first is followed by a name and that byte again, or by too long a name */
} pmi_choice_if;

typedef struct pmi_dfa_choice {
    uint16_t letter;
    uint16_t length; /* bytes */
    pmi_choice_if condition;
    uint16_t second, second_length; /* the other bytes: of pmi_dfa.bytes; folded, if case is ignored */
} pmi_dfa_choice;

typedef struct pmi_dfa {
    uint32_t states;       /* 1 ... PM_MACHINE_STATES_MAX */
    uint32_t unterminated; /* a bit for each state in which the text must not end: of regions and tags */
    uint32_t letter_count;
    pmi_letter letters[PM_MACHINE_LETTERS_MAX];
    bool late;                  /* tokens may be told late, or there may be something unknown */
    bool tags;                  /* there are some; then: */
    unsigned char name_ends[2]; /* that and blanks end a name, both perhaps the same */
    uint32_t kinds;             /* of rules; names have the kinds from here on, in the order in which they come */
    bool of_bytes;              /* letters are bytes; else: */
    bool ignore_case;
    uint32_t steps; /* at a place, most nodes that are looked at */
    uint32_t node_count, choice_count;
    pmi_dfa_node nodes[PM_MACHINE_NODES_MAX];
    pmi_dfa_choice choices[PM_MACHINE_CHOICES_MAX]; /* the first is letter 0, of nothing */
    uint32_t byte_count;
    unsigned char bytes[PM_MACHINE_BYTES_MAX]; /* of second words */
} pmi_dfa;

/*
 * Makes the machine of a language, to be given to pmi_dfa_destroy().
 * PM_UNSUPPORTED for brackets, statements, elements of which some names mean something, or of two sorts; for
 * delimiters that the text chooses, except `tagged`; for patterns of three words; for what depends on what is open;
 * where more would be needed of anything than there may be. PM_OUT_OF_MEMORY.
 */
pm_status pmi_dfa_create(const pm_allocator *allocator, const pm_language *language, pmi_dfa **machine);
void pmi_dfa_destroy(const pm_allocator *allocator, pmi_dfa *machine);

#endif
