/* SPDX-License-Identifier: Apache-2.0 */
/* libxml2, which makes no tree, and calls nothing. */
#include <libxml/parser.h>
#include <limits.h>

#include "bench/peers/xml_peers.h"

bool xml_libxml2_takes(const char *text, size_t n) {
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC};
    return n <= INT_MAX && xmlSAXUserParseMemory(&handler, NULL, text, (int)n) == 0;
}
