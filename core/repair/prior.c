/* SPDX-License-Identifier: Apache-2.0 */
#include "core/repair/prior.h"

#include <string.h>

#include "base/memory.h"

#define REACH 28u     /* tokens in which brackets and ends of lines are looked for */
#define NEIGHBOURS 6u /* tokens on each side that count one by one */
#define SPACINGS 3u   /* ... before which blanks and newlines do */
#define DEPTH_MAX 3   /* more are as many */
#define COMMAS_MAX 6u /* more are as many */
#define KEPT 64u      /* shares of a position; those of classes that are equal modulo this take turns */

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

/* Positions. */
enum {
    LEFT = 0, /* tokens, the nearest first */
    RIGHT = LEFT + NEIGHBOURS,
    SPACING = RIGHT + NEIGHBOURS,
    SPACINGS_LEFT, /* what stands before the nearest tokens */
    SPACINGS_RIGHT,
    OPEN,         /* the bracket around the place */
    BEFORE,       /* the token before that */
    FIRST,        /* ... and behind it */
    CLOSE,        /* its partner */
    BEHIND,       /* the token behind that */
    OUTER_OPEN,   /* the bracket around those */
    OUTER_BEFORE, /* the token before that */
    LEFT_BEFORE,  /* the token before the partner of a close that stands to the left */
    RIGHT_BEHIND, /* the token behind the partner of an open that stands to the right */
    LINE_FIRST,
    LINE_LAST,
    DEPTH_LEFT, /* opens less closes in the line, before the place */
    DEPTH_RIGHT,
    COMMAS, /* in the bracket around the place, before it */
    POSITIONS
};

_Static_assert(POSITIONS == PM_PRIOR_POSITIONS, "prior.h says how many positions there are");

static bool is_edge(const pmi_code_token *t) {
    return t->sort == PM_SORT_EDGE;
}

static bool is_bracket(const pmi_code_token *t, bool open) {
    return t->role != PM_ROLE_NEUTRAL && pmi_role_is_open(t->role) == open;
}

/* Returns the innermost bracket around a place on one side of it, looked for from token t on in steps of 1 or -1; NULL
 * if it is far. Counts the commas on the way that no other bracket holds. */
static const pmi_code_token *bracket_around(const pmi_code_token *t, int step, unsigned *commas) {
    unsigned inner = 0;
    for (unsigned k = 0; k < REACH && !is_edge(t); k++, t += step) {
        if (t->role == PM_ROLE_NEUTRAL)
            *commas += inner == 0 && t->sort == ',';
        else if (pmi_role_is_open(t->role) == (step > 0))
            inner++;
        else if (inner-- == 0)
            return t;
    }
    return NULL;
}

/* Looks at the nearest tokens on one side; the edge of the text stands for all beyond it. */
static void see_near(uint8_t *seen, uint8_t *spacings, const pmi_code_token *t, int step) {
    unsigned all = 0;
    for (unsigned k = 0; k < NEIGHBOURS; k++) {
        seen[k] = t->class;
        all = k < SPACINGS && step < 0 ? PM_SPACINGS * all + t->spacing : all;
        t += is_edge(t) ? 0 : step;
        all = k < SPACINGS && step > 0 ? PM_SPACINGS * all + t->spacing : all;
    }
    *spacings = (uint8_t)all;
}

static void see_open(uint8_t *at, const pmi_code_token *left) {
    unsigned commas = 0, unused = 0;
    const pmi_code_token *const open = bracket_around(left, -1, &commas);
    at[COMMAS] = (uint8_t)(commas < COMMAS_MAX ? commas : COMMAS_MAX);
    if (!open)
        return;
    at[OPEN] = open->sort;
    at[BEFORE] = open[-1].class;
    at[FIRST] = open[1].class;
    const pmi_code_token *const outer = bracket_around(open - 1, -1, &unused);
    if (!outer)
        return;
    at[OUTER_OPEN] = outer->sort;
    at[OUTER_BEFORE] = outer[-1].class;
}

/* Looks behind brackets: the one around the place, and those that end or begin beside it. */
static void see_brackets(uint8_t *at, const pmi_code_token *left, const pmi_code_token *right) {
    unsigned unused = 0;
    see_open(at, left);
    const pmi_code_token *const close = bracket_around(right, 1, &unused);
    at[CLOSE] = close ? close->sort : 0;
    at[BEHIND] = close ? close[1].class : 0;
    const pmi_code_token *const begin = is_bracket(left, false) ? bracket_around(left - 1, -1, &unused) : NULL;
    at[LEFT_BEFORE] = begin ? begin[-1].class : 0;
    const pmi_code_token *const end = is_bracket(right, true) ? bracket_around(right + 1, 1, &unused) : NULL;
    at[RIGHT_BEHIND] = end ? end[1].class : 0;
}

static uint8_t depth_of(int depth) {
    return (uint8_t)(1 + DEPTH_MAX + (depth > DEPTH_MAX ? DEPTH_MAX : depth < -DEPTH_MAX ? -DEPTH_MAX : depth));
}

static int depth_by(const pmi_code_token *t) {
    return t->role == PM_ROLE_NEUTRAL ? 0 : pmi_role_is_open(t->role) ? 1 : -1;
}

/* Looks at what of the line is to the left. */
static void see_line_left(uint8_t *at, const pmi_code_token *t, unsigned spacing) {
    int depth = 0;
    for (unsigned k = 0; k < REACH && !is_edge(t) && spacing != PM_SPACE_LINE; k++, t--) {
        depth += depth_by(t);
        spacing = t->spacing;
        if (spacing == PM_SPACE_LINE)
            at[LINE_FIRST] = t->class;
    }
    at[DEPTH_LEFT] = depth_of(depth);
}

static void see_line_right(uint8_t *at, const pmi_code_token *t) {
    int depth = 0;
    for (unsigned k = 0; k < REACH && !is_edge(t); k++, t++) {
        if (k > 0 && t->spacing == PM_SPACE_LINE) {
            at[LINE_LAST] = t[-1].class;
            break;
        }
        depth += depth_by(t);
    }
    at[DEPTH_RIGHT] = depth_of(depth);
}

pmi_prior_place pmi_prior_place_between(const pmi_code_token *left, const pmi_code_token *right, unsigned spacing) {
    pmi_prior_place place = {{0}};
    see_near(&place.at[LEFT], &place.at[SPACINGS_LEFT], left, -1);
    see_near(&place.at[RIGHT], &place.at[SPACINGS_RIGHT], right, 1);
    place.at[SPACING] = (uint8_t)(spacing + (left->directive_line ? PM_SPACINGS : 0));
    see_brackets(place.at, left, right);
    see_line_left(place.at, left, spacing);
    see_line_right(place.at, right);
    return place;
}

/* The tokens on each side are copied, up to an edge. */
pmi_prior_place pmi_prior_place_inside(const pmi_code_token *t, const pmi_code_token *left,
                                       const pmi_code_token *right) {
    pmi_code_token copies[2 * (REACH + 2)] = {{0}};
    pmi_code_token *const middle = &copies[REACH + 2];
    middle[-1] = *left;
    middle[0] = *right;
    for (unsigned k = 1; k <= REACH && !is_edge(&t[1 - (int)k]); k++)
        middle[-1 - (int)k] = t[-(int)k];
    for (unsigned k = 1; k <= REACH && !is_edge(&t[k - 1]); k++)
        middle[k] = t[k];
    return pmi_prior_place_between(&middle[-1], &middle[0], PM_SPACE_NONE);
}

/* ---- The network ---- */

/* What a class at a position adds to the hidden values; kept, as it takes long to find out. */
typedef struct pmi_prior_share {
    float hidden[PM_PRIOR_HIDDEN];
    uint32_t class; /* 1 + the class; 0: nothing is kept here */
} share;

const pmi_prior *pmi_prior_of(const pm_language *language) {
    static const struct {
        const char *language;
        const pmi_prior *prior;
    } known[] = {{"c", &pmi_prior_c},
                 {"c++", &pmi_prior_cpp},
                 {"php", &pmi_prior_php},
                 {"python", &pmi_prior_python},
                 {"ruby", &pmi_prior_ruby},
                 {"rust", &pmi_prior_rust},
                 {"typescript", &pmi_prior_typescript}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].language, language->name) == 0)
            return known[k].prior;
    return NULL;
}

pm_status pmi_prior_reader_init(pmi_prior_reader *reader, const pmi_prior *prior, const pm_allocator *allocator) {
    *reader = (pmi_prior_reader){.prior = prior};
    pmi_prior_words_init(&reader->words, prior ? prior->words : "");
    if (!prior)
        return PM_OK;
    const size_t count = PM_PRIOR_POSITIONS * KEPT;
    reader->kept = pmi_memory_allocate(allocator, count, sizeof *reader->kept);
    if (!reader->kept)
        return PM_OUT_OF_MEMORY;
    for (size_t k = 0; k < count; k++)
        reader->kept[k].class = 0;
    return PM_OK;
}

void pmi_prior_reader_clear(pmi_prior_reader *reader, const pm_allocator *allocator) {
    pmi_memory_free(allocator, reader->kept);
    *reader = (pmi_prior_reader){0};
}

bool pmi_prior_knows(const pmi_prior_reader *reader, uint8_t byte) {
    return reader->prior && strchr(reader->prior->brackets, byte);
}

static void find_share(const pmi_prior *prior, unsigned position, uint8_t class, share *found) {
    const float scale = prior->trait_scale * prior->input_scale;
    int32_t sum[PM_PRIOR_HIDDEN] = {0};
    for (unsigned t = 0; t < PM_PRIOR_TRAITS; t++) {
        const int32_t trait = prior->traits[class][t];
        const int8_t *const row = prior->input[position * PM_PRIOR_TRAITS + t];
        for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
            sum[h] += trait * row[h];
    }
    for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
        found->hidden[h] = (float)sum[h] * scale;
    found->class = 1u + class;
}

static const share *share_of(const pmi_prior_reader *reader, unsigned position, uint8_t class) {
    share *const kept = &reader->kept[position * KEPT + class % KEPT];
    if (kept->class != 1u + class)
        find_share(reader->prior, position, class, kept);
    return kept;
}

pmi_prior_gains pmi_prior_gains_at(const pmi_prior_reader *reader, const pmi_prior_place *place) {
    const pmi_prior *const prior = reader->prior;
    const int8_t *const start = prior->input[PM_PRIOR_POSITIONS * PM_PRIOR_TRAITS];
    float hidden[PM_PRIOR_HIDDEN];
    for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
        hidden[h] = (float)start[h] * prior->input_scale;
    for (unsigned p = 0; p < PM_PRIOR_POSITIONS; p++) {
        const share *const added = share_of(reader, p, place->at[p]);
        for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
            hidden[h] += added->hidden[h];
    }
    pmi_prior_gains gains = {{0}};
    for (unsigned b = 0; b < PM_PRIOR_BRACKET_COUNT; b++) {
        for (unsigned h = 0; h < PM_PRIOR_HIDDEN; h++)
            gains.of[b] += hidden[h] > 0 ? hidden[h] * prior->output[b][h] : 0;
        gains.of[b] *= prior->output_scale;
    }
    return gains;
}

double pmi_prior_gain(const pmi_prior_gains *gains, uint8_t byte) {
    return (double)gains->of[strchr(PM_PRIOR_BRACKETS, byte) - PM_PRIOR_BRACKETS];
}
