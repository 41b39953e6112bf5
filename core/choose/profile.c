/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped figures, and profiles as files. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "core/choose/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"

/* ---- Shipped figures, by vector instructions: other differences between CPUs matter less ---- */

/*
 * docs/design/choosing.md says how they were measured ("Shipped figures"). One thread: means over ten
 * families on Xeons, AVX-512 with results of the files in bench/results/, NEON taken for as fast as SSSE3, which has
 * vectors of the same size. Threads: of the sixteen cores' 2, 4, 8 and 16 threads, at 2^24, each takes as much longer
 * than its share as shared_element says, to within a third of it; two teams of two take 2 us. The plain stack: the mean
 * of 0.7 to 6 ns; it is worth its while below PM_SELECT_MIN only.
 */
#define SHIPPED(cached, memory)                                                                                        \
    {                                                                                                                  \
        .seq_element = 2.6, .call = 100, .cached_element = (cached), .memory_element = (memory),                       \
        .cached_elements = 1 << 18, .team_call = 1000, .team_thread = 500, .shared_element = .011                      \
    }

static const struct {
    const char *simd;
    pmi_figures figures;
} shipped[] = {
    {"portable", SHIPPED(.92, 1.8)}, /* first: also for names that are not in the table */
    {"avx512-vbmi", SHIPPED(.15, .19)}, {"avx512bw", SHIPPED(.32, .37)}, {"avx2", SHIPPED(.32, .37)},
    {"sse4", SHIPPED(.70, .78)},        {"ssse3", SHIPPED(.91, 1.24)},   {"neon", SHIPPED(.91, 1.24)},
};

const pmi_figures *pmi_figures_shipped(const char *simd) {
    for (size_t i = 1; i < sizeof shipped / sizeof *shipped; i++)
        if (strcmp(shipped[i].simd, simd) == 0)
            return &shipped[i].figures;
    return &shipped[0].figures;
}

/*
 * Of a discrete GPU, behind a bus: one NVIDIA H200 (docs/results/choosing.md). Threads of the host copy the match from
 * where the bus leaves it, and unless there are many, that takes longer than the bus and the matching together, so that
 * other such devices will hardly differ. A short call's transfers hardly count. Of other kinds only a software renderer
 * was measured, which never is the fastest.
 */
static const pmi_gpu_figures discrete = {.open = 5e8,
                                         .call = 5.3e4,
                                         .upload_element = .012,
                                         .download_element = .055,
                                         .copy_element = .46,
                                         .launch = 5.3e4,
                                         .match_element = .0015};

const pmi_gpu_figures *pmi_gpu_figures_shipped(const char *kind) {
    return strcmp(kind, "discrete") == 0 ? &discrete : NULL;
}

/*
 * ---- Profiles ----
 *
 * The text: a line for each thing that the profile holds for, a line "NAME NUMBER" for each figure, the same of a
 * device if there is one, and "end". Numbers are whole and count millionths, so that no locale matters and nothing can
 * be infinite or no number.
 */

#define CPU_NAME_SIZE 128

/* Stores the name that Linux reports for the first CPU; "unknown" on other systems. */
static void find_cpu(char name[CPU_NAME_SIZE]) {
    strcpy(name, "unknown");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    for (char line[CPU_NAME_SIZE]; fgets(line, sizeof line, file);)
        if (sscanf(line, "model name : %127[^\n]", name) == 1)
            break;
    fclose(file);
}

/* What the profile holds for. */
static size_t format_head(const char *simd, char text[PM_PROFILE_SIZE]) {
    char cpu[CPU_NAME_SIZE];
    find_cpu(cpu);
    const int length =
        snprintf(text, PM_PROFILE_SIZE, "parenmatch profile 4\nlibrary %s\ncpu %s\nprocessors %ld\ninstructions %s\n",
                 pm_version_string(), cpu, sysconf(_SC_NPROCESSORS_ONLN), simd);
    return (size_t)length;
}

#define MILLION 1e6

/* Between the least number that can be written and the greatest that makes sense. */
static uint64_t to_number(double figure, double max) {
    const double number = (figure < max ? figure : max) * MILLION;
    return number > 1 ? (uint64_t)(number + .5) : 1;
}

/* Where a figure is in a profile, its name, and its greatest plausible value. */
typedef struct figure {
    size_t offset;
    const char *name;
    double max;
} figure;

#define CPU_FIGURE(field, name, max) {offsetof(pmi_profile, cpu.field), name, max},
#define GPU_FIGURE(field, name, max) {offsetof(pmi_profile, gpu.field), name, max},
#define BOX_FIGURE(field, name, max) {offsetof(pmi_profile, box.field), name, max},

static const figure cpu_figures[] = {PM_FIGURE_MAP(CPU_FIGURE)};
static const figure device_figures[] = {PM_GPU_FIGURE_MAP(GPU_FIGURE) PM_BOX_FIGURE_MAP(BOX_FIGURE)};

#define CPU_FIGURES (sizeof cpu_figures / sizeof *cpu_figures)
#define DEVICE_FIGURES (sizeof device_figures / sizeof *device_figures)

static size_t format_figures(const figure *figures, size_t count, const pmi_profile *profile, size_t length,
                             char text[PM_PROFILE_SIZE]) {
    for (const figure *f = figures; f < figures + count; f++) {
        const double value = *(const double *)(const void *)((const char *)profile + f->offset);
        length += (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, "%s %" PRIu64 "\n", f->name,
                                   to_number(value, f->max));
    }
    return length;
}

size_t pmi_profile_format(const char *simd, const pmi_profile *profile, char text[PM_PROFILE_SIZE]) {
    size_t length = format_figures(cpu_figures, CPU_FIGURES, profile, format_head(simd, text), text);
    if (*profile->device) {
        length += (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, "device %s\n", profile->device);
        length = format_figures(device_figures, DEVICE_FIGURES, profile, length, text);
    }
    return length + (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, "end\n");
}

/* Moves *at past the expected text; false if it is not there. */
static bool expect(const char **at, const char *expected) {
    const size_t length = strlen(expected);
    if (strncmp(*at, expected, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Reads "NAME NUMBER\n", a number of at least 1 in the one way to write it. */
static bool parse_figure(const char **at, const figure *f, pmi_profile *profile) {
    if (!expect(at, f->name) || !expect(at, " ") || **at == '0')
        return false;
    double number = 0;
    const char *const begin = *at;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        number = 10 * number + (**at - '0');
        if (number > f->max * MILLION)
            return false;
    }
    *(double *)(void *)((char *)profile + f->offset) = number / MILLION;
    return *at > begin && expect(at, "\n");
}

static bool parse_figures(const char **at, const figure *figures, size_t count, pmi_profile *profile) {
    size_t k = 0;
    while (k < count && parse_figure(at, &figures[k], profile))
        k++;
    return k == count;
}

/* Reads "device KEY\n". */
static bool parse_device(const char **at, char device[PM_DEVICE_KEY_SIZE]) {
    if (!expect(at, "device "))
        return false;
    const size_t length = strspn(*at, "0123456789abcdef-");
    if (length == 0 || length >= PM_DEVICE_KEY_SIZE)
        return false;
    memcpy(device, *at, length);
    device[length] = '\0';
    *at += length;
    return expect(at, "\n");
}

bool pmi_profile_parse(const char *simd, const char *text, size_t n, pmi_profile *profile) {
    char head[PM_PROFILE_SIZE];
    format_head(simd, head);
    const char *at = text;
    pmi_profile found = {.device = ""};
    bool fine = expect(&at, head) && parse_figures(&at, cpu_figures, CPU_FIGURES, &found);
    if (fine && *at == 'd')
        fine = parse_device(&at, found.device) && parse_figures(&at, device_figures, DEVICE_FIGURES, &found);
    fine = fine && expect(&at, "end\n") && at == text + n;
    if (fine)
        *profile = found;
    return fine;
}

pm_status pmi_profile_write(const pm_allocator *allocator, const char *path, const char *simd,
                            const pmi_profile *profile) {
    char text[PM_PROFILE_SIZE];
    const size_t length = pmi_profile_format(simd, profile, text);
    return pmi_atomic_file_replace(allocator, path, "parenmatch profile ", &(pmi_kept_piece){text, length}, 1);
}

pm_status pmi_profile_read(const char *path, const char *simd, pmi_profile *profile) {
    char text[PM_PROFILE_SIZE + 1];
    FILE *const file = pmi_atomic_file_open(path);
    if (!file)
        return PM_IO;
    const size_t n = fread(text, 1, PM_PROFILE_SIZE, file); /* a longer file lacks its end */
    fclose(file);
    text[n] = '\0';
    return pmi_profile_parse(simd, text, n, profile) ? PM_OK : PM_CORRUPT;
}
