#include "harness/console/show.h"

/* Where in VRAM the picture fits beside all windows, as high as can be; 0: nowhere. */
static uint32_t find_room(const struct pica_setup *setup)
{
    uint32_t at = CONSOLE_VRAM_PHYSICAL + CONSOLE_VRAM_BYTES - CONSOLE_SHOW_BYTES;
    for (uint32_t w = 0; w < setup->window_count; w++) {
        const struct pica_window *const window = &setup->windows[w];
        if (window->address >= at + CONSOLE_SHOW_BYTES || (uint64_t)window->address + window->size <= at)
            continue;
        if (window->address < CONSOLE_VRAM_PHYSICAL + CONSOLE_SHOW_BYTES)
            return 0;
        at = (window->address - CONSOLE_SHOW_BYTES) & ~15u;
        w = UINT32_MAX; /* it may meet one that it did not meet before */
    }
    return at - CONSOLE_VRAM_PHYSICAL + CONSOLE_VRAM_VIRTUAL;
}

/* As transfers and screens count; CONSOLE_SHOW_FORMATS: neither shows it. */
static uint32_t format_of(enum oracle_format format)
{
    switch (format) {
    case ORACLE_FORMAT_RGBA8: return 0;
    case ORACLE_FORMAT_RGB8: return 1;
    case ORACLE_FORMAT_RGB565: return 2;
    case ORACLE_FORMAT_RGB5A1: return 3;
    case ORACLE_FORMAT_RGBA4: return 4;
    case ORACLE_FORMAT_RESERVED:
    case ORACLE_FORMAT_DEPTH16:
    case ORACLE_FORMAT_DEPTH24:
    case ORACLE_FORMAT_DEPTH24_STENCIL8: break;
    }
    return CONSOLE_SHOW_FORMATS;
}

static bool is_shown(const struct harness_program *program, const struct console_plan *plan)
{
    const struct oracle_surface *const target = &plan->target;
    return plan->has_target && program->operations[program->count - 1].kind != PICA_OPERATION_LOAD_MEMORY &&
           target->layout == ORACLE_LAYOUT_TILED && target->width % 8 == 0 && target->height % 8 == 0 &&
           target->pitch == target->width && format_of(target->format) != CONSOLE_SHOW_FORMATS;
}

uint32_t console_show_parts(const struct harness_program *program, const struct console_plan *plan, uint32_t number,
                            struct console_show out[CONSOLE_MOST_SHOWS])
{
    const struct oracle_surface *const target = &plan->target;
    const uint32_t picture = is_shown(program, plan) ? find_room(&program->setup) : 0;
    uint32_t count = 0;
    if (picture == 0)
        return 0;
    const uint32_t columns = target->width / 8, rows = target->height / 8;
    const uint32_t format = format_of(target->format), tile = 64 * console_show_bytes(format);
    for (uint32_t row = 0; row < rows; row += CONSOLE_SHOW_ROWS)
        for (uint32_t column = 0; column < columns; column += CONSOLE_SHOW_TILES) {
            const uint32_t tiles = columns - column < CONSOLE_SHOW_TILES ? columns - column : CONSOLE_SHOW_TILES;
            const struct console_show show = { .number = number + count,
                                               .address = target->address - CONSOLE_VRAM_PHYSICAL +
                                                          CONSOLE_VRAM_VIRTUAL + (row * columns + column) * tile,
                                               .tiles = tiles,
                                               .gap = columns - tiles,
                                               .rows = rows - row < CONSOLE_SHOW_ROWS ? rows - row : CONSOLE_SHOW_ROWS,
                                               .format = format,
                                               .picture = picture };
            if (count == CONSOLE_MOST_SHOWS || !console_show_allowed(&show))
                return 0;
            out[count++] = show;
        }
    return count;
}
