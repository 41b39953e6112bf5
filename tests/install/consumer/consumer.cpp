/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program in C++11: streams "(())", asks for ranks of more, and prints the header's version and the
 * library's. */
#include <parenmatch/bp_view.h>

#include <iostream>
#include <vector>

namespace {

// "((...))" of 2048 elements: blocks of either kind.
bool ask() {
    std::vector<std::uint64_t> parens(32);
    for (std::size_t w = 0; w < 16; w++)
        parens[w] = ~std::uint64_t{0};
    pm_bp *bp = nullptr;
    pm_bp_view view;
    bool fine = pm_bp_create(nullptr, parens.data(), 2048, &bp) == PM_OK && pm_bp_view_of(bp, &view) == PM_OK;
    for (std::uint64_t i = 0; fine && i < 2048; i++)
        fine = pm_bp_view_rank_open(&view, i) == (i < 1024 ? i : 1024) && pm_bp_view_is_open(&view, i) == (i < 1024) &&
               pm_bp_view_excess(&view, i) == static_cast<std::int64_t>(i < 1024 ? i + 1 : 2047 - i);
    pm_bp_destroy(bp);
    return fine;
}

} // namespace

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
    fine = fine && match == std::vector<std::uint64_t>{PM_BP_NONE, 0, 1, 0} && total.close == 0 && total.open == 0;
    fine = fine && ask();
    std::cout << PM_VERSION_STRING << ' ' << pm_version_string() << '\n';
    return fine ? 0 : 1;
}
