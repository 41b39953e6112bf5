/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders in C, for tests: each does what the shader of that name does to the same buffers, one element after the
 * other; addresses are the host's. If a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_TWINS_H
#define PM_SHADERS_TWINS_H

#include "parenmatch.h"
#include "shaders/shared/parameters.h"

/* ---- levels ---- */

/* For superblocks first ... first + count - 1. */
void pmi_levels_reduce_twin(const pmi_levels_parameters *parameters);
void pmi_levels_scan_twin(const pmi_levels_parameters *parameters);
/* For tiles first ... first + count - 1. */
void pmi_levels_match_twin(const pmi_levels_parameters *parameters);
/* For entries first ... first + count - 1. */
void pmi_levels_stack_twin(const pmi_levels_parameters *parameters);

/* ---- simple, work-efficient and direct: all partitions, of `elements` each ---- */

void pmi_partition_reduce_twin(const pmi_partition_parameters *parameters, uint32_t elements);
void pmi_partition_match_twin(const pmi_partition_parameters *parameters, uint32_t elements);

/* ---- lookback: all partitions, of `elements` each, without stalls ---- */

void pmi_lookback_clear_twin(const pmi_lookback_parameters *parameters);
void pmi_lookback_match_twin(const pmi_lookback_parameters *parameters, uint32_t elements);

/* ---- Boxes of short scenes: all slices, of `slice` elements each ---- */

void pmi_boxes_slices_reduce_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_match_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_fix_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_blends_reduce_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_blends_match_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);

/* ---- Numbering nodes: all blocks; match begins with the first element's ---- */

void pmi_nodes_count_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_scan_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_rank_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_link_twin(const pmi_nodes_parameters *parameters);

/* ---- parenmatch/monoid.glsl ---- */

/* A stage, PM_MONOID_..., of all tiles, of `tile_nodes` each. */
void pmi_monoid_twin(const pmi_monoid_parameters *parameters, const pm_monoid *monoid, uint32_t tile_nodes,
                     uint32_t stage);

/* ---- PFAC ---- */

/* For all groups. Bits of tiles without hits are not written. */
void pmi_pfac_search_twin(const pmi_pfac_parameters *parameters);
void pmi_pfac_scan_twin(const pmi_pfac_parameters *parameters);
void pmi_pfac_write_twin(const pmi_pfac_parameters *parameters);

/* ---- Delimiters of a text ---- */

/* For all tiles. */
void pmi_structure_letters_twin(const pmi_structure_letters_parameters *parameters);
/* For all groups, with the states of the kernels, and whether tokens are late. */
void pmi_structure_reduce_twin(const pmi_structure_parameters *parameters, uint32_t states);
void pmi_structure_scan_twin(const pmi_structure_parameters *parameters, uint32_t states);
void pmi_structure_mark_twin(const pmi_structure_parameters *parameters, uint32_t states, bool late);
void pmi_structure_count_twin(const pmi_structure_parameters *parameters);
void pmi_structure_clear_twin(const pmi_structure_parameters *parameters);
void pmi_structure_write_twin(const pmi_structure_parameters *parameters, bool late);
/* For `tokens` tokens. Slots may differ from a device's, where chance decides which comes first. */
void pmi_structure_name_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_enter_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_first_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_rank_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_number_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
void pmi_structure_kind_twin(const pmi_structure_names_parameters *parameters, uint32_t tokens);
/* For all tokens up to the capacity. */
void pmi_structure_check_twin(const pmi_structure_parameters *parameters);
void pmi_structure_tell_twin(const pmi_structure_parameters *parameters);

#endif
