#include "harness/run/display.h"

#include "pica/extregs.h"
#include "pica/memory.h"

#include <string.h>

static const uint32_t first = PICA_EXTERNAL_ADDRESS + 0x400;

enum {
    COLUMN_BYTES = 4 * PICA_SCREEN_LINES /* of the widest format */
};

enum {
    NO_REGISTER = HARNESS_DISPLAY_WORDS + 2 /* the fill colours follow the words */
};

/* PSC-12: bits 0-1 of an address are ignored. */
static uint32_t number_of(uint32_t address)
{
    const uint32_t word = address & ~3u;
    if (word >= first && word - first < 4u * HARNESS_DISPLAY_WORDS)
        return (word - first) / 4u;
    return word == PICA_LCDREG_COLOR_FILL_TOP      ? HARNESS_DISPLAY_WORDS
           : word == PICA_LCDREG_COLOR_FILL_BOTTOM ? HARNESS_DISPLAY_WORDS + 1
                                                   : NO_REGISTER;
}

bool harness_display_has(uint32_t address)
{
    return number_of(address) != NO_REGISTER;
}

uint32_t harness_display_read(const struct harness_display *display, uint32_t address)
{
    const uint32_t number = number_of(address);
    if (number == NO_REGISTER)
        return 0;
    return number < HARNESS_DISPLAY_WORDS ? display->words[number] : display->fill[number - HARNESS_DISPLAY_WORDS];
}

bool harness_display_write(struct harness_display *display, uint32_t address, uint32_t value)
{
    const uint32_t number = number_of(address);
    if (number == NO_REGISTER)
        return false;
    const bool is_fill = number >= HARNESS_DISPLAY_WORDS;
    const struct pica_extreg_info *const info = is_fill ? NULL : pica_extreg_info(0x400u + 4u * number);
    uint32_t *const place = is_fill ? &display->fill[number - HARNESS_DISPLAY_WORDS] : &display->words[number];
    *place = value & (info != NULL ? info->stored : UINT32_MAX);
    display->is_set = display->is_set || *place != 0;
    return true;
}

void harness_display_begin(struct harness_display *display, const struct pica_state *initial)
{
    memset(display, 0, sizeof *display); /* nothing of the case before may remain */
    if (initial == NULL)
        return;
    for (uint32_t i = 0; i < HARNESS_DISPLAY_WORDS; i++)
        if (initial->external[0x100 + i] != 0)
            (void)harness_display_write(display, first + 4u * i, initial->external[0x100 + i]);
    (void)harness_display_write(display, PICA_LCDREG_COLOR_FILL_TOP, initial->lcd_fill[0]);
    (void)harness_display_write(display, PICA_LCDREG_COLOR_FILL_BOTTOM, initial->lcd_fill[1]);
}

static uint32_t word(const struct harness_display *display, uint32_t screen, enum pica_extreg base)
{
    return display->words[(pica_extreg_pdc(screen, base) - 0x400u) / 4u];
}

static bool meets_memory(uint32_t address, const struct pica_window *windows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (address - windows[i].address < windows[i].size || windows[i].address - address < COLUMN_BYTES)
            return true;
    return false;
}

/* PDC-03, with the addresses as they are: a few bytes more or less (PDC-02) decide nothing that matters. */
static bool is_in_memory(uint32_t base, uint32_t stride, uint32_t columns, const struct pica_window *windows,
                         uint32_t count)
{
    for (uint32_t x = 0; x < (stride != 0 ? columns : 1u); x++)
        if (meets_memory(base + x * stride, windows, count))
            return true;
    return false;
}

static bool is_lit(const struct harness_display *display, enum oracle_screen which, const struct pica_window *windows,
                   uint32_t count)
{
    static const enum pica_extreg bases[2][2] = { { PICA_EXTREG_PDC0_LEFT0, PICA_EXTREG_PDC0_LEFT1 },
                                                  { PICA_EXTREG_PDC0_RIGHT0, PICA_EXTREG_PDC0_RIGHT1 } };
    const uint32_t screen = which == ORACLE_SCREEN_BOTTOM ? 1 : 0;
    const uint32_t second = pica_pdc_select_buffer(word(display, screen, PICA_EXTREG_PDC0_SELECT));
    if (pica_lcd_color_fill_enable(display->fill[screen]))
        return true;
    return is_in_memory(word(display, screen, bases[which == ORACLE_SCREEN_RIGHT_EYE][second]),
                        word(display, screen, PICA_EXTREG_PDC0_STRIDE), oracle_screen_columns(which), windows, count);
}

uint32_t harness_display_lit(const struct harness_display *display, const struct pica_window *windows, uint32_t count)
{
    uint32_t lit = 0;
    for (uint32_t screen = 0; display->is_set && screen < ORACLE_SCREENS; screen++)
        if (is_lit(display, (enum oracle_screen)screen, windows, count))
            lit |= 1u << screen;
    return lit;
}
