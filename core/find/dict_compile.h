/* SPDX-License-Identifier: Apache-2.0 */
/* From patterns to the two machines that find them: what the files that do it have in common. */
#ifndef PM_CORE_FIND_DICT_COMPILE_H
#define PM_CORE_FIND_DICT_COMPILE_H

#include "base/dict.h"

/* A dictionary without patterns, machines or bytes; NULL if there is no memory. */
struct pm_dict *pmi_dict_allocate(const pm_allocator *allocator, unsigned flags);

/*
 * Makes everything of `patterns` (lengths alone), `count`, `bytes` and `flags`, which are set.
 * PM_INVALID_ARGUMENT: an empty pattern, or two equal ones. PM_TOO_LARGE and PM_OUT_OF_MEMORY are possible.
 */
pm_status pmi_dict_compile(struct pm_dict *dict);

/*
 * The trie of the patterns, or of the patterns written backwards, in breadth-first order: children of a node follow
 * each other, ordered by class, and those of a later node are behind them.
 */
typedef struct pmi_trie {
    uint32_t nodes;
    uint32_t *first_child; /* node k has the children first_child[k] ... first_child[k + 1] - 1 */
    uint32_t *pattern;     /* that ends at node k; PM_NONE: none */
    uint8_t *label;        /* the class that leads to node k; nothing for the root */
} pmi_trie;

/* PM_INVALID_ARGUMENT: two patterns are equal. PM_OUT_OF_MEMORY is possible. On failure there is nothing to clear. */
pm_status pmi_trie_make(const struct pm_dict *dict, bool backwards, pmi_trie *trie);
void pmi_trie_clear(const pm_allocator *allocator, pmi_trie *trie);

/* Makes `prefixes`. */
void pmi_dict_make_prefixes(struct pm_dict *dict);

/* Makes `keys` of patterns and prefixes. */
void pmi_dict_make_keys(struct pm_dict *dict);

/* Makes `nodes`, and which patterns are in which, of the trie of the patterns. */
pm_status pmi_dict_make_nodes(struct pm_dict *dict, const pmi_trie *trie);

/* Makes `rows` of the trie of the patterns written backwards. */
pm_status pmi_dict_make_rows(struct pm_dict *dict, const pmi_trie *backwards);

#endif
