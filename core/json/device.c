/* SPDX-License-Identifier: Apache-2.0 */
/* Making the index of a JSON text on a device. The first fault of a wrong text is found here, as for pm_json_read(). */
#include "core/context/context.h"
#include "core/json/json.h"
#include "gpu/gpu.h"

/* Room for the partners of brackets, whose numbers begin with 1. */
static uint32_t *partners_reserve(void *user, uint32_t brackets) {
    pm_json *const json = user;
    return pmi_json_reserve_partners(json, 0, (size_t)brackets + 1) ? json->partners + 1 : NULL;
}

static pm_status read_on_device(pm_context *context, pm_json *json, const char *text, uint32_t n) {
    const pm_status status = pmi_context_gpu_open(context);
    if (status != PM_OK || n == 0)
        return status == PM_OK ? PM_CORRUPT : status;
    if (!pmi_json_reserve_words(json, pmi_json_words(n)))
        return PM_OUT_OF_MEMORY;
    pmi_gpu_json found = {.tokens = json->found.tokens,
                          .brackets = json->found.brackets,
                          .before = json->found.before,
                          .partners = partners_reserve,
                          .user = json};
    const pm_status read = pmi_gpu_json_index(context->gpu, text, n, &found);
    json->token_count = found.token_count;
    return read;
}

pm_status pm_json_read_gpu(pm_context *context, pm_json *json, const char *text, size_t n, pm_diagnostic *fault) {
    if (!context || !json || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    json->n = json->token_count = 0;
    if (n > PM_JSON_BYTES_MAX)
        return PM_TOO_LARGE;
    return pmi_json_finish(json, read_on_device(context, json, text, (uint32_t)n), text, n, fault);
}

pm_status pm_json_create_gpu(pm_context *context, const char *text, size_t n, pm_diagnostic *fault, pm_json **json) {
    if (!json)
        return PM_INVALID_ARGUMENT;
    *json = NULL;
    if (!context)
        return PM_INVALID_ARGUMENT;
    pm_json *made;
    pm_status status = pmi_json_allocate(context, &made);
    if (status != PM_OK)
        return status;
    status = pm_json_read_gpu(context, made, text, n, fault);
    if (status == PM_OK)
        *json = made;
    else
        pm_json_destroy(made);
    return status;
}
