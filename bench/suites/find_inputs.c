/* SPDX-License-Identifier: Apache-2.0 */
/* Making and reading texts and patterns. */
#include "bench/suites/find_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "inputs/families.h"

enum {
    VOCABULARY = 30000,
    WORD_MOST = 16
};

/* ---- Made words ---- */

/* The k-th word of the language: frequent ones are short. Letters are drawn as unevenly as those of English. */
static size_t made_word(uint64_t seed, size_t k, char *word) {
    static const char letters[] = "eeeeeetttttaaaaooooiiinnnnssshhhrrrdddlllcuumwfgypbvk";
    uint64_t random = seed * VOCABULARY + k;
    const size_t longest = k < 100 ? 4 : k < 2000 ? 8 : WORD_MOST - 2;
    size_t length = 2 + random_below(&random, longest - 1);
    for (size_t i = 0; i < length; i++)
        word[i] = letters[random_below(&random, sizeof letters - 1)];
    return length;
}

/* A word's number: the k-th is drawn about once in k words, as Zipf found. */
static size_t drawn_word(uint64_t *random) {
    size_t bound = 1;
    while (bound < VOCABULARY && random_below(random, 100) < 92)
        bound *= 2;
    return random_below(random, bound < VOCABULARY ? bound : VOCABULARY);
}

static void fill_prose(uint64_t seed, char *text, size_t n) {
    uint64_t random = seed;
    char word[WORD_MOST + 2];
    for (size_t i = 0, column = 0; i < n;) {
        size_t length = made_word(seed, drawn_word(&random), word);
        word[length++] = column > 70 ? '\n' : ' ';
        column = column > 70 ? 0 : column + length;
        length = length < n - i ? length : n - i;
        memcpy(text + i, word, length);
        i += length;
    }
}

static void fill_markup(uint64_t seed, char *text, size_t n) {
    static const char *const pieces[] = {"<p>",    "</p>\n", "<span class=\"pre\">",      "</span>",  "<a href=\"#",
                                         "\">",    "</a>",   "<div class=\"section\">\n", "</div>\n", "<code>",
                                         "</code>"};
    uint64_t random = seed;
    char word[WORD_MOST + 2];
    for (size_t i = 0; i < n;) {
        const char *piece = pieces[random_below(&random, sizeof pieces / sizeof *pieces)];
        size_t length = strlen(piece);
        if (random_below(&random, 3) > 0) {
            length = made_word(seed, drawn_word(&random), word);
            word[length++] = ' ';
            piece = word;
        }
        length = length < n - i ? length : n - i;
        memcpy(text + i, piece, length);
        i += length;
    }
}

/* `count` words, spread evenly over the language, each on a line. Some may be the same. */
static char *made_lines(uint64_t seed, size_t count) {
    char *const lines = malloc(count * (WORD_MOST + 1) + 1), *to = lines;
    for (size_t k = 0; lines && k < count; k++) {
        to += made_word(seed, 50 + (VOCABULARY - 50) / count * k, to);
        *to++ = '\n';
    }
    if (lines)
        *to = '\0';
    return lines;
}

static char *copy_of(const char *text) {
    char *const copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* ---- Files ---- */

/* A whole file, ended by a NUL; NULL, after a line on standard error, if it cannot be read. */
static char *read_file(const char *path, size_t *size) {
    FILE *const file = fopen(path, "rb");
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
        *size = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
    }
    if (file)
        fclose(file);
    if (bytes)
        bytes[*size] = '\0';
    else
        fprintf(stderr, "pm_bench: cannot read '%s'\n", path);
    return bytes;
}

static bool fill_from_file(const char *path, char *text, size_t n) {
    size_t size = 0;
    char *const bytes = read_file(path, &size);
    for (size_t i = 0; bytes && size > 0 && i < n; i += size)
        memcpy(text + i, bytes, size < n - i ? size : n - i);
    free(bytes);
    return size > 0;
}

/* files:TEXT:LINES, without the first word. */
static bool read_files(const char *paths, struct find_input *input) {
    const char *const colon = strchr(paths, ':');
    char *const text_path = copy_of(paths);
    if (!text_path)
        return false;
    text_path[colon - paths] = '\0';
    size_t size;
    const bool filled = fill_from_file(text_path, input->text, input->n);
    free(text_path);
    input->lines = filled ? read_file(colon + 1, &size) : NULL;
    return input->lines != NULL;
}

/* ---- All of it ---- */

/* The lines as patterns, each once; NULs of patterns would end them. */
static bool list_patterns(struct find_input *input) {
    size_t most = 1;
    for (const char *c = input->lines; *c; c++)
        most += *c == '\n';
    input->patterns = malloc(most * sizeof *input->patterns);
    input->lengths = malloc(most * sizeof *input->lengths);
    if (!input->patterns || !input->lengths)
        return false;
    for (char *line = input->lines; *line;) {
        const size_t length = strcspn(line, "\n");
        bool seen = length == 0;
        for (size_t k = 0; !seen && k < input->count; k++)
            seen = input->lengths[k] == length && memcmp(input->patterns[k], line, length) == 0;
        if (!seen) {
            input->patterns[input->count] = line;
            input->lengths[input->count++] = length;
        }
        line += length + (line[length] == '\n');
    }
    return true;
}

static const char files_prefix[] = "files:", words_prefix[] = "words:";

static bool has_prefix(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* K of words:K; 0 for another name, and for none or too many. */
static size_t words_named(const char *name) {
    const size_t words = has_prefix(name, words_prefix) ? strtoul(name + strlen(words_prefix), NULL, 10) : 0;
    return words <= VOCABULARY / 2 ? words : 0;
}

bool find_input_is_named(const char *name) {
    if (has_prefix(name, files_prefix))
        return strchr(name + strlen(files_prefix), ':') != NULL;
    return strcmp(name, "tags") == 0 || strcmp(name, "names") == 0 || words_named(name) > 0;
}

static bool fill(const char *name, uint64_t seed, struct find_input *input) {
    if (!find_input_is_named(name)) {
        fprintf(stderr, "pm_bench: no text and patterns '%s'\n", name);
        return false;
    }
    if (has_prefix(name, files_prefix))
        return read_files(name + strlen(files_prefix), input);
    if (strcmp(name, "tags") == 0) {
        fill_markup(seed, input->text, input->n);
        input->lines = copy_of("<p>\n</p>\n<div\n</div>\n<span\n</span>\n<a \n</a>\n<code\n</code>\n");
        return input->lines != NULL;
    }
    const bool names = strcmp(name, "names") == 0;
    fill_prose(seed, input->text, input->n);
    input->lines = names ? copy_of("Helen\nAchilles\nUlysses\nHector\nAndromache\nPatroclus\nAjax\nPriam\nAgamemnon\n"
                                   "Cassandra\n")
                         : made_lines(seed, words_named(name));
    for (size_t i = input->n / 7; names && input->n > 100 && i + 5 < input->n; i += input->n / 7)
        memcpy(input->text + i, "Helen", 5);
    return input->lines != NULL;
}

bool find_input_create(const char *name, uint64_t seed, size_t n, struct find_input *input) {
    *input = (struct find_input){.text = buffer_create(n + 1), .n = n};
    if (input->text && fill(name, seed, input) && list_patterns(input))
        return true;
    find_input_destroy(input);
    return false;
}

void find_input_destroy(struct find_input *input) {
    free(input->text);
    free(input->lines);
    free(input->patterns);
    free(input->lengths);
    *input = (struct find_input){.n = 0};
}
