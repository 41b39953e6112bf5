/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of RNA structures in dot-bracket notation, one a line, read from standard input. Kinds of brackets cross each
 * other (pseudoknots), so each kind has a stack of its own; letters pair as Aa, Bb, ... Prints the partner of each
 * base, counted from 1, or 0. Headers (>) are printed, lines of bases (letters alone) and what follows a blank left
 * out. */
#include <ctype.h>
#include <parenmatch.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_MOST (1 << 20)

/* The kind of a bracket; -1 for an unpaired base. */
static int kind_of(char c, bool *opens) {
    static const char brackets[] = "()[]{}<>";
    const char *const found = c ? strchr(brackets, c) : NULL;
    const int letter = isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' : -1;
    *opens = found ? (found - brackets) % 2 == 0 : isupper((unsigned char)c) != 0;
    return found ? (int)(found - brackets) / 2 : letter < 0 ? -1 : 4 + letter;
}

static pm_status pair_bases(const char *structure, size_t length, uint32_t *pair) {
    static uint64_t parens[LENGTH_MOST / 64];
    static uint8_t kinds[LENGTH_MOST];
    static uint32_t base[LENGTH_MOST], match[LENGTH_MOST];
    memset(parens, 0, length / 8 + 8 < sizeof parens ? length / 8 + 8 : sizeof parens);
    memset(pair, 0, length * sizeof *pair);
    size_t n = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool opens;
        const int kind = kind_of(structure[i], &opens);
        if (kind < 0)
            continue;
        parens[n / 64] |= (uint64_t)opens << n % 64;
        kinds[n] = (uint8_t)kind;
        base[n++] = i;
    }
    const pm_status status = pm_match_keys(NULL, parens, kinds, sizeof *kinds, n, match);
    for (size_t k = 0; status == PM_OK && k < n; k++)
        if (!(parens[k / 64] >> k % 64 & 1) && match[k] != PM_NONE) {
            pair[base[k]] = base[match[k]] + 1;
            pair[base[match[k]]] = base[k] + 1;
        }
    return status;
}

static void print_pairs(const char *structure, size_t length, const uint32_t *pair, unsigned line) {
    printf("%.*s\n", (int)length, structure);
    for (size_t i = 0; i < length; i++) {
        bool opens;
        printf("%u%c", pair[i], i + 1 < length ? ' ' : '\n');
        if (kind_of(structure[i], &opens) >= 0 ? pair[i] == 0 : !strchr(".,:-_~", structure[i]))
            fprintf(stderr, "line %u, base %zu: '%c' %s\n", line, i + 1, structure[i],
                    kind_of(structure[i], &opens) >= 0 ? "has no partner" : "is not known, taken for unpaired");
    }
}

int main(void) {
    static char text[LENGTH_MOST + 2]; /* a line */
    static uint32_t pair[LENGTH_MOST];
    for (unsigned line = 1; fgets(text, sizeof text, stdin); line++) {
        if (strlen(text) == sizeof text - 1 && text[LENGTH_MOST] != '\n') {
            fprintf(stderr, "line %u: longer than %d\n", line, LENGTH_MOST);
            return 1;
        }
        const size_t length = strcspn(text, " \t\r\n");
        if (*text == '>')
            fputs(text, stdout);
        else if (strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == length)
            continue;
        else if (pair_bases(text, length, pair) == PM_OK)
            print_pairs(text, length, pair, line);
        else
            return 1;
    }
    return 0;
}
