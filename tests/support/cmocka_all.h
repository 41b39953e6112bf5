/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka and the headers that it wants before it. */
#ifndef PM_TESTS_SUPPORT_CMOCKA_ALL_H
#define PM_TESTS_SUPPORT_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
