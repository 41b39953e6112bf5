/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of what looks further back than a slice begins, in the scratch after the tree: quads of tiles, in any order.
 *
 * Words of it: PM_FAR_COUNT, how many quads there are; and from PM_FAR_BEGIN on the quads, each 16 times its number plus a bit
 * for each of its tiles.
 */

/* The tree's highest level is its last one. */
pm_words far_list() {
    const uint highest = tree_levels == 1 ? 0 : tree_levels == 2 ? tree_1 : tree_levels == 3 ? tree_2 : tree_3;
    return words_after(tree, highest + PM_LANES);
}

uint far_quad(uint quad, uint tiles) {
    return quad << PM_FAR_QUAD | tiles;
}

/* What is to be matched of a quad: from the first such tile to before the second number. */
uvec2 far_tiles(uint quad) {
    const uint first_tile = (quad >> PM_FAR_QUAD) * PM_FAR_QUAD, tiles = quad & ((1u << PM_FAR_QUAD) - 1);
    return first_tile + uvec2(findLSB(tiles), findMSB(tiles) + 1);
}
