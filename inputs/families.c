/* SPDX-License-Identifier: Apache-2.0 */
/* The generators behind families.h: a table of names and functions. */
#include "inputs/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parenmatch.h"

const char *const family_names[] = {"random",
                                    "bits",
                                    "coin:8",
                                    "deep",
                                    "opens",
                                    "closes",
                                    "flat",
                                    "saw:1",
                                    "saw:20",
                                    "saw:63",
                                    "saw:64",
                                    "saw:100",
                                    "saw:1000",
                                    "saw:5000",
                                    "saw:70000",
                                    "comb:1",
                                    "comb:2",
                                    "comb:40",
                                    "comb:63",
                                    "comb:64",
                                    "comb:5000",
                                    "zigzag",
                                    "twist:1",
                                    "twist:.75",
                                    "twist:.5",
                                    "twist:.25",
                                    "twist:2",
                                    "drift",
                                    "sparse:40",
                                    "sparse:511",
                                    "wells:511:40",
                                    "wells:16383:6",
                                    "mixture",
                                    "word:7fffffffffffffff",
                                    "word:00000000ffffffff",
                                    "word:ffffffff00000000",
                                    "word:fffffffffffffffe",
                                    "word:0000000000000001",
                                    "word:5555555555555555",
                                    NULL};

uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio: SplitMix64's constants */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t random_below(uint64_t *state, uint64_t bound) {
    return random_next(state) % bound;
}

/* A number in [0, 1). */
static double random_unit(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static void put(uint64_t *parens, size_t i, bool open) {
    const uint64_t bit = UINT64_C(1) << i % 64;
    parens[i / 64] = open ? parens[i / 64] | bit : parens[i / 64] & ~bit;
}

/* Each filler writes n bits; its argument is what follows the colon in the name, "" if nothing does. */
typedef bool filler(const char *argument, uint64_t *seed, size_t n, uint64_t *parens);

static bool fill_random(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument;
    size_t depth = 0;
    uint64_t coins = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % 64 == 0)
            coins = random_next(seed);
        const bool open = depth == 0 || (coins >> i % 64 & 1);
        put(parens, i, open);
        depth = open ? depth + 1 : depth - 1;
    }
    return true;
}

static bool fill_bits(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument;
    for (size_t w = 0; w < (n + 63) / 64; w++)
        parens[w] = random_next(seed);
    return true;
}

/* Opens where `i % period < opens`. */
static bool fill_periodic(size_t period, size_t opens, size_t n, uint64_t *parens) {
    for (size_t i = 0, phase = 0; i < n; i++, phase = phase + 1 < period ? phase + 1 : 0)
        put(parens, i, phase < opens);
    return true;
}

static bool fill_deep(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument, (void)seed;
    return fill_periodic(n, n / 2, n, parens);
}

static bool fill_opens(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument, (void)seed;
    return fill_periodic(1, 1, n, parens);
}

static bool fill_closes(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument, (void)seed;
    return fill_periodic(1, 0, n, parens);
}

static bool fill_flat(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument, (void)seed;
    return fill_periodic(2, 1, n, parens);
}

/* Is the argument made of these characters alone? What strtoull and strtod take besides numbers (signs, spaces, names
 * such as "inf") would be other names of the same family, or no family at all. */
static bool argument_is_of(const char *argument, const char *characters) {
    return *argument != '\0' && argument[strspn(argument, characters)] == '\0';
}

static bool parse_period(const char *argument, size_t *period) {
    const unsigned long long value = strtoull(argument, NULL, 10);
    *period = (size_t)value;
    return argument_is_of(argument, "0123456789") && value > 0 && value < SIZE_MAX / 2;
}

static bool fill_coin(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    size_t period;
    if (!parse_period(argument, &period))
        return false;
    for (size_t i = 0; i < n; i++)
        put(parens, i, random_below(seed, period) == 0);
    return true;
}

static bool fill_saw(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    size_t period;
    return parse_period(argument, &period) && fill_periodic(2 * period, period, n, parens);
}

static bool fill_comb(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    size_t period;
    return parse_period(argument, &period) && fill_periodic(period + 1, period, n, parens);
}

static bool fill_zigzag(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument;
    const size_t deepest = 20;
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const bool open = depth == 0 || (depth < deepest && random_below(seed, 2));
        put(parens, i, open);
        depth = open ? depth + 1 : depth - 1;
    }
    return true;
}

/*
 * Arnold and Sleep, "Uniform random generation of balanced parenthesis strings": with r closes owed and k symbols left,
 * a close comes with probability r (k + r + 2) / (2 k (r + 1)). Vigna multiplies that by the twist.
 */
static bool fill_twist(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    char *end;
    const double twist = strtod(argument, &end);
    if (!argument_is_of(argument, "0123456789.") || *end != '\0' || !(twist > 0))
        return false;
    const size_t balanced = n - n % 2;
    size_t owed = 0;
    for (size_t i = 0; i < balanced; i++) {
        const double r = (double)owed, k = (double)(balanced - i);
        const double close = r * (k + r + 2) / (2 * k * (r + 1));
        const bool must_close = owed == balanced - i;
        const bool open = owed == 0 || (!must_close && random_unit(seed) >= close * twist);
        put(parens, i, open);
        owed = open ? owed + 1 : owed - 1;
    }
    if (n > balanced)
        put(parens, n - 1, true);
    return true;
}

static bool fill_drift(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument;
    for (size_t i = 0; i < n; i++) {
        const uint64_t chance = i < n / 2 ? 5 : 3;
        put(parens, i, random_below(seed, 8) < chance);
    }
    return true;
}

static bool fill_sparse(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    size_t pairs;
    if (!parse_period(argument, &pairs))
        return false;
    const size_t rise = n - n / 8;
    for (size_t i = 0, phase = 0; i < n; i++, phase = phase < 2 * pairs ? phase + 1 : 0)
        put(parens, i, i < rise && (phase == 0 || phase % 2 == 1));
    return true;
}

static bool fill_word(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    const unsigned long long word = strtoull(argument, NULL, 16);
    if (!argument_is_of(argument, "0123456789abcdefABCDEF") || strlen(argument) > 16)
        return false;
    for (size_t w = 0; w < (n + 63) / 64; w++)
        parens[w] = word;
    return true;
}

static bool parse_numbers(const char *argument, size_t *numbers, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        char *end;
        if (*argument < '0' || *argument > '9')
            return false;
        numbers[k] = (size_t)strtoull(argument, &end, 10);
        if (*end != (k + 1 < count ? ':' : '\0') || numbers[k] >= SIZE_MAX / 2)
            return false;
        argument = end + 1;
    }
    return true;
}

static bool fill_wells(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    size_t of[2]; /* elements of an open with its pairs, and how many of these */
    if (!parse_numbers(argument, of, 2) || of[0] == 0 || of[1] == 0)
        return false;
    for (size_t i = 0, phase = 0, wells = 0; i < n; i++) {
        put(parens, i, wells < of[1] && (phase == 0 || phase % 2 == 1));
        phase++;
        if (phase == (wells < of[1] ? of[0] : of[1])) {
            phase = 0;
            wells = wells < of[1] ? wells + 1 : 0;
        }
    }
    return true;
}

static bool fill_hills(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    size_t of[4]; /* the period's logarithm, the first part's length, the chances of opens there and in the rest */
    if (!parse_numbers(argument, of, 4) || of[0] > 40 || of[1] > 65536)
        return false;
    const uint64_t period = UINT64_C(1) << of[0], first = (period >> 16) * of[1] + (((period & 65535) * of[1]) >> 16);
    for (size_t i = 0; i < n; i++)
        put(parens, i, random_next(seed) % 65536 < ((i & (period - 1)) < first ? of[2] : of[3]));
    return true;
}

static bool fill_mixture(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)argument;
    static const char *const names[] = {"bits",    "opens",     "closes", "flat",
                                        "saw:100", "sparse:40", "drift",  "wells:511:9"};
    for (size_t begin = 0; begin < n;) {
        const size_t wanted = (size_t)1 << (4 + random_below(seed, 17)), left = n - begin;
        const size_t count = wanted < left ? wanted : left;
        const char *const name = names[random_below(seed, sizeof names / sizeof *names)];
        uint64_t *const piece = malloc((count + 63) / 64 * sizeof *piece);
        if (!piece || !family_fill(name, random_next(seed), count, piece)) {
            free(piece);
            return false;
        }
        for (size_t i = 0; i < count; i++)
            put(parens, begin + i, piece[i / 64] >> i % 64 & 1);
        free(piece);
        begin += count;
    }
    return true;
}

/* Bytes are read in blocks, until the file ends or n brackets are found; then the found ones are repeated. */
static bool fill_file(const char *argument, uint64_t *seed, size_t n, uint64_t *parens) {
    (void)seed;
    FILE *file = fopen(argument, "rb");
    if (!file)
        return false;
    size_t found = 0;
    char block[4096];
    for (size_t got; found < n && (got = fread(block, 1, sizeof block, file)) > 0;)
        for (size_t i = 0; i < got && found < n; i++)
            if (block[i] != '\0' && strchr("()[]{}", block[i]))
                put(parens, found++, strchr("([{", block[i]) != NULL);
    fclose(file);
    for (size_t i = found; found > 0 && i < n; i++)
        put(parens, i, parens[(i - found) / 64] >> (i - found) % 64 & 1);
    return found > 0 || n == 0;
}

static const struct {
    const char *name; /* up to and with the colon, if it takes an argument */
    filler *fill;
} families[] = {{"random", fill_random}, {"bits", fill_bits},      {"coin:", fill_coin},     {"deep", fill_deep},
                {"opens", fill_opens},   {"closes", fill_closes},  {"flat", fill_flat},      {"saw:", fill_saw},
                {"comb:", fill_comb},    {"drift", fill_drift},    {"sparse:", fill_sparse}, {"zigzag", fill_zigzag},
                {"twist:", fill_twist},  {"word:", fill_word},     {"file:", fill_file},     {"wells:", fill_wells},
                {"hills:", fill_hills},  {"mixture", fill_mixture}};

bool family_fill(const char *name, uint64_t seed, size_t n, uint64_t *parens) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const size_t length = strlen(families[f].name);
        const bool takes_argument = families[f].name[length - 1] == ':';
        if (takes_argument ? strncmp(name, families[f].name, length) == 0 : strcmp(name, families[f].name) == 0) {
            if (n % 64 != 0)
                parens[n / 64] = random_next(&seed); /* junk past the end; the filler overwrites what is before it */
            return families[f].fill(name + length, &seed, n, parens);
        }
    }
    return false;
}

size_t elements_append(uint64_t *parens, size_t n, size_t count, unsigned odds, uint64_t *seed) {
    for (size_t end = n + count; n < end; n++) {
        const uint64_t bit = UINT64_C(1) << n % 64;
        parens[n / 64] = random_next(seed) % 256 < odds ? parens[n / 64] | bit : parens[n / 64] & ~bit;
    }
    return n;
}
