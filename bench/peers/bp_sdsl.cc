// SPDX-License-Identifier: Apache-2.0
// sdsl-lite's index, translated to the answers that pm_bp_* gives.
#include <sdsl/bit_vectors.hpp>
#include <sdsl/bp_support_sada.hpp>
#include <sdsl/io.hpp>

#include <cstring>

#include "bench/peers/bp_peers.h"

namespace {

constexpr uint64_t kNone = UINT64_MAX;

struct Index {
    sdsl::bit_vector bits;
    sdsl::bp_support_sada<> support;
    size_t size;
};

void *Create(const uint64_t *parens, uint64_t n, const char *) {
    Index *index = new Index;
    index->bits = sdsl::bit_vector(n, 0);
    std::memcpy(index->bits.data(), parens, (n + 63) / 64 * 8);
    index->support = sdsl::bp_support_sada<>(&index->bits);
    index->size = sdsl::size_in_bytes(index->support);
    return index;
}

void Destroy(void *index) {
    delete static_cast<Index *>(index);
}

size_t Size(const void *index) {
    return static_cast<const Index *>(index)->size;
}

const sdsl::bp_support_sada<> &Support(const void *index) {
    return static_cast<const Index *>(index)->support;
}

uint64_t Found(const void *index, uint64_t position) {
    return position < static_cast<const Index *>(index)->bits.size() ? position : kNone;
}

uint64_t FindClose(const void *index, uint64_t i) {
    return Found(index, Support(index).find_close(i));
}
uint64_t FindOpen(const void *index, uint64_t i) {
    return Found(index, Support(index).find_open(i));
}
uint64_t Enclose(const void *index, uint64_t i) {
    return Found(index, Support(index).enclose(i));
}
uint64_t Rank(const void *index, uint64_t i) {
    return i == 0 ? 0 : Support(index).rank(i - 1); // there, with the element itself
}
uint64_t Select(const void *index, uint64_t k) {
    return Support(index).select(k + 1); // there, from 1
}
uint64_t Excess(const void *index, uint64_t i) {
    return static_cast<uint64_t>(Support(index).excess(i));
}

template <bp_answer kAnswer> uint64_t Apart(const void *index, const uint64_t *arguments, size_t count) {
    uint64_t sum = 0;
    for (size_t q = 0; q < count; q++)
        sum += kAnswer(index, arguments[q]);
    return sum;
}

template <bp_answer kAnswer> uint64_t Chained(const void *index, const uint64_t *arguments, size_t count) {
    uint64_t sum = 0, answer = 0;
    for (size_t q = 0; q < count; q++)
        sum += answer = kAnswer(index, arguments[q] ^ BP_NOTHING_OF(answer));
    return sum;
}

} // namespace

extern "C" const struct bp_peer bp_peer_sada = {
    "sada",
    "native",
    Create,
    Destroy,
    Size,
    {FindClose, FindOpen, Enclose, Rank, Select, Excess},
    {Apart<FindClose>, Apart<FindOpen>, Apart<Enclose>, Apart<Rank>, Apart<Select>, Apart<Excess>},
    {Chained<FindClose>, Chained<FindOpen>, Chained<Enclose>, Chained<Rank>, Chained<Select>, Chained<Excess>},
    {},
    false,
};
