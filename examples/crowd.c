/* SPDX-License-Identifier: Apache-2.0 */
/* A crowd of arms that bend, each in its own way, on a GPU: all of them are one forest, and one scan takes every bone
 * to the space of the world. Where there is no device, the CPU does it.
 *   cc crowd.c $(pkg-config --cflags --libs parenmatch) -lm */
#include <math.h>
#include <parenmatch.h>
#include <stdio.h>
#include <stdlib.h>

/* shoulder (upper arm (forearm (thumb) (finger))), as in skeleton.c: ten elements an arm, of which five are bones. */
enum {
    ARMS = 1000,
    BONES = 5,
    ELEMENTS = 10,
    FINGER = 4
};
static const unsigned arm = 0x02f; /* 1 1 1 1 0 1 0 0 0 0, lowest bit first */

static uint64_t parens[(ARMS * ELEMENTS + 63) / 64];
static pm_affine local[ARMS * BONES], world[ARMS * BONES];

/* A turn about z by an angle, at the end of the parent bone, which points in x. */
static pm_affine bone(double parent_length, double degrees) {
    const double radians = degrees * 3.14159265358979323846 / 180;
    const float c = (float)cos(radians), s = (float)sin(radians);
    return (pm_affine){{{c, -s, 0, (float)parent_length}, {s, c, 0, 0}, {0, 0, 1, 0}}};
}

static void arm_make(size_t a) {
    const double bend = 90.0 * (double)a / ARMS;
    const pm_affine bones[BONES] = {bone(0, 0), bone(1, bend), bone(3, bend), bone(2, 90), bone(2, 0)};
    for (size_t e = 0; e < ELEMENTS; e++)
        parens[(a * ELEMENTS + e) / 64] |= (uint64_t)(arm >> e & 1) << (a * ELEMENTS + e) % 64;
    for (size_t b = 0; b < BONES; b++)
        local[a * BONES + b] = bones[b];
}

static pm_status pose(pm_context *context) {
    const size_t n = (size_t)ARMS * ELEMENTS;
    const pm_status status =
        pm_tree_scan_down_gpu(context, parens, n, pm_gpu_monoid_affine(), PM_SCAN_INCLUSIVE, local, world);
    return status == PM_NO_DEVICE
               ? pm_tree_scan_down_auto(context, parens, n, pm_monoid_affine(), PM_SCAN_INCLUSIVE, local, world)
               : status;
}

int main(void) {
    pm_context *context;
    const pm_options options = {.struct_size = sizeof options, .allow_cpu_device = true};
    pm_status status = pm_context_create(&options, &context);
    for (size_t a = 0; a < ARMS; a++)
        arm_make(a);
    if (status == PM_OK)
        status = pose(context);
    pm_context_destroy(context);
    if (status != PM_OK) {
        fprintf(stderr, "%s\n", pm_status_string(status));
        return EXIT_FAILURE;
    }
    for (size_t a = 0; a < ARMS; a += ARMS / 4) {
        const pm_affine *const finger = &world[a * BONES + FINGER];
        printf("arm %3zu: its finger begins at %.2f %.2f\n", a, (double)finger->m[0][3] + 1e-6,
               (double)finger->m[1][3] + 1e-6);
    }
    return EXIT_SUCCESS;
}
