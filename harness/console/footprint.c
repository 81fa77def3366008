#include "harness/console/footprint.h"

#include "harness/console/payload.h"
#include "oracles/pixels.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <inttypes.h>

enum {
    GUARD = 0x10000 /* bytes that buffers stay away from the end of VRAM */
};

static bool in_vram(uint32_t address, uint64_t bytes)
{
    return bytes <= UINT32_MAX && console_range_in(address, (uint32_t)bytes, PICA_VRAM_ADDRESS, PICA_VRAM_SIZE);
}

/* How many bytes from an address on lie in the window that holds it; 0: none does. */
static uint32_t bytes_in_window(const struct pica_setup *setup, uint64_t address)
{
    for (uint32_t i = 0; i < setup->window_count; i++)
        if (address - setup->windows[i].address < setup->windows[i].size)
            return setup->windows[i].size - (uint32_t)(address - setup->windows[i].address);
    return 0;
}

/* Windows that touch behave like one (MEM-01). */
static bool in_windows(const struct pica_setup *setup, uint32_t address, uint64_t bytes)
{
    uint64_t done = 0;
    uint32_t more = 1;
    while (more != 0 && done < bytes) {
        more = bytes_in_window(setup, address + done);
        done += more;
    }
    return done >= bytes;
}

void console_check_windows(const struct pica_setup *setup, struct harness_text *reasons)
{
    for (uint32_t i = 0; i < setup->window_count; i++)
        if (!in_vram(setup->windows[i].address, setup->windows[i].size))
            harness_text_format(reasons, "window 0x%08" PRIX32 "-0x%08" PRIX32 " is not in VRAM\n",
                                setup->windows[i].address, setup->windows[i].address + setup->windows[i].size - 1);
}

/* ------------------------------------------------------------------------------------------------------ operations */

static void check_write(const struct pica_operation *operation, uint32_t index, struct harness_text *reasons)
{
    const uint32_t address = operation->address & ~3u;
    const uint32_t offset = address - PICA_INTERNAL_ADDRESS + CONSOLE_INTERNAL_REGISTERS;
    const char *what = "a register that starts something, or that is none of a case's business";
    if (address - (PICA_EXTERNAL_ADDRESS + 0x400) < 0x200)
        what = "an LCD controller";
    else if (address == PICA_LCD_FILL_TOP_ADDRESS || address == PICA_LCD_FILL_BOTTOM_ADDRESS)
        what = "an LCD register";
    else if (address - PICA_INTERNAL_ADDRESS < 0x40 * 4)
        what = "an interrupt register";
    else if (address - PICA_INTERNAL_ADDRESS < 0x1000 && console_register_allowed(offset))
        return;
    harness_text_format(reasons, "operation %" PRIu32 " writes 0x%08" PRIX32 ": %s\n", index, operation->address, what);
}

/* Start and end are masked by PSC-02. */
static void check_fill(const struct pica_operation *operation, uint32_t index, struct harness_text *reasons)
{
    const uint32_t start = (operation->words[0] & 0x1FFFFFFEu) << 3, end = (operation->words[1] & 0x1FFFFFFEu) << 3;
    const uint32_t control = operation->words[3];
    if (!in_vram(start, end > start ? end - start : 0))
        harness_text_format(reasons, "operation %" PRIu32 " fills 0x%08" PRIX32 "-0x%08" PRIX32 ": not in VRAM\n",
                            index, start, end);
    if ((control & ~0x301u) != 0 || (control & 1u) == 0)
        harness_text_format(reasons,
                            "operation %" PRIu32 " fills with control 0x%08" PRIX32
                            ": gsp passes on bits 0, 8 and 9, and bit 0 must be set\n",
                            index, control);
}

static void check_transfer(const struct pica_operation *operation, uint32_t index, struct harness_text *reasons)
{
    const uint32_t in = (operation->words[0] & 0x1FFFFFFEu) << 3, out = (operation->words[1] & 0x1FFFFFFEu) << 3;
    if (!in_vram(in, 16) || !in_vram(out, 16))
        harness_text_format(reasons,
                            "operation %" PRIu32 " transfers from 0x%08" PRIX32 " to 0x%08" PRIX32 ": not in VRAM\n",
                            index, in, out);
    if (operation->words[5] != 0)
        harness_text_format(reasons, "operation %" PRIu32 " sets XFER.UNK14, which gsp does not pass on\n", index);
}

void console_check_operation(const struct pica_operation *operation, uint32_t index, struct harness_text *reasons)
{
    switch (operation->kind) {
    case PICA_OPERATION_WRITE_REGISTER: check_write(operation, index, reasons); break;
    case PICA_OPERATION_MEMORY_FILL: check_fill(operation, index, reasons); break;
    case PICA_OPERATION_DISPLAY_TRANSFER: check_transfer(operation, index, reasons); break;
    case PICA_OPERATION_VERTICAL_BLANK:
        harness_text_format(reasons, "operation %" PRIu32 " is a vertical blank: only the LCD controllers make one\n",
                            index);
        break;
    case PICA_OPERATION_LOAD_MEMORY:
    case PICA_OPERATION_SUBMIT_LIST: break;
    }
}

/* ----------------------------------------------------------------------------------------------------------- draws */

static void check_surface(const struct pica_setup *setup, const struct oracle_surface *surface, bool is_used,
                          const char *name, uint32_t index, struct harness_text *reasons)
{
    const uint64_t bytes = oracle_surface_bytes(surface);
    const bool fits = in_windows(setup, surface->address, bytes) &&
                      (uint64_t)surface->address + bytes <= (uint64_t)PICA_VRAM_ADDRESS + PICA_VRAM_SIZE - GUARD;
    if (is_used ? fits : surface->address == 0 || in_vram(surface->address, 1))
        return;
    harness_text_format(reasons,
                        "draw %" PRIu32 ": the %s buffer 0x%08" PRIX32 ", %" PRIu64
                        " bytes, does not lie in the windows, 64 KiB before the end of VRAM\n",
                        index, name, surface->address, bytes);
}

static void check_textures(const struct pica_setup *setup, const struct pica_draw *draw, uint32_t index,
                           struct harness_text *reasons)
{
    for (uint32_t unit = 0; unit < 3; unit++) {
        const uint32_t word = draw->registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)];
        const uint32_t address = pica_texunit_addr_address(word) << 3;
        if (pica_texunit_config_unit_enable_at(draw->registers[PICA_REG_TEXUNIT_CONFIG], unit) != 0 &&
            !in_windows(setup, address, 16))
            harness_text_format(
                reasons, "draw %" PRIu32 ": texture unit %" PRIu32 " reads 0x%08" PRIX32 ", which lies in no window\n",
                index, unit, address);
    }
}

void console_check_draw(const struct pica_setup *setup, const struct pica_draw *draw, uint32_t index,
                        struct harness_text *reasons)
{
    const uint32_t *const registers = draw->registers;
    struct oracle_surface surface;
    if (oracle_color_surface(registers, NULL, &surface))
        check_surface(setup, &surface,
                      ((registers[PICA_REG_COLORBUFFER_READ] | registers[PICA_REG_COLORBUFFER_WRITE]) & 0xFu) != 0,
                      "colour", index, reasons);
    if (oracle_depth_surface(registers, NULL, &surface))
        check_surface(setup, &surface,
                      ((registers[PICA_REG_DEPTHBUFFER_READ] | registers[PICA_REG_DEPTHBUFFER_WRITE]) & 3u) != 0,
                      "depth", index, reasons);
    check_textures(setup, draw, index, reasons);
    const uint32_t base = pica_attribbuffers_loc_base(registers[PICA_REG_ATTRIBBUFFERS_LOC]) << 4;
    if (base != 0 && !in_vram(base, 1))
        harness_text_format(reasons, "draw %" PRIu32 ": vertices come from 0x%08" PRIX32 ", which is not in VRAM\n",
                            index, base);
}
