/* What a person sees on the upper screen, for emulators that make screenshots. */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 400,
    LINES = 240
};

static uint8_t widen(uint32_t value, uint32_t bits)
{
    const uint32_t most = (1u << bits) - 1u;
    return (uint8_t)((value & most) * 255 / most);
}

/* Formats as frame buffers count: RGBA8, RGB8, RGB565, RGB5A1, RGBA4. */
static void decode(const uint8_t *bytes, uint32_t format, uint8_t rgb[3])
{
    const uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8;
    if (format < 2) {
        for (int i = 0; i < 3; i++)
            rgb[i] = bytes[(format == 0 ? 3 : 2) - i];
    } else {
        const uint32_t bits = format == 4 ? 4 : 5, green = format == 2 ? 6 : bits;
        rgb[0] = widen(word >> (16 - bits), bits);
        rgb[1] = widen(word >> (16 - bits - green), green);
        rgb[2] = widen(word >> (format == 2 ? 0 : 16 - 3 * bits), bits);
    }
}

/* The frame buffer: the host's picture, where the emulator keeps one, or memory. */
static bool read_buffer(struct mock *console, uint8_t *out, uint32_t size)
{
    const struct mock_picture *const picture = &console->gsp.picture;
    const uint32_t physical = mock_physical(console, console->gsp.upper.address, size);
    if (picture->bytes != NULL && picture->physical == physical && picture->size >= size) {
        memcpy(out, picture->bytes, size);
        return true;
    }
    return physical != 0 && mock_gpu_read_memory(console, physical, out, size);
}

void mock_show(struct mock *console)
{
    const struct mock_screen *const upper = &console->gsp.upper;
    const uint32_t pixel = upper->format == 0 ? 4 : upper->format == 1 ? 3 : 2;
    if (console->setup->frame == NULL || upper->address == 0 || upper->stride < LINES * pixel)
        return;
    uint8_t *const buffer = malloc((size_t)COLUMNS * upper->stride), *const rgb = malloc((size_t)3 * COLUMNS * LINES);
    if (buffer != NULL && rgb != NULL && read_buffer(console, buffer, COLUMNS * upper->stride)) {
        for (uint32_t x = 0; x < COLUMNS; x++)
            for (uint32_t y = 0; y < LINES; y++)
                decode(buffer + (size_t)x * upper->stride + (size_t)(LINES - 1 - y) * pixel, upper->format,
                       rgb + 3 * ((size_t)y * COLUMNS + x));
        console->setup->frame(console->setup->user, rgb);
    }
    free(buffer);
    free(rgb);
}
