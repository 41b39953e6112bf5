/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite scan: ready-made monoids down and up trees; the floor is copying the values and reading the bits. An element is
 * a parenthesis, so there is a value for every second element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "bench/suites/tree_values.h"
#include "inputs/families.h"
#include "parenmatch.h"

struct tree {
    size_t n, nodes;
    uint64_t *parens;
    uint32_t *match, *parent;
    unsigned char *values, *out, *proved;
};

/* What is timed. */
struct subject {
    const char *backend;
    const pm_monoid *(*monoid)(void);
    bool up, sequential;
};

static const struct subject subjects[] = {
    {"down-sum/seq", pm_monoid_sum_u64, false, true},   {"down-sum/omp", pm_monoid_sum_u64, false, false},
    {"up-sum/seq", pm_monoid_sum_u64, true, true},      {"up-sum/omp", pm_monoid_sum_u64, true, false},
    {"down-affine/seq", pm_monoid_affine, false, true}, {"down-affine/omp", pm_monoid_affine, false, false},
    {"up-union/seq", pm_monoid_box_union, true, true},  {"up-union/omp", pm_monoid_box_union, true, false}};

struct scan_job {
    const struct tree *tree;
    const struct subject *subject;
    pm_context *context;
    bool right;
};

static void tree_destroy(struct tree *tree) {
    free(tree->parens);
    free(tree->match);
    free(tree->parent);
    free(tree->values);
    free(tree->out);
    free(tree->proved);
}

static bool tree_create(struct tree *tree, const char *family, uint64_t seed, size_t n) {
    *tree = (struct tree){.n = n,
                          .parens = buffer_create((n / 64 + 1) * sizeof(uint64_t)),
                          .match = malloc((n + 1) * sizeof(uint32_t)),
                          .parent = malloc((n + 1) * sizeof(uint32_t))};
    if (tree->parens && tree->match && tree->parent && family_fill(family, seed, n, tree->parens) &&
        pm_match_auto(NULL, tree->parens, n, tree->match, NULL) == PM_OK &&
        pm_forest_parent(NULL, PM_FOREST_BY_NODE, tree->parens, n, tree->match, tree->parent) == PM_OK) {
        tree->nodes = pm_forest_count(tree->parens, n);
        const size_t most = (tree->nodes + 1) * sizeof(pm_affine);
        tree->values = buffer_create(most);
        tree->out = buffer_create(most);
        tree->proved = malloc(2 * most);
        if (tree->values && tree->out && tree->proved)
            return true;
    }
    fprintf(stderr, "pm_bench: cannot make %zu elements of family %s\n", n, family);
    tree_destroy(tree);
    return false;
}

/* The proof, from the parent vector and without a stack. Down: a node's result is its parent's times its value. Up:
 * from the last node to the first, each joins what its parent has below it, which is kept in the second half. */
static void prove(const struct tree *tree, const pm_monoid *monoid, bool up) {
    const size_t size = monoid->size;
    unsigned char *const proved = tree->proved, *const below = proved + tree->nodes * size;
    unsigned char product[sizeof(pm_affine)];
    for (size_t k = 0; k < tree->nodes; k++)
        memcpy(below + k * size, monoid->identity, size);
    for (size_t step = 0; step < tree->nodes; step++) {
        const size_t k = up ? tree->nodes - 1 - step : step, parent = tree->parent[k];
        const unsigned char *const value = tree->values + k * size;
        if (up)
            monoid->combine(proved + k * size, value, below + k * size, monoid->user);
        else if (parent == PM_NONE)
            memcpy(proved + k * size, value, size);
        else
            monoid->combine(proved + k * size, proved + parent * size, value, monoid->user);
        if (up && parent != PM_NONE) {
            monoid->combine(product, proved + k * size, below + parent * size, monoid->user);
            memcpy(below + parent * size, product, size);
        }
    }
}

static void job_run(void *user, size_t calls) {
    struct scan_job *job = user;
    const struct tree *const tree = job->tree;
    const pm_monoid *const monoid = job->subject->monoid();
    for (size_t c = 0; c < calls; c++) {
        pm_status status;
        if (job->subject->up)
            status = (job->subject->sequential ? pm_tree_reduce_up_seq : pm_tree_reduce_up_omp)(
                job->context, tree->parens, tree->n, monoid, tree->values, tree->out);
        else
            status = (job->subject->sequential ? pm_tree_scan_down_seq : pm_tree_scan_down_omp)(
                job->context, tree->parens, tree->n, monoid, PM_SCAN_INCLUSIVE, tree->values, tree->out);
        job->right = job->right && status == PM_OK;
    }
}

static void job_check(void *user) {
    struct scan_job *job = user;
    const size_t bytes = job->tree->nodes * job->subject->monoid()->size;
    job->right = job->right && memcmp(job->tree->out, job->tree->proved, bytes) == 0;
}

static enum outcome time_subject(const char *suite, const struct tree *tree, const char *family,
                                 const struct subject *subject, const struct settings *settings) {
    const unsigned threads = subject->sequential ? 1 : settings->threads;
    const pm_options options = {.struct_size = sizeof options, .threads = threads};
    const pm_monoid *const monoid = subject->monoid();
    struct scan_job job = {.tree = tree, .subject = subject, .right = true};
    if (pm_context_create(&options, &job.context) != PM_OK)
        return OUTCOME_FAILED;
    tree_values_fill(monoid, settings->seed, tree->nodes, tree->values);
    prove(tree, monoid, subject->up);
    struct moving moving =
        moving_make(tree->out, tree->values, tree->nodes * monoid->size, tree->parens, tree->n / 8, threads);
    struct result result = {
        .times = timing_pairs(settings->sampling, moving_action(&moving), (struct action){job_run, &job}, job_check),
        .suite = suite,
        .backend = subject->backend,
        .simd = "none",
        .kind = family,
        .floor = moving.copy.floor->name,
        .n = tree->n,
        .threads = threads};
    result.verified = job.right;
    pm_context_destroy(job.context);
    return report_result(&result);
}

static enum outcome time_family(const struct suite *suite, const struct settings *settings, const char *family,
                                size_t n) {
    struct tree tree;
    if (!tree_create(&tree, family, settings->seed, n))
        return OUTCOME_FAILED;
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++)
        if (name_list_wants(&settings->backends, subjects[s].sequential ? "seq" : "omp"))
            worst = outcome_worse(worst, time_subject(suite->name, &tree, family, &subjects[s], settings));
    tree_destroy(&tree);
    return worst;
}

const struct suite suite_scan = {.name = "scan",
                                 .description = "monoids down and up trees; the floor is copying the values",
                                 .families = {5, {"random", "zigzag", "flat", "deep", "saw:5000"}},
                                 .sizes = {2, {1u << 16, 1u << 21}},
                                 .time_case = time_family};
