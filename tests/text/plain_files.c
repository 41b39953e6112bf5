/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/text/plain_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "inputs/families.h"
#include "tests/support/unit.h"

static void try_file(const char *path, char *text, size_t room, plain_file_try try_text, uint64_t *seed) {
    static const char changes[] = "\"'`\\/*-#()[]{}<>$%\n=";
    const pm_language *const language = pm_language_by_path(path);
    const char *const name = language ? pm_language_name(language) : "";
    FILE *const file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, room, file) : 0;
    if (file)
        fclose(file);
    if (!file || !try_text(name, text, n)) {
        print_error("%s: no file of a language that is read here\n", path);
        fail();
        return;
    }
    for (int round = 0; n > 0 && round < 20; round++) {
        const size_t at = random_below(seed, n);
        const char kept = text[at];
        text[at] = changes[random_below(seed, sizeof changes - 1)];
        try_text(name, text, n);
        try_text(name, text + at, random_below(seed, n - at));
        text[at] = kept;
    }
}

void plain_files_try(char *text, size_t room, plain_file_try try_text) {
    const char *const named = getenv("PM_TEXTS");
    uint64_t seed = 3;
    char path[1024];
    int length = 0;
    for (const char *rest = named ? named : ""; sscanf(rest, "%1023s%n", path, &length) == 1; rest += length)
        try_file(path, text, room, try_text, &seed);
}
