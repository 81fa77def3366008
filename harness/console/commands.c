/* The order of a case's commands: docs/formats/console-payload.md. */
#include "harness/console/commands.h"

#include "harness/case/grow.h"
#include "harness/case/state.h"
#include "harness/console/payload.h"
#include "harness/console/prologue.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    GX_FLAGS = 0x01000100 /* CON-40 */
};

/* A case that is being lowered, and where things lie in linear memory: the image of all windows, one buffer for
 * reading back, the list that runs. */
struct lowering {
    struct console_commands *commands;
    struct console_words *out;
    const struct pica_setup *setup;
    uint32_t image_bytes, buffer, list;
};

void console_commands_free(struct console_commands *commands)
{
    console_words_free(&commands->body);
    console_words_free(&commands->reset_list);
    free(commands->blobs);
}

void console_commands_make_reset(struct console_commands *commands)
{
    struct pica_state reset;
    harness_state_reset(&reset);
    console_prologue(&commands->reset_list, NULL, &reset);
}

/* ----------------------------------------------------------------------------------------------------------- blobs */

static bool is_blob(const struct console_commands *commands, const struct console_blob *blob, const void *bytes,
                    uint32_t size, uint32_t crc)
{
    return blob->bytes == size && blob->crc == crc &&
           memcmp((const uint8_t *)commands->body.items + (blob->offset - commands->base), bytes, size) == 0;
}

uint32_t console_commands_blob(struct console_commands *commands, const void *bytes, uint32_t size)
{
    const uint32_t crc = (uint32_t)crc32(0, bytes, size);
    for (size_t i = 0; i < commands->blob_count; i++)
        if (is_blob(commands, &commands->blobs[i], bytes, size, crc))
            return commands->blobs[i].offset;
    const size_t at = commands->body.count;
    const struct console_blob blob = { (size + 3) / 4, size, crc, commands->base + (uint32_t)(at * 4) };
    console_words_add(&commands->body, NULL, blob.words);
    struct console_blob *const blobs = harness_grow(commands->blobs, commands->blob_count, sizeof *blobs);
    commands->body.failed = commands->body.failed || blobs == NULL;
    if (commands->body.failed)
        return 0;
    if (size != 0)
        memcpy(commands->body.items + at, bytes, size);
    commands->blobs = blobs;
    commands->blobs[commands->blob_count++] = blob;
    return blob.offset;
}

/* -------------------------------------------------------------------------------------------------------- commands */

static void put(struct console_words *out, enum console_command kind, const void *arguments, size_t bytes)
{
    uint32_t words[16];
    memcpy(words, arguments, bytes);
    console_words_put(out, (uint32_t)kind | (uint32_t)(bytes / 4 + 1) << 16);
    console_words_add(out, words, bytes / 4);
}

static void put_gx(struct console_words *out, enum console_interrupt interrupt, uint32_t linear,
                   const uint32_t words[8])
{
    struct console_gx gx = { (uint32_t)interrupt, linear, { 0 } };
    memcpy(gx.words, words, sizeof gx.words);
    put(out, CONSOLE_COMMAND_GX, &gx, sizeof gx);
}

static void put_flush(struct console_words *out, uint32_t linear, uint32_t bytes)
{
    const struct console_flush flush = { linear, bytes };
    put(out, CONSOLE_COMMAND_FLUSH, &flush, sizeof flush);
}

static uint32_t virtual_of(uint32_t physical)
{
    return physical - CONSOLE_VRAM_PHYSICAL + CONSOLE_VRAM_VIRTUAL;
}

/* Linear memory to VRAM. */
static void put_dma(struct console_words *out, uint32_t linear, uint32_t physical, uint32_t bytes)
{
    const uint32_t words[8] = { CONSOLE_GX_DMA | GX_FLAGS, linear, virtual_of(physical), bytes };
    put_flush(out, linear, bytes);
    put_gx(out, CONSOLE_INTERRUPT_DMA, 1u << 1, words);
}

/* ---------------------------------------------------------------------------------------------------------- memory */

/* Bytes of a load go into the image in linear memory, and, with `pages`, from there the pages that they touched to
 * VRAM. What lies outside the windows is dropped (MEM-08). */
static void load(const struct lowering *lowering, uint32_t address, const uint8_t *data, uint32_t size, bool pages)
{
    uint32_t image = 0;
    for (uint32_t w = 0; w < lowering->setup->window_count; w++) {
        const struct pica_window *const window = &lowering->setup->windows[w];
        const uint64_t end = (uint64_t)address + size, window_end = (uint64_t)window->address + window->size;
        const uint32_t from = address > window->address ? address : window->address;
        const uint32_t to = (uint32_t)(end < window_end ? end : window_end);
        if (from < to) {
            const uint32_t bytes = to - from, at = image + (from - window->address);
            const struct console_copy copy = {
                at, console_commands_blob(lowering->commands, data + (from - address), bytes), bytes
            };
            put(lowering->out, CONSOLE_COMMAND_COPY, &copy, sizeof copy);
            const uint32_t first = from & ~(CONSOLE_PAGE - 1u), last = (to + CONSOLE_PAGE - 1) & ~(CONSOLE_PAGE - 1u);
            if (pages)
                put_dma(lowering->out, image + (first - window->address), first, last - first);
        }
        image += window->size;
    }
}

static void put_contents(const struct lowering *lowering)
{
    const struct console_clear clear = { 0, lowering->image_bytes };
    put(lowering->out, CONSOLE_COMMAND_CLEAR, &clear, sizeof clear);
    for (uint32_t i = 0; i < lowering->setup->chunk_count; i++) {
        const struct pica_chunk *const chunk = &lowering->setup->chunks[i];
        load(lowering, chunk->address, chunk->data, chunk->size, false);
    }
    uint32_t image = 0;
    for (uint32_t w = 0; w < lowering->setup->window_count; w++) {
        put_dma(lowering->out, image, lowering->setup->windows[w].address, lowering->setup->windows[w].size);
        image += lowering->setup->windows[w].size;
    }
}

/* Reads registers in blocks as large as gsp takes, leaving out the id that hangs a console when it is read (CON-31). */
static void put_registers(const struct lowering *lowering, const struct console_register_range *range)
{
    enum {
        HANGS = 0x06C
    };
    const uint32_t end = range->first + range->count;
    for (uint32_t id = range->first; id < end;) {
        uint32_t stop = id + CONSOLE_REGISTER_CHUNK / 4 < end ? id + CONSOLE_REGISTER_CHUNK / 4 : end;
        stop = id < HANGS && stop > HANGS ? HANGS : stop;
        const struct console_registers block = { CONSOLE_INTERNAL_REGISTERS + 4 * id, 4 * (stop - id) };
        put(lowering->out, CONSOLE_COMMAND_REGISTERS, &block, sizeof block);
        id = stop == HANGS ? HANGS + 1 : stop;
    }
}

/* All windows are read, then the step ends. */
static void put_step(const struct lowering *lowering, uint32_t number, uint32_t operation,
                     const struct console_step_plan *check)
{
    uint32_t image = 0;
    for (uint32_t w = 0; w < lowering->setup->window_count; w++) {
        const struct pica_window *const window = &lowering->setup->windows[w];
        const struct console_read read = { virtual_of(window->address), window->size, image, lowering->buffer };
        put(lowering->out, CONSOLE_COMMAND_READ, &read, sizeof read);
        image += window->size;
    }
    const struct console_step step = { number, check != NULL ? 1 : 0, check != NULL ? check->crc : 0, operation };
    put(lowering->out, CONSOLE_COMMAND_STEP, &step, sizeof step);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

static void put_list_command(const struct lowering *lowering, uint32_t address, uint32_t bytes, bool is_linear)
{
    const uint32_t words[8] = { CONSOLE_GX_LIST | GX_FLAGS, address, bytes, 0, 0, 0, 0, is_linear ? 1 : 0 };
    put_gx(lowering->out, CONSOLE_INTERRUPT_P3D, is_linear ? 1u << 1 : 0, words);
}

/* Runs words from the place for lists in linear memory. */
static void run_words(const struct lowering *lowering, const struct console_words *list)
{
    const uint32_t bytes = (uint32_t)(list->count * 4);
    const uint32_t needed = (lowering->list + bytes + CONSOLE_PAGE - 1) & ~(CONSOLE_PAGE - 1u);
    if (needed > lowering->commands->linear_bytes)
        lowering->commands->linear_bytes = needed;
    const struct console_copy copy = { lowering->list, console_commands_blob(lowering->commands, list->items, bytes),
                                       bytes };
    put(lowering->out, CONSOLE_COMMAND_COPY, &copy, sizeof copy);
    put_flush(lowering->out, lowering->list, bytes);
    put_list_command(lowering, lowering->list, bytes, true);
}

/* Runs the list from a copy in linear memory. CON-43: after it a flush, if it draws and does not flush itself, and
 * FINALIZE as the list had it. */
static void run_copy(const struct lowering *lowering, const struct console_step_plan *plan)
{
    struct console_words list = { .items = NULL };
    console_words_add(&list, plan->list, plan->list_words);
    if (plan->add_flush) {
        console_words_write(&list, PICA_REG_FRAMEBUFFER_FLUSH, 1);
        console_words_write(&list, PICA_REG_FRAMEBUFFER_INVALIDATE, 1);
    }
    console_words_write(&list, PICA_REG_FINALIZE, plan->finalize_value);
    if (list.count % 4 != 0)
        console_words_write(&list, PICA_REG_FINALIZE, plan->finalize_value);
    run_words(lowering, &list);
    lowering->out->failed = lowering->out->failed || list.failed;
    console_words_free(&list);
}

static void put_prologues(const struct lowering *lowering)
{
    struct pica_state reset, wanted;
    struct console_words own = { .items = NULL };
    harness_state_reset(&reset);
    console_wanted_state(lowering->setup, &wanted);
    console_prologue(&own, &reset, &wanted);
    run_words(lowering, &lowering->commands->reset_list);
    if (own.count != 0)
        run_words(lowering, &own);
    lowering->out->failed = lowering->out->failed || own.failed;
    console_words_free(&own);
}

/* ------------------------------------------------------------------------------------------------------ operations */

/* PSC-02: what the registers keep, as an address. */
static uint32_t engine_address(uint32_t word)
{
    return virtual_of((word & 0x1FFFFFFEu) << 3);
}

static void put_fill(const struct lowering *lowering, const struct pica_operation *operation)
{
    const uint32_t unit = operation->unit & 1u, control = operation->words[3] & 0xFFFFu;
    uint32_t words[8] = { CONSOLE_GX_FILL | GX_FLAGS };
    words[1 + 3 * unit] = engine_address(operation->words[0]);
    words[2 + 3 * unit] = operation->words[2];
    words[3 + 3 * unit] = engine_address(operation->words[1]);
    words[7] = control << 16 * unit;
    put_gx(lowering->out, unit == 0 ? CONSOLE_INTERRUPT_PSC0 : CONSOLE_INTERRUPT_PSC1, 0, words);
}

/* words: C00 C04 C08 C0C C10 C14 C20 C24 C28. gsp takes the input's size first. */
static void put_transfer(const struct lowering *lowering, const struct pica_operation *operation)
{
    const uint32_t *const from = operation->words;
    const uint32_t in = engine_address(from[0]), out = engine_address(from[1]), flags = from[4];
    const uint32_t transfer[8] = { CONSOLE_GX_TRANSFER | GX_FLAGS, in, out, from[3], from[2], flags };
    const uint32_t copy[8] = { CONSOLE_GX_COPY | GX_FLAGS, in, out, from[6], from[7], from[8], flags };
    put_gx(lowering->out, CONSOLE_INTERRUPT_PPF, 0, (flags & 8u) != 0 ? copy : transfer);
}

static void put_write(const struct lowering *lowering, const struct pica_operation *operation)
{
    const uint32_t offset = (operation->address & ~3u) - PICA_INTERNAL_ADDRESS + CONSOLE_INTERNAL_REGISTERS;
    const struct console_write write = { offset, operation->words[0] };
    put(lowering->out, CONSOLE_COMMAND_WRITE, &write, sizeof write);
}

static void put_operation(const struct lowering *lowering, const struct pica_operation *operation,
                          const struct console_step_plan *plan)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY: load(lowering, operation->address, operation->data, operation->size, true); break;
    case PICA_OPERATION_SUBMIT_LIST:
        if (plan->from_vram)
            put_list_command(lowering, virtual_of(operation->address), operation->size, false);
        else
            run_copy(lowering, plan);
        break;
    case PICA_OPERATION_WRITE_REGISTER: put_write(lowering, operation); break;
    case PICA_OPERATION_MEMORY_FILL: put_fill(lowering, operation); break;
    case PICA_OPERATION_DISPLAY_TRANSFER: put_transfer(lowering, operation); break;
    case PICA_OPERATION_VERTICAL_BLANK: break; /* the gates let none pass */
    }
}

bool console_commands_use_vram_list(const struct console_plan *plan)
{
    for (uint32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].from_vram)
            return true;
    return false;
}

uint32_t console_commands_lower(struct console_commands *commands, const struct console_lowering *lower,
                                struct console_words *out)
{
    const struct pica_setup *const setup = &lower->program->setup;
    struct lowering lowering = { commands, out, setup, 0, 0, 0 };
    uint32_t largest = 0, steps = 0;
    for (uint32_t w = 0; w < setup->window_count; w++) {
        lowering.image_bytes += setup->windows[w].size;
        largest = setup->windows[w].size > largest ? setup->windows[w].size : largest;
    }
    lowering.buffer = lowering.image_bytes;
    lowering.list = lowering.buffer + largest;
    put_contents(&lowering);
    put_prologues(&lowering);
    for (uint32_t i = 0; i < lower->program->count; i++) {
        const struct pica_operation *const operation = &lower->program->operations[i];
        const struct console_step_plan *const plan = &lower->plan->steps[i];
        put_operation(&lowering, operation, plan);
        if (operation->kind == PICA_OPERATION_LOAD_MEMORY)
            continue;
        for (uint32_t k = 0; i + 1 == lower->program->count && k < lower->show_count; k++)
            put(out, CONSOLE_COMMAND_SHOW, &lower->shows[k], sizeof lower->shows[k]);
        put_registers(&lowering, &lower->registers);
        put_step(&lowering, steps++, i, lower->check ? plan : NULL);
    }
    return steps;
}
