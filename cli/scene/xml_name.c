/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be known of XML without reading it. */
#include <string.h>

#include "cli/scene/xml_tree.h"

size_t xml_name_length(const char *text, size_t length, size_t begin) {
    size_t end = begin + 1;
    while (end < length && text[end] != '\0' && !strchr(" \t\r\n/>", text[end]))
        end++;
    return end - begin - 1;
}
