/* SPDX-License-Identifier: Apache-2.0 */
/* JSON read as its grammar is written (RFC 8259), by functions that call each other: what pm_json is compared with. */
#ifndef PM_TESTS_JSON_MODEL_H
#define PM_TESTS_JSON_MODEL_H

#include "parenmatch.h"

typedef struct json_model {
    const unsigned char *text;
    size_t n, at;
    bool good;        /* the text is one value */
    size_t count;     /* of tokens; what follows is by token */
    uint64_t *begins; /* their offsets */
    uint64_t *ends;   /* of a value or key: the offset behind it; of a close, comma or colon: PM_BP_NONE */
    uint64_t *next;   /* of a key, its value or an element: the next key or element, or PM_BP_NONE */
    uint64_t *values; /* of a key: its value; else PM_BP_NONE */
} json_model;

/* Reads a text, which must stay; true if it is right. Texts are nested at most some thousand deep. */
bool json_model_read(json_model *model, const char *text, size_t n);

void json_model_destroy(json_model *model);

/* Compares what an index answers; returns what is wrong, or NULL. */
const char *json_model_compare(const json_model *model, const pm_json *json);

/* Reads a text with an index of each SIMD target; returns what is wrong, or NULL. */
const char *json_model_try(const char *text, size_t n);

#endif
