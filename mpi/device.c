/* SPDX-License-Identifier: Apache-2.0 */
/* pm_match_gpu(), and the way from its results to those of the whole sequence. */
#include "mpi/ranks.h"

#include <string.h>

/* What is left of the stack before the slice: all blocks below, and of the topmost one `count` words, of the last of
 * which `opens`, not 0, are left. */
typedef struct far_stack {
    const pmi_mpi_block *top; /* NULL: nothing is left */
    size_t count;
    uint64_t opens;
} far_stack;

bool pmi_mpi_device_takes(const pm_context *context, size_t n) {
    return *pm_context_device(context) != '\0' && n > 0 && n <= UINT32_MAX;
}

static far_stack far_stack_of(const pmi_mpi_block *top) {
    return (far_stack){.top = top, .count = top ? top->count : 0, .opens = top ? top->words[top->count - 1].opens : 0};
}

/* Turns the blocks round, so that each knows the one below; returns the topmost. */
static pmi_mpi_block *blocks_reverse(pmi_mpi_block *lowest) {
    pmi_mpi_block *top = NULL;
    for (pmi_mpi_block *block = lowest, *above; block; block = above) {
        above = block->above;
        block->above = top;
        top = block;
    }
    return top;
}

/* The match of an element that has none in the slice. A close takes it off. */
static uint64_t far_match(far_stack *stack, bool is_open) {
    if (!stack->top)
        return PM_BP_NONE;
    const unsigned highest = pmi_bits_highest(stack->opens);
    const uint64_t found = stack->top->words[stack->count - 1].first + highest;
    if (is_open)
        return found;
    stack->opens ^= UINT64_C(1) << highest;
    if (stack->opens == 0 && --stack->count > 0)
        stack->opens = stack->top->words[stack->count - 1].opens;
    else if (stack->opens == 0)
        *stack = far_stack_of(stack->top->above);
    return found;
}

/* At most 64 elements, whose bits and matches in the slice, which begins at `index`, are given. */
static void word_match(uint64_t parens, const uint32_t *near, size_t count, uint64_t index, far_stack *stack,
                       uint64_t *match) {
    bool far = false;
    for (size_t i = 0; i < count; i++)
        far |= near[i] == PM_NONE;
    if (far)
        for (size_t i = 0; i < count; i++)
            match[i] = near[i] == PM_NONE ? far_match(stack, parens >> i & 1) : index + near[i];
    else
        for (size_t i = 0; i < count; i++)
            match[i] = index + near[i];
}

pm_status pmi_mpi_device_match(pmi_mpi_exchange *exchange, uint64_t *match) {
    const size_t n = exchange->n;
    const uint64_t index = exchange->origin + exchange->plan->first;
    /* The device's results lie in the second half of the whole match, which they leave before it is written. */
    uint32_t *const narrow = (uint32_t *)(void *)match + n;
    const pm_status status = pm_match_gpu(exchange->context, exchange->parens, n, narrow, NULL);
    if (status != PM_OK)
        return status;
    exchange->lowest = blocks_reverse(exchange->lowest);
    far_stack stack = far_stack_of(exchange->lowest);
    for (size_t begin = 0; begin < n; begin += PM_WORD_BITS) {
        uint32_t near[PM_WORD_BITS];
        const size_t count = n - begin < PM_WORD_BITS ? n - begin : PM_WORD_BITS;
        memcpy(near, narrow + begin, count * sizeof *near);
        word_match(exchange->parens[begin / PM_WORD_BITS], near, count, index, &stack, match + begin);
    }
    return PM_OK;
}
