/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A renderer in small: its scene and the boxes of all its parts stay on the device. A window clips a list of cards,
 * each of which clips its content and blends it; in every frame the list is scrolled by a few pixels. What comes back
 * is the box of the whole and how many cards can be seen: what a renderer needs to know before it draws. Exits with 77
 * where there is no device.
 *   cc vulkan_boxes.c vulkan_program.c $(pkg-config --cflags --libs parenmatch) -lvulkan
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_program.h"

enum {
    CARDS = 1000,
    CARD = 6,                    /* elements: clip, blend, two leaves, two ends */
    ELEMENTS = CARDS * CARD + 4, /* and the window's clip and blend, with their ends */
    HEIGHT = 40,                 /* of a card, in pixels; the window has 300 by 200 */
    FRAMES = 3
};

static pm_vk_context *context;
static struct buffers {
    buffer host; /* the scene on its way up, then what comes down */
    buffer kinds, boxes, results, scratch;
} b;

/* The place of the k-th card in the sequence: its clip. */
static size_t card_at(size_t k) {
    return 2 + k * CARD;
}

static void scene_make(uint8_t *kinds, pm_box *boxes, float scrolled) {
    static const uint8_t card[CARD] = {PM_CLIP, PM_BLEND, PM_LEAF, PM_LEAF, PM_END, PM_END};
    kinds[0] = PM_CLIP;
    boxes[0] = (pm_box){0, 0, 300, 200};
    kinds[1] = PM_BLEND;
    for (size_t k = 0; k < CARDS; k++) {
        const size_t i = card_at(k);
        const float top = (float)k * HEIGHT - scrolled;
        memcpy(kinds + i, card, sizeof card);
        boxes[i] = (pm_box){20, top + 4, 280, top + HEIGHT};
        boxes[i + 2] = (pm_box){10, top, 60, top + 100}; /* a picture, larger than the card */
        boxes[i + 3] = (pm_box){70, top + 10, 250 + (float)(k % 7) * 10, top + 30};
    }
    kinds[ELEMENTS - 2] = kinds[ELEMENTS - 1] = PM_END;
}

static void boxes_open(void) {
    const pm_vk_context_info info = {.struct_size = sizeof info,
                                     .instance = r.instance,
                                     .physical_device = r.physical,
                                     .device = r.device,
                                     .get_instance_proc_addr = vkGetInstanceProcAddr,
                                     .flags =
                                         PM_VK_BOXES | (r.requirements.subgroup_size_control ? PM_VK_SUBGROUPS : 0u)};
    require(pm_vk_context_create(&info, &context) == PM_OK, "the context");
    pm_vk_box_sizes sizes;
    require(pm_vk_context_box_sizes(context, ELEMENTS, &sizes) == PM_OK, "the sizes");
    b.kinds = buffer_for(&sizes.kinds, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.boxes = buffer_for(&sizes.boxes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.results = buffer_for(&sizes.results, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    b.scratch = buffer_for(&sizes.scratch, 0);
    b.host = buffer_make(sizes.boxes.size + sizes.kinds.size,
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

static void boxes_close(void) {
    buffer *const all[] = {&b.host, &b.kinds, &b.boxes, &b.results, &b.scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        buffer_free(all[k]);
    pm_vk_context_destroy(context);
}

/* Uploads the scene, which shaders would move in a real program; then its boxes, and what the host reads of them. */
static void frame_record(void) {
    commands_begin();
    const VkBufferCopy boxes_up = {.size = ELEMENTS * sizeof(pm_box)};
    const VkBufferCopy kinds_up = {.srcOffset = boxes_up.size, .size = (ELEMENTS + 3) / 4 * 4};
    vkCmdCopyBuffer(r.commands, b.host.handle, b.boxes.handle, 1, &boxes_up);
    vkCmdCopyBuffer(r.commands, b.host.handle, b.kinds.handle, 1, &kinds_up);
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT);

    const pm_vk_boxes_info info = {.struct_size = sizeof info,
                                   .n = ELEMENTS,
                                   .kinds = b.kinds.address,
                                   .boxes = b.boxes.address,
                                   .results = b.results.address,
                                   .scratch = b.scratch.address};
    require(pm_vk_cmd_boxes(r.commands, context, &info) == PM_OK, "recording the boxes");

    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdCopyBuffer(r.commands, b.results.handle, b.host.handle, 1, &boxes_up);
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
}

static void frame_tell(unsigned frame) {
    const pm_box *const results = b.host.mapped;
    const pm_box all = results[1]; /* of a blend its union stands at the blend, too */
    size_t seen = 0, last = 0;
    for (size_t k = 0; k < CARDS; k++) {
        const pm_box card = results[card_at(k) + 1];
        if (card.x0 < card.x1) {
            last = k;
            seen++;
        }
    }
    const pm_box of_last = results[card_at(last) + 1];
    printf("frame %u: all of it in %g %g %g %g; %zu cards can be seen, the last of them in %g %g %g %g\n", frame,
           (double)all.x0, (double)all.y0, (double)all.x1, (double)all.y1, seen, (double)of_last.x0, (double)of_last.y0,
           (double)of_last.x1, (double)of_last.y1);
}

int main(void) {
    program_open();
    boxes_open();
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        scene_make((uint8_t *)b.host.mapped + ELEMENTS * sizeof(pm_box), b.host.mapped, (float)frame * 1017);
        frame_record();
        commands_run();
        frame_tell(frame);
    }
    boxes_close();
    program_close();
    return 0;
}
