#include "oracles/tolerance.h"

#include <stdio.h>
#include <string.h>

bool oracle_tolerance_is_none(const struct oracle_tolerance *tolerance)
{
    static const struct oracle_tolerance none = { 0 };
    return memcmp(tolerance, &none, sizeof none) == 0;
}

void oracle_allowance_add(struct oracle_allowance *sum, const struct oracle_allowance *other)
{
    sum->pixels += other->pixels;
    sum->edge_pixels += other->edge_pixels;
    sum->filter_pixels += other->filter_pixels;
    sum->values += other->values;
    sum->most = sum->most > other->most ? sum->most : other->most;
    sum->most_depth = sum->most_depth > other->most_depth ? sum->most_depth : other->most_depth;
}

void oracle_allowance_text(const struct oracle_allowance *allowance, char *out, size_t size)
{
    int used = 0;
    const uint64_t near = allowance->pixels - allowance->edge_pixels - allowance->filter_pixels;
    const char *between = "";
    out[0] = '\0';
    if (near != 0) {
        used = snprintf(out, size, "max %u%s in %llu pixels", (unsigned)allowance->most,
                        allowance->most_depth != 0 ? " (or of depth)" : "", (unsigned long long)near);
        between = ", ";
    }
    if (allowance->edge_pixels != 0 && used >= 0 && (size_t)used < size) {
        used += snprintf(out + used, size - (size_t)used, "%s%llu along edges", between,
                         (unsigned long long)allowance->edge_pixels);
        between = ", ";
    }
    if (allowance->filter_pixels != 0 && used >= 0 && (size_t)used < size) {
        used += snprintf(out + used, size - (size_t)used, "%s%llu between their neighbours", between,
                         (unsigned long long)allowance->filter_pixels);
        between = ", ";
    }
    if (allowance->values != 0 && used >= 0 && (size_t)used < size)
        (void)snprintf(out + used, size - (size_t)used, "%s%llu values", between,
                       (unsigned long long)allowance->values);
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* The rank of a binary32 value among all values: neighbours differ by 1, -0 and +0 have the same rank. */
static int64_t rank(uint32_t bits)
{
    const int64_t magnitude = (int64_t)(bits & 0x7FFFFFFFu);
    return (bits & 0x80000000u) != 0 ? -magnitude : magnitude;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFFu) > 0x7F800000u;
}

bool oracle_within_ulps(uint32_t a, uint32_t b, uint32_t ulps)
{
    if (a == b || is_nan(a) || is_nan(b))
        return a == b || (is_nan(a) && is_nan(b));
    const int64_t away = rank(a) - rank(b);
    return away <= (int64_t)ulps && -away <= (int64_t)ulps;
}

/* Applies the tolerance to consecutive binary32 words of the state. */
static void tolerate_words(const struct oracle_run *a, struct oracle_tolerated *space, size_t offset, size_t size,
                           uint32_t ulps, struct oracle_allowance *allowed)
{
    uint8_t *const to = (uint8_t *)&space->state + offset;
    const uint8_t *const from = (const uint8_t *)a->state + offset;
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t x, y;
        memcpy(&x, from + at, 4);
        memcpy(&y, to + at, 4);
        if (x == y || !oracle_within_ulps(x, y, ulps))
            continue;
        memcpy(to + at, &x, 4);
        allowed->values++;
    }
}

/* Applies the tolerance to the vectors of the state: uniforms (REG-23), fixed attributes (REG-25). */
static void tolerate_state(const struct oracle_run *a, uint32_t ulps, struct oracle_tolerated *space,
                           struct oracle_allowance *allowed)
{
    for (size_t unit = 0; unit < sizeof a->state->units / sizeof a->state->units[0]; unit++)
        tolerate_words(a, space,
                       offsetof(struct pica_state, units) + unit * sizeof a->state->units[0] +
                           offsetof(struct pica_shader_unit, uniforms),
                       sizeof a->state->units[0].uniforms, ulps, allowed);
    tolerate_words(a, space, offsetof(struct pica_state, fixed), sizeof a->state->fixed, ulps, allowed);
}

/* ----------------------------------------------------------------------------------------------------------- pixels */

/* One picture to compare. `mine` are the bytes of run a, the reference; `other` the unchanged bytes of run b. */
struct picture {
    const struct oracle_surface *surface;
    const struct oracle_tolerance *tolerance;
    const uint8_t *mine, *other; /* bytes of the window; the surface may begin before the window, and end after it */
    int64_t begin;               /* offset of the surface from the start of the window */
    int64_t size;                /* of the window */
    uint32_t bytes;              /* of a pixel */
    bool is_depth;
};

static bool depth_format(enum oracle_format format)
{
    return format == ORACLE_FORMAT_DEPTH16 || format == ORACLE_FORMAT_DEPTH24 ||
           format == ORACLE_FORMAT_DEPTH24_STENCIL8;
}

/* The size of one step of a channel, in steps of 1/255: the effect of rounding differently. 1-bit alpha has no
 * steps. */
static uint32_t step_of(enum oracle_format format, uint32_t channel)
{
    static const uint32_t of_bits[] = { [4] = 17, [5] = 9, [6] = 5, [8] = 1 };
    uint32_t bits = 8;
    if (format == ORACLE_FORMAT_RGB5A1)
        bits = channel == 3 ? 8 : 5;
    if (format == ORACLE_FORMAT_RGB565)
        bits = channel == 1 ? 6 : (channel == 3 ? 8 : 5);
    if (format == ORACLE_FORMAT_RGBA4)
        bits = 4;
    return of_bits[bits];
}

static uint32_t limit_of(const struct picture *picture, uint32_t channel)
{
    if (picture->is_depth)
        return channel == 0 ? picture->tolerance->depth : 0;
    const uint32_t given = picture->tolerance->channels[channel];
    const uint32_t step = step_of(picture->surface->format, channel);
    return given != 0 && given < step ? step : given;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* How far two pixels are apart; false if a channel is beyond its limit. */
static bool is_near(const struct picture *picture, const struct oracle_pixel *a, const struct oracle_pixel *b,
                    uint32_t *most)
{
    *most = 0;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t away = apart(a->channel[c], b->channel[c]);
        if (away > limit_of(picture, c))
            return false;
        *most = away > *most ? away : *most;
    }
    return true;
}

/* *out: the offset of a pixel in the window; false if the window does not hold all of it. */
static bool place_of(const struct picture *picture, uint32_t x, uint32_t y, int64_t *out)
{
    *out = picture->begin + (int64_t)oracle_pixel_offset(picture->surface, x, y);
    return *out >= 0 && *out + (int64_t)picture->bytes <= picture->size;
}

static bool pixel_at(const struct picture *picture, const uint8_t *bytes, int64_t x, int64_t y,
                     struct oracle_pixel *out)
{
    int64_t place;
    if (x < 0 || y < 0 || x >= picture->surface->width || y >= picture->surface->height ||
        !place_of(picture, (uint32_t)x, (uint32_t)y, &place))
        return false;
    *out = oracle_pixel_decode(picture->surface->format, bytes + place);
    return true;
}

/*
 * Does one side have here what the other has nearby? Then an edge of coverage may lie between the two places. But where
 * the reference has the same value all around there is no edge, and a wrong pixel is a hole.
 */
static bool is_edge(const struct picture *picture, int64_t x, int64_t y, const struct oracle_pixel *a,
                    const struct oracle_pixel *b)
{
    const int64_t reach = picture->tolerance->edge;
    uint32_t most;
    bool has_border = false, is_moved = false;
    struct oracle_pixel pixel;
    for (int64_t dy = -reach; dy <= reach; dy++)
        for (int64_t dx = -reach; dx <= reach; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            if (pixel_at(picture, picture->mine, x + dx, y + dy, &pixel)) {
                is_moved = is_moved || is_near(picture, &pixel, b, &most);
                has_border = has_border || !is_near(picture, &pixel, a, &most);
            }
            is_moved = is_moved || (pixel_at(picture, picture->other, x + dx, y + dy, &pixel) &&
                                    is_near(picture, &pixel, a, &most));
        }
    return has_border && is_moved;
}

/* Does each channel lie within the range of the reference's pixels around the place? */
static bool is_between(const struct picture *picture, int64_t x, int64_t y, const struct oracle_pixel *b)
{
    const int64_t reach = picture->tolerance->filter;
    uint32_t least[4] = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX }, most[4] = { 0 };
    if (reach == 0 || picture->is_depth)
        return false;
    for (int64_t dy = -reach; dy <= reach; dy++)
        for (int64_t dx = -reach; dx <= reach; dx++) {
            struct oracle_pixel pixel;
            if (!pixel_at(picture, picture->mine, x + dx, y + dy, &pixel))
                continue;
            for (uint32_t c = 0; c < 4; c++) {
                least[c] = pixel.channel[c] < least[c] ? pixel.channel[c] : least[c];
                most[c] = pixel.channel[c] > most[c] ? pixel.channel[c] : most[c];
            }
        }
    for (uint32_t c = 0; c < 4; c++)
        if (b->channel[c] + limit_of(picture, c) < least[c] || b->channel[c] > most[c] + limit_of(picture, c))
            return false;
    return true;
}

/* Is the pixel within the tolerance? Counts by which limit. */
static bool allow(const struct picture *picture, int64_t x, int64_t y, struct oracle_allowance *allowed)
{
    struct oracle_pixel a, b;
    uint32_t most = 0;
    if (!pixel_at(picture, picture->mine, x, y, &a) || !pixel_at(picture, picture->other, x, y, &b) ||
        memcmp(&a, &b, sizeof a) == 0)
        return false;
    if (is_near(picture, &a, &b, &most)) {
        uint32_t *const sum = picture->is_depth ? &allowed->most_depth : &allowed->most;
        *sum = most > *sum ? most : *sum;
    } else if (is_edge(picture, x, y, &a, &b)) {
        allowed->edge_pixels++;
    } else if (is_between(picture, x, y, &b)) {
        allowed->filter_pixels++;
    } else {
        return false;
    }
    allowed->pixels++;
    return true;
}

/* Applies the tolerance to the part of the surface that lies in the window. `copy`: bytes of run b for the window;
 * those of allowed pixels are replaced by those of `a`. */
static void tolerate_window(const struct picture *picture, uint8_t *copy, struct oracle_allowance *allowed)
{
    int64_t at;
    for (uint32_t y = 0; y < picture->surface->height; y++)
        for (uint32_t x = 0; x < picture->surface->width; x++)
            if (place_of(picture, x, y, &at) && memcmp(copy + at, picture->mine + at, picture->bytes) != 0 &&
                allow(picture, x, y, allowed))
                memcpy(copy + at, picture->mine + at, picture->bytes);
}

static void tolerate_picture(const struct oracle_run *a, const struct oracle_run *b,
                             const struct oracle_surface *surface, const struct oracle_tolerance *tolerance,
                             uint8_t *copy, struct oracle_allowance *allowed)
{
    for (uint32_t window = 0; window < a->window_count; copy += a->windows[window++].size) {
        const struct picture picture = { .surface = surface,
                                         .tolerance = tolerance,
                                         .mine = a->memory[window],
                                         .other = b->memory[window],
                                         .begin = (int64_t)surface->address - (int64_t)a->windows[window].address,
                                         .size = (int64_t)a->windows[window].size,
                                         .bytes = oracle_bytes_per_pixel(surface->format),
                                         .is_depth = depth_format(surface->format) };
        if (picture.begin < picture.size && picture.begin + (int64_t)oracle_surface_bytes(surface) > 0)
            tolerate_window(&picture, copy, allowed);
    }
}

void oracle_tolerate(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surfaces,
                     size_t count, const struct oracle_tolerance *tolerance, struct oracle_tolerated *space,
                     struct oracle_run *out, struct oracle_allowance *allowed)
{
    size_t size = 0;
    *out = *b;
    memset(allowed, 0, sizeof *allowed);
    for (uint32_t window = 0; window < b->window_count; window++)
        size += b->windows[window].size;
    if (size > space->size)
        return;
    size = 0;
    for (uint32_t window = 0; window < b->window_count; window++) {
        memcpy(space->memory + size, b->memory[window], b->windows[window].size);
        out->memory[window] = space->memory + size;
        size += b->windows[window].size;
    }
    space->state = *b->state;
    out->state = &space->state;
    memset(&out->zeros, 0, sizeof out->zeros);
    if (tolerance->ulps != 0)
        tolerate_state(a, tolerance->ulps, space, allowed);
    for (size_t i = 0; i < count; i++)
        tolerate_picture(a, b, &surfaces[i], tolerance, space->memory, allowed);
    if (allowed->pixels != 0)
        memset(out->screens, 0, sizeof out->screens);
}
