/* 20-geometry.md section 5: primitive assembly, seen in the assembler's state and in pixels. */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

#include <string.h>

static const uint32_t ONE = 0x3F800000;

static const struct pica_assembler_state *assembler(struct machine *m)
{
    return &machine_state(m)->assembler;
}

/* n vertices with position.x = first, first + 1, .. (all at w = 1, y = z = 0), drawn with what `list` says. */
static void draw_numbers(struct machine *m, struct list *list, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct probe_vertex vertex = probe_vertex_at((float)(first + i), 0, 0, 1);
        uint32_t words[PROBE_VERTEX_SIZE / 4];
        memcpy(words, &vertex, sizeof words);
        machine_load_words(m, VERTEX_ADDRESS + PROBE_VERTEX_SIZE * i, words, PROBE_VERTEX_SIZE / 4);
    }
    list_draw(list, n);
    machine_submit(m, list);
}

static uint32_t buffered(struct machine *m, uint32_t i)
{
    return (uint32_t)f32_from_bits(assembler(m)->buffer[i].slots[0]);
}

/* Covered pixels of the vertices with that topology in cull modes 1 (A < 0 drawn) and 2 (A > 0 drawn), CUL-02. */
static void expect_orientations(struct machine *m, const char *rule, const struct probe_vertex *vertices, uint32_t n,
                                uint32_t topology, uint32_t clockwise, uint32_t counter_clockwise)
{
    for (uint32_t mode = 1; mode <= 2; mode++) {
        machine_row(m, "topology %u, cull mode %u", (unsigned)topology, (unsigned)mode);
        struct list list = probe_list();
        list_write(&list, PICA_REG_FACECULLING_CONFIG, mode);
        probe_draw(m, &list, vertices, n, topology);
        EXPECT_EQ(m, rule, probe_covered(m, 0), mode == 1u ? clockwise : counter_clockwise);
    }
}

/* --------------------------------------------------------------------------------------------------- PRM-01, PRM-02 */

EACH_MACHINE(assembly, PRM_01_PRM_02_resets)
{
    for (uint32_t id = PICA_REG_PRIMITIVE_CONFIG; id <= PICA_REG_RESTART_PRIMITIVE; id++)
        for (uint32_t topology = 0; topology < 4; topology++)
            for (uint32_t n = 1; n <= 2; n++) {
                machine_row(m, "%03X, topology %u, %u vertices", (unsigned)id, (unsigned)topology, (unsigned)n);
                struct list list = probe_list();
                list_write(&list, PICA_REG_PRIMITIVE_CONFIG, topology << 8);
                draw_numbers(m, &list, 1, n);
                machine_list_write(m, id, 0x301);
                EXPECT_EQ(m, "PRM-01", assembler(m)->count, 0);
                EXPECT_EQ(m, "PRM-01", assembler(m)->ready, 0);
                EXPECT_EQ(m, "PRM-01", assembler(m)->winding, 0);
                EXPECT_EQ(m, "PRM-01", assembler(m)->buffer[0].slots[3], 0);
                EXPECT_EQ(m, "PRM-02", assembler(m)->topology, id == PICA_REG_PRIMITIVE_CONFIG ? 3 : topology);
            }
}

/* Topology from bits 9:8; bits 3:0 (the count of outputs) and all others have no effect; initially 0. */
EACH_MACHINE(assembly, PRM_02_the_topology_is_bits_9_8)
{
    EXPECT_EQ(m, "PRM-02", assembler(m)->topology, 0);
    static const uint32_t words[] = { 0x000, 0x100, 0x200, 0x300, 0xFFFFFCFF, 0xFFFFFDFF, 0xFFFFFEFF, 0xFFFFFFFF };
    for (uint32_t i = 0; i < 8; i++) {
        machine_case(m, "%08X", (unsigned)words[i]);
        machine_list_write(m, PICA_REG_PRIMITIVE_CONFIG, words[i]);
        EXPECT_EQ(m, "PRM-02", assembler(m)->topology, i % 4u);
    }
}

/* --------------------------------------------------------------------------------------------------- PRM-03, PRM-04 */

/* B[0], B[1], n, ready after 1..6 vertices numbered from 1; 0 = dumped as 0. */
EACH_MACHINE(assembly, PRM_03_PRM_04_what_the_assembler_holds)
{
    static const struct {
        uint32_t topology;
        uint8_t first[6], second[6], count[6], ready[6];
    } rows[] = {
        { 0, { 1, 1, 0, 4, 4, 0 }, { 0, 2, 0, 0, 5, 0 }, { 1, 2, 0, 1, 2, 0 }, { 0 } },
        { 3, { 1, 1, 0, 4, 4, 0 }, { 0, 2, 0, 0, 5, 0 }, { 1, 2, 0, 1, 2, 0 }, { 0 } },
        { 1, { 1, 1, 3, 3, 5, 5 }, { 0, 2, 2, 4, 4, 6 }, { 1, 0, 1, 0, 1, 0 }, { 0, 1, 1, 1, 1, 1 } },
        { 2, { 1, 1, 1, 1, 1, 1 }, { 0, 2, 3, 4, 5, 6 }, { 1, 1, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1, 1 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t n = 1; n <= 6; n++) {
            machine_row(m, "topology %u, %u vertices", (unsigned)rows[i].topology, (unsigned)n);
            struct list list = probe_list();
            list_write(&list, PICA_REG_PRIMITIVE_CONFIG, rows[i].topology << 8);
            draw_numbers(m, &list, 1, n);
            EXPECT_EQ(m, "PRM-03", assembler(m)->count, rows[i].count[n - 1]);
            EXPECT_EQ(m, "PRM-04", assembler(m)->ready, rows[i].ready[n - 1]);
            EXPECT_EQ(m, "PRM-03", buffered(m, 0), rows[i].first[n - 1]);
            EXPECT_EQ(m, "PRM-04", buffered(m, 1), rows[i].second[n - 1]);
        }
}

/* A quad as list of two triangles, strip and fan: all triangles counter-clockwise; reversed: all clockwise. */
EACH_MACHINE(assembly, PRM_03_PRM_04_orientation_is_kept_by_the_buffer_order)
{
    struct probe_vertex corner[4]; /* (-1,-1) (1,-1) (-1,1) (1,1) */
    probe_quad(corner);
    const struct probe_vertex list[6] = { corner[0], corner[1], corner[2], corner[3], corner[2], corner[1] };
    const struct probe_vertex fan[4] = { corner[0], corner[1], corner[3], corner[2] };
    const struct probe_vertex reversed[4] = { corner[0], corner[2], corner[1], corner[3] };
    expect_orientations(m, "PRM-03", list, 6, PICA_TOPOLOGY_LIST, 0, 64);
    expect_orientations(m, "PRM-03", list, 6, PICA_TOPOLOGY_GEOMETRY, 0, 64);
    expect_orientations(m, "PRM-04", corner, 4, PICA_TOPOLOGY_STRIP, 0, 64);
    expect_orientations(m, "PRM-04", reversed, 4, PICA_TOPOLOGY_STRIP, 64, 0);
    expect_orientations(m, "PRM-04", fan, 4, PICA_TOPOLOGY_FAN, 0, 64);
    expect_orientations(m, "PRM-03", corner, 4, PICA_TOPOLOGY_LIST, 0, 28); /* RST-02: the lower triangle alone */
    expect_orientations(m, "PRM-03", reversed, 3, PICA_TOPOLOGY_LIST, 28, 0);
}

/* ------------------------------------------------------------------------------------- PRM-03, PRM-05: winding flag */

/* A pipeline whose GS emits its input triangle (position, colour), with the given bits of the last SETEMIT. */
static void gs_triangle_pipeline(struct list *list, uint32_t winding)
{
    const uint32_t code[] = { 0x4C000000, 0x4C201000, op_setemit(0, 0, 0),       0xA8000000,
                              0x4C002000, 0x4C203000, op_setemit(1, 0, 0),       0xA8000000,
                              0x4C004000, 0x4C205000, op_setemit(2, 1, winding), 0xA8000000,
                              0x88000000 };
    probe_pipeline(list);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 1);
    list_write(list, PICA_REG_VSH_COM_MODE, 1);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, 5); /* o0 position, o2 colour */
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_code(list, PICA_UNIT_GEOMETRY, 0, code, 13);
    list_opdescs(list, PICA_UNIT_GEOMETRY, 0, &IDENTITY, 1);
    list_write(list, PICA_REG_GEOSTAGE_CONFIG, 2);
    list_write(list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000005);
    list_write(list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    list_write(list, PICA_REG_GSH_OUTMAP_MASK, 3);
    list_write(list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
    list_write(list, PICA_REG_VSH_OUTMAP_TOTAL2, 1);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, 2);
    list_write(list, PICA_REG_SH_OUTMAP_O1, 0x0B0A0908);
}

/* Topologies 0 and 3 with and without winding: only topology 3 reverses the triangle and consumes the flag. */
EACH_MACHINE(assembly, PRM_03_PRM_05_the_winding_flag_is_consumed_by_topology_3)
{
    static const struct {
        uint32_t topology, winding;
        bool reversed;
        uint32_t flag; /* afterwards */
    } rows[] = { { PICA_TOPOLOGY_LIST, 0, false, 0 },     { PICA_TOPOLOGY_LIST, 1, false, 1 },
                 { PICA_TOPOLOGY_GEOMETRY, 0, false, 0 }, { PICA_TOPOLOGY_GEOMETRY, 1, true, 0 },
                 { PICA_TOPOLOGY_STRIP, 1, false, 1 },    { PICA_TOPOLOGY_FAN, 1, false, 1 } };
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t mode = 1; mode <= 2; mode++) {
            machine_row(m, "topology %u, winding %u, cull %u", (unsigned)rows[i].topology, (unsigned)rows[i].winding,
                        (unsigned)mode);
            struct list list = { .count = 0 };
            gs_triangle_pipeline(&list, rows[i].winding);
            list_write(&list, PICA_REG_FACECULLING_CONFIG, mode);
            probe_draw(m, &list, quad, 3, rows[i].topology);
            EXPECT_EQ(m, "PRM-03", probe_covered(m, 0), (mode == 1u) == rows[i].reversed ? 28 : 0);
            EXPECT_EQ(m, "PRM-05", assembler(m)->winding, rows[i].flag);
            machine_list_write(m, PICA_REG_RESTART_PRIMITIVE, 1);
            EXPECT_EQ(m, "PRM-01", assembler(m)->winding, 0);
        }
}

/*
 * The flag left by a strip is consumed by the next triangle of topology 3 only if no reset comes between: 0x25E resets.
 */
EACH_MACHINE(assembly, PRM_05_the_winding_flag_stays_set_in_other_topologies)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = { .count = 0 };
    gs_triangle_pipeline(&list, 1);
    probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_LIST);
    EXPECT_EQ(m, "PRM-05", assembler(m)->winding, 1);
    machine_list_write(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_EQ(m, "PRM-06", assembler(m)->winding, 1);
    machine_list_write(m, PICA_REG_PRIMITIVE_CONFIG, 0x300);
    EXPECT_EQ(m, "PRM-02", assembler(m)->winding, 0);
}

/* --------------------------------------------------------------------------------------------------- PRM-06, PRM-07 */

/* Strip of p0,p1, no restart, strip of q0,q1: (p0,p1,q0), (q0,p1,q1): the quad is covered by the two draws. */
EACH_MACHINE(assembly, PRM_06_partial_primitives_continue_in_the_next_draw)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "PRM-06", probe_covered(m, 0), 0);
    probe_load_vertices(m, quad + 2, 2);
    machine_list_write(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_EQ(m, "PRM-06", probe_covered(m, 0), 64);
    /* A partial list triangle is completed by the next draw. */
    machine_reset(m);
    list.count = 0;
    probe_pipeline(&list);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_LIST);
    probe_load_vertices(m, quad + 2, 1);
    list.count = 0;
    list_draw(&list, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "PRM-06", probe_covered(m, 0), 28);
    EXPECT_EQ(m, "PRM-06", assembler(m)->count, 0);
}

/* Two vertices of an array draw, the third by immediate mode: one triangle. */
EACH_MACHINE(assembly, PRM_06_immediate_vertices_continue_a_draw)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_LIST);
    list.count = 0;
    list_fixed_attribute(&list, 15, 0xBF0000, 0x3F0000, float24(-0.5), 0x3F0000); /* (-1, 1, -0.5, 1) */
    for (uint32_t k = 1; k < PROBE_ATTRIBUTES; k++) {
        uint32_t words[3];
        float24_words(0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000, words);
        list_write_many(&list, PICA_REG_FIXEDATTRIB_DATA0, true, words, 3);
    }
    machine_submit(m, &list);
    EXPECT_EQ(m, "PRM-06", probe_covered(m, 0), 28);
}

EACH_MACHINE(assembly, PRM_07_later_changes_of_the_output_map_do_not_reach_buffered_vertices)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 255, 0, 0, 255);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_LIST);
    machine_list_write(m, PICA_REG_SH_OUTMAP_TOTAL, 1); /* the third vertex has colour 1,1,1,1 */
    const struct pica_final_vertex before = assembler(m)->buffer[1];
    EXPECT_EQ(m, "PRM-07", before.slots[9], 0);
    probe_load_vertices(m, quad + 2, 1);
    list.count = 0;
    list_draw(&list, 1);
    machine_submit(m, &list);
    EXPECT_PIXEL(m, "PRM-07", 0, 0, 255, 16, 16, 255); /* share of vertex 2: 1024 / 16383 of 255 = 15.9 */
}

/* ----------------------------------------------------------------------------------------------------------- PRM-08 */

/* One directional light along `direction_x`, (0 or 1), 0, 1: primary colour = nl in r, g, b (LIT-31, LIT-35). */
static void lighting_pipeline(struct list *list, uint32_t light_x, uint32_t light_z)
{
    probe_pipeline(list);
    probe_source(list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
    list_write(list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(list, PICA_REG_LIGHTING_ENABLE1, 0);
    list_write(list, PICA_REG_LIGHT0_DIFFUSE, 0x0FF3FCFF);
    list_write(list, PICA_REG_LIGHT0_XY, light_x);
    list_write(list, PICA_REG_LIGHT0_Z, light_z);
    list_write(list, PICA_REG_LIGHT0_CONFIG, 1);
    list_write(list, PICA_REG_LIGHTING_CONFIG1, 0xFFFFFFFF);
}

static void set_quaternion(struct probe_vertex *v, float x, float y, float z, float w)
{
    v->quaternion[0] = x;
    v->quaternion[1] = y;
    v->quaternion[2] = z;
    v->quaternion[3] = w;
}

/* Triangle with (0,0,0,1), s1 * (0,0.6,0,0.8), s2 * (0,0.6,0,0.8): all four signs give the same 28 pixels. */
EACH_MACHINE(assembly, PRM_08_quaternions_of_a_triangle_are_aligned_with_its_first_vertex)
{
    uint32_t expected[64] = { 0 };
    for (uint32_t signs = 0; signs < 4; signs++) {
        machine_row(m, "signs %u", (unsigned)signs);
        struct probe_vertex quad[4];
        probe_quad(quad);
        for (uint32_t v = 1; v <= 2; v++) {
            const float s = (signs >> (v - 1u) & 1u) != 0u ? -1.0f : 1.0f;
            set_quaternion(&quad[v], s * 0.0f, s * 0.6f, s * 0.0f, s * 0.8f);
        }
        struct list list = { .count = 0 };
        lighting_pipeline(&list, 0, 0x3C00);
        probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_LIST);
        for (uint32_t i = 0; i < 64; i++) {
            if (signs == 0u)
                expected[i] = probe_pixel(m, i % 8u, i / 8u);
            EXPECT_EQ(m, "PRM-08", probe_pixel(m, i % 8u, i / 8u), expected[i]);
        }
        /* N.z is near 1 at vertex 0 and never below cos of the full angle, 0.28 = 71 / 255. */
        EXPECT(m, "PRM-08", (probe_pixel(m, 0, 0) >> 24) > 240u);
        EXPECT(m, "PRM-08", (probe_pixel(m, 3, 0) >> 24) > 71u);
        EXPECT(m, "PRM-08", (probe_pixel(m, 6, 0) >> 24) >= 71u);
    }
}

/* d = 0 changes nothing: (0,0,0,1) and (0.6,0.8,0,0): half way N.x = 0.8, with the sign flipped -0.8; light along x. */
EACH_MACHINE(assembly, PRM_08_a_product_of_zero_changes_nothing)
{
    for (int negative = 0; negative < 2; negative++) {
        machine_row(m, "negative %d", negative);
        const float s = negative != 0 ? -1.0f : 1.0f;
        struct probe_vertex quad[4];
        probe_quad(quad);
        set_quaternion(&quad[1], s * 0.6f, s * 0.8f, 0, 0);
        set_quaternion(&quad[2], s * 0.6f, s * 0.8f, 0, 0);
        struct list list = { .count = 0 };
        lighting_pipeline(&list, 0x3C00, 0);
        probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_LIST);
        if (negative == 0)
            EXPECT(m, "PRM-08", (probe_pixel(m, 3, 0) >> 24) > 180u);
        else
            EXPECT_EQ(m, "PRM-08", probe_pixel(m, 3, 0) >> 24, 0);
    }
}

/*
 * Each product counts with its sign. First vertex: the unit quaternion k; the others: s * (0.6 of k, 0.8 of k + 2), so
 * that the dot product is 0.6 s and no other component takes part. With the minus sign the two are negated, which
 * gives the same picture; otherwise it would be 0, 0, 219. The light shines along x; ci/expected has the numbers.
 */
EACH_MACHINE(assembly, PRM_08_each_of_the_four_products_counts_with_its_sign)
{
    static const uint32_t reds[3] = { 53, 204, 254 }; /* pixels 0, 3 and 6 of row 0 */
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t negative = 0; negative < 2; negative++) {
            machine_row(m, "component %u%s", (unsigned)k, negative != 0u ? ", negative" : "");
            struct probe_vertex quad[4];
            probe_quad(quad);
            const float s = negative != 0u ? -1.0f : 1.0f;
            for (uint32_t v = 0; v < 3; v++) {
                set_quaternion(&quad[v], 0, 0, 0, 0);
                quad[v].quaternion[k] = v == 0u ? 1.0f : s * 0.6f;
                quad[v].quaternion[(k + 2u) % 4u] = v == 0u ? 0.0f : s * 0.8f;
            }
            struct list list = { .count = 0 };
            lighting_pipeline(&list, 0x3C00, 0);
            probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_LIST);
            for (uint32_t i = 0; i < 3; i++)
                EXPECT_EQ(m, "PRM-08", probe_pixel(m, 3u * i, 0) >> 24, reds[i]);
        }
}

/*
 * The sum goes from x to w: (4096, 1, 4096, 1) . (4096, 1, -4096, -0.5): 2^24 + 1 rounds to 2^24, minus 2^24 is 0,
 * minus 0.5 is negative. With y last it would be 0.5. Light along (1, 1, 1); numbers as above.
 */
EACH_MACHINE(assembly, PRM_08_the_products_are_added_in_order)
{
    static const uint32_t reds[3] = { 182, 147, 0 }; /* not negated: 100, 0, 0 */
    struct probe_vertex quad[4];
    probe_quad(quad);
    set_quaternion(&quad[0], 4096, 1, 4096, 1);
    set_quaternion(&quad[1], 4096, 1, -4096, -0.5f);
    set_quaternion(&quad[2], 4096, 1, -4096, -0.5f);
    struct list list = { .count = 0 };
    lighting_pipeline(&list, 0x3C003C00, 0x3C00);
    probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_LIST);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(m, "PRM-08", probe_pixel(m, 3u * i, 0) >> 24, reds[i]);
}

/* Signs are flipped on copies: the vertices left in the assembler after two strip triangles are unchanged. */
EACH_MACHINE(assembly, PRM_08_buffered_vertices_keep_their_sign)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t v = 1; v < 4; v++)
        set_quaternion(&quad[v], -0.5f, -0.5f, -0.5f, -0.5f);
    struct list list = { .count = 0 };
    lighting_pipeline(&list, 0, 0x3C00);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(m, "PRM-08", assembler(m)->buffer[b].slots[4 + c], 0xBF000000);
}

/* ----------------------------------------------------------------------------------------------------------- PRM-09 */

/* Two overlapping triangles in one draw: the later one is on top. */
EACH_MACHINE(assembly, PRM_09_triangles_are_processed_in_emission_order)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        machine_row(m, "swapped %d", swapped);
        struct probe_vertex vertices[6];
        for (uint32_t i = 0; i < 6; i++)
            vertices[i] = probe_vertex_at(i % 3u == 1u ? 3.0f : -1.0f, i % 3u == 2u ? 3.0f : -1.0f, -0.5f, 1);
        probe_color(vertices + (swapped != 0 ? 3 : 0), 3, 255, 0, 0, 255);
        probe_color(vertices + (swapped != 0 ? 0 : 3), 3, 0, 255, 0, 255);
        struct list list = probe_list();
        probe_draw(m, &list, vertices, 6, PICA_TOPOLOGY_LIST);
        EXPECT_EQ(m, "PRM-09", probe_covered(m, swapped != 0 ? 0xFF0000FF : 0x00FF00FF), 0);
    }
}

/* Unmapped slots of buffered vertices are 1.0 (SHD-80), with every topology. */
EACH_MACHINE(assembly, PRM_07_SHD_80_unmapped_slots_are_stored_as_1)
{
    struct list list = probe_list();
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 1);
    draw_numbers(m, &list, 5, 1);
    EXPECT_EQ(m, "PRM-07", buffered(m, 0), 5);
    EXPECT_EQ(m, "SHD-80", assembler(m)->buffer[0].slots[0x17], ONE);
}
