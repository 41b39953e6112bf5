# SPDX-License-Identifier: Apache-2.0
# The Vulkan backend, or what stands for it in a build without: then pm_match_gpu() finds no device,
# and there is no parenmatch_vulkan.h.
target_sources(parenmatch_objects PRIVATE gpu/monoids.c gpu/pipeline_list.c)
if(PM_GPU)
    find_path(PM_VULKAN_HEADERS vulkan/vulkan_core.h)
    mark_as_advanced(PM_VULKAN_HEADERS)
    if(NOT PM_VULKAN_HEADERS)
        message(FATAL_ERROR "No vulkan/vulkan_core.h: install Vulkan's headers (Debian: libvulkan-dev), "
                            "or build without GPU: -DPM_GPU=OFF")
    endif()
    target_sources(parenmatch_objects PRIVATE
        core/vulkan_dispatch.c
        gpu/boxes.c
        gpu/boxes_kernels.c
        gpu/boxes_slices.c
        gpu/commands.c
        gpu/device.c
        gpu/devices.c
        gpu/instance.c
        gpu/kernel.c
        gpu/loader.c
        gpu/lookback.c
        gpu/matcher.c
        gpu/matcher_scan.c
        gpu/matcher_structure.c
        gpu/memory.c
        gpu/partitions.c
        gpu/monoid.c
        gpu/monoid_code.c
        gpu/nodes.c
        gpu/passage.c
        gpu/pfac.c
        gpu/pfac_dict.c
        gpu/pfac_run.c
        gpu/physical.c
        gpu/pipeline.c
        gpu/pipeline_cache.c
        gpu/pipeline_choice.c
        gpu/planned.c
        gpu/recorded.c
        gpu/resident.c
        gpu/run.c
        gpu/share.c
        gpu/share_match.c
        gpu/slots.c
        gpu/station.c
        gpu/station_boxes.c
        gpu/station_scan.c
        gpu/status.c
        gpu/structure_run.c
        gpu/tag_names.c
        gpu/tokenizer.c
        gpu/tokenizer_tables.c
        gpu/tree_scan.c
        gpu/wide.c
    )
    target_include_directories(parenmatch_objects SYSTEM PRIVATE ${PM_VULKAN_HEADERS})
else()
    target_sources(parenmatch_objects PRIVATE gpu/absent.c)
endif()
