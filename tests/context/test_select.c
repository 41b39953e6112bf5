/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between backends: sane by the shipped figures, right by any figures, and told truly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

/* Elements of which a thread has at least as many, as cpu/match/omp.c divides them. */
#define THREAD_ELEMENTS ((size_t)1 << 16)

static const unsigned thread_counts[] = {1, 2, 3, 4, 8, 16, 64, 1024};

/* Of `threads`, those that a team for n elements would have. */
static unsigned team_of(size_t n, unsigned threads) {
    const size_t paying = n / THREAD_ELEMENTS;
    return paying < 1 ? 1 : paying < threads ? (unsigned)paying : threads;
}

/* The next of a dense row of sizes up to the longest. */
static size_t next_size(size_t n) {
    return n < PM_N_MAX - n / 7 ? n + n / 7 : n < PM_N_MAX ? PM_N_MAX : (size_t)PM_N_MAX + 1;
}

static const pmi_figures *figures_at(size_t index) {
    return pmi_figures_shipped(pm_simd_at(index) ? pm_simd_at(index)->name : "abacus");
}

static void check_predictions(const pmi_selection *selection, const pmi_selection *shorter) {
    for (int b = 0; b < PM_BACKEND_COUNT; b++) {
        assert_true(isfinite(selection->ns[b]) && selection->ns[b] >= 0);
        if (b != PM_BACKEND_OMP) /* whose team grows */
            assert_true(selection->ns[b] >= shorter->ns[b]);
        assert_true(selection->ns[b] <= 0 || selection->ns[selection->backend] <= selection->ns[b]);
    }
    assert_true(selection->ns[selection->backend] > 0);
}

/* Once several threads pay they go on to do so; nothing is chosen that was not offered; every prediction is a time. */
TEST(test_shipped_choices) {
    for (size_t index = 0; index == 0 || pm_simd_at(index - 1); index++)
        for (size_t t = 0; t < COUNT_OF(thread_counts); t++) {
            const unsigned threads = thread_counts[t];
            pmi_selection last = {.backend = PM_BACKEND_SEQ};
            for (size_t n = PM_SELECT_MIN; n <= PM_N_MAX; n = next_size(n)) {
                const pmi_selection selection = pmi_backend_select(figures_at(index), NULL, n, team_of(n, threads));
                check_predictions(&selection, &last);
                assert_true(selection.backend >= last.backend);
                assert_int_not_equal(selection.backend, PM_BACKEND_GPU);
                assert_int_not_equal(selection.backend, PM_BACKEND_SEQ);
                const bool team = threads > 1 && n >= 2 * THREAD_ELEMENTS;
                if (!team || n >= 4 * THREAD_ELEMENTS)
                    assert_int_equal(selection.backend, team ? PM_BACKEND_OMP : PM_BACKEND_BROADWORD);
                last = selection;
            }
        }
}

TEST(test_shipped_figures_make_sense) {
    for (size_t index = 0; index == 0 || pm_simd_at(index - 1); index++) {
#define CHECK(field, name, most) assert_true(figures_at(index)->field >= 0 && figures_at(index)->field <= (most));
        PM_FIGURE_MAP(CHECK)
#undef CHECK
    }
    const pmi_gpu_figures *const discrete = pmi_gpu_figures_shipped("discrete");
    assert_non_null(discrete);
    assert_null(pmi_gpu_figures_shipped("cpu"));
#define CHECK(field, name, most) assert_true(discrete->field > 0 && discrete->field <= (most));
    PM_GPU_FIGURE_MAP(CHECK)
#undef CHECK
    assert_ptr_equal(pmi_figures_shipped("abacus"), pmi_figures_shipped("portable"));
    for (size_t index = 0; pm_simd_at(index); index++)
        for (size_t other = 0; other < index; other++) /* each engine has figures of its own */
            assert_ptr_not_equal(figures_at(index), figures_at(other));
}

static const pmi_gpu_figures fast_device = {.open = 1e-6,
                                            .call = 1e-6,
                                            .upload_element = 1e-6,
                                            .download_element = 1e-6,
                                            .copy_element = 1e-6,
                                            .launch = 1e-6,
                                            .match_element = 1e-6};

#define FAST_DEVICE "0123456789abcdef0123456789abcdef-00000001" /* nobody has it */

/* A profile by which a backend is faster than all others. */
static pmi_profile profile_forcing(pmi_backend backend) {
    pmi_profile profile = {.cpu = *pmi_figures_shipped("portable"), .device = ""};
    switch (backend) {
    case PM_BACKEND_SEQ:
        profile.cpu.seq_element = 1e-6;
        break;
    case PM_BACKEND_BROADWORD:
        profile.cpu.seq_element = 1e4, profile.cpu.team_call = 1e9;
        break;
    case PM_BACKEND_OMP:
        profile.cpu.seq_element = 1e4, profile.cpu.call = 1e-6, profile.cpu.team_call = 1e-6;
        profile.cpu.team_thread = 1e-6;
        break;
    default:
        profile.gpu = fast_device;
        strcpy(profile.device, FAST_DEVICE);
        break;
    }
    return profile;
}

/* The times of boxes are sums and quotients of their figures. */
TEST(test_box_times) {
    const pmi_box_figures figures = {.call = 100,
                                     .thread_element = 2,
                                     .guess_element = 3,
                                     .shared_element = 5,
                                     .device_element = 7,
                                     .copy_element = 8};
    assert_true(fabs(pmi_box_host_time(&figures, 10, 1, 0.5) - 35) < 1e-9);
    assert_true(fabs(pmi_box_host_time(&figures, 10, 2, 0.5) - 67.5) < 1e-9);
    assert_true(fabs(pmi_box_device_time(&figures, 10, 4) - 190) < 1e-9);
}

/* Of equal times the plainer backend's counts; one without a time was not offered. */
TEST(test_best_of_equals) {
    const pmi_selection equal = {.ns = {5, 5, 5, 5}}, offered = {.ns = {5, 0, 4, 4}};
    assert_int_equal(pmi_selection_best(&equal, PM_BACKEND_GPU), PM_BACKEND_SEQ);
    assert_int_equal(pmi_selection_best(&offered, PM_BACKEND_GPU), PM_BACKEND_OMP);
    assert_int_equal(pmi_selection_best(&offered, PM_BACKEND_BROADWORD), PM_BACKEND_SEQ);
}

/* So are those of the backends: fixed times, times of threads, and times of elements, of which the first are cached. */
TEST(test_backend_times) {
    const pmi_figures cpu = {.seq_element = 2,
                             .call = 100,
                             .cached_element = 3,
                             .memory_element = 5,
                             .cached_elements = 10,
                             .team_call = 1000,
                             .team_thread = 7,
                             .shared_element = 11};
    const pmi_gpu_figures device = {.open = 1e9,
                                    .call = 10000,
                                    .upload_element = 2,
                                    .download_element = 3,
                                    .copy_element = 8,
                                    .launch = 13,
                                    .match_element = 17};
    const double n = PM_SELECT_GPU_MIN;
    const pmi_selection found = pmi_backend_select(&cpu, &device, PM_SELECT_GPU_MIN, 4);
    const pmi_selection few = pmi_backend_select(&cpu, &device, 4, 2);
    assert_true(fabs(found.ns[PM_BACKEND_SEQ] - 2 * n) < 1e-6);
    assert_true(fabs(found.ns[PM_BACKEND_BROADWORD] - (100 + 30 + (n - 10) * 5)) < 1e-6);
    assert_true(fabs(found.ns[PM_BACKEND_OMP] - (100 + 1000 + 4 * 7 + 30 + (n / 4 - 10) * 5 + n * 11)) < 1e-6);
    assert_true(fabs(found.ns[PM_BACKEND_GPU] - (10000 + n * (2 + 17 + 3 + 2))) < 1e-6);
    assert_true(fabs(few.ns[PM_BACKEND_BROADWORD] - 112) < 1e-6);
    assert_true(fabs(few.ns[PM_BACKEND_OMP] - (100 + 1000 + 14 + 6 + 44)) < 1e-6);
    assert_true(few.ns[PM_BACKEND_GPU] <= 0);
    assert_true(fabs(pmi_device_resident_time(&device, 10) - 183) < 1e-6);
}

TEST(test_gpu_only_by_its_figures) {
    const pmi_figures *const cpu = pmi_figures_shipped("portable");
    const size_t least = PM_SELECT_GPU_MIN;
    const pmi_selection selection = pmi_backend_select(cpu, &fast_device, least, 1);
    assert_int_equal(selection.backend, PM_BACKEND_GPU);
    assert_int_equal(pmi_selection_best(&selection, PM_BACKEND_OMP), PM_BACKEND_BROADWORD);
    assert_int_not_equal(pmi_backend_select(cpu, NULL, least, 1).backend, PM_BACKEND_GPU);
    assert_int_not_equal(pmi_backend_select(cpu, &fast_device, least - 1, 1).backend, PM_BACKEND_GPU);
}

/* One thread takes as long to copy the match as to make it, a hundred threads do not. */
TEST(test_device_by_threads) {
    pmi_figures cpu = *pmi_figures_shipped("portable");
    pmi_gpu_figures device = fast_device;
    cpu.team_thread = 1e9; /* no team, except for what the device brings */
    device.copy_element = 2 * cpu.memory_element;
    assert_int_equal(pmi_backend_select(&cpu, &device, PM_SELECT_GPU_MIN, 1).backend, PM_BACKEND_BROADWORD);
    assert_int_equal(pmi_backend_select(&cpu, &device, PM_SELECT_GPU_MIN, 100).backend, PM_BACKEND_GPU);
}

/* The shipped figures of a device behind a bus, beside those of CPUs, as docs/results/choosing.md has it. */
TEST(test_shipped_device) {
    const pmi_gpu_figures *const discrete = pmi_gpu_figures_shipped("discrete");
    const size_t n = (size_t)1 << 28;
    assert_int_equal(pmi_backend_select(pmi_figures_shipped("avx512-vbmi"), discrete, n, 1).backend,
                     PM_BACKEND_BROADWORD);
    assert_int_equal(pmi_backend_select(pmi_figures_shipped("avx512-vbmi"), discrete, n, 16).backend, PM_BACKEND_OMP);
    assert_int_equal(pmi_backend_select(pmi_figures_shipped("portable"), discrete, n, 1).backend, PM_BACKEND_GPU);
    assert_true(pmi_device_resident_time(discrete, n) <
                pmi_backend_select(pmi_figures_shipped("avx512-vbmi"), discrete, n, 16).ns[PM_BACKEND_OMP]);
}

/* Matches with a context whose figures are these, against the plain stack. */
static void check_match(pm_context *context, size_t n, const uint64_t *parens, uint32_t *match, uint32_t *expected) {
    pm_bic total, expected_total;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    memset(match, 0xa5, n * sizeof *match);
    assert_ok(pm_match_auto(context, parens, n, match, &total));
    assert_memory_equal(match, expected, n * sizeof *match);
    assert_memory_equal(&total, &expected_total, sizeof total);
}

TEST(test_right_by_any_figures) {
    static const size_t sizes[] = {1,
                                   63,
                                   64,
                                   PM_SELECT_MIN - 1,
                                   PM_SELECT_MIN,
                                   PM_SELECT_MIN + 1,
                                   2 * THREAD_ELEMENTS - 1,
                                   2 * THREAD_ELEMENTS,
                                   PM_SELECT_GPU_MIN - 1,
                                   PM_SELECT_GPU_MIN + 1};
    static const char *const families[] = {"bits", "deep", "closes", "zigzag"};
    const size_t most = PM_SELECT_GPU_MIN + 1;
    uint64_t *parens = malloc((most / 64 + 1) * sizeof *parens);
    uint32_t *match = malloc(most * sizeof *match), *expected = malloc(most * sizeof *match);
    assert_true(parens && match && expected);
    for (int backend = 0; backend < PM_BACKEND_COUNT; backend++) {
        pm_context *context = NULL;
        const pm_options options = {.threads = 2};
        assert_ok(pm_context_create(&options, &context));
        context->profiled = true;
        context->profile = profile_forcing((pmi_backend)backend);
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            assert_true(family_fill(families[s % 4], s, sizes[s], parens));
            check_match(context, sizes[s], parens, match, expected);
        }
        pm_context_destroy(context);
    }
    free(expected);
    free(match);
    free(parens);
}

/* A device that cannot be opened, here because memory is lacking, is not tried again. */
TEST(test_gpu_is_given_up) {
    const size_t n = PM_SELECT_GPU_MIN;
    uint64_t *parens = calloc(n / 64, sizeof *parens);
    uint32_t *match = malloc(n * sizeof *match), *expected = malloc(n * sizeof *match);
    assert_true(parens && match && expected);
    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    context->profiled = true;
    context->profile = profile_forcing(PM_BACKEND_GPU);
    context->threads = 1;
    pm_match_choice choice = {0};
    assert_ok(pm_match_explain(context, n, &choice));
    assert_string_equal(choice.backend, "gpu");
    faults.fail_at = faults.calls + 1;
    const bool allocates = pm_match_gpu(context, parens, 1, match, NULL) == PM_OUT_OF_MEMORY; /* unless built without */
    faults.fail_at = allocates ? faults.calls + 1 : 0;
    check_match(context, n, parens, match, expected);
    if (context->gpu_given_up) {
        assert_ok(pm_match_explain(context, n, &choice));
        assert_string_not_equal(choice.backend, "gpu");
        assert_true(choice.gpu_ns <= 0);
        check_match(context, n, parens, match, expected);
    }
    assert_true(context->gpu_given_up || context->gpu);
    context_close(context, &faults);
    free(expected);
    free(match);
    free(parens);
}

/* The device is opened when calls have missed it for as long as that takes, and no sooner; telling does not count. */
TEST(test_gpu_is_opened_late) {
    const size_t n = PM_SELECT_GPU_MIN, calls = 3;
    uint64_t *parens = calloc(n / 64, sizeof *parens);
    uint32_t *match = malloc(n * sizeof *match), *expected = malloc(n * sizeof *match);
    assert_true(parens && match && expected);
    pm_context *context = NULL;
    const pm_options options = {.threads = 1};
    assert_ok(pm_context_create(&options, &context));
    context->profiled = true;
    context->profile = profile_forcing(PM_BACKEND_GPU);
    const pmi_selection selection = pmi_backend_select(&context->profile.cpu, &fast_device, n, 1);
    context->profile.gpu.open =
        ((double)calls + .5) * (selection.ns[PM_BACKEND_BROADWORD] - selection.ns[PM_BACKEND_GPU]);
    pm_match_choice choice = {0};
    for (size_t call = 0; call < calls; call++) {
        for (int twice = 0; twice < 2; twice++) {
            assert_ok(pm_match_explain(context, n, &choice));
            assert_string_equal(choice.backend, "broadword");
            assert_non_null(strstr(choice.reason, "opening it would take longer"));
            assert_true(choice.gpu_ns > 0 && choice.gpu_ns < choice.broadword_ns && choice.gpu_resident_ns > 0);
        }
        check_match(context, n, parens, match, expected);
        check_match(context, n / 2, parens, match, expected); /* short: does not miss it */
        assert_true(!context->gpu && !context->gpu_given_up);
    }
    assert_ok(pm_match_explain(context, n, &choice));
    assert_string_equal(choice.backend, "gpu");
    check_match(context, n, parens, match, expected);
    assert_true(context->gpu || context->gpu_given_up);
    assert_ok(pm_match_explain(context, n, &choice));
    assert_non_null(strstr(choice.reason, context->gpu ? "another device" : "has failed"));
    assert_string_equal(choice.backend, "broadword");
    pm_context_destroy(context);
    free(expected);
    free(match);
    free(parens);
}

TEST(test_explain_pace) {
    const size_t n = 64 * THREAD_ELEMENTS;
    pm_context *context = NULL;
    const pm_options options = {.threads = 4};
    assert_ok(pm_context_create(&options, &context));
    pm_match_choice choice = {0};
    assert_ok(pm_match_explain(context, n, &choice));
    const bool teams = choice.threads > 1; /* not in a build without OpenMP */
    pmi_thread_backoff_team_took(&context->backoff, 1e9, 1);
    assert_ok(pm_match_explain(context, n, &choice));
    assert_string_equal(choice.backend, "broadword");
    assert_int_equal(strstr(choice.reason, "waited for each other") != NULL, teams);
    pmi_thread_backoff_thread_worked(&context->backoff, 1e12);
    assert_ok(pm_match_explain(context, n, &choice));
    assert_int_equal(choice.threads > 1, teams);
    pm_context_destroy(context);
}

TEST(test_out_of_memory) {
    enum {
        N = 1 << 17
    };
    static uint64_t parens[N / 64];
    static uint32_t match[N];
    for (unsigned threads = 1; threads <= 2; threads++) {
        fault_allocator faults = {0};
        pm_context *context = context_with(&faults);
        context->threads = threads;
        faults.fail_at = faults.calls + 1;
        assert_int_equal(pm_match_auto(context, parens, N, match, NULL), PM_OUT_OF_MEMORY);
        assert_ok(pm_match_auto(context, parens, N, match, NULL));
        context_close(context, &faults);
    }
}

TEST(test_bad_arguments) {
    uint64_t word = 0;
    uint32_t match = 0;
    pm_match_choice choice = {0};
    assert_invalid(pm_match_auto(NULL, NULL, PM_SELECT_MIN, &match, NULL));
    assert_invalid(pm_match_auto(NULL, &word, PM_SELECT_MIN, NULL, NULL));
    assert_int_equal(pm_match_auto(NULL, &word, (size_t)PM_N_MAX + 1, &match, NULL), PM_TOO_LARGE);
    assert_invalid(pm_match_explain(NULL, 1, NULL));
    assert_int_equal(pm_match_explain(NULL, (size_t)PM_N_MAX + 1, &choice), PM_TOO_LARGE);
}

TEST(test_explain_struct_sizes) {
    union {
        pm_match_choice known;
        unsigned char bytes[sizeof(pm_match_choice) + 32];
    } choice;
    for (size_t size = 0; size <= sizeof choice; size++) {
        memset(choice.bytes, 0x5a, sizeof choice);
        choice.known.struct_size = size;
        const size_t known = size == 0 || size > sizeof choice.known ? sizeof choice.known : size;
        const bool fits = size == 0 || size >= offsetof(pm_match_choice, reason) + sizeof choice.known.reason;
        assert_int_equal(pm_match_explain(NULL, 100, &choice.known), fits ? PM_OK : PM_INVALID_ARGUMENT);
        assert_int_equal(choice.known.struct_size, size);
        for (size_t i = fits ? known : sizeof size; i < sizeof choice; i++)
            assert_int_equal(choice.bytes[i], 0x5a);
    }
}

TEST(test_explain) {
    pm_context *context = NULL;
    const pm_options options = {.threads = 1, .simd = "portable"};
    assert_ok(pm_context_create(&options, &context));
    for (size_t n = 0; n <= PM_N_MAX; n = next_size(n < 10 ? n + 1 : n)) {
        pm_match_choice choice = {.struct_size = sizeof choice};
        assert_ok(pm_match_explain(context, n, &choice));
        const bool seq = strcmp(choice.backend, "seq") == 0;
        assert_true(seq || strcmp(choice.backend, "broadword") == 0);
        assert_string_equal(choice.simd, seq ? "none" : "portable");
        assert_int_equal(choice.threads, 1);
        assert_false(choice.profiled);
        assert_true(choice.omp_ns <= 0 && choice.gpu_ns <= 0);
        assert_true(isfinite(choice.seq_ns) && isfinite(choice.broadword_ns));
        assert_true(strlen(choice.reason) > 0 && !strchr(choice.reason, '\n'));
    }
    pm_context_destroy(context);
}
