#include "harness/run/blocks.h"
#include "harness/case/little.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void harness_put64(struct harness_text *out, uint64_t value)
{
    harness_text_word(out, (uint32_t)value);
    harness_text_word(out, (uint32_t)(value >> 32));
}

void harness_put_text(struct harness_text *out, const char *text)
{
    const size_t size = strnlen(text, HARNESS_BLOCK_TEXT - 1);
    harness_text_word(out, (uint32_t)size);
    harness_text_bytes(out, text, size);
}

void harness_put_block(struct harness_text *out, uint32_t kind, const struct harness_text *payload)
{
    harness_text_word(out, kind);
    harness_text_word(out, (uint32_t)payload->size);
    harness_text_word(out, (uint32_t)crc32(0, (const Bytef *)payload->data, (uInt)payload->size));
    harness_text_bytes(out, payload->data, payload->size);
    out->failed = out->failed || payload->failed;
}

void harness_put_deflated(struct harness_text *out, const struct harness_text *raw, int level)
{
    uLongf size = compressBound((uLong)raw->size);
    uint8_t *const deflated = malloc(size);
    if (raw->failed || deflated == NULL ||
        compress2(deflated, &size, (const Bytef *)raw->data, (uLong)raw->size, level) != Z_OK)
        out->failed = true;
    else
        harness_text_bytes(out, deflated, size);
    free(deflated);
}

enum harness_status harness_blocks_bad(const struct harness_blocks *blocks, size_t offset, const char *what)
{
    return harness_fail(blocks->error, HARNESS_BAD_INPUT, "%s: offset %zu: %s%s", blocks->name, offset, what,
                        blocks->advice);
}

enum harness_status harness_blocks_next(struct harness_blocks *blocks, uint32_t *kind)
{
    const size_t offset = blocks->at, left = blocks->size - offset;
    const uint8_t *const head = blocks->bytes + offset;
    if (left < HARNESS_BLOCK_HEAD)
        return harness_blocks_bad(blocks, offset, "the file is cut: a block begins here or the block LAST is missing");
    const uint32_t size = harness_load32(head + 4);
    *kind = harness_load32(head);
    if (size > left - HARNESS_BLOCK_HEAD)
        return harness_blocks_bad(blocks, offset, "the file is cut: this block goes beyond its end");
    if (crc32(0, head + HARNESS_BLOCK_HEAD, size) != harness_load32(head + 8))
        return harness_blocks_bad(blocks, offset, "this block is damaged: its CRC-32 does not match");
    blocks->at = offset + HARNESS_BLOCK_HEAD;
    blocks->end = blocks->at + size;
    return HARNESS_OK;
}

const uint8_t *harness_take(struct harness_blocks *blocks, size_t size)
{
    if (blocks->end - blocks->at < size)
        return NULL;
    blocks->at += size;
    return blocks->bytes + blocks->at - size;
}

bool harness_take32(struct harness_blocks *blocks, uint32_t *out)
{
    const uint8_t *const bytes = harness_take(blocks, 4);
    if (bytes != NULL)
        *out = harness_load32(bytes);
    return bytes != NULL;
}

bool harness_take64(struct harness_blocks *blocks, uint64_t *out)
{
    const uint8_t *const bytes = harness_take(blocks, 8);
    if (bytes != NULL)
        *out = harness_load64(bytes);
    return bytes != NULL;
}

bool harness_take_text(struct harness_blocks *blocks, char out[HARNESS_BLOCK_TEXT])
{
    uint32_t size = 0;
    if (!harness_take32(blocks, &size) || size >= HARNESS_BLOCK_TEXT)
        return false;
    const uint8_t *const bytes = harness_take(blocks, size);
    if (bytes == NULL || memchr(bytes, 0, size) != NULL)
        return false;
    memcpy(out, bytes, size);
    out[size] = '\0';
    return true;
}
