/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage of `levels`: the match of every element. A workgroup of one team goes through consecutive tiles.
 *
 * The stack is an array in the workgroup's memory: at k % STACK the last open with key k. Within a tile levels differ by
 * less than 1024, within half of it by less than 512, so no two keys that are both looked for meet in one place; keys
 * above the present level are dead. An entry stays from tile to tile; what a tile needs and no tile of this workgroup has
 * left there is fetched before it (stack_fetch), from the survivors of the tiles that own those levels, which the tree of
 * least levels finds. With a stack of 512 entries, a tile so steep that its second half needs what the first has
 * overwritten fetches twice.
 *
 * In a tile, first lane = word: all positions of a word get their key, as bit slices. Then, for a quarter of the tile
 * after the other, four lanes a word: its opens are sorted into masks by key; and lane = element, word by word: the
 * lane's key gives a mask of the word's opens with that key, and the nearest one below is the match; without one,
 * the stack has it. A tile that is one run needs none of this (run_match).
 *
 * PM_SHORT: for at most 32 superblocks, which it scans itself.
 *
 * Of a slice (PM_CONSTANT_PART) results are indices in the whole sequence. PM_FAR: workgroups go through the list of what
 * looks further back than the slice begins (shaders/match/levels_far.glsl), and match no other tiles.
 *
 * PM_BATCH: of many sequences matched as one; results count from the sequence of their own
 * (shaders/match/levels_batch.glsl).
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/shared/algebra.glsl"
#include "shaders/match/levels.glsl"

#define AT_A_TIME 8u /* words that are sorted, and whose masks are loaded, at a time */
#define GROUPS (PM_TILE_WORDS / AT_A_TIME)
/* A tile's groups one by one in the code, and complete tiles apart from the last one, are worth their place where lanes
 * need no barriers between them; elsewhere they only take long to compile. */
#ifdef PM_TEAM_IS_SUBGROUP
#define EACH_GROUP [[unroll]]
#define COMPLETE_TILES_APART true
#else
#define EACH_GROUP [[dont_unroll]]
#define COMPLETE_TILES_APART false
#endif

/* Of a word, the opens with each value of bits 1 to 4 of the key; bit 0 is the parity of the position. Two words share a
 * row: word w's mask of value v is at w / 2 * ROW + 2 * v + w % 2. So the lowest bits of a key, times 4, are an offset
 * in bytes; 32 lanes write four masks each of eight words, and read 16 of one word, without two of them meeting in a
 * bank. */
#define ROW 34u
shared uint by_key[AT_A_TIME / 2 * ROW];
/* Of two words of the tile each: the word's elements one place up, so that bit b is the element before position b; and
 * the level before that one, times 4. */
shared uvec4 word_record[PM_TILE_WORDS / 2];

#if !defined(PM_BATCH) && !defined(PM_FAR) /* batches lose 2 % by it */
#define LIST_KEYS 4u
#endif
#include "shaders/match/levels_fetch.glsl"
#ifdef PM_FAR
#include "shaders/match/levels_far.glsl"
#endif

/* What is stored for a match that has been found. start: where the element's sequence begins. */
#ifdef PM_BATCH
#include "shaders/match/levels_batch.glsl"
#define RESULT(found, start) counted_from(found, start)
#else
#define RESULT(found, start) (found)
#endif

/* ---- A tile ---- */

/* Lane = word: bits 1 to 4 of the keys. The key at bit b is level + 2 * (set bits of `before` at and below b) - b - 1.
 * Relative to `level`, its lowest bit is whether b is even, and modulo 16 those above are set bits - b / 2 - 1 = set
 * bits + ~(b / 2). */
uvec4 word_half_keys(uint before) {
    const uvec4 not_half_position = uvec4(0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu);
    return planes_add(planes_prefix_count(before), not_half_position);
}

/* Lane = word. */
void word_record_make(uint before, uint level) {
    if (lane % 2 == 0)
        word_record[lane / 2].xy = uvec2(before, 4 * level);
    else
        word_record[lane / 2].zw = uvec2(before, 4 * level);
}

/* Eight words' masks, from what their lanes know: each lane makes four of one word, those with one value of the key's
 * bits 3 and 4. */
void group_sort(uint group, uint before_of_lane, uvec4 half_keys_of_lane) {
    const uint word = lane % AT_A_TIME, high = lane / AT_A_TIME, from = group * AT_A_TIME + word;
    const uint before = lanes_shuffle(before_of_lane, from);
    uvec4 half_keys;
    [[unroll]] for (int bit = 0; bit < 4; bit++)
        half_keys[bit] = lanes_shuffle(half_keys_of_lane[bit], from);
    const uint opens =
        before & ((high & 1) != 0 ? half_keys.z : ~half_keys.z) & ((high & 2) != 0 ? half_keys.w : ~half_keys.w);
    const uint to = word / 2 * ROW + word % 2 + 8 * high;
    [[unroll]] for (uint low = 0; low < 4; low++)
        by_key[to + 2 * low] = opens & ((low & 1) != 0 ? half_keys.x : ~half_keys.x) &
                               ((low & 2) != 0 ? half_keys.y : ~half_keys.y);
}

uvec2 word_record_of(uint group, uint w) {
    const uvec4 records = word_record[group * (AT_A_TIME / 2) + w / 2];
    return w % 2 == 0 ? records.xy : records.zw;
}

/* Four times this lane's key in a word, relative to the level in the word's record. */
uint lane_key(uint before) {
    return 8 * bitCount(before & ((2u << lane) - 1)) - 4 * (lane + 1);
}

/* Lane = element: eight words of group `group`; the first element is `element`, and this lane's first match goes to the
 * beginning of `to`. `room` elements from this lane's first on exist. Keys are times 4, so that they are offsets in
 * bytes. */
void words_match(uint group, uint element, pm_words to, uint room) {
    const uint up_to_lane = (2u << lane) - 1, same_parity = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
    const uint up_to = up_to_lane & same_parity, beyond = ~up_to_lane & same_parity;
    uint place[AT_A_TIME], same[AT_A_TIME];
    [[unroll]] for (uint w = 0; w < AT_A_TIME; w++) {
        const uvec2 record = word_record_of(group, w);
        const uint key = lane_key(record.x);
        same[w] = by_key[((key & 0x78) >> 2) + w / 2 * ROW + w % 2];
        place[w] = ((record.y + key) & (4 * (STACK - 1))) >> 2;
    }
#ifdef PM_BATCH
    const uint start[AT_A_TIME] = starts_of_group(group, element);
#endif
    const uint before = element - 1;
    [[unroll]] for (uint w = 0; w < AT_A_TIME; w++) {
        const uint nearest = same[w] & up_to, later = same[w] & beyond;
        uint found = stack[place[w]];
        if (nearest != 0)
            found = before + 32 * w + findMSB(nearest);
        lanes_barrier();
        if (later == 0) /* of the lanes with this key the last ones, which agree */
            stack[place[w]] = found;
        if (room > 32 * w)
            to.at[32 * w] = RESULT(found, start[w]);
        lanes_barrier();
    }
}

/* ---- Halves of a tile, with a stack of 512 entries ---- */

/* Fetches what the second half of a tile that begins at `level` may need and its first half may have overwritten. keys:
 * this lane's word looks for no lesser and no greater ones; `known` and those the tile needs begin at known and low; all
 * relative to `level`. Returns what is known then. */
int second_half_fetch(uint tile, uint level, ivec2 keys, int half_change, int known, int low) {
    const bool first = lane < PM_TILE_WORDS / 2;
    low = max(max(low, lanes_min(first ? int(PM_TILE) : keys.x)), half_change + 1 - int(STACK));
    const int first_highest = lanes_max(first ? keys.y : 0);
    /* No key that the first half asked for is fetched: these span less than 512, even by such bounds. */
    known = max(known, first_highest + 1 - int(STACK));
    if (low < known)
        stack_fetch(tile, level + uint(low), uint(known - low));
    lanes_barrier();
    return min(low, known);
}

/* ---- Tiles that are one run ---- */

/* Lane = element: as many opens as the stack has entries, the first of which is at `level`. It asks for the key `level`,
 * each of the others is the child of the one before it. */
void opens_match(uint element, uint level, pm_words to) {
    const uint outside = stack[level % STACK];
    lanes_barrier();
    [[dont_unroll]] for (uint e = 0; e < STACK; e += PM_LANES) {
        to.at[e] = RESULT(e + lane == 0 ? outside : element + e + lane - 1, start_of(element + e));
        stack[(level + 1 + e + lane) % STACK] = element + e + lane;
    }
}

/* Likewise of closes: element e asks for the key level - e. */
void closes_match(uint element, uint level, pm_words to) {
    [[dont_unroll]] for (uint e = 0; e < STACK; e += PM_LANES)
        to.at[e] = RESULT(stack[(level - e - lane) % STACK], start_of(element + e));
}

/* Either. No keys are to be told apart and nothing is to be sorted, as deep inputs have it for long. `open_before`: so
 * is the element before them, which nobody has put on the stack yet. */
void run_match(bool of_opens, uint element, uint level, bool open_before, pm_words to) {
    lanes_barrier();
    if (open_before && lane == 0)
        stack[level % STACK] = element - 1;
    lanes_barrier();
    if (of_opens)
        opens_match(element, level, to);
    else
        closes_match(element, level, to);
    lanes_barrier();
}

/* ---- Consecutive tiles ---- */

void tiles_match(uint begin, uint end) {
#ifdef PM_FAR
    resume_key = resume_before = 0; /* of the tiles before */
#endif
#ifdef PM_SHORT /* all is read at once, so that the team waits for memory once */
    const ivec2 sum = lane < superblocks ? superblock_sum.at[lane] : ivec2(0);
    const ivec2 record = tile_record.at[begin / PM_SUPERBLOCK_TILES * PM_SUPERBLOCK_TILES + lane];
    uint words = parens_word(begin * PM_TILE_WORDS + lane), last_word = 0;
    superblocks_scan(begin == 0, sum);
    superblock_take_record(begin / PM_SUPERBLOCK_TILES, record);
    uint level = superblock_level(superblock) + lanes_shuffle(uint(PM_TILE_START(record.x)), begin % PM_SUPERBLOCK_TILES);
#else
    superblock_take(begin / PM_SUPERBLOCK_TILES);
    uint level = superblock_level(superblock) + uint(PM_TILE_START(tile_record.at[begin].x));
    uint words = parens_word(begin * PM_TILE_WORDS + lane), last_word = 0;
#endif
    uint own = superblock, own_least = tile_least; /* of the superblock that the present tile is in */
    const uint l = begin % PM_SUPERBLOCK_TILES;
    const uint least_ahead = lanes_min(lane >= l && lane < l + (end - begin) ? tile_least : 0xffffffffu);
    int known = 1; /* keys level + known ... level are on the stack */
    uint later_words = READ_AHEAD && begin + 1 < end ? parens_word((begin + 1) * PM_TILE_WORDS + lane) : 0;
#ifdef PM_BATCH
    starts_begin(begin * PM_TILE);
#endif

    for (uint tile = begin; tile < end; tile++) {
        if (tile / PM_SUPERBLOCK_TILES != own) {
            own = tile / PM_SUPERBLOCK_TILES;
            own_least = superblock_level(own) + uint(tile_record.at[own * PM_SUPERBLOCK_TILES + lane].y);
        }
        const uint least = tile == begin ? least_ahead : lanes_shuffle(own_least, tile % PM_SUPERBLOCK_TILES);
        const uint below = lanes_shuffle_up(words, 1);
        const uint before = words << 1 | (lane == 0 ? last_word : below) >> 31;
        const int opens = bitCount(words), change = 2 * opens - 32;
        const int end_change = int(lanes_inclusive_add(uint(change)));
        const int word_change = end_change - change; /* of the level, from the tile's start to the word's */
        const int tile_change = int(lanes_shuffle(uint(end_change), PM_LANES - 1));
        const ivec2 keys = word_change + ivec2(max(opens - 32, -31), min(opens, 31)); /* it looks for none beyond */
        const int highest = lanes_max(keys.y);
        last_word = lanes_shuffle(words, PM_LANES - 1);
        if (READ_AHEAD && (tile - begin) % 2 == 0) {
            words = later_words;
        } else { /* two tiles' words at a time: memory takes its time to turn from being written to being read */
            if (tile + 1 < end)
                words = parens_word((tile + 1) * PM_TILE_WORDS + lane);
            if (READ_AHEAD && tile + 2 < end)
                later_words = parens_word((tile + 2) * PM_TILE_WORDS + lane);
        }

        const int low = int(least - level), near_low = max(low, 1 - int(STACK));
        if (near_low < known) {
            stack_fetch(tile, level + uint(near_low), uint(known - near_low));
            known = near_low;
        }
        const uint element = tile * PM_TILE, index = index_of(element);
        const bool steep = STACK < PM_TILE && highest - low >= int(STACK), whole = n - element >= PM_TILE;
        const uint room = max(n, element + lane) - (element + lane);
#ifdef PM_BATCH
        starts_make(element);
#endif
        const bool one_run = whole && abs(tile_change) == int(PM_TILE);
        const int half_change = int(lanes_shuffle(uint(end_change), PM_LANES / 2 - 1));
        pm_words to = words_after(match, (tile - match_tile) * PM_TILE + lane);
        if (one_run) {
            [[dont_unroll]] for (uint done = 0; done < PM_TILE; done += STACK) {
                if (done > 0)
                    known = second_half_fetch(tile, level, keys, half_change, known, low);
                run_match(tile_change > 0, index + done, level + uint(done > 0 ? half_change : 0),
                          (lanes_shuffle(before, done / 32) & 1) != 0, words_after(to, done));
            }
        } else {
            const uvec4 half_keys = word_half_keys(before);
            lanes_barrier();
            word_record_make(before, level + uint(word_change) - ((before & 1) != 0 ? 1 : -1));
            EACH_GROUP for (uint group = 0; group < GROUPS; group++) {
                const uint done = group * AT_A_TIME * 32;
                if (steep && group == GROUPS / 2)
                    known = second_half_fetch(tile, level, keys, half_change, known, low);
                group_sort(group, before, half_keys);
                lanes_barrier();
                if (COMPLETE_TILES_APART && whole) /* and the compiler knows that all checks hold */
                    words_match(group, index + done, words_after(to, done), PM_TILE);
                else
                    words_match(group, index + done, words_after(to, done), max(room, done) - done);
            }
        }
        resume_key = min(resume_key, level + uint(low));
        /* What this tile may have put in the place of a key it did not ask for is lost. */
        known = min(max(known, highest + 1 - int(STACK)) - tile_change, 1);
        level += uint(tile_change);
    }
}

#ifdef PM_FAR

void main() {
    parameters_take();
    pm_words far = far_list();
    for (uint k = gl_WorkGroupID.x; k < far.at[PM_FAR_COUNT]; k += gl_NumWorkGroups.x) {
        const uvec2 tiles = far_tiles(far.at[PM_FAR_BEGIN + k]);
        const uint begin = max(tiles.x, first), end = min(tiles.y, first + count);
        if (begin < end)
            tiles_match(begin, end);
        lanes_barrier();
    }
}

#else

void main() {
    parameters_take();
    const uint begin = first + gl_WorkGroupID.x * per_group, end = min(begin + per_group, first + count);
    tiles_match(begin, end);
}

#endif
