/*
 * In the order of this file: the bytes of the capture; which pages the next operation reads (`need`) and writes; what
 * each draw, fill and transfer reads, by its registers; lists, followed word by word as the GPU will; the functions
 * that the emulator calls. Rule ids (CMD-03) refer to docs/spec of picafuzz.
 *
 * This is both C99 and C++11: so results of malloc are cast, and structs are filled member by member.
 */
#include "picafuzz_capture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    VRAM = 0x18000000,
    VRAM_PAGES = 0x600000 / PAGE,
    FCRAM = 0x20000000,
    FCRAM_PAGES = 0x8000000 / PAGE,
    PAGES = VRAM_PAGES + FCRAM_PAGES,
    NO_PAGE = PAGES,
    MOST_MEMORY = 60 << 20,   /* bytes of a capture: picafuzz takes 64 MiB */
    MOST_CHUNKS = 20000,      /* each becomes up to three operations of a case, which has 65536 */
    MOST_COMMANDS = 0x100000, /* CMD-20 */
    MOST_VERTICES = 0x40000,  /* CMD-20 */
    MOST_TRANSFER = 0x400000, /* PPF-15 */
    MOST_COPY = 0x2000000,    /* TXC-07 */
    REGISTERS = 0x300,
    ENGINE_WORDS = 0x400,
    PARTS = 60,
    DRAWN = 64 /* targets of an operation that are told apart; further ones are joined with the last */
};

enum { /* chunks: docs/formats/picacap.md */
    CHUNK_LOAD = 1,
    CHUNK_LIST = 2,
    CHUNK_FILLS = 3,
    CHUNK_TRANSFER = 4,
    CHUNK_NOTE = 5,
    CHUNK_WRITE = 6,
    CHUNK_STATE = 7,
    CHUNK_VBLANK = 8,
    CHUNK_ZEROS = 9
};

struct page {
    uint8_t *content;    /* as the file has it so far; NULL: the file does not have the page */
    const char *needed;  /* what needs the page, until it is in the file; NULL: nothing */
    uint16_t first, end; /* the bytes that the CPU may have written since it was put there; end 0: none */
    uint8_t known;       /* when the capture is replayed, the page will hold what the GPU sees now */
    uint8_t gpu_writes;  /* some operation may have written it */
};

/* Bytes that draws of the operation may write. */
struct range {
    uint64_t first, end;
};

struct picafuzz_capture {
    picafuzz_capture_memory memory;
    void *user;
    uint32_t registers[REGISTERS];
    uint32_t engines[ENGINE_WORDS];
    uint32_t fixed_words; /* how many words of a vector the port of fixed attributes holds, REG-25 */
    uint32_t operation;   /* number of the current one */
    const char *operation_name;
    uint32_t operation_address;
    struct range drawn[DRAWN];
    uint32_t drawn_count;
    int targets_needed; /* need_targets has run in this operation, and no register has changed since */
    int failed;
    char why[PICAFUZZ_CAPTURE_WHY];
    uint64_t parts_given;
    uint8_t *bytes; /* the file */
    size_t size, capacity;
    uint32_t chunks;
    size_t chunk; /* where the last chunk begins */
    uint32_t memory_bytes;
    uint32_t cached; /* address of the page in `cache`; 1: none */
    int cache_is_memory;
    uint8_t cache[PAGE];
    uint32_t marked_first, marked_end; /* pages that are needed or changed lie here */
    struct page pages[PAGES];
};

/* ------------------------------------------------------------------------------------------------------- the file */

static void fail(struct picafuzz_capture *capture, const char *format, ...)
{
    va_list arguments;
    if (capture->failed)
        return;
    capture->failed = 1;
    va_start(arguments, format);
    (void)vsnprintf(capture->why, sizeof capture->why, format, arguments);
    va_end(arguments);
}

static void put(struct picafuzz_capture *capture, const void *bytes, size_t size)
{
    if (capture->failed || size == 0)
        return;
    if (capture->size + size > capture->capacity) {
        const size_t capacity = 2 * (capture->size + size) + 65536;
        uint8_t *const grown = (uint8_t *)realloc(capture->bytes, capacity);
        if (grown == NULL) {
            fail(capture, "the host has no memory");
            return;
        }
        capture->bytes = grown;
        capture->capacity = capacity;
    }
    memcpy(capture->bytes + capture->size, bytes, size);
    capture->size += size;
}

static void store_word(uint8_t *out, uint32_t word)
{
    int i;
    for (i = 0; i < 4; i++)
        out[i] = (uint8_t)(word >> 8 * i);
}

static uint32_t load_word(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static void put_words(struct picafuzz_capture *capture, const uint32_t *words, uint32_t count)
{
    uint32_t i;
    uint8_t bytes[4];
    for (i = 0; i < count; i++) {
        store_word(bytes, words[i]);
        put(capture, bytes, sizeof bytes);
    }
}

static void put_chunk(struct picafuzz_capture *capture, uint32_t type, uint32_t address, uint32_t size)
{
    uint32_t header[3];
    if (capture->chunks == MOST_CHUNKS)
        fail(capture, "the GPU is told more than %d things: capture fewer frames", MOST_CHUNKS);
    header[0] = type;
    header[1] = address;
    header[2] = size;
    capture->chunk = capture->size;
    capture->chunks++;
    put_words(capture, header, 3);
}

/* A chunk of memory, with its bytes or, if they are NULL, without. If the last chunk ends where this one begins, and
 * has no padding, it is made longer instead. */
static void put_memory(struct picafuzz_capture *capture, uint32_t type, uint32_t address, const uint8_t *bytes,
                       uint32_t size)
{
    static const uint8_t padding[4] = { 0, 0, 0, 0 };
    uint8_t *last;
    capture->memory_bytes += size;
    if (capture->memory_bytes > MOST_MEMORY)
        fail(capture, "the GPU reads more than 60 MiB: capture fewer frames");
    if (capture->failed)
        return;
    last = capture->bytes + capture->chunk;
    if (capture->chunks != 0 && load_word(last) == type && load_word(last + 8) % 4 == 0 &&
        load_word(last + 4) + load_word(last + 8) == address)
        store_word(last + 8, load_word(last + 8) + size);
    else
        put_chunk(capture, type, address, size);
    if (bytes != NULL) {
        put(capture, bytes, size);
        put(capture, padding, (4 - size % 4) % 4);
    }
}

/* ---------------------------------------------------------------------------------------------------------- pages */

static uint32_t page_at(uint32_t address)
{
    if (address - VRAM < (uint32_t)VRAM_PAGES * PAGE)
        return (address - VRAM) / PAGE;
    if (address - FCRAM < (uint32_t)FCRAM_PAGES * PAGE)
        return VRAM_PAGES + (address - FCRAM) / PAGE;
    return NO_PAGE;
}

static uint32_t address_of(uint32_t page)
{
    return page < VRAM_PAGES ? VRAM + page * PAGE : FCRAM + (page - VRAM_PAGES) * PAGE;
}

static void fail_page(struct picafuzz_capture *capture, uint32_t address, const char *what, const char *because)
{
    fail(capture, "operation %u (%s 0x%08X) needs 0x%08X (%s), which %s", (unsigned)capture->operation,
         capture->operation_name, (unsigned)capture->operation_address, (unsigned)address, what, because);
}

/* MEM-02: outside VRAM and FCRAM the GPU reads 0. If the emulator has memory there, the capture fails, since a case
 * cannot have it. */
static void check_outside(struct picafuzz_capture *capture, uint32_t address, const char *what)
{
    uint8_t byte;
    if (capture->memory(capture->user, address, &byte, 1))
        fail_page(capture, address, what, "is neither in VRAM nor in 128 MiB of FCRAM");
}

/* Makes put_pages look at the page. */
static void mark(struct picafuzz_capture *capture, uint32_t page)
{
    if (page < capture->marked_first)
        capture->marked_first = page;
    if (page >= capture->marked_end)
        capture->marked_end = page + 1;
}

/* The operation reads the bytes [address, address + size), modulo 2^32: they must be in the file before it. */
static void need(struct picafuzz_capture *capture, uint32_t address, uint64_t size, const char *what)
{
    uint64_t at = address;
    const uint64_t end = at + size;
    while (at < end && !capture->failed) {
        const uint32_t page = page_at((uint32_t)at);
        if (page == NO_PAGE)
            check_outside(capture, (uint32_t)at, what);
        else if (!capture->pages[page].known && capture->pages[page].needed == NULL) {
            capture->pages[page].needed = what;
            mark(capture, page);
        }
        at = (at | (PAGE - 1)) + 1;
    }
}

/* The operation may write only some of these bytes, so what they held before is needed, too. */
static void writes(struct picafuzz_capture *capture, uint32_t address, uint64_t size, const char *what)
{
    uint64_t at;
    need(capture, address, size, what);
    for (at = address & ~(uint32_t)(PAGE - 1); at < address + size; at += PAGE)
        if (page_at((uint32_t)at) != NO_PAGE)
            capture->pages[page_at((uint32_t)at)].gpu_writes = 1;
}

/* The operation writes all of these bytes and reads none, so pages that lie inside as a whole need not be in the
 * file. */
static void overwrites(struct picafuzz_capture *capture, uint32_t address, uint64_t size, const char *what)
{
    const uint64_t end = address + size;
    uint64_t at = address;
    while (at < end && !capture->failed) {
        const uint64_t next = (at | (PAGE - 1)) + 1;
        const uint32_t page = page_at((uint32_t)at);
        if (page != NO_PAGE && at % PAGE == 0 && next <= end && capture->pages[page].needed == NULL) {
            capture->pages[page].known = 1;
            capture->pages[page].gpu_writes = 1;
            capture->pages[page].end = 0;
        } else if (page != NO_PAGE) {
            writes(capture, (uint32_t)at, (next < end ? next : end) - at, what);
        }
        at = next;
    }
}

static int is_zero(const uint8_t *bytes)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, PAGE - 1) == 0;
}

/* Puts a page into the file that the operation needs. */
static void put_page(struct picafuzz_capture *capture, uint32_t index)
{
    struct page *const page = &capture->pages[index];
    const uint32_t address = address_of(index);
    const char *const what = page->needed;
    page->needed = NULL;
    if (page->content == NULL)
        page->content = (uint8_t *)malloc(PAGE);
    if (page->content == NULL)
        fail(capture, "the host has no memory");
    else if (!capture->memory(capture->user, address, page->content, PAGE))
        fail_page(capture, address, what, "the emulator does not give");
    else if (is_zero(page->content))
        put_memory(capture, CHUNK_ZEROS, address, NULL, PAGE);
    else
        put_memory(capture, CHUNK_LOAD, address, page->content, PAGE);
    page->known = 1;
    page->end = 0;
}

/* Puts into the file what the CPU wrote to a known page, if that differs from what it has. It cannot be compared where
 * the GPU may have written: then it is put there in any case. */
static void put_change(struct picafuzz_capture *capture, uint32_t index)
{
    struct page *const page = &capture->pages[index];
    const uint32_t first = page->first;
    const uint32_t size = page->end - first;
    uint8_t bytes[PAGE];
    page->end = 0;
    if (!capture->memory(capture->user, address_of(index) + first, bytes, size))
        fail_page(capture, address_of(index) + first, "changed by the CPU", "the emulator does not give");
    else if (page->gpu_writes || page->content == NULL || memcmp(page->content + first, bytes, size) != 0) {
        put_memory(capture, CHUNK_LOAD, address_of(index) + first, bytes, size);
        if (page->content != NULL)
            memcpy(page->content + first, bytes, size);
    }
}

/* Before an operation is put into the file: puts the memory that it needs there. */
static void put_pages(struct picafuzz_capture *capture)
{
    uint32_t i;
    for (i = capture->marked_first; i < capture->marked_end && !capture->failed; i++) {
        if (capture->pages[i].needed != NULL)
            put_page(capture, i);
        else if (capture->pages[i].known && capture->pages[i].end != 0)
            put_change(capture, i);
    }
    capture->marked_first = PAGES;
    capture->marked_end = 0;
}

/* ------------------------------------------------------------------------------------------ draws: what they read */

static uint32_t field(uint32_t word, int first, int bits)
{
    return word >> first & ((1u << bits) - 1);
}

/* TEX-31, MIP-01, MIP-02: how many bytes a texture takes with its levels, at most a tile too many. */
static uint32_t texture_size(uint32_t width, uint32_t height, uint32_t format, uint32_t most_level)
{
    static const uint8_t bits[16] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8, 0, 0 };
    uint32_t base = 0, size = 0, level;
    for (level = 0; level <= most_level && width >> level != 0 && height >> level != 0; level++) {
        const uint32_t w = width >> level, h = height >> level;
        const uint32_t tiles = ((h - 1) >> 3) * (w >> 3) + ((w - 1) >> 3) + 1;
        const uint32_t end = base + tiles * 8 * bits[format];
        size = end > size ? end : size;
        base += w * h * bits[format] >> 3;
    }
    return size;
}

/* TEX-16 to TEX-19, CUB-03. */
static void need_texture(struct picafuzz_capture *capture, int unit)
{
    static const uint16_t first[3] = { 0x081, 0x091, 0x099 }; /* border, size, parameters, levels, address */
    static const uint16_t formats[3] = { 0x08E, 0x096, 0x09E };
    static const char *const names[3] = { "texture 0", "texture 1", "texture 2" };
    const uint32_t *const words = &capture->registers[first[unit]];
    const uint32_t type = unit == 0 ? field(words[2], 28, 3) : 0;
    const uint32_t format = field(capture->registers[formats[unit]], 0, 4);
    const uint32_t address = words[4] & 0x0FFFFFFF;
    const uint32_t size = texture_size(field(words[1], 16, 11), field(words[1], 0, 11), format, field(words[3], 16, 4));
    uint32_t face;
    if (!field(capture->registers[0x080], unit, 1) || address == 0 || type == 5 || size == 0)
        return;
    need(capture, address * 8, size, names[unit]);
    for (face = 1; face < 6 && (type == 1 || type == 4); face++)
        need(capture, ((address & 0x0FC00000) | (words[4 + face] & 0x003FFFFF)) * 8, size, "a face of the cube map");
}

static void draws_to(struct picafuzz_capture *capture, uint32_t address, uint64_t size, const char *what)
{
    struct range *range = capture->drawn;
    const uint64_t end = address + size;
    uint32_t i;
    writes(capture, address, size, what);
    for (i = 0; i < capture->drawn_count; i++, range++)
        if ((range->first <= address && end <= range->end) || i == DRAWN - 1)
            break;
    if (i == capture->drawn_count) {
        range->first = address;
        range->end = end;
        capture->drawn_count++;
    }
    range->first = address < range->first ? address : range->first;
    range->end = end > range->end ? end : range->end;
}

/* FBF-02 to FBF-05, FBF-09, FBF-14, FBF-19. */
static void need_buffers(struct picafuzz_capture *capture)
{
    static const uint8_t color_bytes[8] = { 4, 3, 2, 2, 2, 4, 4, 4 }, depth_bytes[4] = { 2, 4, 3, 4 };
    const uint32_t *const r = capture->registers;
    const uint32_t round = r[0x11B] & 1 ? 31 : 7;
    const uint32_t width = (field(r[0x11E], 0, 11) + round) & ~round;
    const uint32_t height = (field(r[0x11E], 12, 10) + 1 + round) & ~round;
    const uint64_t pixels = (uint64_t)width * height;
    const int is_plain = field(r[0x100], 0, 2) == 0;
    if (field(r[0x112], 0, 4) != 0 || field(r[0x113], 0, 4) != 0)
        draws_to(capture, (r[0x11D] & 0x0FFFFFF8) * 8, pixels * (is_plain ? color_bytes[field(r[0x117], 16, 3)] : 4),
                 "the colour buffer");
    if (is_plain && (field(r[0x114], 0, 2) != 0 || field(r[0x115], 0, 2) != 0))
        draws_to(capture, (r[0x11C] & 0x0FFFFFF8) * 8, pixels * depth_bytes[field(r[0x116], 0, 2)], "the depth buffer");
}

static void need_targets(struct picafuzz_capture *capture)
{
    int unit;
    if (capture->targets_needed)
        return;
    capture->targets_needed = 1;
    for (unit = 0; unit < 3; unit++)
        need_texture(capture, unit);
    need_buffers(capture);
}

/* Where an attribute comes from. */
struct source {
    uint32_t address, stride, bytes; /* of vertex 0, in bytes; bytes 0: it comes from no array */
};

static uint32_t element_size(uint32_t type)
{
    return type == 3 ? 4 : type == 2 ? 2 : 1;
}

/* VTX-01 to VTX-05: sources of attributes 0-11. */
static void find_sources(const uint32_t *r, struct source sources[12])
{
    uint32_t array, i;
    memset(sources, 0, 12 * sizeof *sources);
    for (array = 0; array < 12; array++) {
        const uint32_t *const words = &r[0x203 + 3 * array];
        const uint32_t count = field(words[2], 28, 4);
        uint32_t at = 0;
        for (i = 0; i < count && i < 12; i++) {
            const uint32_t id = i < 8 ? field(words[1], (int)(4 * i), 4) : field(words[2], (int)(4 * (i - 8)), 4);
            const uint32_t kind = id < 8 ? field(r[0x201], (int)(4 * id), 4) : field(r[0x202], (int)(4 * (id - 8)), 4);
            const uint32_t size = element_size(kind & 3);
            if (id >= 12) {
                at = ((at + 3) & ~3u) + 4 * (id - 11);
                continue;
            }
            at = (at + size - 1) & ~(size - 1);
            sources[id].address = (r[0x200] & 0x1FFFFFFE) * 8 + (words[0] & 0x0FFFFFFF) + at;
            sources[id].stride = field(words[2], 16, 8);
            sources[id].bytes = size * ((kind >> 2) + 1);
            at += sources[id].bytes;
        }
    }
}

static uint8_t byte_at(struct picafuzz_capture *capture, uint32_t address)
{
    const uint32_t page = address & ~(uint32_t)(PAGE - 1);
    if (capture->cached != page) {
        capture->cached = page;
        capture->cache_is_memory = capture->memory(capture->user, page, capture->cache, PAGE) != 0;
    }
    return capture->cache_is_memory ? capture->cache[address - page] : 0;
}

/* Words that decide where the GPU reads next. They must not be drawn by the same operation: then they are not known
 * yet. */
static void need_words(struct picafuzz_capture *capture, uint32_t address, uint64_t size, const char *what)
{
    uint32_t i;
    need(capture, address, size, what);
    for (i = 0; i < capture->drawn_count; i++)
        if (address < capture->drawn[i].end && capture->drawn[i].first < address + size)
            fail_page(capture, address, what, "the same list draws to");
}

static void need_vertices(struct picafuzz_capture *capture, const struct source *source, uint32_t first, uint64_t count)
{
    if (source->bytes != 0)
        need(capture, source->address + first * source->stride, (count - 1) * source->stride + source->bytes,
             "a vertex array");
}

/* VTX-20, VTX-21. */
static void need_elements(struct picafuzz_capture *capture, const struct source *sources, uint32_t used, uint32_t count)
{
    const uint32_t *const r = capture->registers;
    const uint32_t size = r[0x227] >> 31 ? 2 : 1;
    const uint32_t address = (r[0x200] & 0x1FFFFFFE) * 8 + (r[0x227] & 0x0FFFFFFF);
    uint32_t i, k;
    need_words(capture, address, (uint64_t)count * size, "the index list");
    for (i = 0; i < count && !capture->failed; i++) {
        uint32_t index = byte_at(capture, address + i * size);
        if (size == 2)
            index |= (uint32_t)byte_at(capture, address + i * size + 1) << 8;
        for (k = 0; k < used; k++)
            need_vertices(capture, &sources[k], index, 1);
    }
}

static void need_draw(struct picafuzz_capture *capture, int is_indexed)
{
    const uint32_t *const r = capture->registers;
    const uint32_t attributes = field(r[0x202], 28, 4) + 1;
    const uint32_t used = attributes < 12 ? attributes : 12;
    const uint32_t count = r[0x228] < MOST_VERTICES ? r[0x228] : (uint32_t)MOST_VERTICES;
    struct source sources[12];
    uint32_t k;
    if (count == 0)
        return;
    find_sources(r, sources);
    if (is_indexed)
        need_elements(capture, sources, used, count);
    for (k = 0; k < used && !is_indexed; k++)
        need_vertices(capture, &sources[k], r[0x22A], count);
    need_targets(capture);
}

/* ------------------------------------------------------------------------------------------------------- lists */

enum step {
    GO_ON,
    JUMP,
    STOP
};

/* REG-12, REG-13: does word `w` of the interrupt requests, as it is now, end the list? */
static int stops(const uint32_t *r, uint32_t w)
{
    uint32_t j;
    for (j = 0; j < 4; j++) {
        const uint32_t line = 4 * w + j;
        const int is_off = (int)(r[0x30 + line / 32] >> line % 32 & 1);
        if (!is_off && field(r[0x10 + w], (int)(8 * j), 8) == field(r[0x20 + w], (int)(8 * j), 8))
            return (int)(r[0x34] & 1);
    }
    return 0;
}

/* REG-25, VTX-41: a word for the port of fixed attributes; immediate vertices draw as they arrive. */
static void take_fixed(struct picafuzz_capture *capture)
{
    const uint32_t index = capture->registers[0x232] & 15;
    if (index == 15)
        need_targets(capture);
    if (++capture->fixed_words < 3)
        return;
    capture->fixed_words = 0;
    if (index < 15)
        capture->registers[0x232]++;
}

/* One parameter of a command (CMD-05 to CMD-07). */
static enum step write_internal(struct picafuzz_capture *capture, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t *const r = capture->registers;
    uint32_t bits = 0, i;
    if (id >= REGISTERS || id < 0x010 || (id >= 0x020 && id < 0x040))
        return GO_ON; /* REG-05, REG-11 */
    for (i = 0; i < 4; i++)
        bits |= (mask >> i & 1) * (0xFFu << 8 * i);
    r[id] = (r[id] & ~bits) | (value & bits);
    if (id < 0x020)
        return stops(r, id - 0x010) ? STOP : GO_ON;
    if (id == 0x23C || id == 0x23D)
        return JUMP;
    if (id >= 0x080 && id < 0x130)
        capture->targets_needed = 0;
    if (id == 0x22E || id == 0x22F)
        need_draw(capture, id == 0x22F);
    if (id == 0x232)
        capture->fixed_words = 0;
    if (id >= 0x233 && id <= 0x235)
        take_fixed(capture);
    return GO_ON;
}

static uint32_t word_at(struct picafuzz_capture *capture, uint32_t address)
{
    uint8_t bytes[4];
    uint32_t i;
    need_words(capture, address, 4, "the list");
    for (i = 0; i < 4; i++)
        bytes[i] = byte_at(capture, address + i);
    return load_word(bytes);
}

struct list {
    uint32_t address, words, at;
};

/* SUB-02. */
static struct list take_list(const struct picafuzz_capture *capture, uint32_t channel)
{
    struct list list;
    list.address = (capture->registers[0x23A + channel] & 0x1FFFFFFE) * 8;
    list.words = (capture->registers[0x238 + channel] & 0x1FFFFE) * 2;
    list.at = 0;
    return list;
}

/* CMD-02, CMD-03, SUB-04, SUB-05. */
static enum step follow_command(struct picafuzz_capture *capture, struct list *list)
{
    const uint32_t start = list->address + 4 * list->at;
    uint32_t value = word_at(capture, start);
    const uint32_t header = word_at(capture, start + 4);
    const uint32_t extra = field(header, 20, 8);
    uint32_t k;
    for (k = 0;; k++) {
        const uint32_t id = field(header, 0, 16) + (header >> 31 ? k : 0);
        const enum step step = write_internal(capture, id, value, field(header, 16, 4));
        if (step == JUMP)
            *list = take_list(capture, id - 0x23C);
        if (step != GO_ON)
            return step;
        if (k == extra)
            break;
        value = word_at(capture, start + 8 + 4 * k);
    }
    list->at += 2 + extra + extra % 2;
    return GO_ON;
}

static void follow_list(struct picafuzz_capture *capture, uint32_t channel)
{
    struct list list = take_list(capture, channel);
    uint32_t commands;
    for (commands = 0; list.at < list.words && commands < MOST_COMMANDS && !capture->failed; commands++) {
        if (page_at(list.address + 4 * list.at) == NO_PAGE) { /* CMD-09 */
            check_outside(capture, list.address + 4 * list.at, "the list");
            break;
        }
        if (follow_command(capture, &list) == STOP)
            break;
    }
    capture->registers[0x23C + channel] = 0; /* EXT-CMD-03 */
}

/* ------------------------------------------------------------------------------------------- fills and transfers */

static uint32_t engine_address(uint32_t word)
{
    return (word & 0x1FFFFFFE) << 3; /* PSC-02 */
}

/* PSC-06, PSC-08. */
static void need_fill(struct picafuzz_capture *capture, const uint32_t *words)
{
    const uint32_t start = engine_address(words[0]), end = engine_address(words[1]);
    if (end > start)
        overwrites(capture, start, end - start, "an end of the fill");
}

static uint32_t pixel_size(uint32_t format)
{
    return format == 0 ? 4 : format == 1 ? 3 : 2; /* PPF-10 */
}

/* PPF-03 to PPF-08, PPF-14, PPF-15; words: IN OUT DIM INDIM FLAGS. */
static void need_display(struct picafuzz_capture *capture, const uint32_t *words)
{
    const uint32_t flags = words[4], scale = field(flags, 24, 2);
    const uint32_t round = field(flags, 16, 1) ? 31 : 7;
    const int crops = (int)field(flags, 2, 1), flips = (int)field(flags, 0, 1);
    const uint32_t width = words[2] & 0xFFF8, height = words[2] >> 16 & 0xFFF8, line = words[3] & 0xFFF8;
    const uint32_t pitch = crops ? line : width;
    const uint64_t wide = pitch > ((width + round) & ~round) ? pitch : (width + round) & ~round;
    const uint64_t in = wide * ((height + round) & ~round) * pixel_size(field(flags, 8, 3));
    const uint32_t out_width = scale == 0 ? width : width / 2, out_height = scale == 2 ? height / 2 : height;
    const int is_linear = !field(flags, 1, 1) && !field(flags, 5, 1);
    const int is_whole = is_linear || (round == 7 && out_width % 8 == 0 && out_height % 8 == 0);
    const uint32_t bytes = pixel_size(field(flags, 12, 3));
    const uint32_t moved = crops && flips ? (line - width) * (height - 1) * bytes : 0;
    uint64_t out = (uint64_t)out_width * out_height * bytes;
    if (width == 0 || height == 0 || pitch == 0 || scale == 3 || (uint64_t)width * height > MOST_TRANSFER)
        return;
    need(capture, engine_address(words[0]), in, "the input of the transfer");
    if (!is_whole)
        out = (uint64_t)((out_width + round) & ~round) * ((out_height + round) & ~round) * bytes;
    if (is_whole)
        overwrites(capture, engine_address(words[1]) + moved, out, "an end of the transfer's output");
    else
        writes(capture, engine_address(words[1]) + moved, out, "the output of the transfer");
}

/* TXC-03 to TXC-07: bytes from the first to the last block of a side, gaps included; 0 if nothing is copied. */
static uint64_t copy_extent(uint32_t total, uint32_t line_word)
{
    const uint64_t line = (uint64_t)field(line_word, 0, 16) * 16, gap = (uint64_t)(line_word >> 16) * 16;
    if (gap == 0)
        return total;
    return line == 0 || total == 0 ? 0 : total + (total - 1) / line * gap;
}

static void need_copy(struct picafuzz_capture *capture, const uint32_t *words)
{
    const uint32_t total = words[6] & ~15u;
    const uint64_t in = copy_extent(total, words[7]), out = copy_extent(total, words[8]);
    if (in == 0 || out == 0 || total > MOST_COPY)
        return;
    need(capture, engine_address(words[0]), in, "the input of the copy");
    if (words[8] >> 16 == 0)
        overwrites(capture, engine_address(words[1]), out, "an end of the copy's output");
    else
        writes(capture, engine_address(words[1]), out, "the output of the copy");
}

static void need_transfer(struct picafuzz_capture *capture, const uint32_t *words)
{
    if (field(words[4], 3, 1))
        need_copy(capture, words);
    else
        need_display(capture, words);
}

/* ------------------------------------------------------------------------------------------ what the emulator calls */

static void start(struct picafuzz_capture *capture, const char *name, uint32_t address)
{
    capture->operation++;
    capture->operation_name = name;
    capture->operation_address = address;
    capture->drawn_count = 0;
    capture->targets_needed = 0;
    capture->cached = 1;
}

static int is_open(const struct picafuzz_capture *capture)
{
    return capture != NULL && !capture->failed;
}

struct picafuzz_capture *picafuzz_capture_begin(picafuzz_capture_memory memory, void *user)
{
    static const char head[] = "PCAP3DS2\0\0\0"; /* and a 0: the number of chunks comes last */
    struct picafuzz_capture *const capture = (struct picafuzz_capture *)calloc(1, sizeof *capture);
    if (capture == NULL)
        return NULL;
    capture->memory = memory;
    capture->user = user;
    capture->registers[0x020] = 0x12345678; /* REG-02 */
    capture->registers[0x030] = 0xFFFFFFF0;
    capture->registers[0x031] = 0xFFFFFFFF;
    capture->registers[0x034] = 1;
    capture->marked_first = PAGES;
    start(capture, "the state", 0);
    capture->operation = 0;
    put(capture, head, 12);
    return capture;
}

/* Elements of each part of pica/state.def, by number. */
static const uint16_t part_counts[PARTS] = {
    0x300, 0x400,  2,      6,      24 * 256,   128,        16,     128, 128, 128,    256,    256,    4096, 4096, 4 * 96,
    16,    1,      1,      4,      4096,       4096,       4 * 96, 16,  1,   1,      4,      4 * 16, 1,    3,    1,
    1,     4 * 16, 4 * 16, 4 * 16, 2 * 4 * 16, 4 * 4 * 16, 2,      1,   2,   1,      1,      1,      1,    1,    1,
    1,     1,      1,      1,      1,          1,          1,      1,   1,   4 * 16, 2 * 24, 1,      1,    1,    1
};

/* Keeps what the given state says about where the GPU reads. */
static void take_state(struct picafuzz_capture *capture, int part, const uint32_t *words, uint32_t count)
{
    uint32_t low[0x40], i, any = 0;
    for (i = 0; i < 0x40 && i < count && part == PICAFUZZ_CAPTURE_REGISTERS; i++)
        any |= words[i];
    memcpy(low, capture->registers, sizeof low);
    if (part == PICAFUZZ_CAPTURE_REGISTERS) {
        memcpy(capture->registers, words, count * sizeof *words);
        if (any == 0)
            memcpy(capture->registers, low, sizeof low);
    }
    if (part == PICAFUZZ_CAPTURE_ENGINES)
        memcpy(capture->engines, words, count * sizeof *words);
    if (part == 27) /* the length of the fixed attribute queue */
        capture->fixed_words = words[0];
}

void picafuzz_capture_state(struct picafuzz_capture *capture, int part, const uint32_t *words, uint32_t count)
{
    if (!is_open(capture))
        return;
    if (part < 0 || part >= PARTS || count == 0 || count > part_counts[part])
        fail(capture, "state: there is no part %d of %u words", part, (unsigned)count);
    else if (capture->operation != 0 || capture->parts_given >> part & 1)
        fail(capture, "state: part %d is given twice, or after an operation", part);
    if (capture->failed)
        return;
    capture->parts_given |= (uint64_t)1 << part;
    take_state(capture, part, words, count);
    put_chunk(capture, CHUNK_STATE, (uint32_t)part, 4 * count);
    put_words(capture, part == PICAFUZZ_CAPTURE_REGISTERS ? capture->registers : words, count);
}

/* FLT-10. */
uint32_t picafuzz_capture_float24(uint32_t raw)
{
    const uint32_t sign = (raw >> 23 & 1) << 31;
    const uint32_t exponent24 = field(raw, 16, 7);
    uint32_t exponent = exponent24 + 127 - 63, mantissa = field(raw, 0, 16);
    if (exponent24 == 0x7F)
        return mantissa == 0 ? sign | 0x7F800000 : 0x7FC00000;
    if (exponent24 == 0 && mantissa == 0)
        return sign;
    if (exponent24 == 0) /* subnormal: shift until the mantissa has a leading 1 */
        for (exponent++; !(mantissa & 0x10000); exponent--)
            mantissa <<= 1;
    return sign | exponent << 23 | (mantissa & 0xFFFF) << 7;
}

/* Bytes [first, end) of a page were written. */
static void mark_changed(struct picafuzz_capture *capture, uint32_t index, uint32_t first, uint32_t end)
{
    struct page *const page = &capture->pages[index];
    mark(capture, index);
    if (page->end == 0 || first < page->first)
        page->first = (uint16_t)first;
    if (end > page->end)
        page->end = (uint16_t)end;
}

void picafuzz_capture_changed(struct picafuzz_capture *capture, uint32_t address, uint32_t size)
{
    uint64_t at = address;
    const uint64_t end = at + size;
    while (is_open(capture) && at < end) {
        const uint64_t next = (at | (PAGE - 1)) + 1;
        const uint32_t page = page_at((uint32_t)at);
        if (page != NO_PAGE && capture->pages[page].known)
            mark_changed(capture, page, (uint32_t)at % PAGE, (uint32_t)((next < end ? next : end) - 1) % PAGE + 1);
        at = next;
    }
}

void picafuzz_capture_changed_anywhere(struct picafuzz_capture *capture)
{
    uint32_t i;
    for (i = 0; is_open(capture) && i < PAGES; i++)
        if (capture->pages[i].content != NULL && !capture->pages[i].gpu_writes)
            mark_changed(capture, i, 0, PAGE);
}

void picafuzz_capture_reads(struct picafuzz_capture *capture, uint32_t address, uint32_t size)
{
    if (is_open(capture))
        need(capture, address, size, "told by the emulator");
}

void picafuzz_capture_list(struct picafuzz_capture *capture, uint32_t address, uint32_t size)
{
    if (!is_open(capture))
        return;
    start(capture, "list at", address);
    capture->registers[0x238] = size >> 3; /* EXT-CMD-14 */
    capture->registers[0x23A] = address >> 3;
    follow_list(capture, 0);
    put_pages(capture);
    put_chunk(capture, CHUNK_LIST, address, size);
}

/* EXT-CMD-02, EXT-CMD-05, REG-15. */
static void write_from_outside(struct picafuzz_capture *capture, uint32_t id, uint32_t value)
{
    if (id == 0x23C || id == 0x23D) {
        capture->registers[id] = value;
        if (value != 0)
            follow_list(capture, id - 0x23C);
    } else if (id < 0x010) {
        capture->registers[id + 0x010] = value;
    } else if ((id >= 0x020 && id < 0x032) || id == 0x034) {
        capture->registers[id] = value;
    } else {
        (void)write_internal(capture, id, value, 0xF);
    }
}

/* PSC-03, PPF-02. */
static void write_engine(struct picafuzz_capture *capture, uint32_t index, uint32_t value)
{
    const uint32_t *const engines = capture->engines;
    uint32_t words[9], i;
    capture->engines[index] = value;
    if ((index == 0x01C / 4 || index == 0x02C / 4) && (value & 1))
        need_fill(capture, &engines[index - 3]);
    for (i = 0; i < 9; i++)
        words[i] = engines[i < 6 ? 0xC00 / 4 + i : 0xC20 / 4 + i - 6];
    if (index == 0xC18 / 4 && (value & 1))
        need_transfer(capture, words);
}

void picafuzz_capture_write(struct picafuzz_capture *capture, uint32_t address, uint32_t value)
{
    const uint32_t word = address & ~3u;
    if (!is_open(capture) || (word - 0x10400000 >= 0x2000 && word != 0x10202204 && word != 0x10202A04))
        return; /* PSC-12 */
    start(capture, "write to", word);
    if (word - 0x10400000 < 0x1000)
        write_engine(capture, (word - 0x10400000) / 4, value);
    else if (word - 0x10401000 < 0x1000)
        write_from_outside(capture, (word - 0x10401000) / 4, value);
    put_pages(capture);
    put_chunk(capture, CHUNK_WRITE, word, 4);
    put_words(capture, &value, 1);
}

void picafuzz_capture_fill(struct picafuzz_capture *capture, int unit, const uint32_t words[4])
{
    const uint32_t base = unit == 0 ? 0x10400010 : 0x10400020;
    uint32_t chunk[8], i;
    if (!is_open(capture))
        return;
    if (words[0] == 0 || !(words[3] & 1)) { /* CAP-11: the file's chunk for fills cannot say this */
        for (i = 0; i < 4; i++)
            picafuzz_capture_write(capture, base + 4 * i, words[i]);
        return;
    }
    memset(chunk, 0, sizeof chunk);
    memcpy(chunk + (unit == 0 ? 0 : 4), words, 4 * sizeof *words);
    memcpy(capture->engines + (base & 0xFFF) / 4, words, 4 * sizeof *words);
    start(capture, "fill of", engine_address(words[0]));
    need_fill(capture, words);
    put_pages(capture);
    put_chunk(capture, CHUNK_FILLS, 0, sizeof chunk);
    put_words(capture, chunk, 8);
}

void picafuzz_capture_transfer(struct picafuzz_capture *capture, const uint32_t words[9])
{
    if (!is_open(capture))
        return;
    start(capture, "transfer to", engine_address(words[1]));
    memcpy(capture->engines + 0xC00 / 4, words, 6 * sizeof *words);
    memcpy(capture->engines + 0xC20 / 4, words + 6, 3 * sizeof *words);
    need_transfer(capture, words);
    put_pages(capture);
    put_chunk(capture, CHUNK_TRANSFER, 0, 9 * sizeof *words);
    put_words(capture, words, 9);
}

void picafuzz_capture_vblank(struct picafuzz_capture *capture, int screen)
{
    if (!is_open(capture))
        return;
    start(capture, "vertical blank", 0);
    put_pages(capture); /* a screen shows what the CPU wrote, too */
    put_chunk(capture, CHUNK_VBLANK, screen != 0, 0);
}

void picafuzz_capture_note(struct picafuzz_capture *capture, const char *text)
{
    static const char padding[4] = "";
    const size_t length = text == NULL ? 0 : strlen(text) < 1024 ? strlen(text) : 1024;
    if (!is_open(capture) || length == 0)
        return;
    put_chunk(capture, CHUNK_NOTE, 0, (uint32_t)length);
    put(capture, text, length);
    put(capture, padding, (4 - length % 4) % 4);
}

/* Writes the file beside its path first and then renames it, so that it is there whole or not at all. */
static void write_file(struct picafuzz_capture *capture, const char *path)
{
    const size_t length = strlen(path);
    char *const beside = (char *)malloc(length + sizeof ".writing");
    FILE *file;
    int written = 0;
    if (beside == NULL) {
        fail(capture, "the host has no memory");
        return;
    }
    memcpy(beside, path, length);
    memcpy(beside + length, ".writing", sizeof ".writing");
    file = fopen(beside, "wb");
    if (file != NULL) {
        written = fwrite(capture->bytes, 1, capture->size, file) == capture->size;
        written = fclose(file) == 0 && written;
    }
#ifdef _WIN32
    if (written)
        (void)remove(path); /* there rename does not replace */
#endif
    if (!written || rename(beside, path) != 0) {
        (void)remove(beside);
        fail(capture, "%.200s: cannot be written", path);
    }
    free(beside);
}

int picafuzz_capture_end(struct picafuzz_capture *capture, const char *path, char *why, size_t size)
{
    int failed;
    uint32_t i;
    if (capture == NULL) {
        if (size != 0)
            (void)snprintf(why, size, "the host has no memory");
        return 0;
    }
    if (!capture->failed && path != NULL) {
        store_word(capture->bytes + 8, capture->chunks);
        write_file(capture, path);
    }
    failed = capture->failed || path == NULL;
    if (size != 0)
        (void)snprintf(why, size, "%s", capture->why);
    for (i = 0; i < PAGES; i++)
        free(capture->pages[i].content);
    free(capture->bytes);
    free(capture);
    return !failed;
}
