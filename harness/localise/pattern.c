#include "harness/localise/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PIXELS = 1 << 20,
    CHANNELS = 4
};

struct picture {
    uint32_t width, height;
    struct oracle_pixel *pixels; /* from the viewer's top row */
};

static const struct oracle_pixel *at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return &picture->pixels[(size_t)y * picture->width + x];
}

static bool same(const struct oracle_pixel *a, const struct oracle_pixel *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

/* The bytes of a run, or those that CPU loads alone would have left. */
static struct oracle_pixel read_pixel(const struct oracle_run *run, const uint8_t *const *memory, uint64_t address,
                                      enum oracle_format format)
{
    const uint32_t bytes = oracle_bytes_per_pixel(format);
    for (uint32_t i = 0; i < run->window_count; i++)
        if (address >= run->windows[i].address &&
            address + bytes <= (uint64_t)run->windows[i].address + run->windows[i].size)
            return oracle_pixel_decode(format, memory[i] + (address - run->windows[i].address));
    return (struct oracle_pixel){ { 0 } };
}

static bool read_picture(const struct oracle_run *run, const uint8_t *const *memory,
                         const struct oracle_surface *surface, struct picture *out)
{
    const uint64_t count = (uint64_t)surface->width * surface->height;
    *out = (struct picture){ surface->width, surface->height, NULL };
    if (count == 0 || count > MOST_PIXELS)
        return false;
    out->pixels = malloc((size_t)count * sizeof *out->pixels);
    for (uint32_t y = 0; out->pixels != NULL && y < out->height; y++)
        for (uint32_t x = 0; x < out->width; x++)
            out->pixels[(size_t)y * out->width + x] =
                read_pixel(run, memory, surface->address + oracle_pixel_offset(surface, x, y), surface->format);
    return out->pixels != NULL;
}

/* ------------------------------------------------------------------------------------ the same values, elsewhere */

/* Where the second picture has what the first has at (x, y); false: outside. */
typedef bool (*move_function)(const struct picture *picture, uint32_t *x, uint32_t *y);

static bool mirror_rows(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)x;
    *y = picture->height - 1 - *y;
    return true;
}

static bool mirror_columns(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)y;
    *x = picture->width - 1 - *x;
    return true;
}

static bool turn(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    return mirror_rows(picture, x, y) && mirror_columns(picture, x, y);
}

static bool right(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)y;
    return ++*x < picture->width;
}

static bool left(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)picture, (void)y;
    return (*x)-- != 0;
}

/* y is counted upwards in all messages (RST-01), and downwards here. */
static bool up(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)picture, (void)x;
    return (*y)-- != 0;
}

static bool down(const struct picture *picture, uint32_t *x, uint32_t *y)
{
    (void)x;
    return ++*y < picture->height;
}

static const struct {
    const char *words;
    move_function move;
} moves[] = {
    { "rows mirrored", mirror_rows },
    { "columns mirrored", mirror_columns },
    { "rows and columns mirrored", turn },
    { "shifted by x+1", right },
    { "shifted by x-1", left },
    { "shifted by y+1", up },
    { "shifted by y-1", down },
};

/* Is every pixel of the second one of the first, moved? Only if what is left of it has more than one value. */
static bool is_moved(const struct picture *a, const struct picture *b, move_function move)
{
    const struct oracle_pixel *some = NULL;
    bool varied = false;
    for (uint32_t y = 0; y < a->height; y++)
        for (uint32_t x = 0; x < a->width; x++) {
            uint32_t to_x = x, to_y = y;
            if (!move(a, &to_x, &to_y))
                continue;
            if (!same(at(a, x, y), at(b, to_x, to_y)))
                return false;
            some = some != NULL ? some : at(a, x, y);
            varied = varied || !same(at(a, x, y), some);
        }
    return varied;
}

/* Does the second have in another order of memory what the first has? */
static const char *other_order(const struct picture *a, const struct oracle_run *b,
                               const struct oracle_surface *surface)
{
    static const char *const words[] = { "in tiles of 8x8", "in blocks of 32x32", "in linear order" };
    for (enum oracle_layout layout = ORACLE_LAYOUT_TILED; layout <= ORACLE_LAYOUT_LINEAR; layout++) {
        struct oracle_surface other = *surface;
        struct picture picture;
        other.layout = layout;
        if (layout == surface->layout || !read_picture(b, b->memory, &other, &picture))
            continue;
        const size_t bytes = (size_t)a->width * a->height * sizeof *a->pixels;
        const bool is_same = memcmp(a->pixels, picture.pixels, bytes) == 0;
        free(picture.pixels);
        if (is_same)
            return words[layout];
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ other values */

struct counts {
    uint64_t all, differing;
    uint64_t by_channel[CHANNELS];
    bool steady[CHANNELS]; /* the difference is the same in every pixel that differs there ... */
    int64_t delta[CHANNELS];
};

static void count_pixel(struct counts *counts, const struct oracle_pixel *a, const struct oracle_pixel *b)
{
    counts->all++;
    counts->differing += same(a, b) ? 0u : 1u;
    for (int c = 0; c < CHANNELS; c++) {
        const int64_t delta = (int64_t)b->channel[c] - (int64_t)a->channel[c];
        if (delta == 0)
            continue;
        counts->steady[c] = counts->by_channel[c] == 0 || (counts->steady[c] && counts->delta[c] == delta);
        counts->delta[c] = delta;
        counts->by_channel[c]++;
    }
}

static bool are_exchanged(const struct picture *a, const struct picture *b, int one, int other)
{
    const size_t count = (size_t)a->width * a->height;
    for (size_t i = 0; i < count; i++) {
        struct oracle_pixel exchanged = a->pixels[i];
        exchanged.channel[one] = a->pixels[i].channel[other];
        exchanged.channel[other] = a->pixels[i].channel[one];
        if (!same(&exchanged, &b->pixels[i]))
            return false;
    }
    return true;
}

/* Is the picture as the CPU left it, wherever the two differ? */
static bool drew_nothing(const struct picture *own, const struct picture *other, const struct picture *loaded)
{
    const size_t count = (size_t)own->width * own->height;
    for (size_t i = 0; i < count; i++)
        if (!same(&own->pixels[i], &other->pixels[i]) && !same(&own->pixels[i], &loaded->pixels[i]))
            return false;
    return true;
}

static const char *channel_name(const struct oracle_surface *surface, int channel)
{
    static const char *const colors[] = { "R", "G", "B", "alpha" }, *const depths[] = { "depth", "", "", "stencil" };
    return surface->format >= ORACLE_FORMAT_DEPTH16 ? depths[channel] : colors[channel];
}

/* One channel differs, or all do by the same. */
static void say_channels(const struct counts *counts, const struct oracle_surface *surface, const char *second,
                         char *out, size_t size)
{
    int only = -1, channels = 0;
    for (int c = 0; c < CHANNELS; c++)
        if (counts->by_channel[c] != 0) {
            only = c;
            channels++;
        }
    if (channels != 1)
        return;
    const char *const name = channel_name(surface, only);
    const int64_t delta = counts->delta[only];
    if (!counts->steady[only])
        (void)snprintf(out, size, "only %s differs, in %" PRIu64 " of %" PRIu64 " pixels", name, counts->differing,
                       counts->all);
    else
        (void)snprintf(out, size, "off by %s in %s: %s has %+" PRId64 " in %" PRIu64 " of %" PRIu64 " pixels",
                       delta == 1 || delta == -1 ? "one" : "the same", name, second, delta, counts->differing,
                       counts->all);
}

/* ------------------------------------------------------------------------------------------------------- together */

static bool say_moved(const struct picture *a, const struct picture *b, const struct oracle_run *second,
                      const struct oracle_surface *surface, char *out, size_t size)
{
    static const char *const pairs[] = { "R and G", "R and B", "G and B" };
    static const int channels[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    const char *words = NULL;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0] && words == NULL; i++)
        words = is_moved(a, b, moves[i].move) ? moves[i].words : NULL;
    words = words != NULL ? words : other_order(a, second, surface);
    if (words != NULL)
        (void)snprintf(out, size, "same values, %s", words);
    for (size_t i = 0; i < 3 && words == NULL; i++)
        if (are_exchanged(a, b, channels[i][0], channels[i][1])) {
            words = pairs[i];
            (void)snprintf(out, size, "same values, %s exchanged", words);
        }
    return words != NULL;
}

static bool say_not_drawn(const struct picture *a, const struct picture *b, const struct oracle_run *first,
                          const struct oracle_run *second, const struct oracle_surface *surface, char *out, size_t size)
{
    struct picture loaded = { 0 };
    const char *who = NULL;
    if (first->window_count == 0 || first->loaded[0] == NULL || !read_picture(first, first->loaded, surface, &loaded))
        return false;
    if (drew_nothing(b, a, &loaded))
        who = second->backend;
    else if (drew_nothing(a, b, &loaded))
        who = first->backend;
    if (who != NULL)
        (void)snprintf(out, size, "nothing drawn by %s where the two differ", who);
    free(loaded.pixels);
    return who != NULL;
}

void harness_pattern(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                     char *out, size_t size)
{
    struct picture first, second = { 0 };
    struct counts counts = { 0 };
    out[0] = '\0';
    const bool read = read_picture(a, a->memory, surface, &first);
    if (read && read_picture(b, b->memory, surface, &second)) {
        for (size_t i = 0; i < (size_t)first.width * first.height; i++)
            count_pixel(&counts, &first.pixels[i], &second.pixels[i]);
        if (counts.differing != 0 && !say_moved(&first, &second, b, surface, out, size) &&
            !say_not_drawn(&first, &second, a, b, surface, out, size))
            say_channels(&counts, surface, b->backend, out, size);
    }
    free(first.pixels);
    free(second.pixels);
}
