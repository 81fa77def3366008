/*
 * The base of the exhaustive tests: how much to do, where failures are reported, and a 256 x 256 picture whose pixel
 * (x, y) meets texel (x, y) of up to three textures, so that one draw tries all 65 536 pairs of two bytes.
 *
 * How much: the environment variable PICAFUZZ_EXHAUSTIVE=full does everything (minutes, ci/exhaustive); without it the
 * same code runs over a part (ctest, seconds). PICAFUZZ_EXHAUSTIVE_SAMPLES=n (16..32, default 24) makes the full run
 * try
 * 2^n inputs of each shader operation in profile f32.
 */
#ifndef TESTS_EXHAUSTIVE_EXHAUSTIVE_H
#define TESTS_EXHAUSTIVE_EXHAUSTIVE_H

#include "tests/conformance/machine.h"
#include "tests/exhaustive/model.h"

bool exhaustive_full(void);
uint32_t exhaustive_sample_bits(void); /* log2 of the number of f32 samples of this run */

/* A scrambling of 32 bits that is a bijection; for samples and contents. */
uint32_t scramble(uint32_t x);

/* --------------------------------------------------------------------------------------------------------- reports */

/* One test on one backend. The first few differences are reported each, then they are only counted. */
struct tally {
    struct machine *m;
    const char *rule;
    uint64_t tried;
    uint64_t wrong;
    uint64_t ambiguous; /* skipped: the model cannot decide */
};

/* Counts; `input` names the failing input in the message, printf style. */
void tally_compare(struct tally *tally, uint32_t got, uint32_t expected, const char *input, ...);
/* Nothing wrong, and at least `least` inputs were tried; prints the counts. */
void tally_end(const struct tally *tally, uint64_t least);

/* --------------------------------------------------------------------------------------------------------- picture */

enum {
    SQUARE = 256,
    SQUARE_PIXELS = SQUARE * SQUARE,
    SQUARE_BYTES = 4 * SQUARE_PIXELS
};
static const uint32_t SQUARE_TEXTURE = 0x20040000u; /* unit 0; unit n is n * SQUARE_BYTES above */

/* A machine with windows large enough; runs the test once for each backend. */
void square_each(machine_test test);

/* The head of a test; the body that follows is a function of `struct machine *m` that square_each runs. */
#define EACH_SQUARE(suite, name)                   \
    static void suite##_##name(struct machine *m); \
    Test(suite, name)                              \
    {                                              \
        square_each(suite##_##name);               \
    }                                              \
    static void suite##_##name(struct machine *m)

/* What a test compares: RGBA of every pixel by screen coordinates, index y * SQUARE + x. */
struct square {
    struct model_color pixels[SQUARE_PIXELS];
};

/* RGBA8 contents of unit `unit`, by coordinates (s, t) = pixel (x, y); binds nothing. */
void square_load_texture(struct machine *m, uint32_t unit, const struct square *contents);
/* The colour buffer. */
void square_load_target(struct machine *m, const struct square *contents);

/* The probe's pipeline for the square; units 0 .. `units`-1 enabled as RGBA8 256 x 256, nearest, and passed as
 * source 0. */
void square_pipeline(struct list *list, uint32_t units);
/* Registers of one unit: a 256 x 256 image of this format, nearest, at the unit's address. */
void square_format(struct list *list, uint32_t unit, uint32_t format);
/* Draws the quad and reads the target back. */
void square_draw(struct machine *m, struct list *list, struct square *out);

/* The same for a target of another format: its first n bytes as they are. */
void square_draw_bytes(struct machine *m, struct list *list, uint8_t *bytes, size_t n);

/* Compares all pixels. */
void square_compare(struct tally *tally, const struct square *got, const struct square *expected);

/*
 * Contents s and d whose bytes of each channel, taken over all pixels, are all 65 536 pairs: both are linear in (x, y)
 * modulo 256 with an odd determinant, differently for each channel; `variant` shifts them.
 */
void square_pairs(struct square *s, struct square *d, uint32_t variant);

#endif
