/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of names in C, one token after another. */
#include <stdbool.h>

#include "shaders/twins.h"

typedef pmi_structure_names_parameters names_parameters;

/* An address of the host. */
static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static const uint32_t *table_of(const names_parameters *p, uint32_t token) {
    const uint32_t place = ((const uint32_t *)at(p->positions))[token];
    return (const uint32_t *)at(p->tables) + 2 * (uint32_t)((const unsigned char *)at(p->letters))[place];
}

/* Of a token that begins a tag. */
static const unsigned char *name_of(const names_parameters *p, uint32_t token) {
    const uint32_t place = ((const uint32_t *)at(p->positions))[token];
    return (const unsigned char *)at(p->text) + place + PM_STRUCTURE_OWN_LENGTH(table_of(p, token)[1]);
}

static bool ends_name(const names_parameters *p, uint32_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == (p->name_ends & 255) || byte == p->name_ends >> 8;
}

static uint32_t folded(const names_parameters *p, uint32_t byte) {
    return p->fold && byte >= 'A' && byte <= 'Z' ? byte | 32 : byte;
}

/* ---- name ---- */

static uint32_t hash_of(const names_parameters *p, const unsigned char *name, uint32_t length) {
    uint32_t hash = 0x811c9dc5u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ folded(p, name[i])) * 0x01000193u;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

void pmi_structure_name_twin(const names_parameters *p, uint32_t tokens) {
    uint32_t *const names = at(p->names), *const slots = at(p->slots);
    for (uint32_t token = 0; token < tokens; token++) {
        uint32_t length = 0;
        slots[2 * token] = slots[2 * token + 1] = PM_STRUCTURE_NONE;
        if (table_of(p, token)[0] & PM_STRUCTURE_TAG)
            while (length <= PM_STRUCTURE_NAME_MOST && !ends_name(p, name_of(p, token)[length]))
                length++;
        if (length > PM_STRUCTURE_NAME_MOST) {
            ((uint32_t *)at(p->found))[PM_STRUCTURE_FOUND_LONG] = 1;
            length = 0;
        }
        names[2 * token] = length > 0 ? hash_of(p, name_of(p, token), length) : 0;
        names[2 * token + 1] = length;
    }
}

/* ---- enter ---- */

static bool same_names(const names_parameters *p, uint32_t a, uint32_t b) {
    const uint32_t *const names = at(p->names);
    if (names[2 * a] != names[2 * b] || names[2 * a + 1] != names[2 * b + 1])
        return false;
    for (uint32_t i = 0; i < names[2 * a + 1]; i++)
        if (folded(p, name_of(p, a)[i]) != folded(p, name_of(p, b)[i]))
            return false;
    return true;
}

void pmi_structure_enter_twin(const names_parameters *p, uint32_t tokens) {
    const uint32_t *const names = at(p->names);
    uint32_t *const slots = at(p->slots), *const kinds = at(p->kinds);
    for (uint32_t token = 0; token < tokens; token++) {
        uint32_t slot = (uint32_t)((uint64_t)names[2 * token] * (2 * tokens) >> 32), probe = 0;
        if (names[2 * token + 1] == 0)
            continue;
        for (; probe < PM_STRUCTURE_PROBE_MOST; probe++) {
            if (slots[slot] == PM_STRUCTURE_NONE || same_names(p, slots[slot], token))
                break;
            slot = slot + 1 < 2 * tokens ? slot + 1 : 0;
        }
        if (probe == PM_STRUCTURE_PROBE_MOST)
            ((uint32_t *)at(p->found))[PM_STRUCTURE_FOUND_LONG] = 1;
        else if (slots[slot] == PM_STRUCTURE_NONE)
            slots[slot] = token;
        kinds[token] = probe == PM_STRUCTURE_PROBE_MOST ? 0 : slot;
    }
}

/* ---- first, rank, number, kind ---- */

static bool is_first(const names_parameters *p, uint32_t token) {
    return ((const uint32_t *)at(p->names))[2 * token + 1] != 0 &&
           ((const uint32_t *)at(p->slots))[((const uint32_t *)at(p->kinds))[token]] == token;
}

void pmi_structure_first_twin(const names_parameters *p, uint32_t tokens) {
    uint32_t *const firsts = at(p->firsts);
    for (uint32_t token = 0; token < tokens; token++)
        firsts[token / PM_TILE] = (token % PM_TILE == 0 ? 0 : firsts[token / PM_TILE]) + is_first(p, token);
}

void pmi_structure_rank_twin(const names_parameters *p, uint32_t tokens) {
    uint32_t *const firsts = at(p->firsts), before = 0;
    const uint32_t tiles = pmi_plan_pieces(tokens, PM_TILE);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        const uint32_t own = firsts[tile];
        firsts[tile] = before;
        before += own;
    }
    firsts[tiles] = before;
}

void pmi_structure_number_twin(const names_parameters *p, uint32_t tokens) {
    uint32_t number = 0;
    for (uint32_t token = 0; token < tokens; token++) {
        if (token % PM_TILE == 0)
            number = ((const uint32_t *)at(p->firsts))[token / PM_TILE];
        if (is_first(p, token))
            ((uint32_t *)at(p->names))[2 * token] = number++;
    }
}

void pmi_structure_kind_twin(const names_parameters *p, uint32_t tokens) {
    const uint32_t *const names = at(p->names), *const slots = at(p->slots);
    uint32_t *const kinds = at(p->kinds);
    for (uint32_t token = 0; token < tokens; token++) {
        if (names[2 * token + 1] == 0)
            continue;
        const uint32_t holder = slots[kinds[token]];
        kinds[token] = p->kinds_before + (holder != PM_STRUCTURE_NONE ? names[2 * holder] : 0);
    }
}
