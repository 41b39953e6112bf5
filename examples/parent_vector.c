/* SPDX-License-Identifier: Apache-2.0 */
/* From the brackets of a text to the vectors of its tree: depth and parent of each node. */
#include <parenmatch.h>
#include <stdio.h>
#include <string.h>

enum {
    BRACKETS_MAX = 64
};

int main(void) {
    const char *text = "[1, [2, 3], [[4]]]";
    uint64_t parens[BRACKETS_MAX / 64], positions[BRACKETS_MAX];
    uint32_t match[BRACKETS_MAX], node[BRACKETS_MAX], depth[BRACKETS_MAX], parent[BRACKETS_MAX];
    size_t n;
    pm_status status = pm_text_brackets(NULL, pm_language_by_name("json"), NULL, text, strlen(text), BRACKETS_MAX,
                                        parens, positions, NULL, &n);
    if (status == PM_OK && n > BRACKETS_MAX)
        status = PM_TOO_LARGE;
    if (status == PM_OK)
        status = pm_match_auto(NULL, parens, n, match, NULL);
    if (status == PM_OK)
        status = pm_forest_position(NULL, parens, n, node);
    if (status == PM_OK)
        status = pm_forest_depth(NULL, PM_FOREST_BY_NODE, parens, n, match, depth);
    if (status == PM_OK)
        status = pm_forest_parent(NULL, PM_FOREST_BY_NODE, parens, n, match, parent);
    if (status != PM_OK) {
        fprintf(stderr, "%s\n", pm_status_string(status));
        return 1;
    }
    puts("node  offset  depth  parent");
    for (size_t k = 0; k < pm_forest_count(parens, n); k++)
        printf("%4zu  %6d  %5d  %6d\n", k, (int)positions[node[k]], (int)depth[k], (int)parent[k]); /* -1: none */
    return 0;
}
