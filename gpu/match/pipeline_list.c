/* SPDX-License-Identifier: Apache-2.0 */
/* Names and descriptions, as the public functions tell them. */
#include "gpu/match/pipeline_list.h"

#include <string.h>

#include "parenmatch.h"

static const struct {
    const char *name, *description;
} pipelines[] = {
#define PM_PIPELINE_ROW(id, name, description) {name, description},
    PM_PIPELINE_LIST(PM_PIPELINE_ROW)
#undef PM_PIPELINE_ROW
};

size_t pm_pipeline_count(void) {
    return PM_PIPELINES;
}

const char *pm_pipeline_name(size_t index) {
    return index < PM_PIPELINES ? pipelines[index].name : NULL;
}

const char *pm_pipeline_description(size_t index) {
    return index < PM_PIPELINES ? pipelines[index].description : NULL;
}

bool pmi_pipeline_by_name(const char *name, pmi_pipeline_id *id) {
    for (unsigned k = 0; k < PM_PIPELINES; k++)
        if (strcmp(name, pipelines[k].name) == 0) {
            *id = (pmi_pipeline_id)k;
            return true;
        }
    return false;
}
