/* SPDX-License-Identifier: Apache-2.0 */
/* Laying matches out, running them, looking at what they left. */
#include "tests/support/vulkan_fixture.h"

#include <string.h>

#include "tests/support/unit.h"

enum {
    CANARY = 0x0ddba11,
    GAP = 16,        /* words between buffers, at least */
    RANGES_MOST = 64 /* of a match */
};

void bed_open(bed *b, const gpu_stages *host, const pm_vk_context *matcher, size_t words) {
    *b = (bed){.host = host, .matcher = matcher};
    assert_ok(pmi_buffer_create(&host->device, PM_MEMORY_DOWNLOAD, words * 4, &b->block));
}

void bed_close(bed *b) {
    assert_false(b->recording);
    pmi_buffer_destroy(&b->host->device, &b->block);
}

static uint32_t *mapped(const bed *b) {
    return b->block.mapped;
}

static VkDeviceAddress address_of(const bed *b, const bed_match *m, bed_role role) {
    return b->block.address + 4 * m->first[role];
}

/* Gives the match its places in the block; false if there is no room. */
static bool lay_out(bed *b, bed_match *m, bed_how how) {
    pm_vk_sizes sizes;
    assert_ok(pm_vk_context_sizes(b->matcher, m->n, how.range_elements, &sizes));
    const pm_vk_buffer buffers[BED_ROLES] = {
        [BED_PARENS] = sizes.parens, [BED_SCRATCH] = sizes.scratch, [BED_SUMMARY] = sizes.summary,
        [BED_MATCH] = sizes.match,   [BED_COUNT] = sizes.count,     [BED_DISPATCHES] = sizes.dispatches};
    size_t at = b->words_used;
    for (int role = 0; role < BED_ROLES; role++) {
        /* No better aligned than asked for. */
        const size_t unit = buffers[role].alignment / 4;
        at = (at + GAP + unit - 1) / unit * unit;
        at += at % (2 * unit) == 0 ? unit : 0;
        m->first[role] = at;
        m->words[role] = role == BED_MATCH ? m->n : buffers[role].size / 4; /* the ranges lie together */
        at += m->words[role];
    }
    if ((at + GAP) * 4 > b->block.size)
        return false;
    for (size_t i = b->words_used; i < at + GAP; i++)
        mapped(b)[i] = CANARY;
    b->words_used = at;
    return true;
}

static void record(bed *b, const bed_match *m, VkDeviceAddress scratch, bed_how how) {
    VkDeviceAddress ranges[RANGES_MOST];
    if (how.range_elements > 0)
        for (uint64_t k = 0; k * how.range_elements < m->n; k++) {
            assert_true(k < RANGES_MOST);
            ranges[k] = address_of(b, m, BED_MATCH) + 4 * k * how.range_elements;
        }
    const pm_vk_match_info info = {.struct_size = sizeof info,
                                   .n = m->n,
                                   .parens = address_of(b, m, BED_PARENS),
                                   .scratch = scratch,
                                   .summary = address_of(b, m, BED_SUMMARY),
                                   .match = how.range_elements ? 0 : address_of(b, m, BED_MATCH),
                                   .match_ranges = how.range_elements ? ranges : NULL,
                                   .range_elements = how.range_elements,
                                   .count = how.counted ? address_of(b, m, BED_COUNT) : 0,
                                   .dispatches = how.counted ? b->block.handle : VK_NULL_HANDLE,
                                   .dispatches_offset = how.counted ? 4 * m->first[BED_DISPATCHES] : 0};
    assert_ok(pm_vk_cmd_match(b->host->commands, b->matcher, &info));
}

/* A number for what a match only reads. */
static uint64_t given_sum(const bed *b, const bed_match *m) {
    static const bed_role given[] = {BED_PARENS, BED_COUNT};
    uint64_t sum = 0;
    for (size_t k = 0; k < COUNT_OF(given); k++)
        for (size_t i = 0; i < m->words[given[k]]; i++)
            sum = (sum ^ mapped(b)[m->first[given[k]] + i]) * UINT64_C(0x100000001b3);
    return sum;
}

void bed_add(bed *b, const char *what, const uint64_t *parens, uint32_t n, bed_how how) {
    if (b->count == BED_MATCHES)
        bed_run(b);
    bed_match m = {.what = what, .n = n, .length = how.counted && how.count < n ? how.count : n};
    if (!lay_out(b, &m, how)) {
        bed_run(b);
        assert_true(lay_out(b, &m, how));
    }
    memcpy(mapped(b) + m.first[BED_PARENS], parens, m.words[BED_PARENS] * 4);
    for (size_t i = 0; i < m.words[BED_SCRATCH]; i++)
        mapped(b)[m.first[BED_SCRATCH] + i] = how.junk;
    if (m.words[BED_COUNT] > 0)
        mapped(b)[m.first[BED_COUNT]] = how.count;
    m.given_sum = given_sum(b, &m);
    if (!b->recording)
        gpu_commands_begin(b->host);
    b->recording = true;
    if (how.scratch_of_last) {
        assert_true(b->count > 0);
        pmi_device_barrier(&b->host->device, b->host->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    const VkDeviceAddress scratch =
        address_of(b, how.scratch_of_last ? &b->matches[b->scratch_owner] : &m, BED_SCRATCH);
    if (!how.scratch_of_last)
        b->scratch_owner = b->count;
    record(b, &m, scratch, how);
    b->matches[b->count++] = m;
}

/* ---- Checking ---- */

static void check(const bed *b, const bed_match *m) {
    const uint32_t *const match = mapped(b) + m->first[BED_MATCH];
    const size_t n = m->length;
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    uint32_t *const expected = allocate(n, sizeof *expected);
    pm_bic total;
    if (given_sum(b, m) != m->given_sum)
        fail_msg("%s, n = %zu: what is given has been changed", m->what, n);
    memcpy(parens, mapped(b) + m->first[BED_PARENS], (n + 31) / 32 * 4);
    assert_ok(pm_match_seq(NULL, parens, n, expected, &total));
    for (size_t i = 0; i < n; i++)
        if (match[i] != expected[i])
            fail_msg("%s, n = %zu: match[%zu] is %u, not %u", m->what, n, i, match[i], expected[i]);
    for (size_t i = n; i < m->n; i++)
        if (match[i] != CANARY)
            fail_msg("%s, n = %zu of %u: match[%zu] has been written", m->what, n, m->n, i);
    pm_vk_summary summary;
    memcpy(&summary, mapped(b) + m->first[BED_SUMMARY], sizeof summary);
    if (summary.close != total.close || summary.open != total.open)
        fail_msg("%s, n = %zu: the summary is (%u, %u)", m->what, n, summary.close, summary.open);
    free(parens);
    free(expected);
}

/* Between and around the buffers nothing has changed. */
static void check_canaries(const bed *b) {
    size_t at = 0;
    for (size_t k = 0; k <= b->count; k++)
        for (int role = 0; role < (k < b->count ? BED_ROLES : 1); role++) {
            const size_t end = k < b->count ? b->matches[k].first[role] : b->words_used + GAP;
            for (; at < end; at++)
                if (mapped(b)[at] != CANARY)
                    fail_msg("before %s, n = %u: something has written outside its buffers",
                             k < b->count ? b->matches[k].what : "the end", k < b->count ? b->matches[k].n : 0);
            at += k < b->count ? b->matches[k].words[role] : 0;
        }
}

void bed_run(bed *b) {
    if (!b->recording)
        return;
    gpu_commands_run(b->host);
    for (size_t k = 0; k < b->count; k++)
        check(b, &b->matches[k]);
    check_canaries(b);
    b->recording = false;
    b->count = b->words_used = 0;
}
