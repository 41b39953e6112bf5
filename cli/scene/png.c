/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PNG of stored blocks. Sources: "Portable Network Graphics (PNG) Specification", sections 5 (chunks, and their CRC)
 * and 11; RFC 1950 (the stream, and its Adler-32); RFC 1951, section 3.2.4 (stored blocks).
 */
#include "cli/scene/png.h"

#include <stddef.h>

enum {
    BLOCK_MOST = 65535,   /* bytes of a stored block */
    ADLER_MODULUS = 65521 /* the largest prime below 2^16 */
};

/* A file, and the checks of what is written to it. */
typedef struct png_file {
    FILE *file;
    uint32_t crc, adler_sum, adler_sums;
} png_file;

/* The polynomial of Ethernet, lowest bit first, a bit at a time. */
static uint32_t crc_with(uint32_t crc, uint8_t byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    return crc;
}

static void put(png_file *png, uint8_t byte) {
    png->crc = crc_with(png->crc, byte);
    putc(byte, png->file);
}

static void put_number(png_file *png, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8)
        put(png, (uint8_t)(number >> shift));
}

static void chunk_begin(png_file *png, const char *type, uint32_t length) {
    put_number(png, length);
    png->crc = UINT32_MAX;
    for (int k = 0; k < 4; k++)
        put(png, (uint8_t)type[k]);
}

static void chunk_end(png_file *png) {
    put_number(png, png->crc ^ UINT32_MAX);
}

/* A byte of the stream's data. */
static void put_data(png_file *png, uint8_t byte) {
    png->adler_sum = (png->adler_sum + byte) % ADLER_MODULUS;
    png->adler_sums = (png->adler_sums + png->adler_sum) % ADLER_MODULUS;
    put(png, byte);
}

/* Rows, each a zero (it has no filter) and its pixels, cut into blocks. */
static void write_rows(png_file *png, const png_picture *picture) {
    const size_t row = (size_t)picture->width + 1, all = row * picture->height;
    const size_t blocks = (all + BLOCK_MOST - 1) / BLOCK_MOST;
    chunk_begin(png, "IDAT", (uint32_t)(2 + 5 * blocks + all + 4));
    put(png, 0x78); /* deflate, a window of 32 KiB */
    put(png, 0x01); /* no dictionary; a multiple of 31 with the byte before */
    for (size_t at = 0; at < all; at++) {
        if (at % BLOCK_MOST == 0) {
            const size_t left = all - at, length = left < BLOCK_MOST ? left : BLOCK_MOST;
            put(png, left <= BLOCK_MOST); /* the last block? stored */
            for (int k = 0; k < 4; k++)
                put(png, (uint8_t)((k < 2 ? length : ~length) >> k % 2 * 8));
        }
        put_data(png, at % row == 0 ? 0 : picture->pixels[at / row * picture->width + at % row - 1]);
    }
    put_number(png, png->adler_sums << 16 | png->adler_sum);
    chunk_end(png);
}

void png_write(const png_picture *picture, FILE *file) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t depth_and_kind[] = {8, 3, 0, 0, 0}; /* 8 bits, a palette, the only methods, no interlacing */
    png_file png = {.file = file, .adler_sum = 1};
    fwrite(signature, 1, sizeof signature, file);
    chunk_begin(&png, "IHDR", 8 + sizeof depth_and_kind);
    put_number(&png, picture->width);
    put_number(&png, picture->height);
    for (size_t k = 0; k < sizeof depth_and_kind; k++)
        put(&png, depth_and_kind[k]);
    chunk_end(&png);
    chunk_begin(&png, "PLTE", 3 * picture->colors);
    for (uint32_t k = 0; k < picture->colors; k++) {
        put(&png, picture->palette[k].red);
        put(&png, picture->palette[k].green);
        put(&png, picture->palette[k].blue);
    }
    chunk_end(&png);
    write_rows(&png, picture);
    chunk_begin(&png, "IEND", 0);
    chunk_end(&png);
}
