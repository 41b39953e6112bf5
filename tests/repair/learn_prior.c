/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learns what core/repair/prior.h knows of a language, and prints it as C.
 *
 *   find FOLDER... -name '*.py' | LC_ALL=C sort | pm_learn_prior python DEPTH '()[]{}' >core/repair/prior_python.c
 *   find FOLDER... -name '*.c' | LC_ALL=C sort | pm_learn_prior c DEPTH '()[]' >core/repair/prior_c.c
 *   find FOLDER... -name '*.cpp' | LC_ALL=C sort | pm_learn_prior c++ DEPTH '()[]' >core/repair/prior_cpp.c
 *   find FOLDER... -name '*.php' | LC_ALL=C sort | pm_learn_prior php DEPTH '()[]' >core/repair/prior_php.c
 *   find FOLDER... -name '*.rb' | LC_ALL=C sort | pm_learn_prior ruby DEPTH '()[]{}' >core/repair/prior_ruby.c
 *   find FOLDER... -name '*.rs' | LC_ALL=C sort | pm_learn_prior rust DEPTH '()[]' >core/repair/prior_rust.c
 *   find FOLDER... -name '*.ts' | LC_ALL=C sort |
 *       pm_learn_prior typescript DEPTH '()[]{}' >core/repair/prior_typescript.c
 *
 * DEPTH: how many slashes a path has up to the one that ends its package's name; each package counts as much as any
 * other. core/repair has what came of the packages that it names, in this order: Debian 12's, their sources for C, C++,
 * PHP, Ruby and TypeScript, and four others. That takes some three minutes a language and up to 4 GB.
 *
 * A bracket of a file is taken away, or doubled. Among all changes near it that mend that, the one that restores the
 * file is to be the likeliest: a softmax of what the network says, whose weights AdaGrad finds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/repair/prior.h"
#include "parenmatch.h"

#define EXAMPLES 2500000u
#define REACH 32u  /* tokens on each side of the mistake */
#define MARGIN 30u /* tokens beyond them that are only looked at */
#define WINDOW (2 * REACH + 2 * MARGIN + 4 * PM_TOKEN_EDGE + 2)
#define FILE_MIN 500u /* bytes */
#define FILE_MAX 150000u
#define WORDS_ROOM (1u << 20)
#define WORD_MAX 30u
#define INPUTS (PM_PRIOR_POSITIONS * PM_PRIOR_TRAITS)
#define RATE 0.05f  /* of learning, at first */
#define SMALL 1e-3f /* an error that teaches nothing */
#define COLUMNS 100 /* of output */

typedef struct source {
    char *text;
    pmi_code_tokens tokens;
    uint32_t *brackets; /* tokens */
    size_t bracket_count;
} source;

typedef struct package {
    char *path;
    source *sources;
    size_t count;
} package;

typedef struct word {
    char bytes[WORD_MAX + 1];
    uint32_t count, packages;
    size_t last; /* package */
} word;

/* Of the sorts of changes in an example: to insert a bracket, to remove one, to remove one of two. */
enum {
    INSERT,
    REMOVE,
    REMOVE_DOUBLED,
    CHANGES
};

typedef struct candidate {
    pmi_prior_place place;
    unsigned change;
    size_t bracket;                /* index */
    float hidden[PM_PRIOR_HIDDEN]; /* 0: it was negative */
    double score;
} candidate;

/* Numbers of each weight: itself, its slope, the sum of squares of its slopes. */
typedef struct network {
    float traits[PM_PRIOR_CLASSES][PM_PRIOR_TRAITS];
    float input[INPUTS + 1][PM_PRIOR_HIDDEN]; /* as in pmi_prior */
    float output[PM_PRIOR_BRACKET_COUNT][PM_PRIOR_HIDDEN];
    float biases[CHANGES][PM_PRIOR_BRACKET_COUNT];
} network;

typedef struct example {
    pmi_code_token tokens[WINDOW]; /* with the mistake */
    size_t begin, end;             /* without the margins */
    size_t at;                     /* where a bracket is missing, or the first of the two */
    bool doubled;
    candidate candidates[2 * WINDOW];
    size_t count, truth;
} example;

static const char brackets[] = PM_PRIOR_BRACKETS; /* a bracket's partner is at its index with the lowest bit flipped */
static package *packages;
static size_t package_count;
static network weights, slopes, squares;
static word words[WORDS_ROOM];

static uint32_t below(uint32_t n) {
    static uint64_t state = UINT64_C(88172645463325252);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % n);
}

static void *checked(void *memory) {
    if (!memory) {
        fputs("pm_learn_prior: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void *room(size_t count, size_t size) {
    return checked(calloc(count, size));
}

static void *more(void *old, size_t count, size_t size) {
    return checked(realloc(old, count * size));
}

/* ---- Files ---- */

static package *package_of(const char *path, unsigned depth) {
    size_t n = 0;
    for (; path[n] != '\0' && depth > 0; n++)
        depth -= path[n] == '/';
    for (size_t k = 0; k < package_count; k++)
        if (strncmp(packages[k].path, path, n) == 0 && packages[k].path[n] == '\0')
            return &packages[k];
    packages = more(packages, package_count + 1, sizeof *packages);
    packages[package_count] = (package){.path = room(n + 1, 1)};
    memcpy(packages[package_count].path, path, n);
    return &packages[package_count++];
}

static char *read_file(const char *path, size_t *n) {
    FILE *const file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *const text = room(FILE_MAX + 1, 1);
    *n = fread(text, 1, FILE_MAX + 1, file);
    fclose(file);
    return text;
}

static bool brackets_match(const pm_language *language, const char *text, size_t n) {
    pm_check *check;
    pm_check_summary found = {.mismatched = 1};
    if (pm_check_create(NULL, language, NULL, NULL, NULL, &check) != PM_OK)
        return false;
    pm_check_push(check, text, n);
    pm_check_finish(check, &found);
    pm_check_destroy(check);
    return found.unmatched.close == 0 && found.unmatched.open == 0 && found.mismatched == 0;
}

static void take_file(const pm_language *language, const char *known, const char *path, unsigned depth) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    size_t n = 0;
    source taken = {.text = read_file(path, &n)};
    if (!taken.text || n < FILE_MIN || n > FILE_MAX || !brackets_match(language, taken.text, n) ||
        pmi_code_tokens_read(&allocator, language, pm_language_alphabet(language), taken.text, n, &taken.tokens) !=
            PM_OK) {
        free(taken.text);
        return;
    }
    taken.brackets = room(taken.tokens.count, sizeof *taken.brackets);
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < taken.tokens.count; i++)
        if (taken.tokens.list[i].role != PM_ROLE_NEUTRAL && strchr(known, taken.tokens.list[i].sort))
            taken.brackets[taken.bracket_count++] = (uint32_t)i;
    if (taken.bracket_count == 0)
        return;
    package *const of = package_of(path, depth);
    of->sources = more(of->sources, of->count + 1, sizeof *of->sources);
    of->sources[of->count++] = taken;
}

/* ---- Words ---- */

static void count_word(const char *bytes, const pmi_code_token *t, size_t of) {
    const size_t n = t->end - t->begin;
    if (t->sort != PM_SORT_WORD || n > WORD_MAX)
        return;
    size_t slot = t->name % WORDS_ROOM;
    while (words[slot].count > 0 && (strncmp(words[slot].bytes, bytes, n) != 0 || words[slot].bytes[n] != '\0'))
        slot = (slot + 1) % WORDS_ROOM;
    word *const found = &words[slot];
    memcpy(found->bytes, bytes, n);
    found->packages += found->count == 0 || found->last != of;
    found->last = of;
    found->count++;
}

/* Words that every package has come before those that one has often; of half the packages at least. */
static double rank_of(const word *w) {
    return 2 * w->packages >= package_count ? w->count * sqrt(w->packages) : 0;
}

static int by_rank(const void *a, const void *b) {
    const double x = rank_of(a), y = rank_of(b);
    return x < y ? 1 : x > y ? -1 : strcmp(((const word *)a)->bytes, ((const word *)b)->bytes);
}

static void each_source(void (*visit)(source *, size_t, const void *), const void *with) {
    for (size_t p = 0; p < package_count; p++)
        for (size_t s = 0; s < packages[p].count; s++)
            visit(&packages[p].sources[s], p, with);
}

static void count_words(source *of, size_t index, const void *unused) {
    (void)unused;
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < of->tokens.count; i++)
        count_word(of->text + of->tokens.list[i].begin, &of->tokens.list[i], index);
}

static void set_classes(source *of, size_t index, const void *known) {
    (void)index;
    for (size_t i = 0; i < of->tokens.count; i++)
        of->tokens.list[i].class = pmi_prior_class(known, of->text, &of->tokens.list[i]);
}

static void choose_words(char *list) {
    each_source(count_words, NULL);
    qsort(words, WORDS_ROOM, sizeof *words, by_rank);
    for (size_t k = 0; k < PM_PRIOR_WORDS && rank_of(&words[k]) > 0; k++) {
        strcat(list, words[k].bytes);
        strcat(list, " ");
    }
    static pmi_prior_words known;
    pmi_prior_words_init(&known, list);
    each_source(set_classes, &known);
}

/* ---- Examples ---- */

static size_t index_of(uint8_t byte) {
    return (size_t)(strchr(brackets, byte) - brackets);
}

/* Reads a bracket. Returns false if it closes one of another kind. */
static bool reduce(uint8_t role, uint8_t *stack, size_t *depth, uint64_t *hash) {
    if (pmi_role_is_open(role))
        stack[(*depth)++] = role;
    else if (*depth == 0)
        *hash = (*hash ^ role) * UINT64_C(1099511628211);
    else
        return pmi_role_kind(stack[--*depth]) == pmi_role_kind(role);
    return true;
}

/* Returns a hash of the brackets that tokens leave unmatched, with one more before `at`, or, if `added` is neutral,
 * without the one there; 0: two kinds do not match. */
static uint64_t unmatched(const pmi_code_token *tokens, size_t n, size_t at, uint8_t added) {
    uint8_t stack[WINDOW];
    size_t depth = 0;
    uint64_t hash = 1;
    bool fits = true;
    for (size_t i = 0; i <= n && fits; i++) {
        if (i == at && added != PM_ROLE_NEUTRAL)
            fits = reduce(added, stack, &depth, &hash);
        if (i < n && tokens[i].role != PM_ROLE_NEUTRAL && (i != at || added != PM_ROLE_NEUTRAL))
            fits = fits && reduce(tokens[i].role, stack, &depth, &hash);
    }
    for (size_t k = 0; k < depth; k++)
        hash = (hash ^ 256 ^ stack[k]) * UINT64_C(1099511628211);
    return !fits ? 0 : hash != 0 ? hash : 1;
}

/* Returns how many tokens there are then. */
static size_t add_edges(example *made, size_t n) {
    for (unsigned k = 0; k < PM_TOKEN_EDGE; k++)
        made->tokens[n++] = (pmi_code_token){.spacing = PM_SPACE_LINE};
    return n;
}

/* Copies the tokens around a bracket, with the mistake. */
static void copy_tokens(example *made, const source *of, size_t bracket) {
    const pmi_code_token *const list = of->tokens.list;
    const size_t last = of->tokens.count - 1;
    const size_t first = bracket > REACH + PM_TOKEN_EDGE ? bracket - REACH : PM_TOKEN_EDGE;
    const size_t from = first > MARGIN + PM_TOKEN_EDGE ? first - MARGIN : PM_TOKEN_EDGE;
    const size_t to = bracket + REACH + 1 + PM_TOKEN_EDGE < last ? bracket + REACH + 1 : last + 1 - PM_TOKEN_EDGE;
    size_t n = add_edges(made, 0);
    for (size_t i = from; i < to + MARGIN && i <= last; i++) {
        if (i == first)
            made->begin = n;
        if (i == to)
            made->end = n;
        if (i == bracket)
            made->at = n;
        if (i != bracket || made->doubled)
            made->tokens[n++] = list[i];
        if (i == bracket && made->doubled) {
            made->tokens[n] = list[i];
            made->tokens[n++].spacing = PM_SPACE_NONE;
        } else if (i == bracket + 1 && !made->doubled && list[bracket].spacing > list[i].spacing) {
            made->tokens[n - 1].spacing = list[bracket].spacing;
        }
    }
    add_edges(made, n);
}

static void add_candidate(example *made, const pmi_code_token *left, const pmi_code_token *right, unsigned spacing,
                          unsigned change, size_t bracket) {
    candidate *const added = &made->candidates[made->count++];
    added->place = pmi_prior_place_between(left, right, spacing);
    added->change = change;
    added->bracket = bracket;
}

/* Are all tokens between two places equal to a bracket, so that it makes no difference where it stands? */
static bool is_same_place(const example *made, size_t at, uint8_t byte) {
    const size_t from = at < made->at ? at : made->at, to = at < made->at ? made->at : at;
    for (size_t k = from; k < to; k++)
        if (made->tokens[k].sort != byte)
            return false;
    return true;
}

/* Collects the changes that leave the same brackets unmatched as the file does. */
static bool collect(example *made, const pm_alphabet *alphabet, const pmi_code_token *mistake, uint64_t wanted) {
    const size_t own = index_of(mistake->sort), partner = own ^ 1;
    const size_t in = made->doubled ? partner : own, out = made->doubled ? own : partner;
    const uint8_t in_byte = (uint8_t)brackets[in], out_byte = (uint8_t)brackets[out];
    const pmi_code_token *const tokens = made->tokens + made->begin;
    const size_t n = made->end - made->begin;
    made->truth = SIZE_MAX;
    made->count = 0;
    for (size_t k = 0; k <= n; k++) {
        const pmi_code_token *const t = &tokens[k];
        const bool follows_equal = k > 0 && t[-1].sort == t->sort && t->spacing == PM_SPACE_NONE;
        const bool same = is_same_place(made, made->begin + k, mistake->sort);
        if (!(follows_equal && t->sort == in_byte) && unmatched(tokens, n, k, alphabet->role[in_byte]) == wanted &&
            (made->doubled || !same || made->truth == SIZE_MAX)) {
            made->truth = !made->doubled && same ? made->count : made->truth;
            add_candidate(made, t - 1, t, t->spacing, INSERT, in);
        }
        if (k < n && t->sort == out_byte && t->role != PM_ROLE_NEUTRAL && !follows_equal &&
            unmatched(tokens, n, k, PM_ROLE_NEUTRAL) == wanted) {
            const bool twice = t[1].sort == t->sort && t[1].spacing == PM_SPACE_NONE;
            made->truth = made->doubled && same ? made->count : made->truth;
            add_candidate(made, t - 1, t + 1, t->spacing > t[1].spacing ? t->spacing : t[1].spacing,
                          twice ? REMOVE_DOUBLED : REMOVE, out);
        }
    }
    return made->truth != SIZE_MAX && made->count > 1;
}

/* Makes an example of a bracket. False: there is no other change, or two words have become one. */
static bool make_example(example *made, const pm_alphabet *alphabet, const source *of, size_t bracket) {
    const pmi_code_token *const t = &of->tokens.list[bracket];
    made->doubled = below(2) == 1;
    if (!made->doubled && t->spacing == PM_SPACE_NONE && t[-1].sort == PM_SORT_WORD && t[1].spacing == PM_SPACE_NONE &&
        t[1].sort == PM_SORT_WORD)
        return false;
    copy_tokens(made, of, bracket);
    const size_t n = made->end - made->begin;
    const uint64_t wanted =
        unmatched(made->tokens + made->begin, n, made->at - made->begin, made->doubled ? PM_ROLE_NEUTRAL : t->role);
    return wanted != 0 && collect(made, alphabet, t, wanted);
}

/* ---- Learning ---- */

/* A number about 0, normally distributed, nearly. */
static float random_weight(float deviation) {
    float sum = 0;
    for (unsigned k = 0; k < 6; k++)
        sum += (float)below(1000) / 1000 - 0.5F;
    return sum * 1.41F * deviation;
}

static void begin_weights(float *of, size_t count, float deviation) {
    for (size_t k = 0; k < count; k++)
        of[k] = random_weight(deviation);
}

static void begin(void) {
    begin_weights(weights.traits[0], PM_PRIOR_CLASSES * PM_PRIOR_TRAITS, 0.5F);
    begin_weights(weights.input[0], INPUTS * PM_PRIOR_HIDDEN, 0.15F);
    begin_weights(weights.output[0], PM_PRIOR_BRACKET_COUNT * PM_PRIOR_HIDDEN, 0.2F);
}

static double score_of(candidate *c) {
    memcpy(c->hidden, weights.input[INPUTS], sizeof c->hidden);
    for (unsigned p = 0; p < PM_PRIOR_POSITIONS; p++)
        for (unsigned t = 0; t < PM_PRIOR_TRAITS; t++) {
            const float trait = weights.traits[c->place.at[p]][t], *const row = weights.input[p * PM_PRIOR_TRAITS + t];
            for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
                c->hidden[h] += trait * row[h];
        }
    float sum = 0;
    for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++) {
        c->hidden[h] = c->hidden[h] > 0 ? c->hidden[h] : 0;
        sum += c->hidden[h] * weights.output[c->bracket][h];
    }
    return (double)((c->change == INSERT ? sum : -sum) + weights.biases[c->change][c->bracket]);
}

static void descend(float *weight, float *square, float slope, float rate) {
    *square += slope * slope;
    *weight -= rate * slope / sqrtf(*square + 1e-4F);
}

static void descend_all(float *weight, float *square, float *slope, size_t count, float rate) {
    for (size_t k = 0; k < count; k++) {
        descend(&weight[k], &square[k], slope[k], rate);
        slope[k] = 0;
    }
}

/* The slopes of the weights behind the traits of a class, which move at once, as few classes are seen. */
static void learn_position(const float *slope, unsigned position, uint8_t class, float rate) {
    for (unsigned t = 0; t < PM_PRIOR_TRAITS; t++) {
        const unsigned k = position * PM_PRIOR_TRAITS + t;
        const float trait = weights.traits[class][t];
        float sum = 0;
        for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++) {
            sum += slope[h] * weights.input[k][h];
            slopes.input[k][h] += trait * slope[h];
        }
        descend(&weights.traits[class][t], &squares.traits[class][t], sum, rate);
    }
}

static void learn_candidate(const candidate *c, float error, float rate) {
    const float signed_error = c->change == INSERT ? error : -error;
    float slope[PM_PRIOR_HIDDEN];
    descend(&weights.biases[c->change][c->bracket], &squares.biases[c->change][c->bracket], error, rate);
    for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++) {
        slope[h] = c->hidden[h] > 0 ? signed_error * weights.output[c->bracket][h] : 0;
        slopes.output[c->bracket][h] += signed_error * c->hidden[h];
        slopes.input[INPUTS][h] += slope[h];
    }
    for (unsigned p = 0; p < PM_PRIOR_POSITIONS; p++)
        learn_position(slope, p, c->place.at[p], rate);
}

/* Returns whether the truth was the likeliest. */
static bool learn(example *made, float rate) {
    double greatest = -1e9, sum = 0;
    size_t best = 0;
    bool learnt = false;
    for (size_t k = 0; k < made->count; k++) {
        made->candidates[k].score = score_of(&made->candidates[k]);
        if (made->candidates[k].score > greatest) {
            greatest = made->candidates[k].score;
            best = k;
        }
    }
    for (size_t k = 0; k < made->count; k++)
        sum += exp(made->candidates[k].score - greatest);
    for (size_t k = 0; k < made->count; k++) {
        const float error = (float)(exp(made->candidates[k].score - greatest) / sum) - (k == made->truth ? 1 : 0);
        if (fabsf(error) < SMALL)
            continue;
        learn_candidate(&made->candidates[k], error, rate);
        learnt = true;
    }
    if (learnt) {
        descend_all(weights.input[0], squares.input[0], slopes.input[0], (INPUTS + 1) * PM_PRIOR_HIDDEN, rate);
        descend_all(weights.output[0], squares.output[0], slopes.output[0], PM_PRIOR_BRACKET_COUNT * PM_PRIOR_HIDDEN,
                    rate);
    }
    return best == made->truth;
}

static void learn_all(const pm_alphabet *alphabet) {
    static example made;
    unsigned learnt = 0, right = 0;
    begin();
    for (unsigned k = 0; k < EXAMPLES; k++) {
        const package *const of = &packages[below((uint32_t)package_count)];
        const source *const taken = &of->sources[below((uint32_t)of->count)];
        const size_t bracket = taken->brackets[below((uint32_t)taken->bracket_count)];
        if (!make_example(&made, alphabet, taken, bracket))
            continue;
        right += learn(&made, RATE * (1 - 0.9F * (float)k / (float)EXAMPLES));
        learnt++;
    }
    fprintf(stderr, "%zu packages, %u examples, %.1f %% right\n", package_count, learnt,
            100.0 * right / (learnt + !learnt));
}

/* ---- Output ---- */

/* Prints rows of weights as multiples of a scale, which is returned. */
static double print_table(const char *name, const char *columns, const float *of, size_t rows, size_t width) {
    double greatest = 1e-9;
    for (size_t k = 0; k < rows * width; k++)
        greatest = fabs((double)of[k]) > greatest ? fabs((double)of[k]) : greatest;
    printf("static const int8_t %s[][%s] = {\n", name, columns);
    for (size_t row = 0; row < rows; row++) {
        int at = printf("{");
        for (size_t k = 0; k < width; k++) {
            at +=
                printf("%ld%s", lrint((double)of[row * width + k] * INT8_MAX / greatest), k + 1 < width ? "," : "},\n");
            if (at > COLUMNS && k + 1 < width)
                at = printf("\n") - 1;
        }
    }
    puts("};\n");
    return greatest / INT8_MAX;
}

static void print_words(const char *list) {
    const size_t n = strlen(list);
    for (size_t k = 0; k < n; k += COLUMNS)
        printf("\n        \"%.*s\"", COLUMNS, list + k);
}

/* Classes that were not seen have no traits. */
static void forget_unseen(void) {
    for (unsigned class = 0; class < PM_PRIOR_CLASSES; class ++)
        for (unsigned t = 0; t < PM_PRIOR_TRAITS; t++)
            if (squares.traits[class][t] <= 0)
                weights.traits[class][t] = 0;
}

/* Prints a package's folder, without those that it is in. Returns how many letters. */
static int print_package(const package *p) {
    const int n = (int)strlen(p->path) - 1;
    int begin = n > 0 ? n : 0;
    while (begin > 0 && p->path[begin - 1] != '/')
        begin--;
    return printf(" %.*s", n - begin, p->path + begin);
}

/* What the weights come from. */
static void print_packages(void) {
    int at = printf("/* Learnt from the files of %zu packages:", package_count);
    for (size_t k = 0; k < package_count; k++) {
        if (at > COLUMNS)
            at = printf("\n *") - 1;
        at += print_package(&packages[k]);
    }
    puts(" */");
}

/* Prints what the weights of a language are called: letters alone, such as cpp. */
static void print_name(const char *language) {
    printf("const pmi_prior pmi_prior_");
    for (; *language; language++)
        putchar(*language == '+' ? 'p' : *language);
}

static void print_prior(const char *language, const char *known, const char *list) {
    printf("/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by tests/repair/learn_prior.c. */\n"
           "#include \"core/repair/prior.h\"\n\n/* clang-format off */\n");
    print_packages();
    forget_unseen();
    const double traits =
        print_table("traits", "PM_PRIOR_TRAITS", weights.traits[0], PM_PRIOR_CLASSES, PM_PRIOR_TRAITS);
    const double input = print_table("input", "PM_PRIOR_HIDDEN", weights.input[0], INPUTS + 1, PM_PRIOR_HIDDEN);
    const double output =
        print_table("output", "PM_PRIOR_HIDDEN", weights.output[0], PM_PRIOR_BRACKET_COUNT, PM_PRIOR_HIDDEN);
    print_name(language);
    printf(" = {\n    .brackets = \"%s\",\n    .words =", known);
    print_words(list);
    printf(
        ",\n    .trait_scale = %.8eF,\n    .input_scale = %.8eF,\n    .output_scale = %.8eF,\n    .traits = traits,\n"
        "    .input = input,\n    .output = output,\n};\n",
        traits, input, output);
}

int main(int argc, char **argv) {
    const pm_language *const language = argc == 4 ? pm_language_by_name(argv[1]) : NULL;
    if (!language) {
        fputs("usage: pm_learn_prior LANGUAGE DEPTH BRACKETS <FILES\n", stderr);
        return 2;
    }
    char path[4096];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        take_file(language, argv[3], path, (unsigned)strtoul(argv[2], NULL, 10));
    }
    if (package_count == 0) {
        fputs("pm_learn_prior: no files to learn from\n", stderr);
        return 1;
    }
    static char list[PM_PRIOR_WORDS * (WORD_MAX + 1) + 1];
    choose_words(list);
    learn_all(pm_language_alphabet(language));
    print_prior(argv[1], argv[3], list);
    return 0;
}
