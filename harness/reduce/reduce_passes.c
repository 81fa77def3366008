/* The passes of the reducer in the order in which they run, and their names. docs/log/reducer-passes.md measures the
 * benefit of each pass, and of each further turn. */
#include "harness/reduce/reduce.h"
#include "harness/reduce/reduce_pass.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const struct reduce_pass *const passes[] = {
    &harness_reduce_operations,
    &harness_reduce_chunks,
    &harness_reduce_types,
    &harness_reduce_state,
    &harness_reduce_commands,
    &harness_reduce_jumps,
    &harness_reduce_parameters,
    &harness_reduce_commands,
    &harness_reduce_usual,
    &harness_reduce_draws,
    &harness_reduce_send,
    &harness_reduce_vertices,
    &harness_reduce_indices,
    &harness_reduce_outputs,
    &harness_reduce_moves,
    &harness_reduce_copies,
    &harness_reduce_output_map,
    &harness_reduce_attributes,
    &harness_reduce_inputs,
    &harness_reduce_uniforms,
    &harness_reduce_descriptors,
    &harness_reduce_places,
    &harness_reduce_uniform_formats,
    &harness_reduce_stages,
    &harness_reduce_modes,
    &harness_reduce_texture_units,
    &harness_reduce_blending,
    &harness_reduce_commands,
    &harness_reduce_merge,
    &harness_reduce_streams,
    &harness_reduce_words,
    &harness_reduce_instructions,
    &harness_reduce_fields,
    &harness_reduce_bytes,
    &harness_reduce_contents,
    &harness_reduce_windows,
    &harness_reduce_forms,
    &harness_reduce_numbers,
    &harness_reduce_window_sizes,
    &harness_reduce_home,
    &harness_reduce_runs,
    &harness_reduce_addresses,
    &harness_reduce_bases,
    &harness_reduce_setup,
};
enum {
    PASSES = sizeof passes / sizeof passes[0]
};
_Static_assert((uint32_t)PASSES <= HARNESS_REDUCE_MOST_TURNS, "a bit for each turn");

const struct reduce_plan harness_reduce_plan = { passes, PASSES };

uint32_t harness_reduce_passes_digest(void)
{
    uint32_t digest = 0;
    for (uint32_t i = 0; i < PASSES; i++)
        digest = XXH32(passes[i]->name, strlen(passes[i]->name), digest + passes[i]->variants);
    return digest;
}

/* The number of this turn among the turns of its pass, from 1. */
static unsigned number_of(uint32_t turn)
{
    unsigned number = 1;
    for (uint32_t i = 0; i < turn; i++)
        number += passes[i] == passes[turn];
    return number;
}

const char *harness_reduce_turn_name(uint32_t turn, unsigned *number)
{
    if (turn >= PASSES)
        return NULL;
    *number = number_of(turn);
    return passes[turn]->name;
}

uint64_t harness_reduce_find_turns(const char *name)
{
    const size_t length = strcspn(name, ":");
    uint64_t turns = 0;
    char *end = NULL;
    const unsigned long number = name[length] == ':' ? strtoul(name + length + 1, &end, 10) : 0;
    if (end != NULL && (*end != '\0' || number == 0))
        return 0;
    for (uint32_t i = 0; i < PASSES; i++) {
        const char *const found = passes[i]->name;
        if (strlen(found) == length && strncmp(found, name, length) == 0 && (number == 0 || number == number_of(i)))
            turns |= UINT64_C(1) << i;
    }
    return turns;
}
