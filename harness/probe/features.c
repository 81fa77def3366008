#include "harness/probe/features.h"

#include "harness/case/list_scan.h"
#include "pica/extregs.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)PICA_FIELD_TOTAL <= (int)HARNESS_FEATURE_FIELDS, "struct harness_features is too small");

void harness_features_clear(struct harness_features *features)
{
    memset(features, 0, sizeof *features);
}

/* Fields that every draw needs in some form, so that reduction leaves some of them by chance: how vertices get into the
 * shader and out of it (VTX, SHD), the state machine of registers (REG), and write masks, which say again which
 * channels can differ. */
static bool is_plumbing(const struct pica_field_info *field)
{
    static const char *const areas[] = { "VTX-", "SHD-", "REG-" };
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strncmp(field->rule, areas[i], strlen(areas[i])) == 0)
            return true;
    const char *const end = strrchr(field->name, '_');
    return end != NULL && strcmp(end, "_write") == 0;
}

static void add_word(struct harness_features *features, enum pica_layout layout, uint32_t word, uint32_t reset)
{
    size_t count = 0, total = 0;
    const struct pica_field_info *const all = pica_fields(&total);
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++) {
        const struct pica_field_info *const field = &fields[i];
        const uint32_t value = pica_field_get(field, word);
        if ((field->type != PICA_FIELD_FLAG && field->type != PICA_FIELD_ENUM) ||
            value == pica_field_get(field, reset) || value >= HARNESS_FEATURE_VALUES || is_plumbing(field))
            continue;
        features->seen[field - all][value / 64] |= UINT64_C(1) << (value % 64);
    }
}

void harness_features_add_draw(struct harness_features *features, const uint32_t *registers)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        const bool config =
            info->reg_class == PICA_REG_CLASS_CONFIG || info->reg_class == PICA_REG_CLASS_CONFIG_TRIGGER;
        if (config && registers[id] != info->reset)
            add_word(features, info->layout, registers[id], info->reset);
    }
}

static void add_external(struct harness_features *features, uint32_t offset, uint32_t word)
{
    const struct pica_extreg_info *const info = pica_extreg_info(offset);
    if (info != NULL)
        add_word(features, info->layout, word, info->reset);
}

void harness_features_add_operation(struct harness_features *features, const struct pica_operation *operation)
{
    static const uint32_t transfer[9] = { PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,   PICA_EXTREG_XFER_DIM,
                                          PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS, PICA_EXTREG_XFER_UNK14,
                                          PICA_EXTREG_COPY_SIZE,  PICA_EXTREG_COPY_IN,    PICA_EXTREG_COPY_OUT };
    if (operation->kind == PICA_OPERATION_MEMORY_FILL)
        add_external(features, PICA_EXTREG_FILL0_CTRL, operation->words[3]);
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        for (uint32_t i = 0; i < 9; i++)
            add_external(features, transfer[i], operation->words[i]);
}

/* One feature with a blank before it unless it is the first. Returns the new length. */
static size_t add_text(char *out, size_t size, size_t length, const struct pica_field_info *field, uint32_t value)
{
    const struct pica_layout_info *const layout = pica_layout_info(field->layout);
    size_t count = 0;
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    const char *const text = value < count ? values[value].text : "";
    const int added = snprintf(out + length, size - length, "%s%s.%s%s%s", length != 0 ? " " : "", layout->name,
                               field->name, text[0] != '\0' ? "=" : "", text);
    if (added >= 0 && (size_t)added < size - length)
        return length + (size_t)added;
    out[length] = '\0';
    return length;
}

void harness_features_text(const struct harness_features *features, char *out, size_t size)
{
    size_t total = 0, length = 0;
    const struct pica_field_info *const all = pica_fields(&total);
    out[0] = '\0';
    for (size_t i = 0; i < total; i++)
        for (uint32_t value = 0; value < HARNESS_FEATURE_VALUES; value++)
            if ((features->seen[i][value / 64] >> (value % 64) & 1u) != 0)
                length = add_text(out, size, length, &all[i], value);
}

/* ---------------------------------------------------------------------------------------------------------- shaders */

static void scan_code(const struct harness_list *list, bool seen[PICA_OPCODE_TOTAL])
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t k = 0; k < command->count; k++) {
            uint32_t unit = 0;
            if (command->parameters[k] != 0 &&
                oracle_port_of(harness_command_register(command, k), &unit) == ORACLE_PORT_CODE)
                seen[pica_opcode_info(pica_opcode_of(command->parameters[k]))->first] = true;
        }
    }
}

void harness_features_shader(const struct harness_case *test_case, struct harness_text *out)
{
    bool seen[PICA_OPCODE_TOTAL] = { false };
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_LIST)
            scan_code(&test_case->chunks[i].data.list, seen);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].data.kind == HARNESS_DATA_LIST)
            scan_code(&test_case->operations[i].data.list, seen);
    seen[PICA_OPCODE_MOV] = seen[PICA_OPCODE_NOP] = seen[PICA_OPCODE_END] = false;
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++)
        if (seen[opcode])
            harness_text_format(out, "%sshader.%s", out->size != 0 ? " " : "", pica_opcode_info(opcode)->mnemonic);
}
