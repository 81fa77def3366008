/*
 * gsp::Gpu: the right to the GPU, the shared page with its queues (CON-33), registers, caches, the screens' light. Its
 * interrupts and the screens' vertical blanks come when they are due.
 */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

#include "pica/memory.h"

enum {
    FIRST_USER = 0x2A07,
    INTERRUPT_SLOTS = 0x34,
    NO_BLANKS = 1, /* bit of an interrupt queue's flags */
    REGISTER_BYTES = 0x80,
    GPU_OFFSET = 0x400000,
    ID_OFFSET = 0x401000
};

static bool in_turn(struct second_machine *m)
{
    return second_must(m, m->gsp.has_right, "without the right to the GPU");
}

static void done(struct second_machine *m, struct message *message)
{
    (void)m;
    second_reply(message, 0, 1, 0);
}

static void acquire_right(struct second_machine *m, struct message *message)
{
    if (!second_must(m, m->applet.awake, "before APT's wake-up: it waits for the HOME menu for ever") ||
        !second_must(m, !m->gsp.has_right, "a second time") || !second_gpu_start(m))
        return;
    m->gsp.has_right = true;
    done(m, message);
}

static void register_queue(struct second_machine *m, struct message *message)
{
    struct gsp *const gsp = &m->gsp;
    struct object *const event = second_named(m, message->words[3], KIND_EVENT);
    if (event == NULL || !in_turn(m) || !second_must(m, !gsp->registered, "a second time") ||
        !second_must(m, !event->sticky, "word 3: the event is sticky, libctru's is one-shot"))
        return;
    struct object *const block = second_object(m, KIND_BLOCK, "gsp's shared memory");
    if (block == NULL)
        return;
    block->bytes = gsp->page = aligned_alloc(PAGE, PAGE);
    if (gsp->page == NULL) {
        second_finish(m, SECOND_TROUBLE, "no memory");
        return;
    }
    memset(gsp->page, 0, PAGE);
    uint8_t *const ring = gsp->page + 0x800 + 0x200 * m->options.client;
    memset(ring, 0xFF, 0x20); /* of the program before: cleared by the next one */
    block->block_permissions = READABLE | WRITABLE;
    block->references++;
    event->references++;
    gsp->block = block;
    gsp->event = event;
    gsp->registered = true;
    gsp->next_blank = m->ticks + TICKS_A_BLANK;
    second_reply(message, m->options.first_user ? FIRST_USER : 0, 2, 2);
    message->words[2] = m->options.client;
    message->words[3] = 0;
    message->words[4] = second_handle(m, block);
}

static void unregister_queue(struct second_machine *m, struct message *message)
{
    struct gsp *const gsp = &m->gsp;
    if (!second_must(m, gsp->registered, "there is no queue") ||
        !second_must(m, !gsp->busy || gsp->hung, "a GX command is still under way"))
        return;
    second_remark(m, gsp->block->mapped_at == 0, "gsp's shared memory is still mapped when its queue is given back");
    gsp->registered = false;
    second_release(gsp->event);
    second_release(gsp->block);
    gsp->event = gsp->block = NULL;
    done(m, message);
}

static void release_right(struct second_machine *m, struct message *message)
{
    if (in_turn(m) && second_must(m, !m->gsp.registered, "before UnregisterInterruptRelayQueue")) {
        m->gsp.has_right = false;
        done(m, message);
    }
}

/* ------------------------------------------------------------------------------------------------------- registers */

/* What is written at a first use and after a reset (CON-52): offsets from 0x1EF00000. */
static const struct {
    uint32_t offset, value, mask;
} FIRST_USE[] = {
    { 0x1000, 0, UINT32_MAX },
    { 0x1080, 0x12345678, UINT32_MAX },
    { 0x10C0, 0xFFFFFFF0, UINT32_MAX },
    { 0x10D0, 1, UINT32_MAX },
    { 0x1914, 1, UINT32_MAX },
    { 0x0C18, 0, 0xFF00 },
    { 0x0004, 0x70100, UINT32_MAX },
    { 0x001C, 0, 0xFF },
    { 0x002C, 0, 0xFF },
    { 0x0050, 0x22221200, UINT32_MAX },
    { 0x0054, 0xFF2, 0xFFFF },
};

/* CON-60: what cases write, too: internal registers but those of interrupts and those that start something. */
static bool may_write(uint32_t offset, uint32_t value, uint32_t mask)
{
    for (size_t i = 0; i < sizeof FIRST_USE / sizeof *FIRST_USE; i++)
        if (offset == GPU_OFFSET + FIRST_USE[i].offset && value == FIRST_USE[i].value && mask == FIRST_USE[i].mask)
            return true;
    const uint32_t id = (offset - ID_OFFSET) / 4;
    return offset >= ID_OFFSET && id >= 0x40 && id < 0x300 && id != 0x22E && id != 0x22F && (id < 0x232 || id > 0x23D);
}

static bool block_of_registers(struct second_machine *m, const struct message *message)
{
    const uint32_t offset = message->words[1], bytes = message->words[2];
    return in_turn(m) &&
           second_must(m, offset % 4 == 0 && offset >= GPU_OFFSET && offset < 0x420000 - bytes,
                       "word 1, offset: 0x%X, wanted one of the GPU, a multiple of 4", offset) &&
           second_must(m, bytes != 0 && bytes % 4 == 0 && bytes <= REGISTER_BYTES,
                       "word 2, bytes: %u, wanted up to 128, a multiple of 4", bytes);
}

static void write_registers(struct second_machine *m, struct message *message, bool masked)
{
    if (!block_of_registers(m, message))
        return;
    const uint32_t offset = message->words[1], bytes = message->words[2];
    const uint8_t *const values = second_static(m, message, 3, 0, bytes);
    const uint8_t *const masks = masked && values != NULL ? second_static(m, message, 5, 1, bytes) : NULL;
    if (values == NULL || (masked && masks == NULL))
        return;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t value = get32(values + i), mask = masked ? get32(masks + i) : UINT32_MAX;
        uint32_t old = 0;
        if (!second_must(m, may_write(offset + i, value, mask),
                         "register at offset 0x%X = 0x%08X, mask 0x%08X: none "
                         "that a program may write so (CON-60)",
                         offset + i, value, mask) ||
            (masked && !second_gpu_register(m, offset + i, &old)))
            return;
        second_gpu_set(m, PICA_EXTERNAL_ADDRESS + (offset + i - GPU_OFFSET), (old & ~mask) | (value & mask));
    }
    done(m, message);
}

static void write_plain(struct second_machine *m, struct message *message)
{
    write_registers(m, message, false);
}

static void write_masked(struct second_machine *m, struct message *message)
{
    write_registers(m, message, true);
}

static void read_registers(struct second_machine *m, struct message *message)
{
    if (!block_of_registers(m, message))
        return;
    const uint32_t offset = message->words[1], bytes = message->words[2];
    uint8_t *const out = second_receive(m, 0, bytes);
    const uint32_t hangs = ID_OFFSET + 4 * 0x06C;
    if (out == NULL || !second_must(m, hangs < offset || hangs >= offset + bytes, "reads register 0x06C, which hangs"))
        return;
    for (uint32_t i = 0; i < bytes && !m->options.no_registers; i += 4) {
        uint32_t value = 0;
        if (!second_gpu_register(m, offset + i, &value))
            return;
        put32(out + i, value);
    }
    done(m, message);
}

/* ---------------------------------------------------------------------------------------------------------- caches */

static void flush(struct second_machine *m, struct message *message)
{
    const uint32_t address = message->words[1], bytes = message->words[2];
    if (second_must(m, second_in_linear(m, address, bytes), "words 1, 2: 0x%08X, 0x%X bytes: not linear memory",
                    address, bytes)) {
        second_flush(m, address, bytes);
        done(m, message);
    }
}

static void invalidate(struct second_machine *m, struct message *message)
{
    const uint32_t address = message->words[1], bytes = message->words[2];
    if (second_must(m, second_in_linear(m, address, bytes) || second_in_vram(address, bytes),
                    "words 1, 2: 0x%08X, 0x%X bytes: neither linear memory nor VRAM", address, bytes)) {
        second_invalidate(m, address, bytes);
        done(m, message);
    }
}

/* ------------------------------------------------------------------------------------------------- queues, screens */

static void trigger(struct second_machine *m, struct message *message)
{
    if (!in_turn(m) || !second_must(m, m->gsp.registered, "there is no queue"))
        return;
    const uint32_t count = m->gsp.page[0x800 + 0x200 * m->options.client + 1];
    if (!second_must(m, count == 1, "%u commands are in the queue: it is sent when there is one for the first time",
                     count))
        return;
    second_gx_take(m);
    done(m, message);
}

static void reset_core(struct second_machine *m, struct message *message)
{
    if (!in_turn(m))
        return;
    m->gsp.busy = m->gsp.hung = false;
    done(m, message);
}

/* A dark screen is a fill of the LCD's (PDC-07). libctru shows a picture, waits for a blank, then lights it. */
static void force_black(struct second_machine *m, struct message *message)
{
    const bool black = message->words[1] != 0;
    if (!second_must(m, message->words[1] <= 1, "word 1: %u, wanted 0 or 1", message->words[1]))
        return;
    second_remark(m, black || (m->gsp.shown[0] && m->gsp.shown[1]),
                  "SetLcdForceBlack 0: no vertical blank came since the frame buffers were described");
    if (black && !m->gsp.black)
        second_screens(m);
    m->gsp.black = black;
    second_gpu_set(m, PICA_LCD_FILL_TOP_ADDRESS, black ? 1u << 24 : 0);
    second_gpu_set(m, PICA_LCD_FILL_BOTTOM_ADDRESS, black ? 1u << 24 : 0);
    done(m, message);
}

static void performance(struct second_machine *m, struct message *message)
{
    (void)m;
    second_reply(message, 0, 15, 0);
    memset(&message->words[2], 0, 14 * sizeof message->words[0]);
}

void second_interrupt(struct second_machine *m, uint8_t which)
{
    struct gsp *const gsp = &m->gsp;
    if (!gsp->registered)
        return;
    uint8_t *const queue = gsp->page + 0x40 * m->options.client;
    const bool blank = which == 2 || which == 3;
    if (blank && (queue[3] & NO_BLANKS) != 0)
        return;
    if (!second_must(m, queue[0] < INTERRUPT_SLOTS && queue[1] <= INTERRUPT_SLOTS,
                     "the header of the interrupt queue is 0x%08X", get32(queue)))
        return;
    if (queue[1] == INTERRUPT_SLOTS) {
        if (blank)
            put32(queue + (which == 2 ? 4 : 8), get32(queue + (which == 2 ? 4 : 8)) + 1);
        else
            queue[2] = 1;
    } else {
        queue[0xC + (queue[0] + queue[1]) % INTERRUPT_SLOTS] = which;
        queue[1]++;
    }
    second_signal(gsp->event);
}

void second_gsp_due(struct second_machine *m)
{
    struct gsp *const gsp = &m->gsp;
    if (gsp->registered && gsp->next_blank <= m->ticks) {
        gsp->next_blank += TICKS_A_BLANK;
        for (uint8_t screen = 0; screen < 2; screen++) {
            second_show(m, screen);
            second_interrupt(m, (uint8_t)(2 + screen));
        }
    }
    if (gsp->busy && !gsp->hung && gsp->done_at <= m->ticks)
        second_gx_execute(m);
}

void second_gsp_given_back(struct second_machine *m)
{
    second_must(m, !m->gsp.registered, "the interrupt queue was not given back");
    second_must(m, !m->gsp.has_right, "the right to the GPU was not given back");
    second_must(m, m->gsp.black, "the screens still read the program's memory: no SetLcdForceBlack 1");
}

/* Each client has its parts of the page. Their headers are stored by STREX: the system changes them, too (CON-33). */
void second_gsp_stores(struct second_machine *m, uint32_t offset, uint32_t bytes, uint32_t value, bool exclusive)
{
    const uint32_t interrupts = 0x40 * m->options.client, frames = 0x200 + 0x80 * m->options.client;
    const uint32_t commands = 0x800 + 0x200 * m->options.client;
    const bool own = (offset >= interrupts && offset < interrupts + 0x40) ||
                     (offset >= frames && offset < frames + 0x80) || (offset >= commands && offset < commands + 0x200);
    if (!second_must(m, own, "a store to gsp's shared memory at 0x%X, which is another client's", offset))
        return;
    const bool flags_alone = offset == interrupts + 3 && bytes == 1;
    if (offset - interrupts < 4 && !flags_alone)
        second_must(m, exclusive, "the header of the interrupt queue is stored without STREX");
    if (offset - commands < 4) {
        second_must(m, exclusive || value == 0, "the header of the command queue is stored without STREX");
        second_remark(m, exclusive, "the header of the command queue is cleared without STREX");
    }
    if (offset - frames < 4 || offset - frames - 0x40 < 4)
        second_remark(m, exclusive, "the header of a frame buffer description is stored without STREX");
}

static const struct command GSP[] = {
    { 0x00010082, "WriteHWRegs", write_plain, { ANY, ANY, ANY, ANY } },
    { 0x00020084, "WriteHWRegsWithMask", write_masked, { ANY, ANY, ANY, ANY, ANY, ANY } },
    { 0x00040080, "ReadHWRegs", read_registers, { ANY, ANY } },
    { 0x00080082, "FlushDataCache", flush, { ANY, ANY, 0, CURRENT_PROCESS } },
    { 0x00090082, "InvalidateDataCache", invalidate, { ANY, ANY, 0, CURRENT_PROCESS } },
    { 0x000B0040, "SetLcdForceBlack", force_black, { ANY } },
    { 0x000C0000, "TriggerCmdReqQueue", trigger, { 0 } },
    { 0x00110040, "SetPerfLogMode", done, { ANY } },
    { 0x00120000, "GetPerfLog", performance, { 0 } },
    { 0x00130042, "RegisterInterruptRelayQueue", register_queue, { 1, 0, ANY } },
    { 0x00140000, "UnregisterInterruptRelayQueue", unregister_queue, { 0 } },
    { 0x00160042, "AcquireRight", acquire_right, { 0, 0, CURRENT_PROCESS } },
    { 0x00170000, "ReleaseRight", release_right, { 0 } },
    { 0x001A0000, "RestoreVramSysArea", done, { 0 } },
    { 0x001B0000, "ResetGpuCore", reset_core, { 0 } },
};
const struct service second_gsp = { "gsp::Gpu", GSP, sizeof GSP / sizeof *GSP };
