/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans of a trace in Chrome's format, read from standard input: begin events (B), end events (E) and complete ones (X)
 * of several threads and processes. Each thread has a stack of its own. Prints each span's depth and duration, and what
 * does not match.
 */
#include <math.h>
#include <parenmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the text has as a value, without quotes. */
typedef struct token {
    const char *at;
    int length;
} token;

typedef struct event {
    long long time, length; /* ns, for sums of fractions are not exact; length: of X events; else 0 */
    token process, thread, name;
    bool opens;
    size_t order; /* among events of the same time */
} event;

static event *events;
static size_t event_count;

static void stop(const char *why) {
    fprintf(stderr, "trace: %s\n", why);
    exit(1);
}

/* More memory for an array that is full, whose numbers of items are powers of 2. */
static void *grown(void *array, size_t count, size_t size) {
    if (count & (count - 1))
        return array;
    void *const more = count < SIZE_MAX / size / 2 ? realloc(array, (count > 0 ? 2 * count : 1) * size) : NULL;
    if (!more)
        stop("out of memory");
    return more;
}

static void *zeroed(size_t count, size_t size) {
    void *const array = calloc(count, size);
    if (!array)
        stop("out of memory");
    return array;
}

/* All of standard input, and a NUL behind it. */
static char *read_text(size_t *length) {
    size_t room = 1 << 16;
    char *text = grown(NULL, room, 1);
    *length = 0;
    for (size_t got; (got = fread(text + *length, 1, 2 * room - 1 - *length, stdin)) > 0;)
        if ((*length += got) == 2 * room - 1)
            text = grown(text, room *= 2, 1);
    if (ferror(stdin))
        stop("cannot read standard input");
    text[*length] = '\0';
    return text;
}

/* The value of an object's field, NULL if the object lacks it. Nested values are blank. */
static const char *field(const char *object, const char *quoted) {
    const size_t length = strlen(quoted);
    for (const char *at = object; (at = strstr(at, quoted)) != NULL; at += length) {
        const char *const colon = at + length + strspn(at + length, " \t\r\n");
        if (*colon == ':')
            return colon + 1 + strspn(colon + 1, " \t\r\n");
    }
    return NULL;
}

/* A string or a number. */
static token token_of(const char *object, const char *quoted) {
    const char *const value = field(object, quoted);
    if (!value)
        return (token){"", 0};
    if (*value != '"')
        return (token){value, (int)strcspn(value, ",} \t\r\n")};
    size_t length = 1;
    while (value[length] && value[length] != '"')
        length += value[length] == '\\' && value[length + 1] ? 2 : 1;
    return (token){value + 1, (int)length - 1};
}

/* From microseconds. */
static long long nanoseconds(const char *object, const char *quoted) {
    const char *const value = field(object, quoted);
    const double time = value ? 1000 * strtod(value + (*value == '"'), NULL) : 0;
    return fabs(time) < 4e18 ? llround(time) : 0;
}

static void add(const event *added) {
    events = grown(events, event_count, sizeof *events);
    events[event_count] = *added;
    events[event_count].order = event_count;
    event_count++;
}

/* Takes an event's object, which ends in NUL. */
static void read_event(const char *object) {
    const char *const phase = field(object, "\"ph\"");
    if (!phase || *phase != '"' || !phase[1] || !strchr("BEX", phase[1]))
        return;
    const long long length = phase[1] == 'X' ? nanoseconds(object, "\"dur\"") : 0;
    event read = {.time = nanoseconds(object, "\"ts\""),
                  .length = length > 0 ? length : 0,
                  .process = token_of(object, "\"pid\""),
                  .thread = token_of(object, "\"tid\""),
                  .name = token_of(object, "\"name\""),
                  .opens = phase[1] != 'E'};
    add(&read);
    if (phase[1] != 'X')
        return;
    read.opens = false;
    read.time += read.length;
    add(&read);
}

/* By time. At the same time complete spans that end come first, and of those that begin the longest; other events stay
 * as they come, and so does a span of no length. */
static int compare(const void *left, const void *right) {
    const event *const a = left, *const b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    const int rank_a = a->length > 0 ? 2 * a->opens - 1 : 0, rank_b = b->length > 0 ? 2 * b->opens - 1 : 0;
    if (rank_a != rank_b)
        return rank_a - rank_b;
    if (a->length != b->length) /* the shorter one ends first, the longer one begins first */
        return (a->length < b->length) == a->opens ? 1 : -1;
    return a->order < b->order ? -1 : 1;
}

/* An event is an object in a list that is the whole text, or in an object that is. Other values in it are made blank.
 */
static void read_events(char *text, size_t length) {
    size_t count = 0;
    const pm_language *const json = pm_language_by_name("json");
    if (pm_text_brackets(NULL, json, NULL, text, length, 0, NULL, NULL, NULL, &count) != PM_OK)
        stop("cannot find brackets");
    uint64_t *const parens = zeroed(count / 64 + 1, sizeof *parens), *const at = zeroed(count + 1, sizeof *at);
    uint32_t *const match = zeroed(count + 1, sizeof *match), *const depth = zeroed(count + 1, sizeof *depth);
    if (pm_text_brackets(NULL, json, NULL, text, length, count, parens, at, NULL, &count) != PM_OK ||
        pm_match_auto(NULL, parens, count, match, NULL) != PM_OK)
        stop("cannot match brackets");
    for (size_t i = 0; i < count; i++) {
        const uint32_t open = match[i], list = open == PM_NONE ? PM_NONE : match[open];
        depth[i] = open == PM_NONE ? 0 : depth[open] + 1;
        if (parens[i / 64] >> i % 64 & 1 || open == PM_NONE || list == PM_NONE)
            continue;
        if (text[at[list]] == '[' && text[at[open]] == '{' && depth[open] <= 2) {
            text[at[i]] = '\0';
            read_event(text + at[open]);
        } else if (depth[open] > 1 && text[at[open]] != '\0') {
            memset(text + at[open], ' ', at[i] - at[open] + 1);
        }
    }
    free(parens);
    free(at);
    free(match);
    free(depth);
}

static bool same(token a, token b) {
    return a.length == b.length && memcmp(a.at, b.at, (size_t)a.length) == 0;
}

static size_t hash(size_t h, token value) {
    for (int i = 0; i <= value.length; i++)
        h = (h ^ (i < value.length ? (unsigned char)value.at[i] : 256u)) * 0x01000193u;
    return h;
}

/* Numbers the threads of all processes: a hash table has the first event of each, plus 1. */
static void number_threads(uint32_t *keys) {
    size_t places = 2, threads = 0;
    while (places < 2 * event_count)
        places *= 2;
    size_t *const first = zeroed(places, sizeof *first);
    for (size_t i = 0; i < event_count; i++) {
        const event *const e = &events[i];
        size_t place = hash(hash(0, e->process), e->thread) % places;
        while (first[place] > 0 && (!same(events[first[place] - 1].process, e->process) ||
                                    !same(events[first[place] - 1].thread, e->thread)))
            place = (place + 1) % places;
        keys[i] = first[place] > 0 ? keys[first[place] - 1] : (uint32_t)threads++;
        if (first[place] == 0)
            first[place] = i + 1;
    }
    free(first);
}

static void print_event(size_t i, const char *what) {
    const event *const e = &events[i];
    printf("%.*s/%.*s %.*s: %s\n", e->process.length, e->process.at, e->thread.length, e->thread.at, e->name.length,
           e->name.at, what);
}

int main(void) {
    size_t length;
    char *const text = read_text(&length);
    read_events(text, length);
    if (event_count > 0)
        qsort(events, event_count, sizeof *events, compare);
    uint64_t *const parens = zeroed(event_count / 64 + 1, sizeof *parens);
    uint32_t *const keys = zeroed(event_count + 1, sizeof *keys), *const match = zeroed(event_count + 1, sizeof *match);
    uint32_t *const depth = zeroed(event_count + 1, sizeof *depth), *const end = zeroed(event_count + 1, sizeof *end);
    for (size_t i = 0; i < event_count; i++)
        parens[i / 64] |= (uint64_t)events[i].opens << i % 64;
    number_threads(keys);
    if (pm_match_keys(NULL, parens, keys, sizeof *keys, event_count, match) != PM_OK)
        stop("cannot match events");
    for (size_t i = 0; i < event_count; i++) {
        depth[i] = match[i] == PM_NONE ? 0 : depth[match[i]] + 1;
        if (!events[i].opens && match[i] != PM_NONE)
            end[match[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < event_count; i++) {
        char what[64];
        if (events[i].opens && end[i] > 0)
            snprintf(what, sizeof what, "depth %u, %.15g us", depth[i],
                     (double)(events[end[i]].time - events[i].time) / 1000);
        if (events[i].opens || match[i] == PM_NONE)
            print_event(i, !events[i].opens ? "ends what never began" : end[i] == 0 ? "never ends" : what);
    }
    free(text);
    free(events);
    free(parens);
    free(keys);
    free(match);
    free(depth);
    free(end);
    return 0;
}
