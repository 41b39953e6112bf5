/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through folders. Pending entries are a list: a folder's own are put before it, and it is visited again then.
 */
#include <errno.h>
#include <fts.h>
#include <string.h>
#include <windows.h>

struct fts {
    FTSENT *pending; /* the first is the next to be visited */
    FTSENT *current;
    int (*compare)(const FTSENT **a, const FTSENT **b);
};

/* Returns an entry for the name in a folder, NULL for the root; NULL with errno if there is no memory. */
static FTSENT *entry_create(FTSENT *parent, const char *name, int info) {
    const size_t above = parent ? strlen(parent->fts_path) : 0, length = strlen(name);
    const int slash = above > 0 && !strchr("/\\", parent->fts_path[above - 1]);
    FTSENT *const entry = malloc(sizeof *entry + above + 1 + length + 1);
    if (!entry) {
        errno = ENOMEM;
        return NULL;
    }
    *entry = (FTSENT){.fts_parent = parent, .fts_path = entry->fts_bytes, .fts_info = info};
    entry->fts_level = parent ? parent->fts_level + 1 : FTS_ROOTLEVEL;
    if (parent)
        memcpy(entry->fts_bytes, parent->fts_path, above);
    if (slash)
        entry->fts_bytes[above] = '/';
    entry->fts_name = entry->fts_bytes + above + slash;
    memcpy(entry->fts_name, name, length + 1);
    return entry;
}

static void list_free(FTSENT *list) {
    while (list) {
        FTSENT *const next = list->fts_next;
        free(list);
        list = next;
    }
}

/* ---- A folder ---- */

static int info_of(DWORD attributes) {
    if (attributes & FILE_ATTRIBUTE_REPARSE_POINT)
        return FTS_SL;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? FTS_D : attributes & FILE_ATTRIBUTE_DEVICE ? FTS_DEFAULT : FTS_F;
}

static FTSENT *merge(const FTS *walk, FTSENT *a, FTSENT *b) {
    FTSENT *first = NULL, **end = &first;
    while (a && b) {
        const FTSENT *left = a, *right = b;
        FTSENT **const less = walk->compare(&left, &right) <= 0 ? &a : &b;
        *end = *less;
        end = &(*less)->fts_next;
        *less = (*less)->fts_next;
    }
    *end = a ? a : b;
    return first;
}

static FTSENT *sort(const FTS *walk, FTSENT *list, size_t count) {
    if (count < 2)
        return list;
    FTSENT *last = list;
    for (size_t k = 1; k < count / 2; k++)
        last = last->fts_next;
    FTSENT *const rest = last->fts_next;
    last->fts_next = NULL;
    FTSENT *const before = sort(walk, list, count / 2), *const behind = sort(walk, rest, count - count / 2);
    return merge(walk, before, behind);
}

/* Puts one more entry before the list. Returns false if there is no memory. */
static int list_add(FTSENT **list, FTSENT *folder, const WIN32_FIND_DATAW *found) {
    if (wcscmp(found->cFileName, L".") == 0 || wcscmp(found->cFileName, L"..") == 0)
        return 0;
    char *const name = pmi_windows_narrow(found->cFileName);
    FTSENT *const entry = name ? entry_create(folder, name, info_of(found->dwFileAttributes)) : NULL;
    free(name);
    if (!entry)
        return -1;
    entry->fts_next = *list;
    *list = entry;
    return 1;
}

/* Stores the sorted entries of a folder. Returns false with errno. */
static int folder_read(const FTS *walk, FTSENT *folder, FTSENT **list) {
    FTSENT *const pattern = entry_create(folder, "*", FTS_F);
    wchar_t *const wide = pattern ? pmi_windows_wide(pattern->fts_path) : NULL;
    WIN32_FIND_DATAW found;
    const HANDLE search = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
    if (wide && search == INVALID_HANDLE_VALUE)
        pmi_windows_failed();
    free(wide);
    free(pattern);
    *list = NULL;
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    size_t count = 0;
    int added;
    do {
        added = list_add(list, folder, &found);
        count += added > 0;
    } while (added >= 0 && FindNextFileW(search, &found));
    FindClose(search);
    *list = sort(walk, *list, count);
    return added >= 0;
}

/* ---- The walk ---- */

FTS *fts_open(char *const *roots, int options, int (*compare)(const FTSENT **a, const FTSENT **b)) {
    struct stat about;
    (void)options;
    const int there = stat(roots[0], &about) == 0;
    const int info = !there                   ? FTS_SLNONE
                     : S_ISDIR(about.st_mode) ? FTS_D
                     : S_ISREG(about.st_mode) ? FTS_F
                                              : FTS_DEFAULT;
    FTS *const walk = malloc(sizeof *walk);
    FTSENT *const root = walk ? entry_create(NULL, roots[0], info) : NULL;
    if (!root) {
        free(walk);
        errno = ENOMEM;
        return NULL;
    }
    *walk = (FTS){.pending = root, .compare = compare};
    return walk;
}

/* What comes after a folder: its entries, if it is to be entered, and itself again. */
static int enter(FTS *walk, FTSENT *folder) {
    FTSENT *list = NULL;
    folder->fts_info = FTS_DP;
    if (!folder->fts_skip && !folder_read(walk, folder, &list)) {
        if (errno == ENOMEM) {
            list_free(list);
            return 0;
        }
        folder->fts_info = FTS_DNR;
        folder->fts_errno = errno;
    }
    FTSENT **end = &list;
    while (*end)
        end = &(*end)->fts_next;
    *end = folder;
    folder->fts_next = walk->pending;
    walk->pending = list;
    return 1;
}

FTSENT *fts_read(FTS *walk) {
    FTSENT *const last = walk->current;
    if (last && last->fts_info == FTS_D) {
        if (!enter(walk, last))
            return NULL;
    } else {
        free(last);
    }
    walk->current = walk->pending;
    if (walk->current)
        walk->pending = walk->current->fts_next;
    errno = 0;
    return walk->current;
}

int fts_set(FTS *walk, FTSENT *entry, int instruction) {
    (void)walk;
    entry->fts_skip = instruction == FTS_SKIP;
    return 0;
}

int fts_close(FTS *walk) {
    list_free(walk->pending);
    free(walk->current);
    free(walk);
    return 0;
}
