/* SPDX-License-Identifier: Apache-2.0 */
/* Shaders from files. */
#include "bench/gpu/variant.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/stop.h"

enum {
    PATH_MOST = 1024,
    WORDS_MOST = 1 << 20
};

uint32_t *gpu_variant_read(const pmi_device *device, const char *folder, const char *name, size_t *bytes) {
    const char *const teams = device->can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup";
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/%s_%s.spv", folder, name, teams);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return NULL;
    uint32_t *const words = malloc(WORDS_MOST * sizeof *words);
    if (!words)
        stop("memory", "none");
    const size_t count = fread(words, sizeof *words, WORDS_MOST, file);
    if (count == 0 || count == WORDS_MOST || ferror(file))
        stop(path, "not read");
    fclose(file);
    *bytes = count * sizeof *words;
    return words;
}

void gpu_variant_create(const pmi_device *device, const char *folder, pmi_pipeline *pipeline) {
    static const char *const names[PM_LEVELS_SHADERS] = {[PM_LEVELS_REDUCE] = "levels_reduce",
                                                         [PM_LEVELS_SCAN] = "levels_scan",
                                                         [PM_LEVELS_MATCH] = "levels_match",
                                                         [PM_LEVELS_MATCH_SHORT] = "levels_match_short"};
    unsigned found = 0;
    if (pmi_pipeline_create(device, PM_PIPELINE_LEVELS, pipeline) != PM_OK)
        stop(folder, "no pipeline");
    for (unsigned which = 0; which < PM_LEVELS_SHADERS; which++) {
        size_t bytes;
        uint32_t *const words = gpu_variant_read(device, folder, names[which], &bytes);
        if (!words)
            continue;
        const pmi_shader shader = {words, bytes};
        const pm_status status = pmi_levels_replace_shader(device, &pipeline->levels, (pmi_levels_shader)which, shader);
        if (status != PM_OK)
            stop(names[which], pm_status_string(status));
        free(words);
        found++;
    }
    if (found == 0)
        stop(folder, "no shaders of levels for this device there");
}
