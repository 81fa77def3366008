#include "tests/grammar/reach.h"

#include "harness/case/case.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/opcodes.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

struct watch {
    struct reach *reach;
    struct harness_runner *runner;
    struct harness_program *program;
    uint8_t *before; /* all windows, as the last draw or operation left them */
    uint32_t draws;  /* of this case */
    bool visible;
};

static void see_field(struct reach_field *seen, const struct pica_field_info *field, uint32_t word)
{
    const uint32_t value = pica_field_get(field, word);
    seen->varied = seen->varied || (seen->seen && value != seen->first);
    if (!seen->seen)
        seen->first = value;
    seen->seen = true;
    if (value < 256)
        seen->values[value / 64] |= (uint64_t)1 << value % 64;
}

static void see_word(struct reach *reach, struct reach_field *fields, enum pica_layout layout, uint32_t word)
{
    size_t count;
    const struct pica_field_info *const infos = pica_layout_fields(layout, &count);
    for (size_t f = 0; f < count; f++) {
        if (fields != NULL)
            see_field(&fields[f], &infos[f], word);
        see_field(&reach->layouts[layout][f], &infos[f], word);
    }
}

static void see_pairs(struct reach *reach, const uint32_t *registers)
{
    const uint32_t blend = registers[PICA_REG_BLEND_FUNC];
    if (pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND)
        reach->blend[pica_blend_func_rgb_equation(blend)][pica_blend_func_rgb_source(blend)]++;
    for (uint32_t stage = 0; stage < 6; stage++) {
        const uint32_t source = registers[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
        const uint32_t mode = registers[pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER)];
        reach->tev[pica_texenv_combiner_rgb_mode(mode)][pica_texenv_source_rgb_source0(source)]++;
    }
    if (pica_texunit_config_unit_enable_at(registers[PICA_REG_TEXUNIT_CONFIG], 0) != 0)
        reach->texture[registers[PICA_REG_TEXUNIT0_TYPE] & 15u]
                      [pica_texunit_param_wrap_s(registers[PICA_REG_TEXUNIT0_PARAM])]++;
    const uint32_t stencil = registers[PICA_REG_STENCIL_TEST];
    if (pica_stencil_test_enable(stencil) != 0)
        reach->stencil[pica_stencil_test_function(stencil)][pica_stencil_op_pass(registers[PICA_REG_STENCIL_OP])]++;
}

/* Has any byte changed since the last look? Looks at written windows whole: they are small. */
static bool changed(struct watch *watch)
{
    const struct pica_setup *const setup = &watch->program->setup;
    const struct pica_backend *const backend = harness_runner_backend(watch->runner);
    bool different = false;
    size_t offset = 0;
    for (uint32_t w = 0; w < setup->window_count; w++) {
        const uint8_t *bytes = NULL;
        cr_assert_eq(backend->view_memory(harness_runner_instance(watch->runner), w, &bytes), PICA_OK);
        different = different || memcmp(watch->before + offset, bytes, setup->windows[w].size) != 0;
        memcpy(watch->before + offset, bytes, setup->windows[w].size);
        offset += setup->windows[w].size;
    }
    return different;
}

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct watch *const watch = user;
    struct reach *const reach = watch->reach;
    watch->draws++;
    reach->draws++;
    if (!changed(watch))
        return;
    watch->visible = true;
    reach->visible_draws++;
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        see_word(reach, reach->registers[id], pica_reg_info(id)->layout, draw->registers[id]);
    see_pairs(reach, draw->registers);
}

static void see_operation(struct reach *reach, const struct pica_operation *operation)
{
    static const enum pica_layout fill[4] = { PICA_LAYOUT_FILL_ADDRESS, PICA_LAYOUT_FILL_ADDRESS, PICA_LAYOUT_WORD,
                                              PICA_LAYOUT_FILL_CTRL };
    static const uint32_t transfer[9] = { PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,   PICA_EXTREG_XFER_DIM,
                                          PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS, PICA_EXTREG_XFER_UNK14,
                                          PICA_EXTREG_COPY_SIZE,  PICA_EXTREG_COPY_IN,    PICA_EXTREG_COPY_OUT };
    if (operation->kind == PICA_OPERATION_MEMORY_FILL)
        for (uint32_t i = 0; i < 4; i++)
            see_word(reach, NULL, fill[i], operation->words[i]);
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        for (uint32_t i = 0; i < 9; i++)
            see_word(reach, NULL, pica_extreg_info(transfer[i])->layout, operation->words[i]);
    if (operation->kind != PICA_OPERATION_WRITE_REGISTER || operation->address < PICA_EXTERNAL_ADDRESS ||
        operation->address >= PICA_INTERNAL_ADDRESS)
        return;
    const struct pica_extreg_info *const info = pica_extreg_info(operation->address - PICA_EXTERNAL_ADDRESS);
    if (info != NULL)
        see_word(reach, NULL, info->layout, operation->words[0]);
}

static void run_case(struct watch *watch)
{
    struct harness_program *const program = watch->program;
    const struct pica_backend *const backend = harness_runner_backend(watch->runner);
    void *const instance = harness_runner_instance(watch->runner);
    cr_assert_eq(harness_runner_load(watch->runner, &program->setup), PICA_OK);
    cr_assert_eq(backend->observe_draws(instance, see_draw, watch), PICA_OK);
    for (uint32_t i = 0; i < program->count; i++) {
        (void)changed(watch);
        cr_assert_eq(harness_runner_step(watch->runner, &program->operations[i]), PICA_OK);
        see_operation(watch->reach, &program->operations[i]);
    }
    cr_assert_eq(backend->observe_draws(instance, NULL, NULL), PICA_OK);
}

static void see_step(void *user, const struct pica_trace_step *step)
{
    struct reach *const reach = user;
    if (strcmp(step->name, "instruction") == 0)
        reach->opcodes |= (uint64_t)1 << pica_opcode_of(step->values[0]);
}

static void trace_last_draw(struct watch *watch)
{
    const struct pica_backend *const backend = harness_runner_backend(watch->runner);
    void *const instance = harness_runner_instance(watch->runner);
    const struct pica_trace_request request = { .draw = watch->draws - 1u, .subject = PICA_TRACE_VERTICES };
    if (watch->draws == 0)
        return;
    cr_assert_eq(harness_runner_load(watch->runner, &watch->program->setup), PICA_OK);
    cr_assert_eq(backend->trace(instance, &request, see_step, watch->reach), PICA_OK);
    cr_assert_eq(harness_runner_run(watch->runner, watch->program->operations, watch->program->count), PICA_OK);
    cr_assert_eq(backend->trace(instance, NULL, NULL, NULL), PICA_OK);
}

static void note_events(struct watch *watch)
{
    struct pica_events events;
    const struct pica_backend *const backend = harness_runner_backend(watch->runner);
    cr_assert_eq(backend->read_events(harness_runner_instance(watch->runner), &events), PICA_OK);
    uint64_t any = 0;
    for (int i = 0; i < 4; i++) {
        watch->reach->events.words[i] |= events.words[i];
        any |= events.words[i];
    }
    watch->reach->quiet += any == 0;
    watch->reach->visible += watch->visible;
    watch->reach->cases++;
}

void reach_more(struct reach *reach, enum harness_generate_mode mode, uint64_t first, uint64_t count, bool trace)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct harness_generate_options generate = { .mode = mode };
    struct watch watch = { .reach = reach,
                           .program = harness_program_create(),
                           .before = calloc(1, HARNESS_PAIR_MAX_WINDOW_BYTES) };
    struct harness_case *const test_case = harness_case_create();
    cr_assert(watch.program != NULL && watch.before != NULL && test_case != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &watch.runner), PICA_OK);
    for (uint64_t seed = first; seed < first + count; seed++) {
        watch.draws = 0;
        watch.visible = false;
        harness_generate(test_case, seed, &generate);
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, watch.program, NULL), HARNESS_OK);
        run_case(&watch);
        note_events(&watch);
        if (trace)
            trace_last_draw(&watch);
    }
    harness_runner_destroy(watch.runner);
    harness_case_destroy(test_case);
    harness_program_destroy(watch.program);
    free(watch.before);
}

struct reach *reach_run(enum harness_generate_mode mode, uint64_t first, uint64_t count, bool trace)
{
    struct reach *const reach = calloc(1, sizeof *reach);
    cr_assert_not_null(reach);
    reach_more(reach, mode, first, count, trace);
    return reach;
}
