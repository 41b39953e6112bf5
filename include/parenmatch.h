/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch: for every parenthesis of a sequence, the index on top of the stack there. A close gets its matching open,
 * an open gets its parent.
 *
 * This header includes all subjects. They need only C11 or C++11, and each can be included alone:
 *   base.h     version, status, context and options, and the conventions that hold everywhere
 *   match.h    the match of a whole sequence, and of one word
 *   batch.h    many sequences in one call, and sequences distinguished by a key
 *   stream.h   sequences in chunks and in slices
 *   bp.h       single queries on a long sequence (succinct trees); bp_view.h, included by hand, has them inline
 *   edit.h     the same queries on a sequence that changes
 *   forest.h   depth, parent and sibling vectors, and sequences from them
 *   boxes.h    bounding boxes of scenes with clips and blends
 *   monoid.h   scans and reductions of any monoid on a tree
 *   gpu.h      matching on a GPU, and sequences that stay there
 *   find.h     search for many patterns
 *   text.h     brackets of source code, delimiters of any language
 *   open.h     what a text leaves open so far, its completion, saved states
 *   json.h     the structure of JSON texts: skipping values, JSON Pointers
 *   document.h the brackets of a text that changes
 *   repair.h   the likely place of a missing bracket
 * parenmatch_vulkan.h records into Vulkan command buffers of yours; parenmatch_mpi.h works across processes.
 *
 * Stability: stable and experimental, as each header says; CONTRIBUTING.md says what that means.
 */
#ifndef PARENMATCH_H
#define PARENMATCH_H

#include "parenmatch/base.h"
#include "parenmatch/batch.h"
#include "parenmatch/boxes.h"
#include "parenmatch/bp.h"
#include "parenmatch/document.h"
#include "parenmatch/edit.h"
#include "parenmatch/find.h"
#include "parenmatch/forest.h"
#include "parenmatch/gpu.h"
#include "parenmatch/json.h"
#include "parenmatch/match.h"
#include "parenmatch/monoid.h"
#include "parenmatch/open.h"
#include "parenmatch/repair.h"
#include "parenmatch/stream.h"
#include "parenmatch/text.h"

#endif /* PARENMATCH_H */
