/*
 * Changes against what implementations keep from draw to draw. "reuse": memory that a draw has read is written, and the
 * draw repeated. "delta": one thing is changed, and the draw repeated. Also the addresses that a case names already,
 * since most new ones are chosen near those.
 */
#include "harness/grammar/mutate_parts.h"
#include "harness/grammar/ranges.h"
#include "pica/mask.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <string.h>

enum {
    BLOCK = 16 /* bytes: engines count these */
};

/* ------------------------------------------------------------------------------------------------- named addresses */

/* The n-th place found replaces the choice with the chance 1/n, which makes all equally likely. */
static void offer(const struct mutation *mutation, struct mutate_place *picked, uint32_t *seen, uint32_t address,
                  uint32_t size)
{
    if (harness_random_below(mutation->random, ++*seen) == 0)
        *picked = (struct mutate_place){ address, size };
}

static uint32_t data_size(const struct harness_data *data)
{
    const uint64_t size = harness_data_size(data, false);
    return size < UINT32_MAX ? (uint32_t)size : 0;
}

static void offer_operation(const struct mutation *mutation, struct mutate_place *picked, uint32_t *seen,
                            const struct harness_operation *operation)
{
    struct harness_range in, out;
    switch (operation->kind) {
    case HARNESS_LOAD:
    case HARNESS_RUN: offer(mutation, picked, seen, operation->address, data_size(&operation->data)); break;
    case HARNESS_SUBMIT: offer(mutation, picked, seen, operation->address, operation->size); break;
    case HARNESS_FILL:
        if (harness_range_of_fill(operation->words, &out))
            offer(mutation, picked, seen, out.address, out.bytes);
        break;
    case HARNESS_TRANSFER:
        if (harness_ranges_of_transfer(operation->words, &in, &out)) {
            offer(mutation, picked, seen, in.address, in.bytes);
            offer(mutation, picked, seen, out.address, out.bytes);
        }
        break;
    case HARNESS_WRITE:
    case HARNESS_VBLANK:
    case HARNESS_NOTE: break;
    }
}

/* The addresses that other registers are relative to, as last written: the base of arrays and indices (VTX-01), the
 * first face of a cube (CUB-03). */
struct bases {
    uint32_t arrays, cube;
};

/* The address that a register names with this word; false if it names none. The tables of pica/ say which registers
 * hold addresses: those of textures, faces, buffers, the base, jumps. */
static bool address_in(struct bases *bases, uint32_t id, uint32_t word, uint32_t *out)
{
    size_t count = 0;
    const struct pica_reg_info *const info = pica_reg_info(id);
    const enum pica_layout layout = info == NULL ? PICA_LAYOUT_NONE : info->layout;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    if (layout == PICA_LAYOUT_ATTRIBBUFFER_OFFSET) {
        *out = bases->arrays + pica_attribbuffer_offset_offset(word);
        return true;
    }
    if (layout == PICA_LAYOUT_INDEXBUFFER_CONFIG) {
        *out = bases->arrays + pica_indexbuffer_config_offset(word);
        return true;
    }
    if (count == 0 || fields[count - 1u].type != PICA_FIELD_ADDRESS)
        return false;
    const struct pica_field_info *const field = &fields[count - 1u];
    *out = pica_field_get(field, word) << field->unit;
    if (layout == PICA_LAYOUT_TEXUNIT_ADDR_FACE)
        *out |= bases->cube & ~(UINT32_MAX >> (32u - field->width) << field->unit);
    else if (layout == PICA_LAYOUT_ATTRIBBUFFERS_LOC)
        bases->arrays = *out;
    else if (id == PICA_REG_TEXUNIT0_ADDR1)
        bases->cube = *out;
    return true;
}

/* Offers the addresses of all registers that the list writes. */
static void offer_list(const struct mutation *mutation, struct mutate_place *picked, uint32_t *seen,
                       struct bases *bases, const struct harness_list *list)
{
    uint32_t address;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t most = command->consecutive ? command->count : 1;
        for (uint32_t k = 0; k < most; k++)
            if (address_in(bases, harness_command_register(command, k), command->parameters[k], &address))
                offer(mutation, picked, seen, address, 0);
    }
}

bool mutate_named_place(const struct mutation *mutation, struct mutate_place *out)
{
    const struct harness_case *const test_case = mutation->test_case;
    struct bases bases = { 0, 0 };
    uint32_t seen = 0, ignored;
    if (test_case->state != NULL) {
        const uint32_t *const registers = test_case->state->values.registers;
        (void)address_in(&bases, PICA_REG_ATTRIBBUFFERS_LOC, registers[PICA_REG_ATTRIBBUFFERS_LOC], &ignored);
        (void)address_in(&bases, PICA_REG_TEXUNIT0_ADDR1, registers[PICA_REG_TEXUNIT0_ADDR1], &ignored);
    }
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        offer(mutation, out, &seen, test_case->chunks[i].address, data_size(&test_case->chunks[i].data));
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        offer_operation(mutation, out, &seen, &test_case->operations[i]);
        if (test_case->operations[i].kind == HARNESS_RUN)
            offer_list(mutation, out, &seen, &bases, &test_case->operations[i].data.list);
    }
    return seen != 0;
}

uint32_t mutate_near(const struct mutation *mutation, const struct mutate_place *place)
{
    struct harness_random *const random = mutation->random;
    const uint32_t steps = harness_random_below(random, 9);
    switch (harness_random_below(random, 9)) {
    case 0:
    case 1:
    case 2: return place->address;
    case 3: return place->address + place->size - BLOCK * (1u + steps / 2u);
    case 4: return place->address + place->size;
    case 5: return place->address + 64u * steps;
    case 6: return place->address - BLOCK * steps;
    case 7: return place->address ^ (uint32_t)BLOCK << harness_random_below(random, 16); /* it may compare few bits */
    default: return place->address + (harness_random_below(random, place->size + 1u) & ~(BLOCK - 1u));
    }
}

/* ------------------------------------------------------------------------------------------------------- following */

/* The registers at some point of a case, as far as its RUN operations and CPU writes show them, and the last draw. */
struct followed {
    uint32_t registers[PICA_REGISTERS];
    bool drew; /* the current list has a draw */
    enum harness_draw_kind kind;
    uint32_t first, count; /* the commands of the last draw of that list */
};

static void follow_write(struct followed *followed, uint32_t id, uint32_t mask, uint32_t value)
{
    const uint32_t bits = pica_mask_bits(mask);
    if (id < PICA_REGISTERS)
        followed->registers[id] = (followed->registers[id] & ~bits) | (value & bits);
}

static bool is_port(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    return info != NULL && info->reg_class == PICA_REG_CLASS_PORT;
}

/* REG-25: index 15 begins immediate vertices, whose words are sent through the port of fixed attributes. */
static void note_draw(struct followed *followed, uint32_t command, uint32_t id, uint32_t value)
{
    const bool immediate = id == PICA_REG_FIXEDATTRIB_INDEX && pica_fixedattrib_index_index(value) == 15;
    if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS || immediate) {
        followed->kind = immediate                   ? HARNESS_DRAW_IMMEDIATE
                         : id == PICA_REG_DRAWARRAYS ? HARNESS_DRAW_ARRAYS
                                                     : HARNESS_DRAW_ELEMENTS;
        followed->first = command;
        followed->count = 1;
        followed->drew = true;
    } else if (id - PICA_REG_FIXEDATTRIB_DATA0 < 3 && followed->drew && followed->kind == HARNESS_DRAW_IMMEDIATE) {
        followed->count = command + 1u - followed->first;
    }
}

static void follow_list(struct followed *followed, const struct harness_list *list, uint32_t end)
{
    followed->drew = false;
    for (uint32_t i = 0; i < end; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t most = command->consecutive || !is_port(command->id) ? command->count : 1u;
        for (uint32_t k = 0; k < most; k++) {
            const uint32_t id = harness_command_register(command, k);
            follow_write(followed, id, command->mask, command->parameters[k]);
            note_draw(followed, i, id, command->parameters[k]);
        }
    }
}

/* Follows all operations up to and including operation `last`, which is a RUN. */
static void follow_case(struct followed *followed, const struct harness_case *test_case, uint32_t last)
{
    memcpy(followed->registers, test_case->state != NULL ? test_case->state->values.registers : harness_reset_registers,
           sizeof followed->registers);
    for (uint32_t i = 0; i <= last; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        if (operation->kind == HARNESS_RUN)
            follow_list(followed, &operation->data.list, operation->data.list.count);
        else if (operation->kind == HARNESS_WRITE && operation->address - PICA_INTERNAL_ADDRESS < 4u * PICA_REGISTERS)
            follow_write(followed, (operation->address - PICA_INTERNAL_ADDRESS) / 4u, 15, operation->words[0]);
    }
}

static bool draws(const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        if (harness_command_writes_to(command, PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS) ||
            command->id == PICA_REG_FIXEDATTRIB_INDEX)
            return true;
    }
    return false;
}

/* Chooses a RUN that draws, each equally likely; false if there is none. */
static bool pick_run(const struct mutation *mutation, uint32_t *index)
{
    const struct harness_case *const test_case = mutation->test_case;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].kind == HARNESS_RUN && draws(&test_case->operations[i].data.list) &&
            harness_random_below(mutation->random, ++seen) == 0)
            *index = i;
    return seen != 0;
}

/* ----------------------------------------------------------------------------------------------------------- reuse */

/* The first or last unit, all, or some of a range. */
static struct mutate_place pick_part(const struct mutation *mutation, const struct harness_range *range)
{
    struct harness_random *const random = mutation->random;
    const uint32_t unit = range->unit != 0 && range->unit < range->bytes ? range->unit : range->bytes;
    const uint32_t units = range->bytes / unit;
    const uint32_t count = harness_random_percent(random, 70) ? 1 : harness_random_between(random, 1, units);
    switch (harness_random_below(random, 5)) {
    case 0: return (struct mutate_place){ range->address, count * unit };
    case 1:
    case 2: return (struct mutate_place){ range->address + range->bytes - count * unit, count * unit };
    case 3:
        return (struct mutate_place){ range->address + unit * harness_random_below(random, units - count + 1u),
                                      count * unit };
    default: return (struct mutate_place){ range->address, range->bytes };
    }
}

/* An operation that writes to the place: a load, a fill, or a copy or transfer from some other place. */
static void write_place(const struct mutation *mutation, const struct mutate_place *place,
                        struct harness_operation *out)
{
    struct harness_random *const random = mutation->random;
    const uint32_t start = place->address & ~(BLOCK - 1u);
    const uint32_t end = (place->address + place->size + BLOCK - 1u) & ~(BLOCK - 1u);
    struct mutate_place source = { start, 0 };
    (void)mutate_named_place(mutation, &source);
    *out = (struct harness_operation){ .kind = HARNESS_TRANSFER };
    switch (harness_random_below(random, 4)) {
    case 0: {
        const enum harness_pattern pattern = (enum harness_pattern)harness_random_below(random, 3);
        out->kind = HARNESS_LOAD;
        out->address = place->address;
        harness_data_pattern(&out->data, pattern, harness_random_number(random, 32),
                             place->size < 1024 ? place->size : 1024);
        break;
    }
    case 1:
        out->kind = HARNESS_FILL;
        out->unit = harness_random_below(random, 2);
        out->words[0] = start >> 3;
        out->words[1] = end >> 3;
        out->words[2] = harness_random_number(random, 32);
        out->words[3] = pica_fill_ctrl_set_width(1, harness_random_below(random, 3));
        break;
    case 2:
        out->words[0] = source.address >> 3;
        out->words[1] = start >> 3;
        out->words[4] = pica_xfer_flags_set_copy(0, 1);
        out->words[6] = end - start;
        break;
    default: /* tiles of 32 bits a pixel */
        out->words[0] = source.address >> 3;
        out->words[1] = start >> 3;
        out->words[2] = pica_xfer_dim_set_height(pica_xfer_dim_set_width(0, 8), ((end - start) / 32u & ~7u) | 8u);
        out->words[3] = out->words[2];
        out->words[4] = pica_xfer_flags_set_to_tiled(0, harness_random_below(random, 2));
        break;
    }
}

/* Appends the commands of the followed draw, and the end of a list. */
static bool draw_list(const struct mutation *mutation, const struct followed *followed, const struct harness_list *from,
                      struct harness_list *out)
{
    struct harness_case *const test_case = mutation->test_case;
    return harness_list_insert_copies(test_case, out, 0, from->commands + followed->first, followed->count) ==
               followed->count &&
           harness_list_write(test_case, out, PICA_REG_FINALIZE, 0x12345678);
}

static bool insert_pair(struct harness_case *test_case, uint32_t at, const struct harness_operation *write,
                        const struct harness_operation *run)
{
    return harness_case_insert(test_case, at, run) != NULL && harness_case_insert(test_case, at, write) != NULL;
}

/* Repeats the draw twice: into the place, and then into its own buffer again. */
static bool draw_into(const struct mutation *mutation, const struct followed *followed,
                      const struct mutate_place *place, struct harness_list *list)
{
    struct harness_case *const test_case = mutation->test_case;
    struct harness_list more = { 0 };
    const bool depth = harness_random_percent(mutation->random, 25);
    const uint16_t id = depth ? PICA_REG_DEPTHBUFFER_LOC : PICA_REG_COLORBUFFER_LOC;
    const uint32_t at = followed->first + followed->count;
    const bool good = harness_list_write(test_case, &more, id, place->address >> 3) &&
                      harness_list_insert_copies(test_case, &more, more.count, list->commands + followed->first,
                                                 followed->count) == followed->count &&
                      harness_list_write(test_case, &more, id, followed->registers[id]) &&
                      harness_list_insert_copies(test_case, &more, more.count, list->commands + followed->first,
                                                 followed->count) == followed->count;
    return good && list->count + more.count <= MUTATE_MOST_COMMANDS &&
           harness_list_insert_copies(test_case, list, at, more.commands, more.count) == more.count;
}

bool mutate_reuse(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    struct followed followed;
    struct harness_ranges ranges;
    uint32_t index = 0;
    if (test_case->operation_count + 2u > MUTATE_MOST_OPERATIONS || !pick_run(mutation, &index))
        return false;
    follow_case(&followed, test_case, index);
    if (!followed.drew)
        return false;
    harness_ranges_of_draw(followed.registers, followed.kind, &ranges);
    if (ranges.count == 0)
        return false;
    const struct harness_range *const range = &ranges.items[harness_random_below(mutation->random, ranges.count)];
    const struct mutate_place place = pick_part(mutation, range);
    struct harness_list *const list = &test_case->operations[index].data.list;
    if (harness_random_percent(mutation->random, 20))
        return draw_into(mutation, &followed, &place, list);
    struct harness_operation write;
    struct harness_operation run = { .kind = HARNESS_RUN, .address = test_case->operations[index].address };
    struct harness_list again = { 0 };
    if (!draw_list(mutation, &followed, list, &again))
        return false;
    write_place(mutation, &place, &write);
    harness_data_list(&run.data, &again);
    return insert_pair(test_case, index + 1u, &write, &run);
}

/* ----------------------------------------------------------------------------------------------------------- delta */

/* The first command to repeat: the command itself, or, if that is for a port, the write of its index just before it. */
static uint32_t first_of(const struct harness_list *list, uint32_t command)
{
    if (command == 0 || !is_port(list->commands[command].id))
        return command;
    const struct pica_reg_info *const before = pica_reg_info(list->commands[command - 1u].id);
    return before != NULL && before->reg_class == PICA_REG_CLASS_INDEX ? command - 1u : command;
}

/* Changes one word of command `index`; false if it stays the same. */
static bool changes_one(const struct mutation *mutation, struct harness_list *more, uint32_t index)
{
    struct harness_command *const command = harness_list_edit(more, index);
    const uint32_t k = harness_random_below(mutation->random, command->count);
    uint32_t *const word = &harness_command_edit(command)[k];
    const uint32_t old = *word;
    *word = mutate_register_word(mutation, harness_command_register(command, k), old);
    return *word != old;
}

/* Appends a command from before the draw with one word changed, the draw, and perhaps both once more unchanged. */
static bool append_delta(const struct mutation *mutation, const struct harness_list *list,
                         const struct followed *followed, uint32_t command, struct harness_list *more)
{
    struct harness_case *const test_case = mutation->test_case;
    const uint32_t first = first_of(list, command);
    const uint32_t count = command + 1u - first;
    const bool back = harness_random_percent(mutation->random, 40);
    for (uint32_t turn = 0; turn < (back ? 2u : 1u); turn++) {
        const uint32_t at = more->count;
        if (harness_list_insert_copies(test_case, more, at, list->commands + first, count) != count ||
            (turn == 0 && !changes_one(mutation, more, at + count - 1u)) ||
            harness_list_insert_copies(test_case, more, more->count, list->commands + followed->first,
                                       followed->count) != followed->count)
            return false;
    }
    return true;
}

bool mutate_delta(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    struct followed followed = { .drew = false };
    struct harness_list more = { 0 };
    uint32_t index = 0;
    if (!pick_run(mutation, &index))
        return false;
    struct harness_list *const list = &test_case->operations[index].data.list;
    follow_list(&followed, list,
                harness_random_percent(mutation->random, 60)
                    ? list->count
                    : harness_random_between(mutation->random, 1, list->count));
    if (!followed.drew || followed.first == 0)
        return false;
    const uint32_t command = harness_random_below(mutation->random, followed.first);
    if (!append_delta(mutation, list, &followed, command, &more) || list->count + more.count > MUTATE_MOST_COMMANDS)
        return false;
    return harness_list_insert_copies(test_case, list, followed.first + followed.count, more.commands, more.count) ==
           more.count;
}
