/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions from states to states, in one of two forms: words, or with PM_MANY eight words; and what a workgroup does
 * with those of its lanes. How many states there are is known when the kernel is made, so all loops over them are gone
 * by then.
 */
#define STATE_MASK PM_STRUCTURE_STATE_MASK

#ifdef PM_MANY

#define STATES_MOST PM_STRUCTURE_MANY
#define FUNCTION_WORDS PM_STRUCTURE_MANY_WORDS
#define STATE(s) (s)
struct function {
    uint at[PM_STRUCTURE_MANY_WORDS];
};

function function_nowhere() {
    return function(uint[](0, 0, 0, 0, 0, 0, 0, 0));
}

uint function_get(function f, uint state) {
    return f.at[state / 4] >> 8 * (state % 4) & STATE_MASK;
}

void function_set(inout function f, uint s, uint state) {
    f.at[s / 4] |= (state & STATE_MASK) << 8 * (s % 4);
}

#else

#define STATES_MOST PM_STRUCTURE_FEW
#define FUNCTION_WORDS 1u
#define STATE(s) (PM_STRUCTURE_FIELD * (s))
struct function {
    uint at[1];
};

function function_nowhere() {
    return function(uint[](0));
}

uint function_get(function f, uint state) {
    return f.at[0] >> state & STATE_MASK;
}

void function_set(inout function f, uint s, uint state) {
    f.at[0] |= (state & STATE_MASK) << PM_STRUCTURE_FIELD * s;
}

#endif

layout(constant_id = PM_CONSTANT_STATES) const uint states = STATES_MOST;

/* Of nothing: every state stays. */
function function_identity() {
    function identity = function_nowhere();
    [[unroll]] for (uint s = 0; s < STATES_MOST; s++)
        if (s < states)
            function_set(identity, s, STATE(s));
    return identity;
}

/* Of a stretch of text and the one behind it. */
function function_compose(function before, function behind) {
    function both = function_nowhere();
    [[unroll]] for (uint s = 0; s < STATES_MOST; s++)
        if (s < states)
            function_set(both, s, function_get(behind, function_get(before, STATE(s))));
    return both;
}

function function_load(uint group) {
    function f;
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        f.at[w] = functions.at[group * FUNCTION_WORDS + w];
    return f;
}

void function_store(uint group, function f) {
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        functions.at[group * FUNCTION_WORDS + w] = f.at[w];
}

/* Those of lanes stand behind those of groups, by tiles. */
uint lane_function_word(uint tile, uint w) {
    return groups() * FUNCTION_WORDS + (tile * FUNCTION_WORDS + w) * PM_STRUCTURE_LANES + lane;
}

function lane_function_load(uint tile) {
    function f;
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        f.at[w] = functions.at[lane_function_word(tile, w)];
    return f;
}

void lane_function_store(uint tile, function f) {
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        functions.at[lane_function_word(tile, w)] = f.at[w];
}

/* After the scan a group has the state before it where it had its function. */
uint state_load(uint group) {
    return functions.at[group * FUNCTION_WORDS];
}

void state_store(uint group, uint state) {
    functions.at[group * FUNCTION_WORDS] = state;
}

/* ---- Of lanes; all must come ---- */

shared uint exchanged[FUNCTION_WORDS * PM_STRUCTURE_LANES];

void function_publish(function f) {
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        exchanged[w * PM_STRUCTURE_LANES + lane] = f.at[w];
}

function function_of_lane(uint other) {
    function f;
    [[unroll]] for (uint w = 0; w < FUNCTION_WORDS; w++)
        f.at[w] = exchanged[w * PM_STRUCTURE_LANES + other];
    return f;
}

/* That of all lanes. */
function workgroup_compose(function own) {
    barrier();
    function_publish(own);
    barrier();
    for (uint by = 1; by < PM_STRUCTURE_LANES; by *= 2) {
        if (lane % (2 * by) == 0) {
            own = function_compose(own, function_of_lane(lane + by));
            function_publish(own);
        }
        barrier();
    }
    return function_of_lane(0);
}

/* That of all lanes before this one, and that of all. */
function workgroup_compose_before(function own, out function all) {
    barrier();
    function_publish(own);
    barrier();
    for (uint by = 1; by < PM_STRUCTURE_LANES; by *= 2) {
        if (lane >= by)
            own = function_compose(function_of_lane(lane - by), own);
        barrier();
        function_publish(own);
        barrier();
    }
    all = function_of_lane(PM_STRUCTURE_LANES - 1);
    if (lane == 0)
        return function_identity();
    return function_of_lane(lane - 1);
}
