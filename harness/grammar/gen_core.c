/* Memory, lists and the pending register state of a case in the making. */
#include "harness/grammar/gen_parts.h"

#include <string.h>

enum {
    LEAST_BYTES = 0x4000 /* of all windows */
};

static const uint32_t BLOCK_OF_CUBE_FACES = 0x02000000; /* CUB-03: all faces share the upper address bits */

void gen_permutation(struct gen *gen, uint32_t *numbers, uint32_t count, bool orderly)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = orderly ? i : gen_below(gen, i + 1u);
        numbers[i] = numbers[j];
        numbers[j] = i;
    }
}

uint32_t gen_float24(float value)
{
    return harness_small_float(7, 16, value);
}

uint32_t gen_float16(float value)
{
    return harness_small_float(5, 10, value);
}

/* The address of a region inside of [start, start + size). */
static uint32_t draw_region(struct gen *gen, uint32_t start, uint32_t size)
{
    if (gen_percent(gen, 40))
        return start;
    const uint32_t address = start + PICA_PAGE_SIZE * gen_below(gen, (size - GEN_REGION_BYTES) / PICA_PAGE_SIZE);
    return address % BLOCK_OF_CUBE_FACES + GEN_REGION_BYTES > BLOCK_OF_CUBE_FACES ? start : address;
}

void gen_begin(struct gen *gen, struct harness_case *out, uint64_t seed, bool defined)
{
    memset(gen, 0, sizeof *gen);
    gen->out = out;
    gen->defined = defined;
    gen->odd = 100u - HARNESS_GENERATE_PLAIN;
    harness_random_init(&gen->random, seed);
    gen->shared_random = (uint32_t)harness_random_next(&gen->random);
    memcpy(gen->known, harness_reset_registers, sizeof gen->known);
    memcpy(gen->want, harness_reset_registers, sizeof gen->want);
    gen->join_percent = gen_below(gen, 3) * 50u;
    gen->masked_percent = gen_percent(gen, 30) ? 30 : 0;
    gen->regions[0].address = draw_region(gen, PICA_VRAM_ADDRESS, PICA_VRAM_SIZE);
    gen->regions[1].address = draw_region(gen, PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE);
}

uint32_t gen_odd_parts(struct gen *gen, uint32_t quiet, uint32_t count)
{
    const uint32_t parts = gen->defined ? quiet : count;
    if (!gen_odd(gen))
        return 0;
    const uint32_t first = 1u << gen_below(gen, parts);
    return gen_percent(gen, 85) ? first : first | 1u << gen_below(gen, parts);
}

void gen_spoil_address(struct gen *gen, uint32_t *words)
{
    const uint32_t bit = gen_percent(gen, 50) ? 1u : 0x20000000u;
    words[gen_below(gen, 2)] |= bit;
}

/* ---------------------------------------------------------------------------------------------------------- memory */

uint32_t gen_allocate(struct gen *gen, uint32_t size, uint32_t align)
{
    struct gen_region *region = &gen->regions[gen_below(gen, GEN_REGIONS)];
    if (region->used + size + align > GEN_REGION_BYTES)
        region = &gen->regions[region == &gen->regions[0] ? 1 : 0];
    uint32_t start = (region->used + align - 1u) & ~(align - 1u);
    if (start + size > GEN_REGION_BYTES)
        start = 0; /* only a case that exceeds all budgets gets here: it overlaps itself, but stays inside */
    if (start + size > region->used)
        region->used = start + size;
    return region->address + start;
}

uint32_t gen_allocate_blocks(struct gen *gen, uint32_t size, uint32_t align)
{
    return gen_allocate(gen, align % 16u == 0 ? (size + 15u) & ~15u : size, align);
}

/* MEM-01: two windows that touch behave like one, so a window that is cut in two must change nothing. */
static void add_windows(struct gen *gen, uint32_t address, uint32_t size)
{
    const uint32_t pages = size / PICA_PAGE_SIZE;
    if (pages > 1 && gen_percent(gen, 20)) {
        const uint32_t first = PICA_PAGE_SIZE * gen_between(gen, 1, pages - 1);
        (void)harness_case_add_window(gen->out, address, first);
        (void)harness_case_add_window(gen->out, address + first, size - first);
        return;
    }
    (void)harness_case_add_window(gen->out, address, size);
}

void gen_windows(struct gen *gen)
{
    struct gen_region *const larger = &gen->regions[gen_below(gen, GEN_REGIONS)];
    if (gen->regions[0].used + gen->regions[1].used < LEAST_BYTES) /* so that a wrong address can hit something */
        larger->used += LEAST_BYTES - PICA_PAGE_SIZE * gen_below(gen, 2);
    for (uint32_t i = 0; i < GEN_REGIONS; i++) {
        uint32_t size = (gen->regions[i].used + PICA_PAGE_SIZE - 1u) & ~(uint32_t)(PICA_PAGE_SIZE - 1);
        if (size == 0 && (i == 0 || gen_percent(gen, 80)))
            continue;
        if (size < GEN_REGION_BYTES && (size == 0 || gen_percent(gen, 10)))
            size += PICA_PAGE_SIZE;
        add_windows(gen, gen->regions[i].address, size);
    }
    if (gen->out->window_count == 0)
        (void)harness_case_add_window(gen->out, gen->regions[0].address, PICA_PAGE_SIZE);
}

bool gen_bytes(struct gen *gen, struct harness_data *out, uint32_t size)
{
    uint8_t *const bytes = harness_arena_take(&gen->out->arena, size);
    *out = (struct harness_data){ .kind = HARNESS_DATA_BYTES, .size = size, .bytes = bytes };
    return bytes != NULL;
}

/* Contents are mostly initial memory before the first list, and often loaded by an operation after it. */
void gen_load(struct gen *gen, uint32_t address, const struct harness_data *data)
{
    if (gen->out->operation_count == 0 && gen->list.count == 0 ? gen_percent(gen, 85) : gen_percent(gen, 50))
        (void)harness_case_add_chunk(gen->out, address, data);
    else
        (void)harness_case_add_load(gen->out, address, data);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

void gen_write(struct gen *gen, uint32_t id, uint32_t value)
{
    (void)harness_list_write(gen->out, &gen->list, (uint16_t)id, value);
    if (id < PICA_REGISTERS) {
        gen->known[id] = gen->want[id] = value;
        gen->dirty[id] = false;
    }
}

void gen_write_port(struct gen *gen, uint32_t id, const uint32_t *words, uint32_t count)
{
    (void)harness_list_write_port(gen->out, &gen->list, (uint16_t)id, words, count);
}

/* The aliases of a port run over eight ids, so a consecutive command can hold the index and eight words. */
static bool upload_as_one(struct gen *gen, uint32_t index_id, uint32_t index, const uint32_t *words, uint32_t count)
{
    uint32_t parameters[9] = { index };
    if (count > 8 || gen_percent(gen, 50))
        return false;
    memcpy(parameters + 1, words, count * sizeof *words);
    const struct harness_writes writes = {
        .id = (uint16_t)index_id, .mask = 0xF, .consecutive = true, .parameters = parameters, .count = count + 1u
    };
    return harness_list_insert(gen->out, &gen->list, gen->list.count, &writes) != NULL;
}

void gen_upload(struct gen *gen, uint32_t index_id, uint32_t index, uint32_t port_id, const uint32_t *words,
                uint32_t count)
{
    if (gen_has(gen, GEN_DELTA))
        gen_note_upload(gen, index_id, index, port_id, words, count);
    if (port_id == index_id + 1u && upload_as_one(gen, index_id, index, words, count))
        return;
    gen_write(gen, index_id, index);
    gen_write_port(gen, port_id, words, count);
}

void gen_set(struct gen *gen, uint32_t id, uint32_t value)
{
    gen->want[id] = value;
    gen->dirty[id] = true;
}

/* Reserved encodings are rare, but then all of these registers may have them: so they meet each other, and do not hide
 * what happens in other cases. */
void gen_set_drawn(struct gen *gen, uint32_t first, uint32_t last)
{
    const bool odd = gen_wild(gen, 20);
    for (uint32_t id = first; id <= last; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (info->reg_class == PICA_REG_CLASS_CONFIG)
            gen_set(gen, id, harness_layout_draw(&gen->random, info->layout, !odd));
    }
}

/* A byte mask of the bytes that differ, and sometimes of others. */
static uint8_t mask_of_change(struct gen *gen, uint32_t old, uint32_t new)
{
    uint32_t mask = gen_percent(gen, 30) ? gen_below(gen, 16) : 0;
    for (uint32_t byte = 0; byte < 4; byte++)
        if (((old ^ new) >> (8 * byte) & 0xFFu) != 0)
            mask |= 1u << byte;
    return (uint8_t)mask;
}

/* Bytes outside the mask are noise that must not matter (CMD-05). */
static void commit_masked(struct gen *gen, uint32_t id)
{
    const uint8_t mask = mask_of_change(gen, gen->known[id], gen->want[id]);
    uint32_t value = gen->want[id];
    for (uint32_t byte = 0; byte < 4; byte++)
        if ((mask >> byte & 1u) == 0)
            value = (value & ~(0xFFu << (8 * byte))) | gen_below(gen, 256) << (8 * byte);
    (void)harness_list_write_masked(gen->out, &gen->list, (uint16_t)id, mask, value);
}

/* Writes the register `first` and perhaps dirty ones after it, by one command. Returns how many. */
static uint32_t commit_run(struct gen *gen, uint32_t first)
{
    uint32_t count = 1;
    while (first + count < PICA_REGISTERS && count < 64 && gen->dirty[first + count] &&
           gen_percent(gen, gen->join_percent))
        count++;
    if (count == 1 && gen_percent(gen, gen->masked_percent)) {
        commit_masked(gen, first);
        return 1;
    }
    const struct harness_writes writes = { .id = (uint16_t)first,
                                           .mask = 0xF,
                                           .consecutive = count > 1 || gen_percent(gen, 10),
                                           .parameters = &gen->want[first],
                                           .count = count };
    (void)harness_list_insert(gen->out, &gen->list, gen->list.count, &writes);
    return count;
}

/* EXT-CMD-05: a write by the CPU; only while the list is empty, so that the order of writes stays. */
static bool commit_by_cpu(struct gen *gen, uint32_t id)
{
    if (gen->list.count != 0 || !gen_percent(gen, gen->cpu_percent))
        return false;
    return harness_case_add_write(gen->out, PICA_INTERNAL_ADDRESS + 4u * id, gen->want[id]) != NULL;
}

/* The first dirty id from `id` on. Few are dirty, so the C library looks for one (true is a byte of 1). */
static uint32_t next_dirty(const struct gen *gen, uint32_t id)
{
    const bool *const at = id < PICA_REGISTERS ? memchr(&gen->dirty[id], true, PICA_REGISTERS - id) : NULL;
    return at != NULL ? (uint32_t)(at - gen->dirty) : (uint32_t)PICA_REGISTERS;
}

void gen_commit(struct gen *gen)
{
    for (uint32_t id = next_dirty(gen, 0); id < PICA_REGISTERS; id = next_dirty(gen, id)) {
        uint32_t count = 1;
        const bool needed = gen->dirty[id] && (gen->known[id] != gen->want[id] || gen_percent(gen, 5));
        if (needed && !commit_by_cpu(gen, id))
            count = commit_run(gen, id);
        for (uint32_t i = id; i < id + count; i++) {
            if (gen->dirty[i])
                gen->known[i] = gen->want[i];
            gen->dirty[i] = false;
        }
        id += count;
    }
}

/* ------------------------------------------------------------------------------------------------------ submission */

static void write_finalize(struct gen *gen)
{
    static const uint32_t values[] = { 0x12345678, 0x00000078, 0x12000000,
                                       0xFFFF56FF }; /* REG-12: one byte is enough */
    gen_write(gen, PICA_REG_FINALIZE, values[gen_percent(gen, 80) ? 0 : gen_below(gen, 4)]);
}

/* SUB-02: the size of a list counts 16 bytes. `0x22B = 0` with mask 0 does nothing. */
static void pad_list(struct gen *gen, struct harness_list *list)
{
    if ((harness_list_words(list) & 3u) != 0)
        (void)harness_list_write_masked(gen->out, list, PICA_REG_UNUSED_22B, 0, 0);
}

static uint32_t list_bytes(const struct harness_list *list)
{
    return (uint32_t)harness_list_words(list) * 4u;
}

/* A list that lies in memory and is reached by SUBMIT or a jump. */
static uint32_t store_list(struct gen *gen, struct harness_list *list)
{
    struct harness_data data;
    pad_list(gen, list);
    const uint32_t address = gen_allocate(gen, list_bytes(list), 16);
    harness_data_list(&data, list);
    (void)harness_case_add_load(gen->out, address, &data);
    return address;
}

/* CMD-21: the address of a list that has run already, so that whatever a cache keeps of that one is stale; or a new
 * one. */
static uint32_t list_room(struct gen *gen, uint32_t bytes)
{
    if (bytes <= gen->list_bytes && gen_has(gen, GEN_REUSE) && gen_percent(gen, 50))
        return gen->list_address;
    gen->list_address = gen_allocate(gen, bytes, 16);
    gen->list_bytes = bytes;
    return gen->list_address;
}

/* Stores the list, and lets a texture copy rather than the CPU bring it to its address. */
static uint32_t copy_list(struct gen *gen, struct harness_list *list)
{
    const uint32_t source = store_list(gen, list);
    const uint32_t address = list_room(gen, list_bytes(list));
    const uint32_t words[9] = { source >> 3, address >> 3, 0, 0, pica_xfer_flags_set_copy(0, 1), 0, list_bytes(list) };
    (void)harness_case_add_transfer(gen->out, words);
    return address;
}

/* SUB-03: the first part of the list ends with a jump to the second one, which is stored elsewhere. Returns the length
 * of the first part without the jump, so that a further cut does not split the jump. */
static uint32_t cut_by_jump(struct gen *gen, uint32_t most)
{
    const uint32_t keep = gen_below(gen, most + 1u);
    const uint32_t channel = gen_below(gen, 2);
    struct harness_list second = { 0 };
    for (uint32_t i = keep; i < gen->list.count; i++) {
        const struct harness_writes writes = harness_command_writes(&gen->list.commands[i]);
        (void)harness_list_insert(gen->out, &second, second.count, &writes);
    }
    const uint32_t address = store_list(gen, &second);
    harness_list_remove(&gen->list, keep, gen->list.count - keep);
    gen_write(gen, pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_SIZE0), list_bytes(&second) >> 3);
    gen_write(gen, pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0), address >> 3 | (gen_wild(gen, 15) ? 1u : 0u));
    gen_write(gen, pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_JUMP0), 1u + gen_below(gen, 3));
    return keep;
}

void gen_submit(struct gen *gen)
{
    if (gen->list.count == 0)
        return;
    if (gen->exportable && gen->drew)
        gen_write(gen, PICA_REG_FRAMEBUFFER_FLUSH, 1);
    gen->drew = false;
    if (gen->list.count > gen->most_commands)
        gen->most_commands = gen->list.count;
    if (!gen_wild(gen, 3))
        write_finalize(gen);
    uint32_t most = gen->list.count - 1u;
    for (uint32_t i = gen_has(gen, GEN_JUMPS) ? gen_between(gen, 1, 3) : 0; i > 0; i--)
        most = cut_by_jump(gen, most);
    if (gen_percent(gen, gen_has(gen, GEN_REUSE) ? 18 : 10)) {
        const bool copied = gen_has(gen, GEN_REUSE) && gen_percent(gen, 50);
        const uint32_t address = copied ? copy_list(gen, &gen->list) : store_list(gen, &gen->list);
        (void)harness_case_add_submit(gen->out, address, list_bytes(&gen->list));
    } else {
        const uint32_t address = list_room(gen, list_bytes(&gen->list) + 16u);
        struct harness_operation *const run = harness_case_add_run(gen->out, address);
        if (run != NULL)
            run->data.list = gen->list;
    }
    gen->list = (struct harness_list){ 0 };
    gen->pixels = 0;
}
