/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/json.h: the structure of a JSON text, without a tree of objects and without reading numbers.
 *
 * A pm_json knows where the tokens of a text begin: brackets, commas, colons, strings, and scalars, which are numbers,
 * true, false and null. It knows the partner of each bracket. A value, a key or a token is named by the offset at which
 * it begins.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_JSON_H
#define PARENMATCH_JSON_H

#include "parenmatch/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_JSON_BYTES_MAX UINT32_MAX /**< The largest number of bytes in a text. */

/**
 * The structural index of a JSON text (RFC 8259). After it is made, any number of threads may ask at once.
 *
 * The text must be one value, with white space around it if wanted. Checked are: the order of tokens, keys being
 * strings, the kinds of brackets, UTF-8, no control characters in strings, no backslash outside them. Not checked are
 * the letters of scalars and what follows a backslash. A byte order mark is a fault. Equal keys are allowed.
 *
 * Memory: 28 bytes for each 64 bytes of text, 8 for each bracket, 24 for each container that is open at once, and
 * 140 KB, all at most. The text is not copied: it must stay as it is while the index is asked.
 *
 * Source: the masks of strings and tokens after Langdale and Lemire, "Parsing gigabytes of JSON per second", sections
 * 3.1.1 and 3.1.2; UTF-8 by table 3-7 of the Unicode Standard.
 */
typedef struct pm_json pm_json;

/** What a value is. */
typedef enum pm_json_kind {
    PM_JSON_NONE = 0,   /**< No value and no key begins there. */
    PM_JSON_OBJECT = 1, /**< An object. */
    PM_JSON_ARRAY = 2,  /**< An array. */
    PM_JSON_STRING = 3, /**< A string, or a key. */
    PM_JSON_SCALAR = 4  /**< A number, true, false or null, by its first byte; or whatever stands in its place. */
} pm_json_kind;

/** Bytes begin, ..., end - 1 of a text. */
typedef struct pm_json_range {
    uint64_t begin; /**< The first byte; PM_BP_NONE if there is no such value. */
    uint64_t end;   /**< The byte behind the last; PM_BP_NONE if there is no such value. */
} pm_json_range;

/**
 * Makes the index of a text. Runs on one thread.
 *
 * @param context  NULL for the defaults. It need not outlive the index, but what its allocator refers to must.
 * @param text     n bytes; not copied.
 * @param n        at most PM_JSON_BYTES_MAX; more is PM_TOO_LARGE.
 * @param fault    receives the first fault if the result is PM_CORRUPT: PM_FAULT_MISPLACED, PM_FAULT_TRAILING,
 *                 PM_FAULT_BAD_BYTE, PM_FAULT_UNMATCHED_CLOSE or PM_FAULT_KIND_MISMATCH. If the text ends too early:
 *                 PM_FAULT_UNTERMINATED for a string, PM_FAULT_UNMATCHED_OPEN for the innermost open container, or
 *                 PM_FAULT_MISPLACED with length 0 without a value. To find the fault the text is read again, byte by
 *                 byte. May be NULL.
 * @param json     receives the index, to be given to pm_json_destroy(); NULL after a failure.
 * @return PM_OK; PM_CORRUPT if the text has a fault; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_json_create(pm_context *context, const char *text, size_t n, pm_diagnostic *fault, pm_json **json);

/**
 * Indexes another text with an existing index, which keeps its memory: a program with many texts allocates little. No
 * other thread may use the index meanwhile.
 *
 * @param text   n bytes, as for pm_json_create().
 * @param fault  as for pm_json_create(); may be NULL.
 * @return as pm_json_create(). After a failure the index has no text: it answers as if no value began anywhere.
 */
PM_API pm_status pm_json_read(pm_json *json, const char *text, size_t n, pm_diagnostic *fault);

/**
 * Makes the index on a device, from host memory to host memory. It is that of pm_json_create(), byte for byte. A text
 * with a fault is read again on the host, to find it.
 *
 * @param context  with the device, as for pm_match_gpu(). Not NULL.
 * @param text     n bytes; not copied.
 * @param n        at most PM_JSON_BYTES_MAX; more is PM_TOO_LARGE.
 * @param fault    as for pm_json_create(); may be NULL.
 * @param json     receives the index, to be given to pm_json_destroy(); NULL after a failure.
 * @return as pm_json_create(); PM_NO_DEVICE, PM_DEVICE_LOST, PM_UNSUPPORTED as pm_match_gpu().
 */
PM_API pm_status pm_json_create_gpu(pm_context *context, const char *text, size_t n, pm_diagnostic *fault,
                                    pm_json **json);

/**
 * Indexes another text on a device with an existing index, which keeps its memory, as pm_json_read() does on the host.
 *
 * @param context  as for pm_json_create_gpu(); it need not be the one the index was made with.
 * @param text     n bytes, as for pm_json_create().
 * @param fault    as for pm_json_create(); may be NULL.
 * @return as pm_json_create_gpu(). After a failure the index has no text: it answers as if no value began anywhere.
 */
PM_API pm_status pm_json_read_gpu(pm_context *context, pm_json *json, const char *text, size_t n, pm_diagnostic *fault);

/** Destroys an index; NULL is allowed. */
PM_API void pm_json_destroy(pm_json *json);

/** Returns the bytes of memory that the index takes. */
PM_API size_t pm_json_size_in_bytes(const pm_json *json);

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

/** Returns the number of tokens. */
PM_API uint64_t pm_json_token_count(const pm_json *json);

/**
 * Lists the tokens that begin at offsets begin, ..., end - 1, in their order.
 *
 * @param end        may be past the text's end, which then counts.
 * @param capacity   the room of offsets. Only the first `capacity` are stored.
 * @param offsets    receives them; may be NULL if capacity is 0.
 * @return the number of tokens in the range, which may exceed capacity.
 */
PM_API uint64_t pm_json_tokens(const pm_json *json, uint64_t begin, uint64_t end, uint64_t capacity, uint64_t *offsets);

/** Returns the first token at or behind an offset; PM_BP_NONE if no token follows. Takes a step for each 64 bytes. */
PM_API uint64_t pm_json_next_token(const pm_json *json, uint64_t offset);

/** Returns the offset of the partner of the bracket at an offset, in constant time; PM_BP_NONE if there is no bracket
 * outside strings. */
PM_API uint64_t pm_json_partner(const pm_json *json, uint64_t offset);

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/** Returns the offset of the text's value; PM_BP_NONE if the index has no text. */
PM_API uint64_t pm_json_root(const pm_json *json);

/** Returns what value or key begins at an offset. */
PM_API pm_json_kind pm_json_kind_of(const pm_json *json, uint64_t value);

/**
 * Returns the offset behind the value, or key, that begins at an offset; PM_BP_NONE if none does. Takes constant time
 * for a container; for a string or scalar a step for each 64 bytes of it, and for each byte of white space behind it.
 */
PM_API uint64_t pm_json_skip(const pm_json *json, uint64_t value);

/** Returns the first element of an array, or the first key of an object; PM_BP_NONE if it is empty, or no
 * container begins there. */
PM_API uint64_t pm_json_first(const pm_json *json, uint64_t container);

/** Returns the element or key behind the one given, in the same container; PM_BP_NONE if it is the last one. The value
 * of a key may be given instead of the key. Skips the value as pm_json_skip() does. */
PM_API uint64_t pm_json_next(const pm_json *json, uint64_t item);

/** Returns the value of the key that begins at an offset; PM_BP_NONE if no key does. */
PM_API uint64_t pm_json_member(const pm_json *json, uint64_t key);

/** Returns the number of members or elements of a container, stepping over each; 0 if no container begins there. */
PM_API uint64_t pm_json_count(const pm_json *json, uint64_t container);

/**
 * Finds the value that a JSON Pointer (RFC 6901) names: "" is the text's value, "/a/0" is element 0 of member "a".
 * Keys are compared after their escapes are read: ~0 and ~1 in the pointer, those of RFC 8259 in the text. A lone
 * surrogate equals nothing. Of equal keys the first counts. The time is for stepping over the members or elements
 * before those named. Takes no memory.
 *
 * @param pointer  length bytes of UTF-8.
 * @param value    receives the value's range, or PM_BP_NONE twice if the text has no such value.
 * @return PM_OK, also if there is no such value; PM_INVALID_ARGUMENT for NULL, and for what is not a JSON Pointer,
 *         because it does not begin with '/' or has a '~' without 0 or 1 behind it.
 */
PM_API pm_status pm_json_pointer(const pm_json *json, const char *pointer, size_t length, pm_json_range *value);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_JSON_H */
