/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a fuzzer's function the files on the command line, once each: for compilers without libFuzzer. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return perror(path), 1;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        bytes = malloc(end > 0 ? (size_t)end : 1); /* exactly, so that reading on is noticed */
        size = bytes && end > 0 ? fread(bytes, 1, (size_t)end, file) : 0;
    }
    const bool failed = !bytes || ferror(file);
    fclose(file);
    if (failed)
        return fprintf(stderr, "%s: cannot be read\n", path), 1;
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return fputs("no inputs\n", stderr), 2;
    int failures = 0;
    for (int i = 1; i < argc; i++)
        failures += replay(argv[i]);
    return failures > 0;
}
