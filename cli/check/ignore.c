/* SPDX-License-Identifier: Apache-2.0 */
/* The lines and patterns of gitignore(5), and their match by two places to go back to: the last '*' and the last
 * double star. Earlier ones need no second try, because the later ones then began as early as they could. */
#include "cli/check/ignore.h"

#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "cli/utf8.h"

typedef struct rule {
    const char *pattern;
    bool keep;         /* it began with '!' */
    bool folders_only; /* it ended with '/' */
    bool by_name;      /* without a '/' inside: it fits the last part of a path */
} rule;

struct ignore_rules {
    char *text; /* which the patterns are parts of */
    rule *rules;
    size_t count;
};

/* ---- One character */

/* Returns what follows a class such as [:alpha:]; NULL if no class stands here. */
static const char *class_end(const char *at) {
    const char *const close = at[0] == '[' && at[1] == ':' ? strchr(at + 2, ']') : NULL;
    return close && close > at + 2 && close[-1] == ':' ? close + 1 : NULL;
}

/* The class that ends there; 0 if there is no such class. */
static wctype_t class_of(const char *at, const char *end) {
    char name[16] = "";
    const size_t length = (size_t)(end - at) - 4; /* without its [: and :] */
    if (length < sizeof name)
        memcpy(name, at + 2, length);
    return wctype(name);
}

/* The byte that stands at *at, which is moved behind it; a backslash is for the one behind. */
static unsigned char take_byte(const char **at) {
    *at += **at == '\\' && (*at)[1] != '\0';
    return (unsigned char)*(*at)++;
}

/* Matches a byte with "[...]". Returns what follows it; NULL if it does not fit, or has no end. */
static const char *match_set(const char *at, unsigned char byte) {
    const bool negated = at[1] == '!' || at[1] == '^';
    bool found = false;
    at += 1 + negated;
    for (const char *const begin = at; *at != '\0' && (*at != ']' || at == begin);) {
        const char *const end = class_end(at);
        if (end) {
            const wctype_t class = class_of(at, end);
            if (!class)
                return NULL;
            found |= iswctype(byte, class) != 0;
            at = end;
            continue;
        }
        const unsigned char low = take_byte(&at);
        unsigned char high = low;
        if (at[0] == '-' && at[1] != '\0' && at[1] != ']') {
            at++;
            high = take_byte(&at);
        }
        found |= low <= byte && byte <= high;
    }
    return *at == ']' && found != negated && byte != '/' ? at + 1 : NULL;
}

/* Matches one byte. Returns the rest of the pattern, or NULL. */
static const char *match_byte(const char *pattern, char byte) {
    switch (*pattern) {
    case '?':
        return byte != '/' ? pattern + 1 : NULL;
    case '[':
        return match_set(pattern, (unsigned char)byte);
    case '\\':
        return pattern[1] != '\0' && pattern[1] == byte ? pattern + 2 : NULL;
    default:
        return *pattern == byte ? pattern + 1 : NULL;
    }
}

/* ---- A path */

/* Where to go on if what follows a star does not fit. */
typedef struct retry {
    const char *pattern; /* behind the star; NULL: no star so far */
    const char *path;
} retry;

/* Goes back to the last star and lets it take more; returns false if no star can. */
static bool go_back(retry *star, retry *deep, const char **pattern, const char **path) {
    const char *const slash = deep->pattern ? strchr(deep->path, '/') : NULL;
    if (star->pattern && *star->path != '\0' && *star->path != '/') {
        star->path++;
    } else if (slash) {
        deep->path = slash + 1;
        *star = (retry){0};
    } else {
        return false;
    }
    const retry *const to = star->pattern ? star : deep;
    *pattern = to->pattern;
    *path = to->path;
    return true;
}

static bool match_path(const char *pattern, const char *path) {
    const char *const begin = pattern;
    retry star = {0}, deep = {0};
    while (*pattern != '\0' || *path != '\0') {
        if (*pattern == '*') {
            const char *const first = pattern;
            pattern += strspn(pattern, "*");
            const bool whole = pattern - first > 1 && (first == begin || first[-1] == '/');
            if (whole && *pattern == '\0')
                return true;
            if (whole && *pattern == '/') { /* any number of folders */
                deep = (retry){++pattern, path};
                star = (retry){0};
            } else {
                star = (retry){pattern, path};
            }
            continue;
        }
        const char *const rest = *path != '\0' ? match_byte(pattern, *path) : NULL;
        if (rest) {
            pattern = rest;
            path++;
        } else if (!go_back(&star, &deep, &pattern, &path)) {
            return false;
        }
    }
    return true;
}

/* ---- Lines */

/* Cuts off blanks at the end, except one behind a backslash. */
static void trim(char *line) {
    char *blanks = NULL;
    for (char *at = line; *at != '\0'; at++) {
        if (*at != ' ')
            blanks = NULL;
        else if (!blanks)
            blanks = at;
        if (*at == '\\' && *++at == '\0')
            return;
    }
    if (blanks)
        *blanks = '\0';
}

static void add_line(ignore_rules *rules, char *line) {
    rule r = {0};
    if (*line == '#')
        return;
    trim(line);
    r.keep = *line == '!';
    line += r.keep;
    size_t length = strlen(line);
    r.folders_only = length > 0 && line[length - 1] == '/';
    line[length -= r.folders_only] = '\0';
    r.by_name = !strchr(line, '/');
    r.pattern = line + (*line == '/');
    if (length > 0)
        rules->rules[rules->count++] = r;
}

ignore_rules *ignore_create(const char *text, size_t length) {
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n' || text[i] == '\0'; /* which ends a line, too */
    ignore_rules *const rules = calloc(1, sizeof *rules);
    char *const copy = malloc(length + 1);
    rule *const list = malloc(lines * sizeof *list);
    if (!rules || !copy || !list) {
        free(rules);
        free(copy);
        free(list);
        return NULL;
    }
    *rules = (ignore_rules){.text = copy, .rules = list};
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (char *line = copy + utf8_mark(copy, length), *end; line <= copy + length; line = end + 1) {
        end = line + strcspn(line, "\n");
        if (end > line && *end == '\n' && end[-1] == '\r')
            end[-1] = '\0';
        *end = '\0';
        add_line(rules, line);
    }
    return rules;
}

void ignore_destroy(ignore_rules *rules) {
    if (!rules)
        return;
    free(rules->text);
    free(rules->rules);
    free(rules);
}

ignore_verdict ignore_judge(const ignore_rules *rules, const char *path, bool is_folder) {
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    for (size_t k = rules->count; k-- > 0;) {
        const rule *const r = &rules->rules[k];
        if ((is_folder || !r->folders_only) && match_path(r->pattern, r->by_name ? name : path))
            return r->keep ? IGNORE_KEEP : IGNORE_SKIP;
    }
    return IGNORE_UNDECIDED;
}
