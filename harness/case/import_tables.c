/*
 * Vertex arrays and index lists of imported cases as tables, so that people can read them. What the typed lists of the
 * case write into the vertex registers says where arrays begin and what rows look like (VTX-01 to VTX-04, VTX-21); a
 * load that begins there is shown by rows. No byte changes, so a wrong guess does no harm.
 */
#include "harness/case/import_tables.h"
#include "pica/mask.h"
#include "pica/regs.h"

#include <string.h>

enum {
    ARRAYS = 12,
    COMPONENTS = 12,
    STEPS = 1 << 20 /* loads looked at in all, so that garbage cannot take for ever */
};

struct guessing {
    struct harness_case *test_case;
    uint32_t registers[PICA_REGISTERS];
    uint32_t operation; /* the one whose list is being followed */
    uint32_t steps_left;
};

/* The latest load of plain bytes that begins at `address`, before the current operation. */
static struct harness_data *find_load(struct guessing *guessing, uint32_t address)
{
    for (uint32_t i = guessing->operation; i-- > 0 && guessing->steps_left > 0; guessing->steps_left--) {
        struct harness_operation *const load = &guessing->test_case->operations[i];
        if (load->kind == HARNESS_LOAD && load->address == address)
            return load->data.kind == HARNESS_DATA_BYTES ? &load->data : NULL;
    }
    return NULL;
}

static void make_table(struct harness_data *data, const struct harness_layout *layout)
{
    if (data == NULL || layout->field_count == 0 || data->size < harness_layout_size(layout))
        return;
    data->kind = HARNESS_DATA_TABLE;
    data->layout = *layout;
}

/* False if the row has too many fields. Padding goes up to 255 bytes. */
static bool add_field(struct harness_layout *layout, uint32_t element, uint32_t count)
{
    if (count == 0)
        return true;
    if (layout->field_count == HARNESS_MAX_LAYOUT_FIELDS || count > 255)
        return false;
    layout->fields[layout->field_count].element = (uint8_t)element;
    layout->fields[layout->field_count].count = (uint8_t)count;
    layout->field_count++;
    return true;
}

static bool pad_to(struct harness_layout *layout, uint32_t size)
{
    const uint32_t used = harness_layout_size(layout);
    return used <= size && add_field(layout, HARNESS_ELEMENT_PAD, size - used);
}

/* VTX-02, VTX-04: one entry of a component list. */
static bool add_component(const struct guessing *guessing, struct harness_layout *layout, uint32_t id)
{
    const uint32_t low = guessing->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    const uint32_t high = guessing->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    const uint32_t used = harness_layout_size(layout);
    if (id >= 12)
        return pad_to(layout, (used + 3) / 4 * 4 + 4 * (id - 11));
    /* HARNESS_ELEMENT_S8 to HARNESS_ELEMENT_F32 are numbered as the types of VTX-02. */
    const uint32_t type =
        id < 8 ? pica_attribbuffers_format_low_type_at(low, id) : pica_attribbuffers_format_high_type_at(high, id - 8);
    const uint32_t elements = 1 + (id < 8 ? pica_attribbuffers_format_low_elements_minus_1_at(low, id)
                                          : pica_attribbuffers_format_high_elements_minus_1_at(high, id - 8));
    const uint32_t size = harness_element_size((enum harness_element)type);
    return pad_to(layout, (used + size - 1) / size * size) && add_field(layout, type, elements);
}

static void guess_array(struct guessing *guessing, uint32_t array, uint32_t base)
{
    const uint32_t *const registers = guessing->registers;
    const uint32_t offset =
        pica_attribbuffer_offset_offset(registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET)]);
    const uint32_t config1 = registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1)];
    const uint32_t config2 = registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)];
    const uint32_t count = pica_attribbuffer_config2_count(config2);
    struct harness_layout layout;
    memset(&layout, 0, sizeof layout);
    for (uint32_t c = 0; c < count && c < COMPONENTS; c++) {
        const uint32_t id = c < 8 ? pica_attribbuffer_config1_component_at(config1, c)
                                  : pica_attribbuffer_config2_component_at(config2, c - 8);
        if (!add_component(guessing, &layout, id))
            return;
    }
    if (count != 0 && pad_to(&layout, pica_attribbuffer_config2_stride(config2)))
        make_table(find_load(guessing, base + offset), &layout);
}

/* The draw's arrays, and its indices if it has some. */
static void guess_draw(struct guessing *guessing, bool has_indices)
{
    const uint32_t base = pica_attribbuffers_loc_base(guessing->registers[PICA_REG_ATTRIBBUFFERS_LOC]) << 4;
    const uint32_t indices = guessing->registers[PICA_REG_INDEXBUFFER_CONFIG];
    for (uint32_t array = 0; array < ARRAYS; array++)
        guess_array(guessing, array, base);
    if (!has_indices)
        return;
    const bool wide = pica_indexbuffer_config_type(indices) != 0;
    const struct harness_layout layout = { .field_count = 1,
                                           .fields = { { wide ? HARNESS_ELEMENT_U16 : HARNESS_ELEMENT_U8, 1 } } };
    make_table(find_load(guessing, base + pica_indexbuffer_config_offset(indices)), &layout);
}

static void follow_command(struct guessing *guessing, const struct harness_command *command)
{
    const uint32_t mask = pica_mask_bits(command->mask);
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k);
        if (id >= PICA_REGISTERS)
            return;
        guessing->registers[id] = (guessing->registers[id] & ~mask) | (command->parameters[k] & mask);
        if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS)
            guess_draw(guessing, id == PICA_REG_DRAWELEMENTS);
    }
}

void harness_import_tables(struct harness_case *test_case)
{
    struct guessing guessing = { .test_case = test_case, .steps_left = STEPS };
    if (test_case->state != NULL)
        memcpy(guessing.registers, test_case->state->values.registers, sizeof guessing.registers);
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        guessing.operation = i;
        if (operation->kind != HARNESS_RUN)
            continue;
        for (uint32_t c = 0; c < operation->data.list.count; c++)
            follow_command(&guessing, &operation->data.list.commands[c]);
    }
}
