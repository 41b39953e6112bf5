/* SPDX-License-Identifier: Apache-2.0 */
/* What the Vulkan examples have of their own, as a renderer would: a device, commands, buffers. Whatever fails ends the
 * program; with 77 where there is no device. */
#ifndef VULKAN_PROGRAM_H
#define VULKAN_PROGRAM_H

#include <parenmatch_vulkan.h>
#include <vulkan/vulkan.h>

extern struct program {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    pm_vk_requirements requirements;
} r;

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *mapped; /* NULL: on the device alone */
} buffer;

/* Ends the program, saying what failed, unless it is fine. */
void require(int fine, const char *what);

void program_open(void);
void program_close(void);

buffer buffer_make(VkDeviceSize size, VkBufferUsageFlags usage, VkMemoryPropertyFlags flags);
/* The same for a buffer that the library asks for, on the device. */
buffer buffer_for(const pm_vk_buffer *needed, VkBufferUsageFlags also);
void buffer_free(buffer *b);

/* Commands are recorded to r.commands between the two; the second waits for their end. */
void commands_begin(void);
void commands_run(void);
void barrier(VkPipelineStageFlags after, VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used);

#endif
