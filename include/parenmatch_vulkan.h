/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch_vulkan.h: records matches, boxes, scans and tokenizing into command buffers of your own Vulkan device.
 *
 * This is the only public header that names Vulkan types. It is installed with a library that has the Vulkan backend,
 * and needs Vulkan's headers. The library is not linked with a Vulkan loader; it looks functions up with your
 * vkGetInstanceProcAddr.
 *
 * Order of use
 *   1. pm_vk_requirements_get(): what to enable when you create the VkDevice.
 *   2. pm_vk_context_create(): creates the kernels, once.
 *   3. pm_vk_context_sizes() and its relatives: the buffers that n elements need. You create, bind and free them.
 *   4. pm_vk_cmd_match() and its relatives: record commands. They allocate, submit and wait for nothing.
 *   5. pm_vk_context_destroy(), after all command buffers with its commands have completed.
 *
 * Rules for every pm_vk_cmd function
 *   - Record outside of a render pass, into a command buffer for a queue with VK_QUEUE_COMPUTE_BIT.
 *   - Afterwards the pipeline, the descriptor sets and the push constants of the compute bind point are undefined.
 *   - Buffers are given by VkDeviceAddress, except `dispatches`. Create each as its pm_vk_buffer says. They must not
 *     overlap. From the beginning of the commands to their end only these commands may use them.
 *   - Commands access buffers in VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, with VK_ACCESS_SHADER_READ_BIT and
 *     VK_ACCESS_SHADER_WRITE_BIT. `dispatches` is also read in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, with
 *     VK_ACCESS_INDIRECT_COMMAND_READ_BIT.
 *   - The function records the barriers between its own dispatches. You record those around it: before, from your
 *     writes of the inputs to the compute stage's reads; after, from the compute stage's writes to your reads.
 *   - Two calls that share a scratch need a barrier between them, from compute shader accesses to compute shader
 *     accesses. Two calls that share `dispatches` need one from both of its stages.
 *   - The contents of `scratch` and `dispatches` are undefined before and after.
 *   - If a function fails, it has recorded nothing.
 *
 * All other conventions are those of parenmatch.h.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_VULKAN_H
#define PARENMATCH_VULKAN_H

#include <vulkan/vulkan_core.h>

#include "parenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The maximum of pm_vk_requirements.extension_count. */
#define PM_VK_EXTENSIONS_MAX 4

/** What to enable on a VkDevice; see pm_vk_requirements_get(). A feature that is VK_FALSE is not needed. */
typedef struct pm_vk_requirements {
    uint32_t api_version; /**< The minimum of VkApplicationInfo.apiVersion and of the physical device's version: 1.2. */
    /**
     * VkPhysicalDeviceVulkan12Features.bufferDeviceAddress, or the feature of the same name in
     * VkPhysicalDeviceBufferDeviceAddressFeatures. Always VK_TRUE: nothing works without it.
     */
    VkBool32 buffer_device_address;
    /**
     * VkPhysicalDeviceVulkan13Features.subgroupSizeControl, or the feature of the same name in
     * VkPhysicalDeviceSubgroupSizeControlFeatures. VK_TRUE if it makes matching faster on this device. Without it, do
     * not set PM_VK_SUBGROUPS.
     */
    VkBool32 subgroup_size_control;
    VkBool32 compute_full_subgroups;              /**< To be enabled together with subgroup_size_control. */
    uint32_t extension_count;                     /**< Length of `extensions`. */
    const char *extensions[PM_VK_EXTENSIONS_MAX]; /**< Device extensions that subgroup_size_control needs. Static. */
} pm_vk_requirements;

/**
 * Reports what to enable on a device. Call it before you create the device. The library needs no limits beyond those
 * that Vulkan guarantees, and any queue that computes will do.
 *
 * @param get_instance_proc_addr  vkGetInstanceProcAddr, of the loader that made the instance.
 * @return PM_OK; PM_UNSUPPORTED if the physical device lacks Vulkan 1.2 or buffer device addresses, or if the instance
 *         is older than Vulkan 1.1; PM_INVALID_ARGUMENT for a null handle or pointer.
 */
PM_API pm_status pm_vk_requirements_get(VkInstance instance, VkPhysicalDevice physical_device,
                                        PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                        pm_vk_requirements *requirements);

/** Flags of pm_vk_context_info.flags. Each additional set of kernels takes time to create. */
typedef enum pm_vk_flag {
    /**
     * The device was created with subgroup_size_control and compute_full_subgroups, as pm_vk_requirements_get()
     * reported. Without this flag the kernels use neither feature and are slower.
     */
    PM_VK_SUBGROUPS = 1,
    PM_VK_COUNT_ON_DEVICE = 2, /**< Creates the kernels for pm_vk_match_info.count and for pm_vk_tokenizer_create(). */
    /**
     * The commands will go to a queue that also draws. Drivers may give workgroups on such a queue less shared memory;
     * the kernels then use less. Results are right on every queue with and without this flag.
     */
    PM_VK_GRAPHICS_QUEUE = 4,
    PM_VK_BOXES = 8,    /**< Creates the kernels for pm_vk_cmd_boxes(). */
    PM_VK_SLICES = 16,  /**< Creates the kernels for the pm_vk_cmd_slice functions. */
    PM_VK_TREES = 32,   /**< Creates the kernels for pm_vk_monoid_create(). */
    PM_VK_BATCHES = 64, /**< Creates the kernels for pm_vk_cmd_match_batch(). */
    PM_VK_JSON = 128    /**< Creates the kernels for pm_vk_cmd_json_index(). */
} pm_vk_flag;

/** Kernels on your device. Recording does not change it, so any number of threads may use it at the same time. */
typedef struct pm_vk_context pm_vk_context;

/** What pm_vk_context_create() takes. Zero-initialise it and set what you need. */
typedef struct pm_vk_context_info {
    size_t struct_size;                               /**< As pm_options.struct_size. */
    VkInstance instance;                              /**< Created with apiVersion 1.2 or later. */
    VkPhysicalDevice physical_device;                 /**< The one that `device` was created on. */
    VkDevice device;                                  /**< Must outlive the context. */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< Of the loader that made the instance. */
    uint32_t flags;                                   /**< Bits of pm_vk_flag; any other bit is PM_UNSUPPORTED. */
    VkPipelineCache pipeline_cache;                   /**< Used during creation; may be VK_NULL_HANDLE. */
    const VkAllocationCallbacks *callbacks;           /**< For objects of the device; copied; may be NULL. */
    pm_allocator allocator;                           /**< For the context's one block; as pm_options.allocator. */
} pm_vk_context_info;

/**
 * Creates the kernels. They take no device memory except what the driver needs for them.
 *
 * @param context  receives the context, to be given to pm_vk_context_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_DEVICE_LOST; PM_UNSUPPORTED as pm_vk_requirements_get(), and
 *         for PM_VK_SUBGROUPS if the requirements do not ask for subgroup_size_control.
 */
PM_API pm_status pm_vk_context_create(const pm_vk_context_info *info, pm_vk_context **context);

/** Destroys a context. All of its commands must have completed. NULL is allowed. */
PM_API void pm_vk_context_destroy(pm_vk_context *context);

/** What a buffer must be. */
typedef struct pm_vk_buffer {
    VkDeviceSize size;        /**< The minimum in bytes; 0 if the buffer is not needed. */
    VkDeviceSize alignment;   /**< Of its address; of `dispatches`, of its offset. */
    VkBufferUsageFlags usage; /**< What to create it with. All have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT. */
} pm_vk_buffer;

/* ---- A match ----------------------------------------------------------------------------------------------------- */

/** The buffers of pm_vk_cmd_match(). */
typedef struct pm_vk_sizes {
    pm_vk_buffer parens;     /**< Read. The sequence in 32-bit words: element i is bit i % 32 of word i / 32. */
    pm_vk_buffer match;      /**< Written. n results of 32 bits; or one range of them. */
    pm_vk_buffer scratch;    /**< Less than n / 6 bytes plus 8 KiB. Never shrinks as n grows. */
    pm_vk_buffer summary;    /**< Written. A pm_vk_summary. */
    pm_vk_buffer count;      /**< Read. 32 bits. Size 0 without PM_VK_COUNT_ON_DEVICE. */
    pm_vk_buffer dispatches; /**< Size 0 without PM_VK_COUNT_ON_DEVICE. */
} pm_vk_sizes;

/** The sequence's bicyclic element, as a match writes it on the device. */
typedef struct pm_vk_summary {
    uint32_t close; /**< Unmatched closes. */
    uint32_t open;  /**< Unmatched opens. */
} pm_vk_summary;

/** pm_vk_match_info.range_elements is a multiple of this. */
#define PM_VK_RANGE_UNIT 1024

/**
 * Reports the buffers for a match of at most n elements.
 *
 * @param range_elements  as pm_vk_match_info.range_elements.
 * @param sizes           receives them.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_context_sizes(const pm_vk_context *context, uint64_t n, uint64_t range_elements,
                                     pm_vk_sizes *sizes);

/** A match to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_match_info {
    size_t struct_size;      /**< As pm_options.struct_size. */
    uint64_t n;              /**< Elements; with `count`, their maximum. If 0, only `summary` is needed and written. */
    VkDeviceAddress parens;  /**< The sequence. */
    VkDeviceAddress scratch; /**< The scratch. */
    VkDeviceAddress summary; /**< The summary. */
    VkDeviceAddress match;   /**< The results, if range_elements is 0. */
    /**
     * For a match larger than one buffer may be: result i goes to element i % range_elements of the buffer at
     * match_ranges[i / range_elements]. Read during recording.
     */
    const VkDeviceAddress *match_ranges;
    uint64_t range_elements; /**< A multiple of PM_VK_RANGE_UNIT; or 0: all results go to `match`. */
    /**
     * The number of elements on the device, clamped to n; or 0: there are n. Buffers have the sizes for n. Nothing is
     * written to the match past that number.
     */
    VkDeviceAddress count;
    VkBuffer dispatches;            /**< With `count`: a buffer for indirect dispatches. */
    VkDeviceSize dispatches_offset; /**< Where they begin in it, in bytes. */
} pm_vk_match_info;

/**
 * Records the match of a sequence. Results are those of pm_match_seq().
 *
 * n chooses what is recorded, with a count, too. Up to 65536 elements it is one dispatch, unless the results go to
 * several ranges, or workgroups of the device have fewer than 512 invocations or 25 KiB. Otherwise it is one dispatch
 * for each of up to four stages, or more of them if the device limits their size. Scratch and dispatches are needed for
 * both.
 *
 * Reads parens and count; writes match and summary. The first accesses are reads of parens and count and writes of
 * scratch and dispatches; the last are writes of match and summary. All are compute shader accesses; dispatches are
 * also read as indirect commands.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address,
 *         range_elements that is not a multiple of PM_VK_RANGE_UNIT, or a count without PM_VK_COUNT_ON_DEVICE;
 *         PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_match(VkCommandBuffer commands, const pm_vk_context *context, const pm_vk_match_info *info);

/* ---- Many sequences ---------------------------------------------------------------------------------------------- */

/** The buffers of pm_vk_cmd_match_batch(). */
typedef struct pm_vk_batch_sizes {
    pm_vk_buffer parens;  /**< Read. The elements of all sequences, as pm_vk_sizes.parens. */
    pm_vk_buffer offsets; /**< Read. count + 1 offsets of 64 bits. */
    pm_vk_buffer match;   /**< Written. n results of 32 bits; or one range of them. */
    pm_vk_buffer totals;  /**< Written. A pm_vk_summary for each sequence. */
    pm_vk_buffer scratch; /**< Less than n / 6 bytes plus 8 KiB. Never shrinks as n grows. */
} pm_vk_batch_sizes;

/**
 * Reports the buffers for a batch of at most `count` sequences with n elements in all.
 *
 * @param context         created with PM_VK_BATCHES.
 * @param range_elements  as pm_vk_batch_info.range_elements.
 * @param sizes           receives them.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1 or count > 2^31 - 1; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_context_batch_sizes(const pm_vk_context *context, uint64_t n, uint64_t count,
                                           uint64_t range_elements, pm_vk_batch_sizes *sizes);

/** A batch to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_batch_info {
    size_t struct_size;     /**< As pm_options.struct_size. */
    uint64_t n;             /**< Elements of all sequences: at least the last offset. If 0, all are empty. */
    uint64_t count;         /**< Sequences; may be 0. */
    VkDeviceAddress parens; /**< The elements. */
    /**
     * The offsets, as pm_match_batch_auto() takes them: sequence s is elements offsets[s] ... offsets[s + 1] - 1. They
     * ascend, and may begin above 0 and end below n. Elements before the first offset are matched as a sequence of
     * their own, and so are those from the last offset on.
     */
    VkDeviceAddress offsets;
    VkDeviceAddress scratch;             /**< The scratch. */
    VkDeviceAddress totals;              /**< The sequences' bicyclic elements; 0 if you do not need them. */
    VkDeviceAddress match;               /**< The results, if range_elements is 0. */
    const VkDeviceAddress *match_ranges; /**< As pm_vk_match_info.match_ranges. */
    uint64_t range_elements;             /**< As pm_vk_match_info.range_elements. */
} pm_vk_batch_info;

/**
 * Records the matches of many sequences. Results are those of pm_match_batch_seq(): each counts from the beginning of
 * its own sequence, or is PM_NONE. Any number of sequences may be empty.
 *
 * The offsets are not checked, since they are on the device. An offset above n counts as n. If offsets do not ascend,
 * results and totals are undefined, but nothing outside of these two buffers and the scratch is written.
 *
 * Reads parens and offsets; writes match and totals. The first accesses are reads of parens and writes of scratch; the
 * last are writes of match and totals. All are compute shader accesses.
 *
 * Order: the dispatches that write match, then those that write totals, without a barrier between the two, since
 * neither reads what the other writes. They may overlap, and their results may become visible in any order. One barrier
 * after the call, from VK_ACCESS_SHADER_WRITE_BIT in the compute stage to your reads, makes both visible, for all
 * ranges; no part is to be read before it. Before the call one barrier is needed, from your writes of parens and
 * offsets to VK_ACCESS_SHADER_READ_BIT in the compute stage; none that this call records covers them. If n is 0, only
 * totals are written; if totals is 0, only match.
 *
 * @param context  created with PM_VK_BATCHES.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1 or count > 2^31 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or
 *         misaligned address, range_elements that is not a multiple of PM_VK_RANGE_UNIT, or a context without
 *         PM_VK_BATCHES; PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_match_batch(VkCommandBuffer commands, const pm_vk_context *context,
                                       const pm_vk_batch_info *info);

/* ---- Slices: a sequence that lies on several devices ------------------------------------------------------------- */

/** A slice to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_slice_info {
    size_t struct_size;      /**< As pm_options.struct_size. */
    uint64_t n;              /**< Elements of the slice. If 0, only `summary` is needed, and reduce writes it. */
    VkDeviceAddress parens;  /**< The slice, from bit 0 on, wherever it begins in the sequence. */
    VkDeviceAddress scratch; /**< The scratch. It keeps the results of reduce until the last match of the slice. */
    VkDeviceAddress summary; /**< For reduce only: the slice's bicyclic element, a pm_vk_summary. */
    uint64_t origin;         /**< Index of the slice's first element in the whole sequence. Not for reduce. */
    /**
     * The top of the stack before the slice, uppermost first: indices in the whole sequence, 32 bits each, PM_NONE past
     * the bottom. A multiple of 4; 0 if the stack is empty. Not for reduce. A slice with c unmatched closes reads c + 1
     * entries; the last is the parent of what follows its unmatched closes.
     */
    VkDeviceAddress incoming;
    uint64_t incoming_count; /**< Entries of `incoming`, at most 2^32 - 1. Below them the stack is taken as empty. */
    VkDeviceAddress match;   /**< For the matches only: as pm_vk_match_info.match. */
    const VkDeviceAddress *match_ranges; /**< For the matches only: as pm_vk_match_info.match_ranges. */
    uint64_t range_elements;             /**< For the matches only: as pm_vk_match_info.range_elements. */
} pm_vk_slice_info;

/**
 * Records the reduction of a slice to its bicyclic element and to what its stack and its match need. Record it first.
 *
 * Buffers are those of pm_vk_context_sizes() for n elements. Reads parens; writes scratch and summary. Between any two
 * pm_vk_cmd_slice functions on the same scratch you record a barrier from compute shader writes to compute shader reads
 * and writes.
 *
 * @return PM_OK; PM_TOO_LARGE for origin + n or incoming_count > 2^32 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a
 *         null or misaligned address, or a context without PM_VK_SLICES; PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_slice_reduce(VkCommandBuffer commands, const pm_vk_context *context,
                                        const pm_vk_slice_info *info);

/**
 * Records the top of the stack after the slice: the slice's unmatched opens from the last to the first, then what is
 * left of `incoming`, then PM_NONE. The next slice may take it as its `incoming`. For an empty slice nothing is
 * recorded, since its stack is `incoming`. Reads scratch and incoming; writes stack.
 *
 * @param stack  address of `count` entries of 32 bits; a multiple of 4.
 * @param count  at most 2^32 - 1; more is PM_TOO_LARGE.
 * @return as pm_vk_cmd_slice_reduce().
 */
PM_API pm_status pm_vk_cmd_slice_stack(VkCommandBuffer commands, const pm_vk_context *context,
                                       const pm_vk_slice_info *info, VkDeviceAddress stack, uint64_t count);

/**
 * Records the match of a slice, in indices of the whole sequence. Reads parens, scratch and incoming; writes match.
 *
 * @return as pm_vk_cmd_slice_reduce(); PM_INVALID_ARGUMENT also as pm_vk_cmd_match().
 */
PM_API pm_status pm_vk_cmd_slice_match(VkCommandBuffer commands, const pm_vk_context *context,
                                       const pm_vk_slice_info *info);

/**
 * Records a second match of those elements that depend on `incoming`, over a pm_vk_cmd_slice_match() without it. A
 * device can thus match its slice before `incoming` has arrived; the second match is usually a small part. Reads
 * parens, scratch and incoming; writes match.
 *
 * @return as pm_vk_cmd_slice_match().
 */
PM_API pm_status pm_vk_cmd_slice_match_again(VkCommandBuffer commands, const pm_vk_context *context,
                                             const pm_vk_slice_info *info);

/* ---- Boxes of a scene -------------------------------------------------------------------------------------------- */

/** The buffers of pm_vk_cmd_boxes(). */
typedef struct pm_vk_box_sizes {
    pm_vk_buffer kinds; /**< Read. A byte an element, a pm_node; only its lowest two bits count. Whole 32-bit words. */
    pm_vk_buffer boxes; /**< Read. A pm_box an element; only those of leaves and clips matter. */
    pm_vk_buffer results; /**< Written and read. A pm_box an element, as pm_box_gpu() returns them. */
    /**
     * At most 5 bytes an element and 64 KiB; or, if that is more, 25 bytes for each of the first 524288 elements and
     * 64 KiB. Never shrinks as n grows, and does not depend on the scene.
     */
    pm_vk_buffer scratch;
    pm_vk_buffer dispatches; /**< Optional. 36 bytes; more if the device limits the size of a dispatch. */
} pm_vk_box_sizes;

/**
 * Reports the buffers for the boxes of a scene of n elements.
 *
 * @param sizes  receives them.
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT, also for a context without PM_VK_BOXES.
 */
PM_API pm_status pm_vk_context_box_sizes(const pm_vk_context *context, uint64_t n, pm_vk_box_sizes *sizes);

/** Kinds that a scene does not have. */
typedef enum pm_vk_boxes_lack {
    PM_VK_NO_CLIPS = 1, /**< No element is a clip. */
    PM_VK_NO_BLENDS = 2 /**< No element is a blend. */
} pm_vk_boxes_lack;

/** The boxes of a scene to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_boxes_info {
    size_t struct_size;      /**< As pm_options.struct_size. */
    uint64_t n;              /**< Elements. If 0, nothing is needed and nothing recorded. */
    VkDeviceAddress kinds;   /**< The elements' kinds. */
    VkDeviceAddress boxes;   /**< The elements' boxes. */
    VkDeviceAddress results; /**< The results. */
    VkDeviceAddress scratch; /**< The scratch. */
    /**
     * A buffer for indirect dispatches; or VK_NULL_HANDLE. With it, large scenes whose nodes and ends are less than
     * about a tenth of the elements take less time, and other large scenes a little more.
     */
    VkBuffer dispatches;
    VkDeviceSize dispatches_offset; /**< Where they begin in it, in bytes. */
    /**
     * Bits of pm_vk_boxes_lack, or 0. With one of them, scenes of at most 65,536 elements (524,288 without blends) take
     * less time, mostly by one dispatch less. If the scene has such an element nevertheless, results are unspecified.
     */
    uint32_t lacks;
} pm_vk_boxes_info;

/**
 * Records the boxes of a scene. Results are those of pm_box_gpu(), for blends, clips and their ends.
 *
 * Reads kinds and boxes; writes and reads results. The first accesses are reads of kinds and boxes and writes of
 * scratch; the last are writes of results. All are compute shader accesses; dispatches are also read as indirect
 * commands.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address, a
 *         misaligned dispatches_offset, or a context without PM_VK_BOXES; PM_UNSUPPORTED for other bits of lacks, and
 *         as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_boxes(VkCommandBuffer commands, const pm_vk_context *context, const pm_vk_boxes_info *info);

/* ---- From text to tokens ----------------------------------------------------------------------------------------- */

/** Kernels that read texts in a language. Recording does not change it; any number of threads may record.
 */
typedef struct pm_vk_tokenizer pm_vk_tokenizer;

/**
 * Creates the kernels that read texts in a language.
 *
 * @param context         created with PM_VK_COUNT_ON_DEVICE; must outlive the tokenizer.
 * @param language        as pm_text_scan_gpu() takes it; no longer used after the call.
 * @param pipeline_cache  used during creation; may be VK_NULL_HANDLE.
 * @param tokenizer       receives the tokenizer, to be given to pm_vk_tokenizer_destroy(); NULL after a failure.
 * @return PM_OK; PM_UNSUPPORTED for a language that a device cannot read (see pm_text_scan_gpu()), or a device whose
 *         workgroups cannot have 256 invocations and 23 KiB; PM_INVALID_ARGUMENT, also for a context without
 *         PM_VK_COUNT_ON_DEVICE; PM_OUT_OF_MEMORY; PM_DEVICE_LOST.
 */
PM_API pm_status pm_vk_tokenizer_create(const pm_vk_context *context, const pm_language *language,
                                        VkPipelineCache pipeline_cache, pm_vk_tokenizer **tokenizer);

/** Destroys a tokenizer. All of its commands must have completed. NULL is allowed. */
PM_API void pm_vk_tokenizer_destroy(pm_vk_tokenizer *tokenizer);

/** The buffers of pm_vk_cmd_delimiters(). */
typedef struct pm_vk_delimiters_sizes {
    pm_vk_buffer text;   /**< Read. n bytes, rounded up to a multiple of 16. */
    pm_vk_buffer tables; /**< Read. You copy pm_vk_tokenizer_tables() there, once for all texts. Fixed size. */
    /**
     * Depends on the rules: from n / 5 + capacity / 7 bytes and 16 KiB to 1.7 n bytes more; with tags also 16 bytes for
     * each of capacity.
     */
    pm_vk_buffer scratch;
    pm_vk_buffer result;     /**< Written. A pm_vk_delimiters_result. */
    pm_vk_buffer parens;     /**< Written and read. The tokens' sequence, a bit a token. */
    pm_vk_buffer words;      /**< For each of positions, kinds and lengths. Written and read. 32 bits a token. */
    pm_vk_buffer match;      /**< Written and read. The match of the sequence, 32 bits a token. */
    pm_vk_buffer dispatches; /**< For indirect dispatches. */
} pm_vk_delimiters_sizes;

/**
 * Reports the buffers for a text. Scratch for n and a capacity is also enough for less of both.
 *
 * @param n         bytes of text.
 * @param capacity  tokens to have room for; n is always enough.
 * @param sizes     receives the buffers.
 * @return PM_OK; PM_TOO_LARGE for n > 2^32 - 1 or a capacity > 2^31 - 1; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_tokenizer_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity,
                                       pm_vk_delimiters_sizes *sizes);

/**
 * Returns the contents of `tables`: pm_vk_delimiters_sizes.tables.size bytes, valid until the tokenizer is destroyed.
 */
PM_API const void *pm_vk_tokenizer_tables(const pm_vk_tokenizer *tokenizer);

/**
 * The result of a text, on the device. If the text has more tokens than capacity, all fields except count and
 * unterminated describe only the first `capacity` tokens.
 */
typedef struct pm_vk_delimiters_result {
    /** Tokens of the text, even if more than capacity. PM_NONE: pm_text_scan_gpu() has no result for this text,
     * and the other fields are undefined. */
    uint32_t count;
    pm_vk_summary unmatched; /**< Unmatched closes and opens. */
    uint32_t mismatched;     /**< Matching tokens of different kinds. */
    uint32_t unterminated;   /**< Byte offset of a string or comment that the text's end cuts off; or PM_NONE. */
    uint32_t fault;          /**< A pm_fault: the first that pm_check would report; or PM_NONE. */
    uint32_t token;          /**< The token with that fault; PM_NONE if the fault has no token. */
    uint32_t at;             /**< The fault's byte offset. */
    uint32_t partner;        /**< For PM_FAULT_KIND_MISMATCH: offset of the open that the token closes; else PM_NONE. */
} pm_vk_delimiters_result;

/** A text to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_delimiters_info {
    size_t struct_size;             /**< As pm_options.struct_size. */
    uint64_t n;                     /**< Bytes of text. If 0, `text` is not needed. */
    uint64_t capacity;              /**< Tokens to have room for. If 0, no buffer of tokens is needed. */
    VkDeviceAddress text;           /**< The text. */
    VkDeviceAddress tables;         /**< The tables. */
    VkDeviceAddress scratch;        /**< The scratch. */
    VkDeviceAddress result;         /**< The result. */
    VkDeviceAddress parens;         /**< Whether each token opens (1) or closes (0). */
    VkDeviceAddress positions;      /**< Each token's byte offset. */
    VkDeviceAddress kinds;          /**< Each token's kind. */
    VkDeviceAddress lengths;        /**< Each token's length in bytes; 0 if you do not need them. */
    VkDeviceAddress match;          /**< The tokens' match. */
    VkBuffer dispatches;            /**< A buffer for indirect dispatches. */
    VkDeviceSize dispatches_offset; /**< Where they begin in it, in bytes. */
} pm_vk_delimiters_info;

/**
 * Records a text's tokens, their match, and what is wrong with them. Nothing comes back to the host in between. Tokens
 * are those of pm_text_scan(), in order, with 32-bit positions, kinds and lengths.
 *
 * Reads text and tables; writes result, parens, positions, kinds, lengths and match, and reads them again in between.
 * The first accesses are reads of text and tables and writes of scratch; the last are writes of result. All are compute
 * shader accesses; dispatches are also read as indirect commands.
 *
 * @return PM_OK; PM_TOO_LARGE as pm_vk_tokenizer_sizes(); PM_INVALID_ARGUMENT for a NULL pointer or a null or
 *         misaligned address; PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_delimiters(VkCommandBuffer commands, const pm_vk_tokenizer *tokenizer,
                                      const pm_vk_delimiters_info *info);

/* ---- The index of a JSON text ------------------------------------------------------------------------------------ */

/** The buffers of pm_vk_cmd_json_index(). A word is 64 bytes of text; words count in whole eights. */
typedef struct pm_vk_json_sizes {
    pm_vk_buffer text;   /**< Read. n bytes, rounded up to a multiple of 16. */
    pm_vk_buffer masks;  /**< For each of tokens and brackets. Written and read. 64 bits a word, the lower 32 first. */
    pm_vk_buffer before; /**< Written. 32 bits a word. */
    pm_vk_buffer partners;   /**< Written. 32 bits for each of bracket_capacity. */
    pm_vk_buffer positions;  /**< Written. 32 bits for each of token_capacity. */
    pm_vk_buffer result;     /**< Written and read. A pm_vk_json_result. */
    pm_vk_buffer scratch;    /**< n / 1024 bytes and 13 for each of bracket_capacity, and 9 KiB, at most. */
    pm_vk_buffer dispatches; /**< For indirect dispatches. */
} pm_vk_json_sizes;

/**
 * Reports the buffers for a text. Scratch for a text and capacities is also enough for less of them.
 *
 * @param context           created with PM_VK_JSON.
 * @param n                 bytes of text.
 * @param bracket_capacity  brackets to have room for; n is always enough.
 * @param token_capacity    tokens whose positions to have room for; may be 0.
 * @param sizes             receives the buffers.
 * @return PM_OK; PM_TOO_LARGE for more than 2^32 - 1 of any; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_vk_context_json_sizes(const pm_vk_context *context, uint64_t n, uint64_t bracket_capacity,
                                          uint64_t token_capacity, pm_vk_json_sizes *sizes);

/** What pm_vk_cmd_json_index() found. */
typedef enum pm_vk_json_verdict {
    PM_VK_JSON_RIGHT = 0,  /**< pm_json_create() would return PM_OK. */
    PM_VK_JSON_WRONG = 1,  /**< pm_json_create() would return PM_CORRUPT, and say where the first fault is. */
    PM_VK_JSON_NO_ROOM = 2 /**< There are more brackets than room for them; whether the text is right is not known. */
} pm_vk_json_verdict;

/** The result of a text, on the device. */
typedef struct pm_vk_json_result {
    uint32_t tokens;         /**< Tokens of the text, even if more than token_capacity. */
    uint32_t brackets;       /**< Brackets of the text, even if more than bracket_capacity. */
    uint32_t verdict;        /**< A pm_vk_json_verdict. */
    pm_vk_summary unmatched; /**< Unmatched closes and opens of the first bracket_capacity brackets, whatever their
                                kinds; undefined if bracket_capacity is 0. */
} pm_vk_json_result;

/** A text to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_json_info {
    size_t struct_size;             /**< As pm_options.struct_size. */
    uint64_t n;                     /**< Bytes of text. If 0, only result, scratch and dispatches are needed. */
    uint64_t bracket_capacity;      /**< Brackets to have room for. If 0, `partners` is not needed. */
    uint64_t token_capacity;        /**< Tokens whose positions to store; if 0, `positions` is not needed. */
    VkDeviceAddress text;           /**< The text. */
    VkDeviceAddress tokens;         /**< Bit i % 64 of word i / 64: a token begins at byte i. */
    VkDeviceAddress brackets;       /**< Bit i % 64 of word i / 64: byte i is a bracket outside strings. */
    VkDeviceAddress before;         /**< The number of brackets before each word. */
    VkDeviceAddress partners;       /**< Of each bracket, in order: the byte offset of its partner. */
    VkDeviceAddress positions;      /**< Of each token, in order: its byte offset. */
    VkDeviceAddress result;         /**< The result. */
    VkDeviceAddress scratch;        /**< The scratch. */
    VkBuffer dispatches;            /**< A buffer for indirect dispatches. */
    VkDeviceSize dispatches_offset; /**< Where they begin in it, in bytes. */
} pm_vk_json_info;

/**
 * Records the index of a JSON text, which is that of pm_json_create(): its tokens, its brackets and their partners, and
 * whether the text is one value, by the same rules. Nothing comes back to the host in between. The token at a byte is
 * what the text has there. The value of a bracket at byte i ends behind its partner, which is
 * partners[before[i / 64] + (brackets before i in its word)].
 *
 * Of a text that is wrong, and with PM_VK_JSON_NO_ROOM, partners are undefined. Positions past token_capacity are not
 * stored, which no verdict depends on. Where the first fault is, pm_json_create() reports on the host.
 *
 * Reads text; writes tokens, brackets, before, partners, positions and result, and reads tokens and result again in
 * between. The first accesses are reads of text and writes of scratch; the last are writes of result. All are compute
 * shader accesses; dispatches are also read as indirect commands.
 *
 * @param context  created with PM_VK_JSON.
 * @return PM_OK; PM_TOO_LARGE as pm_vk_context_json_sizes(); PM_INVALID_ARGUMENT for a NULL pointer, a null or
 *         misaligned address, or a context without PM_VK_JSON; PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_json_index(VkCommandBuffer commands, const pm_vk_context *context,
                                      const pm_vk_json_info *info);

/* ---- Scans of trees ---------------------------------------------------------------------------------------------- */

/** The kernels of a monoid. Recording does not change it; any number of threads may record. */
typedef struct pm_vk_monoid pm_vk_monoid;

/**
 * Creates a monoid's kernels. They take no device memory except what the driver needs for them, and one block of host
 * memory from the context's allocator.
 *
 * @param context  created with PM_VK_TREES; must outlive the monoid.
 * @param code     as for pm_tree_scan_down_gpu(); no longer used after the call.
 * @param cache    used during creation; may be VK_NULL_HANDLE.
 * @param monoid   receives the monoid, to be given to pm_vk_monoid_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT, also for code that is not SPIR-V; PM_OUT_OF_MEMORY; PM_DEVICE_LOST;
 *         PM_UNSUPPORTED.
 */
PM_API pm_status pm_vk_monoid_create(const pm_vk_context *context, const pm_gpu_monoid *code, VkPipelineCache cache,
                                     pm_vk_monoid **monoid);

/** Destroys a monoid. All of its commands must have completed. NULL is allowed. */
PM_API void pm_vk_monoid_destroy(pm_vk_monoid *monoid);

/** The buffers of pm_vk_cmd_tree_scan(). */
typedef struct pm_vk_tree_sizes {
    pm_vk_buffer parens;  /**< Read. The sequence in 32-bit words, as for a match. */
    pm_vk_buffer values;  /**< Read. A value a node, laid out as parenmatch/monoid.glsl says. */
    pm_vk_buffer results; /**< Written and read. A result a node, laid out like values. */
    pm_vk_buffer scratch; /**< Never shrinks as n or nodes grow. */
} pm_vk_tree_sizes;

/**
 * Reports the buffers for a scan of a tree of n elements with `nodes` opens.
 *
 * @param sizes  receives them.
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT, also for more nodes than elements.
 */
PM_API pm_status pm_vk_monoid_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes, pm_vk_tree_sizes *sizes);

/** The direction of a scan. */
typedef enum pm_vk_tree_way {
    PM_VK_TREE_DOWN_INCLUSIVE = 0, /**< pm_tree_scan_down_auto() with PM_SCAN_INCLUSIVE. */
    PM_VK_TREE_DOWN_EXCLUSIVE = 1, /**< pm_tree_scan_down_auto() with PM_SCAN_EXCLUSIVE. */
    PM_VK_TREE_UP = 2              /**< pm_tree_reduce_up_auto(). */
} pm_vk_tree_way;

/** A scan to record. Zero-initialise it and set what you need. */
typedef struct pm_vk_tree_info {
    size_t struct_size; /**< As pm_options.struct_size. */
    uint64_t n;         /**< Elements. */
    /**
     * The number of opens, or an upper bound. If the sequence has fewer, results past them are not written. If it has
     * more, the sequence is cut before the first open too many. If 0, nothing is needed and nothing recorded.
     */
    uint64_t nodes;
    pm_vk_tree_way way;      /**< The direction. */
    VkDeviceAddress parens;  /**< The sequence. */
    VkDeviceAddress values;  /**< The nodes' values. */
    VkDeviceAddress results; /**< The results. */
    VkDeviceAddress scratch; /**< The scratch. */
} pm_vk_tree_info;

/**
 * Records a scan of a tree. Results are those of the function that pm_vk_tree_info.way names.
 *
 * Reads parens and values; writes and reads results. The first accesses are reads of parens and writes of scratch; the
 * last are writes of results. All are compute shader accesses.
 *
 * @return PM_OK; PM_TOO_LARGE for n > 2^31 - 1; PM_INVALID_ARGUMENT for a NULL pointer, a null or misaligned address, a
 *         way that is not a pm_vk_tree_way, or more nodes than elements; PM_UNSUPPORTED as for pm_options.struct_size.
 */
PM_API pm_status pm_vk_cmd_tree_scan(VkCommandBuffer commands, const pm_vk_monoid *monoid, const pm_vk_tree_info *info);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_VULKAN_H */
