/* Commands of services: the message at TLS + 0x80, its header and words, its descriptors (CON-24). */
#include "tests/console_second/parts.h"

#include <string.h>

enum {
    MESSAGE = 0x80,
    RECEIVE_BUFFERS = 0x180
};

void second_reply(struct message *message, uint32_t result, uint32_t normal, uint32_t translate)
{
    message->words[0] = message->id << 16 | normal << 6 | translate;
    message->words[1] = result;
}

const uint8_t *second_static(struct second_machine *m, const struct message *message, uint32_t word, uint32_t slot,
                             uint32_t bytes)
{
    const uint32_t descriptor = message->words[word], wanted = bytes << 14 | slot << 10 | 2;
    if (!second_must(m, descriptor == wanted, "word %u, static buffer: 0x%08X, wanted 0x%08X (%u bytes)", word,
                     descriptor, wanted, bytes))
        return NULL;
    const uint8_t *const host = second_at(m, message->words[word + 1], bytes, READABLE);
    second_must(m, host != NULL, "word %u, address of a static buffer: 0x%08X, %u bytes, cannot be read", word + 1,
                message->words[word + 1], bytes);
    return host;
}

uint8_t *second_receive(struct second_machine *m, uint32_t slot, uint32_t bytes)
{
    const uint8_t *const pair = m->tls + RECEIVE_BUFFERS + 8 * slot;
    const uint32_t descriptor = get32(pair), address = get32(pair + 4), wanted = bytes << 14 | 2;
    if (!second_must(m, descriptor == wanted, "receive buffer %u: descriptor 0x%08X, wanted 0x%08X (%u bytes)", slot,
                     descriptor, wanted, bytes))
        return NULL;
    uint8_t *const host = second_at(m, address, bytes, READABLE | WRITABLE);
    second_must(m, host != NULL, "receive buffer %u: 0x%08X, %u bytes, cannot be written", slot, address, bytes);
    return host;
}

uint8_t *second_buffer(struct second_machine *m, const struct message *message, uint32_t word, uint32_t bytes,
                       uint32_t permissions)
{
    const uint32_t descriptor = message->words[word];
    const uint32_t wanted = bytes << 4 | 8 | (permissions == WRITABLE ? 4u : 2u);
    if (!second_must(m, descriptor == wanted, "word %u, mapped buffer: 0x%08X, wanted 0x%08X (%u bytes)", word,
                     descriptor, wanted, bytes))
        return NULL;
    uint8_t *const host = second_at(m, message->words[word + 1], bytes, permissions);
    second_must(m, host != NULL, "word %u, address of a mapped buffer: 0x%08X, 0x%X bytes, is not all there", word + 1,
                message->words[word + 1], bytes);
    return host;
}

static const struct command *find(struct second_machine *m, const struct service *service, uint32_t header)
{
    for (size_t i = 0; i < service->count; i++) {
        const struct command *const command = &service->commands[i];
        if (command->header >> 16 != header >> 16)
            continue;
        return second_must(m, command->header == header, "%s: header 0x%08X, documented is 0x%08X", command->name,
                           header, command->header)
                   ? command
                   : NULL;
    }
    second_must(m, false, "header 0x%08X: no command that a standard program sends", header);
    return NULL;
}

static bool words_are(struct second_machine *m, const struct command *command, const struct message *message)
{
    const uint32_t count = (command->header >> 6 & 0x3Fu) + (command->header & 0x3Fu);
    for (uint32_t i = 0; i < count; i++)
        if (command->words[i] != ANY &&
            !second_must(m, message->words[i + 1] == command->words[i], "word %u: 0x%08X, wanted 0x%08X", i + 1,
                         message->words[i + 1], (unsigned)command->words[i]))
            return false;
    return true;
}

void second_send(struct second_machine *m, struct object *session)
{
    struct message message = { .session = session };
    for (uint32_t i = 0; i < MESSAGE_WORDS; i++)
        message.words[i] = get32(m->tls + MESSAGE + 4 * i);
    m->call = session->service->name;
    const struct command *const command = find(m, session->service, message.words[0]);
    if (command == NULL)
        return;
    message.id = command->header >> 16;
    snprintf(m->service_call, sizeof m->service_call, "%s, %s", session->service->name, command->name);
    m->call = m->service_call;
    if (!words_are(m, command, &message))
        return;
    command->run(m, &message);
    for (uint32_t i = 0; i < MESSAGE_WORDS && !m->ended; i++)
        put32(m->tls + MESSAGE + 4 * i, message.words[i]);
}
