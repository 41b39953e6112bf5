/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits of a document against a plain text that is checked from its beginning after each of them.
 *
 * Input: the language ('a' is the first one, and so on), the length of the text at first (2 bytes, as a share of the
 * input; if it is odd, the text is borrowed), that text, and edits: where (1, as a share of the length), how many bytes
 * go (1; from 128 on in blocks of 64), how many come (1, the same), and these, as far as there are any.
 */
#include "parenmatch.h"
#include "tests/document/model.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEADER = 3,
    EDIT_HEADER = 3,
    EDITS_MAX = 32,
    COMPARISONS_MAX = 8, /* a comparison takes 20 to 50 ms at the longest texts, under the sanitizers */
    INPUT_MAX = 1 << 15
};

static size_t count_of(uint8_t byte) {
    return byte < 128 ? byte : (byte - 127) * (size_t)64;
}

static void compare(const document_model *model, pm_document *document) {
    const char *const wrong = document_model_compare(model, document, model->n / 64 + 1);
    fuzz_require(!wrong, wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER || size > INPUT_MAX)
        return 0;
    document_model model = {.language = fuzz_language(data[0])};
    pm_document *document;
    const size_t n = (size - HEADER) * (data[1] + 256u * data[2]) / 65535;
    document_model_replace(&model, 0, 0, (const char *)data + HEADER, n);
    const bool borrows = data[1] & 1;
    fuzz_require((borrows ? pm_document_create_borrowed : pm_document_create)(
                     NULL, model.language, (const char *)data + HEADER, n, &document) == PM_OK,
                 "create");
    compare(&model, document);
    size_t read = HEADER + n;
    for (unsigned k = 0; k < EDITS_MAX && read + EDIT_HEADER <= size; k++) {
        const uint8_t *const edit = data + read;
        const size_t at = model.n * edit[0] / 255;
        size_t removed = count_of(edit[1]), inserted = count_of(edit[2]);
        read += EDIT_HEADER;
        removed = removed < model.n - at ? removed : model.n - at;
        inserted = inserted < size - read ? inserted : size - read;
        document_model_replace(&model, at, removed, (const char *)data + read, inserted);
        fuzz_require(pm_document_replace(document, at, removed, (const char *)data + read, inserted) == PM_OK,
                     "replace");
        read += inserted;
        if (k % (EDITS_MAX / COMPARISONS_MAX) == 0)
            compare(&model, document);
    }
    compare(&model, document);
    pm_document_destroy(document);
    document_model_destroy(&model);
    return 0;
}
