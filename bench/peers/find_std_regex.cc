// SPDX-License-Identifier: Apache-2.0
// std::regex: the patterns as alternatives of one expression, of which the first counts. It tries them one by one, each
// a call deeper than the one before, so it is not asked for more than some.
#include <iterator>
#include <regex>

#include "bench/peers/find_peers.h"

namespace {

void Quote(const char *pattern, size_t length, std::string *to) {
    static const std::string special = "^$\\.*+?()[]{}|/";
    for (size_t i = 0; i < length; i++) {
        if (special.find(pattern[i]) != std::string::npos)
            *to += '\\';
        *to += pattern[i];
    }
}

void *Create(const find_input *input, size_t) {
    std::string any;
    for (size_t i = 0; i < input->count; i++) {
        if (i > 0)
            any += '|';
        Quote(input->patterns[i], input->lengths[i], &any);
    }
    try {
        return new std::regex(any, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error &) {
        return nullptr;
    }
}

uint64_t Count(void *made, const char *text, size_t n) {
    const std::cregex_iterator first(text, text + n, *static_cast<const std::regex *>(made)), end;
    return static_cast<uint64_t>(std::distance(first, end));
}

void Destroy(void *made) {
    delete static_cast<std::regex *>(made);
}

} // namespace

const find_peer find_std_regex = {"std::regex", PM_FIND_LEFTMOST_FIRST, 1000, 1u << 16, Create, Count, Destroy};
