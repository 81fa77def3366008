#include "harness/console/runner/applet.h"

#include "harness/console/runner/message.h"

enum {
    APPLICATION = 0x300,
    HOME_MENU = 0x101,
    PARAMETER_BYTES = 0x1000,
    MOST_PARAMETERS = 64,   /* that are swallowed before the wake-up */
    MOST_NOTIFICATIONS = 8, /* that are answered at once */
    UNLOCK_TRANSITION = 7,  /* of AppletUtility */
    AFTER_WAKE_UP = 0x10,   /* its inputs */
    HOME_REFUSED = 1,
    RUN_FLAGS = 5, /* word of the parameter block */
    CHAIN_LOAD = 4,
    JUMP_BYTES = 0x300
};

/* CON-28 */
enum notification {
    HOME_PRESSED = 1,
    HOME_PRESSED_AGAIN = 2,
    SLEEP_QUERY = 3,
    SLEEP_ENTER = 5,
    SHUTDOWN = 7,
    POWER_PRESSED = 8,
    ORDER_TO_CLOSE = 11
};

extern const volatile uint32_t runner_parameters[7]; /* start.S */

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

/* Whoever does not know it, refuses it: nothing depends on that. */
static void unlock_transition(const struct applet *applet, uint32_t input)
{
    uint8_t output;
    message_receive_into(&output, 1);
    command(applet, 0x004B00C2,
            (const uint32_t[]){ UNLOCK_TRANSITION, 4, 1, message_static_buffer(4, 1), (uint32_t)(uintptr_t)&input },
            5); /* AppletUtility */
}

/* ---------------------------------------------------------------------------------------------------------- waking */

/* Woken, or come back in one of the other ways. Other parameters are for others, and swallowed. */
static bool wakes(uint32_t parameter)
{
    return parameter == 1 || (parameter >= 10 && parameter <= 15) || parameter == 17;
}

static int32_t take_parameter(const struct applet *applet, uint32_t header)
{
    static uint8_t parameter[PARAMETER_BYTES];
    message_receive_into(parameter, PARAMETER_BYTES);
    return command(applet, header, (const uint32_t[]){ APPLICATION, PARAMETER_BYTES }, 2);
}

static int32_t wait_for_waking(const struct applet *applet)
{
    for (uint32_t i = 0; i < MOST_PARAMETERS; i++) {
        int32_t result = system_wait(applet->resume, WAKING);
        if (result != 0)
            return result < 0 ? result : NOT_WOKEN;
        take_parameter(applet, 0x000E0080);          /* GlanceParameter */
        result = take_parameter(applet, 0x000D0080); /* ReceiveParameter */
        if (result < 0)
            return result;
        const uint32_t kind = system_message()[3], handle = system_message()[6];
        if (handle != 0)
            system_close_handle(handle);
        if (wakes(kind))
            return 0;
    }
    return NOT_WOKEN;
}

int32_t applet_start(struct applet *applet, uint32_t srv)
{
    applet->srv = srv;
    int32_t result = get_lock(applet);
    if (result >= 0)
        result = command(applet, 0x00020080, (const uint32_t[]){ APPLICATION, 0 }, 2); /* Initialize */
    applet->is_known = result >= 0;
    applet->notification = system_message()[3];
    applet->resume = system_message()[4];
    if (result >= 0)
        result = command(applet, 0x00030040, &(uint32_t){ 0 }, 1); /* Enable */
    if (result >= 0)
        result = command(applet, 0x00430040, &(uint32_t){ APPLICATION }, 1); /* NotifyToWait */
    if (result >= 0)
        result = wait_for_waking(applet);
    if (result >= 0)
        unlock_transition(applet, AFTER_WAKE_UP);
    return result;
}

/* -------------------------------------------------------------------------------------------------------- questions */

/* True: we are to leave. */
static bool answer(const struct applet *applet, uint32_t notification)
{
    switch (notification) {
    case HOME_PRESSED:
    case HOME_PRESSED_AGAIN: unlock_transition(applet, HOME_REFUSED); return false;
    case SLEEP_QUERY: command(applet, 0x003E0080, (const uint32_t[]){ APPLICATION, 0 }, 2); return false; /* no */
    case SLEEP_ENTER: command(applet, 0x003F0040, &(uint32_t){ APPLICATION }, 1); return false;
    case SHUTDOWN:
    case POWER_PRESSED:
    case ORDER_TO_CLOSE: return true;
    default: return false;
    }
}

bool applet_must_leave(const struct applet *applet)
{
    for (uint32_t i = 0; i < MOST_NOTIFICATIONS && system_wait(applet->notification, 0) == 0; i++)
        if (command(applet, 0x000B0040, &(uint32_t){ APPLICATION }, 1) >= 0 && /* InquireNotification */
            answer(applet, system_message()[2]))
            return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- leaving */

static bool jump_to_launcher(const struct applet *applet)
{
    static uint8_t parameter[JUMP_BYTES];
    if ((runner_parameters[RUN_FLAGS] & CHAIN_LOAD) == 0 ||
        command(applet, 0x00090040, &(uint32_t){ HOME_MENU }, 1) < 0 || /* IsRegistered */
        (system_message()[2] & 0xFF) == 0)
        return false;
    const uint32_t words[] = { JUMP_BYTES,
                               0,
                               message_static_buffer(JUMP_BYTES, 0),
                               (uint32_t)(uintptr_t)parameter,
                               message_static_buffer(0, 2),
                               0 };
    return command(applet, 0x00310100, (const uint32_t[]){ 2, 0, 0, 0 }, 4) >= 0 && /* PrepareToDoApplicationJump */
           command(applet, 0x00320084, words, 6) >= 0;                              /* DoApplicationJump */
}

void applet_leave(const struct applet *applet)
{
    const uint32_t nothing[] = { 0, 0, 0, message_static_buffer(0, 0), 0 };
    if (!applet->is_known || jump_to_launcher(applet))
        return;
    command(applet, 0x00220040, &(uint32_t){ 1 }, 1); /* PrepareToCloseApplication */
    command(applet, 0x00270044, nothing, 5);          /* CloseApplication: the system may end us in it */
}
