/* SPDX-License-Identifier: Apache-2.0 */
/* The walk through folders of BSD and glibc, as far as the program uses it (cli/windows/fts.c). */
#ifndef PM_CLI_WINDOWS_FTS_H
#define PM_CLI_WINDOWS_FTS_H

/* Options of fts_open(). All three must be given. */
#define FTS_PHYSICAL 1
#define FTS_COMFOLLOW 2
#define FTS_NOCHDIR 4

#define FTS_SKIP 1      /* for fts_set(): do not enter this folder */
#define FTS_ROOTLEVEL 0 /* level of the root */

/* What an entry is. */
enum {
    FTS_D = 1,   /* a folder, before its entries */
    FTS_DP,      /* the same folder, after them */
    FTS_F,       /* a file */
    FTS_DEFAULT, /* a device */
    FTS_SL,      /* a link, which is not followed */
    FTS_SLNONE,  /* the root, which does not exist */
    FTS_DNR,     /* a folder that cannot be read */
    FTS_ERR,
    FTS_NS
};

typedef struct _ftsent {
    struct _ftsent *fts_next, *fts_parent;
    char *fts_path, *fts_name;
    int fts_info, fts_level, fts_errno, fts_skip;
    char fts_bytes[]; /* of the path */
} FTSENT;

typedef struct fts FTS;

/* Walks through one root. Returns NULL with errno. */
FTS *fts_open(char *const *roots, int options, int (*compare)(const FTSENT **a, const FTSENT **b));

/* Returns the next entry, valid until the walk leaves it; NULL at the end with errno 0, or with another errno. */
FTSENT *fts_read(FTS *walk);

int fts_set(FTS *walk, FTSENT *entry, int instruction);
int fts_close(FTS *walk);

#endif
