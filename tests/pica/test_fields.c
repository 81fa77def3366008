/* fields.def and enums.def: every word is covered once, every encoding has a name, accessors agree with the tables. */
#include "pica/enums.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <string.h>

Test(pica_fields, fields_lie_within_the_word_in_order_and_do_not_overlap)
{
    size_t total = 0;
    for (uint32_t l = 0; l < PICA_LAYOUT_TOTAL; l++) {
        size_t count;
        const struct pica_field_info *const fields = pica_layout_fields((enum pica_layout)l, &count);
        uint32_t next = 0;
        for (size_t f = 0; f < count; f++) {
            cr_expect_eq(fields[f].layout, l);
            cr_expect(fields[f].width >= 1 && fields[f].low + fields[f].width <= 32, "%s", fields[f].name);
            cr_expect_geq(fields[f].low, next, "%s.%s overlaps", pica_layout_info((enum pica_layout)l)->name,
                          fields[f].name);
            next = fields[f].low + fields[f].width;
            cr_expect_eq(pica_field_by_name((enum pica_layout)l, fields[f].name), &fields[f]);
        }
        cr_expect((l == PICA_LAYOUT_NONE) == (count == 0), "%s", pica_layout_info((enum pica_layout)l)->name);
        total += count;
    }
    cr_expect_eq(total, PICA_FIELD_TOTAL);
    cr_expect_null(pica_layout_info((enum pica_layout)PICA_LAYOUT_TOTAL));
    cr_expect_null(pica_field_by_name(PICA_LAYOUT_TEXENV_SOURCE, "no such field"));
}

Test(pica_fields, every_line_of_fields_def_belongs_to_the_layout_above_it)
{
    static const char *const lines[] = {
#define LAYOUT(layout, LAYOUT_NAME, rule)                               "=" #layout,
#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) #layout,
#include "pica/fields.def"
    };
    const char *current = "";
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (lines[i][0] == '=')
            current = lines[i] + 1;
        cr_expect_str_eq(lines[i] + (lines[i][0] == '='), current);
    }
}

Test(pica_fields, types_fit_the_width_of_their_fields)
{
    size_t count;
    const struct pica_field_info *const fields = pica_fields(&count);
    for (size_t f = 0; f < count; f++) {
        const uint32_t width = fields[f].width;
        bool fits = true;
        switch (fields[f].type) {
        case PICA_FIELD_FLAG: fits = width == 1; break;
        case PICA_FIELD_ENUM: fits = width == pica_enum_info(fields[f].enumeration)->width; break;
        case PICA_FIELD_UNSIGNED:
        case PICA_FIELD_DIMENSION: fits = fields[f].unit <= 1; break;
        case PICA_FIELD_SIGNED: fits = width >= 2 && width < 32; break;
        case PICA_FIELD_FIXED_SIGNED: fits = width < 32 && fields[f].unit <= width; break;
        case PICA_FIELD_FIXED_UNSIGNED: fits = fields[f].unit <= width; break;
        case PICA_FIELD_ADDRESS:
        case PICA_FIELD_SIZE: fits = fields[f].unit <= 6; break;
        case PICA_FIELD_FLOAT16: fits = width == 16; break;
        case PICA_FIELD_FLOAT20: fits = width == 20; break;
        case PICA_FIELD_FLOAT24: fits = width == 24; break;
        case PICA_FIELD_FLOAT31: fits = width == 31; break;
        case PICA_FIELD_COLOR: fits = width == 8 || width == 10; break;
        case PICA_FIELD_MASK: break;
        }
        cr_expect(fits, "%s.%s", pica_layout_info(fields[f].layout)->name, fields[f].name);
        cr_expect_eq(fields[f].type == PICA_FIELD_ENUM, fields[f].enumeration != PICA_ENUM_NONE);
    }
}

/* One value of every getter, with the setter that belongs to it. */
struct accessor {
    const char *name;
    uint32_t width;
    bool is_signed;
    uint32_t (*set)(uint32_t word, uint32_t value);
    uint32_t (*get)(uint32_t word);
};

#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) \
    static uint32_t get_##layout##_##field(uint32_t word)               \
    {                                                                   \
        return (uint32_t)pica_##layout##_##field(word);                 \
    }
#include "pica/fields.def"

static const struct accessor accessors[] = {
#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule)                       \
    { #layout "." #field, width,                                                              \
      PICA_FIELD_##TYPE == PICA_FIELD_SIGNED || PICA_FIELD_##TYPE == PICA_FIELD_FIXED_SIGNED, \
      pica_##layout##_set_##field, get_##layout##_##field },
#include "pica/fields.def"
};

Test(pica_fields, getters_return_what_setters_stored_and_setters_keep_all_other_bits)
{
    static const uint32_t words[] = { 0, 0xFFFFFFFFu, 0xA5C3960F, 0x5A3C69F0 };
    static const uint32_t values[] = { 0, 1, 2, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFFu, 0x12345678, 0x00000AAA };
    size_t count;
    const struct pica_field_info *const fields = pica_fields(&count);
    cr_assert_eq(count, sizeof accessors / sizeof accessors[0]);
    for (size_t f = 0; f < count; f++) {
        const struct accessor *const a = &accessors[f];
        const uint32_t low_bits = 0xFFFFFFFFu >> (32 - a->width);
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                const uint32_t word = a->set(words[w], values[v]);
                const uint32_t value = values[v] & low_bits;
                const bool negative = a->is_signed && value >> (a->width - 1) == 1;
                cr_assert_eq(a->get(word), negative ? value | ~low_bits : value, "%s", a->name);
                cr_assert_eq((word ^ words[w]) & ~(low_bits << fields[f].low), 0, "%s", a->name);
                cr_assert_eq(pica_field_set(&fields[f], words[w], values[v]), word, "%s", a->name);
                cr_assert_eq(pica_field_get(&fields[f], word), value, "%s", a->name);
            }
    }
}

Test(pica_fields, views_by_index_are_the_fields_they_stand_for)
{
    static const struct {
        enum pica_layout layout;
        const char *name;
        int32_t low, stride;
        uint32_t width, count;
        uint32_t (*get)(uint32_t word, uint32_t i);
        uint32_t (*set)(uint32_t word, uint32_t i, uint32_t value);
    } arrays[] = {
#define FIELD_ARRAY(layout, name, low, stride, width, count, rule) \
    {                                                              \
        PICA_LAYOUT_NONE,                                          \
        #layout,                                                   \
        low,                                                       \
        stride,                                                    \
        width,                                                     \
        count,                                                     \
        pica_##layout##_##name##_at,                               \
        pica_##layout##_set_##name##_at                            \
    },
#include "pica/fields.def"
    };
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        uint32_t l = 0;
        while (strcmp(pica_layout_info((enum pica_layout)l)->name, arrays[a].name) != 0)
            l++;
        size_t count;
        const struct pica_field_info *const fields = pica_layout_fields((enum pica_layout)l, &count);
        for (uint32_t i = 0; i < arrays[a].count; i++) {
            const uint32_t low = (uint32_t)(arrays[a].low + arrays[a].stride * (int32_t)i);
            size_t inside = 0;
            for (size_t f = 0; f < count; f++)
                if (low >= fields[f].low && low + arrays[a].width <= fields[f].low + fields[f].width)
                    inside++;
            cr_expect_eq(inside, 1, "%s at bit %u is no part of one field", arrays[a].name, (unsigned)low);
            cr_expect_eq(arrays[a].set(0, i, 0xFFFFFFFFu), (0xFFFFFFFFu >> (32 - arrays[a].width)) << low);
            cr_expect_eq(arrays[a].get(0xA5C3960F, i), pica_bits(0xA5C3960F, low, arrays[a].width));
        }
    }
    const uint32_t identity = 0x0D86C36F;                            /* SHD-24, example */
    cr_expect_eq(pica_light_color_channel_at(0x3FF00000, 0), 0x3FF); /* red is the highest */
    for (uint32_t c = 0; c < 4; c++) {
        cr_expect_eq(pica_shader_opdesc_src1_selector_at(identity, c), c);
        cr_expect_eq(pica_shader_opdesc_src2_selector_at(identity, c), c);
        cr_expect_eq(pica_shader_opdesc_src3_selector_at(identity, c), c);
        cr_expect_eq(pica_shader_opdesc_dest_at(identity, c), 1);
    }
}

Test(pica_fields, fields_lie_where_the_worked_examples_of_the_specification_put_them)
{
    const uint32_t header = 0x802F011C; /* CMD-22 examples */
    cr_expect_eq(pica_command_header_id(header), 0x11C);
    cr_expect_eq(pica_command_header_mask(header), 0xF);
    cr_expect_eq(pica_command_header_extra_parameters(header), 2);
    cr_expect_eq(pica_command_header_consecutive(header), 1);
    cr_expect_eq(pica_texunit_lod_bias(0x00001F00), -256);              /* MIP-14 */
    cr_expect_eq(pica_viewport_xy_x(0x00000200), -512);                 /* VPT */
    cr_expect_eq(pica_viewport_xy_y(0x01FF0000), 511);                  /* VPT */
    cr_expect_eq(pica_fog_lut_data_value(0x7D1F38), 1000);              /* FOG-06 */
    cr_expect_eq(pica_fog_lut_data_difference(0x7D1F38), -200);         /* FOG-06 */
    cr_expect_eq(pica_lighting_lut_data_magnitude(0x900800), 0x100);    /* LIT-24 */
    cr_expect_eq(pica_lighting_lut_data_negative(0x900800), 1);         /* LIT-24 */
    cr_expect_eq(pica_gsh_misc0_mode(0x01004302), PICA_GSH_MODE_FIXED); /* GSH-06: 4 vertices, 5 vectors, start c0 */
    cr_expect_eq(pica_gsh_misc0_vertices_minus_1(0x01004302) + 1, 4);
    cr_expect_eq(pica_gsh_misc0_vectors_minus_1(0x01004302) + 1, 5);
    cr_expect_eq(pica_gsh_misc0_first_uniform(0x01004302), 0);
    cr_expect_eq(pica_sh_outmap_y(0x0B0A0908), PICA_OUTMAP_SEMANTIC_COLOR_G); /* SHD-82 */
    cr_expect_eq(pica_copy_line_length(0x00010002), 2);                       /* TXC-09 */
    cr_expect_eq(pica_copy_line_gap(0x00010002), 1);
}

/* ----------------------------------------------------------------------------------------------------------- enums */

Test(pica_fields, every_encoding_of_every_enumeration_has_one_enumerator)
{
    for (uint32_t e = 1; e < PICA_ENUM_TOTAL; e++) {
        const struct pica_enum_info *const info = pica_enum_info((enum pica_enum_id)e);
        size_t count;
        const struct pica_enum_value *const values = pica_enum_values((enum pica_enum_id)e, &count);
        cr_assert_eq(count, (size_t)1 << info->width, "%s", info->name);
        for (size_t v = 0; v < count; v++) {
            cr_expect_eq(values[v].value, v, "%s %s", info->name, values[v].name);
            cr_expect_eq(pica_enum_value_by_text((enum pica_enum_id)e, values[v].text), &values[v], "%s %s", info->name,
                         values[v].text);
        }
    }
    size_t count;
    cr_expect_null(pica_enum_values(PICA_ENUM_NONE, &count));
    cr_expect_eq(count, 0);
    cr_expect_null(pica_enum_info((enum pica_enum_id)PICA_ENUM_TOTAL));
}

Test(pica_fields, enum_lines_number_as_many_as_the_widths_ask_for)
{
    size_t lines = 0;
    size_t asked = 0;
#define ENUM_BEGIN(name, NAME, width, rule)             asked += (size_t)1 << (width);
#define ENUM_VALUE(name, value, ENUMERATOR, text, rule) lines++;
#include "pica/enums.def"
    cr_expect_eq(lines, asked);
}

Test(pica_fields, every_enumeration_is_used_by_some_field)
{
    size_t count;
    const struct pica_field_info *const fields = pica_fields(&count);
    for (uint32_t e = 1; e < PICA_ENUM_TOTAL; e++) {
        bool used = false;
        for (size_t f = 0; f < count; f++)
            used = used || (uint32_t)fields[f].enumeration == e;
        cr_expect(used, "%s", pica_enum_info((enum pica_enum_id)e)->name);
    }
}

Test(pica_fields, every_layout_is_used_by_some_register_or_listed_as_a_word_of_its_own)
{
    static const enum pica_layout words[] = {
        PICA_LAYOUT_COMMAND_HEADER,
        PICA_LAYOUT_PROCTEX_MAP_ENTRY,
        PICA_LAYOUT_PROCTEX_DIFFERENCE_ENTRY,
        PICA_LAYOUT_SHADER_INSTRUCTION,
    };
    bool used[PICA_LAYOUT_TOTAL] = { false };
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        used[pica_reg_info(id)->layout] = true;
    size_t count;
    const struct pica_extreg_info *const extregs = pica_extregs(&count);
    for (size_t r = 0; r < count; r++)
        used[extregs[r].layout] = true;
    const struct pica_extreg_info *const lcdregs = pica_lcdregs(&count);
    for (size_t r = 0; r < count; r++)
        used[lcdregs[r].layout] = true;
    for (uint32_t op = 0; op < PICA_OPCODE_TOTAL; op++)
        used[pica_opcode_format_info(pica_opcode_info(op)->format)->layout] = true;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        used[words[w]] = true;
    for (uint32_t l = 0; l < PICA_LAYOUT_TOTAL; l++)
        cr_expect(used[l], "%s", pica_layout_info((enum pica_layout)l)->name);
}
