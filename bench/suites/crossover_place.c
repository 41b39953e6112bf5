/* SPDX-License-Identifier: Apache-2.0 */
/* Contests at one place, of which a row of lengths makes a story. */
#include "bench/suites/crossover_place.h"

#include <math.h>

#include "bench/report.h"

enum {
    BISECTIONS = 4
};

#define OVERTAKEN 1.05 /* by less it may as well be noise */

static size_t best_of(const struct contest *contest) {
    size_t best = CONTESTANTS_MOST;
    for (size_t c = 0; c < CONTESTANTS_MOST; c++)
        if (contest->ran[c] && (best == CONTESTANTS_MOST || contest->time[c].median < contest->time[best].median))
            best = c;
    return best;
}

static double least_of(const struct contest *contest) {
    double least = (double)INFINITY;
    for (size_t c = 0; c < CONTESTANTS_MOST; c++)
        if (contest->ran[c] && contest->time[c].min < least)
            least = contest->time[c].min;
    return least;
}

static void tell_regret(const struct place *place, const struct contest *contest) {
    const size_t best = best_of(contest);
    const struct regret regret = {.place = place->name,
                                  .kind = contest->family,
                                  .n = contest->n,
                                  .threads = place->threads,
                                  .chosen = place->names[contest->chosen],
                                  .best = place->names[best],
                                  .chosen_ns = contest->chosen_time.median,
                                  .best_ns = contest->time[best].median,
                                  .chosen_least = contest->chosen_time.min,
                                  .best_least = least_of(contest)};
    report_regret(&regret);
}

/* The first length in (from, to] for which the library chooses it, if it does for `to`. */
static size_t first_chosen(const struct place *place, size_t contestant, size_t from, size_t to) {
    if (place->chosen(from) == contestant || place->chosen(to) != contestant)
        return 0;
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        *(place->chosen(middle) == contestant ? &to : &from) = middle;
    }
    return to;
}

/* Between two lengths, where does one overtake the other? By bisection. False without memory. */
static bool tell_crossing(const struct place *place, const struct contest *before, const struct contest *after) {
    const size_t from = best_of(before), to = best_of(after);
    if (from == to || !after->ran[from] || !before->ran[to] ||
        after->time[from].median < OVERTAKEN * after->time[to].median)
        return true;
    double low = (double)before->n, high = (double)after->n;
    for (unsigned k = 0; k < BISECTIONS; k++) {
        const double middle = sqrt(low * high), ratio = place->compare(after->family, (size_t)middle, from, to);
        if (ratio < 0)
            return false;
        *(ratio > 1 ? &high : &low) = middle;
    }
    const struct crossing crossing = {.place = place->name,
                                      .kind = after->family,
                                      .threads = place->threads,
                                      .from = place->names[from],
                                      .to = place->names[to],
                                      .n = sqrt(low * high),
                                      .chosen = first_chosen(place, to, before->n, after->n)};
    report_crossing(&crossing);
    return true;
}

enum outcome place_case(struct place *place, size_t family, size_t n) {
    struct contest contest = {.family = place->settings->families.names[family], .n = n};
    struct contest *const before = &place->before[family];
    if (!place->measure(&contest))
        return OUTCOME_FAILED;
    if (best_of(&contest) == CONTESTANTS_MOST)
        return OUTCOME_VERIFIED;
    tell_regret(place, &contest);
    if (before->n > 0 && !tell_crossing(place, before, &contest))
        return OUTCOME_FAILED;
    *before = contest;
    return contest.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}
