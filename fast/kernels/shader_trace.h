/* What the interpreter reports about the traced lane (fast/trace.h), if FAST_TRACING. Part of kernels/shader.c. */
#ifndef FAST_KERNELS_SHADER_TRACE_H
#define FAST_KERNELS_SHADER_TRACE_H

#include "fast/gpu.h"
#include "fast/kernels/shader_machine.h"
#include "fast/trace.h"

/* Does the running context have the traced lane? */
static inline bool traces(const struct machine *machine)
{
    return FAST_TRACING && (machine->context.lanes >> machine->run->gpu->tracer->lane & 1u) != 0u;
}

/* Can this instruction split the context? If so, the lanes that are split off execute it again (split_context). */
static inline bool may_split(enum fast_operation_kind kind)
{
    return kind == FAST_OPERATION_BREAKC || kind == FAST_OPERATION_CALLC || kind == FAST_OPERATION_IFC ||
           kind == FAST_OPERATION_JMPC;
}

static inline void trace_instruction(const struct machine *machine, uint32_t pc)
{
    const struct fast_shader_run *const run = machine->run;
    const uint32_t word = pc < run->program->count ? run->program->code[pc] : 0u;
    fast_trace_step(run->gpu->tracer,
                    run->geometry == NULL ? PICA_TRACE_ID_SHADER_INSTRUCTION : PICA_TRACE_ID_GEOMETRY_INSTRUCTION, pc,
                    &word, 1u);
}

static inline void trace_destination(const struct machine *machine, const struct fast_operation *operation, uint32_t pc)
{
    const struct fast_shader_run *const run = machine->run;
    const uint32_t bank = operation->to_output ? run->bank * FAST_ROW_BANK : 0u;
    uint32_t values[4];
    for (uint32_t i = 0; i < 4u; i++)
        values[i] = simd_bits_from_f32(run->file->row[operation->destination + bank + i][run->gpu->tracer->lane]);
    fast_trace_step(run->gpu->tracer,
                    run->geometry == NULL ? PICA_TRACE_ID_SHADER_RESULT : PICA_TRACE_ID_GEOMETRY_RESULT, pc, values,
                    4u);
}

static inline void trace_address(const struct machine *machine, uint32_t pc)
{
    const struct fast_shader_run *const run = machine->run;
    const uint32_t lane = run->gpu->tracer->lane;
    const uint32_t values[2] = { (uint32_t)run->address[0][lane], (uint32_t)run->address[1][lane] };
    if (run->geometry == NULL)
        fast_trace_step(run->gpu->tracer, PICA_TRACE_ID_SHADER_ADDRESS, pc, values, 2u);
}

static inline void trace_compare(const struct machine *machine, uint32_t pc)
{
    const struct fast_shader_run *const run = machine->run;
    const uint32_t lane = run->gpu->tracer->lane;
    const uint32_t values[2] = { run->compare[0] >> lane & 1u, run->compare[1] >> lane & 1u };
    if (run->geometry == NULL)
        fast_trace_step(run->gpu->tracer, PICA_TRACE_ID_SHADER_COMPARE, pc, values, 2u);
}

/* Before an instruction, so that all that it reports (EMIT) comes after its word. */
static inline void trace_fetch(const struct machine *machine, const struct fast_operation *operation, uint32_t pc)
{
    if (traces(machine) && !may_split(operation->kind))
        trace_instruction(machine, pc);
}

/* After an instruction. */
static inline void trace_results(const struct machine *machine, const struct fast_operation *operation, uint32_t pc)
{
    if (!traces(machine))
        return;
    if (may_split(operation->kind))
        trace_instruction(machine, pc);
    if (fast_operation_writes_register(operation->kind))
        trace_destination(machine, operation, pc);
    if (operation->kind == FAST_OPERATION_MOVA)
        trace_address(machine, pc);
    if (operation->kind == FAST_OPERATION_CMP || operation->kind == FAST_OPERATION_LITP)
        trace_compare(machine, pc);
}

/* SHD-13: `count` zero words from `pc` on, which have been executed. */
static inline void trace_zero_words(const struct machine *machine, uint32_t pc, uint32_t count)
{
    for (uint32_t i = 0; traces(machine) && i < count; i++) {
        trace_instruction(machine, pc + i);
        trace_destination(machine, &machine->run->program->zero, pc + i);
    }
}

#endif
