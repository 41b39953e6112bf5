/* SPDX-License-Identifier: Apache-2.0 */
/* A succinct tree: the sequence itself and a small index, asked for parents, children, ancestors and subtrees. */
#include <inttypes.h>
#include <parenmatch.h>
#include <stdio.h>

/* ((()())(()(()))), the first element in the lowest bit, 1 where a node begins. */
static const uint64_t parens[] = {0x0d97};
static const uint64_t elements = 16;

static void print_tree(const pm_bp *bp) {
    puts("node  parent  depth  subtree  children");
    for (uint64_t k = 0; k < pm_bp_rank_open(bp, elements); k++) {
        const uint64_t node = pm_bp_preorder_select(bp, k), parent = pm_bp_parent(bp, node);
        printf("%4" PRIu64 "  %6" PRId64 "  %5" PRIu64 "  %7" PRIu64, node, (int64_t)parent, /* -1: none */
               pm_bp_depth(bp, node), pm_bp_subtree_size(bp, node));
        for (uint64_t child = pm_bp_first_child(bp, node); child != PM_BP_NONE; child = pm_bp_next_sibling(bp, child))
            printf("  %" PRIu64, child);
        putchar('\n');
    }
}

int main(void) {
    pm_bp *bp;
    const pm_status status = pm_bp_create(NULL, parens, elements, &bp); /* borrows parens */
    if (status != PM_OK) {
        fprintf(stderr, "%s\n", pm_status_string(status));
        return 1;
    }
    print_tree(bp);
    printf("the node at 2 ends at %" PRIu64 ", is enclosed by %" PRIu64 "\n", pm_bp_find_close(bp, 2),
           pm_bp_enclose(bp, 2));
    printf("the lowest common ancestor of 8 and 11 is %" PRIu64 "\n", pm_bp_lca(bp, 8, 11));
    pm_bp_destroy(bp);
    return 0;
}
