/* SPDX-License-Identifier: Apache-2.0 */
/* A scene, and where its results go. */
#ifndef PM_CPU_BOXES_SCENE_H
#define PM_CPU_BOXES_SCENE_H

#include "base/box_algebra.h"

typedef struct pmi_scene {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} pmi_scene;

#endif
