/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage, one invocation: whether the text is one value. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"

void main() {
    if (lane != 0)
        return;
    const uint token_count = result.at[PM_INDEX_RESULT_TOKENS], bracket_count = result.at[PM_INDEX_RESULT_BRACKETS];
    const bool is_cut = found.at[PM_INDEX_FOUND_INSIDE] != 0 ||
                        found.at[PM_INDEX_FOUND_ORDER] != PM_INDEX_AFTER_VALUE ||
                        (capacity > 0 && result.at[PM_INDEX_RESULT_OPEN] != 0);
    const bool is_wrong = found.at[PM_INDEX_FOUND_WRONG] != 0 || is_cut || (bracket_count == 0 && token_count != 1);
    result.at[PM_INDEX_RESULT_VERDICT] = bracket_count > capacity ? PM_INDEX_NO_ROOM
                                         : is_wrong              ? PM_INDEX_WRONG
                                                                 : PM_INDEX_RIGHT;
}
