/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures as PNG files. */
#ifndef PM_CLI_SCENE_PNG_H
#define PM_CLI_SCENE_PNG_H

#include <stdint.h>
#include <stdio.h>

typedef struct png_color {
    uint8_t red, green, blue;
} png_color;

/* A picture whose pixels, row by row, are indices of a palette of at most 256 colours. */
typedef struct png_picture {
    uint32_t width, height; /* > 0 */
    const uint8_t *pixels;
    const png_color *palette;
    uint32_t colors;
} png_picture;

/* Writes the file, uncompressed: so it takes no library, and other programs make it small. Errors are the file's. */
void png_write(const png_picture *picture, FILE *file);

#endif
