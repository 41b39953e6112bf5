// SPDX-License-Identifier: Apache-2.0
// A block of JSON: what each stage of a reading leaves for the next one. Compiled for each instruction set by who
// includes it.
#if defined(PM_BROADWORD_JSON_BLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_BLOCK_INL_H
#undef PM_BROADWORD_JSON_BLOCK_INL_H
#else
#define PM_BROADWORD_JSON_BLOCK_INL_H
#endif

#include "broadword/json/json.h"
#include "broadword/text/bracket_pairs-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// What a byte is. Outside strings, the lowest three bits of a token's first byte are the token's letter.
enum JsonByte : uint8_t {
    kScalar = 0, // and whatever else
    kQuote = 1,
    kComma = 2,
    kColon = 3,
    kOpenArray = 4,
    kCloseArray = 5,
    kOpenObject = 6,
    kCloseObject = 7,
    kControl = 8, // outside strings it belongs to a scalar
    kWhiteControl = 9,
    kBackslash = 10,
    kSpace = 11
};

constexpr JsonByte JsonByteOf(unsigned byte) {
    switch (byte) {
    case '"':
        return kQuote;
    case ',':
        return kComma;
    case ':':
        return kColon;
    case '[':
        return kOpenArray;
    case ']':
        return kCloseArray;
    case '{':
        return kOpenObject;
    case '}':
        return kCloseObject;
    case '\t':
    case '\n':
    case '\r':
        return kWhiteControl;
    case '\\':
        return kBackslash;
    case ' ':
        return kSpace;
    default:
        return byte < 0x20 ? kControl : kScalar;
    }
}

// Bit p of what each byte is, as masks.
constexpr size_t kBytePlanes = 4;
struct JsonBytes {
    alignas(64) uint64_t bits[kBytePlanes][PM_JSON_WORDS];
};

// What is rare in a text: bytes of 0x80 and above; control characters that were taken for scalars.
struct JsonSeen {
    bool high, controls;
};

// 64 tokens or brackets: plane by plane, a bit for each.
template <size_t kCount> struct JsonPacked {
    static constexpr size_t kPlanes = kCount;
    uint64_t of[kCount];
};
using JsonLetters = JsonPacked<3>;

// As many as a block may have, 64 in a row. Vectors of rows may be read behind the last one.
template <class P> struct JsonPlanes {
    alignas(64) uint64_t of[P::kPlanes][PM_JSON_WORDS + PM_JSON_STEP];

    HWY_INLINE P Row(size_t row) const {
        P packed;
        for (size_t p = 0; p < P::kPlanes; p++)
            packed.of[p] = of[p][row];
        return packed;
    }
    HWY_INLINE void SetRow(size_t row, const P &packed) {
        for (size_t p = 0; p < P::kPlanes; p++)
            of[p][row] = packed.of[p];
    }
};

// ... and of brackets: Is it an open? Is its kind that of objects? Does a colon, or an element of an array, stand in
// the gap before it?
enum : unsigned {
    kOpens,
    kObjects,
    kMembers,
    kElements
};
using JsonBrackets = JsonPacked<4>;

// A few thousand bytes, which stay in the L1 cache from one step to the next.
struct JsonBlock {
    const unsigned char *text;
    size_t words, tokens;
    uint64_t wrong; // not 0: something is
    JsonBytes bytes;
    alignas(64) uint64_t inside[PM_JSON_WORDS]; // from each quote that begins a string to before the one that ends it
    unsigned char firsts[(PM_JSON_WORDS + 1) * PM_WORD_BITS]; // first bytes of tokens, if letters are found by them
    JsonPlanes<JsonLetters> letters;                          // of the tokens
    JsonPlanes<JsonBrackets> brackets;
    unsigned last_member, last_element; // what is in the gap behind the last bracket, 0 or 1

    // All brackets: where they are in the block. Entry 0 is not used.
    uint16_t where[(PM_JSON_WORDS + 1) * PM_WORD_BITS + 1];
};

// What is wrong with gaps, if the innermost container is an object or an array.
HWY_INLINE uint64_t JsonStrangers(uint64_t members, uint64_t elements, uint64_t objects) {
    return (members & ~objects) | (elements & objects);
}

#undef PM_JSON_PEXT
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2 && HWY_TARGET != HWY_SCALAR
#define PM_JSON_PEXT 1
#else
#define PM_JSON_PEXT 0
#endif

// Does the CPU move bits together by one instruction that takes little time?
HWY_INLINE bool MovesByOne() {
#if PM_JSON_PEXT && HWY_TARGET == HWY_AVX2
    return !PextIsSlow();
#else
    return PM_JSON_PEXT;
#endif
}

// Moves the bits of words that stand where a mask has its bits next to each other.
class JsonMover {
  public:
    HWY_INLINE JsonMover(uint64_t where, bool by_one) : where_(where), by_one_(by_one) {
        if (HWY_UNLIKELY(!by_one_))
            Prepare();
    }

    HWY_INLINE uint64_t Move(uint64_t bits) const {
#if PM_JSON_PEXT
        if (HWY_LIKELY(by_one_))
            return _pext_u64(bits, where_);
#endif
        return MoveBySteps(bits);
    }

  private:
    static constexpr unsigned kSteps = 6;

    // Warren, "Hacker's Delight", section 7-4: each bit moves by the number of zeros below it, first those where that
    // is odd by one, then by two, by four, and so on.
    HWY_INLINE void Prepare() {
        uint64_t left = where_, zeros = ~where_ << 1;
        for (unsigned step = 0; step < kSteps; step++) {
            uint64_t parity = zeros;
            for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
                parity ^= parity << shift;
            moved_[step] = parity & left;
            left = (left ^ moved_[step]) | moved_[step] >> (1u << step);
            zeros &= ~parity;
        }
    }

    HWY_INLINE uint64_t MoveBySteps(uint64_t bits) const {
        bits &= where_;
        for (unsigned step = 0; step < kSteps; step++) {
            const uint64_t moved = bits & moved_[step];
            bits = (bits ^ moved) | moved >> (1u << step);
        }
        return bits;
    }

    const uint64_t where_;
    const bool by_one_;
    uint64_t moved_[kSteps]; // unless by one
};

// Puts bits of planes in a row.
template <class P> class JsonPacker {
  public:
    HWY_INLINE explicit JsonPacker(JsonPlanes<P> &to) : to_(to), last_{}, row_(0), count_(0), by_one_(MovesByOne()) {}

    // Adds what stands where a mask has its bits.
    HWY_INLINE void Add(const P &planes, uint64_t where) {
        const unsigned held = count_ % PM_WORD_BITS, more = static_cast<unsigned>(__builtin_popcountll(where));
        const JsonMover mover(where, by_one_);
        P moved;
        for (size_t p = 0; p < P::kPlanes; p++) {
            moved.of[p] = mover.Move(planes.of[p]);
            last_.of[p] |= moved.of[p] << held;
        }
        count_ += more;
        if (HWY_UNLIKELY(held + more >= PM_WORD_BITS)) {
            to_.SetRow(row_++, last_);
            for (size_t p = 0; p < P::kPlanes; p++)
                last_.of[p] = moved.of[p] >> 1 >> (PM_WORD_BITS - 1 - held);
        }
    }

    HWY_INLINE void End() const {
        to_.SetRow(row_, last_);
    }

  private:
    JsonPlanes<P> &to_;
    P last_;
    size_t row_, count_;
    const bool by_one_;
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
