// SPDX-License-Identifier: Apache-2.0
// Tables of the AVX-512 engine, computed by the compiler.
//
// The state of a block is a vector of 64 bytes. Lanes 0-15 are for results: lanes 8-15 hold the codes of the eight
// elements of the next byte, the fresh ones, and its permutation puts its elements' results both there and in lanes
// 0-7. Lanes 16-63 are the symbolic stack, top first. A code is kInner + i for element i of the block, or k for the
// k-th open, from the top, of the stack before the block. A byte of input only moves codes about: it is one
// permutation.
#ifndef PM_BROADWORD_MATCH_AVX512_TABLES_H
#define PM_BROADWORD_MATCH_AVX512_TABLES_H

#include <stdint.h>

namespace pm {

struct Avx512Tables {
    static constexpr int kFresh = 8;           // first lane of the fresh codes
    static constexpr int kStack = 16;          // first lane of the symbolic stack
    static constexpr int kDepth = 64 - kStack; // its lanes
    static constexpr uint8_t kInner = 0x80;

    alignas(64) uint8_t step[256][64];    // for each byte and lane, the lane it is taken from
    alignas(64) uint64_t fresh[8][8];     // [byte]: the codes of its elements, in all lanes
    alignas(64) uint8_t start[64];        // the state before byte 0
    alignas(64) uint8_t iota[64];         // 0, 1, 2, ...
    alignas(64) uint8_t opens[64];        // the survivors of a block of opens alone, top first
    alignas(64) uint32_t rotate[16][16];  // [r]: r, r + 1, ...
    alignas(64) uint32_t list[16][16];    // [r]: -r, 1 - r, ...
    alignas(64) uint32_t push[16][4][16]; // [r]: kStack - r, kStack - r + 1, ..., 63, 63, ...

    // The codes of the elements of byte `byte`.
    static constexpr uint64_t Fresh(int byte) {
        return UINT64_C(0x0706050403020100) +
               UINT64_C(0x0101010101010101) * (kInner + 8u * static_cast<unsigned>(byte));
    }

    constexpr Avx512Tables() : step(), fresh(), start(), iota(), opens(), rotate(), list(), push() {
        for (int byte = 0; byte < 256; byte++)
            FillStep(byte);
        for (int i = 0; i < 64; i++)
            fresh[i / 8][i % 8] = Fresh(i / 8);
        for (int i = 0; i < 8; i++)
            start[kFresh + i] = static_cast<uint8_t>(Fresh(0) >> 8 * i);
        for (int i = kStack; i < 64; i++)
            start[i] = static_cast<uint8_t>(i - kStack);
        for (int i = 0; i < 64; i++)
            iota[i] = static_cast<uint8_t>(i);
        for (int i = 0; i < 64; i++)
            opens[i] = static_cast<uint8_t>(kInner + 63 - i);
        for (int r = 0; r < 16; r++) {
            for (int i = 0; i < 16; i++) {
                rotate[r][i] = static_cast<uint32_t>(r + i);
                list[r][i] = static_cast<uint32_t>(i - r);
            }
            for (int i = 0; i < 64; i++)
                push[r][i / 16][i % 16] = static_cast<uint32_t>(kStack - r + i < 64 ? kStack - r + i : 63);
        }
    }

  private:
    constexpr void FillStep(int byte) {
        int open[8] = {}, opens = 0, closes = 0;
        for (int i = 0; i < 8; i++) {
            const int top = opens > 0 ? open[opens - 1] : kStack + closes;
            step[byte][i] = step[byte][8 + i] = static_cast<uint8_t>(top);
            if (byte >> i & 1) {
                open[opens++] = kFresh + i;
            } else if (opens > 0) {
                opens--;
            } else {
                closes++;
            }
        }
        for (int k = 0; k < kDepth; k++) {
            const int below = kStack + k - opens + closes;
            const int from = k < opens ? open[opens - 1 - k] : below < 64 ? below : 63;
            step[byte][kStack + k] = static_cast<uint8_t>(from);
        }
    }
};

inline constexpr Avx512Tables kAvx512{};

} // namespace pm

#endif
