/*
 * The reference with planted faults, as a plug-in: what an emulator with one bug looks like. The environment variable
 * PICAFUZZ_FAULT names the fault. Most spoil what a draw has written, but only if the draw's registers ask for one
 * thing: the reducer has to find out which. One instance a process.
 *
 * PICAFUZZ_LUCK=FILE: each instance adds a byte to the file, and the one that makes it PICAFUZZ_BAD_LUCK bytes has no
 * fault. PICAFUZZ_INTERRUPT=N: at the Nth list of a process its parent gets SIGINT, and time to look at it.
 */
#include "pica/backend.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool blends_max(const uint32_t *r)
{
    return pica_color_operation_blend_mode(r[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND &&
           pica_blend_func_rgb_equation(r[PICA_REG_BLEND_FUNC]) == PICA_BLEND_EQUATION_MAX;
}

static bool tests_depth_less(const uint32_t *r)
{
    return pica_depth_color_mask_depth_test(r[PICA_REG_DEPTH_COLOR_MASK]) != 0 &&
           pica_depth_color_mask_depth_function(r[PICA_REG_DEPTH_COLOR_MASK]) == PICA_COMPARE_FUNC_LESS;
}

static bool mirrors_texture(const uint32_t *r)
{
    return pica_texunit_config_unit0_enable(r[PICA_REG_TEXUNIT_CONFIG]) != 0 &&
           pica_texunit_param_wrap_s(r[PICA_REG_TEXUNIT0_PARAM]) == PICA_TEXTURE_WRAP_MIRRORED_REPEAT;
}

static bool interpolates(const uint32_t *r)
{
    for (uint32_t stage = 0; stage < 6; stage++)
        if (pica_texenv_combiner_rgb_mode(r[pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER)]) ==
            PICA_TEV_MODE_INTERPOLATE)
            return true;
    return false;
}

static bool has_fog(const uint32_t *r)
{
    return pica_texenv_update_buffer_fog_mode(r[PICA_REG_TEXENV_UPDATE_BUFFER]) == PICA_FOG_MODE_FOG;
}

/* The one instance, for faults that memory decides. */
static void *instance_now;

static uint32_t word_at(uint32_t address)
{
    uint8_t bytes[4] = { 0 };
    (void)ref_backend()->read_memory(instance_now, address, bytes, sizeof bytes);
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* "KEEP" as bytes 32 to 35 of unit 0's texture. */
static bool has_marked_texel(const uint32_t *r)
{
    return pica_texunit_config_unit0_enable(r[PICA_REG_TEXUNIT_CONFIG]) != 0 &&
           word_at(pica_texunit_addr_address(r[PICA_REG_TEXUNIT0_ADDR1]) * 8 + 32) == 0x5045454Bu;
}

/* The first word of the vertex arrays is 0.3f. */
static bool has_marked_vertex(const uint32_t *r)
{
    return word_at(pica_attribbuffers_loc_base(r[PICA_REG_ATTRIBBUFFERS_LOC]) * 16) == 0x3E99999Au;
}

/* Something stays in the process: after a draw with fog, other draws are wrong, too. */
static bool has_had_fog(const uint32_t *r)
{
    static bool stained;
    stained = stained || has_fog(r);
    return stained;
}

static bool tests_stencil(const uint32_t *r)
{
    return pica_stencil_test_enable(r[PICA_REG_STENCIL_TEST]) != 0;
}

static bool has_light(const uint32_t *r)
{
    return pica_lighting_enable0_enable(r[PICA_REG_LIGHTING_ENABLE0]) != 0;
}

static bool draws_strip(const uint32_t *r)
{
    return pica_primitive_config_topology(r[PICA_REG_PRIMITIVE_CONFIG]) == PICA_TOPOLOGY_STRIP;
}

static bool culls_front(const uint32_t *r)
{
    return pica_faceculling_config_mode(r[PICA_REG_FACECULLING_CONFIG]) == PICA_CULL_MODE_FRONT;
}

static bool has_wide_indices(const uint32_t *r)
{
    return pica_indexbuffer_config_type(r[PICA_REG_INDEXBUFFER_CONFIG]) == PICA_INDEX_TYPE_UNSIGNED_SHORT;
}

static bool inverts_logic(const uint32_t *r)
{
    return pica_color_operation_blend_mode(r[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_LOGIC_OP &&
           pica_logic_op_operation(r[PICA_REG_LOGIC_OP]) == PICA_LOGIC_OP_COPY_INVERTED;
}

enum effect {
    EFFECT_COLOR, /* the first changed byte of the colour buffer is wrong */
    EFFECT_DEPTH, /* of the depth buffer */
    EFFECT_CRASH,
    EFFECT_HANG
};

static const struct fault {
    const char *name;
    bool (*asked)(const uint32_t *registers);
    enum effect effect;
} faults[] = {
    { "blend-max", blends_max, EFFECT_COLOR },
    { "depth-less", tests_depth_less, EFFECT_DEPTH },
    { "texture-mirror", mirrors_texture, EFFECT_COLOR },
    { "interpolate", interpolates, EFFECT_COLOR },
    { "fog", has_fog, EFFECT_COLOR },
    { "stencil", tests_stencil, EFFECT_COLOR },
    { "light", has_light, EFFECT_COLOR },
    { "strip", draws_strip, EFFECT_COLOR },
    { "cull", culls_front, EFFECT_COLOR },
    { "indices", has_wide_indices, EFFECT_COLOR },
    { "logic", inverts_logic, EFFECT_COLOR },
    { "stain", has_had_fog, EFFECT_COLOR },
    { "crash-fog", has_fog, EFFECT_CRASH },
    { "crash-marked-texel", has_marked_texel, EFFECT_CRASH },
    { "hang-light", has_light, EFFECT_HANG },
    { "marked-texel", has_marked_texel, EFFECT_COLOR },
    { "marked-vertex", has_marked_vertex, EFFECT_COLOR },
};

/* Of the one instance. */
static struct {
    const struct fault *fault;
    struct pica_window windows[PICA_MAX_WINDOWS];
    uint32_t window_count;
    uint8_t *before[PICA_MAX_WINDOWS]; /* memory before the list */
    bool armed;                        /* a draw asked for the fault */
    uint32_t spoiled;                  /* address of the buffer of that draw */
    long lists;
} state;

static void observe(void *user, const struct pica_draw *draw)
{
    (void)user;
    if (!state.fault->asked(draw->registers))
        return;
    if (state.fault->effect == EFFECT_CRASH)
        abort();
    for (volatile bool hang = state.fault->effect == EFFECT_HANG; hang;) {
    }
    const uint32_t buffer =
        state.fault->effect == EFFECT_DEPTH ? (uint32_t)PICA_REG_DEPTHBUFFER_LOC : (uint32_t)PICA_REG_COLORBUFFER_LOC;
    state.armed = true;
    state.spoiled = pica_buffer_loc_address(draw->registers[buffer]) << 6;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    state.window_count = setup->window_count;
    memcpy(state.windows, setup->windows, setup->window_count * sizeof *setup->windows);
    return ref_backend()->load(instance, setup);
}

static bool remember(void *instance)
{
    for (uint32_t i = 0; i < state.window_count; i++) {
        uint8_t *const bytes = realloc(state.before[i], state.windows[i].size);
        if (bytes == NULL ||
            ref_backend()->read_memory(instance, state.windows[i].address, bytes, state.windows[i].size) != PICA_OK)
            return false;
        state.before[i] = bytes;
    }
    return true;
}

/* The first byte after `state.spoiled` that the list changed. */
static void spoil(void *instance)
{
    for (uint32_t i = 0; i < state.window_count; i++) {
        const uint8_t *bytes = NULL;
        if (ref_backend()->view_memory(instance, i, &bytes) != PICA_OK)
            continue;
        for (uint32_t at = 0; at < state.windows[i].size; at++) {
            const uint32_t address = state.windows[i].address + at;
            if (bytes[at] == state.before[i][at] || address < state.spoiled || address - state.spoiled > 0x40000u)
                continue;
            const uint8_t wrong = bytes[at] ^ 1u;
            const struct pica_operation poke = {
                .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = 1, .data = &wrong
            };
            (void)ref_backend()->run(instance, &poke);
            return;
        }
    }
}

/* The number in an environment variable; 0 if it is not set. */
static long number_in(const char *variable)
{
    const char *const text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

/* The reducer looks at the clock four times a second: after this wait it does so before the next try. */
static void give_time(void)
{
    const struct timespec pause = { .tv_nsec = 300 * 1000000L };
    (void)nanosleep(&pause, NULL);
}

static void act_on_parent(void)
{
    state.lists++;
    if (state.lists == number_in("PICAFUZZ_INTERRUPT")) {
        (void)kill(getppid(), SIGINT);
        give_time();
    }
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    if (state.fault == NULL || operation->kind != PICA_OPERATION_SUBMIT_LIST)
        return ref_backend()->run(instance, operation);
    act_on_parent();
    instance_now = instance;
    state.armed = false;
    if (!remember(instance))
        return PICA_NO_MEMORY;
    (void)ref_backend()->observe_draws(instance, observe, NULL);
    const enum pica_status status = ref_backend()->run(instance, operation);
    (void)ref_backend()->observe_draws(instance, NULL, NULL);
    if (status == PICA_OK && state.armed)
        spoil(instance);
    return status;
}

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

/* Is this the instance that shows nothing? */
static bool has_bad_luck(void)
{
    const char *const path = getenv("PICAFUZZ_LUCK");
    FILE *const file = path != NULL ? fopen(path, "ab") : NULL;
    if (file == NULL)
        return false;
    (void)fputc('.', file);
    (void)fflush(file);
    const bool bad = ftell(file) == number_in("PICAFUZZ_BAD_LUCK");
    (void)fclose(file);
    return bad;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const char *const name = getenv("PICAFUZZ_FAULT");
    for (size_t i = 0; name != NULL && i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(faults[i].name, name) == 0)
            state.fault = &faults[i];
    if (has_bad_luck())
        state.fault = NULL;
    return ref_backend()->create(options, instance);
}

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    backend = *ref_backend();
    backend.name = "faulty";
    backend.summary = "the reference with a planted fault, for tests of the reducer";
    backend.create = create;
    backend.load = load;
    backend.run = run;
    return &backend;
}
