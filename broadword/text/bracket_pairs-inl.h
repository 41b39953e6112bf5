// SPDX-License-Identifier: Apache-2.0
// Brackets in a row: opens and the closes of their kind right behind them removed, 64 brackets at a time. For targets
// that move bits or bytes together by one instruction. Compiled for each of them by who includes it.
#if defined(PM_BROADWORD_TEXT_BRACKET_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_BRACKET_PAIRS_INL_H
#undef PM_BROADWORD_TEXT_BRACKET_PAIRS_INL_H
#else
#define PM_BROADWORD_TEXT_BRACKET_PAIRS_INL_H
#endif

#include "broadword/text/byte_lookup-inl.h"

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Of eight brackets, the lowest bit first, where 1 is an open: how much they rise at most, and by how much in all.
struct RiseTable {
    int8_t most[256], all[256];
    constexpr RiseTable() : most(), all() {
        for (int byte = 0; byte < 256; byte++) {
            int depth = 0, deepest = 0;
            for (int bit = 0; bit < 8; bit++) {
                depth += (byte >> bit & 1) * 2 - 1;
                deepest = depth > deepest ? depth : deepest;
            }
            most[byte] = static_cast<int8_t>(deepest);
            all[byte] = static_cast<int8_t>(depth);
        }
    }
};
constexpr RiseTable kRises;

// The bits of a word where another has its bits, next to each other: by steps, for what is rare or has few bits.
HWY_INLINE uint64_t MoveTogether(uint64_t bits, uint64_t where) {
    uint64_t together = 0;
    for (unsigned k = 0; where != 0; k++, where &= where - 1)
        together |= (bits >> pmi_bits_lowest(where) & 1) << k;
    return together;
}

// The first Zens take some hundred cycles to move bits together.
HWY_INLINE bool PextIsSlow() {
    return HWY_TARGET == HWY_AVX2 && (__builtin_cpu_is("znver1") || __builtin_cpu_is("znver2"));
}

// How deep a run of brackets gets, which come 64 at a time.
class RunRise {
  public:
    HWY_INLINE RunRise() : pext_is_slow_(PextIsSlow()) {}

    // With records some have neither bit.
    template <bool kRecords> HWY_INLINE void Add(uint64_t opens, uint64_t closes) {
        const int64_t rises = pmi_bits_count(opens);
        int64_t depth = depth_;
        depth_ += rises - static_cast<int64_t>(pmi_bits_count(closes));
        if (depth + rises <= most_)
            return;
        if (kRecords)
            opens = Together(opens, opens | closes);
        for (unsigned bit = 0; bit < PM_WORD_BITS; bit += 8) {
            const unsigned byte = opens >> bit & 255;
            const int64_t deepest = depth + kRises.most[byte];
            most_ = deepest > most_ ? deepest : most_;
            depth += kRises.all[byte];
        }
    }

    size_t most() const {
        return static_cast<size_t>(most_);
    }

  private:
    HWY_INLINE uint64_t Together(uint64_t bits, uint64_t where) const {
        return HWY_UNLIKELY(pext_is_slow_) ? MoveTogether(bits, where) : _pext_u64(bits, where);
    }

    const bool pext_is_slow_;
    int64_t depth_ = 0, most_ = 0;
};

// A role is PM_ROLE(): an open has bit 0 set, a close bit 1, and the kind is above them; so the two of a pair differ
// by 3. What ends a record has neither bit.

// Of a row: pairs, both of which go, and of what ends records those behind another.
template <bool kRecords> HWY_INLINE uint64_t Cancelled(uint64_t pairs, uint64_t ends) {
    return pairs | pairs << 1 | (kRecords ? ends & ends << 1 : 0);
}

#if HWY_TARGET == HWY_AVX3_DL

// The roles of bytes.
class Roles {
  public:
    explicit Roles(const uint8_t role_of[256]) {
        for (int k = 0; k < 4; k++)
            quarter_[k] = _mm512_loadu_si512(role_of + 64 * k);
    }

    // Of 64 bytes at most; behind the last one anything.
    template <bool kRecords> HWY_INLINE __m512i Load(const unsigned char *bytes, uint64_t valid) const {
        const __m512i from = _mm512_maskz_loadu_epi8(valid, bytes);
        return _mm512_mask_mov_epi8(_mm512_permutex2var_epi8(quarter_[0], from, quarter_[1]), _mm512_movepi8_mask(from),
                                    _mm512_permutex2var_epi8(quarter_[2], from, quarter_[3]));
    }

  private:
    __m512i quarter_[4];
};

// Roles that are packed: as they are, below bits that do not matter; what ends records has class 0.
struct PackedRoles {
    template <bool kRecords> static HWY_INLINE __m512i Load(const unsigned char *packed, uint64_t valid) {
        const __m512i role =
            _mm512_and_si512(_mm512_maskz_loadu_epi8(valid, packed), _mm512_set1_epi8(PM_UNQUOTED_ROLE));
        if (!kRecords)
            return role;
        return _mm512_mask_mov_epi8(role, _mm512_testn_epi8_mask(role, role), _mm512_set1_epi8(16));
    }
};

template <bool kRecords, class R>
HWY_INLINE size_t CancelRoles(const R &roles_of, const unsigned char *brackets, size_t count, uint8_t *roles,
                              uint16_t *numbers, size_t *rise) {
    const __m512i bit0 = _mm512_set1_epi8(1), bit1 = _mm512_set1_epi8(2), partners = _mm512_set1_epi8(3);
    alignas(64) uint8_t number[64], following[64];
    for (unsigned i = 0; i < 64; i++) {
        number[i] = static_cast<uint8_t>(i);
        following[i] = static_cast<uint8_t>((i + 1) % 64);
    }
    const __m512i all = _mm512_load_si512(number), next = _mm512_load_si512(following);
    uint64_t differ = 0;
    RunRise risen;
    size_t left = 0;
    for (size_t first = 0; first < count; first += PM_WORD_BITS) {
        const unsigned n = static_cast<unsigned>(count - first < PM_WORD_BITS ? count - first : PM_WORD_BITS);
        uint64_t valid = pmi_bits_low(n);
        __m512i role = roles_of.template Load<kRecords>(brackets + first, valid);
        __m512i places = all;
        HWY_UNROLL(2)
        for (unsigned round = 0; round < 2; round++) {
            const uint64_t opens = _mm512_mask_test_epi8_mask(valid, role, bit0);
            const uint64_t closes = _mm512_mask_test_epi8_mask(valid, role, bit1);
            const uint64_t pairs = opens & closes >> 1;
            if (round == 0)
                risen.Add<kRecords>(opens, closes);
            const __m512i other = _mm512_xor_si512(role, _mm512_permutexvar_epi8(next, role));
            differ |= _mm512_mask_cmpneq_epi8_mask(pairs, other, partners);
            const uint64_t kept = valid & ~Cancelled<kRecords>(pairs, valid & ~(opens | closes));
            role = _mm512_maskz_compress_epi8(kept, role);
            places = _mm512_maskz_compress_epi8(kept, places);
            valid = pmi_bits_low(pmi_bits_count(kept));
        }
        const __m512i base = _mm512_set1_epi16(static_cast<int16_t>(first));
        _mm512_storeu_si512(roles + left, role);
        _mm512_storeu_si512(numbers + left,
                            _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(places)), base));
        _mm512_storeu_si512(numbers + left + 32,
                            _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(places, 1)), base));
        left += pmi_bits_count(valid);
    }
    *rise = risen.most();
    return differ ? SIZE_MAX : left;
}

// By itself, so that other brackets have registers as if this did not exist.
template <class R>
HWY_NOINLINE size_t CancelRecords(const R &roles_of, const unsigned char *brackets, size_t count, uint8_t *roles,
                                  uint16_t *numbers, size_t *rise) {
    return CancelRoles<true>(roles_of, brackets, count, roles, numbers, rise);
}

HWY_INLINE size_t CancelPacked(const unsigned char *packed, size_t count, bool records, uint8_t *roles,
                               uint16_t *numbers, size_t *rise) {
    return records ? CancelRecords(PackedRoles{}, packed, count, roles, numbers, rise)
                   : CancelRoles<false>(PackedRoles{}, packed, count, roles, numbers, rise);
}

HWY_INLINE size_t CancelBytes(const uint8_t role_of[256], const unsigned char *brackets, size_t count, bool records,
                              uint8_t *roles, uint16_t *numbers, size_t *rise) {
    return records ? CancelRecords(Roles(role_of), brackets, count, roles, numbers, rise)
                   : CancelRoles<false>(Roles(role_of), brackets, count, roles, numbers, rise);
}

#else

// The roles of bytes, by rows of 16 of which most are empty.
class Roles {
  public:
    explicit Roles(const uint8_t role_of[256]) : role_of_(role_of), row_count_(0) {
        for (unsigned row = 0; row < 16; row++) {
            const __m128i roles = _mm_loadu_si128(reinterpret_cast<const __m128i *>(role_of + 16 * row));
            rows_[row_count_] = static_cast<uint8_t>(row);
            row_count_ += !_mm_testz_si128(roles, roles);
        }
    }

    HWY_INLINE __m256i LookUp(const unsigned char *bytes) const {
        const __m256i from = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(bytes));
        const __m256i half = _mm256_set1_epi8(15);
        const __m256i low = _mm256_and_si256(from, half), high = _mm256_and_si256(_mm256_srli_epi16(from, 4), half);
        __m256i roles = _mm256_setzero_si256();
        for (unsigned r = 0; r < row_count_; r++) {
            const __m256i row = _mm256_broadcastsi128_si256(
                _mm_loadu_si128(reinterpret_cast<const __m128i *>(role_of_ + 16 * rows_[r])));
            const __m256i here = _mm256_cmpeq_epi8(high, _mm256_set1_epi8(static_cast<char>(rows_[r])));
            roles = _mm256_or_si256(roles, _mm256_and_si256(here, _mm256_shuffle_epi8(row, low)));
        }
        return roles;
    }

  private:
    const uint8_t *const role_of_;
    unsigned row_count_;
    uint8_t rows_[17];
};

// Bit `bit` of each byte.
HWY_INLINE uint64_t PlaneOf(__m256i low, __m256i high, int bit) {
    const uint32_t bits = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(low, 7 - bit)));
    return bits | static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(high, 7 - bit))))
                      << 32;
}

// All ones in the bytes whose bit is set.
HWY_INLINE __m256i BytesOfBits(uint32_t bits) {
    const __m256i group =
        _mm256_setr_epi64x(0, INT64_C(0x0101010101010101), INT64_C(0x0202020202020202), INT64_C(0x0303030303030303));
    const __m256i bit = _mm256_set1_epi64x(static_cast<int64_t>(UINT64_C(0x8040201008040201)));
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), group);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
}

constexpr unsigned kCancelRounds = 3; // a fourth finds little

// What is packed of 64 brackets: their bits 0, 2 and 3 of roles, and which end records.
struct PackedPlanes {
    uint64_t opens, kinds[2], ends;
};

// The roles of 64 brackets as planes of bits: opens, closes, two of kinds.
class RolePlanes {
  public:
    HWY_INLINE RolePlanes(__m256i low, __m256i high, unsigned count)
        : left_(pmi_bits_low(count)), valid_(left_), opens_(PlaneOf(low, high, 0) & left_),
          closes_(PlaneOf(low, high, 1) & left_), kind0_(PlaneOf(low, high, 2)), kind1_(PlaneOf(low, high, 3)) {}

    HWY_INLINE RolePlanes(const PackedPlanes &packed, unsigned count)
        : left_(pmi_bits_low(count)), valid_(left_), opens_(packed.opens & left_),
          closes_(~(packed.opens | packed.ends) & left_), kind0_(packed.kinds[0]), kind1_(packed.kinds[1]) {}

    template <bool kRecords> HWY_INLINE void AddTo(RunRise &rise) const {
        rise.Add<kRecords>(opens_, closes_);
    }

    // Removes pairs side by side, and moves the others together. Returns those of two kinds.
    template <bool kRecords> HWY_INLINE uint64_t RemovePairs() {
        const uint64_t pairs = opens_ & closes_ >> 1;
        const uint64_t kept = valid_ & ~Cancelled<kRecords>(pairs, valid_ & ~(opens_ | closes_));
        const uint64_t differ = pairs & ((kind0_ ^ kind0_ >> 1) | (kind1_ ^ kind1_ >> 1));
        left_ = _pdep_u64(kept, left_);
        opens_ = _pext_u64(opens_, kept);
        closes_ = _pext_u64(closes_, kept);
        kind0_ = _pext_u64(kind0_, kept);
        kind1_ = _pext_u64(kind1_, kept);
        valid_ = pmi_bits_low(pmi_bits_count(kept));
        return differ;
    }

    // Stores the roles of those that have not been removed, and their numbers, of which the first of the 64 has
    // `first`. Returns how many they are.
    HWY_INLINE unsigned Store(size_t first, uint8_t *roles, uint16_t *numbers) const {
        const unsigned stay = pmi_bits_count(left_);
        if (HWY_UNLIKELY(stay == PM_WORD_BITS)) {
            StoreAll(first, roles, numbers);
            return stay;
        }
        uint64_t left = left_;
        for (unsigned k = 0; k < stay; k += 8) {
            const uint64_t neither = ~(opens_ | closes_); // what ends a record: the one role with kind 4
            const uint64_t eight = Bytes(opens_, k) | Bytes(closes_, k) << 1 | Bytes(kind0_, k) << 2 |
                                   Bytes(kind1_, k) << 3 | Bytes(neither, k) << 4;
            memcpy(roles + k, &eight, sizeof eight);
        }
        for (unsigned k = 0; k < stay; k += kTaken) {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < kTaken; i++) {
                numbers[k + i] = static_cast<uint16_t>(first + _tzcnt_u64(left));
                __asm__("" : "+m"(numbers[k + i])); // or compilers put four together, which takes longer
                left &= left - 1;
            }
        }
        return stay;
    }

  private:
    // The same if none has been removed, as where a text is nested deeply.
    HWY_INLINE void StoreAll(size_t first, uint8_t *roles, uint16_t *numbers) const {
        for (unsigned k = 0; k < PM_WORD_BITS; k += 32) {
            const auto role_of = [k](uint64_t plane, char role) HWY_ATTR {
                return _mm256_and_si256(BytesOfBits(static_cast<uint32_t>(plane >> k)), _mm256_set1_epi8(role));
            };
            const __m256i sides = _mm256_or_si256(role_of(opens_, 1), role_of(closes_, 2));
            const __m256i kinds = _mm256_or_si256(role_of(kind0_, 4), role_of(kind1_, 8));
            const __m256i neither = role_of(~(opens_ | closes_), 16);
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(roles + k),
                                _mm256_or_si256(_mm256_or_si256(sides, kinds), neither));
        }
        for (unsigned k = 0; k < PM_WORD_BITS; k++)
            numbers[k] = static_cast<uint16_t>(first + k);
    }

    // The bits from the k-th on, each a byte.
    static HWY_INLINE uint64_t Bytes(uint64_t plane, unsigned k) {
        return _pdep_u64(plane >> k, UINT64_C(0x0101010101010101));
    }

    uint64_t left_; // those of the 64 that have not been removed; the planes have them alone
    uint64_t valid_, opens_, closes_, kind0_, kind1_;
};

// The roles of bytes that are looked up.
struct LookedUpPlanes {
    const Roles table;
    const unsigned char *brackets;

    HWY_INLINE RolePlanes Load(size_t first, unsigned count) const {
        alignas(32) uint8_t last[PM_WORD_BITS] = {0};
        const unsigned char *bytes = brackets + first;
        if (count < PM_WORD_BITS) {
            memcpy(last, bytes, count);
            bytes = last;
        }
        return {table.LookUp(bytes), table.LookUp(bytes + 32), count};
    }
};

// The same of those that are packed.
struct UnpackedPlanes {
    const unsigned char *packed;

    HWY_INLINE RolePlanes Load(size_t first, unsigned count) const {
        PackedPlanes planes;
        memcpy(&planes, packed + first / PM_WORD_BITS * sizeof planes, sizeof planes);
        return {planes, count};
    }
};

template <bool kRecords, class P>
HWY_INLINE size_t CancelPlanes(const P &planes_of, size_t count, uint8_t *roles, uint16_t *numbers, size_t *rise) {
    const unsigned rounds = PextIsSlow() ? 0 : kCancelRounds;
    uint64_t differ = 0;
    RunRise risen;
    size_t left = 0;
    for (size_t first = 0; first < count; first += PM_WORD_BITS) {
        const unsigned n = static_cast<unsigned>(count - first < PM_WORD_BITS ? count - first : PM_WORD_BITS);
        RolePlanes planes = planes_of.Load(first, n);
        planes.template AddTo<kRecords>(risen);
        for (unsigned round = 0; round < rounds; round++)
            differ |= planes.template RemovePairs<kRecords>();
        left += planes.Store(first, roles + left, numbers + left);
    }
    *rise = risen.most();
    return differ ? SIZE_MAX : left;
}

HWY_INLINE size_t CancelPacked(const unsigned char *packed, size_t count, bool records, uint8_t *roles,
                               uint16_t *numbers, size_t *rise) {
    return records ? CancelPlanes<true>(UnpackedPlanes{packed}, count, roles, numbers, rise)
                   : CancelPlanes<false>(UnpackedPlanes{packed}, count, roles, numbers, rise);
}

HWY_INLINE size_t CancelBytes(const uint8_t role_of[256], const unsigned char *brackets, size_t count, bool records,
                              uint8_t *roles, uint16_t *numbers, size_t *rise) {
    const LookedUpPlanes planes = {Roles(role_of), brackets};
    return records ? CancelPlanes<true>(planes, count, roles, numbers, rise)
                   : CancelPlanes<false>(planes, count, roles, numbers, rise);
}

#endif

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
