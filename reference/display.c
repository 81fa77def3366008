/*
 * The LCD controllers: the picture that memory holds for a screen right now.
 *
 * Both screens are mounted turned by 90 degrees, so a column of pixels on the screen is one line in memory:
 * it begins at the lower left corner, runs upwards for 240 pixels, and the next column follows after `stride`
 * bytes. Each screen has two buffers of which one is shown; the top screen has two more for the right eye. Timing and
 * colour tables are not modelled: vertical blanks are operations of the case (EXT-CMD-11).
 *
 * Worked number: RGB8 (3 bytes a pixel), stride 720 = 0x2D0, base B: the top left pixel is the last one of the first
 * column, at B + 0 * 720 + (239 - 0) * 3 = B + 0x2CD.
 */
#include "reference/display.h"

#include "pica/extregs.h"
#include "reference/engine.h"
#include "reference/framebuffer.h"
#include "reference/pipeline.h"

/* PDC-01. */
uint32_t ref_screen_columns(enum ref_screen screen)
{
    return screen == REF_SCREEN_TOP ? REF_SCREEN_TOP_COLUMNS : REF_SCREEN_BOTTOM_COLUMNS;
}

/* How a screen reads memory. */
struct scan {
    uint32_t base;   /* bytes */
    uint32_t stride; /* bytes */
    enum pica_color_format format;
};

/* One register of the screen's controller; PDC-01: 0x10400400 and 0x10400500. */
static uint32_t controller_word(const struct ref_gpu *gpu, enum ref_screen screen, enum pica_extreg base)
{
    return ref_external_read(gpu, pica_extreg_pdc((uint32_t)screen, base));
}

/* PDC-02: bytes from column to column: a multiple of 16, of 8, or any number. */
static uint32_t stride_of(const struct ref_gpu *gpu, uint32_t word)
{
    if (ref_takes(gpu, PICA_SIDE_DISPLAY_STRIDE_BYTES))
        return word;
    return ref_takes(gpu, PICA_SIDE_DISPLAY_STRIDE_UNITS_8) ? word - word % 8u : pica_pdc_stride_stride(word) << 4;
}

/* PDC-02 to PDC-05: addresses and stride are multiples of 16; PDC-06: the size register is ignored. */
static struct scan load_scan(const struct ref_gpu *gpu, enum ref_screen screen, enum ref_eye eye)
{
    const bool second = pica_pdc_select_buffer(controller_word(gpu, screen, PICA_EXTREG_PDC0_SELECT)) != 0;
    const bool right = screen == REF_SCREEN_TOP && eye == REF_EYE_RIGHT;
    const enum pica_extreg left_register = second ? PICA_EXTREG_PDC0_LEFT1 : PICA_EXTREG_PDC0_LEFT0;
    const enum pica_extreg right_register = second ? PICA_EXTREG_PDC0_RIGHT1 : PICA_EXTREG_PDC0_RIGHT0;
    struct scan scan;
    scan.base = pica_pdc_address_address(controller_word(gpu, screen, right ? right_register : left_register)) << 4;
    scan.stride = stride_of(gpu, controller_word(gpu, screen, PICA_EXTREG_PDC0_STRIDE));
    scan.format =
        ref_transfer_color_format(pica_pdc_format_format(controller_word(gpu, screen, PICA_EXTREG_PDC0_FORMAT)));
    return scan;
}

/* PDC-03: column x from the left, line y from the top; PDC-06: outside bytes are 0, no events. */
static void scan_pixel(const struct ref_gpu *gpu, const struct scan *scan, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint32_t bytes = ref_color_bytes(scan->format);
    const uint32_t address = scan->base + x * scan->stride + (REF_SCREEN_LINES - 1u - y) * bytes;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < bytes; i++)
        bits |= (uint32_t)ref_read8(gpu, address + i) << (8u * i);
    ref_color_expand(scan->format, bits, rgba);
}

/* PDC-07: the LCD's own colour fill. */
static void fill_pixel(uint32_t word, uint8_t rgba[4])
{
    rgba[0] = (uint8_t)pica_lcd_color_fill_red(word);
    rgba[1] = (uint8_t)pica_lcd_color_fill_green(word);
    rgba[2] = (uint8_t)pica_lcd_color_fill_blue(word);
    rgba[3] = 255;
}

/* PDC-03, PDC-05, PDC-07, PDC-08. */
void ref_scan_out(const struct ref_gpu *gpu, enum ref_screen screen, enum ref_eye eye, uint8_t *rgb)
{
    const uint32_t columns = ref_screen_columns(screen);
    const uint32_t fill = gpu->lcd_fill[screen == REF_SCREEN_TOP ? 0 : 1];
    const struct scan scan = load_scan(gpu, screen, eye);
    for (uint32_t y = 0; y < REF_SCREEN_LINES; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const size_t at = 3u * ((size_t)y * columns + x);
            uint8_t rgba[4];
            if (pica_lcd_color_fill_enable(fill))
                fill_pixel(fill, rgba);
            else
                scan_pixel(gpu, &scan, x, y, rgba);
            for (size_t c = 0; c < 3; c++)
                rgb[at + c] = rgba[c];
        }
}
