/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a JSON text by pointers, and the members of an object one after another. */
#include <parenmatch.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "{\"ships\": [{\"name\": \"Argo\", \"oars\": 50}, {\"name\": \"Pequod\", \"sails\": [1, 2, 3]}]}";

static void print_bytes(uint64_t begin, uint64_t end) {
    printf("%.*s", (int)(end - begin), text + begin);
}

int main(void) {
    pm_json *json;
    pm_diagnostic fault;
    if (pm_json_create(NULL, text, sizeof text - 1, &fault, &json) != PM_OK)
        return 1;
    static const char *const pointers[] = {"/ships/0/name", "/ships/1/sails", "/ships/2"};
    pm_json_range found;
    for (int k = 0; k < 3; k++) {
        if (pm_json_pointer(json, pointers[k], strlen(pointers[k]), &found) != PM_OK)
            return 1;
        printf("%s: ", pointers[k]);
        if (found.begin == PM_BP_NONE)
            printf("not there");
        else
            print_bytes(found.begin, found.end);
        puts("");
    }
    if (pm_json_pointer(json, "/ships/1", 8, &found) != PM_OK)
        return 1;
    for (uint64_t key = pm_json_first(json, found.begin); key != PM_BP_NONE; key = pm_json_next(json, key)) {
        const uint64_t value = pm_json_member(json, key);
        print_bytes(key, pm_json_skip(json, key));
        printf(" at %d, its value at %d\n", (int)key, (int)value);
    }
    pm_json_destroy(json);
    return 0;
}
