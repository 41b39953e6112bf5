/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequences that change:
 *
 *   edit     the library's pm_edit
 *   rebuilt  packed bits that are moved, and the library's index pm_bp, built again after every edit
 *   treap    a treap of runs of equal elements, split and merged, as programs write it
 */
#ifndef PM_BENCH_PEERS_EDIT_PEERS_H
#define PM_BENCH_PEERS_EDIT_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct edit_peer {
    const char *name;
    bool slow;        /* an edit takes time in proportion to the length */
    uint64_t longest; /* sequence worth trying */
    void *(*create)(const uint64_t *parens, uint64_t n, const char *simd); /* NULL: it failed */
    void (*destroy)(void *edit);
    bool (*replace)(void *edit, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted);
    uint64_t (*find_close)(const void *edit, uint64_t i);
    size_t (*size)(const void *edit); /* bytes, with the sequence */
};

extern const struct edit_peer edit_peer_library, edit_peer_bp, edit_peer_treap;

#endif
