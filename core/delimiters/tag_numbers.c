/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of tag names with linear probing. */
#include "core/delimiters/structure.h"

#include <string.h>

#include "core/context/context.h"

#define ROOM_MIN ((size_t)64)
#define NAMES_MAX ((uint32_t)1 << 31)

#define PIECE sizeof(uint64_t) /* bytes of a name that are read at once */

/* Capitals as small letters, in all eight bytes (after Lamport's "Multiple byte processing with full-word
 * instructions"): bit 7 of a byte becomes that it is a letter from A on, and none behind Z. */
static uint64_t fold_capitals(uint64_t bytes) {
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones * 0x80, low = bytes & ~high;
    const uint64_t from_a = low + ones * (0x80 - 'A'), behind_z = low + ones * (0x7f - 'Z');
    return bytes | (((from_a ^ behind_z) & ~bytes & high) >> 2);
}

/* Up to eight bytes of the text, zeros behind them, as they are compared. */
static uint64_t piece_at(const pmi_tag_numbers *names, size_t at, size_t length) {
    static const unsigned char kept[2 * PIECE] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const size_t wanted = length < PIECE ? length : PIECE;
    uint64_t bytes = 0, mask;
    if (names->n - at >= PIECE) {
        memcpy(&bytes, names->text + at, PIECE);
        memcpy(&mask, kept + PIECE - wanted, PIECE);
        bytes &= mask;
    } else {
        memcpy(&bytes, names->text + at, wanted);
    }
    return names->ignore_case ? fold_capitals(bytes) : bytes;
}

/* Every bit of a piece reaches the lowest ones. */
static uint64_t mix(uint64_t hash, uint64_t piece) {
    hash ^= piece;
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length, uint64_t first) {
    uint64_t hash = mix(family, first);
    for (size_t i = PIECE; i < length; i += PIECE)
        hash = mix(hash, piece_at(names, begin + i, length - i));
    return hash;
}

/* The slot of that name, which begins with the piece `first`, or the one where it belongs. */
static pmi_name *slot_of(const pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length, uint64_t first) {
    const unsigned char *const text = names->text;
    size_t i = (size_t)hash_of(names, family, begin, length, first) & (names->room - 1);
    for (; names->table[i].length > 0; i = (i + 1) & (names->room - 1)) {
        const pmi_name *const other = &names->table[i];
        if (other->bytes == first && other->length == length && other->family == family &&
            (length <= PIECE ||
             pmi_bytes_equal(text + other->begin + PIECE, text + begin + PIECE, length - PIECE, names->ignore_case)))
            break;
    }
    return &names->table[i];
}

static bool grow(pmi_tag_numbers *names) {
    const pmi_tag_numbers old = *names;
    const size_t room = old.room ? 2 * old.room : ROOM_MIN;
    pmi_name *const table = pmi_memory_allocate(&names->allocator, room, sizeof *table);
    if (!table)
        return false;
    memset(table, 0, room * sizeof *table);
    names->table = table;
    names->room = room;
    for (size_t i = 0; i < old.room; i++) {
        const pmi_name *const name = &old.table[i];
        if (name->length > 0)
            *slot_of(names, name->family, name->begin, name->length, name->bytes) = *name;
    }
    pmi_memory_free(&names->allocator, old.table);
    return true;
}

pmi_name *pmi_tag_numbers_find(pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length) {
    if (names->count >= names->room / 2 && (names->count == NAMES_MAX || !grow(names)))
        return NULL;
    const uint64_t first = piece_at(names, begin, length);
    pmi_name *const slot = slot_of(names, family, begin, length, first);
    if (slot->length == 0) {
        *slot = (pmi_name){
            .begin = begin, .length = length, .bytes = first, .family = family, .number = PM_NONE, .implied = PM_NONE};
        names->count++;
    }
    return slot;
}

uint32_t pmi_tag_numbers_number(pmi_tag_numbers *names, pmi_name *name) {
    if (name->number == PM_NONE)
        name->number = names->numbered++;
    return name->number;
}

void pmi_tag_numbers_clear(pmi_tag_numbers *names) {
    pmi_memory_free(&names->allocator, names->table);
    *names = (pmi_tag_numbers){.allocator = names->allocator};
}
