/*
 * Random but well-formed shader code: arithmetic over temporaries that hold something, and structured control flow. No
 * two scopes end at the same instruction, and the last instruction of a scope is plain arithmetic, so that SHD-41 to
 * SHD-44 act as a programmer expects; broken programs come from the mutator.
 */
#include "harness/grammar/gen_parts.h"

enum {
    MAX_DEPTH = 3,       /* of scopes, mostly ... */
    MAX_DEEP_DEPTH = 8,  /* ... and now and then as many as the stack of IF holds (SHD-40) */
    MAX_LOOPS = 4,       /* likewise the stack of LOOP */
    MAX_COST = 160,      /* instructions that a body may execute, mostly ... */
    MAX_LONG_COST = 240, /* ... and now and then; LIM_INSTR of a campaign is 256 */
    MAX_ROUTINES = 3
};

struct body_state {
    struct gen *gen;
    struct gen_code *code;
    struct gen_body *body;
    uint32_t depth;
    uint32_t most_depth;
    uint32_t loops;      /* LOOP scopes around this place */
    uint32_t loop_depth; /* depth of the innermost loop's body */
    bool in_routine;
    uint32_t most;   /* MAX_COST or MAX_LONG_COST */
    uint32_t factor; /* times that an instruction here may run */
    uint32_t cost;
    uint32_t calls[MAX_ROUTINES]; /* indices of CALL words that wait for their routine */
    uint32_t call_count;
    bool after_mova; /* SHD-24: two in a row hang a console */
};

static void block(struct body_state *state, uint32_t items);

/* -------------------------------------------------------------------------------------------------------- operands */

static uint32_t any_of(struct gen *gen, const uint32_t *numbers, uint32_t count)
{
    return numbers[gen_below(gen, count)];
}

static uint32_t random_selectors(struct gen *gen)
{
    return gen_percent(gen, 50) ? GEN_XYZW : gen_below(gen, 256);
}

/* `input`: the only v register that this instruction may read (SHD-24). */
static struct gen_source narrow_source(struct body_state *state, uint32_t input)
{
    struct gen *const gen = state->gen;
    struct gen_source source = gen_source(any_of(gen, state->body->temporaries, state->body->temporary_count));
    if (state->body->input_count != 0 && gen_percent(gen, 30))
        source.number = input;
    source.selectors = random_selectors(gen);
    source.negate = gen_percent(gen, 25);
    return source;
}

static struct gen_source wide_source(struct body_state *state, uint32_t input)
{
    struct gen *const gen = state->gen;
    if (gen_percent(gen, 50))
        return narrow_source(state, input);
    struct gen_source source = gen_source(PICA_SHADER_SOURCE_C0 + gen_below(gen, PICA_FLOAT_UNIFORMS));
    source.selectors = random_selectors(gen);
    source.negate = gen_percent(gen, 25);
    source.relative = gen_percent(gen, 30) ? gen_below(gen, 4) : PICA_SHADER_RELATIVE_NONE;
    return source;
}

static void draw_sources(struct body_state *state, const struct pica_opcode_info *info, struct gen_source out[3])
{
    const uint32_t input =
        state->body->input_count == 0 ? 0 : any_of(state->gen, state->body->inputs, state->body->input_count);
    for (uint32_t s = 0; s < 3; s++) {
        out[s] = (struct gen_source){ .selectors = GEN_XYZW };
        if (info->sources[s] == PICA_OPERAND_WIDE)
            out[s] = wide_source(state, input);
        else if (info->sources[s] == PICA_OPERAND_NARROW)
            out[s] = narrow_source(state, input);
    }
}

/* ------------------------------------------------------------------------------------------------------ arithmetic */

static void count_cost(struct body_state *state, uint32_t instructions)
{
    state->cost += instructions * state->factor;
}

static void arithmetic(struct body_state *state)
{
    static const enum pica_opcode opcodes[] = { PICA_OPCODE_ADD,  PICA_OPCODE_DP3,  PICA_OPCODE_DP4,  PICA_OPCODE_DPH,
                                                PICA_OPCODE_DST,  PICA_OPCODE_EX2,  PICA_OPCODE_LG2,  PICA_OPCODE_LITP,
                                                PICA_OPCODE_MUL,  PICA_OPCODE_SGE,  PICA_OPCODE_SLT,  PICA_OPCODE_FLR,
                                                PICA_OPCODE_MAX,  PICA_OPCODE_MIN,  PICA_OPCODE_RCP,  PICA_OPCODE_RSQ,
                                                PICA_OPCODE_MOV,  PICA_OPCODE_DPHI, PICA_OPCODE_DSTI, PICA_OPCODE_SGEI,
                                                PICA_OPCODE_SLTI, PICA_OPCODE_MADI, PICA_OPCODE_MAD,  PICA_OPCODE_MAD };
    struct gen *const gen = state->gen;
    const enum pica_opcode opcode = opcodes[gen_below(gen, sizeof opcodes / sizeof opcodes[0])];
    struct gen_source sources[3];
    draw_sources(state, pica_opcode_info(opcode), sources);
    if (gen->defined && opcode == PICA_OPCODE_MAX) /* FLT-26: no infinity may be second */
        sources[1] = gen_source(state->body->safe);
    const uint32_t dest = any_of(gen, state->body->temporaries, state->body->temporary_count);
    gen_alu(state->code, opcode, dest, gen_percent(gen, 60) ? 15u : gen_between(gen, 1, 15), sources);
    state->after_mova = false;
    count_cost(state, 1);
}

static void compare(struct body_state *state)
{
    struct gen *const gen = state->gen;
    const uint32_t bound = gen_wild(gen, 10) ? 8 : 6;
    const uint32_t x = gen_below(gen, bound);
    const uint32_t y = gen_below(gen, bound);
    struct gen_source sources[3];
    draw_sources(state, pica_opcode_info(PICA_OPCODE_CMP), sources);
    gen_alu(state->code, PICA_OPCODE_CMP, x | y << 3, gen_below(gen, 16), sources);
    state->after_mova = false;
    count_cost(state, 1);
}

/* SHD-32: from a uniform, so that the value fits. */
static void load_address(struct body_state *state)
{
    struct gen *const gen = state->gen;
    if (state->after_mova && !gen_wild(gen, 50))
        arithmetic(state);
    struct gen_source sources[3] = { gen_source(PICA_SHADER_SOURCE_C0 + gen_below(gen, PICA_FLOAT_UNIFORMS)),
                                     { .selectors = GEN_XYZW },
                                     { .selectors = GEN_XYZW } };
    if (gen_wild(gen, 30))
        draw_sources(state, pica_opcode_info(PICA_OPCODE_MOVA), sources);
    gen_alu(state->code, PICA_OPCODE_MOVA, 0, gen_percent(gen, 50) ? 12u : gen_between(gen, 1, 15), sources);
    state->after_mova = true;
    count_cost(state, 1);
}

/* Something that differs from vertex to vertex (gen_lanes.c). */
static void disagree(struct body_state *state)
{
    struct gen *const gen = state->gen;
    const uint32_t kind = gen_below(gen, 3);
    const uint32_t before = state->code->count;
    if (kind == 0)
        gen_lanes_compare(gen, state->code, state->body);
    else if (kind == 1)
        gen_lanes_address(gen, state->code, state->body);
    else
        gen_lanes_read(gen, state->code, state->body, state->loops != 0);
    if (state->code->count == before)
        return;
    state->after_mova = kind == 1;
    count_cost(state, state->code->count - before);
}

static void plain(struct body_state *state)
{
    if (gen_percent(state->gen, 10)) {
        gen_emit(state->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_NOP));
        state->after_mova = false;
        count_cost(state, 1);
    } else {
        arithmetic(state);
    }
}

/* ----------------------------------------------------------------------------------------------------- control flow */

static void patch(struct gen_code *code, uint32_t at, uint32_t target, uint32_t count)
{
    if (at >= code->count)
        return;
    code->words[at] = pica_shader_format_2_set_dst(code->words[at], target);
    code->words[at] = pica_shader_format_2_set_num(code->words[at], count);
}

/* Just before a condition: a comparison in which vertices differ. Without it the condition uses what an earlier one
 * left. */
static void compare_first(struct body_state *state)
{
    if (!gen_lanes_may(state->body) || !gen_percent(state->gen, 55))
        return;
    gen_lanes_compare(state->gen, state->code, state->body);
    state->after_mova = false;
    count_cost(state, 1);
}

/* Does the next instruction of control flow test the condition registers, rather than a boolean uniform? */
static bool draw_conditional(struct body_state *state)
{
    const bool conditional = gen_percent(state->gen, 50);
    if (conditional)
        compare_first(state);
    return conditional;
}

static void flow(struct body_state *state, bool by_condition, enum pica_opcode conditional, enum pica_opcode uniform,
                 uint32_t count)
{
    struct gen *const gen = state->gen;
    if (by_condition)
        gen_flow_condition(state->code, conditional, gen_below(gen, 16), 0, count);
    else
        gen_flow_uniform(state->code, uniform, gen_below(gen, 16), 0, count);
    state->after_mova = false;
    count_cost(state, 1);
}

/* A scope's body: ends with arithmetic. */
static void scope(struct body_state *state)
{
    state->depth++;
    block(state, gen_between(state->gen, 0, 3));
    plain(state);
    state->depth--;
    state->after_mova = false;
}

static void branch(struct body_state *state)
{
    const bool conditional = draw_conditional(state);
    const uint32_t at = state->code->count;
    flow(state, conditional, PICA_OPCODE_IFC, PICA_OPCODE_IFU, 0);
    scope(state);
    const uint32_t otherwise = gen_here(state->code);
    if (gen_percent(state->gen, 60))
        scope(state);
    patch(state->code, at, otherwise, gen_here(state->code) - otherwise);
}

/* How often a loop over this integer uniform runs. */
static uint32_t loop_count(const struct gen_body *body, uint32_t integer)
{
    return pica_shader_intuniform_x(body->integers[integer]) + 1u;
}

static void loop(struct body_state *state)
{
    struct gen *const gen = state->gen;
    const uint32_t integer = gen_below(gen, 4);
    const uint32_t factor = state->factor * loop_count(state->body, integer);
    const uint32_t outer_depth = state->loop_depth;
    if (state->loops == MAX_LOOPS || factor * 6u + state->cost > state->most ||
        (state->in_routine && !gen_wild(gen, 50)))
        return; /* the stack of loops is short (SHD-40) */
    const uint32_t at = state->code->count;
    const uint32_t ignored = gen_percent(gen, 20) ? 4u * gen_below(gen, 4) : 0; /* SHD-48 */
    gen_flow_uniform(state->code, PICA_OPCODE_LOOP, integer | ignored, 0,
                     gen_percent(gen, 20) ? gen_below(gen, 256) : 0);
    const uint32_t before = state->factor;
    state->factor = factor;
    state->loops++;
    state->loop_depth = ++state->depth;
    block(state, gen_between(gen, 1, 3));
    if (gen_percent(gen, 40)) {
        compare_first(state);
        gen_flow_condition(state->code, PICA_OPCODE_BREAKC, gen_below(gen, 16), 0, 0);
        block(state, 1);
    }
    plain(state);
    state->loops--;
    state->depth--;
    state->loop_depth = outer_depth;
    state->factor = before;
    if (at < state->code->count)
        state->code->words[at] = pica_shader_format_3_set_dst(state->code->words[at], gen_here(state->code) - 1u);
}

/* A jump forwards over part of this block; something of the block always follows. */
static void jump(struct body_state *state)
{
    struct gen *const gen = state->gen;
    const bool conditional = draw_conditional(state);
    const uint32_t at = state->code->count;
    flow(state, conditional, PICA_OPCODE_JMPC, PICA_OPCODE_JMPU, gen_below(gen, 2));
    for (uint32_t i = gen_between(gen, 1, 3); i > 0; i--)
        plain(state);
    const uint32_t inverted = at < state->code->count ? pica_shader_format_2_num(state->code->words[at]) : 0;
    patch(state->code, at, gen_here(state->code), inverted);
    plain(state);
}

static void call(struct body_state *state)
{
    struct gen *const gen = state->gen;
    if (state->call_count == MAX_ROUTINES || state->most_depth != MAX_DEPTH)
        return;
    const bool always = gen_percent(gen, 40);
    const bool conditional = !always && draw_conditional(state);
    state->calls[state->call_count++] = state->code->count;
    if (always) {
        gen_flow_condition(state->code, PICA_OPCODE_CALL, 0, 0, 0);
        count_cost(state, 1);
    } else {
        flow(state, conditional, PICA_OPCODE_CALLC, PICA_OPCODE_CALLU, 0);
    }
    count_cost(state, 8);
    state->after_mova = false;
}

static void break_out(struct body_state *state)
{
    /* Scopes inside the loop would stay open (SHD-50). */
    if (state->loops == 0 || (state->depth != state->loop_depth && !gen_wild(state->gen, 50)))
        return;
    gen_emit(state->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_BREAK));
    count_cost(state, 1);
    plain(state);
}

/* ----------------------------------------------------------------------------------------------------------- items */

static void control(struct body_state *state)
{
    static const uint32_t weights[] = { 30, 20, 25, 20, 2 };
    switch (harness_random_weighted(&state->gen->random, weights, 5)) {
    case 0: branch(state); return;
    case 1: loop(state); return;
    case 2: jump(state); return;
    case 3: call(state); return;
    default: break_out(state); return;
    }
}

static void unassigned(struct body_state *state)
{
    static const uint32_t opcodes[] = {
        0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F, PICA_OPCODE_EMIT, PICA_OPCODE_SETEMIT
    };
    const uint32_t opcode = opcodes[gen_below(state->gen, sizeof opcodes / sizeof opcodes[0])];
    gen_emit(state->code, opcode << 26 | gen_below(state->gen, 1u << 26));
}

static void item(struct body_state *state)
{
    struct gen *const gen = state->gen;
    if (state->body->flow && state->depth < state->most_depth &&
        gen_percent(gen, state->most_depth == MAX_DEPTH ? 35 : 75))
        control(state);
    else if (gen_wild(gen, 3))
        unassigned(state);
    else if (gen_lanes_may(state->body) && !state->after_mova && gen_percent(gen, state->depth == 0 ? 10 : 30))
        disagree(state);
    else if (gen_percent(gen, 12))
        compare(state);
    else if (gen_percent(gen, 10) || (state->after_mova && gen_wild(gen, 8)))
        load_address(state);
    else
        plain(state);
}

static void block(struct body_state *state, uint32_t items)
{
    for (uint32_t i = 0; i < items && state->cost < state->most && state->code->count < GEN_MAX_CODE - 64; i++)
        item(state);
}

/* Routines stand after a jump that is always taken: JMPU on a uniform and then on its opposite. A routine may call
 * those after it, which are added while this runs. */
static void routines(struct body_state *state)
{
    struct gen *const gen = state->gen;
    if (state->call_count == 0)
        return;
    const uint32_t skip = state->code->count;
    gen_flow_uniform(state->code, PICA_OPCODE_JMPU, 0, 0, 0);
    gen_flow_uniform(state->code, PICA_OPCODE_JMPU, 0, 0, 1);
    state->in_routine = true;
    state->depth = MAX_DEPTH - 1; /* the stacks must hold the scopes of main and of all routines */
    for (uint32_t i = 0; i < state->call_count; i++) {
        const uint32_t start = gen_here(state->code);
        state->factor = 1;
        block(state, gen_between(gen, 1, 3));
        plain(state);
        patch(state->code, state->calls[i], start, gen_here(state->code) - start);
    }
    const uint32_t end = gen_here(state->code);
    patch(state->code, skip, end, 0);
    patch(state->code, skip + 1u, end, 1);
    plain(state);
}

static void draw_integers(struct gen *gen, struct gen_body *body)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t word = pica_shader_intuniform_set_x(0, gen_below(gen, 4));
        word = pica_shader_intuniform_set_y(word, harness_random_number(&gen->random, gen_percent(gen, 70) ? 5 : 8));
        word = pica_shader_intuniform_set_z(word, harness_random_number(&gen->random, gen_percent(gen, 70) ? 3 : 8));
        body->integers[i] = pica_shader_intuniform_set_w(word, gen_below(gen, 256));
    }
}

void gen_body(struct gen *gen, struct gen_code *code, struct gen_body *body)
{
    struct body_state state = { .gen = gen, .code = code, .body = body, .factor = 1 };
    state.most = gen_percent(gen, 85) ? MAX_COST : MAX_LONG_COST;
    state.most_depth = gen_percent(gen, 92) ? MAX_DEPTH : MAX_DEEP_DEPTH;
    draw_integers(gen, body);
    block(&state, body->items);
    routines(&state);
}
