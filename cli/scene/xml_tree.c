/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of an XML document, read with expat. */
#include "cli/scene/scene.h"

#include <expat.h>
#include <stdlib.h>

#include "cli/cli.h"

typedef struct reader {
    XML_Parser parser;
    xml_tree *tree;
    const char *text;
    size_t room;    /* of the tree's arrays, in elements: whole words */
    size_t tag_end; /* of the last start tag: what an element without end tag ends with */
    const char *trouble;
} reader;

static void fail(reader *r, const char *trouble) {
    r->trouble = trouble;
    XML_StopParser(r->parser, XML_FALSE);
}

static bool make_room(reader *r) {
    const size_t room = r->room == 0 ? 1024 : 2 * r->room;
    uint64_t *const parens = realloc(r->tree->parens, room / 64 * sizeof *parens);
    if (parens)
        r->tree->parens = parens;
    uint64_t *const offsets = realloc(r->tree->offsets, room * sizeof *offsets);
    if (offsets)
        r->tree->offsets = offsets;
    r->room = parens && offsets ? room : r->room;
    return parens && offsets;
}

static void append(reader *r, uint64_t open, size_t offset) {
    const size_t i = r->tree->count;
    if (i == r->room && !make_room(r)) {
        fail(r, "out of memory");
        return;
    }
    uint64_t *const word = &r->tree->parens[i / 64];
    *word = (i % 64 == 0 ? 0 : *word) | open << i % 64;
    r->tree->offsets[i] = offset;
    r->tree->count++;
}

/* Elements of entities are reported where the reference to the entity is. */
static void XMLCALL element_begins(void *user, const char *name, const char **attributes) {
    (void)name, (void)attributes;
    reader *const r = user;
    const size_t begin = (size_t)XML_GetCurrentByteIndex(r->parser);
    if (r->trouble || r->text[begin] == '&')
        return;
    if (r->text[begin] != '<' || r->text[begin + 1] == '\0') {
        fail(r, "cannot read XML in UTF-16");
        return;
    }
    r->tag_end = begin + (size_t)XML_GetCurrentByteCount(r->parser) - 1;
    append(r, 1, begin);
}

/* An element that is one tag is reported to end behind it, with no bytes. */
static void XMLCALL element_ends(void *user, const char *name) {
    (void)name;
    reader *const r = user;
    const size_t begin = (size_t)XML_GetCurrentByteIndex(r->parser);
    const size_t bytes = (size_t)XML_GetCurrentByteCount(r->parser);
    if (r->trouble || (bytes > 0 && r->text[begin] == '&'))
        return;
    append(r, 0, bytes > 0 ? begin + bytes - 1 : r->tag_end);
}

bool xml_tree_read(const char *name, const char *text, size_t length, xml_tree *tree) {
    enum {
        PIECE = 1 << 20 /* expat takes an int */
    };
    reader r = {.parser = XML_ParserCreate(NULL), .tree = tree, .text = text};
    *tree = (xml_tree){0};
    if (!r.parser || !make_room(&r)) {
        XML_ParserFree(r.parser);
        return complain("%s: out of memory", name), false;
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, element_begins, element_ends);
    enum XML_Status status = XML_STATUS_OK;
    size_t at = 0;
    do {
        const size_t size = length - at < PIECE ? length - at : PIECE;
        status = XML_Parse(r.parser, text + at, (int)size, at + size == length);
        at += size;
    } while (status == XML_STATUS_OK && at < length);
    if (r.trouble)
        complain("%s: %s", name, r.trouble);
    else if (status != XML_STATUS_OK)
        complain("%s:%lu: %s", name, (unsigned long)XML_GetCurrentLineNumber(r.parser),
                 XML_ErrorString(XML_GetErrorCode(r.parser)));
    XML_ParserFree(r.parser);
    return status == XML_STATUS_OK && !r.trouble;
}
