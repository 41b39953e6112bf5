// SPDX-License-Identifier: Apache-2.0
// Tables of the engine for 16-byte lookups, computed by the compiler.
//
// A group of 16 elements is two bytes. Codes are as in avx512_tables.h: kInner + i for element i of the group, k for
// the k-th open, from the top, of the stack before the group. The first byte's codes and symbolic stack stand in a
// table; the second byte's are looked up in that stack, or, where they are its own elements', stand in a table as well.
#ifndef PM_BROADWORD_MATCH_PLANES_TABLES_H
#define PM_BROADWORD_MATCH_PLANES_TABLES_H

#include <stdint.h>

namespace pm {

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

} // namespace pm

#endif
