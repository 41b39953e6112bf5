// SPDX-License-Identifier: Apache-2.0
// RE2: the patterns as alternatives of one expression, of which the longest counts.
#include <re2/re2.h>

#include "bench/peers/find_peers.h"

namespace {

void *Create(const find_input *input, size_t) {
    std::string any;
    for (size_t i = 0; i < input->count; i++) {
        if (i > 0)
            any += '|';
        any += re2::RE2::QuoteMeta(re2::StringPiece(input->patterns[i], input->lengths[i]));
    }
    re2::RE2::Options options;
    options.set_encoding(re2::RE2::Options::EncodingLatin1); // bytes
    options.set_longest_match(true);
    options.set_log_errors(false);
    options.set_max_mem(INT64_C(1) << 30); // of its automata, made while it searches
    re2::RE2 *made = new re2::RE2(any, options);
    if (made->ok())
        return made;
    delete made;
    return nullptr;
}

uint64_t Count(void *made, const char *text, size_t n) {
    const re2::RE2 &any = *static_cast<const re2::RE2 *>(made);
    const re2::StringPiece all(text, n);
    uint64_t found = 0;
    re2::StringPiece hit;
    for (size_t at = 0; any.Match(all, at, n, re2::RE2::UNANCHORED, &hit, 1); found++)
        at = static_cast<size_t>(hit.data() + hit.size() - text);
    return found;
}

void Destroy(void *made) {
    delete static_cast<re2::RE2 *>(made);
}

} // namespace

const find_peer find_re2 = {"re2", PM_FIND_LEFTMOST_LONGEST, 0, 0, Create, Count, Destroy};
