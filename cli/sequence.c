/* SPDX-License-Identifier: Apache-2.0 */
/* Packed sequences: copied word by word, read and spelled run by run. */
#include "cli/sequence.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    RUN_COUNTED = 4 /* shorter runs are spelled out */
};

uint64_t *sequence_create(size_t n) {
    return calloc(n / 64 + 1, sizeof(uint64_t));
}

bool sequence_is_open(const uint64_t *parens, size_t i) {
    return parens[i / 64] >> i % 64 & 1;
}

/* 1 ... 64 elements that may lie in two words. */
static uint64_t get_bits(const uint64_t *parens, size_t at, size_t count) {
    const size_t shift = at % 64;
    uint64_t bits = parens[at / 64] >> shift;
    if (shift + count > 64)
        bits |= parens[at / 64 + 1] << (64 - shift);
    return bits & UINT64_MAX >> (64 - count);
}

static void put_bits(uint64_t *parens, size_t at, size_t count, uint64_t bits) {
    const size_t shift = at % 64;
    parens[at / 64] |= bits << shift;
    if (shift + count > 64)
        parens[at / 64 + 1] |= bits >> (64 - shift);
}

void sequence_copy(uint64_t *to, size_t to_at, const uint64_t *from, size_t from_at, size_t n) {
    for (size_t i = 0, count; i < n; i += count) {
        count = n - i < 64 ? n - i : 64;
        put_bits(to, to_at + i, count, get_bits(from, from_at + i, count));
    }
}

typedef struct run {
    bool open;
    uint64_t length;  /* 0: not a run */
    const char *rest; /* of the spelling */
} run;

/* The run at the head of a spelling. */
static run read_run(const char *at) {
    run r = {.open = *at == '(', .length = *at == '(' || *at == ')', .rest = at + 1};
    if (r.length == 0 || *r.rest < '0' || *r.rest > '9')
        return r;
    for (r.length = 0; *r.rest >= '0' && *r.rest <= '9' && r.length <= UINT32_MAX; r.rest++)
        r.length = 10 * r.length + (uint64_t)(*r.rest - '0');
    return r;
}

uint64_t *sequence_read(const char *spelling, size_t *n) {
    *n = 0;
    for (const char *at = spelling; *at;) {
        const run r = read_run(at);
        if (r.length == 0 || r.length > UINT32_MAX - *n)
            return NULL;
        *n += (size_t)r.length;
        at = r.rest;
    }
    uint64_t *const parens = sequence_create(*n);
    size_t i = 0;
    for (const char *at = spelling; parens && *at;) {
        const run r = read_run(at);
        for (const size_t end = i + (size_t)r.length; i < end; i++)
            parens[i / 64] |= (uint64_t)r.open << i % 64;
        at = r.rest;
    }
    return parens;
}

char *sequence_spell(const uint64_t *parens, size_t n) {
    enum {
        RUN_MAX = 24 /* characters: a parenthesis, 20 digits, a NUL */
    };
    char *const spelling = malloc(n + RUN_MAX), *at = spelling;
    if (!spelling)
        return NULL;
    *at = '\0';
    for (size_t i = 0, length; i < n; i += length) {
        const bool open = sequence_is_open(parens, i);
        for (length = 1; i + length < n && sequence_is_open(parens, i + length) == open; length++) {
        }
        if (length >= RUN_COUNTED)
            at += snprintf(at, RUN_MAX, "%c%zu", open ? '(' : ')', length);
        else
            for (size_t k = 0; k < length; k++)
                *at++ = open ? '(' : ')';
    }
    *at = '\0';
    return spelling;
}
