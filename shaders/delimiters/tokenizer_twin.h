/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of a text's structure in C, for tests: each does what the shader of that name does to the same buffers,
 * whose addresses are the host's. Where a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_DELIMITERS_TOKENIZER_TWIN_H
#define PM_SHADERS_DELIMITERS_TOKENIZER_TWIN_H

#include <stdbool.h>

#include "shaders/shared/parameters.h"

/* For all tiles. */
void pmi_structure_letters_twin(const pmi_structure_letters_parameters *parameters);
/* For all groups; `states` is what the kernels are made for, `late` whether tokens are told late. */
void pmi_structure_reduce_twin(const pmi_structure_parameters *parameters, uint32_t states);
void pmi_structure_scan_twin(const pmi_structure_parameters *parameters, uint32_t states);
void pmi_structure_mark_twin(const pmi_structure_parameters *parameters, uint32_t states, bool late);
void pmi_structure_count_twin(const pmi_structure_parameters *parameters);
void pmi_structure_clear_twin(const pmi_structure_parameters *parameters);
void pmi_structure_write_twin(const pmi_structure_parameters *parameters, bool late);
/* For so many tokens; slots need not be those of a device, where who comes first is by chance. */
void pmi_structure_name_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_enter_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_first_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_rank_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_number_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_kind_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
/* For all tokens that there is room for. */
void pmi_structure_check_twin(const pmi_structure_parameters *parameters);
void pmi_structure_tell_twin(const pmi_structure_parameters *parameters);

#endif
