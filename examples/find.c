/* SPDX-License-Identifier: Apache-2.0 */
/* Finds words in a line: every occurrence, and those that do not overlap. */
#include <inttypes.h>
#include <parenmatch.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    static const char text[] = "ushers and their heirs";
    static const char *const words[] = {"he", "she", "his", "hers", "heir"};
    static const char *const kinds[] = {"all", "longest", "leftmost-longest", "leftmost-first"};
    pm_dict *dict;
    pm_status status = pm_dict_create(NULL, words, NULL, sizeof words / sizeof *words, PM_DICT_IGNORE_CASE, &dict);
    for (unsigned kind = PM_FIND_ALL; status == PM_OK && kind <= PM_FIND_LEFTMOST_FIRST; kind++) {
        const pm_find_options options = {.struct_size = sizeof options, .kind = (pm_find_kind)kind};
        pm_hit hits[16];
        size_t found;
        status = pm_find_with(NULL, dict, &options, text, strlen(text), hits, 16, &found);
        printf("%s:", kinds[kind]);
        for (size_t h = 0; status == PM_OK && h < found && h < 16; h++)
            printf(" %" PRIu64 " %s", hits[h].start, words[hits[h].pattern]);
        putchar('\n');
    }
    pm_dict_destroy(dict);
    if (status != PM_OK)
        fprintf(stderr, "%s\n", pm_status_string(status));
    return status != PM_OK;
}
