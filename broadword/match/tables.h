// SPDX-License-Identifier: Apache-2.0
// Tables of the engines, computed by the compiler.
#ifndef PM_BROADWORD_MATCH_TABLES_H
#define PM_BROADWORD_MATCH_TABLES_H

#include <stdint.h>

namespace pm {

// ---- AVX-512 ----
//
// The state of a block is a vector of 64 bytes. Lanes 0-15 are for results: lanes 8-15 hold the codes of the eight
// elements of the next byte, the fresh ones, and its permutation puts its elements' results both there and in lanes
// 0-7. Lanes 16-63 are the symbolic stack, top first. A code is kInner + i for element i of the block, or k for the
// k-th open, from the top, of the stack before the block. A byte of input only moves codes about: it is one
// permutation.

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

// ---- Lookups of 16 bytes ----
//
// A group of 16 elements is two bytes. Codes are as for AVX-512: kInner + i for element i of the group, k for
// the k-th open, from the top, of the stack before the group. The first byte's codes and symbolic stack stand in a
// table; the second byte's are looked up in that stack, or, where they are its own elements', stand in a table as well.

struct PlanesTables {
    static constexpr uint8_t kInner = 0x80;
    static constexpr uint8_t kZero = 0x80; // as an index: yields 0

    // Of byte 0: [0] its codes in lanes 0-7, with kInner toggled (and 0 in lanes 8-15), and [1] its symbolic stack.
    alignas(32) uint8_t first[256][2][16];
    // Of byte 1: [0] its codes in lanes 8-15 (kZero in lanes 0-7), and [1] its symbolic stack. Outer codes are for the
    // stack after byte 0, in which they are to be looked up.
    alignas(32) uint8_t second[256][2][16];
    alignas(16) uint8_t shift[48];        // at 16 + s: indices that move a vector by s lanes, filled with zeros
    alignas(16) uint8_t add[16][16];      // [r]: r + 0x70; an index of 16 or more becomes negative, that is, yields 0
    alignas(16) uint8_t subtract[16][16]; // [r]: 16 - r

    constexpr PlanesTables() : first(), second(), shift(), add(), subtract() {
        for (int byte = 0; byte < 256; byte++) {
            FillByte(byte, 0, first[byte]);
            FillByte(byte, 8, second[byte]);
            for (int i = 0; i < 8; i++) {
                first[byte][0][i] = static_cast<uint8_t>(first[byte][0][i] ^ kInner);
                second[byte][0][8 + i] = second[byte][0][i];
                second[byte][0][i] = kZero;
            }
        }
        for (int i = 0; i < 48; i++)
            shift[i] = i < 16 || i >= 32 ? kZero : static_cast<uint8_t>(i - 16);
        for (int r = 0; r < 16; r++) {
            for (int i = 0; i < 16; i++) {
                add[r][i] = static_cast<uint8_t>(r + 0x70);
                subtract[r][i] = static_cast<uint8_t>(16 - r);
            }
        }
    }

  private:
    static constexpr void FillByte(int byte, int position, uint8_t (&rows)[2][16]) {
        int open[8] = {}, opens = 0, closes = 0;
        for (int i = 0; i < 8; i++) {
            rows[0][i] = static_cast<uint8_t>(opens > 0 ? open[opens - 1] : closes);
            if (byte >> i & 1) {
                open[opens++] = kInner + position + i;
            } else if (opens > 0) {
                opens--;
            } else {
                closes++;
            }
        }
        for (int k = 0; k < 16; k++) {
            const int below = k - opens + closes;
            // Entries past 15 can only be outer, and outer codes say no more in a stack than that they are.
            rows[1][k] = static_cast<uint8_t>(k < opens ? open[opens - 1 - k] : below < 16 ? below : 15);
        }
    }
};

inline constexpr PlanesTables kPlanes{};

// ---- AVX2, in addition ----
//
// Rows that move entries by as many lanes as the top of the stack lies
// into its block of eight, the outer entries of a symbolic stack, and constants.

struct Avx2Tables {
    alignas(32) uint32_t rotate[8][8];  // [r]: r, r + 1, ... modulo 8
    alignas(32) uint32_t wrapped[8][8]; // [r]: ones in lanes 0 ... r - 1, which rotate[r] gives the last entries
    alignas(32) uint8_t lanes[8][32];   // [r]: r in all lanes
    alignas(32) uint8_t push[8][32];    // [r]: indices that move a vector of 16 by r lanes, filled with zeros
    alignas(32) uint8_t outer[64];      // at 2 c: the entries of the symbolic stack of 16 elements, c closes, if outer
    alignas(32) uint8_t by_plane[32];   // indices that sort the bytes of four entries by their place in these
    alignas(32) uint32_t fours[8];      // fours of elements, so that interleaving planes makes them follow one another
    alignas(32) uint8_t inner[32];      // PlanesTables::kInner in all lanes
    alignas(32) uint8_t sixteen[32];    // 16 in all lanes
    alignas(32) uint8_t limit[32];      // 0x70 in all lanes: added to an index of 16 or more it makes one that yields 0

    constexpr Avx2Tables()
        : rotate(), wrapped(), lanes(), push(), outer(), by_plane(), fours{0, 2, 4, 6, 1, 3, 5, 7}, inner(), sixteen(),
          limit() {
        for (int r = 0; r < 8; r++) {
            for (int i = 0; i < 8; i++) {
                rotate[r][i] = static_cast<uint32_t>((r + i) % 8);
                wrapped[r][i] = i < r ? UINT32_MAX : 0;
            }
            for (int i = 0; i < 32; i++) {
                lanes[r][i] = static_cast<uint8_t>(r);
                push[r][i] = i < r || i >= r + 16 ? PlanesTables::kZero : static_cast<uint8_t>(i - r);
            }
        }
        for (int i = 16; i < 64; i++)
            outer[i] = static_cast<uint8_t>(i - 16);
        for (int i = 0; i < 32; i++) {
            by_plane[i] = static_cast<uint8_t>(i % 4 * 4 + i / 4 % 4);
            inner[i] = PlanesTables::kInner;
            sixteen[i] = 16;
            limit[i] = 0x70;
        }
    }
};

inline constexpr Avx2Tables kAvx2{};

} // namespace pm

#endif
