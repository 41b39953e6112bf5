/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of a language say of the names of its tags, by name: a hash table of the names that rules list. */
#ifndef PM_CORE_DELIMITERS_TAGS_NAME_FACTS_H
#define PM_CORE_DELIMITERS_TAGS_NAME_FACTS_H

#include "core/delimiters/delimiters.h"

/* Lists of a family that a name is in. */
#define PM_NAMED_OPENS (1u << 0) /* names */
#define PM_NAMED_RAW (1u << 1)
#define PM_NAMED_NOTHING (1u << 2) /* empty_names, optional_names */
#define PM_NAMED_ASSIGNED (1u << 3)
#define PM_NAMED_QUOTED (1u << 4)

typedef struct pmi_name_fact {
    pmi_rule_word word; /* of length 0: no name is here */
    uint32_t family;
    uint32_t implied; /* the last line of the family that says where its close may be left out; PM_NONE: nowhere */
    unsigned lists;   /* PM_NAMED_* */
    uint64_t ends;    /* lines, a bit each, that have it among what comes behind such a close */
} pmi_name_fact;

/* Notes what the rules say, in pairs->facts. False: there is no memory. */
bool pmi_name_facts_make(struct pmi_delimiters *pairs);

/* What they say of a name of length > 0; NULL: nothing. */
const pmi_name_fact *pmi_name_facts_find(const struct pmi_delimiters *pairs, uint32_t family, const unsigned char *name,
                                         size_t length);

#endif
