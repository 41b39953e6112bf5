/* SPDX-License-Identifier: Apache-2.0 */
/* Tags: their names, their ends, and what they open and close. */
#include "core/delimiters/structure.h"

/* A tag as read up to its name. */
typedef struct tag_head {
    size_t name, name_end; /* in the text; equal: it has none */
    bool closes;
} tag_head;

static bool is_name(const pmi_structure_scan *scan, pmi_pairs_words names, size_t begin, size_t end) {
    const struct pm_delimiters *const pairs = scan->pairs;
    for (uint32_t k = 0; k < names.count; k++) {
        const pmi_pairs_word name = pairs->words[names.first + k];
        if (name.length == end - begin && pmi_structure_at(scan, name, begin))
            return true;
    }
    return false;
}

/* ---- Names ---- */

/* As it is found in the text, case ignored where it is. */
static unsigned char first_byte(const pmi_structure_scan *scan, pmi_pairs_word word) {
    return pmi_fold_case(scan->pairs->bytes[word.begin], scan->pairs->ignore_case);
}

static tag_head read_element_head(const pmi_structure_scan *scan, const pmi_tag_family *family, size_t at) {
    const unsigned char *const text = scan->text;
    tag_head head = {.name = at, .name_end = at};
    if (at < scan->n && pmi_byte_begins_name(text[at]))
        while (head.name_end < scan->n && !(family->roles[text[head.name_end]] & PM_TAG_NAME_ENDS))
            head.name_end++;
    return head;
}

/* A statement's name follows a sign, perhaps, and blanks. */
static tag_head read_statement_head(const pmi_structure_scan *scan, const pmi_tag_family *family, size_t at) {
    const unsigned char *const text = scan->text;
    if (at < scan->n && (text[at] == '-' || text[at] == '+'))
        at++;
    while (at < scan->n && pmi_byte_is_space(text[at]))
        at++;
    tag_head head = {.name = at, .name_end = at};
    while (head.name_end < scan->n && pmi_byte_is_word(text[head.name_end]))
        head.name_end++;
    const size_t prefix = family->close.length;
    if (prefix == 0 || head.name_end - at <= prefix || !pmi_structure_at(scan, family->close, at))
        return head;
    head.closes = is_name(scan, family->names, at + prefix, head.name_end) ||
                  is_name(scan, family->raw_names, at + prefix, head.name_end);
    if (head.closes)
        head.name += prefix;
    return head;
}

/* ---- Ends ---- */

/* Is the quote at `at` the value of an attribute? */
static bool follows_equals(const unsigned char *text, size_t begin, size_t at) {
    while (at > begin && pmi_byte_is_space(text[at - 1]))
        at--;
    return at > begin && text[at - 1] == '=';
}

/* Behind the quoted string that begins at `at`; n if it does not end. Statements have escapes in theirs. */
static size_t quotation_end(const pmi_structure_scan *scan, size_t at, bool escapes) {
    const unsigned char *const text = scan->text;
    if (!escapes) {
        const unsigned char *const end = memchr(text + at + 1, text[at], scan->n - at - 1);
        return end ? (size_t)(end - text) + 1 : scan->n;
    }
    for (size_t i = at + 1; i < scan->n; i++) {
        if (text[i] == text[at])
            return i + 1;
        if (text[i] == '\\')
            i++;
    }
    return scan->n;
}

/* Does the word stand at `at`, where its first byte does? */
static bool goes_on(const pmi_structure_scan *scan, pmi_pairs_word word, size_t at) {
    return word.length == 1 || pmi_structure_at(scan, word, at);
}

/* Behind the tag's end; n + 1: it has none. */
static size_t tag_end(const pmi_structure_scan *scan, const pmi_tag_family *family, size_t from, bool *empty) {
    const unsigned char *const text = scan->text;
    const unsigned char end = first_byte(scan, family->end);
    const unsigned char empty_end = family->empty.length > 0 ? first_byte(scan, family->empty) : end;
    *empty = false;
    for (size_t i = from; i < scan->n;) {
        if (!(family->roles[text[i]] & PM_TAG_MATTERS)) {
            i++;
            continue;
        }
        const unsigned char byte = pmi_fold_case(text[i], scan->pairs->ignore_case);
        if (byte == '"' || byte == '\'') {
            if (family->statement || follows_equals(text, from, i)) {
                i = quotation_end(scan, i, family->statement);
                continue;
            }
        }
        if (byte == empty_end && family->empty.length > 0 && goes_on(scan, family->empty, i)) {
            *empty = true;
            return i + family->empty.length;
        }
        if (byte == end && goes_on(scan, family->end, i))
            return i + family->end.length;
        i++;
    }
    return scan->n + 1;
}

/* ---- Raw contents ---- */

/* Is the tag whose name, perhaps, is at `at` one that closes what `open` opens? */
static bool closes_raw(const pmi_structure_scan *scan, const pmi_tag_family *family, size_t at, tag_head open) {
    const size_t length = open.name_end - open.name;
    tag_head head = {at, at + length, true};
    if (family->statement)
        head = read_statement_head(scan, family, at);
    else if (length > scan->n - at ||
             (head.name_end < scan->n && !(family->roles[scan->text[head.name_end]] & PM_TAG_NAME_ENDS)))
        return false;
    return head.closes && head.name_end - head.name == length &&
           pmi_bytes_equal(scan->text + head.name, scan->text + open.name, length, scan->pairs->ignore_case);
}

/* Returns where the tag begins that closes the raw contents from `from` on; n if there is no such tag. */
static size_t raw_end(const pmi_structure_scan *scan, const pmi_tag_family *family, size_t from, tag_head open) {
    const pmi_pairs_word begin = family->statement ? family->open : family->close;
    size_t at = from;
    while ((at = pmi_structure_find(scan, begin, at)) < scan->n && !closes_raw(scan, family, at + begin.length, open))
        at++;
    return at;
}

/* ---- Tags ---- */

/* What its family says of a name. */
static pmi_name_sort sort_of(const pmi_structure_scan *scan, const pmi_tag_family *family, tag_head head) {
    if (is_name(scan, family->raw_names, head.name, head.name_end))
        return PM_NAME_RAW;
    if (is_name(scan, family->empty_names, head.name, head.name_end) ||
        is_name(scan, family->optional_names, head.name, head.name_end) ||
        (family->statement && !is_name(scan, family->names, head.name, head.name_end)))
        return PM_NAME_IGNORED;
    return PM_NAME_MATCHED;
}

/* What is known of a name from now on. */
static void describe(const pmi_structure_scan *scan, const pmi_tag_family *family, tag_head head, pmi_name *name) {
    name->sort = sort_of(scan, family, head);
    name->assigned = is_name(scan, family->assigned_names, head.name, head.name_end);
    for (uint32_t k = 0; k < family->implied.count; k++) {
        const pmi_implied_close *const line = &scan->pairs->implied[family->implied.first + k];
        if (is_name(scan, (pmi_pairs_words){line->name, 1}, head.name, head.name_end))
            name->implied = k;
        if (is_name(scan, line->before, head.name, head.name_end))
            name->ends |= UINT64_C(1) << k;
    }
}

bool pmi_structure_tag(pmi_structure_scan *scan, const pmi_rule *rule, size_t begin, size_t end) {
    const pmi_tag_family *const family = &scan->pairs->families[rule->index];
    tag_head head;
    if (family->statement) {
        head = read_statement_head(scan, family, end);
    } else {
        head = read_element_head(scan, family, end);
        head.closes = rule->close_tag;
        if (head.name == head.name_end)
            return false;
    }
    bool empty;
    const size_t behind = tag_end(scan, family, head.name_end, &empty);
    if (behind > scan->n) {
        pmi_structure_cut(scan, begin, end);
        return true;
    }
    scan->next = behind;
    const bool opens_nothing = empty && !head.closes;
    if (head.name == head.name_end || (opens_nothing && family->implied.count == 0))
        return true;
    pmi_name *const name = pmi_tag_numbers_find(&scan->names, rule->index, head.name, head.name_end - head.name);
    if (!name) {
        scan->out_of_memory = true;
        return true;
    }
    if (name->sort == PM_NAME_NEW)
        describe(scan, family, head, name);
    if (!head.closes && name->ends != 0)
        pmi_opens_end_before(scan, name->ends, begin);
    if (opens_nothing || name->sort == PM_NAME_IGNORED)
        return true;
    if (name->assigned && !head.closes && memchr(scan->text + head.name_end, '=', behind - head.name_end))
        return true;
    const uint32_t kind = scan->pairs->kinds + pmi_tag_numbers_number(&scan->names, name);
    pmi_structure_emit(scan, &(pmi_token){begin, behind, kind, !head.closes}, PM_NONE, name->implied);
    if (name->sort == PM_NAME_RAW && !head.closes)
        scan->next = raw_end(scan, family, behind, head);
    return true;
}
