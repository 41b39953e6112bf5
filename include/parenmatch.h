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
 *     been touched. An unbalanced sequence is an outcome, not a failure. Other pointers must not be NULL either, unless
 *     they are called optional; functions without a status, such as queries of a pm_bp or a pm_dict, do not check.
 *   - Threads: a pm_context, and each object created with it, is used by one thread at a time; distinct contexts may be
 *     used concurrently. A NULL context means the defaults and is safe from any number of threads; pm_match_gpu() alone
 *     needs a context.
 *   - The library never prints, aborts or changes the locale, and reads no variable of the environment but
 *     PARENMATCH_ALLOW_CPU_DEVICE (see pm_options). The Vulkan loader, if it is opened, reads its own, and so does the
 *     runtime of OpenMP; where that gets no threads from the system, it says so and ends the process. It is asked for
 *     none where pm_options.threads is 1.
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
 * Matches a sequence by the backend that is predicted to be the fastest for so many elements: pm_match_seq(),
 * pm_match_broadword(), pm_match_omp() or pm_match_gpu(). Errors and memory as for the one that is chosen, which
 * pm_match_explain() tells; but where a device fails, it is done without, then and from there on.
 * A device comes into question for 2^20 elements or more, with a context which has it open or whose profile
 * (pm_options.profile) tells of it. It is opened once calls have missed as much time without it as opening takes.
 * A context remembers how long its teams of threads took: where others have the processors and threads wait for each
 * other longer than one takes for the whole, one does the work for a while.
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
 * Matches a sequence on a GPU, by Vulkan. The context's first call opens the device, and the first with a pipeline
 * makes its kernels; the context keeps them, and the memory that its largest call took (for each device
 * less than 3 n / 10 bytes and 48 MiB of its own, and 48 MiB of the host's; of one that is a CPU up to 48 MiB more),
 * until it is destroyed. Several threads copy to and from what the device sees (pm_options.threads), and several
 * devices may share a long match (pm_options.device). Where the sequence and its match lie in host memory, as here, a
 * few CPU cores are faster than the way to the device and back; pm_match_auto() knows.
 *
 * @param context  not NULL. Other parameters as pm_match_auto().
 * @return PM_OK; PM_NO_DEVICE without a Vulkan loader, without a device that has Vulkan 1.2 with buffer device
 *         addresses, without the one that pm_options asks for; PM_OUT_OF_MEMORY, of the host or of the device;
 *         PM_DEVICE_LOST, then and from every later call with this context; PM_TOO_LARGE past the limit of the
 *         pipeline that pm_options names; PM_UNSUPPORTED if the device's workgroups are too small for it, and for a
 *         failure of the driver's that has no name.
 */
PM_API pm_status pm_match_gpu(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/** What pm_match_auto() would do, and why. Set struct_size, as that of pm_options; the rest need not be set. */
typedef struct pm_match_choice {
    size_t struct_size;  /**< sizeof(pm_match_choice) as the caller knows it, or 0: the size the library knows. */
    const char *backend; /**< "seq", "broadword", "omp" or "gpu". Texts are in static storage. */
    const char *simd;    /**< One of pm_simd_name(); "none" for seq and gpu. */
    unsigned threads;    /**< That would work on it. */
    bool profiled;       /**< Predicted by a profile of this machine; else by figures that the library ships with. */
    double seq_ns;       /**< The predicted time of pm_match_seq(): a mean, inputs differ. */
    double broadword_ns; /**< The same of pm_match_broadword(). */
    double omp_ns;       /**< The same of pm_match_omp(); 0 where it would use one thread. */
    double gpu_ns;       /**< The same of pm_match_gpu(), transfers counted; 0 where that is not considered. */
    const char *reason;  /**< In a line of English. */
    /** The same of a device, if the sequence is there already and its match stays there; 0 where that is not known. */
    double gpu_resident_ns;
} pm_match_choice;

/**
 * Tells what pm_match_auto() would choose for n elements. Opens no device.
 *
 * @param context  NULL for the defaults.
 * @param n        at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param choice   a struct_size before the end of `reason` is PM_INVALID_ARGUMENT; what of a larger one the library
 *                 does not know it leaves alone.
 */
PM_API pm_status pm_match_explain(pm_context *context, size_t n, pm_match_choice *choice);

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
     * otherwise); a size that ends before `allocator` does is PM_INVALID_ARGUMENT, and so is one that is larger by more
     * than 4096 bytes, which is none.
     */
    size_t struct_size;
    pm_allocator allocator; /**< Memory of the context and of everything made with it. */
    /**
     * The vector instructions that matching and indices (pm_bp) use, one of pm_simd_name(); NULL: the best of the CPU.
     * A name that is none makes pm_context_create() fail with PM_INVALID_ARGUMENT, one that this CPU lacks with
     * PM_UNSUPPORTED.
     */
    const char *simd;
    /**
     * How many threads a function that uses several may use, its caller's included; 0: as many as OpenMP gives a
     * parallel region there. A larger number than the machine has processors is taken at its word.
     */
    unsigned threads;
    /**
     * The device of pm_match_gpu(): its index among Vulkan's ("0"), or its UUID in hexadecimal, as vulkaninfo prints
     * it. NULL or "": the best one; discrete before integrated before virtual. Several, at most 16, parted by commas
     * ("0,1,2,3"): long sequences are matched on all of them, each of which gets the whole sequence and brings down
     * some of the match; of a pm_resident each has a slice; everything else is done on the first. Copied; 1024
     * characters or more are PM_INVALID_ARGUMENT.
     */
    const char *device;
    /**
     * Lets pm_match_gpu() use a Vulkan device that is a CPU (a software renderer). PARENMATCH_ALLOW_CPU_DEVICE=1 in the
     * environment does so too.
     */
    bool allow_cpu_device;
    /**
     * A file in which the kernels of pm_match_gpu() are kept as the driver has compiled them, so that a later context
     * starts faster. Read when the device is opened, replaced at one stroke when the context is destroyed, if there is
     * something new. Contexts and processes may share it: the last one wins. A file that is missing, damaged, or of
     * another device or driver is as good as none, and one that cannot be written is no failure; what has this name and
     * is no regular file (a pipe, /dev/null) stays as it is. NULL or "": no file. Copied.
     */
    const char *pipeline_cache;
    /**
     * How pm_match_gpu() goes about it, one of pm_pipeline_name(); NULL: the one that is known to be the fastest for so
     * many elements on such devices. A name that is none makes pm_context_create() fail with PM_INVALID_ARGUMENT.
     */
    const char *pipeline;
    /**
     * A file that pm_profile_measure() has written: pm_match_auto() and pm_box_auto() go by its figures. Read when the
     * context is created. A file that is missing, damaged, or of another CPU, version of the library or choice of
     * `simd` is as good as none, and so is what it says of a device, if that or its driver is another one;
     * pm_match_explain() tells so. NULL or "": the figures that the library ships with.
     */
    const char *profile;
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
 *   "levels"          2^32 - 1 elements.
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
/** The name of pipeline 0 ... pm_pipeline_count() - 1, first "levels", for any length; NULL past them. Static storage.
 */
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

/**
 * Destroys a context; NULL is fine. Everything made with it must have been destroyed before. A process that has opened
 * devices more than once keeps the Vulkan driver loaded until it ends, as some drivers cannot be loaded again and
 * again.
 */
PM_API void pm_context_destroy(pm_context *context);

/** The allocator of a context, malloc and free for NULL: for what is made on top of the library, with its memory. */
PM_API pm_allocator pm_context_allocator(const pm_context *context);

/** The threads that pm_options.threads of a context asked for; 0 if it did not, and for NULL. */
PM_API unsigned pm_context_threads(const pm_context *context);

/** The devices that pm_options.device of a context named; "" if it named none, and for NULL. The text is the context's:
 * it is there until pm_context_destroy(). */
PM_API const char *pm_context_device(const pm_context *context);

/** A Vulkan device, as pm_device_at() describes it. Set struct_size; the rest need not be set. */
typedef struct pm_device_info {
    size_t struct_size; /**< sizeof(pm_device_info) as the caller knows it, or 0: the size the library knows. */
    char name[256];     /**< As the driver calls it. */
    char uuid[33];      /**< In hexadecimal, as pm_options.device takes it; "" of a device older than Vulkan 1.2. */
    const char *kind;   /**< "discrete", "integrated", "virtual", "cpu" or "other". Texts are in static storage. */
    uint64_t memory;    /**< Bytes of the largest of its heaps that is the device's own. */
    /** Why the context does not use it, even if pm_options.device names it, in a line of English; NULL: it would. */
    const char *trouble;
} pm_device_info;

/**
 * Describes one of Vulkan's devices, by the index that pm_options.device takes. It opens the Vulkan loader for that,
 * but not the device, and so may take some milliseconds.
 *
 * @param context  NULL for the defaults.
 * @param index    from 0 on.
 * @param device   a struct_size before the end of `trouble` is PM_INVALID_ARGUMENT; what of a larger one the library
 *                 does not know it leaves alone.
 * @return PM_OK; PM_NO_DEVICE past the last one, and without a Vulkan loader; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY;
 *         PM_UNSUPPORTED for a failure of the loader's that has no name.
 */
PM_API pm_status pm_device_at(pm_context *context, size_t index, pm_device_info *device);

/**
 * Measures what matching, and with a device boxes, take on this machine, with the context's threads and vector
 * instructions, and stores it for pm_options.profile of later contexts. Medians of several calls; better with nothing
 * else running. The device that pm_match_gpu() would use is measured, too, if there is one; the context closes and
 * opens it. Memory: 33 MiB, with a device 132 MiB more, and what pm_match_omp() and pm_match_gpu(), pm_box_omp() and
 * pm_box_gpu() take.
 *
 * @param context  NULL for the defaults, without a device.
 * @param seconds  about how long to measure, 0 to 3600; a tenth of a second or so is the least it takes.
 * @param path     replaced at one stroke, by way of a file beside it. Its folder must be there, and what has this name
 *                 already, if anything, be a regular file.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_IO.
 */
PM_API pm_status pm_profile_measure(pm_context *context, double seconds, const char *path);

/* ---- Matching: a slice of a sequence ---------------------------------------------------------------------------- */
/*
 * What lies in parts that no one memory holds is matched part by part: reduce every slice to what it does to a stack,
 * scan these (pm_bic), and match every slice with the stack before it (pm_stream_skip(), pm_stream_push()).
 */

/** Opens among 64 consecutive elements. */
typedef struct pm_open_word {
    uint64_t first; /**< The index of the element that bit 0 stands for. */
    uint64_t opens; /**< Bit i: element first + i is one of them. */
} pm_open_word;

/**
 * Reduces a slice to its bicyclic element, with vector instructions, more than ten times as fast as it is matched.
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits, (n + 63) / 64 words.
 * @param n        elements, any number.
 * @param effect   receives the bicyclic element; not optional.
 */
PM_API pm_status pm_slice_reduce(pm_context *context, const uint64_t *parens, size_t n, pm_bic *effect);

/**
 * The opens that a slice leaves on the stack, its survivors, from the top down. To go on where a call has ended, call
 * again with n = the index of the lowest open it stored: those before are the survivors of that many elements.
 *
 * @param parens, n  as pm_slice_reduce().
 * @param most       opens that are wanted, the topmost ones.
 * @param words      receives at most `capacity` words with at least an open each, the topmost first; each begins with
 *                   an element whose index is divisible by 64.
 * @param count      receives their number, less than capacity only where all that are wanted, or all that there are,
 *                   are stored; not optional.
 */
PM_API pm_status pm_slice_survivors(pm_context *context, const uint64_t *parens, size_t n, uint64_t most,
                                    size_t capacity, pm_open_word *words, size_t *count);

/* ---- Matching: a sequence that stays on devices ------------------------------------------------------------------ */
/*
 * Where a sequence is matched more than once, or of its match little is read, both may stay in the memories of devices:
 * a slice on each of those that pm_options.device lists. Devices reduce their slices and match them; what little slices
 * need of each other goes by way of the host, and where they need much devices find it for themselves.
 */

/**
 * A sequence on devices, and its match. It belongs to its context: it is destroyed before that, and both are used by
 * one thread at a time. While there is one, pm_profile_measure() is not called with the context: it opens devices anew.
 */
typedef struct pm_resident pm_resident;

/**
 * Room for a sequence of n elements on the context's devices, which are opened as pm_match_gpu() says: equal slices of
 * whole 32768 elements, fewer on the last device that has any; but of no fewer than 2^26, so that a sequence which
 * would be matched later by more devices is on fewer. Memory of a device: 4 bytes for each element of its slice for the
 * match, and less than 3 / 10 for each from the sequence's beginning to the slice's end for the rest; and of the
 * host's, for each device, 48 MiB for what is loaded or read.
 *
 * @param context   not NULL.
 * @param n         at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param resident  receives it, to be given to pm_resident_destroy(); NULL on failure.
 * @return as pm_match_gpu().
 */
PM_API pm_status pm_resident_create(pm_context *context, uint64_t n, pm_resident **resident);

/** Destroys it; NULL is fine. */
PM_API void pm_resident_destroy(pm_resident *resident);

/**
 * Brings a sequence there, as often as you like; the match of the one before it is lost. Every device gets all bits
 * from the beginning to its slice's end, so d devices get (d + 1) / 2 times as many together as one.
 *
 * @param parens  n bits, (n + 63) / 64 words, which the call is done with when it returns.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_DEVICE_LOST, then and from every later call with this
 *         context.
 */
PM_API pm_status pm_resident_load(pm_resident *resident, const uint64_t *parens);

/**
 * Matches it there, and returns when that is done. Of the stack before it a slice needs as many opens as it has
 * unmatched closes, and one more; in a random sequence of n elements that is about the square root of n. Where no more
 * than 8 to 16 times the square root of m are needed of any slice of m elements (4096 are never too many), they come
 * from the devices that have them by way of the host's memory, 4 bytes each. Where more are needed, the device that
 * needs them reduces the slices that they are in, and all between those and its own, by itself; that takes a tenth of
 * the time of matching as many elements.
 *
 * @param total  the sequence's bicyclic element; may be NULL.
 * @return as pm_resident_load(); PM_INVALID_ARGUMENT, too, if nothing has been loaded.
 */
PM_API pm_status pm_resident_match(pm_resident *resident, pm_bic *total);

/**
 * Reads a part of the match.
 *
 * @param first, count  elements first ... first + count - 1, of which none is past the end.
 * @param match         count results, as of pm_match_auto(): indices in the whole sequence.
 * @return as pm_resident_load(); PM_INVALID_ARGUMENT, too, if there is no match.
 */
PM_API pm_status pm_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match);

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
 * @return PM_OK; PM_OUT_OF_MEMORY or PM_INVALID_ARGUMENT; PM_TOO_LARGE, with nothing appended, if the stream would be
 *         longer than 2^64 - 1 elements. After PM_OUT_OF_MEMORY every push returns it again until pm_stream_finish().
 */
PM_API pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match);

/**
 * The same with results of 32 bits (PM_NONE: none), for as long as every index is one: PM_TOO_LARGE, with nothing
 * appended, for a push that wants matches and would make the stream longer than 2^32 - 1 elements. Pushes of both forms
 * may be mixed.
 */
PM_API pm_status pm_stream_push_u32(pm_stream *stream, const uint64_t *parens, size_t n, uint32_t *match);

/**
 * Goes on as if elements had been pushed up to index `position`, of which these opens alone, and nothing else, had an
 * effect. So a stream can begin in the middle of a sequence, with the stack of that place; pm_slice_survivors() tells
 * what a slice leaves on it.
 *
 * @param position  not below the number of elements pushed; more than any index of an open.
 * @param opens     count words, whose opens are in order: none before the number of elements pushed, and none of a word
 *                  before one of the word before it.
 * @return as pm_stream_push(); PM_INVALID_ARGUMENT, with the stream as it was, where `position` or an order is wrong.
 */
PM_API pm_status pm_stream_skip(pm_stream *stream, uint64_t position, const pm_open_word *opens, size_t count);

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

/* ---- Queries on a long sequence ---------------------------------------------------------------------------------- */
/*
 * An index over a sequence of any length up to 2^48 answers single queries, each in nanoseconds, without matching the
 * sequence whole. Every sequence is legal, unbalanced ones too, and every query has an answer for every argument:
 * PM_BP_NONE where there is nothing to be found.
 *
 * Names are those of the literature, and of sdsl-lite's bp_support, with two differences from the latter: ranks count
 * what comes before i, without i (there: with it), and selects count from 0 (there: from 1).
 *
 * Sources: Jacobson, "Space-efficient static trees and graphs"; Munro and Raman, "Succinct representation of balanced
 * parentheses and static trees"; Navarro and Sadakane, "Fully functional static and dynamic succinct trees" (the
 * tree of least levels); Vigna, "Broadword implementation of parenthesis queries" (inside words).
 */

#define PM_BP_NONE UINT64_MAX /**< No element. */

/**
 * An index. Queries take no lock and change nothing: any number of threads may put them at once. What was made with one
 * kind of vector instructions (pm_options.simd) uses these.
 */
typedef struct pm_bp pm_bp;

/**
 * Builds an index, with several threads where that pays (pm_options.threads). Where half of the elements are opens it
 * takes .075 bits for an element, .086 beyond 2^30 elements; where all are, .079 and .095; .008 more for a deep
 * sequence of at most 2^25 elements; and less than 1 KiB.
 *
 * @param context  NULL for the defaults; may be used for other things, but not destroyed, while the index exists.
 * @param parens   n bits; borrowed: they must stay where they are, unchanged, until pm_bp_destroy().
 * @param n        elements, at most 2^48; more is PM_TOO_LARGE.
 * @param bp       receives the index, to be given to pm_bp_destroy(); NULL on failure.
 */
PM_API pm_status pm_bp_create(pm_context *context, const uint64_t *parens, uint64_t n, pm_bp **bp);

/** How partners are found: pm_bp_find_close() and pm_bp_find_open(). Other queries are the same for both. */
typedef enum pm_bp_structure {
    PM_BP_LEVELS = 0,  /**< By searching for levels: the smallest index, and in general the fastest. */
    PM_BP_PIONEERS = 1 /**< By pioneers, in a constant number of steps however far away a partner is; the index takes
                            up to some 4 bits an element more, and 3 while it is made. Source: Jacobson, with the far
                            parentheses of Vigna's "Broadword implementation of parenthesis queries". */
} pm_bp_structure;

/** Settings of an index. Zero-initialise it and set what you need. */
typedef struct pm_bp_options {
    size_t struct_size;        /**< sizeof(pm_bp_options), or 0, which means the same. */
    pm_bp_structure structure; /**< PM_BP_LEVELS by default. */
} pm_bp_options;

/**
 * pm_bp_create() with settings.
 *
 * @param options  NULL for the defaults.
 * @return as pm_bp_create(); PM_INVALID_ARGUMENT for no such structure, PM_UNSUPPORTED for settings that a later
 *         version knows.
 */
PM_API pm_status pm_bp_create_with(pm_context *context, const pm_bp_options *options, const uint64_t *parens,
                                   uint64_t n, pm_bp **bp);

/** Destroys an index; NULL is fine. */
PM_API void pm_bp_destroy(pm_bp *bp);

/** Bytes of the index's arrays: without the sequence, and without less than 1 KiB that every index takes. */
PM_API size_t pm_bp_size_in_bytes(const pm_bp *bp);

/** The sequence's length n. */
PM_API uint64_t pm_bp_length(const pm_bp *bp);

/** What answers the shortest queries without a call: parenmatch/bp_view.h, where it is defined, tells how. */
typedef struct pm_bp_view pm_bp_view;

/**
 * What pm_bp_view_of() of parenmatch/bp_view.h calls: use that.
 *
 * @param layout  PM_BP_VIEW_LAYOUT, as the caller was compiled with it.
 * @param view    receives the view of the index, and is not touched on failure.
 * @return PM_UNSUPPORTED for another layout than the library's; PM_INVALID_ARGUMENT for NULL.
 */
PM_API pm_status pm_bp_view_fill(const pm_bp *bp, uint32_t layout, pm_bp_view *view);

/** Opens among elements 0 ... i - 1, and so all opens for i >= n. */
PM_API uint64_t pm_bp_rank_open(const pm_bp *bp, uint64_t i);
/** Closes among elements 0 ... i - 1, and so all closes for i >= n. */
PM_API uint64_t pm_bp_rank_close(const pm_bp *bp, uint64_t i);
/** The position of open k, counted from 0; PM_BP_NONE if there are no more than k. */
PM_API uint64_t pm_bp_select_open(const pm_bp *bp, uint64_t k);
/** The position of close k, counted from 0; PM_BP_NONE if there are no more than k. A binary search by ranks, down to a
 * word: the index has hints for pm_bp_select_open() alone. */
PM_API uint64_t pm_bp_select_close(const pm_bp *bp, uint64_t k);
/** Opens minus closes among elements 0 ... i, and so among all for i >= n. Negative where closes prevail. */
PM_API int64_t pm_bp_excess(const pm_bp *bp, uint64_t i);
/** The close that matches the open at i; PM_BP_NONE if there is none, or if no open is at i. */
PM_API uint64_t pm_bp_find_close(const pm_bp *bp, uint64_t i);
/** The open that matches the close at i; PM_BP_NONE if there is none, or if no close is at i. */
PM_API uint64_t pm_bp_find_open(const pm_bp *bp, uint64_t i);
/**
 * The match of i: of an open its parent, the nearest open that encloses it; of a close its open. PM_BP_NONE if the
 * stack is empty there, or i >= n.
 */
PM_API uint64_t pm_bp_enclose(const pm_bp *bp, uint64_t i);
/** Unmatched close k, counted from 0 at the beginning; PM_BP_NONE if there are no more than k. */
PM_API uint64_t pm_bp_select_unmatched_close(const pm_bp *bp, uint64_t k);
/** Unmatched open k, counted from 0 at the end: what is k below the top of the stack there. PM_BP_NONE likewise. */
PM_API uint64_t pm_bp_select_unmatched_open(const pm_bp *bp, uint64_t k);

/**
 * pm_bp_find_close() of each of `count` elements, which may be in any order: faster than one by one where the sequence
 * does not fit the caches, as the queries wait for memory together.
 *
 * @param i      count elements.
 * @param close  receives as many answers; may be the same array.
 */
PM_API void pm_bp_find_close_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close);
/** pm_bp_find_open() likewise. */
PM_API void pm_bp_find_open_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open);
/** pm_bp_enclose() likewise. */
PM_API void pm_bp_enclose_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open);
/**
 * pm_bp_rank_open() of each of `count` elements, likewise. For convenience: a processor has several of such short
 * queries at work anyway, so one by one they take no longer, mostly.
 */
PM_API void pm_bp_rank_open_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *rank);
/** pm_bp_excess() of each of them, as for ranks. */
PM_API void pm_bp_excess_many(const pm_bp *bp, const uint64_t *i, size_t count, int64_t *excess);

/* ---- Queries on a long sequence: the tree ------------------------------------------------------------------------ */
/*
 * The sequence as an ordered forest, as in the vectors below: every open is a node, named by its position. A node
 * without close has a subtree that goes on to n. The nodes without parent, the roots, are siblings of one another, over
 * any unmatched closes between them. Where `node` is no open the answer is PM_BP_NONE, of a depth and a rank, too
 * (pm_bp_subtree_size() and pm_bp_degree(): 0; pm_bp_is_leaf() and pm_bp_is_ancestor(): false).
 * Source: Navarro and Sadakane, "Fully functional static and dynamic succinct trees".
 */

/** The parent; PM_BP_NONE for a root. */
PM_API uint64_t pm_bp_parent(const pm_bp *bp, uint64_t node);
/** The number of ancestors: 0 for a root. */
PM_API uint64_t pm_bp_depth(const pm_bp *bp, uint64_t node);
/** Is this a node without children? */
PM_API bool pm_bp_is_leaf(const pm_bp *bp, uint64_t node);
/** The first child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_bp_first_child(const pm_bp *bp, uint64_t node);
/** The last child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_bp_last_child(const pm_bp *bp, uint64_t node);
/** The next sibling; PM_BP_NONE for a last child. */
PM_API uint64_t pm_bp_next_sibling(const pm_bp *bp, uint64_t node);
/** The previous sibling; PM_BP_NONE for a first child. */
PM_API uint64_t pm_bp_prev_sibling(const pm_bp *bp, uint64_t node);
/** The nodes of the subtree, the node itself counted. */
PM_API uint64_t pm_bp_subtree_size(const pm_bp *bp, uint64_t node);
/** The number of children. Takes time in proportion to the blocks of 512 elements in which a child begins. */
PM_API uint64_t pm_bp_degree(const pm_bp *bp, uint64_t node);
/** Child k, counted from 0; PM_BP_NONE if there are no more than k. Time as pm_bp_degree(), up to that child. */
PM_API uint64_t pm_bp_child(const pm_bp *bp, uint64_t node, uint64_t k);
/** The ancestor so many steps up, 0 being the node itself; PM_BP_NONE if there are fewer. */
PM_API uint64_t pm_bp_level_ancestor(const pm_bp *bp, uint64_t node, uint64_t distance);
/** Is `ancestor` an ancestor of `node`, or the node itself? */
PM_API bool pm_bp_is_ancestor(const pm_bp *bp, uint64_t ancestor, uint64_t node);
/** The lowest common ancestor, which may be one of the two; PM_BP_NONE for nodes below different roots. */
PM_API uint64_t pm_bp_lca(const pm_bp *bp, uint64_t a, uint64_t b);
/** The number of nodes before it in preorder. */
PM_API uint64_t pm_bp_preorder_rank(const pm_bp *bp, uint64_t node);
/** Node k in preorder, counted from 0; PM_BP_NONE if there are no more than k. */
PM_API uint64_t pm_bp_preorder_select(const pm_bp *bp, uint64_t k);

/* ---- Queries on a long sequence: saved indices ------------------------------------------------------------------- */
/*
 * A saved index has a version, the byte order of its machine, and sums of itself and of the sequence. What is damaged
 * or cut short, or belongs to another sequence, is PM_CORRUPT; what a later version or a machine of other byte order
 * has written is PM_UNSUPPORTED. The sums notice accidents; they are no defence against bytes made to deceive.
 */

/** The 8 bytes that a saved index begins with. */
#define PM_BP_MAGIC "PMBPIDX\n"

/** Writes the index to a file, replacing it; without pioneers, if it has any. @return PM_OK; PM_IO, with the file left
 * as it came to be; PM_INVALID_ARGUMENT for NULL. */
PM_API pm_status pm_bp_save(const pm_bp *bp, const char *path);

/**
 * Reads an index from a file into memory. It reads the sequence, too, to see that it is the one.
 *
 * @param path       what pm_bp_save() has written; a pipe is read to its end.
 * @param parens, n  the sequence that was indexed; as for pm_bp_create().
 * @param bp         receives the index, to be given to pm_bp_destroy(); NULL on failure.
 * @return PM_OK; PM_IO; PM_CORRUPT; PM_UNSUPPORTED; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_bp_load(pm_context *context, const char *path, const uint64_t *parens, uint64_t n, pm_bp **bp);

/** For pm_bp_map(): the caller vouches for the bytes. Only their header is checked. Beside that 64 lines of the index
 * are read, which tell how deep the sequence is, and the levels of a deep one of at most 2^25 elements. */
#define PM_BP_TRUSTED 1u

/**
 * Makes an index of saved bytes where they lie, such as in a mapped file.
 *
 * @param bytes  all that pm_bp_save() has written, at an address divisible by 8; borrowed until pm_bp_destroy().
 * @param flags  PM_BP_TRUSTED or 0.
 * @return as pm_bp_load(), but for PM_IO.
 */
PM_API pm_status pm_bp_map(pm_context *context, const void *bytes, size_t size, const uint64_t *parens, uint64_t n,
                           unsigned flags, pm_bp **bp);

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
 * @param depth   of `nodes` nodes: depth[0] = 0 and depth[k + 1] <= depth[k] + 1, else PM_INVALID_ARGUMENT, and
 *                pm_depth_verify() tells where.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE): the sequence has 2 * nodes elements.
 * @param parens  receives 2 * nodes bits, (2 * nodes + 63) / 64 words; bits past the end are 0.
 */
PM_API pm_status pm_parens_from_depth(pm_context *context, const uint32_t *depth, size_t nodes, uint64_t *parens);

/**
 * Is this a depth vector in preorder, as pm_parens_from_depth() takes it? PM_OK if it is, PM_CORRUPT if not. On one
 * thread; takes no memory.
 *
 * @param depth, nodes  as pm_parens_from_depth(); more nodes are PM_TOO_LARGE.
 * @param wrong         on PM_CORRUPT the first wrong entry's index: the least k with depth[k] > depth[k - 1] + 1, or 0
 *                      if depth[0] > 0; else left alone; may be NULL.
 */
PM_API pm_status pm_depth_verify(pm_context *context, const uint32_t *depth, size_t nodes, size_t *wrong);

/**
 * The balanced sequence of a parent vector. A root's parent is PM_NONE or the root itself (as APL has it).
 *
 * @param parent  of `nodes` nodes. A parent that is no node, or a cycle, is PM_INVALID_ARGUMENT, and pm_parent_verify()
 *                tells where. Children follow one another in the order of their numbers, and so do roots.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE). O(nodes) time however deep the tree.
 * @param parens  as pm_parens_from_depth().
 * @param order   receives `nodes` numbers: order[k] is the node that became the k-th open. NULL: not wanted; the vector
 *                must then be in preorder already (order[k] = k), else PM_INVALID_ARGUMENT. Wanting it takes memory,
 *                8 bytes a node (PM_OUT_OF_MEMORY).
 */
PM_API pm_status pm_parens_from_parent(pm_context *context, const uint32_t *parent, size_t nodes, uint64_t *parens,
                                       uint32_t *order);

/**
 * Is this a parent vector, as pm_parens_from_parent() takes it? PM_OK if it is, PM_CORRUPT if not. On one thread, in
 * O(nodes) time.
 *
 * @param parent, nodes  as pm_parens_from_parent(); more nodes are PM_TOO_LARGE.
 * @param in_preorder    must it be in preorder, as where no order is wanted? Takes no memory; else 4 bytes a node
 *                       (PM_OUT_OF_MEMORY).
 * @param wrong          on PM_CORRUPT the first wrong entry's index: the least node whose parent is no node, or that is
 *                       on a cycle (not one that only leads there); in preorder the least whose parent is neither
 *                       PM_NONE nor itself, nor the node before it or an ancestor of that one. Else left alone; may
 *                       be NULL.
 */
PM_API pm_status pm_parent_verify(pm_context *context, const uint32_t *parent, size_t nodes, bool in_preorder,
                                  size_t *wrong);

/* ---- Boxes on tree-structured scenes ---------------------------------------------------------------------------- */
/*
 * A scene is a sequence of leaves, clips, blends and ends. A clip and a blend open a node, and an end closes the
 * innermost node that is open; a node that is never closed ends at n, and an end where nothing is open closes nothing.
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", sections 6 and 9.
 *
 * Which box is which, to the bit and on every backend: a box is empty unless x0 < x1 and y0 < y1, so one with a NaN is
 * empty; infinite coordinates are coordinates like others; -0 counts as 0. An empty box unites with b to b and
 * intersects with b to an empty one. Every empty result is exactly {0, 0, 0, 0}, and no result has a -0.
 */

/** A box, in any units: left, top, right, bottom (or bottom and top: nothing here asks where y points). */
typedef struct pm_box {
    float x0; /**< Where it begins in x, */
    float y0; /**< and in y. */
    float x1; /**< Where it ends in x: past x0, else the box is empty, */
    float y1; /**< and in y. */
} pm_box;

/** What an element of a scene is. */
typedef enum pm_node {
    PM_LEAF = 0,  /**< Something drawn: it has a box. */
    PM_CLIP = 1,  /**< Opens a node whose box everything below it is intersected with. */
    PM_BLEND = 2, /**< Opens a node whose box is the union of the clipped boxes of the leaves below it. */
    PM_END = 3    /**< Closes the innermost open node. */
} pm_node;

/**
 * The boxes of a scene by the backend that is predicted to be the fastest, pm_box_omp() or pm_box_gpu(): a device comes
 * into question for 2^20 elements or more, with a context whose profile (pm_options.profile) tells of it. What threads
 * take is predicted by how well kinds can be guessed from those before, of which a sample is looked at; what a device
 * takes, by n. The device is opened, and its kernels are made, once calls have missed as much time without it as that
 * takes. Where it fails, it is done without, then and from there on, and where a scene does not fit it, then and for
 * scenes as large; so errors and memory are those of pm_box_omp(), and beside that the device's memory.
 *
 * @param context  NULL for the defaults, without a device.
 * @param kinds    n values of pm_node; another value is PM_INVALID_ARGUMENT.
 * @param boxes    n boxes, of which those of leaves and clips are read.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param out      n results, or the array `boxes` itself, to be overwritten. Of a leaf and of a clip: its box
 *                 intersected with those of all clips above it. Of a blend: the union of what the leaves below it have
 *                 (empty if there are none). Of an end: what the node that it closes has; the empty box if it closes
 *                 none.
 */
PM_API pm_status pm_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * The boxes of a scene on one thread, by one stack and in one pass: the oracle that every other backend is held
 * against. Memory beside the arrays: 4 n bytes from the context's allocator, of which as many are touched as the scene
 * is deep; given back before it returns. Parameters as pm_box_auto(); PM_OUT_OF_MEMORY is possible.
 */
PM_API pm_status pm_box_seq(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * The boxes of a scene on several threads of OpenMP; on the calling thread alone, as pm_box_seq(), where more would not
 * pay (short scenes, a caller that is itself part of a team without teams within) and in a library built without
 * OpenMP. Results do not depend on the number of threads. Memory beside the arrays, from the context's allocator: at
 * most 6 n bytes, of which few are touched unless many nodes are open where the work is divided; and 8 bytes for each
 * of those that is closed, 16 bytes for each if `out` is `boxes`. Parameters as pm_box_auto(); PM_OUT_OF_MEMORY is
 * possible. pm_options.threads says how many threads.
 */
PM_API pm_status pm_box_omp(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * The boxes of a scene on a Vulkan device, which is chosen and opened as pm_match_gpu() says, and with it the first
 * time boxes are asked for their kernels are made. The scene, its results and 5 bytes of scratch an element have to fit
 * the device, and 16 bytes an element one allocation there (PM_OUT_OF_MEMORY: past 2^28 - 1 elements where these have 4
 * GiB). Parameters as pm_box_auto(), but context is not NULL; n at most 2^31 - 1 (PM_TOO_LARGE); PM_NO_DEVICE,
 * PM_DEVICE_LOST and PM_OUT_OF_MEMORY as of pm_match_gpu().
 */
PM_API pm_status pm_box_gpu(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* ---- Any monoid on any tree -------------------------------------------------------------------------------------- */
/*
 * Values of a monoid flow down a forest or up it. The forest is a packed sequence, unbalanced ones too: every open is a
 * node, and one that is never closed goes on to n. Values and results are node-indexed: entry k is the k-th open's, so
 * each array has pm_node_count() entries, in preorder. n at most 2^32 - 1 (PM_TOO_LARGE).
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", section 9, which generalises to other monoids.
 */

/**
 * A monoid: values, an associative product (which need not be commutative), and its identity. A product is taken of
 * values in order, left to right; of one value it is that value, bit by bit, and of none the identity. In what groups
 * the values are combined is left open: where rounding makes combine not quite associative, results depend on the
 * number of threads, to the extent of that rounding.
 */
typedef struct pm_monoid {
    size_t size;          /**< Bytes of a value, > 0; values lie side by side, so a multiple of their alignment. */
    const void *identity; /**< The identity. */
    /** Writes a times b to `out`, which overlaps neither. Several threads may call it at once, where they are used. */
    void (*combine)(void *out, const void *a, const void *b, void *user);
    void *user; /**< Passed on to combine. */
} pm_monoid;

/** Is a node's own value part of what comes down to it? */
typedef enum pm_scan_mode {
    PM_SCAN_INCLUSIVE = 0, /**< Yes: a root has its own value. */
    PM_SCAN_EXCLUSIVE = 1  /**< No: a root has the identity. */
} pm_scan_mode;

/**
 * Down: of each node the product of the values on its path from the root, in that order. On several threads where that
 * pays, as pm_tree_scan_down_omp().
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits, (n + 63) / 64 words.
 * @param monoid   its size, identity and combine must be there, else PM_INVALID_ARGUMENT.
 * @param scan     of each node: with its own value or without.
 * @param values   a value for each node.
 * @param out      a result for each node.
 */
PM_API pm_status pm_tree_scan_down_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                        pm_scan_mode scan, const void *values, void *out);

/**
 * The same on the calling thread alone, always folded from the root on. Memory: 4 bytes a node from the context's
 * allocator (PM_OUT_OF_MEMORY).
 */
PM_API pm_status pm_tree_scan_down_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       pm_scan_mode scan, const void *values, void *out);

/**
 * The same on several threads of OpenMP; on the calling thread alone where more would not pay, as pm_box_omp().
 * pm_options.threads says how many. Memory: 8 bytes a node, and 50 values and 1 KiB for each thread, from the context's
 * allocator (PM_OUT_OF_MEMORY).
 */
PM_API pm_status pm_tree_scan_down_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       pm_scan_mode scan, const void *values, void *out);

/**
 * Up: of each node the product of the values of its subtree in the order of the sequence, its own first. On several
 * threads where that pays, as pm_tree_reduce_up_omp(). Parameters as pm_tree_scan_down_auto().
 */
PM_API pm_status pm_tree_reduce_up_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                        const void *values, void *out);

/** The same on the calling thread alone. Memory: 4 bytes a node and a value, from the context's allocator. */
PM_API pm_status pm_tree_reduce_up_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       const void *values, void *out);

/** The same on several threads of OpenMP, with memory as pm_tree_scan_down_omp(). */
PM_API pm_status pm_tree_reduce_up_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       const void *values, void *out);

/** An affine transform of space, by rows: of a point p, m[i][0] p.x + m[i][1] p.y + m[i][2] p.z + m[i][3]. */
typedef struct pm_affine {
    float m[3][4]; /**< Three rows of four. */
} pm_affine;

/** Intersection of pm_box, with what is said there of empty boxes, NaN and -0. Static storage, like the others. */
PM_API const pm_monoid *pm_monoid_box_intersection(void);
/** Union of pm_box, likewise. */
PM_API const pm_monoid *pm_monoid_box_union(void);
/** Sum of uint64_t, modulo 2^64; so of int64_t too. */
PM_API const pm_monoid *pm_monoid_sum_u64(void);
/** Sum of double. */
PM_API const pm_monoid *pm_monoid_sum_f64(void);
/** Greatest of int64_t; the identity is INT64_MIN. */
PM_API const pm_monoid *pm_monoid_max_i64(void);
/** Greatest of double, none of them a NaN; the identity is minus infinity. */
PM_API const pm_monoid *pm_monoid_max_f64(void);
/** Composition of pm_affine: a times b transforms by b first. Scanned down, from a node's own space to the root's. */
PM_API const pm_monoid *pm_monoid_affine(void);

#define PM_GPU_VALUE_MAX 256 /**< Most bytes of a value of a pm_gpu_monoid. */

/**
 * A monoid for a GPU: SPIR-V that is made from a GLSL file, which tells what values are and how they are combined, and
 * includes parenmatch/monoid.glsl, which is installed and tells how. The device runs it as it is: take it from whom you
 * trust.
 */
typedef struct pm_gpu_monoid {
    size_t size; /**< Bytes that values lie apart in an array (std430): a multiple of 4, at most PM_GPU_VALUE_MAX. */
    const uint32_t *words; /**< SPIR-V; borrowed while a function runs that is given it. */
    size_t word_count;     /**< Of them. */
} pm_gpu_monoid;

/**
 * pm_tree_scan_down_auto() on a Vulkan device, which is chosen and opened as pm_match_gpu() says. The kernels of the
 * last 8 monoids are kept with the context. The tree, its values, results and scratch have to fit the device, and each
 * of these one allocation there (PM_OUT_OF_MEMORY); scratch takes 8 bytes a node, and more: 64 MiB and n / 3 bytes, or
 * an eighth of what the values take.
 *
 * @param context  not NULL.
 * @param n        at most 2^31 - 1; more is PM_TOO_LARGE.
 * @param monoid   PM_INVALID_ARGUMENT also if its words are no SPIR-V of this version's parenmatch/monoid.glsl, or have
 *                 no array of values of its size.
 * @param values   aligned to 4 bytes, and so is `out`; they do not overlap.
 * @return as pm_match_gpu(), but for pipelines.
 */
PM_API pm_status pm_tree_scan_down_gpu(pm_context *context, const uint64_t *parens, size_t n,
                                       const pm_gpu_monoid *monoid, pm_scan_mode scan, const void *values, void *out);

/** pm_tree_reduce_up_auto() on a Vulkan device, as pm_tree_scan_down_gpu(). */
PM_API pm_status pm_tree_reduce_up_gpu(pm_context *context, const uint64_t *parens, size_t n,
                                       const pm_gpu_monoid *monoid, const void *values, void *out);

/** pm_monoid_box_intersection() for a GPU, to the bit the same. Static storage, like the others. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_box_intersection(void);
/** pm_monoid_box_union() likewise. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_box_union(void);
/** pm_monoid_sum_u64() likewise. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_sum_u64(void);
/** pm_monoid_max_i64() likewise. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_max_i64(void);
/** pm_monoid_max_f64() likewise. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_max_f64(void);
/** pm_monoid_affine() for a GPU, which may round differently. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_affine(void);

/* ---- Many patterns in a text ------------------------------------------------------------------------------------- */
/*
 * A dictionary is made once of any number of patterns, and every search finds all of them at once. Patterns are bytes,
 * whatever they are, NUL and parts of characters included. A text is searched for every occurrence, those that overlap
 * included.
 *
 * Sources: Aho and Corasick, "Efficient string matching: an aid to bibliographic search"; Lin, Liu, Chien and Chang,
 * "Accelerating pattern matching using a novel parallel algorithm on GPUs" (PFAC, without failure links).
 */

/** Flag of a dictionary: the letters A to Z are the same as a to z, in patterns and texts. Other bytes stay themselves.
 */
#define PM_DICT_IGNORE_CASE 1u

/**
 * A dictionary. It does not change once it is made: any number of threads may search by it at once, with contexts of
 * their own or none.
 */
typedef struct pm_dict pm_dict;

/**
 * Makes a dictionary. Patterns are numbered in the order in which they are given, from 0 on.
 * Memory, from the context's allocator: 14 KiB, and for each byte of the patterns at most 50 bytes and 4 for each
 * different byte that they have, less where they begin or end alike; up to 50 bytes more while it is made.
 *
 * @param context   NULL for the defaults; may be used for other things, but not destroyed, while the dictionary exists.
 * @param patterns  count pointers to their bytes, which are copied.
 * @param lengths   count lengths; NULL: patterns are strings that end with a NUL, which is not part of them.
 * @param count     may be 0: nothing is found then.
 * @param flags     0 or PM_DICT_IGNORE_CASE.
 * @param dict      receives the dictionary, to be given to pm_dict_destroy(); NULL on failure.
 * @return PM_OK; PM_INVALID_ARGUMENT, also for an empty pattern and for two that are equal (where case is ignored: but
 *         for case); PM_TOO_LARGE for more than 2^31 - 2 bytes of patterns, and for 2^31 cells of its automaton or
 *         more, of which a byte can take as many as there are different bytes; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_dict_create(pm_context *context, const char *const *patterns, const size_t *lengths, size_t count,
                                unsigned flags, pm_dict **dict);

/** Destroys a dictionary; NULL is fine. */
PM_API void pm_dict_destroy(pm_dict *dict);

/** How many patterns it has. */
PM_API size_t pm_dict_count(const pm_dict *dict);

/**
 * A pattern's bytes as they were given, followed by no NUL; they belong to the dictionary. NULL past the last one.
 *
 * @param length  receives how many; may be NULL.
 */
PM_API const char *pm_dict_pattern_at(const pm_dict *dict, size_t pattern, size_t *length);

/** Bytes of the longest pattern; 0 where there is none. */
PM_API size_t pm_dict_longest(const pm_dict *dict);

/** Bytes of memory that it takes. */
PM_API size_t pm_dict_size_in_bytes(const pm_dict *dict);

/**
 * Saves a dictionary's patterns, for machines of the same byte order. PM_IO if the file cannot be written, which then
 * may be there in part; PM_INVALID_ARGUMENT for NULL; PM_OUT_OF_MEMORY for a copy of the patterns.
 */
PM_API pm_status pm_dict_save(const pm_dict *dict, const char *path);

/**
 * Makes a dictionary of a saved one, as pm_dict_create() does of its patterns.
 *
 * @return as pm_dict_create(); PM_IO if the file cannot be read; PM_CORRUPT for one that is not a dictionary, damaged,
 *         or of another length; PM_UNSUPPORTED for one of the other byte order or of a later version.
 */
PM_API pm_status pm_dict_load(pm_context *context, const char *path, pm_dict **dict);

/** An occurrence of a pattern: bytes start ... start + length - 1 of the text. */
typedef struct pm_hit {
    uint64_t start;   /**< Bytes before it. */
    uint32_t length;  /**< The pattern's. */
    uint32_t pattern; /**< Its number in the dictionary. */
} pm_hit;

/**
 * Every occurrence of every pattern, ordered by start, those of the same start by pattern. On several threads of
 * OpenMP where that pays, as pm_find_omp().
 *
 * @param context   NULL for the defaults.
 * @param text      n bytes; any n.
 * @param hits      receives the first `capacity` hits; NULL is allowed where capacity is 0. Room that is left may be
 *                  overwritten.
 * @param found     receives the number of hits, also where it is more than capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_find_auto(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                              size_t capacity, size_t *found);

/**
 * The same on one thread by Aho and Corasick's automaton, byte after byte: the oracle that every other search is held
 * against. Memory beside the hits: 257 KiB, or 64 times the longest pattern, from the context's allocator; none for
 * n <= 256.
 */
PM_API pm_status pm_find_seq(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/**
 * The same by the engine that is best for the dictionary (pm_dict_engine()), on several threads of OpenMP; on the
 * calling thread alone where more would not pay and in a library built without OpenMP. Results do not depend on the
 * number of threads. pm_options.threads says how many. Memory beside the hits, from the context's allocator: as
 * pm_find_seq(), by some engines nine times that; with several threads four times as much for each. Only what
 * hits need of it is touched.
 */
PM_API pm_status pm_find_omp(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/**
 * The same on a Vulkan device, by PFAC (Lin, Liu, Chien, Chang, "Accelerating pattern matching using a novel parallel
 * algorithm on GPUs"): every byte has a lane that goes down the trie of the patterns from there, hits are counted, and
 * then written in order. The text goes to the device in chunks, so it may be larger than the device's memory, and hits
 * alone come back. The dictionary is brought there by the first call; a context keeps the last four.
 *
 * @param context  not NULL; its device is opened by the first call (pm_options.device), as by pm_match_gpu().
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_NO_DEVICE where there is none; PM_UNSUPPORTED where its
 *         workgroups have less than 256 invocations or 32 KiB of memory; PM_DEVICE_LOST, then and from then on;
 *         PM_TOO_LARGE for a pattern of more than 65536 bytes (1024 on a device that is a CPU). Where it fails, hits
 *         may have been written.
 *
 * Memory that the context keeps. Of the device: up to 30 bytes a byte of patterns, 16 a pattern, 21 KiB; and three
 * times 17 MiB. Of the host: what it sees of the device's, up to six times 16 MiB. Less for short texts and few hits.
 */
PM_API pm_status pm_find_gpu(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                             size_t capacity, size_t *found);

/** Which occurrences are wanted. */
typedef enum pm_find_kind {
    PM_FIND_ALL = 0,              /**< Every one. */
    PM_FIND_LONGEST = 1,          /**< Of those with the same start the longest; hits with other starts may overlap. */
    PM_FIND_LEFTMOST_LONGEST = 2, /**< None that overlap: from left to right the first one that begins where the hit
                                       before it has ended, or later; of those with the same start the longest. */
    PM_FIND_LEFTMOST_FIRST = 3    /**< The same, but of those with the same start the one whose pattern comes first in
                                       the dictionary. */
} pm_find_kind;

/** Settings of a search. Zero-initialise it and set what you need. */
typedef struct pm_find_options {
    size_t struct_size; /**< sizeof(pm_find_options), or 0, which means the same. */
    pm_find_kind kind;  /**< PM_FIND_ALL by default. */
    /** How it is done, one of pm_find_engine_name(); NULL: as is best for the dictionary. */
    const char *engine;
    /** Where: "cpu", which NULL means, too; or "gpu", on the context's Vulkan device as by pm_find_gpu(), by PFAC and
     *  no other engine. Texts go there in pieces of 64 MiB, and 24 bytes of memory are taken for each hit of one. */
    const char *backend;
} pm_find_options;

/**
 * pm_find_auto() with settings.
 *
 * @param options  NULL for the defaults.
 * @return as pm_find_auto(); PM_INVALID_ARGUMENT for a kind, an engine or a backend that is none; PM_UNSUPPORTED for an
 *         engine that does not suit the dictionary or this CPU, and for settings that a later version knows. With
 *         "gpu" also PM_INVALID_ARGUMENT for an engine or without a context, and what pm_find_gpu() returns.
 */
PM_API pm_status pm_find_with(pm_context *context, const pm_dict *dict, const pm_find_options *options,
                              const char *text, size_t n, pm_hit *hits, size_t capacity, size_t *found);

/** How many ways there are to search. All find the same. */
PM_API size_t pm_find_engine_count(void);
/** The name of way 0 ... pm_find_engine_count() - 1 ("interleaved"); NULL past them. Static storage. */
PM_API const char *pm_find_engine_name(size_t index);
/** The same way in a line of English; NULL past the last. Static storage. */
PM_API const char *pm_find_engine_description(size_t index);
/** The name of the one that a search by the dictionary uses if it is not told. */
PM_API const char *pm_dict_engine(const pm_context *context, const pm_dict *dict);

/**
 * Receives hits, valid during the call, in order, from the thread that calls pm_find_stream_push() or
 * pm_find_stream_finish(). It must not call the stream. Returns true to go on, false to be told no more (hits are still
 * counted).
 */
typedef bool (*pm_find_report)(const pm_hit *hits, size_t count, void *user);

/**
 * A search of a text that arrives in chunks, of any length in all. Starts are counted from the first chunk's beginning.
 * A hit is reported once it is known that none comes before it, so when the bytes that the longest pattern could have
 * from there on have arrived. Long chunks are searched by several threads, as by pm_find_omp(), whose memory they take
 * meanwhile; beside that, twice the longest pattern, and 1024 hits, or as many as can begin at one place if more.
 */
typedef struct pm_find_stream pm_find_stream;

/**
 * Creates a stream.
 *
 * @param dict     must outlive the stream.
 * @param options  as pm_find_with(); copied.
 * @param report   NULL: hits are only counted.
 * @param user     passed on to report.
 * @param stream   receives the stream, to be given to pm_find_stream_destroy(); NULL on failure.
 * @return as pm_find_with().
 */
PM_API pm_status pm_find_stream_create(pm_context *context, const pm_dict *dict, const pm_find_options *options,
                                       pm_find_report report, void *user, pm_find_stream **stream);

/**
 * Appends n bytes of text. After a failure (PM_OUT_OF_MEMORY; with "gpu" what pm_find_gpu() returns) every push returns
 * it again until pm_find_stream_finish().
 */
PM_API pm_status pm_find_stream_push(pm_find_stream *stream, const char *text, size_t n);

/**
 * Ends the text, reports the last hits, and makes the stream ready for the next text.
 *
 * @param found  receives the number of hits since the last finish; may be NULL.
 * @return PM_OK, or the failure that a push met since the last finish.
 */
PM_API pm_status pm_find_stream_finish(pm_find_stream *stream, uint64_t *found);

/** Destroys a stream; NULL is fine. */
PM_API void pm_find_stream_destroy(pm_find_stream *stream);

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

/**
 * A language: its brackets, and which strings and comments to skip. Static storage; immutable; any thread. XML, HTML,
 * LaTeX, SQL, Pascal and Jinja, whose delimiters are longer than a byte, are none: pm_rules_by_name() has those.
 */
typedef struct pm_language pm_language;

/** The languages, in a fixed order: index 0 ... pm_language_count() - 1; NULL past them. "text" comes first. */
PM_API const pm_language *pm_language_at(size_t index);
/** How many languages there are. */
PM_API size_t pm_language_count(void);
/** The language of that name ("json", "c++"), or alias; NULL if there is none. */
PM_API const pm_language *pm_language_by_name(const char *name);
/** The language of a file name, by its ending ("a.json", "dir/X.C"); "text" if it tells nothing, or for NULL. Ask
 * pm_rules_by_path() first: "a.xml" tells nothing here. */
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
PM_API pm_status pm_match_check_kinds(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                      const uint8_t *kinds, size_t capacity, uint32_t *mismatched, size_t *found);

/* ---- Text: the check -------------------------------------------------------------------------------------------- */

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
 * every 64 bytes of text that hold a bracket still open, much less where the text repeats itself, and 16 for each
 * string with code in it that is still open (JavaScript's `${ }`), nothing for the rest; got in blocks of 16 KiB, of
 * each of which at most one is kept empty; and 51 KB once. Chunks of 8 KiB and up are read fastest.
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

/* ---- Text: delimiters of any length ------------------------------------------------------------------------------ */

/**
 * The delimiters of a language: what opens and closes, what is matched by name, what is skipped. It is made of rules,
 * one a line, such as "pair begin end", "line //" and "string \" \\"; docs/guide/delimiters.md describes them.
 *
 * Where code is read, of the patterns that begin at a byte the longest one that fits there counts, and reading goes on
 * behind it: behind the skipped region or the tag that it begins. Patterns and names are bytes; letters of ASCII alone
 * have a case that can be ignored.
 * Immutable: one object may be used by any number of threads at once.
 */
typedef struct pm_delimiters pm_delimiters;

/** What is wrong with rules. */
typedef struct pm_delimiters_error {
    pm_place at;      /**< Where in them. */
    const char *what; /**< In English; static storage. NULL: no rule is wrong. */
} pm_delimiters_error;

/**
 * Makes delimiters of rules.
 *
 * @param context  its allocator is used, and must outlive the object.
 * @param rules    n bytes, at most 65536; not kept.
 * @param pairs    receives the object, to be given to pm_delimiters_destroy(); NULL on failure.
 * @param error    receives the first thing that is wrong; may be NULL.
 * @return PM_OK; PM_CORRUPT where a rule is wrong; PM_INVALID_ARGUMENT for NULL; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_delimiters_create(pm_context *context, const char *rules, size_t n, pm_delimiters **pairs,
                                      pm_delimiters_error *error);

/** Destroys delimiters; NULL is fine. */
PM_API void pm_delimiters_destroy(pm_delimiters *pairs);

/** How many languages the library has rules for. */
PM_API size_t pm_rules_count(void);
/** The name of language 0 ... pm_rules_count() - 1 ("xml"); NULL past them. Static storage. */
PM_API const char *pm_rules_name(size_t index);
/** What is matched in it and what skipped, in a line of English; NULL past the last. Static storage. */
PM_API const char *pm_rules_description(size_t index);
/** The rules of the language of that name, or alias ("tex"), for pm_delimiters_create(); NULL if there are none. Static
 * storage. */
PM_API const char *pm_rules_by_name(const char *name);
/** The same by a file name's ending ("a.xml", "dir/X.HTML"); NULL if there are none, or for NULL. */
PM_API const char *pm_rules_by_path(const char *path);

/**
 * The structure of a text: its tokens, opens and closes, as packed bits, positions, lengths and kinds; the bits are
 * what pm_match_auto() takes. On one thread. Memory: as a pm_find_stream, and at most 350 bytes for each distinct name;
 * by rules for which it matters what is open (HTML's, Pascal's), at most 36 for each open that is not closed yet.
 *
 * @param context    NULL for the defaults.
 * @param text       n bytes; any bytes, any n. The whole text: a large file is best mapped.
 * @param capacity   room, in tokens, of each output. Only the first `capacity` tokens are stored.
 * @param parens     receives (min(count, capacity) + 63) / 64 words, bits past the end 0; NULL: not wanted.
 * @param positions  receives byte offsets; NULL: not wanted.
 * @param lengths    receives bytes of tokens, those of whole tags, at most 2^32 - 1; 0 of a close that the text leaves
 *                   out, as HTML's items may; it stands before the tag that ends them, or at the text's end.
 *                   NULL: not wanted.
 * @param kinds      receives kinds: first those of pairs, of which those are one that share a pattern; then those of
 *                   names, in the order in which they come in the text. NULL: not wanted.
 * @param count      receives the number of tokens, also where it is more than capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY, also for more than 2^31 distinct names.
 */
PM_API pm_status pm_delimiters_scan(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                                    size_t capacity, uint64_t *parens, uint64_t *positions, uint32_t *lengths,
                                    uint32_t *kinds, size_t *count);

/** One thing that is wrong with a text's structure. */
typedef struct pm_delimiters_diagnostic {
    pm_fault fault;          /**< What. */
    pm_place at;             /**< Where: the token, or what begins the region or tag that the end cuts off. */
    uint64_t length;         /**< Bytes of that. */
    pm_place partner;        /**< PM_FAULT_KIND_MISMATCH: the open that the close at `at` closes; else zeros. */
    uint64_t partner_length; /**< Bytes of that. */
} pm_delimiters_diagnostic;

/**
 * Receives a diagnostic, valid during the call, from the thread that calls pm_delimiters_check(). Returns true to go
 * on, false to be told no more (faults are still counted).
 */
typedef bool (*pm_delimiters_report)(const pm_delimiters_diagnostic *diagnostic, void *user);

/**
 * Checks the structure of a text: is it balanced, and does every close close an open of its kind, or name? A close
 * always closes the innermost open, whatever their kinds. Memory beside that of pm_delimiters_scan(): 16 bytes for each
 * open that is not closed yet; with a first fault 16 bytes for every 4 KiB of text.
 *
 * @param text     n bytes; any bytes, any n; as pm_delimiters_scan().
 * @param report   called for each fault, in the order of their places, but opens never closed (and what is
 *                 unterminated) come last; NULL: faults are only counted.
 * @param user     passed on to report.
 * @param summary  may be NULL.
 * @return PM_OK, whatever was found; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_delimiters_check(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                                     pm_delimiters_report report, void *user, pm_check_summary *summary);

/** Where pm_delimiters_scan_gpu() stores tokens. Zero-initialise it and set what you need. */
typedef struct pm_delimiters_arrays {
    size_t struct_size;  /**< As pm_options.struct_size. */
    size_t capacity;     /**< Room, in tokens, of each array. Only the first `capacity` tokens are stored. */
    uint64_t *parens;    /**< As pm_delimiters_scan(); NULL: not wanted, like the others. */
    uint32_t *positions; /**< Byte offsets. */
    uint32_t *lengths;   /**< As pm_delimiters_scan(). */
    uint32_t *kinds;     /**< As pm_delimiters_scan(). */
    uint32_t *match;     /**< As pm_match_seq(). */
} pm_delimiters_arrays;

/** What a text's structure came to. */
typedef struct pm_delimiters_summary {
    uint64_t tokens;       /**< Of the text, also where that is more than there is room for. */
    pm_bic unmatched;      /**< Unmatched closes and opens. */
    uint64_t mismatched;   /**< Pairs of two kinds. */
    uint64_t unterminated; /**< 1 if the end cut off what was to be skipped. */
    bool faulty;           /**< Something is wrong: what pm_delimiters_check() would report first is */
    pm_fault fault;        /**< this, */
    uint64_t at;           /**< here: a byte offset; */
    uint64_t partner;      /**< PM_FAULT_KIND_MISMATCH: the byte offset of the open that is closed there. */
} pm_delimiters_summary;

/**
 * The structure of a text, its match, and whether all is well, by the device: the text goes there, what is wanted comes
 * back, and nothing in between. On the first device where several are listed. Rules are followed there that come to a
 * finite state machine of 32 states and 256 letters at most (docs/guide/delimiters.md), XML's and SQL's among them:
 * tags of one `element`, whose names have 1024 bytes at most, but not names that mean something (`void`, `raw` and so
 * on); patterns of two words; of `tagged` what has no name; not `statement` and `delimited`, and nothing that depends
 * on what is open.
 *
 * @param context  as pm_match_gpu().
 * @param text     n < 2^32 bytes.
 * @param arrays   what to store; NULL: nothing.
 * @param summary  may be NULL.
 * @return PM_OK, whatever was found; PM_UNSUPPORTED for other rules, and for a text that has a name between the quotes
 *         of a `tagged`, or more than 255 blanks between what may be the words of a pattern, where that counts;
 *         PM_TOO_LARGE for a longer text, or more than 2^31 - 1 tokens, or a longer name, or thousands of names whose
 *         hashes are nearly the same; where the text is the reason, arrays mean nothing; PM_INVALID_ARGUMENT;
 *         PM_NO_DEVICE; PM_OUT_OF_MEMORY, also of the device's, which holds the text, a fifth to 1.8 times as much by
 *         the rules, and 17 bytes a token, 33 with tags; PM_DEVICE_LOST.
 */
PM_API pm_status pm_delimiters_scan_gpu(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                                        const pm_delimiters_arrays *arrays, pm_delimiters_summary *summary);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_H */
