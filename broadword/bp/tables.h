// SPDX-License-Identifier: Apache-2.0
// What searches for excesses look up of a byte's eight elements, or of four. Excesses are relative to where the byte
// begins.
#ifndef PM_BROADWORD_BP_TABLES_H
#define PM_BROADWORD_BP_TABLES_H

#include <stdint.h>

namespace pm {

struct BpTables {
    alignas(64) int8_t min_after[128];  // the minimum excess after elements 0 ... 6; what comes then is compared apart
    alignas(64) int8_t min_before[128]; // the minimum excess before elements 0 ... 7

    // For counting the ones of a word's 64 beginnings, or of its 64 ends, in 64 bytes: eight for each of eight copies
    // of the word.
    struct Lanes {
        alignas(64) uint64_t others[8];  // of copy k: the bytes before the one that beginnings 8 k ... 8 k + 7 end in;
        alignas(64) uint8_t of_last[64]; // of that byte: what belongs to the beginning;
        alignas(64) uint8_t last_byte[64]; // where that byte is, in two copies;
        alignas(64) uint8_t count[64];     // where, in two of them, the ones of the bytes before it are counted;
        alignas(64) int8_t half[64];       // and more ones than that lead
    };
    Lanes upwards, downwards;

    // For each word of a block where, in vectors of 64 bits for each, the lowest bytes are of the words before it (but
    // of all words for the first), of these and itself, and of itself and those behind; a byte that is 0 for the
    // others.
    alignas(64) uint8_t words_before[8][8], words_to[8][8], words_from[8][8];

    alignas(64) uint8_t from_bit[8][128]; // [b]: ones from bit 512 + b on
    alignas(64) int64_t from_end[8];      // the excess after a block relative to each word, if there were only closes
    // For each byte of a block where its word's byte is when two vectors of 64 bits for each word have been packed,
    // both the same; or the first word's in the second vector.
    alignas(64) int8_t of_pair[64], of_first[64];

    alignas(32) int8_t four[32], elements_after[32]; // ones for four elements; each byte's end in its word

    // Of four elements, twice over for vectors of 32 bytes:
    alignas(32) int8_t half_after[32];  // half the excess after them;
    alignas(32) int8_t four_after[32];  // the minimum excess after elements 0 ... 3;
    alignas(32) int8_t four_before[32]; // the minimum excess before them;
    alignas(32) int8_t four_ones[32];   // the opens;
    alignas(32) int8_t four_twice[32];  // twice the opens;
    // and of four that follow others, whose excess is twice their opens less 4, the minimum one without these opens.
    alignas(32) int8_t next_four_after[32], next_four_before[32];

    // For counting the ones of a word's 32 beginnings, or ends, of an even number of bits in 32 bytes.
    struct Pairs {
        alignas(32) uint8_t last_byte[32]; // the byte that they end in, in two copies of the word;
        alignas(32) uint8_t of_last[32];   // of that byte: what belongs to the beginning;
        alignas(32) int8_t half[32]; // and more ones than that lead, if the first bit is a zero that does not count
    };
    Pairs pairs_upwards, pairs_downwards;

    // [k - 1]: of the 4 times 4 bytes of a vector's half for each of the last ones the last byte of the k-th, if that
    // is one of those before.
    alignas(32) int8_t quarters_behind[3][32];

    // For each word of a block's lower half, and of its upper half, where in vectors of 64 bits for each, the sums of
    // the words before it are (but of all words for the first), or those of itself and behind it; -1 for the others.
    // Sums are 16 bits wide, in the order of words 0, 1, 4, 5, 2, 3, 6, 7 in a vector's lower half, and of 2, 3, 6, 7,
    // 0, 1, 4, 5 in its upper half.
    alignas(32) uint8_t halves_before[2][32], halves_from[2][32];

    // Of two words, the v-th two of a block's, for each of their bytes which word it belongs to; where words begin; and
    // where blocks of a superblock end.
    alignas(16) int8_t word_of_bytes[4][16];
    alignas(16) int16_t word_begins[8], elements_to[16];

    int8_t after[256];         // the excess after the byte
    uint8_t count_before[128]; // before how many elements the excess is the minimum
    uint8_t select[8][256];    // [k]: the position of open k; 8 if there are fewer
    uint8_t first[256][8];     // [][f % 8]: the first element after which the excess has fallen by f, or 8; 0 < f <= 8
    uint8_t last[256][8];      // [][f % 8]: the last element before which it was lower by f than after the byte, or 8

    constexpr BpTables()
        : min_after(), min_before(), upwards(), downwards(), words_before(), words_to(), words_from(), from_bit(),
          from_end(), of_pair(), of_first(), four(), elements_after(), half_after(), four_after(), four_before(),
          four_ones(), four_twice(), next_four_after(), next_four_before(), pairs_upwards(), pairs_downwards(),
          quarters_behind(), halves_before(), halves_from(), word_of_bytes(), word_begins(), elements_to(), after(),
          count_before(), select(), first(), last() {
        for (int k = 0; k < 8; k++) {
            const uint64_t to = ~uint64_t{0} >> 8 * (7 - k);
            upwards.others[k] = to >> 8;
            downwards.others[7 - k] = ~to;
            for (int w = 0; w < 8; w++) {
                words_before[k][w] = static_cast<uint8_t>(w < k || k == 0 ? 8 * w : 1);
                words_to[k][w] = static_cast<uint8_t>(w <= k ? 8 * w : 1);
                words_from[k][w] = static_cast<uint8_t>(w >= k ? 8 * w : 1);
            }
        }
        for (int j = 0; j < 64; j++) {
            upwards.of_last[j] = static_cast<uint8_t>((2 << j % 8) - 1);
            downwards.of_last[j] = static_cast<uint8_t>(0xff << (7 - j % 8));
            upwards.last_byte[j] = static_cast<uint8_t>(j / 8);
            downwards.last_byte[j] = static_cast<uint8_t>(7 - j / 8);
            upwards.count[j] = downwards.count[j] = static_cast<uint8_t>(j / 8 % 2 * 8);
            upwards.half[j] = downwards.half[j] = static_cast<int8_t>((j + 1) / 2);
        }
        for (int bit = 0; bit < 1024; bit++)
            for (int b = 0; b < 8; b++)
                from_bit[b][bit / 8] = static_cast<uint8_t>(from_bit[b][bit / 8] | (bit >= 512 + b) << bit % 8);
        for (int k = 0; k < 8; k++)
            from_end[k] = 64 * k - 512;
        for (int j = 0; j < 64; j++)
            of_pair[j] = of_first[j] = static_cast<int8_t>(j / 8 % 2 * 4);
        for (int j = 0; j < 8; j++)
            of_first[j] = 8;
        for (int t = 0; t < 32; t++) {
            four[t] = 15;
            elements_after[t] = static_cast<int8_t>(8 * (t % 8 + 1));
            pairs_upwards.last_byte[t] = static_cast<uint8_t>(t / 4);
            pairs_downwards.last_byte[t] = static_cast<uint8_t>(7 - t / 4);
            pairs_upwards.of_last[t] = static_cast<uint8_t>((4 << t % 4 * 2) - 1);
            pairs_downwards.of_last[t] = static_cast<uint8_t>(0xff << (6 - t % 4 * 2));
            pairs_upwards.half[t] = pairs_downwards.half[t] = static_cast<int8_t>(t);
            for (int k = 0; k < 3; k++)
                quarters_behind[k][t] = static_cast<int8_t>(t / 4 % 4 > k ? 4 * k + 3 : -1);
        }
        for (int w = 0; w < 8; w++)
            for (int other = 0; other < 8; other++) {
                const int lane = w / 2 % 2;
                const int sum = 2 * (other % 2) + other / 4 * 4 + (other / 2 % 2 != lane) * 8;
                halves_before[w / 4][w % 4 * 8 + other] = static_cast<uint8_t>(other < w || w == 0 ? sum : 0x80);
                halves_from[w / 4][w % 4 * 8 + other] = static_cast<uint8_t>(other >= w ? sum : 0x80);
            }
        for (int j = 0; j < 64; j++)
            word_of_bytes[j / 16][j % 16] = static_cast<int8_t>(j / 8);
        for (int w = 0; w < 8; w++)
            word_begins[w] = static_cast<int16_t>(64 * w);
        for (int j = 0; j < 16; j++)
            elements_to[j] = static_cast<int16_t>(512 * (j + 1));
        for (int bits = 0; bits < 256; bits++)
            after[bits] = static_cast<int8_t>(Excess(bits, 8));
        for (int bits = 0; bits < 128; bits++) {
            min_after[bits] = static_cast<int8_t>(Min(bits, 1, 7));
            min_before[bits] = static_cast<int8_t>(Min(bits, 0, 7));
            for (int i = 0; i < 8; i++)
                count_before[bits] = static_cast<uint8_t>(count_before[bits] + (Excess(bits, i) == min_before[bits]));
        }
        for (int bits = 0; bits < 16; bits++) {
            half_after[bits] = half_after[16 + bits] = static_cast<int8_t>(Excess(bits, 4) / 2);
            four_after[bits] = four_after[16 + bits] = static_cast<int8_t>(Min(bits, 1, 4));
            four_before[bits] = four_before[16 + bits] = static_cast<int8_t>(Min(bits, 0, 3));
            four_twice[bits] = four_twice[16 + bits] = static_cast<int8_t>(Excess(bits, 4) + 4);
            four_ones[bits] = four_ones[16 + bits] = static_cast<int8_t>(four_twice[bits] / 2);
            next_four_after[bits] = next_four_after[16 + bits] = static_cast<int8_t>(four_after[bits] - 4);
            next_four_before[bits] = next_four_before[16 + bits] = static_cast<int8_t>(four_before[bits] - 4);
        }
        for (int fall = 1; fall <= 8; fall++)
            for (int bits = 0; bits < 256; bits++) {
                select[fall - 1][bits] = static_cast<uint8_t>(Select(bits, fall - 1));
                first[bits][fall % 8] = last[bits][fall % 8] = 8;
                for (int i = 7; i >= 0; i--)
                    if (Excess(bits, i + 1) == -fall)
                        first[bits][fall % 8] = static_cast<uint8_t>(i);
                for (int i = 0; i < 8; i++)
                    if (Excess(bits, i) == Excess(bits, 8) - fall)
                        last[bits][fall % 8] = static_cast<uint8_t>(i);
            }
    }

  private:
    // The element that open k is, or 8.
    static constexpr int Select(int bits, int k) {
        int i = 0;
        while (i < 8 && ((bits >> i & 1) == 0 || k-- > 0))
            i++;
        return i;
    }

    // The excess after the first `count` elements.
    static constexpr int Excess(int bits, int count) {
        int excess = 0;
        for (int i = 0; i < count; i++)
            excess += bits >> i & 1 ? 1 : -1;
        return excess;
    }

    // The minimum of the excesses after `from` ... `to` elements.
    static constexpr int Min(int bits, int from, int to) {
        int min = Excess(bits, from);
        for (int count = from; count <= to; count++)
            min = Excess(bits, count) < min ? Excess(bits, count) : min;
        return min;
    }
};

inline constexpr BpTables kBp{};

} // namespace pm

#endif
