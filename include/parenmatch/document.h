/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/document.h: the brackets of a text that changes, as an editor needs them.
 *
 * A pm_document keeps a copy of a text, or borrows it. After every edit it knows what pm_check would find in the text,
 * and in addition partners, depths and enclosing brackets. An edit reads some thousand bytes again, however long the
 * text is.
 *
 * An edit may change how everything behind it is read, as the beginning of a comment does. pm_document_replace() reads
 * on for a short distance only; pm_document_settle() reads the rest, in portions if wanted. A query first reads as much
 * as its answer depends on, so answers are always those of the text as it is. Exceptions are stated at the query.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_DOCUMENT_H
#define PARENMATCH_DOCUMENT_H

#include "parenmatch/bp.h"
#include "parenmatch/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_DOCUMENT_BYTES_MAX UINT32_MAX /**< The largest number of bytes in a document. */

/**
 * A text that changes. One thread at a time may use it, queries included.
 *
 * Memory, from the context's allocator: the text, about 6 % of it in addition, and 42 KB. A text whose blocks of 7 KB
 * leave many brackets open takes two more bits for each of these. Template literals (JavaScript's `${`) take up to 100
 * bytes for each one that a block leaves open and that is not read like the one around it. On Linux, with the default
 * allocator, texts from 1.8 MB on are kept in slabs of 32 MB, of which up to four stay with the process for the
 * next text. Small blocks of a text that has become shorter stay with malloc().
 *
 * If the text has `if` directives that pm_check follows, and a bracket pair begins in one branch and ends in another,
 * faults cost more. After an edit the first question about them takes 10 to 50 µs; where the edit changes what its
 * block leaves open, about 50 ns for each bracket and directive without a partner in its branch. The very first
 * question reads the text again, and the document then takes up to 2 % more. The same holds where an `#if 0` has a
 * mismatch or ends in another block, and where conditionals longer than a block nest at more than 3 depths of brackets,
 * or more than 15 of them at one. Partners, depths and paths take all branches as one text, one after the other.
 */
typedef struct pm_document pm_document;

/** A bracket of a document. */
typedef struct pm_document_bracket {
    uint64_t offset; /**< The byte offset. */
    uint64_t depth;  /**< Brackets around it: 0 for an outermost pair, and for an unmatched close. */
    uint8_t kind;    /**< Its kind, as in the language's alphabet. */
    bool open;       /**< Whether it is an open. */
    bool faulty;     /**< Whether it is unmatched, or its partner has another kind. */
} pm_document_bracket;

/**
 * Makes a document.
 *
 * @param context   NULL for the defaults. It need not outlive the document, but what its allocator refers to must. Its
 *                  threads read a text of 8 MB and more, if its allocator is the default one, and compare millions of
 *                  nested pairs.
 * @param language  its strings and comments are skipped; its own brackets are matched. Not NULL.
 * @param text      n bytes, copied; any bytes.
 * @param n         at most PM_DOCUMENT_BYTES_MAX; more is PM_TOO_LARGE.
 * @param document  receives the document, to be given to pm_document_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY; PM_UNSUPPORTED for a language with delimiters,
 *         such as XML or LaTeX, for which pm_language_alphabet() returns NULL: check such a text again with pm_check.
 */
PM_API pm_status pm_document_create(pm_context *context, const pm_language *language, const char *text, size_t n,
                                    pm_document **document);

/**
 * Makes a document that does not copy its text, and opens in less time: C in 1.4 times and JSON in 1.4 to 2 times as
 * long as a check of it takes. A block of 7 KB is copied when an edit changes it. Memory is as for pm_document, less
 * the text that is not copied.
 *
 * @param context   as for pm_document_create(): NULL for the defaults; it need not outlive the document.
 * @param language  its strings and comments are skipped; its own brackets are matched. Not NULL.
 * @param text      n bytes; any bytes. Borrowed: they must stay in place, unchanged, until pm_document_destroy(). The
 *                  document only reads them, and so may other threads.
 * @param n         at most PM_DOCUMENT_BYTES_MAX; more is PM_TOO_LARGE.
 * @param document  receives the document, to be given to pm_document_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY; PM_UNSUPPORTED, as by pm_document_create().
 */
PM_API pm_status pm_document_create_borrowed(pm_context *context, const pm_language *language, const char *text,
                                             size_t n, pm_document **document);

/** Destroys a document; NULL is allowed. */
PM_API void pm_document_destroy(pm_document *document);

/**
 * Replaces bytes at, ..., at + removed - 1 by others. What is behind them moves.
 *
 * @param at        0 to the length, which appends.
 * @param removed   bytes to remove; may be 0.
 * @param text      `inserted` bytes.
 * @param inserted  bytes to insert; may be 0.
 * @return PM_OK; PM_INVALID_ARGUMENT if at + removed is past the length, or for NULL; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 *         After a failure the document is as before.
 */
PM_API pm_status pm_document_replace(pm_document *document, uint64_t at, uint64_t removed, const char *text,
                                     size_t inserted);

/** Returns the number of bytes. */
PM_API uint64_t pm_document_length(const pm_document *document);

/** Returns the bytes of memory that the document takes, text included, except what it borrows. It counts block by
 * block. */
PM_API size_t pm_document_size_in_bytes(const pm_document *document);

/**
 * Reads bytes at, ..., at + n - 1.
 *
 * @param text  receives n bytes.
 * @return PM_OK; PM_INVALID_ARGUMENT if at + n is past the length, or for NULL.
 */
PM_API pm_status pm_document_read(const pm_document *document, uint64_t at, size_t n, char *text);

/** Returns line and column of an offset; of one past the length, those of the end. */
PM_API pm_place pm_document_place(const pm_document *document, uint64_t offset);

/** Returns the offset at which a line begins, counted from 1; PM_BP_NONE if the text has no such line, or for 0. */
PM_API uint64_t pm_document_line_offset(const pm_document *document, uint64_t line);

/**
 * Reads on after an edit that changed how the text behind it is read, such as one that opens a comment.
 *
 * @param bytes  about the largest number of bytes to read; UINT64_MAX: all.
 *
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT for NULL.
 */
PM_API pm_status pm_document_settle(pm_document *document, uint64_t bytes);

/** Returns the offset up to which the text is read as it now stands; the length if all of it is. */
PM_API uint64_t pm_document_settled(const pm_document *document);

/**
 * Computes what pm_check_finish() returns for the text. After an edit that shifts millions of nested brackets, kinds of
 * pairs are compared here, once, by the context's threads: one takes 1 to 2 ms for ten million pairs.
 *
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_document_summary(pm_document *document, pm_check_summary *summary);

/** Returns the number of faults that pm_check reports for the text; UINT64_MAX if there is no memory to read it. */
PM_API uint64_t pm_document_fault_count(pm_document *document);

/**
 * Reports the faults of the text as pm_check does, in its order, but only those at offset `from` and behind it.
 *
 * @param report  called for each fault; it must not use the document. After it returns false it is not called again.
 * @param user    passed to report.
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT for NULL.
 */
PM_API pm_status pm_document_faults(pm_document *document, uint64_t from, pm_check_report report, void *user);

/** Returns the offset of the partner of the bracket at an offset; PM_BP_NONE if there is no bracket, if it is
 * unmatched, or if there is no memory. */
PM_API uint64_t pm_document_partner(pm_document *document, uint64_t offset);

/**
 * Lists the brackets at offsets at, ..., at + n - 1, in their order. Whether an open is faulty may depend on all of the
 * text behind it; it is answered as that was last read (see pm_document_settled()).
 *
 * @param capacity  the room of brackets. Only the first `capacity` are stored.
 * @param brackets  receives them; may be NULL if capacity is 0.
 * @param count     receives the number of brackets in the range, which may exceed capacity; not optional.
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT if at + n is past the length, or for NULL.
 */
PM_API pm_status pm_document_brackets(pm_document *document, uint64_t at, uint64_t n, size_t capacity,
                                      pm_document_bracket *brackets, size_t *count);

/**
 * Lists the opens that enclose an offset, innermost first: those before the offset that are not closed before it.
 *
 * @param offset    at most the length, else PM_INVALID_ARGUMENT.
 * @param capacity  the room of opens. Only the innermost `capacity` are stored.
 * @param opens     receives them; may be NULL if capacity is 0.
 * @param count     receives the number of brackets around the offset, which may exceed capacity; not optional.
 * @return as pm_document_brackets(), whose remark on faulty opens applies.
 */
PM_API pm_status pm_document_path(pm_document *document, uint64_t offset, size_t capacity, pm_document_bracket *opens,
                                  size_t *count);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_DOCUMENT_H */
