/* SPDX-License-Identifier: Apache-2.0 */
/* A machine as the shaders of a text's structure want it: shaders/structure.h has the layout. */
#include "gpu/tokenizer.h"

_Static_assert(PM_TOKENIZER_TABLE_MOST < 1 << 16, "nodes have two words' places in a word");

static uint32_t meaning_of(const pm_letter *letter) {
    return letter->role == PM_LETTER_NOTHING                                   ? 0
           : letter->role == PM_LETTER_CLOSE || letter->role == PM_LETTER_OPEN ? PM_STRUCTURE_TOKEN
                                                                               : PM_STRUCTURE_START;
}

static void row_make(const pm_letter *letter, uint32_t states, uint32_t *row) {
    for (uint32_t w = 0; w < pm_tokenizer_row_words(states); w++)
        row[w] = 0;
    for (uint32_t s = 0; s < states; s++)
        if (states <= PM_STRUCTURE_FEW)
            row[0] |= PM_STRUCTURE_FIELD * letter->next[s] << PM_STRUCTURE_FIELD * s;
        else
            row[s / 4] |= ((uint32_t)letter->next[s] | (letter->tag_ends >> s & 1) * PM_STRUCTURE_TOKEN
                                                           << PM_STRUCTURE_MANY_SHIFT)
                          << 8 * (s % 4);
    row[0] |= meaning_of(letter) << (states <= PM_STRUCTURE_FEW ? PM_STRUCTURE_FEW_SHIFT : PM_STRUCTURE_MANY_SHIFT);
}

/* Is it only its byte that tells the letter there? */
static bool is_told_by_byte(const pm_machine *machine, const pm_machine_node *node) {
    const pm_machine_choice *const choice = &machine->choices[node->choice];
    return node->child == 0 && !choice->word && !choice->name;
}

/* Bits for the bytes that may come behind a node's; all, if a word ends there that has to be looked for. */
static uint32_t seconds_of(const pm_machine *machine, const pm_machine_node *node) {
    uint32_t bits = node->choice && !is_told_by_byte(machine, node) ? UINT32_MAX : 0;
    for (uint32_t child = node->child; child != 0; child = machine->nodes[child].sibling)
        bits |= UINT32_C(1) << machine->nodes[child].byte % 32; /* which is the same for small and capital letters */
    return bits;
}

/* What belongs to bytes: the children of the root, and by which bytes it goes on. */
static void roots_make(const pm_machine *machine, uint32_t nodes, uint32_t *roots) {
    for (uint32_t k = 0; k < PM_STRUCTURE_TABLE_BYTES; k++)
        roots[k] = 0;
    for (uint32_t i = machine->nodes[0].child; i != 0; i = machine->nodes[i].sibling) {
        const uint32_t byte = machine->nodes[i].byte;
        const bool two = machine->ignore_case && byte >= 'a' && byte <= 'z';
        const pm_machine_node *const node = &machine->nodes[i];
        for (uint32_t k = 0; k <= two; k++) {
            const uint32_t own = byte - k * ('a' - 'A');
            roots[own] = nodes + 2 * i;
            roots[256 + 2 * own] = seconds_of(machine, node);
            roots[257 + 2 * own] = is_told_by_byte(machine, node) ? machine->choices[node->choice].letter : 0;
        }
    }
}

/* The tables of a trie, from `begin` on; returns their end. */
static uint32_t trie_make(const pm_machine *machine, uint32_t begin, uint32_t *tables) {
    const uint32_t nodes = begin + PM_STRUCTURE_TABLE_BYTES, choices = nodes + 2 * machine->node_count;
    roots_make(machine, nodes, tables + begin);
    for (uint32_t i = 0; i < machine->node_count; i++) {
        const pm_machine_node *const node = &machine->nodes[i];
        const uint32_t child = node->child ? nodes + 2 * node->child : 0;
        const uint32_t sibling = node->sibling ? nodes + 2 * node->sibling : 0;
        tables[nodes + 2 * i] = (choices + node->choice) << 8 | node->byte;
        tables[nodes + 2 * i + 1] = sibling << 16 | child;
    }
    for (uint32_t c = 0; c < machine->choice_count; c++) {
        const pm_machine_choice *const choice = &machine->choices[c];
        tables[choices + c] = (choice->word ? PM_STRUCTURE_CHOICE_WORD : 0) |
                              (choice->name ? PM_STRUCTURE_CHOICE_NAME : 0) | (uint32_t)choice->length << 8 |
                              choice->letter;
    }
    return choices + machine->choice_count;
}

/* What a letter is as a token, or as what begins or ends a tag. */
static uint32_t token_of(const pm_letter *letter) {
    if (letter->role == PM_LETTER_OPEN_TAG || letter->role == PM_LETTER_CLOSE_TAG)
        return PM_STRUCTURE_TAG + (letter->role == PM_LETTER_OPEN_TAG);
    return letter->tag_ends ? PM_STRUCTURE_TAG_END : 2 * letter->kind + (letter->role == PM_LETTER_OPEN);
}

void pm_tokenizer_follow(pm_tokenizer *tokenizer, const pm_machine *machine) {
    const uint32_t words = pm_tokenizer_row_words(machine->states);
    tokenizer->unterminated = machine->unterminated;
    tokenizer->of_bytes = machine->of_bytes;
    tokenizer->ignore_case = machine->ignore_case;
    tokenizer->steps = machine->steps;
    tokenizer->name_ends = machine->name_ends[0] | (uint32_t)machine->name_ends[1] << 8;
    tokenizer->kinds = machine->kinds;
    for (uint32_t l = 0; l < PM_MACHINE_LETTERS_MAX; l++) {
        const pm_letter *const letter = &machine->letters[l];
        tokenizer->tables[2 * l] = token_of(letter);
        tokenizer->tables[2 * l + 1] = letter->length;
        row_make(letter, machine->states, tokenizer->tables + PM_STRUCTURE_TABLE_ROWS + (size_t)words * l);
    }
    const uint32_t root = PM_STRUCTURE_TABLE_ROOT(words);
    tokenizer->table_words = machine->of_bytes ? root : trie_make(machine, root, tokenizer->tables);
}
