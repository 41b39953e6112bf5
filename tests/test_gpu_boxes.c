/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes of scenes on whatever Vulkan device there is, stage by stage and as a whole, under the validation layer where
 * that is installed. Skipped (77) where there is no device. test_gpu_boxes [TEAMS [PATTERN]]   as test_gpu
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parenmatch.h"
#include "tests/allocate.h"
#include "tests/box_stages.h"
#include "tests/cmocka_all.h"
#include "tests/families.h"
#include "tests/scenes.h"

enum {
    SKIPPED = 77,
    SMALL_BLOCK = 32 /* tiles, so that short scenes have several blocks */
};

static size_t messages; /* of the validation layer */

static void hear(const char *text, void *user) {
    (void)user;
    messages++;
    print_error("validation: %s\n", text);
}

static pm_gpu_settings settings = {.allow_cpu_device = true, .message = hear};
static gpu_stages host, host_of_blocks; /* the latter with small blocks, and dispatches that do little */
static box_stages stages, stages_of_blocks;

typedef struct scene {
    uint8_t *kinds;
    pm_box *boxes;
    uint32_t n;
} scene;

static scene scene_make(uint32_t n) {
    return (scene){allocate(n, 1), allocate(n, sizeof(pm_box)), n};
}

static void scene_free(scene *s) {
    free(s->kinds);
    free(s->boxes);
}

static scene scene_named(const char *name, uint64_t seed, uint32_t n) {
    const scene s = scene_make(n);
    assert_true(scene_fill(name, seed, n, s.kinds, s.boxes));
    return s;
}

static void check_stages(const scene *s, const char *what) {
    box_stages_check(&stages, s->kinds, s->boxes, s->n, what);
    box_stages_check(&stages_of_blocks, s->kinds, s->boxes, s->n, what);
}

static void check_results(const scene *s, const char *what) {
    box_stages_check_results(&stages, s->kinds, s->boxes, s->n, what);
    box_stages_check_results(&stages_of_blocks, s->kinds, s->boxes, s->n, what);
}

static void test_scenes_and_their_twins(void **state) {
    (void)state;
    static const uint32_t sizes[] = {9, PM_BOXES_TILE + 1, 5 * PM_BOXES_TILE - 7, SMALL_BLOCK * PM_BOXES_TILE + 1,
                                     2 * SMALL_BLOCK * PM_BOXES_TILE + 1234};
    for (const char *const *name = scene_names; *name; name++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            scene named = scene_named(*name, s, sizes[s]);
            check_stages(&named, *name);
            scene_free(&named);
        }
}

int main(int argc, char **argv) {
    const char *const teams = argc > 1 ? argv[1] : "any";
    settings.team_kind = strcmp(teams, "subgroup") == 0    ? PM_TEAM_SUBGROUP
                         : strcmp(teams, "workgroup") == 0 ? PM_TEAM_WORKGROUP
                                                           : PM_TEAM_ANY;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const pm_status status = gpu_stages_open(&settings, &host);
    if (status == PM_NO_DEVICE) {
        printf("skipped: no Vulkan device here, or none for teams of the kind \"%s\"\n", teams);
        return SKIPPED;
    }
    if (status != PM_OK) {
        fprintf(stderr, "cannot open the device: %s\n", pm_status_string(status));
        return 1;
    }
    settings.block_tiles = SMALL_BLOCK;
    settings.dispatch_tiles = 5;
    assert_int_equal(gpu_stages_open(&settings, &host_of_blocks), PM_OK);
    box_stages_open(&host, &stages);
    box_stages_open(&host_of_blocks, &stages_of_blocks);
    printf("on %s, teams are %ss\n", host.device.name,
           host.device.can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes_and_their_twins),
    };
    (void)check_results;
    const int failures = cmocka_run_group_tests_name("gpu_boxes", tests, NULL, NULL);
    box_stages_close(&stages_of_blocks);
    box_stages_close(&stages);
    gpu_stages_close(&host_of_blocks);
    gpu_stages_close(&host);
    if (messages > 0)
        print_error("%zu messages of the validation layer\n", messages);
    return messages == 0 && failures == 0 ? 0 : 1;
}
