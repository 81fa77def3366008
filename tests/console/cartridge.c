#include "tests/console/cartridge.h"

#include "harness/console/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    HEADER_WORDS = sizeof(struct console_payload) / 4,
    IMAGE = 0, /* linear offsets */
    BUFFER = 0x1000,
    LIST = 0x2000,
    LIST_WORDS = 4
};

static const uint32_t GX = 0x01000100u;

uint32_t cartridge_marker(uint32_t index)
{
    return 0x00ABC000 + index;
}

uint32_t cartridge_filling(uint32_t index)
{
    return 0x11110001 * (index + 1);
}

void cartridge_init(struct cartridge *cartridge)
{
    memset(cartridge, 0, sizeof *cartridge);
    cartridge->count = HEADER_WORDS;
    cartridge->results_most = 1 << 20;
}

static void put(struct cartridge *cartridge, uint32_t word)
{
    cartridge->words[cartridge->count++] = word;
}

static void command(struct cartridge *cartridge, uint32_t kind, const uint32_t *words, uint32_t count)
{
    put(cartridge, kind | (count + 1) << 16);
    for (uint32_t i = 0; i < count; i++)
        put(cartridge, words[i]);
}

#define COMMAND(kind, ...) \
    command(cartridge, kind, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void first_contents(struct cartridge *cartridge, uint32_t oddities)
{
    COMMAND(CONSOLE_COMMAND_CLEAR, IMAGE, CONSOLE_PAGE);
    if ((oddities & CARTRIDGE_NO_FLUSH) == 0)
        COMMAND(CONSOLE_COMMAND_FLUSH, IMAGE, CONSOLE_PAGE);
    COMMAND(CONSOLE_COMMAND_GX, CONSOLE_INTERRUPT_DMA, 2, GX | CONSOLE_GX_DMA, IMAGE, CONSOLE_VRAM_VIRTUAL,
            CONSOLE_PAGE, 0, 0, 0, 0);
}

static void fill(struct cartridge *cartridge, uint32_t index, uint32_t oddities)
{
    const bool outside = (oddities & CARTRIDGE_FILLS_OUTSIDE) != 0;
    const uint32_t start = CONSOLE_VRAM_VIRTUAL + (outside ? CONSOLE_VRAM_BYTES - 0x100 : 0);
    COMMAND(CONSOLE_COMMAND_GX, CONSOLE_INTERRUPT_PSC0, 0, GX | CONSOLE_GX_FILL, start, cartridge_filling(index),
            start + 0x200, 0, 0, 0, 0x201);
}

static void run_list(struct cartridge *cartridge, uint32_t list, uint32_t oddities)
{
    COMMAND(CONSOLE_COMMAND_COPY, LIST, list, 4 * LIST_WORDS);
    if ((oddities & CARTRIDGE_NO_FLUSH) == 0)
        COMMAND(CONSOLE_COMMAND_FLUSH, LIST, 4 * LIST_WORDS);
    COMMAND(CONSOLE_COMMAND_GX, CONSOLE_INTERRUPT_P3D, 2, GX | CONSOLE_GX_LIST,
            LIST + ((oddities & CARTRIDGE_ODD_LIST) != 0 ? 4 : 0), 4 * LIST_WORDS, 0, 0, 0, 0, 0);
}

/* Of the page that the case fills: 0x200 bytes of its word, then zeros. */
static uint32_t expected_crc(uint32_t index)
{
    uint32_t page[1 + CONSOLE_PAGE / 4] = { CONSOLE_VRAM_PHYSICAL };
    for (int i = 0; i < 0x200 / 4; i++)
        page[1 + i] = cartridge_filling(index);
    return (uint32_t)crc32(0, (const uint8_t *)page, sizeof page);
}

void cartridge_case(struct cartridge *cartridge, uint32_t flags, uint32_t oddities)
{
    const uint32_t index = cartridge->case_count++;
    const uint32_t list = 4 * cartridge->count;
    struct console_case *entry = &cartridge->cases[index];
    put(cartridge, cartridge_marker(index));
    put(cartridge, 0x000F00FD); /* a register of the colour stages */
    put(cartridge, 0x12345678);
    put(cartridge, 0x000F0010); /* FINALIZE */
    *entry = (struct console_case){ .commands = 4 * cartridge->count, .flags = flags, .step_count = 1 };
    first_contents(cartridge, oddities);
    if ((oddities & CARTRIDGE_WRITES_LCD) != 0)
        COMMAND(CONSOLE_COMMAND_WRITE, 0x400400, 1);
    fill(cartridge, index, oddities);
    run_list(cartridge, list, oddities);
    if ((oddities & CARTRIDGE_REGISTERS) != 0)
        COMMAND(CONSOLE_COMMAND_REGISTERS, CONSOLE_INTERNAL_REGISTERS + 4 * 0x0E0, CONSOLE_REGISTER_CHUNK);
    COMMAND(CONSOLE_COMMAND_READ, CONSOLE_VRAM_VIRTUAL, CONSOLE_PAGE, IMAGE, BUFFER);
    const uint32_t crc = expected_crc(index) ^ ((oddities & CARTRIDGE_WRONG_CRC) != 0 ? 1 : 0);
    COMMAND(CONSOLE_COMMAND_STEP, 0, 1, crc, 0);
    entry->words = cartridge->count - entry->commands / 4;
}

void cartridge_self_test(struct cartridge *cartridge, uint32_t flags, uint32_t oddities)
{
    cartridge_case(cartridge, flags | ((flags & CONSOLE_CASE_REQUIRED) != 0 ? CONSOLE_CASE_LOADED : 0u), oddities);
    cartridge->self_tests = cartridge->case_count;
}

static void put_runs(struct cartridge *cartridge)
{
    for (uint32_t i = cartridge->self_tests; i < cartridge->case_count; i++) {
        put(cartridge, i);
        put(cartridge, 0);
    }
    for (uint32_t i = cartridge->case_count; i-- > cartridge->self_tests;) {
        put(cartridge, i);
        put(cartridge, 1);
    }
}

static uint8_t *read_program(size_t *size)
{
    FILE *file = fopen(PICAFUZZ_SOURCE_DIR "/harness/console/runner/runtime.3dsx", "rb");
    uint8_t *bytes = malloc(0x10000);
    *size = file == NULL || bytes == NULL ? 0 : fread(bytes, 1, 0x10000, file);
    if (file != NULL)
        fclose(file);
    return bytes;
}

static uint8_t *embed(const struct cartridge *cartridge, size_t *size)
{
    size_t program_size;
    struct harness_text out = { 0 };
    struct harness_error error;
    uint8_t *program = read_program(&program_size);
    const enum harness_status status = console_program_embed(program, program_size, (const uint8_t *)cartridge->words,
                                                             4 * cartridge->count, &out, &error);
    free(program);
    *size = out.size;
    return status == HARNESS_OK ? (uint8_t *)out.data : NULL;
}

uint8_t *cartridge_finish(struct cartridge *cartridge, uint32_t id, size_t *size)
{
    struct console_payload header = { .magic = CONSOLE_PAYLOAD_MAGIC,
                                      .version = CONSOLE_PAYLOAD_VERSION,
                                      .id = { id, ~id },
                                      .linear_bytes = CARTRIDGE_LINEAR,
                                      .hang_microseconds = 1000000,
                                      .case_count = cartridge->case_count,
                                      .self_test_count = cartridge->self_tests,
                                      .run_count = 2 * (cartridge->case_count - cartridge->self_tests),
                                      .results_most = { cartridge->results_most, 0 },
                                      .name = "test" };
    header.case_table = 4 * cartridge->count;
    memcpy(cartridge->words + cartridge->count, cartridge->cases, cartridge->case_count * sizeof *cartridge->cases);
    cartridge->count += cartridge->case_count * (uint32_t)sizeof *cartridge->cases / 4;
    header.run_table = 4 * cartridge->count;
    put_runs(cartridge);
    header.bytes = 4 * cartridge->count;
    memcpy(cartridge->words, &header, sizeof header);
    cartridge->words[3] = (uint32_t)crc32(0, (const uint8_t *)(cartridge->words + 4), header.bytes - 16);
    return embed(cartridge, size);
}
