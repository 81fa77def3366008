#include "tests/conformance/triangle_probe.h"

#include <stdio.h>
#include <string.h>

void draw_with(struct machine *m, const struct setting *settings, size_t n, const struct probe_vertex *vertices,
               uint32_t count, uint32_t topology)
{
    struct list list = probe_list();
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    probe_draw(m, &list, vertices, count, topology);
}

struct probe_vertex snapped(int32_t x, int32_t y)
{
    return probe_vertex_at((float)x / 64.0f - 1.0f, (float)y / 64.0f - 1.0f, -0.5f, 1.0f);
}

struct probe_vertex snapped_wide(int32_t x, int32_t y)
{
    return probe_vertex_at((float)(x + 192) / 256.0f - 1.0f, (float)(y + 192) / 256.0f - 1.0f, -0.5f, 1.0f);
}

/* out: eight rows from y = 7 down, each with its end. */
static void read_covered(struct machine *m, char out[8][9])
{
    for (uint32_t y = 0; y < 8; y++) {
        for (uint32_t x = 0; x < 8; x++)
            out[7u - y][x] = probe_pixel(m, x, y) != 0u ? '#' : '.';
        out[7u - y][8] = '\0';
    }
}

bool covered_is(struct machine *m, const char *rule, const char *const rows[8])
{
    char got[8][9];
    read_covered(m, got);
    bool equal = true;
    for (size_t y = 0; y < 8; y++)
        for (size_t x = 0; x < 8; x++)
            equal = equal && (got[y][x] == '#') == (rows[y][x] != '.');
    if (!equal)
        (void)snprintf(m->message, sizeof m->message,
                       "[%s] %s: %s: covered (top row first) %s %s %s %s %s %s %s %s, expected %s %s %s %s %s %s %s %s",
                       m->name, rule, m->row, got[0], got[1], got[2], got[3], got[4], got[5], got[6], got[7], rows[0],
                       rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]);
    return equal;
}

bool everything_covered(struct machine *m, const char *rule)
{
    return covered_is(m, rule,
                      (const char *const[8]){ "########", "########", "########", "########", "########", "########",
                                              "########", "########" });
}

bool nothing_covered(struct machine *m, const char *rule)
{
    return covered_is(m, rule,
                      (const char *const[8]){ "........", "........", "........", "........", "........", "........",
                                              "........", "........" });
}

static bool pixel_is(struct machine *m, const char *rule, const struct expected_pixel *want)
{
    const uint32_t color = probe_pixel(m, want->x, want->y);
    const uint32_t depth = probe_depth(m, want->x, want->y);
    if (color == want->color && depth == want->depth24)
        return true;
    (void)snprintf(m->message, sizeof m->message,
                   "[%s] %s: %s: pixel %u,%u is %08X depth %06X, expected %08X depth %06X", m->name, rule, m->row,
                   (unsigned)want->x, (unsigned)want->y, (unsigned)color, (unsigned)depth, (unsigned)want->color,
                   (unsigned)want->depth24);
    return false;
}

bool pixels_are(struct machine *m, const char *rule, const struct expected_pixel *pixels, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!pixel_is(m, rule, &pixels[i]))
            return false;
    return true;
}

bool picture_is(struct machine *m, const char *rule, const struct expected_pixel *pixels, size_t n)
{
    struct expected_pixel all[64];
    for (uint32_t i = 0; i < 64; i++)
        all[i] = (struct expected_pixel){ (uint8_t)(i % 8u), (uint8_t)(i / 8u), 0, 0 };
    for (size_t i = 0; i < n; i++)
        all[8u * pixels[i].y + pixels[i].x] = pixels[i];
    return pixels_are(m, rule, all, 64);
}

void point_at(struct probe_vertex v[3], uint32_t x, uint32_t y)
{
    const float cx = ((float)x + 0.5f) / 256.0f - 1.0f;
    const float cy = ((float)y + 0.5f) / 256.0f - 1.0f;
    v[0] = probe_vertex_at(cx, cy, -0.5f, 1);
    v[1] = probe_vertex_at(cx + 2.0f / 4096.0f, cy, -0.5f, 1);
    v[2] = probe_vertex_at(cx, cy + 1.0f / 4096.0f, -0.5f, 1);
}

static void set_color(struct probe_vertex *v, size_t n, uint32_t rgba)
{
    probe_color(v, n, rgba >> 24, rgba >> 16 & 0xFFu, rgba >> 8 & 0xFFu, rgba & 0xFFu);
}

void draw_point(struct machine *m, uint32_t x, uint32_t y, uint32_t rgba, const struct setting *settings, size_t n)
{
    static const struct setting view[] = { POINT_VIEW };
    struct probe_vertex v[3];
    point_at(v, x, y);
    set_color(v, 3, rgba);
    struct list list = probe_list();
    for (size_t i = 0; i < sizeof view / sizeof view[0]; i++)
        list_write(&list, view[i].id, view[i].value);
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
}

void draw_quad_at(struct machine *m, uint32_t rgba, float z, const struct setting *settings, size_t n)
{
    struct probe_vertex v[4];
    probe_quad(v);
    for (size_t i = 0; i < 4; i++)
        v[i].position[2] = z;
    set_color(v, 4, rgba);
    draw_with(m, settings, n, v, 4, PICA_TOPOLOGY_STRIP);
}

void draw_quad(struct machine *m, uint32_t rgba, const struct setting *settings, size_t n)
{
    draw_quad_at(m, rgba, -0.5f, settings, n);
}
