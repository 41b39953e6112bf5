/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completes a JSON document while it arrives: after each token the document so far is printed such that any parser
 * reads it. pm_check knows the brackets and strings; the grammar between them is followed here: a comma, a colon or a
 * key without a value is left out, and so is a literal, number or escape that is not complete. A token takes time for
 * its bytes alone.
 */
#include <parenmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOKEN = 3,
    DOCUMENT_MAX = 1 << 16
};

typedef struct document {
    pm_check *check;
    char text[DOCUMENT_MAX];
    size_t length;
    size_t good;         /* bytes after which it can be completed */
    size_t word;         /* where a literal or number began; SIZE_MAX: outside */
    char before;         /* the last byte outside strings that is no blank */
    bool in_string, key; /* key: the string is one */
    bool escaped;        /* behind a backslash */
    unsigned digits;     /* of an escape that are missing */
    unsigned sequence;   /* bytes of a character of UTF-8 that are missing */
} document;

static bool is_value(const char *word, size_t n) {
    static const char *const literals[] = {"true", "false", "null"};
    for (size_t k = 0; k < sizeof literals / sizeof *literals; k++)
        if (n == strlen(literals[k]) && memcmp(word, literals[k], n) == 0)
            return true;
    return word[n - 1] >= '0' && word[n - 1] <= '9';
}

static void take_in_string(document *json, char byte) {
    const unsigned char code = (unsigned char)byte;
    if (json->digits > 0) {
        json->digits--;
    } else if (json->escaped) {
        json->escaped = false;
        json->digits = byte == 'u' ? 4 : 0;
    } else if (byte == '\\') {
        json->escaped = true;
    } else if (byte == '"') {
        json->in_string = false;
        json->before = '"';
    } else if (code >= 0x80) {
        json->sequence = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : json->sequence - (json->sequence > 0);
    }
    if (!json->escaped && json->digits == 0 && json->sequence == 0 && !json->key)
        json->good = json->length;
}

/* Is the string that begins here a key? */
static bool key_begins(const document *json) {
    pm_open_bracket innermost;
    uint64_t depth;
    return pm_check_open(json->check, &innermost, 1, &depth, NULL) == PM_OK && depth > 0 && innermost.byte == '{' &&
           json->before != ':';
}

static void take_byte(document *json, char byte) {
    const bool key = !json->in_string && byte == '"' && key_begins(json);
    pm_check_push(json->check, &byte, 1); /* whose failure the suffix reports */
    json->text[json->length++] = byte;
    if (json->in_string) {
        take_in_string(json, byte);
        return;
    }
    if (byte && strchr(" \t\r\n,:[]{}\"", byte)) {
        json->word = SIZE_MAX;
        if (byte == '"') {
            json->in_string = true;
            json->key = key;
        }
        if (byte && strchr("[]{}", byte))
            json->good = json->length;
        if (byte == '"' && !key)
            json->good = json->length;
    } else {
        if (json->word == SIZE_MAX)
            json->word = json->length - 1;
        if (is_value(json->text + json->word, json->length - json->word))
            json->good = json->length;
    }
    if (byte && !strchr(" \t\r\n", byte))
        json->before = byte;
}

/* Prints the document so far: its good part, the end of a string in it, and the closes of what is open. */
static pm_status print_completed(const document *json) {
    char suffix[1000];
    size_t length;
    const pm_status status = pm_check_suffix(json->check, suffix, sizeof suffix, &length);
    if (status != PM_OK || length > sizeof suffix)
        return status != PM_OK ? status : PM_TOO_LARGE;
    const char *closes = suffix;
    if (json->in_string) { /* the suffix begins with the string's end, perhaps with what a backslash protects */
        closes = memchr(suffix, '"', length);
        length -= (size_t)(++closes - suffix);
    }
    for (size_t i = 0; i < json->good; i++)
        putchar(json->text[i] == '\n' ? ' ' : json->text[i]);
    if (json->good == 0)
        fputs("null", stdout);
    printf("%s%.*s\n", json->in_string && !json->key ? "\"" : "", (int)length, closes);
    return PM_OK;
}

int main(void) {
    static document json = {.word = SIZE_MAX};
    char token[TOKEN];
    pm_status status = pm_check_create(NULL, pm_language_by_name("json"), NULL, NULL, NULL, &json.check);
    for (size_t n; status == PM_OK && (n = fread(token, 1, sizeof token, stdin)) > 0;) {
        if (n > DOCUMENT_MAX - json.length)
            status = PM_TOO_LARGE;
        for (size_t i = 0; i < n && status == PM_OK; i++)
            take_byte(&json, token[i]);
        if (status == PM_OK)
            status = print_completed(&json);
    }
    pm_check_destroy(json.check);
    if (status == PM_OK)
        return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", pm_status_string(status));
    return EXIT_FAILURE;
}
