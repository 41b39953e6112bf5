/* SPDX-License-Identifier: Apache-2.0 */
/* Shaders from files. */
#include "bench/gpu_variant.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/stop.h"

enum {
    PATH_MOST = 1024,
    WORDS_MOST = 1 << 20
};

uint32_t *gpu_variant_read(const pm_device *device, const char *folder, const char *name, size_t *bytes) {
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

void gpu_variant_create(const pm_device *device, const char *folder, pm_pipeline *pipeline) {
    static const char *const names[PM_WIDE_SHADERS] = {[PM_WIDE_REDUCE] = "wide_reduce",
                                                       [PM_WIDE_SCAN] = "wide_scan",
                                                       [PM_WIDE_MATCH] = "wide_match",
                                                       [PM_WIDE_MATCH_SHORT] = "wide_match_short"};
    unsigned found = 0;
    if (pm_pipeline_create(device, PM_PIPELINE_WIDE, pipeline) != PM_OK)
        stop(folder, "no pipeline");
    for (unsigned which = 0; which < PM_WIDE_SHADERS; which++) {
        size_t bytes;
        uint32_t *const words = gpu_variant_read(device, folder, names[which], &bytes);
        if (!words)
            continue;
        const pm_shader shader = {words, bytes};
        const pm_status status = pm_wide_exchange(device, &pipeline->wide, (pm_wide_shader)which, shader);
        if (status != PM_OK)
            stop(names[which], pm_status_string(status));
        free(words);
        found++;
    }
    if (found == 0)
        stop(folder, "no shaders of wide for this device there");
}
