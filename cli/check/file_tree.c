/* SPDX-License-Identifier: Apache-2.0 */
/* Visiting the files below a folder with fts, except those that .gitignore files name. */
#include "cli/check.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders of what is built or fetched, and not written by hand. */
const char *const file_tree_skipped[] = {"__pycache__",  "bower_components", "build", "dist",
                                         "node_modules", "target",           NULL};

/* Rules in force: of a folder that the walk is in, or lies in. */
typedef struct rules_in_force {
    ignore_rules *rules;
    size_t folder; /* length of the folder's path, and of a slash */
    int level;     /* of the folder in the walk; -1: above it */
} rules_in_force;

typedef struct walk {
    const file_tree_options *options;
    const file_tree_visitor *visitor;
    file_tree_found *found;
    char *path; /* of the entry, from the file system's root on */
    size_t room;
    size_t root; /* length of the walk's root in it, and of a slash */
    rules_in_force *in_force;
    size_t count;
} walk;

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool tells_language(const char *path) {
    return pm_language_by_path(path) != pm_language_at(0);
}

static void trouble(walk *w, const char *path, int error) {
    w->visitor->trouble(path, error, w->visitor->user);
}

/* ---- Rules */

/* Puts a text into w->path from `at` on. */
static bool set_path(walk *w, size_t at, const char *text) {
    const size_t needed = at + strlen(text) + 1;
    char *const wider = needed > w->room ? realloc(w->path, 2 * needed) : w->path;
    if (!wider)
        return false;
    w->room = needed > w->room ? 2 * needed : w->room;
    w->path = wider;
    memcpy(w->path + at, text, needed - at);
    return true;
}

/* Reads a regular file into memory to be freed; NULL, with errno 0 if it is something else. */
static char *read_file(const char *path, size_t *size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat about;
    char *text = NULL;
    if (file < 0) {
        errno = errno == ENOENT || errno == ELOOP ? 0 : errno;
        return NULL;
    }
    errno = 0;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && (text = malloc((size_t)about.st_size + 1))) {
        const ssize_t got = read(file, text, (size_t)about.st_size);
        *size = got > 0 ? (size_t)got : 0;
    }
    close(file);
    return text;
}

/* Takes the rules of the folder whose path, with a slash, has that length. */
static void read_rules(walk *w, size_t folder, int level) {
    static const char name[] = ".gitignore";
    char *const path = malloc(folder + sizeof name);
    size_t size = 0;
    errno = ENOMEM;
    if (path)
        snprintf(path, folder + sizeof name, "%.*s%s", (int)folder, w->path, name);
    char *const text = path ? read_file(path, &size) : NULL;
    if (!text && errno != 0)
        trouble(w, path ? path : name, errno);
    if (text) {
        rules_in_force *const more = realloc(w->in_force, (w->count + 1) * sizeof *more);
        w->in_force = more ? more : w->in_force;
        ignore_rules *const rules = more ? ignore_create(text, size) : NULL;
        if (rules)
            w->in_force[w->count++] = (rules_in_force){rules, folder, level};
        else
            trouble(w, path, ENOMEM);
    }
    free(text);
    free(path);
}

/* Does the folder whose path, with a slash, has that length hold a repository? */
static bool is_repository(walk *w, size_t folder) {
    static const char name[] = ".git";
    char *const path = malloc(folder + sizeof name);
    if (!path)
        return false;
    snprintf(path, folder + sizeof name, "%.*s%s", (int)folder, w->path, name);
    const bool is = access(path, F_OK) == 0;
    free(path);
    return is;
}

/* Takes the rules of the folders that the walk's root lies in, from its repository's on; none without a repository. */
static void read_outer_rules(walk *w) {
    size_t top = w->root;
    while (top > 0 && !is_repository(w, top))
        for (top--; top > 0 && w->path[top - 1] != '/';)
            top--;
    for (size_t folder = top; folder > 0 && folder < w->root; folder++)
        if (w->path[folder - 1] == '/')
            read_rules(w, folder, -1);
}

/* Forgets the rules of folders at this level and below. */
static void drop_rules(walk *w, int level) {
    while (w->count > 0 && w->in_force[w->count - 1].level >= level)
        ignore_destroy(w->in_force[--w->count].rules);
}

/* The rules of the innermost folder count before those of the others. */
static ignore_verdict judge(const walk *w, bool is_folder) {
    ignore_verdict verdict = IGNORE_UNDECIDED;
    if (w->options->exclude)
        verdict = ignore_judge(w->options->exclude, w->path + w->root, is_folder);
    for (size_t k = w->count; k-- > 0 && verdict == IGNORE_UNDECIDED;)
        verdict = ignore_judge(w->in_force[k].rules, w->path + w->in_force[k].folder, is_folder);
    return verdict;
}

static bool is_skipped_by_name(const char *name) {
    for (size_t k = 0; file_tree_skipped[k]; k++)
        if (strcmp(name, file_tree_skipped[k]) == 0)
            return true;
    return *name == '.';
}

/* ---- The walk */

/* Is a file or folder below the root to be skipped? */
static bool is_skipped(walk *w, const FTSENT *entry, bool is_folder) {
    if (is_folder && strcmp(entry->fts_name, ".git") == 0)
        return true;
    const ignore_verdict verdict = judge(w, is_folder);
    if (verdict == IGNORE_UNDECIDED && is_folder && !w->options->everything)
        return is_skipped_by_name(entry->fts_name);
    return verdict == IGNORE_SKIP;
}

/* Begins with the root: a folder, whose real path the rules of outer folders need. */
static bool begin_folder(walk *w, const char *path) {
    char *const real = realpath(path, NULL);
    const bool set = real && set_path(w, 0, strcmp(real, "/") == 0 ? "" : real) && set_path(w, strlen(w->path), "/");
    w->root = set ? strlen(w->path) : 0;
    w->found->is_folder = true;
    free(real);
    if (!set)
        trouble(w, path, errno);
    else if (!w->options->everything) {
        read_outer_rules(w);
        read_rules(w, w->root, FTS_ROOTLEVEL);
    }
    return set;
}

/* Enters a folder below the root, or skips it. */
static void enter_folder(walk *w, FTS *tree, FTSENT *entry) {
    if (is_skipped(w, entry, true)) {
        w->found->skipped++;
        fts_set(tree, entry, FTS_SKIP);
    } else if (!w->options->everything) {
        const size_t length = strlen(w->path);
        if (set_path(w, length, "/"))
            read_rules(w, length + 1, entry->fts_level);
    }
}

static bool visit_file(walk *w, const FTSENT *entry) {
    const bool named = entry->fts_level == FTS_ROOTLEVEL;
    if (!named && (!tells_language(entry->fts_path) || is_skipped(w, entry, false)))
        return true;
    w->found->files++;
    return w->visitor->visit(entry->fts_path, named, w->visitor->user);
}

/* Returns false to end the walk. */
static bool visit_entry(walk *w, FTS *tree, FTSENT *entry, size_t root_length) {
    const bool is_root = entry->fts_level == FTS_ROOTLEVEL;
    if (entry->fts_info == FTS_D && is_root)
        return begin_folder(w, entry->fts_path);
    if (!is_root) {
        const char *below = entry->fts_path + root_length;
        if (!set_path(w, w->root, below + strspn(below, "/"))) {
            trouble(w, entry->fts_path, ENOMEM);
            return false;
        }
    }
    switch (entry->fts_info) {
    case FTS_D:
        enter_folder(w, tree, entry);
        return true;
    case FTS_DP:
        drop_rules(w, entry->fts_level);
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        trouble(w, entry->fts_path, entry->fts_errno);
        return true;
    case FTS_F:
        return visit_file(w, entry);
    case FTS_DEFAULT: /* a pipe or device: only where it was named */
    case FTS_SLNONE:  /* a dangling link: only where it was named; opening it reports why */
        return !is_root || visit_file(w, entry);
    default:
        return true;
    }
}

/* NULL at the end, with errno 0, and if there is no memory. */
static FTSENT *next_entry(FTS *tree) {
    errno = 0;
    return fts_read(tree);
}

void file_tree_visit(const char *path, const file_tree_options *options, const file_tree_visitor *visitor,
                     file_tree_found *found) {
    char *const roots[] = {(char *)(uintptr_t)path, NULL}; /* fts leaves it alone, whatever its type says */
    walk w = {.options = options, .visitor = visitor, .found = found};
    *found = (file_tree_found){0};
    FTS *const tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    FTSENT *entry = NULL;
    if (!tree)
        trouble(&w, path, errno);
    while (tree && (entry = next_entry(tree)) != NULL)
        if (!visit_entry(&w, tree, entry, strlen(path)))
            break;
    if (tree && !entry && errno != 0)
        trouble(&w, path, errno);
    drop_rules(&w, -1);
    free(w.in_force);
    free(w.path);
    if (tree)
        fts_close(tree);
}
