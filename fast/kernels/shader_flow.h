/* The three stacks, and where execution continues after an instruction (SHD-40 to SHD-51). Part of kernels/shader.c. */
#ifndef FAST_KERNELS_SHADER_FLOW_H
#define FAST_KERNELS_SHADER_FLOW_H

#include "fast/gpu.h"
#include "fast/kernels/shader_machine.h"

static inline void refresh_tops(struct context *context)
{
    context->call_end = context->call_count > 0u ? context->calls[context->call_count - 1u].end : NO_END;
    context->if_otherwise = context->if_count > 0u ? context->ifs[context->if_count - 1u].otherwise : NO_END;
    context->loop_end = context->loop_count > 0u ? context->loops[context->loop_count - 1u].end : NO_END;
    context->has_scopes = (context->call_count | context->if_count | context->loop_count) != 0u;
}

/* SHD-40: a full stack loses its oldest entry. */
static inline void push_call(struct machine *machine, uint32_t end, uint32_t ret)
{
    struct context *const context = &machine->context;
    if (context->call_count == CALL_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->calls[0], &context->calls[1], sizeof context->calls - sizeof context->calls[0]);
        context->call_count -= 1u;
    }
    context->calls[context->call_count] = (struct call_entry){ end, ret };
    context->call_count += 1u;
    refresh_tops(context);
}

static inline void push_if(struct machine *machine, uint32_t otherwise, uint32_t end)
{
    struct context *const context = &machine->context;
    if (context->if_count == IF_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->ifs[0], &context->ifs[1], sizeof context->ifs - sizeof context->ifs[0]);
        context->if_count -= 1u;
    }
    context->ifs[context->if_count] = (struct if_entry){ otherwise, end };
    context->if_count += 1u;
    refresh_tops(context);
}

/* SHD-48, SHD-49. */
static inline void push_loop(struct machine *machine, const struct fast_operation *operation)
{
    struct context *const context = &machine->context;
    const uint8_t *const integer = machine->run->unit->integers[operation->uniform & 3u];
    if (context->loop_count == LOOP_DEPTH) {
        fast_event(machine->run->gpu, PICA_EVENT_STACK_OVERFLOW);
        memmove(&context->loops[0], &context->loops[1], sizeof context->loops - sizeof context->loops[0]);
        context->loop_count -= 1u;
    }
    context->loops[context->loop_count] = (struct loop_entry){
        .entry = context->pc + 1u,
        .end = operation->target + 1u,
        .count = integer[0],
        .increment = integer[2],
        .saved = (uint32_t)context->loop_counter & 0xffu,
    };
    context->loop_count += 1u;
    context->loop_counter = (int32_t)integer[1];
    refresh_tops(context);
}

/* SHD-42. */
static inline void check_calls(struct context *context, uint32_t next)
{
    uint32_t end = next;
    for (int pops = 1; pops <= 4; pops++) {
        if (context->call_count == 0u || context->calls[context->call_count - 1u].end != end)
            return;
        context->call_count -= 1u;
        if (pops < 4) {
            end = context->calls[context->call_count].ret;
            context->pc = end;
        }
    }
}

/* SHD-43. */
static inline void check_ifs(struct context *context, uint32_t next)
{
    if (context->if_count > 0u && context->ifs[context->if_count - 1u].otherwise == next) {
        context->if_count -= 1u;
        context->pc = context->ifs[context->if_count].end;
    }
}

/* a + b modulo 2^32 as s32 (SHD-49). */
static inline int32_t add_wrapping(int32_t a, uint32_t b)
{
    const uint32_t sum = (uint32_t)a + b;
    int32_t value;
    memcpy(&value, &sum, sizeof value);
    return value;
}

/* SHD-44, SHD-51: only the innermost loop is checked. */
static inline void check_loops(struct context *context, uint32_t next, bool breaks)
{
    if (context->loop_count == 0u)
        return;
    struct loop_entry *const top = &context->loops[context->loop_count - 1u];
    if (top->end != next && !breaks)
        return;
    context->loop_counter = add_wrapping(context->loop_counter, top->increment);
    if (!breaks && top->count != 0u) {
        top->count -= 1u;
        context->pc = top->entry;
        return;
    }
    context->pc = top->end;
    if (context->loop_count > 1u)
        context->loop_counter = (int32_t)top->saved;
    context->loop_count -= 1u;
}

/* SHD-41: moves on after the instruction at `context->pc`, to `jump` unless a scope ends at `next`. */
static inline void advance(struct context *context, uint32_t jump, bool breaks)
{
    const uint32_t next = context->pc + 1u;
    context->pc = jump;
    if (!context->has_scopes ||
        (next != context->call_end && next != context->if_otherwise && next != context->loop_end && !breaks))
        return;
    check_calls(context, next);
    check_ifs(context, next);
    check_loops(context, next, breaks);
    refresh_tops(context);
}

#endif
