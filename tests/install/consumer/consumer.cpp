/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program in C++11: streams "(())", and prints the header's version and the library's. */
#include <parenmatch.h>

#include <iostream>
#include <vector>

int main() {
    const std::vector<std::uint64_t> parens = {3};
    std::vector<std::uint64_t> match(4);
    pm_context *context = nullptr;
    pm_options options = {};
    options.struct_size = sizeof options;
    pm_stream *stream = nullptr;
    pm_bic total = {};
    bool fine = pm_context_create(&options, &context) == PM_OK && pm_stream_create(context, &stream) == PM_OK &&
                pm_stream_push(stream, parens.data(), match.size(), match.data()) == PM_OK &&
                pm_stream_finish(stream, &total) == PM_OK;
    pm_stream_destroy(stream);
    pm_context_destroy(context);
    fine = fine && match == std::vector<std::uint64_t>{PM_NONE64, 0, 1, 0} && total.close == 0 && total.open == 0;
    std::cout << PM_VERSION_STRING << ' ' << pm_version_string() << '\n';
    return fine ? 0 : 1;
}
