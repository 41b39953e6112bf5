/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFAC stage by stage, on buffers that host and device both see: twins in C up to a stage, the device from there on.
 * All buffers are filled with canaries before, and have some around them. Skipped (77) where there is no device.
 *   test_pfac_stages [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/find/pfac.h"
#include "inputs/families.h"
#include "shaders/find/pfac_twin.h"
#include "tests/find/word_sets.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    CANARY = 0x5ca1ab1e,
    GAP = 64, /* words before and after each buffer */
    PARTS = 4
};

static const char *const stage_names[] = {"search", "scan", "write"};

static pmi_device device;
static pmi_staging_ring slots;
static pmi_pfac pfac;
static pmi_pfac_dicts dicts;

/* ---- Buffers ---- */

/* A search that is to be made. */
typedef struct task {
    const char *text;
    uint32_t n, places;
    uint64_t start;
    uint32_t hit_first, hit_room;
} task;

/* Text, scratch, total and hits, in one allocation; and the dictionary's tables for the host. */
typedef struct buffers {
    pmi_buffer all, tables;
    size_t words[PARTS], begin[PARTS];
    const pmi_pfac_dict *dict;
    pmi_pfac_dict dict_of_host;
    pmi_pfac_parameters of_device, of_host;
} buffers;

static pmi_pfac_parameters parameters_at(const buffers *b, const task *t, const pmi_pfac_dict *dict, uint64_t address) {
    const pmi_pfac_text text = {.text = address + 4 * b->begin[0],
                                .n = t->n,
                                .places = t->places,
                                .start = t->start,
                                .scratch = address + 4 * b->begin[1],
                                .total = address + 4 * b->begin[2],
                                .hits = address + 4 * b->begin[3]};
    pmi_pfac_parameters p = pmi_pfac_parameters_make(dict, &text);
    p.hit_first = t->hit_first;
    p.hit_room = t->hit_room;
    return p;
}

/* Copies what lies on the device to where the host sees it. */
static void tables_get(buffers *b) {
    const pmi_pfac_dict *const dict = b->dict;
    const VkBufferCopy copy = {.size = dict->buffer.size};
    pmi_staging_chunk *slot;
    assert_ok(pmi_buffer_create(&device, PM_MEMORY_DOWNLOAD, copy.size, &b->tables));
    assert_ok(pmi_staging_chunk_begin(&device, &slots, 0, &slot));
    device.vk->CmdCopyBuffer(slot->commands, dict->buffer.handle, b->tables.handle, 1, &copy);
    pmi_device_barrier(&device, slot->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    assert_ok(pmi_staging_chunk_submit(&device, slot));
    assert_ok(pmi_staging_ring_finish(&device, &slots, false));
    const uint64_t shift = (uint64_t)(uintptr_t)b->tables.mapped - dict->buffer.address;
    b->dict_of_host = *dict;
    b->dict_of_host.nodes += shift;
    b->dict_of_host.filters += shift;
    b->dict_of_host.patterns += shift;
    b->dict_of_host.chains += shift;
}

static void buffers_make(const pm_dict *dict, const task *t, buffers *b) {
    *b = (buffers){.dict = NULL};
    assert_ok(pmi_pfac_dicts_get(&device, &slots, &dicts, dict, &b->dict));
    tables_get(b);
    b->words[0] = (t->n + PM_PFAC_TEXT_BEYOND) / 4;
    b->words[1] = (size_t)pmi_pfac_scratch_bytes(b->dict, t->places) / 4;
    b->words[2] = 1;
    b->words[3] = (size_t)t->hit_room * 4;
    size_t end = 0;
    for (unsigned k = 0; k < PARTS; k++) {
        b->begin[k] = (end + GAP + 15) / 16 * 16;
        end = b->begin[k] + b->words[k];
    }
    assert_ok(pmi_buffer_create(&device, PM_MEMORY_DOWNLOAD, (end + GAP) * 4, &b->all));
    uint32_t *const mapped = b->all.mapped;
    for (size_t i = 0; i < end + GAP; i++)
        mapped[i] = CANARY;
    memcpy(mapped + b->begin[0], t->text, t->n); /* bytes behind it are canaries, too */
    b->of_device = parameters_at(b, t, b->dict, b->all.address);
    b->of_host = parameters_at(b, t, &b->dict_of_host, (uint64_t)(uintptr_t)mapped);
}

static void buffers_free(buffers *b) {
    pmi_buffer_destroy(&device, &b->all);
    pmi_buffer_destroy(&device, &b->tables);
}

/* ---- Running ---- */

/* Twins for the stages before `from`, the device for the others. */
static void run(const buffers *b, unsigned from) {
    static void (*const twins[])(const pmi_pfac_parameters *) = {pmi_pfac_search_twin, pmi_pfac_scan_twin,
                                                                 pmi_pfac_write_twin};
    for (unsigned stage = 0; stage < from; stage++)
        twins[stage](&b->of_host);
    pmi_staging_chunk *slot;
    const pmi_pfac_parameters *const p = &b->of_device;
    assert_ok(pmi_staging_chunk_begin(&device, &slots, 0, &slot));
    for (unsigned stage = from; stage < COUNT_OF(stage_names); stage++) {
        if (stage == 0)
            pmi_pfac_record_search(&device, slot->commands, &pfac, b->dict, *p);
        else if (stage == 1)
            pmi_pfac_record_scan(&device, slot->commands, &pfac, *p);
        else
            pmi_pfac_record_write(&device, slot->commands, &pfac, b->dict, *p, p->hit_first, p->hit_room);
        pmi_pfac_record_barrier(&device, slot->commands);
    }
    pmi_device_barrier(&device, slot->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    assert_ok(pmi_staging_chunk_submit(&device, slot));
    assert_ok(pmi_staging_ring_finish(&device, &slots, false));
}

/* The twins' hits are the oracle's. */
static void check_twins(const pm_dict *dict, const task *t, const buffers *b) {
    size_t count, inside = 0;
    assert_ok(pm_find_seq(NULL, dict, t->text, t->n, NULL, 0, &count));
    pm_hit *const expected = allocate(count, sizeof *expected);
    assert_ok(pm_find_seq(NULL, dict, t->text, t->n, expected, count, &count));
    while (inside < count && expected[inside].start < t->places)
        inside++;
    const uint32_t *const mapped = b->all.mapped;
    assert_int_equal(mapped[b->begin[2]], inside);
    for (size_t h = 0; h < t->hit_room && h + t->hit_first < inside; h++) {
        pm_hit hit;
        memcpy(&hit, mapped + b->begin[3] + 4 * h, sizeof hit);
        expected[h + t->hit_first].start += t->start;
        assert_memory_equal(&hit, &expected[h + t->hit_first], sizeof hit);
    }
    free(expected);
}

/* All buffers are the same whichever stages are the device's, and nothing is written around them. */
static void check(const pm_dict *dict, const task *t) {
    buffers twins, mixed;
    buffers_make(dict, t, &twins);
    run(&twins, COUNT_OF(stage_names));
    check_twins(dict, t, &twins);
    for (unsigned from = COUNT_OF(stage_names);
         from-- > 0;) { /* so that the first to fail is the stage that is wrong */
        buffers_make(dict, t, &mixed);
        run(&mixed, from);
        if (memcmp(mixed.all.mapped, twins.all.mapped, twins.all.size) != 0)
            fail_msg("n = %u, places %u, hits from %u on, %u of them: %s is wrong", t->n, t->places, t->hit_first,
                     t->hit_room, stage_names[from]);
        buffers_free(&mixed);
    }
    buffers_free(&twins);
}

static void check_random(const pm_dict *dict, uint64_t seed, unsigned letters, uint32_t n) {
    char *const text = allocate(n, 1);
    word_text_random(seed, letters, text, n);
    const task tasks[] = {
        {.text = text, .n = n, .places = n, .hit_room = 1000},
        {.text = text, .n = n, .places = n / 2 + 1, .start = UINT32_MAX - 5, .hit_first = 3, .hit_room = 5},
        {.text = text, .n = n, .places = n / 3 + 1, .start = UINT64_C(7) << 40, .hit_first = n / 4, .hit_room = n}};
    for (size_t k = 0; k < COUNT_OF(tasks); k++)
        check(dict, &tasks[k]);
    free(text);
}

TEST(test_twins) {
    static const uint32_t sizes[] = {1,
                                     15,
                                     PM_PFAC_TILE - 1,
                                     PM_PFAC_TILE,
                                     PM_PFAC_TILE + 1,
                                     PM_PFAC_STEP_TILES * PM_PFAC_TILE + 77,
                                     2 * PM_PFAC_GROUP_TILES * PM_PFAC_TILE + 5};
    static const struct {
        size_t count, longest;
        unsigned letters, flags;
    } sets[] = {{1, 1, 1, 0}, {20, 6, 3, 0}, {100, 9, 8, PM_DICT_IGNORE_CASE}, {3000, 40, 16, 0}};
    for (size_t k = 0; k < COUNT_OF(sets); k++) {
        word_set set;
        pm_dict *dict;
        assert_true(word_set_random(&set, k, sets[k].count, sets[k].longest, sets[k].letters, sets[k].flags));
        assert_ok(pm_dict_create(NULL, set.patterns, set.lengths, set.count, set.flags, &dict));
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            check_random(dict, s, sets[k].letters, sizes[s]);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
}

/* No pattern is so short that most places may begin one, so that the filter of long ones decides. */
TEST(test_long_patterns) {
    enum {
        WORDS = 500,
        ROOM = 8,
        N = 3 * PM_PFAC_TILE
    };
    char words[WORDS][ROOM];
    const char *patterns[WORDS];
    uint64_t seed = 8;
    for (unsigned w = 0; w < WORDS; w++) {
        snprintf(words[w], ROOM, "%c%c%c%03u", 'a' + (int)random_below(&seed, 26), 'a' + (int)random_below(&seed, 26),
                 'a' + (int)random_below(&seed, 26), w);
        patterns[w] = words[w];
    }
    char *const text = allocate(N, 1);
    memset(text, ' ', N);
    for (size_t i = 0; i + ROOM < N; i += 1 + random_below(&seed, 40))
        memcpy(text + i, words[random_below(&seed, WORDS)], ROOM - 2);
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, patterns, NULL, WORDS, 0, &dict));
    const task t = {.text = text, .n = N, .places = N, .hit_room = N};
    check(dict, &t);
    pm_dict_destroy(dict);
    free(text);
}

/* Rows of the scan: groups of one tile each, more than a row has. */
TEST(test_many_groups) {
    enum {
        LONGEST = 700,
        N = 1030 * PM_PFAC_TILE
    };
    char *const text = allocate(N, 1);
    uint64_t seed = 4;
    memset(text, 'x', N);
    for (size_t i = 0; i + 4 < N; i += 1 + random_below(&seed, 20000))
        memcpy(text + i, "aabb", 4);
    memset(text + N - LONGEST, 'y', LONGEST);
    const char *const patterns[] = {"aabb", "abb", "bb", "aa", text + N - LONGEST};
    const size_t lengths[] = {4, 3, 2, 2, LONGEST};
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, patterns, lengths, 5, 0, &dict));
    const task t = {.text = text, .n = N, .places = N, .hit_room = 10000};
    check(dict, &t);
    pm_dict_destroy(dict);
    free(text);
}

/* What is searched at once, and the scratch, are bounded as gpu/find/pfac.h says. */
TEST(test_bounds) {
    uint64_t seed = 6;
    for (unsigned round = 0; round < 1000; round++) {
        const uint32_t longest = 1 + (uint32_t)random_below(&seed, UINT64_C(1) << (1 + round % 16));
        const pmi_pfac_dict dict = {.longest = longest, .nested = 1 + (uint32_t)random_below(&seed, longest)};
        const uint32_t most = pmi_pfac_places_max(&device, &dict);
        assert_true(most >= PM_PFAC_TILE && most % PM_PFAC_TILE == 0);
        assert_true((uint64_t)most * dict.nested <= UINT32_MAX);
        const uint32_t places = 1 + (uint32_t)random_below(&seed, most);
        assert_true(pmi_pfac_scratch_bytes(&dict, places) < (uint64_t)places / 7 + 1024);
    }
}

static pm_status open_all(void) {
    const pmi_gpu_settings settings = gpu_tests_settings((pmi_gpu_settings){0});
    pm_status status = pmi_device_open(&settings, &device);
    if (status != PM_OK)
        return status;
    gpu_tests_on(&device);
    status = pmi_staging_ring_create(&device, &settings, &slots);
    return status == PM_OK ? pmi_pfac_create(&device, &pfac) : status;
}

static void close_all(void) {
    pmi_pfac_dicts_clear(&device, &dicts);
    pmi_pfac_destroy(&device, &pfac);
    pmi_staging_ring_destroy(&device, &slots);
    pmi_device_close(&device);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
