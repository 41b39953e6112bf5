/* SPDX-License-Identifier: Apache-2.0 */
/* expat, with no handler set. */
#include <expat.h>
#include <limits.h>

#include "bench/peers/xml_peers.h"

bool xml_expat_takes(const char *text, size_t n) {
    const XML_Parser parser = XML_ParserCreate(NULL);
    const bool takes = parser && n <= INT_MAX && XML_Parse(parser, text, (int)n, XML_TRUE) == XML_STATUS_OK;
    XML_ParserFree(parser);
    return takes;
}
