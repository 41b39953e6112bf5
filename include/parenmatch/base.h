/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/base.h: version, status, context and its options, and the conventions of every header.
 *
 * Conventions. They hold wherever a declaration does not say otherwise.
 *   - Sequences: a parenthesis sequence of length n is packed into 64-bit words, least significant bit first. Element i
 *     is an open if bit (i % 64) of parens[i / 64] is 1, and a close if it is 0. Bits past n in the last word are
 *     ignored. Every sequence is legal, including unbalanced ones.
 *   - Units: lengths, counts and indices count elements, or bytes of text where the name says so, never words.
 *   - Ownership: arrays belong to the caller, are used only during the call, and must not overlap. They need no
 *     alignment beyond that of their element type. The library reads nothing past an input's last element (for packed
 *     bits: its last word) and writes nothing past an output's last element.
 *   - Errors: a function that can fail returns a pm_status. n = 0 is PM_OK, and its arrays may be NULL. With n > 0 a
 *     NULL array is PM_INVALID_ARGUMENT, unless it is optional. Other pointers must not be NULL unless they are
 *     optional. After a failure the outputs are unspecified and nothing else has changed. Functions that return no
 *     status, such as queries of a pm_bp or a pm_dict, do not check their pointers. An unbalanced sequence is a result,
 *     not a failure.
 *   - Contexts: functions that need no device accept NULL for the defaults. Functions that need one, that is every
 *     *_gpu function and the pm_resident_create functions, return PM_INVALID_ARGUMENT for NULL.
 *   - Threads: a pm_context and the objects created with it are used by one thread at a time, unless the object's
 *     comment allows more. Distinct contexts may be used concurrently. NULL may be used by any number of threads.
 *   - Environment: the library never prints, aborts or changes the locale. It reads one environment variable,
 *     PARENMATCH_ALLOW_CPU_DEVICE (see pm_options). The Vulkan loader and the OpenMP runtime read variables of their
 *     own. All contexts share the library's threads, which sleep between calls. If the system refuses a thread, fewer
 *     work; with pm_options.threads = 1 the library never asks for one.
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_BASE_H
#define PARENMATCH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---------------------------------------------------------------------------------------------------- */

/** Version of this header. The build reads it from here. */
#define PM_VERSION_MAJOR 1
#define PM_VERSION_MINOR 0            /**< See PM_VERSION_MAJOR. */
#define PM_VERSION_PATCH 0            /**< See PM_VERSION_MAJOR. */
#define PM_VERSION_STRING "1.0.0-rc1" /**< These three numbers as text, and which candidate it is, if it is one. */

/** Marks the functions that the shared library exports. */
#if defined(__GNUC__) && !defined(_WIN32)
#define PM_API __attribute__((visibility("default")))
#elif !defined(PM_API) /* the build of a DLL defines it */
#define PM_API
#endif

/** Returns the version of the running library ("1.0.0-rc1"). A shared library's may differ from the header's. */
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

/** The result of a call. PM_OK is 0; every other value is a failure. */
typedef enum pm_status {
#define PM_STATUS_ENUM(name, value, text) PM_##name = value,
    PM_STATUS_MAP(PM_STATUS_ENUM)
#undef PM_STATUS_ENUM
} pm_status;

/** Returns the name of a status, "PM_OK"; "PM_UNKNOWN" for any other value. Static storage; any thread. */
PM_API const char *pm_status_name(pm_status status);

/** Returns a status in words, "success"; "unknown status" for any other value. Static storage; any thread. */
PM_API const char *pm_status_string(pm_status status);

/* ---- Values shared by all headers ------------------------------------------------------------------------------- */

#define PM_NONE 0xffffffffu            /**< No element, as a 32-bit index: the stack was empty there. */
#define PM_BP_NONE 0xffffffffffffffffu /**< No element, as a 64-bit index. */

/**
 * The bicyclic element of a slice: its number of unmatched closes and of unmatched opens.
 * (a,b)·(c,d) = (a + c - min(b,c), b + d - min(b,c)). The identity is (0,0); an open is (0,1) and a close is (1,0).
 * Source: Levien, "Fast parentheses matching on GPU", the bicyclic semigroup.
 */
typedef struct pm_bic {
    uint64_t close; /**< Unmatched closes. */
    uint64_t open;  /**< Unmatched opens. */
} pm_bic;

/* ---- Context ---------------------------------------------------------------------------------------------------- */

/** An allocator, settings, and the devices they name. See pm_context_create(). */
typedef struct pm_context pm_context;

/**
 * Where the library gets its memory. If both functions are NULL, malloc and free are used; one of them NULL is
 * PM_INVALID_ARGUMENT. They are called by the thread that calls the library, except by pm_mpi_match() with several
 * threads. They must outlive the context and every object made with it.
 */
typedef struct pm_allocator {
    /** Returns `size` > 0 bytes aligned as malloc's, or NULL, which the library reports as PM_OUT_OF_MEMORY. */
    void *(*alloc)(size_t size, void *user);
    /** Frees a block that alloc returned; never called with NULL. */
    void (*free)(void *block, void *user);
    void *user; /**< Passed to both functions. */
} pm_allocator;

/** Settings of a context. Zero-initialise it and set what you need: {.struct_size = sizeof(pm_options), ...}. */
typedef struct pm_options {
    /**
     * sizeof(pm_options) as the caller knows it; 0 means the library's own size, which is right for programs built
     * together with it. A larger size is accepted if all fields unknown to the library are zero, else the call returns
     * PM_UNSUPPORTED. A size that ends before `allocator` does, or that exceeds the library's by more than 4096 bytes,
     * is PM_INVALID_ARGUMENT.
     */
    size_t struct_size;
    pm_allocator allocator; /**< Memory of the context and of everything made with it. */
    /**
     * The vector instructions to use, for all features: a name that pm_simd_at() lists; NULL: the best of this CPU.
     * pm_context_create() returns PM_INVALID_ARGUMENT for an unknown name and PM_UNSUPPORTED for instructions that this
     * CPU lacks.
     */
    const char *simd;
    /**
     * The largest number of threads, the caller's included, that a parallel function uses; 0: the number that OpenMP
     * would give a parallel region. It may exceed the number of processors. Threads do not survive fork(): if the
     * process has used several before, its children use one.
     */
    unsigned threads;
    /**
     * The Vulkan device: its index in Vulkan's list ("0"), or its UUID in hexadecimal as vulkaninfo prints it. NULL or
     * "": the best one, discrete before integrated before virtual. A list of at most 16 devices is separated by commas
     * ("0,1,2,3"). Then pm_match_gpu() and pm_match_batch_gpu() give each of them all of a long input and fetch a part
     * of the match from each. A pm_resident of one sequence has a slice on each. Everything else uses the first device.
     * The text is copied; 1024 characters or more are PM_INVALID_ARGUMENT.
     */
    const char *device;
    /**
     * Allows a Vulkan device that is a CPU (a software renderer). PARENMATCH_ALLOW_CPU_DEVICE=1 in the environment
     * allows it as well.
     */
    bool allow_cpu_device;
    /**
     * A file that keeps the kernels as the driver compiled them, so that a later context starts faster. It is read when
     * the device is opened, and replaced atomically when the context is destroyed, if there is something new. Contexts
     * and processes may share it; the last writer wins. A file that is missing, damaged, or of another device or driver
     * is ignored. So is one that belongs to another user (except root) or that others may write, because drivers trust
     * what it holds. Failing to write it is not an error. A link, what is not a regular file (a pipe, /dev/null), and a
     * file of another format are left alone. NULL or "": no file. The path is copied.
     */
    const char *pipeline_cache;
    /**
     * The pipeline of pm_match_gpu(): a name that pm_pipeline_at() lists; NULL: the fastest known for the length. An
     * unknown name makes pm_context_create() return PM_INVALID_ARGUMENT.
     */
    const char *pipeline;
    /**
     * A file that pm_profile_measure() wrote; the *_auto functions use its figures. It is read when the context is
     * created. A file that is missing, damaged, or of another CPU, library version or `simd` is ignored. Its part about
     * a device is ignored if the device or the driver changed. pm_match_explain() reports whether the profile is in
     * use. NULL or "": the figures that the library ships with.
     */
    const char *profile;
} pm_options;

/**
 * Creates a context.
 *
 * @param options  copied; NULL for the defaults.
 * @param context  receives the context, to be given to pm_context_destroy(); NULL after a failure.
 * @return PM_OK, PM_INVALID_ARGUMENT, PM_UNSUPPORTED (see pm_options), PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_context_create(const pm_options *options, pm_context **context);

/**
 * Destroys a context; NULL is allowed. Destroy everything made with it first. A process that has opened devices more
 * than once keeps the Vulkan driver loaded until it ends, because some drivers cannot be loaded many times.
 */
PM_API void pm_context_destroy(pm_context *context);

/** Returns the allocator of a context; malloc and free for NULL. For code that shares the library's memory. */
PM_API pm_allocator pm_context_allocator(const pm_context *context);

/** Returns the name of the vector instructions that the context uses, as pm_simd_at() lists it; for NULL the best.
 * Static storage. */
PM_API const char *pm_context_simd(const pm_context *context);

/** Returns the pm_options.threads that the context was created with; 0 if it was not set, and for NULL. */
PM_API unsigned pm_context_threads(const pm_context *context);

/**
 * Returns the pm_options.device that the context was created with; "" if it was not set, and for NULL. The text is
 * valid until pm_context_destroy().
 */
PM_API const char *pm_context_device(const pm_context *context);

/* ---- What this library and this machine have --------------------------------------------------------------------- */

/** A set of vector instructions that the library was compiled for. */
typedef struct pm_simd_info {
    const char *name;        /**< As pm_options.simd takes it: "avx2". */
    const char *description; /**< One line of English. */
    bool supported;          /**< This CPU has these instructions. */
} pm_simd_info;

/** Returns set `index`, counted from 0, best first; NULL past the last. At least one is supported. Static storage. */
PM_API const pm_simd_info *pm_simd_at(size_t index);

/** A Vulkan device, as pm_device_at() describes it. Set struct_size; the call fills in the rest. */
typedef struct pm_device_info {
    size_t struct_size; /**< sizeof(pm_device_info) as the caller knows it; 0: the library's own size. */
    char name[256];     /**< The driver's name for it. */
    char uuid[33];      /**< In hexadecimal, as pm_options.device takes it; "" of a device older than Vulkan 1.2. */
    const char *kind;   /**< "discrete", "integrated", "virtual", "cpu" or "other". Static storage. */
    uint64_t memory;    /**< Bytes of the largest memory heap that is the device's own. */
    /** Why the context cannot use the device, even if pm_options.device names it, in a line; NULL: it can. */
    const char *trouble;
} pm_device_info;

/**
 * Describes a Vulkan device. The call opens the Vulkan loader, but not the device; it may take some milliseconds.
 *
 * @param context  NULL for the defaults.
 * @param index    as pm_options.device takes it, from 0.
 * @param device   PM_INVALID_ARGUMENT if struct_size ends before `trouble`. Fields unknown to this version are not
 *                 written.
 * @return PM_OK; PM_NO_DEVICE past the last device and without a Vulkan loader; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY;
 *         PM_UNSUPPORTED if the loader fails in a way that has no other status.
 */
PM_API pm_status pm_device_at(pm_context *context, size_t index, pm_device_info *device);

/**
 * Measures how long matching takes on this machine, and boxes too if there is a device, with the context's threads and
 * vector instructions. Writes the figures to a file for pm_options.profile of later contexts. Each figure is a median
 * of several calls; run nothing else meanwhile. If pm_match_gpu() has a device, it is measured too: the context closes
 * it and opens it again. Memory: 33 MiB, 132 MiB more with a device, and what pm_match_omp(), pm_match_gpu(),
 * pm_box_omp() and pm_box_gpu() take.
 *
 * @param context  NULL for the defaults, without a device.
 * @param seconds  the time to measure, roughly; 0 to 3600. It takes at least about 0.1 s.
 * @param path     the file, replaced atomically by way of a temporary file next to it. Its folder must exist. If the
 *                 path exists, it must be a profile or an empty file, and not a link; else PM_IO, and it is left alone.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_IO.
 */
PM_API pm_status pm_profile_measure(pm_context *context, double seconds, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_BASE_H */
