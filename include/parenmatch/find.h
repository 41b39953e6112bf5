/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/find.h: search for many patterns at once.
 *
 * A dictionary is made once from any number of patterns. A search finds every occurrence of all of them, including
 * overlapping ones. Patterns and texts are arbitrary bytes, NUL and parts of characters included.
 *
 * Sources: Aho and Corasick, "Efficient string matching: an aid to bibliographic search"; Lin, Liu, Chien and Chang,
 * "Accelerating pattern matching using a novel parallel algorithm on GPUs" (PFAC, without failure links).
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_FIND_H
#define PARENMATCH_FIND_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Dictionaries ------------------------------------------------------------------------------------------------ */

/** Flag of a dictionary: ignore the case of the letters A to Z in patterns and texts. Other bytes stay as they are. */
#define PM_DICT_IGNORE_CASE 1u

/** A dictionary. It never changes: any number of threads may search with it at once, each with a context of its own or
 * NULL. */
typedef struct pm_dict pm_dict;

/**
 * Creates a dictionary. Patterns are numbered from 0 in the order in which they are given.
 * Memory, from the context's allocator: 17 KiB, and for each byte of the patterns at most 50 bytes and 4 bytes for each
 * distinct byte in them. Patterns that begin or end alike take less. During the call, each byte of the patterns takes
 * up to 50 bytes more.
 *
 * @param context   NULL for the defaults. It may be used for other things, but must outlive the dictionary.
 * @param patterns  count pointers to the patterns' bytes, which are copied.
 * @param lengths   count lengths in bytes; NULL: patterns are strings that end with a NUL, which is not part of them.
 * @param count     may be 0: such a dictionary finds nothing.
 * @param flags     0 or PM_DICT_IGNORE_CASE.
 * @param dict      receives the dictionary, to be given to pm_dict_destroy(); NULL after a failure.
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT, also for an empty pattern and for two equal patterns (equal
 *         except for case, if case is ignored); PM_TOO_LARGE for more than 2^31 - 2 bytes of patterns, and for an
 *         automaton of 2^31 cells or more. A byte of a pattern takes at most as many cells as there are distinct bytes.
 */
PM_API pm_status pm_dict_create(pm_context *context, const char *const *patterns, const size_t *lengths, size_t count,
                                unsigned flags, pm_dict **dict);

/** Why patterns make no dictionary. */
typedef struct pm_dict_fault {
    /** A line of English that names the fault or the limit, such as "equal to an earlier pattern"; NULL if the patterns
     * are not at fault. Static storage. */
    const char *reason;
    size_t pattern; /**< The pattern at fault, counted from 0; SIZE_MAX if it is not a single one. */
    size_t equal;   /**< The earlier pattern that it equals; SIZE_MAX: it equals no other. */
} pm_dict_fault;

/**
 * Creates a dictionary as pm_dict_create() does, and reports which pattern is at fault after a failure.
 *
 * @param fault  receives the first fault that was found, after success too; may be NULL. Other parameters as
 *               pm_dict_create().
 * @return as pm_dict_create().
 */
PM_API pm_status pm_dict_create_explained(pm_context *context, const char *const *patterns, const size_t *lengths,
                                          size_t count, unsigned flags, pm_dict **dict, pm_dict_fault *fault);

/** Destroys a dictionary; NULL is allowed. */
PM_API void pm_dict_destroy(pm_dict *dict);

/** Returns the number of patterns. */
PM_API size_t pm_dict_count(const pm_dict *dict);

/**
 * Returns a pattern's bytes as they were given, without a NUL behind them; NULL past the last pattern. They belong to
 * the dictionary.
 *
 * @param length  receives the number of bytes; may be NULL.
 */
PM_API const char *pm_dict_pattern_at(const pm_dict *dict, size_t pattern, size_t *length);

/** Returns the bytes of the longest pattern; 0 without patterns. */
PM_API size_t pm_dict_longest(const pm_dict *dict);

/** Returns the bytes of memory that the dictionary takes. */
PM_API size_t pm_dict_size_in_bytes(const pm_dict *dict);

/**
 * Saves a dictionary's patterns, for machines of the same byte order. A regular file of this name is replaced
 * atomically, by way of a temporary file next to it.
 *
 * @return PM_OK; PM_IO if the file cannot be written, and if the path is a link or another thing that is not a regular
 *         file; it is left alone then. PM_INVALID_ARGUMENT for NULL; PM_OUT_OF_MEMORY for a copy of the patterns.
 */
PM_API pm_status pm_dict_save(const pm_dict *dict, const char *path);

/**
 * Loads a saved dictionary and creates it as pm_dict_create() does, so forged bytes can only be other patterns.
 *
 * @return as pm_dict_create(); PM_IO if the file cannot be read; PM_CORRUPT if it is not a dictionary, is damaged, or
 *         has the wrong length; PM_UNSUPPORTED if it has the other byte order or is of a later version.
 */
PM_API pm_status pm_dict_load(pm_context *context, const char *path, pm_dict **dict);

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

/** An occurrence of a pattern: bytes start ... start + length - 1 of the text. */
typedef struct pm_hit {
    uint64_t start;   /**< The offset of its first byte. */
    uint32_t length;  /**< The pattern's length in bytes. */
    uint32_t pattern; /**< The pattern's number in the dictionary. */
} pm_hit;

/**
 * Finds every occurrence of every pattern, ordered by start and then by pattern. Runs on several threads where that
 * pays, as pm_find_omp().
 *
 * @param context   NULL for the defaults.
 * @param text      n bytes; any n.
 * @param hits      receives the first `capacity` hits; may be NULL if capacity is 0. The call may overwrite all of it.
 * @param found     receives the number of hits, which may exceed capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_find_auto(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                              size_t capacity, size_t *found);

/**
 * Finds every occurrence on one thread with Aho and Corasick's automaton, byte after byte: the reference implementation
 * for all other searches. Parameters as pm_find_auto(). Memory from the context's allocator: none for n <= 256, else
 * 512 bytes and the larger of 256 KiB and 64 times the longest pattern.
 */
PM_API pm_status pm_find_seq(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/**
 * Finds every occurrence with the dictionary's best engine (pm_dict_engine()) on several threads
 * (pm_options.threads); on the calling thread alone for short texts and in a library built without OpenMP. Results do
 * not depend on the number of threads. Parameters as pm_find_auto(). Memory from the context's allocator: as
 * pm_find_seq(), nine times that with some engines; with several threads four times as much for each. Only what hits
 * need is touched.
 */
PM_API pm_status pm_find_omp(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/**
 * Finds every occurrence on a Vulkan device with PFAC (Lin, Liu, Chien, Chang, "Accelerating pattern matching using a
 * novel parallel algorithm on GPUs"): a lane for each byte walks down the trie of the patterns from there. Hits are
 * counted, then written in order. The text is uploaded in chunks, so it may exceed the device's memory; only hits
 * are downloaded. The first call uploads the dictionary; a context keeps the last four.
 *
 * Memory that the context keeps, less for short texts and few hits. On the device: up to 30 bytes for each byte of the
 * patterns, 16 bytes a pattern, 21 KiB, and three times 17 MiB. On the host: up to six times 16 MiB of the device's.
 *
 * @param context  not NULL; the first call opens its device as pm_match_gpu() does. Other parameters as pm_find_auto().
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_NO_DEVICE; PM_UNSUPPORTED if the device's workgroups have
 *         fewer than 256 invocations or less than 32 KiB of memory; PM_DEVICE_LOST, from this and every later call with
 *         this context; PM_TOO_LARGE for a pattern of more than 65536 bytes (1024 on a device that is a CPU). After a
 *         failure some hits may have been written.
 */
PM_API pm_status pm_find_gpu(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/** Which occurrences a search returns. */
typedef enum pm_find_kind {
    PM_FIND_ALL = 0,              /**< Every occurrence. */
    PM_FIND_LONGEST = 1,          /**< The longest for each start; hits with different starts may overlap. */
    PM_FIND_LEFTMOST_LONGEST = 2, /**< No overlaps: from left to right the next occurrence that starts at or behind the
                                       end of the hit before it; the longest for each start. */
    PM_FIND_LEFTMOST_FIRST = 3    /**< No overlaps, as PM_FIND_LEFTMOST_LONGEST, but for each start the pattern that
                                       comes first in the dictionary. */
} pm_find_kind;

/** Settings of a search. Zero-initialise the struct and set what you need. */
typedef struct pm_find_options {
    size_t struct_size; /**< sizeof(pm_find_options) as the caller knows it; 0: the library's own size. */
    pm_find_kind kind;  /**< PM_FIND_ALL by default. */
    /** The engine, a name that pm_find_engine_at() lists; NULL: the best for the dictionary. */
    const char *engine;
    /** "cpu" or NULL; or "gpu": the context's Vulkan device as with pm_find_gpu(), always with PFAC. With "gpu" texts
     * are uploaded in pieces of 64 MiB, and each hit of a piece takes 24 bytes of memory. */
    const char *backend;
} pm_find_options;

/**
 * Finds occurrences with settings. Parameters as pm_find_auto().
 *
 * @param options  NULL for the defaults.
 * @return as pm_find_auto(); PM_INVALID_ARGUMENT for an unknown kind, engine or backend; PM_UNSUPPORTED for an engine
 *         that does not suit the dictionary or this CPU, and for settings of a later version. With "gpu":
 *         PM_INVALID_ARGUMENT for a named engine or a NULL context, and as pm_find_gpu().
 */
PM_API pm_status pm_find_with(pm_context *context, const pm_dict *dict, const pm_find_options *options,
                              const char *text, size_t n, pm_hit *hits, size_t capacity, size_t *found);

/** A way to search. All engines find the same hits. */
typedef struct pm_find_engine_info {
    const char *name;        /**< As pm_find_options.engine takes it: "interleaved". */
    const char *description; /**< One line of English. */
} pm_find_engine_info;

/** Returns engine `index`, counted from 0; NULL past the last. Static storage. */
PM_API const pm_find_engine_info *pm_find_engine_at(size_t index);

/** Returns the name of the engine that a search with this dictionary uses by default. Static storage. */
PM_API const char *pm_dict_engine(const pm_context *context, const pm_dict *dict);

/* ---- Texts in chunks --------------------------------------------------------------------------------------------- */

/**
 * Receives hits in order, valid during the call, from the thread that calls pm_find_stream_push() or
 * pm_find_stream_finish(). It must not call the stream. Returns true to continue; after false it is not called again,
 * and hits are only counted.
 */
typedef bool (*pm_find_report)(const pm_hit *hits, size_t count, void *user);

/**
 * A search in a text that arrives in chunks, of any total length. Starts count from the beginning of the first chunk. A
 * hit is reported once no earlier one can follow, that is when as many bytes as the longest pattern has, counted from
 * its start, have arrived. If the longest pattern has more than 16 bytes, short chunks may delay that by an eighth of
 * its length. Long chunks are searched by several threads with the memory of pm_find_omp(). In addition the stream
 * takes 2.2 times the longest pattern, and 1024 hits, or as many as can start at one place if that is more.
 */
typedef struct pm_find_stream pm_find_stream;

/**
 * Creates a stream.
 *
 * @param dict     must outlive the stream.
 * @param options  as pm_find_with(); copied.
 * @param report   NULL: hits are only counted.
 * @param user     passed to report.
 * @param stream   receives the stream, to be given to pm_find_stream_destroy(); NULL after a failure.
 * @return as pm_find_with().
 */
PM_API pm_status pm_find_stream_create(pm_context *context, const pm_dict *dict, const pm_find_options *options,
                                       pm_find_report report, void *user, pm_find_stream **stream);

/**
 * Appends n bytes of text.
 *
 * @return PM_OK; PM_OUT_OF_MEMORY, or with "gpu" as pm_find_gpu(). After a failure every push returns it again until
 *         pm_find_stream_finish().
 */
PM_API pm_status pm_find_stream_push(pm_find_stream *stream, const char *text, size_t n);

/**
 * Ends the text, reports the last hits, and makes the stream ready for the next text.
 *
 * @param found  receives the number of hits since the last finish; may be NULL.
 * @return PM_OK, or the failure of a push since the last finish.
 */
PM_API pm_status pm_find_stream_finish(pm_find_stream *stream, uint64_t *found);

/** Destroys a stream; NULL is allowed. */
PM_API void pm_find_stream_destroy(pm_find_stream *stream);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_FIND_H */
