/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a tag is looked up by its bytes as they are; where case is ignored, each way to write it is kept. */
#include "core/delimiters/quick_tag.h"

#include <string.h>

/* A tag up to its name. */
typedef struct quick_head {
    size_t name, name_end;
    uint64_t bytes[2]; /* of the name, zeros behind them */
    uint32_t sort;     /* of tags: those of a family that open by what begins them, or that close */
} quick_head;

static bool names_are_short(const quick_head *head) {
    return head->name < head->name_end && head->name_end - head->name <= sizeof head->bytes;
}

static void read_statement(const pmi_token_scan *scan, size_t at, quick_head *head) {
    const unsigned char *const text = scan->text;
    if (at < scan->n && (text[at] == '-' || text[at] == '+'))
        at++;
    while (at < scan->n && pmi_byte_is_space(text[at]))
        at++;
    head->name = head->name_end = at;
    while (head->name_end < scan->n && pmi_byte_is_word(text[head->name_end]))
        head->name_end++;
}

static void read_element(const pmi_token_scan *scan, const pmi_tag_family *family, size_t at, quick_head *head) {
    const unsigned char *const text = scan->text;
    head->name = head->name_end = at;
    if (at < scan->n && pmi_byte_begins_name(text[at]))
        while (head->name_end < scan->n && !(family->roles[text[head->name_end]] & PM_TAG_NAME_ENDS))
            head->name_end++;
}

/* False: there is no name, or a long one, or the text's end is near. */
static bool read_head(const pmi_token_scan *scan, const pmi_rule *rule, size_t at, quick_head *head) {
    const pmi_tag_family *const family = &scan->pairs->families[rule->index];
    if (family->statement)
        read_statement(scan, at, head);
    else
        read_element(scan, family, at, head);
    if (!names_are_short(head) || scan->n - head->name < sizeof head->bytes)
        return false;
    const size_t length = head->name_end - head->name, half = sizeof *head->bytes;
    memcpy(head->bytes, scan->text + head->name, sizeof head->bytes);
    if (length <= half) {
        head->bytes[1] = 0;
        head->bytes[0] &= UINT64_MAX >> 8 * (half - length);
    } else {
        head->bytes[1] &= UINT64_MAX >> 8 * (2 * half - length);
    }
    head->sort = 2 * rule->index + rule->close_tag;
    return true;
}

static pmi_quick_name *place_of(pmi_token_scan *scan, const quick_head *head) {
    const uint64_t mixed = (head->bytes[0] ^ head->bytes[1] * 31 ^ head->sort) * UINT64_C(0x9e3779b97f4a7c15);
    return &scan->quick_names[mixed >> (64 - PM_QUICK_NAME_BITS)];
}

static bool is_of(const pmi_quick_name *name, const quick_head *head) {
    return name->bytes[0] == head->bytes[0] && name->bytes[1] == head->bytes[1] && name->sort == head->sort;
}

/* Does a tag with this name no more than to open, to close, or nothing? */
static bool is_simple(const pmi_name *name, bool closes) {
    return closes ? name->sort != PM_NAME_NEW
                  : name->ends == 0 && name->sort != PM_NAME_RAW && !name->assigned && !name->quoted &&
                        (name->implied == PM_NONE || name->sort == PM_NAME_IGNORED);
}

/* Keeps what tags with that name do. */
static bool learn(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, const quick_head *head,
                  pmi_quick_name *quick) {
    pmi_tag tag;
    const size_t next = scan->next, cut = scan->cut, cut_end = scan->cut_end;
    const bool read = pmi_tag_read(scan, rule, begin, begin + scan->pairs->words[rule->word_at].length, &tag);
    scan->next = next;
    scan->cut = cut;
    scan->cut_end = cut_end;
    pmi_name *const name = read && tag.name < tag.name_end ? pmi_token_scan_name(scan, rule->index, &tag) : NULL;
    if (!name || !is_simple(name, tag.closes))
        return false;
    const bool acts = name->sort != PM_NAME_IGNORED;
    *quick = (pmi_quick_name){.bytes = {head->bytes[0], head->bytes[1]},
                              .sort = head->sort,
                              .kind = acts ? scan->pairs->kinds + pmi_tag_numbers_number(&scan->names, name) : PM_NONE,
                              .step = (int8_t)(!acts        ? 0
                                               : tag.closes ? -1
                                                            : 1)};
    return true;
}

pmi_quick_tag pmi_quick_tag_take(pmi_token_scan *scan, uint32_t pattern, size_t begin, pmi_open *top) {
    const struct pmi_delimiters *const pairs = scan->pairs;
    const pmi_rule *const rule = &pairs->rules[pattern];
    const pmi_quick_tag other = {.top = NULL};
    quick_head head;
    if (scan->growth || !read_head(scan, rule, begin + pairs->words[rule->word_at].length, &head))
        return other;
    pmi_quick_name *const quick = place_of(scan, &head);
    if (!is_of(quick, &head) && !learn(scan, rule, begin, &head, quick))
        return other;
    if (quick->step < 0 && top->kind != quick->kind)
        return other;
    bool empty;
    const size_t end = pmi_tag_end(scan, &pairs->families[rule->index], head.name_end, &empty);
    if (end > scan->n)
        return other;
    const int step = empty && quick->step > 0 ? 0 : quick->step;
    const pmi_token token = {.begin = begin, .end = end};
    top[1] = (pmi_open){begin, 0, quick->kind, PM_NONE, PM_NONE, pmi_token_length(&token)};
    return (pmi_quick_tag){.top = top + step, .end = end, .count = step != 0};
}
