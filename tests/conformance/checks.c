#include "tests/conformance/checks.h"

#include <stdio.h>

void machine_each_with_windows(const struct pica_window *windows, uint32_t count, machine_test test)
{
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = count;
    machine_each_with(&setup, test);
}

uint32_t cpu_read(struct machine *m, uint32_t address)
{
    const struct pica_state *const state = machine_state(m);
    if (address == PICA_LCD_FILL_TOP_ADDRESS)
        return state->lcd_fill[0];
    if (address == PICA_LCD_FILL_BOTTOM_ADDRESS)
        return state->lcd_fill[1];
    cr_assert(address >= PICA_EXTERNAL_ADDRESS && address < PICA_EXTERNAL_ADDRESS + 0x1000u);
    return state->external[(address - PICA_EXTERNAL_ADDRESS) / 4u];
}

bool all_bytes_are(struct machine *m, const char *rule, uint32_t address, size_t n, uint8_t value)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t got = machine_byte(m, address + (uint32_t)i);
        if (got == value)
            continue;
        (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: byte at 0x%08X (+%zu) is %02X, expected %02X",
                       m->name, rule, m->row, (unsigned)(address + (uint32_t)i), i, (unsigned)got, (unsigned)value);
        return false;
    }
    return true;
}

bool interrupts_are(struct machine *m, const char *rule, const uint32_t expected[PICA_INTERRUPTS])
{
    static const char *const names[PICA_INTERRUPTS] = { "PSC0", "PSC1", "PDC0", "PDC1", "PPF", "P3D" };
    const struct pica_state *const state = machine_state(m);
    for (uint32_t i = 0; i < PICA_INTERRUPTS; i++) {
        if (state->interrupts[i] == expected[i])
            continue;
        (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: counter %s is %u, expected %u", m->name, rule,
                       m->row, names[i], (unsigned)state->interrupts[i], (unsigned)expected[i]);
        return false;
    }
    return true;
}

bool words_are(struct machine *m, const char *rule, uint32_t address, const uint32_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t got = machine_word(m, address + 4u * (uint32_t)i);
        if (got == expected[i])
            continue;
        (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: word at 0x%08X (word %zu) is %08X, expected %08X",
                       m->name, rule, m->row, (unsigned)(address + 4u * (uint32_t)i), i, (unsigned)got,
                       (unsigned)expected[i]);
        return false;
    }
    return true;
}
