/* SPDX-License-Identifier: Apache-2.0 */
/* What the states of a search are charged for a text as it stands: for indentation, and for what does not fit the
 * brackets around it. */
#ifndef PM_CORE_REPAIR_CHARGES_H
#define PM_CORE_REPAIR_CHARGES_H

#include "core/repair/beam.h"
#include "core/repair/places.h"

/* Charges every state for the line that a token begins. */
void pmi_charge_line(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t);

/* Charges every state for a token that is no bracket. */
void pmi_charge_token(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t);

/* Charges every state for a token by the frame around it, unless a bracket was put right before the token. */
void pmi_charge_frames(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t);

/* Charges a state for what follows the bracket that it closed last: token `next`, or, if that is NULL, a bracket. */
void pmi_charge_closed(const pmi_repair_text *text, pmi_state *state, const pmi_code_token *next, unsigned form,
                       unsigned spacing);

/* Charges a state for a bracket put between two tokens. */
void pmi_charge_place(const pmi_repair_text *text, pmi_state *state, const pmi_place *place);

/* Returns what it costs that a close stands where it does. */
double pmi_cost_of_close(const pmi_repair_text *text, const pmi_open *open, bool begins_line, uint32_t indent,
                         bool same_line);

/* Returns what a token costs; `gain`: the logarithm of how much likelier its frame makes it. */
double pmi_cost_in_frame(double gain);

/* Returns what it costs that a token follows a word such as `if` without a parenthesis. */
double pmi_cost_without_paren(const pmi_code_token *word, const pmi_code_token *next);

/* Returns what the number of arguments costs, when the top is closed behind a token. */
double pmi_cost_of_arguments(const pmi_repair_text *text, const pmi_state *state, const pmi_code_token *last);

/* Is an open in the line of a later byte? */
bool pmi_in_line(const pmi_repair_text *text, const pmi_open *open, uint32_t at);

#endif
