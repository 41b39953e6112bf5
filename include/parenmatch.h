/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch: for every parenthesis of a sequence, what is on top of the stack there.
 *
 * This header is the whole contract of the CPU library; it needs nothing but C11 (or C++11).
 *
 * Terms
 *   A parenthesis sequence of length n is packed, least significant bit first, in 64-bit words: element i is an open
 *   when bit (i % 64) of parens[i / 64] is 1 and a close when it is 0. Bits past n in the last word may hold anything.
 *   The match of element i is the index on top of the stack before element i is processed, or PM_NONE when the stack
 *   is empty; then an open pushes i and a close pops (popping the empty stack does nothing). So a close gets its
 *   matching open and an open gets its parent. Every input is legal, unbalanced ones too.
 *
 * Conventions, which hold wherever a declaration does not say otherwise
 *   - Units: lengths, counts and indices count elements (or bytes of text where the name says so), never words.
 *   - Ownership: arrays belong to the caller, are used during the call only, and must not overlap. No alignment beyond
 *     the element type's own is asked for. Nothing is read past an input's last element (for packed bits: its last
 *     word) and nothing is written past an output's last element.
 *   - Errors: a function that can fail returns a pm_status. n = 0 is PM_OK, with NULL arrays allowed. A NULL array that
 *     is not optional, with n > 0, is PM_INVALID_ARGUMENT. On failure the outputs are unspecified and nothing else has
 *     been touched. An unbalanced sequence is an outcome, not a failure.
 *   - Threads: a pm_context, and each object created with it, is used by one thread at a time; distinct contexts may be
 *     used concurrently. A NULL context means the defaults and is safe from any number of threads; pm_match_gpu() alone
 *     needs a context.
 *   - The library never prints, aborts or changes the locale, and reads no variable of the environment but
 *     PARENMATCH_ALLOW_CPU_DEVICE (see pm_options). The Vulkan loader, if it is opened, reads its own.
 *
 * Sources
 *   Levien, "Fast parentheses matching on GPU" (the problem, the bicyclic semigroup) and "The stack monoid revisited"
 *   (match as the index on top of the stack). Vigna, "Broadword implementation of parenthesis queries" (far).
 */
#ifndef PARENMATCH_H
#define PARENMATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---------------------------------------------------------------------------------------------------- */

/** Version of this header; the build reads it from here and nowhere else. */
#define PM_VERSION_MAJOR 0
#define PM_VERSION_MINOR 1        /**< See PM_VERSION_MAJOR. */
#define PM_VERSION_PATCH 0        /**< See PM_VERSION_MAJOR. */
#define PM_VERSION_STRING "0.1.0" /**< The same three numbers as text. */

/** Marks what a shared library exports. */
#if defined(__GNUC__)
#define PM_API __attribute__((visibility("default")))
#else
#define PM_API
#endif

/** Version of the library that runs, as text ("0.1.0"); may differ from the header's with a shared library. */
PM_API const char *pm_version_string(void);

/* ---- Status ----------------------------------------------------------------------------------------------------- */

/** Every status: X(NAME, value, text). Values are pinned and never reused. */
#define PM_STATUS_MAP(X)                                                                                               \
    X(OK, 0, "success")                                                                                                \
    X(INVALID_ARGUMENT, 1, "invalid argument")                                                                         \
    X(OUT_OF_MEMORY, 2, "out of memory")                                                                               \
    X(TOO_LARGE, 3, "too large: past a documented limit")                                                              \
    X(UNSUPPORTED, 4, "not supported here")                                                                            \
    X(NO_DEVICE, 5, "no usable device")                                                                                \
    X(DEVICE_LOST, 6, "device lost")                                                                                   \
    X(IO, 7, "input or output failed")                                                                                 \
    X(CORRUPT, 8, "corrupt data")

/** What a call came to; PM_OK is 0, everything else is a failure. */
typedef enum pm_status {
#define PM_STATUS_ENUM(name, value, text) PM_##name = value,
    PM_STATUS_MAP(PM_STATUS_ENUM)
#undef PM_STATUS_ENUM
} pm_status;

/** The status's name, "PM_OK"; "PM_UNKNOWN" for a value that is none. Never NULL; static storage; any thread. */
PM_API const char *pm_status_name(pm_status status);

/** The status in words, "success"; "unknown status" for a value that is none. Never NULL; static storage; any thread.
 */
PM_API const char *pm_status_string(pm_status status);

/* ---- Matching: the simple form ---------------------------------------------------------------------------------- */

#define PM_NONE UINT32_MAX   /**< No element: the stack was empty there. */
#define PM_NONE64 UINT64_MAX /**< The same where indices have 64 bits. */

/** A context: allocator and settings; see pm_context_create(). NULL is accepted wherever one is asked for. */
typedef struct pm_context pm_context;

/**
 * The bicyclic element of a slice: its unmatched closes and its unmatched opens.
 * (a,b)·(c,d) = (a + c - min(b,c), b + d - min(b,c)); identity (0,0); an open is (0,1), a close (1,0).
 * Source: Levien, "Fast parentheses matching on GPU", the bicyclic semigroup.
 */
typedef struct pm_bic {
    uint64_t close; /**< Unmatched closes. */
    uint64_t open;  /**< Unmatched opens. */
} pm_bic;

/**
 * Matches a sequence, choosing the backend. For now that is always pm_match_broadword(), so this is that function under
 * the name most programs should call.
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits, (n + 63) / 64 words.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param match    n results: match[i] < i, or PM_NONE.
 * @param total    the sequence's bicyclic element; may be NULL.
 */
PM_API pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence on one thread by the plain stack, kept inside `match` itself, so it allocates nothing and cannot
 * run out of memory. This is the oracle every other backend is held against. Parameters as pm_match_auto().
 */
PM_API pm_status pm_match_seq(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence on one thread with vector instructions, 64 elements at a time where the CPU can. Memory beside the
 * arrays: none for n <= 2048, else at most n / 8 bytes and 129 KiB from the context's allocator, given back before it
 * returns. Parameters as pm_match_auto(); PM_OUT_OF_MEMORY is possible. pm_options.simd chooses the instructions.
 */
PM_API pm_status pm_match_broadword(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                    pm_bic *total);

/**
 * Matches a sequence on several threads of OpenMP, each as pm_match_broadword() does it; on the calling thread alone
 * where more would not pay (short sequences, a caller that is itself part of a team without teams within) and in a
 * library built without OpenMP. Results do not depend on the number of threads. Memory beside the arrays: at most n / 8
 * bytes, and 1 MiB for each thread, from the context's allocator. Parameters as pm_match_auto(); PM_OUT_OF_MEMORY is
 * possible. pm_options.threads says how many threads, pm_options.simd chooses the instructions.
 */
PM_API pm_status pm_match_omp(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence on a GPU, by Vulkan. The context's first call opens the device and makes its kernels; the context
 * keeps them, and the memory that its largest call took (less than 3 n / 10 bytes and 64 MiB of the device's, 64 MiB of
 * the host's), until it is destroyed.
 * Where the sequence and its match lie in host memory, as here, a few CPU cores are faster than the way to the device
 * and back; pm_match_auto() does not go it.
 *
 * @param context  not NULL. Other parameters as pm_match_auto().
 * @return PM_OK; PM_NO_DEVICE without a Vulkan loader, without a device that has Vulkan 1.2 with buffer device
 *         addresses, without the one that pm_options asks for; PM_OUT_OF_MEMORY, of the host or of the device;
 *         PM_DEVICE_LOST, then and from every later call with this context; PM_TOO_LARGE past the limit of the
 *         pipeline that pm_options asks for; PM_UNSUPPORTED if the device's workgroups are too small for it, and for a
 *         failure of the driver's that has no name.
 */
PM_API pm_status pm_match_gpu(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * Matches a sequence with neutral elements (leaves), which neither push nor pop: match[i] is, for every element, the
 * index on top of the stack before it, so a leaf gets its enclosing open.
 *
 * @param opens, closes  one bit an element each; an element with neither bit is neutral, one with both makes the call
 *                       fail with PM_INVALID_ARGUMENT. Other parameters as pm_match_auto().
 */
PM_API pm_status pm_match_masks(pm_context *context, const uint64_t *opens, const uint64_t *closes, size_t n,
                                uint32_t *match, pm_bic *total);

/**
 * Is `match` the match of `parens`? PM_OK when every element is right, PM_CORRUPT when one is not. A complete proof by
 * induction in O(n): match[0] = none; after an open at i, match[i + 1] = i; after a close at i, match[i + 1] is
 * match[match[i]], or none if match[i] is.
 *
 * @param wrong  on PM_CORRUPT the first wrong element's index; may be NULL.
 */
PM_API pm_status pm_match_verify(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                 size_t *wrong);

/* ---- Context ---------------------------------------------------------------------------------------------------- */

/**
 * Where the library gets its memory. Both functions NULL: malloc and free. One of them NULL: PM_INVALID_ARGUMENT.
 * They are called by the thread that calls the library, and must outlive the context and the objects made with it.
 */
typedef struct pm_allocator {
    /** Returns `size` > 0 bytes aligned as malloc's, or NULL, which the library reports as PM_OUT_OF_MEMORY. */
    void *(*alloc)(size_t size, void *user);
    /** Gives back a block that alloc returned; never called with NULL. */
    void (*free)(void *block, void *user);
    void *user; /**< Passed on to both. */
} pm_allocator;

/** Settings of a context. Zero-initialise it and set what you need: {.struct_size = sizeof(pm_options), ...}. */
typedef struct pm_options {
    /**
     * sizeof(pm_options) as the caller knows it. 0 means the size the library itself knows, which is right for programs
     * built together with it. A larger size is accepted if what the library does not know is zero (PM_UNSUPPORTED
     * otherwise); a size that ends before `allocator` does is PM_INVALID_ARGUMENT.
     */
    size_t struct_size;
    pm_allocator allocator; /**< Memory of the context and of everything made with it. */
    /**
     * The vector instructions that matching uses, one of pm_simd_name(); NULL: the best of the CPU. A name that is none
     * makes pm_context_create() fail with PM_INVALID_ARGUMENT, one that this CPU lacks with PM_UNSUPPORTED.
     */
    const char *simd;
    /**
     * How many threads a function that uses several may use, its caller's included; 0: as many as OpenMP gives a
     * parallel region there. A larger number than the machine has processors is taken at its word.
     */
    unsigned threads;
    /**
     * The device of pm_match_gpu(): its index among Vulkan's ("0"), or its UUID in hexadecimal, as vulkaninfo prints
     * it. NULL or "": the best one; discrete before integrated before virtual. Copied; 64 characters or more are
     * PM_INVALID_ARGUMENT.
     */
    const char *device;
    /**
     * Lets pm_match_gpu() use a Vulkan device that is a CPU (a software renderer). PARENMATCH_ALLOW_CPU_DEVICE=1 in the
     * environment does so too.
     */
    bool allow_cpu_device;
    /**
     * How pm_match_gpu() goes about it, one of pm_pipeline_name(); NULL: "wide". A name that is none makes
     * pm_context_create() fail with PM_INVALID_ARGUMENT.
     */
    const char *pipeline;
} pm_options;

/** How many implementations with different vector instructions were compiled in; at least one works everywhere. */
PM_API size_t pm_simd_count(void);
/** The name of implementation 0 ... pm_simd_count() - 1, best first ("avx2"); NULL past them. Static storage. */
PM_API const char *pm_simd_name(size_t index);
/** The same implementation in a line of English; NULL past the last. Static storage. */
PM_API const char *pm_simd_description(size_t index);
/** Does this CPU have what the implementation needs? false past the last. */
PM_API bool pm_simd_supported(size_t index);

/**
 * How many pipelines pm_match_gpu() can use. Each matches every sequence that is not too long for it:
 *   "wide"            2^32 - 1 elements.
 *   "direct"          2^16, in one dispatch.
 *   "simple"          2^18, in two dispatches, after Levien, "Fast parentheses matching on GPU", section 6.
 *   "work-efficient"  2^24, in two dispatches, after section 7 of it. Memory of the device: 4 bytes an element more.
 *   "lookback"        what fits the device's largest allocation with 4 bytes an element, 2^30 where that is 4 GiB. One
 *                     pass, after Levien, "The stack monoid revisited". Where workgroups make no independent progress,
 *                     it does work again rather than wait.
 * The limits of the three before it are those of a device whose workgroups have 512 invocations and 32 KiB of memory;
 * with fewer they are less. pm_match_gpu() returns PM_TOO_LARGE for more elements.
 */
PM_API size_t pm_pipeline_count(void);
/** The name of pipeline 0 ... pm_pipeline_count() - 1, the default first ("wide"); NULL past them. Static storage. */
PM_API const char *pm_pipeline_name(size_t index);
/** The same pipeline in a line of English; NULL past the last. Static storage. */
PM_API const char *pm_pipeline_description(size_t index);

/**
 * Creates a context.
 *
 * @param options  copied; NULL for the defaults.
 * @param context  receives the context, to be given to pm_context_destroy(); NULL on failure.
 * @return PM_OK, PM_INVALID_ARGUMENT, PM_UNSUPPORTED (see pm_options), PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_context_create(const pm_options *options, pm_context **context);

/** Destroys a context; NULL is fine. Everything made with it must have been destroyed before. */
PM_API void pm_context_destroy(pm_context *context);

/* ---- Matching: the streaming form ------------------------------------------------------------------------------- */

/**
 * A sequence that arrives in chunks, of any length in all (indices have 64 bits). A chunk's matches are found with
 * vector instructions (pm_options.simd chooses them) once it has a few hundred elements.
 * Memory: 208 KiB; and 16 bytes for every 64 consecutive elements that hold an open not closed yet, nothing for the
 * rest. These are got in blocks of 16 KiB, and at most one block is kept empty. pm_stream_finish() gives every block
 * back.
 */
typedef struct pm_stream pm_stream;

/** Creates a stream; *stream is to be given to pm_stream_destroy() and is NULL on failure (PM_OUT_OF_MEMORY). */
PM_API pm_status pm_stream_create(pm_context *context, pm_stream **stream);

/**
 * Appends n elements. Each chunk starts at bit 0 of its own words, whatever the length of the chunks before.
 *
 * @param match  n results as indices into the whole stream (PM_NONE64: none); NULL: only account, for
 *               pm_stream_finish() and later chunks.
 * @return PM_OK; PM_OUT_OF_MEMORY or PM_INVALID_ARGUMENT. After PM_OUT_OF_MEMORY every push returns it again until
 *         pm_stream_finish().
 */
PM_API pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match);

/**
 * The same with results of 32 bits (PM_NONE: none), for as long as every index is one: PM_TOO_LARGE, with nothing
 * appended, for a push that wants matches and would make the stream longer than 2^32 - 1 elements. Pushes of both forms
 * may be mixed.
 */
PM_API pm_status pm_stream_push_32(pm_stream *stream, const uint64_t *parens, size_t n, uint32_t *match);

/**
 * Ends the sequence and makes the stream ready for the next one.
 *
 * @param total  the bicyclic element of everything pushed; may be NULL.
 * @return PM_OK, or the failure that a push met since the last finish.
 */
PM_API pm_status pm_stream_finish(pm_stream *stream, pm_bic *total);

/** Destroys a stream; NULL is fine. */
PM_API void pm_stream_destroy(pm_stream *stream);

/* ---- One word --------------------------------------------------------------------------------------------------- */
/*
 * A word is a sequence of 64 elements; any word will do. An element is far when its partner is not in the word.
 * Elements, and far elements by number, go from 0 to 63. The answer is a position, or -1 where there is none; so it is
 * for an argument outside 0 ... 63 and for an element of the wrong kind. The functions are pure: any thread may call
 * them. Source: Vigna, "Broadword implementation of parenthesis queries".
 */

/** The close that matches the open at i; -1 if it is far, or if i is a close. */
PM_API int pm_word_find_close(uint64_t x, int i);
/** The open that matches the close at i; -1 if it is far, or if i is an open. */
PM_API int pm_word_find_open(uint64_t x, int i);
/**
 * The nearest open j < i that encloses i: the match of i where the word is the whole sequence. So an open gets its
 * parent, and a close its matching open, as from pm_word_find_open(); -1 if the stack is empty there.
 */
PM_API int pm_word_enclose(uint64_t x, int i);
/** The number of far closes, 0 ... 64. */
PM_API int pm_word_far_close_count(uint64_t x);
/** The number of far opens, 0 ... 64. */
PM_API int pm_word_far_open_count(uint64_t x);
/** The position of the k-th far close, counted from 0 at the lowest; -1 if there are no more than k. */
PM_API int pm_word_find_far_close(uint64_t x, int k);
/** The position of the k-th far open, counted from 0 at the highest; -1 if there are no more than k. */
PM_API int pm_word_find_far_open(uint64_t x, int k);

/* ---- More of the same answer: one value an element --------------------------------------------------------------- */
/*
 * Each function takes a sequence and its match (from any pm_match_* function but pm_match_masks). Every open is a node
 * of an ordered forest; its parent is its match, and nodes without parent are the roots. An open without close is a
 * node whose subtree goes on to n. Siblings are nodes of one parent, in order; the roots are siblings of one another.
 *
 * Element-indexed form: out[i] for each of the n elements, nodes named by the index of their open. A close stands for
 * the node it closes and has the same value as its open; an unmatched close stands for no node, and has PM_NONE (depth
 * and subtree size: 0).
 *
 * A `match` that cannot be one of the sequence is PM_INVALID_ARGUMENT where it is noticed; where it is not, the values
 * are unspecified, but nothing is read or written out of bounds. pm_match_verify() notices always.
 * n at most 2^32 - 1 (PM_TOO_LARGE). O(n) time, no memory.
 */

/** Partner: of an open its close, of a close its open; PM_NONE for an unmatched one. */
PM_API pm_status pm_element_partner(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                    uint32_t *partner);
/** Depth: the number of opens that enclose the element's node, itself not counted (a root: 0). */
PM_API pm_status pm_element_depth(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                  uint32_t *depth);
/** Parent: the innermost node that encloses the element's node; PM_NONE for a root. */
PM_API pm_status pm_element_parent(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                   uint32_t *parent);
/** Previous sibling; PM_NONE for a first child. */
PM_API pm_status pm_element_prev_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                         uint32_t *prev_sibling);
/** Next sibling; PM_NONE for a last child. */
PM_API pm_status pm_element_next_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                         uint32_t *next_sibling);
/** First child; PM_NONE for a leaf. */
PM_API pm_status pm_element_first_child(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                        uint32_t *first_child);
/** Subtree size: the nodes of the subtree, the node itself counted. */
PM_API pm_status pm_element_subtree_size(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                         uint32_t *subtree_size);

/* ---- More of the same answer: one value a node ------------------------------------------------------------------- */
/*
 * Node-indexed form: node k is the k-th open, from 0, so nodes are numbered in preorder; the outputs are the vectors
 * that array-language people work with (a parent vector, a depth vector). Each output has pm_node_count() entries;
 * parents and siblings are node numbers. Otherwise as the element-indexed form, but what takes a match takes memory
 * too, 4 bytes for every 64 elements (PM_OUT_OF_MEMORY).
 */

/** The number of nodes: opens among the n elements. 0 where parens is NULL. */
PM_API size_t pm_node_count(const uint64_t *parens, size_t n);
/** Position: the element index of each node's open. */
PM_API pm_status pm_node_position(pm_context *context, const uint64_t *parens, size_t n, uint32_t *position);
/** Depth vector: of each node the number of its ancestors (a root: 0). */
PM_API pm_status pm_node_depth(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               uint32_t *depth);
/** Parent vector; PM_NONE for a root. */
PM_API pm_status pm_node_parent(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                uint32_t *parent);
/** Previous sibling; PM_NONE for a first child. */
PM_API pm_status pm_node_prev_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                      uint32_t *prev_sibling);
/** Next sibling; PM_NONE for a last child. */
PM_API pm_status pm_node_next_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                      uint32_t *next_sibling);
/** First child; PM_NONE for a leaf. */
PM_API pm_status pm_node_first_child(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                     uint32_t *first_child);
/** Subtree size: the nodes of the subtree, the node itself counted. */
PM_API pm_status pm_node_subtree_size(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                      uint32_t *subtree_size);

/* ---- The converse: from a tree to parentheses ------------------------------------------------------------------- */

/**
 * The balanced sequence of a depth vector in preorder.
 *
 * @param depth   of `nodes` nodes: depth[0] = 0 and depth[k + 1] <= depth[k] + 1, else PM_INVALID_ARGUMENT.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE): the sequence has 2 * nodes elements.
 * @param parens  receives 2 * nodes bits, (2 * nodes + 63) / 64 words; bits past the end are 0.
 */
PM_API pm_status pm_parens_from_depth(pm_context *context, const uint32_t *depth, size_t nodes, uint64_t *parens);

/**
 * The balanced sequence of a parent vector. A root's parent is PM_NONE or the root itself (as APL has it).
 *
 * @param parent  of `nodes` nodes. A parent that is no node, or a cycle, is PM_INVALID_ARGUMENT. Children follow one
 *                another in the order of their numbers, and so do roots.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE). O(nodes) time however deep the tree.
 * @param parens  as pm_parens_from_depth().
 * @param order   receives `nodes` numbers: order[k] is the node that became the k-th open. NULL: not wanted; the vector
 *                must then be in preorder already (order[k] = k), else PM_INVALID_ARGUMENT. Wanting it takes memory,
 *                8 bytes a node (PM_OUT_OF_MEMORY).
 */
PM_API pm_status pm_parens_from_parent(pm_context *context, const uint32_t *parent, size_t nodes, uint64_t *parens,
                                       uint32_t *order);

/* ---- Text: alphabets and languages ------------------------------------------------------------------------------- */

#define PM_ROLE_NEUTRAL 0u /**< Role of a byte: no bracket. */
#define PM_ROLE_OPEN 1u    /**< Role of a byte: an open, with its kind in the bits above (see PM_ROLE). */
#define PM_ROLE_CLOSE 2u   /**< Role of a byte: a close, likewise. */
#define PM_KINDS_MAX 64u   /**< Kinds an alphabet can tell apart. */
/** The role of a bracket of kind 0 ... PM_KINDS_MAX - 1. */
#define PM_ROLE(side, kind) ((uint8_t)((side) | (unsigned)(kind) << 2))

/** Which bytes are brackets: role[byte] is PM_ROLE_NEUTRAL or PM_ROLE(PM_ROLE_OPEN or PM_ROLE_CLOSE, kind). */
typedef struct pm_alphabet {
    uint8_t role[256]; /**< Indexed by the byte. */
} pm_alphabet;

/**
 * The alphabet of a string of pairs such as "()[]{}": its k-th pair is kind k.
 *
 * @param pairs  length bytes; any bytes, NUL included.
 * @return PM_OK; PM_INVALID_ARGUMENT for an odd length or a byte that occurs twice; PM_TOO_LARGE past PM_KINDS_MAX.
 */
PM_API pm_status pm_alphabet_from_pairs(const char *pairs, size_t length, pm_alphabet *alphabet);

/** A language: its brackets, and which strings and comments to skip. Static storage; immutable; any thread. */
typedef struct pm_language pm_language;

/** The languages, in a fixed order: index 0 ... pm_language_count() - 1; NULL past them. "text" comes first. */
PM_API const pm_language *pm_language_at(size_t index);
/** How many languages there are. */
PM_API size_t pm_language_count(void);
/** The language of that name ("json", "c++"), or alias; NULL if there is none. */
PM_API const pm_language *pm_language_by_name(const char *name);
/** The language of a file name, by its ending ("a.json", "dir/X.C"); "text" if it tells nothing, or for NULL. */
PM_API const pm_language *pm_language_by_path(const char *path);
/** The language's name; NULL for NULL, like the next two. */
PM_API const char *pm_language_name(const pm_language *language);
/** What the language skips, in a line of English. */
PM_API const char *pm_language_description(const pm_language *language);
/** The language's own brackets. */
PM_API const pm_alphabet *pm_language_alphabet(const pm_language *language);

/**
 * The brackets of a text: positions, packed bits, kinds.
 *
 * @param language   which strings and comments to skip; NULL: none.
 * @param alphabet   which bytes are brackets; NULL: the language's own (both NULL: PM_INVALID_ARGUMENT). A byte with
 *                   which the language may begin a string or comment ('/' in C) is none, whatever the alphabet says.
 * @param text       n bytes; need not be valid UTF-8 nor end in NUL.
 * @param capacity   room, in brackets, of each output. Only the first `capacity` brackets are stored.
 * @param parens     receives (min(count, capacity) + 63) / 64 words, bits past the end 0; NULL: not wanted.
 * @param positions  receives byte offsets; NULL: not wanted.
 * @param kinds      receives kinds; NULL: not wanted.
 * @param count      receives the number of brackets in the text, also where it is more than capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY (a language that nests strings and code keeps a stack of them).
 */
PM_API pm_status pm_text_brackets(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                  const char *text, size_t n, size_t capacity, uint64_t *parens, uint64_t *positions,
                                  uint8_t *kinds, size_t *count);

/* ---- Text: kinds of brackets ------------------------------------------------------------------------------------ */

/**
 * Pairs of two kinds, such as "( ]": matching looks at open and close alone, and this at kinds afterwards.
 *
 * @param parens, n, match  a sequence and its match, as pm_element_partner().
 * @param kinds             n kinds.
 * @param mismatched        receives the indices of the first `capacity` closes whose open has another kind, in order;
 *                          NULL is allowed where capacity is 0.
 * @param found             receives their number, also where it is more than capacity; not optional.
 */
PM_API pm_status pm_kind_check(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               const uint8_t *kinds, size_t capacity, uint32_t *mismatched, size_t *found);

/* ---- Text: the check -----------------------------------------------------------------------------------------------
 */

/** What can be wrong with the brackets of a text. */
typedef enum pm_fault {
    PM_FAULT_UNMATCHED_CLOSE = 0, /**< A close where no open is left. */
    PM_FAULT_UNMATCHED_OPEN = 1,  /**< An open that is never closed. */
    PM_FAULT_KIND_MISMATCH = 2,   /**< A close whose open is of another kind. */
    PM_FAULT_UNTERMINATED = 3     /**< A string or comment that the text's end cuts off. */
} pm_fault;

/** A place in a text. */
typedef struct pm_place {
    uint64_t offset; /**< Bytes before it. */
    uint64_t line;   /**< From 1; a line ends with its '\n'. */
    uint64_t column; /**< From 1, in bytes. */
} pm_place;

/** One thing that is wrong. */
typedef struct pm_diagnostic {
    pm_fault fault;    /**< What. */
    pm_place at;       /**< Where: the bracket, or where the string or comment begins. */
    char byte;         /**< The byte there. */
    char partner_byte; /**< PM_FAULT_KIND_MISMATCH: the open that the close at `at` closes; else 0. */
    pm_place partner;  /**< PM_FAULT_KIND_MISMATCH: where that open is; else zeros. */
} pm_diagnostic;

/**
 * Receives a diagnostic, valid during the call, from the thread that calls pm_check_push() or pm_check_finish(). It
 * must not call the checker. Returns true to go on, false to be told no more (faults are still counted).
 */
typedef bool (*pm_check_report)(const pm_diagnostic *diagnostic, void *user);

/** What a text came to. */
typedef struct pm_check_summary {
    uint64_t bytes;        /**< Of text. */
    uint64_t lines;        /**< '\n's, and one more if the last line lacks its. */
    uint64_t brackets;     /**< Outside strings and comments. */
    uint64_t max_depth;    /**< Most brackets open at once. */
    pm_bic unmatched;      /**< Unmatched closes and opens. */
    uint64_t mismatched;   /**< Pairs of two kinds. */
    uint64_t unterminated; /**< 1 if the end cut off a string or comment. */
} pm_check_summary;

/**
 * A check of a text that arrives in chunks: are its brackets balanced and of matching kinds, strings and comments of
 * the language skipped. A close always closes the innermost open, whatever their kinds. Memory: at most 56 bytes for
 * every 64 bytes of text that hold a bracket still open, much less where the text repeats itself; nothing for the rest;
 * and 50 KB once. Chunks of 8 KiB and up are read fastest.
 */
typedef struct pm_check pm_check;

/**
 * Creates a check.
 *
 * @param language  not NULL.
 * @param alphabet  copied; NULL: the language's own. More than 4 kinds are PM_UNSUPPORTED.
 * @param report    called for each fault, in the order of their places, but opens never closed (and what is
 *                  unterminated) come last, at pm_check_finish(); NULL: faults are only counted.
 * @param user      passed on to report.
 * @param check     receives the check, to be given to pm_check_destroy(); NULL on failure.
 */
PM_API pm_status pm_check_create(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                 pm_check_report report, void *user, pm_check **check);

/** Appends n bytes of text. After PM_OUT_OF_MEMORY every push returns it again until pm_check_finish(). */
PM_API pm_status pm_check_push(pm_check *check, const char *text, size_t n);

/**
 * Ends the text, reports what is left open, and makes the check ready for the next text.
 *
 * @param summary  may be NULL.
 * @return PM_OK, whatever was found; or the failure that a push met since the last finish.
 */
PM_API pm_status pm_check_finish(pm_check *check, pm_check_summary *summary);

/** Destroys a check; NULL is fine. */
PM_API void pm_check_destroy(pm_check *check);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_H */
