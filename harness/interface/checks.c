/* The checks, from the least to the most. */
#include "harness/interface/bench.h"

#include "harness/case/text.h"
#include "oracles/equal.h"
#include "oracles/scope.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nothing[] = "pcase 1\nwindow 0x18000000 size 0x1000\n";

static void check_opens(struct interface_bench *bench)
{
    char text[ORACLE_SCOPE_TEXT];
    oracle_scope_text(harness_runner_scope(bench->runner), text, sizeof text);
    interface_note(bench, "models %s", text);
}

/* Half a page, and nothing of the other half. */
static void check_fill(struct interface_bench *bench)
{
    if (interface_read(bench,
                       "pcase 1\nwindow 0x18000000 size 0x1000\n"
                       "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18000800 } "
                       "FILL0_VALUE = 0x5A5A5A5A FILL0_CTRL { start = 1, width = 32-bit } }",
                       "fill"))
        (void)interface_agrees(bench);
}

/* Contents, zeros beside them, a load afterwards, two windows. */
static void check_memory(struct interface_bench *bench)
{
    interface_restrict(bench, PICA_PART_MEMORY);
    if (interface_read(bench,
                       "pcase 1\nwindow 0x18000000 size 0x2000\nwindow 0x20001000 size 0x1000\n"
                       "memory 0x18000FFD bytes { 010203040506 }\nmemory 0x20001FFF bytes { AB CD }\n"
                       "load 0x20001001 bytes { 99 98 97 }",
                       "memory"))
        (void)interface_agrees(bench);
}

static void check_reset(struct interface_bench *bench)
{
    if (interface_read(bench, nothing, "reset"))
        (void)interface_agrees(bench);
}

/* Words that are no pattern, and no NaN: exponents stay below the highest. */
static uint32_t word(uint32_t i)
{
    const uint32_t value = (i + 1) * UINT32_C(0x9E3779B1);
    return (value ^ value >> 15) & 0xBF7FFFFF;
}

static void scatter_unit(struct pica_shader_unit *unit, uint32_t code_words, uint32_t seed)
{
    for (uint32_t i = 0; i < code_words; i++)
        unit->code[i] = word(seed + i);
    for (uint32_t i = 0; i < 128; i++)
        unit->opdesc[i] = word(seed + i);
    for (uint32_t i = 0; i < 4 * PICA_FLOAT_UNIFORMS; i++)
        unit->uniforms[i / 4].bits[i % 4] = word(seed + i);
    for (uint32_t i = 0; i < 16; i++)
        unit->integers[i / 4][i % 4] = (uint8_t)word(seed + i);
    unit->booleans = (uint16_t)word(seed);
    unit->queue_length = 1;
    unit->queue[0] = word(seed);
}

static void scatter_tables(struct pica_tables *tables)
{
    uint32_t *const words = &tables->lighting[0][0];
    for (uint32_t i = 0; i < 24 * 256; i++)
        words[i] = word(i);
    for (uint32_t i = 0; i < 128; i++) {
        tables->fog[i] = word(i);
        tables->proctex_noise[i] = word(i + 1);
        tables->proctex_color_map[i] = word(i + 2);
        tables->proctex_alpha_map[i] = word(i + 3);
    }
    for (uint32_t i = 0; i < 256; i++) {
        tables->proctex_color[i] = word(i + 4);
        tables->proctex_difference[i] = word(i + 5);
    }
    for (uint32_t i = 0; i < 16; i++)
        tables->gas[i] = word(i + 6);
}

/* A state that no program left behind, but one that could be: every queue half full, a vertex that waits. */
static void scatter(struct pica_state *state)
{
    for (uint32_t i = 0; i < PICA_REGISTERS; i++)
        state->registers[i] = word(i);
    for (uint32_t i = 0; i < PICA_INTERRUPTS; i++)
        state->interrupts[i] = i + 1;
    state->external[4] = 0x03000000; /* FILL0_START */
    state->lcd_fill[0] = 0x01FF8000;
    scatter_tables(&state->tables);
    scatter_unit(&state->units[0], 512, 0); /* REG-21: the others cannot be written */
    scatter_unit(&state->units[1], PICA_CODE_WORDS, 77);
    for (uint32_t i = 0; i < 64; i++)
        state->fixed[i / 4].bits[i % 4] = word(i);
    state->fixed_queue_length = 1;
    state->fixed_queue[0] = word(5);
    state->immediate_count = 2;
    for (uint32_t i = 0; i < 64; i++)
        state->immediate[i / 4].bits[i % 4] = word(i + 9);
    state->assembler.count = 1;
    for (uint32_t i = 0; i < 24; i++)
        state->assembler.buffer[0].slots[i] = word(i);
}

/* What is loaded is there, as far as it is declared. */
static void check_state(struct interface_bench *bench)
{
    struct pica_state *const state = calloc(1, sizeof *state);
    if (state == NULL || !interface_read(bench, nothing, "state"))
        return;
    scatter(state);
    bench->program->setup.initial_state = state;
    harness_runner_hide_screens(bench->runner, true); /* check_screens compares them */
    (void)interface_agrees(bench);
    free(state);
}

/* All three pictures follow the registers. */
static void check_screens(struct interface_bench *bench)
{
    struct oracle_run given;
    bool is_known = false;
    interface_restrict(bench, PICA_PART_SCREENS);
    if (!interface_read(bench, interface_part_case(PICA_PART_SCREENS), "screens") || !interface_run(bench, &given))
        return;
    for (size_t i = 0; i < ORACLE_SCREENS; i++)
        is_known = is_known || given.screens[i] != NULL;
    if (is_known)
        (void)interface_agrees(bench);
    else
        interface_refused(bench, "scan_out");
}

/* Does the one part that counts differ from what a reset leaves, once the case has run? */
static bool follows(struct interface_bench *bench)
{
    struct oracle_run expected, given;
    struct oracle_report report = { .verdict = ORACLE_AGREE };
    if (!interface_run(bench, &given))
        return false;
    bench->program->count = 0;
    bench->program->setup.chunk_count = 0;
    if (!interface_run_reference(bench, &expected))
        return false;
    oracle_all_equal(&expected, &given, false, &report);
    return report.verdict >= ORACLE_DIVERGE_UNDEFINED;
}

/* Only the part counts from now on. False if the check is over. */
static bool part_follows(struct interface_bench *bench)
{
    interface_restrict(bench, bench->check->part);
    if (!interface_read(bench, interface_part_case(bench->check->part), bench->check->name))
        return false;
    if (!follows(bench) && !interface_is_over(bench))
        interface_fail(bench, "declared, but does not follow: the case that writes to it leaves it as after a reset");
    return !interface_is_over(bench);
}

static void check_part(struct interface_bench *bench)
{
    if (part_follows(bench) && interface_read(bench, interface_part_case(bench->check->part), bench->check->name))
        (void)interface_agrees(bench);
}

/* Every register that just keeps what is written, by one list. */
static bool read_all_registers(struct interface_bench *bench)
{
    struct harness_text text = { 0 };
    harness_text_add(&text, "pcase 1\nwindow 0x18000000 size 0x8000\nrun 0x18003000 {\n");
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (info->reg_class == PICA_REG_CLASS_CONFIG || info->reg_class == PICA_REG_CLASS_STORAGE ||
            info->reg_class == PICA_REG_CLASS_CPU_ONLY)
            harness_text_format(&text, "%s = 0x%08X\n", info->name, (unsigned)word(id));
    }
    harness_text_add(&text, "FINALIZE = 0x12345678\n}");
    const bool read = !text.failed && interface_read(bench, harness_text_string(&text), "all registers");
    harness_text_free(&text);
    return read;
}

/* All that differ: "VIEWPORT_WIDTH, 0x045-0x046". */
static uint32_t list_differing(const struct oracle_run *expected, const struct oracle_run *given,
                               struct harness_text *out)
{
    struct oracle_scope scope;
    uint32_t count = 0;
    oracle_scope_of_runs(expected, given, &scope);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const uint32_t first = id;
        while (id < PICA_REGISTERS && oracle_scope_has_register(&scope, id) &&
               expected->state->registers[id] != given->state->registers[id])
            id++;
        if (id == first)
            continue;
        const char *const name = pica_reg_info(first)->name;
        if (id == first + 1 && pica_reg_info(first)->reg_class != PICA_REG_CLASS_STORAGE)
            harness_text_format(out, "%s%s", count != 0 ? ", " : "", name);
        else
            harness_text_format(out, "%s0x%03X", count != 0 ? ", " : "", (unsigned)first);
        if (id > first + 1)
            harness_text_format(out, "-0x%03X", (unsigned)(id - 1));
        count += id - first;
    }
    return count;
}

/* Names all registers that are not as they should be at once: hunts would find them one by one. */
static void check_registers(struct interface_bench *bench)
{
    struct oracle_run expected, given;
    struct harness_text names = { 0 };
    if (!part_follows(bench) || !read_all_registers(bench) || !interface_run(bench, &given) ||
        !interface_run_reference(bench, &expected))
        return;
    const uint32_t count = list_differing(&expected, &given, &names);
    if (count != 0)
        interface_fail(bench, "%u register(s) are not what a list that writes to all leaves: %.900s", (unsigned)count,
                       harness_text_string(&names));
    harness_text_free(&names);
    if (!interface_is_over(bench) && interface_read(bench, interface_part_case(PICA_PART_REGISTERS), "registers"))
        (void)interface_agrees(bench);
}

/* ---------------------------------------------------------------------------------------------------------- budgets */

static uint32_t *limit_of(struct pica_setup *setup, uint32_t budget)
{
    struct pica_limits *const limits = &setup->limits;
    switch (budget) {
    case PICA_BUDGET_COMMANDS: return &limits->commands;
    case PICA_BUDGET_VERTICES: return &limits->vertices;
    case PICA_BUDGET_INSTRUCTIONS: return &limits->instructions;
    case PICA_BUDGET_EMITS: return &limits->emits;
    case PICA_BUDGET_WORK: return &setup->work;
    default: return &limits->pixels;
    }
}

/* Limits from 1 to beyond what the case needs: each must stop exactly there. */
static void check_budget(struct interface_bench *bench)
{
    static const uint32_t limits[] = { 1,  2,  3,  4,  5,  6,  25, 30, 31, 32, 33, 34,  35,  36,  37,  38,  39,
                                       40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 255, 256, 257, 511, 512, 513 };
    const uint32_t budget = bench->check->budget;
    size_t twin = 0; /* whose draw with the change it survives */
    while (twin < interface_twin_count && (bench->deadly >> (2 * twin + 1) & 1u) != 0)
        twin++;
    if (twin == interface_twin_count && budget != PICA_BUDGET_EMITS) {
        interface_no_draws(bench);
        return;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (!(budget == PICA_BUDGET_EMITS ? interface_read(bench, interface_part_case(PICA_PART_GEOMETRY), "emits")
                                          : interface_read_twin(bench, twin, true)))
            return;
        *limit_of(&bench->program->setup, budget) = limits[i];
        if (!interface_looks_alike(bench)) {
            char text[HARNESS_INTERFACE_TEXT];
            if (bench->said->verdict == HARNESS_INTERFACE_NOT_TAKEN)
                return;
            memcpy(text, bench->said->text, sizeof text);
            (void)snprintf(bench->said->text, sizeof bench->said->text, "limit %u: %.900s", (unsigned)limits[i], text);
            return;
        }
    }
}

const struct interface_check interface_checks[] = {
    { "opens", check_opens, 0, 0, "export pica_backend_entry, fill in the required members, return PICA_OK" },
    { "memory", check_memory, PICA_PART_MEMORY, 0,
      "load: zero the windows, write the chunks in order; read_memory: these bytes, after finish" },
    { "fill", check_fill, 0, 0, "the plainest work there is: fill unit 0, half a page of 0x5A, one PSC0 interrupt" },
    { "reset", check_reset, 0, 0, "load with initial_state NULL: PICA_RESET_VALUES, everything else 0" },
    { "state", check_state, 0, 0,
      "load: take over every member of initial_state that you have, also those that you do not declare" },
    { "registers", check_registers, PICA_PART_REGISTERS, 0,
      "read_state: give what was written, by byte mask, or leave "
      "the part out of models (or the ids in registers_not_kept)" },
    { "engines", check_part, PICA_PART_ENGINES, 0,
      "read_state: external[] as a CPU would read it, or declare the addresses that you keep in engine_registers" },
    { "interrupts", check_part, PICA_PART_INTERRUPTS, 0, "count each interrupt (EXT-CMD-10), or leave the part out" },
    { "tables", check_part, PICA_PART_TABLES, 0, "read_state: tables as raw words, or leave the part out" },
    { "units", check_part, PICA_PART_UNITS, 0,
      "read_state: code, descriptors, uniforms, queues, or leave the part out" },
    { "fixed", check_part, PICA_PART_FIXED, 0, "read_state: fixed attributes and their queue, or leave the part out" },
    { "geometry", check_part, PICA_PART_GEOMETRY, 0, "leave the part out if your geometry stage keeps less" },
    { "assembler", check_part, PICA_PART_ASSEMBLER, 0, "leave the part out if your assembler keeps less" },
    { "events", check_part, PICA_PART_EVENTS, 0, "read_events: all class M events, or leave the part out" },
    { "screens", check_screens, PICA_PART_SCREENS, 0,
      "scan_out: what the registers say (PDC), colour fill too; leave it NULL while pictures are scaled or filtered" },
    { "twins", check_twins, 0, 0,
      "if your GPU has no such thing: return PICA_NOT_SUPPORTED from run, or name it in a quirks file; else it is a "
      "bug" },
    { "budget commands", check_budget, 0, PICA_BUDGET_COMMANDS,
      "stop before command number LIM + 1 of a submission (CMD-20, CMD-22), or do not declare the budget" },
    { "budget vertices", check_budget, 0, PICA_BUDGET_VERTICES,
      "stop before vertex number LIM + 1 of a submission (VTX-23), or do not declare the budget" },
    { "budget instructions", check_budget, 0, PICA_BUDGET_INSTRUCTIONS,
      "stop before instruction number LIM + 1 of a run (SHD-14), or do not declare the budget" },
    { "budget emits", check_budget, 0, PICA_BUDGET_EMITS,
      "stop before emit number LIM + 1 of a run (GSH-34), or do not declare the budget" },
    { "budget pixels", check_budget, 0, PICA_BUDGET_PIXELS,
      "leave out the triangle whose box goes beyond LIM (RST-08), or do not declare the budget" },
    { "budget work", check_budget, 0, PICA_BUDGET_WORK,
      "stop before what begins beyond LIM_WORK (CMD-24, RST-09, PSC-14), or do not declare the budget" },
    { "leaks", check_leaks, 0, 0,
      "load: set everything to its reset value, what you do not declare too; or run a fresh process for each case" },
    { "surroundings", check_surroundings, 0, 0,
      "put back rounding modes, signal masks, directory, umask, locale before a call returns; no -ffast-math, which "
      "changes "
      "them when the library is opened" },
    { "1000 loads", check_loads, 0, 0, "load: forget the case before, and free what it took" },
    { "deterministic", check_deterministic, 0, 0,
      "no time, no address, no uninitialised memory in a result; wait for your threads in finish" },
    { "fresh process", check_fresh_process, 0, 0,
      "memory that nobody initialised, or an address in a result: valgrind and MSan find it" },
};
const size_t interface_check_count = sizeof interface_checks / sizeof interface_checks[0];
