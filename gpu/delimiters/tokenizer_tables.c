/* SPDX-License-Identifier: Apache-2.0 */
/* A DFA's tables for the shaders, in the layout of shaders/delimiters/tokenizer.h. */
#include "gpu/delimiters/tokenizer.h"

_Static_assert(PM_TOKENIZER_TABLE_MAX < 1 << 16, "a node has two positions of words in a word");

static uint32_t meaning_of(const pmi_letter *letter) {
    switch (letter->role) {
    case PM_LETTER_NOTHING:
    case PM_LETTER_UNKNOWN:
        return 0;
    case PM_LETTER_CLOSE:
    case PM_LETTER_OPEN:
        return PM_STRUCTURE_TOKEN;
    default:
        return PM_STRUCTURE_START;
    }
}

static uint32_t row_few(const pmi_letter *letter, uint32_t states) {
    uint32_t row = meaning_of(letter) << PM_STRUCTURE_FEW_SHIFT;
    for (uint32_t s = 0; s < states; s++)
        row |= PM_STRUCTURE_FIELD * letter->next[s] << PM_STRUCTURE_FIELD * s;
    return row;
}

static uint32_t byte_of_many(const pmi_letter *letter, uint32_t s) {
    uint32_t means = letter->late >> s & 1 ? PM_STRUCTURE_TOKEN + PM_STRUCTURE_START : 0;
    if (s == 0)
        means |= meaning_of(letter);
    return letter->next[s] | means << PM_STRUCTURE_MANY_SHIFT |
           (s == 0 && letter->role == PM_LETTER_UNKNOWN ? PM_STRUCTURE_UNKNOWN : 0);
}

static void row_make(const pmi_letter *letter, uint32_t states, uint32_t *row) {
    if (states <= PM_STRUCTURE_FEW) {
        row[0] = row_few(letter, states);
        return;
    }
    for (uint32_t w = 0; w < PM_STRUCTURE_MANY_WORDS; w++)
        row[w] = 0;
    for (uint32_t s = 0; s < states; s++)
        row[s / 4] |= byte_of_many(letter, s) << 8 * (s % 4);
}

/* Does the byte alone determine the letter? */
static bool is_told_by_byte(const pmi_dfa *machine, const pmi_dfa_node *node) {
    const pmi_dfa_choice *const choice = &machine->choices[node->choice];
    return node->child == 0 && choice->condition == PM_IF_ANYTHING;
}

/* Bits of the bytes that may follow a node's. All bits, if a word ends there that needs a look at what follows. */
static uint32_t seconds_of(const pmi_dfa *machine, const pmi_dfa_node *node) {
    uint32_t bits = node->choice && !is_told_by_byte(machine, node) ? UINT32_MAX : 0;
    for (uint32_t child = node->child; child != 0; child = machine->nodes[child].sibling)
        bits |= UINT32_C(1) << machine->nodes[child].byte % 32; /* which is the same for small and capital letters */
    return bits;
}

/* The tables by byte: the children of the root, and the bytes that may follow. */
static void roots_make(const pmi_dfa *machine, uint32_t nodes, uint32_t *roots) {
    for (uint32_t k = 0; k < PM_STRUCTURE_TABLE_BYTES; k++)
        roots[k] = 0;
    for (uint32_t i = machine->nodes[0].child; i != 0; i = machine->nodes[i].sibling) {
        const uint32_t byte = machine->nodes[i].byte;
        const bool two = machine->ignore_case && byte >= 'a' && byte <= 'z';
        const pmi_dfa_node *const node = &machine->nodes[i];
        for (uint32_t k = 0; k <= two; k++) {
            const uint32_t own = byte - k * ('a' - 'A');
            roots[own] = nodes + 2 * i;
            roots[256 + 2 * own] = seconds_of(machine, node);
            roots[257 + 2 * own] = is_told_by_byte(machine, node) ? machine->choices[node->choice].letter : 0;
        }
    }
}

/* A choice's two words, and its bytes. */
static void choice_make(const pmi_dfa *machine, uint32_t c, uint32_t choices, uint32_t bytes, uint32_t *tables) {
    const pmi_dfa_choice *const choice = &machine->choices[c];
    tables[choices + 2 * c] = (uint32_t)choice->condition << 24 | (uint32_t)choice->length << 8 | choice->letter;
    tables[choices + 2 * c + 1] = (uint32_t)choice->second_length << 16 | (bytes + choice->second / 4);
    for (uint32_t i = 0; i < choice->second_length; i++) {
        uint32_t *const word = &tables[bytes + choice->second / 4 + i / 4];
        *word = (i % 4 == 0 ? 0 : *word) | (uint32_t)machine->bytes[choice->second + i] << 8 * (i % 4);
    }
}

/* Writes the tables of a trie from `begin` on; returns their end. */
static uint32_t trie_make(const pmi_dfa *machine, uint32_t begin, uint32_t *tables) {
    const uint32_t nodes = begin + PM_STRUCTURE_TABLE_BYTES, choices = nodes + 2 * machine->node_count;
    roots_make(machine, nodes, tables + begin);
    for (uint32_t i = 0; i < machine->node_count; i++) {
        const pmi_dfa_node *const node = &machine->nodes[i];
        const uint32_t child = node->child ? nodes + 2 * node->child : 0;
        const uint32_t sibling = node->sibling ? nodes + 2 * node->sibling : 0;
        tables[nodes + 2 * i] = (choices + 2 * node->choice) << 8 | node->byte;
        tables[nodes + 2 * i + 1] = sibling << 16 | child;
    }
    const uint32_t bytes = choices + 2 * machine->choice_count, words = (machine->byte_count + 3) / 4;
    for (uint32_t c = 0; c < machine->choice_count; c++)
        choice_make(machine, c, choices, bytes, tables);
    return choices + 2 * machine->choice_count + words;
}

/* The token that a letter begins. */
static uint32_t token_of(const pmi_letter *letter) {
    const bool open = letter->role == PM_LETTER_OPEN || letter->role == PM_LETTER_OPEN_LATE;
    if (letter->role == PM_LETTER_OPEN_TAG || letter->role == PM_LETTER_CLOSE_TAG)
        return PM_STRUCTURE_TAG + (letter->role == PM_LETTER_OPEN_TAG);
    return 2 * letter->kind + open;
}

void pmi_tokenizer_follow(pmi_tokenizer *tokenizer, const pmi_dfa *machine) {
    const uint32_t states = pmi_tokenizer_states(machine), words = pmi_tokenizer_row_words(states);
    tokenizer->unterminated = machine->unterminated;
    tokenizer->of_bytes = machine->of_bytes;
    tokenizer->ignore_case = machine->ignore_case;
    tokenizer->steps = machine->steps;
    tokenizer->name_ends = machine->name_ends[0] | (uint32_t)machine->name_ends[1] << 8;
    tokenizer->kinds = machine->kinds;
    for (uint32_t l = 0; l < PM_MACHINE_LETTERS_MAX; l++) {
        const pmi_letter *const letter = &machine->letters[l];
        tokenizer->tables[2 * l] = token_of(letter);
        tokenizer->tables[2 * l + 1] = letter->late_length << 16 | letter->length;
        row_make(letter, states, tokenizer->tables + PM_STRUCTURE_TABLE_ROWS + (size_t)words * l);
    }
    const uint32_t root = PM_STRUCTURE_TABLE_ROOT(words);
    tokenizer->table_words = machine->of_bytes ? root : trie_make(machine, root, tokenizer->tables);
}
