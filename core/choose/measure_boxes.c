/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the figures of boxes: by one thread, by several and by a device, whose copies one or several threads make.
 */
#include "base/clock.h"
#include "core/boxes/boxes.h"
#include "core/choose/measure.h"

#define SHORT_N PM_MEASURE_SHORT
#define LEAST_LONG_N ((size_t)1 << 14)
#define LONG_N ((size_t)1 << 22) /* more than caches hold */
#define LONG_CALL_NS 5e6         /* long enough, of a slow device */

#define SCENES 3u

#define LEAST 1e-5 /* ns an element: whatever it is, it does not count */

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

typedef struct box_bed {
    pm_context *context;
    double input_ns; /* to be spent on a scene */
    uint8_t *kinds;
    pm_box *boxes, *out; /* these have room for LONG_N elements */
    box_function *function;
    size_t n;
} box_bed;

/* ---- Scenes ---- */

/* Leaves in one blend, and clips of two leaves each, both of which can be guessed; and pushes and pops by fair coins.
 */
static void fill_kinds(const box_bed *bed, unsigned scene) {
    static const uint8_t card[] = {PM_CLIP, PM_LEAF, PM_LEAF, PM_END};
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < bed->n; i++) {
        const uint64_t random = pmi_random_next(&state) >> 32;
        const uint8_t other = random % 2 ? PM_END : random / 2 % 2 ? PM_CLIP : PM_BLEND;
        bed->kinds[i] = scene == 0 ? PM_LEAF : scene == 1 ? card[i % 4] : other;
    }
    if (scene == 0)
        bed->kinds[0] = PM_BLEND, bed->kinds[bed->n - 1] = PM_END;
}

/* Small ones all over a plane; of clips large ones, or nothing would be left of most leaves. */
static void fill_boxes(const box_bed *bed) {
    uint64_t state = 362436069362436069u;
    for (size_t i = 0; i < bed->n; i++) {
        const uint64_t random = pmi_random_next(&state);
        const float x = (float)(random >> 40) * 0x1p-24f, y = (float)(random & 0xffffff) * 0x1p-24f;
        bed->boxes[i] = bed->kinds[i] == PM_CLIP ? (pm_box){x - 1, y - 1, x + 1, y + 1}
                                                 : (pm_box){x, y, x + .1f * (1 - x), y + .1f * (1 - y)};
    }
}

/* ---- Times ---- */

static pm_status boxes_once(void *user) {
    const box_bed *const bed = user;
    return bed->function(bed->context, bed->kinds, bed->boxes, bed->n, bed->out);
}

/* Of a scene that there is. */
static pm_status time_scene(box_bed *bed, box_function *function, double *ns) {
    bed->function = function;
    return pmi_median_ns(boxes_once, bed, 1, bed->input_ns, ns);
}

/* Of each, and leaves the last. */
static pm_status time_scenes(box_bed *bed, box_function *function, double ns[SCENES]) {
    pm_status status = PM_OK;
    bed->n = LONG_N;
    for (unsigned scene = 0; scene < SCENES && status == PM_OK; scene++) {
        fill_kinds(bed, scene);
        fill_boxes(bed);
        status = time_scene(bed, function, &ns[scene]);
    }
    return status;
}

/* ---- The model, solved ---- */

static pm_status measure_host(box_bed *bed, unsigned threads, pmi_box_figures *figures) {
    double one[SCENES], several[SCENES];
    pm_status status = time_scenes(bed, pm_box_seq, one);
    if (status == PM_OK && threads > 1)
        status = time_scenes(bed, pm_box_omp, several);
    if (status != PM_OK)
        return status;
    const double wrong = LONG_N * pmi_box_wrong_guesses(bed->kinds, LONG_N), guessed = (one[0] + one[1]) / 2;
    figures->thread_element = guessed / LONG_N;
    figures->guess_element = pmi_measure_at_min(LEAST, (one[2] - guessed) / wrong);
    double rest = 0;
    for (unsigned scene = 0; scene < SCENES && threads > 1; scene++)
        rest += (several[scene] - one[scene] / threads) / LONG_N / SCENES;
    figures->shared_element = pmi_measure_at_min(LEAST, rest);
    return PM_OK;
}

/* A short call makes the kernels. Then what many elements take, of the scene that there is: fewer on a slow device, or
 * where there is no room for more. */
static pm_status measure_device(box_bed *bed, double *kernels, double *call, double *element) {
    double median, took;
    bed->n = SHORT_N;
    bed->function = pm_box_gpu;
    const double begin = pmi_clock_ns();
    pm_status status = boxes_once(bed);
    *kernels = pmi_clock_ns() - begin;
    if (status == PM_OK)
        status = time_scene(bed, pm_box_gpu, call);
    for (bed->n = LEAST_LONG_N;; bed->n *= 2) {
        pm_status more = boxes_once(bed); /* makes room there, which takes long */
        const double again = pmi_clock_ns();
        if (more == PM_OK)
            more = boxes_once(bed);
        took = pmi_clock_ns() - again;
        if (more != PM_OK && bed->n > LEAST_LONG_N) {
            bed->n /= 2;
            break;
        }
        if (more != PM_OK || took >= LONG_CALL_NS || bed->n == LONG_N)
            break;
    }
    if (status == PM_OK)
        status = time_scene(bed, pm_box_gpu, &median);
    if (status != PM_OK)
        return status;
    *kernels = pmi_measure_at_min(1, *kernels - *call);
    *element = pmi_measure_at_min(LEAST, (median - *call) / (double)(bed->n - SHORT_N));
    return PM_OK;
}

/* The same with one thread, for who copies is settled when the device is opened. */
static pm_status measure_device_alone(box_bed *bed, double *element) {
    pm_context *const context = bed->context;
    const unsigned threads = context->threads;
    double kernels, call;
    pmi_context_gpu_close(context);
    context->threads = 1;
    const pm_status status = measure_device(bed, &kernels, &call, element);
    pmi_context_gpu_close(context);
    context->threads = threads;
    return status == PM_OK ? pmi_context_gpu_open(context) : status;
}

static pm_status measure(box_bed *bed, pmi_box_figures *figures) {
    const unsigned threads = pmi_box_threads_of(bed->context, LONG_N);
    double together;
    pm_status status = measure_host(bed, threads, figures); /* leaves a scene, the last, for the device */
    if (status != PM_OK)
        return status;
    status = measure_device(bed, &figures->kernels, &figures->call, &together);
    if (status != PM_OK)
        return status;
    double alone = together;
    if (threads > 1)
        status = measure_device_alone(bed, &alone);
    if (status != PM_OK)
        return status;
    figures->copy_element = threads > 1 ? pmi_measure_at_min(LEAST, (alone - together) / (1 - 1. / threads)) : LEAST;
    figures->device_element = pmi_measure_at_min(LEAST, together - figures->copy_element / threads);
    return PM_OK;
}

void pmi_profile_measure_boxes(pm_context *context, double input_ns, pmi_box_figures *figures) {
    const pm_allocator allocator = pm_context_allocator(context);
    box_bed bed = {.context = context, .input_ns = input_ns};
    bed.kinds = pmi_memory_allocate(&allocator, LONG_N, sizeof *bed.kinds);
    bed.boxes = pmi_memory_allocate(&allocator, LONG_N, sizeof *bed.boxes);
    bed.out = pmi_memory_allocate(&allocator, LONG_N, sizeof *bed.out);
    if (!bed.kinds || !bed.boxes || !bed.out || measure(&bed, figures) != PM_OK) {
#define MOST(field, name, most) .field = (most),
        *figures = (pmi_box_figures){PM_BOX_FIGURE_MAP(MOST)}; /* by which the device is never the faster */
#undef MOST
    }
    pmi_memory_free(&allocator, bed.out);
    pmi_memory_free(&allocator, bed.boxes);
    pmi_memory_free(&allocator, bed.kinds);
}
