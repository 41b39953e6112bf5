/* SPDX-License-Identifier: Apache-2.0 */
/* The plain stack behind bp_model.h. */
#include "tests/bp/model.h"

#include <stdlib.h>

#include "parenmatch/bp_view.h"

bool bp_model_is_open(const bp_model *model, uint64_t i) {
    return model->parens[i / 64] >> i % 64 & 1;
}

bool bp_model_create(bp_model *model, const uint64_t *parens, uint64_t n) {
    *model = (bp_model){.parens = parens,
                        .n = n,
                        .match = malloc((n + 1) * sizeof *model->match),
                        .close = malloc((n + 1) * sizeof *model->close),
                        .level = malloc((n + 1) * sizeof *model->level),
                        .opening = malloc((n + 1) * sizeof *model->opening)};
    if (!model->match || !model->close || !model->level || !model->opening) {
        bp_model_destroy(model);
        return false;
    }
    uint64_t top = PM_BP_NONE;
    model->level[0] = 0;
    for (uint64_t i = 0; i < n; i++) {
        const bool open = bp_model_is_open(model, i);
        model->match[i] = top;
        model->close[i] = PM_BP_NONE;
        model->far_closes += !open && top == PM_BP_NONE;
        model->level[i + 1] = model->level[i] + (open ? 1 : -1);
        if (open) {
            model->opening[model->opens++] = i;
            top = i;
        } else if (top != PM_BP_NONE) {
            model->close[top] = i;
            top = model->match[top];
        }
    }
    model->far_opens = (uint64_t)model->level[n] + model->far_closes;
    return true;
}

void bp_model_destroy(bp_model *model) {
    free(model->match);
    free(model->close);
    free(model->level);
    free(model->opening);
}

uint64_t bp_model_rank(const bp_model *model, uint64_t i) {
    return (uint64_t)(model->level[i] + (int64_t)i) / 2;
}

static const char *compare_at(const bp_model *model, const pm_bp *bp, uint64_t i) {
    const bool open = bp_model_is_open(model, i);
    if (pm_bp_enclose(bp, i) != model->match[i])
        return "enclose";
    if (pm_bp_find_close(bp, i) != model->close[i])
        return "find_close";
    if (pm_bp_find_open(bp, i) != (open ? PM_BP_NONE : model->match[i]))
        return "find_open";
    if (pm_bp_rank_open(bp, i) != bp_model_rank(model, i))
        return "rank_open";
    if (pm_bp_rank_close(bp, i) != i - bp_model_rank(model, i))
        return "rank_close";
    if (pm_bp_excess(bp, i) != model->level[i + 1])
        return "excess";
    if (open && pm_bp_select_open(bp, bp_model_rank(model, i)) != i)
        return "select_open";
    if (!open && pm_bp_select_close(bp, i - bp_model_rank(model, i)) != i)
        return "select_close";
    /* Of an unmatched element its number is how far it is from the lowest level, or from the last one. */
    if (!open && model->match[i] == PM_BP_NONE &&
        pm_bp_select_unmatched_close(bp, (uint64_t)(-model->level[i + 1] - 1)) != i)
        return "find_far_close";
    if (open && model->close[i] == PM_BP_NONE &&
        pm_bp_select_unmatched_open(bp, (uint64_t)(model->level[model->n] - model->level[i + 1])) != i)
        return "find_far_open";
    return NULL;
}

/* The same queries by a view of the index, element by element and past the end. */
static const char *compare_view(const bp_model *model, const pm_bp_view *view, uint64_t i) {
    const uint64_t at = i < model->n ? i : model->n;
    if (pm_bp_view_rank_open(view, i) != bp_model_rank(model, at))
        return "rank_open of the view";
    if (pm_bp_view_excess(view, i) != model->level[i < model->n ? i + 1 : model->n])
        return "excess of the view";
    if (pm_bp_view_is_open(view, i) != (i < model->n && bp_model_is_open(model, i)))
        return "is_open of the view";
    return NULL;
}

static const char *compare_past(const bp_model *model, const pm_bp *bp, uint64_t i) {
    if (pm_bp_enclose(bp, i) != PM_BP_NONE)
        return "enclose past the end";
    if (pm_bp_find_close(bp, i) != PM_BP_NONE)
        return "find_close past the end";
    if (pm_bp_find_open(bp, i) != PM_BP_NONE)
        return "find_open past the end";
    if (pm_bp_rank_open(bp, i) != model->opens)
        return "rank_open past the end";
    if (pm_bp_rank_close(bp, i) != model->n - model->opens)
        return "rank_close past the end";
    if (pm_bp_excess(bp, i) != model->level[model->n])
        return "excess past the end";
    if (pm_bp_select_open(bp, model->opens + (i - model->n)) != PM_BP_NONE)
        return "select_open past the end";
    if (pm_bp_select_close(bp, model->n - model->opens + (i - model->n)) != PM_BP_NONE)
        return "select_close past the end";
    if (pm_bp_select_unmatched_close(bp, model->far_closes + (i - model->n)) != PM_BP_NONE)
        return "find_far_close past the last";
    if (pm_bp_select_unmatched_open(bp, model->far_opens + (i - model->n)) != PM_BP_NONE)
        return "find_far_open past the last";
    return NULL;
}

const char *bp_model_compare(const bp_model *model, const pm_bp *bp, uint64_t first, uint64_t last,
                             uint64_t *argument) {
    pm_bp_view view;
    const char *wrong = pm_bp_view_of(bp, &view) == PM_OK ? NULL : "view";
    for (uint64_t i = first; i < last && !wrong; i++) {
        *argument = i;
        wrong = compare_at(model, bp, i);
        wrong = wrong ? wrong : compare_view(model, &view, i);
    }
    const uint64_t past[] = {model->n, model->n + 1, model->n + 64, UINT64_MAX - 8, UINT64_MAX - 1, UINT64_MAX};
    for (size_t p = 0; p < sizeof past / sizeof *past && !wrong; p++) {
        *argument = past[p];
        wrong = compare_past(model, bp, past[p]);
        wrong = wrong ? wrong : compare_view(model, &view, past[p]);
    }
    return wrong;
}
