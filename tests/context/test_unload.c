/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library loaded, used by several threads, and unloaded: the threads, idle now, must not run into missing code.
 *   test_unload LIBRARY
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "parenmatch.h"

enum {
    N = 1 << 22,
    IDLE_SECONDS = 1
};

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

int main(int count, char **arguments) {
    void *const library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        fprintf(stderr, "usage: test_unload LIBRARY (%s)\n", count == 2 ? dlerror() : "no library given");
        return 2;
    }
    match_function *match;
    *(void **)&match = dlsym(library, "pm_match_omp");
    uint64_t *const parens = calloc(N / 64, sizeof *parens);
    uint32_t *const results = calloc(N, sizeof *results);
    if (!match || !parens || !results || match(NULL, parens, N, results, NULL) != PM_OK || results[0] != PM_NONE)
        return 1;
    free(results);
    free(parens);
    dlclose(library);
    sleep(IDLE_SECONDS);
    return 0;
}
