/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned values, names and texts of statuses; the version. */
#include <stdio.h>
#include <string.h>

#include "parenmatch.h"
#include "tests/support/unit.h"

TEST(test_statuses_are_pinned) {
    static const struct {
        pm_status status;
        int value;
        const char *name;
    } pinned[] = {
        {PM_OK, 0, "PM_OK"},
        {PM_INVALID_ARGUMENT, 1, "PM_INVALID_ARGUMENT"},
        {PM_OUT_OF_MEMORY, 2, "PM_OUT_OF_MEMORY"},
        {PM_TOO_LARGE, 3, "PM_TOO_LARGE"},
        {PM_UNSUPPORTED, 4, "PM_UNSUPPORTED"},
        {PM_NO_DEVICE, 5, "PM_NO_DEVICE"},
        {PM_DEVICE_LOST, 6, "PM_DEVICE_LOST"},
        {PM_IO, 7, "PM_IO"},
        {PM_CORRUPT, 8, "PM_CORRUPT"},
    };
    const size_t count = COUNT_OF(pinned);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pinned[i].status, pinned[i].value);
        assert_string_equal(pm_status_name(pinned[i].status), pinned[i].name);
        assert_string_not_equal(pm_status_string(pinned[i].status), pm_status_string((pm_status)count));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(pm_status_string(pinned[i].status), pm_status_string(pinned[j].status));
    }
    assert_string_equal(pm_status_name((pm_status)count), "PM_UNKNOWN");
    assert_string_equal(pm_status_string((pm_status)count), "unknown status");
    assert_string_equal(pm_status_name((pm_status)INT32_MAX), "PM_UNKNOWN");
}

TEST(test_version_is_the_headers) {
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", PM_VERSION_MAJOR, PM_VERSION_MINOR, PM_VERSION_PATCH);
    const size_t length = strlen(numbers);
    assert_int_equal(strncmp(PM_VERSION_STRING, numbers, length), 0);
    assert_true(strchr("-", PM_VERSION_STRING[length]) != NULL); /* the end, or what stands behind them: -rc1 */
    assert_string_equal(pm_version_string(), PM_VERSION_STRING);
}
