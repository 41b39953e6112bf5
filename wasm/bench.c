/* SPDX-License-Identifier: Apache-2.0 */
/* What package/bench.js measures, outside of WebAssembly: the same inputs, one thread, the vectors named by the
 * argument. wasm/bench.sh runs both. */
#include <parenmatch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char record[] = "{\"key\": [1, 2, \"abc (\", {\"x\": null}], \"other\": \"text of some length\"},\n";
enum {
    RECORDS = 1 << 18,
    RECORD_BYTES = sizeof record - 1
};

static double now_in_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void must(pm_status status) {
    if (status == PM_OK)
        return;
    fprintf(stderr, "wasm/bench: %s\n", pm_status_string(status));
    exit(1);
}

static void *allocated(size_t size) {
    void *const block = malloc(size);
    if (!block)
        must(PM_OUT_OF_MEMORY);
    return block;
}

static void time_match(pm_context *context, size_t n) {
    uint8_t *const bits = allocated(n / 8);
    uint32_t *const match = allocated(n * sizeof *match);
    uint32_t random = 1;
    for (size_t k = 0; k < n / 8; k++) {
        random = random * 1103515245 + 12345;
        bits[k] = (uint8_t)(random >> 16);
    }
    double least = 1e300;
    for (size_t calls = n < (1 << 22) ? (1 << 27) / n : 20; calls > 0; calls--) {
        const double begin = now_in_ms();
        must(pm_match_auto(context, (const uint64_t *)(const void *)bits, n, match, NULL));
        const double ms = now_in_ms() - begin;
        least = ms < least ? ms : least;
    }
    printf("match, %zu random bits: %.2f ns an element\n", n, 1e6 * least / (double)n);
    free(match);
    free(bits);
}

static bool go_on(const pm_diagnostic *diagnostic, void *user) {
    (void)diagnostic;
    (void)user;
    return true;
}

static void time_check(pm_context *context, const char *language, const char *text, size_t n) {
    pm_check *check;
    must(pm_check_create(context, pm_language_by_name(language), NULL, go_on, NULL, &check));
    double least = 1e300;
    for (int calls = 20; calls > 0; calls--) {
        pm_check_summary summary;
        const double begin = now_in_ms();
        must(pm_check_push(check, text, n));
        must(pm_check_finish(check, &summary));
        const double ms = now_in_ms() - begin;
        least = ms < least ? ms : least;
    }
    pm_check_destroy(check);
    printf("check as %s: %.0f MB/s\n", language, 1e-3 * (double)n / least);
}

int main(int argc, char **argv) {
    pm_context *context;
    must(pm_context_create(&(pm_options){.simd = argc > 1 ? argv[1] : "sse4", .threads = 1}, &context));
    for (size_t n = 1 << 16; n <= 1 << 24; n = n == 1 << 16 ? 1 << 22 : 4 * n)
        time_match(context, n);
    const size_t length = (size_t)RECORDS * RECORD_BYTES + 3;
    char *const text = allocated(length);
    text[0] = '[';
    for (size_t k = 0; k < RECORDS; k++)
        memcpy(text + 1 + k * RECORD_BYTES, record, RECORD_BYTES);
    memcpy(text + length - 2, "0]", 2);
    static const char *const languages[] = {"json", "c", "javascript", "python"};
    for (size_t k = 0; k < sizeof languages / sizeof *languages; k++)
        time_check(context, languages[k], text, length);
    free(text);
    pm_context_destroy(context);
}
