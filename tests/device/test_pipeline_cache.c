/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that keeps pipelines between runs: written once, read again, and never a failure, whatever it holds. Skipped
 * (77) where there is no device.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, opendir */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/device/kernel.h"
#include "tests/support/unit.h"

enum {
    SKIPPED = 77,
    MAGIC = 7, /* characters that the file begins with */
    FILE_MOST = 1 << 16
};

static pmi_device device;
static fault_allocator faults;
static char folder[] = "parenmatch_cache_XXXXXX";
static char path[sizeof folder + 16];

/* ---- A driver whose caches hold what the test wants ---- */

static size_t given_bytes; /* initial data of the cache created last */
static unsigned created;   /* caches */
static bool refuses_data;
static PFN_vkCreatePipelineCache create;

static VKAPI_ATTR VkResult VKAPI_CALL cache_created(VkDevice handle, const VkPipelineCacheCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkPipelineCache *cache) {
    given_bytes = info->initialDataSize;
    created++;
    if (refuses_data && info->initialDataSize > 0)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return create(handle, info, callbacks, cache);
}

static unsigned char held[1000]; /* in a driver's cache */
static size_t held_bytes;
static VkResult held_result;

static VKAPI_ATTR VkResult VKAPI_CALL cache_data(VkDevice handle, VkPipelineCache cache, size_t *bytes, void *data) {
    (void)handle;
    assert_true(cache != VK_NULL_HANDLE);
    if (data)
        memcpy(data, held, held_bytes);
    *bytes = held_bytes;
    return held_result;
}

/* ---- Files ---- */

static size_t file_read(unsigned char *bytes) {
    FILE *const file = fopen(path, "rb");
    if (!file)
        return 0;
    const size_t count = fread(bytes, 1, FILE_MOST, file);
    fclose(file);
    return count;
}

static void file_write(const unsigned char *bytes, size_t count) {
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static ino_t file_identity(void) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_ino : 0;
}

static size_t files_in_folder(void) {
    size_t count = 0;
    DIR *const opened = opendir(folder);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened));)
        count += entry->d_name[0] != '.';
    closedir(opened);
    return count;
}

/* Opens and closes; how many bytes of the file the driver was given. */
static size_t use_file(const char *name) {
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pmi_pipeline_cache cache;
    given_bytes = 0;
    pmi_pipeline_cache_open(&cache, &device, name, &allocator);
    const size_t bytes = given_bytes;
    assert_true(device.cache != VK_NULL_HANDLE);
    pmi_pipeline_cache_close(&cache, &device, &allocator);
    assert_true(device.cache == VK_NULL_HANDLE);
    assert_true(fault_allocator_is_settled(&faults));
    return bytes;
}

/* A driver's cache whose header it will not itself refuse, filled up. */
static int driver_set_up(void **state) {
    (void)state;
    unlink(path);
    refuses_data = false;
    held_result = VK_SUCCESS;
    held_bytes = sizeof held;
    for (size_t i = 0; i < sizeof held; i++)
        held[i] = (unsigned char)(i * 7);
    return 0;
}

TEST_AFTER(driver_set_up, test_written_and_read) {
    assert_int_equal(use_file(path), 0);
    assert_int_equal(files_in_folder(), 1);
    const ino_t first = file_identity();
    assert_int_equal(use_file(path), sizeof held);
    assert_int_equal(file_identity(), first); /* nothing new, so it has not been replaced */
    held[500] ^= 1;
    assert_int_equal(use_file(path), sizeof held);
    assert_true(file_identity() != first);
    held_bytes -= 1;
    assert_int_equal(use_file(path), sizeof held);
    assert_int_equal(use_file(path), sizeof held - 1);
    assert_int_equal(files_in_folder(), 1);
}

TEST_AFTER(driver_set_up, test_damaged) {
    static unsigned char good[FILE_MOST], bad[FILE_MOST];
    assert_int_equal(use_file(path), 0);
    const size_t count = file_read(good);
    assert_true(count > sizeof held);
    for (size_t i = 0; i < count; i += i < 80 ? 1 : 61) { /* all of the header */
        memcpy(bad, good, count);
        bad[i] ^= (unsigned char)(1 << i % 8);
        file_write(bad, count);
        assert_int_equal(use_file(path), 0);
        const bool ours = memcmp(bad, good, MAGIC) == 0;
        assert_int_equal(file_read(bad), count); /* and mended, unless it may be somebody else's */
        assert_true(ours == (memcmp(bad, good, count) == 0));
    }
    for (size_t shorter = 0; shorter < count; shorter += 7) {
        file_write(good, shorter);
        assert_int_equal(use_file(path), 0);
        assert_int_equal(file_read(bad), count);
    }
    memcpy(bad, good, count);
    file_write(bad, count + 1);
    assert_int_equal(use_file(path), 0);
    assert_int_equal(use_file(path), sizeof held);
}

/* What somebody else could have written is not read, but replaced; a link is left alone. */
TEST_AFTER(driver_set_up, test_owners) {
    char target[sizeof path + 16];
    sprintf(target, "%s.target", path);
    assert_int_equal(use_file(path), 0);
    assert_int_equal(use_file(path), sizeof held);
    for (mode_t others = S_IWOTH; others <= S_IWGRP; others *= S_IWGRP / S_IWOTH) {
        assert_int_equal(chmod(path, 0600 | others), 0);
        assert_int_equal(use_file(path), 0);
        assert_int_equal(use_file(path), sizeof held);
    }
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_int_equal(use_file(path), 0);
        assert_int_equal(use_file(path), sizeof held);
    }
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(use_file(path), 0);
    assert_int_not_equal(access(target, F_OK), 0);
    assert_int_equal(files_in_folder(), 1);
}

/* A driver's own opinion comes on top of that. */
TEST_AFTER(driver_set_up, test_driver_refuses) {
    assert_int_equal(use_file(path), 0);
    refuses_data = true;
    created = 0;
    assert_int_equal(use_file(path), 0);
    assert_int_equal(created, 2);
}

TEST_AFTER(driver_set_up, test_nothing_to_write) {
    held_bytes = 0;
    use_file(path);
    held_bytes = 10;
    held_result = VK_ERROR_OUT_OF_HOST_MEMORY;
    use_file(path);
    held_result = VK_INCOMPLETE;
    use_file(path);
    assert_int_equal(files_in_folder(), 0);
}

TEST_AFTER(driver_set_up, test_nowhere) {
    char inside[sizeof path + 16];
    sprintf(inside, "%s/none/cache", folder);
    assert_int_equal(use_file(inside), 0);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* a folder is no file, and cannot be replaced by one */
    assert_int_equal(use_file(path), 0);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(rmdir(path), 0);

    assert_int_equal(mkfifo(path, 0600), 0); /* nor is a pipe, whose writer is not waited for */
    const ino_t pipe = file_identity();
    alarm(60);
    assert_int_equal(use_file(path), 0);
    alarm(0);
    assert_int_equal(file_identity(), pipe);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(unlink(path), 0);

    const pm_allocator allocator = fault_allocator_functions(&faults);
    const char *const nothing[] = {NULL, ""};
    for (size_t k = 0; k < 2; k++) {
        pmi_pipeline_cache cache;
        pmi_pipeline_cache_open(&cache, &device, nothing[k], &allocator);
        assert_true(device.cache == VK_NULL_HANDLE);
        pmi_pipeline_cache_close(&cache, &device, &allocator);
    }
}

TEST_AFTER(driver_set_up, test_without_memory) {
    assert_int_equal(use_file(path), 0);
    held[1] ^= 1;
    for (size_t k = 1; k <= 3; k++) { /* what was read, what is to be written, the name beside */
        faults.fail_at = faults.calls + k;
        assert_int_equal(use_file(path), k == 1 ? 0 : sizeof held);
        held[1] = (unsigned char)k;
    }
    faults.fail_at = 0;
    assert_int_equal(files_in_folder(), 1);
}

/* By way of the public header: the path is copied, matches stay right, and the file is there in the end. */
TEST_AFTER(driver_set_up, test_option) {
    for (int round = 0; round < 2; round++) {
        char copied[sizeof path];
        fault_allocator own = {0};
        strcpy(copied, path);
        const pm_options options = {.struct_size = sizeof options,
                                    .allocator = fault_allocator_functions(&own),
                                    .allow_cpu_device = true,
                                    .pipeline_cache = copied};
        pm_context *context;
        own.fail_at = 2;
        assert_int_equal(pm_context_create(&options, &context), PM_OUT_OF_MEMORY);
        assert_true(fault_allocator_is_settled(&own));
        own.fail_at = 0;
        assert_ok(pm_context_create(&options, &context));
        memset(copied, 'x', sizeof copied - 1);
        const uint64_t parens = 0x35;
        uint32_t match[7];
        assert_ok(pm_match_gpu(context, &parens, 7, match, NULL));
        assert_ok(pm_match_verify(NULL, &parens, 7, match, NULL));
        context_close(context, &own);
        assert_true(file_identity() != 0);
        assert_int_equal(files_in_folder(), 1);
    }
}

int main(void) {
    const pmi_gpu_settings settings = {.allow_cpu_device = true};
    const pm_status status = pmi_device_open(&settings, &device);
    if (status == PM_NO_DEVICE) {
        printf("skipped: no Vulkan device here\n");
        return SKIPPED;
    }
    if (status != PM_OK || !mkdtemp(folder)) {
        fprintf(stderr, "cannot open the device, or make a folder\n");
        return 1;
    }
    sprintf(path, "%s/cache", folder);
    create = device.instance.vk.CreatePipelineCache;
    device.instance.vk.CreatePipelineCache = cache_created;
    device.instance.vk.GetPipelineCacheData = cache_data;
    const int failures = tests_run();
    pmi_device_close(&device);
    unlink(path);
    rmdir(folder);
    return failures;
}
