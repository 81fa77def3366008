/*
 * Numbers by exhaustion: FLT-10 to FLT-31. Not here: float20 (light attenuation) reaches results through an 8-bit table
 * index only, and float31 (inverse viewport) reaches none (VPT-05).
 */
#include "tests/exhaustive/operate.h"

#include "pica/opcodes.h"

enum {
    FLOAT24_VALUES = 1 << 24,
    PART_STEP = 193 /* of a part run: one block of OPERATE_VALUES in this many */
};

/* ------------------------------------------------------------------------------------------------ profile f24, 2^24 */

/* In every part run: around zero, the smallest normal number, 1, sqrt 2, 2^23, the powers EX2 cares for, infinity,
 * NaN. */
static const uint32_t float24_edges[] = {
    0x000000, 0x00FFFF, 0x010000, 0x3E0000, 0x3F0000, 0x3F6A09, 0x400000, 0x44F000,
    0x44F800, 0x450000, 0x4F0000, 0x560000, 0x7D0000, 0x7E0000, 0x7EFFFF, 0x7F0000,
};

enum {
    FLOAT24_EDGES = sizeof float24_edges / sizeof float24_edges[0]
};

/* The edges with twelve neighbours each, both signs: OPERATE_VALUES values. */
static uint32_t float24_edge(uint32_t i)
{
    const uint32_t n = i / 2u;
    return ((float24_edges[n % FLOAT24_EDGES] + n / FLOAT24_EDGES - 6u) ^ (i % 2u) << 23) & 0xFFFFFFu;
}

struct float24_run {
    struct tally decoded, operated;
    enum model_operation operation;
};

static void operate_block(struct float24_run *run, const uint32_t raw[OPERATE_VALUES])
{
    uint32_t inputs[OPERATE_VALUES], outputs[OPERATE_VALUES];
    operate_run(run->operated.m, true, raw);
    operate_results(run->operated.m, inputs, outputs);
    for (uint32_t i = 0; i < OPERATE_VALUES; i++) {
        const uint32_t bits = model_decode(raw[i], 7, 16);
        tally_compare(&run->decoded, inputs[i], bits, "float24 %06X", (unsigned)raw[i]);
        const struct model_result result = model_operate(run->operation, true, bits);
        if (result.ambiguous)
            run->operated.ambiguous++;
        else
            tally_compare(&run->operated, outputs[i], result.bits, "float24 %06X", (unsigned)raw[i]);
    }
}

/* All float24 values: what the uniform holds (FLT-10), and the operation's result. */
static void operate_all_float24(struct machine *m, enum model_operation operation, uint32_t opcode, const char *rule)
{
    machine_load_profile(m, PICA_PROFILE_F24);
    operate_prepare(m, opcode);
    struct float24_run run = { .decoded = { .m = m, .rule = "FLT-10, float24" },
                               .operated = { .m = m, .rule = rule },
                               .operation = operation };
    uint32_t raw[OPERATE_VALUES];
    for (uint32_t i = 0; i < OPERATE_VALUES; i++)
        raw[i] = float24_edge(i);
    operate_block(&run, raw);
    const uint32_t step = OPERATE_VALUES * (exhaustive_full() ? 1u : (uint32_t)PART_STEP);
    for (uint32_t first = 0; first < FLOAT24_VALUES; first += step) {
        for (uint32_t i = 0; i < OPERATE_VALUES; i++)
            raw[i] = (first + i) & 0xFFFFFFu;
        operate_block(&run, raw);
    }
    const uint64_t least = FLOAT24_VALUES / step * OPERATE_VALUES;
    tally_end(&run.decoded, least);
    tally_end(&run.operated, least - run.operated.ambiguous);
    EXPECT(m, rule, run.operated.ambiguous <= 16);
}

EACH_MACHINE(exhaustive, FLT_27_rcp_of_every_float24)
{
    operate_all_float24(m, MODEL_RCP, PICA_OPCODE_RCP, "FLT-27 rcp f24");
}

EACH_MACHINE(exhaustive, FLT_27_rsq_of_every_float24)
{
    operate_all_float24(m, MODEL_RSQ, PICA_OPCODE_RSQ, "FLT-27 rsq f24");
}

EACH_MACHINE(exhaustive, FLT_30_of_every_float24)
{
    operate_all_float24(m, MODEL_EX2, PICA_OPCODE_EX2, "FLT-30 f24");
}

EACH_MACHINE(exhaustive, FLT_31_of_every_float24)
{
    operate_all_float24(m, MODEL_LG2, PICA_OPCODE_LG2, "FLT-31 f24");
}

EACH_MACHINE(exhaustive, FLT_27_flr_of_every_float24)
{
    operate_all_float24(m, MODEL_FLR, PICA_OPCODE_FLR, "FLT-27 flr f24");
}

/* ------------------------------------------------------------------------------------------ profile f32, stratified */

/* Where rules and recipes have edges; each with its two neighbours, both signs. */
static const uint32_t edges[] = {
    0x00000000, 0x00000002, 0x007FFFFF, 0x00800000, 0x20800000, 0x30800000, 0x33800000, 0x3B429D37, 0x3CF3A937,
    0x3F000000, 0x3F3504F3, 0x3F800000, 0x3FB504F3, 0x40000000, 0x42FC0000, 0x42FE0000, 0x43000000, 0x43150000,
    0x43160000, 0x4B000000, 0x4B800000, 0x5F800000, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000,
};

enum {
    EDGES = 6 * sizeof edges / sizeof edges[0]
};

/*
 * Sample i of 2^bits: all patterns if these are 2^32. Else the edges, then one of each interval of 2^(32-bits)
 * patterns. Every other sample stays in the
 * exponents 2^-12 .. 2^8, where EX2 and FLR have their work.
 */
static uint32_t sample(uint32_t i, uint32_t bits)
{
    if (bits == 32u)
        return i;
    if (i < EDGES)
        return (edges[i / 6u] + i % 3u - 1u) ^ (i / 3u % 2u) << 31;
    const uint32_t width = 32u - bits;
    const uint32_t pattern = i << width | (scramble(i) & ((1u << width) - 1u));
    if (i % 2u == 0u)
        return pattern;
    const uint32_t exponent = 115u + scramble(i * 2u + 1u) % 21u;
    return (pattern & 0x807FFFFFu) | exponent << 23;
}

static void operate_samples(struct machine *m, enum model_operation operation, uint32_t opcode, const char *rule)
{
    operate_prepare(m, opcode);
    struct tally tally = { .m = m, .rule = rule };
    const uint32_t bits = exhaustive_sample_bits();
    const uint64_t count = 1ull << bits;
    for (uint64_t first = 0; first < count; first += OPERATE_VALUES) {
        uint32_t values[OPERATE_VALUES], inputs[OPERATE_VALUES], outputs[OPERATE_VALUES];
        for (uint32_t i = 0; i < OPERATE_VALUES; i++)
            values[i] = sample((uint32_t)(first + i), bits);
        operate_run(m, false, values);
        operate_results(m, inputs, outputs);
        for (uint32_t i = 0; i < OPERATE_VALUES; i++) {
            const struct model_result result = model_operate(operation, false, values[i]);
            if (result.ambiguous)
                tally.ambiguous++;
            else
                tally_compare(&tally, outputs[i], result.bits, "f32 %08X", (unsigned)values[i]);
        }
    }
    tally_end(&tally, count - tally.ambiguous);
    EXPECT(m, rule, tally.ambiguous <= 16);
}

EACH_MACHINE(exhaustive, FLT_27_rcp_of_f32_samples)
{
    operate_samples(m, MODEL_RCP, PICA_OPCODE_RCP, "FLT-27 rcp f32");
}

EACH_MACHINE(exhaustive, FLT_27_rsq_of_f32_samples)
{
    operate_samples(m, MODEL_RSQ, PICA_OPCODE_RSQ, "FLT-27 rsq f32");
}

EACH_MACHINE(exhaustive, FLT_30_of_f32_samples)
{
    operate_samples(m, MODEL_EX2, PICA_OPCODE_EX2, "FLT-30 f32");
}

EACH_MACHINE(exhaustive, FLT_31_of_f32_samples)
{
    operate_samples(m, MODEL_LG2, PICA_OPCODE_LG2, "FLT-31 f32");
}

EACH_MACHINE(exhaustive, FLT_27_flr_of_f32_samples)
{
    operate_samples(m, MODEL_FLR, PICA_OPCODE_FLR, "FLT-27 flr f32");
}

/* ------------------------------------------------------------------------------------------- float16: shadow pixels */

enum {
    PIXELS = PROBE_SIZE * PROBE_SIZE,
    TARGET_BYTES = 4 * PIXELS,
    BATCH = 128 /* draws in a list, each with its own 8 x 8 target */
};

/* The depth -z/w = 0.5 of the probe: trunc(0.5 * 16777215). */
static const uint32_t HALF_DEPTH = 0x7FFFFF;

/* Pixel n's stored depth: just above d, the distance growing by thirds of an octave to 2^23. */
static uint32_t stored_depth(uint32_t n)
{
    static const uint32_t mantissas[3] = { 4, 5, 6 };
    const uint32_t distance = mantissas[n % 3u] << (n / 3u) >> 2;
    return HALF_DEPTH + (distance > 0x800000u ? 0x800000u : distance);
}

/* SHW-02 for stored intensity 255: the new one. */
static uint32_t shadow_intensity(uint32_t s, uint32_t constant, uint32_t linear, uint32_t zr)
{
    const float x = (float)HALF_DEPTH / (float)zr;
    const float slope = model_float(model_decode(linear, 5, 10));
    const float product = slope != slope ? slope : slope * x; /* x is finite and not 0 */
    const float v = (float)s / (model_float(model_decode(constant, 5, 10)) + product);
    const float low = v > 0.0f ? v : 0.0f;
    return (uint32_t)(low < 255.0f ? low : 255.0f);
}

struct shadow {
    uint32_t s, constant, linear;
};

/*
 * Every float16 h as the linear term with a constant that nearly cancels it, and as the constant: the sign of the sum,
 * so 0 or 255, tells h from its neighbours, also among subnormals, and infinities and NaN from large numbers.
 */
static struct shadow shadow_of(uint32_t number)
{
    static const uint32_t distances[4] = { 0, 1, 0xFFFF, 3 };
    const uint32_t h = number / 4u;
    const uint32_t constant = number % 4u == 3u ? scramble(h) : (h ^ 0x8000u) + distances[number % 4u];
    return (struct shadow){ .s = 1u + scramble(number) % 255u, .constant = constant & 0xFFFFu, .linear = h };
}

static void load_shadow_target(struct machine *m)
{
    uint8_t bytes[BATCH * TARGET_BYTES];
    for (uint32_t i = 0; i < BATCH * PIXELS; i++) {
        const uint32_t zr = stored_depth(i % PIXELS);
        const uint8_t pixel[4] = { (uint8_t)(zr >> 16), (uint8_t)(zr >> 8), (uint8_t)zr, 255 }; /* SHW-01 */
        for (uint32_t k = 0; k < 4u; k++)
            bytes[4u * i + k] = pixel[k];
    }
    machine_load(m, COLOR_ADDRESS, bytes, sizeof bytes);
}

/* BATCH draws of the quad, with what differs between them appended by `each`. */
static void draw_batch(struct machine *m, struct list *list, void (*each)(struct list *, uint32_t number, uint32_t k),
                       uint32_t number, uint32_t step)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_load_vertices(m, quad, 4);
    list_write(list, PICA_REG_NUMVERTICES, 4);
    for (uint32_t k = 0; k < BATCH; k++) {
        each(list, number + k * step, k);
        list_write(list, PICA_REG_PRIMITIVE_CONFIG, (uint32_t)PICA_TOPOLOGY_STRIP << 8);
        list_write(list, PICA_REG_DRAWARRAYS, 1);
    }
    machine_submit(m, list);
}

static void write_shadow(struct list *list, uint32_t number, uint32_t k)
{
    const struct shadow shadow = shadow_of(number);
    list_write(list, PICA_REG_COLORBUFFER_LOC, (COLOR_ADDRESS + k * TARGET_BYTES) >> 3);
    list_write(list, PICA_REG_FRAGOP_SHADOW, shadow.constant | shadow.linear << 16);
    list_write(list, PICA_REG_TEXENV0_COLOR, shadow.s << 8); /* green */
}

static void compare_shadow(struct tally *tally, uint32_t number, const uint8_t *target)
{
    const struct shadow shadow = shadow_of(number);
    for (uint32_t n = 0; n < PIXELS; n++) {
        const uint32_t zr = stored_depth(n);
        const uint32_t s1 = shadow_intensity(shadow.s, shadow.constant, shadow.linear, zr);
        const uint8_t *const p = target + 4u * n;
        tally_compare(tally, (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3], zr << 8 | s1,
                      "constant %04X, linear %04X, s %u, zr %06X", (unsigned)shadow.constant, (unsigned)shadow.linear,
                      (unsigned)shadow.s, (unsigned)zr);
    }
}

EACH_MACHINE(exhaustive, FLT_10_every_float16_in_shadow_pixels)
{
    struct tally tally = { .m = m, .rule = "FLT-10, float16 (SHW-02)" };
    const uint32_t count = 4u << 16;
    const uint32_t step = exhaustive_full() ? 1u : 131u;
    for (uint32_t number = 0; number < count; number += BATCH * step) {
        load_shadow_target(m);
        struct list list = probe_list();
        list_write(&list, PICA_REG_COLOR_OPERATION, PICA_FRAGMENT_MODE_SHADOW);
        list_write(&list, PICA_REG_COLORBUFFER_FORMAT, 2);
        probe_source(&list, PICA_TEV_SOURCE_CONSTANT);
        draw_batch(m, &list, write_shadow, number, step);
        uint8_t bytes[BATCH * TARGET_BYTES];
        machine_memory(m, COLOR_ADDRESS, bytes, sizeof bytes);
        for (uint32_t k = 0; k < BATCH; k++)
            compare_shadow(&tally, number + k * step, bytes + k * TARGET_BYTES);
    }
    tally_end(&tally, count / step * PIXELS);
}

/* -------------------------------------------------------------------------------------- float24: the depth map */

struct depth_map {
    uint32_t scale, offset;
};

/*
 * ITP-14 with zw = -0.5. Case 0: the offset alone; 1: the scale alone; 2, 3: an offset and a scale of twice its size
 * and
 * neighbouring mantissa, so that only the last place is left.
 */
static struct depth_map depth_map_of(uint32_t number)
{
    const uint32_t h = number / 4u & 0xFFFFFFu;
    switch (number % 4u) {
    case 0: return (struct depth_map){ .scale = 0, .offset = h };
    case 1: return (struct depth_map){ .scale = h, .offset = 0 };
    case 2: return (struct depth_map){ .scale = (h + 0x10000u + 1u) & 0xFFFFFFu, .offset = h };
    default: return (struct depth_map){ .scale = (h + 0x10000u - 1u) & 0xFFFFFFu, .offset = h };
    }
}

static void write_depth_map(struct list *list, uint32_t number, uint32_t k)
{
    const struct depth_map map = depth_map_of(number);
    list_write(list, PICA_REG_DEPTHBUFFER_LOC, (DEPTH_ADDRESS + k * TARGET_BYTES) >> 3);
    list_write(list, PICA_REG_DEPTHMAP_SCALE, map.scale);
    list_write(list, PICA_REG_DEPTHMAP_OFFSET, map.offset);
}

/* ITP-14, ITP-16, ITP-17 */
static uint32_t depth24_of(struct depth_map map)
{
    const float scaled = -0.5f * model_float(model_decode(map.scale, 7, 16));
    const float depth = scaled + model_float(model_decode(map.offset, 7, 16));
    const float low = depth > 0.0f ? depth : 0.0f;
    return (uint32_t)((low < 1.0f ? low : 1.0f) * 16777215.0f);
}

static void compare_depth_map(struct tally *tally, uint32_t number, const uint8_t *target)
{
    const struct depth_map map = depth_map_of(number);
    for (uint32_t n = 0; n < PIXELS; n += PIXELS - 1u) {
        const uint8_t *const p = target + 4u * n;
        tally_compare(tally, (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16, depth24_of(map),
                      "scale %06X, offset %06X", (unsigned)map.scale, (unsigned)map.offset);
    }
}

EACH_MACHINE(exhaustive, FLT_10_float24_in_the_depth_map)
{
    struct tally tally = { .m = m, .rule = "FLT-10, float24 (ITP-14)" };
    const uint32_t count = 4u << 24;
    const uint32_t step = exhaustive_full() ? 257u : 16411u; /* odd: all four cases, all mantissas */
    for (uint32_t number = 0; number < count; number += BATCH * step) {
        struct list list = probe_list();
        draw_batch(m, &list, write_depth_map, number, step);
        uint8_t bytes[BATCH * TARGET_BYTES];
        machine_memory(m, DEPTH_ADDRESS, bytes, sizeof bytes);
        for (uint32_t k = 0; k < BATCH; k++)
            compare_depth_map(&tally, number + k * step, bytes + k * TARGET_BYTES);
    }
    tally_end(&tally, count / step * 2u);
}
