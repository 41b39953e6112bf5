/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that take one byte after another. */
#ifndef PM_CPU_FIND_AUTOMATON_H
#define PM_CPU_FIND_AUTOMATON_H

#include "base/find_engine.h"

extern const pmi_find_engine pmi_find_automaton; /* the oracle of the others */
extern const pmi_find_engine pmi_find_interleaved;
extern const pmi_find_engine pmi_find_trie; /* PFAC */

#endif
