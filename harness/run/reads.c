#include "harness/run/reads.h"

#include "harness/case/grow.h"
#include "harness/case/little.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "oracles/relate.h"
#include "oracles/texture.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LISTS = 4096,        /* that one submission may jump through */
    MOST_LIST_BYTES = 1 << 24 /* SUB-02: a longer one cannot be named */
};

struct list_place {
    uint32_t address, size;
};

struct finder {
    struct harness_runner *runner;
    const struct harness_program *program;
    struct harness_reads *reads;
    size_t loaded;      /* reads from here on were made since the last load */
    uint32_t operation; /* the one that runs */
    uint32_t cmdbuf[4]; /* registers 0x238-0x23B, as far as lists show them */
    uint32_t fixed;     /* register 0x232, alike */
    struct oracle_walk walk;
    struct list_place lists[MOST_LISTS];
    uint32_t list_count;
    bool failed; /* without memory */
};

const char *harness_read_kind_name(enum harness_read_kind kind)
{
    static const char *const names[HARNESS_READ_KINDS] = { "read by nothing",
                                                           "colour and depth buffers",
                                                           "inputs of transfers and copies",
                                                           "textures",
                                                           "vertex arrays",
                                                           "indices",
                                                           "commands",
                                                           "lookup tables",
                                                           "uniforms, fixed attributes",
                                                           "shader code",
                                                           "vertices in lists" };
    return names[kind];
}

void harness_reads_free(struct harness_reads *reads)
{
    free(reads->items);
    *reads = (struct harness_reads){ NULL, 0 };
}

static void append(struct finder *finder, const struct harness_read *read)
{
    struct harness_reads *const reads = finder->reads;
    struct harness_read *const items = harness_grow(reads->items, reads->count, sizeof *items);
    finder->failed = finder->failed || items == NULL;
    if (items == NULL)
        return;
    reads->items = items;
    reads->items[reads->count++] = *read;
}

/* A range that a draw or an engine names. The same texture of the next draw is the same read. */
static void add_range(struct finder *finder, enum harness_read_kind kind, uint32_t address, uint64_t size,
                      uint32_t unit)
{
    if (size == 0 || address + size > UINT64_C(0x100000000))
        return;
    for (size_t i = finder->loaded; i < finder->reads->count; i++) {
        struct harness_read *const known = &finder->reads->items[i];
        if (known->kind != kind || known->address != address || known->stride != unit)
            continue;
        known->size = size > known->size ? (uint32_t)size : known->size;
        return;
    }
    append(finder, &(struct harness_read){ .kind = kind,
                                           .operation = finder->operation,
                                           .address = address,
                                           .size = (uint32_t)size,
                                           .stride = unit,
                                           .count = 1 });
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* What a register's words are. */
static enum harness_read_kind kind_of_register(const struct finder *finder, uint32_t id)
{
    uint32_t unit = 0;
    switch (oracle_port_of(id, &unit)) {
    case ORACLE_PORT_CODE:
    case ORACLE_PORT_OPDESCS: return HARNESS_READ_CODE;
    case ORACLE_PORT_UNIFORMS: return HARNESS_READ_UNIFORMS;
    case ORACLE_PORT_FIXED: /* REG-25 */
        return pica_fixedattrib_index_index(finder->fixed) == ORACLE_IMMEDIATE ? HARNESS_READ_SENT
                                                                               : HARNESS_READ_UNIFORMS;
    case ORACLE_PORT_NONE: break;
    }
    const bool is_table = id - PICA_REG_PROCTEX_LUT_DATA0 < 8 || id - PICA_REG_FOG_LUT_DATA0 < 8 ||
                          id == PICA_REG_GAS_LUT_DATA || id - PICA_REG_LIGHTING_LUT_DATA0 < 8;
    return is_table ? HARNESS_READ_TABLE : HARNESS_READ_COMMANDS;
}

/* A word of a list that is no mere command; neighbours of one kind are one read. */
static void add_word(struct finder *finder, enum harness_read_kind kind, uint32_t address)
{
    struct harness_read *const last =
        finder->reads->count != 0 ? &finder->reads->items[finder->reads->count - 1] : NULL;
    if (kind == HARNESS_READ_COMMANDS)
        return;
    if (last != NULL && last->kind == kind && last->address + last->size == address) {
        last->size += 4;
        return;
    }
    append(finder, &(struct harness_read){
                       .kind = kind, .operation = finder->operation, .address = address, .size = 4, .count = 1 });
}

static void enter_list(struct finder *finder, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < finder->list_count; i++)
        if (finder->lists[i].address == address && finder->lists[i].size == size)
            return;
    if (size != 0 && finder->list_count < MOST_LISTS)
        finder->lists[finder->list_count++] = (struct list_place){ address, size };
}

/* SUB-02, SUB-03: the registers that say where a jump goes, and the jump. Masks are left out: who masks an address
 * jumps to what another command wrote before, which is found as well. */
static void follow_write(struct finder *finder, uint32_t id, uint32_t value)
{
    if (id == PICA_REG_FIXEDATTRIB_INDEX)
        finder->fixed = value;
    if (id - PICA_REG_CMDBUF_SIZE0 < 4)
        finder->cmdbuf[id - PICA_REG_CMDBUF_SIZE0] = value;
    if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        const uint32_t channel = id - PICA_REG_CMDBUF_JUMP0;
        enter_list(finder, (finder->cmdbuf[2 + channel] & 0x1FFFFFEu) * 8, (finder->cmdbuf[channel] & 0x1FFFFEu) * 8);
    }
}

/* CMD-01 to CMD-04. */
static void scan_words(struct finder *finder, const uint8_t *bytes, uint32_t words, uint32_t address)
{
    for (uint32_t at = 0; at + 2 <= words;) {
        const uint32_t header = harness_load32(bytes + 4 * (size_t)at + 4);
        const uint32_t count = (header >> 20 & 0xFFu) + 1, id = header & 0xFFFFu;
        for (uint32_t k = 0; k < count && at + 1 + k < words; k++) {
            const uint32_t place = k == 0 ? at : at + 1 + k;
            const uint32_t target = (header >> 31) != 0 ? id + k : id;
            add_word(finder, kind_of_register(finder, target), address + 4 * place);
            follow_write(finder, target, harness_load32(bytes + 4 * (size_t)place));
        }
        at += (count + 2) / 2 * 2;
    }
}

static void scan_list(struct finder *finder, const struct list_place *list)
{
    const struct pica_backend *const backend = harness_runner_backend(finder->runner);
    const uint32_t size = list->size < MOST_LIST_BYTES ? list->size & ~3u : MOST_LIST_BYTES;
    uint8_t *const bytes = malloc(size != 0 ? size : 1);
    if (bytes == NULL ||
        backend->read_memory(harness_runner_instance(finder->runner), list->address, bytes, size) != PICA_OK) {
        finder->failed = true;
    } else {
        append(finder, &(struct harness_read){ .kind = HARNESS_READ_COMMANDS,
                                               .operation = finder->operation,
                                               .address = list->address,
                                               .size = size,
                                               .count = 1 });
        scan_words(finder, bytes, size / 4, list->address);
    }
    free(bytes);
}

/* The list and those that it jumps to, as they lie in memory before it runs. */
static void scan_lists(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->list_count && !finder->failed; i++)
        scan_list(finder, &finder->lists[i]);
    finder->list_count = 0;
}

/* ----------------------------------------------------------------------------------------------------------- draws */

static void add_textures(struct finder *finder)
{
    const uint32_t *const registers = finder->walk.registers.values;
    for (uint32_t unit = 0; unit < 3; unit++)
        for (uint32_t face = 0; oracle_texture_is_live(registers, unit) && face < oracle_texture_faces(registers, unit);
             face++)
            add_range(finder, HARNESS_READ_TEXTURE, oracle_texture_address(registers, unit, face),
                      oracle_texture_size(registers, unit), 0);
}

/* The least and greatest index. False if there is none. */
static bool find_indices(struct finder *finder, const struct oracle_draw *draw, uint32_t count, uint32_t *first,
                         uint32_t *last)
{
    const struct pica_backend *const backend = harness_runner_backend(finder->runner);
    uint8_t bytes[4096];
    uint32_t done = 0;
    for (uint32_t part = 0; done < count; done += part) {
        part = count - done < sizeof bytes / 2 ? count - done : (uint32_t)(sizeof bytes / 2);
        if (backend->read_memory(harness_runner_instance(finder->runner), draw->index_address + done * draw->index_size,
                                 bytes, (size_t)part * draw->index_size) != PICA_OK)
            return false;
        for (uint32_t i = 0; i < part; i++) {
            const uint32_t index = oracle_index_at(draw, bytes, i);
            *first = done + i == 0 || index < *first ? index : *first;
            *last = done + i == 0 || index > *last ? index : *last;
        }
    }
    return count != 0;
}

/* One attribute of the vertices first .. last. Those of another draw from the same array join it. */
static void add_attribute(struct finder *finder, const struct oracle_source *source, uint32_t first, uint32_t last)
{
    struct oracle_range range;
    if (!oracle_source_range(source, first, last, &range))
        return;
    struct harness_read read = { .kind = HARNESS_READ_VERTICES,
                                 .operation = finder->operation,
                                 .address = range.first,
                                 .size = source->elements * oracle_element_size(source->type),
                                 .stride = source->stride,
                                 .count = source->stride != 0 ? last - first + 1 : 1,
                                 .type = source->type,
                                 .source = source->address };
    for (size_t i = finder->loaded; i < finder->reads->count; i++) {
        struct harness_read *const known = &finder->reads->items[i];
        if (known->kind != read.kind || known->source != read.source || known->stride != read.stride ||
            known->type != read.type || known->size != read.size)
            continue;
        const uint64_t end = (uint64_t)known->address + (uint64_t)known->stride * known->count;
        const uint64_t other = (uint64_t)read.address + (uint64_t)read.stride * read.count;
        known->address = read.address < known->address ? read.address : known->address;
        if (known->stride != 0)
            known->count = (uint32_t)(((other > end ? other : end) - known->address) / known->stride);
        return;
    }
    append(finder, &read);
}

static void add_vertices(struct finder *finder, const struct oracle_draw *draw)
{
    const uint32_t most = finder->program->setup.limits.vertices;
    const uint32_t count = draw->count < most ? draw->count : most;
    uint32_t first = draw->first, last = draw->first + count - 1;
    if (draw->elements) {
        add_range(finder, HARNESS_READ_INDICES, draw->index_address, (uint64_t)count * draw->index_size,
                  draw->index_size);
        if (!find_indices(finder, draw, count, &first, &last))
            return;
    }
    for (uint32_t i = 0; count != 0 && last >= first && i < 12 && i < draw->attributes; i++)
        if (draw->sources[i].array)
            add_attribute(finder, &draw->sources[i], first, last);
}

static void take_draw(void *user, const struct pica_draw *draw)
{
    struct finder *const finder = user;
    const uint32_t one = 1;
    const bool is_immediate = draw->trigger != PICA_REG_DRAWARRAYS && draw->trigger != PICA_REG_DRAWELEMENTS;
    const struct oracle_command command = {
        .id = is_immediate ? PICA_REG_DRAWARRAYS : draw->trigger, .mask = 0xF, .count = 1, .parameters = &one
    };
    struct oracle_draw described;
    oracle_follow_start(&finder->walk.registers, draw->registers);
    if (!oracle_describe_draw(&finder->walk, &command, &described))
        return;
    add_range(finder, HARNESS_READ_SURFACE, described.color.first, described.color.size, 0);
    add_range(finder, HARNESS_READ_SURFACE, described.depth.first, described.depth.size, 0);
    add_textures(finder);
    if (!is_immediate)
        add_vertices(finder, &described);
}

/* ------------------------------------------------------------------------------------------------------ operations */

static uint32_t transfer_pixel_bytes(uint32_t flags)
{
    switch (pica_xfer_flags_in_format(flags)) {
    case PICA_TRANSFER_FORMAT_RGBA8: return 4;
    case PICA_TRANSFER_FORMAT_RGB8: return 3;
    case PICA_TRANSFER_FORMAT_RGB565:
    case PICA_TRANSFER_FORMAT_RGB5A1:
    case PICA_TRANSFER_FORMAT_RGBA4:
    case PICA_TRANSFER_FORMAT_RGBA4_5:
    case PICA_TRANSFER_FORMAT_RGBA4_6:
    case PICA_TRANSFER_FORMAT_RGBA4_7:
    default: return 2;
    }
}

/* PPF-04, PPF-05, TXC-03, TXC-04; gaps between lines of a copy count, too. */
static void add_transfer(struct finder *finder, const uint32_t words[9])
{
    const uint32_t flags = words[4];
    const uint32_t address = pica_xfer_address_address(words[0]) << 4;
    const uint64_t height = pica_xfer_dim_height(words[2]) & ~7u;
    const uint64_t pitch =
        (pica_xfer_flags_crop(flags) ? pica_xfer_indim_width(words[3]) : pica_xfer_dim_width(words[2])) & ~7u;
    uint64_t size = pitch * height * transfer_pixel_bytes(flags);
    if (pica_xfer_flags_copy(flags)) {
        const uint64_t total = words[6] & ~15u, line = (words[7] & 0xFFFFu) * 16, gap = (words[7] >> 16) * 16;
        size = gap == 0 || line == 0 ? total : (total + line - 1) / line * (line + gap);
    }
    add_range(finder, HARNESS_READ_ENGINE, address, size, 0);
}

/* What an operation reads, before it runs. */
static void look_at(struct finder *finder, const struct pica_operation *operation)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY: finder->loaded = finder->reads->count; break;
    case PICA_OPERATION_SUBMIT_LIST: enter_list(finder, operation->address, operation->size); break;
    case PICA_OPERATION_WRITE_REGISTER:
        if ((operation->address - PICA_INTERNAL_ADDRESS) / 4 < PICA_REGISTERS)
            follow_write(finder, (operation->address - PICA_INTERNAL_ADDRESS) / 4, operation->words[0]);
        break;
    case PICA_OPERATION_DISPLAY_TRANSFER: add_transfer(finder, operation->words); break;
    case PICA_OPERATION_MEMORY_FILL:
    case PICA_OPERATION_VERTICAL_BLANK: break;
    }
    scan_lists(finder);
}

static enum harness_status run(struct finder *finder, struct harness_error *error)
{
    const struct pica_setup *const setup = &finder->program->setup;
    const struct pica_backend *const backend = harness_runner_backend(finder->runner);
    if (setup->initial_state != NULL)
        finder->fixed = setup->initial_state->registers[PICA_REG_FIXEDATTRIB_INDEX];
    if (setup->initial_state != NULL)
        memcpy(finder->cmdbuf, &setup->initial_state->registers[PICA_REG_CMDBUF_SIZE0], sizeof finder->cmdbuf);
    enum pica_status status = harness_runner_load(finder->runner, setup);
    if (status == PICA_OK)
        status = backend->observe_draws(harness_runner_instance(finder->runner), take_draw, finder);
    for (uint32_t i = 0; i < finder->program->count && status == PICA_OK && !finder->failed; i++) {
        finder->operation = i;
        look_at(finder, &finder->program->operations[i]);
        status = harness_runner_step(finder->runner, &finder->program->operations[i]);
    }
    if (finder->failed)
        return harness_fail_memory(error);
    return status == PICA_OK ? HARNESS_OK
                             : harness_runner_fail(finder->runner, "finding what the case reads", status, error);
}

enum harness_status harness_reads_find(const struct harness_program *program, struct harness_reads *reads,
                                       struct harness_error *error)
{
    const struct pica_options options = { .flags = 0 };
    struct finder *const finder = calloc(1, sizeof *finder);
    *reads = (struct harness_reads){ NULL, 0 };
    if (finder == NULL ||
        harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &finder->runner) != PICA_OK) {
        free(finder);
        return harness_fail_memory(error);
    }
    finder->program = program;
    finder->reads = reads;
    const enum harness_status status = run(finder, error);
    harness_runner_destroy(finder->runner);
    free(finder);
    return status;
}
