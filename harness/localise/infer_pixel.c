/*
 * Experiments on one pixel, in the order of the pipeline: what the teller has there after a stage is made a constant,
 * and the stages up to it are switched off. The stages behind get the values that they had, so the teller's pixel must
 * stay as it is (else the experiment says nothing); if the other side's pixel now is the same, what it does otherwise
 * is in what was switched off.
 */
#include "harness/localise/infer.h"

#include "pica/fields.h"

#include <stdio.h>
#include <string.h>

static void take_source(struct pixel_values *values, uint32_t source)
{
    values->has_sources |= 1u << source;
}

static void take_color(const struct pica_trace_step *step, uint32_t color[4], bool *has)
{
    memcpy(color, step->values, 4 * sizeof color[0]);
    *has = true;
}

/* Nothing is known of it yet; what the one before left becomes a layer. */
static void begin_triangle(struct pixel_values *values)
{
    struct pixel_values fresh = { .covered = true, .layer_count = values->layer_count };
    memcpy(fresh.layers, values->layers, sizeof fresh.layers);
    if (values->has_stored && fresh.layer_count < MOST_LAYERS)
        fresh.layers[fresh.layer_count++] = values->stored;
    *values = fresh;
}

static void take_step(struct pixel_values *values, const struct pica_trace_step *step)
{
    if (harness_localise_is_step(step, PICA_TRACE_ID_WEIGHTS)) {
        begin_triangle(values);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_PRIMARY_COLOR)) {
        take_source(values, PICA_TEV_SOURCE_PRIMARY_COLOR);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_LIGHT_PRIMARY)) {
        take_source(values, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_LIGHT_SECONDARY)) {
        take_source(values, PICA_TEV_SOURCE_FRAGMENT_SECONDARY);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_TEXTURE_COLOR) && step->index < 3) {
        take_source(values, PICA_TEV_SOURCE_TEXTURE0 + step->index);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_PROCTEX_COLOR)) {
        take_source(values, PICA_TEV_SOURCE_TEXTURE3);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_DEPTH_VALUE)) {
        values->depth = step->values[0];
        values->has_depth = true;
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_COMBINER_RESULT)) {
        take_color(step, values->color, &values->has_color);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_FOG_COLOR)) {
        take_color(step, values->fog, &values->has_fog);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_BLEND_RESULT) ||
               harness_localise_is_step(step, PICA_TRACE_ID_LOGIC_OP_RESULT)) {
        take_color(step, values->result, &values->has_result);
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_COLOR_WRITE)) {
        values->stored = step->values[0];
        values->has_stored = true;
    } else if (harness_localise_is_step(step, PICA_TRACE_ID_SHADOW_WRITE) ||
               harness_localise_is_step(step, PICA_TRACE_ID_GAS_WRITE)) {
        values->alone = pica_trace_info_by_name(step->stage, step->name)->stage;
    }
}

/* Keeps what people want to see: everything from the interpolated values on but single texels. */
static void keep_value(struct harness_location *out, const struct pica_trace_step *step)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    if (info == NULL || info->word < PICA_STAGE_WORD_INTERPOLATION ||
        harness_localise_is_step(step, PICA_TRACE_ID_TEXTURE_TEXEL) || out->value_count == HARNESS_LOCATION_VALUES)
        return;
    struct pica_trace_step *const kept = &out->values[out->value_count++];
    *kept = *step;
    kept->stage = info->stage; /* not the backend's own string */
    kept->name = info->name;
}

struct pixel_sink {
    struct pixel_values values;
    struct pixel_values written; /* of the last triangle that writes the pixel */
    enum pica_trace_id write;    /* the step that says so */
    struct harness_location *out;
};

static void take_pixel(void *user, const struct pica_trace_step *step)
{
    struct pixel_sink *const sink = user;
    if (step->stage == NULL || step->name == NULL)
        return;
    if (harness_localise_is_step(step, PICA_TRACE_ID_WEIGHTS))
        sink->out->value_count = 0;
    keep_value(sink->out, step);
    take_step(&sink->values, step);
    if (harness_localise_is_step(step, sink->write))
        sink->written = sink->values;
}

static bool is_depth(const struct oracle_surface *surface)
{
    return surface->format >= ORACLE_FORMAT_DEPTH16;
}

/* The last of the draws that covers the pixel is the one to look at, and of its triangles the last that writes it. */
static bool trace_pixel(struct inference *inference, uint32_t first_draw, uint32_t end_draw, struct pixel_values *out)
{
    const struct experiment *const experiment = inference->experiment;
    struct pixel_sink sink = { .out = inference->out,
                               .write = is_depth(&experiment->surface) ? PICA_TRACE_ID_DEPTH_WRITE
                                                                       : PICA_TRACE_ID_COLOR_WRITE };
    inference->out->teller = harness_runner_backend(experiment->search->runners[experiment->teller])->name;
    for (uint32_t draw = end_draw; draw-- > first_draw && !sink.values.covered;) {
        if (!infer_trace(inference, draw, PICA_TRACE_PIXEL, take_pixel, &sink))
            return false;
        inference->out->draw = sink.values.covered ? draw : inference->out->draw;
    }
    *out = sink.written.covered ? sink.written : sink.values;
    return true;
}

/* ------------------------------------------------------------------------------------- changes of the combiners */

static uint32_t rgba8(const uint32_t color[4])
{
    return color[0] | color[1] << 8 | color[2] << 16 | color[3] << 24;
}

/* The last stage gives a constant. */
static void set_color(uint32_t *registers, const uint32_t color[4])
{
    const uint32_t constant = PICA_TEV_SOURCE_CONSTANT;
    uint32_t word = pica_texenv_source_set_rgb_source0(0, constant);
    registers[PICA_REG_TEXENV5_SOURCE] = pica_texenv_source_set_alpha_source0(word, constant);
    registers[PICA_REG_TEXENV5_OPERAND] = 0;
    registers[PICA_REG_TEXENV5_COMBINER] = 0;
    registers[PICA_REG_TEXENV5_SCALE] = 0;
    registers[PICA_REG_TEXENV5_COLOR] = rgba8(color);
}

/* Everything is drawn, as the last stage of the combiners gives it: RGBA8, into the picture. */
static void draw_plainly(struct experiment *experiment)
{
    uint32_t *const registers = experiment->state.registers;
    uint32_t *const mode = &registers[PICA_REG_TEXENV_UPDATE_BUFFER];
    *mode = pica_texenv_update_buffer_set_fog_mode(*mode, PICA_FOG_MODE_OFF);
    registers[PICA_REG_FRAGOP_ALPHA_TEST] = registers[PICA_REG_STENCIL_TEST] = 0;
    registers[PICA_REG_COLOR_OPERATION] = pica_color_operation_set_blend_mode(0, PICA_BLEND_MODE_LOGIC_OP);
    registers[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    uint32_t word = pica_depth_color_mask_set_red_write(0, 1);
    word = pica_depth_color_mask_set_green_write(word, 1);
    word = pica_depth_color_mask_set_blue_write(word, 1);
    registers[PICA_REG_DEPTH_COLOR_MASK] = pica_depth_color_mask_set_alpha_write(word, 1);
    registers[PICA_REG_COLORBUFFER_WRITE] = 0xF;
    registers[PICA_REG_COLORBUFFER_FORMAT] =
        pica_colorbuffer_format_set_pixel_size(PICA_COLOR_FORMAT_RGBA8, PICA_PIXEL_SIZE_32);
    registers[PICA_REG_COLORBUFFER_LOC] = pica_buffer_loc_set_address(0, experiment_picture_address(experiment) / 64u);
}

/* The last stage gives a source. */
static void set_source(uint32_t *registers, enum pica_tev_source source)
{
    static const uint32_t none[4] = { 0 };
    set_color(registers, none);
    const uint32_t word = pica_texenv_source_set_rgb_source0(0, source);
    registers[PICA_REG_TEXENV5_SOURCE] = pica_texenv_source_set_alpha_source0(word, source);
}

/* What the combiners read, in the order of the pipeline. */
static const struct {
    enum pica_tev_source source;
    enum pica_stage_word stage;
    const char *shown;
} sources[] = {
    { PICA_TEV_SOURCE_PRIMARY_COLOR, PICA_STAGE_WORD_INTERPOLATION, "the primary colour" },
    { PICA_TEV_SOURCE_TEXTURE0, PICA_STAGE_WORD_TEXTURE, "texture 0" },
    { PICA_TEV_SOURCE_TEXTURE1, PICA_STAGE_WORD_TEXTURE, "texture 1" },
    { PICA_TEV_SOURCE_TEXTURE2, PICA_STAGE_WORD_TEXTURE, "texture 2" },
    { PICA_TEV_SOURCE_TEXTURE3, PICA_STAGE_WORD_PROCTEX, "the procedural texture" },
    { PICA_TEV_SOURCE_FRAGMENT_PRIMARY, PICA_STAGE_WORD_LIGHTING, "the primary colour of the lighting" },
    { PICA_TEV_SOURCE_FRAGMENT_SECONDARY, PICA_STAGE_WORD_LIGHTING, "the secondary colour of the lighting" },
};

/* Does a source make another picture, if nothing else is drawn? */
static bool is_shown_otherwise(struct inference *inference, enum pica_tev_source source)
{
    struct experiment *const experiment = inference->experiment;
    infer_restore(inference);
    draw_plainly(experiment);
    set_source(experiment->state.registers, source);
    inference->ran++;
    return experiment_picture(experiment) == PICTURE_OTHER;
}

/* A source is wrong. If so are the values that it is made from when they are drawn as colours, they are what is
 * wrong. */
static bool is_interpolated_wrongly(struct inference *inference, enum pica_stage_word stage)
{
    static const uint32_t slots[][4] = {
        { PICA_OUTMAP_SEMANTIC_TEXCOORD0_U, PICA_OUTMAP_SEMANTIC_TEXCOORD0_V, PICA_OUTMAP_SEMANTIC_TEXCOORD1_U,
          PICA_OUTMAP_SEMANTIC_TEXCOORD1_V },
        { PICA_OUTMAP_SEMANTIC_TEXCOORD2_U, PICA_OUTMAP_SEMANTIC_TEXCOORD2_V, PICA_OUTMAP_SEMANTIC_TEXCOORD0_W,
          PICA_OUTMAP_SEMANTIC_TEXCOORD0_W },
        { PICA_OUTMAP_SEMANTIC_NORMQUAT_X, PICA_OUTMAP_SEMANTIC_NORMQUAT_Y, PICA_OUTMAP_SEMANTIC_NORMQUAT_Z,
          PICA_OUTMAP_SEMANTIC_NORMQUAT_W },
        { PICA_OUTMAP_SEMANTIC_VIEW_X, PICA_OUTMAP_SEMANTIC_VIEW_Y, PICA_OUTMAP_SEMANTIC_VIEW_Z,
          PICA_OUTMAP_SEMANTIC_VIEW_Z },
    };
    struct experiment *const experiment = inference->experiment;
    const size_t first = stage == PICA_STAGE_WORD_LIGHTING ? 2 : 0;
    for (size_t i = first; i < first + 2; i++) {
        infer_restore(inference);
        if (!infer_give_as_colors(inference, slots[i]))
            return false;
        draw_plainly(experiment);
        set_source(experiment->state.registers, PICA_TEV_SOURCE_PRIMARY_COLOR);
        inference->ran++;
        if (experiment_picture(experiment) == PICTURE_OTHER)
            return true;
    }
    return false;
}

static void name_source(struct inference *inference, const struct pixel_values *values)
{
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        char what[128];
        if ((values->has_sources >> sources[i].source & 1) == 0 || !is_shown_otherwise(inference, sources[i].source))
            continue;
        const bool interpolated = is_interpolated_wrongly(inference, sources[i].stage);
        (void)snprintf(what, sizeof what, "the combiners give a constant, but not if %s is drawn alone%s",
                       sources[i].shown, interpolated ? ", nor the coordinates it is made from" : "");
        infer_name(inference, interpolated ? PICA_STAGE_WORD_INTERPOLATION : sources[i].stage, what);
        return;
    }
    infer_name(inference, PICA_STAGE_WORD_COMBINER, "the combiners give a constant");
}

/* --------------------------------------------------------------------------------------------- changes behind them */

/* FLT-01: 16 bits of fraction, so the depth may be a little more than it was. */
static bool constant_depth(uint32_t *registers, const struct pixel_values *values)
{
    const uint32_t exponent = values->depth >> 23 & 0xFF, less = 127 - 63;
    if (!values->has_depth || (exponent != 0 && exponent <= less))
        return false;
    const uint32_t rounded = (values->depth + 0x7F) >> 7; /* with the exponent of binary32 */
    registers[PICA_REG_DEPTHMAP_OFFSET] = exponent == 0 ? 0 : rounded - (less << 16);
    registers[PICA_REG_DEPTHMAP_SCALE] = 0;
    registers[PICA_REG_DEPTHMAP_ENABLE] = pica_depthmap_enable_set_z_buffer(0, 1);
    return true;
}

static bool constant_color(uint32_t *registers, const struct pixel_values *values)
{
    set_color(registers, values->color);
    return values->has_color;
}

static bool no_fog(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_TEXENV_UPDATE_BUFFER];
    if (pica_texenv_update_buffer_fog_mode(*word) == PICA_FOG_MODE_OFF || !values->has_fog)
        return false;
    set_color(registers, values->fog);
    *word = pica_texenv_update_buffer_set_fog_mode(*word, PICA_FOG_MODE_OFF);
    return true;
}

static bool no_alpha_test(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_FRAGOP_ALPHA_TEST];
    (void)values;
    const bool was = pica_fragop_alpha_test_enable(*word) != 0;
    *word = pica_fragop_alpha_test_set_enable(*word, 0);
    return was;
}

static bool no_stencil_test(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_STENCIL_TEST];
    (void)values;
    const bool was = pica_stencil_test_enable(*word) != 0;
    *word = pica_stencil_test_set_enable(*word, 0);
    return was;
}

static bool no_depth_test(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_DEPTH_COLOR_MASK];
    (void)values;
    const bool was = pica_depth_color_mask_depth_test(*word) != 0;
    *word = pica_depth_color_mask_set_depth_function(*word, PICA_COMPARE_FUNC_ALWAYS);
    return was;
}

static bool is_blending(const uint32_t *registers)
{
    return pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
}

static bool no_blending(uint32_t *registers, const struct pixel_values *values)
{
    if (!is_blending(registers) || !values->has_result)
        return false;
    uint32_t word = pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE);
    registers[PICA_REG_BLEND_FUNC] = pica_blend_func_set_alpha_source(word, PICA_BLEND_FACTOR_ONE);
    set_color(registers, values->result);
    return true;
}

static bool no_logic_op(uint32_t *registers, const struct pixel_values *values)
{
    if (is_blending(registers) || !values->has_result)
        return false;
    registers[PICA_REG_LOGIC_OP] = PICA_LOGIC_OP_COPY;
    set_color(registers, values->result);
    return true;
}

static bool no_culling(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_FACECULLING_CONFIG];
    (void)values;
    const bool was = pica_faceculling_config_mode(*word) != PICA_CULL_MODE_NONE;
    *word = pica_faceculling_config_set_mode(*word, PICA_CULL_MODE_NONE);
    return was;
}

static bool no_scissor(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_SCISSORTEST_MODE];
    (void)values;
    const bool was = (pica_scissortest_mode_mode(*word) & 1u) != 0;
    *word = pica_scissortest_mode_set_mode(*word, PICA_SCISSOR_MODE_OFF);
    return was;
}

/* SCS-02: not off, but everything is inside. */
static bool wide_scissor(uint32_t *registers, const struct pixel_values *values)
{
    (void)values;
    registers[PICA_REG_SCISSORTEST_MODE] = PICA_SCISSOR_MODE_INSIDE;
    registers[PICA_REG_SCISSORTEST_POS] = 0;
    registers[PICA_REG_SCISSORTEST_DIM] = UINT32_MAX;
    return true;
}

static bool usual_format(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_COLORBUFFER_FORMAT];
    const uint32_t before = *word;
    (void)values;
    *word = pica_colorbuffer_format_set_pixel_size(*word, PICA_PIXEL_SIZE_32);
    *word = pica_colorbuffer_format_set_format(*word, PICA_COLOR_FORMAT_RGBA8);
    return *word != before;
}

static bool usual_rows(uint32_t *registers, const struct pixel_values *values)
{
    uint32_t *const word = &registers[PICA_REG_FRAMEBUFFER_DIM];
    (void)values;
    const bool was = pica_framebuffer_dim_top_row_first(*word) == 0;
    *word = pica_framebuffer_dim_set_top_row_first(*word, 1);
    return was;
}

/* `change` says whether the stage did anything. */
struct neutral {
    enum pica_stage_word stage;
    const char *what;
    bool (*change)(uint32_t *registers, const struct pixel_values *values);
};

/* Each is done in addition to those before it. */
static const struct neutral neutrals[] = {
    { PICA_STAGE_WORD_INTERPOLATION, "the depth is a constant", constant_depth },
    { PICA_STAGE_WORD_COMBINER, "the combiners give a constant", constant_color },
    { PICA_STAGE_WORD_ALPHA_TEST, "the alpha test is off", no_alpha_test },
    { PICA_STAGE_WORD_FOG, "fog is off and its colour a constant", no_fog },
    { PICA_STAGE_WORD_STENCIL_TEST, "the stencil test is off", no_stencil_test },
    { PICA_STAGE_WORD_DEPTH_TEST, "the depth test always passes", no_depth_test },
    { PICA_STAGE_WORD_BLEND, "blending is off and its result a constant", no_blending },
    { PICA_STAGE_WORD_LOGIC_OP, "the logic operation copies its result", no_logic_op },
};

/* These change what the teller has, too; each alone. The first ones decide which pixels are drawn, ... */
static const struct neutral placing[] = {
    { PICA_STAGE_WORD_CULL, "nothing is culled", no_culling },
    { PICA_STAGE_WORD_SCISSOR, "the scissor is off", no_scissor },
    { PICA_STAGE_WORD_SCISSOR, "all of the picture is inside of the scissor", wide_scissor },
    { 0 },
};

/* ... and these what becomes of a pixel. */
static const struct neutral keeping[] = {
    { PICA_STAGE_WORD_ALPHA_TEST, "the alpha test is off", no_alpha_test },
    { PICA_STAGE_WORD_STENCIL_TEST, "the stencil test is off", no_stencil_test },
    { PICA_STAGE_WORD_DEPTH_TEST, "the depth test always passes", no_depth_test },
    { PICA_STAGE_WORD_FRAMEBUFFER, "the format is rgba8", usual_format },
    { PICA_STAGE_WORD_FRAMEBUFFER, "the top row is the first", usual_rows },
    { 0 },
};

/* Blending and logic operations read what is there. Does it differ if it is only put back? */
static bool reads_wrongly(struct inference *inference, enum pica_stage_word stage)
{
    struct outcome outcome;
    if (stage != PICA_STAGE_WORD_BLEND && stage != PICA_STAGE_WORD_LOGIC_OP)
        return false;
    infer_restore(inference);
    uint32_t *const registers = inference->experiment->state.registers;
    registers[PICA_REG_COLOR_OPERATION] =
        pica_color_operation_set_blend_mode(registers[PICA_REG_COLOR_OPERATION], PICA_BLEND_MODE_BLEND);
    const uint32_t word = pica_blend_func_set_rgb_dest(0, PICA_BLEND_FACTOR_ONE);
    registers[PICA_REG_BLEND_FUNC] = pica_blend_func_set_alpha_dest(word, PICA_BLEND_FACTOR_ONE);
    experiment_run(inference->experiment, &outcome);
    infer_count(inference, &outcome);
    return outcome.ran && !outcome.same_pixel;
}

/* In pipeline order, the first stage without which the pixel agrees. */
static bool find_neutral(struct inference *inference, const struct pixel_values *values)
{
    uint32_t *const registers = inference->experiment->state.registers;
    infer_restore(inference);
    for (size_t i = 0; i < sizeof neutrals / sizeof neutrals[0]; i++) {
        struct outcome outcome;
        const struct pica_state before = inference->experiment->state;
        if (!neutrals[i].change(registers, values))
            continue;
        experiment_run(inference->experiment, &outcome);
        infer_count(inference, &outcome);
        if (!outcome.ran || !outcome.teller_pixel)
            inference->experiment->state = before; /* the stages behind had other values: it says nothing */
        if (!outcome.ran || !outcome.teller_pixel || !outcome.same_pixel)
            continue;
        if (neutrals[i].stage == PICA_STAGE_WORD_COMBINER)
            name_source(inference, values);
        else if (reads_wrongly(inference, neutrals[i].stage))
            infer_name(inference, PICA_STAGE_WORD_FRAMEBUFFER, "the colour that is there is not read");
        else
            infer_name(inference, neutrals[i].stage, neutrals[i].what);
        return true;
    }
    return false;
}

static bool agrees_with(struct inference *inference, const struct pixel_values *values, const struct neutral *neutral)
{
    struct outcome outcome;
    infer_restore(inference);
    if (!neutral->change(inference->experiment->state.registers, values))
        return false;
    experiment_run(inference->experiment, &outcome);
    infer_count(inference, &outcome);
    const bool moves = neutral->stage == PICA_STAGE_WORD_FRAMEBUFFER; /* the pixel then lies elsewhere */
    return outcome.ran && (moves ? outcome.same : outcome.same_pixel);
}

/* Is the depth another one than was there before? A stencil byte above it does not count. */
static bool has_new_depth(const struct experiment *experiment, const uint8_t *pixel)
{
    const uint32_t bytes = oracle_bytes_per_pixel(experiment->surface.format);
    return memcmp(pixel, experiment->before, bytes < 3 ? bytes : 3) != 0;
}

/* Only the depth differs: both cover the pixel. Written by one side only, or another value? */
static void name_depth(struct inference *inference)
{
    const struct experiment *const experiment = inference->experiment;
    if (has_new_depth(experiment, experiment->other_pixel) && has_new_depth(experiment, experiment->pixel))
        infer_name(inference, PICA_STAGE_WORD_INTERPOLATION, "");
    else
        infer_name(inference, PICA_STAGE_WORD_FRAMEBUFFER, "");
}

/* Told to store depths, too, in memory of their own, do both store the same ones there? */
static bool agrees_in_depth(struct inference *inference)
{
    struct experiment *const experiment = inference->experiment;
    uint32_t *const registers = experiment->state.registers;
    infer_restore(inference);
    registers[PICA_REG_DEPTHBUFFER_LOC] = pica_buffer_loc_set_address(0, experiment_picture_address(experiment) / 64u);
    registers[PICA_REG_DEPTHBUFFER_FORMAT] = pica_depthbuffer_format_set_format(0, PICA_DEPTH_FORMAT_D16);
    registers[PICA_REG_DEPTHBUFFER_WRITE] = 0x3;
    registers[PICA_REG_STENCIL_TEST] = registers[PICA_REG_FRAGOP_ALPHA_TEST] = 0;
    uint32_t *const mask = &registers[PICA_REG_DEPTH_COLOR_MASK];
    *mask = pica_depth_color_mask_set_depth_function(*mask, PICA_COMPARE_FUNC_ALWAYS);
    *mask = pica_depth_color_mask_set_depth_test(*mask, 1);
    *mask = pica_depth_color_mask_set_depth_write(*mask, 1);
    return experiment_picture(experiment) == PICTURE_SAME;
}

/* A triangle that covers the picture has no edges in it. Does the other side draw pixels of it that it should not? Then
 * they are not missing, but in the wrong place. */
static bool is_stored_elsewhere(struct inference *inference)
{
    struct experiment *const experiment = inference->experiment;
    struct outcome outcome;
    infer_restore(inference);
    if (!infer_cover(inference))
        return false;
    draw_plainly(experiment);
    set_source(experiment->state.registers, PICA_TEV_SOURCE_PRIMARY_COLOR);
    uint32_t *const registers = experiment->state.registers;
    registers[PICA_REG_COLORBUFFER_FORMAT] = inference->state.registers[PICA_REG_COLORBUFFER_FORMAT];
    registers[PICA_REG_COLORBUFFER_LOC] = inference->state.registers[PICA_REG_COLORBUFFER_LOC];
    experiment_run(experiment, &outcome);
    infer_count(inference, &outcome);
    return outcome.ran && !outcome.same && experiment_other_wrote(experiment);
}

static bool name_one_of(struct inference *inference, const struct pixel_values *values, const struct neutral *changes)
{
    for (; changes->change != NULL; changes++)
        if (agrees_with(inference, values, changes)) {
            infer_name(inference, changes->stage, changes->what);
            return true;
        }
    return false;
}

/* Do both draw the same pixels if no stage keeps one from being drawn? */
static enum picture places_pixels(struct inference *inference)
{
    infer_restore(inference);
    draw_plainly(inference->experiment);
    set_source(inference->experiment->state.registers, PICA_TEV_SOURCE_PRIMARY_COLOR);
    const enum picture plain = experiment_picture(inference->experiment);
    return plain == PICTURE_OTHER && agrees_in_depth(inference) ? PICTURE_SAME : plain;
}

/* No stage of the pixel alone makes the difference: what is left over. A side that traces would have said so. */
static void name_rest(struct inference *inference, const struct pixel_values *values)
{
    struct outcome whole;
    const enum picture placed = places_pixels(inference);
    if ((placed != PICTURE_SAME && name_one_of(inference, values, placing)) ||
        (placed != PICTURE_OTHER && name_one_of(inference, values, keeping)))
        return;
    infer_restore(inference);
    experiment_run(inference->experiment, &whole);
    const bool is_drawn = placed == PICTURE_SAME || (placed == PICTURE_UNKNOWN && whole.other_drew);
    if (!is_drawn || !values->covered) {
        infer_name(inference, is_stored_elsewhere(inference) ? PICA_STAGE_WORD_FRAMEBUFFER : PICA_STAGE_WORD_RASTER,
                   "");
    } else if (is_depth(&inference->experiment->surface)) {
        name_depth(inference);
    } else {
        infer_name(inference, PICA_STAGE_WORD_FRAMEBUFFER, "");
        inference->out->stage = values->alone != NULL ? values->alone : inference->out->stage;
    }
}

bool infer_trace_pixel(struct inference *inference, uint32_t first_draw, uint32_t end_draw)
{
    return inference->experiment->has_pixel && trace_pixel(inference, first_draw, end_draw, &inference->values);
}

/* Has the other side what an earlier triangle left, and not what the last one left? Then it drew them out of order. */
static bool is_out_of_order(const struct inference *inference)
{
    const struct pixel_values *const values = &inference->values;
    const struct experiment *const experiment = inference->experiment;
    if (is_depth(&experiment->surface) || !values->has_stored)
        return false;
    for (uint32_t i = 0; i < values->layer_count; i++) {
        bool same = values->layers[i] != values->stored;
        for (uint32_t byte = 0; byte < oracle_bytes_per_pixel(experiment->surface.format); byte++)
            same = same && experiment->other_pixel[byte] == (uint8_t)(values->layers[i] >> (8u * byte));
        if (same)
            return true;
    }
    return false;
}

bool infer_neutral(struct inference *inference)
{
    return inference->values.covered && find_neutral(inference, &inference->values);
}

bool infer_pixel(struct inference *inference)
{
    struct outcome outcome;
    infer_restore(inference);
    experiment_run(inference->experiment, &outcome);
    if (!outcome.ran || outcome.same_pixel)
        return false;
    const bool named = infer_neutral(inference);
    if (!named && !inference->experiment->search->traces_agree)
        name_rest(inference, &inference->values);
    return true;
}

bool infer_order(struct inference *inference)
{
    struct outcome outcome;
    infer_restore(inference);
    experiment_run(inference->experiment, &outcome);
    if (!outcome.ran || outcome.same_pixel || !is_out_of_order(inference))
        return false;
    inference->experiment->search->other_layer = true;
    infer_name(inference, PICA_STAGE_WORD_RASTER, "the last triangle over the pixel comes last");
    return true;
}
