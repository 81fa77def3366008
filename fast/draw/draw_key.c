/* The canonical draw state as a line of names, for logs and profiles. */
#include "fast/draw/draw_state.h"
#include "fast/fast.h"
#include "fast/gpu.h"

/* A line of text that grows. When the buffer is full it only counts. */
struct line {
    char *text;
    size_t capacity; /* > 0: the last byte is for the end */
    size_t length;
};

static void put(struct line *line, const char *word)
{
    for (; *word != '\0'; word++) {
        if (line->length + 1u < line->capacity)
            line->text[line->length] = *word;
        line->length++;
    }
}

/* Puts a digit 0-9. */
static void put_digit(struct line *line, uint32_t digit)
{
    const char word[2] = { (char)('0' + digit), '\0' };
    put(line, word);
}

static void put_enum(struct line *line, enum pica_enum_id id, uint32_t value)
{
    size_t count = 0;
    const struct pica_enum_value *const values = pica_enum_values(id, &count);
    put(line, value < count ? values[value].text : "?");
}

/* Puts " name=digit", or nothing for 0. */
static void put_count(struct line *line, const char *name, uint32_t count)
{
    if (count == 0u)
        return;
    put(line, name);
    put_digit(line, count);
}

static void put_way(struct line *line, const struct fast_draw_state *draw)
{
    static const char *const shadings[] = {
        [FAST_QUICK_COLOR] = "quick shading=color",       [FAST_QUICK_TEXTURE] = "quick shading=texture",
        [FAST_QUICK_MODULATE] = "quick shading=modulate", [FAST_QUICK_STAGES] = "quick shading=stages",
        [FAST_QUICK_GENERAL] = "quick shading=general",
    };
    if (!draw->raster.draws)
        put(line, "nothing");
    else
        put(line, draw->quick.active ? shadings[draw->quick.shading] : "general");
}

static void put_units(struct line *line, const struct fast_shading_state *shading)
{
    static const char *const kinds[] = {
        [FAST_UNIT_CONSTANT] = "constant",     [FAST_UNIT_2D] = "2d",
        [FAST_UNIT_PROJECTION] = "projection", [FAST_UNIT_CUBE] = "cube",
        [FAST_UNIT_SHADOW_2D] = "shadow-2d",   [FAST_UNIT_SHADOW_CUBE] = "shadow-cube",
    };
    for (uint32_t i = 0; i < FAST_IMAGE_UNITS; i++) {
        const struct fast_texture_unit *const unit = &shading->units[i];
        if ((shading->unit_used >> i & 1u) == 0u)
            continue;
        put(line, " texture");
        put_digit(line, i);
        put(line, "=");
        put(line, kinds[unit->kind]);
        put(line, unit->linear_magnify || unit->linear_minify ? ",linear" : "");
        put(line, unit->needs_lod ? ",lod" : "");
        put(line, unit->sparse ? ",sparse" : "");
    }
    put(line, shading->proctex.enabled ? " texture3=procedural" : "");
}

static void put_factor(struct line *line, struct fast_blend_factor factor)
{
    static const char *const operands[FAST_BLEND_OPERANDS] = {
        [FAST_BLEND_ZERO] = "zero",
        [FAST_BLEND_SOURCE_COLOR] = "source-color",
        [FAST_BLEND_SOURCE_ALPHA] = "source-alpha",
        [FAST_BLEND_DEST_COLOR] = "dest-color",
        [FAST_BLEND_DEST_ALPHA] = "dest-alpha",
        [FAST_BLEND_CONSTANT_COLOR] = "constant-color",
        [FAST_BLEND_CONSTANT_ALPHA] = "constant-alpha",
        [FAST_BLEND_SATURATE] = "source-alpha-saturate",
    };
    if (factor.operand == FAST_BLEND_ZERO && factor.flip != 0u) {
        put(line, "one");
        return;
    }
    put(line, factor.flip != 0u ? "one-minus-" : "");
    put(line, operands[factor.operand]);
}

static void put_equation(struct line *line, const char *name, enum pica_blend_equation equation,
                         const struct fast_blend_factor factors[2])
{
    put(line, name);
    put_enum(line, PICA_ENUM_BLEND_EQUATION, (uint32_t)equation);
    put(line, ",");
    put_factor(line, factors[0]);
    put(line, ",");
    put_factor(line, factors[1]);
}

static void put_color(struct line *line, const struct fast_fragment_state *raster)
{
    const struct fast_blend_state *const blend = &raster->blend;
    put(line, " color=");
    if (!raster->color.write) {
        put(line, "off");
        return;
    }
    put_enum(line, PICA_ENUM_COLOR_FORMAT, (uint32_t)raster->color.format);
    put(line, raster->color.keeps_bits ? ",masked" : "");
    if (blend->enabled) {
        put_equation(line, " rgb=", blend->rgb_equation,
                     (const struct fast_blend_factor[2]){ blend->rgb_source, blend->rgb_dest });
        put_equation(line, " alpha=", blend->alpha_equation,
                     (const struct fast_blend_factor[2]){ blend->alpha_source, blend->alpha_dest });
    } else {
        put(line, " logic=");
        put_enum(line, PICA_ENUM_LOGIC_OP, (uint32_t)blend->logic_op);
    }
}

static void put_tests(struct line *line, const struct fast_fragment_state *raster)
{
    if (raster->alpha_test) {
        put(line, " alpha-test=");
        put_enum(line, PICA_ENUM_COMPARE_FUNC, (uint32_t)raster->alpha_function);
    }
    if (raster->stencil.active) {
        put(line, " stencil=");
        put_enum(line, PICA_ENUM_COMPARE_FUNC, (uint32_t)raster->stencil.function);
    }
    if (raster->depth.test || raster->depth.write) {
        put(line, " depth=");
        put_enum(line, PICA_ENUM_DEPTH_FORMAT, (uint32_t)raster->depth.format);
        put(line, ",");
        put_enum(line, PICA_ENUM_COMPARE_FUNC,
                 raster->depth.test ? (uint32_t)raster->depth.function : (uint32_t)PICA_COMPARE_FUNC_ALWAYS);
        put(line, raster->depth.write ? ",write" : "");
        put(line, raster->z_buffer ? "" : ",w-buffer");
    }
    put(line, raster->scissor_inside || raster->scissor_outside ? " scissor" : "");
}

size_t fast_draw_key(const void *instance, char *text, size_t capacity)
{
    const struct fast_draw_state *const draw = ((const struct fast_gpu *)instance)->draw;
    struct line line = { text, capacity, 0u };
    if (draw->decoded) {
        put_way(&line, draw);
        put(&line, " mode=");
        put_enum(&line, PICA_ENUM_FRAGMENT_MODE, (uint32_t)draw->raster.mode);
        put_units(&line, &draw->shading);
        put_count(&line, " lights=", draw->shading.lighting.enabled ? draw->shading.lighting.light_count : 0u);
        put_count(&line, " stages=", draw->shading.combiner.stage_count);
        put(&line, draw->shading.fog.enabled ? " fog" : "");
        put_tests(&line, &draw->raster);
        put_color(&line, &draw->raster);
    }
    if (capacity > 0u)
        text[line.length < capacity ? line.length : capacity - 1u] = '\0';
    return line.length;
}
