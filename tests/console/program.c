/*
 * A loader of .3dsx files (docs/formats/console-payload.md), stricter than those of consoles: what one of them would
 * refuse, this refuses too. It can load at any base, and fills in the parameter block if the program has one.
 */
#include "tests/console/parts.h"

#include <stdio.h>
#include <string.h>

enum {
    HEADER_BYTES = 32,
    SEGMENTS = 3,
    CODE = 0,
    RODATA = 1,
    DATA = 2,
    PARAMETER_WORDS = 7
};

static const uint32_t MAGIC = 0x58534433u;      /* "3DSX" */
static const uint32_t PARAMETERS = 0x6D72705Fu; /* "_prm" */

struct segment {
    uint32_t size;      /* in memory, bytes */
    uint32_t file_size; /* without bss */
    uint32_t offset;    /* in the image before relocation */
    uint32_t address;   /* where it lies now */
    uint32_t absolute;  /* entries of its relocation table */
    uint32_t relative;
    uint8_t *bytes;
};

struct image {
    const uint8_t *file;
    size_t file_size;
    size_t at; /* read so far */
    struct segment segments[SEGMENTS];
    char *reason;
    size_t reason_size;
};

static bool refuse(struct image *image, const char *why)
{
    snprintf(image->reason, image->reason_size, "%s (byte %zu of %zu)", why, image->at, image->file_size);
    return false;
}

static const uint8_t *take(struct image *image, size_t size)
{
    if (size > image->file_size - image->at)
        return NULL;
    const uint8_t *bytes = image->file + image->at;
    image->at += size;
    return bytes;
}

static uint32_t pages(uint32_t size)
{
    return (size + MOCK_PAGE - 1) / MOCK_PAGE * MOCK_PAGE;
}

static bool read_header(struct image *image)
{
    const uint8_t *header = take(image, HEADER_BYTES);
    if (header == NULL || mock_word(header) != MAGIC)
        return refuse(image, "not a .3dsx");
    const uint32_t header_size = header[4] | (uint32_t)header[5] << 8;
    if (header_size < HEADER_BYTES || (header[6] | header[7] << 8) != 8 || mock_word(header + 8) != 0)
        return refuse(image, "header sizes or version");
    if (take(image, header_size - HEADER_BYTES) == NULL)
        return refuse(image, "extension cut off");
    const uint32_t bss = mock_word(header + 28);
    for (int i = 0; i < SEGMENTS; i++) {
        image->segments[i].size = image->segments[i].file_size = mock_word(header + 16 + 4 * i);
        if (image->segments[i].size % 4 != 0 || image->segments[i].size > 0x4000000)
            return refuse(image, "segment size");
    }
    if (bss > image->segments[DATA].size || bss % 4 != 0)
        return refuse(image, "bss larger than data");
    image->segments[DATA].file_size -= bss;
    return true;
}

static bool read_relocation_headers(struct image *image)
{
    for (int i = 0; i < SEGMENTS; i++) {
        const uint8_t *counts = take(image, 8);
        if (counts == NULL)
            return refuse(image, "relocation headers cut off");
        image->segments[i].absolute = mock_word(counts);
        image->segments[i].relative = mock_word(counts + 4);
    }
    return true;
}

static bool place_segments(struct mock *console, struct image *image, uint32_t base)
{
    static const uint32_t rights[SEGMENTS] = { UC_PROT_READ | UC_PROT_EXEC, UC_PROT_READ,
                                               UC_PROT_READ | UC_PROT_WRITE };
    uint32_t offset = 0;
    for (int i = 0; i < SEGMENTS; i++) {
        struct segment *segment = &image->segments[i];
        segment->offset = offset;
        segment->address = base + offset;
        offset += pages(segment->size);
        const uint8_t *bytes = take(image, segment->file_size);
        if (bytes == NULL)
            return refuse(image, "segment cut off");
        if (segment->size == 0)
            continue;
        struct mock_region *region = mock_map(console, segment->address, pages(segment->size), rights[i]);
        if (region == NULL)
            return refuse(image, "segment cannot be mapped");
        segment->bytes = region->bytes;
        memset(region->bytes, 0xA5, region->size); /* bss is the program's business */
        memcpy(region->bytes, bytes, segment->file_size);
    }
    return true;
}

/* The address of an offset into the image before relocation; 0: outside. Its end counts too: symbols point there. */
static uint32_t relocated(const struct image *image, uint32_t offset)
{
    for (int i = SEGMENTS; i-- > 0;) {
        const struct segment *segment = &image->segments[i];
        if (offset >= segment->offset)
            return offset - segment->offset <= segment->size ? segment->address + (offset - segment->offset) : 0;
    }
    return 0;
}

static bool patch_word(struct image *image, const struct segment *segment, uint32_t at, bool absolute)
{
    const uint32_t word = mock_word(segment->bytes + at);
    const uint32_t type = word >> 28;
    const uint32_t target = relocated(image, word & 0x0FFFFFFF);
    if (target == 0 || (absolute ? type != 0 : type > 1))
        return refuse(image, "relocation type or target");
    uint32_t value = absolute ? target : target - (segment->address + at);
    if (type == 1)
        value &= 0x7FFFFFFF;
    mock_put_word(segment->bytes + at, value);
    return true;
}

static bool patch_table(struct image *image, const struct segment *segment, uint32_t entries, bool absolute)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < entries; i++) {
        const uint8_t *entry = take(image, 4);
        if (entry == NULL)
            return refuse(image, "relocations cut off");
        at += 4 * (entry[0] | (uint32_t)entry[1] << 8);
        for (uint32_t left = entry[2] | (uint32_t)entry[3] << 8; left > 0; left--, at += 4) {
            if (at + 4 > segment->file_size)
                return refuse(image, "relocation outside its segment");
            if (!patch_word(image, segment, at, absolute))
                return false;
        }
    }
    return true;
}

/* What Luma gives to a program with a parameter block: its application id, and its own path as argument 0. */
static bool fill_parameters(struct mock *console, const struct image *image)
{
    const struct segment *code = &image->segments[CODE];
    if (code->size < 4 * (2 + PARAMETER_WORDS) || mock_word(code->bytes + 4) != PARAMETERS)
        return true;
    if (mock_word(code->bytes) >> 24 != 0xEA) {
        mock_mistake(console, "word 0 before a parameter block is no branch");
        return true;
    }
    const struct segment *data = &image->segments[DATA];
    const uint32_t arguments = data->address + pages(data->size);
    struct mock_region *region = mock_map(console, arguments, MOCK_PAGE, UC_PROT_READ | UC_PROT_WRITE);
    if (region == NULL)
        return false;
    if (console->setup->program_path != NULL) {
        mock_put_word(region->bytes, 1);
        snprintf((char *)region->bytes + 4, MOCK_PAGE - 4, "%s", console->setup->program_path);
    }
    mock_put_word(code->bytes + 8, 0);
    mock_put_word(code->bytes + 12, 0x300);
    mock_put_word(code->bytes + 24, arguments);
    mock_put_word(code->bytes + 28, console->setup->faults.no_chain_load ? 0 : 4);
    return true;
}

bool mock_load_program(struct mock *console, uint32_t base, char *reason, size_t reason_size)
{
    struct image image = { console->setup->program, console->setup->program_size, 0, { { 0 } }, reason, reason_size };
    if (!read_header(&image) || !read_relocation_headers(&image) || !place_segments(console, &image, base))
        return false;
    for (int i = 0; i < SEGMENTS; i++) {
        const struct segment *segment = &image.segments[i];
        if (!patch_table(&image, segment, segment->absolute, true) ||
            !patch_table(&image, segment, segment->relative, false))
            return false;
    }
    return fill_parameters(console, &image);
}
