#include "harness/cli/import_dump.h"

#include "harness/case/formats.h"
#include "harness/run/assemble.h"
#include "pica/memory.h"
#include "pica/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_FILES = 2 * CLI_LIST_MOST + 2
};

/* What the options name, as it is in memory. */
struct dump {
    uint8_t *files[MOST_FILES];
    uint32_t file_count;
    struct pica_chunk chunks[CLI_LIST_MOST + 1];
    const char *paths[CLI_LIST_MOST + 1]; /* of each chunk */
    struct harness_dumped_part parts[CLI_LIST_MOST + 1];
    struct harness_dumped dumped;
};

static enum harness_status read_file(struct dump *dump, const char *path, uint32_t *size, struct harness_error *error)
{
    size_t bytes = 0;
    if (access(path, R_OK) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", path, strerror(errno));
    const enum harness_status status = harness_file_read(path, &dump->files[dump->file_count], &bytes, error);
    if (status != HARNESS_OK)
        return status;
    dump->file_count++;
    *size = (uint32_t)bytes; /* HARNESS_MAX_FILE */
    if (bytes == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected bytes, found an empty file", path);
    return HARNESS_OK;
}

/* Refuses the file that was read last if it is plainly something else than words of the machine. */
static enum harness_status check_words(const struct dump *dump, uint32_t size, const char *path,
                                       struct harness_error *error)
{
    const char *const kind = cli_marked_kind(dump->files[dump->file_count - 1], size);
    return kind == NULL ? HARNESS_OK : harness_fail(error, HARNESS_BAD_INPUT, "%s: this is %s", path, kind);
}

static bool is_inside(uint32_t address, uint32_t size)
{
    const uint32_t in_vram = address - PICA_VRAM_ADDRESS, in_fcram = address - PICA_FCRAM_ADDRESS;
    return (in_vram < PICA_VRAM_SIZE && size <= PICA_VRAM_SIZE - in_vram) ||
           (in_fcram < PICA_FCRAM_SIZE && size <= PICA_FCRAM_SIZE - in_fcram);
}

static uint64_t end_of(const struct pica_chunk *chunk)
{
    return (uint64_t)chunk->address + chunk->size;
}

/* The first address for which they have different bytes; 0: there is none. */
static uint32_t first_difference(const struct pica_chunk *a, const struct pica_chunk *b)
{
    const uint32_t from = a->address > b->address ? a->address : b->address;
    const uint64_t to = end_of(a) < end_of(b) ? end_of(a) : end_of(b);
    for (uint64_t at = from; at < to; at++)
        if (a->data[at - a->address] != b->data[at - b->address])
            return (uint32_t)at;
    return 0;
}

/* Two files may tell of the same bytes, a list out of a dump for one, but must tell the same. */
static enum harness_status check_overlaps(const struct dump *dump, const char *option, const struct pica_chunk *chunk,
                                          const char *path, struct harness_error *error)
{
    for (uint32_t i = 0; i < dump->dumped.memory_count; i++) {
        const struct pica_chunk *const other = &dump->chunks[i];
        const uint32_t address = first_difference(other, chunk);
        if (address != 0)
            return harness_fail(error, HARNESS_BAD_INPUT,
                                "%s 0x%08X=%.120s: offset 0x%X: expected 0x%02X, which 0x%08X=%.120s has at 0x%08X, "
                                "found 0x%02X",
                                option, (unsigned)chunk->address, path, (unsigned)(address - chunk->address),
                                other->data[address - other->address], (unsigned)other->address, dump->paths[i],
                                (unsigned)address, chunk->data[address - chunk->address]);
    }
    return HARNESS_OK;
}

/* The file that was read last is memory at `address`. */
static enum harness_status place(struct dump *dump, const char *option, uint32_t address, uint32_t size,
                                 const char *path, struct harness_error *error)
{
    const struct pica_chunk chunk = { .address = address, .size = size, .data = dump->files[dump->file_count - 1] };
    if (!is_inside(address, size))
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "%s 0x%08X=%.200s: expected bytes in VRAM (0x18000000-0x185FFFFF) or FCRAM "
                            "(0x20000000-0x27FFFFFF), found 0x%X of them",
                            option, (unsigned)address, path, (unsigned)size);
    const enum harness_status status = check_overlaps(dump, option, &chunk, path, error);
    if (status != HARNESS_OK)
        return status;
    dump->paths[dump->dumped.memory_count] = path;
    dump->chunks[dump->dumped.memory_count++] = chunk;
    return HARNESS_OK;
}

/* "WORD=REST": REST, or NULL; the word goes to `out`. */
static const char *split(const char *text, char *out, size_t size)
{
    const char *const equals = strchr(text, '=');
    if (equals == NULL || (size_t)(equals - text) >= size)
        return NULL;
    memcpy(out, text, (size_t)(equals - text));
    out[equals - text] = '\0';
    return equals + 1;
}

static enum harness_status take_memory(struct dump *dump, const char *text, struct harness_error *error)
{
    char word[64];
    uint64_t address = 0;
    uint32_t size = 0;
    const char *const path = split(text, word, sizeof word);
    if (path == NULL || !cli_number(word, 0, UINT32_MAX, &address))
        return harness_fail(error, HARNESS_BAD_INPUT, "--memory %.200s: expected ADDRESS=FILE", text);
    const enum harness_status status = read_file(dump, path, &size, error);
    return status == HARNESS_OK ? place(dump, "--memory", (uint32_t)address, size, path, error) : status;
}

static enum harness_status take_part(struct dump *dump, uint32_t part, const char *path, struct harness_error *error)
{
    uint32_t size = 0;
    enum harness_status status = read_file(dump, path, &size, error);
    if (status == HARNESS_OK)
        status = check_words(dump, size, path, error);
    if (status != HARNESS_OK)
        return status;
    for (uint32_t i = 0; i < dump->dumped.part_count; i++)
        if (dump->parts[i].part == part)
            return harness_fail(error, HARNESS_BAD_INPUT, "%.200s: expected each part once, found %s again", path,
                                harness_parts[part].name);
    dump->parts[dump->dumped.part_count++] =
        (struct harness_dumped_part){ part, path, dump->files[dump->file_count - 1], size };
    return HARNESS_OK;
}

static enum harness_status take_state(struct dump *dump, const char *text, struct harness_error *error)
{
    char word[64];
    const char *const path = split(text, word, sizeof word);
    const uint32_t part = path == NULL ? harness_part_count : harness_part_find(word);
    if (part == harness_part_count)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "--state %.200s: expected PART=FILE with a part of pica/state.def, as vertex.code", text);
    return take_part(dump, part, path, error);
}

/* The last pages of FCRAM of which no file says anything; FCRAM's end if there are none. */
static uint32_t find_room(const struct dump *dump, uint32_t size)
{
    const uint32_t fcram_end = PICA_FCRAM_ADDRESS + PICA_FCRAM_SIZE;
    const uint32_t pages = (size + PICA_PAGE_SIZE - 1) / PICA_PAGE_SIZE * PICA_PAGE_SIZE;
    uint32_t address = fcram_end - pages, i = 0;
    while (i < dump->dumped.memory_count) {
        const struct pica_chunk *const chunk = &dump->chunks[i++];
        if (chunk->address >= address + pages || end_of(chunk) <= address)
            continue;
        const uint32_t below = chunk->address / PICA_PAGE_SIZE * PICA_PAGE_SIZE;
        if (below < PICA_FCRAM_ADDRESS + pages)
            return fcram_end;
        address = below - pages;
        i = 0; /* others may be in the way here */
    }
    return address;
}

/* A list of which nobody gave a byte would be zeros, which do nothing. */
static enum harness_status check_given(const struct dump *dump, const char *text, const struct pica_window *range,
                                       struct harness_error *error)
{
    for (uint32_t i = 0; i < dump->dumped.memory_count; i++)
        if (range->address < end_of(&dump->chunks[i]) &&
            dump->chunks[i].address < (uint64_t)range->address + range->size)
            return HARNESS_OK;
    return harness_fail(error, HARNESS_BAD_INPUT, "--list %.200s: expected bytes that --memory gives, found none there",
                        text);
}

/* ADDRESS+BYTES of what --memory gives, ADDRESS=FILE, or FILE, which lies where there is room. */
static enum harness_status take_list(struct dump *dump, const char *text, struct harness_error *error)
{
    char word[64] = "";
    struct pica_window range;
    uint64_t address = 0;
    uint32_t size = 0;
    if (cli_range(text, PICA_FCRAM_SIZE, &range)) {
        dump->dumped.list_address = range.address;
        dump->dumped.list_size = range.size;
        return check_given(dump, text, &range, error);
    }
    const char *const named = split(text, word, sizeof word);
    const bool has_address = named != NULL && cli_number(word, 0, UINT32_MAX, &address);
    const char *const path = has_address ? named : text;
    enum harness_status status = read_file(dump, path, &size, error);
    if (status == HARNESS_OK)
        status = check_words(dump, size, path, error);
    if (status != HARNESS_OK)
        return status;
    if (!has_address)
        address = size > PICA_FCRAM_SIZE ? PICA_FCRAM_ADDRESS : find_room(dump, size);
    dump->dumped.list_address = (uint32_t)address;
    dump->dumped.list_size = size;
    return place(dump, "--list", (uint32_t)address, size, path, error);
}

static enum harness_status take_options(struct dump *dump, const struct cli_dump_options *options,
                                        struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < options->memory.count && status == HARNESS_OK; i++)
        status = take_memory(dump, options->memory.items[i], error);
    if (options->registers != NULL && status == HARNESS_OK)
        status = take_part(dump, PICA_STATE_REGISTERS, options->registers, error);
    for (size_t i = 0; i < options->state.count && status == HARNESS_OK; i++)
        status = take_state(dump, options->state.items[i], error);
    return status == HARNESS_OK ? take_list(dump, options->list, error) : status;
}

enum harness_status cli_dump_load(const struct cli_dump_options *options, struct harness_case *out, char *stem,
                                  size_t size, struct harness_error *error)
{
    struct dump dump = { .file_count = 0 };
    struct harness_text warnings = { 0 };
    dump.dumped.name = options->list;
    dump.dumped.memory = dump.chunks;
    dump.dumped.parts = dump.parts;
    enum harness_status status = take_options(&dump, options, error);
    if (status == HARNESS_OK)
        status = harness_assemble(out, &dump.dumped, &warnings, error);
    if (status == HARNESS_OK)
        (void)snprintf(stem, size, "list-%08X", (unsigned)dump.dumped.list_address);
    (void)cli_print(stderr, "%s", harness_text_string(&warnings));
    harness_text_free(&warnings);
    for (uint32_t i = 0; i < dump.file_count; i++)
        free(dump.files[i]);
    return status;
}
