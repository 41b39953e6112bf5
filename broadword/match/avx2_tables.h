// SPDX-License-Identifier: Apache-2.0
// What the AVX2 engine has beside planes_tables.h: rows that move entries by as many lanes as the top of the stack lies
// into its block of eight, the outer entries of a symbolic stack, and constants.
#ifndef PM_BROADWORD_MATCH_AVX2_TABLES_H
#define PM_BROADWORD_MATCH_AVX2_TABLES_H

#include <stdint.h>

#include "broadword/match/planes_tables.h"

namespace pm {

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
