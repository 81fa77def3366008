/* Messages between a program and a service: header, words, descriptors. */
#include "tests/console/parts.h"

uint32_t mock_sent(const uint8_t *message, uint32_t word)
{
    return mock_word(message + 4 * word);
}

void mock_reply(uint8_t *message, uint32_t word, uint32_t value)
{
    mock_put_word(message + 4 * word, value);
}

void mock_answer(uint8_t *message, uint32_t normal, uint32_t translated, uint32_t result)
{
    const uint32_t command = mock_sent(message, 0) >> 16;
    mock_reply(message, 0, command << 16 | normal << 6 | translated);
    mock_reply(message, 1, result);
}

static uint8_t *buffer(struct mock *console, const uint8_t *message, uint32_t word, uint32_t wanted, uint32_t size)
{
    const uint32_t descriptor = mock_sent(message, word);
    if (descriptor != wanted) {
        mock_mistake(console, "message %08X: word %u is %08X, not %08X", mock_sent(message, 0), word, descriptor,
                     wanted);
        return NULL;
    }
    uint8_t *bytes = mock_bytes(console, mock_sent(message, word + 1), size);
    if (bytes == NULL)
        mock_mistake(console, "message %08X: word %u points outside memory", mock_sent(message, 0), word + 1);
    return bytes;
}

uint8_t *mock_static_buffer(struct mock *console, const uint8_t *message, uint32_t word, uint32_t index, uint32_t size)
{
    return buffer(console, message, word, size << 14 | index << 10 | 2, size);
}

uint8_t *mock_mapped_buffer(struct mock *console, const uint8_t *message, uint32_t word, uint32_t rights, uint32_t size)
{
    return buffer(console, message, word, size << 4 | 8 | rights, size);
}

/* 0x100 behind the message are the pairs of the static receive buffers. */
uint8_t *mock_receive_buffer(struct mock *console, const uint8_t *message, uint32_t index, uint32_t size)
{
    const uint8_t *pair = message + 0x100 + 8 * index;
    const uint32_t room = mock_word(pair) >> 14;
    uint8_t *bytes = room < size ? NULL : mock_bytes(console, mock_word(pair + 4), size);
    if (bytes == NULL || (mock_word(pair) & 0x3FFF) != (index << 10 | 2))
        mock_mistake(console, "message %08X: no receive buffer %u of %u bytes", mock_sent(message, 0), index, size);
    return bytes;
}
