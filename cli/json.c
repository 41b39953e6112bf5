/* SPDX-License-Identifier: Apache-2.0 */
/* JSON strings, by RFC 8259, section 7. */
#include "cli/json.h"

#include <stdio.h>

#include "cli/utf8.h"

void json_print_string(const char *bytes, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length;) {
        const size_t size = utf8_character(bytes + i, length - i);
        if (size == 0)
            fputs(UTF8_REPLACEMENT, stdout);
        else if (bytes[i] == '"' || bytes[i] == '\\')
            printf("\\%c", bytes[i]);
        else if ((unsigned char)bytes[i] < 0x20)
            printf("\\u%04x", (unsigned)bytes[i]);
        else
            fwrite(bytes + i, 1, size, stdout);
        i += size ? size : 1;
    }
    putchar('"');
}
