/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before all other stages, where letters are not the text's bytes: which letter each place has. Nearly all have the one
 * of nothing, or one that their byte decides. So bytes, and for the others a filter by two bytes, are asked first, by
 * lanes with consecutive places; from those places that are left whichever lane is free goes down the trie of all
 * words. Most of a node's choices decide a letter at once; some look at what is around the word.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/delimiters/tokenizer.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex

readonly PM_BUFFER(pmi_text, uvec4, 16);
readonly PM_BUFFER(pmi_input, uint, 4);
writeonly PM_BUFFER(pm_words, uint, 4);
PM_PUSHED(PM_STRUCTURE_LETTERS_PARAMETERS);

#define PART PM_STRUCTURE_PART

shared uvec2 of_bytes[256]; /* of the tables: bytes that may come second, and letters */
shared uint queue[PART];    /* places at which a word may begin */
shared uint queued;
shared uint letters_found[PART / 4];

bool is_capital(uint byte) {
    return byte - 65 < 26;
}

/* A byte as the trie has it. */
uint folded(uint byte) {
    return fold != 0 && is_capital(byte) ? byte | 32 : byte;
}

uint byte_at(uint place) {
    return bitfieldExtract(text.at[place / 16][place / 4 % 4], int(8 * (place % 4)), 8);
}

bool is_word_at(uint place) {
    const uint byte = byte_at(place);
    return is_capital(byte & ~32u) || byte - 48 < 10 || byte == 95 || byte >= 128;
}

bool begins_name_at(uint place) {
    const uint byte = byte_at(place);
    return byte == 58 || (is_word_at(place) && byte - 48 >= 10);
}

/* No word of the text goes on across the place. */
bool parts_words(uint place) {
    return place == 0 || place >= n || !is_word_at(place - 1) || !is_word_at(place);
}

/* The choice at the end of the way down from a place; 0: its first byte leads nowhere. */
uint choice_at(uint place) {
    uint node = tables.at[root + byte_at(place)], choice = 0, next = place + 1;
    while (node != 0) {
        choice = PM_STRUCTURE_NODE_CHOICE(tables.at[node]);
        node = next < n ? PM_STRUCTURE_NODE_CHILD(tables.at[node + 1]) : 0;
        const uint byte = next < n ? folded(byte_at(next)) : 0;
        next++;
        while (node != 0 && PM_STRUCTURE_NODE_BYTE(tables.at[node]) != byte)
            node = PM_STRUCTURE_NODE_SIBLING(tables.at[node + 1]);
    }
    return choice;
}

bool is_blank_at(uint place) {
    const uint byte = byte_at(place);
    return byte == 32 || byte - 9 < 5;
}

uint blanks_from = 0xffffffff, blanks_end = 0xffffffff; /* what was asked last */

/* Behind the blanks at a place, of which a limited number are looked at, and one more. */
uint behind_blanks(uint from) {
    if (from != blanks_from) {
        blanks_from = blanks_end = from;
        while (blanks_end < n && blanks_end - from <= PM_STRUCTURE_BLANKS_MOST && is_blank_at(blanks_end))
            blanks_end++;
    }
    return blanks_end;
}

/* Do the blanks behind a word, and then the bytes of the tables, stand there? */
bool has_second(uint from, uint second) {
    const uint at = behind_blanks(from), length = PM_STRUCTURE_CHOICE_SECOND_LENGTH(second);
    if (n - at < length || (at == from && !parts_words(at)))
        return false;
    for (uint k = 0; k < length; k++)
        if (folded(byte_at(at + k)) !=
            (tables.at[PM_STRUCTURE_CHOICE_SECOND(second) + k / 4] >> 8 * (k % 4) & 255))
            return false;
    return parts_words(at + length);
}

/* Is a name between this byte and the same one, or as much of it as is looked at? */
bool is_tagged(uint place) {
    uint at = place + 1;
    if (at == n || !begins_name_at(at) || byte_at(at) == 58)
        return false;
    while (at < n && at - place <= PM_STRUCTURE_BLANKS_MOST && is_word_at(at))
        at++;
    return at < n && (is_word_at(at) || byte_at(at) == byte_at(place));
}

/* Is a choice made at a place, or the next one? */
bool is_made(uint choice, uint place) {
    const uint chosen = tables.at[choice], length = PM_STRUCTURE_CHOICE_LENGTH(chosen);
    const uint condition = PM_STRUCTURE_CHOICE_CONDITION(chosen);
    if (condition == PM_STRUCTURE_IF_ANYTHING)
        return true;
    if (condition == PM_STRUCTURE_IF_NAME)
        return n - place > length && begins_name_at(place + length);
    if (condition >= PM_STRUCTURE_IF_APART)
        return (place == 0 || !is_word_at(place - 1)) && (condition == PM_STRUCTURE_IF_APART || is_tagged(place));
    if (!parts_words(place))
        return false;
    if (condition == PM_STRUCTURE_IF_WORD)
        return parts_words(place + length);
    if (condition == PM_STRUCTURE_IF_FAR)
        return behind_blanks(place + length) - (place + length) > PM_STRUCTURE_BLANKS_MOST;
    return has_second(place + length, tables.at[choice + 1]);
}

uint letter_at(uint place) {
    uint choice = choice_at(place);
    if (choice == 0)
        return 0;
    while (!is_made(choice, place))
        choice += 2;
    return PM_STRUCTURE_CHOICE_LETTER(tables.at[choice]);
}

/* With the places of 16 from this one on: a bit for each at which a word may begin by its two bytes; the letters of
 * others. */
uint candidates_at(uint place, out uvec4 known) {
    const uvec4 own = text.at[place / 16];
    const uint left = n - place, behind = left > 16 ? text.at[place / 16 + 1].x : 0;
    uint found = 0;
    [[unroll]] for (uint w = 0; w < 4; w++) {
        const uint next = w < 3 ? own[min(w + 1, 3)] : behind;
        known[w] = 0;
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uint bytes = k < 3 ? own[w] >> 8 * k : own[w] >> 24 | next << 8;
            const uvec2 first = of_bytes[bytes & 255];
            found |= (first.x >> (bytes >> 8 & 31) & 1) << 4 * w + k;
            known[w] |= 4 * w + k < left ? first.y << 8 * k : 0;
        }
    }
    return left < 16 ? found & (1u << left) - 1 : found;
}

void enqueue(uint found, uint place) {
    uint to = found == 0 ? 0 : atomicAdd(queued, bitCount(found));
    for (; found != 0; found &= found - 1)
        queue[to++] = place + findLSB(found);
}

void main() {
    const uint tile = (first + gl_WorkGroupID.x) * PM_STRUCTURE_TILE;
    of_bytes[lane] = uvec2(tables.at[root + 256 + 2 * lane], tables.at[root + 257 + 2 * lane]);
    for (uint part = 0; part < PM_STRUCTURE_TILE && n - tile > part; part += PART) {
        const uint begin = tile + part, own = begin + 16 * lane;
        uvec4 known = uvec4(0);
        if (lane == 0)
            queued = 0;
        barrier();
        enqueue(own < n ? candidates_at(own, known) : 0, own);
        [[unroll]] for (uint w = 0; w < 4; w++)
            letters_found[4 * lane + w] = known[w];
        barrier();
        for (uint i = lane; i < queued; i += PM_STRUCTURE_LANES) {
            const uint place = queue[i], at = place - begin;
            atomicOr(letters_found[at / 4], letter_at(place) << 8 * (at % 4));
        }
        barrier();
        [[unroll]] for (uint k = 0; k < PART / 4; k += PM_STRUCTURE_LANES)
            if (begin + 4 * (k + lane) < n)
                letters.at[begin / 4 + k + lane] = letters_found[k + lane];
        barrier();
    }
}
