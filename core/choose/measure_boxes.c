/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the figures of boxes: on one thread, on several, and on a device for which one or several threads copy. */
#include "base/clock.h"
#include "core/boxes/boxes.h"
#include "core/choose/measure.h"

#define SHORT_N PM_MEASURE_SHORT
#define MIN_LONG_N ((size_t)1 << 14)
#define LONG_N ((size_t)1 << 22) /* more than caches hold */
#define LONG_CALL_NS 5e6         /* long enough, of a slow device */

#define SCENES 3u

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

typedef struct box_measurement {
    pm_context *context;
    double input_ns; /* to spend on a scene */
    uint8_t *kinds;
    pm_box *boxes, *out; /* these have room for LONG_N elements */
    box_function *function;
    size_t n;
    double kernels, call, element; /* of a device */
} box_measurement;

/* ---- Scenes ---- */

/* Leaves in one blend, and clips of two leaves each, both of which can be guessed; and pushes and pops by fair coins.
 */
static void fill_kinds(const box_measurement *m, unsigned scene) {
    static const uint8_t card[] = {PM_CLIP, PM_LEAF, PM_LEAF, PM_END};
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t random = pmi_random_next(&state) >> 32;
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
        const uint64_t random = pmi_random_next(&state);
        const float x = (float)(random >> 40) * 0x1p-24f, y = (float)(random & 0xffffff) * 0x1p-24f;
        m->boxes[i] = m->kinds[i] == PM_CLIP ? (pm_box){x - 1, y - 1, x + 1, y + 1}
                                             : (pm_box){x, y, x + .1f * (1 - x), y + .1f * (1 - y)};
    }
}

/* ---- Times ---- */

static pm_status boxes_once(void *user) {
    const box_measurement *const m = user;
    return m->function(m->context, m->kinds, m->boxes, m->n, m->out);
}

/* Times the scene that has been filled in. */
static pm_status time_scene(box_measurement *m, box_function *function, double *ns) {
    m->function = function;
    return pmi_median_ns(boxes_once, m, 1, m->input_ns, ns);
}

/* Times each scene, and leaves the last one. */
static pm_status time_scenes(box_measurement *m, box_function *function, double ns[SCENES]) {
    pm_status status = PM_OK;
    m->n = LONG_N;
    for (unsigned scene = 0; scene < SCENES && status == PM_OK; scene++) {
        fill_kinds(m, scene);
        fill_boxes(m);
        status = time_scene(m, function, &ns[scene]);
    }
    return status;
}

/* ---- The model, solved ---- */

static pm_status measure_host(box_measurement *m, unsigned threads, pmi_box_figures *figures) {
    double one[SCENES], several[SCENES];
    pm_status status = time_scenes(m, pm_box_seq, one);
    if (status == PM_OK && threads > 1)
        status = time_scenes(m, pm_box_omp, several);
    if (status != PM_OK)
        return status;
    const double wrong = LONG_N * pmi_box_wrong_guesses(m->kinds, LONG_N), guessed = (one[0] + one[1]) / 2;
    figures->thread_element = guessed / LONG_N;
    figures->guess_element = pmi_measure_at_min(PM_MEASURE_MIN, (one[2] - guessed) / wrong);
    double rest = 0;
    for (unsigned scene = 0; scene < SCENES && threads > 1; scene++)
        rest += (several[scene] - one[scene] / threads) / LONG_N / SCENES;
    figures->shared_element = pmi_measure_at_min(PM_MEASURE_MIN, rest);
    return PM_OK;
}

/* A short call makes the kernels. Then what many elements take, of the scene that there is: fewer on a slow device, or
 * where there is no room for more. */
static pm_status measure_device(void *user) {
    box_measurement *const m = user;
    double median, took;
    m->n = SHORT_N;
    m->function = pm_box_gpu;
    const double begin = pmi_clock_ns();
    pm_status status = boxes_once(m);
    m->kernels = pmi_clock_ns() - begin;
    if (status == PM_OK)
        status = time_scene(m, pm_box_gpu, &m->call);
    for (m->n = MIN_LONG_N;; m->n *= 2) {
        pm_status more = boxes_once(m); /* makes room there, which takes long */
        const double again = pmi_clock_ns();
        if (more == PM_OK)
            more = boxes_once(m);
        took = pmi_clock_ns() - again;
        if (more != PM_OK && m->n > MIN_LONG_N) {
            m->n /= 2;
            break;
        }
        if (more != PM_OK || took >= LONG_CALL_NS || m->n == LONG_N)
            break;
    }
    if (status == PM_OK)
        status = time_scene(m, pm_box_gpu, &median);
    if (status != PM_OK)
        return status;
    m->kernels = pmi_measure_at_min(1, m->kernels - m->call);
    m->element = pmi_measure_at_min(PM_MEASURE_MIN, (median - m->call) / (double)(m->n - SHORT_N));
    return PM_OK;
}

static pm_status measure(box_measurement *m, pmi_box_figures *figures) {
    const unsigned threads = pmi_box_threads_of(m->context, LONG_N);
    pm_status status = measure_host(m, threads, figures); /* leaves the last scene for the device */
    if (status == PM_OK)
        status = measure_device(m);
    if (status != PM_OK)
        return status;
    figures->kernels = m->kernels;
    figures->call = m->call;
    const double together = m->element;
    if (threads > 1)
        status = pmi_measure_with_one_thread(m->context, measure_device, m);
    if (status == PM_OK)
        pmi_measure_split(m->element, together, threads, &figures->copy_element, &figures->device_element);
    return status;
}

void pmi_profile_measure_boxes(pm_context *context, double input_ns, pmi_box_figures *figures) {
    const pm_allocator allocator = pm_context_allocator(context);
    box_measurement m = {.context = context, .input_ns = input_ns};
    m.kinds = pmi_memory_allocate(&allocator, LONG_N, sizeof *m.kinds);
    m.boxes = pmi_memory_allocate(&allocator, LONG_N, sizeof *m.boxes);
    m.out = pmi_memory_allocate(&allocator, LONG_N, sizeof *m.out);
    if (!m.kinds || !m.boxes || !m.out || measure(&m, figures) != PM_OK) {
#define MAX(field, name, max) .field = (max),
        *figures = (pmi_box_figures){PM_BOX_FIGURE_MAP(MAX)}; /* by which the device is never the faster */
#undef MAX
    }
    pmi_memory_free(&allocator, m.out);
    pmi_memory_free(&allocator, m.boxes);
    pmi_memory_free(&allocator, m.kinds);
}
