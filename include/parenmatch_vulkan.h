/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch for programs that have a Vulkan device of their own: the match is recorded into their command buffers and
 * stays in their memory. The only public header that names Vulkan types; it is installed with a library that has the
 * Vulkan backend, and needs Vulkan's headers. The library is not linked with a Vulkan loader: all it calls it looks up
 * by the caller's vkGetInstanceProcAddr.
 *
 * Order of use
 *   1. pm_vk_requirements_get(): what to enable when the VkDevice is created.
 *   2. pm_vk_context_create(): makes the kernels, once.
 *   3. pm_vk_context_sizes(): which buffers n elements need. The caller makes them, binds them, frees them.
 *   4. pm_vk_cmd_match(): records the match of a sequence, whose number of elements may be on the device. It
 *      allocates nothing, submits nothing, waits for nothing.
 *   5. pm_vk_context_destroy(), when all command buffers that hold its commands have ended.
 *
 * Buffers, all but the last given by VkDeviceAddress
 *   parens   the sequence, packed as parenmatch.h says, in 32-bit words: element i is bit i % 32 of word i / 32.
 *            Only read.
 *   match    n results of 32 bits, as parenmatch.h says. Only written.
 *   scratch  whose contents mean nothing before and after; less than n / 7 bytes plus 8 KiB.
 *   summary  a pm_vk_summary. Only written.
 * and, where the number of elements is on the device,
 *   count       that number, 32 bits. Only read.
 *   dispatches  the dispatches that the device plans for it; contents mean nothing before and after.
 * They must not overlap, and belong to the match from where its commands begin until they end.
 *
 * Synchronisation
 *   A match first reads `parens` and writes `scratch`, and last writes `match` and `summary`; all of it in
 *   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, by VK_ACCESS_SHADER_READ_BIT and VK_ACCESS_SHADER_WRITE_BIT. It synchronises
 *   its own parts. The caller records the barriers around it: before, from what wrote `parens` to that read; after,
 *   from those writes to whoever reads the results. A match that uses the scratch of one before it needs a barrier
 *   between the two, from the compute stage's accesses to the compute stage's; with a scratch of its own it needs none.
 *   With a count on the device it first reads that, too, and writes `dispatches`, both in the compute stage; then it
 *   reads `dispatches` there and, by VK_ACCESS_INDIRECT_COMMAND_READ_BIT, in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. So
 *   the barrier before a next use of `dispatches` comes after both stages.
 *
 * Slices of a sequence that lies on several devices: a matcher with PM_VK_SLICES, pm_vk_cmd_slice_reduce(),
 * pm_vk_cmd_slice_stack(), pm_vk_cmd_slice_match(). Buffers beside those of a match
 *   incoming  the top of the stack before the slice, its top first: indices in the whole sequence, 32 bits each, and
 *             PM_NONE for entries below all there are. Only read.
 *   stack     the top of the stack after the slice, likewise: what may come in where the next slice lies. Only written.
 * What is said of barriers around a match holds for each of the functions, and so between them.
 *
 * Boxes of scenes: a matcher with PM_VK_BOXES, pm_vk_context_box_sizes(), pm_vk_cmd_boxes(). Buffers
 *   kinds    a byte an element, as pm_node says, of which the lowest two bits count. Only read.
 *   boxes    a pm_box an element. Only read, and only of leaves and clips does it matter what they are.
 *   results  a pm_box an element, as pm_box_gpu() has them: of blends and clips as well as of their ends.
 *   scratch  whose contents mean nothing before and after: 5 bytes an element and 64 KiB at most, or, where that is
 *            more, 25 bytes for each of the first 65536 elements and 64 KiB, whatever the scene is.
 * Likewise, of different matches too, they must not overlap. Boxes first read `kinds` and `boxes` and write `scratch`,
 * and last write `results`, which they have read by then as well; all by the accesses and in the stage of a match, and
 * what is said there of barriers around it holds. Optional is
 *   dispatches  the dispatches that the device plans; contents mean nothing before and after: 36 bytes, or, where the
 *               device dispatches less at a time, for each of several parts of the scene.
 * With it, large scenes of which no more than about a tenth is nodes and ends take less time, others a little more;
 * short ones are the same. Of usage, accesses and stages of that buffer what is said of a match with a count on the
 * device is true.
 *
 * From text to structure: a matcher with PM_VK_COUNT_ON_DEVICE, and for rules (pm_delimiters) pm_vk_tokenizer_create(),
 * pm_vk_tokenizer_sizes(), pm_vk_cmd_delimiters(). A text goes in; its tokens, what each matches, and what is wrong
 * come out; nothing comes back to the host in between. Buffers text       its bytes. Only read, in whole 16 bytes.
 *   tables     what pm_vk_tokenizer_tables() returns, copied there by the caller, once for all texts. Only read.
 *   scratch    whose contents mean nothing before and after.
 *   result     a pm_vk_delimiters_result.
 *   parens, positions, kinds, lengths, match
 *              of each token, in order: its bit, byte offset, kind, length as pm_delimiters_scan() has them, but in
 * 32-bit words, and its match. Only as many as there is room for. dispatches as above. Likewise they must not overlap.
 * It first reads `text` and `tables` and writes `scratch`, and last writes `result`; all others are written, and read
 * again, in between. What is said of barriers around a match with a count on the device holds.
 *
 * Scans of trees: a matcher with PM_VK_TREES; of each monoid a pm_vk_monoid; pm_vk_monoid_sizes(),
 * pm_vk_cmd_tree_scan(). Buffers
 *   parens   as of a match. Only read.
 *   values   a value of the monoid for each node, as parenmatch/monoid.glsl lays them out. Only read.
 *   results  a result for each node. Written, and read as well.
 *   scratch  whose contents mean nothing before and after.
 * Likewise they must not overlap. A scan first reads `parens` and writes `scratch`, and last writes `results`; what is
 * said of barriers around a match holds.
 *
 * Conventions are those of parenmatch.h.
 */
#ifndef PARENMATCH_VULKAN_H
#define PARENMATCH_VULKAN_H

#include <vulkan/vulkan_core.h>

#include "parenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most extensions that a device is asked for. */
#define PM_VK_EXTENSIONS_MAX 4

/** What to enable on a VkDevice: see pm_vk_requirements_get(). A feature that is VK_FALSE is not needed. */
typedef struct pm_vk_requirements {
    uint32_t api_version; /**< VkApplicationInfo.apiVersion at least, and the physical device's: 1.2. */
    /**
     * VK_TRUE: VkPhysicalDeviceBufferDeviceAddressFeatures.bufferDeviceAddress, or the same of
     * VkPhysicalDeviceVulkan12Features. There is no match without.
     */
    VkBool32 buffer_device_address;
    /**
     * VkPhysicalDeviceSubgroupSizeControlFeatures.subgroupSizeControl, or the same of VkPhysicalDeviceVulkan13Features,
     * and computeFullSubgroups along with it. VK_TRUE where this makes matching faster; it can be done without, see
     * PM_VK_SUBGROUPS. The extensions are for this alone.
     */
    VkBool32 subgroup_size_control;
    VkBool32 compute_full_subgroups;              /**< See subgroup_size_control. */
    uint32_t extension_count;                     /**< How many there are in `extensions`. */
    const char *extensions[PM_VK_EXTENSIONS_MAX]; /**< Names, in static storage, of device extensions. */
} pm_vk_requirements;

/**
 * What must and what should be enabled on a device for the library to match on it. To be asked before the device is
 * created. Of limits and queues nothing is asked for beyond what Vulkan demands: any queue that computes will do.
 *
 * @param get_instance_proc_addr  vkGetInstanceProcAddr, of the loader that made the instance.
 * @return PM_OK; PM_UNSUPPORTED if the physical device cannot (no Vulkan 1.2, no buffer device addresses), or if the
 *         instance is older than Vulkan 1.1; PM_INVALID_ARGUMENT for a null handle or pointer.
 */
PM_API pm_status pm_vk_requirements_get(VkInstance instance, VkPhysicalDevice physical_device,
                                        PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                        pm_vk_requirements *requirements);

/** How a matcher is to work; of pm_vk_context_info.flags. More kernels take longer to make. */
typedef enum pm_vk_flag {
    /**
     * The device was created with subgroup_size_control and compute_full_subgroups as pm_vk_requirements_get() asked
     * for. Without this flag the kernels use neither, and are slower.
     */
    PM_VK_SUBGROUPS = 1,
    PM_VK_COUNT_ON_DEVICE = 2, /**< Makes the kernels for pm_vk_match_info.count, too. */
    /**
     * The commands will go to a queue that also draws. Drivers may give such a queue less of the memory that workgroups
     * share; the kernels then use less of it. Right on every queue, as are those without.
     */
    PM_VK_GRAPHICS_QUEUE = 4,
    PM_VK_BOXES = 8,   /**< Makes the kernels for pm_vk_cmd_boxes(), too. */
    PM_VK_SLICES = 16, /**< Makes the kernels for pm_vk_cmd_slice_match() and what goes before it, too. */
    PM_VK_TREES = 32   /**< Makes the kernels for pm_vk_monoid_create(), too. */
} pm_vk_flag;

/** Kernels on a device of the caller's. Recording does not change it: any number of threads may use it at a time. */
typedef struct pm_vk_context pm_vk_context;

/** What a matcher is made of. Zero-initialise it and set what you need. */
typedef struct pm_vk_context_info {
    size_t struct_size;                               /**< As pm_options.struct_size. */
    VkInstance instance;                              /**< Of VkApplicationInfo.apiVersion 1.2 or later. */
    VkPhysicalDevice physical_device;                 /**< What the device was created on. */
    VkDevice device;                                  /**< Outlives the matcher. */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< As for pm_vk_requirements_get(). */
    uint32_t flags;                                   /**< Of pm_vk_flag, or'ed; others are PM_UNSUPPORTED. */
    VkPipelineCache pipeline_cache;                   /**< Used while the matcher is created; VK_NULL_HANDLE: none. */
    const VkAllocationCallbacks *callbacks;           /**< For what is made on the device; copied; NULL: none. */
    pm_allocator allocator; /**< For the matcher itself: one block. As pm_options.allocator. */
} pm_vk_context_info;

/**
 * Makes the kernels of a matcher. Memory of the device, beside what the driver takes for them: none.
 *
 * @param matcher  receives the matcher, to be given to pm_vk_context_destroy(); NULL on failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_DEVICE_LOST; PM_UNSUPPORTED, see pm_vk_requirements_get(),
 *         and for PM_VK_SUBGROUPS where the requirements do not ask for subgroup_size_control.
 */
PM_API pm_status pm_vk_context_create(const pm_vk_context_info *info, pm_vk_context **matcher);

/** Destroys a matcher, whose commands must all have ended; NULL is fine. */
PM_API void pm_vk_context_destroy(pm_vk_context *matcher);

/** What a buffer must be. */
typedef struct pm_vk_buffer {
    VkDeviceSize size;        /**< In bytes, at least; 0: none is needed. */
    VkDeviceSize alignment;   /**< Of its address (or offset, where that is asked for). */
    VkBufferUsageFlags usage; /**< To be created with; VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT in all of them. */
} pm_vk_buffer;

/** The buffers of a match: see the top of this header. */
typedef struct pm_vk_sizes {
    pm_vk_buffer parens;     /**< The sequence. */
    pm_vk_buffer match;      /**< The results, or each range of them. */
    pm_vk_buffer scratch;    /**< Grows with n, so that what is enough for n is enough for less. */
    pm_vk_buffer summary;    /**< A pm_vk_summary. */
    pm_vk_buffer count;      /**< 0 without PM_VK_COUNT_ON_DEVICE. */
    pm_vk_buffer dispatches; /**< Likewise. The alignment is of pm_vk_match_info.dispatches_offset. */
} pm_vk_sizes;

/** The sequence's bicyclic element, as a match leaves it on the device. */
typedef struct pm_vk_summary {
    uint32_t close; /**< Unmatched closes. */
    uint32_t open;  /**< Unmatched opens. */
} pm_vk_summary;

/** Elements of a range of the match are a multiple of this. */
#define PM_VK_RANGE_UNIT 1024

/**
 * What buffers the match of n elements, or of n at most, needs.
 *
 * @param range_elements  as pm_vk_match_info.range_elements.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_context_sizes(const pm_vk_context *matcher, uint64_t n, uint64_t range_elements,
                                     pm_vk_sizes *sizes);

/** A match to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_match_info {
    size_t struct_size;     /**< As pm_options.struct_size. */
    uint64_t n;             /**< Elements; with `count`, most elements. With 0 only `summary` is needed, and written. */
    VkDeviceAddress parens; /**< Address of the sequence. */
    VkDeviceAddress scratch; /**< Address of the scratch. */
    VkDeviceAddress summary; /**< Address of the summary. */
    VkDeviceAddress match;   /**< Address of the results, if range_elements is 0. */
    /**
     * A match that is larger than one buffer can be: results k * range_elements and on, of which the last range has
     * what is left, go to match_ranges[k]. Read while recording.
     */
    const VkDeviceAddress *match_ranges;
    uint64_t range_elements; /**< A multiple of PM_VK_RANGE_UNIT; 0: the results lie in one piece, at `match`. */
    /**
     * Address of the number of elements, of which n count if it is more. The buffers are as large as for n elements;
     * of the match nothing is written past the number. 0: there are n.
     */
    VkDeviceAddress count;
    VkBuffer dispatches;            /**< With `count`: holds, from the offset on, what is dispatched. */
    VkDeviceSize dispatches_offset; /**< In bytes. */
} pm_vk_match_info;

/**
 * Records the match of a sequence: dispatches and the barriers between them. Outside of a render pass, for a queue that
 * computes. The bindings of the compute bind point (pipeline, descriptor sets) and push constants are undefined
 * afterwards.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address,
 *         range_elements that is no multiple of PM_VK_RANGE_UNIT, or a count for a matcher without
 *         PM_VK_COUNT_ON_DEVICE; PM_UNSUPPORTED as for pm_options.struct_size. On failure nothing has been recorded.
 */
PM_API pm_status pm_vk_cmd_match(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_match_info *info);

/** A slice of a sequence, to be matched where it lies. Zero-initialise it and set what you need. */
typedef struct pm_vk_slice_info {
    size_t struct_size;      /**< As pm_options.struct_size. */
    uint64_t n;              /**< Elements. With 0 only `summary` is needed, and written by pm_vk_cmd_slice_reduce(). */
    VkDeviceAddress parens;  /**< Address of the slice; it begins at bit 0, wherever it begins in the sequence. */
    VkDeviceAddress scratch; /**< Address of the scratch, which holds what reduce has found until the last match. */
    VkDeviceAddress summary; /**< Address of the summary: the slice's bicyclic element. For reduce alone. */
    uint64_t origin;         /**< Index of the first element in the whole sequence. Not for reduce. */
    /**
     * Address of what comes in, if anything does, a multiple of 4. Not for reduce. A slice with c unmatched closes
     * looks at c + 1 entries, the last of which is the parent of what comes after its unmatched closes.
     */
    VkDeviceAddress incoming;
    uint64_t incoming_count; /**< Entries of it, at most 2^32 - 1; further down the stack is taken to be empty. */
    VkDeviceAddress match;   /**< As in pm_vk_match_info; for the matches alone, as what follows. */
    const VkDeviceAddress *match_ranges; /**< Likewise. */
    uint64_t range_elements;             /**< Likewise. */
} pm_vk_slice_info;

/**
 * Records the reduction of a slice: to its bicyclic element, and to what its stack and its match need of it. Buffers
 * are those of a match of n elements (pm_vk_context_sizes()), and the conventions those of pm_vk_cmd_match().
 *
 * @return PM_OK; PM_TOO_LARGE for origin + n or incoming_count > 2^32 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a
 *         null or misaligned address, or a matcher without PM_VK_SLICES; PM_UNSUPPORTED as for pm_options.struct_size.
 *         On failure nothing has been recorded.
 */
PM_API pm_status pm_vk_cmd_slice_reduce(VkCommandBuffer commands, const pm_vk_context *matcher,
                                        const pm_vk_slice_info *info);

/**
 * Records, after the reduction, what the slice leaves on the stack: its unmatched opens from the last to the first,
 * then what is left of what comes in, then PM_NONE. Of an empty slice, which leaves what comes in, nothing is recorded.
 *
 * @param stack  address of `count` entries of 32 bits, a multiple of 4.
 * @param count  at most 2^32 - 1 (PM_TOO_LARGE).
 * @return as pm_vk_cmd_slice_reduce().
 */
PM_API pm_status pm_vk_cmd_slice_stack(VkCommandBuffer commands, const pm_vk_context *matcher,
                                       const pm_vk_slice_info *info, VkDeviceAddress stack, uint64_t count);

/**
 * Records, after the reduction, the match of a slice, in indices of the whole sequence.
 *
 * @return as pm_vk_cmd_slice_reduce(); PM_INVALID_ARGUMENT as pm_vk_cmd_match(), too.
 */
PM_API pm_status pm_vk_cmd_slice_match(VkCommandBuffer commands, const pm_vk_context *matcher,
                                       const pm_vk_slice_info *info);

/**
 * Records the match again of what looks further back than the slice begins, over a match with nothing coming in. So a
 * device need not wait for what comes in: it matches its slice first, and then again, mostly, a small part of it.
 */
PM_API pm_status pm_vk_cmd_slice_match_again(VkCommandBuffer commands, const pm_vk_context *matcher,
                                             const pm_vk_slice_info *info);

/** The buffers of a scene: see the top of this header. */
typedef struct pm_vk_box_sizes {
    pm_vk_buffer kinds;      /**< A whole number of 32-bit words. */
    pm_vk_buffer boxes;      /**< What the scene has. */
    pm_vk_buffer results;    /**< What it comes to. */
    pm_vk_buffer scratch;    /**< Grows with n, so that what is enough for n is enough for less. */
    pm_vk_buffer dispatches; /**< Likewise; if it is wanted. Alignment of pm_vk_boxes_info.dispatches_offset. */
} pm_vk_box_sizes;

/**
 * What buffers the boxes of n elements need.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT, also for a matcher without PM_VK_BOXES.
 */
PM_API pm_status pm_vk_context_box_sizes(const pm_vk_context *matcher, uint64_t n, pm_vk_box_sizes *sizes);

/** A scene whose boxes are to be recorded. Zero-initialise it and set what you need. */
typedef struct pm_vk_boxes_info {
    size_t struct_size;      /**< As pm_options.struct_size. */
    uint64_t n;              /**< Elements; with 0 nothing is needed, and nothing done. */
    VkDeviceAddress kinds;   /**< Addresses of the buffers. */
    VkDeviceAddress boxes;   /**< Likewise. */
    VkDeviceAddress results; /**< Likewise. */
    VkDeviceAddress scratch; /**< Likewise. */
    /** Optional: holds, from the offset on, what the device dispatches; VK_NULL_HANDLE: the host alone plans. */
    VkBuffer dispatches;
    VkDeviceSize dispatches_offset; /**< In bytes. */
} pm_vk_boxes_info;

/**
 * Records the boxes of a scene, as pm_vk_cmd_match() records a match.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address, a
 *         misaligned offset of dispatches, or a matcher without PM_VK_BOXES; PM_UNSUPPORTED as for
 *         pm_options.struct_size. On failure nothing has been recorded.
 */
PM_API pm_status pm_vk_cmd_boxes(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_boxes_info *info);

/** Kernels that follow rules on a matcher's device. Recording does not change it, as with a matcher. */
typedef struct pm_vk_tokenizer pm_vk_tokenizer;

/**
 * Makes the kernels that follow rules.
 *
 * @param matcher         made with PM_VK_COUNT_ON_DEVICE; outlives the tokenizer.
 * @param pairs           the rules; not needed any more afterwards.
 * @param pipeline_cache  used while the tokenizer is created; VK_NULL_HANDLE: none.
 * @param tokenizer       receives the tokenizer, to be given to pm_vk_tokenizer_destroy(); NULL on failure.
 * @return PM_OK; PM_UNSUPPORTED for rules that a device cannot follow, see pm_delimiters_scan_gpu(), or a device whose
 *         workgroups cannot have 256 invocations and 23 KiB; PM_INVALID_ARGUMENT, also for a matcher without
 *         PM_VK_COUNT_ON_DEVICE; PM_OUT_OF_MEMORY; PM_DEVICE_LOST.
 */
PM_API pm_status pm_vk_tokenizer_create(const pm_vk_context *matcher, const pm_delimiters *pairs,
                                        VkPipelineCache pipeline_cache, pm_vk_tokenizer **tokenizer);

/** Destroys a tokenizer, whose commands must all have ended; NULL is fine. */
PM_API void pm_vk_tokenizer_destroy(pm_vk_tokenizer *tokenizer);

/** The buffers of a text's structure: see the top of this header. */
typedef struct pm_vk_delimiters_sizes {
    pm_vk_buffer text;       /**< n bytes, up to the next 16. */
    pm_vk_buffer tables;     /**< Of the same size whatever the text is. */
    pm_vk_buffer scratch;    /**< From n / 5 + capacity / 7 bytes, and 16 KiB, to 1.7 n more, and with tags 16 bytes
                                  for each of capacity: by the rules. */
    pm_vk_buffer result;     /**< A pm_vk_delimiters_result. */
    pm_vk_buffer parens;     /**< A bit a token. */
    pm_vk_buffer words;      /**< Of positions, kinds and lengths, each: a word a token. */
    pm_vk_buffer match;      /**< A word a token. */
    pm_vk_buffer dispatches; /**< The alignment is of pm_vk_delimiters_info.dispatches_offset. */
} pm_vk_delimiters_sizes;

/**
 * What buffers a text needs. Scratch that is enough for n and a capacity is enough for less of both.
 *
 * @param n         bytes of text.
 * @param capacity  tokens that there is to be room for; a text has n at most.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1, or a capacity > 2^31 - 1; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_tokenizer_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity,
                                       pm_vk_delimiters_sizes *sizes);

/** What must be in `tables`: pm_vk_delimiters_sizes.tables.size bytes, which stay until the tokenizer is destroyed. */
PM_API const void *pm_vk_tokenizer_tables(const pm_vk_tokenizer *tokenizer);

/** What a text came to, as it is left on the device. If there are more tokens than there is room for, all but count and
 * unterminated is of those that there is room for. */
typedef struct pm_vk_delimiters_result {
    uint32_t count;          /**< Tokens of the text, also where that is more than there is room for. PM_NONE: the
                                  text is one for which pm_delimiters_scan_gpu() has no result, and nothing else counts. */
    pm_vk_summary unmatched; /**< Unmatched closes and opens. */
    uint32_t mismatched;     /**< Pairs of two kinds. */
    uint32_t unterminated;   /**< Where what the end cuts off begins, a string or comment; or PM_NONE. */
    uint32_t fault;          /**< What pm_delimiters_check() would report first, of pm_fault; or PM_NONE. */
    uint32_t token;          /**< The token of which it would; PM_NONE: of none. */
    uint32_t at;             /**< The fault's byte offset. */
    uint32_t partner;        /**< PM_FAULT_KIND_MISMATCH: that of the open that the token closes; else PM_NONE. */
} pm_vk_delimiters_result;

/** A text whose structure is to be recorded. Zero-initialise it and set what you need. */
typedef struct pm_vk_delimiters_info {
    size_t struct_size;             /**< As pm_options.struct_size. */
    uint64_t n;                     /**< Bytes of text; with 0 no text is needed. */
    uint64_t capacity;              /**< Tokens that there is room for; with 0 no buffer of tokens is needed. */
    VkDeviceAddress text;           /**< Addresses of the buffers. */
    VkDeviceAddress tables;         /**< Likewise. */
    VkDeviceAddress scratch;        /**< Likewise. */
    VkDeviceAddress result;         /**< Likewise. */
    VkDeviceAddress parens;         /**< Likewise. */
    VkDeviceAddress positions;      /**< Likewise. */
    VkDeviceAddress kinds;          /**< Likewise. */
    VkDeviceAddress lengths;        /**< Likewise; 0: not wanted. */
    VkDeviceAddress match;          /**< Likewise. */
    VkBuffer dispatches;            /**< Holds, from the offset on, what is dispatched. */
    VkDeviceSize dispatches_offset; /**< In bytes. */
} pm_vk_delimiters_info;

/**
 * Records the structure of a text, as pm_vk_cmd_match() records a match.
 *
 * @return PM_OK; PM_TOO_LARGE as for pm_vk_tokenizer_sizes(); PM_INVALID_ARGUMENT for a NULL pointer, a null or
 *         misaligned address; PM_UNSUPPORTED as for pm_options.struct_size. On failure nothing has been recorded.
 */
PM_API pm_status pm_vk_cmd_delimiters(VkCommandBuffer commands, const pm_vk_tokenizer *tokenizer,
                                      const pm_vk_delimiters_info *info);

/** A monoid's kernels on the device of a matcher. Recording does not change it. */
typedef struct pm_vk_monoid pm_vk_monoid;

/**
 * Makes a monoid's kernels. Memory of the device, beside what the driver takes for them: none; of the host one block,
 * from the matcher's allocator.
 *
 * @param matcher  made with PM_VK_TREES; outlives the monoid.
 * @param code     as for pm_tree_scan_down_gpu(); needed no longer when this returns.
 * @param cache    used while this runs; VK_NULL_HANDLE: none.
 * @param monoid   receives the monoid, to be given to pm_vk_monoid_destroy(); NULL on failure.
 * @return PM_OK; PM_INVALID_ARGUMENT, also for code that is none; PM_OUT_OF_MEMORY; PM_DEVICE_LOST; PM_UNSUPPORTED.
 */
PM_API pm_status pm_vk_monoid_create(const pm_vk_context *matcher, const pm_gpu_monoid *code, VkPipelineCache cache,
                                     pm_vk_monoid **monoid);

/** Destroys a monoid, whose commands must all have ended; NULL is fine. */
PM_API void pm_vk_monoid_destroy(pm_vk_monoid *monoid);

/** The buffers of a scan: see the top of this header. */
typedef struct pm_vk_tree_sizes {
    pm_vk_buffer parens;  /**< The sequence. */
    pm_vk_buffer values;  /**< What the nodes have. */
    pm_vk_buffer results; /**< What it comes to. */
    pm_vk_buffer scratch; /**< Grows with n and with nodes. */
} pm_vk_tree_sizes;

/**
 * What buffers a scan of a tree of n elements needs, of which so many are opens.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT, also for more nodes than elements.
 */
PM_API pm_status pm_vk_monoid_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes, pm_vk_tree_sizes *sizes);

/** Which way values flow. */
typedef enum pm_vk_tree_way {
    PM_VK_TREE_DOWN_INCLUSIVE = 0, /**< As pm_tree_scan_down_auto() with PM_SCAN_INCLUSIVE. */
    PM_VK_TREE_DOWN_EXCLUSIVE = 1, /**< With PM_SCAN_EXCLUSIVE. */
    PM_VK_TREE_UP = 2              /**< As pm_tree_reduce_up_auto(). */
} pm_vk_tree_way;

/** A scan to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_tree_info {
    size_t struct_size; /**< As pm_options.struct_size. */
    uint64_t n;         /**< Elements. */
    /**
     * Opens among them, or more. If the device finds fewer, results past them are not written; if it finds more, the
     * tree ends before the first open too many, and what holds that open ends there. With 0 nothing is needed, and
     * nothing done.
     */
    uint64_t nodes;
    pm_vk_tree_way way;      /**< Which way. */
    VkDeviceAddress parens;  /**< Addresses of the buffers. */
    VkDeviceAddress values;  /**< Likewise. */
    VkDeviceAddress results; /**< Likewise. */
    VkDeviceAddress scratch; /**< Likewise. */
} pm_vk_tree_info;

/**
 * Records a scan of a tree, as pm_vk_cmd_match() records a match.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address, a
 *         way that is none, or more nodes than elements; PM_UNSUPPORTED as for pm_options.struct_size. On failure
 *         nothing has been recorded.
 */
PM_API pm_status pm_vk_cmd_tree_scan(VkCommandBuffer commands, const pm_vk_monoid *monoid, const pm_vk_tree_info *info);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_VULKAN_H */
