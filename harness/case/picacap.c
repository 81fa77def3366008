/* Captures -> cases: PCAP3DS1 (spec 90, second half), and PCAP3DS2 (docs/formats/picacap.md), which adds to it. */
#include "harness/case/formats.h"
#include "harness/case/import.h"
#include "harness/case/little.h"

#include <stdio.h>
#include <string.h>

enum {
    CHUNK_LOAD = 1,
    CHUNK_LIST = 2,
    CHUNK_FILLS = 3,
    CHUNK_TRANSFER = 4,
    CHUNK_NOTE = 5,
    CHUNK_WRITE = 6, /* from here on PCAP3DS2 alone */
    CHUNK_STATE = 7,
    CHUNK_VBLANK = 8,
    CHUNK_ZEROS = 9
};

enum {
    FILE_HEADER = 12,
    CHUNK_HEADER = 12
};

static const uint32_t ANY_SIZE = UINT32_MAX;

/* What a chunk of each type looks like. */
static const struct kind {
    const char *name;
    uint32_t size; /* the only one that it may have */
    bool has_address;
    bool has_payload; /* `size` bytes, padded to a multiple of 4 */
} kinds[] = {
    [CHUNK_LOAD] = { "load", ANY_SIZE, true, true },    [CHUNK_LIST] = { "list", ANY_SIZE, true, false },
    [CHUNK_FILLS] = { "fills", 32, false, true },       [CHUNK_TRANSFER] = { "transfer", 36, false, true },
    [CHUNK_NOTE] = { "note", ANY_SIZE, false, true },   [CHUNK_WRITE] = { "write", 4, true, true },
    [CHUNK_STATE] = { "state", ANY_SIZE, true, true },  [CHUNK_VBLANK] = { "vertical blank", 0, true, false },
    [CHUNK_ZEROS] = { "zeros", ANY_SIZE, true, false },
};

struct chunk {
    uint32_t type;
    uint32_t address;
    uint32_t size;
    uint64_t offset; /* of the chunk in the file */
    const uint8_t *payload;
};

struct picacap {
    struct harness_import import;
    uint32_t version; /* 1 or 2 */
};

/* CAP-11: the units whose start word is not 0, each with its own completion. */
static enum harness_status read_fills(struct harness_import *import, const struct chunk *chunk)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        struct harness_operation fill = { .kind = HARNESS_FILL, .unit = unit };
        for (uint32_t i = 0; i < 4; i++)
            fill.words[i] = harness_load32(chunk->payload + 16 * unit + 4 * i);
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
        transfer.words[i] = harness_load32(chunk->payload + 4 * i);
    return harness_import_add(import, &transfer);
}

/* The bytes may be anything: those that are 0 become spaces here, harness_case_text replaces control characters. */
static enum harness_status read_note(struct harness_import *import, const struct chunk *chunk)
{
    char text[HARNESS_MAX_TEXT + 1];
    size_t length = chunk->size < HARNESS_MAX_TEXT ? chunk->size : HARNESS_MAX_TEXT;
    memcpy(text, chunk->payload, length);
    text[length] = '\0';
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    return harness_import_note(import, text);
}

/* PSC-12 */
static enum harness_status read_write(struct harness_import *import, const struct chunk *chunk)
{
    const struct harness_operation write = { .kind = HARNESS_WRITE,
                                             .address = chunk->address,
                                             .words = { harness_load32(chunk->payload) } };
    return harness_import_add(import, &write);
}

/* EXT-CMD-11 */
static enum harness_status read_vblank(struct harness_import *import, const struct chunk *chunk)
{
    const struct harness_operation vblank = { .kind = HARNESS_VBLANK, .unit = chunk->address };
    if (chunk->address > 1)
        return harness_import_fail(import, chunk->offset + 4, "screen 0 or 1", "%u", chunk->address);
    return harness_import_add(import, &vblank);
}

/* One part of the initial state (REG-45), before all operations but notes. */
static enum harness_status check_state(const struct harness_import *import, const struct chunk *chunk)
{
    const struct harness_case *const test_case = import->test_case;
    if (chunk->address >= harness_part_count)
        return harness_import_fail(import, chunk->offset + 4, "the number of a part of the state", "%u",
                                   chunk->address);
    const struct harness_part *const part = &harness_parts[chunk->address];
    if (chunk->size == 0 || chunk->size % 4 != 0 || chunk->size / 4 > part->count)
        return harness_import_fail(import, chunk->offset + 8, "a word for each element of the part", "%u bytes for %s",
                                   chunk->size, part->name);
    if (test_case->state != NULL && (test_case->state->given >> chunk->address & 1u) != 0)
        return harness_import_fail(import, chunk->offset + 4, "each part once", "%s again", part->name);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].kind != HARNESS_NOTE)
            return harness_import_fail(import, chunk->offset, "the state before all operations",
                                       "%s after operation %u", part->name, i);
    return HARNESS_OK;
}

static enum harness_status read_state(struct harness_import *import, const struct chunk *chunk)
{
    const enum harness_status status = check_state(import, chunk);
    if (status != HARNESS_OK)
        return status;
    struct harness_state *const state = harness_case_state(import->test_case);
    if (state == NULL)
        return harness_fail_memory(import->error);
    const struct harness_part *const part = &harness_parts[chunk->address];
    for (uint32_t i = 0; i < chunk->size / 4; i++) {
        const uint32_t value = harness_load32(chunk->payload + 4 * (size_t)i);
        if (value > part->maximum)
            return harness_import_fail(import, (uint64_t)(chunk->payload - import->bytes) + 4 * (uint64_t)i,
                                       "a value that the element can have", "0x%X for %s", value, part->name);
        harness_part_set(&state->values, chunk->address, i, value);
    }
    state->given |= (uint64_t)1 << chunk->address;
    return HARNESS_OK;
}

static enum harness_status check_chunk(const struct harness_import *import, const struct chunk *chunk)
{
    const struct kind *const kind = &kinds[chunk->type];
    char expected[64];
    (void)snprintf(expected, sizeof expected, "chunk size %u (%s)", (unsigned)kind->size, kind->name);
    if (kind->size != ANY_SIZE && chunk->size != kind->size)
        return harness_import_fail(import, chunk->offset + 8, expected, "%u", chunk->size);
    if (!kind->has_address && chunk->address != 0)
        return harness_import_fail(import, chunk->offset + 4, "chunk address 0", "0x%08X", chunk->address);
    return HARNESS_OK;
}

/* CAP-09, CAP-10: each chunk is carried out before the next; nothing is cleared in between. */
static enum harness_status read_chunk(struct harness_import *import, const struct chunk *chunk)
{
    const enum harness_status status = check_chunk(import, chunk);
    if (status != HARNESS_OK)
        return status;
    switch (chunk->type) {
    case CHUNK_LOAD: return harness_import_load(import, chunk->address, chunk->payload, chunk->size);
    case CHUNK_LIST: return harness_import_submit(import, chunk->address, chunk->size);
    case CHUNK_FILLS: return read_fills(import, chunk);
    case CHUNK_TRANSFER: return read_transfer(import, chunk);
    case CHUNK_WRITE: return read_write(import, chunk);
    case CHUNK_STATE: return read_state(import, chunk);
    case CHUNK_VBLANK: return read_vblank(import, chunk);
    case CHUNK_ZEROS: return harness_import_zeros(import, chunk->address, chunk->size);
    default: return read_note(import, chunk); /* find_chunk has refused what is none */
    }
}

/* CAP-07: the header of a chunk and its payload lie inside the file. */
static enum harness_status find_chunk(const struct picacap *picacap, uint64_t offset, struct chunk *chunk,
                                      uint64_t *next)
{
    const struct harness_import *const import = &picacap->import;
    if (import->size - offset < CHUNK_HEADER)
        return harness_import_fail(import, offset, "a chunk header of 12 bytes",
                                   "%llu bytes before the end of the file",
                                   (unsigned long long)(import->size - offset));
    const uint8_t *const header = import->bytes + offset;
    chunk->offset = offset;
    chunk->type = harness_load32(header);
    chunk->address = harness_load32(header + 4);
    chunk->size = harness_load32(header + 8);
    chunk->payload = header + CHUNK_HEADER;
    const uint32_t most = picacap->version == 1 ? CHUNK_NOTE : CHUNK_ZEROS;
    if (chunk->type < CHUNK_LOAD || chunk->type > most)
        return harness_import_fail(import, offset, most == CHUNK_NOTE ? "chunk type 1 to 5" : "chunk type 1 to 9", "%u",
                                   chunk->type);
    const uint64_t payload = kinds[chunk->type].has_payload ? ((uint64_t)chunk->size + 3) / 4 * 4 : 0;
    const uint64_t left = import->size - offset - CHUNK_HEADER;
    if (payload > left)
        return harness_import_fail(import, offset + 8, "a chunk size that fits the file", "0x%X with 0x%llX bytes left",
                                   chunk->size, (unsigned long long)left);
    *next = offset + CHUNK_HEADER + payload;
    return HARNESS_OK;
}

/* The digit after PCAP3DS. */
static enum harness_status read_version(struct picacap *picacap)
{
    struct harness_import *const import = &picacap->import;
    static const char magic[] = "PCAP3DS";
    if (import->size < FILE_HEADER)
        return harness_import_fail(import, 0, "a file header of 12 bytes", "a file of %llu bytes",
                                   (unsigned long long)import->size);
    if (memcmp(import->bytes, magic, sizeof magic - 1) != 0)
        return harness_import_fail(import, 0, "the magic PCAP3DS1 or PCAP3DS2", "other bytes");
    picacap->version = (uint32_t)import->bytes[7] - '0';
    if (picacap->version != 1 && picacap->version != 2)
        return harness_import_fail(import, 7, "version 1 or 2 of the format", "the byte 0x%02X", import->bytes[7]);
    return HARNESS_OK;
}

static enum harness_status read_file(struct picacap *picacap)
{
    struct harness_import *const import = &picacap->import;
    enum harness_status status = read_version(picacap);
    if (status != HARNESS_OK)
        return status;
    const uint32_t count = harness_load32(import->bytes + 8);
    uint64_t offset = FILE_HEADER;
    for (uint32_t i = 0; i < count; i++) {
        struct chunk chunk = { 0 };
        status = find_chunk(picacap, offset, &chunk, &offset);
        if (status == HARNESS_OK)
            status = read_chunk(import, &chunk);
        if (status != HARNESS_OK)
            return status;
    }
    if (offset != import->size)
        return harness_import_fail(import, offset, "the end of the file after the last chunk", "%llu more bytes",
                                   (unsigned long long)(import->size - offset));
    if (import->test_case->state != NULL)
        harness_state_normalise(import->test_case->state);
    return harness_import_finish(import);
}

/* CAP-14: the initial state is the reset state where no chunk gives one. */
enum harness_status harness_picacap_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                         struct harness_text *warnings, struct harness_error *error)
{
    struct picacap picacap = { .import = {
                                   .bytes = bytes, .size = size, .name = name, .error = error, .warnings = warnings } };
    harness_import_start(&picacap.import, out);
    const enum harness_status status = read_file(&picacap);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
