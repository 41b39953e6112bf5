/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: as files, whole and damaged, and measured. */
#define _POSIX_C_SOURCE 200809L /* mkfifo, symlink */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arguments.h"
#include "core/choose/profile.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

#define DEVICE "0123456789abcdef0123456789abcdef-00000001" /* nobody has it */
#define PROFILE "test_profile.profile"

static void write_file(const char *bytes, size_t n) {
    FILE *const file = fopen(PROFILE, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Its state, as a context that is created with the file sees it. */
static bool file_is_used(const char *simd) {
    pm_context *context = NULL;
    const pm_options options = {.profile = PROFILE, .simd = simd};
    pm_match_choice choice = {0};
    assert_ok(pm_context_create(&options, &context));
    assert_ok(pm_match_explain(context, PM_SELECT_MIN, &choice));
    assert_true(choice.profiled || strstr(choice.reason, "profile is damaged"));
    pm_context_destroy(context);
    return choice.profiled;
}

static bool profiles_are_near(const pmi_profile *a, const pmi_profile *b) {
    bool near = strcmp(a->device, b->device) == 0;
#define NEAR(field, name, most) near = near && fabs(a->cpu.field - b->cpu.field) <= 1e-6;
    PM_FIGURE_MAP(NEAR)
#undef NEAR
#define NEAR(field, name, most) near = near && fabs(a->gpu.field - b->gpu.field) <= 1e-6;
    PM_GPU_FIGURE_MAP(NEAR)
#undef NEAR
#define NEAR(field, name, most) near = near && fabs(a->box.field - b->box.field) <= 1e-6;
    PM_BOX_FIGURE_MAP(NEAR)
#undef NEAR
    return near;
}

/* Returns how many SIMD targets the library was compiled for. */
static size_t simd_count(void) {
    size_t count = 0;
    while (pm_simd_at(count))
        count++;
    return count;
}

static pmi_profile profile_at(size_t index, bool device) {
    pmi_profile profile = {.cpu = *pmi_figures_shipped(pm_simd_at(index)->name), .device = ""};
    if (device) {
        strcpy(profile.device, DEVICE);
        profile.gpu = *pmi_gpu_figures_shipped("discrete");
        double figure = .125;
#define SET(field, name, most) profile.box.field = figure += 1;
        PM_BOX_FIGURE_MAP(SET)
#undef SET
    }
    return profile;
}

TEST(test_profile_there_and_back) {
    char text[PM_PROFILE_SIZE], again[PM_PROFILE_SIZE];
    for (size_t index = 0; index < 2 * simd_count(); index++) {
        const char *const simd = pm_simd_at(index / 2)->name;
        const pmi_profile profile = profile_at(index / 2, index % 2 == 1);
        pmi_profile read = {.device = "x"};
        const size_t n = pmi_profile_format(simd, &profile, text);
        assert_int_equal(n, strlen(text));
        assert_true(pmi_profile_parse(simd, text, n, &read));
        assert_true(profiles_are_near(&read, &profile));
        assert_int_equal(pmi_profile_format(simd, &read, again), n);
        assert_memory_equal(text, again, n);
        assert_false(pmi_profile_parse("abacus", text, n, &read)); /* of other instructions */
    }
}

/* Whatever is measured can be read. */
TEST(test_profile_of_wild_figures) {
    static const double wild[] = {0, -1, 1e-300, 1e300, (double)INFINITY, -(double)INFINITY, (double)NAN};
    for (size_t w = 0; w < COUNT_OF(wild); w++) {
        char text[PM_PROFILE_SIZE];
        pmi_profile profile = {.device = DEVICE};
#define SET(field, name, most) profile.cpu.field = wild[w];
        PM_FIGURE_MAP(SET)
#undef SET
#define SET(field, name, most) profile.gpu.field = wild[w];
        PM_GPU_FIGURE_MAP(SET)
#undef SET
#define SET(field, name, most) profile.box.field = wild[w];
        PM_BOX_FIGURE_MAP(SET)
#undef SET
        assert_true(pmi_profile_parse("avx2", text, pmi_profile_format("avx2", &profile, text), &profile));
        for (size_t n = PM_SELECT_MIN; n <= PM_N_MAX; n += n / 7)
            for (unsigned threads = 1; threads <= 1024; threads *= 2) {
                const pmi_selection selection = pmi_backend_select(&profile.cpu, &profile.gpu, n, threads);
                for (int b = 0; b < PM_BACKEND_COUNT; b++)
                    assert_true(isfinite(selection.ns[b]));
                assert_true(isfinite(pmi_box_host_time(&profile.box, n, threads, .5)));
                assert_true(isfinite(pmi_box_device_time(&profile.box, n, threads)));
            }
    }
}

static bool is_hexadecimal(int byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || byte == '-';
}

/* A byte more, less or another one is noticed, but where one digit takes another's place. */
static void check_small_damage(const char *simd, const char *text, size_t n) {
    char damaged[PM_PROFILE_SIZE + 1];
    pmi_profile profile;
    for (size_t cut = 0; cut < n; cut++) {
        memcpy(damaged, text, cut);
        damaged[cut] = '\0';
        assert_false(pmi_profile_parse(simd, damaged, cut, &profile));
    }
    static const char bytes[] = {'\0', '\n', ' ', '+', '-', '.', '0', '5', '9', 'a', 'f', 'g', '\x7f', '\xff'};
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < sizeof bytes; b++) {
            memcpy(damaged, text, n + 1);
            damaged[i] = bytes[b];
            if (pmi_profile_parse(simd, damaged, n, &profile))
                assert_true(damaged[i] == text[i] || (is_hexadecimal(text[i]) && is_hexadecimal(bytes[b])));
        }
}

TEST(test_damaged_profiles) {
    char text[PM_PROFILE_SIZE], damaged[PM_PROFILE_SIZE + 1];
    const char *const simd = "portable";
    for (int device = 0; device < 2; device++) {
        const pmi_profile profile = profile_at(simd_count() - 1, device);
        const size_t n = pmi_profile_format(simd, &profile, text);
        check_small_damage(simd, text, n);
        uint64_t seed = 1;
        for (unsigned round = 0; round < 3000; round++) { /* several bytes at a time, and text moved about */
            memcpy(damaged, text, n + 1);
            const size_t from = random_below(&seed, n), to = random_below(&seed, n);
            const size_t length = random_below(&seed, n - (from > to ? from : to)) + 1;
            memmove(damaged + to, text + from, length);
            pmi_profile read = {.gpu.call = 7};
            if (pmi_profile_parse(simd, damaged, n, &read))
                assert_true(read.cpu.seq_element > 0 && read.cpu.cached_element > 0 &&
                            (*read.device ? read.gpu.call > 0 : read.gpu.call <= 0));
            else
                assert_true(read.gpu.call >= 7); /* left alone */
        }
    }
}

/* A key that is too long, or none. */
TEST(test_device_keys) {
    char text[PM_PROFILE_SIZE], edited[PM_PROFILE_SIZE];
    const pmi_profile profile = profile_at(0, true);
    pmi_profile read;
    pmi_profile_format(pm_simd_at(0)->name, &profile, text);
    char *const key = strstr(text, DEVICE);
    assert_non_null(key);
    static const char *const keys[] = {"", "0123456789abcdef0123456789abcdef-0123456789abcdef", "0123 4567", "K"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        const int n =
            snprintf(edited, sizeof edited, "%.*s%s%s", (int)(key - text), text, keys[k], key + strlen(DEVICE));
        assert_false(pmi_profile_parse(pm_simd_at(0)->name, edited, (size_t)n, &read));
    }
}

TEST(test_profile_files) {
    char text[PM_PROFILE_SIZE];
    static char zeros[PM_PROFILE_SIZE + 100];
    const pmi_profile profile = {.cpu = *pmi_figures_shipped("portable"), .device = ""};
    const size_t n = pmi_profile_format("portable", &profile, text);
    write_file(text, n);
    assert_true(file_is_used("portable"));
    assert_true(simd_count() == 1 || !file_is_used(NULL) || strcmp(pm_simd_at(0)->name, "portable") == 0);
    write_file(text, n - 1);
    assert_false(file_is_used("portable"));
    write_file("", 0);
    assert_false(file_is_used("portable"));
    write_file(zeros, sizeof zeros);
    assert_false(file_is_used("portable"));
    remove(PROFILE);

    pm_context *context = NULL;
    const pm_options options = {.profile = PROFILE}, none = {.profile = ""};
    pm_match_choice choice = {0};
    assert_ok(pm_context_create(&options, &context));
    assert_ok(pm_match_explain(context, PM_SELECT_MIN, &choice));
    assert_false(choice.profiled || strstr(choice.reason, "profile"));
    pm_context_destroy(context);
    assert_ok(pm_context_create(&none, &context));
    pm_context_destroy(context);
}

/* A pipe that nobody writes to is no profile, and not waited for. */
TEST(test_a_pipe_for_a_profile) {
    remove(PROFILE);
    assert_int_equal(mkfifo(PROFILE, 0600), 0);
    alarm(60);
    pm_context *context = NULL;
    const pm_options options = {.profile = PROFILE, .simd = "portable"};
    pm_match_choice choice = {0};
    assert_ok(pm_context_create(&options, &context));
    assert_ok(pm_match_explain(context, PM_SELECT_MIN, &choice));
    assert_false(choice.profiled);
    pm_context_destroy(context);
    assert_int_equal(pm_profile_measure(NULL, 0, PROFILE), PM_IO); /* nor is it replaced by one */
    alarm(0);
    struct stat status;
    assert_int_equal(stat(PROFILE, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    remove(PROFILE);
}

/* What is no profile is not replaced by one, nor is a link. */
TEST(test_other_files) {
    write_file("my only copy of a poem", 22);
    assert_int_equal(pm_profile_measure(NULL, 0, PROFILE), PM_IO);
    struct stat status;
    assert_int_equal(stat(PROFILE, &status), 0);
    assert_int_equal(status.st_size, 22);
    remove(PROFILE);
    assert_int_equal(symlink(PROFILE ".target", PROFILE), 0);
    assert_int_equal(pm_profile_measure(NULL, 0, PROFILE), PM_IO);
    assert_int_not_equal(stat(PROFILE ".target", &status), 0);
    remove(PROFILE);
}

TEST(test_measuring) {
    const char *const simd = "portable";
    for (unsigned threads = 1; threads <= 2; threads++) {
        fault_allocator faults = {0};
        pm_context *context = NULL;
        const pm_options options = {.allocator = fault_allocator_functions(&faults), .threads = threads, .simd = simd};
        assert_ok(pm_context_create(&options, &context));
        for (size_t failing = 1; failing <= 3; failing++) {
            faults.fail_at = faults.calls + failing;
            assert_int_equal(pm_profile_measure(context, 0, PROFILE), PM_OUT_OF_MEMORY);
        }
        faults.fail_at = 0;
        assert_ok(pm_profile_measure(context, 0, PROFILE));
        assert_true(file_is_used(simd));
        assert_int_equal(pm_profile_measure(context, 0, "no/such/folder"), PM_IO);
        context_close(context, &faults);
    }
    remove(PROFILE);
    assert_invalid(pm_profile_measure(NULL, 0, NULL));
    assert_invalid(pm_profile_measure(NULL, -1, PROFILE));
    assert_invalid(pm_profile_measure(NULL, (double)NAN, PROFILE));
}
