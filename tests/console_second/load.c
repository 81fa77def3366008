/*
 * The .3dsx file as a homebrew launcher loads it (CON-01 to CON-06): a header, three relocation headers, the segments
 * code, rodata and data without its bss, then the relocations of each. A relocated word holds an offset into the image
 * in which the segments follow one another page by page, and gets an address. Bss is left full of garbage: the program
 * clears it. An argument list lies in one more page, where the program has a block "_prm" that can say so.
 */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 32,
    RELOCATION_HEADER = 8,
    BSS_GARBAGE = 0xB5,
    CODE = 0,
    RODATA = 1,
    DATA = 2,
    SEGMENTS = 3
};

struct image {
    const uint8_t *file;
    size_t file_bytes;
    uint32_t base;
    uint32_t loaded[SEGMENTS]; /* bytes in the file */
    uint32_t first[SEGMENTS];  /* offset in the image */
    uint32_t mapped[SEGMENTS]; /* bytes in memory, whole pages */
    uint8_t *host[SEGMENTS];
};

static uint32_t whole_pages(uint32_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static uint8_t *read_file(const char *name, size_t *bytes)
{
    FILE *const file = fopen(name, "rb");
    if (file == NULL)
        return NULL;
    uint8_t *all = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        all = size > 0 ? malloc((size_t)size) : NULL;
        if (all != NULL && fread(all, 1, (size_t)size, file) != (size_t)size) {
            free(all);
            all = NULL;
        }
        *bytes = (size_t)size;
    }
    fclose(file);
    return all;
}

static bool read_header(struct second_machine *m, struct image *image, uint32_t *header_bytes)
{
    const uint8_t *const f = image->file;
    if (!second_must(m, image->file_bytes >= HEADER + SEGMENTS * RELOCATION_HEADER && memcmp(f, "3DSX", 4) == 0,
                     "no .3dsx file"))
        return false;
    *header_bytes = get32(f + 4) & 0xFFFFu;
    const bool known = (*header_bytes == HEADER || *header_bytes == HEADER + 12) &&
                       get32(f + 4) >> 16 == RELOCATION_HEADER && get32(f + 8) == 0 && get32(f + 12) == 0;
    if (!second_must(m, known, "header: sizes 0x%08X, version %u, flags 0x%X; wanted 32 or 44 and 8, 0, 0",
                     get32(f + 4), get32(f + 8), get32(f + 12)))
        return false;
    const uint32_t with_bss = get32(f + 24), bss = get32(f + 28);
    for (uint32_t i = 0; i < 4; i++)
        if (!second_must(m, get32(f + 16 + 4 * i) % 4 == 0 && get32(f + 16 + 4 * i) < 0x04000000,
                         "header: size %u is 0x%X, no multiple of 4 or too large", i, get32(f + 16 + 4 * i)))
            return false;
    if (!second_must(m, bss <= with_bss && get32(f + 16) != 0, "header: no code, or more bss than data"))
        return false;
    image->loaded[CODE] = get32(f + 16);
    image->loaded[RODATA] = get32(f + 20);
    image->loaded[DATA] = with_bss - bss;
    image->mapped[CODE] = whole_pages(image->loaded[CODE]);
    image->mapped[RODATA] = whole_pages(image->loaded[RODATA]);
    image->mapped[DATA] = whole_pages(with_bss);
    image->first[RODATA] = image->mapped[CODE];
    image->first[DATA] = image->first[RODATA] + image->mapped[RODATA];
    return true;
}

static bool map_segments(struct second_machine *m, struct image *image, size_t *position)
{
    static const char *const NAMES[] = { "code", "rodata", "data" };
    static const uint32_t PERMISSIONS[] = { READABLE | EXECUTABLE, READABLE, READABLE | WRITABLE };
    for (int i = 0; i < SEGMENTS; i++) {
        if (!second_must(m, image->loaded[i] <= image->file_bytes - *position, "the file ends in its segment %s",
                         NAMES[i]))
            return false;
        if (image->mapped[i] == 0)
            continue;
        image->host[i] = second_map(m, NAMES[i], image->base + image->first[i], image->mapped[i], PERMISSIONS[i]);
        if (image->host[i] == NULL)
            return false;
        memset(image->host[i], i == DATA ? BSS_GARBAGE : 0, image->mapped[i]);
        memcpy(image->host[i], image->file + *position, image->loaded[i]);
        *position += image->loaded[i];
    }
    return true;
}

/* CON-03. The top four bits are a subtype: none of absolute words; of relative ones 1 clears bit 31. */
static bool patch(struct second_machine *m, const struct image *image, int segment, uint32_t offset, bool relative)
{
    if (!second_must(m, offset + 4 <= image->loaded[segment], "a relocation of segment %d at 0x%X is outside of it",
                     segment, offset))
        return false;
    uint8_t *const word = image->host[segment] + offset;
    const uint32_t target = get32(word) & UINT32_C(0x0FFFFFFF), subtype = get32(word) >> 28;
    const uint32_t end = image->first[DATA] + image->mapped[DATA];
    if (!second_must(m, subtype <= (relative ? 1u : 0u) && target <= end,
                     "the relocated word of segment %d at 0x%X is 0x%08X: no such place", segment, offset, get32(word)))
        return false;
    uint32_t value = image->base + target;
    if (relative)
        value -= image->base + image->first[segment] + offset;
    put32(word, subtype == 1 ? value & UINT32_C(0x7FFFFFFF) : value);
    return true;
}

/* `count` entries: u16 words to skip, u16 words to patch. */
static bool relocate(struct second_machine *m, const struct image *image, int segment, bool relative, uint32_t count,
                     size_t *position)
{
    if (!second_must(m, count <= (image->file_bytes - *position) / 4, "the file ends in the relocations of segment %d",
                     segment))
        return false;
    uint32_t offset = 0;
    for (; count != 0; count--, *position += 4) {
        const uint32_t entry = get32(image->file + *position);
        offset += 4 * (entry & 0xFFFFu);
        for (uint32_t i = entry >> 16; i != 0; i--, offset += 4)
            if (!patch(m, image, segment, offset, relative))
                return false;
    }
    return true;
}

/* CON-06. Of the block the launcher writes the argument list and flag 2: leave by a jump back to the launcher. */
static bool give_arguments(struct second_machine *m, const struct image *image)
{
    uint8_t *const code = image->host[CODE];
    if (image->loaded[CODE] < 0x20 || get32(code + 4) != UINT32_C(0x6D72705F)) {
        second_remark(m, false, "the program has no block \"_prm\" behind its first word");
        return true;
    }
    if (!second_must(m, code[3] == 0xEA, "word 0 is 0x%08X, no branch over \"_prm\"", get32(code)))
        return false;
    const uint32_t address = image->base + image->first[DATA] + image->mapped[DATA];
    uint8_t *const page = second_map(m, "arguments", address, PAGE, READABLE | WRITABLE);
    if (page == NULL)
        return false;
    const char *const slash = strrchr(m->options.program, '/');
    put32(page, 1);
    snprintf((char *)page + 4, PAGE - 4, "sdmc:/3ds/%s", slash != NULL ? slash + 1 : m->options.program);
    put32(code + 0x18, address);
    put32(code + 0x1C, get32(code + 0x1C) | 4u);
    return true;
}

static bool load_image(struct second_machine *m, struct image *image)
{
    uint32_t header_bytes;
    if (!read_header(m, image, &header_bytes))
        return false;
    size_t position = header_bytes + SEGMENTS * RELOCATION_HEADER;
    if (!second_must(m, position <= image->file_bytes, "the file ends in its header") ||
        !map_segments(m, image, &position))
        return false;
    for (int i = 0; i < SEGMENTS; i++) {
        const uint8_t *const counts = image->file + header_bytes + i * RELOCATION_HEADER;
        if (!relocate(m, image, i, false, get32(counts), &position) ||
            !relocate(m, image, i, true, get32(counts + 4), &position))
            return false;
    }
    return give_arguments(m, image);
}

bool second_load(struct second_machine *m, uint32_t *entry)
{
    struct image image = { .base = m->options.base != 0 ? m->options.base : UINT32_C(0x00100000) };
    uint8_t *const file = read_file(m->options.program, &image.file_bytes);
    if (file == NULL) {
        second_finish(m, SECOND_TROUBLE, "%s cannot be read", m->options.program);
        return false;
    }
    image.file = file;
    *entry = image.base;
    m->call = "loading";
    const bool loaded = load_image(m, &image);
    if (loaded)
        m->call = NULL;
    free(file);
    return loaded;
}
