// SPDX-License-Identifier: Apache-2.0
// pugixml: a copy of the text and a tree of its elements, attributes and texts, entities and line ends as they are.
#include <pugixml.hpp>

#include "bench/peers/xml_peers.h"

bool xml_pugixml_takes(const char *text, size_t n) {
    pugi::xml_document document;
    return document.load_buffer(text, n, pugi::parse_minimal, pugi::encoding_utf8);
}
