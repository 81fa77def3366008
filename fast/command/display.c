/* LCD scan-out (70, section 4): the picture of a screen; timing is not modelled. */
#include "fast/command/engine.h"
#include "fast/gpu.h"
#include "pica/extregs.h"

static uint32_t screen_register(const struct fast_gpu *gpu, uint32_t screen, enum pica_extreg base)
{
    return gpu->external[pica_extreg_pdc(screen, base) / 4u];
}

/* PDC-02, PDC-03, PDC-05: base address of the selected buffer. */
static uint32_t picture_address(const struct fast_gpu *gpu, uint32_t screen, bool right_eye)
{
    const bool second = pica_pdc_select_buffer(screen_register(gpu, screen, PICA_EXTREG_PDC0_SELECT)) != 0u;
    const enum pica_extreg left = second ? PICA_EXTREG_PDC0_LEFT1 : PICA_EXTREG_PDC0_LEFT0;
    const enum pica_extreg right = second ? PICA_EXTREG_PDC0_RIGHT1 : PICA_EXTREG_PDC0_RIGHT0;
    return pica_pdc_address_address(screen_register(gpu, screen, right_eye ? right : left)) << 4;
}

static void fill_picture(uint32_t word, uint32_t columns, uint8_t *rgb)
{
    for (uint32_t i = 0; i < columns * FAST_SCREEN_LINES; i++) {
        rgb[3u * i] = (uint8_t)pica_lcd_color_fill_red(word);
        rgb[3u * i + 1u] = (uint8_t)pica_lcd_color_fill_green(word);
        rgb[3u * i + 2u] = (uint8_t)pica_lcd_color_fill_blue(word);
    }
}

/* PDC-01, PDC-03, PDC-04, PDC-06 (the size register plays no part; outside bytes read 0), PDC-07, PDC-08. */
void fast_scan_out(const struct fast_gpu *gpu, uint32_t screen, bool right_eye, uint8_t *rgb)
{
    const uint32_t columns = screen == 0u ? FAST_SCREEN_COLUMNS_TOP : FAST_SCREEN_COLUMNS_BOTTOM;
    if (pica_lcd_color_fill_enable(gpu->lcd_fill[screen]) != 0u) {
        fill_picture(gpu->lcd_fill[screen], columns, rgb);
        return;
    }
    const uint32_t base = picture_address(gpu, screen, right_eye);
    const uint32_t stride = pica_pdc_stride_stride(screen_register(gpu, screen, PICA_EXTREG_PDC0_STRIDE)) << 4;
    const uint32_t format = pica_pdc_format_format(screen_register(gpu, screen, PICA_EXTREG_PDC0_FORMAT));
    const uint32_t bytes_per_pixel = fast_transfer_bytes(format);
    for (uint32_t y = 0; y < FAST_SCREEN_LINES; y++)
        for (uint32_t x = 0; x < columns; x++) {
            uint8_t bytes[4];
            uint8_t rgba[4];
            const uint32_t address = base + x * stride + (FAST_SCREEN_LINES - 1u - y) * bytes_per_pixel;
            fast_read_bytes(gpu, address, bytes, bytes_per_pixel);
            fast_transfer_expand(format, bytes, rgba);
            memcpy(rgb + 3u * (y * columns + x), rgba, 3);
        }
}
