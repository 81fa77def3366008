/* 30-rasterizer.md section 4 on a target of 128x128 pixels: many triangles that meet, overlap and follow each other. */
#include "tests/conformance/layout.h"
#include "tests/conformance/triangle_probe.h"

enum {
    SIZE = 128,
    CELLS = 8
};

/* Corner (x, y) in 1/16 pixel, 0 to 2048: x / 1024 - 1 is exact. */
static struct probe_vertex corner(uint32_t x, uint32_t y)
{
    return probe_vertex_at((float)x / 1024.0f - 1.0f, (float)y / 1024.0f - 1.0f, -0.5f, 1.0f);
}

static void draw_large(struct machine *m, const struct setting *settings, size_t n, const struct probe_vertex *vertices,
                       uint32_t count)
{
    struct list list = probe_list();
    probe_size(&list, SIZE, SIZE);
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    probe_draw(m, &list, vertices, count, PICA_TOPOLOGY_LIST);
}

/* expected: colour and depth-stencil words by x + SIZE * y; NULL is not looked at. */
static void expect_large(struct machine *m, const char *rule, const uint32_t *color, const uint32_t *depth)
{
    uint32_t words[SIZE * SIZE];
    const uint32_t *const sources[2] = { color, depth };
    const uint32_t addresses[2] = { COLOR_ADDRESS, DEPTH_ADDRESS };
    for (size_t k = 0; k < 2; k++) {
        if (sources[k] == NULL)
            continue;
        for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++)
                words[tiled8(x, y, SIZE)] = sources[k][SIZE * y + x];
        cr_expect(words_are(m, rule, addresses[k], words, SIZE * SIZE), "%s", m->message);
    }
}

/* ------------------------------------------------------------------------------------------------------------- mesh */

/* Grid point of the mesh: the border stays on the border, the inside moves by up to 7/16 of a cell. */
static void mesh_point(uint32_t i, uint32_t j, uint32_t seed, uint32_t out[2])
{
    const uint32_t cell = SIZE * 16u / CELLS;
    const uint32_t hash = (i * 73u + j * 179u + seed) * 2654435761u;
    out[0] = i * cell + (i == 0u || i == CELLS ? 0u : (hash >> 20 & 127u)) - (i == 0u || i == CELLS ? 0u : 64u);
    out[1] = j * cell + (j == 0u || j == CELLS ? 0u : (hash >> 8 & 127u)) - (j == 0u || j == CELLS ? 0u : 64u);
}

static struct probe_vertex mesh_vertex(uint32_t i, uint32_t j, uint32_t seed)
{
    uint32_t point[2];
    mesh_point(i, j, seed, point);
    return corner(point[0], point[1]);
}

/* Two triangles a cell, diagonals in both directions, corners in both orientations. Every pixel gets 16 once. */
EACH_MACHINE(raster, RST_02_a_mesh_covers_every_pixel_once)
{
    static const struct setting add = { PICA_REG_BLEND_FUNC, 0x11110000u };
    uint32_t want[SIZE * SIZE];
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        want[i] = 0x10101010;
    for (uint32_t seed = 0; seed < 6; seed++) {
        machine_row(m, "seed %u", (unsigned)seed);
        struct probe_vertex v[6 * CELLS * CELLS];
        for (uint32_t c = 0; c < CELLS * CELLS; c++) {
            const uint32_t i = c % CELLS, j = c / CELLS;
            const struct probe_vertex q[4] = { mesh_vertex(i, j, seed), mesh_vertex(i + 1, j, seed),
                                               mesh_vertex(i + 1, j + 1, seed), mesh_vertex(i, j + 1, seed) };
            const uint32_t first = (c + seed) % 2u;
            struct probe_vertex *const t = v + 6u * c;
            t[0] = q[first];
            t[1] = q[first + 1u];
            t[2] = q[first + 2u];
            t[3] = q[first];
            t[4] = q[(first + 3u) % 4u]; /* the other orientation */
            t[5] = q[first + 2u];
        }
        probe_color(v, 6 * CELLS * CELLS, 16, 16, 16, 16);
        draw_large(m, &add, 1, v, 6 * CELLS * CELLS);
        expect_large(m, "RST-02", want, NULL);
        EXPECT_NO_EVENTS(m, "RST-02");
    }
}

/* ----------------------------------------------------------------------------------------------------------- layers */

/* The triangle (0,0) (k,0) (0,k) covers the pixels with x + y <= k - 2 (worked example: k = 8 covers x + y <= 6). */
static void add_layer(struct probe_vertex v[3], uint32_t k)
{
    v[0] = corner(0, 0);
    v[1] = corner(16u * k, 0);
    v[2] = corner(0, 16u * k);
    probe_color(v, 3, k, 255u - k, 0, 255);
}

enum {
    LAYERS = 120
};

EACH_MACHINE(raster, RST_06_a_hundred_layers_in_order_on_every_pixel)
{
    static const struct setting count[] = { { PICA_REG_STENCIL_TEST, 0xFF00FF11u }, { PICA_REG_STENCIL_OP, 0x600 } };
    for (uint32_t falling = 0; falling < 2; falling++) {
        machine_row(m, falling ? "largest first" : "smallest first");
        struct probe_vertex v[3 * LAYERS];
        for (uint32_t i = 0; i < LAYERS; i++)
            add_layer(v + 3u * i, falling ? LAYERS + 1u - i : i + 2u); /* k = 2 to LAYERS + 1 */
        draw_large(m, count, 2, v, 3 * LAYERS);
        uint32_t color[SIZE * SIZE] = { 0 };
        uint32_t depth[SIZE * SIZE] = { 0 };
        for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++) {
                const uint32_t least = x + y + 2u; /* the smallest k that covers it */
                if (least > LAYERS + 1u)
                    continue;
                const uint32_t last = falling ? least : LAYERS + 1u;
                color[SIZE * y + x] = last << 24 | (255u - last) << 16 | 255u;
                depth[SIZE * y + x] = (LAYERS + 2u - least) << 24 | 0x7FFFFFu;
            }
        expect_large(m, "RST-06", color, depth);
    }
}

EACH_MACHINE(raster, RST_06_each_pixel_keeps_its_first_layer)
{
    /* Stencil "equal 0", increment: a layer passes only where no layer before it did. */
    static const struct setting first_only[] = { { PICA_REG_STENCIL_TEST, 0xFF00FF21u },
                                                 { PICA_REG_STENCIL_OP, 0x300 } };
    struct probe_vertex v[3 * LAYERS];
    for (uint32_t i = 0; i < LAYERS; i++)
        add_layer(v + 3u * i, i + 2u);
    draw_large(m, first_only, 2, v, 3 * LAYERS);
    uint32_t color[SIZE * SIZE] = { 0 };
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            if (x + y < LAYERS)
                color[SIZE * y + x] = (x + y + 2u) << 24 | (253u - x - y) << 16 | 255u;
    expect_large(m, "RST-06, STC-06", color, NULL);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Scissor boxes and a screen-sized triangle: whole tiles, parts of tiles, single rows and columns. */
EACH_MACHINE(scissor, SCS_02_boxes_on_a_large_target)
{
    static const uint32_t cases[][4] = {
        { 0, 0, 127, 127 }, { 1, 1, 126, 126 }, { 31, 32, 64, 63 },     { 5, 0, 5, 127 },
        { 0, 77, 127, 77 }, { 16, 16, 31, 31 }, { 127, 127, 127, 127 }, { 63, 15, 64, 112 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t mode = 1; mode <= 3u; mode += 2u) {
            machine_row(m, "row %zu, mode %u", i, (unsigned)mode);
            const struct setting settings[] = { { PICA_REG_SCISSORTEST_MODE, mode },
                                                { PICA_REG_SCISSORTEST_POS, cases[i][1] << 16 | cases[i][0] },
                                                { PICA_REG_SCISSORTEST_DIM, cases[i][3] << 16 | cases[i][2] } };
            struct probe_vertex v[3] = { corner(0, 0), corner(4096, 0), corner(0, 4096) };
            probe_color(v, 3, 1, 2, 3, 4);
            draw_large(m, settings, 3, v, 3);
            uint32_t want[SIZE * SIZE];
            for (uint32_t y = 0; y < SIZE; y++)
                for (uint32_t x = 0; x < SIZE; x++) {
                    const bool inside = x >= cases[i][0] && x <= cases[i][2] && y >= cases[i][1] && y <= cases[i][3];
                    want[SIZE * y + x] = inside == (mode == 3u) ? 0x01020304u : 0u;
                }
            expect_large(m, "SCS-01, SCS-02", want, NULL);
        }
}

/* 100x92 pixels: the last tiles are cut; the rest of the rounded extent stays. */
EACH_MACHINE(raster, RST_05_a_target_that_is_no_multiple_of_8)
{
    const struct setting settings[] = { { PICA_REG_FRAMEBUFFER_DIM, 91u << 12 | 100u } };
    struct probe_vertex v[3] = { corner(0, 0), corner(4096, 0), corner(0, 4096) };
    probe_color(v, 3, 1, 2, 3, 4);
    draw_large(m, settings, 1, v, 3);
    uint32_t want[104 * 96] = { 0 };
    for (uint32_t y = 0; y < 92; y++)
        for (uint32_t x = 0; x < 100; x++)
            want[tiled8(x, y, 104)] = 0x01020304;
    cr_expect(words_are(m, "RST-05, FBF-05", COLOR_ADDRESS, want, 104 * 96), "%s", m->message);
    EXPECT_ONLY_EVENTS(m, "RST-05, FBF-05", PICA_EVENT_OUTSIDE_FRAMEBUFFER, PICA_EVENT_FB_WIDTH_UNALIGNED);
}

/* Long thin triangles, 1/16 pixel high at one end: rows y of the diagonal strip; neighbours share every pixel once. */
EACH_MACHINE(raster, RST_02_slivers_from_one_corner_cover_every_pixel_once)
{
    static const struct setting add = { PICA_REG_BLEND_FUNC, 0x11110000u };
    struct probe_vertex v[6 * 64];
    uint32_t n = 0;
    /* A fan of 128 slivers from (0, 0) to the right border and the upper border. */
    for (uint32_t i = 0; i < 128; i++) {
        const uint32_t a = 32u * i, b = 32u * (i + 1u); /* along the border, 0 to 4096 */
        v[n++] = corner(0, 0);
        v[n++] = a <= 2048u ? corner(2048, a) : corner(4096u - a, 2048);
        v[n++] = b <= 2048u ? corner(2048, b) : corner(4096u - b, 2048);
    }
    probe_color(v, n, 16, 16, 16, 16);
    draw_large(m, &add, 1, v, n);
    uint32_t want[SIZE * SIZE];
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        want[i] = 0x10101010;
    expect_large(m, "RST-02, RST-04", want, NULL);
}
