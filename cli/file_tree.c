/* SPDX-License-Identifier: Apache-2.0 */
/* Visiting the files below a directory with fts. */
#include "cli/check.h"

#include <errno.h>
#include <fts.h>
#include <string.h>

#include "cli/cli.h"

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool tells_language(const char *path) {
    return pm_language_by_path(path) != pm_language_at(0) || pm_rules_by_path(path) != NULL;
}

/* NULL at the end, with errno 0, and if there is no memory. */
static FTSENT *next_entry(FTS *tree) {
    errno = 0;
    return fts_read(tree);
}

bool file_tree_visit(const char *path, void (*visit)(const char *path, void *user), void *user) {
    char *const roots[] = {(char *)(uintptr_t)path, NULL}; /* fts leaves it alone, whatever its type says */
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    bool fine = tree != NULL;
    if (!tree)
        complain("%s: %s", path, strerror(errno));
    for (FTSENT *entry; tree && (entry = next_entry(tree)) != NULL;) {
        switch (entry->fts_info) {
        case FTS_DNR:
        case FTS_ERR:
        case FTS_NS:
            complain("%s: %s", entry->fts_path, strerror(entry->fts_errno));
            fine = false;
            break;
        case FTS_F:
            if (entry->fts_level == FTS_ROOTLEVEL || tells_language(entry->fts_path))
                visit(entry->fts_path, user);
            break;
        case FTS_DEFAULT: /* a pipe or device: only where it was named */
        case FTS_SLNONE:  /* a dangling link: only where it was named; opening it reports why */
            if (entry->fts_level == FTS_ROOTLEVEL)
                visit(entry->fts_path, user);
            break;
        default:
            break;
        }
    }
    if (tree && errno != 0) {
        complain("%s: %s", path, strerror(errno));
        fine = false;
    }
    if (tree)
        fts_close(tree);
    return fine;
}
