/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans of a trace in Chrome's format, read from standard input: begin events (B), end events (E) and complete ones (X)
 * of several threads and processes. Each thread has a stack of its own. Prints each span's depth and duration, and what
 * does not match.
 */
#include <parenmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST ((size_t)1 << 24)
#define EVENTS_MOST ((size_t)1 << 20)

typedef struct event {
    double time, length; /* length: of X events; else 0 */
    long process, thread;
    const char *name;
    bool opens;
    size_t order; /* among events of the same time */
} event;

static char text[TEXT_MOST + 1];
static event events[EVENTS_MOST];
static size_t event_count;

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

static double number(const char *object, const char *quoted) {
    const char *const value = field(object, quoted);
    return value ? strtod(value + (*value == '"'), NULL) : 0;
}

static void add(const event *added) {
    if (event_count == EVENTS_MOST)
        exit(1);
    events[event_count] = *added;
    events[event_count].order = event_count;
    event_count++;
}

/* Takes an event's object, which ends in NUL. */
static void read_event(const char *object) {
    const char *const phase = field(object, "\"ph\""), *const name = field(object, "\"name\"");
    if (!phase || *phase != '"' || !strchr("BEX", phase[1]))
        return;
    event read = {.time = number(object, "\"ts\""),
                  .length = phase[1] == 'X' ? number(object, "\"dur\"") : 0,
                  .process = (long)number(object, "\"pid\""),
                  .thread = (long)number(object, "\"tid\""),
                  .name = name && *name == '"' ? name + 1 : "",
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
static bool read_events(size_t length) {
    size_t count = 0;
    const pm_language *const json = pm_language_by_name("json");
    if (pm_text_brackets(NULL, json, NULL, text, length, 0, NULL, NULL, NULL, &count) != PM_OK)
        return false;
    uint64_t *const parens = calloc(count / 64 + 1, sizeof *parens), *const at = calloc(count + 1, sizeof *at);
    uint32_t *const match = calloc(count + 1, sizeof *match), *const depth = calloc(count + 1, sizeof *depth);
    bool read = parens && at && match && depth &&
                pm_text_brackets(NULL, json, NULL, text, length, count, parens, at, NULL, &count) == PM_OK &&
                pm_match_auto(NULL, parens, count, match, NULL) == PM_OK;
    for (size_t i = 0; read && i < count; i++) {
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
    return read;
}

/* Numbers the threads of all processes. */
static void number_threads(uint32_t *keys) {
    size_t threads = 0;
    static size_t first[EVENTS_MOST]; /* event of each thread */
    for (size_t i = 0; i < event_count; i++) {
        size_t t = 0;
        while (t < threads &&
               (events[first[t]].process != events[i].process || events[first[t]].thread != events[i].thread))
            t++;
        if (t == threads)
            first[threads++] = i;
        keys[i] = (uint32_t)t;
    }
}

/* Bytes up to the quote that ends a string. */
static int string_length(const char *string) {
    size_t length = 0;
    while (string[length] && string[length] != '"')
        length += string[length] == '\\' && string[length + 1] ? 2 : 1;
    return (int)length;
}

static void print_event(size_t i, const char *what) {
    const event *const e = &events[i];
    printf("%ld/%ld %.*s: %s\n", e->process, e->thread, string_length(e->name), e->name, what);
}

int main(void) {
    const size_t length = fread(text, 1, TEXT_MOST, stdin);
    if (!read_events(length))
        return 1;
    qsort(events, event_count, sizeof *events, compare);
    static uint64_t parens[EVENTS_MOST / 64];
    static uint32_t keys[EVENTS_MOST], match[EVENTS_MOST], depth[EVENTS_MOST], end[EVENTS_MOST];
    for (size_t i = 0; i < event_count; i++)
        parens[i / 64] |= (uint64_t)events[i].opens << i % 64;
    number_threads(keys);
    if (pm_match_keys(NULL, parens, keys, sizeof *keys, event_count, match) != PM_OK)
        return 1;
    for (size_t i = 0; i < event_count; i++) {
        depth[i] = match[i] == PM_NONE ? 0 : depth[match[i]] + 1;
        if (!events[i].opens && match[i] != PM_NONE)
            end[match[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < event_count; i++) {
        char what[64];
        if (events[i].opens && end[i] > 0)
            snprintf(what, sizeof what, "depth %u, %g us", depth[i], events[end[i]].time - events[i].time);
        if (events[i].opens || match[i] == PM_NONE)
            print_event(i, !events[i].opens ? "ends what never began" : end[i] == 0 ? "never ends" : what);
    }
    return 0;
}
