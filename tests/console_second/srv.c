/* srv:, which gives sessions of services, and hid:USER, which nobody presses a button of. */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

#define NOT_ALLOWED UINT32_C(0xD8E06406) /* as srv: answers for a service that is not in the process's list */

static void register_client(struct second_machine *m, struct message *message)
{
    if (second_must(m, !m->registered, "a second time")) {
        m->registered = true;
        second_reply(message, 0, 1, 0);
    }
}

static const struct service *service_by_name(const char *name)
{
    static const struct service *const SERVICES[] = { &second_apt, &second_gsp, &second_fs, &second_hid };
    if (strcmp(name, "APT:A") == 0 || strcmp(name, "APT:S") == 0)
        return &second_apt;
    for (size_t i = 0; i < sizeof SERVICES / sizeof *SERVICES; i++)
        if (strcmp(SERVICES[i]->name, name) == 0)
            return SERVICES[i];
    return NULL;
}

static void get_service_handle(struct second_machine *m, struct message *message)
{
    char name[9] = "";
    for (int i = 0; i < 8; i++)
        name[i] = (char)(message->words[1 + i / 4] >> (8 * (i % 4)));
    if (!second_must(m, m->registered, "before RegisterClient") ||
        !second_must(m, message->words[3] == strlen(name), "word 3, length: %u, of \"%s\"", message->words[3], name))
        return;
    const struct service *const service = service_by_name(name);
    if (service == NULL) {
        second_reply(message, NOT_ALLOWED, 1, 0);
        return;
    }
    if (!second_must(m, service != &second_apt || m->applet.session == NULL,
                     "a second session of APT: libctru closes the one before") ||
        !second_must(m, service != &second_gsp || m->gsp.session == NULL, "a second session of gsp::Gpu"))
        return;
    struct object *const session = second_object(m, KIND_SESSION, service->name);
    if (session == NULL)
        return;
    session->service = service;
    if (service == &second_apt)
        m->applet.session = session;
    if (service == &second_gsp)
        m->gsp.session = session;
    second_reply(message, 0, 1, 2);
    message->words[2] = 0x10;
    message->words[3] = second_handle(m, session);
}

static const struct command SRV[] = {
    { 0x00010002, "RegisterClient", register_client, { 0x20, ANY } },
    { 0x00050100, "GetServiceHandle", get_service_handle, { ANY, ANY, ANY, 0 } },
};
const struct service second_srv = { "srv:", SRV, sizeof SRV / sizeof *SRV };

static void get_ipc_handles(struct second_machine *m, struct message *message)
{
    second_reply(message, 0, 1, 7);
    message->words[2] = 5u << 26 | 0x10u << 24;
    for (int i = 0; i < 6; i++) {
        struct object *const object = second_object(m, i == 0 ? KIND_BLOCK : KIND_EVENT, "a part of hid:USER");
        if (object == NULL)
            return;
        if (i == 0) {
            object->bytes = aligned_alloc(PAGE, PAGE);
            if (object->bytes == NULL) {
                second_finish(m, SECOND_TROUBLE, "no memory");
                return;
            }
            memset(object->bytes, 0, PAGE);
            object->block_permissions = READABLE;
        }
        message->words[3 + i] = second_handle(m, object);
    }
}

static const struct command HID[] = { { 0x000A0000, "GetIPCHandles", get_ipc_handles, { 0 } } };
const struct service second_hid = { "hid:USER", HID, sizeof HID / sizeof *HID };
