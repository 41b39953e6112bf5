/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that take one byte after another. */
#ifndef PM_CPU_FIND_AUTOMATON_H
#define PM_CPU_FIND_AUTOMATON_H

#include "core/find_engine.h"

extern const pm_find_engine pm_find_automaton; /* the oracle of the others */
extern const pm_find_engine pm_find_interleaved;
extern const pm_find_engine pm_find_trie; /* PFAC */

#endif
