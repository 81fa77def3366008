/* Relations of memory fills, display transfers and texture copies. */
#include "oracles/relate.h"

#include "pica/extregs.h"

static void write_external(struct oracle_job *job, uint32_t offset, uint32_t value)
{
    oracle_append_write(job, 1, 0x10400000u + offset, value);
}

/* ------------------------------------------------------------------------------------------------------------ fills */

static uint32_t pattern_length(enum pica_fill_width width)
{
    return width == PICA_FILL_WIDTH_16 ? 2 : width == PICA_FILL_WIDTH_32 ? 4 : 3;
}

/* PSC-06: the second part begins where the pattern does, at a multiple of 16 bytes. */
static bool split_fill(struct oracle_job *job, const struct pica_operation *operation)
{
    const uint32_t first = pica_fill_address_address(operation->words[0]);
    const uint32_t end = pica_fill_address_address(operation->words[1]);
    const uint32_t ctrl = operation->words[3];
    const uint32_t step = pattern_length(pica_fill_ctrl_width(ctrl)) == 3 ? 3 : 1; /* in units of 16 bytes */
    if (operation->kind != PICA_OPERATION_MEMORY_FILL || pica_fill_ctrl_start(ctrl) == 0 || first == 0 ||
        end <= first + step)
        return false;
    const uint32_t middle = first + step * (1 + oracle_below(job, (end - first - 1) / step));
    struct pica_operation parts[2] = { *operation, *operation };
    parts[0].words[1] = pica_fill_address_set_address(operation->words[1], middle);
    parts[1].words[0] = pica_fill_address_set_address(operation->words[0], middle);
    oracle_append(job, 0, operation);
    oracle_append(job, 1, &parts[0]);
    oracle_append(job, 1, &parts[1]);
    write_external(job, pica_extreg_fill(operation->unit, PICA_EXTREG_FILL0_START), operation->words[0]);
    return true;
}

/* PSC-05: two 16-bit patterns are one 32-bit pattern. */
static bool fill_width(struct oracle_job *job, const struct pica_operation *operation)
{
    const uint32_t ctrl = operation->words[3];
    if (operation->kind != PICA_OPERATION_MEMORY_FILL || pica_fill_ctrl_start(ctrl) == 0 ||
        pica_fill_ctrl_width(ctrl) != PICA_FILL_WIDTH_16)
        return false;
    struct pica_operation wide = *operation;
    wide.words[2] = (operation->words[2] & 0xFFFFu) * 0x10001u;
    wide.words[3] = pica_fill_ctrl_set_width(ctrl, (uint32_t)PICA_FILL_WIDTH_32);
    oracle_append(job, 0, operation);
    oracle_append(job, 1, &wide);
    write_external(job, pica_extreg_fill(operation->unit, PICA_EXTREG_FILL0_VALUE), operation->words[2]);
    /* PSC-04: without the start bit the width is stored, and the finished bit stays if it is written */
    write_external(job, pica_extreg_fill(operation->unit, PICA_EXTREG_FILL0_CTRL),
                   pica_fill_ctrl_set_start(pica_fill_ctrl_set_finished(ctrl, 1), 0));
    return true;
}

/* -------------------------------------------------------------------------------------------------------- transfers */

static uint32_t format_bytes(uint32_t format)
{
    return format == 0 ? 4 : format == 1 ? 3 : 2; /* PPF-10 */
}

/* PPF-13: may the transfer be split into two bands of rows? Without flip the order of pixels stays the same. */
static bool may_band(const struct oracle_job *job, const struct pica_operation *operation)
{
    const uint32_t flags = operation->words[4];
    const uint64_t width = pica_xfer_dim_width(operation->words[2]) & ~7u;
    const uint64_t height = pica_xfer_dim_height(operation->words[2]) & ~7u;
    const uint32_t most = job->walk->script->setup.limits.pixels;
    return operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && pica_xfer_flags_copy(flags) == 0 &&
           pica_xfer_flags_flip(flags) == 0 && pica_xfer_flags_block32(flags) == 0 &&
           pica_xfer_flags_scale(flags) != PICA_TRANSFER_SCALE_RESERVED_3 && width != 0 && height >= 32 &&
           width * height <= (most < 0x400000u ? most : 0x400000u) &&
           (pica_xfer_flags_crop(flags) == 0 || (pica_xfer_indim_width(operation->words[3]) & ~7u) != 0);
}

/* Bytes that `rows` rows take on one side; on a tiled side these are whole rows of tiles. */
static uint32_t band_bytes(uint32_t pitch, uint32_t rows, uint32_t format)
{
    return pitch * rows * format_bytes(format);
}

static bool transfer_bands(struct oracle_job *job, const struct pica_operation *operation)
{
    if (!may_band(job, operation))
        return false;
    const uint32_t flags = operation->words[4], dim = operation->words[2];
    const uint32_t width = pica_xfer_dim_width(dim) & ~7u, height = pica_xfer_dim_height(dim) & ~7u;
    const enum pica_transfer_scale scale = pica_xfer_flags_scale(flags);
    const bool tiled_out = pica_xfer_flags_to_tiled(flags) != 0 || pica_xfer_flags_keep_tiled(flags) != 0;
    const uint32_t out_width = scale == PICA_TRANSFER_SCALE_NONE ? width : width / 2;
    const uint32_t pitch = pica_xfer_flags_crop(flags) != 0 ? pica_xfer_indim_width(operation->words[3]) & ~7u : width;
    const uint32_t rows = 16 * (1 + oracle_below(job, height / 16 - 1)); /* 8 at least after scaling */
    if (rows >= height || (tiled_out && out_width % 8 != 0))
        return false;
    const uint32_t out_rows = scale == PICA_TRANSFER_SCALE_2X2 ? rows / 2 : rows;
    const uint32_t in_bytes = band_bytes(pitch, rows, (uint32_t)pica_xfer_flags_in_format(flags));
    const uint32_t out_bytes = band_bytes(out_width, out_rows, (uint32_t)pica_xfer_flags_out_format(flags));
    struct pica_operation parts[2] = { *operation, *operation };
    if (in_bytes % 16 != 0 || out_bytes % 16 != 0)
        return false;
    parts[0].words[2] = pica_xfer_dim_set_height(dim, rows);
    parts[1].words[2] = pica_xfer_dim_set_height(dim, height - rows);
    parts[1].words[0] = pica_xfer_address_set_address(operation->words[0],
                                                      pica_xfer_address_address(operation->words[0]) + in_bytes / 16);
    parts[1].words[1] = pica_xfer_address_set_address(operation->words[1],
                                                      pica_xfer_address_address(operation->words[1]) + out_bytes / 16);
    oracle_append(job, 0, operation);
    oracle_append(job, 1, &parts[0]);
    oracle_append(job, 1, &parts[1]);
    write_external(job, PICA_EXTREG_XFER_IN, operation->words[0]);
    write_external(job, PICA_EXTREG_XFER_OUT, operation->words[1]);
    write_external(job, PICA_EXTREG_XFER_DIM, dim);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- copies */

/* TXC-05: how far a side is after `blocks` blocks, a whole number of its lines if it has gaps. */
static uint32_t side_blocks(uint32_t line, uint32_t blocks)
{
    const uint32_t length = pica_copy_line_length(line), gap = pica_copy_line_gap(line);
    return gap == 0 ? blocks : blocks + blocks / length * gap;
}

/* Positions wrap modulo 2^32 (TXC-08), but an address register holds what lies below 2^32 - 15. */
static bool split_copy(struct oracle_job *job, const struct pica_operation *operation)
{
    const uint32_t *const words = operation->words;
    const uint32_t total = pica_copy_size_size(words[6]);
    const uint32_t most = job->walk->script->setup.limits.pixels;
    uint32_t step = 1;
    if (operation->kind != PICA_OPERATION_DISPLAY_TRANSFER || pica_xfer_flags_copy(words[4]) == 0 || total < 2 ||
        total > 0x02000000u / 16 || (uint64_t)total * 16 > 4 * (uint64_t)most)
        return false;
    for (uint32_t side = 7; side <= 8; side++) {
        const uint32_t length = pica_copy_line_length(words[side]);
        if (pica_copy_line_gap(words[side]) == 0)
            continue;
        if (length == 0)
            return false; /* TXC-06 */
        step = step % length == 0 ? step : length % step == 0 ? length : step * length;
    }
    if (step >= total)
        return false;
    const uint32_t blocks = step * (1 + oracle_below(job, (total - 1) / step));
    struct pica_operation parts[2] = { *operation, *operation };
    parts[0].words[6] = pica_copy_size_set_size(words[6], blocks);
    parts[1].words[6] = pica_copy_size_set_size(words[6], total - blocks);
    for (uint32_t side = 0; side < 2; side++)
        parts[1].words[side] = pica_xfer_address_set_address(words[side], pica_xfer_address_address(words[side]) +
                                                                              side_blocks(words[7 + side], blocks));
    oracle_append(job, 0, operation);
    oracle_append(job, 1, &parts[0]);
    oracle_append(job, 1, &parts[1]);
    write_external(job, PICA_EXTREG_XFER_IN, words[0]);
    write_external(job, PICA_EXTREG_XFER_OUT, words[1]);
    write_external(job, PICA_EXTREG_COPY_SIZE, words[6]);
    return true;
}

/* The registers that a transfer operation writes, in this order. */
static const uint32_t transfer_ids[9] = { PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,   PICA_EXTREG_XFER_DIM,
                                          PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS, PICA_EXTREG_XFER_UNK14,
                                          PICA_EXTREG_COPY_SIZE,  PICA_EXTREG_COPY_IN,    PICA_EXTREG_COPY_OUT };

/* Copies or transfers a piece of memory, unchanged, onto itself. */
static bool identity_copy(struct oracle_job *job, const struct pica_operation *operation)
{
    const struct pica_setup *const setup = &job->walk->script->setup;
    const struct pica_window *const window = &setup->windows[oracle_below(job, setup->window_count)];
    const uint32_t first = window->address + 0x100u * oracle_below(job, window->size / 0x100u);
    const uint32_t left = window->address + window->size - first; /* 0x100 at least */
    const uint64_t most = 4 * (uint64_t)setup->limits.pixels;
    if ((operation->kind != PICA_OPERATION_SUBMIT_LIST && operation->kind != PICA_OPERATION_VERTICAL_BLANK) ||
        most < 0x100)
        return false;
    struct pica_operation copy = { .kind = PICA_OPERATION_DISPLAY_TRANSFER };
    copy.words[0] = copy.words[1] = first >> 3;
    if (oracle_below(job, 2) == 0) {
        copy.words[4] = pica_xfer_flags_set_copy(0, 1);
        copy.words[6] = (uint32_t)(left < most ? left : most) & ~15u;
    } else { /* RGBA8 tiles to RGBA8 tiles of the same place, 8x8 pixels */
        copy.words[2] = copy.words[3] = pica_xfer_dim_set_width(pica_xfer_dim_set_height(0, 8), 8);
        copy.words[4] = pica_xfer_flags_set_keep_tiled(0, 1);
    }
    oracle_append(job, 0, operation);
    oracle_append(job, 1, operation);
    oracle_append(job, 1, &copy);
    for (uint32_t i = 0; i < 9; i++)
        write_external(job, transfer_ids[i], job->pending->parameters[i]);
    return true;
}

/* What the registers of the engine hold now, for identity_copy to restore: words of the last transfer. */
static bool identity(struct oracle_job *job, const struct pica_operation *operation)
{
    const bool done = job->pending->count == 0 && identity_copy(job, operation);
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        for (uint32_t i = 0; i < 9; i++)
            job->pending->parameters[i] = operation->words[i];
    if (operation->kind == PICA_OPERATION_WRITE_REGISTER && (operation->address & ~0xFFFu) == 0x10400000u)
        job->pending->count = 1; /* the registers are not followed any further */
    return done;
}

static void prepare_identity(struct oracle_job *job)
{
    const struct pica_state *const state = job->walk->script->setup.initial_state;
    for (uint32_t i = 0; state != NULL && i < 9; i++)
        job->pending->parameters[i] =
            state->external[transfer_ids[i] / 4] & pica_extreg_info(transfer_ids[i])->stored; /* PSC-01 */
}

const struct oracle_relation oracle_engine_relations[] = {
    { .name = "split-fill",
      .what = "a memory fill is done in two parts",
      .rules = "PSC-01 PSC-02 PSC-05 PSC-06",
      .exclude = { .interrupts = 3 },
      .operation = split_fill },
    { .name = "fill-width",
      .what = "a 16-bit fill is done as a 32-bit fill of the value twice",
      .rules = "PSC-01 PSC-03 PSC-04 PSC-05 PSC-06",
      .operation = fill_width },
    { .name = "transfer-bands",
      .what = "a display transfer is done in two bands of rows",
      .rules = "PPF-01 PPF-04 PPF-05 PPF-06 PPF-08 PPF-13 PPF-15 PPF-17",
      .exclude = { .interrupts = 16 },
      .operation = transfer_bands },
    { .name = "split-copy",
      .what = "a texture copy is done in two parts",
      .rules = "TXC-02 TXC-03 TXC-04 TXC-05 TXC-07 TXC-08",
      .exclude = { .interrupts = 16 },
      .operation = split_copy },
    { .name = "identity-copy",
      .what = "after lists and vertical blanks a piece of memory is copied or transferred to where it is",
      .rules = "TXC-05 PPF-07 PPF-10 PPF-11 PPF-13 PSC-01",
      .exclude = { .interrupts = 16, .external_words = 3 },
      .prepare = prepare_identity,
      .operation = identity },
};
const size_t oracle_engine_relation_count = sizeof oracle_engine_relations / sizeof oracle_engine_relations[0];
