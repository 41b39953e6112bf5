/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes recorded through parenmatch_vulkan.h: right, in no more memory than was asked for, and what is refused. Skipped
 * (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "inputs/scenes.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    SCENES = 40 /* recorded together */
};

static pm_vk_context *of_boxes;

/* The buffers of a scene, by their index. */
enum {
    KINDS,
    BOXES,
    RESULTS,
    SCRATCH,
    DISPATCHES,
    BUFFERS
};

/* A scene that has been recorded. */
typedef struct recorded {
    const char *name;
    uint32_t n;
    uint64_t seed;
    size_t at; /* the index of its first buffer */
} recorded;

static struct {
    block block;
    recorded scenes[SCENES];
    size_t count;
} bench;

static void *buffer_of(const recorded *r, size_t buffer) {
    return block_words(&bench.block, r->at + buffer);
}

static VkDeviceAddress address_of(const recorded *r, size_t buffer) {
    return block_address(&bench.block, BLOCK_DEVICE, r->at + buffer);
}

static void begin(size_t words) {
    block_open(&bench.block, &host.device, words);
    gpu_commands_begin(&host);
    bench.count = 0;
}

/* `scratch_of`: a scene recorded before whose scratch, and dispatches, are used again, after a barrier; NULL: its own.
 */
static void add_lacking(const char *name, uint32_t n, bool planned, const recorded *scratch_of, uint32_t lacks) {
    recorded *const r = &bench.scenes[bench.count++];
    *r = (recorded){.name = name, .n = n, .seed = bench.count};
    pm_vk_box_sizes sizes;
    assert_ok(pm_vk_context_box_sizes(of_boxes, n, &sizes));
    const pm_vk_buffer buffers[BUFFERS] = {sizes.kinds, sizes.boxes, sizes.results, sizes.scratch, sizes.dispatches};
    r->at = block_add(&bench.block, buffers, BUFFERS, name, n);
    assert_true(scene_fill(name, r->seed, n, buffer_of(r, KINDS), buffer_of(r, BOXES)));
    if (scratch_of)
        gpu_commands_barrier(&host);
    const recorded *const scratch = scratch_of ? scratch_of : r;
    const pm_vk_boxes_info info = {.struct_size = planned ? sizeof info : offsetof(pm_vk_boxes_info, dispatches),
                                   .n = n,
                                   .kinds = address_of(r, KINDS),
                                   .boxes = address_of(r, BOXES),
                                   .results = address_of(r, RESULTS),
                                   .scratch = address_of(scratch, SCRATCH),
                                   .dispatches = planned ? bench.block.memory.handle : VK_NULL_HANDLE,
                                   .dispatches_offset = 4 * bench.block.buffers[scratch->at + DISPATCHES].first,
                                   .lacks = lacks};
    assert_ok(pm_vk_cmd_boxes(host.commands, of_boxes, &info));
}

static void add(const char *name, uint32_t n, bool planned, const recorded *scratch_of) {
    add_lacking(name, n, planned, scratch_of, 0);
}

static void check_scene(const recorded *r) {
    uint8_t *const kinds = allocate(r->n + 4, 1);
    pm_box *const boxes = allocate(r->n, sizeof *boxes), *const expected = allocate(r->n, sizeof *expected);
    assert_true(scene_fill(r->name, r->seed, r->n, kinds, boxes));
    assert_memory_equal(buffer_of(r, KINDS), kinds, r->n); /* what is given has not been changed */
    assert_memory_equal(buffer_of(r, BOXES), boxes, r->n * sizeof *boxes);
    assert_ok(pm_box_seq(NULL, kinds, boxes, r->n, expected));
    if (memcmp(buffer_of(r, RESULTS), expected, r->n * sizeof *expected) != 0)
        fail_msg("%s, n = %u: wrong boxes", r->name, r->n);
    free(kinds);
    free(boxes);
    free(expected);
}

static void run_and_check(void) {
    gpu_commands_run(&host);
    for (size_t k = 0; k < bench.count; k++)
        check_scene(&bench.scenes[k]);
    block_check(&bench.block);
    block_close(&bench.block);
}

TEST(test_scenes) {
    static const uint32_t sizes[] = {1, 5, 255, 256, 1000, 8193};
    for (const char *const *name = scene_names; *name; name++) {
        begin(1 << 19);
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            add(*name, sizes[s], s % 2 == 0, NULL);
        run_and_check();
    }
}

/* More than one block of tiles, by dispatches that the device plans and without: tiles that are not sparse, that mostly
 * are, and of both sorts. */
TEST(test_long_scenes) {
    static const char *const names[] = {"mixed:33:random", "mixed:95:random", "mixed:88:random"};
    for (size_t k = 0; k < COUNT_OF(names); k++)
        for (int planned = 0; planned < 2; planned++) {
            begin(5 << 20);
            add(names[k], 300007, planned, NULL);
            run_and_check();
        }
}

TEST(test_one_plan_for_two) {
    begin(9 << 20);
    add("mixed:95:random", 300007, true, NULL);
    add("mixed:33:random", 290007, true, &bench.scenes[0]);
    run_and_check();
}

TEST(test_one_scratch_for_two) {
    begin(1 << 20);
    add("mixed:10:opens", 9000, true, NULL);
    add("blends:20:deep", 7000, true, &bench.scenes[0]);
    add("mixed:50:zigzag", 100, false, &bench.scenes[0]);
    run_and_check();
}

/* Short scenes, and one that takes no notice. */
TEST(test_scenes_that_lack_a_kind) {
    static const uint32_t sizes[] = {1, 500, 700, 9000, 70000};
    begin(5 << 20);
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        add_lacking("blends:33:random", sizes[s], true, NULL, PM_VK_NO_CLIPS);
        add_lacking("blends:20:opens", sizes[s], true, NULL, PM_VK_NO_CLIPS);
        add_lacking("clips:33:random", sizes[s], true, NULL, PM_VK_NO_BLENDS);
    }
    add_lacking("blends:100:random", 3000, true, NULL, PM_VK_NO_CLIPS | PM_VK_NO_BLENDS);
    run_and_check();
}

TEST(test_sizes) {
    VkDeviceSize scratch = 0;
    pm_vk_box_sizes sizes;
    for (uint64_t n = 0; n <= INT32_MAX; n = n * 3 + 1) {
        assert_ok(pm_vk_context_box_sizes(of_boxes, n, &sizes));
        assert_int_equal(sizes.kinds.size, (n + 3) / 4 * 4);
        assert_int_equal(sizes.boxes.size, n * sizeof(pm_box));
        assert_int_equal(sizes.results.size, n * sizeof(pm_box));
        const VkDeviceSize of_short = 25 * (VkDeviceSize)(n < 524288 ? n : 524288);
        const VkDeviceSize most = (n * 5 > of_short ? n * 5 : of_short) + 65536;
        assert_true(sizes.scratch.size >= scratch && sizes.scratch.size <= most);
        scratch = sizes.scratch.size;
        assert_true(n == 0 || sizes.dispatches.size >= 36);
        assert_true(sizes.dispatches.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    }
    assert_int_equal(pm_vk_context_box_sizes(of_boxes, UINT64_C(1) << 31, &sizes), PM_TOO_LARGE);
    assert_invalid(pm_vk_context_box_sizes(of_boxes, 1, NULL));
    assert_invalid(pm_vk_context_box_sizes(NULL, 1, &sizes));
    assert_invalid(pm_vk_context_box_sizes(matcher, 1, &sizes)); /* was not made for boxes */
}

TEST(test_bad_scenes) {
    const VkDeviceAddress some = 1 << 16;
    const pm_vk_boxes_info good = {
        .struct_size = sizeof good, .n = 2000, .kinds = some, .boxes = some, .results = some, .scratch = some};
    const VkCommandBuffer commands = host.commands; /* nothing is recorded to it: nothing has been begun */
    pm_vk_boxes_info bad = good;
    assert_invalid(pm_vk_cmd_boxes(NULL, of_boxes, &good));
    assert_invalid(pm_vk_cmd_boxes(commands, NULL, &good));
    assert_invalid(pm_vk_cmd_boxes(commands, of_boxes, NULL));
    assert_invalid(pm_vk_cmd_boxes(commands, matcher, &good));
    bad.n = UINT64_C(1) << 31;
    assert_int_equal(pm_vk_cmd_boxes(commands, of_boxes, &bad), PM_TOO_LARGE);
    bad = good;
    bad.struct_size = 8;
    assert_invalid(pm_vk_cmd_boxes(commands, of_boxes, &bad));
    VkDeviceAddress *const addresses[] = {&bad.kinds, &bad.boxes, &bad.results, &bad.scratch};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = good;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_boxes(commands, of_boxes, &bad));
        *addresses[k] = some + 8;
        assert_invalid(pm_vk_cmd_boxes(commands, of_boxes, &bad));
    }
    bad = good;
    bad.dispatches = (VkBuffer)(uintptr_t)some;
    bad.dispatches_offset = 2;
    assert_invalid(pm_vk_cmd_boxes(commands, of_boxes, &bad));
    bad = good;
    bad.lacks = 4;
    assert_int_equal(pm_vk_cmd_boxes(commands, of_boxes, &bad), PM_UNSUPPORTED);
    const pm_vk_boxes_info nothing = {.struct_size = sizeof nothing};
    assert_ok(pm_vk_cmd_boxes(commands, of_boxes, &nothing));
}

static void open_more(void) {
    const pm_vk_context_info info = matcher_info(PM_VK_BOXES);
    assert_ok(pm_vk_context_create(&info, &of_boxes));
}

static void close_more(void) {
    pm_vk_context_destroy(of_boxes);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, open_more, close_more);
}
