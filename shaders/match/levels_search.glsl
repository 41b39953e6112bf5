/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the superblock that holds an open which a later tile asks for: the last one before it with a level below the
 * open's key, by the tree of least levels (PM_SHORT: among at most 32, of which each lane knows one). The tiles of one
 * superblock are at hand, for finding the tile in it.
 */

/* ---- Superblocks ---- */

#ifdef PM_SHORT

/* At most 32 superblocks, lane = superblock: the level of its start, and its least level. No scan has been. */
uint start_level, least_level;

/* sum: of superblock `lane`. */
void superblocks_scan(bool summarise, ivec2 sum) {
    const uint end = lanes_inclusive_add(uint(sum.x));
    const uint closes = superblocks_closes(int(lanes_shuffle(end, PM_LANES - 1)) / 2);
    start_level = closes + end - uint(sum.x);
    least_level = start_level + uint(sum.y);
    const uint least = lanes_min(lane < superblocks ? least_level : 0xffffffffu);
    if (summarise && lane == 0)
        summary_write(closes, least);
}

uint superblock_level(uint s) {
    return lanes_shuffle(start_level, s);
}

/* Lane = superblock, from `first` on, a multiple of 32. */
uint superblocks_least(uint first) {
    return least_level;
}

/* The last superblock before `before` that holds a level below `key`; PM_NO_TILE if none does. */
uint superblock_find(uint before, uint key) {
    const uint found = lanes_ballot(lane < before && least_level < key);
    return found != 0 ? findMSB(found) : PM_NO_TILE;
}

#else

uint superblock_level(uint s) {
    return pm_constant_words(superblock_base).at[s];
}

uint tree_at(uint level, uint node) {
    const uint begin = level == 0 ? 0 : level == 1 ? tree_1 : level == 2 ? tree_2 : tree_3;
    return pm_constant_words(tree).at[begin + node];
}

/* Lane = superblock, from `first` on, a multiple of 32. */
uint superblocks_least(uint first) {
    return tree_at(0, first + lane);
}

/* The last superblock before `before` that holds a level below `key`; PM_NO_TILE if none does. */
uint superblock_find(uint before, uint key) {
    uint node = before, level = 0, found = 0;
    for (; level < tree_levels; level++) {
        /* At the top all are sisters, and `before` may be past the last of them. */
        const uint sisters = level + 1 < tree_levels ? node & ~(PM_LANES - 1) : 0;
        found = lanes_ballot((lane < node - sisters ? tree_at(level, sisters + lane) : key) < key);
        if (found != 0) {
            node = sisters + findMSB(found);
            break;
        }
        node /= PM_LANES;
    }
    if (found == 0)
        return PM_NO_TILE;
    for (; level > 0; level--)
        node = node * PM_LANES + findMSB(lanes_ballot(tree_at(level - 1, node * PM_LANES + lane) < key));
    return node;
}

#endif

/* ---- Tiles of the superblock at hand, lane = tile ---- */

uint superblock;
uint tile_least;  /* least level */
uint tile_lowest; /* the lowest survivor, counted from the superblock's first element */
uint tile_runs;   /* of all tiles, a bit each: are the survivors one run? */

/* Where the last search ended: keys up to resume_key are not in tile resume_before, nor in those from there to the
 * present one. On a long way down each search so begins where the last one ended. */
uint resume_key = 0, resume_before = 0;

void superblock_take_record(uint s, ivec2 record) {
    superblock = s;
    tile_least = superblock_level(s) + uint(record.y);
    tile_lowest = lane * PM_TILE + uint(PM_TILE_LOWEST(record.x));
    tile_runs = lanes_ballot(PM_TILE_RUN(record.x) != 0);
}

void superblock_take(uint s) {
    superblock_take_record(s, tile_record.at[s * PM_SUPERBLOCK_TILES + lane]);
}
