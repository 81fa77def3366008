/*
 * GEN-10: worker threads change how long a draw takes and nothing else. The linker's --wrap (CMakeLists.txt) brings
 * hand-overs here: so every one is one in which workers take part, and small draws are handed over as well, whether
 * that pays or not.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench/builder.h"
#include "bench/scenes.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/fetch_slices.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "pica/enums.h"
#include "pica/regs.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum {
    REPETITIONS = 6, /* a pool is asked many times: awake, asleep, late */
    PATIENCE_S = 60  /* for a worker to take an item */
};

/* ------------------------------------------------------------------------------------------------------ hand-overs */

static struct {
    bool always;         /* hand over what would not pay */
    int rounding;        /* the caller's when it creates an instance with workers */
    uint32_t hand_overs; /* so far */
    uint32_t sliced;     /* vertices or indices that went in slices, so far */
    uint32_t refused;    /* draws that then went on by one thread */
} spy;

/* The names that the linker makes. */
bool __real_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __real_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);
uint32_t __real_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);
bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);
uint32_t __wrap_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);

/* A draw that pays in any case, if there are workers. */
bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units)
{
    return __real_fast_workers_pay(workers, spy.always ? UINT64_MAX : units);
}

uint32_t __wrap_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first)
{
    const bool before = draw->one_thread;
    const uint32_t next = __real_fast_slices_draw(gpu, draw, first);
    spy.sliced += next - first;
    spy.refused += draw->one_thread && !before ? 1u : 0u;
    return next;
}

/* A job whose first item on the caller's thread waits until a worker has taken one. */
struct shared_job {
    const struct fast_job *job;
    bool waits;             /* the caller's: it has not taken an item yet */
    atomic_uint by_workers; /* items */
};

static time_t now(void)
{
    struct timespec time = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void run_item(void *context, uint32_t item, uint32_t thread)
{
    struct shared_job *const shared = context;
    if (thread != 0u) {
        shared->job->run(shared->job->context, item, thread);
        atomic_fetch_add(&shared->by_workers, 1);
        return;
    }
    const time_t end = now() + PATIENCE_S;
    while (shared->waits && atomic_load(&shared->by_workers) == 0 && now() < end)
        sched_yield();
    shared->waits = false;
    shared->job->run(shared->job->context, item, thread);
}

void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job)
{
    struct shared_job shared = { .job = job, .waits = job->items > 1u };
    spy.hand_overs++;
    __real_fast_workers_run(workers, &(struct fast_job){ run_item, &shared, job->items, job->homes });
    cr_expect(job->items == 1u || atomic_load(&shared.by_workers) > 0, "hand-over %u: no worker came",
              (unsigned)spy.hand_overs);
}

/* --------------------------------------------------------------------------------------------------------- workers */

/* Who did which item, and how often. */
struct done {
    atomic_uint times[FAST_JOB_ITEMS];
    uint32_t by[FAST_JOB_ITEMS];
};

static void note_item(void *context, uint32_t item, uint32_t thread)
{
    struct done *const done = context;
    atomic_fetch_add(&done->times[item], 1);
    done->by[item] = thread;
}

/* GEN-10: whoever was to take an item, even a thread that does not exist, it is done once, and who did it is noted. */
Test(fast_threads, GEN_10_each_item_is_done_once, .timeout = 120)
{
    static struct done done;
    static uint32_t homes[FAST_JOB_ITEMS];
    const struct fast_capacity capacity = fast_capacity_of(0);
    struct fast_workers *workers = NULL;
    cr_assert_eq(fast_workers_create(3, &capacity, &workers), PICA_OK);
    for (uint32_t i = 0; i < FAST_JOB_ITEMS; i++)
        homes[i] = i % 7u;
    for (uint32_t job = 1; job <= 200u; job++) {
        const uint32_t items = job % 3u == 0u ? 1u : FAST_JOB_ITEMS;
        memset(&done, 0, sizeof done);
        __real_fast_workers_run(workers, &(struct fast_job){ note_item, &done, items, homes });
        for (uint32_t i = 0; i < items; i++) {
            cr_assert_eq(atomic_load(&done.times[i]), 1, "item %u of job %u", (unsigned)i, (unsigned)job);
            cr_assert_eq(homes[i], done.by[i]);
        }
    }
    fast_workers_destroy(workers);
}

/* ----------------------------------------------------------------------------------------------------------- scenes */

/* Two instances of `fast`, the first one without workers and with the usual capacity; or `reference` is the first. */
struct pair {
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_runner *runners[2];
    uint32_t work; /* CMD-23: the bound, and then the first one is `reference`; 0: none */
};

static void open_pair(struct pair *pair, uint32_t workers, uint32_t capacity)
{
    pair->test_case = harness_case_create();
    pair->program = harness_program_create();
    cr_assert(pair->test_case != NULL && pair->program != NULL);
    for (uint32_t i = 0; i < 2; i++) {
        const struct pica_options options = { .threads = i * workers,
                                              .instruction_sets = UINT32_MAX,
                                              .capacity = i * capacity };
        cr_assert_eq(fesetround(i == 0 ? FE_TONEAREST : spy.rounding), 0);
        const struct pica_backend *const backend = harness_linked_backend(i == 0 && pair->work != 0 ? 0 : 1);
        cr_assert_eq(harness_runner_create(backend, &options, &pair->runners[i]), PICA_OK);
        cr_assert_eq(fesetround(FE_TONEAREST), 0);
    }
}

/* Runs the case that was built in pair->test_case, and closes the pair. */
static void expect_same(struct pair *pair, const char *what, uint32_t workers)
{
    const struct harness_compare_options options = { .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    const uint32_t hand_overs = spy.hand_overs;
    cr_assert_eq(harness_case_setup(pair->test_case, pair->program, &error), HARNESS_OK, "%s", error.message);
    pair->program->setup.work = pair->work;
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        cr_assert_eq(harness_compare(pair->runners, 2, pair->program, &options, &comparison, &error), HARNESS_OK, "%s",
                     error.message);
        cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s, %u workers: %s", what, (unsigned)workers,
                     comparison.report.message);
    }
    cr_expect_geq(spy.hand_overs - hand_overs, REPETITIONS, "%s, %u workers: nothing was handed over", what,
                  (unsigned)workers);
    for (uint32_t i = 0; i < 2; i++)
        harness_runner_destroy(pair->runners[i]);
    harness_program_destroy(pair->program);
    harness_case_destroy(pair->test_case);
}

static void expect_same_scene(enum bench_scene scene, struct bench_size size, uint32_t workers)
{
    struct pair pair = { .work = 0 };
    open_pair(&pair, workers, 0);
    cr_assert(bench_scene_build(pair.test_case, scene, &size));
    expect_same(&pair, bench_scene_plan(scene)->name, workers);
}

Test(fast_threads, GEN_10_any_number_of_workers_draws_the_same, .timeout = 120)
{
    static const uint32_t workers[] = { 1, 2, 7 };
    spy.rounding = FE_TONEAREST;
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        expect_same_scene(BENCH_VERTEX_COLOR, (struct bench_size){ 400, 240, 2 }, workers[i]);
        expect_same_scene(BENCH_LIGHT, (struct bench_size){ 200, 120, 1 }, workers[i]);
        spy.always = true;
        expect_same_scene(BENCH_RANDOM, (struct bench_size){ 400, 240, 6000 }, workers[i]);
        expect_same_scene(BENCH_MESH, (struct bench_size){ 400, 240, 1 }, workers[i]);
        spy.always = false;
    }
}

/* A thread begins with the rounding mode of who creates it. */
Test(fast_threads, GEN_01_workers_round_to_nearest, .timeout = 120)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        spy.rounding = modes[i];
        expect_same_scene(BENCH_LIGHT, (struct bench_size){ 200, 120, 1 }, 2);
        spy.always = true;
        expect_same_scene(BENCH_SHADER, (struct bench_size){ 64, 64, 3000 }, 2);
        spy.always = false;
    }
}

/* ----------------------------------------------------------------------------------------------------------- slices */

enum {
    VERTICES = 900,
    ODD_VERTEX = 700,
    VERTEX_BYTES = 20,       /* position f32 4, colour u8 4 */
    ALL_PIXELS = 0x10000000, /* the largest budget of a case */
    WIDTH = 64,
    HEIGHT = 48
};

/* Position and colour are two parts of a plan: the latter only for vertices of triangles that are drawn. */
static const struct bench_vertex_stage vertex_stage = {
    .shader = "mov o0, v0\nmul r0, c0, v1\nmul o1, c1, r0\nend\n",
    .outputs = { 0x03020100, 0x0B0A0908 },
    .output_count = 2,
    .attribute_count = 2,
    .formats = 0xDF,
    .stride = VERTEX_BYTES,
};

/* In and around the view and behind the eye, any colour: triangles over each other; with a spread of 3 large ones, many
 * of them clipped. */
static uint32_t add_vertices(struct bench_builder *builder, float w_of_odd, float spread)
{
    static uint8_t bytes[VERTICES * VERTEX_BYTES];
    uint8_t *out = bytes;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float w = i == ODD_VERTEX ? w_of_odd : (2.0f * bench_random(builder)) - 0.3f;
        out = bench_store_float(out, spread * (bench_random(builder) - 0.5f) * fabsf(w));
        out = bench_store_float(out, spread * (bench_random(builder) - 0.5f) * fabsf(w));
        out = bench_store_float(out, -bench_random(builder) * w);
        out = bench_store_float(out, w);
        for (int k = 0; k < 4; k++)
            *out++ = (uint8_t)(bench_random(builder) * 256.0f);
    }
    return bench_add_bytes(builder, bytes, sizeof bytes);
}

/* Pairs of indices far apart and near each other, some of them again and again. */
static uint32_t add_indices(struct bench_builder *builder)
{
    static uint8_t bytes[VERTICES * 2];
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t far = (uint32_t)(bench_random(builder) * (float)VERTICES);
        const uint32_t index = i % 3u == 0u ? far : i / 2u;
        bytes[2u * i] = (uint8_t)index;
        bytes[2u * i + 1u] = (uint8_t)(index >> 8);
    }
    return bench_add_bytes(builder, bytes, sizeof bytes);
}

/* VTX-40: an immediate vertex in the middle of the view, which continues what a draw has left in the assembler. */
static void put_immediate_vertex(struct bench_builder *builder)
{
    static const uint32_t words[6] = { 0x3F0000BE, 0x00003D00, 0x003D0000, 0x3F00003F, 0x00003F00, 0x003F0000 };
    bench_put(builder, PICA_REG_FIXEDATTRIB_INDEX, 15);
    for (uint32_t i = 0; i < 6u; i++)
        bench_put(builder, (uint16_t)(PICA_REG_FIXEDATTRIB_DATA0 + i % 3u), words[i]);
}

/* Draws that continue each other, of one topology; `lengths` are not multiples of what a slice has. */
static void put_draws(struct bench_builder *builder, uint32_t topology, uint32_t indices)
{
    static const uint32_t lengths[] = { 601, 2, 500, 1, 899, 350 };
    bench_put(builder, PICA_REG_PRIMITIVE_CONFIG, topology << 8 | 1u);
    for (uint32_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        bench_put(builder, PICA_REG_FACECULLING_CONFIG, i % 3u);
        if (i % 2u == 0u)
            bench_put_draw(builder, lengths[i]);
        else
            bench_put_indexed_draw(builder, indices, lengths[i]);
        if (i % 2u == 0u)
            put_immediate_vertex(builder);
        if (i == 2u)
            bench_put_indexed_draw(builder, indices, VERTICES - 1u);
    }
}

/* Each topology; the pixels of the boxes are bounded (RST-08), and the odd vertex has this w. */
static void build_draws(struct harness_case *test_case, uint32_t pixels, float w_of_odd, float brightness, float spread)
{
    const float scale[2][4] = { { 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f },
                                { brightness, brightness, brightness, brightness } };
    struct bench_builder builder;
    bench_builder_init(&builder, test_case);
    const uint32_t indices = add_indices(&builder);
    bench_put_target(&builder, WIDTH, HEIGHT);
    bench_put_uniforms(&builder, 0, scale, 2);
    bench_put_vertex_color(&builder);
    bench_put(&builder, PICA_REG_COLOR_OPERATION, 0x00E40000);
    bench_put(&builder, PICA_REG_LOGIC_OP, PICA_LOGIC_OP_XOR);
    bench_put(&builder, PICA_REG_DEPTH_COLOR_MASK, 0x1F01 | PICA_COMPARE_FUNC_GREATER_EQUAL << 4);
    bench_put_vertex_stage(&builder, &vertex_stage, add_vertices(&builder, w_of_odd, spread));
    for (uint32_t topology = 0; topology < 4u; topology++)
        put_draws(&builder, topology, indices);
    test_case->limits.vertices = 100000;
    test_case->limits.pixels = pixels;
    cr_assert(bench_builder_finish(&builder));
}

/* `refusals`: that many draws of the case at least do not end in slices; `work`: CMD-23, or 0. Returns how many
 * vertices and indices went in slices. */
static uint32_t expect_same_draws(uint32_t workers, uint32_t capacity, uint32_t pixels, float w_of_odd,
                                  float brightness, uint32_t refusals, uint32_t work)
{
    const uint32_t sliced = spy.sliced, refused = spy.refused;
    struct pair pair = { .work = work };
    open_pair(&pair, workers, capacity);
    build_draws(pair.test_case, pixels, w_of_odd, brightness,
                work == 0 ? 3.0f : 0.02f); /* steps are spent before shading is */
    expect_same(&pair, "draws", workers);
    cr_expect_geq((spy.refused - refused) / REPETITIONS, refusals, "%u draws were refused",
                  (unsigned)(spy.refused - refused));
    return (spy.sliced - sliced) / REPETITIONS;
}

/* PRM-03, PRM-04, PRM-06, PRM-09: lists, strips and fans, which continue each other, in slices of several sizes. */
Test(fast_threads, PRM_09_slices_draw_in_order, .timeout = 240)
{
    static const uint32_t workers[] = { 1, 3, 7 };
    static const uint32_t capacities[] = { 0, 64, 300 };
    spy.rounding = FE_TONEAREST;
    spy.always = true;
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++)
        for (size_t k = i % TEST_PART; k < sizeof capacities / sizeof capacities[0]; k += TEST_PART) {
            const uint32_t sliced = expect_same_draws(workers[i], capacities[k], ALL_PIXELS, 1.0f, 1.0f, 0, 0);
            cr_expect_geq(sliced, 4000, "%u workers, capacity %u: %u in slices", (unsigned)workers[i],
                          (unsigned)capacities[k], (unsigned)sliced);
        }
}

/* RST-08, GEN-03: where a budget ends in a slice, or a vertex of it needs the interpreter, one thread draws it. */
Test(fast_threads, RST_08_a_slice_that_cannot_be_taken_is_drawn_again, .timeout = 240)
{
    spy.rounding = FE_TONEAREST;
    spy.always = true;
    for (uint32_t pixels = 1; pixels < 4000000u; pixels = pixels * 5u + 7u)
        (void)expect_same_draws(3, 300, pixels, 1.0f, 1.0f, 1, 0);
    (void)expect_same_draws(3, 300, ALL_PIXELS, NAN, 1.0f, 4, 0);
    (void)expect_same_draws(3, 300, ALL_PIXELS, 1.0f, INFINITY, 4, 0); /* times a byte that is 0 */
}

/* CMD-24: what slices have done counts, so the bound ends the case in the same place, be it in a draw that a plan cuts
 * into few segments. */
Test(fast_threads, CMD_24_slices_count_their_steps, .timeout = 240)
{
    uint32_t sliced = 0;
    spy.rounding = FE_TONEAREST;
    spy.always = true;
    for (uint32_t work = 500000; work < 900000u; work += 39989u)
        sliced += expect_same_draws(3, 300, ALL_PIXELS, 1.0f, 1.0f, 0, work);
    cr_expect_geq(sliced, 1000, "%u in slices", (unsigned)sliced);
}
