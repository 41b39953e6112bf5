/* SPDX-License-Identifier: Apache-2.0 */
/* Creates an instance; passes on messages of the validation layer. */
#include "gpu/device/device.h"

#include <stdatomic.h>
#include <string.h>

#include "gpu/device/vulkan.h"

static const char *const validation_layer = "VK_LAYER_KHRONOS_validation";

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity, (void)types;
    const pmi_instance *const instance = user;
    instance->message(data->pMessage, instance->message_user);
    return VK_FALSE;
}

/* Is the layer installed? A list that is too long for `layers` counts as no. */
static bool has_validation_layer(const pmi_vk *vk) {
    VkLayerProperties layers[64];
    uint32_t count = sizeof layers / sizeof *layers;
    if (vk->EnumerateInstanceLayerProperties(&count, layers) != VK_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, validation_layer) == 0)
            return true;
    return false;
}

static VkDebugUtilsMessengerCreateInfoEXT messages_of(pmi_instance *instance) {
    return (VkDebugUtilsMessengerCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                                   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                .pfnUserCallback = hear,
                                                .pUserData = instance};
}

static VkResult create(pmi_instance *instance, bool validate) {
    /* The version used at most; a device of 1.2 is enough. */
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "parenmatch",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkDebugUtilsMessengerCreateInfoEXT messages = messages_of(instance);
    const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .pNext = &messages, /* of creating and destroying the instance itself */
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = &synchronization};
    const char *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = validate ? &features : NULL,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = validate,
                                       .ppEnabledLayerNames = &validation_layer,
                                       .enabledExtensionCount = validate,
                                       .ppEnabledExtensionNames = &extension};
    return pmi_vk_created(instance->vk.CreateInstance(&info, NULL, &instance->handle), &instance->handle,
                          sizeof instance->handle);
}

static VkResult listen(pmi_instance *instance) {
    const VkDebugUtilsMessengerCreateInfoEXT messages = messages_of(instance);
    const PFN_vkCreateDebugUtilsMessengerEXT create_messenger =
        (PFN_vkCreateDebugUtilsMessengerEXT)instance->vk.GetInstanceProcAddr(instance->handle,
                                                                             "vkCreateDebugUtilsMessengerEXT");
    return create_messenger ? pmi_vk_created(create_messenger(instance->handle, &messages, NULL, &instance->messenger),
                                             &instance->messenger, sizeof instance->messenger)
                            : VK_ERROR_EXTENSION_NOT_PRESENT;
}

pm_status pmi_instance_open(const pmi_gpu_settings *settings, pmi_instance *instance) {
    *instance = (pmi_instance){
        .message = settings->message, .message_user = settings->message_user, .keepable = !settings->loader};
    const char *const loader = settings->loader ? settings->loader : PM_VK_LOADER;
    pm_status status = pmi_loader_open(loader, &instance->vk, &instance->library);
    if (status != PM_OK)
        return status;
    const bool validate = settings->message && has_validation_layer(&instance->vk);
    status = pmi_vk_status(create(instance, validate));
    if (status == PM_OK)
        status = pmi_loader_instance(&instance->vk, instance->handle);
    if (status == PM_OK && validate)
        status = pmi_vk_status(listen(instance));
    if (status != PM_OK)
        pmi_instance_close(instance);
    return status;
}

/*
 * The driver is unloaded with the last instance, and some drivers cannot be loaded often: NVIDIA's 580 takes
 * thread-local memory each time, which glibc does not free, and loading fails the 31st time. So a process keeps its
 * second instance until it ends.
 */
static bool keep(const pmi_instance *instance) {
    static atomic_uint closed;
    static _Atomic(VkInstance) kept; /* for leak checkers */
    if (!instance->handle || !instance->keepable || instance->messenger || atomic_fetch_add(&closed, 1) != 1)
        return false;
    atomic_store(&kept, instance->handle);
    return true;
}

void pmi_instance_close(pmi_instance *instance) {
    const pmi_vk *const vk = &instance->vk;
    if (keep(instance)) {
        *instance = (pmi_instance){0};
        return;
    }
    if (instance->messenger) {
        const PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger =
            (PFN_vkDestroyDebugUtilsMessengerEXT)vk->GetInstanceProcAddr(instance->handle,
                                                                         "vkDestroyDebugUtilsMessengerEXT");
        destroy_messenger(instance->handle, instance->messenger, NULL);
    }
    if (instance->handle && vk->DestroyInstance)
        vk->DestroyInstance(instance->handle, NULL);
    pmi_loader_close(instance->library);
    *instance = (pmi_instance){0};
}
