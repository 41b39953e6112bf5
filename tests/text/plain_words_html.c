/* SPDX-License-Identifier: Apache-2.0 */
/* HTML, read plainly, as docs/guide/delimiters.md describes it. */
#include "tests/text/plain_words_parts.h"

static bool name_is_one_of(const plain_words *text, size_t begin, size_t end, const char *names) {
    for (size_t length; *names; names += length + (names[length] != 0)) {
        length = strcspn(names, " ");
        if (length == end - begin && same_letters(text->bytes + begin, names, length))
            return true;
    }
    return false;
}

/* Which tags end an element whose own end tag may be omitted. */
static const struct {
    const char *name, *before;
} omitted[] = {
    {"p", "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 "
          "h5 h6 header hgroup hr main menu nav ol p pre search section table ul"},
    {"li", "li"},
    {"dt", "dt dd"},
    {"dd", "dt dd"},
    {"rt", "rt rp"},
    {"rp", "rt rp"},
    {"optgroup", "optgroup hr"},
    {"option", "option optgroup hr"},
    {"caption", "colgroup thead tbody tfoot tr"},
    {"colgroup", "thead tbody tfoot tr"},
    {"thead", "tbody tfoot"},
    {"tbody", "tbody tfoot"},
    {"tfoot", ""},
    {"tr", "tr tbody tfoot"},
    {"td", "td th"},
    {"th", "td th"},
};

static const char *ended_before(const plain_words *text, const plain_word *open) {
    for (size_t k = 0; k < sizeof omitted / sizeof *omitted; k++)
        if (name_is_one_of(text, open->begin + 1, open->rule, omitted[k].name))
            return omitted[k].before;
    return NULL;
}

/* What a tag that opens something ends: the outermost of the elements at the top whose ends may be omitted. */
static void end_elements(plain_words *text, size_t name, size_t name_end, size_t at) {
    size_t depth = text->depth;
    for (size_t d = text->depth; d > seen(text) && text->open[d - 1].may_end; d--) {
        const char *const before = ended_before(text, &text->open[d - 1]);
        if (before && name_is_one_of(text, name, name_end, before))
            depth = d - 1;
    }
    omit_closes(text, depth, at);
}

static bool ends_name(char byte) {
    return is_blank(byte) || byte == '/' || byte == '>' || byte == '{';
}

/* Returns the offset behind the tag; n + 1 if the text's end cuts it off. A quote counts behind a = alone. */
static size_t behind_tag(const plain_words *text, size_t name_end, bool *empty) {
    *empty = false;
    for (size_t i = name_end; i < text->n; i++) {
        const char byte = text->bytes[i];
        size_t before = i;
        while (before > name_end && is_blank(text->bytes[before - 1]))
            before--;
        if (byte == '>')
            return i + 1;
        *empty = byte == '/' && at_or_0(text, i + 1) == '>';
        if (*empty)
            return i + 2;
        if ((byte == '"' || byte == '\'') && before > name_end && text->bytes[before - 1] == '=')
            for (i++; i < text->n && text->bytes[i] != byte;)
                i++;
    }
    return text->n + 1;
}

/* Where the end tag of a raw element begins; n if it has no end tag. */
static size_t raw_end(const plain_words *text, size_t at, const char *name, size_t length) {
    for (; at < text->n; at++) {
        const size_t end = at + 2 + length;
        if (stands(text, at, "</") && end <= text->n && same_letters(text->bytes + at + 2, name, length) &&
            (end == text->n || ends_name(text->bytes[end])))
            return at;
    }
    return text->n;
}

/* Names are of one kind in either case. */
static size_t kind_of_name(const plain_words *text, size_t name, size_t length) {
    for (size_t k = 0; k < text->count; k++) {
        const plain_word *const word = &text->words[k];
        const size_t begin = word->kind;
        if (word->begin < word->end && same_letters(text->bytes + begin, text->bytes + name, length) &&
            ends_name(text->bytes[begin + length]))
            return begin;
    }
    return name;
}

static size_t take_tag(plain_words *text, size_t at) {
    const bool closes = stands(text, at, "</");
    const size_t name = at + 1 + closes;
    const char first = at_or_0(text, name);
    size_t name_end = name;
    bool empty;
    if (!is_letter(first) && first != '_' && first != ':' && (unsigned char)first < 0x80)
        return at + 1;
    while (name_end < text->n && !ends_name(text->bytes[name_end]))
        name_end++;
    const size_t end = behind_tag(text, name_end, &empty);
    if (end > text->n) {
        text->unterminated = true;
        return text->n;
    }
    if (!closes)
        end_elements(text, name, name_end, at);
    if ((empty && !closes) ||
        name_is_one_of(
            text, name, name_end,
            "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr "
            "html head body"))
        return end;
    plain_word word = {at, end, !closes, false, false, kind_of_name(text, name, name_end - name), name_end};
    if (closes) {
        add_close(text, word);
        return end;
    }
    word.may_end = ended_before(text, &word) != NULL;
    add_word(text, word);
    if (name_is_one_of(text, name, name_end, "iframe noembed noframes script style textarea title xmp"))
        return raw_end(text, end, text->bytes + name, name_end - name);
    return end;
}

size_t plain_take_html(plain_words *text, size_t at) {
    if (stands(text, at, "<!--"))
        return skip_until(text, at + 4, "-->");
    if (stands(text, at, "<![CDATA["))
        return skip_until(text, at + 9, "]]>");
    if (stands(text, at, "<!") || stands(text, at, "<?"))
        return skip_until(text, at + 2, ">");
    return stands(text, at, "<") ? take_tag(text, at) : at + 1;
}
