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

/* Words read; 0 if there is no such file. */
static size_t words_read(const char *path, uint32_t *words) {
    FILE *const file = fopen(path, "rb");
    if (!file)
        return 0;
    const size_t count = fread(words, sizeof *words, WORDS_MOST, file);
    if (count == 0 || count == WORDS_MOST || ferror(file))
        stop(path, "not read");
    fclose(file);
    return count;
}

void gpu_variant_create(const pm_device *device, const char *folder, pm_pipeline *pipeline) {
    static const char *const names[PM_WIDE_SHADERS] = {[PM_WIDE_REDUCE] = "reduce",
                                                       [PM_WIDE_SCAN] = "scan",
                                                       [PM_WIDE_MATCH] = "match",
                                                       [PM_WIDE_MATCH_SHORT] = "match_short"};
    const char *const teams = device->can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup";
    uint32_t *const words = malloc(WORDS_MOST * sizeof *words);
    unsigned found = 0;
    if (!words)
        stop("memory", "none");
    if (pm_pipeline_create(device, PM_PIPELINE_WIDE, pipeline) != PM_OK)
        stop(folder, "no pipeline");
    for (unsigned which = 0; which < PM_WIDE_SHADERS; which++) {
        char path[PATH_MOST];
        snprintf(path, sizeof path, "%s/wide_%s_%s.spv", folder, names[which], teams);
        const size_t count = words_read(path, words);
        if (count == 0)
            continue;
        const pm_shader shader = {words, count * sizeof *words};
        const pm_status status = pm_wide_exchange(device, &pipeline->wide, (pm_wide_shader)which, shader);
        if (status != PM_OK)
            stop(path, pm_status_string(status));
        found++;
    }
    if (found == 0)
        stop(folder, "no shaders of wide for this device there");
    free(words);
}
