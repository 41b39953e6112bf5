/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and threads of backends. */
#include "bench/backends.h"

#include <string.h>

bool backend_wanted(const struct backend *backend, const struct settings *settings) {
    return (!backend->device || settings->backends.count > 0) && name_list_wants(&settings->backends, backend->name) &&
           (!settings->simd || strcmp(settings->simd, backend->simd) == 0);
}

unsigned backend_threads(const struct backend *backend, unsigned threads) {
    return backend->threads_most > 0 && backend->threads_most < threads ? backend->threads_most : threads;
}

pm_status backend_context_create(const struct backend *backend, unsigned threads, const struct settings *settings,
                                 pm_context **context) {
    const bool chooses = strcmp(backend->simd, "none") != 0;
    const pm_options options = {.struct_size = sizeof options,
                                .simd = chooses ? backend->simd : NULL,
                                .threads = threads,
                                .profile = settings->profile};
    return pm_context_create(&options, context);
}

pm_status backend_try(const struct backend *backend, pm_context *context) {
    const uint64_t parens = 1;
    uint32_t match;
    pm_bic total;
    return backend->match(context, &parens, 1, &match, &total);
}
