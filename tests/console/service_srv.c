/* "srv:" hands out sessions; "APT:U" tells a program when it is in front. docs/console-facts.md has the words. */
#include "tests/console/parts.h"

#include <string.h>

static const uint32_t WRONG_MESSAGE = 0xD900182Fu;
static const uint32_t NO_SUCH_SERVICE = 0xD8E06406u;
static const uint32_t NOT_REGISTERED = 0xD9006404u;
static const uint64_t WAKING_NANOSECONDS = 20000000u;

/* ------------------------------------------------------------------------------------------------------------- srv: */

static enum mock_object service(const uint8_t *name, uint32_t length)
{
    static const struct {
        const char *name;
        enum mock_object session;
    } services[] = { { "APT:U", MOCK_SESSION_APT }, { "fs:USER", MOCK_SESSION_FS }, { "gsp::Gpu", MOCK_SESSION_GSP } };
    for (size_t i = 0; i < sizeof services / sizeof *services; i++)
        if (length == strlen(services[i].name) && memcmp(name, services[i].name, length) == 0)
            return services[i].session;
    return MOCK_NOTHING;
}

static void get_service_handle(struct mock *console, const struct mock_handle *session, uint8_t *message)
{
    const enum mock_object object = service(message + 4, mock_sent(message, 3));
    if (!session->ready || object == MOCK_NOTHING) {
        mock_mistake(console, "GetServiceHandle: %.8s%s", (const char *)message + 4,
                     session->ready ? "" : " before RegisterClient");
        mock_answer(message, 1, 0, session->ready ? NO_SUCH_SERVICE : NOT_REGISTERED);
        return;
    }
    mock_answer(message, 1, 2, 0);
    mock_reply(message, 2, 0x10);
    mock_reply(message, 3, mock_open(console, object));
}

void mock_srv(struct mock *console, struct mock_handle *session, uint8_t *message)
{
    switch (mock_sent(message, 0)) {
    case 0x00010002:
        session->ready = mock_sent(message, 1) == 0x20;
        mock_answer(message, 1, 0, session->ready ? 0 : WRONG_MESSAGE);
        return;
    case 0x00050100: get_service_handle(console, session, message); return;
    default:
        mock_mistake(console, "srv: does not know %08X", mock_sent(message, 0));
        mock_answer(message, 1, 0, WRONG_MESSAGE);
    }
}

/* ------------------------------------------------------------------------------------------------------------ APT:U */

/* Commands come in this order; a program that leaves one out waits for ever, here as there. */
static bool step(struct mock *console, enum mock_apt_step from, enum mock_apt_step to, const uint8_t *message)
{
    if (console->apt.step != from) {
        mock_mistake(console, "APT: %08X in step %d", mock_sent(message, 0), (int)console->apt.step);
        return false;
    }
    console->apt.step = to;
    return true;
}

static void get_lock(struct mock *console, uint8_t *message)
{
    if (console->apt.lock == 0) {
        console->apt.lock = mock_open(console, MOCK_MUTEX);
        mock_signal(console, console->apt.lock);
    }
    mock_answer(message, 3, 2, 0);
    mock_reply(message, 2, 0);
    mock_reply(message, 3, 0);
    mock_reply(message, 4, 0);
    mock_reply(message, 5, console->apt.lock);
}

static void initialize(struct mock *console, uint8_t *message)
{
    if (!step(console, MOCK_APT_NEW, MOCK_APT_INITIALIZED, message) || mock_sent(message, 1) != 0x300)
        mock_mistake(console, "APT: Initialize with id %X", mock_sent(message, 1));
    console->apt.notification = mock_open(console, MOCK_EVENT);
    console->apt.resume = mock_open(console, MOCK_EVENT);
    mock_answer(message, 1, 3, 0);
    mock_reply(message, 2, 0x04000000);
    mock_reply(message, 3, console->apt.notification);
    mock_reply(message, 4, console->apt.resume);
}

static void notify_to_wait(struct mock *console, uint8_t *message)
{
    if (step(console, MOCK_APT_ENABLED, MOCK_APT_WAITS, message))
        console->apt.wakes = console->now + WAKING_NANOSECONDS;
    mock_answer(message, 1, 0, 0);
}

/* Who takes one that is not the wake-up is to wait for the next. */
static void take_parameter(struct mock *console, uint8_t *message, bool keep)
{
    struct mock_apt *apt = &console->apt;
    const uint32_t size = mock_sent(message, 2);
    uint8_t *buffer = size > 0x1000 ? NULL : mock_receive_buffer(console, message, 0, size);
    const bool is_there = apt->wakes == 0 && apt->step == MOCK_APT_WAITS && buffer != NULL;
    const bool is_other = apt->parameters < console->setup->faults.other_parameters;
    if (!is_there)
        mock_mistake(console, "APT: %08X, and there is no parameter", mock_sent(message, 0));
    mock_answer(message, 4, 4, is_there ? 0 : WRONG_MESSAGE);
    mock_reply(message, 2, 0x101);
    mock_reply(message, 3, is_other ? 3 : 1); /* a message; wake-up */
    mock_reply(message, 4, 0);
    mock_reply(message, 5, 0x10);
    mock_reply(message, 6, is_there && is_other ? mock_open(console, MOCK_EVENT) : 0);
    if (!is_there || keep)
        return;
    if (is_other) {
        apt->parameters++;
        mock_signal(console, apt->resume);
    } else {
        apt->step = MOCK_APT_AWAKE;
    }
}

/* Of AppletUtility the input is looked at, by which a program locks and unlocks the HOME button. */
static void utility(struct mock *console, uint8_t *message)
{
    const uint8_t *input = mock_static_buffer(console, message, 4, 1, mock_sent(message, 2));
    if (mock_sent(message, 1) != 7 || mock_sent(message, 2) != 4 || input == NULL || console->apt.step < MOCK_APT_AWAKE)
        mock_mistake(console, "APT: AppletUtility %u with %u bytes", mock_sent(message, 1), mock_sent(message, 2));
    mock_answer(message, 2, 2, 0);
    mock_reply(message, 2, 0);
}

static void inquire(struct mock *console, uint8_t *message)
{
    mock_answer(message, 2, 0, 0);
    mock_reply(message, 2, console->apt.to_inquire);
    console->apt.to_inquire = 0;
}

static void is_registered(struct mock *console, uint8_t *message)
{
    const bool is = mock_sent(message, 1) == 0x101 && !console->setup->faults.no_home_menu;
    mock_answer(message, 2, 0, 0);
    mock_reply(message, 2, is ? 1 : 0);
}

static void close_application(struct mock *console, uint8_t *message)
{
    if (mock_sent(message, 4) != 2)
        mock_mistake(console, "APT: CloseApplication: word 4 is %08X", mock_sent(message, 4));
    step(console, MOCK_APT_CLOSING, MOCK_APT_LEFT, message);
    mock_answer(message, 1, 0, 0);
}

static void jump(struct mock *console, uint8_t *message)
{
    if (mock_static_buffer(console, message, 3, 0, mock_sent(message, 1)) == NULL || mock_sent(message, 1) != 0x300 ||
        mock_sent(message, 2) != 0 || mock_sent(message, 5) != (2 << 10 | 2))
        mock_mistake(console, "APT: DoApplicationJump: %X %X %X", mock_sent(message, 1), mock_sent(message, 2),
                     mock_sent(message, 5));
    step(console, MOCK_APT_JUMPING, MOCK_APT_LEFT, message);
    mock_answer(message, 1, 0, 0);
}

static void prepare(struct mock *console, uint8_t *message, enum mock_apt_step to, uint32_t word)
{
    if (console->apt.step == MOCK_APT_NEW || mock_sent(message, 1) != word)
        mock_mistake(console, "APT: %08X in step %d with %X", mock_sent(message, 0), (int)console->apt.step,
                     mock_sent(message, 1));
    console->apt.step = to;
    mock_answer(message, 1, 0, 0);
}

void mock_apt_call(struct mock *console, struct mock_handle *session, uint8_t *message)
{
    (void)session;
    switch (mock_sent(message, 0)) {
    case 0x00010040: get_lock(console, message); return;
    case 0x00020080: initialize(console, message); return;
    case 0x00030040:
        step(console, MOCK_APT_INITIALIZED, MOCK_APT_ENABLED, message);
        mock_answer(message, 1, 0, 0);
        return;
    case 0x00430040: notify_to_wait(console, message); return;
    case 0x000E0080: take_parameter(console, message, true); return;
    case 0x000D0080: take_parameter(console, message, false); return;
    case 0x004B00C2: utility(console, message); return;
    case 0x000B0040: inquire(console, message); return;
    case 0x003E0080:
    case 0x003F0040: mock_answer(message, 1, 0, 0); return; /* of sleep; the log has the answer */
    case 0x00090040: is_registered(console, message); return;
    case 0x00220040: prepare(console, message, MOCK_APT_CLOSING, 1); return;
    case 0x00270044: close_application(console, message); return;
    case 0x00310100: prepare(console, message, MOCK_APT_JUMPING, 2); return;
    case 0x00320084: jump(console, message); return;
    default:
        mock_mistake(console, "APT does not know %08X", mock_sent(message, 0));
        mock_answer(message, 1, 0, WRONG_MESSAGE);
    }
}
