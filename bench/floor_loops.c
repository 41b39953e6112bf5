/* SPDX-License-Identifier: Apache-2.0 */
/* The floors' loops. For x86-64, chosen at run time: non-temporal stores, and loads, of the widest vectors. */
#include "bench/floors.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* Bytes of a loop's step. Two chains of xor keep up with two loads a cycle. */
#define PAIR(vector) (2 * sizeof(vector))

/* The rest after the last whole pair of vectors. */
static void rest_store(void *to, uint32_t value, size_t size, size_t step) {
    const size_t rest = size % step;
    elements_store((uint32_t *)to + (size - rest) / sizeof value, value, rest / sizeof value);
}

static uint32_t rest_read(const void *from, size_t size, size_t step) {
    const size_t rest = size % step;
    return elements_read((const uint32_t *)from + (size - rest) / sizeof(uint32_t), rest / sizeof(uint32_t));
}

__attribute__((target("avx512f"))) static void store_avx512(void *to, uint32_t value, size_t size) {
    const __m512i filled = _mm512_set1_epi32((int)value);
    __m512i *vector = to;
    for (size_t pairs = size / PAIR(filled); pairs > 0; pairs--, vector += 2) {
        _mm512_stream_si512(vector, filled);
        _mm512_stream_si512(vector + 1, filled);
    }
    rest_store(to, value, size, PAIR(filled));
    _mm_sfence();
}

__attribute__((target("avx512f"))) static uint32_t read_avx512(const void *from, size_t size) {
    __m512i even = _mm512_setzero_si512(), odd = even;
    const __m512i *vector = from;
    for (size_t pairs = size / PAIR(even); pairs > 0; pairs--, vector += 2) {
        even = _mm512_xor_si512(even, _mm512_load_si512(vector));
        odd = _mm512_xor_si512(odd, _mm512_load_si512(vector + 1));
    }
    uint32_t lanes[16];
    _mm512_storeu_si512(lanes, _mm512_xor_si512(even, odd));
    return elements_read(lanes, 16) ^ rest_read(from, size, PAIR(even));
}

__attribute__((target("avx2"))) static void store_avx2(void *to, uint32_t value, size_t size) {
    const __m256i filled = _mm256_set1_epi32((int)value);
    __m256i *vector = to;
    for (size_t pairs = size / PAIR(filled); pairs > 0; pairs--, vector += 2) {
        _mm256_stream_si256(vector, filled);
        _mm256_stream_si256(vector + 1, filled);
    }
    rest_store(to, value, size, PAIR(filled));
    _mm_sfence();
}

__attribute__((target("avx2"))) static uint32_t read_avx2(const void *from, size_t size) {
    __m256i even = _mm256_setzero_si256(), odd = even;
    const __m256i *vector = from;
    for (size_t pairs = size / PAIR(even); pairs > 0; pairs--, vector += 2) {
        even = _mm256_xor_si256(even, _mm256_load_si256(vector));
        odd = _mm256_xor_si256(odd, _mm256_load_si256(vector + 1));
    }
    uint32_t lanes[8];
    _mm256_storeu_si256((__m256i *)(void *)lanes, _mm256_xor_si256(even, odd));
    return elements_read(lanes, 8) ^ rest_read(from, size, PAIR(even));
}

static void store_sse2(void *to, uint32_t value, size_t size) {
    const __m128i filled = _mm_set1_epi32((int)value);
    __m128i *vector = to;
    for (size_t pairs = size / PAIR(filled); pairs > 0; pairs--, vector += 2) {
        _mm_stream_si128(vector, filled);
        _mm_stream_si128(vector + 1, filled);
    }
    rest_store(to, value, size, PAIR(filled));
    _mm_sfence();
}

static uint32_t read_sse2(const void *from, size_t size) {
    __m128i even = _mm_setzero_si128(), odd = even;
    const __m128i *vector = from;
    for (size_t pairs = size / PAIR(even); pairs > 0; pairs--, vector += 2) {
        even = _mm_xor_si128(even, _mm_load_si128(vector));
        odd = _mm_xor_si128(odd, _mm_load_si128(vector + 1));
    }
    uint32_t lanes[4];
    _mm_storeu_si128((__m128i *)(void *)lanes, _mm_xor_si128(even, odd));
    return elements_read(lanes, 4) ^ rest_read(from, size, PAIR(even));
}

const struct floor_loops *floor_loops_best(void) {
    static const struct floor_loops avx512 = {"avx512", store_avx512, read_avx512};
    static const struct floor_loops avx2 = {"avx2", store_avx2, read_avx2};
    static const struct floor_loops sse2 = {"sse2", store_sse2, read_sse2};
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    return __builtin_cpu_supports("avx2") ? &avx2 : &sse2;
}

#else

static void store_plain(void *to, uint32_t value, size_t size) {
    elements_store(to, value, size / sizeof value);
}

static uint32_t read_plain(const void *from, size_t size) {
    return elements_read(from, size / sizeof(uint32_t));
}

const struct floor_loops *floor_loops_best(void) {
    static const struct floor_loops plain = {"none", store_plain, read_plain};
    return &plain;
}

#endif
