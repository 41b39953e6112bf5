/* SPDX-License-Identifier: Apache-2.0 */
/* Folds: pairs that end in a later line than they begin in. The line of the close stays visible. */
#include <stdlib.h>

#include "cli/lsp/server.h"

typedef struct fold {
    uint64_t begin, end; /* lines; an end of 0: not a fold */
} fold;

/* The folds in the order of their opens, and those that are open. */
typedef struct fold_list {
    lsp_text *text;
    fold *folds;
    size_t count, fold_room;
    size_t *open; /* indices */
    size_t depth, open_room;
    bool out_of_memory;
} fold_list;

/* Has room for one more element. */
static bool make_room(void **array, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return true;
    void *const more = realloc(*array, (2 * *room + 64) * size);
    if (!more)
        return false;
    *array = more;
    *room = 2 * *room + 64;
    return true;
}

static bool push(fold_list *list, uint64_t line) {
    void *folds = list->folds, *open = list->open;
    const bool roomy = make_room(&folds, list->count, &list->fold_room, sizeof *list->folds) &&
                       make_room(&open, list->depth, &list->open_room, sizeof *list->open);
    list->folds = folds;
    list->open = open;
    list->out_of_memory = !roomy;
    if (roomy) {
        list->open[list->depth++] = list->count;
        list->folds[list->count++] = (fold){line, 0};
    }
    return roomy;
}

/* An open that was the last one and does not fold is forgotten. */
static void pop(fold_list *list, uint64_t line) {
    const size_t index = list->open[--list->depth];
    fold *const closed = &list->folds[index];
    if (line > closed->begin + 1)
        closed->end = line - 1;
    else if (index + 1 == list->count)
        list->count--;
}

static bool visit(const lsp_bracket *bracket, void *user) {
    fold_list *const list = user;
    if (!bracket->open && list->depth == 0)
        return true;
    const uint64_t line = line_index_position(&list->text->lines, bracket->offset).line;
    if (bracket->open)
        return push(list, line);
    pop(list, line);
    return true;
}

/* Of several that begin in a line the outermost counts. */
static void write_folds(FILE *file, const fold_list *list, uint64_t max) {
    uint64_t written = 0, last = 0;
    putc('[', file);
    for (size_t k = 0; k < list->count && written < max; k++) {
        const fold *const f = &list->folds[k];
        if (f->end == 0 || (written > 0 && f->begin == last))
            continue;
        fprintf(file, "%s{\"startLine\":%llu,\"endLine\":%llu}", written > 0 ? "," : "", (unsigned long long)f->begin,
                (unsigned long long)f->end);
        last = f->begin;
        written++;
    }
    putc(']', file);
}

int lsp_answer_folding(lsp_server *server, const lsp_request *request) {
    fold_list list = {.text = request->text};
    const pm_status status = lsp_text_each_bracket(request->text, 0, lsp_text_length(request->text), visit, &list);
    const bool found = status == PM_OK && !list.out_of_memory;
    if (found) {
        lsp_writer writer;
        lsp_begin_result(&writer, request->id);
        if (writer.file)
            write_folds(writer.file, &list, server->folds_max);
        lsp_send(server, &writer);
    }
    free(list.folds);
    free(list.open);
    return found ? 0 : LSP_INTERNAL_ERROR;
}
