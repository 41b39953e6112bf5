/* SPDX-License-Identifier: Apache-2.0 */
/* Pascal, read plainly, as docs/guide/delimiters.md describes it. */
#include "tests/text/plain_words_parts.h"

enum {
    PASCAL_BLOCK,
    REPEAT,
    ROUND,
    SQUARE
};

enum {
    ANY,
    RECORD
};

/* Behind a comment whose text begins at `at`. Those of its kind may be in it. */
static size_t skip_comment(plain_words *text, size_t at, const char *open, const char *close) {
    for (size_t depth = 1; at < text->n;) {
        if (stands(text, at, close)) {
            at += strlen(close);
            if (--depth == 0)
                return at;
        } else if (text->nested && stands(text, at, open)) {
            at += strlen(open);
            depth++;
        } else {
            at++;
        }
    }
    text->unterminated = true;
    return text->n;
}

/* Behind the branches that are not compiled if the first one is. */
static size_t skip_branches(plain_words *text, size_t at) {
    for (size_t depth = 1; at < text->n; at++) {
        const bool ifend = stands(text, at, "{$ifend"), endc = stands(text, at, "{$endc");
        if (ifend || endc || stands(text, at, "{$endif")) {
            if (--depth == 0)
                return at + (endc ? 6 : 7);
        } else if (stands(text, at, "{$if")) {
            depth++;
        }
    }
    text->unterminated = true;
    return text->n;
}

/* Does only a semicolon follow, perhaps behind a list of at most 4,096 bytes, as in "= class(TBase);"? */
static bool has_no_body(const plain_words *text, size_t at) {
    const size_t list = behind_blanks(text, at);
    size_t end = list, depth = 0;
    if (at_or_0(text, list) != '(')
        return at_or_0(text, list) == ';';
    do {
        depth += text->bytes[end] == '(';
        depth -= text->bytes[end] == ')';
    } while (++end < text->n && end - list < 4096 && depth > 0);
    return depth == 0 && at_or_0(text, behind_blanks(text, end)) == ';';
}

/* What defines a type, behind a =. */
static size_t take_type(plain_words *text, size_t at) {
    static const char *const nothing[] = {"= objcprotocol external name",
                                          "= objcprotocol external ;",
                                          "= objcclass external name",
                                          "= objcclass external ;",
                                          "= class of",
                                          NULL};
    static const char *const may_lack_body[] = {"= class",        "= interface", "= object", "= dispinterface",
                                                "= objcprotocol", "= objcclass", NULL};
    static const char *const others[] = {"= packed object", "= objccategory", "= packed class", "= type helper", NULL};
    size_t end = behind_one(text, at, nothing);
    if (end > 0)
        return end;
    if ((end = behind_one(text, at, may_lack_body)) > 0)
        return has_no_body(text, end) ? end : take_word(text, at, end, true, PASCAL_BLOCK);
    end = behind_one(text, at, others);
    return end > 0 ? take_word(text, at, end, true, PASCAL_BLOCK) : at + 1;
}

static bool is_in_record(const plain_words *text) {
    size_t depth = text->depth;
    while (depth > seen(text) && text->open[depth - 1].kind != PASCAL_BLOCK)
        depth--;
    return depth > seen(text) && text->open[depth - 1].rule == RECORD;
}

static size_t take_pascal_word(plain_words *text, size_t at) {
    static const char *const blocks[] = {"begin", "try", "asm", NULL}, *const units[] = {"unit", "library", NULL},
                             *const ends[] = {"end.", "end", NULL};
    plain_word open = {.begin = at, .open = true, .kind = PASCAL_BLOCK};
    size_t end;
    if (at > 0 && (text->bytes[at - 1] == '&' || text->bytes[at - 1] == '@'))
        return at + 1;
    if ((end = behind_one(text, at, ends)) > 0) {
        add_close(text, (plain_word){.begin = at, .end = end, .kind = PASCAL_BLOCK});
        return end;
    }
    if ((end = behind_words(text, at, "until")) > 0) {
        add_close(text, (plain_word){.begin = at, .end = end, .kind = REPEAT});
        return end;
    }
    if ((end = behind_words(text, at, "repeat")) > 0)
        return take_word(text, at, end, true, REPEAT);
    if ((end = behind_words(text, at, "case")) > 0) /* in a record it has no end of its own */
        return is_in_record(text) ? end : take_word(text, at, end, true, PASCAL_BLOCK);
    if ((open.end = behind_words(text, at, "record")) > 0)
        open.rule = RECORD;
    else if ((open.end = behind_one(text, at, units)) > 0)
        open.may_end = true;
    else if ((open.end = behind_one(text, at, blocks)) == 0)
        return at + 1;
    add_word(text, open);
    return open.end;
}

size_t plain_take_pascal(plain_words *text, size_t at) {
    const char byte = text->bytes[at];
    if (stands(text, at, "//"))
        return skip_line(text, at);
    if (stands(text, at, "{$else"))
        return skip_branches(text, at + 6);
    if (byte == '{')
        return skip_comment(text, at + 1, "{", "}");
    if (stands(text, at, "(*"))
        return skip_comment(text, at + 2, "(*", "*)");
    if (byte == '\'')
        return skip_string(text, at + 1, '\'', false);
    if (byte == '(' || byte == '[')
        return take_word(text, at, at + 1, true, byte == '(' ? ROUND : SQUARE);
    if (byte == ')' || byte == ']') {
        add_close(text, (plain_word){.begin = at, .end = at + 1, .kind = byte == ')' ? ROUND : SQUARE});
        return at + 1;
    }
    if (stands(text, at, ":="))
        return at + 2;
    return byte == '=' ? take_type(text, at) : take_pascal_word(text, at);
}
