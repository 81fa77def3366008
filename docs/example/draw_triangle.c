/*
 * What an emulator does with `fast`: give the GPU its memory, hand over what the CPU wrote, submit a command list, read
 * the picture back. Draws a triangle of 400x240 pixels, copies it to a linear framebuffer as a game does, and prints a
 * checksum of the picture.
 */
#include "fast/fast.h"
#include "pica/regs.h"

#include <stdio.h>

enum {
    WIDTH = 400,
    HEIGHT = 240,
    COLORS = 0x18000000,   /* VRAM: the tiled picture that is drawn to */
    LIST = 0x20000000,     /* FCRAM: what the CPU wrote */
    VERTICES = 0x20001000, /* two vectors each: position, colour */
    SCREEN = 0x20010000    /* FCRAM: the linear picture */
};

/* As bits: -0.8 and 0.8 for the corners, -0.5 for the depth, 1. */
#define CORNER(x, y, r, g, b) (x), (y), 0xBF000000, 0x3F800000, (r), (g), (b), 0x3F800000
static const uint32_t vertices[] = { CORNER(0xBF4CCCCD, 0xBF4CCCCD, 0x3F800000, 0, 0),
                                     CORNER(0x3F4CCCCD, 0xBF4CCCCD, 0, 0x3F800000, 0),
                                     CORNER(0, 0x3F4CCCCD, 0, 0, 0x3F800000) };

/* CMD-01: a parameter, then a header with the register and the byte mask. What is not written is as after a reset. */
#define WRITE(name, value) (value), PICA_REG_##name | 0xF0000
static const uint32_t commands[] = {
    WRITE(COLORBUFFER_LOC, COLORS >> 3),
    WRITE(FRAMEBUFFER_DIM, WIDTH | (HEIGHT - 1) << 12 | 1 << 24),
    WRITE(COLORBUFFER_FORMAT, 2), /* RGBA8 */
    WRITE(COLORBUFFER_WRITE, 0xF),
    WRITE(VIEWPORT_WIDTH, 0x469000), /* 200 and 120 as float24 */
    WRITE(VIEWPORT_HEIGHT, 0x45E000),
    WRITE(LOGIC_OP, PICA_LOGIC_OP_COPY),       /* no blending */
    WRITE(DEPTH_COLOR_MASK, 0xF00),            /* all channels, no depth test */
    WRITE(VSH_CODETRANSFER_DATA0, 0x4C000000), /* mov o0, v0 */
    WRITE(VSH_CODETRANSFER_DATA0, 0x4C201000), /* mov o1, v1 */
    WRITE(VSH_CODETRANSFER_DATA0, 0x88000000), /* end */
    WRITE(VSH_OPDESCS_DATA0, 0x0D86C36F),      /* xyzw, xyzw */
    WRITE(VSH_ENTRYPOINT, 0x7FFF0000),
    WRITE(VSH_OUTMAP_MASK, 3),
    WRITE(VSH_INPUTBUFFER_CONFIG, 0xA0000001),
    WRITE(VSH_NUM_ATTR, 1),
    WRITE(VSH_ATTRIBUTES_PERMUTATION_LOW, 0x10),
    WRITE(SH_OUTMAP_TOTAL, 2),
    WRITE(SH_OUTMAP_O0, 0x03020100), /* position */
    WRITE(SH_OUTMAP_O1, 0x0B0A0908), /* colour */
    WRITE(ATTRIBBUFFERS_LOC, VERTICES >> 3),
    WRITE(ATTRIBBUFFERS_FORMAT_LOW, 0xFF), /* twice four floats */
    WRITE(ATTRIBBUFFERS_FORMAT_HIGH, 1 << 28),
    WRITE(ATTRIBBUFFER0_CONFIG1, 0x10),
    WRITE(ATTRIBBUFFER0_CONFIG2, 2 << 28 | 32 << 16),
    WRITE(NUMVERTICES, 3),
    WRITE(DRAWARRAYS, 1),
    WRITE(FINALIZE, 0x12345678),
};

/* What the CPU wrote, little-endian, to guest memory. */
static enum pica_status load(void *gpu, uint32_t address, const uint32_t *words, uint32_t count)
{
    uint8_t bytes[sizeof commands];
    const struct pica_operation operation = { PICA_OPERATION_LOAD_MEMORY, 0, address, 4 * count, bytes, { 0 } };
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    return fast_backend()->run(gpu, &operation);
}

int main(void)
{
    const struct pica_window windows[] = { { 0x18000000, 0x600000 }, { 0x20000000, 0x8000000 } };
    const struct pica_options options = { .threads = 1, .instruction_sets = UINT32_MAX };
    const struct pica_setup setup = { .windows = windows,
                                      .window_count = 2,
                                      .limits = { 0x100000, 0x40000, 0x4000, 0x400, 0x10000000 } };
    const struct pica_operation submit = { PICA_OPERATION_SUBMIT_LIST, 0, LIST, sizeof commands, NULL, { 0 } };
    const struct pica_operation to_screen = {
        /* tiled RGBA8 to linear RGB8 */
        .kind = PICA_OPERATION_DISPLAY_TRANSFER,
        .words = { COLORS >> 3, SCREEN >> 3, HEIGHT << 16 | WIDTH, HEIGHT << 16 | WIDTH, 1 << 12 },
    };
    const struct pica_backend *const backend = fast_backend();
    const uint8_t *fcram = NULL;
    uint32_t checksum = 2166136261u;
    void *gpu = NULL;
    if (backend->create(&options, &gpu) != PICA_OK || backend->load(gpu, &setup) != PICA_OK ||
        load(gpu, VERTICES, vertices, sizeof vertices / 4) != PICA_OK ||
        load(gpu, LIST, commands, sizeof commands / 4) != PICA_OK || backend->run(gpu, &submit) != PICA_OK ||
        backend->run(gpu, &to_screen) != PICA_OK || backend->view_memory(gpu, 1, &fcram) != PICA_OK) {
        fprintf(stderr, "draw_triangle: the host has no memory, or the calls are wrong\n");
        backend->destroy(gpu);
        return 4;
    }
    for (uint32_t i = 0; i < WIDTH * HEIGHT * 3; i++) /* b, g, r */
        checksum = (checksum ^ fcram[SCREEN - 0x20000000 + i]) * 16777619u;
    printf("%dx%d pixels, checksum %08X\n", WIDTH, HEIGHT, checksum);
    backend->destroy(gpu);
    return 0;
}
