/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/unit.h"

int main(void) {
    return tests_run();
}
