/*
 * Flow control of the shader units: calls, branches and loops, and where the next instruction is.
 *
 * There is no return and there are no end markers in the code. CALL, IF and LOOP push the address where their scope
 * ends, each on a stack of its own, and after every instruction the next address is compared with the tops of the three
 * stacks (SHD-41 to SHD-44). A stack that is full loses its oldest entry (SHD-40).
 *
 * Worked number: `0: LOOP i0 dst=1; 1: body; 2: END` with i0 = (2, 10, 3) runs the body with aL = 10, 13, 16, three
 * times; afterwards aL is 19.
 */
#include "reference/shader.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------ conditions */

/* The condition of format 2. */
bool ref_condition_of(const struct ref_shader *shader, uint32_t word)
{
    const bool x = shader->compare[0] == (pica_shader_format_2_refx(word) != 0);
    const bool y = shader->compare[1] == (pica_shader_format_2_refy(word) != 0);
    switch (pica_shader_format_2_condition(word)) {
    case PICA_SHADER_CONDITION_OR: return x || y;
    case PICA_SHADER_CONDITION_AND: return x && y;
    case PICA_SHADER_CONDITION_X: return x;
    case PICA_SHADER_CONDITION_Y:
    default: return y; /* the field has two bits */
    }
}

/* The b register of format 3. */
static bool boolean_of(const struct ref_shader *shader, uint32_t word)
{
    return (shader->unit->booleans >> pica_shader_format_3_uniform(word) & 1u) != 0;
}

/* ---------------------------------------------------------------------------------------------------------- scopes */

/* SHD-40: makes room on a stack: a full one loses its oldest entry. Returns the index of the new entry. */
static uint32_t push(void *entries, size_t size, uint32_t depth, uint32_t *count)
{
    if (*count == depth) {
        memmove(entries, (char *)entries + size, size * (depth - 1u));
        *count = depth - 1u;
    }
    *count += 1u;
    return *count - 1u;
}

/* SHD-45: pushes a call. The address where the function ends is not wrapped to the size of the code. */
static void enter_call(struct ref_shader *shader, uint32_t target, uint32_t count)
{
    const uint32_t i = push(shader->calls, sizeof shader->calls[0], REF_CALL_DEPTH, &shader->call_count);
    shader->calls[i] = (struct ref_call_entry){ target + count, shader->pc + 1u };
    shader->jump = target;
}

static void enter_if(struct ref_shader *shader, uint32_t target, uint32_t count)
{
    const uint32_t i = push(shader->ifs, sizeof shader->ifs[0], REF_IF_DEPTH, &shader->if_count);
    shader->ifs[i] = (struct ref_if_entry){ target, target + count };
}

/* SHD-48: the i register; the upper two bits of its number are ignored. */
static uint32_t loop_register(uint32_t word)
{
    return pica_shader_format_3_uniform(word) & 3u;
}

/* SHD-48: saves aL for the loop around this one: its current value; on the other side, the one that this loop sets. */
static void enter_loop(struct ref_shader *shader, uint32_t word)
{
    const uint8_t *integer = shader->unit->integers[loop_register(word)];
    const bool keeps_start = ref_takes(shader->gpu, PICA_SIDE_LOOP_SAVED_Y);
    const uint32_t i = push(shader->loops, sizeof shader->loops[0], REF_LOOP_DEPTH, &shader->loop_count);
    shader->loops[i] =
        (struct ref_loop_entry){ .entry = shader->pc + 1u,
                                 .end = pica_shader_format_3_dst(word) + 1u,
                                 .count = integer[0],
                                 .increment = integer[2],
                                 .saved = keeps_start ? integer[1] : (uint32_t)shader->loop_counter & 0xFFu };
    shader->loop_counter = integer[1];
}

/* ------------------------------------------------------------------------------------------- after an instruction */

/* SHD-42: up to four functions that end here return at once; the fourth return address is lost. */
static void check_calls(struct ref_shader *shader, uint32_t next)
{
    uint32_t target = next;
    for (int pops = 1; pops <= 4; pops++) {
        if (shader->call_count == 0 || shader->calls[shader->call_count - 1u].end != target)
            return;
        shader->call_count -= 1u;
        if (pops <= 3) {
            target = shader->calls[shader->call_count].ret;
            shader->pc = target;
        }
    }
}

/* SHD-43: the end of the "then" part skips the "else" part. */
static void check_ifs(struct ref_shader *shader, uint32_t next)
{
    if (shader->if_count == 0 || shader->ifs[shader->if_count - 1u].otherwise != next)
        return;
    shader->if_count -= 1u;
    shader->pc = shader->ifs[shader->if_count].end;
}

/* SHD-44, SHD-49, SHD-51: aL counts modulo 2^32; only the innermost loop is looked at. True: its body runs again. */
static bool check_loops(struct ref_shader *shader, uint32_t next)
{
    if (shader->loop_count == 0)
        return false;
    struct ref_loop_entry *top = &shader->loops[shader->loop_count - 1u];
    if (top->end != next && !shader->is_breaking)
        return false;
    if (shader->gpu->is_watched && (shader->is_breaking || top->count == 0))
        ref_record_rounds(shader, top);

    const bool stands = shader->is_breaking && ref_takes(shader->gpu, PICA_SIDE_BREAK_COUNTER_KEEPS); /* SHD-50 */
    const uint32_t counter = (uint32_t)shader->loop_counter + (stands ? 0u : top->increment);
    memcpy(&shader->loop_counter, &counter, sizeof counter);
    if (!shader->is_breaking && top->count != 0) {
        top->count -= 1u;
        shader->pc = top->entry;
        return true;
    }
    shader->pc = top->end;
    if (shader->loop_count > 1)
        shader->loop_counter = (int32_t)top->saved;
    shader->loop_count -= 1u;
    return false;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* What is on top of a stack and where that sends the program. */
static void record_check(const struct ref_shader *shader, const char *rule, uint32_t count)
{
    ref_record_rule(shader, rule, shader->executed,
                    (const uint32_t[]){ shader->pc, count, (uint32_t)shader->loop_counter }, 3);
}

static void record_condition(const struct ref_shader *shader, uint32_t word, bool holds)
{
    ref_record_rule(shader, "SHD-47", shader->pc, (const uint32_t[]){ holds }, 1);
    const uint32_t outcome = holds ? PICA_FEATURE_CONDITION_HOLDS : PICA_FEATURE_CONDITION_FAILS;
    ref_feature(shader->gpu, outcome + (uint32_t)pica_shader_format_2_condition(word));
}

static void record_boolean(const struct ref_shader *shader, uint32_t word, bool value)
{
    ref_record_rule(shader, "SHD-47", shader->pc, (const uint32_t[]){ value }, 1);
    const uint32_t outcome = value ? PICA_FEATURE_BOOLEAN_TRUE : PICA_FEATURE_BOOLEAN_FALSE;
    ref_feature(shader->gpu, outcome + pica_shader_format_3_uniform(word));
}

static void record_loop(const struct ref_shader *shader, uint32_t word)
{
    const struct ref_loop_entry *const loop = &shader->loops[shader->loop_count - 1u];
    ref_record_rule(shader, "SHD-48", shader->pc,
                    (const uint32_t[]){ loop->entry, loop->end, loop->count, loop->increment, loop->saved,
                                        (uint32_t)shader->loop_counter },
                    6);
    ref_feature(shader->gpu, PICA_FEATURE_LOOP_DEPTH + shader->loop_count - 1u);
    ref_feature(shader->gpu, PICA_FEATURE_LOOP_ENTERED + loop_register(word));
}

bool ref_condition_holds(const struct ref_shader *shader, uint32_t word)
{
    const bool holds = ref_condition_of(shader, word);
    if (shader->gpu->is_watched)
        record_condition(shader, word, holds);
    return holds;
}

bool ref_boolean_holds(const struct ref_shader *shader, uint32_t word)
{
    const bool value = boolean_of(shader, word);
    if (shader->gpu->is_watched)
        record_boolean(shader, word, value);
    return value;
}

/* CALL, CALLC, CALLU. */
void ref_run_call(struct ref_shader *shader, uint32_t target, uint32_t count)
{
    ref_event_if(shader->gpu, shader->call_count == REF_CALL_DEPTH, PICA_EVENT_STACK_OVERFLOW);
    enter_call(shader, target, count);
    if (shader->gpu->is_watched) {
        ref_feature(shader->gpu, PICA_FEATURE_CALL_DEPTH + shader->call_count - 1u);
        ref_record_rule(shader, "SHD-45", shader->pc,
                        (const uint32_t[]){ shader->jump, shader->calls[shader->call_count - 1u].end }, 2);
    }
}

/* SHD-47. */
void ref_run_if(struct ref_shader *shader, bool condition, uint32_t target, uint32_t count)
{
    if (!condition) {
        shader->jump = target;
        return;
    }
    ref_event_if(shader->gpu, shader->if_count == REF_IF_DEPTH, PICA_EVENT_STACK_OVERFLOW);
    enter_if(shader, target, count);
    if (shader->gpu->is_watched)
        ref_feature(shader->gpu, PICA_FEATURE_IF_DEPTH + shader->if_count - 1u);
}

void ref_run_loop(struct ref_shader *shader, uint32_t word)
{
    ref_event_if(shader->gpu, shader->loop_count == REF_LOOP_DEPTH, PICA_EVENT_STACK_OVERFLOW);
    enter_loop(shader, word);
    if (shader->gpu->is_watched)
        record_loop(shader, word);
}

/* SHD-50: check_loops leaves the loop. */
void ref_run_break(struct ref_shader *shader)
{
    shader->is_breaking = shader->loop_count > 0;
    ref_event_if(shader->gpu, !shader->is_breaking, PICA_EVENT_BREAK_EMPTY);
    if (shader->gpu->is_watched)
        ref_feature_if(shader->gpu, shader->is_breaking, PICA_FEATURE_LOOP_BROKEN);
}

/* SHD-41: each check overrides the jump and the checks before it. */
void ref_go_on(struct ref_shader *shader, uint32_t next)
{
    const bool has_calls = shader->call_count != 0, has_ifs = shader->if_count != 0,
               has_loops = shader->loop_count != 0;
    shader->pc = shader->jump;
    check_calls(shader, next);
    if (has_calls)
        record_check(shader, "SHD-42", shader->call_count);
    check_ifs(shader, next);
    if (has_ifs)
        record_check(shader, "SHD-43", shader->if_count);
    if (check_loops(shader, next) && shader->gpu->is_watched)
        ref_feature(shader->gpu, PICA_FEATURE_LOOP_REPEATED);
    if (has_loops)
        record_check(shader, "SHD-49", shader->loop_count);
}
