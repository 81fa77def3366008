/* Do the cases about capacity have what a machine must hold at once: targets of several bins, many triangles, many
 * textures? */
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    CASES = 400,
    MANY = 100, /* triangles of a draw */
    MANY_IMAGES = 6,
    MOST_IMAGES = 32
};

/* The draws of one case. */
struct held {
    uint32_t side;      /* of the target, the longer one */
    uint32_t triangles; /* the most of a draw */
    uint32_t images[MOST_IMAGES];
    uint32_t image_count;
    uint64_t crowded_pixels; /* the most of a draw with many triangles */
    uint32_t indices;        /* address of those of the last list of triangles; 0: none */
    uint32_t index_count, index_bytes;
    bool again; /* a triangle comes twice there */
};

static uint32_t triangles_of(const uint32_t *registers)
{
    const uint32_t count = registers[PICA_REG_NUMVERTICES];
    switch ((enum pica_topology)pica_primitive_config_topology(registers[PICA_REG_PRIMITIVE_CONFIG])) {
    case PICA_TOPOLOGY_LIST:
    case PICA_TOPOLOGY_GEOMETRY: return count / 3u;
    case PICA_TOPOLOGY_STRIP:
    case PICA_TOPOLOGY_FAN: return count < 3 ? 0 : count - 2u;
    }
    return 0; /* not reached: two bits */
}

static void note_image(struct held *held, uint32_t address)
{
    for (uint32_t i = 0; i < held->image_count; i++)
        if (held->images[i] == address)
            return;
    if (held->image_count < MOST_IMAGES)
        held->images[held->image_count++] = address;
}

static bool is_list(const uint32_t *registers)
{
    const uint32_t topology = pica_primitive_config_topology(registers[PICA_REG_PRIMITIVE_CONFIG]);
    return topology == PICA_TOPOLOGY_LIST || topology == PICA_TOPOLOGY_GEOMETRY;
}

/* VTX-01, VTX-21. */
static void note_indices(struct held *held, const uint32_t *registers)
{
    const uint32_t config = registers[PICA_REG_INDEXBUFFER_CONFIG];
    const uint32_t base = pica_attribbuffers_loc_base(registers[PICA_REG_ATTRIBBUFFERS_LOC]) << 4;
    held->indices = base + pica_indexbuffer_config_offset(config);
    held->index_bytes = pica_indexbuffer_config_type(config) == PICA_INDEX_TYPE_UNSIGNED_SHORT ? 2 : 1;
    held->index_count = registers[PICA_REG_NUMVERTICES];
}

static void look_in_data(struct held *held, uint32_t address, const struct harness_data *data)
{
    const uint32_t triangle = 3u * held->index_bytes;
    if (address != held->indices || data->kind != HARNESS_DATA_TABLE)
        return;
    for (uint32_t i = 0; i < held->index_count / 3u; i++)
        for (uint32_t j = 0; j < i && (i + 1u) * triangle <= data->size; j++)
            held->again = held->again || memcmp(data->bytes + i * triangle, data->bytes + j * triangle, triangle) == 0;
}

/* Indices lie in memory from the start, or are loaded. */
static void look_for_triangles(struct held *held, const struct harness_case *test_case)
{
    for (uint32_t c = 0; c < test_case->chunk_count && held->indices != 0; c++)
        look_in_data(held, test_case->chunks[c].address, &test_case->chunks[c].data);
    for (uint32_t k = 0; k < test_case->operation_count && held->indices != 0; k++)
        if (test_case->operations[k].kind == HARNESS_LOAD)
            look_in_data(held, test_case->operations[k].address, &test_case->operations[k].data);
}

static void see_draw(void *user, const struct pica_draw *draw)
{
    struct held *const held = user;
    const uint32_t dim = draw->registers[PICA_REG_FRAMEBUFFER_DIM];
    const uint32_t sides[2] = { pica_framebuffer_dim_width(dim), pica_framebuffer_dim_height_minus_1(dim) + 1u };
    for (int i = 0; i < 2; i++)
        held->side = sides[i] > held->side ? sides[i] : held->side;
    for (uint32_t unit = 0; unit < 3; unit++)
        if (pica_texunit_config_unit_enable_at(draw->registers[PICA_REG_TEXUNIT_CONFIG], unit) != 0)
            note_image(held, draw->registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)]);
    if (draw->trigger != PICA_REG_DRAWARRAYS && draw->trigger != PICA_REG_DRAWELEMENTS)
        return;
    const uint32_t triangles = triangles_of(draw->registers);
    held->triangles = triangles > held->triangles ? triangles : held->triangles;
    if (triangles >= MANY && draw->pixels > held->crowded_pixels)
        held->crowded_pixels = draw->pixels;
    if (draw->trigger == PICA_REG_DRAWELEMENTS && is_list(draw->registers))
        note_indices(held, draw->registers);
}

/* The cases of seeds 1 to CASES with these areas, without events, as fuzzers run them; `about`: bit by bit, those that
 * drew all of the areas. */
static void run_cases(struct held *held, uint64_t areas, bool *about)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct harness_generate_options wanted = { .mode = HARNESS_GENERATE_DEFINED, .areas = areas };
    struct harness_runner *runner;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        memset(&held[i], 0, sizeof held[i]);
        about[i] = harness_generate(test_case, 1 + i, &wanted) == areas;
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        cr_assert_eq(harness_linked_backend(HARNESS_REFERENCE)
                         ->observe_draws(harness_runner_instance(runner), see_draw, &held[i]),
                     PICA_OK);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        for (uint32_t k = 0; k < program->count; k++)
            cr_assert_eq(harness_runner_step(runner, &program->operations[k]), PICA_OK);
        look_for_triangles(&held[i], test_case);
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

struct sums {
    uint32_t cases, large, crowded, shown, small, imaged;
};

static struct sums sum_up(const struct held *held, const bool *about)
{
    struct sums sums = { 0 };
    for (uint32_t i = 0; i < CASES; i++) {
        if (!about[i])
            continue;
        sums.cases++;
        sums.large += held[i].side > 64;
        sums.crowded += held[i].triangles >= MANY;
        sums.shown += held[i].crowded_pixels != 0;
        sums.small += held[i].crowded_pixels != 0 && held[i].crowded_pixels <= 0x1000;
        sums.imaged += held[i].image_count >= MANY_IMAGES;
    }
    return sums;
}

/* A bin has 64 x 64 pixels; three units have three images. */
Test(capacity, targets_have_several_bins_draws_hundreds_of_triangles_cases_many_images)
{
    static struct held held[CASES];
    static bool about[CASES];
    run_cases(held, harness_generate_area("capacity") | harness_generate_area("textures"), about);
    const struct sums sums = sum_up(held, about);
    cr_expect_gt(sums.cases, CASES / 2, "%u", sums.cases);
    cr_expect_eq(sums.large, sums.cases, "large: %u of %u", sums.large, sums.cases);
    cr_expect_gt(sums.crowded, sums.cases / 5, "crowded: %u of %u", sums.crowded, sums.cases);
    cr_expect_gt(sums.shown, sums.crowded * 3 / 4, "shown: %u of %u", sums.shown, sums.crowded);
    cr_expect_eq(sums.small, sums.shown, "of few pixels: %u of %u", sums.small, sums.shown);
    cr_expect_gt(sums.imaged, sums.cases / 5, "many images: %u of %u", sums.imaged, sums.cases);
}

/* VTX-24: vertices are found again, or no longer. */
Test(capacity, triangles_of_a_list_come_again_long_after)
{
    static struct held held[CASES];
    static bool about[CASES];
    uint32_t lists = 0, again = 0;
    run_cases(held, harness_generate_area("capacity") | harness_generate_area("elements"), about);
    for (uint32_t i = 0; i < CASES; i++) {
        lists += about[i] && held[i].indices != 0;
        again += about[i] && held[i].again;
    }
    cr_expect_gt(lists, CASES / 10, "%u", lists);
    cr_expect_gt(again, lists / 2, "%u of %u", again, lists);
}

/* Each operation and each draw would leave less for the others. */
Test(capacity, operations_and_geometry_shaders_are_left_out)
{
    static const char *const others[] = { "engines", "cpu-writes", "reuse", "delta", "geometry" };
    struct harness_case *const test_case = harness_case_create();
    const uint64_t capacity = harness_generate_area("capacity");
    uint32_t about = 0;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        const uint64_t other = harness_generate_area(others[k]);
        const struct harness_generate_options wanted = { .areas = capacity | other };
        for (uint64_t seed = 0; seed < 100; seed++) {
            const uint64_t drawn = harness_generate(test_case, seed, &wanted);
            cr_expect_neq(drawn, capacity | other, "%s", others[k]);
            about += drawn == capacity;
        }
    }
    cr_expect_gt(about, 250, "%u", about);
    harness_case_destroy(test_case);
}

Test(capacity, other_cases_leave_room_for_more_of_them)
{
    static struct held held[CASES];
    static bool about[CASES];
    run_cases(held, harness_generate_area("textures"), about);
    const struct sums sums = sum_up(held, about);
    cr_expect_gt(sums.cases, CASES / 2, "%u", sums.cases);
    cr_expect_eq(sums.large, 0, "%u", sums.large);
    cr_expect_eq(sums.crowded, 0, "%u", sums.crowded);
    cr_expect_lt(sums.imaged, sums.cases / 50, "%u of %u", sums.imaged, sums.cases);
}
