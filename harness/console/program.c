#include "harness/console/program.h"

#include "harness/case/little.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 32,
    TABLE = 8, /* bytes of a relocation header */
    SEGMENTS = 3,
    CODE = 0,
    RODATA = 1,
    DATA = 2,
    PAGE = 4096,
    MOST_SEGMENT = 1 << 26 /* bytes */
};

static const uint32_t magic = 0x58534433; /* "3DSX" */

/* A file, cut into its pieces. */
struct program {
    const char *name;
    const uint8_t *bytes;
    uint32_t sizes[SEGMENTS]; /* in memory: data with bss */
    uint32_t bss;
    uint32_t counts[SEGMENTS][2]; /* relocations: absolute, relative */
    size_t segments[SEGMENTS];    /* offsets in the file */
    size_t relocations[SEGMENTS];
    size_t end; /* of the last relocation */
};

static uint32_t get16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static enum harness_status bad(const struct program *program, size_t offset, const char *what,
                               struct harness_error *error)
{
    return harness_fail(error, HARNESS_BAD_INPUT, "%s: offset %zu: %s", program->name, offset, what);
}

static uint32_t in_file(const struct program *program, uint32_t segment)
{
    return program->sizes[segment] - (segment == DATA ? program->bss : 0);
}

/* Offsets of everything behind the headers. */
static enum harness_status lay_out(struct program *program, size_t start, size_t size, struct harness_error *error)
{
    size_t at = start;
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        program->segments[s] = at;
        at += in_file(program, s);
    }
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        program->relocations[s] = at;
        at += 4 * ((size_t)program->counts[s][0] + program->counts[s][1]);
    }
    program->end = at;
    return at <= size ? HARNESS_OK : bad(program, size, "the file ends before its segments and relocations do", error);
}

static enum harness_status read_program(const char *name, const uint8_t *bytes, size_t size, struct program *out,
                                        struct harness_error *error)
{
    *out = (struct program){ .name = name, .bytes = bytes };
    if (size < HEADER + SEGMENTS * TABLE || harness_load32(bytes) != magic)
        return bad(out, 0, "expected a .3dsx, which begins with 3DSX", error);
    const uint32_t header = get16(bytes + 4);
    if (header < HEADER || header > 4096 || get16(bytes + 6) != TABLE || harness_load32(bytes + 8) != 0)
        return bad(out, 4, "expected a header of 32 bytes or more, tables of 8, version 0", error);
    if (size < header + SEGMENTS * TABLE)
        return bad(out, size, "the file ends within its headers", error);
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        out->sizes[s] = harness_load32(bytes + 16 + 4 * s);
        out->counts[s][0] = harness_load32(bytes + header + TABLE * s);
        out->counts[s][1] = harness_load32(bytes + header + TABLE * s + 4);
        if (out->sizes[s] > MOST_SEGMENT || out->sizes[s] % 4 != 0 || out->counts[s][0] > MOST_SEGMENT ||
            out->counts[s][1] > MOST_SEGMENT)
            return bad(out, 16 + 4 * s, "a segment's size or number of relocations makes no sense", error);
    }
    out->bss = harness_load32(bytes + 28);
    if (out->bss > out->sizes[DATA] || out->bss % 4 != 0)
        return bad(out, 28, "bss is larger than the data segment that holds it", error);
    return lay_out(out, header + SEGMENTS * TABLE, size, error);
}

enum harness_status console_program_payload(const char *name, const uint8_t *bytes, size_t size,
                                            const uint8_t **payload, size_t *payload_size, struct harness_error *error)
{
    struct program program;
    const enum harness_status status = read_program(name, bytes, size, &program, error);
    *payload = status == HARNESS_OK ? bytes + program.segments[RODATA] : NULL;
    *payload_size = status == HARNESS_OK ? program.sizes[RODATA] : 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- embedding */

static uint32_t pages(uint32_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* CON-03: words that hold an offset behind rodata point further now. `copy` is the segment. */
static enum harness_status move_targets(const struct program *program, uint32_t segment, uint32_t growth, uint8_t *copy,
                                        struct harness_error *error)
{
    const uint32_t behind = pages(program->sizes[CODE]) + pages(program->sizes[RODATA]);
    const uint32_t words = in_file(program, segment) / 4;
    size_t at = program->relocations[segment];
    for (uint32_t kind = 0; kind < 2; kind++) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < program->counts[segment][kind]; i++, at += 4) {
            word += get16(program->bytes + at);
            const uint32_t patched = get16(program->bytes + at + 2);
            if (word > words || patched > words - word)
                return bad(program, at, "a relocation beyond the end of its segment", error);
            for (uint32_t k = 0; k < patched; k++, word++) {
                const uint32_t old = harness_load32(copy + 4 * word), offset = old & 0x0FFFFFFFu;
                if (offset >= behind)
                    (void)harness_store32(copy + 4 * word, old + growth);
            }
        }
    }
    return HARNESS_OK;
}

static enum harness_status put_segment(const struct program *program, uint32_t segment, uint32_t growth,
                                       struct harness_text *out, struct harness_error *error)
{
    const uint32_t size = in_file(program, segment);
    uint8_t *const copy = malloc((size_t)size + 1);
    if (copy == NULL)
        return harness_fail_memory(error);
    memcpy(copy, program->bytes + program->segments[segment], size);
    const enum harness_status status = move_targets(program, segment, growth, copy, error);
    if (status == HARNESS_OK)
        harness_text_bytes(out, copy, size);
    free(copy);
    return status;
}

enum harness_status console_program_embed(const uint8_t *bytes, size_t size, const uint8_t *payload,
                                          size_t payload_size, struct harness_text *out, struct harness_error *error)
{
    struct program program;
    enum harness_status status = read_program("the program", bytes, size, &program, error);
    if (status != HARNESS_OK)
        return status;
    if (program.counts[RODATA][0] != 0 || program.counts[RODATA][1] != 0)
        return bad(&program, program.relocations[RODATA], "rodata is relocated, but it is to be the payload", error);
    if (payload_size > MOST_SEGMENT || payload_size % 4 != 0)
        return harness_fail(error, HARNESS_TOO_LARGE, "the payload has %zu bytes", payload_size);
    /* modulo 2^32, should the placeholder be the larger one */
    const uint32_t growth = pages((uint32_t)payload_size) - pages(program.sizes[RODATA]);
    const size_t head = program.segments[CODE], start = out->size;
    harness_text_bytes(out, bytes, head);
    if (!out->failed)
        (void)harness_store32((uint8_t *)out->data + start + 16 + 4 * RODATA, (uint32_t)payload_size);
    status = put_segment(&program, CODE, growth, out, error);
    harness_text_bytes(out, payload, payload_size);
    if (status == HARNESS_OK)
        status = put_segment(&program, DATA, growth, out, error);
    harness_text_bytes(out, bytes + program.relocations[CODE], program.end - program.relocations[CODE]);
    return status == HARNESS_OK && out->failed ? harness_fail_memory(error) : status;
}
