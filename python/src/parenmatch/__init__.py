# SPDX-License-Identifier: Apache-2.0
"""parenmatch: matches parentheses; trees, boxes, checks of text, and search. docs/guide/python.md is the guide."""
from ._core import (BLEND, BP, BP_NONE, CLIP, END, LEAF, NONE, CheckState, Checker, Dictionary, Document, Edit, Json,
                    Language, Stream, boxes, brackets, check, depth, find, first_child, languages, library_version,
                    match, match_batch, match_keys, match_masks, next_sibling, pack, parens_from_depth,
                    parens_from_parent, parent, partner, position, prev_sibling, subtree_size, tree_reduce_up,
                    tree_scan_down)
from ._results import (Brackets, Error, Fault, FaultKind, Inside, JsonKind, Open, OpenBracket, Place, Repair,
                       RepairKind, Report, Status, Summary, Total)

__all__ = [
    "BLEND", "BP", "BP_NONE", "Brackets", "CLIP", "CheckState", "Checker", "Dictionary", "Document", "END", "Edit",
    "Error", "Fault", "FaultKind", "Inside", "Json", "JsonKind", "LEAF", "Language", "NONE", "Open", "OpenBracket",
    "Place", "Repair", "RepairKind", "Report", "Status", "Stream", "Summary", "Total", "boxes", "brackets", "check", "depth", "find",
    "first_child", "languages", "library_version", "match", "match_batch", "match_keys", "match_masks", "next_sibling",
    "pack", "parens_from_depth", "parens_from_parent", "parent", "partner", "position", "prev_sibling", "subtree_size",
    "tree_reduce_up", "tree_scan_down",
]
__version__ = library_version
