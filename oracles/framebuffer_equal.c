#include "oracles/equal.h"

#include <string.h>

enum {
    MAX_PIXEL_BYTES = 4
};

struct picture_difference {
    uint64_t pixels;
    uint32_t left, right, top, bottom; /* box, viewer's rows */
    uint32_t first_x, first_y;
    struct oracle_pixel first_a, first_b;
    uint32_t largest[4]; /* largest difference of each channel */
};

/* The byte at an address; 0 if it is not valid in both runs, so that they read the same. */
static uint8_t byte_at(const struct oracle_run *run, const struct oracle_run *other, uint32_t address)
{
    for (uint32_t window = 0; window < run->window_count; window++) {
        const uint32_t offset = address - run->windows[window].address;
        const uint32_t page = offset / PICA_PAGE_SIZE;
        if (address >= run->windows[window].address && offset < run->windows[window].size)
            return oracle_holds(run, window, page) && oracle_holds(other, window, page) ? run->memory[window][offset]
                                                                                        : 0;
    }
    return 0; /* MEM-03 */
}

/* Are the two pixels equal? Otherwise `in_a` and `in_b` are what they are. */
static bool are_equal(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                      uint32_t x, uint32_t y, struct oracle_pixel *in_a, struct oracle_pixel *in_b)
{
    uint8_t bytes_a[MAX_PIXEL_BYTES] = { 0 }, bytes_b[MAX_PIXEL_BYTES] = { 0 };
    const uint32_t address = surface->address + (uint32_t)oracle_pixel_offset(surface, x, y);
    for (uint32_t i = 0; i < oracle_bytes_per_pixel(surface->format); i++) {
        bytes_a[i] = byte_at(a, b, address + i);
        bytes_b[i] = byte_at(b, a, address + i);
    }
    if (memcmp(bytes_a, bytes_b, sizeof bytes_a) == 0)
        return true;
    *in_a = oracle_pixel_decode(surface->format, bytes_a);
    *in_b = oracle_pixel_decode(surface->format, bytes_b);
    return memcmp(in_a, in_b, sizeof *in_a) == 0;
}

bool oracle_pixel_equal(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                        uint32_t x, uint32_t y)
{
    struct oracle_pixel in_a, in_b;
    return are_equal(a, b, surface, x, y, &in_a, &in_b);
}

static void note(struct picture_difference *difference, uint32_t x, uint32_t y, const struct oracle_pixel *a,
                 const struct oracle_pixel *b)
{
    if (difference->pixels++ == 0) {
        difference->first_x = difference->left = difference->right = x;
        difference->first_y = difference->top = difference->bottom = y;
        difference->first_a = *a;
        difference->first_b = *b;
    }
    difference->left = x < difference->left ? x : difference->left;
    difference->right = x > difference->right ? x : difference->right;
    difference->top = y < difference->top ? y : difference->top;
    difference->bottom = y > difference->bottom ? y : difference->bottom;
    for (int c = 0; c < 4; c++) {
        const uint32_t larger = a->channel[c] > b->channel[c] ? a->channel[c] : b->channel[c];
        const uint32_t smaller = a->channel[c] > b->channel[c] ? b->channel[c] : a->channel[c];
        if (larger - smaller > difference->largest[c])
            difference->largest[c] = larger - smaller;
    }
}

static bool is_depth(enum oracle_format format)
{
    return format == ORACLE_FORMAT_DEPTH16 || format == ORACLE_FORMAT_DEPTH24 ||
           format == ORACLE_FORMAT_DEPTH24_STENCIL8;
}

static void say_pixel(struct oracle_report *report, const char *backend, enum oracle_format format,
                      const struct oracle_pixel *pixel)
{
    const uint32_t *c = pixel->channel;
    if (is_depth(format)) { /* as many digits as the format has */
        oracle_say(report, "%s depth 0x%0*X", backend, format == ORACLE_FORMAT_DEPTH16 ? 4 : 6, (unsigned)c[0]);
        if (format == ORACLE_FORMAT_DEPTH24_STENCIL8)
            oracle_say(report, " stencil 0x%02X", (unsigned)c[3]);
    } else
        oracle_say(report, "%s rgba %u,%u,%u,%u", backend, (unsigned)c[0], (unsigned)c[1], (unsigned)c[2],
                   (unsigned)c[3]);
}

static void say_difference(struct oracle_report *report, const struct oracle_run *a, const struct oracle_run *b,
                           const struct oracle_surface *surface, const char *origin, const struct picture_difference *d)
{
    oracle_say(
        report, "%s at 0x%08X, %ux%u %s: %llu pixel(s) differ, box x %u-%u, y %u-%u (y up); first x %u, y %u: ", origin,
        (unsigned)surface->address, (unsigned)surface->width, (unsigned)surface->height,
        oracle_format_name(surface->format), (unsigned long long)d->pixels, (unsigned)d->left, (unsigned)d->right,
        (unsigned)(surface->height - 1 - d->bottom), (unsigned)(surface->height - 1 - d->top), (unsigned)d->first_x,
        (unsigned)(surface->height - 1 - d->first_y));
    say_pixel(report, a->backend, surface->format, &d->first_a);
    oracle_say(report, ", ");
    say_pixel(report, b->backend, surface->format, &d->first_b);
    if (surface->format == ORACLE_FORMAT_DEPTH24_STENCIL8)
        oracle_say(report, "; largest difference: depth %u, stencil %u\n", (unsigned)d->largest[0],
                   (unsigned)d->largest[3]);
    else if (is_depth(surface->format))
        oracle_say(report, "; largest difference: depth %u\n", (unsigned)d->largest[0]);
    else
        oracle_say(report, "; largest difference: r %u g %u b %u a %u\n", (unsigned)d->largest[0],
                   (unsigned)d->largest[1], (unsigned)d->largest[2], (unsigned)d->largest[3]);
}

static struct picture_difference compare_pictures(const struct oracle_run *a, const struct oracle_run *b,
                                                  const struct oracle_surface *surface)
{
    struct picture_difference difference = { 0 };
    for (uint32_t up = 0; up < surface->height; up++) {
        const uint32_t y = surface->height - 1 - up;
        for (uint32_t x = 0; x < surface->width; x++) {
            struct oracle_pixel pixel_a, pixel_b;
            if (!are_equal(a, b, surface, x, y, &pixel_a, &pixel_b))
                note(&difference, x, y, &pixel_a, &pixel_b);
        }
    }
    return difference;
}

void oracle_pixels_compare(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                           struct oracle_pixels_difference *out)
{
    const struct picture_difference difference = compare_pictures(a, b, surface);
    *out = (struct oracle_pixels_difference){ difference.pixels, difference.first_x, 0, difference.first_a,
                                              difference.first_b };
    if (difference.pixels != 0)
        out->y = surface->height - 1 - difference.first_y;
}

void oracle_framebuffer_equal(const struct oracle_run *a, const struct oracle_run *b,
                              const struct oracle_surface *surface, const char *origin, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "framebuffer_equal";
    report->first = surface->address;
    const struct picture_difference difference = compare_pictures(a, b, surface);
    report->compared = (uint64_t)surface->width * surface->height;
    report->differences = difference.pixels;
    if (difference.pixels != 0) {
        report->verdict = ORACLE_DIVERGE;
        say_difference(report, a, b, surface, origin, &difference);
    } else if (report->compared == 0) {
        report->verdict = ORACLE_VACUOUS;
        oracle_say(report, "%s: no pixels, nothing was compared\n", origin);
    }
}
