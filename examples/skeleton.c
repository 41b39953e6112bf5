/* SPDX-License-Identifier: Apache-2.0 */
/* An arm that bends: each bone is a node with a transform relative to its parent, and one scan down the skeleton takes
 * all of them to the space of the world.
 *   cc skeleton.c $(pkg-config --cflags --libs parenmatch) -lm */
#include <math.h>
#include <parenmatch.h>
#include <stdio.h>

/* shoulder (upper arm (forearm (thumb) (finger))): five bones, each an open and a close. */
static const char *const names[] = {"shoulder", "upper arm", "forearm", "thumb", "finger"};
enum {
    BONES = 5,
    ELEMENTS = 2 * BONES
};
static const uint64_t skeleton = 0x02f; /* "((((" ")" "(" "))))", lowest bit first: 1 1 1 1 0 1 0 0 0 0 */

/* A turn about z by an angle, at the end of the parent bone, which points in x. */
static pm_affine bone(double parent_length, double degrees) {
    const double radians = degrees * 3.14159265358979323846 / 180;
    const float c = (float)cos(radians), s = (float)sin(radians);
    return (pm_affine){{{c, -s, 0, (float)parent_length}, {s, c, 0, 0}, {0, 0, 1, 0}}};
}

int main(void) {
    for (int frame = 0; frame <= 2; frame++) {
        const double bend = 45.0 * frame;
        const pm_affine local[BONES] = {bone(0, 0), bone(1, bend), bone(3, bend), bone(2, 90), bone(2, 0)};
        pm_affine world[BONES];
        const pm_status status =
            pm_tree_scan_down_auto(NULL, &skeleton, ELEMENTS, pm_monoid_affine(), PM_SCAN_INCLUSIVE, local, world);
        if (status != PM_OK) {
            fprintf(stderr, "%s\n", pm_status_string(status));
            return 1;
        }
        printf("bent by %g degrees\n", bend);
        for (int k = 0; k < BONES; k++)
            printf("  %-9s begins at %6.2f %6.2f\n", names[k], (double)world[k].m[0][3] + 1e-6,
                   (double)world[k].m[1][3] + 1e-6);
    }
    return 0;
}
