/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes of scenes on whatever Vulkan device there is, stage by stage and as a whole, under the validation layer where
 * that is installed. Skipped (77) where there is no device. test_gpu_boxes [TEAMS [PATTERN]]   as test_gpu
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "inputs/families.h"
#include "inputs/scenes.h"
#include "parenmatch.h"
#include "tests/boxes/stages.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    SMALL_BLOCK = 32 /* tiles, so that short scenes have several blocks */
};

static pmi_gpu_settings settings;
static gpu_host host, host_of_tiles, host_of_blocks; /* the last with small blocks, and dispatches that do little */
static box_stages stages, stages_of_blocks, stages_in_order; /* the last are of blocks, too */
static box_stages stages_of_tiles;                           /* of blocks as large as they get, and without slices */

typedef struct scene {
    uint8_t *kinds;
    pm_box *boxes;
    uint32_t n;
} scene;

static scene scene_make(uint32_t n) {
    return (scene){allocate(n, 1), allocate(n, sizeof(pm_box)), n};
}

static void scene_free(scene *s) {
    free(s->kinds);
    free(s->boxes);
}

static scene scene_named(const char *name, uint64_t seed, uint32_t n) {
    const scene s = scene_make(n);
    assert_true(scene_fill(name, seed, n, s.kinds, s.boxes));
    return s;
}

static void check_stages(const scene *s, const char *what) {
    box_stages_check(&stages, s->kinds, s->boxes, s->n, what);
    box_stages_check(&stages_of_blocks, s->kinds, s->boxes, s->n, what);
    box_stages_check(&stages_in_order, s->kinds, s->boxes, s->n, what);
}

static void check_results(const scene *s, const char *what) {
    box_stages_check_results(&stages, s->kinds, s->boxes, s->n, what);
    box_stages_check_results(&stages_of_blocks, s->kinds, s->boxes, s->n, what);
    box_stages_check_results(&stages_in_order, s->kinds, s->boxes, s->n, what);
}

/* Scenes whose boxes are few, with what floating-point numbers have beside numbers. */
TEST(test_odd_boxes_and_twins) {
    uint64_t seed = 4;
    for (int round = 0; round < 12; round++) {
        scene s = scene_named(scene_names[round * 2], (uint64_t)round, 1 + (uint32_t)random_below(&seed, 3000));
        for (uint32_t i = 0; i < s.n; i++)
            s.boxes[i] = scene_odd_box(&seed);
        check_stages(&s, "odd boxes");
        scene_free(&s);
    }
}

/* Deep scenes whose clips leave something, for every low is below the highs from the same row on; or one has a NaN. */
TEST(test_signs_of_deep_clips) {
    static const float lows[][4] = {
        {-INFINITY, -7, -2, -1}, {-INFINITY, -2, -0.0f, -0x1p-149f}, {-1, -0.0f, 0, 0x1p-149f}, {0, 1, 2, 0x1p-149f}};
    static const float highs[][4] = {
        {-0.5f, -0.25f, -0.0f, 3}, {0x1p-148f, 1, 3, INFINITY}, {0x1p-148f, 1, 7, INFINITY}, {3, 5, 7, INFINITY}};
    static const char *const names[] = {"clips:20:opens", "kinds", "mixed:33:opens", "clips:0:deep"};
    static const uint32_t sizes[] = {700, 3001, 4097};
    uint64_t seed = 12;
    for (size_t round = 0; round < 15; round++) {
        scene s = scene_named(names[round % 4], round, sizes[round / 4 % 3]);
        const size_t x0 = random_below(&seed, 4), x1 = x0 + random_below(&seed, 4 - x0);
        const size_t y0 = random_below(&seed, 4), y1 = y0 + random_below(&seed, 4 - y0);
        for (uint32_t i = 0; i < s.n; i++)
            s.boxes[i] = (pm_box){lows[x0][random_below(&seed, 4)], lows[y0][random_below(&seed, 4)],
                                  highs[x1][random_below(&seed, 4)], highs[y1][random_below(&seed, 4)]};
        float *const odd = &s.boxes[random_below(&seed, s.n)].x0;
        if (round % 5 == 4)
            odd[random_below(&seed, 4)] = random_below(&seed, 2) ? NAN : -NAN;
        box_stages_check_results(&stages, s.kinds, s.boxes, s.n, names[round % 4]);
        scene_free(&s);
    }
}

/* One block; and several, in many dispatches. */
TEST(test_scenes_and_their_twins) {
    static const uint32_t sizes[] = {PM_BOXES_TILE + 1, 5 * PM_BOXES_TILE - 7}, of_blocks = 67 * PM_BOXES_TILE + 123;
    for (const char *const *name = scene_names; *name; name++) {
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            scene named = scene_named(*name, s, sizes[s]);
            box_stages_check(&stages, named.kinds, named.boxes, named.n, *name);
            scene_free(&named);
        }
        scene named = scene_named(*name, 7, of_blocks);
        box_stages_check(&stages_of_blocks, named.kinds, named.boxes, named.n, *name);
        box_stages_check(&stages_in_order, named.kinds, named.boxes, named.n, *name);
        scene_free(&named);
    }
}

/* ---- Results ---- */

/* The k-th scene of n elements whose leaves and clips have boxes of a set of `boxes`. */
static void small_scene_make(size_t k, uint32_t n, const pm_box *set, size_t set_size, uint8_t *kinds, pm_box *boxes) {
    for (uint32_t i = 0; i < n; i++, k /= 2 * set_size + 2) {
        const size_t choice = k % (2 * set_size + 2);
        const bool boxed = choice < 2 * set_size;
        kinds[i] = (uint8_t)(boxed ? choice / set_size : PM_BLEND + choice - 2 * set_size);
        boxes[i] = boxed ? set[choice % set_size] : (pm_box){NAN, -5, 7, NAN};
    }
}

static const pm_box few[] = {{0, 0, 4, 3}, {-2, 1, 3, 5}, {3, 0, 6, 2}}; /* the third meets the first alone */

TEST(test_every_scene_to_2) {
    uint8_t kinds[8];
    pm_box boxes[8];
    for (uint32_t n = 1, scenes = 8; n <= 2; n++, scenes *= 8)
        for (size_t k = 0; k < scenes; k++) {
            small_scene_make(k, n, few, 3, kinds, boxes);
            box_stages_check_results(&stages, kinds, boxes, n, "a small scene");
        }
}

/* Every scene of 3, 4, 5 and 6 elements, one after the other with ends after each that close all that it may have left:
 * so that they come to lie across chunks and tiles in every way, too. */
TEST(test_every_scene_to_6) {
    for (uint32_t n = 3, scenes = 512; n <= 6; n++, scenes *= 8) {
        scene s = scene_make(scenes * (n + 3));
        uint32_t end = 0;
        for (size_t k = 0; k < scenes; k++) {
            small_scene_make(k, n, few, 3, s.kinds + end, s.boxes + end);
            int open = 0;
            for (uint32_t i = 0; i < n; i++)
                open += s.kinds[end + i] == PM_END ? -(open > 0) : s.kinds[end + i] != PM_LEAF;
            end += n;
            for (uint32_t i = 0; i < 3; i++, open--, end++) { /* or leaves; what is left open now and then stays so */
                s.kinds[end] = open > 0 ? PM_END : PM_LEAF;
                s.boxes[end] = few[i];
            }
        }
        box_stages_check_results(&stages, s.kinds, s.boxes, end, "all small scenes");
        scene_free(&s);
    }
}

/* Around words, slices, as many of them as are matched directly, as each team looks at, and the longest scene that goes
 * by slices. */
static void check_sizes_around_slices(void) {
    const uint32_t slice = stages.boxes.slices.slice;
    static const char *const names[] = {"mixed:33:random",  "mixed:20:deep",  "kinds",
                                        "blends:40:zigzag", "blends:33:deep", "clips:20:opens"};
    if (slice == 0)
        return;
    const uint32_t short_slice = stages.boxes.slices.short_slice;
    const uint32_t edges[] = {32,
                              short_slice,
                              2 * short_slice,
                              slice,
                              5 * slice,
                              short_slice * PM_BOXES_SLICES_DIRECT,
                              slice * PM_BOXES_SLICES_DIRECT,
                              slice * PM_BOXES_SLICES_FEW};
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (uint32_t n = edges[e] - 1; n <= edges[e] + 1; n++)
            for (size_t k = e < 7 ? 0 : 3 * (n % 2); k < (e < 7 ? COUNT_OF(names) : 3 * (n % 2) + 1); k++) {
                scene s = scene_named(names[k], n, n);
                box_stages_check(&stages, s.kinds, s.boxes, s.n, names[k]);
                scene_free(&s);
            }
    const uint32_t longest = pmi_boxes_slices_max(&stages.boxes.slices, UINT32_MAX);
    for (uint32_t n = longest; n <= longest + 1; n++) {
        scene s = scene_named(names[0], n, n);
        box_stages_check_results(&stages, s.kinds, s.boxes, s.n, "the longest scene by slices");
        scene_free(&s);
    }
}

/* Around chunks, tiles, rows of tiles, and blocks; and the former. */
TEST(test_sizes_around_edges) {
    static const uint32_t edges[] = {8, 16, PM_BOXES_TILE, 2 * PM_BOXES_TILE, 32 * PM_BOXES_TILE, 33 * PM_BOXES_TILE};
    static const char *const names[] = {"mixed:33:random", "mixed:20:deep", "kinds", "blends:40:zigzag"};
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (uint32_t n = edges[e] - 1; n <= edges[e] + 1; n++)
            for (size_t k = 0; k < COUNT_OF(names); k++) {
                scene s = scene_named(names[k], n, n);
                check_results(&s, names[k]);
                scene_free(&s);
            }
    check_sizes_around_slices();
}

TEST(test_large_scenes) {
    for (const char *const *name = scene_names; *name; name++) {
        /* several small blocks; and so many tiles that fix needs the tree of unions */
        scene s = scene_named(*name, 3, (PM_BOXES_SHORT + 6) * PM_BOXES_TILE - 7);
        check_results(&s, *name);
        box_stages_check_results(&stages_of_tiles, s.kinds, s.boxes, s.n, *name);
        scene_free(&s);
    }
}

/* So many small blocks that scan and fix make the tops of their trees by themselves. */
TEST(test_many_blocks) {
    static const char *const names[] = {"mixed:33:random", "mixed:20:deep", "blends:40:zigzag", "mixed:33:sparse:511"};
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        scene s = scene_named(names[k], k, (PM_BOXES_FEW_BLOCKS * SMALL_BLOCK + 6) * PM_BOXES_TILE - 7);
        box_stages_check_results(k % 2 ? &stages_in_order : &stages_of_blocks, s.kinds, s.boxes, s.n, names[k]);
        scene_free(&s);
    }
}

/* Runs of one kind or of a few, of lengths around those of chunks and tiles. */
TEST(test_runs) {
    static const uint32_t lengths[] = {1, 2, 7, 8, 9, 250, 256, 263, 2000};
    static const uint8_t nodes[] = {PM_CLIP, PM_BLEND, PM_CLIP, PM_END, PM_END, PM_LEAF};
    uint64_t seed = 6;
    for (int round = 0; round < 15; round++) {
        scene s = scene_named("kinds", (uint64_t)round, 20000 + (uint32_t)round);
        for (uint32_t i = 0; i < s.n;) {
            const uint8_t kind = nodes[random_below(&seed, sizeof nodes)];
            const bool mixed = random_below(&seed, 4) == 0;
            const uint32_t length = lengths[random_below(&seed, COUNT_OF(lengths))];
            for (uint32_t end = i + length < s.n ? i + length : s.n; i < end; i++)
                s.kinds[i] = mixed ? s.kinds[i] : kind;
        }
        check_results(&s, "runs");
        scene_free(&s);
    }
}

/* One node in each tile, or now and then, that nobody closes until all are: what fetching nodes likes least. */
TEST(test_sparse_survivors) {
    static const uint32_t strides[] = {PM_BOXES_TILE - 2, PM_BOXES_TILE, PM_BOXES_TILE / 4, 5 * PM_BOXES_TILE + 2};
    for (size_t k = 0; k < COUNT_OF(strides); k++) {
        scene s = scene_named("cards", 2, 400 * PM_BOXES_TILE);
        for (uint32_t i = 0; i < s.n; i++)
            s.kinds[i] = (uint8_t)(i >= s.n / 10 * 9 ? PM_END : i % strides[k] != 0 ? s.kinds[i] : 1 + i / 7 % 2);
        check_results(&s, "sparse survivors");
        scene_free(&s);
    }
}

/* Elements of a tile that stay, or become, nodes and ends; the others are leaves. */
typedef struct marks_way {
    uint32_t count, ends; /* so many; and ends among them, in sixths */
    uint32_t where;       /* 0: in a row, 1: the last of the tile, 2: the first, else anywhere */
    uint32_t nodes;       /* 1: clips, 2: blends, else both */
} marks_way;

static void tile_mark(const scene *s, uint32_t tile, marks_way way, uint64_t *seed) {
    const uint32_t first = (uint32_t)random_below(seed, PM_BOXES_TILE - way.count + 1);
    bool marked[PM_BOXES_TILE] = {false};
    for (uint32_t k = 0; k < way.count;) {
        const uint32_t anywhere = (uint32_t)random_below(seed, PM_BOXES_TILE);
        const uint32_t of_tile = way.where == 0   ? first + k
                                 : way.where == 1 ? PM_BOXES_TILE - 1 - k
                                 : way.where == 2 ? k
                                                  : anywhere;
        if (marked[of_tile])
            continue;
        marked[of_tile] = true;
        k++;
        const uint32_t i = tile * PM_BOXES_TILE + of_tile;
        const bool is_end = random_below(seed, 6) < way.ends;
        const uint32_t node = way.nodes < 3 ? way.nodes : PM_CLIP + (uint32_t)random_below(seed, 2);
        if (i < s->n)
            s->kinds[i] = (uint8_t)(is_end ? PM_END : node);
    }
}

/* Tiles with so many nodes and ends that they are just sparse, and with some more or less, beside each other or all
 * alike; with ends that close what tiles before have left open, in part or all of it and more. */
static scene marked_scene(int round, uint32_t tiles, uint64_t *seed) {
    static const uint32_t counts[] = {0, 1, 2, 5, 31, 32, 33, 64};
    scene s = scene_named("wide", 1, tiles * PM_BOXES_TILE + (uint32_t)round % 3);
    memset(s.kinds, PM_LEAF, s.n);
    for (uint32_t i = 0; i < s.n && round % 5 == 4; i++)
        s.boxes[i] = scene_odd_box(seed);
    for (uint32_t tile = 0; tile < pmi_boxes_tiles(s.n); tile++) {
        const uint32_t count = round % 4 == 0   ? PM_BOXES_MARKS
                               : round % 4 == 1 ? PM_BOXES_MARKS + (uint32_t)random_below(seed, 2)
                                                : counts[random_below(seed, COUNT_OF(counts))];
        tile_mark(&s, tile,
                  (marks_way){count, (uint32_t)random_below(seed, 7), (uint32_t)random_below(seed, 5),
                              1 + (uint32_t)round % 7 / 2},
                  seed);
    }
    return s;
}

TEST(test_few_nodes) {
    uint64_t seed = 8;
    for (int round = 0; round < 26; round++) {
        scene s = marked_scene(round, round < 14 ? 41 : 69, &seed);
        if (round < 16)
            box_stages_check(&stages_in_order, s.kinds, s.boxes, s.n, "few nodes, and twins");
        else
            box_stages_check_results(&stages_in_order, s.kinds, s.boxes, s.n, "few nodes");
        scene_free(&s);
    }
}

/* So few sparse tiles that all go alike, and just enough that they do not; none, and nothing else. */
TEST(test_shares_of_sparse_tiles) {
    enum {
        TILES = 72,
        SHARE = TILES / PM_BOXES_SPARSE_SHARE
    };
    static const uint32_t counts[] = {0, 1, SHARE - 1, SHARE, SHARE + 1, TILES - 1, TILES};
    uint64_t seed = 9;
    for (size_t c = 0; c < COUNT_OF(counts); c++)
        for (uint32_t tiles = TILES; tiles <= TILES + 1; tiles++) {
            scene s = scene_named("wide", 1, tiles * PM_BOXES_TILE);
            memset(s.kinds, PM_LEAF, s.n);
            for (uint32_t tile = 0, left = counts[c]; tile < tiles; tile++) {
                const bool is_sparse = random_below(&seed, tiles - tile) < left;
                const uint32_t others = random_below(&seed, 2) ? PM_BOXES_MARKS + 1 : 0;
                left -= is_sparse;
                tile_mark(&s, tile, (marks_way){is_sparse ? 1 + tile % PM_BOXES_MARKS : others, tile % 5, 3, 3}, &seed);
            }
            box_stages_check(&stages_in_order, s.kinds, s.boxes, s.n, "shares of sparse tiles");
            scene_free(&s);
        }
}

/* Every scene of 2 and of 3 elements, each followed by ends for all that it leaves open, with leaves between all of
 * these. */
TEST(test_every_scene_among_leaves) {
    for (uint32_t n = 2, scenes = 64; n <= 3; n++, scenes *= 8) {
        const uint32_t stride = 9 + n % 2;
        scene s = scene_named("wide", n, scenes * 2 * n * stride);
        uint8_t kinds[4];
        pm_box boxes[4];
        memset(s.kinds, PM_LEAF, s.n);
        for (uint32_t i = 0; i < s.n; i++)
            s.boxes[i] = few[i % 3];
        for (uint32_t k = 0; k < scenes; k++) {
            const uint32_t begin = k * 2 * n * stride;
            uint32_t open = 0;
            small_scene_make(k, n, few, 3, kinds, boxes);
            for (uint32_t i = 0; i < n; i++) {
                s.kinds[begin + i * stride] = kinds[i];
                s.boxes[begin + i * stride] = boxes[i];
                open = kinds[i] == PM_END ? open - (open > 0) : open + (kinds[i] != PM_LEAF);
            }
            for (uint32_t i = 0; i < open; i++)
                s.kinds[begin + (n + i) * stride] = PM_END;
        }
        box_stages_check_results(&stages_in_order, s.kinds, s.boxes, s.n, "small scenes among leaves");
        scene_free(&s);
    }
}

/* ---- Barriers ---- */

/* What is being recorded: whether the dispatches that the device plans have been written, and whether indirect reads
 * have to wait for that. No device need be wrong without it, and the validation layer does not see what shaders write
 * to by addresses; so barriers are read here. */
static struct {
    pmi_vk sound;
    VkPipeline bound;
    bool written, visible;
    unsigned planned; /* dispatches */
} watched;

static VKAPI_ATTR void VKAPI_CALL watch_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                                 VkPipeline pipeline) {
    watched.bound = pipeline;
    watched.sound.CmdBindPipeline(commands, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL watch_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    if (watched.bound == stages_in_order.boxes.order.pipeline) {
        watched.written = true;
        watched.visible = false;
    }
    watched.sound.CmdDispatch(commands, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL watch_barrier(VkCommandBuffer commands, VkPipelineStageFlags before,
                                                VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t count,
                                                const VkMemoryBarrier *barriers, uint32_t buffers,
                                                const VkBufferMemoryBarrier *of_buffers, uint32_t images,
                                                const VkImageMemoryBarrier *of_images) {
    for (uint32_t b = 0; b < count; b++)
        watched.visible |= (before & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0 &&
                           (after & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT) != 0 &&
                           (barriers[b].srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT) != 0 &&
                           (barriers[b].dstAccessMask & VK_ACCESS_INDIRECT_COMMAND_READ_BIT) != 0;
    watched.sound.CmdPipelineBarrier(commands, before, after, flags, count, barriers, buffers, of_buffers, images,
                                     of_images);
}

static VKAPI_ATTR void VKAPI_CALL watch_planned(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset) {
    assert_true(watched.written && watched.visible);
    watched.planned++;
    watched.sound.CmdDispatchIndirect(commands, buffer, offset);
}

/* Dispatches that a shader plans are read when it has ended. */
TEST(test_plan_is_waited_for) {
    pmi_vk *const vk = &host_of_blocks.device.instance.vk;
    watched.sound = *vk;
    watched.planned = 0;
    vk->CmdBindPipeline = watch_pipeline;
    vk->CmdDispatch = watch_dispatch;
    vk->CmdPipelineBarrier = watch_barrier;
    vk->CmdDispatchIndirect = watch_planned;
    scene s = scene_named("mixed:89:random", 1, 67 * PM_BOXES_TILE);
    watched.written = watched.visible = false;
    box_stages_check_results(&stages_in_order, s.kinds, s.boxes, s.n, "waited for");
    *vk = watched.sound;
    assert_true(watched.planned > 0);
    scene_free(&s);
}

/* ---- From host to host ---- */

static void check_host(pmi_gpu *gpu, const scene *s, const char *what) {
    pm_box *const expected = allocate(s->n, sizeof *expected), *const around = allocate(s->n + 2, sizeof *around);
    assert_ok(pm_box_seq(NULL, s->kinds, s->boxes, s->n, expected));
    memset(around, 0xa5, (s->n + 2) * sizeof *around);
    const pm_box junk = around[0];
    assert_ok(pmi_gpu_boxes(gpu, s->kinds, s->boxes, s->n, around + 1));
    if (memcmp(around + 1, expected, s->n * sizeof *expected) != 0)
        fail_msg("%s, n = %u: wrong boxes", what, s->n);
    assert_memory_equal(&around[0], &junk, sizeof junk);
    assert_memory_equal(&around[s->n + 1], &junk, sizeof junk);
    assert_ok(pmi_gpu_boxes(gpu, s->kinds, s->boxes, s->n, s->boxes)); /* in place */
    assert_memory_equal(s->boxes, expected, s->n * sizeof *expected);
    free(expected);
    free(around);
}

/* Staged and mapped, in chunks of a few tiles; sizes that shrink, so that buffers hold other scenes' leavings; and
 * matches in between, whose scratch and slots are the same. */
TEST(test_host_to_host) {
    static const pmi_transfer transfers[] = {PM_TRANSFER_STAGED, PM_TRANSFER_MAPPED};
    for (size_t t = 0; t < 2; t++) {
        pmi_gpu_settings asked = settings;
        asked.transfer = transfers[t];
        asked.chunk_bytes = 5 * PM_BOXES_TILE * (sizeof(pm_box) + 1);
        pmi_gpu *gpu;
        assert_ok(gpu_tests_open(asked, &gpu));
        for (uint32_t n = 20001, k = 0; n > 0; n /= k % 2 ? 4 : 1, k++) {
            scene s = scene_named(k % 2 ? "mixed:40:random" : "mixed:89:random", n, n); /* some tiles are sparse */
            check_host(gpu, &s, "host to host");
            const uint64_t parens = n;
            uint32_t match[64];
            pm_bic total;
            assert_ok(pmi_gpu_match(gpu, &parens, 64, match, &total));
            assert_ok(pm_match_verify(NULL, &parens, 64, match, NULL));
            scene_free(&s);
        }
        pmi_gpu_close(gpu);
    }
}

TEST(test_public_function) {
    pm_context *context;
    const pm_options options = {.struct_size = sizeof options, .allow_cpu_device = true};
    assert_ok(pm_context_create(&options, &context));
    scene s = scene_named("mixed:33:random", 1, 777);
    pm_box *const out = allocate(s.n, sizeof *out), *const expected = allocate(s.n, sizeof *out);
    assert_invalid(pm_box_gpu(NULL, s.kinds, s.boxes, s.n, out));
    assert_invalid(pm_box_gpu(context, NULL, s.boxes, s.n, out));
    assert_invalid(pm_box_gpu(context, s.kinds, NULL, s.n, out));
    assert_invalid(pm_box_gpu(context, s.kinds, s.boxes, s.n, NULL));
    assert_int_equal(pm_box_gpu(context, s.kinds, s.boxes, (size_t)UINT32_MAX + 1, out), PM_TOO_LARGE);
    assert_int_equal(pm_box_gpu(context, s.kinds, s.boxes, (size_t)PM_BOXES_N_MAX + 1, out), PM_TOO_LARGE);
    assert_ok(pm_box_gpu(context, NULL, NULL, 0, NULL));
    assert_ok(pm_box_gpu(context, s.kinds, s.boxes, s.n, out));
    assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, s.n, expected));
    assert_memory_equal(out, expected, s.n * sizeof *out);
    s.kinds[700] = PM_END + 1;
    assert_invalid(pm_box_gpu(context, s.kinds, s.boxes, s.n, out));
    free(out);
    free(expected);
    scene_free(&s);
    pm_context_destroy(context);
}

/* Of short scenes 25 bytes an element, else less than 5; and a little. What is enough is enough for fewer. */
TEST(test_scratch_is_bounded) {
    uint64_t seed = 6;
    for (int round = 0; round < 1000; round++) {
        const uint32_t n = round == 0 ? PM_BOXES_N_MAX : 1 + (uint32_t)(random_next(&seed) >> (33 + round % 30));
        const uint64_t bytes = pmi_boxes_scratch_bytes(&stages.boxes, n);
        const uint64_t of_short = pmi_boxes_slices_max(&stages.boxes.slices, n), more = of_short * 25;
        assert_true(bytes >= 4 * (uint64_t)n && bytes < (5 * (uint64_t)n > more ? 5 * (uint64_t)n : more) + 65536);
        assert_true(bytes >= pmi_boxes_scratch_bytes(&stages.boxes, 1 + n / 2));
        assert_true(bytes >= pmi_boxes_scratch_bytes(&stages.boxes, n < 60000 ? n : 60000));
        assert_true(pmi_boxes_scratch_bytes(&stages_of_blocks.boxes, n) < 5 * (uint64_t)n + 65536);
    }
}

static pm_status open_all(void) {
    const pm_status status = gpu_host_open(settings, &host);
    if (status != PM_OK)
        return status;
    pmi_gpu_settings of_tiles = settings, of_blocks = settings;
    of_tiles.block_tiles = PM_LANES * PM_LANES;
    of_blocks.block_tiles = SMALL_BLOCK;
    of_blocks.dispatch_tiles = 5;
    assert_ok(gpu_host_open(of_tiles, &host_of_tiles));
    assert_ok(gpu_host_open(of_blocks, &host_of_blocks));
    box_stages_open(&host, true, &stages); /* of one block, which has no order */
    box_stages_open(&host_of_tiles, true, &stages_of_tiles);
    box_stages_open(&host_of_blocks, false, &stages_of_blocks);
    box_stages_open(&host_of_blocks, true, &stages_in_order);
    return PM_OK;
}

static void close_all(void) {
    box_stages_close(&stages_in_order);
    box_stages_close(&stages_of_blocks);
    box_stages_close(&stages_of_tiles);
    box_stages_close(&stages);
    gpu_host_close(&host_of_blocks);
    gpu_host_close(&host_of_tiles);
    gpu_host_close(&host);
}

int main(int argc, char **argv) {
    settings = gpu_tests_settings((pmi_gpu_settings){.team_kind = gpu_tests_teams(argc, argv)});
    return gpu_tests_main(argc, argv, open_all, close_all);
}
