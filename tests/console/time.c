/* The clock: it stands still but for system calls, blocks of code and waits, so a run is the same every time. */
#include "tests/console/parts.h"

static const uint64_t FRAME = 16713681u; /* ns, 59.83 pictures a second */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return b != 0 && b < a ? b : a;
}

/* Who knows no flag that asks for none sends them. */
static bool has_blanks(const struct mock *console)
{
    return console->setup->faults.vblanks || console->setup->weak.only_standard || console->setup->weak.blanks_only;
}

/* When the next thing happens by itself; UINT64_MAX: nothing will. */
static uint64_t next_happening(const struct mock *console)
{
    uint64_t next = UINT64_MAX;
    if (console->gsp.busy && !console->gsp.hung)
        next = earlier(next, console->gsp.done);
    if (has_blanks(console) && console->gsp.registered)
        next = earlier(next, console->gsp.next_vblank);
    next = earlier(next, console->apt.wakes);
    next = earlier(next, console->gsp.right_returns);
    const struct mock_faults *faults = &console->setup->faults;
    if (!console->apt.notified && console->apt.notification != 0)
        next = earlier(next, (uint64_t)faults->notify_after_ms * 1000000u);
    return earlier(next, (uint64_t)faults->power_off_after_ms * 1000000u);
}

static void vertical_blank(struct mock *console)
{
    console->gsp.next_vblank = console->now + FRAME;
    mock_interrupt(console, 2);
    mock_interrupt(console, 3);
}

/* Everything that is due now. */
static void happen(struct mock *console)
{
    struct mock_gsp *gsp = &console->gsp;
    if (gsp->busy && !gsp->hung && gsp->done <= console->now)
        mock_gsp_finish(console);
    if (has_blanks(console) && gsp->registered && gsp->next_vblank <= console->now)
        vertical_blank(console);
    if (console->apt.wakes != 0 && console->apt.wakes <= console->now) {
        console->apt.wakes = 0;
        mock_signal(console, console->apt.resume);
    }
    const uint64_t notify = (uint64_t)console->setup->faults.notify_after_ms * 1000000u;
    if (!console->apt.notified && console->apt.notification != 0 && notify != 0 && notify <= console->now) {
        console->apt.notified = true;
        console->apt.to_inquire = console->setup->faults.notification;
        mock_signal(console, console->apt.notification);
    }
    if (gsp->right_returns != 0 && gsp->right_returns <= console->now)
        gsp->right_returns = 0;
    const uint64_t power = console->setup->faults.power_off_after_ms;
    if (power != 0 && power * 1000000u <= console->now)
        mock_end(console, MOCK_POWER_LOST, "the power button was held");
}

void mock_pass(struct mock *console, uint64_t nanoseconds)
{
    const uint64_t until = console->now + nanoseconds;
    while (!console->over && next_happening(console) <= until) {
        const uint64_t next = next_happening(console);
        console->now = next > console->now ? next : console->now;
        happen(console);
    }
    console->now = until > console->now ? until : console->now;
}

static bool take_signal(struct mock *console, uint32_t handle)
{
    struct mock_handle *object = mock_handle(console, handle);
    if (object == NULL || !object->signaled)
        return false;
    if (object->object == MOCK_MUTEX || !object->sticky)
        object->signaled = false;
    return true;
}

bool mock_wait(struct mock *console, uint32_t handle, uint64_t nanoseconds)
{
    const uint64_t until = nanoseconds > UINT64_MAX - console->now ? UINT64_MAX : console->now + nanoseconds;
    while (!console->over) {
        if (take_signal(console, handle))
            return true;
        const uint64_t next = next_happening(console);
        if (next > until || next == UINT64_MAX)
            break;
        mock_pass(console, next > console->now ? next - console->now : 0);
    }
    if (until == UINT64_MAX)
        mock_end(console, MOCK_STUCK, "waits for ever for handle %08X", handle);
    else if (!console->over)
        mock_pass(console, until - console->now);
    return false;
}

uint64_t mock_ticks(const struct mock *console)
{
    const uint64_t multiple = console->setup->faults.clock_multiple == 0 ? 1 : console->setup->faults.clock_multiple;
    return console->now / 1000 * multiple * 268111856u / 1000000u;
}
