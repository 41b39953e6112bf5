/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer: which bytes may matter where, told once for each lexer. */
#include "core/text/lexer_parts.h"

static void class_add(pmi_lexer *lexer, const char *bytes, unsigned class) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)(1u << class);
}

static void class_add_region(pmi_lexer *lexer, const pmi_region *region) {
    const unsigned class = pmi_lexer_region_class(lexer->language, region);
    if (region->open)
        class_add(lexer, (const char[]){region->open[0], 0}, PM_LEXER_ENDS_CODE);
    if (region->close)
        class_add(lexer, (const char[]){region->close[0], 0}, class);
    if (region->flags & PM_REGION_NESTS)
        class_add(lexer, (const char[]){region->open[0], 0}, class);
    if (region->flags & PM_REGION_LINE)
        class_add(lexer, "\n", class);
    if (region->flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))
        class_add(lexer, "\\", class);
    if (region->flags & PM_REGION_REGEX)
        class_add(lexer, "[]", class);
    if (region->flags & PM_REGION_TEMPLATE) {
        class_add(lexer, "$", class);
        class_add(lexer, "{}", PM_LEXER_ENDS_TEMPLATE_CODE);
    }
    if (region->flags & PM_REGION_HASHED)
        class_add(lexer, "#", PM_LEXER_ENDS_CODE);
}

void pmi_lexer_tell_classes(pmi_lexer *lexer, const pm_alphabet *alphabet) {
    const pm_language *const language = lexer->language;
    for (size_t r = 0; r < language->region_count; r++)
        class_add_region(lexer, &language->regions[r]);
    if (language->code & PM_CODE_DIRECTIVES)
        class_add(lexer, "#", PM_LEXER_ENDS_CODE);
    if (language->code & PM_CODE_ESCAPES)
        class_add(lexer, "\\", PM_LEXER_ENDS_CODE);
    if (language->code & PM_CODE_CHARACTERS)
        class_add(lexer, "?", PM_LEXER_ENDS_CODE);
    for (unsigned byte = 0; byte < 256; byte++)
        if (alphabet->role[byte] != PM_ROLE_NEUTRAL && !(lexer->class_of[byte] >> PM_LEXER_ENDS_CODE & 1))
            lexer->class_of[byte] |= 1u << PM_LEXER_BRACKET;
    lexer->classes = PM_LEXER_ENDS_REGION + (unsigned)language->region_count;
    if (lexer->classes > PM_PIECE_CLASSES)
        lexer->classes = PM_PIECE_CLASSES;
}
