/*
 * Memory, state and events are the same, and a screen shows something else: which register of the display does one side
 * not obey? One side, the teller, is told the same with that register changed: if it then shows what the other showed,
 * that is how the other reads it. CPU writes to these registers have no other effect (PSC-12), and are taken back.
 */
#include "harness/localise/localise_parts.h"
#include "harness/run/display.h"
#include "harness/run/kind.h"
#include "oracles/screens.h"
#include "pica/extregs.h"
#include "pica/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHANGES = 8
};

/* What another machine may take for what the case has set. */
struct reading {
    uint32_t address[MOST_CHANGES], value[MOST_CHANGES];
    uint32_t count;
};

struct display_search {
    struct harness_localise *search;
    struct harness_location *out;
    struct harness_runner *teller;
    struct harness_display before; /* of the teller */
    enum oracle_screen which;
    uint32_t screen, other; /* 0 top, 1 bottom */
    const uint8_t *foreign; /* what the other side shows */
    uint8_t *own;           /* what the teller shows with another reading */
    bool is_explained;
};

/* ------------------------------------------------------------------------------------------------------- registers */

static uint32_t address_of(uint32_t screen, enum pica_extreg base)
{
    return PICA_EXTERNAL_ADDRESS + pica_extreg_pdc(screen, base);
}

static uint32_t address_of_fill(uint32_t screen)
{
    return screen == 0 ? PICA_LCDREG_COLOR_FILL_TOP : PICA_LCDREG_COLOR_FILL_BOTTOM;
}

static const struct pica_extreg_info *info_of(uint32_t address)
{
    return address >= PICA_EXTERNAL_ADDRESS ? pica_extreg_info(address - PICA_EXTERNAL_ADDRESS)
                                            : pica_lcdreg_info(address);
}

static uint32_t value_of(const struct display_search *display, uint32_t address)
{
    return harness_display_read(&display->before, address);
}

static uint32_t pdc(const struct display_search *display, uint32_t screen, enum pica_extreg base)
{
    return value_of(display, address_of(screen, base));
}

/* The register that holds the address of what is shown. */
static enum pica_extreg shown_from(const struct display_search *display, bool right)
{
    const bool second = pica_pdc_select_buffer(pdc(display, display->screen, PICA_EXTREG_PDC0_SELECT)) != 0;
    if (right)
        return second ? PICA_EXTREG_PDC0_RIGHT1 : PICA_EXTREG_PDC0_RIGHT0;
    return second ? PICA_EXTREG_PDC0_LEFT1 : PICA_EXTREG_PDC0_LEFT0;
}

/* --------------------------------------------------------------------------------------------------------- readings */

static void change(struct reading *reading, uint32_t address, uint32_t value)
{
    reading->address[reading->count] = address;
    reading->value[reading->count++] = value;
}

static bool write_register(struct harness_runner *runner, uint32_t address, uint32_t value)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                              .address = address,
                                              .words = { value } };
    return harness_runner_step(runner, &operation) == PICA_OK;
}

/* Does the teller show what the other side shows, if it is told this? */
static bool shows_the_same(struct display_search *display, const struct reading *reading)
{
    const size_t size = oracle_screen_bytes(display->which);
    bool good = true, changes = false;
    for (uint32_t i = 0; i < reading->count; i++) {
        changes = changes || reading->value[i] != value_of(display, reading->address[i]);
        good = good && write_register(display->teller, reading->address[i], reading->value[i]);
    }
    good = good && changes &&
           harness_runner_backend(display->teller)
                   ->scan_out(harness_runner_instance(display->teller), display->screen,
                              display->which == ORACLE_SCREEN_RIGHT_EYE, display->own, size) == PICA_OK;
    for (uint32_t i = 0; i < reading->count; i++)
        good = write_register(display->teller, reading->address[i], value_of(display, reading->address[i])) && good;
    return good && memcmp(display->own, display->foreign, size) == 0;
}

static void blame(struct display_search *display, uint32_t address, const char *rule)
{
    const struct pica_extreg_info *const info = info_of(address);
    display->out->display_register = info->name;
    display->out->rule = rule != NULL ? rule : info->rule;
}

/* Tries a reading, unless one has explained it already. */
static void try(struct display_search *display, const struct reading *reading, uint32_t blamed, const char *rule,
                const char *how)
{
    struct harness_location *const out = display->out;
    if (display->is_explained || !shows_the_same(display, reading))
        return;
    display->is_explained = true;
    blame(display, blamed, rule);
    out->inferred = true;
    (void)snprintf(out->experiment, sizeof out->experiment, "%s %s", out->display_register, how);
}

/* PDC-07 */
static void try_fills(struct display_search *display)
{
    const uint32_t own = address_of_fill(display->screen), other = address_of_fill(display->other);
    struct reading off = { .count = 0 }, swapped = { .count = 0 };
    change(&off, own, 0);
    change(&swapped, own, value_of(display, other));
    if (pica_lcd_color_fill_enable(value_of(display, own)) != 0)
        try(display, &off, own, NULL, "were 0");
    if (pica_lcd_color_fill_enable(value_of(display, other)) != 0)
        try(display, &swapped, own, NULL, "were that of the other screen");
}

/* PDC-03: the buffer. */
static void try_buffer(struct display_search *display)
{
    const uint32_t select = address_of(display->screen, PICA_EXTREG_PDC0_SELECT);
    struct reading first = { .count = 0 };
    change(&first, select, 0);
    try(display, &first, select, NULL, "were 0");
}

/* PDC-05 */
static void try_eye(struct display_search *display)
{
    const bool right = display->which == ORACLE_SCREEN_RIGHT_EYE;
    const uint32_t own = address_of(display->screen, shown_from(display, right));
    struct reading eye = { .count = 0 };
    change(&eye, own, pdc(display, display->screen, shown_from(display, !right)));
    if (display->screen == 0)
        try(display, &eye, own, "PDC-05", "were that of the other eye");
}

/* PDC-01 */
static void try_screens(struct display_search *display)
{
    static const enum pica_extreg bases[] = { PICA_EXTREG_PDC0_LEFT0,  PICA_EXTREG_PDC0_LEFT1,  PICA_EXTREG_PDC0_FORMAT,
                                              PICA_EXTREG_PDC0_SELECT, PICA_EXTREG_PDC0_STRIDE, PICA_EXTREG_PDC0_RIGHT0,
                                              PICA_EXTREG_PDC0_RIGHT1 };
    const uint32_t blamed = address_of(display->screen, shown_from(display, display->which == ORACLE_SCREEN_RIGHT_EYE));
    struct reading swapped = { .count = 0 };
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        change(&swapped, address_of(display->screen, bases[i]), pdc(display, display->other, bases[i]));
    try(display, &swapped, blamed, "PDC-01", "and all beside it were those of the other screen");
    change(&swapped, address_of_fill(display->screen), value_of(display, address_of_fill(display->other)));
    try(display, &swapped, blamed, "PDC-01", "and all beside it were those of the other screen");
}

/* PDC-04 */
static void try_formats(struct display_search *display)
{
    const uint32_t address = address_of(display->screen, PICA_EXTREG_PDC0_FORMAT);
    const uint32_t now = value_of(display, address);
    for (uint32_t format = 0; format < 5; format++) {
        struct reading reading = { .count = 0 };
        change(&reading, address, (now & ~7u) | format);
        try(display, &reading, address, NULL, "had another format");
    }
}

/* PDC-02: as if columns followed each other without a gap, or with twice the gap (every second line alone). */
static void try_strides(struct display_search *display)
{
    const uint32_t address = address_of(display->screen, PICA_EXTREG_PDC0_STRIDE);
    const uint32_t now = value_of(display, address);
    const uint32_t strides[] = { 0,      2 * PICA_SCREEN_LINES, 3 * PICA_SCREEN_LINES, 4 * PICA_SCREEN_LINES, 2 * now,
                                 now / 2 };
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        struct reading reading = { .count = 0 };
        change(&reading, address, strides[i] & ~15u);
        try(display, &reading, address, NULL, "were another number");
    }
}

/* No reading explains it: the register that was written last, or else the one without which nothing is shown. */
static void blame_most(struct display_search *display)
{
    const struct pica_operation *const operation = display->search->operation;
    const bool right = display->which == ORACLE_SCREEN_RIGHT_EYE;
    if (pica_lcd_color_fill_enable(value_of(display, address_of_fill(display->screen))) != 0)
        blame(display, address_of_fill(display->screen), NULL);
    else if (operation->kind == PICA_OPERATION_WRITE_REGISTER && info_of(operation->address & ~3u) != NULL &&
             harness_display_has(operation->address))
        blame(display, operation->address & ~3u, NULL);
    else
        blame(display, address_of(display->screen, shown_from(display, right)), right ? NULL : "PDC-03");
}

/* --------------------------------------------------------------------------------------------------------- together */

static bool can_tell(struct harness_runner *runner)
{
    return harness_runner_backend(runner)->scan_out != NULL && !harness_is_recorded(harness_runner_backend(runner));
}

/* The likeliest first: of a reduced case a black picture is what several readings show. */
static void explain(struct display_search *display)
{
    try_fills(display);
    if (display->which == ORACLE_SCREEN_RIGHT_EYE) /* and not the top screen, which comes first */
        try_eye(display);
    try_buffer(display);
    try_screens(display);
    try_formats(display);
    try_strides(display);
    try_eye(display);
}

bool harness_localise_display(struct harness_localise *search, struct harness_location *out)
{
    const struct oracle_run *const runs = search->runs;
    struct oracle_report report;
    oracle_screens_equal(&runs[0], &runs[1], &report);
    if (report.verdict != ORACLE_DIVERGE)
        return false;
    struct display_search display = { .search = search,
                                      .out = out,
                                      .which = (enum oracle_screen)report.first,
                                      .own = malloc(oracle_screen_bytes((enum oracle_screen)report.first)) };
    const int side = can_tell(search->runners[0]) ? 0 : 1;
    display.teller = search->runners[side];
    display.before = *harness_runner_display(display.teller);
    display.screen = display.which == ORACLE_SCREEN_BOTTOM ? 1 : 0;
    display.other = 1u - display.screen;
    display.foreign = runs[1 - side].screens[display.which];
    if (display.own != NULL && can_tell(display.teller))
        explain(&display);
    if (!display.is_explained)
        blame_most(&display);
    free(display.own);
    return true;
}
