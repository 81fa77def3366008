/* 00-overview.md: conventions, where they can be seen from outside. GEN-01, 02, 10: test_number.c, test_state.c too. */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

/* -------------------------------------------------------------------------------------------------- GEN-01, GEN-03 */

/*
 * The rasteriser computes in f32 with PICA products too (ITP-02): the viewport offset of x = -1 with half width
 * infinity is (-1 + 1) . inf = +0, not NaN: VPT-03 gives 0 = the left border. With x = 1 it is infinity, the right end.
 */
EACH_MACHINE(number, GEN_03_zero_times_infinity_is_plus_zero)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, 0x7F0000);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "GEN-03", probe_covered(m, 0), 64);
    EXPECT_ONLY_EVENTS(m, "GEN-03", PICA_EVENT_VIEWPORT_NONFINITE, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
}

/* Subnormal results are kept by the host's arithmetic, in the shader and in comparisons: no FTZ, no DAZ. */
EACH_MACHINE(number, GEN_01_subnormals_are_kept)
{
    const uint32_t code[] = { op1(PICA_OPCODE_MUL, DST_O, SRC_V, SRC_V + 1, 0),
                              op1(PICA_OPCODE_ADD, DST_O + 1, SRC_V + 2, SRC_V + 2, 0),
                              op1(PICA_OPCODE_SLT, DST_O + 2, SRC_V + 3, SRC_V + 2, 0), op0(PICA_OPCODE_END) };
    const struct shader_run run = { .code = code,
                                    .code_count = 4,
                                    .outputs = 3,
                                    .inputs = { { 0x00800000, 0x00800001, 0x1E000000, 0x80800000 },
                                                { 0x3F000000, 0x3F000000, 0x1E000000, 0x3E800000 },
                                                { 0x00000001, 0x80000001, 0x007FFFFF, 0x00400000 },
                                                { 0, 0, 0x007FFFFE, 0x00400000 } } };
    shader_run(m, &run);
    const struct pica_vector products = shader_output(m, 0);
    const struct pica_vector sums = shader_output(m, 1);
    const struct pica_vector comparisons = shader_output(m, 2);
    /* 2^-126 / 2; (2^-126 + 2^-149) / 2 ties to even; 2^-67 squared; -2^-128 */
    EXPECT_VECTOR(m, "GEN-01", products, 0x00400000, 0x00400000, 0x00008000, 0x80200000);
    EXPECT_VECTOR(m, "GEN-01", sums, 0x00000002, 0x80000002, 0x00FFFFFE, 0x00800000);
    EXPECT_VECTOR(m, "GEN-01", comparisons, 0x3F800000, 0, 0x3F800000, 0);
}

/* A NaN's sign and payload are never observable: the same picture and state for three NaNs in every attribute. */
EACH_MACHINE(number, GEN_02_nan_payloads_are_never_observable)
{
    static const uint32_t nans[] = { 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF };
    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; i++) {
        machine_row(m, "%08X", (unsigned)nans[i]);
        const float nan = f32_from_bits(nans[i]);
        struct probe_vertex quad[4];
        probe_quad(quad);
        for (uint32_t v = 0; v < 4; v++) {
            quad[v].color[1] = nan;
            quad[v].quaternion[2] = nan;
            quad[v].texcoord0[0] = nan;
        }
        struct list list = probe_list();
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_PIXEL(m, "GEN-02", 4, 4, 255, 255, 255, 255); /* SHD-81: NaN is 1.0 */
        EXPECT_EQ(m, "GEN-02", machine_state(m)->assembler.buffer[0].slots[6], 0x7FC00000);
        EXPECT_EQ(m, "GEN-02", machine_state(m)->assembler.buffer[0].slots[0xC], 0x7FC00000);
        EXPECT_EQ(m, "SHD-81", machine_state(m)->assembler.buffer[0].slots[9], 0x3F800000);
    }
}

/* ------------------------------------------------------------------ GEN-05, GEN-06 (in file 30: ITP-05, ITP-06) */

/* rha: a corner at X = 0.5 / 16 pixel rounds to 1/16, at -0.5 / 16 to -1/16 (VPT-03): seen in the covered columns. */
EACH_MACHINE(number, GEN_05_rounding_is_half_away_from_zero)
{
    static const struct {
        float x;        /* clip x of the left border; 4 * (x + 1) pixels from the left */
        uint32_t first; /* first covered column */
    } rows[] = {
        { -1.0f, 0 },        { -0.8828125f, 0 }, /* 7.5 / 16: rounds to 8, the centre of column 0, a left edge */
        { -0.87109375f, 0 },                     /* 8.25 / 16: 8 */
        { -0.8671875f, 1 },                      /* 8.5 / 16: 9 */
        { -0.875f, 0 },                          /* 8 / 16 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "x = %g", (double)rows[i].x);
        struct probe_vertex quad[4];
        probe_quad(quad);
        quad[0].position[0] = rows[i].x;
        quad[2].position[0] = rows[i].x;
        struct list list = probe_list();
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        for (uint32_t column = 0; column < 2; column++)
            EXPECT_EQ(m, "GEN-05", probe_pixel(m, column, 3), column >= rows[i].first ? 0xFFFFFFFF : 0);
    }
}

/* clamp01 of the fragment depth: beyond 1, negative, -0, NaN; then trunc(depth * 16777215). */
EACH_MACHINE(number, GEN_06_saturation_hides_nan_and_signs)
{
    static const struct {
        uint32_t scale, offset, expected; /* float24; z = -0.5 */
    } rows[] = {
        { 0xBF0000, 0x000000, 0x7FFFFF }, /* 0.5 * 16777215 = 8388607.5, truncated */
        { 0xC10000, 0x000000, 0xFFFFFF }, /* 2.0 */
        { 0x3F0000, 0x000000, 0x000000 }, /* -0.5 */
        { 0x3F0000, 0x3E0000, 0x000000 }, /* 0 */
        { 0x800000, 0x800000, 0x000000 }, /* -0 * -0.5 - 0 = 0 */
        { 0x7F8000, 0x000000, 0x000000 }, /* NaN */
        { 0x7F0000, 0x000000, 0x000000 }, /* -infinity */
        { 0xFF0000, 0x000000, 0xFFFFFF }, /* infinity */
        { 0x000000, 0x3E8000, 0xBFFFFF }, /* 0.75 * 16777215 = 12582911.25 */
    };
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "scale %06X offset %06X", (unsigned)rows[i].scale, (unsigned)rows[i].offset);
        probe_clear_depth_stencil(m, 0x123456, 0);
        struct list list = probe_list();
        list_write(&list, PICA_REG_DEPTHMAP_SCALE, rows[i].scale);
        list_write(&list, PICA_REG_DEPTHMAP_OFFSET, rows[i].offset);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_DEPTH(m, "GEN-06", 2, 6, rows[i].expected);
    }
}

/* ---------------------------------------------------------------------------------------------------------- GEN-04 */

/* Little-endian memory, words of 32 bits: one command byte by byte; negative byte and 16-bit attributes. */
EACH_MACHINE(number, GEN_04_memory_is_little_endian)
{
    static const uint8_t bytes[16] = { 0x78, 0x56, 0x34, 0x12, 0x45, 0x00, 0x0F, 0x00,
                                       0x78, 0x56, 0x34, 0x12, 0x10, 0x00, 0x0F, 0x00 };
    machine_load(m, LIST_ADDRESS, bytes, sizeof bytes);
    machine_submit_raw(m, LIST_ADDRESS, sizeof bytes);
    EXPECT_EQ(m, "GEN-04", machine_register(m, 0x045), 0x12345678);
    EXPECT_EQ(m, "GEN-04", machine_interrupts(m, 5), 1);
    machine_fill(m, 0, 0x18000000, 0x18000010, 0x0A0B0C0D, 0x201);
    static const uint8_t expected[5] = { 0x0D, 0x0C, 0x0B, 0x0A, 0x0D };
    EXPECT_BYTES(m, "GEN-04", 0x18000000, expected, 5);
}

/* -------------------------------------------------------------------------------------------------- GEN-08, GEN-09 */

/* Batch events need a drawing batch: a triangle with A != 0 that culling keeps, whether or not it covers a pixel. */
EACH_MACHINE(number, GEN_09_batch_events_are_decided_for_drawing_batches)
{
    static const struct {
        const char *what;
        uint32_t vertices, cull, width;
        float x; /* of vertex 1; vertices 0 and 2 at x = -1 */
        bool event;
    } rows[] = {
        { "a triangle", 3, 0, 8, 1, true },
        { "a triangle that culling keeps", 3, 2, 8, 1, true },
        { "a culled triangle", 3, 1, 8, 1, false },
        { "no area", 3, 0, 8, -1, false },
        { "two vertices", 2, 0, 8, 1, false },
        { "no vertices", 0, 0, 8, 1, false },
        { "a triangle between the centres", 3, 0, 8, -0.984375f, true }, /* 1/16 pixel wide */
        { "no framebuffer", 3, 0, 0, 1, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct probe_vertex quad[4];
        probe_quad(quad);
        quad[1].position[0] = rows[i].x;
        struct list list = probe_list();
        list_write(&list, PICA_REG_FACECULLING_CONFIG, rows[i].cull);
        list_write(&list, PICA_REG_FRAMEBUFFER_DIM, rows[i].width | 7u << 12);
        list_write(&list, PICA_REG_EARLYDEPTH_TEST1, 1);
        list_write(&list, 0x058, 1);
        probe_draw(m, &list, quad, rows[i].vertices, PICA_TOPOLOGY_LIST);
        EXPECT(m, "GEN-09", machine_event(m, PICA_EVENT_EARLY_DEPTH) == rows[i].event);
        EXPECT(m, "GEN-09", machine_event(m, PICA_EVENT_REG_0058) == rows[i].event);
    }
}

/* Events add up over the operations of a run and never change results; a new load starts without them. */
EACH_MACHINE(number, GEN_08_events_of_a_run_are_a_set)
{
    machine_list_write(m, 0x300, 1);
    machine_list_write(m, 0x070, 1);
    EXPECT_ONLY_EVENTS(m, "GEN-08", PICA_EVENT_REG_ID_RANGE, PICA_EVENT_MIRROR_RESTART);
    machine_list_write(m, 0x300, 1);
    EXPECT_ONLY_EVENTS(m, "GEN-08", PICA_EVENT_REG_ID_RANGE, PICA_EVENT_MIRROR_RESTART);
    machine_reset(m);
    EXPECT_NO_EVENTS(m, "GEN-08");
}

/*
 * GEN-07: the text is normative whatever its tag and whatever emulators do; ITP-13 rounds where some of them truncate.
 */
EACH_MACHINE(number, GEN_07_the_normative_choice_holds_whatever_emulators_do)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t v = 0; v < 4; v++)
        quad[v].color[0] = 0.5009765625f; /* * 255 = 127.749 */
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "GEN-07", probe_pixel(m, 1, 1) >> 24, 128);
}
