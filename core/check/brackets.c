/* SPDX-License-Identifier: Apache-2.0 */
/* Reading bracket by bracket: of a chunk in which something is wrong, and of what is shorter than a word. */
#include <string.h>

#include "core/check/parts.h"

/* ---- A bracket ---- */

void pmi_check_note_depth(pm_check *check, uint64_t depth) {
    if (check->effect) {
        pmi_effect_rise(check->effect, depth);
        return;
    }
    const pmi_readings *const readings = &check->readings;
    if (depth + pmi_readings_at(readings, readings->now.top[0])->depth <= check->progress.found.max_depth)
        return; /* as mostly, without a look at the others */
    depth += pmi_readings_least(readings);
    if (depth > check->progress.found.max_depth)
        check->progress.found.max_depth = depth;
}

static void read_open(pm_check *check, unsigned bit, unsigned kind) {
    pmi_text_word_add(&check->progress.current, bit, kind);
    pmi_check_note_depth(check, ++check->progress.depth);
}

/* A close of what was open at the last directive, or of nothing. */
static void read_far_close(pm_check *check, unsigned bit, unsigned kind, char byte) {
    const pmi_reading *open;
    if (check->effect) {
        pmi_effect_close(check->effect, pmi_text_word_place(&check->progress.current, bit), kind, byte);
        return;
    }
    if (check->readings.now.count == 1 && !check->readings.now.top[0]) {
        pmi_check_unmatched_close(check, bit, byte);
        return;
    }
    if (pmi_readings_close(&check->readings, kind, &open))
        return;
    if (open)
        pmi_check_mismatch(check, bit, byte, open->at, open->kind);
    else
        pmi_check_unmatched_close(check, bit, byte);
}

void pmi_check_close(pm_check *check, unsigned bit, unsigned kind, char byte) {
    if (check->pending.count > 0 && check->progress.depth == check->pending.depth && !pmi_check_unfold(check)) {
        check->readings.failed = true;
        return;
    }
    if (check->progress.depth == 0) {
        read_far_close(check, bit, kind, byte);
        return;
    }
    pmi_text_word *word =
        check->progress.current.opens != 0 ? &check->progress.current : pmi_bracket_stack_innermost(&check->opens);
    const unsigned open = pmi_bits_highest(word->opens);
    const unsigned open_kind = pmi_text_word_kind(word, open);
    word->opens ^= UINT64_C(1) << open;
    check->progress.depth--;
    if (open_kind == kind)
        return;
    if (check->progress.muted && !check->effect)
        check->progress.found.mismatched++; /* without asking for the places */
    else
        pmi_check_mismatch(check, bit, byte, pmi_text_word_place(word, open), open_kind);
}

/* ---- The brackets of a word ---- */

bool pmi_check_finish_word(pm_check *check) {
    const pmi_text_word next = pmi_text_word_after(&check->progress.current, 1);
    check->progress.previous = check->progress.current;
    check->progress.current =
        (pmi_text_word){.index = next.index, .run = 1, .line = next.line, .line_start = next.line_start};
    check->progress.filled = 0;
    return pmi_bracket_stack_push(&check->opens, &check->progress.previous);
}

void pmi_check_read_some(pm_check *check, const unsigned char *text, uint64_t brackets) {
    const unsigned shift = check->progress.filled;
    if (check->readings.skipped)
        return;
    for (; brackets != 0; brackets &= brackets - 1) {
        const unsigned bit = pmi_bits_lowest(brackets);
        const uint8_t role = check->alphabet.role[text[bit]];
        if (pmi_role_is_open(role))
            read_open(check, shift + bit, pmi_role_kind(role));
        else if (role == PM_ROLE_RECORD_END)
            pmi_check_end_marked_record(check, shift + bit);
        else
            pmi_check_close(check, shift + bit, pmi_role_kind(role), (char)text[bit]);
    }
}

bool pmi_check_direct_settled(pm_check *check, pmi_directive directive) {
    if (!check->effect)
        return pmi_readings_direct(&check->readings, directive);
    pmi_effect_direct(check->effect, directive);
    return true;
}

bool pmi_check_direct(pm_check *check, pmi_directive directive) {
    return pmi_check_settle(check) && pmi_check_direct_settled(check, directive);
}

/* Reads the brackets of n bytes of the current word, whose newlines it knows. They begin at offset `at` of the piece or
 * chunk, whose directives are taken from *directive on. Returns false if there is no memory. */
static bool read_brackets(pm_check *check, const unsigned char *text, size_t n, uint64_t brackets, size_t at,
                          size_t *directive) {
    const pmi_directives *const directives = &check->directives;
    for (; *directive < directives->count; ++*directive) {
        const size_t offset = directives->list[*directive] >> 3;
        if (offset >= at + n)
            break;
        const uint64_t before = brackets & pmi_bits_low((unsigned)(offset - at));
        pmi_check_read_some(check, text, before);
        brackets ^= before;
        if (!pmi_check_direct_lazily(check, (pmi_directive)(directives->list[*directive] & 7)))
            return false;
    }
    pmi_check_read_some(check, text, brackets);
    check->progress.filled += (unsigned)n;
    return check->progress.filled < PM_WORD_BITS || pmi_check_finish_word(check);
}

/* ---- Less than a word ---- */

static uint64_t newline_mask(const unsigned char *text, size_t n) {
    uint64_t mask = 0;
    for (const unsigned char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL; at++)
        mask |= UINT64_C(1) << (at - text);
    return mask;
}

bool pmi_check_cut_begins(pm_check *check, uint64_t *offset) {
    return pmi_lexer_perhaps_inside(&check->reader.lexer, offset, &check->progress.cut.byte) &&
           *offset != check->progress.cut.at.offset;
}

pm_status pmi_check_read_piece(pm_check *check, const unsigned char *text, size_t n) {
    uint64_t brackets, cut;
    check->directives.base = check->reader.lexer.position;
    check->directives.count = 0;
    const pm_status status = pmi_bracket_reader_piece(&check->reader, text, n, &brackets);
    if (status != PM_OK)
        return status;
    check->kinds_known = false;
    check->suffix.known = check->suffix.known && brackets == 0 && check->directives.count == 0;
    check->progress.current.newlines |= newline_mask(text, n) << check->progress.filled;
    check->progress.found.brackets += pmi_bits_count(brackets);
    if (pmi_check_cut_begins(check, &cut)) {
        const bool in_current = cut >= pmi_text_word_offset(&check->progress.current);
        check->progress.cut.at =
            pmi_text_word_place(in_current ? &check->progress.current : &check->progress.previous, cut % PM_WORD_BITS);
    }
    size_t directive = 0;
    return read_brackets(check, text, n, brackets, 0, &directive) ? PM_OK : PM_OUT_OF_MEMORY;
}

bool pmi_check_skip(pm_check *check, unsigned char byte) {
    check->progress.current.newlines |= (uint64_t)(byte == '\n') << check->progress.filled;
    check->reader.lexer.position++;
    return ++check->progress.filled < PM_WORD_BITS || pmi_check_finish_word(check);
}
