/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules (pm_pairs) as a finite state machine, for who reads many places of a text at once. A place's letter says what
 * begins there; the machine goes from each place to the next by that letter alone, and a token begins where the letter
 * is a token's and the state is 0, which is code. So what a stretch of text does is a function from states to states,
 * and those of stretches that follow each other are composed, in any grouping.
 *
 * The letters are the bytes, as long as all that rules look for is a byte.
 */
#ifndef PM_CORE_MACHINE_H
#define PM_CORE_MACHINE_H

#include <stdint.h>

#include "parenmatch.h"

#define PM_MACHINE_STATES_MAX 6u
#define PM_MACHINE_LETTERS 256u

/* What a letter is where the state is 0. */
typedef enum pm_letter_role {
    PM_LETTER_NOTHING,
    PM_LETTER_CLOSE,
    PM_LETTER_OPEN,
    PM_LETTER_REGION /* begins what is skipped, and has an end that may be missing */
} pm_letter_role;

typedef struct pm_letter {
    pm_letter_role role;
    uint32_t kind, length; /* of a token */
    uint8_t next[PM_MACHINE_STATES_MAX];
} pm_letter;

typedef struct pm_machine {
    uint32_t states;       /* 1 ... PM_MACHINE_STATES_MAX */
    uint32_t unterminated; /* a bit for each state in which the text must not end */
    pm_letter letters[PM_MACHINE_LETTERS];
} pm_machine;

/* PM_UNSUPPORTED: there is no such machine: tags, which are matched by name; delimiters that the text chooses; patterns
 * of several bytes; words that others may go on into; more states than there may be. */
pm_status pm_machine_make(const pm_pairs *pairs, pm_machine *machine);

#endif
