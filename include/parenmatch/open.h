/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/open.h: what a text that is still arriving leaves open, the bytes that complete it, and going back.
 *
 * All this is asked of a pm_check between two pushes, and changes nothing that it finds later.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_OPEN_H
#define PARENMATCH_OPEN_H

#include "parenmatch/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the text that was pushed so far ends in. */
typedef enum pm_inside {
    PM_IN_CODE = 0,    /**< In no string and no comment. */
    PM_IN_STRING = 1,  /**< In a string, a character, a regular expression, a heredoc, tags and text of JSX. */
    PM_IN_COMMENT = 2, /**< In a comment, or outside PHP's `<?php ?>`. */
    PM_IN_REGION = 3   /**< In a tag or a region of a language with delimiters; not one that a line ends. */
} pm_inside;

/** A bracket or delimiter that is open. */
typedef struct pm_open_bracket {
    pm_place at;     /**< Where it begins. */
    uint64_t length; /**< Its bytes; 1 for a bracket. */
    uint32_t kind;   /**< Its kind, as pm_text_scan() has it. */
    char byte;       /**< Its first byte. */
} pm_open_bracket;

/** Where a text ends. */
typedef struct pm_open_end {
    uint64_t offset;  /**< The bytes pushed so far. */
    pm_inside inside; /**< What the text ends in: of strings and code that nest, the innermost. */
    uint64_t begin;   /**< Where that began, a byte offset; 0 in code. */
} pm_open_end;

/**
 * Lists what is open, the innermost first. Takes time for the opens it stores, not for the text; with delimiters it
 * reads what has come since it was asked last. Where `if` directives leave several possibilities, the opens are those
 * of the first. Comments that may nest (Pascal's, rule `may-nest`) are read without others in them, here and in
 * pm_check_suffix(), whatever the check finds to have fewer faults.
 *
 * @param opens     receives the innermost opens, at most `capacity`; may be NULL if that is 0.
 * @param count     receives the number of all opens, which may exceed the capacity; may be NULL.
 * @param end       receives where the text ends; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY, with delimiters only; or the failure of an earlier push.
 */
PM_API pm_status pm_check_open(pm_check *check, pm_open_bracket *opens, size_t capacity, uint64_t *count,
                               pm_open_end *end);

/**
 * Makes the shortest usual ending of a text: what ends the string or comment that it is in, then the closes of all
 * opens, the innermost first. With delimiters these are words and end tags. What an earlier branch of an `if` directive
 * left open is closed behind an `#endif`. A text that has no fault except what is open has none with its suffix. The
 * suffix completes brackets, strings and comments, not a language's grammar: a comma before it stays.
 *
 * Takes time for the bytes it stores, at most `capacity`, whatever has gone before: with room for 16 bytes about 0.1 µs
 * for a call after each appended byte; up to 0.2 µs where a quote or operator has just begun, and in the pattern of a
 * shell's `case`. Some calls take time for all bytes of the suffix, whatever the capacity: in a string whose code has a
 * fault or a directive; in an element of JSX with a close brace in its text; the first in a pattern of `case`; and at a
 * bracket or directive where `if` directives left different brackets open, or the same ones more than three times.
 *
 * With delimiters it reads what has come since it was asked last, and tries endings, for texts that end alike only
 * once: up to 0.3 µs where a tag's name begins, and in strings of an expression.
 *
 * @param suffix    receives the suffix, no NUL behind it, at most `capacity` bytes; may be NULL if that is 0.
 * @param length    receives the length of the whole suffix, which may exceed the capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; or the failure of an earlier push. PM_UNSUPPORTED if no suffix
 *         ends the text. That is so behind Perl's `__END__`, in a heredoc with a word of more than 30 bytes, with more
 *         than two braces open in a Svelte expression, after branches that left different brackets open, and if a
 *         bracket of the caller's has no close.
 */
PM_API pm_status pm_check_suffix(pm_check *check, char *suffix, size_t capacity, size_t *length);

/** A state of a check, to return to. */
typedef struct pm_check_state pm_check_state;

/**
 * Saves the state of a check, so that a parser can go back. The opens are shared with the check, not copied: a saved
 * state takes about 1 KB, and up to 4 KiB for the innermost opens, however many there are. In languages with branches
 * it takes up to 4 KiB more for the `if`s around, and the check copies up to 2 KB when it first changes what a state
 * shares. With delimiters the text is shared.
 *
 * @param state  receives the state, to be given to pm_check_state_destroy(), before or after the check's end; NULL
 *               after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; or the failure of an earlier push.
 */
PM_API pm_status pm_check_save(pm_check *check, pm_check_state **state);

/**
 * Takes the check back, or forward, to a state that was saved of it; any state, any number of times, also after
 * pm_check_finish(). Faults that were reported since stay reported, and are reported again if they are pushed again.
 *
 * @return PM_OK; PM_INVALID_ARGUMENT for a state of another check; PM_OUT_OF_MEMORY, with the check as it was.
 */
PM_API pm_status pm_check_restore(pm_check *check, const pm_check_state *state);

/** Destroys a saved state; NULL is allowed. To be called by the thread that uses the check. */
PM_API void pm_check_state_destroy(pm_check_state *state);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_OPEN_H */
