// SPDX-License-Identifier: Apache-2.0
// JSON for any 64-bit machine: masks byte by byte.
#define HWY_COMPILE_ONLY_SCALAR
#include "broadword/json/read-inl.h"
#include "broadword/simd.h"

namespace {

using pm::HWY_NAMESPACE::JsonBlock;
using pm::HWY_NAMESPACE::JsonWholeList;
using pm::HWY_NAMESPACE::Utf8Masks;

struct Bytes : JsonWholeList {
    template <class Is> static uint64_t Where(const unsigned char *text, Is is) {
        uint64_t mask = 0;
        for (unsigned i = 0; i < PM_WORD_BITS; i++)
            mask |= uint64_t{is(text[i])} << i;
        return mask;
    }

    // Most bytes are letters, so only the others are looked at one after another.
    static bool MasksOf(const unsigned char *text, size_t w, JsonBlock &block) {
        uint64_t opens = 0, closes = 0, commas = 0, colons = 0, white = 0, controls = 0, quotes = 0, backslashes = 0;
        unsigned char any = 0;
        for (unsigned i = 0; i < PM_WORD_BITS; i++) {
            const unsigned char byte = text[i];
            const uint64_t bit = UINT64_C(1) << i;
            any |= byte;
            controls |= uint64_t{byte < 0x20u} << i;
            switch (byte) {
            case '[':
            case '{':
                opens |= bit;
                break;
            case ']':
            case '}':
                closes |= bit;
                break;
            case ',':
                commas |= bit;
                break;
            case ':':
                colons |= bit;
                break;
            case ' ':
            case '\t':
            case '\n':
            case '\r':
                white |= bit;
                break;
            case '"':
                quotes |= bit;
                break;
            case '\\':
                backslashes |= bit;
                break;
            default:
                break;
            }
        }
        block.opens[w] = opens;
        block.closes[w] = closes;
        block.commas[w] = commas;
        block.colons[w] = colons;
        block.white[w] = white;
        block.controls[w] = controls;
        block.quotes[w] = quotes;
        block.backslashes[w] = backslashes;
        return any >= 0x80;
    }

    bool Masks(const unsigned char *text, size_t words, JsonBlock &block) const {
        bool high = false;
        for (size_t w = 0; w < words; w++)
            high |= MasksOf(text + PM_WORD_BITS * w, w, block);
        return high;
    }

    void List(uint64_t mask, size_t w, JsonBlock &block, unsigned count) const {
        for (uint16_t *to = block.where + 1 + count; mask != 0; mask &= mask - 1)
            *to++ = static_cast<uint16_t>(PM_WORD_BITS * w + pmi_bits_lowest(mask));
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
