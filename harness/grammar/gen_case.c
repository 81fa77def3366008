/* The whole case: features, plan, draws, and the damage done on purpose. */
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/mutate_parts.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- features */

/* The name of each feature, and its weight: it appears in `density * weight / 100` percent of the cases of a density.
 * Those that change the whole case are rare. */
static const struct {
    const char *name;
    uint32_t weight;
} features[GEN_FEATURES] = {
    [GEN_TEXTURES] = { "textures", 100 },
    [GEN_PROCTEX] = { "proctex", 50 },
    [GEN_LIGHTING] = { "lighting", 60 },
    [GEN_FOG] = { "fog", 60 },
    [GEN_COMBINER] = { "combiner", 100 },
    [GEN_GEOMETRY] = { "geometry", 40 },
    [GEN_IMMEDIATE] = { "immediate", 40 },
    [GEN_ELEMENTS] = { "elements", 100 },
    [GEN_FIXED] = { "fixed", 60 },
    [GEN_EXTRA_ATTRIBUTES] = { "attributes", 80 },
    [GEN_FLOW] = { "flow", 90 },
    [GEN_ALU] = { "arithmetic", 150 },
    [GEN_BLEND] = { "blend", 100 },
    [GEN_LOGIC] = { "logic", 50 },
    [GEN_STENCIL] = { "stencil", 80 },
    [GEN_DEPTH] = { "depth", 100 },
    [GEN_ALPHA_TEST] = { "alpha-test", 60 },
    [GEN_SCISSOR] = { "scissor", 60 },
    [GEN_CLIP_PLANE] = { "clip-plane", 50 },
    [GEN_CULL] = { "cull", 60 },
    [GEN_PERSPECTIVE] = { "perspective", 100 },
    [GEN_OVERFLOW] = { "overflow", 60 },
    [GEN_SHADOW_MODE] = { "shadow", 25 },
    [GEN_MASKS] = { "masks", 60 },
    [GEN_ENGINES] = { "engines", 60 },
    [GEN_JUMPS] = { "jumps", 40 },
    [GEN_CPU_WRITES] = { "cpu-writes", 40 },
    [GEN_INITIAL_STATE] = { "state", 20 },
    [GEN_UNUSED_REGISTERS] = { "unused", 30 },
    [GEN_INTERRUPTS] = { "interrupts", 20 },
    [GEN_REUSE] = { "reuse", 60 },
    [GEN_DELTA] = { "delta", 70 },
    [GEN_CAPACITY] = { "capacity", 12 },
};

const char *harness_generate_area_name(uint32_t index)
{
    return index < GEN_FEATURES ? features[index].name : NULL;
}

uint64_t harness_generate_area(const char *name)
{
    for (uint32_t f = 0; f < GEN_FEATURES; f++)
        if (strcmp(features[f].name, name) == 0)
            return (uint64_t)1 << f;
    return 0;
}

/* Draws features from `areas`, most of them; if that is 0, from all, as many as the case's density says. */
static void draw_features(struct gen *gen, uint64_t areas)
{
    static const uint32_t densities[] = { 20, 35, 50, 70 };
    const uint32_t density = densities[gen_below(gen, 4)];
    for (uint32_t f = 0; f < GEN_FEATURES; f++) {
        const uint32_t percent = areas == 0 ? density * features[f].weight / 100u : (areas >> f & 1u) != 0 ? 80u : 0u;
        if (gen_percent(gen, percent))
            gen->features |= (uint64_t)1 << f;
    }
    if (areas != 0 && gen->features == 0)
        gen->features = areas;
    gen_capacity_begin(gen);
    gen->cpu_percent = gen_has(gen, GEN_CPU_WRITES) ? gen_between(gen, 10, 60) : 0;
}

/* ------------------------------------------------------------------------------------------- registers without use */

/* Does a write to it record no event (REG-06, RST-07, PTX-19, REG-43)? */
static bool is_quiet_storage(uint32_t id)
{
    static const uint16_t loud[][2] = { { 0x058, 0x058 }, { 0x060, 0x060 }, { 0x070, 0x07F }, { 0x0AE, 0x0AE },
                                        { 0x0FE, 0x0FF }, { 0x127, 0x12F }, { 0x1E0, 0x1FF }, { 0x240, 0x241 },
                                        { 0x246, 0x249 }, { 0x24B, 0x24F }, { 0x258, 0x25D }, { 0x260, 0x27F },
                                        { 0x2B0, 0x2DF } };
    for (size_t i = 0; i < sizeof loud / sizeof loud[0]; i++)
        if (id >= loud[i][0] && id <= loud[i][1])
            return false;
    return true;
}

static void write_unused(struct gen *gen)
{
    for (uint32_t i = gen_between(gen, 1, 6); i > 0; i--) {
        const uint32_t id = harness_register_of(&gen->random, PICA_REG_CLASS_STORAGE);
        if (is_quiet_storage(id) || gen_wild(gen, 50))
            gen_write(gen, id, harness_random_number(&gen->random, 32));
    }
    if (gen_percent(gen, 50))
        gen_set_drawn(gen, PICA_REG_EARLYDEPTH_FUNC, PICA_REG_EARLYDEPTH_FUNC);
}

static void write_number(struct gen *gen, uint32_t id)
{
    gen_write(gen, id, harness_random_number(&gen->random, 32));
}

/* Any field of the tables. Each layout is equally likely, so that the many registers of the lights do not crowd out the
 * single one of the colour buffer. Mostly an enumeration, for the encodings that nothing else draws. */
static const struct pica_field_info *any_field(struct gen *gen)
{
    const bool enumeration = gen_percent(gen, 70);
    const struct pica_field_info *field = NULL;
    for (int tries = 0; tries < 64; tries++) {
        size_t count;
        const enum pica_layout layout = (enum pica_layout)gen_below(gen, PICA_LAYOUT_TOTAL);
        const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
        if (count == 0)
            continue;
        field = &fields[gen_below(gen, (uint32_t)count)];
        if (!enumeration || field->type == PICA_FIELD_ENUM)
            break;
    }
    return field;
}

/* Gives any field that draws look at any value, reserved encodings too. So a register or field that is new in the
 * tables is reached even if no other generator knows of it. */
static void set_exotic(struct gen *gen)
{
    const struct pica_field_info *const field = any_field(gen);
    const uint32_t start = gen_below(gen, PICA_REG_TOTAL);
    for (uint32_t i = 0; i < PICA_REG_TOTAL && field != NULL; i++) {
        const struct pica_reg_info *const info = pica_reg_info((start + i) % PICA_REG_TOTAL);
        if (info->layout != field->layout || info->reg_class != PICA_REG_CLASS_CONFIG ||
            info->id == PICA_REG_NUMVERTICES) /* thousands of vertices take long and show little more than ten do */
            continue;
        const uint32_t value = field->type == PICA_FIELD_ENUM ? gen_below(gen, 1u << field->width)
                                                              : harness_field_draw(&gen->random, field, false);
        gen_set(gen, info->id, pica_field_set(field, gen->want[info->id], value));
        return;
    }
}

/* REG-10, REG-13: an interrupt by another request word than 0, mostly without ending the list. The CPU sets the value
 * to compare with, and the mask, before the list. */
static void raise_other_word(struct gen *gen)
{
    const uint32_t word = gen_between(gen, 1, 15);
    const uint32_t value = gen_below(gen, UINT32_MAX);
    const uint32_t lines = ~(0xFu << 4u * (word % 8u));
    const uint32_t base = PICA_INTERNAL_ADDRESS;
    (void)harness_case_add_write(gen->out, base + 4u * (PICA_REG_IRQ_COMPARE0 + word), value);
    (void)harness_case_add_write(gen->out, base + 4u * (PICA_REG_IRQ_MASK_LOW + word / 8u),
                                 word < 8 ? lines & ~0xFu : lines);
    (void)harness_case_add_write(gen->out, base + 4u * PICA_REG_IRQ_AUTOSTOP, gen_percent(gen, 20) ? 1 : 0);
    gen_write(gen, PICA_REG_FINALIZE + word, value);
}

/* REG-12: with the reset values only request 0 can interrupt. */
static void write_requests(struct gen *gen)
{
    if (gen_wild(gen, 50))
        raise_other_word(gen);
    for (uint32_t i = gen_between(gen, 1, 3); i > 0; i--)
        write_number(gen, PICA_REG_IRQ_REQUEST1 + gen_below(gen, 15));
    if (gen_wild(gen, 30))
        write_number(gen, gen_below(gen, 0x40));
}

/* REG-42: triggers without effect. */
static void write_flushes(struct gen *gen)
{
    static const uint32_t ids[] = { PICA_REG_FRAMEBUFFER_INVALIDATE, PICA_REG_FRAMEBUFFER_FLUSH, PICA_REG_VTX_FUNC,
                                    PICA_REG_EARLYDEPTH_CLEAR };
    for (uint32_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (gen_percent(gen, 30) && (gen->drew || !gen->exportable)) /* a flush without a draw may hang */
            gen_write(gen, ids[i], 1);
}

/* ------------------------------------------------------------------------------------------------------------ draw */

/* Areas that depend on each other are drawn again together. */
static void describe_fragments(struct gen *gen, bool first)
{
    if (first || gen_percent(gen, 40)) {
        gen_textures(gen);
        gen_lighting(gen);
        gen_combiner(gen);
    }
    if (first || gen_percent(gen, 40))
        gen_fog(gen);
    if (first || gen_percent(gen, 60))
        gen_fragment(gen);
    if (first || gen_percent(gen, 40))
        gen_raster(gen);
}

/* REG-44: the other fields have no effect. */
uint32_t gen_geostage(struct gen *gen, enum pica_geostage_mode mode, bool variable)
{
    const uint32_t word = harness_layout_draw(&gen->random, PICA_LAYOUT_GEOSTAGE_CONFIG, true);
    const uint32_t chosen = gen_wild(gen, 6) ? gen_below(gen, 4) : (uint32_t)mode;
    return pica_geostage_config_set_variable(pica_geostage_config_set_mode(word, chosen), variable ? 1 : 0);
}

bool gen_units_alike(const struct gen *gen)
{
    return gen->defined || gen->shared_random >> 29 != 0;
}

static uint32_t draw_com_mode(struct gen *gen)
{
    const uint32_t apart = gen_below(gen, 2);
    return gen_units_alike(gen) ? 0 : apart;
}

/* REG-43: shader configuration needs configuration mode. */
static void describe_vertices(struct gen *gen)
{
    gen_vertices(gen);
    gen_cull(gen);
    if (gen->known[PICA_REG_START_DRAW_FUNC0] != PICA_START_DRAW_MODE_CONFIGURE && !gen_wild(gen, 5))
        gen_write(gen, PICA_REG_START_DRAW_FUNC0, PICA_START_DRAW_MODE_CONFIGURE);
    gen_set(gen, PICA_REG_VSH_COM_MODE, gen->draw.geometry ? 1 : draw_com_mode(gen));
    gen_vertex_program(gen);
    if (gen->draw.geometry)
        gen_geometry_program(gen);
    else
        gen_set(gen, PICA_REG_GEOSTAGE_CONFIG, gen_geostage(gen, PICA_GEOSTAGE_MODE_OFF, false));
    if (!gen->draw.immediate)
        gen_vertex_buffers(gen);
}

static void restart(struct gen *gen, bool first)
{
    uint32_t word = pica_primitive_config_set_topology(0, gen->draw.topology);
    word = pica_primitive_config_set_outputs_minus_1(word, gen->draw.output_count - 1u);
    if (first || gen_percent(gen, 70))
        gen_write(gen, PICA_REG_PRIMITIVE_CONFIG, word);
    if (gen_percent(gen, 30))
        gen_write(gen, PICA_REG_RESTART_PRIMITIVE, 1);
}

static void trigger_by_cpu(struct gen *gen, uint32_t id)
{
    gen_submit(gen);
    (void)harness_case_add_write(gen->out, PICA_INTERNAL_ADDRESS + 4u * id, 1);
}

static void trigger(struct gen *gen)
{
    const uint32_t id = gen->draw.elements ? PICA_REG_DRAWELEMENTS : PICA_REG_DRAWARRAYS;
    if (gen->known[PICA_REG_START_DRAW_FUNC0] != PICA_START_DRAW_MODE_DRAW && !gen_wild(gen, 5))
        gen_write(gen, PICA_REG_START_DRAW_FUNC0, PICA_START_DRAW_MODE_DRAW);
    gen_commit(gen);
    const bool marked = gen_percent(gen, 50); /* REG-44 */
    if (marked)
        gen_write(gen, PICA_REG_GEOSTAGE_CONFIG2, pica_geostage_config2_set_drawing(0, 1));
    gen->drew = true;
    if (gen->draw.immediate)
        gen_immediate(gen);
    else if (!marked && gen_has(gen, GEN_CPU_WRITES) && gen_percent(gen, 30))
        trigger_by_cpu(gen, id);
    else
        gen_write(gen, id, 1u + gen_below(gen, 3));
    if (marked)
        gen_write(gen, PICA_REG_GEOSTAGE_CONFIG2, 0);
}

/* RST-08: a defined case stays below LIM_PIXELS in every submission. */
static void make_room(struct gen *gen)
{
    if (gen->pixels + gen->draw_pixels > gen->out->limits.pixels)
        gen_submit(gen);
    gen->pixels += gen->draw_pixels;
    if (gen->pixels > gen->most_pixels)
        gen->most_pixels = gen->pixels;
}

static void add_draw(struct gen *gen, bool first)
{
    if (first)
        gen->draw.roles = 1u << GEN_POSITION | (gen_percent(gen, 92) ? 1u << GEN_COLOR : 0);
    describe_fragments(gen, first);
    const bool anew = first || gen_percent(gen, 50);
    if (anew)
        describe_vertices(gen);
    if (gen_has(gen, GEN_UNUSED_REGISTERS))
        write_unused(gen);
    if (gen_has(gen, GEN_INTERRUPTS) && gen_percent(gen, 50))
        write_requests(gen);
    make_room(gen);
    if (gen_has(gen, GEN_CPU_WRITES) && gen_percent(gen, 40)) {
        gen_submit(gen); /* so that the CPU may write the pending words */
        gen->pixels = gen->draw_pixels;
    }
    for (uint32_t i = gen_wild(gen, 25) ? gen_between(gen, 1, 3) : 0; i > 0; i--)
        set_exotic(gen);
    restart(gen, anew);
    trigger(gen);
    write_flushes(gen);
}

/* In a campaign all operations of a case share its budgets (harness_bound_case), so each further one leaves less for
 * the others. Pixels are overestimated. */
bool gen_may_go_on(const struct gen *gen)
{
    enum {
        MORE = 5, /* operations that may follow */
        ALL_PIXELS = 0x8000,
        ALL_COMMANDS = 0x800
    };
    uint32_t count = MORE;
    for (uint32_t i = 0; i < gen->out->operation_count; i++)
        count += gen->out->operations[i].kind != HARNESS_LOAD ? 1 : 0;
    const uint32_t commands = gen->list.count > gen->most_commands ? gen->list.count : gen->most_commands;
    return count * gen->most_pixels <= (gen->defined ? ALL_PIXELS / 3u : ALL_PIXELS) &&
           count * commands <= ALL_COMMANDS;
}

void gen_draw_again(struct gen *gen)
{
    make_room(gen);
    restart(gen, false);
    trigger(gen);
}

/* The last draw once more, without the tests and blending that may have hidden it. */
static void show(struct gen *gen)
{
    gen_plain_fragment(gen);
    gen_draw_again(gen);
}

/* A defined case gets a third and a fourth draw only if the budgets of a campaign leave room for them. */
static void add_draws(struct gen *gen)
{
    static const uint32_t weights[] = { 25, 37, 24, 14 };
    const uint32_t draws = 1u + harness_random_weighted(&gen->random, weights, gen_has(gen, GEN_CAPACITY) ? 2 : 4);
    for (uint32_t i = 0; i < draws && (i < 2 || !gen->defined || gen_may_go_on(gen)); i++) {
        if (i > 0 && gen_percent(gen, 25)) {
            gen_submit(gen);
            if (gen_has(gen, GEN_ENGINES))
                gen_engine_operations(gen, gen_between(gen, 1, 2));
        }
        add_draw(gen, i == 0);
        gen_capacity_textures(gen);
        if (gen_has(gen, GEN_REUSE) && gen_percent(gen, 60))
            gen_reuse(gen);
        if (gen_has(gen, GEN_DELTA) && gen_percent(gen, 60))
            gen_delta(gen);
    }
    if (gen_percent(gen, 50))
        show(gen);
    gen_submit(gen);
}

/* ------------------------------------------------------------------------------------------------------------ case */

/* A case for a console leaves LCDs and interrupts alone and has no address outside VRAM. */
static void spare_the_console(struct gen *gen)
{
    gen->features &= ~((uint64_t)1 << GEN_CPU_WRITES | (uint64_t)1 << GEN_INTERRUPTS);
    gen->cpu_percent = 0;
    for (uint32_t i = 0; i < GEN_REGIONS; i++)
        gen->regions[i].address = PICA_VRAM_ADDRESS + i * (PICA_VRAM_SIZE / 2);
}

static void build(struct gen *gen, uint64_t areas)
{
    draw_features(gen, areas);
    if (gen->exportable)
        spare_the_console(gen);
    if (gen_has(gen, GEN_INITIAL_STATE))
        gen_initial_state(gen);
    gen_target(gen);
    if (gen_has(gen, GEN_ENGINES) && gen_percent(gen, 50))
        gen_engine_operations(gen, gen_between(gen, 1, 2));
    add_draws(gen);
    if (gen_has(gen, GEN_ENGINES))
        gen_engine_operations(gen, gen_between(gen, 1, 3));
    gen_windows(gen);
}

static const char *const mode_names[] = {
    [HARNESS_GENERATE_MIXED] = "mixed",
    [HARNESS_GENERATE_DEFINED] = "defined",
    [HARNESS_GENERATE_ANYTHING] = "anything",
    [HARNESS_GENERATE_RAW] = "raw",
};

const char *harness_generate_mode_name(enum harness_generate_mode mode)
{
    return mode_names[mode];
}

enum plan {
    PLAN_DEFINED,
    PLAN_LOOSE,
    PLAN_BROKEN,
    PLAN_RAW
};

static enum plan draw_plan(struct harness_random *random, const struct harness_generate_options *options)
{
    const uint32_t broken = options->breakage == 0 ? 40 : options->breakage > 100 ? 100 : options->breakage;
    if (options->mode == HARNESS_GENERATE_DEFINED || options->exportable)
        return PLAN_DEFINED;
    if (options->mode == HARNESS_GENERATE_RAW)
        return PLAN_RAW;
    if (options->mode == HARNESS_GENERATE_ANYTHING)
        return options->areas == 0 && harness_random_percent(random, 30) ? PLAN_RAW : PLAN_BROKEN;
    if (options->areas == 0 && harness_random_percent(random, 5))
        return PLAN_RAW;
    if (harness_random_percent(random, broken))
        return PLAN_BROKEN;
    return harness_random_percent(random, 50) ? PLAN_DEFINED : PLAN_LOOSE;
}

static struct pica_limits draw_limits(struct gen *gen, enum plan plan)
{
    struct pica_limits limits = harness_limits_fuzzing();
    if (!gen->exportable)
        limits.pixels = 0x8000; /* measured: a quarter of the pixels makes a campaign four times as fast */
    if (plan == PLAN_BROKEN || plan == PLAN_RAW) {
        limits.vertices = 0x40; /* garbage counts and programs without an end would make such cases slow */
        limits.instructions = 0x100;
    }
    if (plan == PLAN_RAW)
        limits.pixels = 0x1000;
    if (plan != PLAN_BROKEN || !gen_percent(gen, 10))
        return limits;
    uint32_t *const all[] = { &limits.commands, &limits.vertices, &limits.instructions, &limits.emits, &limits.pixels };
    const uint32_t index = gen_below(gen, 5);
    *all[index] = gen_between(gen, 1, index == 3 ? 3 : 64);
    return limits;
}

uint64_t harness_generate(struct harness_case *out, uint64_t seed, const struct harness_generate_options *options)
{
    static const struct harness_generate_options standard = { .mode = HARNESS_GENERATE_MIXED };
    const struct harness_generate_options *const chosen = options == NULL ? &standard : options;
    struct harness_random random;
    struct gen gen;
    harness_random_init(&random, seed);
    const enum plan plan = draw_plan(&random, chosen);
    harness_case_reset(out);
    gen_begin(&gen, out, harness_random_next(&random), plan == PLAN_DEFINED);
    gen.exportable = chosen->exportable;
    gen.odd = 100u - (chosen->plain == 0 ? HARNESS_GENERATE_PLAIN : chosen->plain < 100 ? chosen->plain : 100);
    out->limits = draw_limits(&gen, plan);
    out->profile = gen_percent(&gen, 25) ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
    if (plan == PLAN_RAW)
        gen_raw(&gen);
    else
        build(&gen, chosen->areas);
    if (plan == PLAN_BROKEN)
        harness_case_mutate(out, &gen.random, gen_between(&gen, 1, 6), NULL);
    return gen.features;
}

/* ---------------------------------------------------------------------------------------------------------- blocks */

void gen_block(struct gen *gen)
{
    gen->features = harness_random_next(&gen->random);
    gen->target.width = gen->target.height = 16;
    switch (gen_below(gen, 9)) {
    case 0: gen_combiner(gen); break;
    case 1: gen_fog(gen); break;
    case 2: gen_fragment(gen); break;
    case 3: gen_raster(gen); break;
    case 4: gen_lighting(gen); break;
    case 5: gen_proctex(gen); break;
    case 6: gen_texture_parameters(gen, gen_below(gen, 3)); break;
    case 7: gen_plain_fragment(gen); break;
    default:
        gen->draw.roles = 1u << GEN_POSITION | gen_below(gen, 1u << GEN_ROLES);
        gen_vertices(gen);
        gen_vertex_program(gen);
        break;
    }
    gen_commit(gen);
}
