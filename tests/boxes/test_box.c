/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of scenes: the oracle against the definition, slices and threads against the oracle, to the bit. */
#define _DEFAULT_SOURCE /* mkstemp */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/boxes/boxes.h"
#include "cpu/boxes/leaves.h"
#include "inputs/families.h"
#include "inputs/scenes.h"
#include "tests/boxes/definition.h"
#include "tests/support/unit.h"

enum {
    MARGIN = 4, /* boxes on either side of the results that nobody may write to */
    SEVERAL = 20000
};

static const unsigned thread_counts[] = {1, 2, 3, 7};

/* What one function makes of a scene, with margins that are checked. */
typedef struct result {
    pm_box *around, *out;
    size_t n;
} result;

static result result_make(size_t n) {
    pm_box *const around = allocate(n + 2 * MARGIN, sizeof *around);
    return (result){around, around + MARGIN, n};
}

static void result_junk(result *r) {
    memset(r->around, 0xa5, (r->n + 2 * MARGIN) * sizeof *r->around);
}

static void check_margins(const result *r) {
    for (size_t b = 0; b < MARGIN * sizeof *r->out; b++) {
        assert_int_equal(((const unsigned char *)r->around)[b], 0xa5);
        assert_int_equal(((const unsigned char *)(r->out + r->n))[b], 0xa5);
    }
}

static bool same_bits(const pm_box *a, const pm_box *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

static void fail_at(const char *what, const uint8_t *kinds, const pm_box *boxes, size_t n, const pm_box *out,
                    const pm_box *expected) {
    size_t i = 0;
    while (i < n && same_bits(&out[i], &expected[i], 1))
        i++;
    for (size_t k = 0; k < n && n <= 16; k++)
        print_message("%llu: kind %d, {%g %g %g %g}\n", (unsigned long long)k, kinds[k], (double)boxes[k].x0,
                      (double)boxes[k].y0, (double)boxes[k].x1, (double)boxes[k].y1);
    fail_msg("%s, n = %zu: element %zu is {%g %g %g %g} instead of {%g %g %g %g}", what, n, i, (double)out[i].x0,
             (double)out[i].y0, (double)out[i].x1, (double)out[i].y1, (double)expected[i].x0, (double)expected[i].y0,
             (double)expected[i].x1, (double)expected[i].y1);
}

/* ---- The oracle, and slices of one thread, against the definition */

static void check_against_definition(const uint8_t *kinds, const pm_box *boxes, size_t n, bool slices) {
    pm_box expected[8], out[8];
    definition_boxes(kinds, boxes, n, expected);
    assert_ok(pm_box_seq(NULL, kinds, boxes, n, out));
    if (!same_bits(out, expected, n))
        fail_at("seq", kinds, boxes, n, out, expected);
    uint32_t stack[8];
    pmi_outside outside = {.context = pmi_box_everything};
    assert_true(pmi_box_walk_plain(&(pmi_scene){kinds, boxes, n, out}, 0, n, stack, &outside));
    if (!same_bits(out, expected, n))
        fail_at("plain walk", kinds, boxes, n, out, expected);
    for (size_t size = 1; slices && size <= n; size++) {
        fault_allocator faults = {0};
        const pm_allocator allocator = fault_allocator_functions(&faults);
        memset(out, 0xa5, sizeof out);
        assert_ok(pmi_omp_boxes(&allocator, &(pmi_slice_plan){1, size, n}, &(pmi_scene){kinds, boxes, n, out}));
        if (!same_bits(out, expected, n))
            fail_at("slices", kinds, boxes, n, out, expected);
        assert_true(fault_allocator_is_settled(&faults));
    }
}

/* Every scene of n elements whose leaves and clips have boxes of this set. */
static void check_every_scene(size_t n, const pm_box *set, size_t set_size, bool slices) {
    const size_t choices = 2 * set_size + 2;
    size_t choice[8] = {0};
    for (size_t digit = 0; digit < n;) {
        uint8_t kinds[8];
        pm_box boxes[8];
        for (size_t i = 0; i < n; i++) {
            const bool boxed = choice[i] < 2 * set_size;
            kinds[i] = (uint8_t)(boxed ? choice[i] / set_size : PM_BLEND + choice[i] - 2 * set_size);
            boxes[i] = boxed ? set[choice[i] % set_size] : (pm_box){NAN, -5, 7, NAN};
        }
        check_against_definition(kinds, boxes, n, slices);
        for (digit = 0; digit < n && ++choice[digit] == choices; digit++)
            choice[digit] = 0;
    }
}

TEST(test_every_small_scene) {
    static const pm_box few[] = {{0, 0, 4, 3}, {-2, 1, 3, 5}, {3, 0, 6, 2}}; /* the third meets the first alone */
    static const pm_box odd[] = {{-0.0f, -0.0f, 2, 2},
                                 {0, 0, 2, 2},
                                 {-2, -2, -0.0f, 0},
                                 {NAN, 0, 1, 1},
                                 {0, 0, 1, NAN},
                                 {-INFINITY, -INFINITY, INFINITY, INFINITY},
                                 {-1, -1, INFINITY, INFINITY},
                                 {INFINITY, INFINITY, INFINITY, INFINITY},
                                 {3, 3, 2, 5},
                                 {-3, -3, -2, -2}};
    for (size_t n = 1; n <= 6; n++)
        check_every_scene(n, few, COUNT_OF(few), n <= 5);
    for (size_t n = 1; n <= 3; n++)
        check_every_scene(n, odd, COUNT_OF(odd), true);
}

TEST(test_random_odd_scenes) {
    uint64_t seed = 3;
    for (int round = 0; round < 15000; round++) {
        uint8_t kinds[8];
        pm_box boxes[8];
        for (size_t i = 0; i < 8; i++) {
            kinds[i] = (uint8_t)random_below(&seed, 4);
            boxes[i] = scene_odd_box(&seed);
        }
        check_against_definition(kinds, boxes, 8, round % 8 == 0);
    }
}

/* ---- Slices and threads against the oracle */

typedef struct subject {
    uint8_t *kinds;
    pm_box *boxes, *expected;
    result result;
} subject;

static subject subject_make(size_t n) {
    return (subject){.kinds = allocate(n, 1),
                     .boxes = allocate(n, sizeof(pm_box)),
                     .expected = allocate(n, sizeof(pm_box)),
                     .result = result_make(n)};
}

static void subject_free(subject *s) {
    free(s->kinds);
    free(s->boxes);
    free(s->expected);
    free(s->result.around);
}

/* Both with other arrays for the results, and with the boxes' own. */
static void check_plan(subject *s, const pmi_slice_plan *plan, const char *what) {
    const size_t n = s->result.n;
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    for (int in_place = 0; in_place < 2; in_place++) {
        result_junk(&s->result);
        if (in_place)
            memcpy(s->result.out, s->boxes, n * sizeof *s->boxes);
        const pmi_scene scene = {s->kinds, in_place ? s->result.out : s->boxes, n, s->result.out};
        assert_ok(pmi_omp_boxes(&allocator, plan, &scene));
        if (!same_bits(s->result.out, s->expected, n)) {
            print_message("%s: %u threads, slices of %llu, in place: %d\n", what, plan->threads,
                          (unsigned long long)plan->slice_size, in_place);
            fail_at(what, s->kinds, s->boxes, n, s->result.out, s->expected);
        }
        check_margins(&s->result);
        assert_true(fault_allocator_is_settled(&faults));
    }
}

TEST(test_plans) {
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 300, 1000};
    static const size_t slice_sizes[] = {1, 2, 5, 8, 13, 64, 100, 999};
    for (size_t f = 0, turn = 0; scene_names[f]; f++)
        for (size_t z = 0; z < COUNT_OF(sizes); z++) {
            subject s = subject_make(sizes[z]);
            assert_true(scene_fill(scene_names[f], z, sizes[z], s.kinds, s.boxes));
            uint64_t seed = f;
            for (size_t i = 0; z % 2 && i < sizes[z]; i++)
                s.boxes[i] = scene_odd_box(&seed);
            assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, sizes[z], s.expected));
            for (size_t d = 0; d < COUNT_OF(slice_sizes); d++, turn++)
                check_plan(&s,
                           &(pmi_slice_plan){thread_counts[turn % COUNT_OF(thread_counts)], slice_sizes[d], sizes[z]},
                           scene_names[f]);
            subject_free(&s);
        }
}

/* Every boundary between two and three slices. */
TEST(test_every_boundary) {
    const size_t n = 100;
    for (size_t f = 0; scene_names[f]; f++) {
        subject s = subject_make(n);
        assert_true(scene_fill(scene_names[f], 9, n, s.kinds, s.boxes));
        assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, n, s.expected));
        for (size_t size = 1; size <= n; size++)
            check_plan(&s, &(pmi_slice_plan){1 + size % 2, size, n}, scene_names[f]);
        subject_free(&s);
    }
}

/*
 * Slices that leave about as many nodes open as are looked at together, or several times as many, and later ones that
 * close them in stretches: which go on in the next slice, or end where one ends, or where the nodes of a slice end,
 * with leaves between or without, and past the last node.
 */
TEST(test_stretches_of_ends) {
    static const size_t open_counts[] = {1, 63, 64, 65, 127, 128, 129, 200};
    uint64_t seed = 21;
    for (size_t c = 0; c < COUNT_OF(open_counts); c++)
        for (unsigned way = 0; way < 48; way++) {
            const size_t slice = open_counts[c], n = 8 * slice;
            const unsigned nodes = way % 3, leaves = way / 3 % 4 * 25, begins = way / 12 % 2 * 10;
            subject s = subject_make(n);
            for (size_t i = 0; i < n; i++) {
                const uint8_t node = (uint8_t)(nodes < 2 ? PM_CLIP + nodes : PM_CLIP + random_below(&seed, 2));
                const bool between = i >= 3 * slice && random_below(&seed, 100) < leaves;
                const bool begin = i < 3 * slice || random_below(&seed, 100) < begins;
                s.kinds[i] = (uint8_t)(between ? PM_LEAF : begin ? node : PM_END);
                s.boxes[i] = random_below(&seed, 40)
                                 ? (pm_box){(float)random_below(&seed, 9), -(float)random_below(&seed, 9), 90, 8}
                                 : scene_odd_box(&seed);
            }
            if (way % 2)
                s.kinds[3 * slice - 1] = s.kinds[slice] = PM_LEAF; /* one less in two slices */
            assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, n, s.expected));
            for (unsigned t = 0; t < COUNT_OF(thread_counts); t++)
                check_plan(&s,
                           &(pmi_slice_plan){thread_counts[t], t % 2 ? slice + random_below(&seed, slice) : slice, n},
                           "stretches of ends");
            subject_free(&s);
        }
}

/* The stack grows and shrinks across slices, to the bottom and past it. */
TEST(test_swings) {
    uint64_t seed = 5;
    for (int round = 0; round < 60; round++) {
        subject s = subject_make(SEVERAL);
        const uint64_t most = random_below(&seed, 2) ? 50 : 3000;
        for (size_t i = 0, left = 0, odds = 0; i < SEVERAL; i++, left--) {
            if (left == 0) {
                left = 1 + random_below(&seed, most);
                odds = random_below(&seed, 11);
            }
            const uint64_t draw = random_below(&seed, 20);
            s.kinds[i] = PM_LEAF;
            if (draw >= 2)
                s.kinds[i] = draw < 2 + odds ? PM_CLIP : draw < 2 + odds + odds / 2 ? PM_BLEND : PM_END;
            s.boxes[i] = (pm_box){(float)random_below(&seed, 30), 0, 100 - (float)random_below(&seed, 30), 7};
        }
        assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, SEVERAL, s.expected));
        for (unsigned t = 0; t < COUNT_OF(thread_counts); t++)
            check_plan(&s, &(pmi_slice_plan){thread_counts[t], 1 + random_below(&seed, 2000), SEVERAL}, "swings");
        subject_free(&s);
    }
}

/*
 * Nodes that are never closed, in the first slice and in any other, and one leaf that is not empty, in any slice after
 * that: every blend has its box, whichever slices lie between.
 */
TEST(test_never_closed) {
    enum {
        SLICE = 4,
        SLICES = 7,
        ELEMENTS = SLICE * SLICES
    };
    const pm_box clip = {0, 0, 9, 9}, leaf = {1, 2, 3, 4}, nothing = {0, 0, 0, 0};
    for (size_t nodes = 1; nodes < SLICES; nodes++)
        for (size_t drawn = nodes + 1; drawn < SLICES; drawn++) {
            subject s = subject_make(ELEMENTS);
            for (size_t i = 0; i < ELEMENTS; i++) {
                s.kinds[i] = PM_LEAF;
                s.boxes[i] = s.expected[i] = nothing;
            }
            const size_t first = 1, outer = nodes * SLICE, inner = outer + 1, last = outer + 3;
            const size_t only = drawn * SLICE + 2;
            s.kinds[first] = s.kinds[inner] = s.kinds[last] = PM_BLEND;
            s.kinds[outer] = PM_CLIP;
            s.boxes[outer] = s.expected[outer] = clip;
            s.boxes[only] = s.expected[only] = leaf;
            s.expected[first] = s.expected[inner] = s.expected[last] = leaf;
            for (unsigned t = 0; t < COUNT_OF(thread_counts); t++)
                check_plan(&s, &(pmi_slice_plan){thread_counts[t], SLICE, ELEMENTS}, "never closed");
            subject_free(&s);
        }
}

/* One thread goes on alone where slices leave too many nodes open, and then finds what slices have not looked at. */
TEST(test_too_many_survivors) {
    const size_t n = 1000;
    subject s = subject_make(n);
    for (size_t f = 0; scene_names[f]; f++) {
        assert_true(scene_fill(scene_names[f], 4, n, s.kinds, s.boxes));
        assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, n, s.expected));
        for (size_t most = 0; most < 300; most += 37)
            check_plan(&s, &(pmi_slice_plan){2, 100, most}, scene_names[f]);
    }
    const pm_allocator allocator = pm_context_allocator(NULL);
    const pmi_scene scene = {s.kinds, s.boxes, n, s.result.out};
    memset(s.kinds, PM_CLIP, n);
    for (size_t wrong = 0; wrong < n; wrong += 27) {
        s.kinds[wrong] = 4;
        assert_invalid(pmi_omp_boxes(&allocator, &(pmi_slice_plan){2, 100, 150}, &scene));
        s.kinds[wrong] = PM_CLIP;
    }
    subject_free(&s);
}

/* ---- Long scenes with many leaves, which are walked through in ways of their own */

/* A scene of up to 40 elements in which all that begins ends: runs of leaves, most of them in nodes of their own. */
static size_t small_scene(uint64_t *seed, uint8_t *kinds, pm_box *boxes) {
    size_t n = 0, open = 0;
    while (n < 20) {
        const uint64_t draw = random_below(seed, 8), most = random_below(seed, 8) ? 3 : 14;
        if (draw < 5) {
            kinds[n++] = draw < 2 ? PM_CLIP : PM_BLEND;
            open++;
        }
        for (uint64_t leaves = random_below(seed, most + 1); leaves > 0 && n < 20; leaves--)
            kinds[n++] = PM_LEAF;
        if (draw % 4 > 0) {      /* a clip or a blend stays open */
            kinds[n++] = PM_END; /* which may close nothing */
            open -= open > 0;
        }
    }
    for (; open > 0; open--)
        kinds[n++] = PM_END;
    for (size_t i = 0; i < n; i++)
        boxes[i] = random_below(seed, 3) ? (pm_box){-1, 0, 5, 7 - (float)random_below(seed, 9)} : scene_odd_box(seed);
    return n;
}

/* Against the definition of each of the small scenes that follow each other; also where leaves are fewer meanwhile. */
TEST(test_leafy_scenes) {
    uint64_t seed = 11;
    size_t leafy = 0, stretches = 0;
    for (int round = 0; round < 40; round++) {
        subject s = subject_make(SEVERAL);
        size_t n = 0;
        while (n + 64 < SEVERAL) {
            const size_t length = small_scene(&seed, s.kinds + n, s.boxes + n);
            assert_true(length <= 64);
            for (size_t i = 0; i < length && round % 4 == 3 && n / 3000 % 2 == 0; i++)
                s.kinds[n + i] = i % 2 ? PM_END : i + 1 < length ? PM_BLEND : PM_LEAF;
            definition_boxes(s.kinds + n, s.boxes + n, length, s.expected + n);
            n += length;
        }
        const size_t room = SEVERAL - n;
        memset(s.kinds + n, PM_LEAF, room);
        memset(s.boxes + n, 0, room * sizeof *s.boxes);
        memset(s.expected + n, 0, room * sizeof *s.expected);
        for (size_t i = 0; i + 1024 < SEVERAL; i += 1024, stretches++)
            leafy += pmi_is_leafy(s.kinds + i, 1024);
        uint32_t *const stack = allocate(SEVERAL, sizeof *stack);
        for (int plain = 0; plain < 2; plain++) {
            for (int in_place = 0; in_place < 2; in_place++) {
                const pmi_scene scene = {s.kinds, in_place ? s.result.out : s.boxes, SEVERAL, s.result.out};
                pmi_outside outside = {.context = pmi_box_everything};
                result_junk(&s.result);
                if (in_place)
                    memcpy(s.result.out, s.boxes, SEVERAL * sizeof *s.boxes);
                assert_true((plain ? pmi_box_walk_plain : pmi_box_walk)(&scene, 0, SEVERAL, stack, &outside));
                if (!same_bits(s.result.out, s.expected, SEVERAL))
                    fail_at(plain ? "plain walk" : "walk", s.kinds, s.boxes, SEVERAL, s.result.out, s.expected);
                check_margins(&s.result);
            }
        }
        free(stack);
        for (unsigned t = 0; t < COUNT_OF(thread_counts); t++)
            check_plan(&s, &(pmi_slice_plan){thread_counts[t], 1100 + random_below(&seed, 5000), SEVERAL}, "leafy");
        subject_free(&s);
    }
    assert_true(leafy > stretches / 2 && leafy < stretches);
}

/* Scenes of about as many elements as are walked through at a time, which end anywhere, in arrays of just that size: so
 * the sanitizer sees what looks past them. */
TEST(test_about_a_stretch) {
    uint64_t seed = 12;
    for (size_t n = 1000; n < 2080; n += n == 1060 ? 980 : 1) {
        subject s = subject_make(n);
        for (size_t at = 0, length; at < n; at += length) {
            uint8_t kinds[64];
            pm_box boxes[64];
            length = small_scene(&seed, kinds, boxes);
            length = length < n - at ? length : n - at; /* what is cut off here ended nodes, or nothing */
            memcpy(s.kinds + at, kinds, length);
            memcpy(s.boxes + at, boxes, length * sizeof *boxes);
            definition_boxes(kinds, boxes, length, s.expected + at);
        }
        for (int plain = 0; plain < 2; plain++) {
            uint32_t *const stack = allocate(n, sizeof *stack);
            pmi_outside outside = {.context = pmi_box_everything};
            result_junk(&s.result);
            const pmi_scene scene = {s.kinds, s.boxes, n, s.result.out};
            assert_true((plain ? pmi_box_walk_plain : pmi_box_walk)(&scene, 0, n, stack, &outside));
            if (!same_bits(s.result.out, s.expected, n))
                fail_at("about a stretch", s.kinds, s.boxes, n, s.result.out, s.expected);
            check_margins(&s.result);
            free(stack);
        }
        check_plan(&s, &(pmi_slice_plan){2, n / 2 + 1, n}, "about a stretch");
        subject_free(&s);
    }
}

/*
 * Stretches with many leaves and others follow each other, as long as what is decided at once, or by one element more
 * or less. Nodes stay open from one to the next, or are closed for it.
 */
TEST(test_stretches_of_all_sorts) {
    enum {
        STRETCHES = 6,
        LONGEST = 1025
    };
    uint64_t seed = 13;
    for (int round = 0; round < 60; round++) {
        subject s = subject_make(STRETCHES * LONGEST);
        size_t n = 0;
        for (unsigned k = 0; k < STRETCHES; k++) {
            static const uint8_t ordinary[] = {PM_LEAF, PM_CLIP, PM_BLEND, PM_END}, begins[] = {PM_CLIP, PM_BLEND},
                                 ends[] = {PM_END, PM_END, PM_END, PM_LEAF};
            const size_t end = n + LONGEST - random_below(&seed, 3);
            const uint64_t sort = random_below(&seed, 4);
            while (n < end)
                if (sort == 0 && n + 64 <= end)
                    n += small_scene(&seed, s.kinds + n, s.boxes + n);
                else
                    s.kinds[n++] = sort == 1   ? begins[random_below(&seed, 2)]
                                   : sort == 2 ? ends[random_below(&seed, 4)]
                                               : ordinary[random_below(&seed, 4)];
        }
        for (size_t i = 0; i < n; i++)
            s.boxes[i] = random_below(&seed, 500) ? (pm_box){(float)random_below(&seed, 5) - 100, -50, 90,
                                                             100 - (float)random_below(&seed, 9)}
                                                  : scene_odd_box(&seed);
        s.result.n = n;
        definition_boxes_long(s.kinds, s.boxes, n, s.expected);
        uint32_t *const stack = allocate(n, sizeof *stack);
        for (int plain = 0; plain < 2; plain++) {
            pmi_outside outside = {.context = pmi_box_everything};
            const pmi_scene scene = {s.kinds, s.boxes, n, s.result.out};
            assert_true((plain ? pmi_box_walk_plain : pmi_box_walk)(&scene, 0, n, stack, &outside));
            if (!same_bits(s.result.out, s.expected, n))
                fail_at(plain ? "plain walk" : "walk", s.kinds, s.boxes, n, s.result.out, s.expected);
        }
        free(stack);
        for (unsigned t = 0; t < COUNT_OF(thread_counts); t++)
            check_plan(&s, &(pmi_slice_plan){thread_counts[t], 900 + random_below(&seed, 2000), n}, "all sorts");
        subject_free(&s);
    }
}

/* An unknown kind, anywhere in a scene with many leaves, and in one with few. */
TEST(test_wrong_kind_anywhere) {
    enum {
        ELEMENTS = 2200
    };
    subject s = subject_make(ELEMENTS);
    result_junk(&s.result);
    static const char *const scenes[] = {"cards", "kinds"};
    for (size_t f = 0; f < 2; f++) {
        assert_true(scene_fill(scenes[f], 1, ELEMENTS, s.kinds, s.boxes));
        for (size_t i = 0; i < ELEMENTS; i++) {
            const uint8_t right = s.kinds[i];
            s.kinds[i] = (uint8_t)(i % 2 ? 4 + i % 252 : 0x80);
            assert_invalid(pm_box_seq(NULL, s.kinds, s.boxes, ELEMENTS, s.result.out));
            s.kinds[i] = right;
        }
    }
    check_margins(&s.result);
    subject_free(&s);
}

/* ---- Reduction alone */

TEST(test_reduce) {
    uint64_t seed = 8;
    for (int round = 0; round < 20000; round++) {
        uint8_t kinds[300];
        uint32_t stack[300], survivors[301];
        const uint64_t n = random_below(&seed, 301), begin = random_below(&seed, n + 1),
                       kinds_below = 2 + (uint64_t)round % 3;
        const uint64_t no_ends = round % 4 == 0 ? random_below(&seed, n + 1) : 0; /* up to there */
        for (size_t i = 0; i < n; i++)
            kinds[i] = (uint8_t)(i < no_ends ? random_below(&seed, 3) : 3 - random_below(&seed, kinds_below));
        size_t open = 0, close = 0;
        for (size_t i = begin; i < n; i++) {
            if (kinds[i] == PM_CLIP || kinds[i] == PM_BLEND)
                stack[open++] = (uint32_t)i;
            else if (kinds[i] == PM_END && open > 0)
                open--;
            else if (kinds[i] == PM_END)
                close++;
        }
        pmi_slice_effect effect = {0};
        survivors[n - begin] = 12345;
        assert_true(pmi_box_reduce(kinds, begin, n, survivors, &effect));
        assert_int_equal(effect.close, close);
        assert_int_equal(effect.open, open);
        for (size_t k = 0; k < open; k++)
            assert_int_equal(effect.survivors[k], stack[open - 1 - k]);
        assert_int_equal(survivors[n - begin], 12345);
        if (begin < n) {
            kinds[begin + random_below(&seed, n - begin)] = (uint8_t)(4 + random_below(&seed, 252));
            assert_false(pmi_box_reduce(kinds, begin, n, survivors, &effect));
            assert_int_equal(survivors[n - begin], 12345);
        }
    }
}

/* ---- The public functions */

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);
static box_function *const functions[] = {pm_box_seq, pm_box_omp, pm_box_auto};

TEST(test_arguments) {
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        uint8_t kinds[4] = {PM_BLEND, PM_LEAF, PM_END, PM_END};
        pm_box boxes[4] = {{0}}, out[4];
        assert_ok(functions[f](NULL, NULL, NULL, 0, NULL));
        assert_invalid(functions[f](NULL, NULL, boxes, 4, out));
        assert_invalid(functions[f](NULL, kinds, NULL, 4, out));
        assert_invalid(functions[f](NULL, kinds, boxes, 4, NULL));
        assert_int_equal(functions[f](NULL, kinds, boxes, (size_t)UINT32_MAX + 1, out), PM_TOO_LARGE);
        for (size_t i = 0; i < 4; i++)
            for (unsigned bad = 4; bad < 256; bad++) {
                const uint8_t good = kinds[i];
                kinds[i] = (uint8_t)bad;
                assert_invalid(functions[f](NULL, kinds, boxes, 4, out));
                kinds[i] = good;
            }
        assert_ok(functions[f](NULL, kinds, boxes, 4, out));
    }
}

/* So long that several threads pay; every thread count, a wrong kind anywhere, and every allocation failing. */
TEST(test_public_functions) {
    const size_t n = (1 << 17) + 77;
    subject s = subject_make(n);
    assert_true(scene_fill("mixed:33:random", 1, n, s.kinds, s.boxes));
    assert_ok(pm_box_seq(NULL, s.kinds, s.boxes, n, s.expected));
    for (size_t f = 0; f < COUNT_OF(functions); f++)
        for (unsigned threads = 0; threads <= 5; threads++) {
            fault_allocator faults = {0};
            const pm_options options = {
                .struct_size = sizeof options, .allocator = fault_allocator_functions(&faults), .threads = threads};
            pm_context *context = context_of(&options);
            const size_t bytes = faults.live_bytes, calls = faults.calls;
            result_junk(&s.result);
            assert_ok(functions[f](context, s.kinds, s.boxes, n, s.result.out));
            assert_memory_equal(s.result.out, s.expected, n * sizeof *s.expected);
            check_margins(&s.result);
            assert_int_equal(faults.live_bytes, bytes);
            assert_true(faults.peak_bytes - bytes <= (functions[f] == pm_box_seq ? 4 : 6) * n);

            const size_t needed = faults.calls - calls;
            const size_t wrong = n / 7 * (threads + 1);
            const uint8_t right = s.kinds[wrong];
            s.kinds[wrong] = (uint8_t)(4 + threads * 50);
            assert_invalid(functions[f](context, s.kinds, s.boxes, n, s.result.out));
            s.kinds[wrong] = right;
            assert_int_equal(faults.live_bytes, bytes);

            assert_true(needed > 0);
            for (size_t failing = 1; failing <= needed; failing++) {
                faults.fail_at = faults.calls + failing;
                assert_int_equal(functions[f](context, s.kinds, s.boxes, n, s.result.out), PM_OUT_OF_MEMORY);
                check_margins(&s.result);
                assert_int_equal(faults.live_bytes, bytes);
            }
            context_close(context, &faults);
        }
    subject_free(&s);
}

TEST(test_plan_make) {
    for (unsigned most = 0; most <= 5; most++)
        for (size_t n = 1; n < (size_t)1 << 33; n = n * 3 + 1) {
            const pmi_slice_plan plan = pmi_box_plan_make(n, most);
            assert_true(plan.threads >= 1 && plan.slice_size >= 1);
            assert_true(plan.threads <= most || most == 0);
            assert_true(n >= 1 << 15 || plan.threads == 1);
        }
}

TEST(test_scene_names) {
    static const char *const none[] = {
        "", "mixed", "mixed:", "mixed:5", "mixed:101:deep", "mixed:x:deep", "mixed:5:no", "clip:5:deep", "wides"};
    uint8_t kinds[10];
    pm_box boxes[10];
    for (size_t k = 0; k < COUNT_OF(none); k++)
        assert_false(scene_fill(none[k], 1, 10, kinds, boxes));
    for (size_t f = 0; scene_names[f]; f++)
        for (size_t n = 0; n <= 10; n++)
            assert_true(scene_fill(scene_names[f], 1, n, kinds, boxes));
}

/* A file of bytes, whose name as a scene's is put into `name`. */
static void scene_file_make(const void *bytes, size_t count, char *name, size_t room) {
    char path[] = "/tmp/parenmatch-scene-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, count), count);
    close(descriptor);
    snprintf(name, room, "file:%s", path);
}

/* A scene from a file: its beginning, or again and again; and what is no scene. */
TEST(test_scene_files) {
    enum {
        ELEMENTS = 3,
        BOXES = 24, /* byte of the first */
        BYTES = BOXES + ELEMENTS * 16
    };
    unsigned char bytes[BYTES] = {'p', 'm', 's', 'c', 'e', 'n', 'e', '1', ELEMENTS};
    bytes[16] = PM_BLEND;
    bytes[18] = PM_END;
    memcpy(bytes + BOXES + 16,
           (const unsigned char[]){0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40},
           16); /* 1, 2, 3, 4 */
    char name[64];
    uint8_t kinds[8];
    pm_box boxes[8];
    const pm_box leaf = {1, 2, 3, 4};
    scene_file_make(bytes, BYTES, name, sizeof name);
    for (size_t n = 0; n <= 8; n++) {
        assert_true(scene_fill(name, 1, n, kinds, boxes));
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(kinds[i], bytes[16 + i % ELEMENTS]);
            assert_memory_equal(&boxes[i], i % ELEMENTS == 1 ? &leaf : &pmi_box_empty, sizeof leaf);
        }
    }
    unlink(name + strlen("file:"));
    assert_false(scene_fill(name, 1, 2, kinds, boxes));
    for (int wrong = 0; wrong < 4; wrong++) {
        unsigned char other[BYTES];
        memcpy(other, bytes, BYTES);
        other[7] = (unsigned char)(wrong == 0 ? '2' : '1');
        other[16] = (unsigned char)(wrong == 1 ? PM_END + 1 : PM_BLEND);
        other[8] = (unsigned char)(wrong == 3 ? 0 : ELEMENTS);
        scene_file_make(other, wrong == 2 ? BYTES - 1 : BYTES, name, sizeof name);
        assert_false(scene_fill(name, 1, 5, kinds, boxes));
        unlink(name + strlen("file:"));
    }
}
