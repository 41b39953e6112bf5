/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be known of XML without reading it. */
#include <string.h>
#include <strings.h>

#include "cli/xml_tree.h"

bool xml_by_path(const char *path) {
    static const char *const endings[] = {".atom", ".gpx",   ".kml", ".rdf", ".rss", ".svg",
                                          ".wsdl", ".xhtml", ".xml", ".xsd", ".xsl", ".xslt"};
    const char *const ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending, endings[i]) == 0)
            return true;
    return false;
}

size_t xml_name_length(const char *text, size_t length, size_t begin) {
    size_t end = begin + 1;
    while (end < length && text[end] != '\0' && !strchr(" \t\r\n/>", text[end]))
        end++;
    return end - begin - 1;
}
