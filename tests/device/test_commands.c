/* SPDX-License-Identifier: Apache-2.0 */
/* How long a device is waited for. The device is made up: it says what the test wants, and time passes as fast. */
#include "gpu/device/commands.h"
#include "tests/support/unit.h"

static const uint64_t second_ns = UINT64_C(1000000000);

static unsigned waits, waits_wanted; /* VK_TIMEOUT as often, then: */
static VkResult last;
static uint64_t waited_ns, longest_ns;

static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count, const VkFence *fences,
                                                      VkBool32 all, uint64_t timeout) {
    (void)device;
    (void)fences;
    (void)all;
    assert_int_equal(count, 1);
    waited_ns += timeout;
    if (timeout > longest_ns)
        longest_ns = timeout;
    return waits++ < waits_wanted ? VK_TIMEOUT : last;
}

static VkResult wait_after(unsigned timeouts, VkResult result) {
    static const pmi_vk vk = {.WaitForFences = wait_for_fences};
    const pmi_device device = {.vk = &vk};
    waits = 0;
    waits_wanted = timeouts;
    last = result;
    waited_ns = longest_ns = 0;
    return pmi_commands_wait(&device, VK_NULL_HANDLE);
}

TEST(test_what_is_done_is_not_waited_for) {
    assert_int_equal(wait_after(0, VK_SUCCESS), VK_SUCCESS);
    assert_int_equal(waits, 1);
    assert_int_equal(wait_after(0, VK_ERROR_DEVICE_LOST), VK_ERROR_DEVICE_LOST);
    assert_int_equal(waits, 1);
}

/* Time for which the process was stopped has passed when it goes on, and a device that was at work is done by then:
 * nobody has waited, however late it is. */
TEST(test_a_process_that_was_stopped) {
    for (unsigned stops = 1; stops < 5; stops++) {
        assert_int_equal(wait_after(stops, VK_SUCCESS), VK_SUCCESS);
        assert_int_equal(waits, stops + 1);
        assert_true(longest_ns <= second_ns);
    }
    assert_int_equal(wait_after(3, VK_ERROR_DEVICE_LOST), VK_ERROR_DEVICE_LOST);
}

TEST(test_a_device_that_hangs) {
    assert_int_equal(wait_after(UINT32_MAX, VK_SUCCESS), VK_TIMEOUT);
    assert_true(waited_ns == 60 * second_ns);
    assert_int_equal(pmi_vk_status(VK_TIMEOUT), PM_DEVICE_LOST);
}
