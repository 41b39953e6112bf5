// SPDX-License-Identifier: Apache-2.0
// simdjson: stage 1 alone, as its parser calls it, and the parser. Both reuse their memory.
#include <simdjson.h>

#include <new>
#include <string>

#include "bench/peers/json_peers.h"

namespace {

struct Made {
    simdjson::dom::parser parser;
};

} // namespace

void *json_simdjson_create(size_t n) {
    Made *made = new (std::nothrow) Made;
    if (!made || made->parser.allocate(n) == simdjson::SUCCESS)
        return made;
    delete made;
    return nullptr;
}

bool json_simdjson_stage1(void *made, const char *text, size_t n) {
    return static_cast<Made *>(made)->parser.implementation->stage1(
               reinterpret_cast<const uint8_t *>(text), n, simdjson::stage1_mode::regular) == simdjson::SUCCESS;
}

bool json_simdjson_dom(void *made, const char *text, size_t n) {
    return static_cast<Made *>(made)->parser.parse(text, n, false).error() == simdjson::SUCCESS;
}

const char *json_simdjson_simd(void) {
    static const std::string name = simdjson::get_active_implementation()->name();
    return name.c_str();
}

void json_simdjson_destroy(void *made) {
    delete static_cast<Made *>(made);
}
