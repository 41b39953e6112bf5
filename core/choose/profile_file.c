/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text: a line for each thing that the profile holds for, a line "NAME NUMBER" for each figure, the same of a
 * device if there is one, and "end". Numbers are whole and count millionths, so that no locale matters and nothing can
 * be infinite or no number.
 */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "core/choose/profile_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"

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

size_t pmi_profile_format(const char *simd, const pmi_profile *profile, char text[PM_PROFILE_SIZE]) {
    size_t length = format_head(simd, text);
#define FORMAT(from, name, max)                                                                                        \
    length += (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, name " %" PRIu64 "\n", to_number(from, max));
#define FORMAT_CPU(field, name, max) FORMAT(profile->cpu.field, name, max)
#define FORMAT_GPU(field, name, max) FORMAT(profile->gpu.field, name, max)
#define FORMAT_BOX(field, name, max) FORMAT(profile->box.field, name, max)
    PM_FIGURE_MAP(FORMAT_CPU)
    if (*profile->device) {
        length += (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, "device %s\n", profile->device);
        PM_GPU_FIGURE_MAP(FORMAT_GPU)
        PM_BOX_FIGURE_MAP(FORMAT_BOX)
    }
#undef FORMAT_BOX
#undef FORMAT_GPU
#undef FORMAT_CPU
#undef FORMAT
    length += (size_t)snprintf(text + length, PM_PROFILE_SIZE - length, "end\n");
    return length;
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
static bool parse_figure(const char **at, const char *name, double max, double *figure) {
    if (!expect(at, name) || !expect(at, " ") || **at == '0')
        return false;
    double number = 0;
    const char *const begin = *at;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        number = 10 * number + (**at - '0');
        if (number > max * MILLION)
            return false;
    }
    *figure = number / MILLION;
    return *at > begin && expect(at, "\n");
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
    bool fine = expect(&at, head);
#define PARSE_CPU(field, name, max) fine = fine && parse_figure(&at, name, max, &found.cpu.field);
#define PARSE_GPU(field, name, max) fine = fine && parse_figure(&at, name, max, &found.gpu.field);
#define PARSE_BOX(field, name, max) fine = fine && parse_figure(&at, name, max, &found.box.field);
    PM_FIGURE_MAP(PARSE_CPU)
    if (fine && *at == 'd') {
        fine = parse_device(&at, found.device);
        PM_GPU_FIGURE_MAP(PARSE_GPU)
        PM_BOX_FIGURE_MAP(PARSE_BOX)
    }
#undef PARSE_BOX
#undef PARSE_GPU
#undef PARSE_CPU
    fine = fine && expect(&at, "end\n") && at == text + n;
    if (fine)
        *profile = found;
    return fine;
}

pm_status pmi_profile_write(const pm_allocator *allocator, const char *path, const char *simd,
                            const pmi_profile *profile) {
    char text[PM_PROFILE_SIZE];
    const size_t length = pmi_profile_format(simd, profile, text);
    return pmi_atomic_file_replace(allocator, path, &(pmi_kept_piece){text, length}, 1);
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
