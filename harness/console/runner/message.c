#include "harness/console/runner/message.h"

int32_t message_send(uint32_t session, uint32_t header, const uint32_t *words, uint32_t count)
{
    uint32_t *message = system_message();
    message[0] = header;
    for (uint32_t i = 0; i < count; i++)
        message[1 + i] = words[i];
    const int32_t result = system_send_sync_request(session);
    return result < 0 ? result : (int32_t)message[1];
}

uint32_t message_static_buffer(uint32_t bytes, uint32_t index)
{
    return bytes << 14 | index << 10 | 2;
}

uint32_t message_mapped_buffer(uint32_t bytes, uint32_t rights)
{
    return bytes << 4 | 8 | rights;
}

void message_receive_into(void *buffer, uint32_t bytes)
{
    uint32_t *pairs = system_message() + 64;
    pairs[0] = message_static_buffer(bytes, 0);
    pairs[1] = (uint32_t)(uintptr_t)buffer;
}

int32_t message_open_srv(uint32_t *srv)
{
    const int32_t result = system_connect_to_port(srv, "srv:");
    if (result < 0)
        return result;
    return message_send(*srv, 0x00010002, &(uint32_t){ MESSAGE_PROCESS_ID }, 1); /* RegisterClient */
}

int32_t message_open_service(uint32_t srv, const char *name, uint32_t *session)
{
    uint32_t words[4] = { 0, 0, 0, 0 };
    uint32_t length = 0;
    while (length < 8 && name[length] != 0)
        length++;
    memcpy(words, name, length);
    words[2] = length;
    const int32_t result = message_send(srv, 0x00050100, words, 4); /* GetServiceHandle */
    *session = system_message()[3];
    return result;
}
