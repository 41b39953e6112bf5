/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that the scripts which draw tables pass over. */
#include "bench/gpu/table.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "parenmatch.h"

void gpu_table_begin(int argc, char *const *argv, const pmi_device *device) {
    const char *const slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const time_t now = time(NULL);
    const struct tm *const utc = gmtime(&now);
    char date[32] = "";
    printf("#");
    for (int a = 0; a < argc; a++)
        printf(" %s", a == 0 && slash ? slash + 1 : argv[a]);
    if (utc)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", utc);
    printf("\n# %s, version %s\n", date, pm_version_string());
    if (device)
        printf("# %s, queue family %u, teams are %ss\n", device->name, device->queue_family,
               device->can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
}
