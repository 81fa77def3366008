#include "harness/explore/touch.h"

#include "harness/case/pixel_size.h"
#include "oracles/pixels.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <inttypes.h>

static struct harness_range range(uint32_t first, uint64_t bytes)
{
    const struct harness_range out = { first, first + bytes };
    return out;
}

bool harness_range_has(const struct harness_range *range, uint32_t address, uint32_t bytes)
{
    return address < range->end && (uint64_t)address + bytes > range->first;
}

/* PSC-03: units of 8 bytes. */
static uint32_t fill_address(uint32_t word)
{
    return word << 3;
}

/* PPF-01. */
static uint32_t transfer_address(uint32_t word)
{
    return pica_xfer_address_address(word) << 4;
}

/* TXC-03: `size` bytes, after each line of them a gap. */
static uint64_t copied_span(uint32_t size, uint32_t line)
{
    const uint64_t length = (uint64_t)pica_copy_line_length(line) << 4, gap = (uint64_t)pica_copy_line_gap(line) << 4;
    return length == 0 || gap == 0 ? size : size + (size / length) * gap;
}

static struct harness_touch copy(const uint32_t words[9])
{
    const uint32_t size = pica_copy_size_size(words[6]) << 4;
    struct harness_touch touch;
    touch.reads = range(transfer_address(words[0]), copied_span(size, words[7]));
    touch.writes = range(transfer_address(words[1]), copied_span(size, words[8]));
    return touch;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static struct harness_touch transfer(const uint32_t words[9], const struct pica_choices *choices)
{
    struct harness_touch touch = { { 0, 0 }, { 0, 0 } };
    struct oracle_surface output;
    if (!oracle_transfer_surface(words, choices, &output))
        return touch;
    const uint32_t width = pica_xfer_dim_width(words[2]);
    const uint32_t pitch =
        pica_xfer_flags_crop(words[4]) != 0 ? greater(width, pica_xfer_indim_width(words[3])) : width;
    const uint64_t pixels = (uint64_t)pitch * pica_xfer_dim_height(words[2]);
    touch.reads =
        range(transfer_address(words[0]),
              pixels * harness_transfer_bytes((enum pica_transfer_format)pica_xfer_flags_in_format(words[4])));
    touch.writes = range(output.address, oracle_surface_bytes(&output));
    return touch;
}

struct harness_touch harness_touch_of(const struct pica_operation *operation, const struct pica_choices *choices)
{
    const uint32_t *const words = operation->words;
    struct harness_touch touch = { { 0, 0 }, { 0, 0 } };
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY: touch.writes = range(operation->address, operation->size); break;
    case PICA_OPERATION_MEMORY_FILL:
        if (words[1] > words[0])
            touch.writes = range(fill_address(words[0]), 8 * (uint64_t)(words[1] - words[0]));
        break;
    case PICA_OPERATION_DISPLAY_TRANSFER:
        return pica_xfer_flags_copy(words[4]) != 0 ? copy(words) : transfer(words, choices);
    case PICA_OPERATION_SUBMIT_LIST:
    case PICA_OPERATION_WRITE_REGISTER:
    case PICA_OPERATION_VERTICAL_BLANK: break;
    }
    return touch;
}

/* A register by its name, inside or outside the register file, or its address. */
static void add_write(uint32_t address, uint32_t value, struct harness_text *out)
{
    const uint32_t id = (address - PICA_INTERNAL_ADDRESS) / 4u;
    const struct pica_extreg_info *const outer = address >= PICA_EXTERNAL_ADDRESS && address < PICA_INTERNAL_ADDRESS
                                                     ? pica_extreg_info(address - PICA_EXTERNAL_ADDRESS)
                                                     : NULL;
    harness_text_format(out, "register write, 0x%08" PRIX32, address);
    if (address >= PICA_INTERNAL_ADDRESS && id < PICA_REGISTERS)
        harness_text_format(out, " %s", pica_reg_info(id)->name);
    else if (outer != NULL)
        harness_text_format(out, " %s", outer->name);
    harness_text_format(out, " = 0x%08" PRIX32, value);
}

void harness_operation_text(const struct pica_operation *operation, struct harness_text *out)
{
    const uint32_t *const words = operation->words;
    const uint32_t flags = words[4];
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        harness_text_format(out, "load, %" PRIu32 " bytes to 0x%08" PRIX32, operation->size, operation->address);
        return;
    case PICA_OPERATION_SUBMIT_LIST:
        harness_text_format(out, "command list at 0x%08" PRIX32 ", %" PRIu32 " bytes", operation->address,
                            operation->size);
        return;
    case PICA_OPERATION_WRITE_REGISTER: add_write(operation->address, words[0], out); return;
    case PICA_OPERATION_MEMORY_FILL:
        harness_text_format(out, "memory fill, unit %" PRIu32 ", 0x%08" PRIX32 " to 0x%08" PRIX32 " with 0x%08" PRIX32,
                            operation->unit, fill_address(words[0]), fill_address(words[1]), words[2]);
        return;
    case PICA_OPERATION_DISPLAY_TRANSFER:
        harness_text_format(out, "%s, 0x%08" PRIX32 " to 0x%08" PRIX32,
                            pica_xfer_flags_copy(flags) != 0 ? "texture copy" : "display transfer",
                            transfer_address(words[0]), transfer_address(words[1]));
        if (pica_xfer_flags_copy(flags) == 0)
            harness_text_format(out, ", %" PRIu32 " x %" PRIu32, pica_xfer_dim_width(words[2]),
                                pica_xfer_dim_height(words[2]));
        return;
    case PICA_OPERATION_VERTICAL_BLANK:
        harness_text_format(out, "vertical blank, %s screen", operation->unit == 0 ? "top" : "bottom");
        return;
    }
}
