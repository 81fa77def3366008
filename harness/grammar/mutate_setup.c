/* Changes of what a case begins with: windows, limits, profile, initial state. */
#include "harness/grammar/mutate_parts.h"
#include "pica/memory.h"

enum {
    LEAST_WINDOW_BYTES = 1 << 18
};

uint32_t mutate_window_bytes(const struct harness_case *test_case)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < test_case->window_count; i++)
        bytes += test_case->windows[i].size < HARNESS_PCB_MAX_WINDOW_BYTES ? test_case->windows[i].size
                                                                           : (uint32_t)HARNESS_PCB_MAX_WINDOW_BYTES;
    if (bytes > HARNESS_PCB_MAX_WINDOW_BYTES)
        return HARNESS_PCB_MAX_WINDOW_BYTES;
    return bytes < LEAST_WINDOW_BYTES ? LEAST_WINDOW_BYTES : bytes;
}

static uint32_t some_pages(struct harness_random *random)
{
    return PICA_PAGE_SIZE * harness_random_between(random, 1, 8);
}

static bool add_window(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    const uint32_t address = harness_random_percent(random, 50) ? mutate_any_address(mutation)
                             : harness_random_percent(random, 50)
                                 ? PICA_VRAM_ADDRESS + harness_random_below(random, PICA_VRAM_SIZE)
                                 : PICA_FCRAM_ADDRESS + harness_random_below(random, PICA_FCRAM_SIZE);
    return harness_case_add_window(mutation->test_case, address, some_pages(random));
}

bool mutate_windows(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_case *const test_case = mutation->test_case;
    const uint32_t bytes = mutate_window_bytes(test_case);
    const uint32_t index = harness_random_below(random, test_case->window_count);
    struct pica_window *const window = &test_case->windows[index];
    bool changed = true;
    switch (harness_random_below(random, 5)) {
    case 0: changed = add_window(mutation); break;
    case 1: window->size += some_pages(random); break;
    case 2: window->size = window->size > PICA_PAGE_SIZE ? window->size - PICA_PAGE_SIZE : window->size; break;
    case 3: window->address += some_pages(random) - 4u * PICA_PAGE_SIZE; break;
    default:
        if (test_case->window_count > 1)
            *window = test_case->windows[--test_case->window_count];
        break;
    }
    harness_case_fix_windows(test_case, bytes);
    return changed;
}

/* Mostly smaller than before; larger only as far as harness_limits_fuzzing, since limits keep cases quick. */
static uint32_t change_limit(struct harness_random *random, uint32_t old, uint32_t most)
{
    switch (harness_random_below(random, 8)) {
    case 0: return old > most ? old : most;
    case 1:
    case 2: return harness_random_between(random, 1, 64);
    case 3: return old > 1 ? old - 1u : old;
    default: return harness_random_between(random, 1, old);
    }
}

/* Each number of bits is equally likely, so that the limit ends some cases at once, some in the middle, most not at
 * all. */
static uint32_t change_work(struct harness_random *random)
{
    const uint32_t most = UINT32_C(1) << harness_random_between(random, 1, 20);
    return most == 1u << 20 ? (uint32_t)HARNESS_DEFAULT_WORK : harness_random_between(random, 1, most);
}

bool mutate_limits(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct pica_limits *const limits = &mutation->test_case->limits;
    const struct pica_limits most = harness_limits_fuzzing();
    switch (harness_random_below(random, 7)) {
    case 0: limits->commands = change_limit(random, limits->commands, most.commands); return true;
    case 1: limits->vertices = change_limit(random, limits->vertices, most.vertices); return true;
    case 2: limits->instructions = change_limit(random, limits->instructions, most.instructions); return true;
    case 3: limits->emits = change_limit(random, limits->emits, most.emits); return true;
    case 4: limits->pixels = change_limit(random, limits->pixels, most.pixels); return true;
    case 5: mutation->test_case->work = change_work(random); return true;
    default:
        mutation->test_case->profile =
            mutation->test_case->profile == PICA_PROFILE_F32 ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
        return true;
    }
}

/* ----------------------------------------------------------------------------------------------------------- state */

static uint32_t change_element(const struct mutation *mutation, const struct harness_part *part, uint32_t index,
                               uint32_t old)
{
    struct harness_random *const random = mutation->random;
    switch (part->type) {
    case HARNESS_PART_REGISTERS: return mutate_register_word(mutation, index, old);
    case HARNESS_PART_FLOATS: return harness_random_f32(random);
    case HARNESS_PART_CODE: return mutate_instruction(random, old);
    case HARNESS_PART_OPDESCS: return harness_layout_change(random, PICA_LAYOUT_SHADER_OPDESC, old);
    case HARNESS_PART_WORDS:
        return part->maximum == UINT32_MAX ? harness_word_change(random, old)
                                           : harness_random_below(random, part->maximum + 1u);
    }
    return old; /* not reached: all types are named */
}

static void change_part(const struct mutation *mutation, struct harness_state *state, uint32_t index)
{
    const struct harness_part *const part = &harness_parts[index];
    const uint32_t count = part->count < 24 ? part->count : 24;
    const uint32_t first = harness_random_below(mutation->random, part->count);
    for (uint32_t i = harness_random_between(mutation->random, 1, count); i > 0; i--) {
        const uint32_t element = (first + i) % part->count;
        harness_part_set(&state->values, index, element,
                         change_element(mutation, part, element, harness_part_get(&state->values, index, element)));
    }
    state->given |= (uint64_t)1 << index;
}

bool mutate_state(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_case *const test_case = mutation->test_case;
    if (test_case->state != NULL && harness_random_percent(random, 20)) {
        test_case->state = NULL;
        return true;
    }
    if (test_case->state == NULL && !harness_random_percent(random, 10))
        return false; /* a state is large: few cases should have one */
    struct harness_state *const state = harness_case_state(test_case);
    if (state == NULL)
        return false;
    const uint32_t index = harness_random_below(random, harness_part_count);
    if ((state->given >> index & 1u) != 0 && harness_random_percent(random, 30)) {
        state->given &= ~((uint64_t)1 << index);
        harness_state_normalise(state);
    } else {
        change_part(mutation, state, index);
        harness_state_settle(state);
    }
    return true;
}
