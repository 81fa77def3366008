/* Do generated cases reach what outlives a draw: memory that is written and read again, state that alone is new? */
#include "harness/coverage/deltas.h"
#include "harness/coverage/rereads.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/features.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <string.h>

struct watch {
    struct harness_rereads rereads;
    struct harness_deltas deltas;
    uint8_t counters[PICA_FEATURE_TOTAL];
    uint32_t again[HARNESS_RANGE_KINDS][HARNESS_WRITERS]; /* read before, written, read again with effect */
    uint32_t parts[HARNESS_REREAD_PARTS];                 /* of textures */
    uint32_t alone[PICA_REGISTERS + 2];
};

static void see_reread(void *user, const struct harness_reread *reread, bool effect)
{
    struct watch *const watch = user;
    if (!reread->first || !effect)
        return;
    watch->again[reread->reader][reread->writer]++;
    watch->parts[reread->part] += reread->reader == HARNESS_RANGE_TEXTURE;
}

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct watch *const watch = user;
    harness_rereads_draw(&watch->rereads, draw, draw->pixels != 0);
    watch->alone[harness_deltas_draw(&watch->deltas, draw, watch->counters + PICA_FEATURE_REGISTER_WRITTEN,
                                     draw->pixels != 0)]++;
    memset(watch->counters, 0, sizeof watch->counters);
}

static void watch_cases(struct watch *watch, uint64_t first, uint64_t count)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    memset(watch, 0, sizeof *watch);
    harness_deltas_init(&watch->deltas);
    void *const instance = harness_runner_instance(runner);
    cr_assert_eq(harness_linked_backend(HARNESS_REFERENCE)->observe_draws(instance, see_draw, watch), PICA_OK);
    cr_assert_eq(
        harness_linked_backend(HARNESS_REFERENCE)->observe_features(instance, watch->counters, sizeof watch->counters),
        PICA_OK);
    for (uint64_t seed = first; seed < first + count; seed++) {
        harness_generate(test_case, seed, NULL);
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        harness_rereads_begin(&watch->rereads, see_reread, watch);
        harness_deltas_begin(&watch->deltas);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        for (uint32_t i = 0; i < program->count; i++) {
            cr_assert_eq(harness_runner_step(runner, &program->operations[i]), PICA_OK);
            harness_rereads_operation(&watch->rereads, &program->operations[i]);
        }
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

/* MEM-05. A list is written by whoever can write words that make sense. */
Test(outlive, textures_levels_and_vertices_are_read_again_after_each_writer)
{
    static struct watch watch;
    static const enum harness_range_kind kinds[] = { HARNESS_RANGE_TEXTURE, HARNESS_RANGE_LEVEL, HARNESS_RANGE_ARRAY };
    watch_cases(&watch, 1, 8000); /* the rarest, writes inside a texture, come about 20 times */
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (uint32_t w = 0; w < HARNESS_WRITERS; w++)
            cr_expect_gt(watch.again[kinds[k]][w], 0, "%s after %s", harness_range_kind_name(kinds[k]),
                         harness_writer_name((enum harness_writer)w));
    for (uint32_t p = 0; p < HARNESS_REREAD_PARTS; p++)
        cr_expect_gt(watch.parts[p], 10, "part %u: %u", p, watch.parts[p]);
    cr_expect_gt(watch.again[HARNESS_RANGE_INDICES][HARNESS_WRITER_LOAD], 0);
    cr_expect_gt(watch.again[HARNESS_RANGE_LIST][HARNESS_WRITER_LOAD], 10);
    cr_expect_gt(watch.again[HARNESS_RANGE_LIST][HARNESS_WRITER_COPY], 0);
}

/* Of each kind of thing that a draw may depend on: registers, tables, uniforms, programs, descriptors, the target. */
Test(outlive, draws_differ_in_exactly_one_thing_of_each_kind)
{
    static struct watch watch;
    static const enum pica_reg kinds[] = { PICA_REG_TEXUNIT_CONFIG,         PICA_REG_BLEND_FUNC,
                                           PICA_REG_COLORBUFFER_LOC,        PICA_REG_LIGHTING_LUT_DATA0,
                                           PICA_REG_FOG_LUT_DATA0,          PICA_REG_VSH_BOOLUNIFORM,
                                           PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_CODETRANSFER_DATA0,
                                           PICA_REG_VSH_OPDESCS_DATA0,      PICA_REG_FIXEDATTRIB_DATA0 };
    uint32_t registers = 0;
    watch_cases(&watch, 100001, 5000); /* the rarest come four times in 2500 */
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        cr_expect_gt(watch.alone[kinds[k]], 0, "%s", pica_reg_info(kinds[k])->name);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        registers += watch.alone[id] != 0;
    cr_expect_gt(registers, 100, "%u", registers);
}
