/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFAC stage by stage: twins in C up to a stage, the device from there on. Skipped (77) where there is no device.
 *   test_pfac_stages [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/find/pfac.h"
#include "inputs/families.h"
#include "shaders/twins.h"
#include "tests/find/word_sets.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

static gpu_host host;
static pmi_staging_ring ring;
static pmi_pfac pfac;
static pmi_pfac_dicts dicts;

/* ---- Buffers ---- */

/* The buffers of a search, by their index. */
enum {
    TEXT,
    SCRATCH,
    TOTAL,
    HITS,
    BUFFERS
};

/* A search that is to be made. */
typedef struct task {
    const char *text;
    uint32_t n, places;
    uint64_t start;
    uint32_t hit_first, hit_room;
    const pm_dict *patterns;
    const pmi_pfac_dict *of_device, *of_host; /* the dictionary's tables */
} task;

static pmi_pfac_parameters parameters_at(const task *t, const block *b, block_side side) {
    const pmi_pfac_text text = {.text = block_address(b, side, TEXT),
                                .n = t->n,
                                .places = t->places,
                                .start = t->start,
                                .scratch = block_address(b, side, SCRATCH),
                                .total = block_address(b, side, TOTAL),
                                .hits = block_address(b, side, HITS)};
    pmi_pfac_parameters p = pmi_pfac_parameters_make(side == BLOCK_HOST ? t->of_host : t->of_device, &text);
    p.hit_first = t->hit_first;
    p.hit_room = t->hit_room;
    return p;
}

/* Copies what lies on the device to where the host sees it. */
static pmi_pfac_dict tables_get(const pmi_pfac_dict *dict, pmi_buffer *tables) {
    const VkBufferCopy copy = {.size = dict->buffer.size};
    assert_ok(pmi_buffer_create(&host.device, PM_MEMORY_DOWNLOAD, copy.size, tables));
    gpu_commands_begin(&host);
    host.device.vk->CmdCopyBuffer(host.commands, dict->buffer.handle, tables->handle, 1, &copy);
    pmi_device_barrier(&host.device, host.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    gpu_commands_run(&host);
    const uint64_t shift = (uint64_t)(uintptr_t)tables->mapped - dict->buffer.address;
    pmi_pfac_dict of_host = *dict;
    of_host.nodes += shift;
    of_host.filters += shift;
    of_host.patterns += shift;
    of_host.chains += shift;
    return of_host;
}

static void make(const void *asked, block *b) {
    const task *const t = asked;
    const size_t words[BUFFERS] = {(t->n + PM_PFAC_TEXT_BEYOND) / 4,
                                   (size_t)pmi_pfac_scratch_bytes(t->of_device, t->places) / 4, 1,
                                   (size_t)t->hit_room * 4};
    block_open_with(b, &host.device, words, BUFFERS);
    memcpy(block_words(b, TEXT), t->text, t->n); /* bytes behind it are canaries, too */
}

/* ---- Stages ---- */

static void run(const void *asked, const block *b, unsigned from) {
    static void (*const twins[])(const pmi_pfac_parameters *) = {pmi_pfac_search_twin, pmi_pfac_scan_twin,
                                                                 pmi_pfac_write_twin};
    const task *const t = asked;
    const pmi_pfac_parameters of_host = parameters_at(t, b, BLOCK_HOST), p = parameters_at(t, b, BLOCK_DEVICE);
    for (unsigned stage = 0; stage < from; stage++)
        twins[stage](&of_host);
    gpu_commands_begin(&host);
    for (unsigned stage = from; stage < COUNT_OF(twins); stage++) {
        if (stage == 0)
            pmi_pfac_record_search(&host.device, host.commands, &pfac, t->of_device, p);
        else if (stage == 1)
            pmi_pfac_record_scan(&host.device, host.commands, &pfac, p);
        else
            pmi_pfac_record_write(&host.device, host.commands, &pfac, t->of_device, p, p.hit_first, p.hit_room);
        pmi_shader_barrier(&host.device, host.commands);
    }
    gpu_commands_run(&host);
}

/* The twins' hits are the oracle's. */
static void check_twins(const void *asked, const block *b) {
    const task *const t = asked;
    size_t count, inside = 0;
    assert_ok(pm_find_seq(NULL, t->patterns, t->text, t->n, NULL, 0, &count));
    pm_hit *const expected = allocate(count, sizeof *expected);
    assert_ok(pm_find_seq(NULL, t->patterns, t->text, t->n, expected, count, &count));
    while (inside < count && expected[inside].start < t->places)
        inside++;
    assert_int_equal(*block_words(b, TOTAL), inside);
    for (size_t h = 0; h < t->hit_room && h + t->hit_first < inside; h++) {
        pm_hit hit;
        memcpy(&hit, block_words(b, HITS) + 4 * h, sizeof hit);
        expected[h + t->hit_first].start += t->start;
        assert_memory_equal(&hit, &expected[h + t->hit_first], sizeof hit);
    }
    free(expected);
}

static bool same(const void *asked, const block *a, const block *b) {
    (void)asked;
    return block_same(a, b, TEXT) && block_same(a, b, SCRATCH) && block_same(a, b, TOTAL) && block_same(a, b, HITS);
}

static void check(const pm_dict *dict, const task *asked) {
    static const char *const names[] = {"search", "scan", "write"};
    static const staged search = {
        .names = names, .count = COUNT_OF(names), .make = make, .run = run, .check = check_twins, .same = same};
    task t = *asked;
    t.patterns = dict;
    assert_ok(pmi_pfac_dicts_get(&host.device, &ring, &dicts, dict, &t.of_device));
    pmi_buffer tables;
    const pmi_pfac_dict of_host = tables_get(t.of_device, &tables);
    t.of_host = &of_host;
    char what[100];
    snprintf(what, sizeof what, "places %u, hits from %u on, %u of them", t.places, t.hit_first, t.hit_room);
    staged_check(&search, &t, what, t.n);
    pmi_buffer_destroy(&host.device, &tables);
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
        const uint32_t most = pmi_pfac_places_max(&host.device, &dict);
        assert_true(most >= PM_PFAC_TILE && most % PM_PFAC_TILE == 0);
        assert_true((uint64_t)most * dict.nested <= UINT32_MAX);
        const uint32_t places = 1 + (uint32_t)random_below(&seed, most);
        assert_true(pmi_pfac_scratch_bytes(&dict, places) < (uint64_t)places / 7 + 1024);
    }
}

static pm_status open_all(void) {
    const pmi_gpu_settings settings = gpu_tests_settings((pmi_gpu_settings){0});
    const pm_status status = gpu_host_open(settings, &host);
    if (status != PM_OK)
        return status;
    assert_ok(pmi_staging_ring_create(&host.device, &settings, &ring));
    return pmi_pfac_create(&host.device, &pfac);
}

static void close_all(void) {
    pmi_pfac_dicts_clear(&host.device, &dicts);
    pmi_pfac_destroy(&host.device, &pfac);
    pmi_staging_ring_destroy(&host.device, &ring);
    gpu_host_close(&host);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
