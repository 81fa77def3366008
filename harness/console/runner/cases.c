#include "harness/console/runner/cases.h"

#include "harness/console/runner/system.h"

enum {
    REGISTER_THAT_HANGS = CONSOLE_INTERNAL_REGISTERS + 4 * 0x06C /* CON-31 */
};

static const uint32_t GX_FLAGS = 0x01000100u;

enum {
    COPY_LINE = CONSOLE_PAGE / 16,      /* in blocks of 16 bytes, no gap behind it */
    COPY_FLAG = 8,                      /* of the transfer engine */
    KEEP_TILED = 0x20,                  /* RGBA8 to RGBA8: every byte as it is */
    TRANSFER_WIDTH = 64,                /* pixels */
    TRANSFER_BYTES = 16 * CONSOLE_PAGE, /* of one transfer: 256 lines */
    CANARIES = 4                        /* in a row that no picture has */
};

/* A case that runs. */
struct running {
    const struct cases *cases;
    struct console_run_result *result;
    struct console_step_result step; /* so far */
};

/* ---------------------------------------------------------------------------------------------------------- payload */

static const void *inside(const struct console_payload *payload, uint32_t offset, uint32_t bytes)
{
    return console_range_in(offset, bytes, 0, payload->bytes) ? (const uint8_t *)payload + offset : NULL;
}

static bool table_is_inside(const struct console_payload *payload, uint32_t offset, uint32_t count, uint32_t size)
{
    return count == 0 || (offset % 4 == 0 && count <= STORE_MOST_CASES * 16 && inside(payload, offset, count * size));
}

static bool name_is_safe(const char name[CONSOLE_NAME_BYTES])
{
    for (uint32_t i = 0; i < CONSOLE_NAME_BYTES; i++) {
        const char c = name[i];
        if (c == 0)
            return i > 0;
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'))
            return false;
    }
    return false;
}

bool cases_check(const struct console_payload *payload)
{
    if (payload->magic != CONSOLE_PAYLOAD_MAGIC || payload->version != CONSOLE_PAYLOAD_VERSION ||
        payload->bytes < sizeof *payload || !name_is_safe(payload->name))
        return false;
    if (payload->case_count > STORE_MOST_CASES || payload->self_test_count > payload->case_count ||
        !table_is_inside(payload, payload->case_table, payload->case_count, sizeof(struct console_case)) ||
        !table_is_inside(payload, payload->run_table, payload->run_count, sizeof(struct console_run)))
        return false;
    return payload->crc == runner_crc(0, payload->id, payload->bytes - 16);
}

const struct console_case *cases_at(const struct console_payload *payload, uint32_t index)
{
    return inside(payload, payload->case_table + index * (uint32_t)sizeof(struct console_case),
                  sizeof(struct console_case));
}

const struct console_run *cases_run_at(const struct console_payload *payload, uint32_t index)
{
    return inside(payload, payload->run_table + index * (uint32_t)sizeof(struct console_run),
                  sizeof(struct console_run));
}

/* --------------------------------------------------------------------------------------------------------- commands */

/* The bytes of linear memory at an offset; NULL: not all ours. */
static uint8_t *linear_at(const struct running *running, uint32_t offset, uint32_t bytes)
{
    const struct console_linear *linear = &running->cases->linear;
    return console_range_in(offset, bytes, 0, linear->bytes) ? (uint8_t *)(uintptr_t)(linear->address + offset) : NULL;
}

/* A call to gsp failed: because the GPU is no longer ours, or we do not know why. */
static enum console_run_status failed(struct running *running, int32_t result)
{
    if (!gpu_is_ours(running->cases->gpu))
        return CONSOLE_RUN_INTERRUPTED;
    running->result->detail = (uint32_t)result;
    return CONSOLE_RUN_FAILED;
}

static bool is_self_test(const struct running *running)
{
    return running->result->run >= (uint32_t)STORE_SELF_TEST;
}

static enum console_run_status execute(struct running *running, const uint32_t words[8], uint32_t interrupt)
{
    const struct cases *cases = running->cases;
    int32_t refusal = 0;
    switch (gpu_execute(cases->gpu, words, interrupt, cases->payload->hang_microseconds, &refusal)) {
    case GPU_DONE: return CONSOLE_RUN_OK;
    case GPU_HANG: return CONSOLE_RUN_HANG;
    case GPU_REFUSED: running->result->detail = (uint32_t)refusal; return CONSOLE_RUN_FAILED;
    case GPU_LOST: break;
    }
    return CONSOLE_RUN_INTERRUPTED;
}

static enum console_run_status execute_copy(struct running *running, uint32_t from, uint32_t to, uint32_t bytes)
{
    const uint32_t words[8] = { GX_FLAGS | CONSOLE_GX_COPY, from, to, bytes, COPY_LINE, COPY_LINE, COPY_FLAG, 0 };
    return execute(running, words, CONSOLE_INTERRUPT_PPF);
}

/* A case's own command. Its DMA is a load of whole pages. */
static enum console_run_status execute_gx(struct running *running, const uint32_t words[8], uint32_t interrupt)
{
    if (!console_gx_allowed(&running->cases->linear, words))
        return CONSOLE_RUN_REFUSED;
    if ((words[0] & 0xFF) == CONSOLE_GX_DMA && (running->cases->way & CONSOLE_LOAD_COPY) != 0)
        return execute_copy(running, words[1], words[2], words[3]);
    return execute(running, words, interrupt);
}

static enum console_run_status run_clear(struct running *running, const struct console_clear *clear)
{
    uint8_t *to = linear_at(running, clear->linear, clear->bytes);
    if (to == NULL)
        return CONSOLE_RUN_REFUSED;
    memset(to, 0, clear->bytes);
    return CONSOLE_RUN_OK;
}

static enum console_run_status run_copy(struct running *running, const struct console_copy *copy)
{
    uint8_t *to = linear_at(running, copy->linear, copy->bytes);
    const void *from = inside(running->cases->payload, copy->payload, copy->bytes);
    if (to == NULL || from == NULL)
        return CONSOLE_RUN_REFUSED;
    memcpy(to, from, copy->bytes);
    return CONSOLE_RUN_OK;
}

static enum console_run_status run_flush(struct running *running, const struct console_flush *flush)
{
    const uint8_t *at = linear_at(running, flush->linear, flush->bytes);
    if (at == NULL)
        return CONSOLE_RUN_REFUSED;
    const int32_t result = gpu_flush(running->cases->gpu, (uint32_t)(uintptr_t)at, flush->bytes);
    return result < 0 ? failed(running, result) : CONSOLE_RUN_OK;
}

static enum console_run_status run_gx(struct running *running, const struct console_gx *gx)
{
    uint32_t words[8];
    for (uint32_t i = 0; i < 8; i++)
        words[i] = gx->words[i] + ((gx->linear >> i & 1) != 0 ? running->cases->linear.address : 0);
    return execute_gx(running, words, gx->interrupt);
}

static enum console_run_status run_write(struct running *running, const struct console_write *write)
{
    if (!console_register_allowed(write->offset))
        return CONSOLE_RUN_REFUSED;
    const int32_t result = gpu_write_register(running->cases->gpu, write->offset, write->value, UINT32_MAX);
    return result < 0 ? failed(running, result) : CONSOLE_RUN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static bool has_canaries(const uint8_t *page)
{
    const uint32_t *words = (const uint32_t *)(const void *)page;
    uint32_t in_a_row = 0;
    for (uint32_t i = 0; i < CONSOLE_PAGE / 4 && in_a_row < CANARIES; i++)
        in_a_row = words[i] == CONSOLE_CANARY ? in_a_row + 1 : 0;
    return in_a_row == CANARIES;
}

/* Tall pictures in parts: no program has one of more than 1024 lines. */
static enum console_run_status fetch_by_transfer(struct running *running, uint32_t from, uint32_t to, uint32_t bytes)
{
    enum console_run_status status = CONSOLE_RUN_OK;
    for (uint32_t at = 0; at < bytes && status == CONSOLE_RUN_OK; at += TRANSFER_BYTES) {
        const uint32_t part = bytes - at < TRANSFER_BYTES ? bytes - at : TRANSFER_BYTES;
        const uint32_t size = (part / (4 * TRANSFER_WIDTH)) << 16 | TRANSFER_WIDTH;
        const uint32_t words[8] = { GX_FLAGS | CONSOLE_GX_TRANSFER, from + at, to + at, size, size, KEEP_TILED, 0, 0 };
        status = execute(running, words, CONSOLE_INTERRUPT_PPF);
    }
    return status;
}

static bool is_read_by_cpu(const struct running *running)
{
    return (running->cases->way & ~(uint32_t)CONSOLE_LOAD_COPY) == CONSOLE_READ_CPU;
}

static enum console_run_status fetch(struct running *running, uint32_t from, uint32_t to, uint32_t bytes)
{
    const uint32_t dma[8] = { GX_FLAGS | CONSOLE_GX_DMA, from, to, bytes, 0, 0, 0, 0 };
    switch (running->cases->way & ~(uint32_t)CONSOLE_LOAD_COPY) {
    case CONSOLE_READ_DMA: return execute(running, dma, CONSOLE_INTERRUPT_DMA);
    case CONSOLE_READ_COPY: return execute_copy(running, from, to, bytes);
    case CONSOLE_READ_TRANSFER: return fetch_by_transfer(running, from, to, bytes);
    default:
        gpu_invalidate(running->cases->gpu, from, bytes);
        memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
        return CONSOLE_RUN_OK;
    }
}

/* Without it, what was staged in the buffer before would look like a result. Flushed: a line that is written out late
 * would overwrite what the engine wrote. */
static void poison(struct running *running, uint8_t *buffer, uint32_t bytes)
{
    uint32_t *words = (uint32_t *)(void *)buffer;
    for (uint32_t i = 0; i < bytes / 4; i++)
        words[i] = CONSOLE_CANARY;
    gpu_flush(running->cases->gpu, (uint32_t)(uintptr_t)buffer, bytes);
}

/* A page that differs from what it was: recorded, counted, and what it is compared with next time. */
static void record_page(struct running *running, uint32_t address, const uint8_t *now, uint8_t *image)
{
    const uint32_t head[] = { running->result->run, running->step.step, address };
    if (has_canaries(now)) {
        if (running->step.unread++ == 0)
            running->step.unread_range[0] = address;
        running->step.unread_range[1] = address + CONSOLE_PAGE;
        return;
    }
    if (memcmp(now, image, CONSOLE_PAGE) == 0)
        return;
    if (running->result->pass == 0 || is_self_test(running))
        store_record(running->cases->store, CONSOLE_RECORD_PAGE, head, sizeof head, now, CONSOLE_PAGE);
    running->step.pages++;
    running->step.crc = runner_crc(running->step.crc, &address, 4);
    running->step.crc = runner_crc(running->step.crc, now, CONSOLE_PAGE);
    memcpy(image, now, CONSOLE_PAGE);
}

static enum console_run_status run_read(struct running *running, const struct console_read *read)
{
    uint8_t *image = linear_at(running, read->image, read->bytes);
    uint8_t *buffer = linear_at(running, read->buffer, read->bytes);
    const uint32_t there = (uint32_t)(uintptr_t)buffer;
    if (image == NULL || buffer == NULL || read->bytes % CONSOLE_PAGE != 0 || read->address % CONSOLE_PAGE != 0 ||
        !console_range_in(read->address, read->bytes, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES))
        return CONSOLE_RUN_REFUSED;
    poison(running, buffer, read->bytes);
    const enum console_run_status status = fetch(running, read->address, there, read->bytes);
    if (status != CONSOLE_RUN_OK)
        return status;
    if (!is_read_by_cpu(running))                                /* whose bytes are in its cache alone */
        gpu_invalidate(running->cases->gpu, there, read->bytes); /* where it is not known, there is no cache either */
    const uint32_t physical = read->address - CONSOLE_VRAM_VIRTUAL + CONSOLE_VRAM_PHYSICAL;
    for (uint32_t at = 0; at < read->bytes; at += CONSOLE_PAGE)
        record_page(running, physical + at, buffer + at, image + at);
    return CONSOLE_RUN_OK;
}

static enum console_run_status run_registers(struct running *running, const struct console_registers *registers)
{
    uint32_t words[CONSOLE_REGISTER_CHUNK / 4];
    if (registers->bytes == 0 || registers->bytes > CONSOLE_REGISTER_CHUNK || registers->bytes % 4 != 0 ||
        registers->offset % 4 != 0 || console_range_in(REGISTER_THAT_HANGS, 4, registers->offset, registers->bytes))
        return CONSOLE_RUN_REFUSED;
    for (uint32_t i = 0; i < CONSOLE_REGISTER_CHUNK / 4; i++)
        words[i] = CONSOLE_CANARY;
    const int32_t result = gpu_read_registers(running->cases->gpu, registers->offset, words, registers->bytes);
    const bool has_data = result >= 0 && words[0] != CONSOLE_CANARY;
    const struct console_register_block block = { running->result->run, running->step.step, registers->offset,
                                                  (uint32_t)result };
    store_record(running->cases->store, CONSOLE_RECORD_REGISTERS, &block, sizeof block, words, registers->bytes);
    if (result < 0 && !gpu_is_ours(running->cases->gpu))
        return CONSOLE_RUN_INTERRUPTED;
    return is_self_test(running) && !has_data ? CONSOLE_RUN_UNREAD : CONSOLE_RUN_OK;
}

static enum console_run_status run_step(struct running *running, const struct console_step *step)
{
    const uint32_t crc = running->step.crc;
    const bool is_unread = running->step.unread != 0, is_unchanged = running->step.pages == 0;
    store_record(running->cases->store, CONSOLE_RECORD_STEP, &running->step, sizeof running->step, NULL, 0);
    running->result->steps++;
    running->step = (struct console_step_result){ running->result->run, step->step + 1, 0, 0, 0, { 0, 0 } };
    if (step->check == 0 || (step->crc == crc && !is_unread))
        return CONSOLE_RUN_OK;
    running->result->detail = crc;
    return is_unread || is_unchanged ? CONSOLE_RUN_UNREAD : CONSOLE_RUN_DIFFERS;
}

/* ---------------------------------------------------------------------------------------------------------- showing */

/* The rows of tiles that hold the code: one, and its opposite. */
static void draw_code(uint8_t *to, uint32_t code, uint32_t tile_bytes)
{
    for (uint32_t i = 0; i < CONSOLE_SHOW_CODE_ROWS * CONSOLE_SHOW_TILES; i++) {
        const bool first = i < CONSOLE_SHOW_TILES;
        const bool bit = (code >> (CONSOLE_SHOW_TILES - 1 - (first ? i : i - CONSOLE_SHOW_TILES)) & 1) != 0;
        memset(to + i * tile_bytes, bit == first ? 0xFF : 0, tile_bytes);
    }
}

/* Tiles of the part, one row behind the other, below the code. */
static enum console_run_status copy_part(struct running *running, const struct console_show *show, uint32_t tile_bytes)
{
    const uint32_t blocks = tile_bytes / 16, row = CONSOLE_SHOW_TILES * tile_bytes;
    const uint32_t words[8] = { GX_FLAGS | CONSOLE_GX_COPY,
                                show->address,
                                show->picture + CONSOLE_SHOW_CODE_ROWS * row,
                                show->rows * show->tiles * tile_bytes,
                                show->gap * blocks << 16 | show->tiles * blocks,
                                (CONSOLE_SHOW_TILES - show->tiles) * blocks << 16 | show->tiles * blocks,
                                COPY_FLAG,
                                0 };
    return execute(running, words, CONSOLE_INTERRUPT_PPF);
}

/* What every program does with a picture: cleared, drawn, transferred to where the screen reads. */
static enum console_run_status make_picture(struct running *running, const struct console_show *show)
{
    const struct cases *cases = running->cases;
    const uint32_t pixel = console_show_bytes(show->format), tile = 64 * pixel;
    const uint32_t code = cases->shown + CONSOLE_SHOW_BYTES,
                   code_bytes = CONSOLE_SHOW_CODE_ROWS * CONSOLE_SHOW_TILES * tile;
    const uint32_t id[3] = { cases->payload->id[0], cases->payload->id[1], show->number };
    const uint32_t size = CONSOLE_SHOW_LINES << 16 | 8 * CONSOLE_SHOW_TILES;
    const uint32_t end = show->picture + CONSOLE_SHOW_BYTES / 4 * pixel;
    const uint32_t clear[8] = { GX_FLAGS | CONSOLE_GX_FILL, show->picture, 0, end, 0, 0, 0, (pixel - 2) << 8 | 1 };
    const uint32_t transfer[8] = { GX_FLAGS | CONSOLE_GX_TRANSFER,
                                   show->picture,
                                   cases->shown,
                                   size,
                                   size,
                                   console_show_screen(show->format) << 12 | show->format << 8,
                                   0,
                                   0 };
    draw_code((uint8_t *)(uintptr_t)code, console_show_code(show->number, runner_crc(0, id, sizeof id)), tile);
    gpu_flush(cases->gpu, code, code_bytes);
    enum console_run_status status = execute(running, clear, CONSOLE_INTERRUPT_PSC0);
    if (status == CONSOLE_RUN_OK)
        status = execute_copy(running, code, show->picture, code_bytes);
    if (status == CONSOLE_RUN_OK)
        status = copy_part(running, show, tile);
    return status == CONSOLE_RUN_OK ? execute(running, transfer, CONSOLE_INTERRUPT_PPF) : status;
}

static enum console_run_status run_show(struct running *running, const struct console_show *show)
{
    const struct cases *cases = running->cases;
    if (!console_show_allowed(show) || cases->payload->show_blanks == 0)
        return CONSOLE_RUN_REFUSED;
    if (running->result->pass != 0 && !is_self_test(running))
        return CONSOLE_RUN_OK;
    const enum console_run_status status = make_picture(running, show);
    const uint32_t format = console_show_screen(show->format);
    const struct screen_picture picture = { cases->shown, 8 * CONSOLE_SHOW_TILES * console_show_bytes(format), format };
    if (status == CONSOLE_RUN_OK)
        screen_show(cases->screen, &picture, cases->payload->show_blanks);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- a case */

static uint32_t words_of(uint32_t kind)
{
    switch (kind) {
    case CONSOLE_COMMAND_CLEAR: return 1 + sizeof(struct console_clear) / 4;
    case CONSOLE_COMMAND_COPY: return 1 + sizeof(struct console_copy) / 4;
    case CONSOLE_COMMAND_FLUSH: return 1 + sizeof(struct console_flush) / 4;
    case CONSOLE_COMMAND_GX: return 1 + sizeof(struct console_gx) / 4;
    case CONSOLE_COMMAND_WRITE: return 1 + sizeof(struct console_write) / 4;
    case CONSOLE_COMMAND_READ: return 1 + sizeof(struct console_read) / 4;
    case CONSOLE_COMMAND_REGISTERS: return 1 + sizeof(struct console_registers) / 4;
    case CONSOLE_COMMAND_STEP: return 1 + sizeof(struct console_step) / 4;
    case CONSOLE_COMMAND_SHOW: return 1 + sizeof(struct console_show) / 4;
    default: return 0;
    }
}

static enum console_run_status run_command(struct running *running, uint32_t kind, const void *arguments)
{
    switch (kind) {
    case CONSOLE_COMMAND_CLEAR: return run_clear(running, arguments);
    case CONSOLE_COMMAND_COPY: return run_copy(running, arguments);
    case CONSOLE_COMMAND_FLUSH: return run_flush(running, arguments);
    case CONSOLE_COMMAND_GX: return run_gx(running, arguments);
    case CONSOLE_COMMAND_WRITE: return run_write(running, arguments);
    case CONSOLE_COMMAND_READ: return run_read(running, arguments);
    case CONSOLE_COMMAND_REGISTERS: return run_registers(running, arguments);
    case CONSOLE_COMMAND_STEP: return run_step(running, arguments);
    case CONSOLE_COMMAND_SHOW: return run_show(running, arguments);
    default: return CONSOLE_RUN_REFUSED;
    }
}

static enum console_run_status run_commands(struct running *running, const uint32_t *commands, uint32_t words)
{
    uint32_t *at = &running->result->command;
    enum console_run_status status = CONSOLE_RUN_OK;
    for (*at = 0; *at < words; *at += commands[*at] >> 16) {
        const uint32_t kind = commands[*at] & 0xFFFF, length = commands[*at] >> 16;
        const bool is_known = length != 0 && length == words_of(kind) && length <= words - *at;
        status = is_known ? run_command(running, kind, commands + *at + 1) : CONSOLE_RUN_REFUSED;
        if (status == CONSOLE_RUN_REFUSED)
            running->result->detail = *at;
        if (status != CONSOLE_RUN_OK)
            break;
    }
    return status;
}

void cases_execute(const struct cases *cases, struct console_run_result *result)
{
    const struct console_case *test_case = cases_at(cases->payload, result->case_index);
    const uint32_t *commands = NULL;
    if (test_case != NULL && test_case->commands % 4 == 0 && test_case->words <= cases->payload->bytes / 4)
        commands = inside(cases->payload, test_case->commands, 4 * test_case->words);
    struct running running = { cases, result, { result->run, 0, 0, 0, 0, { 0, 0 } } };
    result->detail = 0;
    result->steps = 0;
    result->command = 0;
    const uint64_t began = system_get_tick();
    result->status = CONSOLE_RUN_REFUSED;
    if (commands != NULL)
        result->status = run_commands(&running, commands, test_case->words);
    const uint64_t ticks = system_get_tick() - began;
    result->ticks[0] = (uint32_t)ticks;
    result->ticks[1] = (uint32_t)(ticks >> 32);
}
