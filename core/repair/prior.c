/* SPDX-License-Identifier: Apache-2.0 */
#include "core/repair/prior.h"

#include <string.h>

#define REACH 24u /* tokens in which the bracket around a place is looked for */

/* ---- Classes of tokens ---- */

/* Shapes of words that are not known; those that are known come behind them. */
enum {
    SHAPE_LETTER = 0x80,
    SHAPE_LOWER,
    SHAPE_JOINED,   /* two_words */
    SHAPE_TYPE,     /* size_t */
    SHAPE_CAPITALS, /* NULL */
    SHAPE_CAPITAL,  /* Name */
    SHAPE_MIXED,    /* twoWords */
    SHAPE_OTHER,
    FIRST_KNOWN
};

_Static_assert(FIRST_KNOWN + PM_PRIOR_WORDS <= 256, "a class is a byte");

/* Returns where a name stands, or the free slot where it would. */
static uint8_t slot_of(const pmi_prior_words *words, uint32_t name) {
    uint8_t slot = (uint8_t)(name ^ name >> 8);
    while (words->class[slot] != 0 && words->name[slot] != name)
        slot++;
    return slot;
}

void pmi_prior_words_init(pmi_prior_words *words, const char *list) {
    memset(words, 0, sizeof *words);
    for (unsigned class = FIRST_KNOWN; *list; class ++) {
        const size_t n = strcspn(list, " ");
        const uint32_t name = pmi_code_token_name(list, n);
        const uint8_t slot = slot_of(words, name);
        words->name[slot] = name;
        words->class[slot] = (uint8_t) class;
        list += n + 1;
    }
}

static uint8_t shape_of(const char *bytes, size_t n) {
    bool upper = false, lower = false, joined = false;
    for (size_t k = 0; k < n; k++) {
        upper |= bytes[k] >= 'A' && bytes[k] <= 'Z';
        lower |= bytes[k] >= 'a' && bytes[k] <= 'z';
        joined |= bytes[k] == '_';
    }
    if (n == 1)
        return SHAPE_LETTER;
    if (!lower)
        return upper ? SHAPE_CAPITALS : SHAPE_OTHER;
    if (n > 2 && bytes[n - 2] == '_' && bytes[n - 1] == 't')
        return SHAPE_TYPE;
    if (bytes[0] >= 'A' && bytes[0] <= 'Z')
        return SHAPE_CAPITAL;
    return upper ? SHAPE_MIXED : joined ? SHAPE_JOINED : SHAPE_LOWER;
}

uint8_t pmi_prior_class(const pmi_prior_words *words, const char *bytes, const pmi_code_token *t) {
    if (t->sort != PM_SORT_WORD)
        return t->sort;
    const uint8_t known = words->class[slot_of(words, t->name)];
    return known != 0 ? known : shape_of(bytes + t->begin, t->end - t->begin);
}

/* ---- Places ---- */

/* Returns the innermost bracket around a place on one side of it, looked for from token t on in steps of 1 or -1; NULL
 * if it is far. */
static const pmi_code_token *bracket_around(const pmi_code_token *t, int step) {
    unsigned inner = 0;
    for (unsigned k = 0; k < REACH && t->sort != PM_SORT_EDGE; k++, t += step) {
        if (t->role == PM_ROLE_NEUTRAL)
            continue;
        if (pmi_role_is_open(t->role) == (step > 0))
            inner++;
        else if (inner-- == 0)
            return t;
    }
    return NULL;
}

/* The class of a token near t; the edge of the text stands for all beyond it. */
static unsigned class_near(const pmi_code_token *t, int step, unsigned distance) {
    for (unsigned k = 0; k < distance && t->sort != PM_SORT_EDGE; k++)
        t += step;
    return t->class;
}

static uint32_t mix(uint32_t hash, unsigned value) {
    hash = (hash ^ value) * UINT32_C(0x9e3779b1);
    return hash ^ hash >> 15;
}

/* Indices of what a feature is made of. */
enum {
    END, /* of the list */
    L1,  /* classes of the tokens to the left, the nearest first */
    L2,
    L3,
    R1, /* ... to the right */
    R2,
    R3,
    SPACING,
    OPEN,   /* the bracket around the place */
    BEFORE, /* the token before that */
    FIRST,  /* ... and behind it */
    CLOSE,
    BEHIND, /* the token behind the close */
    PARTS,
    PARTS_MAX = 5
};

static const uint8_t feature_parts[PM_PRIOR_FEATURES][PARTS_MAX] = {
    {SPACING},
    {L1, SPACING, R1},
    {L2, L1, SPACING},
    {SPACING, R1, R2},
    {L2, L1, SPACING, R1},
    {L1, SPACING, R1, R2},
    {L3, L2, L1, SPACING},
    {SPACING, R1, R2, R3},
    {L2, L1, SPACING, R1, R2},
    {L3, L2, L1, SPACING, R1},
    {L1, SPACING, R1, R2, R3},
    {OPEN, BEFORE, L1, R1},
    {OPEN, BEFORE, FIRST, L1},
    {OPEN, FIRST, L1, R1},
    {OPEN, BEFORE, R1, R2},
    {OPEN, BEFORE, CLOSE, BEHIND, L1},
    {OPEN, BEFORE, CLOSE, BEHIND, R1},
};

pmi_prior_place pmi_prior_place_between(const pmi_code_token *left, const pmi_code_token *right, unsigned spacing) {
    const pmi_code_token *const open = bracket_around(left, -1), *const close = bracket_around(right, 1);
    const unsigned parts[PARTS] = {
        [L1] = left->class,
        [L2] = class_near(left, -1, 1),
        [L3] = class_near(left, -1, 2),
        [R1] = right->class,
        [R2] = class_near(right, 1, 1),
        [R3] = class_near(right, 1, 2),
        [SPACING] = spacing + (left->directive_line ? PM_SPACINGS : 0),
        [OPEN] = open ? open->sort : 0,
        [BEFORE] = open ? open[-1].class : 0,
        [FIRST] = open ? open[1].class : 0,
        [CLOSE] = close ? close->sort : 0,
        [BEHIND] = close ? close[1].class : 0,
    };
    pmi_prior_place place;
    for (unsigned f = 0; f < PM_PRIOR_FEATURES; f++) {
        place.features[f] = mix(0, f);
        for (unsigned k = 0; k < PARTS_MAX && feature_parts[f][k] != END; k++)
            place.features[f] = mix(place.features[f], parts[feature_parts[f][k]]);
    }
    return place;
}

/* ---- The model ---- */

const pmi_prior *pmi_prior_of(const pm_language *language) {
    static const struct {
        const char *language;
        const pmi_prior *prior;
    } known[] = {{"c", &pmi_prior_c}, {"python", &pmi_prior_python}, {"rust", &pmi_prior_rust}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].language, language->name) == 0)
            return known[k].prior;
    return NULL;
}

bool pmi_prior_knows(const pmi_prior *prior, uint8_t byte) {
    return prior && strchr(prior->brackets, byte);
}

uint32_t pmi_prior_index(uint32_t feature, uint8_t byte) {
    return mix(feature, byte) % (PM_PRIOR_ROWS * PM_PRIOR_ROW);
}

static int weight_at(const pmi_prior *prior, uint32_t index) {
    const char letter = prior->weights[index / PM_PRIOR_ROW][index % PM_PRIOR_ROW];
    return letter - '@' - (letter > '\\') - PM_PRIOR_LEVELS;
}

double pmi_prior_gain(const pmi_prior *prior, const pmi_prior_place *place, uint8_t byte) {
    int sum = 0;
    for (unsigned f = 0; f < PM_PRIOR_FEATURES; f++)
        sum += weight_at(prior, pmi_prior_index(place->features[f], byte));
    return (double)sum / PM_PRIOR_SCALE;
}
