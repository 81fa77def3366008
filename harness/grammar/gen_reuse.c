/*
 * Memory that a draw has read is written, and then read again: caches, batches and queues must notice. One of the
 * ranges that the registers of the last draw name (ranges.h) is chosen; one of the five writers writes its first bytes,
 * its last ones, some or all; then the same draw follows.
 */
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/ranges.h"

#include <string.h>

enum {
    BLOCK = 16 /* bytes: engines count these */
};

/* The part of a range that is written. */
struct part {
    struct harness_range range; /* all of it */
    uint32_t address;
    uint32_t bytes;
    uint32_t
        tame; /* the bits that each word written there may have: not all in ETC1 blocks of defined cases (ETC-05) */
    bool etc; /* an ETC1 texture in a defined case */
    bool vertices; /* an array, or indices: contents must make sense */
};

/* --------------------------------------------------------------------------------------------------------- choices */

static enum harness_draw_kind draw_kind(const struct gen *gen)
{
    return gen->draw.immediate  ? HARNESS_DRAW_IMMEDIATE
           : gen->draw.elements ? HARNESS_DRAW_ELEMENTS
                                : HARNESS_DRAW_ARRAYS;
}

/* Cuts the range of an array to the rows that exist; harness_ranges_of_draw knows only the number of vertices. */
static void fit_array(const struct gen *gen, struct harness_range *range)
{
    const uint32_t bytes = range->unit * gen->draw.rows;
    if (range->bytes > bytes)
        range->bytes = bytes;
}

/* GSH-20: some indices are counts. */
static bool has_counts(const struct gen *gen)
{
    return gen->draw.geometry && gen->draw.gsh_mode == PICA_GSH_MODE_VARIABLE;
}

/* One of the ranges in use, by the weight of its kind. */
static bool pick_range(struct gen *gen, struct harness_range *out)
{
    static const uint32_t weights[HARNESS_RANGE_KINDS] = { 40, 30, 20, 20, 0, 6, 4, 0 };
    struct harness_ranges ranges;
    uint32_t chances[HARNESS_MOST_RANGES];
    harness_ranges_of_draw(gen->known, draw_kind(gen), &ranges);
    for (uint32_t i = 0; i < ranges.count; i++) {
        const bool counts = ranges.items[i].kind == HARNESS_RANGE_INDICES && gen->defined && has_counts(gen);
        chances[i] = counts ? 0 : weights[ranges.items[i].kind];
    }
    if (ranges.count == 0)
        return false;
    *out = ranges.items[harness_random_weighted(&gen->random, chances, ranges.count)];
    if (out->kind == HARNESS_RANGE_ARRAY)
        fit_array(gen, out);
    return out->bytes != 0 && out->unit != 0;
}

/* Chooses whole units, mostly a single one at an end of the range. */
static void pick_part(struct gen *gen, struct part *part)
{
    const struct harness_range *const range = &part->range;
    const uint32_t units = range->bytes / range->unit;
    uint32_t count = gen_percent(gen, 70) ? 1 : gen_between(gen, 1, units);
    uint32_t first = 0;
    switch (gen_below(gen, 5)) {
    case 0: break;
    case 1:
    case 2: first = units > count ? units - count : 0; break;
    case 3: first = gen_below(gen, units > count ? units - count + 1u : 1u); break;
    default: count = units; break;
    }
    part->address = range->address + first * range->unit;
    part->bytes = count * range->unit;
    if (units == 0 || part->bytes > range->bytes - first * range->unit)
        part->bytes = range->bytes - first * range->unit; /* smaller than a unit, or the rest */
}

static void describe(const struct gen *gen, struct part *part)
{
    const enum harness_range_kind kind = part->range.kind;
    const uint32_t unit = part->range.which >> 8;
    const bool texture = kind == HARNESS_RANGE_TEXTURE || kind == HARNESS_RANGE_LEVEL;
    part->vertices = kind == HARNESS_RANGE_ARRAY || kind == HARNESS_RANGE_INDICES;
    part->etc = false;
    if (texture && gen->defined) {
        const uint32_t format = gen->known[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)];
        part->etc = format == PICA_TEXTURE_FORMAT_ETC1 || format == PICA_TEXTURE_FORMAT_ETC1A4;
    }
    part->tame = part->etc ? 0xFDFDFDFDu : UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------------- contents */

/* Four bytes that are valid anywhere in the part: indices that exist, or a number that is ordinary in every type. */
static uint32_t any_word(struct gen *gen, const struct part *part)
{
    static const uint32_t numbers[] = { 0x3F3F3F3F, 0x40404040, 0x3E3E3E3E, 0x00000000, 0xBFBFBFBF, 0x01010101 };
    if (part->range.kind == HARNESS_RANGE_INDICES && part->range.unit == 2)
        return gen_below(gen, gen->draw.rows) * 0x10001u;
    if (part->range.kind == HARNESS_RANGE_INDICES)
        return gen_below(gen, gen->draw.rows) * 0x01010101u;
    if (part->vertices)
        return numbers[gen_below(gen, gen->defined ? 3 : 6)]; /* CLP-02: w stays positive */
    return gen_below(gen, UINT32_MAX) & part->tame;
}

/* The bytes at `address` if these contents, which are stored at `at`, have all of them and list them; NULL if not. */
static const uint8_t *stored_bytes(const struct harness_data *data, uint32_t at, uint32_t address, uint32_t bytes)
{
    const bool listed = data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE;
    if (!listed || data->bytes == NULL || address < at || address - at > data->size ||
        bytes > data->size - (address - at))
        return NULL;
    return data->bytes + (address - at);
}

static const uint8_t *find_bytes(const struct gen *gen, uint32_t address, uint32_t bytes)
{
    const uint8_t *found = NULL;
    for (uint32_t i = 0; i < gen->out->chunk_count; i++) {
        const uint8_t *const here =
            stored_bytes(&gen->out->chunks[i].data, gen->out->chunks[i].address, address, bytes);
        found = here != NULL ? here : found;
    }
    for (uint32_t i = 0; i < gen->out->operation_count; i++) {
        const struct harness_operation *const operation = &gen->out->operations[i];
        const uint8_t *const here =
            operation->kind == HARNESS_LOAD ? stored_bytes(&operation->data, operation->address, address, bytes) : NULL;
        found = here != NULL ? here : found;
    }
    return found;
}

/* Contents for the part that are other rows of the array, or other indices; false if those are not known. */
static bool shuffle_rows(struct gen *gen, const struct part *part, struct harness_data *data)
{
    const uint32_t unit = part->range.unit;
    const uint32_t rows = part->range.bytes / unit;
    const uint8_t *const all = find_bytes(gen, part->range.address, part->range.bytes);
    if (all == NULL || rows < 2 || !gen_bytes(gen, data, part->bytes))
        return false;
    const uint32_t step = gen_between(gen, 1, rows - 1u);
    const uint32_t first = (part->address - part->range.address) / unit;
    for (uint32_t i = 0; i < part->bytes / unit; i++)
        memcpy(data->bytes + i * unit, all + (first + i + step) % rows * unit, unit);
    return true;
}

/* New contents of `bytes` bytes. If they will be written exactly to the part (`whole`), vertices are mostly other
 * rows. */
static void draw_contents(struct gen *gen, const struct part *part, uint32_t bytes, bool whole,
                          struct harness_data *data)
{
    if (part->vertices && whole && gen_percent(gen, 85) && shuffle_rows(gen, part, data))
        return;
    if (part->vertices || part->etc || gen_percent(gen, 30)) {
        harness_data_pattern(data, HARNESS_PATTERN_FILL, any_word(gen, part), bytes);
        return;
    }
    const enum harness_pattern pattern = gen_percent(gen, 70) ? HARNESS_PATTERN_NOISE : HARNESS_PATTERN_RAMP;
    harness_data_pattern(data, pattern, gen_below(gen, UINT32_MAX), bytes);
}

/* Stores new contents elsewhere in memory, for a writer to read; returns their address. */
static uint32_t stage(struct gen *gen, const struct part *part, uint32_t bytes, bool whole)
{
    struct harness_data data;
    const uint32_t address = gen_allocate(gen, bytes, BLOCK);
    draw_contents(gen, part, bytes, whole, &data);
    (void)harness_case_add_chunk(gen->out, address, &data);
    return address;
}

/* --------------------------------------------------------------------------------------------------------- writers */

static void write_by_load(struct gen *gen, const struct part *part)
{
    struct harness_data data;
    gen_submit(gen);
    draw_contents(gen, part, part->bytes, true, &data);
    (void)harness_case_add_load(gen->out, part->address, &data);
}

/* The last block of a texture holds nothing else, nor does that of what begins at a block (gen_allocate_blocks). */
static bool owns_last_block(const struct harness_range *range)
{
    return range->kind == HARNESS_RANGE_TEXTURE || range->kind == HARNESS_RANGE_LEVEL || range->address % BLOCK == 0;
}

/* The blocks of `align` bytes that lie inside the part; now and then, in wild cases, those that touch it. */
static bool align_part(struct gen *gen, const struct part *part, uint32_t align, struct part *out)
{
    const bool wild = gen_wild(gen, 50);
    const uint32_t more = align - 1u;
    const uint32_t end = part->address + part->bytes;
    const uint32_t last = (wild || (align == BLOCK && owns_last_block(&part->range)) ? end + more : end) & ~more;
    *out = *part;
    out->address = (wild ? part->address : part->address + more) & ~more;
    out->bytes = last - out->address;
    return last > out->address;
}

/* PSC-07: 24-bit patterns fill whole pixels. */
static bool write_by_fill(struct gen *gen, const struct part *part)
{
    struct part blocks;
    if (!align_part(gen, part, BLOCK, &blocks))
        return false;
    const bool small = part->range.kind == HARNESS_RANGE_INDICES || gen_percent(gen, 40);
    const bool three = !part->vertices && blocks.bytes % 48u == 0 && gen_percent(gen, 40);
    const uint32_t width = three ? PICA_FILL_WIDTH_24 : small ? PICA_FILL_WIDTH_16 : PICA_FILL_WIDTH_32;
    const uint32_t ones = three ? 0xFFFFFFu : small ? 0xFFFFu : UINT32_MAX;
    const uint32_t words[4] = { blocks.address >> 3, (blocks.address + blocks.bytes) >> 3, any_word(gen, part) & ones,
                                pica_fill_ctrl_set_width(pica_fill_ctrl_set_start(0, 1), width) };
    gen_submit(gen);
    (void)harness_case_add_fill(gen->out, gen_below(gen, 2), words);
    return true;
}

/* The address to copy from: the colour buffer, if its contents can do no harm in the part, or new contents. */
static uint32_t source_of(struct gen *gen, const struct part *part, uint32_t bytes, bool whole)
{
    const bool harmless = !part->vertices && !part->etc && part->range.kind != HARNESS_RANGE_COLOR;
    if (harmless && bytes <= gen->target.color_bytes && gen_percent(gen, 50))
        return gen->target.color_address;
    return stage(gen, part, bytes, whole);
}

static bool write_by_copy(struct gen *gen, const struct part *part)
{
    struct part blocks;
    if (!align_part(gen, part, BLOCK, &blocks))
        return false;
    const bool whole = blocks.address == part->address && blocks.bytes == part->bytes;
    uint32_t words[9] = { 0, blocks.address >> 3 };
    gen_submit(gen);
    words[0] = source_of(gen, part, blocks.bytes, whole) >> 3;
    words[4] = pica_xfer_flags_set_copy(0, 1);
    words[6] = blocks.bytes;
    (void)harness_case_add_transfer(gen->out, words);
    return true;
}

/* Cuts the blocks to whole tiles of a format with `bytes` bytes a pixel: those at their end if it is the end of the
 * range, else those at their start. Returns how many. */
static uint32_t fit_tiles(struct part *blocks, uint32_t bytes, uint32_t most)
{
    const uint32_t tile = 64u * bytes;
    uint32_t tiles = blocks->bytes / tile;
    tiles = tiles < most ? tiles : most;
    if (blocks->address + blocks->bytes >= blocks->range.address + blocks->range.bytes)
        blocks->address += blocks->bytes - tiles * tile;
    blocks->bytes = tiles * tile;
    return tiles;
}

/* Without conversion between formats (PPF-12); from and to tiles or lines. */
static bool write_by_transfer(struct gen *gen, const struct part *part)
{
    static const enum pica_transfer_format formats[] = { PICA_TRANSFER_FORMAT_RGBA4, PICA_TRANSFER_FORMAT_RGB5A1,
                                                         PICA_TRANSFER_FORMAT_RGB565, PICA_TRANSFER_FORMAT_RGB8,
                                                         PICA_TRANSFER_FORMAT_RGBA8 };
    struct part blocks;
    const uint32_t pick = gen_below(gen, 5);
    const uint32_t bytes = pick < 3 ? 2 : pick;
    const uint32_t tiles = align_part(gen, part, BLOCK, &blocks) ? fit_tiles(&blocks, bytes, 64) : 0;
    if (tiles == 0)
        return false;
    const uint32_t layout = gen_below(gen, 3);
    uint32_t flags = pica_xfer_flags_set_in_format(0, formats[pick]);
    flags = pica_xfer_flags_set_out_format(flags, formats[pick]);
    flags = pica_xfer_flags_set_to_tiled(flags, layout == 1 ? 1 : 0);
    flags = pica_xfer_flags_set_keep_tiled(flags, layout == 2 ? 1 : 0);
    flags = pica_xfer_flags_set_flip(flags, gen_below(gen, 2));
    const bool tall = gen_percent(gen, 50);
    uint32_t words[9] = { 0, blocks.address >> 3 };
    gen_submit(gen);
    words[0] = source_of(gen, part, blocks.bytes, false) >> 3;
    words[2] = pica_xfer_dim_set_height(pica_xfer_dim_set_width(0, tall ? 8 : 8u * tiles), tall ? 8u * tiles : 8);
    words[3] = words[2]; /* with a height: programs give it, no console has it (PPF-04) */
    words[4] = flags;
    (void)harness_case_add_transfer(gen->out, words);
    return true;
}

/* ------------------------------------------------------------------------------------------------ a draw as writer */

/* What the registers held that a draw into other memory changes. */
struct kept {
    uint32_t ids[32];
    uint32_t words[32];
    uint32_t count;
};

static void set_for_now(struct gen *gen, struct kept *kept, uint32_t id, uint32_t word)
{
    kept->ids[kept->count] = id;
    kept->words[kept->count++] = gen->want[id];
    gen_set(gen, id, word);
}

static void set_back(struct gen *gen, const struct kept *kept)
{
    for (uint32_t i = kept->count; i > 0; i--)
        gen_set(gen, kept->ids[i - 1], kept->words[i - 1]);
}

/* RST-01: a smaller target with a viewport inside it, as the real one has. */
static void shrink_view(struct gen *gen, struct kept *kept, uint32_t width, uint32_t height)
{
    static const uint32_t ids[] = { PICA_REG_VIEWPORT_WIDTH, PICA_REG_VIEWPORT_INVW, PICA_REG_VIEWPORT_HEIGHT,
                                    PICA_REG_VIEWPORT_INVH, PICA_REG_VIEWPORT_XY };
    const struct gen_target target = gen->target;
    uint32_t dim = pica_framebuffer_dim_set_width(gen->want[PICA_REG_FRAMEBUFFER_DIM], width);
    dim = pica_framebuffer_dim_set_height_minus_1(dim, height - 1u);
    set_for_now(gen, kept, PICA_REG_FRAMEBUFFER_DIM, dim);
    for (uint32_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        set_for_now(gen, kept, ids[i], gen->want[ids[i]]);
    gen->target.width = width;
    gen->target.height = gen->target.rows = height;
    gen_viewport(gen);
    gen->target = target;
}

/* Makes the combiner use no texture, since that might be read and written at once (TEX-30): stage 0 takes the primary
 * colour, the others that of the stage before. */
static void leave_textures(struct gen *gen, struct kept *kept)
{
    for (uint32_t stage = 0; stage < 6; stage++) {
        const uint32_t source = stage == 0 ? PICA_TEV_SOURCE_PRIMARY_COLOR : PICA_TEV_SOURCE_PREVIOUS;
        const uint32_t word =
            pica_texenv_source_set_alpha_source0(pica_texenv_source_set_rgb_source0(0, source), source);
        set_for_now(gen, kept, pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), word);
        set_for_now(gen, kept, pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER), 0);
    }
    set_for_now(gen, kept, PICA_REG_LIGHTING_ENABLE0, 0);
    set_for_now(gen, kept, PICA_REG_LIGHTING_ENABLE1, 1);
    set_for_now(gen, kept, PICA_REG_TEXUNIT_CONFIG, 0);
}

static void aim_color(struct gen *gen, struct kept *kept, const struct part *blocks, uint32_t bytes)
{
    const uint32_t format = bytes == 4   ? PICA_COLOR_FORMAT_RGBA8
                            : bytes == 3 ? PICA_COLOR_FORMAT_RGB8
                                         : PICA_COLOR_FORMAT_RGB5A1 + gen_below(gen, 3);
    const uint32_t size = bytes == 4 ? PICA_PIXEL_SIZE_32 : bytes == 3 ? PICA_PIXEL_SIZE_24 : PICA_PIXEL_SIZE_16;
    const uint32_t word = pica_colorbuffer_format_set_pixel_size(pica_colorbuffer_format_set_format(0, format), size);
    uint32_t mask = 0; /* no test */
    for (uint32_t channel = 0; channel < 4; channel++)
        mask = pica_depth_color_mask_set_color_write_at(mask, channel, 1);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_LOC, blocks->address >> 3);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_FORMAT, word);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_READ, 15);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_WRITE, 15);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_READ, 0);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_WRITE, 0);
    set_for_now(gen, kept, PICA_REG_DEPTH_COLOR_MASK, mask);
}

static void aim_depth(struct gen *gen, struct kept *kept, const struct part *blocks, uint32_t bytes)
{
    const uint32_t format = bytes == 4   ? PICA_DEPTH_FORMAT_D24S8
                            : bytes == 3 ? PICA_DEPTH_FORMAT_D24
                                         : PICA_DEPTH_FORMAT_D16;
    uint32_t mask = pica_depth_color_mask_set_depth_test(0, 1);
    mask = pica_depth_color_mask_set_depth_function(mask, PICA_COMPARE_FUNC_ALWAYS);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_LOC, blocks->address >> 3);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_FORMAT, format);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_READ, 0);
    set_for_now(gen, kept, PICA_REG_COLORBUFFER_WRITE, 0);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_READ, 3);
    set_for_now(gen, kept, PICA_REG_DEPTHBUFFER_WRITE, 3);
    set_for_now(gen, kept, PICA_REG_DEPTH_COLOR_MASK, pica_depth_color_mask_set_depth_write(mask, 1));
}

/* FBF-02: in units of 64 bytes. No larger than the target, whose viewport stays. */
static bool write_by_draw(struct gen *gen, const struct part *part)
{
    struct part blocks;
    struct kept kept = { .count = 0 };
    const uint32_t bytes = 2u + gen_below(gen, 3);
    const uint32_t columns = gen->target.width / 8u;
    if (((part->vertices || part->etc) && gen->defined) || part->range.kind > HARNESS_RANGE_INDICES || columns == 0 ||
        !align_part(gen, part, 64, &blocks))
        return false;
    const uint32_t tiles = fit_tiles(&blocks, bytes, columns * (gen->target.rows / 8u));
    if ((blocks.address & 63u) != 0 || tiles == 0)
        return false;
    const uint32_t wide = tiles < columns ? tiles : gen_between(gen, 1, columns);
    const uint32_t high = tiles / wide < gen->target.rows / 8u ? tiles / wide : gen->target.rows / 8u;
    if (!gen_wild(gen, 40))
        leave_textures(gen, &kept);
    shrink_view(gen, &kept, 8u * wide, 8u * high);
    if (gen_percent(gen, 75))
        aim_color(gen, &kept, &blocks, bytes);
    else
        aim_depth(gen, &kept, &blocks, bytes);
    set_for_now(gen, &kept, PICA_REG_COLOR_OPERATION, pica_color_operation_set_blend_mode(0, PICA_BLEND_MODE_BLEND));
    set_for_now(gen, &kept, PICA_REG_STENCIL_TEST, 0);
    set_for_now(gen, &kept, PICA_REG_FRAGOP_ALPHA_TEST, 0);
    gen_draw_again(gen);
    set_back(gen, &kept);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- reuse */

/* Lets one of the writers that can do it write the part; the CPU always can. */
static void write_part(struct gen *gen, const struct part *part)
{
    static const uint32_t weights[HARNESS_WRITERS] = { 24, 22, 18, 18, 18 };
    bool written = false;
    for (int tries = 0; tries < 4 && !written; tries++)
        switch ((enum harness_writer)harness_random_weighted(&gen->random, weights, HARNESS_WRITERS)) {
        case HARNESS_WRITER_LOAD: tries = 4; break;
        case HARNESS_WRITER_FILL: written = write_by_fill(gen, part); break;
        case HARNESS_WRITER_TRANSFER: written = write_by_transfer(gen, part); break;
        case HARNESS_WRITER_COPY: written = write_by_copy(gen, part); break;
        case HARNESS_WRITER_DRAW: written = write_by_draw(gen, part); break;
        }
    if (!written)
        write_by_load(gen, part);
}

void gen_reuse(struct gen *gen)
{
    struct part part;
    for (uint32_t i = gen_between(gen, 1, 2); i > 0; i--) {
        if (!gen_may_go_on(gen) || !pick_range(gen, &part.range))
            return;
        describe(gen, &part);
        pick_part(gen, &part);
        if (gen_percent(gen, 40)) { /* so that what is read is visible, both times */
            gen_plain_fragment(gen);
            gen_draw_again(gen);
        }
        write_part(gen, &part);
        gen_draw_again(gen);
    }
}
