/* SPDX-License-Identifier: Apache-2.0 */
/* Tags against a stack of what is open: places in the text, at which the names are compared. */
#include "core/delimiters/tags/check.h"

#include "base/memory.h"

bool pmi_tag_check_reserve(pmi_tag_check *check, pmi_tag_stack *stack, size_t count) {
    pmi_tag_memory *const memory = check->memory;
    const size_t depth = (size_t)stack->depth, needed = depth + count + 1 + PM_TAGS_BENEATH;
    if (needed <= memory->room)
        return true;
    const size_t room = needed > 2 * memory->room ? needed : 2 * memory->room;
    uint64_t *const wider = pmi_memory_allocate(&check->allocator, room, sizeof *wider);
    if (!wider)
        return false;
    wider[0] = 0;
    if (depth > 0)
        memcpy(wider + PM_TAGS_BENEATH, stack->opens, depth * sizeof *wider);
    pmi_memory_free(&check->allocator, memory->opens);
    *memory = (pmi_tag_memory){wider, room};
    stack->opens = wider + PM_TAGS_BENEATH;
    return true;
}

/* ---- Faults ---- */

/* The tag that opens at `begin`, which has been read before. */
static pmi_tag open_at(pmi_token_scan *scan, size_t begin) {
    const pmi_rule *const rule = &scan->pairs->rules[scan->pairs->tags.open[0]];
    pmi_tag tag;
    pmi_tag_read(scan, rule, begin, begin + scan->pairs->words[rule->word_at].length, &tag);
    return tag;
}

static void report(pmi_tag_check *check, pm_fault fault, const pmi_tag *at, const pmi_tag *partner) {
    if (check->report && !check->report(fault, at, partner, check->user))
        check->report = NULL;
}

/* ---- One tag ---- */

bool pmi_tag_closes(const pmi_token_scan *scan, size_t begin, const pmi_tag *tag) {
    const size_t name = begin + 1, length = tag->name_end - tag->name;
    return memcmp(scan->text + name, scan->text + tag->name, length) == 0 &&
           (scan->pairs->families[0].roles[scan->text[name + length]] & PM_TAG_NAME_ENDS);
}

static void take_close(pmi_tag_check *check, pmi_token_scan *scan, pmi_tag_stack *stack, const pmi_tag *tag) {
    stack->count++;
    if (stack->depth == 0) {
        check->found.unmatched.close++;
        report(check, PM_FAULT_UNMATCHED_CLOSE, tag, NULL);
        return;
    }
    const size_t begin = (size_t)stack->opens[--stack->depth];
    if (pmi_tag_closes(scan, begin, tag))
        return;
    check->found.mismatched++;
    if (check->report) {
        const pmi_tag open = open_at(scan, begin);
        report(check, PM_FAULT_KIND_MISMATCH, tag, &open);
    }
}

/* Opens or closes tag k. False: it has been read wrongly. */
static bool take_tag(pmi_tag_check *check, const pmi_tag_reader *reader, pmi_tag_stack *stack, size_t k) {
    pmi_token_scan *const scan = reader->scan;
    pmi_tag tag;
    if (!pmi_tag_reader_tag(reader, k, &tag))
        return false;
    if (tag.closes) {
        take_close(check, scan, stack, &tag);
    } else if (scan->text[tag.end - 2] != '/') {
        stack->count++;
        stack->opens[stack->depth++] = tag.begin;
        if (stack->depth > stack->deepest)
            stack->deepest = stack->depth;
    }
    return true;
}

/* ---- All tags ---- */

/* Tags that are taken one by one after the kernel stopped. */
#define ALONE_MAX 64u

/* Takes the first `count` > 0 tags of a batch. Returns how many it took before one that has been read wrongly. */
static size_t take_tags(pmi_tag_check *check, const pmi_tag_reader *reader, pmi_tag_stack *stack, size_t count) {
    const bool kernel = reader->kernel && reader->scan->n - reader->ends[count - 1] >= PM_TAGS_AHEAD;
    size_t k = 0, alone = 1;
    while (k < count) {
        size_t taken = 0;
        if (kernel)
            taken = reader->kernel->match(stack, reader->scan->text, reader->begins + k, reader->ends + k, count - k);
        k += taken;
        alone = taken >= alone ? 1 : alone < ALONE_MAX ? 2 * alone : ALONE_MAX;
        for (const size_t end = alone < count - k ? k + alone : count; k < end; k++)
            if (!take_tag(check, reader, stack, k))
                return k;
    }
    return count;
}

/* Goes through the first `count` tags that were found. */
static void follow_records(pmi_tag_records *of, const pmi_tag_reader *reader, size_t count) {
    const unsigned char *const text = reader->scan->text;
    for (size_t k = 0; k < count; k++) {
        const size_t begin = (size_t)reader->begins[k], last = (size_t)reader->ends[k];
        while (begin >= of->records->ends[of->record]) {
            of->flat &= of->level == 0;
            of->record++;
        }
        of->flat &= last < of->records->ends[of->record];
        of->level += text[begin + 1] == '/' ? UINT64_MAX : text[last - 1] != '/';
    }
}

bool pmi_tag_check_range(pmi_tag_check *check, pmi_tag_reader *reader, pmi_token_scan *scan,
                         const pmi_simd_target *simd, pmi_tag_stack *stack, size_t at, size_t stop, size_t *end) {
    pmi_tag_reader_begin(reader, scan, simd);
    pmi_tag_reader_begin_at(reader, at, stop);
    reader->bounds = check->records ? check->records->bounds : NULL;
    for (bool more = true; more && pmi_tag_reader_next(reader);) {
        size_t count = reader->places.end_count;
        while (count > 0 && reader->begins[count - 1] >= stop)
            count--;
        more = count == reader->places.end_count;
        if (!pmi_tag_check_reserve(check, stack, count))
            return false;
        const size_t taken = count > 0 ? take_tags(check, reader, stack, count) : 0;
        if (taken > 0)
            *end = (size_t)reader->ends[taken - 1] + 1;
        if (check->records)
            follow_records(check->records, reader, taken);
        if (taken < count) {
            pmi_tag_reader_again(reader, (size_t)reader->begins[taken]);
            more = true;
        }
    }
    if (reader->region_behind > *end)
        *end = reader->region_behind;
    if (scan->cut != PM_CUT_NONE && scan->cut < stop)
        *end = scan->n;
    else
        scan->cut = PM_CUT_NONE;
    return true;
}

void pmi_tag_check_finish(pmi_tag_check *check, pmi_token_scan *scan, const pmi_tag_stack *stack) {
    const size_t cut = scan->cut, cut_end = scan->cut_end;
    check->found.brackets = stack->count;
    check->found.max_depth = stack->deepest;
    check->found.unmatched.open = stack->depth;
    for (size_t d = 0; d < stack->depth && check->report; d++) {
        const pmi_tag open = open_at(scan, (size_t)stack->opens[d]);
        report(check, PM_FAULT_UNMATCHED_OPEN, &open, NULL);
    }
    scan->cut = cut;
    scan->cut_end = cut_end;
}

bool pmi_tag_check_text(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd) {
    pmi_tag_reader reader; /* not initialised: most of it is not used most of the time */
    pmi_tag_stack stack = {.opens = check->memory->opens ? check->memory->opens + PM_TAGS_BENEATH : NULL};
    size_t end = 0;
    scan->cut = PM_CUT_NONE;
    check->found = (pm_check_summary){.bytes = 0};
    if (!pmi_tag_check_range(check, &reader, scan, simd, &stack, 0, scan->n, &end))
        return false;
    check->found.lines = pmi_tag_reader_newlines(&reader, scan->n) + (scan->n > 0 && scan->text[scan->n - 1] != '\n');
    pmi_tag_check_finish(check, scan, &stack);
    return true;
}

bool pmi_tag_check_records(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd,
                           const pmi_text_records *records, const uint64_t *bounds, bool *good) {
    pmi_tag_reader reader; /* not initialised: most of it is not used most of the time */
    pmi_tag_records of = {.records = records, .bounds = bounds, .flat = true};
    pmi_tag_stack stack = {.opens = check->memory->opens ? check->memory->opens + PM_TAGS_BENEATH : NULL};
    size_t end = 0;
    scan->cut = PM_CUT_NONE;
    check->found = (pm_check_summary){.bytes = 0};
    check->records = &of;
    if (!pmi_tag_check_range(check, &reader, scan, simd, &stack, 0, scan->n, &end))
        return false;
    pmi_tag_check_finish(check, scan, &stack);
    const pm_check_summary *const found = &check->found;
    *good = of.flat && of.level == 0 && reader.crossing == SIZE_MAX && scan->cut == PM_CUT_NONE &&
            found->unmatched.open + found->unmatched.close + found->mismatched == 0;
    return true;
}
