/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage, one invocation: which fault comes first. Once an open of the top level is not closed, all that follows
 * is in it: so the last open that is in no other is the first that is not closed, if any is not.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"

void main() {
    const uint wrong = found.at[PM_STRUCTURE_FOUND_WRONG], start = found.at[PM_STRUCTURE_FOUND_START];
    const bool cut = (unterminated >> found.at[PM_STRUCTURE_FOUND_STATE] & 1) != 0;
    uint fault = PM_STRUCTURE_NONE, token = PM_STRUCTURE_NONE, at = PM_STRUCTURE_NONE, partner = PM_STRUCTURE_NONE;
    if (lane != 0)
        return;
    if (wrong != PM_STRUCTURE_NONE) {
        const uint open = match.at[wrong];
        fault = open == PM_NO_ELEMENT ? PM_STRUCTURE_UNMATCHED_CLOSE : PM_STRUCTURE_KIND_MISMATCH;
        token = wrong;
        partner = open == PM_NO_ELEMENT ? PM_STRUCTURE_NONE : positions.at[open];
    } else if (result.at[PM_STRUCTURE_RESULT_OPEN] != 0) {
        fault = PM_STRUCTURE_UNMATCHED_OPEN;
        token = found.at[PM_STRUCTURE_FOUND_TOP] - 1;
    } else if (cut) {
        fault = PM_STRUCTURE_UNTERMINATED;
        at = start - 1;
    }
    if (token != PM_STRUCTURE_NONE)
        at = positions.at[token];
    result.at[PM_STRUCTURE_RESULT_MISMATCHED] = found.at[PM_STRUCTURE_FOUND_MISMATCHED];
    result.at[PM_STRUCTURE_RESULT_UNTERMINATED] = cut ? start - 1 : PM_STRUCTURE_NONE;
    result.at[PM_STRUCTURE_RESULT_FAULT] = fault;
    result.at[PM_STRUCTURE_RESULT_TOKEN] = token;
    result.at[PM_STRUCTURE_RESULT_AT] = at;
    result.at[PM_STRUCTURE_RESULT_PARTNER] = partner;
    const bool is_unknown = found.at[PM_STRUCTURE_FOUND_UNKNOWN] != 0;
    if (is_unknown || found.at[PM_STRUCTURE_FOUND_LONG] != 0) {
        result.at[PM_STRUCTURE_RESULT_COUNT] = PM_STRUCTURE_NONE;
        result.at[PM_STRUCTURE_RESULT_FAULT] = is_unknown ? PM_STRUCTURE_IS_UNKNOWN : PM_STRUCTURE_IS_LONG;
    }
}
