/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring this machine: times of calls, and figures from them, of the CPU, of a device and of boxes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "core/boxes/boxes.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

/* Elements: short and middle sequences stay in a core's cache, of a long one most does not. */
#define SHORT_N ((size_t)1 << 12)
#define MIDDLE_N ((size_t)1 << 16)
#define LONG_N ((size_t)1 << 23)
#define NS_MIN 1e-5 /* ns an element, which is negligible */
#define INPUTS 4u   /* kinds of sequences over which a mean is taken */

/* Measurements: six cases of the CPU and six of a device, with all inputs; and twelve of boxes. */
#define CELLS (15 * INPUTS)

#define SAMPLE_ELEMENTS ((size_t)1 << 16) /* short calls are timed together: as many as have this many elements */

enum {
    SAMPLES_MIN = 3,
    SAMPLES_MAX = 63
};

typedef struct call_times {
    pm_context *context;
    double input_ns; /* to spend on an input, unless the least number of samples takes longer */
    uint64_t *parens;
    uint32_t *match;
} call_times;

typedef pm_status timed_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

typedef struct timed_call {
    timed_function *match;
    timed_function *prepare; /* called once for an input, before the calls with it; NULL: nothing */
} timed_call;

/* A function to time, with its arguments. */
typedef pm_status timed_work(void *user);

/* ---- Inputs ---- */

/* Returns the next number of a generator, whose state is not 0. */
static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13; /* xorshift, by Marsaglia */
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Fair coins; pairs; 64 opens and 64 closes; opens, then closes. */
static void fill_input(call_times *times, unsigned kind, size_t n) {
    uint64_t state = 88172645463325252u;
    for (size_t w = 0; w < n / 64; w++)
        switch (kind) {
        case 0:
            times->parens[w] = random_next(&state);
            break;
        case 1:
            times->parens[w] = UINT64_C(0x5555555555555555);
            break;
        case 2:
            times->parens[w] = w % 2 == 0 ? UINT64_MAX : 0;
            break;
        default:
            times->parens[w] = w < n / 128 ? UINT64_MAX : 0;
            break;
        }
}

/* ---- Times ---- */

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pm_status sample_ns(timed_work *call, void *user, size_t calls, double *ns) {
    pm_status status = PM_OK;
    const double begin = pmi_clock_ns();
    for (size_t c = 0; c < calls && status == PM_OK; c++)
        status = call(user);
    *ns = (pmi_clock_ns() - begin) / (double)calls;
    return status;
}

/* Stores the median time of a call, from as many samples of `calls` calls as fit into all_ns, but at least three. */
static pm_status median_ns(timed_work *call, void *user, size_t calls, double all_ns, double *median) {
    double samples[SAMPLES_MAX];
    size_t count = 0;
    pm_status status = sample_ns(call, user, calls, samples); /* warms up, and is not counted */
    const double begin = pmi_clock_ns();
    while (status == PM_OK && count < SAMPLES_MAX && (count < SAMPLES_MIN || pmi_clock_ns() - begin < all_ns))
        status = sample_ns(call, user, calls, &samples[count++]);
    if (status == PM_OK) {
        qsort(samples, count, sizeof *samples, compare_doubles);
        *median = samples[count / 2];
    }
    return status;
}

/* ---- Of matches ---- */

typedef struct timed_match {
    const call_times *times;
    timed_function *match;
    size_t n;
} timed_match;

static pm_status match_once(void *user) {
    const timed_match *const timed = user;
    return timed->match(timed->times->context, timed->times->parens, timed->n, timed->times->match, NULL);
}

/* Stores the mean over all inputs of the median time of a call. The arrays have room for n elements, in whole words. */
static pm_status mean_call_ns(call_times *times, const timed_call *call, size_t n, double *mean) {
    const size_t calls = n < SAMPLE_ELEMENTS ? SAMPLE_ELEMENTS / n : 1; /* where one would be too short for the clock */
    *mean = 0;
    for (unsigned kind = 0; kind < INPUTS; kind++) {
        timed_match prepare = {times, call->prepare, n}, timed = {times, call->match, n};
        double median = 0;
        fill_input(times, kind, n);
        pm_status status = call->prepare ? match_once(&prepare) : PM_OK;
        if (status == PM_OK)
            status = median_ns(match_once, &timed, calls, times->input_ns, &median);
        if (status != PM_OK)
            return status;
        *mean += median / INPUTS;
    }
    return PM_OK;
}

/* ---- Figures ---- */

/* Returns the value, or `min` if noise has made it smaller. */
static double at_min(double min, double value) {
    return value > min ? value : min;
}

/* Splits an element's time with several threads into the part that they divide, which follows from its time with one
 * thread, and the rest. With one thread nothing follows: then threads are taken to divide nothing. */
static void split_time(double alone, double together, unsigned threads, double *divided, double *rest) {
    *divided = threads > 1 ? at_min(NS_MIN, (alone - together) / (1 - 1. / threads)) : NS_MIN;
    *rest = at_min(NS_MIN, together - *divided / threads);
}

/* Calls a function with the context's device opened again for one copying thread, then opens it as before. */
static pm_status with_one_thread(pm_context *context, timed_work *function, void *user) {
    const unsigned threads = context->threads;
    pmi_context_gpu_close(context); /* the number of copying threads is fixed when the device is opened */
    context->threads = 1;
    const pm_status status = function(user);
    pmi_context_gpu_close(context);
    context->threads = threads;
    return status == PM_OK ? pmi_context_gpu_open(context) : status;
}

/* ---- Of the CPU ---- */

static pm_status call_ns(call_times *b, timed_function *match, size_t n, double *mean) {
    return mean_call_ns(b, &(timed_call){.match = match}, n, mean);
}

static pm_status measure_one_thread(call_times *b, pmi_figures *figures) {
    double seq, brief, middle, whole;
    pm_status status = call_ns(b, pm_match_seq, SHORT_N, &seq);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, SHORT_N, &brief);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, MIDDLE_N, &middle);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, LONG_N, &whole);
    if (status != PM_OK)
        return status;
    figures->seq_element = seq / SHORT_N;
    figures->cached_element = at_min(middle / MIDDLE_N / 2, (middle - brief) / (double)(MIDDLE_N - SHORT_N));
    figures->call = at_min(10, brief - SHORT_N * figures->cached_element);
    const double cached_ns = figures->cached_elements * figures->cached_element;
    figures->memory_element =
        at_min(figures->cached_element / 2, (whole - cached_ns) / ((double)LONG_N - figures->cached_elements));
    return PM_OK;
}

/* Returns the time of a team beyond its share of the time of one thread. */
static double team_rest(const pmi_figures *figures, double ns, size_t n, unsigned threads) {
    const double share = (double)n / threads;
    const double cached = share < figures->cached_elements ? share : figures->cached_elements;
    return ns - cached * figures->cached_element - (share - cached) * figures->memory_element;
}

/* At the long length, and at the shortest that has as large a team. */
static pm_status measure_team(call_times *b, unsigned threads, pmi_figures *figures) {
    size_t n = LONG_N / 2;
    while (pmi_threads_of(b->context, n / 2) == threads)
        n /= 2;
    double some, whole;
    pm_status status = call_ns(b, pm_match_omp, n, &some);
    if (status == PM_OK)
        status = call_ns(b, pm_match_omp, LONG_N, &whole);
    if (status != PM_OK)
        return status;
    const double some_rest = team_rest(figures, some, n, threads), rest = team_rest(figures, whole, LONG_N, threads);
    figures->shared_element = at_min(1e-4, (rest - some_rest) / (double)(LONG_N - n));
    const double fixed = at_min(100, some_rest - (double)n * figures->shared_element);
    figures->team_call = fixed / (1 + threads / 2.); /* a thread takes half of what the call does, as shipped */
    figures->team_thread = figures->team_call / 2;
    return PM_OK;
}

/* ---- Of boxes ---- */

#define BOXES_MIN_N ((size_t)1 << 14)
#define BOXES_N ((size_t)1 << 22) /* more than caches hold */
#define BOXES_CALL_NS 5e6         /* long enough, of a slow device */

#define SCENES 3u

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

typedef struct box_measurement {
    pm_context *context;
    double input_ns; /* to spend on a scene */
    uint8_t *kinds;
    pm_box *boxes, *out; /* these have room for BOXES_N elements */
    box_function *function;
    size_t n;
    double kernels, call, element; /* of a device */
} box_measurement;

/* Leaves in one blend, and clips of two leaves each, both of which can be guessed; and pushes and pops by fair coins.
 */
static void fill_kinds(const box_measurement *m, unsigned scene) {
    static const uint8_t card[] = {PM_CLIP, PM_LEAF, PM_LEAF, PM_END};
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t random = random_next(&state) >> 32;
        const uint8_t other = random % 2 ? PM_END : random / 2 % 2 ? PM_CLIP : PM_BLEND;
        m->kinds[i] = scene == 0 ? PM_LEAF : scene == 1 ? card[i % 4] : other;
    }
    if (scene == 0)
        m->kinds[0] = PM_BLEND, m->kinds[m->n - 1] = PM_END;
}

/* Small ones all over a plane; of clips large ones, or nothing would be left of most leaves. */
static void fill_boxes(const box_measurement *m) {
    uint64_t state = 362436069362436069u;
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t random = random_next(&state);
        const float x = (float)(random >> 40) * 0x1p-24f, y = (float)(random & 0xffffff) * 0x1p-24f;
        m->boxes[i] = m->kinds[i] == PM_CLIP ? (pm_box){x - 1, y - 1, x + 1, y + 1}
                                             : (pm_box){x, y, x + .1f * (1 - x), y + .1f * (1 - y)};
    }
}

static pm_status boxes_once(void *user) {
    const box_measurement *const m = user;
    return m->function(m->context, m->kinds, m->boxes, m->n, m->out);
}

/* Times the scene that has been filled in. */
static pm_status time_scene(box_measurement *m, box_function *function, double *ns) {
    m->function = function;
    return median_ns(boxes_once, m, 1, m->input_ns, ns);
}

/* Times each scene, and leaves the last one. */
static pm_status time_scenes(box_measurement *m, box_function *function, double ns[SCENES]) {
    pm_status status = PM_OK;
    m->n = BOXES_N;
    for (unsigned scene = 0; scene < SCENES && status == PM_OK; scene++) {
        fill_kinds(m, scene);
        fill_boxes(m);
        status = time_scene(m, function, &ns[scene]);
    }
    return status;
}

static pm_status measure_boxes_on_host(box_measurement *m, unsigned threads, pmi_box_figures *figures) {
    double one[SCENES], several[SCENES];
    pm_status status = time_scenes(m, pm_box_seq, one);
    if (status == PM_OK && threads > 1)
        status = time_scenes(m, pm_box_omp, several);
    if (status != PM_OK)
        return status;
    const double wrong = BOXES_N * pmi_box_wrong_guesses(m->kinds, BOXES_N), guessed = (one[0] + one[1]) / 2;
    figures->thread_element = guessed / BOXES_N;
    figures->guess_element = at_min(NS_MIN, (one[2] - guessed) / wrong);
    double rest = 0;
    for (unsigned scene = 0; scene < SCENES && threads > 1; scene++)
        rest += (several[scene] - one[scene] / threads) / BOXES_N / SCENES;
    figures->shared_element = at_min(NS_MIN, rest);
    return PM_OK;
}

/* A short call makes the kernels. Then what many elements take, of the scene that there is: fewer on a slow device, or
 * where there is no room for more. */
static pm_status measure_boxes_on_device(void *user) {
    box_measurement *const m = user;
    double median, took;
    m->n = SHORT_N;
    m->function = pm_box_gpu;
    const double begin = pmi_clock_ns();
    pm_status status = boxes_once(m);
    m->kernels = pmi_clock_ns() - begin;
    if (status == PM_OK)
        status = time_scene(m, pm_box_gpu, &m->call);
    for (m->n = BOXES_MIN_N;; m->n *= 2) {
        pm_status more = boxes_once(m); /* makes room there, which takes long */
        const double again = pmi_clock_ns();
        if (more == PM_OK)
            more = boxes_once(m);
        took = pmi_clock_ns() - again;
        if (more != PM_OK && m->n > BOXES_MIN_N) {
            m->n /= 2;
            break;
        }
        if (more != PM_OK || took >= BOXES_CALL_NS || m->n == BOXES_N)
            break;
    }
    if (status == PM_OK)
        status = time_scene(m, pm_box_gpu, &median);
    if (status != PM_OK)
        return status;
    m->kernels = at_min(1, m->kernels - m->call);
    m->element = at_min(NS_MIN, (median - m->call) / (double)(m->n - SHORT_N));
    return PM_OK;
}

static pm_status measure_scenes(box_measurement *m, pmi_box_figures *figures) {
    const unsigned threads = pmi_box_threads_of(m->context, BOXES_N);
    pm_status status = measure_boxes_on_host(m, threads, figures); /* leaves the last scene for the device */
    if (status == PM_OK)
        status = measure_boxes_on_device(m);
    if (status != PM_OK)
        return status;
    figures->kernels = m->kernels;
    figures->call = m->call;
    const double together = m->element;
    if (threads > 1)
        status = with_one_thread(m->context, measure_boxes_on_device, m);
    if (status == PM_OK)
        split_time(m->element, together, threads, &figures->copy_element, &figures->device_element);
    return status;
}

/* Measures boxes on the CPU and on the open device, which is closed and opened again. */
static void measure_boxes(pm_context *context, double input_ns, pmi_box_figures *figures) {
    const pm_allocator allocator = pm_context_allocator(context);
    box_measurement m = {.context = context, .input_ns = input_ns};
    m.kinds = pmi_memory_allocate(&allocator, BOXES_N, sizeof *m.kinds);
    m.boxes = pmi_memory_allocate(&allocator, BOXES_N, sizeof *m.boxes);
    m.out = pmi_memory_allocate(&allocator, BOXES_N, sizeof *m.out);
    if (!m.kinds || !m.boxes || !m.out || measure_scenes(&m, figures) != PM_OK) {
#define MAX(field, name, max) .field = (max),
        *figures = (pmi_box_figures){PM_BOX_FIGURE_MAP(MAX)}; /* by which the device is never the faster */
#undef MAX
    }
    pmi_memory_free(&allocator, m.out);
    pmi_memory_free(&allocator, m.boxes);
    pmi_memory_free(&allocator, m.kinds);
}

/* ---- Of a device ---- */

#define DEVICE_CALL_NS 2e7 /* long enough */

/* Matches, and leaves the match on the device. */
static pm_status upload_and_match(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                  pm_bic *total) {
    (void)match, (void)total;
    pm_bic sum;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_match(context->gpu, parens, n, NULL, &sum) : status;
}

/* Matches what the last call has uploaded. */
static pm_status match_again(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)parens;
    return upload_and_match(context, NULL, n, match, total);
}

static const timed_call from_host_to_host = {.match = pm_match_gpu}, from_host = {.match = upload_and_match},
                        on_device = {.match = match_again, .prepare = upload_and_match};

/* The device, opened, with the kernels that such lengths need. Finds how long that takes, and how many elements are
 * many for it: as many as there is room for, or fewer on a slow device. */
static pm_status open_device(call_times *times, size_t *long_n, double *open_ns) {
    pmi_context_gpu_close(times->context);
    const double begin = pmi_clock_ns();
    pm_status status = pmi_context_gpu_open(times->context);
    if (status == PM_OK)
        status = pm_match_gpu(times->context, times->parens, SHORT_N, times->match, NULL);
    *open_ns = pmi_clock_ns() - begin;
    double took = 0;
    *long_n = MIDDLE_N / 2;
    do {
        *long_n *= 2;
        const double again = pmi_clock_ns();
        if (status == PM_OK)
            status = pm_match_gpu(times->context, times->parens, *long_n, times->match, NULL);
        took = pmi_clock_ns() - again;
    } while (status == PM_OK && *long_n < LONG_N && took < DEVICE_CALL_NS);
    return status;
}

/* An element's download, with as many threads as the context has. */
typedef struct download {
    call_times *times;
    size_t n;
    const pmi_gpu_figures *figures;
    double element;
} download;

static pm_status measure_download(void *user) {
    download *const d = user;
    double both_ways;
    const pm_status status = mean_call_ns(d->times, &from_host_to_host, d->n, &both_ways);
    d->element = (both_ways - d->figures->call) / (double)(d->n - SHORT_N) - d->figures->match_element -
                 d->figures->upload_element;
    return status;
}

static pm_status measure_copy(call_times *times, size_t n, unsigned threads, pmi_gpu_figures *figures) {
    download together = {times, n, figures, 0};
    pm_status status = measure_download(&together);
    download alone = together;
    if (status == PM_OK && threads > 1)
        status = with_one_thread(times->context, measure_download, &alone);
    if (status == PM_OK)
        split_time(alone.element, together.element, threads, &figures->copy_element, &figures->download_element);
    return status;
}

static pm_status measure_matches(call_times *times, size_t n, pmi_gpu_figures *figures) {
    double up, there, more = (double)(n - SHORT_N);
    pm_status status = mean_call_ns(times, &from_host_to_host, SHORT_N, &figures->call);
    if (status == PM_OK)
        status = mean_call_ns(times, &on_device, SHORT_N, &figures->launch);
    if (status == PM_OK)
        status = mean_call_ns(times, &on_device, n, &there);
    if (status == PM_OK)
        status = mean_call_ns(times, &from_host, n, &up);
    if (status != PM_OK)
        return status;
    figures->match_element = at_min(NS_MIN, (there - figures->launch) / more);
    figures->upload_element = at_min(NS_MIN, (up - there) / more);
    return measure_copy(times, n, pmi_threads_of(times->context, n), figures);
}

/* Measures the context's device, if one works. The device is closed and opened again. */
static void measure_gpu(call_times *times, pmi_profile *profile) {
    size_t long_n;
    pmi_gpu_figures figures;
    if (open_device(times, &long_n, &figures.open) != PM_OK || measure_matches(times, long_n, &figures) != PM_OK)
        return;
    profile->gpu = figures;
    snprintf(profile->device, sizeof profile->device, "%s", pmi_context_gpu_key(times->context));
    measure_boxes(times->context, times->input_ns, &profile->box);
}

/* ---- All ---- */

pm_status pm_profile_measure(pm_context *context, double seconds, const char *path) {
    if (!path || !(seconds >= 0 && seconds <= 3600))
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    const char *const simd = pmi_simd_of(context)->name;
    call_times b = {.context = context, .input_ns = seconds * 1e9 / CELLS};
    b.parens = pmi_memory_allocate(&allocator, LONG_N / 64, sizeof *b.parens);
    b.match = pmi_memory_allocate(&allocator, LONG_N, sizeof *b.match);
    pmi_profile profile = {.cpu = *pmi_figures_shipped(simd), .device = ""};
    pm_status status = b.parens && b.match ? measure_one_thread(&b, &profile.cpu) : PM_OUT_OF_MEMORY;
    const unsigned threads = pmi_threads_of(context, LONG_N);
    if (status == PM_OK && threads > 1 && threads == pmi_threads_of(context, LONG_N / 2))
        status = measure_team(&b, threads, &profile.cpu);
    if (status == PM_OK && context)
        measure_gpu(&b, &profile);
    if (status == PM_OK)
        status = pmi_profile_write(&allocator, path, simd, &profile);
    pmi_memory_free(&allocator, b.match);
    pmi_memory_free(&allocator, b.parens);
    return status;
}
