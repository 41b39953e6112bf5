/* SPDX-License-Identifier: Apache-2.0 */
/* Names and descriptions. */
#include "gpu/device/settings.h"

#include <string.h>

#include "parenmatch.h"

static const pm_pipeline_info pipelines[] = {
#define PM_PIPELINE_ROW(id, name, description) {name, description},
    PM_PIPELINE_LIST(PM_PIPELINE_ROW)
#undef PM_PIPELINE_ROW
};

const pm_pipeline_info *pm_pipeline_at(size_t index) {
    return index < PM_PIPELINES ? &pipelines[index] : NULL;
}

bool pmi_pipeline_by_name(const char *name, pmi_pipeline_id *id) {
    for (unsigned k = 0; k < PM_PIPELINES; k++)
        if (strcmp(name, pipelines[k].name) == 0) {
            *id = (pmi_pipeline_id)k;
            return true;
        }
    return false;
}
