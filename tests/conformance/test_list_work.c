/* 10-command-stream.md section 3: the work of a case (CMD-23, CMD-24). Shading is in test_raster_work.c. */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/shader_probe.h"

enum {
    SCRATCH = 0x045,  /* a storage register without any effect (REG-06) */
    VERTEX_SHADER = 3 /* instructions of gs_pipeline's vertex shader */
};

static const uint32_t END = 0x88000000;
static const uint32_t NOP = 0x84000000;
static const uint32_t EMIT = 0xA8000000;

/* CMD-24: 1 + N for each command of the list so far. */
static uint32_t steps_of_commands(const struct list *list)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i + 1u < list->count;) {
        const uint32_t more = list->words[i + 1u] >> 20 & 0xFFu;
        steps += 1u + more;
        i += 2u + more + more % 2u;
    }
    return steps;
}

/* What a test does before the list that counts: memory, an earlier list. */
typedef void (*preparation)(struct machine *m, struct list *list);

/* `work` steps precede a last command: it is executed if one more is allowed, and not if that is all. */
static void expect_work(struct machine *m, preparation prepare, uint32_t work)
{
    for (uint32_t more = 0; more < 2; more++) {
        machine_load_work(m, work + more);
        machine_case(m, "LIM_WORK %u", (unsigned)(work + more));
        struct list list = { .count = 0 };
        prepare(m, &list);
        list_write(&list, SCRATCH, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-24", machine_register(m, SCRATCH), more);
        EXPECT_EVENT(m, "CMD-24, CMD-10", PICA_EVENT_BUDGET_WORK);
        EXPECT_EVENT(m, "CMD-11", PICA_EVENT_NO_FINALIZE);
    }
}

/* ------------------------------------------------------------------------------------------------------- commands */

static void two_commands(struct machine *m, struct list *list)
{
    static const uint32_t words[5] = { 1, 2, 3, 4, 5 };
    (void)m;
    list_write(list, SCRATCH + 1, 7);
    list_write_many(list, SCRATCH + 1, false, words, 5);
}

EACH_MACHINE(list, CMD_24_a_command_counts_each_of_its_parameters)
{
    expect_work(m, two_commands, 6);
}

/* 2 + 4: the jump is parameter 0 of four, and the new list goes on counting. */
static void jump_that_discards(struct machine *m, struct list *list)
{
    static const uint32_t words[4] = { 1, 2, 3, 4 };
    struct list target = { .count = 0 };
    list_write(&target, SCRATCH + 1, 7);
    list_write(&target, SCRATCH, 1);
    list_write(&target, SCRATCH + 1, 8);
    list_write(&target, SCRATCH + 1, 9);
    machine_load_words(m, LIST_ADDRESS + 0x100, target.words, target.count);
    list_write(list, PICA_REG_CMDBUF_SIZE1, 4);
    list_write(list, PICA_REG_CMDBUF_ADDR1, (LIST_ADDRESS + 0x100) >> 3);
    list_write_many(list, PICA_REG_CMDBUF_JUMP1, false, words, 4);
}

EACH_MACHINE(list, CMD_24_discarded_parameters_count)
{
    expect_work(m, jump_that_discards, 2 + 4 + 1);
}

/* Two commands a list: the third list finds the steps spent. */
EACH_MACHINE(list, CMD_23_a_new_submission_goes_on_counting)
{
    machine_load_work(m, 4);
    for (uint32_t k = 1; k <= 3; k++) {
        const uint32_t words[4] = { k, 0x000F0045, 0x12345678, 0x000F0010 };
        machine_submit_words(m, words, 4); /* two commands */
    }
    EXPECT_EQ(m, "CMD-23", machine_register(m, SCRATCH), 2);
    EXPECT_EVENT(m, "CMD-23", PICA_EVENT_BUDGET_WORK);
    machine_reset(m); /* a case begins with 0 steps */
    static const uint32_t words[4] = { 9, 0x000F0045, 0x12345678, 0x000F0010 };
    machine_submit_words(m, words, 4);
    EXPECT_EQ(m, "CMD-23", machine_register(m, SCRATCH), 9);
    EXPECT_NO_EVENTS(m, "CMD-23");
}

/* Both limits are reached before the second command: the steps are looked at first. */
EACH_MACHINE(list, CMD_10_the_steps_are_looked_at_before_LIM_CMDS)
{
    LOAD_LIMIT(m, commands, 1);
    machine_load_work(m, 1);
    static const uint32_t words[4] = { 1, 0x000F0045, 2, 0x000F0045 };
    machine_submit_words(m, words, 4);
    EXPECT_EQ(m, "CMD-10", machine_register(m, SCRATCH), 1);
    EXPECT_ONLY_EVENTS(m, "CMD-10", PICA_EVENT_BUDGET_WORK, PICA_EVENT_NO_FINALIZE);
}

/* A CPU write counts nothing by itself, and is executed when the steps are spent. */
EACH_MACHINE(list, CMD_24_cpu_writes_are_not_counted)
{
    machine_load_work(m, 1);
    for (uint32_t k = 1; k <= 5; k++)
        machine_cpu_write_id(m, SCRATCH, k);
    EXPECT_EQ(m, "CMD-24", machine_register(m, SCRATCH), 5);
    EXPECT_NO_EVENTS(m, "CMD-24");
}

/* ------------------------------------------------------------------------------------------------ draws and shaders */

static void draw(struct list *list, uint32_t vertices)
{
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_draw(list, vertices);
}

static void empty_draw(struct machine *m, struct list *list)
{
    gs_pipeline(m, list, NULL, 0);
    draw(list, 0);
}

static uint32_t pipeline_steps(struct machine *m, preparation prepare)
{
    struct list list = { .count = 0 };
    prepare(m, &list);
    return steps_of_commands(&list);
}

EACH_MACHINE(list, CMD_24_a_draw_trigger_counts_128)
{
    expect_work(m, empty_draw, pipeline_steps(m, empty_draw) + 128);
}

static void plain_draw(struct machine *m, struct list *list)
{
    gs_pipeline(m, list, NULL, 0);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 0);
    draw(list, 200);
}

/* Also beyond what a backend may run at once. */
EACH_MACHINE(list, CMD_24_a_vertex_counts_64_and_its_instructions)
{
    expect_work(m, plain_draw, pipeline_steps(m, plain_draw) + 128 + 200 * (64 + VERTEX_SHADER));
}

/* Every vertex is vertex 5: a cache may spare the run, and must not change the number. */
static void repeated_indices(struct machine *m, struct list *list)
{
    uint8_t indices[32];
    for (uint32_t i = 0; i < sizeof indices; i++)
        indices[i] = 5;
    gs_pipeline(m, list, NULL, 0);
    machine_load(m, GS_ARRAY + 0x100, indices, sizeof indices);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 0);
    list_write(list, PICA_REG_INDEXBUFFER_CONFIG, 0x100);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_draw_indexed(list, sizeof indices);
}

EACH_MACHINE(list, CMD_24_a_vertex_cache_does_not_change_the_steps)
{
    expect_work(m, repeated_indices, pipeline_steps(m, repeated_indices) + 128 + 32 * (64 + VERTEX_SHADER));
}

/* LIM_INSTR cuts an endless shader; what was counted until then counts here. */
static void endless_shader(struct machine *m, struct list *list)
{
    static const uint32_t code[4] = { NOP, NOP, NOP, NOP };
    gs_pipeline(m, list, NULL, 0);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 0);
    list_code(list, PICA_UNIT_VERTEX, 0, code, 4);
    draw(list, 3);
}

EACH_MACHINE(list, CMD_24_instructions_cut_off_by_LIM_INSTR_count_up_to_it)
{
    LOAD_LIMIT(m, instructions, 4);
    expect_work(m, endless_shader, pipeline_steps(m, endless_shader) + 128 + 3 * (64 + 4));
}

/* Three EMITs, of which LIM_EMIT allows two; six instructions. */
static const uint32_t emitting[6] = { NOP, EMIT, EMIT, EMIT, NOP, END };

static void emitting_draw(struct machine *m, struct list *list)
{
    gs_pipeline(m, list, emitting, 6);
    draw(list, 5);
}

EACH_MACHINE(list, CMD_24_GSH_34_an_emit_counts_64_unless_it_is_dropped)
{
    LOAD_LIMIT(m, emits, 2);
    expect_work(m, emitting_draw, pipeline_steps(m, emitting_draw) + 128 + 5 * (64 + VERTEX_SHADER + 6 + 2 * 64));
}

static void immediate_vertices(struct machine *m, struct list *list)
{
    gs_pipeline(m, list, emitting, 6);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_write(list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(list, 1);
    gs_vector(list, 2);
}

EACH_MACHINE(list, CMD_24_an_immediate_vertex_counts_512_and_its_emits_1024)
{
    LOAD_LIMIT(m, emits, 2);
    expect_work(m, immediate_vertices,
                pipeline_steps(m, immediate_vertices) + 2 * (512 + VERTEX_SHADER + 6 + 2 * 1024));
}

/* GSH-20: indices 2, 5, 6, 0: a count, two vertices and one run of the geometry shader, a count of 0. */
static void counts(struct machine *m, struct list *list)
{
    static const uint8_t indices[4] = { 2, 5, 6, 0 };
    gs_pipeline(m, list, emitting, 6);
    machine_load(m, GS_ARRAY + 0x100, indices, sizeof indices);
    list_write(list, PICA_REG_GSH_MISC0, 1);
    list_write(list, PICA_REG_INDEXBUFFER_CONFIG, 0x100);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_draw_indexed(list, 4);
}

EACH_MACHINE(list, CMD_24_counts_among_the_indices_count_like_vertices)
{
    expect_work(m, counts, pipeline_steps(m, counts) + 128 + 4 * 64 + 2 * VERTEX_SHADER + 6 + 3 * 64);
}

/* ------------------------------------------------------------------------------------------------ where a draw ends */

/* The geometry shader counts its runs: as many vertices as begin before the steps are spent; LIM_VERTS is not asked. */
EACH_MACHINE(list, CMD_24_VTX_23_a_draw_ends_before_the_vertex_that_finds_the_steps_spent)
{
    enum {
        VERTEX = 64 + VERTEX_SHADER + 2
    };
    struct list list = gs_list(m, NULL, 0);
    draw(&list, 100);
    const uint32_t before = steps_of_commands(&list) + 128;
    for (uint32_t vertices = 0; vertices <= 80; vertices += 20)
        for (uint32_t more = 0; more < 2; more++) {
            LOAD_LIMIT(m, vertices, vertices + more != 0 ? vertices + more : 1);
            machine_load_work(m, before + vertices * VERTEX + more);
            machine_case(m, "%u vertices and %u steps", (unsigned)vertices, (unsigned)more);
            list.count = 0;
            gs_pipeline(m, &list, NULL, 0);
            draw(&list, 100);
            machine_submit(m, &list);
            EXPECT_EQ(m, "CMD-24", gs_invocations(m), vertices + more);
            EXPECT_EVENT(m, "CMD-24", PICA_EVENT_BUDGET_WORK);
            EXPECT_NO_EVENT(m, "VTX-23", PICA_EVENT_BUDGET_VERTS);
        }
}

/* Spent by the commands before: the draw is configured, has its events, and no vertex. */
EACH_MACHINE(list, CMD_24_a_draw_with_the_steps_spent_does_its_step_a)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 1);
    draw(&list, 4);
    machine_load_work(m, steps_of_commands(&list));
    list.count = 0;
    gs_pipeline(m, &list, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 1);
    draw(&list, 4);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-24, GSH-05", machine_state(m)->geometry.in_use, 1);
    EXPECT_EQ(m, "CMD-24", gs_invocations(m), 0);
    EXPECT_EVENT(m, "CMD-24, GSH-01", PICA_EVENT_GEOSTAGE_13);
    EXPECT_EVENT(m, "CMD-24", PICA_EVENT_BUDGET_WORK);
}

/* The command that completes it spends the steps. */
EACH_MACHINE(list, CMD_24_VTX_44_an_immediate_vertex_with_the_steps_spent_is_discarded)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    const uint32_t before = steps_of_commands(&list);
    for (uint32_t more = 0; more < 2; more++) {
        machine_load_work(m, before + 3 + more); /* the three words of the vector are one command */
        machine_case(m, "%u steps left", (unsigned)more);
        list.count = 0;
        gs_pipeline(m, &list, NULL, 0);
        list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        gs_vector(&list, 9);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-44", gs_invocations(m), more);
        EXPECT_EQ(m, "VTX-44", machine_state(m)->immediate_count, 0);
        EXPECT_EQ(m, "VTX-44", machine_state(m)->reset_armed, 1u - more);
        EXPECT_EVENT(m, "VTX-44", PICA_EVENT_BUDGET_WORK);
        EXPECT_NO_EVENT(m, "VTX-44", PICA_EVENT_BUDGET_VERTS);
    }
}

EACH_MACHINE(list, CMD_23_without_LIM_WORK_nothing_ends)
{
    machine_load_work(m, 0);
    struct list list = { .count = 0 };
    plain_draw(m, &list);
    machine_submit(m, &list);
    EXPECT_NO_EVENT(m, "CMD-23", PICA_EVENT_BUDGET_WORK);
    EXPECT_EQ(m, "CMD-23", machine_interrupts(m, 5), 1);
}
