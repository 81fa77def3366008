#include "harness/console/runner/screen.h"

#include "harness/console/runner/system.h"

enum {
    COLUMNS = 400,
    LOWER_COLUMNS = 320, /* the lower screen shows the first ones */
    LINES = 240,         /* a column lies in memory from the bottom to the top */
    STRIDE = 2 * LINES,
    RGB565 = 2,
    MODE_UPPER = 0x140, /* doubled columns: no 3D */
    MODE_LOWER = 0x100,
    SCREEN_ENTRIES = 0x200,
    ENTRY_BYTES = 28,
    LETTER_COLUMNS = 5,
    ZOOM = 2,
    LETTER_WIDTH = ZOOM * (LETTER_COLUMNS + 1),
    MARGIN = 16,
    BAR_COLUMNS = 288,
    BAR_TOP = 136,
    BAR_LINES = 16,
    WHITE = 0xFFFF,
    GREY = 0x4208,
    GREEN = 0x07E0,
    BLACK = 0
};

static const uint64_t FRAME = 17000000; /* ns: a vertical blank and a bit */

/* Columns from the left, bit 0 at the top: '-' to '9', then A to Z. */
static const uint8_t digits[13][LETTER_COLUMNS] = { { 0x08, 0x08, 0x08, 0x08, 0x08 }, { 0x00, 0x60, 0x60, 0x00, 0x00 },
                                                    { 0x20, 0x10, 0x08, 0x04, 0x02 }, { 0x3E, 0x51, 0x49, 0x45, 0x3E },
                                                    { 0x00, 0x42, 0x7F, 0x40, 0x00 }, { 0x42, 0x61, 0x51, 0x49, 0x46 },
                                                    { 0x21, 0x41, 0x45, 0x4B, 0x31 }, { 0x18, 0x14, 0x12, 0x7F, 0x10 },
                                                    { 0x27, 0x45, 0x45, 0x45, 0x39 }, { 0x3C, 0x4A, 0x49, 0x49, 0x30 },
                                                    { 0x01, 0x71, 0x09, 0x05, 0x03 }, { 0x36, 0x49, 0x49, 0x49, 0x36 },
                                                    { 0x06, 0x49, 0x49, 0x29, 0x1E } };
static const uint8_t letters[26][LETTER_COLUMNS] = {
    { 0x7E, 0x11, 0x11, 0x11, 0x7E }, { 0x7F, 0x49, 0x49, 0x49, 0x36 }, { 0x3E, 0x41, 0x41, 0x41, 0x22 },
    { 0x7F, 0x41, 0x41, 0x22, 0x1C }, { 0x7F, 0x49, 0x49, 0x49, 0x41 }, { 0x7F, 0x09, 0x09, 0x09, 0x01 },
    { 0x3E, 0x41, 0x49, 0x49, 0x7A }, { 0x7F, 0x08, 0x08, 0x08, 0x7F }, { 0x00, 0x41, 0x7F, 0x41, 0x00 },
    { 0x20, 0x40, 0x41, 0x3F, 0x01 }, { 0x7F, 0x08, 0x14, 0x22, 0x41 }, { 0x7F, 0x40, 0x40, 0x40, 0x40 },
    { 0x7F, 0x02, 0x0C, 0x02, 0x7F }, { 0x7F, 0x04, 0x08, 0x10, 0x7F }, { 0x3E, 0x41, 0x41, 0x41, 0x3E },
    { 0x7F, 0x09, 0x09, 0x09, 0x06 }, { 0x3E, 0x41, 0x51, 0x21, 0x5E }, { 0x7F, 0x09, 0x19, 0x29, 0x46 },
    { 0x46, 0x49, 0x49, 0x49, 0x31 }, { 0x01, 0x01, 0x7F, 0x01, 0x01 }, { 0x3F, 0x40, 0x40, 0x40, 0x3F },
    { 0x1F, 0x20, 0x40, 0x20, 0x1F }, { 0x3F, 0x40, 0x38, 0x40, 0x3F }, { 0x63, 0x14, 0x08, 0x14, 0x63 },
    { 0x07, 0x08, 0x70, 0x08, 0x07 }, { 0x61, 0x51, 0x49, 0x45, 0x43 }
};

static void box(struct screen *screen, uint32_t x, uint32_t y, uint32_t columns, uint32_t lines, uint16_t color)
{
    for (uint32_t i = x; i < x + columns && i < COLUMNS; i++)
        for (uint32_t j = y; j < y + lines && j < LINES; j++)
            screen->pixels[i * LINES + (LINES - 1 - j)] = color;
}

static const uint8_t *picture(char letter)
{
    if (letter >= '-' && letter <= '9')
        return digits[letter - '-'];
    if (letter >= 'a' && letter <= 'z')
        return letters[letter - 'a'];
    return letter >= 'A' && letter <= 'Z' ? letters[letter - 'A'] : NULL;
}

static void draw_letter(struct screen *screen, uint32_t x, uint32_t y, char letter)
{
    const uint8_t *columns = picture(letter);
    for (uint32_t i = 0; columns != NULL && i < LETTER_COLUMNS; i++)
        for (uint32_t j = 0; j < 7; j++)
            if ((columns[i] >> j & 1) != 0)
                box(screen, x + ZOOM * i, y + ZOOM * j, ZOOM, ZOOM, WHITE);
}

static void draw_line(struct screen *screen, uint32_t y, const char *text)
{
    box(screen, 0, y, COLUMNS, 8 * ZOOM, BLACK);
    for (uint32_t x = MARGIN; *text != 0; text++, x += LETTER_WIDTH)
        draw_letter(screen, x, y, *text);
}

static void flush(const struct screen *screen)
{
    gpu_flush(screen->gpu, (uint32_t)(uintptr_t)screen->pixels, SCREEN_BYTES);
}

/* Buffer 0 or 1 of one screen; its description is the entry of the same number. */
static void describe(const struct screen *screen, uint32_t lower, uint32_t buffer, const struct screen_picture *picture)
{
    volatile uint8_t *entry = screen->gpu->shared + SCREEN_ENTRIES + 0x80 * screen->gpu->client + 0x40 * lower;
    volatile uint32_t *info = (volatile uint32_t *)(entry + 4 + ENTRY_BYTES * buffer);
    volatile uint32_t *header = (volatile uint32_t *)entry;
    info[0] = buffer;
    info[1] = picture->address; /* left eye, right eye */
    info[2] = picture->address;
    info[3] = picture->stride;
    info[4] = (lower != 0 ? MODE_LOWER : MODE_UPPER) | picture->format;
    info[5] = buffer;
    info[6] = 0;
    system_barrier();
    do
        system_load_exclusive(header);
    while (system_store_exclusive(header, 0x100 | buffer) != 0); /* changed, and which one */
}

/* CON-34: gsp shows it at the next vertical blank; LCD registers are its business (CON-54). It may choose either buffer
 * at any transfer, so both are the same memory. */
static void show(const struct screen *screen)
{
    const struct screen_picture text = { (uint32_t)(uintptr_t)screen->pixels, STRIDE, RGB565 };
    for (uint32_t i = 0; i < 2; i++) {
        describe(screen, 0, 1 - i, &text);
        describe(screen, 1, 1 - i, &text);
        system_sleep(FRAME);
    }
}

void screen_show(struct screen *screen, const struct screen_picture *picture, uint32_t blanks)
{
    screen->is_covered = true;
    for (uint32_t i = 0; i < blanks + 1; i++) {
        if (i < 2)
            describe(screen, 0, 1 - i, picture);
        system_sleep(FRAME);
    }
}

void screen_start(struct screen *screen, const struct gpu *gpu, uint16_t *pixels)
{
    *screen = (struct screen){ gpu, pixels, 0, false };
    box(screen, 0, 0, COLUMNS, LINES, BLACK);
    box(screen, MARGIN, BAR_TOP, BAR_COLUMNS, BAR_LINES, GREY);
    draw_line(screen, 16, "PICAFUZZ");
    draw_line(screen, 64, "DO NOT PRESS HOME/POWER");
    draw_line(screen, 84, "DO NOT CLOSE THE LID");
    draw_line(screen, 104, "IT ENDS BY ITSELF");
    flush(screen);
    show(screen);
    gpu_darken(gpu, false);
}

void screen_stop(const struct screen *screen)
{
    system_sleep(FRAME);
    gpu_darken(screen->gpu, true);
}

void screen_title(struct screen *screen, const char *name)
{
    draw_line(screen, 36, name);
    flush(screen);
}

void screen_message(struct screen *screen, const char *first, const char *second)
{
    draw_line(screen, 176, first);
    draw_line(screen, 196, second);
    flush(screen);
    if (screen->is_covered)
        show(screen);
}

/* done / all in columns of the bar, without a division: the processor has none. */
void screen_progress(struct screen *screen, uint32_t done, uint32_t all)
{
    const uint32_t before = screen->bar;
    while (screen->bar < BAR_COLUMNS && (uint64_t)(screen->bar + 1) * all <= (uint64_t)done * BAR_COLUMNS)
        screen->bar++;
    if (screen->bar == before)
        return;
    box(screen, MARGIN + before, BAR_TOP, screen->bar - before, BAR_LINES, GREEN);
    flush(screen);
}
