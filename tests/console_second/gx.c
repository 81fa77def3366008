/*
 * GX commands (CON-40), one after another: taken from the queue, looked at word by word, done when their time is over.
 * The GPU reads and writes its own copy of memory (memory.c), so what the CPU wrote and did not flush is an error here.
 */
#include "tests/console_second/parts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pica/memory.h"

enum {
    DMA = 0,
    LIST = 1,
    FILL = 2,
    TRANSFER = 3,
    COPY = 4,
    FLUSH = 5,
    SLOTS = 15,
    INTERRUPT_PSC1 = 1,
    INTERRUPT_PPF = 4,
    INTERRUPT_DMA = 6,
    TICKS_A_COMMAND = 20000 /* and one for each four bytes; no source */
};

static const uint32_t FORMAT_BYTES[] = { 4, 3, 2, 2, 2, 2, 2, 2 }; /* PPF-10 */

/* --------------------------------------------------------------------------------- what stands in a command */

static bool known(struct second_machine *m, uint32_t word, uint32_t address, uint32_t bytes)
{
    return second_must(m, second_in_linear(m, address, bytes) || second_in_vram(address, bytes),
                       "word %u: 0x%08X, 0x%X bytes: neither linear memory nor VRAM", word, address, bytes);
}

static bool aligned(struct second_machine *m, uint32_t word, uint32_t address)
{
    return second_must(m, address % 8 == 0, "word %u: 0x%08X, no multiple of 8", word, address);
}

/* What the GPU reads is in memory, and what it writes no dirty line of the CPU's will overwrite. */
static bool clean(struct second_machine *m, uint32_t word, uint32_t address, uint32_t bytes)
{
    return !second_in_linear(m, address, bytes) ||
           second_must(m, !second_dirty(m, address, bytes),
                       "word %u: 0x%08X, 0x%X bytes, holds what the CPU wrote and did not flush", word, address, bytes);
}

static bool zeros(struct second_machine *m, const uint32_t *words, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++)
        if (!second_must(m, words[i] == 0, "word %u: 0x%X, wanted 0", i, words[i]))
            return false;
    return true;
}

/* The last word of DMA and LIST: flush the source first. */
static bool source(struct second_machine *m, const uint32_t *words, uint32_t bytes)
{
    if (!second_must(m, words[7] <= 1, "word 7, flush: 0x%X, wanted 0 or 1", words[7]))
        return false;
    if (words[7] == 1 && second_in_linear(m, words[1], bytes))
        second_flush(m, words[1], bytes);
    return clean(m, 1, words[1], bytes);
}

static bool dma(struct second_machine *m, const uint32_t *w)
{
    return known(m, 1, w[1], w[3]) && known(m, 2, w[2], w[3]) && zeros(m, w, 4, 6) && source(m, w, w[3]) &&
           clean(m, 2, w[2], w[3]);
}

static bool list(struct second_machine *m, const uint32_t *w)
{
    return known(m, 1, w[1], w[2]) && aligned(m, 1, w[1]) &&
           second_must(m, w[2] % 16 == 0, "word 2, bytes: 0x%X, no multiple of 16: the last command is lost", w[2]) &&
           second_must(m, w[3] <= 1, "word 3: 0x%X, wanted 0 or 1", w[3]) && zeros(m, w, 4, 6) && source(m, w, w[2]);
}

static bool fill(struct second_machine *m, const uint32_t *w)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        const uint32_t start = w[1 + 3 * unit], end = w[3 + 3 * unit], control = w[7] >> (16 * unit) & 0xFFFFu;
        if (start == 0)
            continue;
        if (!second_must(m, end > start && second_in_vram(start, end - start),
                         "words %u, %u: 0x%08X to 0x%08X is no part of VRAM", 1 + 3 * unit, 3 + 3 * unit, start, end) ||
            !aligned(m, 1 + 3 * unit, start) || !aligned(m, 3 + 3 * unit, end) ||
            !second_must(m, (control & ~0x300u) == 1,
                         "word 7, control of unit %u: 0x%X, wanted 1 and a width in bits 8-9", unit, control))
            return false;
    }
    return second_must(m, w[1] != 0 || w[4] != 0, "no unit is used");
}

static bool transfer(struct second_machine *m, const uint32_t *w)
{
    const uint32_t width = w[4] & 0xFFFFu, height = w[4] >> 16, flags = w[5];
    const uint32_t shrink = (flags >> 24 & 3u) == 0 ? 1 : ((flags >> 24 & 3u) == 1 ? 2 : 4);
    const uint32_t bytes = width * height / shrink * FORMAT_BYTES[flags >> 12 & 7u];
    second_remark(m, (flags & ~UINT32_C(0x0301772F)) == 0, "GX display transfer: flags that cannot be written");
    second_remark(m, w[3] >> 16 != 0, "GX display transfer: the input's height is 0, which libctru never sends");
    return second_must(m, (flags & 8u) == 0, "word 5, flags: 0x%08X", flags) &&
           second_must(m, (w[3] & 0xFFFFu) != 0 && width != 0 && height != 0,
                       "words 3, 4: sizes 0x%08X and 0x%08X, a side is 0", w[3], w[4]) &&
           known(m, 1, w[1], 16) && known(m, 2, w[2], bytes) && aligned(m, 1, w[1]) && aligned(m, 2, w[2]) &&
           zeros(m, w, 6, 7) && clean(m, 1, w[1], 16) && clean(m, 2, w[2], bytes);
}

static bool copy(struct second_machine *m, const uint32_t *w)
{
    second_remark(m, (w[6] & ~4u) == 8, "GX texture copy: flags beside 8, which libctru never sends");
    return second_must(m, (w[6] & 8u) != 0, "word 6, flags: 0x%X, wanted 8", w[6]) && known(m, 1, w[1], 16) &&
           known(m, 2, w[2], 16) && aligned(m, 1, w[1]) && aligned(m, 2, w[2]) && zeros(m, w, 7, 7) &&
           (w[4] >> 16 != 0 || (known(m, 1, w[1], w[3]) && clean(m, 1, w[1], w[3]))) &&
           (w[5] >> 16 != 0 || (known(m, 2, w[2], w[3]) && clean(m, 2, w[2], w[3])));
}

static bool flush_caches(struct second_machine *m, const uint32_t *w)
{
    for (uint32_t i = 1; i <= 5; i += 2)
        if (w[i + 1] != 0) {
            if (!second_must(m, second_in_linear(m, w[i], w[i + 1]), "word %u: 0x%08X, not linear memory", i, w[i]))
                return false;
            second_flush(m, w[i], w[i + 1]);
        }
    return zeros(m, w, 7, 7);
}

static const struct {
    const char *name;
    uint32_t word0;
    bool (*good)(struct second_machine *m, const uint32_t *words);
} COMMANDS[] = {
    { "GX DMA", 0x01000100, dma },           { "GX command list", 0x01000101, list },
    { "GX memory fill", 0x01000102, fill },  { "GX display transfer", 0x01000103, transfer },
    { "GX texture copy", 0x01000104, copy }, { "GX flush of caches", 0x00000105, flush_caches },
};

void second_gx_take(struct second_machine *m)
{
    struct gsp *const gsp = &m->gsp;
    uint8_t *const ring = gsp->page + 0x800 + 0x200 * m->options.client;
    if (gsp->busy || ring[1] == 0)
        return;
    if (!second_must(m, ring[0] < SLOTS && ring[1] <= SLOTS && ring[2] == 0 && ring[3] == 0,
                     "the header of the command queue is 0x%08X", get32(ring)))
        return;
    for (uint32_t i = 0; i < 8; i++)
        gsp->command[i] = get32(ring + 0x20 + 0x20 * ring[0] + 4 * i);
    ring[0] = (uint8_t)((ring[0] + 1) % SLOTS);
    ring[1]--;
    const uint32_t id = gsp->command[0] & 0xFFu;
    const char *const call = m->call;
    m->call = "GX command";
    if (!second_must(m, id <= FLUSH && gsp->command[0] == COMMANDS[id].word0, "word 0: 0x%08X", gsp->command[0]))
        return;
    m->call = COMMANDS[id].name;
    if (!COMMANDS[id].good(m, gsp->command))
        return;
    gsp->busy = true;
    gsp->done_at = m->ticks + TICKS_A_COMMAND + (id == DMA ? gsp->command[3] / 4 : 0);
    m->call = call;
}

/* ---------------------------------------------------------------------------------------------- what a command does */

/* With no_write_back the GPU's memory and the program's are two: lists draw in the former alone (libctru.md). */
static bool to_be_seen(const struct second_machine *m)
{
    const uint32_t *const w = m->gsp.command;
    if (m->guest_vram == NULL || second_in_vram(w[2], 1))
        return true;
    if ((w[0] & 0xFFu) == TRANSFER || (w[4] & 0xFFFFu) == 0)
        return false;
    for (uint32_t page = (w[1] - VRAM_VIRTUAL) / PAGE; page <= (w[1] + w[3] - 1 - VRAM_VIRTUAL) / PAGE; page++)
        if (page < VRAM_BYTES / PAGE && m->drawn[page])
            return false;
    return true;
}

static void note_drawn(struct second_machine *m)
{
    for (uint32_t page = 0; m->guest_vram != NULL && page < VRAM_BYTES / PAGE; page++)
        m->drawn[page] = m->drawn[page] || second_gpu_differs(m, page * PAGE, m->guest_vram + page * PAGE);
}

static void do_dma(struct second_machine *m, const uint32_t *w)
{
    uint8_t *const bytes = malloc(w[3]);
    if (bytes == NULL) {
        second_finish(m, SECOND_TROUBLE, "no memory");
        return;
    }
    if (m->guest_vram != NULL && second_in_vram(w[1], w[3]))
        memcpy(bytes, m->guest_vram + (w[1] - VRAM_VIRTUAL), w[3]);
    else
        second_gpu_read(m, second_physical(m, w[1]), bytes, w[3]);
    second_gpu_write(m, second_physical(m, w[2]), bytes, w[3]);
    if (m->guest_vram != NULL && second_in_vram(w[2], w[3]))
        memcpy(m->guest_vram + (w[2] - VRAM_VIRTUAL), bytes, w[3]);
    free(bytes);
    second_interrupt(m, INTERRUPT_DMA);
}

static bool do_list(struct second_machine *m, const uint32_t *w)
{
    const uint32_t number = ++m->gsp.lists;
    if (number == m->options.crash_at_list)
        raise(SIGSEGV);
    while (number == m->options.freeze_at_list)
        pause();
    if (number == m->options.hang_at_list)
        return false;
    const struct pica_operation operation = { .kind = PICA_OPERATION_SUBMIT_LIST,
                                              .address = second_physical(m, w[1]),
                                              .size = w[2] };
    const bool ends = second_gpu_run(m, &operation, 0);
    note_drawn(m);
    return ends;
}

static void do_fill(struct second_machine *m, const uint32_t *w)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        const uint32_t start = w[1 + 3 * unit], end = w[3 + 3 * unit];
        if (start == 0)
            continue;
        const struct pica_operation operation = {
            .kind = PICA_OPERATION_MEMORY_FILL,
            .unit = unit,
            .words = { second_physical(m, start) >> 3, second_physical(m, end - 1) / 8 + 1, w[2 + 3 * unit],
                       w[7] >> (16 * unit) & 0xFFFFu },
        };
        /* Of one command for both units the system reports the first alone (EXT-CMD-12). */
        second_gpu_run(m, &operation, w[1] != 0 ? 1u << INTERRUPT_PSC1 : 0);
        if (m->guest_vram != NULL)
            second_gpu_read(m, second_physical(m, start), m->guest_vram + (start - VRAM_VIRTUAL), end - start);
    }
}

/* Transfers, and copies: the bit 8 of their flags. False: it hangs (PPF-12, TXC-06). */
static bool do_transfer(struct second_machine *m, const uint32_t *w)
{
    struct pica_operation operation = {
        .kind = PICA_OPERATION_DISPLAY_TRANSFER,
        .words = { second_physical(m, w[1]) >> 3, second_physical(m, w[2]) >> 3, w[4], w[3], w[5] },
    };
    const uint32_t in = w[5] >> 8 & 7u, out = w[5] >> 12 & 7u;
    if (in != 0 && !(in == 1 && out == 1) && !(in >= 2 && out >= 2))
        return false;
    if (to_be_seen(m))
        return second_gpu_run(m, &operation, 0);
    second_interrupt(m, INTERRUPT_PPF);
    return true;
}

static bool do_copy(struct second_machine *m, const uint32_t *w)
{
    struct pica_operation operation = {
        .kind = PICA_OPERATION_DISPLAY_TRANSFER,
        .words = { second_physical(m, w[1]) >> 3, second_physical(m, w[2]) >> 3, 0, 0, w[6], 0, w[3], w[4], w[5] },
    };
    if (w[3] / 16 == 0 || (w[4] >> 16 != 0 && (w[4] & 0xFFFFu) == 0) || (w[5] >> 16 != 0 && (w[5] & 0xFFFFu) == 0))
        return false;
    if (to_be_seen(m))
        return second_gpu_run(m, &operation, 0);
    second_interrupt(m, INTERRUPT_PPF);
    return true;
}

/* -------------------------------------------------------------------------------------------------------- screens */

enum {
    SLOT_WORDS = 7 /* of a frame buffer description: which buffer, left, right, stride, format, which buffer, 0 */
};

static const uint8_t *screen_entry(const struct second_machine *m, uint32_t screen)
{
    return m->gsp.page + 0x200 + 0x80 * m->options.client + 0x40 * screen;
}

/* CON-34, and section 4 of what libctru does. */
static bool good_slot(struct second_machine *m, uint32_t screen, const uint32_t *w)
{
    const uint32_t columns = screen == 0 ? PICA_TOP_COLUMNS : PICA_BOTTOM_COLUMNS, format = w[4] & 7u;
    const uint32_t memory = second_in_vram(w[1], 1) ? 0x300 : 0x100, kind = screen == 0 ? 0x40 : 0;
    const uint32_t stride = PICA_SCREEN_LINES * FORMAT_BYTES[format];
    return second_must(m, w[0] <= 1 && w[5] == w[0] && w[6] == 0, "words 0, 5, 6: %u, %u, %u, wanted a buffer twice, 0",
                       w[0], w[5], w[6]) &&
           second_must(m, format <= 4 && (w[4] & ~7u) == (memory | kind), "word 4, format: 0x%X, wanted 0x%X + 0 to 4",
                       w[4], memory | kind) &&
           second_must(m, w[3] == stride, "word 3, stride: %u, wanted %u", w[3], stride) &&
           known(m, 1, w[1], stride * columns) &&
           second_must(m, w[1] % 16 == 0, "word 1: 0x%08X, no multiple of 16", w[1]) &&
           second_must(m, w[2] == w[1] || (screen == 1 && w[2] == 0),
                       "word 2, right eye: 0x%08X, wanted the left one's", w[2]);
}

void second_show(struct second_machine *m, uint32_t screen)
{
    uint8_t *const entry = m->gsp.page + (screen_entry(m, screen) - m->gsp.page);
    if ((entry[1] & 1u) == 0)
        return;
    const char *const call = m->call;
    m->call = screen == 0 ? "frame buffer of the top screen" : "frame buffer of the bottom screen";
    uint32_t w[SLOT_WORDS];
    for (uint32_t i = 0; i < SLOT_WORDS; i++)
        w[i] = get32(entry + 4 + 4 * (SLOT_WORDS * (entry[0] & 1u) + i));
    if (!second_must(m, entry[0] <= 1, "byte 0: %u, wanted 0 or 1", entry[0]) || !good_slot(m, screen, w))
        return;
    const uint32_t controller = PICA_EXTERNAL_ADDRESS + 0x400 + 0x100 * screen;
    second_gpu_set(m, controller + (w[0] == 0 ? 0x68 : 0x6C), second_physical(m, w[1]));
    second_gpu_set(m, controller + (w[0] == 0 ? 0x94 : 0x98), second_physical(m, w[1]));
    second_gpu_set(m, controller + 0x70, w[4]);
    second_gpu_set(m, controller + 0x78, w[0]);
    second_gpu_set(m, controller + 0x90, w[3]);
    entry[1] = 0;
    m->gsp.shown[screen] = true;
    m->call = call;
}

/* At each transfer the system may take either description (libctru.md, section 4). */
static void both_described(struct second_machine *m)
{
    for (uint32_t screen = 0; screen < 2; screen++)
        for (uint32_t slot = 0; slot < 2 && m->gsp.shown[screen]; slot++)
            second_must(m, get32(screen_entry(m, screen) + 8 + 4 * SLOT_WORDS * slot) != 0,
                        "frame buffer description %u of screen %u is empty, and the system may take it at a transfer",
                        slot, screen);
}

void second_gx_execute(struct second_machine *m)
{
    struct gsp *const gsp = &m->gsp;
    const uint32_t *const w = gsp->command, id = w[0] & 0xFFu;
    const char *const call = m->call;
    m->call = COMMANDS[id].name;
    bool ends = true;
    if (id == DMA)
        do_dma(m, w);
    else if (id == LIST)
        ends = do_list(m, w);
    else if (id == FILL)
        do_fill(m, w);
    else if (id == TRANSFER || id == COPY) {
        both_described(m);
        ends = !m->ended && (id == COPY ? do_copy(m, w) : do_transfer(m, w));
    }
    gsp->hung = !ends;
    gsp->busy = !ends;
    if (m->ended)
        return;
    second_gx_take(m);
    m->call = call;
}
