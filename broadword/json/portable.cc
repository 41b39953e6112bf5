// SPDX-License-Identifier: Apache-2.0
// JSON for any 64-bit machine: masks byte by byte.
#define HWY_COMPILE_ONLY_SCALAR
#include "broadword/json/read-inl.h"
#include "broadword/simd.h"

namespace {

using namespace pm::HWY_NAMESPACE; // of read-inl.h

// What each byte is.
struct JsonMeanings {
    uint8_t of[256];
    constexpr JsonMeanings() : of() {
        for (unsigned byte = 0; byte < 256; byte++)
            of[byte] = JsonByteOf(byte);
    }
};
constexpr JsonMeanings kMeanings;

struct Bytes {
    template <class Is> static uint64_t Where(const unsigned char *text, Is is) {
        uint64_t mask = 0;
        for (unsigned i = 0; i < PM_WORD_BITS; i++)
            mask |= uint64_t{is(text[i])} << i;
        return mask;
    }

    // The lowest bit of each of eight bytes.
    static uint64_t LowestBits(uint64_t bytes) {
        return (bytes & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
    }

    JsonSeen Masks(const unsigned char *text, size_t words, JsonBytes &masks) const {
        unsigned char any = 0;
        for (size_t w = 0; w < words; w++) {
            uint64_t bits[kBytePlanes] = {0};
            for (unsigned i = 0; i < PM_WORD_BITS; i += 8) {
                uint64_t eight = 0;
                for (unsigned k = 0; k < 8; k++) {
                    const unsigned char byte = text[PM_WORD_BITS * w + i + k];
                    any |= byte;
                    eight |= uint64_t{kMeanings.of[byte]} << 8 * k;
                }
                for (size_t p = 0; p < kBytePlanes; p++)
                    bits[p] |= LowestBits(eight >> p) << i;
            }
            for (size_t p = 0; p < kBytePlanes; p++)
                masks.bits[p][w] = bits[p];
        }
        return {any >= 0x80, false};
    }

    size_t PutInRows(pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) const {
        return JsonRows<JsonListedRows>(*this, state, block, found);
    }

    bool Utf8(const unsigned char *text, Utf8Masks &masks) const {
        using Byte = unsigned char;
        masks.high = Where(text, [](Byte b) { return b >= 0x80; });
        masks.from_c0 = Where(text, [](Byte b) { return b >= 0xc0; });
        masks.from_e0 = Where(text, [](Byte b) { return b >= 0xe0; });
        masks.from_f0 = Where(text, [](Byte b) { return b >= 0xf0; });
        masks.never = Where(text, [](Byte b) { return b == 0xc0 || b == 0xc1 || b >= 0xf5; });
        masks.e0 = Where(text, [](Byte b) { return b == 0xe0; });
        masks.ed = Where(text, [](Byte b) { return b == 0xed; });
        masks.f0 = Where(text, [](Byte b) { return b == 0xf0; });
        masks.f4 = Where(text, [](Byte b) { return b == 0xf4; });
        masks.below_90 = Where(text, [](Byte b) { return b < 0x90; });
        masks.below_a0 = Where(text, [](Byte b) { return b < 0xa0; });
        return masks.high != 0;
    }
};

bool Read(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found) {
    return pm::HWY_NAMESPACE::JsonRead<Bytes>(state, text, words, found);
}

} // namespace

const pmi_json_kernel pmi_json_kernel_portable = {Read};
