/*
 * The shader interpreter for up to 16 vertices at a time (SHD), followed by the output map.
 *
 * All lanes run one program in lockstep. Where a condition differs between lanes, the context is split: each half is
 * then run to its end on its own, with its own stacks, and writes only its own lanes. So the unusual rules of the
 * stacks (SHD-40..51) only have to handle what a single invocation does. SHD-24: hazards of the console are not
 * modelled.
 */
#include "fast/kernels.h"

#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/vertex/shader_plan.h"
#include "fast/kernels/output_map.h"
#include "fast/kernels/shader_machine.h"
#include "fast/kernels/shader_operations.h"
#include "fast/kernels/shader_flow.h"
#include "fast/kernels/shader_trace.h"

/* ----------------------------------------------------------------------------------------------------- flow control */

/* The lanes of the context for which a format 2 condition holds. */
static uint32_t condition_lanes(const struct machine *machine, const struct fast_operation *operation)
{
    const uint32_t *const compare = machine->run->compare;
    const uint32_t x = operation->reference[0] ? compare[0] : ~compare[0];
    const uint32_t y = operation->reference[1] ? compare[1] : ~compare[1];
    const uint32_t lanes = machine->context.lanes;
    switch (operation->condition) {
    case PICA_SHADER_CONDITION_OR: return (x | y) & lanes;
    case PICA_SHADER_CONDITION_AND: return (x & y) & lanes;
    case PICA_SHADER_CONDITION_X: return x & lanes;
    case PICA_SHADER_CONDITION_Y:
    default: return y & lanes;
    }
}

/*
 * Leaves only `lanes` in the running context; the other lanes will execute this instruction again in a context of their
 * own.
 */
static void split_context(struct machine *machine, uint32_t lanes)
{
    struct context *const context = &machine->context;
    struct context *const other = &machine->waiting[machine->waiting_count];
    *other = *context;
    other->lanes = context->lanes & ~lanes;
    other->executed -= 1u; /* it will be counted again */
    machine->waiting_count += 1u;
    context->lanes = lanes;
    machine->partial = true;
    machine->short_cuts = false;
    machine->lane_mask = v_mask_from_bits(lanes);
}

/* A recorded path (fast/vertex/shader_plan.h) is useless if lanes decide which way it goes, or if it is too long. */
static void spoil_recording(const struct machine *machine)
{
    if (machine->run->recording != NULL)
        machine->run->recording->straight = false;
}

static void record(const struct machine *machine, const struct fast_operation *operation)
{
    struct fast_recording *const recording = machine->run->recording;
    if (!fast_operation_writes_register(operation->kind) && operation->kind != FAST_OPERATION_MOVA)
        return;
    if (recording->count == FAST_PLAN_STEPS) {
        recording->straight = false;
        return;
    }
    recording->operations[recording->count] = (struct fast_recorded){ operation, machine->context.loop_counter };
    recording->count += 1u;
}

/* Is the condition of this instruction true? Lanes that disagree with the rest are split off. */
static bool decide(struct machine *machine, const struct fast_operation *operation)
{
    spoil_recording(machine);
    const uint32_t lanes_true = condition_lanes(machine, operation);
    if (lanes_true == 0u)
        return false;
    if (lanes_true != machine->context.lanes)
        split_context(machine, lanes_true);
    return true;
}

static bool boolean_uniform(const struct machine *machine, const struct fast_operation *operation)
{
    return ((uint32_t)machine->run->unit->booleans >> operation->uniform & 1u) != 0u;
}

/* SHD-47. Returns the jump target. */
static uint32_t run_if(struct machine *machine, const struct fast_operation *operation, bool condition)
{
    if (!condition)
        return operation->target;
    push_if(machine, operation->target, operation->target + operation->length);
    return machine->context.pc + 1u;
}

static uint32_t run_call(struct machine *machine, const struct fast_operation *operation, bool condition)
{
    const uint32_t next = machine->context.pc + 1u;
    if (!condition)
        return next;
    push_call(machine, operation->target + operation->length, next);
    return operation->target;
}

/* SHD-50. Returns the break flag of SHD-44. */
static bool run_break(const struct machine *machine)
{
    if (machine->context.loop_count > 0u)
        return true;
    fast_event(machine->run->gpu, PICA_EVENT_BREAK_EMPTY);
    return false;
}

/* GSH-30, GSH-33. */
static void run_emission(const struct machine *machine, const struct fast_operation *operation)
{
    struct fast_shader_run *const run = machine->run;
    if (run->geometry == NULL)
        fast_event(run->gpu, PICA_EVENT_EMIT_IN_VS);
    else if (operation->kind == FAST_OPERATION_EMIT)
        fast_geometry_emit(run);
    else
        fast_geometry_set_emit(run, operation);
}

/*
 * SHD-13: runs the zero words beyond the code. Executing such a word twice has the same effect as once, so all of them
 * up to the next end of a scope (or the limit of instructions, or the end of code memory) are only counted. The
 * context's pc is that of the first one, which is executed already.
 */
static void skip_zero_words(struct machine *machine)
{
    struct context *const context = &machine->context;
    const struct fast_shader_run *const run = machine->run;
    const uint32_t ends[3] = { context->call_end, context->if_otherwise, context->loop_end };
    uint32_t stop = END_OF_CODE; /* pc + 1 of the last word to take */
    for (int i = 0; i < 3; i++)
        if (ends[i] > context->pc && ends[i] < stop)
            stop = ends[i];
    uint32_t more = stop - 1u - context->pc;
    if (more > run->gpu->limits.instructions - context->executed)
        more = run->gpu->limits.instructions - context->executed;
    trace_zero_words(machine, context->pc + 1u, more);
    context->executed += more;
    context->pc += more;
    if (run->geometry == NULL && context->pc >= VERTEX_CODE_WORDS)
        fast_event(run->gpu, PICA_EVENT_PC_RANGE);
}

/* Executes one instruction. Returns false at END. */
static inline bool execute(struct machine *machine, const struct fast_operation *operation)
{
    struct context *const context = &machine->context;
    const uint32_t next = context->pc + 1u;
    uint32_t jump = next;
    bool breaks = false;
    if (operation->relative != PICA_SHADER_RELATIVE_NONE)
        load_relative(machine, operation);
    if (operation->has_short_cut && machine->short_cuts && run_short_cut(machine, operation)) {
        advance(context, next, false);
        return true;
    }
    switch (operation->kind) {
    case FAST_OPERATION_ADD:
    case FAST_OPERATION_DP3:
    case FAST_OPERATION_DP4:
    case FAST_OPERATION_DPH:
    case FAST_OPERATION_DST:
    case FAST_OPERATION_EX2:
    case FAST_OPERATION_LG2:
    case FAST_OPERATION_LITP:
    case FAST_OPERATION_MUL:
    case FAST_OPERATION_SGE:
    case FAST_OPERATION_SLT:
    case FAST_OPERATION_FLR:
    case FAST_OPERATION_MAX:
    case FAST_OPERATION_MIN:
    case FAST_OPERATION_RCP:
    case FAST_OPERATION_RSQ:
    case FAST_OPERATION_MOV:
    case FAST_OPERATION_MAD: run_arithmetic(machine, operation); break;
    case FAST_OPERATION_MOVA: run_mova(machine, operation); break;
    case FAST_OPERATION_CMP: run_cmp(machine, operation); break;
    case FAST_OPERATION_UNASSIGNED: fast_event(machine->run->gpu, PICA_EVENT_OPCODE_UNASSIGNED); break;
    case FAST_OPERATION_NOP: break;
    case FAST_OPERATION_END: return false;
    case FAST_OPERATION_BREAK: breaks = run_break(machine); break;
    case FAST_OPERATION_BREAKC: breaks = decide(machine, operation) && run_break(machine); break;
    case FAST_OPERATION_CALL: jump = run_call(machine, operation, true); break;
    case FAST_OPERATION_CALLC: jump = run_call(machine, operation, decide(machine, operation)); break;
    case FAST_OPERATION_CALLU: jump = run_call(machine, operation, boolean_uniform(machine, operation)); break;
    case FAST_OPERATION_IFU: jump = run_if(machine, operation, boolean_uniform(machine, operation)); break;
    case FAST_OPERATION_IFC: jump = run_if(machine, operation, decide(machine, operation)); break;
    case FAST_OPERATION_LOOP: push_loop(machine, operation); break;
    case FAST_OPERATION_EMIT:
    case FAST_OPERATION_SETEMIT: run_emission(machine, operation); break;
    case FAST_OPERATION_JMPC: jump = decide(machine, operation) ? operation->target : next; break;
    case FAST_OPERATION_JMPU:
        jump = boolean_uniform(machine, operation) != operation->inverted ? operation->target : next;
        break;
    }
    advance(context, jump, breaks);
    return true;
}

/* SHD-12 to SHD-14: runs the current context to its end. */
static void run_context(struct machine *machine)
{
    const struct fast_shader_run *const run = machine->run;
    const struct fast_program *const program = run->program;
    struct context *const context = &machine->context;
    const uint32_t limit = run->gpu->limits.instructions;
    const uint32_t code_end = program->count < END_OF_CODE ? program->count : END_OF_CODE;
    for (;;) {
        if (context->pc < code_end && context->executed < limit) {
            const struct fast_operation *const operation = &program->operations[context->pc];
            const uint32_t pc = context->pc;
            context->executed += 1u;
            trace_fetch(machine, operation, pc);
            if (run->recording != NULL)
                record(machine, operation);
            const bool goes_on = execute(machine, operation);
            trace_results(machine, operation, pc);
            if (!goes_on)
                return;
        } else if (context->pc >= END_OF_CODE) {
            fast_event(run->gpu, PICA_EVENT_PC_RANGE);
            return;
        } else if (context->executed >= limit) {
            fast_event(run->gpu, PICA_EVENT_BUDGET_INSTR);
            return;
        } else {
            spoil_recording(machine);
            context->executed += 1u;
            run_arithmetic(machine, &program->zero);
            trace_zero_words(machine, context->pc, 1u);
            if (run->geometry == NULL && context->pc >= VERTEX_CODE_WORDS)
                fast_event(run->gpu, PICA_EVENT_PC_RANGE);
            skip_zero_words(machine);
            advance(context, context->pc + 1u, false);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- the kernel */

/* SHD-14: keeps the number of instructions executed, for LIM_WORK (CMD-24). */
static void note_executed(const struct machine *machine)
{
    const struct context *const context = &machine->context;
    for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
        if ((context->lanes >> lane & 1u) != 0u)
            machine->run->executed[lane] = context->executed;
}

static void shade(struct fast_shader_run *run)
{
    struct machine machine;
    machine.run = run;
    machine.f24 = run->gpu->profile == PICA_PROFILE_F24;
    machine.partial = false;
    machine.short_cuts = !machine.f24;
    machine.lane_mask = v_mask_all_lanes();
    machine.waiting_count = 0u;
    machine.context.lanes = run->lanes;
    machine.context.pc = run->entry;
    machine.context.executed = 0u;
    machine.context.loop_counter = run->loop_counter;
    machine.context.call_count = 0u;
    machine.context.if_count = 0u;
    machine.context.loop_count = 0u;
    refresh_tops(&machine.context);
    run_context(&machine);
    note_executed(&machine);
    while (machine.waiting_count > 0u) {
        machine.waiting_count -= 1u;
        machine.context = machine.waiting[machine.waiting_count];
        machine.partial = true;
        machine.lane_mask = v_mask_from_bits(machine.context.lanes);
        run_context(&machine);
        note_executed(&machine);
    }
    run->loop_counter = machine.context.loop_counter;
    if (run->block != NULL)
        map_outputs(run);
}

void FAST_ISA(fast_fill_vertex)(struct fast_kernels *kernels);
void FAST_ISA(fast_fill_vertex_load)(struct fast_kernels *kernels);
void FAST_ISA(fast_fill_vertex_plan)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_vertex)(struct fast_kernels *kernels)
{
    kernels->shade = shade;
    FAST_ISA(fast_fill_vertex_load)(kernels);
    FAST_ISA(fast_fill_vertex_plan)(kernels);
}
