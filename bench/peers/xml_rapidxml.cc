// SPDX-License-Identifier: Apache-2.0
// RapidXML: a tree in place, of a copy that ends with a zero; values as they are, and names of closing tags compared.
#include <rapidxml/rapidxml.hpp>

#include <new>
#include <vector>

#include "bench/peers/xml_peers.h"

bool xml_rapidxml_takes(const char *text, size_t n) {
    using namespace rapidxml;
    try {
        std::vector<char> copy;
        copy.reserve(n + 1);
        copy.assign(text, text + n);
        copy.push_back('\0');
        xml_document<> document;
        document.parse<parse_fastest | parse_validate_closing_tags>(copy.data());
        return true;
    } catch (const parse_error &) {
        return false;
    } catch (const std::bad_alloc &) {
        return false;
    }
}
