/*
 * APT: the program says that it is there, waits to be woken, and takes its leave. Rights to the GPU come only after the
 * wake-up (CON-25). Each command is sent as libctru sends it: the lock is held, and the session is opened for it alone.
 */
#include "tests/console_second/parts.h"

#include <string.h>

enum {
    PROGRAM = 0x300, /* the id of an application that was started by another program */
    HOME_MENU = 0x101,
    WAKE_UP = 1,
    PARAMETER_BYTES = 0x1000
};

#define NO_PARAMETER UINT32_C(0xC8A0CFEF)

static bool locked(struct second_machine *m)
{
    return second_must(m, m->applet.lock != NULL, "before GetLockHandle") &&
           second_must(m, !m->applet.lock->signaled, "the lock is not held") &&
           second_must(m, !m->applet.left, "after the program took its leave");
}

static struct object *kept(struct second_machine *m, enum kind kind, const char *name)
{
    struct object *const object = second_object(m, kind, name);
    if (object != NULL)
        object->references++;
    return object;
}

static void get_lock_handle(struct second_machine *m, struct message *message)
{
    if (m->applet.lock == NULL)
        m->applet.lock = kept(m, KIND_MUTEX, "the lock of APT");
    if (m->applet.lock == NULL)
        return;
    m->applet.lock->signaled = true;
    second_reply(message, 0, 3, 2);
    message->words[2] = message->words[3] = message->words[4] = 0;
    message->words[5] = second_handle(m, m->applet.lock);
}

static void initialize(struct second_machine *m, struct message *message)
{
    struct applet *const applet = &m->applet;
    if (!locked(m) || !second_must(m, !applet->initialised, "a second time"))
        return;
    applet->initialised = true;
    applet->notification = kept(m, KIND_EVENT, "the event of notifications");
    applet->resume = kept(m, KIND_EVENT, "the event of parameters");
    if (applet->notification == NULL || applet->resume == NULL)
        return;
    second_reply(message, 0, 1, 3);
    message->words[2] = 1u << 26;
    message->words[3] = second_handle(m, applet->notification);
    message->words[4] = second_handle(m, applet->resume);
}

static void enable(struct second_machine *m, struct message *message)
{
    if (!locked(m) || !second_must(m, m->applet.initialised && !m->applet.enabled, "not after Initialize, or twice"))
        return;
    m->applet.enabled = true;
    second_reply(message, 0, 1, 0);
}

static void notify_to_wait(struct second_machine *m, struct message *message)
{
    if (!locked(m) || !second_must(m, m->applet.enabled, "before Enable"))
        return;
    if (!m->applet.waiting)
        m->applet.wakes_at = m->ticks + TICKS_A_SECOND / 100;
    m->applet.waiting = true;
    second_reply(message, 0, 1, 0);
}

void second_apt_due(struct second_machine *m)
{
    struct applet *const applet = &m->applet;
    if (applet->tells_at <= m->ticks) {
        applet->tells_at = UINT64_MAX;
        second_signal(applet->notification);
        applet->told = true;
    }
    if (applet->wakes_at > m->ticks)
        return;
    applet->wakes_at = UINT64_MAX;
    applet->parameter =
        applet->parameter_swallowed || m->options.parameter_first == 0 ? (uint32_t)WAKE_UP : m->options.parameter_first;
    second_signal(applet->resume);
}

static void parameter(struct second_machine *m, struct message *message, bool received)
{
    struct applet *const applet = &m->applet;
    const uint32_t size = message->words[2];
    if (!locked(m) || !second_must(m, applet->initialised, "before Initialize") ||
        !second_must(m, size != 0 && size <= PARAMETER_BYTES, "word 2, size: 0x%X, wanted up to 0x1000", size))
        return;
    second_remark(m, size == PARAMETER_BYTES, "APT, parameters: room for 0x%X bytes, libctru has 0x1000", size);
    uint8_t *const bytes = second_receive(m, 0, size);
    if (bytes == NULL)
        return;
    if (applet->parameter == 0) {
        second_reply(message, NO_PARAMETER, 1, 0);
        return;
    }
    memset(bytes, 0, size);
    second_reply(message, 0, 4, 4);
    message->words[2] = HOME_MENU;
    message->words[3] = applet->parameter;
    message->words[4] = message->words[5] = message->words[6] = 0;
    message->words[7] = 2;
    message->words[8] = 0;
    if (!received)
        return;
    applet->awake = applet->parameter == WAKE_UP;
    applet->parameter_swallowed = true;
    if (!applet->awake)
        applet->wakes_at = m->ticks + TICKS_A_SECOND / 1000;
    else if (m->options.notification != 0)
        applet->tells_at = m->ticks + 3 * (uint64_t)TICKS_A_SECOND / 10;
    applet->parameter = 0;
}

static void receive_parameter(struct second_machine *m, struct message *message)
{
    parameter(m, message, true);
}

static void glance_parameter(struct second_machine *m, struct message *message)
{
    parameter(m, message, false);
}

static bool begun(struct second_machine *m)
{
    return locked(m) && second_must(m, m->applet.initialised, "before Initialize");
}

/* 3, may we sleep, and 5, we sleep now, want an answer: without it the program comes back frozen (libctru.md, 3). */
static void inquire_notification(struct second_machine *m, struct message *message)
{
    if (!begun(m))
        return;
    second_reply(message, 0, 2, 0);
    message->words[2] = m->applet.told ? m->options.notification : 0;
    m->applet.asked = m->applet.told && (m->options.notification == 3 || m->options.notification == 5);
    m->applet.told = false;
}

static void reply_sleep(struct second_machine *m, struct message *message)
{
    const uint32_t wanted = message->id == 0x3E ? 3 : 5;
    if (!begun(m) || !second_must(m, m->applet.asked && m->options.notification == wanted, "nothing was asked"))
        return;
    m->applet.answered = true;
    second_reply(message, 0, 1, 0);
}

static void is_registered(struct second_machine *m, struct message *message)
{
    if (!begun(m))
        return;
    second_reply(message, 0, 2, 0);
    message->words[2] = 1;
}

/* Ids 7, UnlockTransition, and 4, SleepIfShellClosed. */
static void applet_utility(struct second_machine *m, struct message *message)
{
    const uint32_t id = message->words[1], in = message->words[2], out = message->words[3];
    const uint32_t slot = message->words[4] >> 10 & 0xFu;
    if (!locked(m) || !second_must(m, m->applet.awake, "before the wake-up") ||
        !second_must(m, id == 4 || id == 7, "word 1, id: %u, wanted 7 or 4", id) ||
        !second_must(m, slot <= 1, "word 4, static buffer: slot %u", slot) ||
        (in != 0 && second_static(m, message, 4, slot, in) == NULL) || (out != 0 && second_receive(m, 0, out) == NULL))
        return;
    m->applet.unlocked = m->applet.unlocked || id == 7;
    second_reply(message, 0, 2, 2);
    message->words[2] = 0;
    message->words[3] = out << 14 | 2;
    message->words[4] = 0;
}

static void prepare_to_close(struct second_machine *m, struct message *message)
{
    if (locked(m) && second_must(m, m->applet.awake, "before the wake-up")) {
        m->applet.prepared = true;
        second_reply(message, 0, 1, 0);
    }
}

static void leave(struct second_machine *m, struct message *message, bool prepared)
{
    if (!locked(m) || !second_must(m, prepared, "before its PrepareTo"))
        return;
    second_gsp_given_back(m);
    m->applet.left = true;
    second_reply(message, 0, 1, 0);
}

static void close_application(struct second_machine *m, struct message *message)
{
    leave(m, message, m->applet.prepared);
}

static void prepare_jump(struct second_machine *m, struct message *message)
{
    if (locked(m)) {
        m->applet.jump_prepared = true;
        second_reply(message, 0, 1, 0);
    }
}

static void jump(struct second_machine *m, struct message *message)
{
    leave(m, message, m->applet.jump_prepared);
}

void second_apt_at_exit(struct second_machine *m)
{
    const struct applet *const applet = &m->applet;
    second_must(m, !applet->initialised || applet->left,
                "without CloseApplication: a console stays black (libctru.md, section 7)");
    second_must(m, !applet->told, "APT's notification %u was never asked for", m->options.notification);
    second_must(m, !applet->asked || applet->answered, "APT's question %u was never answered", m->options.notification);
    second_remark(m, !applet->awake || applet->unlocked, "APT, AppletUtility 7: never sent, HOME stays locked");
    second_remark(m, applet->lock == NULL || applet->lock->signaled, "APT: the lock is still held at the end");
}

static const struct command APT[] = {
    { 0x00010040, "GetLockHandle", get_lock_handle, { 0 } },
    { 0x00020080, "Initialize", initialize, { PROGRAM, 0 } },
    { 0x00030040, "Enable", enable, { 0 } },
    { 0x00090040, "IsRegistered", is_registered, { HOME_MENU } },
    { 0x000B0040, "InquireNotification", inquire_notification, { PROGRAM } },
    { 0x000D0080, "ReceiveParameter", receive_parameter, { PROGRAM, ANY } },
    { 0x000E0080, "GlanceParameter", glance_parameter, { PROGRAM, ANY } },
    { 0x00220040, "PrepareToCloseApplication", prepare_to_close, { 1 } },
    { 0x00270044, "CloseApplication", close_application, { 0, 0, 0, 2, 0 } },
    { 0x00310100, "PrepareToDoApplicationJump", prepare_jump, { 2, 0, 0, 0 } },
    { 0x00320084, "DoApplicationJump", jump, { 0x300, ANY, ANY, ANY, ANY, ANY } },
    { 0x003E0080, "ReplySleepQuery", reply_sleep, { PROGRAM, ANY } },
    { 0x003F0040, "ReplySleepNotificationComplete", reply_sleep, { PROGRAM } },
    { 0x00430040, "NotifyToWait", notify_to_wait, { PROGRAM } },
    { 0x004B00C2, "AppletUtility", applet_utility, { ANY, ANY, ANY, ANY, ANY } },
};
const struct service second_apt = { "APT:U", APT, sizeof APT / sizeof *APT };
