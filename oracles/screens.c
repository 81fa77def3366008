#include "oracles/screens.h"

#include "oracles/scope.h"

#include <string.h>

static const struct {
    const char *name;
    uint32_t columns;
} pictures[ORACLE_SCREENS] = {
    [ORACLE_SCREEN_TOP] = { "top screen", PICA_TOP_COLUMNS },
    [ORACLE_SCREEN_BOTTOM] = { "bottom screen", PICA_BOTTOM_COLUMNS },
    [ORACLE_SCREEN_RIGHT_EYE] = { "right eye", PICA_TOP_COLUMNS },
};

const char *oracle_screen_name(enum oracle_screen screen)
{
    return pictures[screen].name;
}

uint32_t oracle_screen_columns(enum oracle_screen screen)
{
    return pictures[screen].columns;
}

size_t oracle_screen_bytes(enum oracle_screen screen)
{
    return (size_t)3 * pictures[screen].columns * PICA_SCREEN_LINES;
}

static bool is_compared(const struct oracle_run *a, const struct oracle_run *b, uint32_t screen)
{
    return a->screens[screen] != NULL && b->screens[screen] != NULL;
}

static bool is_same(const struct oracle_run *a, const struct oracle_run *b, uint32_t screen)
{
    return memcmp(a->screens[screen], b->screens[screen], oracle_screen_bytes((enum oracle_screen)screen)) == 0;
}

bool oracle_screens_same(const struct oracle_run *a, const struct oracle_run *b)
{
    for (uint32_t screen = 0; screen < ORACLE_SCREENS; screen++)
        if (is_compared(a, b, screen) && !is_same(a, b, screen))
            return false;
    return true;
}

static void say_pixel(const uint8_t *rgb, const char *backend, const char *before, struct oracle_report *report)
{
    oracle_say(report, "%s%s %u %u %u", before, backend, (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static void say_difference(const struct oracle_run *a, const struct oracle_run *b, uint32_t screen, uint32_t first,
                           uint32_t count, struct oracle_report *report)
{
    const uint32_t columns = pictures[screen].columns;
    oracle_say(report, "%s: %u of %u pixels differ, first at %u,%u from the upper left: ", pictures[screen].name,
               (unsigned)count, (unsigned)(columns * PICA_SCREEN_LINES), (unsigned)(first % columns),
               (unsigned)(first / columns));
    say_pixel(a->screens[screen] + (size_t)3 * first, a->backend, "", report);
    say_pixel(b->screens[screen] + (size_t)3 * first, b->backend, ", ", report);
    oracle_say(report, " (r g b)\n");
}

static void compare(const struct oracle_run *a, const struct oracle_run *b, uint32_t screen,
                    struct oracle_report *report)
{
    const uint32_t pixels = pictures[screen].columns * PICA_SCREEN_LINES;
    uint32_t count = 0, first = 0;
    report->compared += pixels;
    for (uint32_t i = 0; i < pixels; i++)
        if (memcmp(a->screens[screen] + (size_t)3 * i, b->screens[screen] + (size_t)3 * i, 3) != 0 && count++ == 0)
            first = i;
    if (count == 0)
        return;
    if (report->differences == 0) {
        report->first = screen;
        oracle_key(report, "display %s", pictures[screen].name);
    }
    report->differences += count;
    report->verdict = ORACLE_DIVERGE;
    say_difference(a, b, screen, first, count, report);
}

void oracle_screens_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "screens_equal";
    for (uint32_t screen = 0; screen < ORACLE_SCREENS; screen++)
        if (is_compared(a, b, screen))
            compare(a, b, screen, report);
}
