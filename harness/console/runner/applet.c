#include "harness/console/runner/applet.h"

#include "harness/console/runner/message.h"

enum {
    APPLICATION = 0x300,
    WAKE_UP = 1,
    PARAMETER_BYTES = 32
};

static const uint64_t WAKING = 10000000000u; /* ns */
static const int32_t NOT_WOKEN = -1;

/* As every program does it: the lock, a session for this command alone, the lock again. */
static int32_t command(const struct applet *applet, uint32_t header, const uint32_t *words, uint32_t count)
{
    uint32_t session = 0;
    int32_t result = system_wait(applet->lock, SYSTEM_FOR_EVER);
    if (result < 0)
        return result;
    result = message_open_service(applet->srv, "APT:U", &session);
    if (result >= 0) {
        result = message_send(session, header, words, count);
        system_close_handle(session);
    }
    system_release_mutex(applet->lock);
    return result;
}

static int32_t get_lock(struct applet *applet)
{
    uint32_t session;
    int32_t result = message_open_service(applet->srv, "APT:U", &session);
    if (result < 0)
        return result;
    result = message_send(session, 0x00010040, &(uint32_t){ 0 }, 1); /* GetLockHandle */
    applet->lock = system_message()[5];
    system_close_handle(session);
    return result;
}

static int32_t wait_for_waking(const struct applet *applet)
{
    uint8_t parameter[PARAMETER_BYTES];
    const int32_t result = system_wait(applet->resume, WAKING);
    if (result != 0)
        return result < 0 ? result : NOT_WOKEN;
    message_receive_into(parameter, PARAMETER_BYTES);
    const int32_t received =
        command(applet, 0x000D0080, (const uint32_t[]){ APPLICATION, PARAMETER_BYTES }, 2); /* ReceiveParameter */
    if (received < 0)
        return received;
    return system_message()[3] == WAKE_UP ? 0 : NOT_WOKEN;
}

int32_t applet_start(struct applet *applet, uint32_t srv)
{
    applet->srv = srv;
    int32_t result = get_lock(applet);
    if (result >= 0)
        result = command(applet, 0x00020080, (const uint32_t[]){ APPLICATION, 0 }, 2); /* Initialize */
    applet->notification = system_message()[3];
    applet->resume = system_message()[4];
    if (result >= 0)
        result = command(applet, 0x00030040, &(uint32_t){ 0 }, 1); /* Enable */
    if (result >= 0)
        result = command(applet, 0x00430040, &(uint32_t){ APPLICATION }, 1); /* NotifyToWait */
    return result < 0 ? result : wait_for_waking(applet);
}

void applet_leave(const struct applet *applet)
{
    const uint32_t nothing[] = { 0, 0, 0, message_static_buffer(0, 0), 0 };
    command(applet, 0x00220040, &(uint32_t){ 1 }, 1); /* PrepareToCloseApplication */
    command(applet, 0x00270044, nothing, 5);          /* CloseApplication */
}
