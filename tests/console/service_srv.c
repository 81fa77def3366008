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

static void receive_parameter(struct mock *console, uint8_t *message)
{
    const uint32_t size = mock_sent(message, 2);
    uint8_t *buffer = size > 0x1000 ? NULL : mock_receive_buffer(console, message, 0, size);
    const bool awake = console->apt.wakes == 0 && step(console, MOCK_APT_WAITS, MOCK_APT_AWAKE, message);
    mock_answer(message, 4, 4, awake && buffer != NULL ? 0 : WRONG_MESSAGE);
    mock_reply(message, 2, 0x101);
    mock_reply(message, 3, 1); /* wake-up */
    mock_reply(message, 4, 0);
    mock_reply(message, 5, 0x10);
    mock_reply(message, 6, 0);
}

static void close_application(struct mock *console, uint8_t *message)
{
    if (console->apt.step != MOCK_APT_CLOSING)
        mock_mistake(console, "APT: CloseApplication without PrepareToCloseApplication");
    if (mock_sent(message, 4) != 2)
        mock_mistake(console, "APT: CloseApplication: word 4 is %08X", mock_sent(message, 4));
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
    case 0x000D0080: receive_parameter(console, message); return;
    case 0x00220040:
        console->apt.step = MOCK_APT_CLOSING;
        mock_answer(message, 1, 0, 0);
        return;
    case 0x00270044: close_application(console, message); return;
    default:
        mock_mistake(console, "APT does not know %08X", mock_sent(message, 0));
        mock_answer(message, 1, 0, WRONG_MESSAGE);
    }
}
