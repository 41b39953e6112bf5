/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of names, probed one slot after another. */
#include "core/names.h"

#include <string.h>

#include "core/context.h"
#include "core/pairs.h"

#define ROOM_LEAST ((size_t)64)
#define NAMES_MOST ((uint32_t)1 << 31)

/* Fowler, Noll and Vo's FNV-1a, of 64 bits. */
static uint64_t hash_of(const pm_names *names, uint32_t family, const unsigned char *name, size_t length) {
    const uint64_t basis = 0xcbf29ce484222325, prime = 0x100000001b3;
    uint64_t hash = basis ^ family;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ pm_fold_case(name[i], names->ignore_case)) * prime;
    return hash ^ hash >> 32;
}

/* The slot of that name, or the one where it belongs. */
static pm_name *slot_of(const pm_names *names, uint32_t family, size_t begin, size_t length) {
    const unsigned char *const name = names->text + begin;
    size_t i = (size_t)hash_of(names, family, name, length) & (names->room - 1);
    for (; names->slots[i].length > 0; i = (i + 1) & (names->room - 1)) {
        const pm_name *const other = &names->slots[i];
        if (other->length == length && other->family == family &&
            pm_bytes_equal(names->text + other->begin, name, length, names->ignore_case))
            break;
    }
    return &names->slots[i];
}

static bool grow(pm_names *names) {
    const pm_names old = *names;
    const size_t room = old.room ? 2 * old.room : ROOM_LEAST;
    pm_name *const slots = pm_memory_allocate(&names->allocator, room, sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, room * sizeof *slots);
    names->slots = slots;
    names->room = room;
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].length > 0)
            *slot_of(names, old.slots[i].family, old.slots[i].begin, old.slots[i].length) = old.slots[i];
    pm_memory_free(&names->allocator, old.slots);
    return true;
}

pm_name *pm_names_find(pm_names *names, uint32_t family, size_t begin, size_t length) {
    if (names->count >= names->room / 2 && (names->count == NAMES_MOST || !grow(names)))
        return NULL;
    pm_name *const slot = slot_of(names, family, begin, length);
    if (slot->length == 0) {
        *slot = (pm_name){.begin = begin, .length = length, .family = family, .number = PM_NONE, .implied = PM_NONE};
        names->count++;
    }
    return slot;
}

uint32_t pm_names_number(pm_names *names, pm_name *name) {
    if (name->number == PM_NONE)
        name->number = names->numbered++;
    return name->number;
}

void pm_names_clear(pm_names *names) {
    pm_memory_free(&names->allocator, names->slots);
    *names = (pm_names){.allocator = names->allocator};
}
