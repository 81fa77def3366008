/*
 * The GPU behind gsp: GX commands become operations of a backend, whose windows are VRAM and linear memory. What a
 * reset leaves in the registers is worse than REG-02: a program that does not initialise them gets no interrupt.
 */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOWS = 2,
    VRAM_BYTES = 0x00600000,
    VRAM_PHYSICAL = 0x18000000,
    GX_DMA = 0,
    GX_LIST = 1,
    GX_FILL = 2,
    GX_TRANSFER = 3,
    GX_COPY = 4,
    GX_FLUSH = 5,
    INTERRUPT_DMA = 6
};

static const uint32_t GX_FLAGS = 0x01000100u;

/* ------------------------------------------------------------------------------------------------------- life of it */

static const struct pica_backend *gpu(const struct mock *console)
{
    return console->setup->gpu;
}

static uint32_t linear_physical(const struct mock *console)
{
    const uint32_t physical = console->setup->faults.linear_physical;
    return physical != 0 ? physical : 0x20000000u;
}

/* Nobody initialised it: no interrupt is enabled, none would match, and drawing is on. */
static void uninitialised(struct pica_state *state)
{
    memset(state, 0, sizeof *state);
    state->registers[0x030] = UINT32_MAX;
    state->registers[0x031] = UINT32_MAX;
}

static void initialised(struct pica_state *state)
{
    memset(state, 0, sizeof *state);
#define X(id, value) state->registers[id] = value;
    PICA_RESET_VALUES(X)
#undef X
}

static enum pica_status load(struct mock *console, const struct pica_chunk *chunks, uint32_t count, bool first_use)
{
    const struct pica_window windows[WINDOWS] = { { VRAM_PHYSICAL, VRAM_BYTES },
                                                  { linear_physical(console), MOCK_LINEAR_BYTES } };
    const struct pica_limits limits = { 0x10000000, 0x10000000, 0x100000, 0x100000, 0x10000000 };
    if (first_use)
        uninitialised(console->gsp.state);
    else
        initialised(console->gsp.state);
    const struct pica_setup setup = {
        windows, WINDOWS, chunks, count, console->gsp.state, limits, console->setup->profile, 0
    };
    return gpu(console)->load(console->gsp.backend, &setup);
}

/* VRAM holds what another program left. */
enum pica_status mock_gpu_open(struct mock *console)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    uint8_t *noise = malloc(VRAM_BYTES);
    console->gsp.state = calloc(1, sizeof *console->gsp.state);
    enum pica_status status = PICA_NO_MEMORY;
    if (noise != NULL && console->gsp.state != NULL)
        status = gpu(console)->create(&options, &console->gsp.backend);
    if (status == PICA_OK) {
        for (uint32_t i = 0, value = 1; i < VRAM_BYTES; i++, value = value * 1664525 + 1013904223)
            noise[i] = (uint8_t)(value >> 24);
        const struct pica_chunk chunk = { VRAM_PHYSICAL, VRAM_BYTES, noise };
        status = load(console, &chunk, 1, console->setup->faults.first_user);
    }
    if (status == PICA_OK && !mock_weak_open(console))
        status = PICA_NO_MEMORY;
    free(noise);
    return status;
}

void mock_gpu_close(struct mock *console)
{
    if (console->gsp.backend != NULL)
        gpu(console)->destroy(console->gsp.backend);
    free(console->gsp.state);
    free(console->gsp.guest);
    free(console->gsp.picture.bytes);
}

/* Memory stays, registers do not. */
void mock_gpu_reset(struct mock *console)
{
    struct pica_chunk chunks[WINDOWS] = { { VRAM_PHYSICAL, VRAM_BYTES, NULL },
                                          { linear_physical(console), MOCK_LINEAR_BYTES, NULL } };
    uint8_t *memory = malloc(VRAM_BYTES + MOCK_LINEAR_BYTES);
    bool done = memory != NULL;
    if (done) {
        chunks[0].data = memory;
        chunks[1].data = memory + VRAM_BYTES;
        done = mock_gpu_read_memory(console, VRAM_PHYSICAL, memory, VRAM_BYTES) &&
               mock_gpu_read_memory(console, linear_physical(console), memory + VRAM_BYTES, MOCK_LINEAR_BYTES) &&
               load(console, chunks, WINDOWS, true) == PICA_OK;
    }
    free(memory);
    if (!done)
        mock_end(console, MOCK_NOT_STARTED, "the backend cannot be reset");
}

/* ------------------------------------------------------------------------------------------------ memory, registers */

static void perform(struct mock *console, const struct pica_operation *operation)
{
    const enum pica_status status = gpu(console)->run(console->gsp.backend, operation);
    if (status != PICA_OK)
        mock_end(console, MOCK_NOT_STARTED, "backend %s: status %d", gpu(console)->name, (int)status);
}

bool mock_gpu_read_memory(struct mock *console, uint32_t physical, uint8_t *out, uint32_t size)
{
    return gpu(console)->read_memory(console->gsp.backend, physical, out, size) == PICA_OK;
}

bool mock_gpu_write_memory(struct mock *console, uint32_t physical, const uint8_t *bytes, uint32_t size)
{
    const struct pica_operation operation = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = physical, .size = size, .data = bytes
    };
    perform(console, &operation);
    return !console->over;
}

static const struct pica_state *state(struct mock *console)
{
    if (gpu(console)->read_state(console->gsp.backend, console->gsp.state) != PICA_OK)
        mock_end(console, MOCK_NOT_STARTED, "backend %s: no state", gpu(console)->name);
    return console->gsp.state;
}

uint32_t mock_gpu_register(struct mock *console, uint32_t physical)
{
    if (physical >= 0x10401000 && physical < 0x10401000 + 4 * PICA_REGISTERS)
        return state(console)->registers[(physical - 0x10401000) / 4];
    if (physical >= 0x10400000 && physical < 0x10401000)
        return state(console)->external[(physical - 0x10400000) / 4];
    return 0;
}

void mock_gpu_write(struct mock *console, uint32_t physical, uint32_t value)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                              .address = physical,
                                              .words = { value } };
    perform(console, &operation);
}

/* ------------------------------------------------------------------------------------------------- what gsp refuses */

static bool refuse(struct mock *console, const uint32_t command[8], const char *why)
{
    mock_mistake(console, "GX command %08X %08X %08X %08X: %s", command[0], command[1], command[2], command[3], why);
    return false;
}

static bool side_is_there(struct mock *console, uint32_t address, uint32_t size)
{
    return mock_physical(console, address, size) != 0;
}

static bool accepts_addresses(struct mock *console, const uint32_t command[8])
{
    switch (command[0] & 0xFF) {
    case GX_DMA:
        return command[3] != 0 && side_is_there(console, command[1], command[3]) &&
               side_is_there(console, command[2], command[3]);
    case GX_LIST: return command[1] % 8 == 0 && command[2] % 16 == 0 && side_is_there(console, command[1], command[2]);
    case GX_FILL:
        return (command[1] == 0 ||
                (command[1] % 8 == 0 && side_is_there(console, command[1], command[3] - command[1]))) &&
               (command[4] == 0 ||
                (command[4] % 8 == 0 && side_is_there(console, command[4], command[6] - command[4])));
    case GX_TRANSFER:
    case GX_COPY:
        return command[1] % 8 == 0 && command[2] % 8 == 0 && side_is_there(console, command[1], 8) &&
               side_is_there(console, command[2], 8);
    default: return false;
    }
}

bool mock_gpu_accepts(struct mock *console, const uint32_t command[8])
{
    if (!console->gsp.has_right)
        return false; /* and nothing happens */
    if (console->setup->weak.only_standard && (command[0] & 0xFF) == GX_DMA)
        return false;
    if (console->setup->weak.dies_at_dma && (command[0] & 0xFF) == GX_DMA && command[1] >= MOCK_VRAM &&
        command[1] < MOCK_VRAM + VRAM_BYTES) {
        mock_end(console, MOCK_FAULTED, "a DMA out of VRAM");
        return false;
    }
    if ((command[0] & 0xFFFFFF00) != GX_FLAGS || (command[0] & 0xFF) >= GX_FLUSH)
        return refuse(console, command, "no such command");
    if (!accepts_addresses(console, command))
        return refuse(console, command, "addresses");
    return true;
}

bool mock_gpu_hangs(struct mock *console, const uint32_t command[8])
{
    const uint32_t word = console->setup->faults.hang_word;
    const uint32_t size = command[2];
    if (word == 0 || (command[0] & 0xFF) != GX_LIST)
        return false;
    if (command[7] != 0)
        mock_flush(console, command[1], size);
    uint8_t *list = malloc(size);
    bool found = false;
    if (list != NULL && mock_gpu_read_memory(console, mock_physical(console, command[1], size), list, size))
        for (uint32_t i = 0; i + 4 <= size; i += 4)
            found = found || mock_word(list + i) == word;
    free(list);
    return found;
}

/* ---------------------------------------------------------------------------------------------------------- engines */

static void run_dma(struct mock *console, const uint32_t command[8])
{
    const uint32_t from = mock_physical(console, command[1], command[3]);
    const uint32_t to = mock_physical(console, command[2], command[3]);
    uint8_t *bytes = malloc(command[3]);
    if (command[7] != 0 && !(command[1] >= MOCK_VRAM && command[1] < MOCK_VRAM + VRAM_BYTES))
        mock_flush(console, command[1], command[3]);
    const bool is_ignored = from >= VRAM_PHYSICAL && from < VRAM_PHYSICAL + VRAM_BYTES &&
                            (console->setup->faults.no_vram_dma || console->setup->weak.no_dma);
    if (!is_ignored && bytes != NULL && mock_read_guest(console, from, bytes, command[3])) {
        mock_effect(console, MOCK_WRITES_MEMORY, to, command[3], 0, "");
        mock_gpu_write_memory(console, to, bytes, command[3]);
        mock_weak_written(console, to, command[3]);
        mock_weak_reached(console, command[2], command[3]);
    }
    free(bytes);
    mock_interrupt(console, INTERRUPT_DMA);
}

static void run_list(struct mock *console, const uint32_t command[8])
{
    if (command[7] != 0)
        mock_flush(console, command[1], command[2]);
    const struct pica_operation operation = { .kind = PICA_OPERATION_SUBMIT_LIST,
                                              .address = mock_physical(console, command[1], command[2]),
                                              .size = command[2] };
    perform(console, &operation);
}

static void run_fill_unit(struct mock *console, uint32_t unit, const uint32_t words[3], uint32_t control)
{
    if (words[0] == 0)
        return;
    const uint32_t start = mock_physical(console, words[0], words[2] - words[0]);
    const struct pica_operation operation = { .kind = PICA_OPERATION_MEMORY_FILL,
                                              .unit = unit,
                                              .words = { start >> 3, (start + words[2] - words[0]) >> 3, words[1],
                                                         control } };
    if ((control & 1) == 0)
        mock_mistake(console, "fill: its control %X does not start it", control);
    perform(console, &operation);
    mock_weak_written(console, start, words[2] - words[0]);
}

/* Bytes of the side that is read, or written, if the two are alike. */
static uint32_t transfer_bytes(const uint32_t command[8])
{
    const bool is_copy = (command[0] & 0xFF) == GX_COPY;
    return is_copy ? command[3] : 4 * (command[3] >> 16) * (command[3] & 0xFFFF);
}

/* What a transfer leaves is the host's, and memory is as it was. */
static void keep_with_host(struct mock *console, const struct pica_operation *operation, uint32_t to, uint32_t size)
{
    struct mock_picture *const picture = &console->gsp.picture;
    uint8_t *const before = malloc(size), *const after = malloc(size);
    if (before != NULL && after != NULL && mock_gpu_read_memory(console, to, before, size)) {
        perform(console, operation);
        mock_gpu_read_memory(console, to, after, size);
        mock_gpu_write_memory(console, to, before, size);
        free(picture->bytes);
        *picture = (struct mock_picture){ to, size, after };
    } else {
        free(after);
    }
    free(before);
}

/* Between VRAM and linear memory programs move pictures of 32 bits a pixel, and whole blocks. */
static void run_transfer(struct mock *console, const uint32_t command[8])
{
    const uint32_t from = mock_physical(console, command[1], 8), to = mock_physical(console, command[2], 8);
    const uint32_t in = from >> 3, out = to >> 3, size = transfer_bytes(command);
    const bool is_linear = (command[2] < MOCK_VRAM || command[2] >= MOCK_VRAM + VRAM_BYTES);
    if (is_linear)
        mock_effect(console, MOCK_WRITES_MEMORY, to, size, 0, "");
    struct pica_operation operation = { .kind = PICA_OPERATION_DISPLAY_TRANSFER };
    const uint32_t transfer[9] = { in, out, command[4], command[3], command[5], 0, 0, 0, 0 };
    const uint32_t copy[9] = { in, out, 0, 0, command[6], 0, command[3], command[4], command[5] };
    const bool is_copy = (command[0] & 0xFF) == GX_COPY;
    memcpy(operation.words, is_copy ? copy : transfer, sizeof operation.words);
    if (mock_weak_transfer(console, from, to, size, is_copy)) {
        if (!is_copy && is_linear && console->setup->weak.no_write_back)
            keep_with_host(console, &operation, to, size);
        mock_weak_reached(console, command[2], size);
        return;
    }
    perform(console, &operation);
    if (is_linear)
        mock_weak_reached(console, command[2], size);
    else if (command[1] < MOCK_VRAM || command[1] >= MOCK_VRAM + VRAM_BYTES)
        mock_weak_written(console, to, size);
}

/* Each interrupt that the backend counted during the command, in the numbering of gsp. */
static void report(struct mock *console, const uint32_t before[PICA_INTERRUPTS])
{
    static const uint32_t ids[PICA_INTERRUPTS] = { 0, 1, 2, 3, 4, 5 };
    const struct pica_state *now = state(console);
    for (int i = 0; i < PICA_INTERRUPTS; i++)
        for (uint32_t left = now->interrupts[i] - before[i]; left > 0 && left <= 4; left--)
            mock_interrupt(console, ids[i]);
}

void mock_gpu_execute(struct mock *console, const uint32_t command[8])
{
    uint32_t before[PICA_INTERRUPTS];
    memcpy(before, state(console)->interrupts, sizeof before);
    switch (command[0] & 0xFF) {
    case GX_DMA: run_dma(console, command); return;
    case GX_LIST: run_list(console, command); break;
    case GX_FILL:
        run_fill_unit(console, 0, command + 1, command[7] & 0xFFFF);
        run_fill_unit(console, 1, command + 4, command[7] >> 16);
        break;
    default: run_transfer(console, command); break;
    }
    report(console, before);
}
