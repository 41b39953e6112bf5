/* SPDX-License-Identifier: Apache-2.0 */
/* Saved indices: they answer as those that were saved, and nothing that was damaged is taken for one. */
#define _DEFAULT_SOURCE /* mkstemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "core/bp/bp.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/bp/model.h"
#include "tests/support/unit.h"

/* Bytes of a file, in memory. */
typedef struct image {
    unsigned char *bytes;
    size_t size;
} image;

static image image_of(const pm_bp *bp) {
    pmi_bp_file_header header;
    pmi_kept_piece pieces[PM_BP_PIECES];
    pmi_bp_pieces(bp, &header, pieces);
    image saved = {.bytes = allocate(pm_bp_size_in_bytes(bp) + 4096, 1)};
    for (size_t k = 0; k < PM_BP_PIECES; saved.size += pieces[k++].bytes)
        memcpy(saved.bytes + saved.size, pieces[k].data, pieces[k].bytes);
    return saved;
}

static void check_answers(const bp_model *model, const pm_bp *bp) {
    uint64_t argument;
    assert_null(bp_model_compare(model, bp, 0, model->n, &argument));
}

/* A file in a folder for such; its path stays valid until the next. */
static const char *temporary_file(void) {
    static char path[64];
    strcpy(path, "/tmp/parenmatch-bp-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    return path;
}

TEST(test_round_trip) {
    static const char *const names[] = {"twist:1", "bits", "opens", "closes", "deep"};
    const uint64_t sizes[] = {0, 1, 64, 511, 512, 8192, 8193, 100000, 300000};
    const char *const path = temporary_file();
    uint64_t *parens = allocate(300000 / 64 + 1, sizeof *parens);
    for (size_t f = 0; f < COUNT_OF(names); f++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const uint64_t n = sizes[s];
            assert_true(family_fill(names[f], 3, n, parens));
            bp_model model;
            assert_true(bp_model_create(&model, parens, n));
            pm_bp *built, *loaded, *mapped, *trusted;
            const pm_bp_options options = {.structure = s % 2 == 0 ? PM_BP_LEVELS : PM_BP_PIONEERS};
            assert_ok(pm_bp_create_with(NULL, &options, parens, n, &built));
            assert_ok(pm_bp_save(built, path));
            if (n % 64 != 0)
                parens[n / 64] ^= UINT64_C(1) << 63; /* junk may change */
            assert_ok(pm_bp_load(NULL, path, parens, n, &loaded));
            image saved = image_of(built);
            assert_ok(pm_bp_map(NULL, saved.bytes, saved.size, parens, n, 0, &mapped));
            assert_ok(pm_bp_map(NULL, saved.bytes, saved.size, parens, n, PM_BP_TRUSTED, &trusted));
            assert_true(pm_bp_size_in_bytes(loaded) <= pm_bp_size_in_bytes(built));
            image again = image_of(loaded);
            assert_int_equal(again.size, saved.size);
            assert_memory_equal(again.bytes, saved.bytes, saved.size);
            pm_bp_destroy(built);
            check_answers(&model, loaded);
            check_answers(&model, mapped);
            check_answers(&model, trusted);
            pm_bp_destroy(loaded);
            pm_bp_destroy(mapped);
            pm_bp_destroy(trusted);
            free(again.bytes);
            free(saved.bytes);
            bp_model_destroy(&model);
        }
    free(parens);
    remove(path);
}

static pm_status map(const image *saved, size_t size, const uint64_t *parens, uint64_t n) {
    pm_bp *bp = (pm_bp *)(uintptr_t)parens;
    const pm_status status = pm_bp_map(NULL, saved->bytes, size, parens, n, 0, &bp);
    assert_true((status == PM_OK) == (bp != NULL));
    pm_bp_destroy(bp);
    return status;
}

/* Every byte, changed in every bit at once and in one; every length; and other sequences. */
TEST(test_damage) {
    enum {
        N = 20000
    };
    uint64_t parens[N / 64 + 1];
    assert_true(family_fill("twist:1", 3, N, parens));
    pm_bp *bp;
    assert_ok(pm_bp_create(NULL, parens, N, &bp));
    image saved = image_of(bp);
    pm_bp_destroy(bp);
    assert_ok(map(&saved, saved.size, parens, N));
    for (size_t i = 0; i < saved.size; i++) {
        const unsigned char masks[] = {0xff, (unsigned char)(1u << i % 8)};
        for (size_t m = 0; m < 2; m++) {
            saved.bytes[i] ^= masks[m];
            assert_int_equal(map(&saved, saved.size, parens, N), PM_CORRUPT);
            saved.bytes[i] ^= masks[m];
        }
    }
    for (size_t size = 0; size < saved.size; size++)
        assert_int_equal(map(&saved, size, parens, N), PM_CORRUPT);
    assert_int_equal(map(&saved, saved.size + 8, parens, N), PM_CORRUPT);
    assert_int_equal(map(&saved, saved.size, parens, N - 1), PM_CORRUPT);
    for (size_t i = 0; i < N; i += 13) {
        parens[i / 64] ^= UINT64_C(1) << i % 64;
        assert_int_equal(map(&saved, saved.size, parens, N), PM_CORRUPT);
        parens[i / 64] ^= UINT64_C(1) << i % 64;
    }
    assert_ok(map(&saved, saved.size, parens, N));
    free(saved.bytes);
}

/* Makes the header's sum right again, so that only what the bytes say can give them away. */
static void make_sum_right(const image *saved) {
    pmi_bp_file_header *const header = (pmi_bp_file_header *)(void *)saved->bytes;
    header->header_sum = pmi_checksum_of(header, offsetof(pmi_bp_file_header, header_sum) / sizeof(uint64_t));
}

/* Bytes made to deceive: every byte with its highest and lowest bit changed, and words of the largest and smallest
 * numbers, under every SIMD target. Only what changes nothing is an index. */
TEST(test_deceit) {
    enum {
        N = 70000 /* a tree of one row, and a superblock that n cuts short */
    };
    static const uint32_t values[] = {0x7fffffff, 0x80000000, 0xffffffff, 0x7fff7fff, 0x80008000, 0};
    static uint64_t parens[N / 64 + 1];
    assert_true(family_fill("twist:1", 3, N, parens));
    for (size_t t = 0; pm_simd_at(t); t++) {
        if (!pm_simd_at(t)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(t)->name, .threads = 2};
        pm_context *context;
        pm_bp *bp;
        assert_ok(pm_context_create(&options, &context));
        assert_ok(pm_bp_create(context, parens, N, &bp));
        const image saved = image_of(bp);
        pm_bp_destroy(bp);
        const image kept = {.bytes = allocate(saved.size, 1)};
        memcpy(kept.bytes, saved.bytes, saved.size);
        for (size_t i = 0; i < saved.size; i += t == 0 ? 1 : 7)
            for (size_t v = 0; v < 1 + COUNT_OF(values); v++) {
                if (v == 0)
                    saved.bytes[i] ^= 0x81;
                else
                    memcpy(&saved.bytes[i / 4 * 4], &values[v - 1], sizeof *values);
                make_sum_right(&saved);
                const bool same = memcmp(saved.bytes, kept.bytes, saved.size) == 0;
                const pm_status status = pm_bp_map(context, saved.bytes, saved.size, parens, N, 0, &bp);
                assert_true(same == (status == PM_OK));
                pm_bp_destroy(bp);
                memcpy(saved.bytes, kept.bytes, saved.size);
            }
        free(kept.bytes);
        free(saved.bytes);
        pm_context_destroy(context);
    }
}

TEST(test_other_machines) {
    const uint64_t parens = 5;
    pm_bp *bp;
    assert_ok(pm_bp_create(NULL, &parens, 3, &bp));
    image saved = image_of(bp);
    pm_bp_destroy(bp);
    pmi_bp_file_header *const header = (pmi_bp_file_header *)(void *)saved.bytes;
    header->byte_order = UINT32_C(0x04030201);
    assert_int_equal(map(&saved, saved.size, &parens, 3), PM_UNSUPPORTED);
    free(saved.bytes);
}

#ifdef _WIN32 /* neither links that everyone may make, nor devices in a folder */
static void check_other_files(const pm_bp *bp) {
    (void)bp;
}
#else
/* Nothing is written through a link, whether or not its target is there. */
static void check_links(const pm_bp *bp) {
    const char *const link = temporary_file();
    char target[64];
    snprintf(target, sizeof target, "%s.target", link);
    remove(link);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(pm_bp_save(bp, link), PM_IO);
    assert_int_not_equal(access(target, F_OK), 0);
    FILE *const file = fopen(target, "wb");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(pm_bp_save(bp, link), PM_IO);
    struct stat about;
    assert_int_equal(stat(target, &about), 0);
    assert_int_equal(about.st_size, 0);
    remove(link);
    remove(target);
}

static void check_other_files(const pm_bp *bp) {
    check_links(bp);
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(pm_bp_save(bp, "/dev/full"), PM_IO);
}
#endif

/* More opens than elements, with all that follows from that, are found out before there is memory for them. */
static void check_claim(const image *saved, const char *path, const uint64_t *parens) {
    pmi_bp_file_header header;
    pm_bp *loaded;
    memcpy(&header, saved->bytes, sizeof header);
    const uint64_t more = UINT64_C(1) << 50;
    header.opens += more;
    header.size += more / PM_BP_HINT_OPENS * sizeof(int32_t);
    const image claimed = {(unsigned char *)&header, sizeof header};
    make_sum_right(&claimed);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(&header, sizeof header, 1, file), 1);
    fclose(file);
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    const size_t before = memory.calls;
    assert_int_equal(pm_bp_load(context, path, parens, 512 * 64, &loaded), PM_CORRUPT);
    assert_int_equal(memory.calls, before + 1); /* the index without arrays */
    context_close(context, &memory);
}

/* As test_damage(), by way of files. */
TEST(test_files) {
    uint64_t parens[512];
    assert_true(family_fill("twist:1", 3, 512 * 64, parens));
    const char *const path = temporary_file();
    pm_bp *bp, *loaded;
    assert_ok(pm_bp_create(NULL, parens, 512 * 64, &bp));
    image saved = image_of(bp);
    for (size_t size = 0; size <= saved.size + 1; size += size < 100 ? 1 : 41) {
        FILE *const file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(saved.bytes, 1, size < saved.size ? size : saved.size, file),
                         size < saved.size ? size : saved.size);
        if (size > saved.size)
            putc(0, file);
        fclose(file);
        assert_int_equal(pm_bp_load(NULL, path, parens, 512 * 64, &loaded), size == saved.size ? PM_OK : PM_CORRUPT);
        pm_bp_destroy(loaded);
    }
    FILE *const longer = fopen(path, "wb"); /* as long as it should be, and a byte more */
    assert_non_null(longer);
    assert_int_equal(fwrite(saved.bytes, saved.size, 1, longer), 1);
    putc(0, longer);
    fclose(longer);
    assert_int_equal(pm_bp_load(NULL, path, parens, 512 * 64, &loaded), PM_CORRUPT);
    check_claim(&saved, path, parens);
    free(saved.bytes);
    remove(path);
    assert_int_equal(pm_bp_load(NULL, path, parens, 512 * 64, &loaded), PM_IO);
    assert_null(loaded);
    assert_int_equal(pm_bp_load(NULL, "/tmp", parens, 512 * 64, &loaded), PM_IO);
    assert_int_equal(pm_bp_save(bp, "/tmp/no such folder/x"), PM_IO);
    check_other_files(bp);
    pm_bp_destroy(bp);
}

/* What was written before stays readable only as long as sums stay what they are. */
TEST(test_sums_stay) {
    static const struct {
        size_t words;
        uint64_t sum;
    } known[] = {{0, 0xe821a9cc1f06a6e9},
                 {1, 0x2493844584478f57},
                 {3, 0x6adafc3c0dabdaa},
                 {4, 0x1653054eb68dd74c},
                 {11, 0x723fb65db8befa80}};
    uint64_t words[11];
    for (size_t w = 0; w < COUNT_OF(words); w++)
        words[w] = (w + 1) * UINT64_C(0x0123456789abcdef);
    for (size_t k = 0; k < COUNT_OF(known); k++)
        for (size_t cut = 0; cut <= known[k].words; cut++) {
            pmi_checksum sum = pmi_checksum_empty;
            pmi_checksum_words(&sum, words, cut);
            pmi_checksum_words(&sum, words + cut, known[k].words - cut);
            assert_true(pmi_checksum_end(&sum) == known[k].sum);
        }
}

TEST(test_arguments) {
    const uint64_t parens = 1, bytes[16] = {0};
    pm_bp *bp;
    assert_invalid(pm_bp_load(NULL, "x", &parens, 1, NULL));
    assert_invalid(pm_bp_load(NULL, NULL, &parens, 1, &bp));
    assert_invalid(pm_bp_load(NULL, "x", NULL, 1, &bp));
    assert_int_equal(pm_bp_load(NULL, "x", &parens, UINT64_MAX, &bp), PM_TOO_LARGE);
    assert_invalid(pm_bp_map(NULL, bytes, sizeof bytes, &parens, 1, 0, NULL));
    assert_invalid(pm_bp_map(NULL, NULL, sizeof bytes, &parens, 1, 0, &bp));
    assert_invalid(pm_bp_map(NULL, bytes, sizeof bytes, NULL, 1, 0, &bp));
    assert_invalid(pm_bp_map(NULL, bytes, sizeof bytes, &parens, 1, 2, &bp));
    assert_invalid(pm_bp_map(NULL, (const char *)bytes + 4, 100, &parens, 1, 0, &bp));
    assert_int_equal(pm_bp_map(NULL, bytes, sizeof bytes, &parens, 1, 0, &bp), PM_CORRUPT);
    assert_null(bp);
    assert_ok(pm_bp_create(NULL, &parens, 1, &bp));
    assert_invalid(pm_bp_save(bp, NULL));
    const char *const path = temporary_file();
    remove(path);
    assert_invalid(pm_bp_save(NULL, path));
    assert_int_not_equal(access(path, F_OK), 0); /* nothing was made of it */
    pm_bp_destroy(bp);
}

TEST(test_no_memory) {
    uint64_t parens[512];
    assert_true(family_fill("twist:1", 3, 512 * 64, parens));
    const char *const path = temporary_file();
    pm_bp *bp;
    assert_ok(pm_bp_create(NULL, parens, 512 * 64, &bp));
    assert_ok(pm_bp_save(bp, path));
    pm_bp_destroy(bp);
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        fault_allocator faults = {0};
        pm_context *context = context_with(&faults);
        faults.fail_at = faults.calls + fail_at;
        const pm_status status = pm_bp_load(context, path, parens, 512 * 64, &bp);
        assert_int_equal(status, fail_at < 3 ? PM_OUT_OF_MEMORY : PM_OK);
        pm_bp_destroy(bp);
        context_close(context, &faults);
    }
    remove(path);
}

/* Long enough not to be in the caches, flat and deep: how it is queried depends on what was saved. */
TEST(test_long) {
    const uint64_t n = (UINT64_C(1) << 25) + 128, step = n / 1000 * 2;
    uint64_t *parens = allocate(n / 64, sizeof *parens);
    for (unsigned deep = 0; deep < 2; deep++) {
        memset(parens, deep ? 0xff : 0x55, n / 16);
        memset(parens + n / 128, deep ? 0 : 0x55, n / 16);
        pm_bp *built, *mapped[2];
        assert_ok(pm_bp_create(NULL, parens, n, &built));
        image saved = image_of(built);
        for (unsigned flags = 0; flags < 2; flags++)
            assert_ok(pm_bp_map(NULL, saved.bytes, saved.size, parens, n, flags, &mapped[flags]));
        for (uint64_t i = 0; i < n / 2; i += step)
            for (size_t b = 0; b < 3; b++) {
                const pm_bp *const bp = b == 0 ? built : mapped[b - 1];
                const uint64_t close = deep ? n - 1 - i : i + 1;
                assert_int_equal(pm_bp_find_close(bp, i), close);
                assert_int_equal(pm_bp_find_open(bp, close), i);
                assert_int_equal(pm_bp_enclose(bp, i), deep && i > 0 ? i - 1 : PM_BP_NONE);
            }
        pm_bp_destroy(built);
        pm_bp_destroy(mapped[0]);
        pm_bp_destroy(mapped[1]);
        free(saved.bytes);
    }
    free(parens);
}
