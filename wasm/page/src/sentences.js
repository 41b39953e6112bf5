// SPDX-License-Identifier: Apache-2.0
// Faults and repairs in English.

const at = ({ line, column }) => `line ${line}, column ${column}`;
const quoted = ({ character }) => (character ? `'${character}'` : "this");

export function sentenceOf(fault) {
    switch (fault.fault) {
        case "unmatched close":
            return `${at(fault)}: ${quoted(fault)} closes nothing`;
        case "unmatched open":
            return `${at(fault)}: ${quoted(fault)} is never closed`;
        case "kind mismatch":
            return `${at(fault)}: ${quoted(fault)} closes the ${quoted(fault.partner)} of ${at(fault.partner)}`;
        default:
            return `${at(fault)}: what begins here never ends`;
    }
}

export function sentenceOfRepair(repair) {
    const likely = repair.certain ? "Probably" : "Perhaps";
    switch (repair.kind) {
        case "insert":
            return `${likely} '${repair.character}' is missing before ${at(repair)}`;
        case "remove":
            return `${likely} '${repair.character}' of ${at(repair)} is one too many`;
        default:
            return `${likely} ${at(repair)} should be '${repair.character}'`;
    }
}
