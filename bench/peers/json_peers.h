/* SPDX-License-Identifier: Apache-2.0 */
/* simdjson, if it was present at build time: its structural index (stage 1) and its tree (DOM). */
#ifndef PM_BENCH_PEERS_JSON_PEERS_H
#define PM_BENCH_PEERS_JSON_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes texts of up to n bytes; NULL if it cannot. */
void *json_simdjson_create(size_t n);

/* Return whether the text is right. 64 bytes behind the text may be read. */
bool json_simdjson_stage1(void *made, const char *text, size_t n);
bool json_simdjson_dom(void *made, const char *text, size_t n);

/* The implementation that it has chosen for this processor: "icelake". */
const char *json_simdjson_simd(void);

void json_simdjson_destroy(void *made); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
