/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of an RNA structure in dot-bracket notation. Kinds of brackets cross each other (pseudoknots), so each kind has
 * a stack of its own; letters pair as Aa, Bb, ... */
#include <ctype.h>
#include <parenmatch.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_MOST 4096

/* The kind of a bracket; -1 for an unpaired base. */
static int kind_of(char c, bool *opens) {
    static const char brackets[] = "()[]{}<>";
    const char *const found = c ? strchr(brackets, c) : NULL;
    const int letter = isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' : -1;
    *opens = found ? (found - brackets) % 2 == 0 : isupper((unsigned char)c) != 0;
    return found ? (int)(found - brackets) / 2 : letter < 0 ? -1 : 4 + letter;
}

int main(void) {
    static const char structure[] = "((..[[[..))..]]].AA<(..aa.)>.)";
    uint64_t parens[LENGTH_MOST / 64] = {0};
    uint8_t kinds[LENGTH_MOST];
    uint32_t base[LENGTH_MOST], match[LENGTH_MOST], pair[LENGTH_MOST] = {0};
    size_t n = 0;
    for (uint32_t i = 0; structure[i]; i++) {
        bool opens;
        const int kind = kind_of(structure[i], &opens);
        if (kind < 0)
            continue;
        parens[n / 64] |= (uint64_t)opens << n % 64;
        kinds[n] = (uint8_t)kind;
        base[n++] = i;
    }
    if (pm_match_keys(NULL, parens, kinds, sizeof *kinds, n, match) != PM_OK)
        return 1;
    for (size_t k = 0; k < n; k++)
        if (!(parens[k / 64] >> k % 64 & 1) && match[k] != PM_NONE) {
            pair[base[k]] = base[match[k]] + 1; /* counted from 1; 0 is unpaired */
            pair[base[match[k]]] = base[k] + 1;
        }
    puts(structure);
    for (uint32_t i = 0; structure[i]; i++) {
        printf("%u%c", pair[i], structure[i + 1] ? ' ' : '\n');
        if (structure[i] != '.' && pair[i] == 0)
            fprintf(stderr, "base %u: '%c' has no partner\n", i + 1, structure[i]);
    }
    return 0;
}
