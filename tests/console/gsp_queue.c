/*
 * The page that gsp shares with its clients: a ring of interrupts, a ring of commands and two frame buffer entries
 * each. One command runs at a time; its effects come when it is done, so who reads early reads old memory.
 */
#include "tests/console/parts.h"

#include <string.h>

enum {
    INTERRUPTS = 0,         /* of client i at i * 0x40 */
    INTERRUPT_SLOTS = 0x34, /* bytes from 0xC on */
    SCREENS = 0x200,        /* of client i at i * 0x80, the lower one 0x40 behind */
    COMMANDS = 0x800,       /* of client i at i * 0x200, slots from 0x20 on */
    COMMAND_SLOTS = 15,
    COMMAND_BYTES = 32,
    FIRST_SCREEN_ENTRY = 4,
    SCREEN_ENTRY_BYTES = 0x1C
};

static const uint32_t REFUSED = 0xE0E02A01u;

static uint8_t *interrupts(struct mock *console)
{
    return console->gsp.shared + INTERRUPTS + 0x40 * console->setup->faults.client_index;
}

static uint8_t *commands(struct mock *console)
{
    return console->gsp.shared + COMMANDS + 0x200 * console->setup->faults.client_index;
}

/* ------------------------------------------------------------------------------------------------------- interrupts */

static void count_missed_vblank(uint8_t *ring, uint32_t id)
{
    uint8_t *missed = ring + (id == 2 ? 4 : 8);
    mock_put_word(missed, mock_word(missed) + 1);
}

/* A program may leave vertical blanks lying, but not what it asked for. */
static bool ring_is_full(struct mock *console, uint8_t *ring, uint32_t id)
{
    if (ring[1] < INTERRUPT_SLOTS)
        return false;
    if (id == 2 || id == 3) {
        count_missed_vblank(ring, id);
    } else {
        ring[2] = 1;
        mock_mistake(console, "the ring of interrupts is full");
    }
    return true;
}

void mock_interrupt(struct mock *console, uint32_t id)
{
    const bool is_vblank = id == 2 || id == 3;
    uint8_t *ring = interrupts(console);
    if (!is_vblank) {
        const uint32_t number = ++console->result->gpu_interrupts;
        if (number == console->setup->faults.lose_interrupt || !console->gsp.has_right ||
            console->setup->weak.blanks_only)
            return;
    }
    if (!console->gsp.registered || ring_is_full(console, ring, id))
        return;
    ring[0xC + (ring[0] + ring[1]) % INTERRUPT_SLOTS] = (uint8_t)id;
    ring[1]++;
    mock_signal(console, console->gsp.event);
}

/* --------------------------------------------------------------------------------------------------------- commands */

static void note_command(struct mock *console, const uint32_t command[8])
{
    struct mock_gsp *gsp = &console->gsp;
    mock_effect(console, MOCK_RUNS_ENGINE, command[0], command[2], command[1], "");
    if (++console->result->gpu_commands == console->setup->faults.withdraw_right) {
        gsp->has_right = false;
        gsp->right_returns = console->now + 2000000000u;
    }
}

/* CON-48; without the right nothing is said. */
static void refuse_command(struct mock *console, uint8_t *ring)
{
    if (!console->gsp.has_right)
        return;
    ring[2] |= 0x80;
    mock_put_word(ring + 4, REFUSED);
}

void mock_gsp_start(struct mock *console)
{
    struct mock_gsp *gsp = &console->gsp;
    uint8_t *ring = commands(console);
    if (gsp->busy || (ring[2] & 0x80) != 0)
        return;
    if (ring[1] == 0 || ring[1] > COMMAND_SLOTS || ring[0] >= COMMAND_SLOTS) {
        mock_mistake(console, "command ring: position %u, count %u", ring[0], ring[1]);
        return;
    }
    for (int i = 0; i < 8; i++)
        gsp->command[i] = mock_word(ring + COMMAND_BYTES * (1 + ring[0]) + 4 * i);
    ring[0] = (uint8_t)((ring[0] + 1) % COMMAND_SLOTS);
    ring[1]--;
    note_command(console, gsp->command);
    if (!mock_gpu_accepts(console, gsp->command)) {
        refuse_command(console, ring);
        return;
    }
    const uint32_t microseconds = console->setup->faults.gpu_microseconds;
    gsp->busy = true;
    gsp->hung = mock_gpu_hangs(console, gsp->command);
    gsp->done = console->now + 1000u * (microseconds == 0 ? 50 : microseconds);
}

void mock_gsp_finish(struct mock *console)
{
    console->gsp.busy = false;
    mock_gpu_execute(console, console->gsp.command);
    if (commands(console)[1] > 0)
        mock_gsp_start(console);
}

/* ---------------------------------------------------------------------------------------------------------- screens */

static void look_at_screen(struct mock *console, uint8_t *entry, uint32_t lines)
{
    if ((entry[1] & 1) == 0)
        return;
    entry[1] &= (uint8_t)~1u;
    if (console->setup->weak.one_slot && (entry[0] & 1) == 0)
        return;
    const uint8_t *info = entry + FIRST_SCREEN_ENTRY + SCREEN_ENTRY_BYTES * (entry[0] & 1);
    if (mock_word(info) != (entry[0] & 1u) || mock_word(info + 20) != (entry[0] & 1u))
        mock_mistake(console, "frame buffer entry %u is of buffer %u", entry[0] & 1u, mock_word(info));
    const uint32_t size = lines * mock_word(info + 12);
    for (int i = 0; i < 2; i++) {
        const uint32_t address = mock_word(info + 4 + 4 * i);
        mock_effect(console, MOCK_SHOWS_SCREEN, address, size, mock_word(info + 16), (entry[0] & 1) == 0 ? "0" : "1");
        console->gsp.shows_linear = console->gsp.shows_linear || address < MOCK_VRAM || address >= MOCK_VRAM + 0x600000;
        if (mock_physical(console, address, size) == 0)
            mock_mistake(console, "the frame buffer %08X of %X bytes is nowhere", address, size);
    }
    if (lines == 400)
        console->gsp.upper =
            (struct mock_screen){ mock_word(info + 4), mock_word(info + 12), mock_word(info + 16) & 7u };
}

void mock_look_at_screens(struct mock *console)
{
    if (!console->gsp.registered)
        return;
    uint8_t *entries = console->gsp.shared + SCREENS + 0x80 * console->setup->faults.client_index;
    look_at_screen(console, entries, 400);
    look_at_screen(console, entries + 0x40, 320);
}
