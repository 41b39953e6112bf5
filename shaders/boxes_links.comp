/* SPDX-License-Identifier: Apache-2.0 */
/* Bases of tiles, as far as each block knows; once the tree of least heights is there. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_TREES_ACCESS
#include "shaders/boxes.glsl"
#include "shaders/boxes_block.glsl"
#include "shaders/boxes_links.glsl"

void main() {
    links_make(first + gl_WorkGroupID.x);
}
