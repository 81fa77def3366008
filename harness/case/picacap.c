/* PCAP3DS1 captures (spec 90, second half) -> cases. */
#include "harness/case/formats.h"
#include "harness/case/import.h"

#include <string.h>

enum {
    CHUNK_LOAD = 1,
    CHUNK_LIST = 2,
    CHUNK_FILLS = 3,
    CHUNK_TRANSFER = 4,
    CHUNK_NOTE = 5
};

enum {
    FILE_HEADER = 12,
    CHUNK_HEADER = 12,
    FILLS_SIZE = 32,
    TRANSFER_SIZE = 36
};

struct chunk {
    uint32_t type;
    uint32_t address;
    uint32_t size;
    uint64_t offset; /* of the chunk in the file */
    const uint8_t *payload;
};

/* CAP-11: the units whose start word is not 0, each with its own completion. */
static enum harness_status read_fills(struct harness_import *import, const struct chunk *chunk)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        struct harness_operation fill = { .kind = HARNESS_FILL, .unit = unit };
        for (uint32_t i = 0; i < 4; i++)
            fill.words[i] = harness_import_u32(chunk->payload + 16 * unit + 4 * i);
        if (fill.words[0] == 0)
            continue;
        const enum harness_status status = harness_import_add(import, &fill);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

/* CAP-12 */
static enum harness_status read_transfer(struct harness_import *import, const struct chunk *chunk)
{
    struct harness_operation transfer = { .kind = HARNESS_TRANSFER };
    for (uint32_t i = 0; i < 9; i++)
        transfer.words[i] = harness_import_u32(chunk->payload + 4 * i);
    return harness_import_add(import, &transfer);
}

/* Text of a capture may hold anything; harness_case_text makes it one line. */
static enum harness_status read_note(struct harness_import *import, const struct chunk *chunk)
{
    char text[HARNESS_MAX_TEXT + 1];
    size_t length = chunk->size < HARNESS_MAX_TEXT ? chunk->size : HARNESS_MAX_TEXT;
    memcpy(text, chunk->payload, length);
    text[length] = '\0';
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    struct harness_operation note = { .kind = HARNESS_NOTE };
    note.text = harness_case_text(import->test_case, text, true);
    return note.text == NULL ? harness_fail_memory(import->error) : harness_import_add(import, &note);
}

/* CAP-09, CAP-10: each chunk is carried out before the next; nothing is cleared in between. */
static enum harness_status read_chunk(struct harness_import *import, const struct chunk *chunk)
{
    const bool is_fixed = chunk->type == CHUNK_FILLS || chunk->type == CHUNK_TRANSFER;
    const uint32_t expected = chunk->type == CHUNK_FILLS ? FILLS_SIZE : TRANSFER_SIZE;
    if (is_fixed && chunk->size != expected)
        return harness_import_fail(import, chunk->offset + 8,
                                   chunk->type == CHUNK_FILLS ? "chunk size 32 (fills)" : "chunk size 36 (transfer)",
                                   "%u", chunk->size);
    if (chunk->type != CHUNK_LOAD && chunk->type != CHUNK_LIST && chunk->address != 0)
        return harness_import_fail(import, chunk->offset + 4, "chunk address 0", "0x%08X", chunk->address);
    if (chunk->type == CHUNK_LOAD)
        return harness_import_load(import, chunk->address, chunk->payload, chunk->size);
    if (chunk->type == CHUNK_LIST)
        return harness_import_submit(import, chunk->address, chunk->size);
    if (chunk->type == CHUNK_FILLS)
        return read_fills(import, chunk);
    return chunk->type == CHUNK_TRANSFER ? read_transfer(import, chunk) : read_note(import, chunk);
}

/* CAP-07: the header of a chunk and its payload lie inside the file. */
static enum harness_status find_chunk(const struct harness_import *import, uint64_t offset, struct chunk *chunk,
                                      uint64_t *next)
{
    if (import->size - offset < CHUNK_HEADER)
        return harness_import_fail(import, offset, "a chunk header of 12 bytes",
                                   "%llu bytes before the end of the file",
                                   (unsigned long long)(import->size - offset));
    const uint8_t *const header = import->bytes + offset;
    chunk->offset = offset;
    chunk->type = harness_import_u32(header);
    chunk->address = harness_import_u32(header + 4);
    chunk->size = harness_import_u32(header + 8);
    chunk->payload = header + CHUNK_HEADER;
    if (chunk->type < CHUNK_LOAD || chunk->type > CHUNK_NOTE)
        return harness_import_fail(import, offset, "chunk type 1 to 5", "%u", chunk->type);
    const uint64_t payload = chunk->type == CHUNK_LIST ? 0 : ((uint64_t)chunk->size + 3) / 4 * 4;
    const uint64_t left = import->size - offset - CHUNK_HEADER;
    if (payload > left)
        return harness_import_fail(import, offset + 8, "a chunk size that fits the file", "0x%X with 0x%llX bytes left",
                                   chunk->size, (unsigned long long)left);
    *next = offset + CHUNK_HEADER + payload;
    return HARNESS_OK;
}

static enum harness_status read_file(struct harness_import *import)
{
    static const char magic[] = "PCAP3DS1";
    if (import->size < FILE_HEADER)
        return harness_import_fail(import, 0, "a file header of 12 bytes", "a file of %llu bytes",
                                   (unsigned long long)import->size);
    if (memcmp(import->bytes, magic, 8) != 0)
        return harness_import_fail(import, 0, "the magic PCAP3DS1", "other bytes");
    const uint32_t count = harness_import_u32(import->bytes + 8);
    uint64_t offset = FILE_HEADER;
    for (uint32_t i = 0; i < count; i++) {
        struct chunk chunk = { 0 };
        enum harness_status status = find_chunk(import, offset, &chunk, &offset);
        if (status == HARNESS_OK)
            status = read_chunk(import, &chunk);
        if (status != HARNESS_OK)
            return status;
    }
    if (offset != import->size)
        return harness_import_fail(import, offset, "the end of the file after the last chunk", "%llu more bytes",
                                   (unsigned long long)(import->size - offset));
    return harness_import_finish(import);
}

/* CAP-14: the initial state is the reset state, so the case gives none. */
enum harness_status harness_picacap_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                         struct harness_text *warnings, struct harness_error *error)
{
    struct harness_import import = { .bytes = bytes, .size = size, .name = name, .error = error, .warnings = warnings };
    harness_import_start(&import, out);
    const enum harness_status status = read_file(&import);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
