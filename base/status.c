/* SPDX-License-Identifier: Apache-2.0 */
/* Names and texts of statuses, and the library's version. */
#include "parenmatch.h"

const char *pm_version_string(void) {
    return PM_VERSION_STRING;
}

const char *pm_status_name(pm_status status) {
    switch (status) {
#define PM_STATUS_NAME(name, value, text)                                                                              \
    case PM_##name:                                                                                                    \
        return "PM_" #name;
        PM_STATUS_MAP(PM_STATUS_NAME)
#undef PM_STATUS_NAME
    }
    return "PM_UNKNOWN";
}

const char *pm_status_string(pm_status status) {
    switch (status) {
#define PM_STATUS_TEXT(name, value, text)                                                                              \
    case PM_##name:                                                                                                    \
        return text;
        PM_STATUS_MAP(PM_STATUS_TEXT)
#undef PM_STATUS_TEXT
    }
    return "unknown status";
}
