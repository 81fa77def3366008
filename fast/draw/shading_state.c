/*
 * Fragment shading (spec 40, 50): registers, tables and texture memory -> struct fast_shading_state, stage by stage.
 * Each stage has a file named after it in this folder. This file has what they share: their order, and which units,
 * attributes and results are used.
 */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- lifetime */

enum pica_status fast_shading_create(struct fast_shading **out)
{
    struct fast_shading *shading = calloc(1, sizeof *shading);
    if (shading == NULL)
        return PICA_NO_MEMORY;
    const enum pica_status status = fast_texture_cache_init(&shading->textures);
    if (status != PICA_OK) {
        free(shading);
        return status;
    }
    fast_shading_reset(shading);
    *out = shading;
    return PICA_OK;
}

void fast_shading_destroy(struct fast_shading *shading)
{
    if (shading == NULL)
        return;
    fast_texture_cache_release(&shading->textures);
    free(shading);
}

void fast_shading_reset(struct fast_shading *shading)
{
    shading->stale_tables = UINT32_MAX;
    shading->events_are_known = false;
    fast_texture_cache_reset(&shading->textures);
}

/* ------------------------------------------------------------------------------------------------ what is looked at */

/* TEV-01: does the fragment mode use a colour? Gas mode and mode 2 do not. */
static bool mode_has_color(uint32_t operation)
{
    switch (pica_color_operation_fragment_mode(operation)) {
    case PICA_FRAGMENT_MODE_DEFAULT: return true;
    case PICA_FRAGMENT_MODE_GAS: return false;
    case PICA_FRAGMENT_MODE_RESERVED_2: return false;
    case PICA_FRAGMENT_MODE_SHADOW:
    default: return true;
    }
}

/* TEX-32, narrowed further: lighting uses no unit if no operand reads its result. */
static uint32_t used_units(uint32_t sources, bool lighting_enabled, uint32_t config0)
{
    uint32_t used = sources >> PICA_TEV_SOURCE_TEXTURE0 & 15;
    if (!lighting_enabled)
        return used;
    const enum pica_bump_mode bump = pica_lighting_config0_bump_mode(config0);
    if (bump == PICA_BUMP_MODE_NORMAL_MAP || bump == PICA_BUMP_MODE_TANGENT_MAP)
        used |= 1u << pica_lighting_config0_bump_unit(config0);
    if (pica_lighting_config0_shadow_enable(config0))
        used |= 1u << pica_lighting_config0_shadow_unit(config0);
    return used;
}

static uint32_t needs_of_coordinate(uint32_t coordinate)
{
    static const uint32_t needs[3] = { FAST_NEED_TEXCOORD0, FAST_NEED_TEXCOORD1, FAST_NEED_TEXCOORD2 };
    return needs[coordinate];
}

static uint32_t needs_of_unit(const struct fast_texture_unit *unit)
{
    if (unit->kind == FAST_UNIT_CONSTANT)
        return 0;
    uint32_t needs = needs_of_coordinate(unit->coordinate);
    if (unit->kind != FAST_UNIT_2D)
        needs |= FAST_NEED_TEXCOORD0_W;
    if (unit->needs_lod)
        needs |= FAST_NEED_DERIVATIVES;
    return needs;
}

static uint32_t needs_of_state(const struct fast_shading_state *state, uint32_t sources)
{
    uint32_t needs = FAST_NEED_SHADING;
    if (sources >> PICA_TEV_SOURCE_PRIMARY_COLOR & 1)
        needs |= FAST_NEED_COLOR;
    if (state->lighting.enabled)
        needs |= FAST_NEED_QUATERNION | FAST_NEED_VIEW;
    if (state->fog.enabled)
        needs |= FAST_NEED_FOG_DEPTH;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        needs |= needs_of_unit(&state->units[unit]);
    if (state->proctex.enabled) {
        needs |= needs_of_coordinate(state->proctex.coordinate);
        if (state->proctex.mip != 0)
            needs |= FAST_NEED_DERIVATIVES;
    }
    return needs;
}

/* ------------------------------------------------------------------------------------------------------------ state */

/* TEX-20: decodes the registers and tables as they are now. TEV-02, TEX-32: what is not used is not computed. */
void fast_shading_state_decode(struct fast_gpu *gpu, struct fast_shading_state *state)
{
    const uint32_t *r = gpu->registers;
    gpu->shading->stale_tables |= gpu->dirty_tables;
    gpu->dirty_tables = 0;
    gpu->shading->events_are_known = false;

    memset(&state->lighting, 0, sizeof state->lighting);
    state->has_color = gpu->traces_pixel || mode_has_color(r[PICA_REG_COLOR_OPERATION]);
    fast_decode_combiner(r, &state->combiner);
    const uint32_t sources = state->combiner.sources;
    state->lighting.primary = (sources >> PICA_TEV_SOURCE_FRAGMENT_PRIMARY & 1) != 0;
    state->lighting.secondary = (sources >> PICA_TEV_SOURCE_FRAGMENT_SECONDARY & 1) != 0;
    state->lighting.enabled = state->has_color && (state->lighting.primary || state->lighting.secondary) &&
                              !pica_lighting_enable1_disable(r[PICA_REG_LIGHTING_ENABLE1]); /* LIT-01 */
    state->unit_used =
        state->has_color ? used_units(sources, state->lighting.enabled, r[PICA_REG_LIGHTING_CONFIG0]) : 0;

    fast_texture_cache_make_room(gpu, &gpu->shading->textures);
    fast_decode_textures(gpu, state);
    fast_decode_proctex(gpu, state);
    if (state->lighting.enabled)
        fast_decode_lighting(gpu, &state->lighting);
    fast_decode_fog(gpu, &state->fog);
    state->needs = state->has_color ? needs_of_state(state, sources) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* GEN-09: the class M events of 40 (section 12) and 50 (section 5). */
static void decide(const struct fast_event_sink *to)
{
    bool names_lighting;
    fast_texture_events(to);
    fast_proctex_events(to);
    fast_combiner_events(to, &names_lighting);
    fast_lighting_events(to, names_lighting);
    fast_fog_events(to);
}

/*
 * TEX-07, GEN-09. Decided only once per decoded state, because registers and windows cannot change without a new one.
 */
void fast_shading_events(struct fast_gpu *gpu)
{
    struct fast_shading *shading = gpu->shading;
    if (!shading->events_are_known) {
        shading->events = (struct pica_events){ { 0 } };
        decide(&(struct fast_event_sink){ gpu, &shading->events });
        shading->events_are_known = true;
    }
    pica_events_unite(&gpu->events, &shading->events);
}
