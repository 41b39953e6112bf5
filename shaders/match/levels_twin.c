/* SPDX-License-Identifier: Apache-2.0 */
/* Said as plainly as can be: no lanes, no masks, one element after the other. */
#include "shaders/twins.h"

#include <stdbool.h>

typedef struct pair {
    int32_t x, y;
} pair;

/* An address of the host. */
static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static int32_t less_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Elements past n count as opens. */
static bool is_open(const pmi_levels_parameters *p, uint64_t i) {
    const uint32_t *const parens = at(p->parens);
    return i >= p->n || (parens[i / 32] >> i % 32 & 1);
}

/* ---- reduce ---- */

/* A tile: its survivors, from right to left, and its record, without the level of its start; returns its end's. */
static int32_t tile_reduce(const pmi_levels_parameters *p, uint64_t tile, pair *record) {
    uint32_t *const survivors = (uint32_t *)at(p->survivors) + tile * PM_TILE_WORDS;
    int32_t end = 0, least = 0, pending = 0, lowest = 0, highest = 0, count = 0;
    for (uint32_t i = 0; i < PM_TILE; i++) {
        end += is_open(p, tile * PM_TILE + i) ? 1 : -1;
        least = less_of(least, end);
    }
    for (uint32_t w = 0; w < PM_TILE_WORDS; w++)
        survivors[w] = 0;
    for (uint32_t i = PM_TILE; i-- > 0;) {
        if (!is_open(p, tile * PM_TILE + i)) {
            pending++;
        } else if (pending > 0) {
            pending--;
        } else {
            survivors[i / 32] |= UINT32_C(1) << i % 32;
            lowest = (int32_t)i;
            highest = count++ == 0 ? lowest : highest;
        }
    }
    *record = (pair){PM_TILE_PACK(0, lowest, count == highest - lowest + 1), least};
    return end;
}

void pmi_levels_reduce_twin(const pmi_levels_parameters *p) {
    for (uint32_t s = p->first; s < p->first + p->count; s++) {
        int32_t level = 0, least = 0;
        for (uint32_t t = 0; t < PM_SUPERBLOCK_TILES; t++) {
            const uint64_t tile = (uint64_t)s * PM_SUPERBLOCK_TILES + t;
            pair *const record = (pair *)at(p->tile_record) + tile;
            const int32_t change = tile_reduce(p, tile, record);
            *record = (pair){PM_TILE_PACK(level, 0, 0) + record->x, level + record->y};
            least = less_of(least, record->y);
            level += change;
        }
        ((pair *)at(p->superblock_sum))[s] = (pair){level, least};
    }
}

/* ---- scan ---- */

/* The lowest survivors of a superblock are the first opens that no later close takes. */
static void list_make(const pmi_levels_parameters *p, uint64_t superblock) {
    uint32_t *const list = (uint32_t *)at(p->superblock_base) + PM_LIST(p->superblocks, superblock);
    const uint64_t begin = superblock * PM_SUPERBLOCK;
    uint32_t survivors[PM_SUPERBLOCK]; /* the highest first */
    uint32_t count = 0, pending = 0;
    for (uint32_t i = PM_SUPERBLOCK; i-- > 0;)
        if (!is_open(p, begin + i))
            pending++;
        else if (pending > 0)
            pending--;
        else
            survivors[count++] = i;
    for (uint32_t k = 0; k < count && k < PM_LISTED; k++)
        list[k] = survivors[count - 1 - k];
}

void pmi_levels_scan_twin(const pmi_levels_parameters *p) {
    const pair *const sum = at(p->superblock_sum);
    uint32_t *const base = at(p->superblock_base), *const tree = at(p->tree), *const summary = at(p->summary);
    int64_t change = 0;
    for (uint32_t s = 0; s < p->superblocks; s++)
        change += sum[s].x;
    const int64_t closes = ((int64_t)p->superblocks * PM_SUPERBLOCK - change) / 2;
    int64_t level = closes;
    for (uint32_t s = 0; s < p->superblocks; s++) {
        base[s] = (uint32_t)level;
        tree[s] = (uint32_t)(level + sum[s].y);
        level += sum[s].x;
        list_make(p, s);
    }

    const uint32_t begins[PM_TREE_LEVELS] = {0, p->tree_1, p->tree_2, p->tree_3};
    uint32_t nodes = p->superblocks;
    for (uint32_t l = 1; l < p->tree_levels; l++) {
        const uint32_t below = nodes;
        nodes = below / PM_LANES + (below % PM_LANES != 0);
        for (uint32_t node = 0; node < nodes; node++)
            tree[begins[l] + node] = UINT32_MAX;
        for (uint32_t child = 0; child < below; child++) {
            uint32_t *const least = &tree[begins[l] + child / PM_LANES];
            const uint32_t level_of_child = tree[begins[l - 1] + child];
            *least = level_of_child < *least ? level_of_child : *least;
        }
    }
    uint32_t least = (uint32_t)closes;
    for (uint32_t node = 0; node < nodes; node++)
        least = tree[begins[p->tree_levels - 1] + node] < least ? tree[begins[p->tree_levels - 1] + node] : least;
    summary[0] = (uint32_t)closes - least;
    summary[1] = p->n - (uint32_t)closes - least;
}

/* ---- match ---- */

static uint32_t tile_level(const pmi_levels_parameters *p, uint32_t tile) {
    const uint32_t *const base = at(p->superblock_base);
    const pair *const record = at(p->tile_record);
    return base[tile / PM_SUPERBLOCK_TILES] + (uint32_t)PM_TILE_START(record[tile].x);
}

static uint32_t tile_least(const pmi_levels_parameters *p, uint32_t tile) {
    const uint32_t *const base = at(p->superblock_base);
    const pair *const record = at(p->tile_record);
    return base[tile / PM_SUPERBLOCK_TILES] + (uint32_t)record[tile].y;
}

/* The last tile before `before` that holds a level below key; superblocks that hold none are skipped. */
static uint32_t tile_find(const pmi_levels_parameters *p, uint32_t before, uint32_t key) {
    const uint32_t *const tree = at(p->tree);
    while (before > 0) {
        const uint32_t superblock = (before - 1) / PM_SUPERBLOCK_TILES;
        if (before % PM_SUPERBLOCK_TILES == 0 && tree[superblock] >= key)
            before -= PM_SUPERBLOCK_TILES;
        else if (tile_least(p, before - 1) < key)
            return before - 1;
        else
            before--;
    }
    return PM_NO_TILE;
}

/* Of a slice, the open of the stack before it that has this key; at its beginning the top has the key of that level. */
static uint32_t incoming_find(const pmi_levels_parameters *p, uint32_t key) {
    const uint32_t *const base = at(p->superblock_base), *const incoming = at(p->incoming);
    const uint32_t below_top = p->incoming_count > 0 ? base[0] - key : 0;
    return below_top < p->incoming_count ? incoming[below_top] : PM_NO_ELEMENT;
}

/* The last open with this key before a tile. A tile's survivors have consecutive keys, from one above its least level
 * on. */
static uint32_t open_find(const pmi_levels_parameters *p, uint32_t before, uint32_t key) {
    const uint32_t tile = tile_find(p, before, key);
    if (tile == PM_NO_TILE)
        return incoming_find(p, key);
    const uint32_t *const survivors = (uint32_t *)at(p->survivors) + (uint64_t)tile * PM_TILE_WORDS;
    uint32_t below = key - tile_least(p, tile) - 1;
    for (uint32_t i = 0; i < PM_TILE; i++)
        if ((survivors[i / 32] >> i % 32 & 1) && below-- == 0)
            return p->origin + tile * PM_TILE + i;
    return PM_NO_ELEMENT;
}

/* A tile on its own: the stack of its opens, and below its own what survives of the tiles before it. */
static void tile_match(const pmi_levels_parameters *p, uint32_t tile, uint32_t *match) {
    uint32_t stack[PM_TILE];
    uint32_t depth = 0, key = tile_level(p, tile), outer = open_find(p, tile, key);
    for (uint32_t k = 0; k < PM_TILE && (uint64_t)tile * PM_TILE + k < p->n; k++) {
        const uint32_t i = tile * PM_TILE + k;
        match[k] = depth > 0 ? stack[depth - 1] : outer;
        if (is_open(p, i))
            stack[depth++] = p->origin + i;
        else if (depth > 0)
            depth--;
        else
            outer = open_find(p, tile, --key);
    }
}

void pmi_levels_match_twin(const pmi_levels_parameters *p) {
    for (uint32_t tile = p->first; tile < p->first + p->count; tile++)
        tile_match(p, tile, (uint32_t *)at(p->match) + (uint64_t)(tile - p->match_tile) * PM_TILE);
}

/* ---- stack ---- */

void pmi_levels_stack_twin(const pmi_levels_parameters *p) {
    const uint32_t *const base = at(p->superblock_base);
    uint32_t *const to = at(p->match);
    const uint32_t opens = p->n - base[0];
    for (uint32_t k = p->first; k < p->first + p->count; k++)
        to[k - p->first] =
            k < opens ? open_find(p, p->superblocks * PM_SUPERBLOCK_TILES, opens - k) : incoming_find(p, opens - k);
}
