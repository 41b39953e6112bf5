/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting of a workgroup's lanes. */
#define EXCHANGED uint
#define NOTHING PM_INDEX_QUOTING_NOTHING

uint compose(uint before, uint behind) {
    return quoting_compose(before, behind);
}

#include "shaders/json/exchange.glsl"
