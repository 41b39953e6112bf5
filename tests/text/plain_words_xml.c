/* SPDX-License-Identifier: Apache-2.0 */
/* The plain reader of XML: tags match by name, of which case matters, and no end tag may be left out. */
#include "tests/text/plain_words_parts.h"

/* The text's end cuts off what begins where the reading is. */
static size_t cut(plain_words *text) {
    text->unterminated = true;
    return text->n;
}

/* Behind a declaration whose text begins at `at`, except for those in [ ], which are read one by one. A > in quotation
 * marks does not end it. */
static size_t skip_declaration(plain_words *text, size_t at) {
    for (; at < text->n; at++) {
        const char byte = text->bytes[at];
        if (byte == '>' || byte == '[')
            return at + 1;
        if (byte == '"' || byte == '\'')
            for (at++; at < text->n && text->bytes[at] != byte;)
                at++;
    }
    return cut(text);
}

static bool begins_name(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' ||
           (unsigned char)byte >= 0x80;
}

static size_t behind_name(const plain_words *text, size_t at) {
    while (at < text->n && !is_blank(text->bytes[at]) && text->bytes[at] != '/' && text->bytes[at] != '>')
        at++;
    return at;
}

/* Is there, behind a name that ends at `name_end`, a = before `at`, with blanks between them perhaps? */
static bool is_behind_equals(const plain_words *text, size_t name_end, size_t at) {
    while (at > name_end && is_blank(text->bytes[at - 1]))
        at--;
    return at > name_end && text->bytes[at - 1] == '=';
}

/* Behind the tag's >, which is not the one in an attribute's value; 0 if the text's end cuts it off. */
static size_t behind_tag(const plain_words *text, size_t name_end) {
    for (size_t i = name_end; i < text->n; i++) {
        const char byte = text->bytes[i];
        if (byte == '>')
            return i + 1;
        if ((byte == '"' || byte == '\'') && is_behind_equals(text, name_end, i))
            for (i++; i < text->n && text->bytes[i] != byte;)
                i++;
    }
    return 0;
}

/* Where a name begins that is equal to this one and came first. */
static size_t kind_of_name(const plain_words *text, size_t name, size_t length) {
    for (size_t k = 0; k < text->count; k++) {
        const size_t first = text->words[k].kind;
        if (behind_name(text, first) == first + length && memcmp(text->bytes + first, text->bytes + name, length) == 0)
            return first;
    }
    return name;
}

static size_t take_tag(plain_words *text, size_t at, size_t name, bool closes) {
    if (name == text->n || !begins_name(text->bytes[name]))
        return at + 1;
    const size_t name_end = behind_name(text, name), end = behind_tag(text, name_end);
    if (end == 0)
        return cut(text);
    if (closes || text->bytes[end - 2] != '/')
        add_word(
            text,
            (plain_word){.begin = at, .end = end, .open = !closes, .kind = kind_of_name(text, name, name_end - name)});
    return end;
}

size_t plain_take_xml(plain_words *text, size_t at) {
    if (stands(text, at, "<!--"))
        return skip_until(text, at + 4, "-->");
    if (stands_so(text, at, "<![CDATA["))
        return skip_until(text, at + 9, "]]>");
    if (stands(text, at, "<?"))
        return skip_until(text, at + 2, "?>");
    if (stands(text, at, "<!"))
        return skip_declaration(text, at + 2);
    if (stands(text, at, "</"))
        return take_tag(text, at, at + 2, true);
    return stands(text, at, "<") ? take_tag(text, at, at + 1, false) : at + 1;
}
