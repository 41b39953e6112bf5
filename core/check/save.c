/* SPDX-License-Identifier: Apache-2.0 */
/* Saved states of a check. Stacks are shared (base/stack.h); what else a text changes is copied. */
#include "core/check/parts.h"

#include <string.h>

struct pm_check_state {
    const pm_check *check;
    pmi_check_progress progress;
    uint64_t rests_now;        /* pmi_rests_past.now */
    pmi_delimiters_text *kept; /* with delimiters */
    size_t length;
    pmi_readings *readings; /* NULL: nothing is in them, as in every text without branches */
    union {
        pmi_open_text_saved text; /* with delimiters, */
        pmi_bracket_stack opens;  /* else */
    } open;
    pmi_kept_suffix suffix; /* with brackets */
    pmi_stack templates;    /* of the lexer, */
    size_t lexer_bytes;
    unsigned char lexer[]; /* of which this is what changes */
};

void pm_check_state_destroy(pm_check_state *state) {
    if (!state)
        return;
    const pm_allocator allocator = state->templates.allocator;
    pmi_delimiters_text_release(&allocator, state->kept);
    pmi_stack_clear(&state->templates);
    if (state->lexer_bytes > 0)
        pmi_stack_clear(&state->open.opens.far);
    if (state->readings)
        pmi_readings_clear(state->readings);
    pmi_memory_free(&allocator, state->readings);
    pmi_memory_free(&allocator, state);
}

static bool save_readings(pm_check *check, pm_check_state *state) {
    if (pmi_readings_empty(&check->readings) && !pmi_stack_top(&check->readings.groups))
        return true;
    state->readings = pmi_memory_allocate(&check->allocator, 1, sizeof *state->readings);
    return state->readings && pmi_readings_save(&check->readings, state->readings);
}

static bool save_brackets(pm_check *check, pm_check_state *state) {
    pmi_stack_init(&state->open.opens.far, &check->allocator, sizeof(uint64_t));
    state->open.opens.uncovered = check->opens.uncovered;
    state->suffix = check->suffix;
    memcpy(state->lexer, (const unsigned char *)&check->reader.lexer + PM_LEXER_FIXED, state->lexer_bytes);
    return pmi_stack_save(&check->reader.lexer.templates, &state->templates) &&
           pmi_stack_save(&check->opens.far, &state->open.opens.far) && save_readings(check, state);
}

pm_status pm_check_save(pm_check *check, pm_check_state **state) {
    if (!state)
        return PM_INVALID_ARGUMENT;
    *state = NULL;
    if (!check)
        return PM_INVALID_ARGUMENT;
    if (check->failure != PM_OK)
        return check->failure;
    const size_t lexer_bytes = check->delimiters.pairs ? 0 : pmi_lexer_changing_bytes(&check->reader.lexer);
    pm_check_state *const saved = pmi_memory_allocate_with(&check->allocator, sizeof *saved, lexer_bytes, 1);
    if (!saved)
        return PM_OUT_OF_MEMORY;
    saved->check = check;
    saved->kept = pmi_delimiters_text_share(check->delimiters.kept, check->delimiters.length);
    saved->length = check->delimiters.length;
    saved->progress = check->progress;
    saved->rests_now = check->rests.past.now;
    saved->lexer_bytes = lexer_bytes;
    saved->readings = NULL;
    pmi_stack_init(&saved->templates, &check->allocator, sizeof(uint64_t));
    if (check->delimiters.pairs) {
        pmi_open_text_save(check->delimiters.open_text, &saved->open.text);
    } else if (!save_brackets(check, saved)) {
        pm_check_state_destroy(saved);
        return PM_OUT_OF_MEMORY;
    }
    *state = saved;
    return PM_OK;
}

static void restore_brackets(pm_check *check, const pm_check_state *state) {
    pmi_stack templates = check->reader.lexer.templates;
    pmi_stack_restore(&templates, &state->templates);
    memcpy((unsigned char *)&check->reader.lexer + PM_LEXER_FIXED, state->lexer, state->lexer_bytes);
    check->reader.lexer.templates = templates;
    pmi_stack_restore(&check->opens.far, &state->open.opens.far);
    check->opens.uncovered = state->open.opens.uncovered;
    if (state->readings)
        pmi_readings_restore(&check->readings, state->readings);
    else
        pmi_readings_clear(&check->readings);
    check->progress = state->progress;
    check->kinds_known = false;
    check->suffix = state->suffix;
    check->failure = PM_OK;
}

pm_status pm_check_restore(pm_check *check, const pm_check_state *state) {
    if (!check || !state || state->check != check)
        return PM_INVALID_ARGUMENT;
    const pm_status status = pmi_check_return(check, state);
    if (status == PM_OK && !check->delimiters.pairs)
        pmi_rests_go_back(&check->rests, state->rests_now, pmi_check_text_length(check));
    return status;
}

pm_status pmi_check_return(pm_check *check, const pm_check_state *state) {
    if (check->delimiters.pairs) {
        pmi_delimiters_check_return(&check->delimiters, state->kept, state->length, &state->open.text);
        check->progress = state->progress;
        check->failure = PM_OK;
        return PM_OK;
    }
    if (!pmi_stack_reserve_for(&check->reader.lexer.templates, &state->templates) ||
        !pmi_stack_reserve_for(&check->opens.far, &state->open.opens.far) ||
        (state->readings && !pmi_readings_reserve_for(&check->readings, state->readings)))
        return PM_OUT_OF_MEMORY;
    restore_brackets(check, state);
    return PM_OK;
}
