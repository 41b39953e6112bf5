/* SPDX-License-Identifier: Apache-2.0 */
/* A scene, and where its results go. */
#ifndef PM_CPU_BOX_SCENE_H
#define PM_CPU_BOX_SCENE_H

#include "core/reach.h"

typedef struct pm_scene {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} pm_scene;

#endif
