/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A partition, which is what one workgroup has in its memory: its words, and over them an implicit tree of bicyclic
 * elements, a node's children being 2 * node and 2 * node + 1 and the words its leaves. The tree finds the open that is
 * under `pops` others on the stack: upwards past all that lies to the left and is popped, then down into what is not.
 *
 * A bicyclic element is a number here: unmatched closes in its low half, unmatched opens in its high half. Barriers are
 * all that the invocations meet at, so subgroups may be of any size.
 *
 * PM_PARAMETERS are the shader's, parens among them. n, the number of elements, is one of them or declared before.
 */
#include "shaders/shared/algebra.glsl"
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
layout(constant_id = PM_CONSTANT_WORDS) const uint PARTITION_WORDS = 32; /* a power of two, 2 ... 2048 */
layout(constant_id = PM_CONSTANT_PLANES) const uint PLANES_KEPT = 1; /* a partition's words, or 1: none are */
#define INVOCATIONS gl_WorkGroupSize.x
/* Of an invocation, so that it waits for them once. */
const uint WORDS_AT_A_TIME = PARTITION_WORDS > INVOCATIONS ? 4 : 1;
#define PARTITION (PARTITION_WORDS * 32)

PM_WORDS_ACCESS PM_BUFFER(pm_words, uint, 4);
readonly PM_BUFFER(pm_constant_words, uint, 4);
PM_PUSHED(PM_PARAMETERS);

shared uint words[PARTITION_WORDS];
shared uvec4 planes_kept[PLANES_KEPT]; /* of each word its levels, which else are made again whenever they are wanted */
shared uint tree[2 * PARTITION_WORDS]; /* the root, which may be too large for two halves, is left out */

/* ---- Bicyclic elements ---- */

uint bic_close(uint x) {
    return x & 0xffffu;
}

uint bic_open(uint x) {
    return x >> 16;
}

/* What is popped under something before which `pops` are, and which is not deep enough for that. */
uint pops_under(uint x, uint pops) {
    return pops - bic_open(x) + bic_close(x);
}

uint bic_join(uint x, uint y) {
    return x + y - 0x10001u * min(bic_open(x), bic_close(y));
}

uvec2 bic_join(uvec2 x, uvec2 y) {
    return x + y - min(x.y, y.x);
}

uvec2 bic_unpack(uint x) {
    return uvec2(bic_close(x), bic_open(x));
}

uint bic_pack(uvec2 x) {
    return x.x | x.y << 16;
}

/* The lesser of two numbers in each field; `tops` are the fields' highest bits, which are clear in both. */
uint fields_min(uint x, uint y, uint tops, uint width) {
    const uint not_less = ((x | tops) - y) & tops; /* where x >= y */
    const uint mask = (not_less - (not_less >> (width - 1))) | not_less;
    return (y & mask) | (x & ~mask);
}

/* Joins neighbours: of 32 / width pairs to fields of `width`. */
void fields_join(inout uint close, inout uint open, uint low_halves, uint tops, uint width) {
    const uint open_left = open & low_halves, close_right = close >> width / 2 & low_halves;
    const uint cancelled = fields_min(open_left, close_right, tops, width);
    open = open_left + (open >> width / 2 & low_halves) - cancelled;
    close = (close & low_halves) + close_right - cancelled;
}

/* Of a word: sixteen elements of two, eight of four, ... one of 32. */
uint word_bic(uint word) {
    uint close = ~word, open = word;
    const uint cancelled = open & close >> 1 & 0x55555555u;
    open = (open & 0x55555555u) + (open >> 1 & 0x55555555u) - cancelled;
    close = (close & 0x55555555u) + (close >> 1 & 0x55555555u) - cancelled;
    fields_join(close, open, 0x33333333u, 0x88888888u, 4);
    fields_join(close, open, 0x0f0f0f0fu, 0x80808080u, 8);
    fields_join(close, open, 0x00ff00ffu, 0x80008000u, 16);
    return bic_join((close & 0xffffu) | open << 16, close >> 16 | (open & 0xffff0000u));
}

/* ---- Words ---- */

/* Word `index` of the input. Elements past n count as opens; no word without an element is read. */
uint parens_word(uint index) {
    const uint whole = n / 32, rest = n % 32;
    if (index < whole)
        return pm_constant_words(parens).at[index];
    return index > whole || rest == 0 ? 0xffffffffu : pm_constant_words(parens).at[index] | 0xffffffffu << rest;
}

/* The level after each position of a word, modulo 32; the level before the word is 0. At bit b it is
 * 2 * (set bits at and below b) - b - 1, whose lowest bit is whether b is even, and the others set bits + ~(b / 2). */
uvec4 word_planes(uint word) {
    const uvec4 not_half_position = uvec4(0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu);
    return planes_add(planes_prefix_count(word), not_half_position);
}

/* The positions of a word of the partition after which the level is `level`, modulo 32. */
uint word_at_level(uint leaf, int level) {
    uvec4 planes;
    if (PLANES_KEPT > 1)
        planes = planes_kept[leaf];
    else
        planes = word_planes(words[leaf]);
    uint at = (level & 1) != 0 ? 0x55555555u : 0xaaaaaaaau;
    at &= (level & 2) != 0 ? planes.x : ~planes.x;
    at &= (level & 4) != 0 ? planes.y : ~planes.y;
    at &= (level & 8) != 0 ? planes.z : ~planes.z;
    at &= (level & 16) != 0 ? planes.w : ~planes.w;
    return at;
}

/* The level after the word. */
int word_end(uint word) {
    return 2 * bitCount(word) - 32;
}

/* ---- The tree ---- */

/* The tree over the first `leaves` words, a power of two, of a partition that begins with word `first`: the leaves. */
void tree_begin(uint first, uint leaves) {
    for (uint begin = gl_LocalInvocationIndex; begin < leaves; begin += WORDS_AT_A_TIME * INVOCATIONS) {
        uint loaded[4];
        [[unroll]] for (uint k = 0; k < WORDS_AT_A_TIME; k++) {
            const uint leaf = begin + k * INVOCATIONS;
            loaded[k] = leaf < leaves ? parens_word(first + leaf) : 0;
        }
        [[unroll]] for (uint k = 0; k < WORDS_AT_A_TIME; k++) {
            const uint leaf = begin + k * INVOCATIONS;
            if (leaf >= leaves)
                break;
            words[leaf] = loaded[k];
            tree[leaves + leaf] = word_bic(loaded[k]);
            if (PLANES_KEPT > 1)
                planes_kept[leaf] = word_planes(loaded[k]);
        }
    }
}

/* A level of `nodes` nodes over one that is there. */
void tree_join(uint nodes) {
    for (uint node = nodes + gl_LocalInvocationIndex; node < 2 * nodes; node += INVOCATIONS)
        tree[node] = bic_join(tree[2 * node], tree[2 * node + 1]);
}

void tree_make(uint first, uint leaves) {
    tree_begin(first, leaves);
    barrier();
    for (uint nodes = leaves / 2; nodes > 1; nodes /= 2) {
        tree_join(nodes);
        barrier();
    }
}

/* The partition's bicyclic element. */
uvec2 tree_total() {
    return bic_join(bic_unpack(tree[2]), bic_unpack(tree[3]));
}

/* The match of an element of the partition, relative to its begin. If it lies before it, `inside` becomes false and
 * the match is under as many others, on the stack before the partition, as is returned. */
uint partition_match(uint element, uint leaves, out bool inside) {
    const uint leaf = element / 32, position = element % 32;
    const uint below = words[leaf] & ((1u << position) - 1);
    const int level = 2 * bitCount(below) - int(position);
    const uint near = word_at_level(leaf, level) & below;
    inside = true;
    if (near != 0)
        return 32 * leaf + findMSB(near);

    uint pops = -level, node = leaves + leaf;
    inside = false;
    for (; node > 1 && !inside; node /= 2)
        if (node % 2 == 1) {
            inside = bic_open(tree[node - 1]) > pops;
            pops = inside ? pops : pops_under(tree[node - 1], pops);
            node = inside ? 2 * (node - 1) : node; /* which the loop halves */
        }
    if (!inside)
        return pops;
    while (node < leaves) {
        const uint right = tree[2 * node + 1];
        node = 2 * node + (bic_open(right) > pops ? 1 : 0);
        pops = node % 2 == 1 ? pops : pops_under(right, pops);
    }
    const uint found = node - leaves;
    return 32 * found + findMSB(words[found] & word_at_level(found, word_end(words[found]) - int(pops)));
}

/* The unmatched closes and opens of the words after `leaf`. */
uint tree_after(uint leaf, uint leaves) {
    uint bic = 0;
    for (uint node = leaves + leaf; node > 1; node /= 2)
        if (node % 2 == 0)
            bic = bic_join(bic, tree[node + 1]);
    return bic;
}
