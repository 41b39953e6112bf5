/* SPDX-License-Identifier: Apache-2.0 */
/* A partition's slice of the stack: the indices of its survivors, the last one first. */

shared uint after[PARTITION_WORDS]; /* of each word: unmatched closes and opens after it in the partition */

/* From the tree of a whole partition that begins with element `begin`. */
void slice_write(uint begin) {
    for (uint leaf = gl_LocalInvocationIndex; leaf < PARTITION_WORDS; leaf += INVOCATIONS)
        after[leaf] = tree_after(leaf, PARTITION_WORDS);
    barrier();
    for (uint element = gl_LocalInvocationIndex; element < PARTITION; element += INVOCATIONS) {
        const uint leaf = element / 32, position = element % 32, word = words[leaf];
        if (bic_open(tree[PARTITION_WORDS + leaf]) <= bic_close(after[leaf]))
            continue; /* nothing of the word survives */
        const uint up_to_here = (2u << position) - 1;
        const int level = 2 * bitCount(word & up_to_here) - int(position) - 1;
        const uint opens_above = uint(word_end(word) - level); /* if it survives the word */
        const bool closed = (word_at_level(leaf, level - 1) & ~word & ~up_to_here) != 0;
        if ((word >> position & 1) != 0 && !closed && opens_above >= bic_close(after[leaf]))
            slices.at[begin + opens_above - bic_close(after[leaf]) + bic_open(after[leaf])] = begin + element;
    }
}
