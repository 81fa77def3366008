/*
 * Made-up bytes. Textures become a slow ramp, one value, or noise, derived only from the number of the piece. Vertices
 * stay within the box that their components span: first each component takes any of eight values; if that is not
 * enough, it moves to the nearest point of a grid of 5, then 33 values.
 */
#include "harness/reduce/scrub_parts.h"

#include <math.h>
#include <string.h>

enum {
    FLAT = 0x80,
    SCATTER = 7, /* steps of the box */
    COARSE = 4,
    FINE = 32
};

/* A hash: numbers without a pattern that a verdict could depend on. */
static uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9E3779B1u + b;
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

/* The pattern of pcase (HARNESS_PATTERN_RAMP), so that a whole block can be written as one. */
static uint8_t ramp(uint32_t piece, uint32_t i)
{
    return (uint8_t)(piece * 37u + i * 3u + (i >> 8) * 11u);
}

static void fill_picture(struct scrub_plan *plan, const struct scrub_run *run)
{
    const struct scrub_block *const block = &plan->blocks[run->block];
    const struct harness_read *const read = &plan->pieces[run->piece].read;
    const bool is_surface = read->kind == HARNESS_READ_SURFACE;
    for (uint32_t i = run->from; i < run->from + run->size; i++) {
        const uint32_t offset = block->address + i - read->address;
        block->images[0][i] = is_surface ? 0 : ramp(run->piece, offset);
        block->images[1][i] = FLAT;
        block->images[2][i] = (uint8_t)mix(run->piece, offset);
    }
}

/* -------------------------------------------------------------------------------------------------------- vertices */

/* Relies on both enumerations having the same numbers. */
static uint32_t size_of_type(enum pica_attribute_type type)
{
    return harness_element_size((enum harness_element)type);
}

/* VTX-02: the number of an element. NaN stands for infinities as well, since these have no place in a box. */
static double get_number(enum pica_attribute_type type, const uint8_t *bytes)
{
    float number = 0.0f;
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return bytes[0] < 128 ? bytes[0] : bytes[0] - 256;
    case PICA_ATTRIBUTE_TYPE_SHORT: return (int16_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8);
    case PICA_ATTRIBUTE_TYPE_FLOAT:
        memcpy(&number, bytes, sizeof number);
        return isfinite(number) ? (double)number : (double)NAN;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE:
    default: return bytes[0];
    }
}

static void put_number(enum pica_attribute_type type, double number, uint8_t *bytes)
{
    const float as_float = (float)number;
    const int32_t whole = type == PICA_ATTRIBUTE_TYPE_FLOAT ? 0 : (int32_t)lround(number);
    if (type == PICA_ATTRIBUTE_TYPE_FLOAT) {
        memcpy(bytes, &as_float, sizeof as_float);
        return;
    }
    for (uint32_t i = 0; i < size_of_type(type); i++)
        bytes[i] = (uint8_t)((uint32_t)whole >> 8 * i);
}

/* A vertex component whose bytes all lie in one run. */
struct component {
    uint32_t vertex, number; /* number: 0-3 */
    uint32_t at;             /* in the block */
};

/* The first one at or after `at`; false at the end of the run. */
static bool next_component(const struct scrub_plan *plan, const struct scrub_run *run, uint32_t at,
                           struct component *out)
{
    const struct harness_read *const read = &plan->pieces[run->piece].read;
    const uint32_t size = size_of_type(read->type);
    for (; at + size <= run->from + run->size; at++) {
        const uint32_t offset = plan->blocks[run->block].address + at - read->address;
        const uint32_t within = read->stride != 0 ? offset % read->stride : offset;
        if (within % size != 0 || within >= read->size)
            continue;
        *out = (struct component){ read->stride != 0 ? offset / read->stride : 0, within / size, at };
        return true;
    }
    return false;
}

void scrub_box_clear(struct scrub_box *box)
{
    for (int i = 0; i < 4; i++) {
        box->least[i] = HUGE_VAL;
        box->most[i] = -HUGE_VAL;
    }
}

void scrub_box_take(struct scrub_box *box, uint32_t component, double number)
{
    box->least[component] = number < box->least[component] ? number : box->least[component];
    box->most[component] = number > box->most[component] ? number : box->most[component];
}

static void measure(const struct scrub_plan *plan, const struct scrub_piece *piece, struct scrub_box *box)
{
    const uint32_t size = size_of_type(piece->read.type);
    scrub_box_clear(box);
    for (uint32_t r = piece->first_run; r < piece->first_run + piece->run_count; r++) {
        struct component one;
        for (uint32_t at = plan->runs[r].from; next_component(plan, &plan->runs[r], at, &one); at = one.at + size) {
            const double number = get_number(piece->read.type, plan->blocks[plan->runs[r].block].bytes + one.at);
            scrub_box_take(box, one.number, number);
        }
    }
}

/* The point nearest to a number in a grid of `steps` steps; for NaN the lower end. */
static double snap(double number, double least, double most, int steps)
{
    if (!(most > least) || isnan(number))
        return most >= least ? least : 0.0;
    return least + (most - least) * (floor((number - least) / (most - least) * steps + 0.5) / steps);
}

double scrub_box_number(const struct scrub_box *box, const struct scrub_place *place, double number, uint32_t variant)
{
    const double least = box->least[place->component], most = box->most[place->component];
    const uint32_t step = mix(place->piece * 4 + place->component, place->vertex) % (SCATTER + 1);
    if (variant == 0)
        return most >= least ? least + (most - least) * step / (double)SCATTER : 0.0;
    return snap(number, least, most, variant == 1 ? COARSE : FINE);
}

static void fill_component(struct scrub_plan *plan, const struct scrub_run *run, const struct component *one,
                           const struct scrub_box *box)
{
    const struct scrub_block *const block = &plan->blocks[run->block];
    const enum pica_attribute_type type = plan->pieces[run->piece].read.type;
    const double number = get_number(type, block->bytes + one->at);
    const struct scrub_place place = { .piece = run->piece, .vertex = one->vertex, .component = one->number };
    for (uint32_t i = 0; i < SCRUB_IMAGES; i++)
        put_number(type, scrub_box_number(box, &place, number, i), block->images[i] + one->at);
}

static void fill_vertices(struct scrub_plan *plan, const struct scrub_piece *piece)
{
    const uint32_t size = size_of_type(piece->read.type);
    struct scrub_box box;
    measure(plan, piece, &box);
    for (uint32_t r = piece->first_run; r < piece->first_run + piece->run_count; r++) {
        struct component one;
        for (uint32_t at = plan->runs[r].from; next_component(plan, &plan->runs[r], at, &one); at = one.at + size)
            fill_component(plan, &plan->runs[r], &one, &box);
    }
}

/* --------------------------------------------------------------------------------------------------------- indices */

static uint32_t get_index(const uint8_t *bytes, uint32_t width)
{
    return width == 1 ? bytes[0] : (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static void put_index(uint8_t *bytes, uint32_t width, uint32_t index)
{
    for (uint32_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(index >> 8 * i);
}

/* Images of indices: first ascending from the smallest to the greatest, then random ones between them. */
static void fill_indices(struct scrub_plan *plan, const struct scrub_piece *piece)
{
    const uint32_t width = piece->read.stride;
    uint32_t least = UINT32_MAX, most = 0;
    for (int round = 0; round < 2; round++)
        for (uint32_t r = piece->first_run; r < piece->first_run + piece->run_count; r++) {
            const struct scrub_run *const run = &plan->runs[r];
            const struct scrub_block *const block = &plan->blocks[run->block];
            const uint32_t start = (width - (block->address + run->from - piece->read.address) % width) % width;
            for (uint32_t at = run->from + start; at + width <= run->from + run->size; at += width) {
                const uint32_t index = get_index(block->bytes + at, width);
                const uint32_t number = (block->address + at - piece->read.address) / width;
                least = index < least ? index : least;
                most = index > most ? index : most;
                if (round == 0)
                    continue;
                put_index(block->images[0] + at, width, least + number % (most - least + 1));
                put_index(block->images[1] + at, width, least + mix(run->piece, number) % (most - least + 1));
                put_index(block->images[2] + at, width, least + mix(run->piece + 1, number) % (most - least + 1));
            }
        }
}

/* Images that no branch fills stay 0. */
static void fill_piece(struct scrub_plan *plan, const struct scrub_piece *piece)
{
    switch (piece->read.kind) {
    case HARNESS_READ_SURFACE:
    case HARNESS_READ_ENGINE:
    case HARNESS_READ_TEXTURE:
        for (uint32_t r = piece->first_run; r < piece->first_run + piece->run_count; r++)
            fill_picture(plan, &plan->runs[r]);
        return;
    case HARNESS_READ_VERTICES: fill_vertices(plan, piece); return;
    case HARNESS_READ_INDICES: fill_indices(plan, piece); return;
    case HARNESS_READ_NOTHING:
    case HARNESS_READ_COMMANDS:
    case HARNESS_READ_TABLE:
    case HARNESS_READ_UNIFORMS:
    case HARNESS_READ_CODE:
    case HARNESS_READ_SENT: return;
    }
}

void scrub_images_fill(struct scrub_plan *plan)
{
    for (uint32_t i = 0; i < plan->piece_count; i++)
        fill_piece(plan, &plan->pieces[i]);
}
