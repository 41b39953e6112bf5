/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What shaders here begin with: types of buffers, which are pushed as addresses, and the block they are pushed in.
 *
 *   readonly PM_BUFFER(pm_words, uint, 4);  a type of buffers: uint at[], at a multiple of 4 bytes
 *   PM_PUSHED(PM_LEVELS_PARAMETERS);          the parameters of such a list, which C reads too (shaders/shared/parameters.h)
 */
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

#define PM_BUFFER(name, element, bytes)                                                                                \
    layout(buffer_reference, std430, buffer_reference_align = bytes) buffer name {                                     \
        element at[];                                                                                                  \
    }

#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
#define PM_PUSHED(PARAMETERS)                                                                                          \
    layout(push_constant, std430) uniform pm_parameters {                                                              \
        PARAMETERS(PM_ADDRESS, PM_UINT)                                                                                \
    }
