/*
 * What an emulator does with `fast`: give the GPU its memory, hand over what the CPU wrote, submit a command list, read
 * the picture back. Draws one triangle of 400x240 pixels, copies it to a linear framebuffer as a game does, prints a
 * checksum, and writes the picture if a file is named: draw_triangle [picture.ppm]
 */
#include "fast/fast.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 400,
    HEIGHT = 240,
    COLORS = 0x18000000,   /* VRAM: the tiled picture that is drawn to */
    LIST = 0x20000000,     /* FCRAM: what the CPU wrote */
    VERTICES = 0x20001000, /* two vectors each: position, colour */
    SCREEN = 0x20010000    /* FCRAM: the linear picture */
};

static const float vertices[3][8] = {
    { -0.8f, -0.8f, -0.5f, 1, 1, 0, 0, 1 },
    { 0.8f, -0.8f, -0.5f, 1, 0, 1, 0, 1 },
    { 0.0f, 0.8f, -0.5f, 1, 0, 0, 1, 1 },
};

/* CMD-01: a parameter, then a header with the register and the byte mask. */
static const struct {
    uint32_t value;
    enum pica_reg id;
} commands[] = {
    { COLORS >> 3, PICA_REG_COLORBUFFER_LOC },
    { WIDTH | (HEIGHT - 1) << 12 | 1u << 24, PICA_REG_FRAMEBUFFER_DIM },
    { 2, PICA_REG_COLORBUFFER_FORMAT }, /* RGBA8 */
    { 0xF, PICA_REG_COLORBUFFER_WRITE },
    { 0x469000, PICA_REG_VIEWPORT_WIDTH }, /* 200 and 120 as float24 */
    { 0x45E000, PICA_REG_VIEWPORT_HEIGHT },
    { 0x00E40000, PICA_REG_COLOR_OPERATION }, /* no blending: logic operation "copy" */
    { PICA_LOGIC_OP_COPY, PICA_REG_LOGIC_OP },
    { 0xF00, PICA_REG_DEPTH_COLOR_MASK }, /* all channels, no depth test */
    { 0, PICA_REG_VSH_CODETRANSFER_INDEX },
    { 0x4C000000, PICA_REG_VSH_CODETRANSFER_DATA0 }, /* mov o0, v0 */
    { 0x4C201000, PICA_REG_VSH_CODETRANSFER_DATA0 }, /* mov o1, v1 */
    { 0x88000000, PICA_REG_VSH_CODETRANSFER_DATA0 }, /* end */
    { 1, PICA_REG_VSH_CODETRANSFER_END },
    { 0, PICA_REG_VSH_OPDESCS_INDEX },
    { 0x0D86C36F, PICA_REG_VSH_OPDESCS_DATA0 }, /* xyzw, xyzw */
    { 0x7FFF0000, PICA_REG_VSH_ENTRYPOINT },
    { 3, PICA_REG_VSH_OUTMAP_MASK },
    { 0xA0000001, PICA_REG_VSH_INPUTBUFFER_CONFIG },
    { 1, PICA_REG_VSH_NUM_ATTR },
    { 0x10, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW },
    { 2, PICA_REG_SH_OUTMAP_TOTAL },
    { 0x03020100, PICA_REG_SH_OUTMAP_O0 }, /* position */
    { 0x0B0A0908, PICA_REG_SH_OUTMAP_O1 }, /* colour */
    { VERTICES >> 3, PICA_REG_ATTRIBBUFFERS_LOC },
    { 0xFF, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW }, /* twice four floats */
    { 1u << 28, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH },
    { 0x10, PICA_REG_ATTRIBBUFFER0_CONFIG1 },
    { 2u << 28 | 32 << 16, PICA_REG_ATTRIBBUFFER0_CONFIG2 },
    { 3, PICA_REG_NUMVERTICES },
    { 0, PICA_REG_START_DRAW_FUNC0 },
    { 1, PICA_REG_DRAWARRAYS },
    { 1, PICA_REG_FRAMEBUFFER_FLUSH },
    { 0x12345678, PICA_REG_FINALIZE },
};

/* Little-endian, as the console's CPU writes. */
static void store_word(uint8_t *out, uint32_t word)
{
    for (int k = 0; k < 4; k++)
        out[k] = (uint8_t)(word >> (8 * k));
}

static enum pica_status load(const struct pica_backend *gpu, void *instance, uint32_t address, const uint8_t *bytes,
                             uint32_t size)
{
    const struct pica_operation operation = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = size, .data = bytes
    };
    return gpu->run(instance, &operation);
}

static enum pica_status load_scene(const struct pica_backend *gpu, void *instance, uint32_t *list_size)
{
    uint8_t array[sizeof vertices], list[sizeof commands / sizeof commands[0] * 8 + 8] = { 0 };
    for (size_t i = 0; i < sizeof array / 4; i++) {
        uint32_t bits;
        memcpy(&bits, &vertices[i / 8][i % 8], sizeof bits);
        store_word(array + 4 * i, bits);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        store_word(list + 8 * i, commands[i].value);
        store_word(list + 8 * i + 4, (uint32_t)commands[i].id | 0xF0000);
    }
    *list_size = sizeof list / 16 * 16;
    const enum pica_status status = load(gpu, instance, VERTICES, array, sizeof array);
    return status == PICA_OK ? load(gpu, instance, LIST, list, *list_size) : status;
}

static enum pica_status draw(const struct pica_backend *gpu, void *instance)
{
    struct pica_operation submit = { .kind = PICA_OPERATION_SUBMIT_LIST, .address = LIST };
    const struct pica_operation clear = {
        .kind = PICA_OPERATION_MEMORY_FILL,
        .words = { COLORS >> 3, (COLORS + WIDTH * HEIGHT * 4) >> 3, 0x404040FF, 0x201 }, /* 32 bits, start */
    };
    const struct pica_operation transfer = {
        .kind = PICA_OPERATION_DISPLAY_TRANSFER, /* tiled RGBA8 to linear RGB8 */
        .words = { COLORS >> 3, SCREEN >> 3, HEIGHT << 16 | WIDTH, HEIGHT << 16 | WIDTH, 1u << 12 },
    };
    enum pica_status status = load_scene(gpu, instance, &submit.size);
    if (status == PICA_OK)
        status = gpu->run(instance, &clear);
    if (status == PICA_OK)
        status = gpu->run(instance, &submit);
    return status == PICA_OK ? gpu->run(instance, &transfer) : status;
}

/* The framebuffer holds b, g, r; a PPM r, g, b. */
static int show(const uint8_t *screen, const char *path)
{
    uint32_t checksum = 2166136261u;
    FILE *const file = path != NULL ? fopen(path, "wb") : NULL;
    if (path != NULL && file == NULL) {
        perror(path);
        return 4;
    }
    if (file != NULL)
        fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (const uint8_t *pixel = screen; pixel < screen + WIDTH * HEIGHT * 3; pixel += 3)
        for (int k = 2; k >= 0; k--) {
            checksum = (checksum ^ pixel[k]) * 16777619u;
            if (file != NULL)
                putc(pixel[k], file);
        }
    printf("%dx%d pixels, checksum %08X\n", WIDTH, HEIGHT, checksum);
    return file != NULL && fclose(file) != 0 ? 4 : 0;
}

int main(int argc, char **argv)
{
    static const struct pica_window windows[] = { { 0x18000000, 0x600000 }, { 0x20000000, 0x1000000 } };
    const struct pica_options options = { .threads = 1, .instruction_sets = UINT32_MAX };
    const struct pica_setup setup = { .windows = windows,
                                      .window_count = 2,
                                      .limits = { 0x100000, 0x40000, 0x4000, 0x400, 0x10000000 },
                                      .profile = PICA_PROFILE_F32 };
    const struct pica_backend *const gpu = fast_backend();
    const uint8_t *fcram = NULL;
    void *instance = NULL;
    enum pica_status status = gpu->create(&options, &instance);
    if (status == PICA_OK)
        status = gpu->load(instance, &setup);
    if (status == PICA_OK)
        status = draw(gpu, instance);
    if (status == PICA_OK)
        status = gpu->view_memory(instance, 1, &fcram); /* no copy: window 1 is FCRAM */
    const int code = status == PICA_OK ? show(fcram + (SCREEN - 0x20000000), argc > 1 ? argv[1] : NULL) : 4;
    if (status != PICA_OK)
        fprintf(stderr, "draw_triangle: the GPU returned status %d\n", (int)status);
    gpu->destroy(instance);
    return code;
}
