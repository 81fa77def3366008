/* Relations around texturing and the fragment pipeline. */
#include "oracles/relate.h"
#include "oracles/texture.h"

#include <string.h>

/* -------------------------------------------------------------------------------------- registers that do not count */

static bool always(const struct oracle_walk *walk)
{
    (void)walk;
    return true;
}

static bool no_clip_plane(const struct oracle_walk *walk)
{
    return pica_fragop_clip_enable(walk->registers.values[PICA_REG_FRAGOP_CLIP]) == 0;
}

static bool no_scissor(const struct oracle_walk *walk)
{
    const enum pica_scissor_mode mode = pica_scissortest_mode_mode(walk->registers.values[PICA_REG_SCISSORTEST_MODE]);
    return mode == PICA_SCISSOR_MODE_OFF || mode == PICA_SCISSOR_MODE_OFF_2;
}

static bool no_blending(const struct oracle_walk *walk)
{
    return pica_color_operation_blend_mode(walk->registers.values[PICA_REG_COLOR_OPERATION]) ==
           PICA_BLEND_MODE_LOGIC_OP;
}

static bool no_logic_op(const struct oracle_walk *walk)
{
    return !no_blending(walk);
}

static bool no_alpha_test(const struct oracle_walk *walk)
{
    return pica_fragop_alpha_test_enable(walk->registers.values[PICA_REG_FRAGOP_ALPHA_TEST]) == 0;
}

static bool no_stencil(const struct oracle_walk *walk)
{
    return pica_stencil_test_enable(walk->registers.values[PICA_REG_STENCIL_TEST]) == 0;
}

static bool no_depth_test(const struct oracle_walk *walk)
{
    return pica_depth_color_mask_depth_test(walk->registers.values[PICA_REG_DEPTH_COLOR_MASK]) == 0;
}

static bool no_shadow_mode(const struct oracle_walk *walk)
{
    return pica_color_operation_fragment_mode(walk->registers.values[PICA_REG_COLOR_OPERATION]) !=
           PICA_FRAGMENT_MODE_SHADOW;
}

static bool no_unit0(const struct oracle_walk *walk)
{
    return pica_texunit_config_unit0_enable(walk->registers.values[PICA_REG_TEXUNIT_CONFIG]) == 0;
}

static bool no_unit1(const struct oracle_walk *walk)
{
    return pica_texunit_config_unit1_enable(walk->registers.values[PICA_REG_TEXUNIT_CONFIG]) == 0;
}

static bool no_unit2(const struct oracle_walk *walk)
{
    return pica_texunit_config_unit2_enable(walk->registers.values[PICA_REG_TEXUNIT_CONFIG]) == 0;
}

static bool no_unit3(const struct oracle_walk *walk)
{
    return pica_texunit_config_unit3_enable(walk->registers.values[PICA_REG_TEXUNIT_CONFIG]) == 0;
}

static bool no_lighting(const struct oracle_walk *walk)
{
    return pica_lighting_enable1_disable(walk->registers.values[PICA_REG_LIGHTING_ENABLE1]) != 0;
}

static bool no_fog(const struct oracle_walk *walk)
{
    const enum pica_fog_mode mode =
        pica_texenv_update_buffer_fog_mode(walk->registers.values[PICA_REG_TEXENV_UPDATE_BUFFER]);
    return mode != PICA_FOG_MODE_FOG && mode != PICA_FOG_MODE_GAS;
}

static bool no_geometry(const struct oracle_walk *walk)
{
    return pica_geostage_config_mode(walk->registers.values[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF;
}

/* Configuration registers of first .. last do not count while `off` holds, but for the bits `kept`. */
struct dead {
    uint16_t first, last;
    uint32_t kept;
    uint16_t decider; /* must be known for `off` to be asked */
    bool (*off)(const struct oracle_walk *walk);
};

static const struct dead dead_registers[] = {
    { PICA_REG_VIEWPORT_INVW, PICA_REG_VIEWPORT_INVW, 0, 0x080, always },                 /* VPT-05 */
    { PICA_REG_VIEWPORT_INVH, PICA_REG_VIEWPORT_INVH, 0, 0x080, always },                 /* VPT-05 */
    { PICA_REG_RENDERBUF_DIM, PICA_REG_SH_OUTATTR_CLOCK, 0, 0x080, always },              /* FBF-03, REG-44 */
    { PICA_REG_SH_OUTATTR_MODE, PICA_REG_SH_OUTATTR_MODE, 0, 0x080, always },             /* REG-44 */
    { PICA_REG_EARLYDEPTH_FUNC, PICA_REG_EARLYDEPTH_FUNC, 0, 0x080, always },             /* EDT-01 */
    { PICA_REG_EARLYDEPTH_TEST1, PICA_REG_EARLYDEPTH_TEST1, 1, 0x080, always },           /* EDT-01; bit 0: event */
    { PICA_REG_EARLYDEPTH_TEST2, PICA_REG_EARLYDEPTH_TEST2, 1, 0x080, always },           /* EDT-01; bit 0: event */
    { PICA_REG_EARLYDEPTH_DATA, PICA_REG_EARLYDEPTH_DATA, 0, 0x080, always },             /* EDT-01 */
    { PICA_REG_GAS_LIGHT_XY, PICA_REG_GAS_LIGHT_Z_COLOR, 0, 0x080, always },              /* GAS-02 */
    { PICA_REG_POST_VERTEX_CACHE_NUM, PICA_REG_POST_VERTEX_CACHE_NUM, 0, 0x080, always }, /* REG-44 */
    { PICA_REG_FRAGOP_CLIP_DATA0, PICA_REG_FRAGOP_CLIP_DATA3, 0, PICA_REG_FRAGOP_CLIP, no_clip_plane }, /* CLP-08 */
    { PICA_REG_SCISSORTEST_POS, PICA_REG_SCISSORTEST_DIM, 0, PICA_REG_SCISSORTEST_MODE, no_scissor },   /* SCS-01 */
    { PICA_REG_BLEND_FUNC, PICA_REG_BLEND_FUNC, 0, PICA_REG_COLOR_OPERATION, no_blending },             /* BLD-05 */
    { PICA_REG_BLEND_COLOR, PICA_REG_BLEND_COLOR, 0, PICA_REG_COLOR_OPERATION, no_blending },           /* BLD-05 */
    { PICA_REG_LOGIC_OP, PICA_REG_LOGIC_OP, 0, PICA_REG_COLOR_OPERATION, no_logic_op },                 /* BLD-05 */
    { PICA_REG_FRAGOP_ALPHA_TEST, PICA_REG_FRAGOP_ALPHA_TEST, 1, PICA_REG_FRAGOP_ALPHA_TEST,
      no_alpha_test },                                                                      /* ATS-01 */
    { PICA_REG_STENCIL_TEST, PICA_REG_STENCIL_TEST, 1, PICA_REG_STENCIL_TEST, no_stencil }, /* STC-02 */
    { PICA_REG_STENCIL_OP, PICA_REG_STENCIL_OP, 0, PICA_REG_STENCIL_TEST, no_stencil },     /* STC-02 */
    { PICA_REG_DEPTH_COLOR_MASK, PICA_REG_DEPTH_COLOR_MASK, ~0x70u, PICA_REG_DEPTH_COLOR_MASK,
      no_depth_test },                                                                                   /* DPT-02 */
    { PICA_REG_FRAGOP_SHADOW, PICA_REG_FRAGOP_SHADOW, 0, PICA_REG_COLOR_OPERATION, no_shadow_mode },     /* SHW-02 */
    { PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT0_TYPE, 0, PICA_REG_TEXUNIT_CONFIG, no_unit0 },    /* TEX-16 */
    { PICA_REG_TEXUNIT1_BORDER_COLOR, PICA_REG_TEXUNIT1_TYPE, 0, PICA_REG_TEXUNIT_CONFIG, no_unit1 },    /* TEX-16 */
    { PICA_REG_TEXUNIT2_BORDER_COLOR, PICA_REG_TEXUNIT2_TYPE, 0, PICA_REG_TEXUNIT_CONFIG, no_unit2 },    /* TEX-16 */
    { PICA_REG_TEXUNIT3_PROCTEX0, PICA_REG_TEXUNIT3_PROCTEX5, 0, PICA_REG_TEXUNIT_CONFIG, no_unit3 },    /* PTX-25 */
    { PICA_REG_LIGHT0_SPECULAR0, PICA_REG_LIGHTING_CONFIG1, 0, PICA_REG_LIGHTING_ENABLE1, no_lighting }, /* LIT-02 */
    { PICA_REG_LIGHTING_LUTINPUT_ABS, PICA_REG_LIGHTING_LIGHT_PERMUTATION, 0, PICA_REG_LIGHTING_ENABLE1,
      no_lighting },                                                                             /* LIT-02 */
    { PICA_REG_FOG_COLOR, PICA_REG_FOG_COLOR, 0, PICA_REG_TEXENV_UPDATE_BUFFER, no_fog },        /* FOG-01 */
    { PICA_REG_GAS_ATTENUATION, PICA_REG_GAS_ACCMAX, 0, PICA_REG_TEXENV_UPDATE_BUFFER, no_fog }, /* FOG-01 */
    { PICA_REG_GSH_MISC1, PICA_REG_GSH_MISC1, 0, PICA_REG_GEOSTAGE_CONFIG, no_geometry },        /* GSH-20 */
    { PICA_REG_GSH_ENTRYPOINT, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH, 0, PICA_REG_GEOSTAGE_CONFIG,
      no_geometry }, /* GSH-02 */
};

static bool draws(const struct oracle_command *command)
{
    return command->count == 1 && (command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS);
}

/* Records that an id got garbage, so that it is restored after the draw. */
static void soil(struct oracle_job *job, uint32_t id, uint32_t kept)
{
    const struct oracle_walk *const walk = job->walk;
    if (!oracle_is_plain(id) || !oracle_known(walk, id) || !oracle_quiet(walk, id) || job->pending->count >= 256)
        return;
    const uint32_t value = (walk->registers.values[id] & kept) | (oracle_random_word(job) & ~kept);
    oracle_emit_write(job, job->variant, id, value);
    job->pending->parameters[job->pending->count++] = id;
}

static void draw_and_restore(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_emit(job, job->variant, command, 0);
    for (uint32_t i = 0; i < job->pending->count; i++) {
        const uint32_t id = job->pending->parameters[i];
        oracle_emit_write(job, job->variant, id, job->walk->registers.values[id]);
    }
    job->changed += job->pending->count != 0;
    job->pending->count = 0;
}

static void off_registers(struct oracle_job *job, const struct oracle_command *command)
{
    if (!draws(command)) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    for (size_t i = 0; i < sizeof dead_registers / sizeof dead_registers[0]; i++) {
        const struct dead *const dead = &dead_registers[i];
        if ((dead->off != always && !oracle_known(job->walk, dead->decider)) || !dead->off(job->walk))
            continue;
        for (uint32_t id = dead->first; id <= dead->last; id++)
            if (dead->last - dead->first < 12 || oracle_below(job, 4) == 0)
                soil(job, id, dead->kept);
    }
    /* VTX-20, VTX-22: each trigger has a register that it ignores. */
    soil(job, command->id == PICA_REG_DRAWARRAYS ? PICA_REG_INDEXBUFFER_CONFIG : PICA_REG_VERTEX_OFFSET, 0);
    draw_and_restore(job, command);
}

/* Bits that belong to some field. */
static uint32_t field_bits(enum pica_layout layout)
{
    size_t count = 0;
    uint32_t bits = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++)
        bits |= pica_field_set(&fields[i], 0, UINT32_MAX);
    return bits;
}

/* Registers whose bits outside the fields are named by an event: FBF-02, GSH-07; and the place of the list. */
static bool names_other_bits(uint32_t id)
{
    return id == PICA_REG_DEPTHBUFFER_LOC || id == PICA_REG_COLORBUFFER_LOC || id == PICA_REG_GSH_INPUTBUFFER_CONFIG ||
           (id >= PICA_REG_CMDBUF_SIZE0 && id <= PICA_REG_CMDBUF_ADDR1);
}

static void unused_bits(struct oracle_job *job, const struct oracle_command *command)
{
    if (!draws(command)) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    for (uint32_t i = 0; i < 48; i++) {
        const uint32_t id = oracle_below(job, PICA_REGISTERS);
        const uint32_t used = field_bits(pica_reg_info(id)->layout);
        if (used != UINT32_MAX && !names_other_bits(id))
            soil(job, id, used);
    }
    draw_and_restore(job, command);
}

/* ------------------------------------------------------------------------------------------------- constant texture */

enum {
    CONSTANT_SIDE = 64,
    CONSTANT_BYTES = 4 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8)
};

static uint32_t unit_id(uint32_t unit, enum pica_reg base)
{
    return pica_reg_texunit(unit, base);
}

/* Type of a unit whose sample is a mix of texels; shadow types compare instead. */
static bool mixes_texels(const struct oracle_walk *walk, uint32_t unit)
{
    const enum pica_texture_type type = pica_texunit_param_type(walk->registers.values[PICA_REG_TEXUNIT0_PARAM]);
    return unit != 0 || (type != PICA_TEXTURE_TYPE_SHADOW_2D && type != PICA_TEXTURE_TYPE_SHADOW_CUBE);
}

/* One colour, as RGBA8 texels (TEX-23: bytes A, B, G, R), enough for every size and level used here. */
static bool take_constant(struct oracle_job *job, uint32_t *address, uint32_t *border)
{
    uint8_t *const bytes = oracle_take_data(job, CONSTANT_BYTES, 128, 0, address);
    const uint32_t color = oracle_random_word(job);
    for (uint32_t i = 0; bytes != NULL && i < CONSTANT_BYTES; i++)
        bytes[i] = (uint8_t)(color >> (8 * (3 - i % 4)));
    *border = color; /* red lowest */
    return bytes != NULL;
}

static void emit_constant(struct oracle_job *job, struct oracle_stream *stream, uint32_t unit, uint32_t address,
                          uint32_t border)
{
    const bool varied = stream == job->variant;
    const uint32_t param_id = unit_id(unit, PICA_REG_TEXUNIT0_PARAM);
    uint32_t width = 8, height = 8, param = job->walk->registers.values[param_id], lod = 0;
    param = pica_texunit_param_set_wrap_s(pica_texunit_param_set_wrap_t(param, 0), 0);
    param = pica_texunit_param_set_mag_filter(pica_texunit_param_set_min_filter(param, 0), 0);
    param = pica_texunit_param_set_mip_filter(param, 0);
    if (varied) {
        width <<= oracle_below(job, 4);
        height <<= oracle_below(job, 4);
        param = pica_texunit_param_set_wrap_s(param, oracle_below(job, 4));
        param = pica_texunit_param_set_wrap_t(param, oracle_below(job, 4));
        param = pica_texunit_param_set_mag_filter(param, oracle_below(job, 2));
        param = pica_texunit_param_set_min_filter(param, oracle_below(job, 2));
        param = pica_texunit_param_set_mip_filter(param, oracle_below(job, 2));
        lod = pica_texunit_lod_set_bias(lod, oracle_random_word(job));
        lod = pica_texunit_lod_set_min_level(lod, oracle_below(job, 16));
        for (uint32_t side = width < height ? width : height; side > 8 && oracle_below(job, 4) != 0; side >>= 1)
            lod = pica_texunit_lod_set_max_level(lod, pica_texunit_lod_max_level(lod) + 1); /* MIP-02: 8 at least */
    }
    oracle_emit_write(job, stream, unit_id(unit, PICA_REG_TEXUNIT0_BORDER_COLOR), border);
    oracle_emit_write(job, stream, unit_id(unit, PICA_REG_TEXUNIT0_DIM),
                      pica_texunit_dim_set_width(pica_texunit_dim_set_height(0, height), width));
    oracle_emit_write(job, stream, param_id, param);
    oracle_emit_write(job, stream, unit_id(unit, PICA_REG_TEXUNIT0_LOD), lod);
    oracle_emit_write(job, stream, unit_id(unit, PICA_REG_TEXUNIT0_ADDR1), address / 8);
    oracle_emit_write(job, stream, unit_id(unit, PICA_REG_TEXUNIT0_TYPE), 0);
    for (uint32_t id = PICA_REG_TEXUNIT0_ADDR2; unit == 0 && id <= PICA_REG_TEXUNIT0_ADDR6; id++)
        oracle_emit_write(job, stream, id, pica_texunit_addr_face_set_address_low(0, address / 8)); /* CUB-03 */
}

static void restore_unit(struct oracle_job *job, struct oracle_stream *stream, uint32_t unit)
{
    static const enum pica_reg ids[] = { PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT0_DIM,
                                         PICA_REG_TEXUNIT0_PARAM,        PICA_REG_TEXUNIT0_LOD,
                                         PICA_REG_TEXUNIT0_ADDR1,        PICA_REG_TEXUNIT0_TYPE };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        oracle_emit_write(job, stream, unit_id(unit, ids[i]), job->walk->registers.values[unit_id(unit, ids[i])]);
    for (uint32_t id = PICA_REG_TEXUNIT0_ADDR2; unit == 0 && id <= PICA_REG_TEXUNIT0_ADDR6; id++)
        oracle_emit_write(job, stream, id, job->walk->registers.values[id]);
}

/* In both scripts every live unit samples a texture of one colour; the variant uses other wrap modes, filters and
 * sizes. */
static void constant_texture(struct oracle_job *job, const struct oracle_command *command)
{
    const struct oracle_walk *const walk = job->walk;
    bool live[3] = { false, false, false };
    uint32_t address = 0, border = 0;
    const bool good = draws(command) && oracle_quiet(walk, PICA_REG_TEXUNIT_CONFIG) &&
                      oracle_span_known(walk, PICA_REG_TEXUNIT_CONFIG, PICA_REG_TEXUNIT2_TYPE) &&
                      ORACLE_DATA_SIZE - job->data_used > CONSTANT_BYTES + 128;
    for (uint32_t unit = 0; good && unit < 3; unit++)
        live[unit] = oracle_texture_is_live(walk->registers.values, unit) && mixes_texels(walk, unit);
    if (!good || (!live[0] && !live[1] && !live[2]) || !take_constant(job, &address, &border)) {
        oracle_copy(job, command);
        return;
    }
    struct oracle_stream *const streams[2] = { job->base, job->variant };
    for (int side = 0; side < 2; side++) {
        for (uint32_t unit = 0; unit < 3; unit++)
            if (live[unit])
                emit_constant(job, streams[side], unit, address, border);
        oracle_emit(job, streams[side], command, 0);
        for (uint32_t unit = 0; unit < 3; unit++)
            if (live[unit])
                restore_unit(job, streams[side], unit);
    }
    job->changed++;
}

/* ---------------------------------------------------------------------------------------------------- moved texture */

static bool move_texture(struct oracle_job *job, uint32_t unit)
{
    const struct oracle_walk *const walk = job->walk;
    const uint32_t *const registers = walk->registers.values;
    if (!oracle_texture_is_live(registers, unit) || oracle_texture_faces(registers, unit) != 1)
        return false;
    const struct oracle_range range = { oracle_texture_address(registers, unit, 0),
                                        oracle_texture_size(registers, unit) };
    uint32_t address = 0;
    if (range.size + 256 > ORACLE_DATA_SIZE - job->data_used)
        return false;
    uint8_t *const bytes = oracle_take_data(job, (uint32_t)range.size, 128, 0, &address);
    if (bytes == NULL || !oracle_walk_memory(walk, &range, bytes))
        return false;
    oracle_emit_write(job, job->variant, unit_id(unit, PICA_REG_TEXUNIT0_ADDR1), address / 8);
    return true;
}

static void moved_texture(struct oracle_job *job, const struct oracle_command *command)
{
    const struct oracle_walk *const walk = job->walk;
    bool moved[3] = { false, false, false };
    oracle_copy_base(job, command);
    if (draws(command) && oracle_quiet(walk, PICA_REG_TEXUNIT_CONFIG) &&
        oracle_span_known(walk, PICA_REG_TEXUNIT_CONFIG, PICA_REG_TEXUNIT2_TYPE))
        for (uint32_t unit = 0; unit < 3; unit++)
            moved[unit] = move_texture(job, unit);
    oracle_emit(job, job->variant, command, 0);
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t id = unit_id(unit, PICA_REG_TEXUNIT0_ADDR1);
        if (moved[unit])
            oracle_emit_write(job, job->variant, id, walk->registers.values[id]);
        job->changed += moved[unit];
    }
}

const struct oracle_relation oracle_pixel_relations[] = {
    { .name = "off-registers",
      .what = "registers of what is switched off, or has no effect, hold garbage during draws",
      .rules = "VPT-05 EDT-01 REG-44 CLP-08 SCS-01 BLD-05 ATS-01 STC-02 DPT-02 SHW-02 TEX-16 PTX-25 LIT-02 FOG-01 "
               "GAS-02 GSH-02 VTX-20 VTX-22",
      .command = off_registers },
    { .name = "unused-bits",
      .what = "bits of configuration registers without meaning hold garbage during draws",
      .rules = "REG-01 ITP-04 CUL-02 SCS-03 TEX-11 TEX-15",
      .command = unused_bits },
    { .name = "constant-texture",
      .what = "textures of one colour have other sizes, levels, wrap modes and filters",
      .rules = "TEX-23 WRP-00 WRP-01 WRP-02 WRP-03 MIP-02 MIP-10 MIP-11 MIP-12 CUB-03 CUB-04",
      .command = constant_texture },
    { .name = "moved-texture",
      .what = "textures are read from copies at other addresses",
      .rules = "TEX-19 TEX-22 TEX-31 MIP-01",
      .command = moved_texture },
};
const size_t oracle_pixel_relation_count = sizeof oracle_pixel_relations / sizeof oracle_pixel_relations[0];
