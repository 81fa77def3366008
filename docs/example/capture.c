/*
 * How an emulator captures a frame with harness/capture. The emulator here has `fast` as its GPU, and runs a program of
 * two frames: the first sets the GPU up and draws a triangle, the second clears the picture, moves a corner and draws
 * again. The second frame is captured into the named file, and a checksum of its picture is printed: replaying the file
 * must give the same checksum.
 */
#include "fast/fast.h"
#include "harness/capture/picafuzz_capture.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 400,
    HEIGHT = 240,
    COLORS = 0x18000000,
    COLORS_END = COLORS + WIDTH * HEIGHT * 4,
    LIST = 0x20000000,
    VERTICES = 0x20001000,
    SCREEN = 0x20010000,
    SCREEN_BYTES = WIDTH * HEIGHT * 3
};

/* -0.8 and 0.8 for the corners, -0.5 for the depth, 1; then the colour. */
#define CORNER(x, y, r, g, b) (x), (y), 0xBF000000, 0x3F800000, (r), (g), (b), 0x3F800000
static const uint32_t vertices[] = { CORNER(0xBF4CCCCD, 0xBF4CCCCD, 0x3F800000, 0, 0),
                                     CORNER(0x3F4CCCCD, 0xBF4CCCCD, 0, 0x3F800000, 0),
                                     CORNER(0, 0x3F4CCCCD, 0, 0, 0x3F800000) };

#define WRITE(name, value) (value), PICA_REG_##name | 0xF0000
static const uint32_t set_up_and_draw[] = {
    WRITE(COLORBUFFER_LOC, COLORS >> 3),
    WRITE(FRAMEBUFFER_DIM, WIDTH | (HEIGHT - 1) << 12 | 1 << 24),
    WRITE(COLORBUFFER_FORMAT, 2),
    WRITE(COLORBUFFER_WRITE, 0xF),
    WRITE(VIEWPORT_WIDTH, 0x469000),
    WRITE(VIEWPORT_HEIGHT, 0x45E000),
    WRITE(LOGIC_OP, PICA_LOGIC_OP_COPY),
    WRITE(DEPTH_COLOR_MASK, 0xF00),
    WRITE(VSH_CODETRANSFER_DATA0, 0x4C000000), /* mov o0, v0 */
    WRITE(VSH_CODETRANSFER_DATA0, 0x4C201000), /* mov o1, v1 */
    WRITE(VSH_CODETRANSFER_DATA0, 0x88000000), /* end */
    WRITE(VSH_OPDESCS_DATA0, 0x0D86C36F),
    WRITE(VSH_ENTRYPOINT, 0x7FFF0000),
    WRITE(VSH_OUTMAP_MASK, 3),
    WRITE(VSH_INPUTBUFFER_CONFIG, 0xA0000001),
    WRITE(VSH_NUM_ATTR, 1),
    WRITE(VSH_ATTRIBUTES_PERMUTATION_LOW, 0x10),
    WRITE(SH_OUTMAP_TOTAL, 2),
    WRITE(SH_OUTMAP_O0, 0x03020100),
    WRITE(SH_OUTMAP_O1, 0x0B0A0908),
    WRITE(ATTRIBBUFFERS_LOC, VERTICES >> 3),
    WRITE(ATTRIBBUFFERS_FORMAT_LOW, 0xFF),
    WRITE(ATTRIBBUFFERS_FORMAT_HIGH, 1 << 28),
    WRITE(ATTRIBBUFFER0_CONFIG1, 0x10),
    WRITE(ATTRIBBUFFER0_CONFIG2, 2 << 28 | 32 << 16),
    WRITE(NUMVERTICES, 3),
    WRITE(START_DRAW_FUNC0, 0),
    WRITE(DRAWARRAYS, 1),
    WRITE(FINALIZE, 0x12345678),
};
static const uint32_t draw_again[] = { WRITE(DRAWARRAYS, 1), WRITE(FINALIZE, 0x12345678) };

/* The emulator. `capture` is NULL except while a frame is captured; every call of the capture accepts NULL. */
struct emulator {
    void *gpu;
    struct picafuzz_capture *capture;
};

/* The callback that gives guest memory as the GPU would read it. `fast` keeps no surfaces elsewhere. */
static int read_guest(void *user, uint32_t address, uint8_t *out, uint32_t size)
{
    const struct emulator *const emulator = user;
    const uint8_t *const bytes = fast_share_memory(emulator->gpu, address, size);
    if (bytes == NULL)
        return 0;
    memcpy(out, bytes, size);
    return 1;
}

/* The emulated CPU writes memory, which the GPU and the capture must be told. */
static void cpu_writes(struct emulator *emulator, uint32_t address, const uint32_t *words, uint32_t count)
{
    uint8_t *const bytes = fast_share_memory(emulator->gpu, address, 4 * count);
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    fast_memory_changed(emulator->gpu, address, 4 * count);
    picafuzz_capture_changed(emulator->capture, address, 4 * count);
}

/* The three hooks: each calls the capture first, then the GPU. */
static void submit(struct emulator *emulator, uint32_t address, uint32_t size)
{
    const struct pica_operation list = { .kind = PICA_OPERATION_SUBMIT_LIST, .address = address, .size = size };
    picafuzz_capture_list(emulator->capture, address, size);
    (void)fast_backend()->run(emulator->gpu, &list);
}

static void fill(struct emulator *emulator, uint32_t start, uint32_t end, uint32_t value, uint32_t control)
{
    const struct pica_operation clear = { .kind = PICA_OPERATION_MEMORY_FILL,
                                          .words = { start >> 3, end >> 3, value, control } };
    picafuzz_capture_fill(emulator->capture, 0, clear.words);
    (void)fast_backend()->run(emulator->gpu, &clear);
}

static void transfer(struct emulator *emulator)
{
    const struct pica_operation to_screen = {
        .kind = PICA_OPERATION_DISPLAY_TRANSFER, /* tiled RGBA8 to linear RGB8 */
        .words = { COLORS >> 3, SCREEN >> 3, HEIGHT << 16 | WIDTH, HEIGHT << 16 | WIDTH, 1 << 12 },
    };
    picafuzz_capture_transfer(emulator->capture, to_screen.words);
    (void)fast_backend()->run(emulator->gpu, &to_screen);
}

/* Gives a part of the state with which the captured frame begins; members of pica_state are arrays of words. */
static void give(struct picafuzz_capture *capture, int part, const void *member, size_t size)
{
    static uint32_t words[24 * 256];
    memcpy(words, member, size);
    picafuzz_capture_state(capture, part, words, (uint32_t)(size / sizeof *words));
}

static void begin_capture(struct emulator *emulator)
{
    static struct pica_state state;
    const struct pica_shader_unit *const vertex = &state.units[PICA_UNIT_VERTEX];
    struct picafuzz_capture *const capture = picafuzz_capture_begin(read_guest, emulator);
    (void)fast_backend()->read_state(emulator->gpu, &state);
    give(capture, PICAFUZZ_CAPTURE_REGISTERS, state.registers, sizeof state.registers);
    give(capture, PICAFUZZ_CAPTURE_ENGINES, state.external, sizeof state.external);
    give(capture, PICAFUZZ_CAPTURE_LIGHTING, state.tables.lighting, sizeof state.tables.lighting);
    give(capture, PICAFUZZ_CAPTURE_VERTEX_CODE, vertex->code, sizeof vertex->code);
    give(capture, PICAFUZZ_CAPTURE_VERTEX_OPERANDS, vertex->opdesc, sizeof vertex->opdesc);
    give(capture, PICAFUZZ_CAPTURE_VERTEX_FLOATS, vertex->uniforms, sizeof vertex->uniforms);
    give(capture, PICAFUZZ_CAPTURE_FIXED, state.fixed, sizeof state.fixed);
    /* the other tables and the geometry shader are given in the same way */
    emulator->capture = capture;
}

static void first_frame(struct emulator *emulator)
{
    cpu_writes(emulator, VERTICES, vertices, sizeof vertices / 4);
    cpu_writes(emulator, LIST, set_up_and_draw, sizeof set_up_and_draw / 4);
    submit(emulator, LIST, sizeof set_up_and_draw);
    transfer(emulator);
}

static void second_frame(struct emulator *emulator)
{
    static const uint32_t left[] = { 0xBF4CCCCD };
    fill(emulator, COLORS, COLORS_END, 0x202020FF, 0x201);
    cpu_writes(emulator, VERTICES + 64, left, 1); /* x of the third corner */
    cpu_writes(emulator, LIST, draw_again, sizeof draw_again / 4);
    submit(emulator, LIST, sizeof draw_again);
    transfer(emulator);
}

static int start(struct emulator *emulator)
{
    static const struct pica_window windows[] = { { 0x18000000, 0x600000 }, { 0x20000000, 0x8000000 } };
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    static const struct pica_setup setup = { .windows = windows,
                                             .window_count = 2,
                                             .limits = { 0x100000, 0x40000, 0x4000, 0x400, 0x10000000 } };
    return fast_backend()->create(&options, &emulator->gpu) == PICA_OK &&
           fast_backend()->load(emulator->gpu, &setup) == PICA_OK;
}

int main(int count, char **arguments)
{
    struct emulator emulator = { NULL, NULL };
    char why[PICAFUZZ_CAPTURE_WHY];
    uint32_t checksum = 2166136261u;
    if (count != 2 || !start(&emulator)) {
        (void)fprintf(stderr, "usage: capture FILE.picacap\n");
        return 2;
    }
    first_frame(&emulator);
    begin_capture(&emulator);
    second_frame(&emulator);
    if (!picafuzz_capture_end(emulator.capture, arguments[1], why, sizeof why)) {
        (void)fprintf(stderr, "capture: %s\n", why);
        return 1;
    }
    const uint8_t *const screen = fast_share_memory(emulator.gpu, SCREEN, SCREEN_BYTES);
    for (uint32_t i = 0; i < SCREEN_BYTES; i++)
        checksum = (checksum ^ screen[i]) * 16777619u;
    printf("%s: checksum %08X\n", arguments[1], checksum);
    fast_backend()->destroy(emulator.gpu);
    return 0;
}
