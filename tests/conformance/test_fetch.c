/* 20-geometry.md section 2: arrays, attributes, fetch (VTX-01 to 13, 46). Draws: test_fetch_draw.c. */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

enum {
    FIVE = 5 /* outputs that the shader of this file copies from v0-v4 */
};

static const uint32_t ARRAY = 0x20008000; /* where the tests put their bytes; 0x8000 from VERTEX_ADDRESS */
static const uint32_t ONE = 0x3F800000;

/* o0-o4 = v0-v4; NI = 16, the identity permutation; then the registers of `setup` and one vertex (index 0x22A). */
static void fetch(struct machine *m, const struct list *setup)
{
    uint32_t code[FIVE + 1];
    for (uint32_t k = 0; k < FIVE; k++)
        code[k] = op1(PICA_OPCODE_MOV, DST_O + k, SRC_V + k, SRC_V, 0);
    code[FIVE] = op0(0x22);
    struct list all = { .count = 0 };
    list_write(&all, PICA_REG_ATTRIBBUFFERS_LOC, ARRAY >> 3);
    list_write(&all, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA000000F);
    list_write(&all, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543210);
    list_write(&all, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, 0xFEDCBA98);
    for (uint32_t i = 0; i < setup->count; i++)
        list_word(&all, setup->words[i]);
    const struct shader_run run = { .code = code, .code_count = FIVE + 1, .outputs = FIVE, .setup = &all };
    shader_run(m, &run);
}

/* Array L: offset, components of the list (nibble 0 first), stride, count. */
static void list_array(struct list *list, uint32_t array, uint32_t offset, uint32_t components, uint32_t stride,
                       uint32_t count)
{
    list_write(list, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_OFFSET), offset);
    list_write(list, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1), components);
    list_write(list, pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2), stride << 16 | count << 28);
}

/* Descriptors of attributes 0-7, and NA - 1 with the fixed mask. */
static void list_format(struct list *list, uint32_t low, uint32_t attributes, uint32_t fixed_mask)
{
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, low);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, (attributes - 1u) << 28 | fixed_mask << 16);
}

static uint32_t integer(int32_t value)
{
    return f32_bits((float)value);
}

/* ------------------------------------------------------------------------------------------- VTX-01, VTX-02, VTX-03 */

/* Every type with every element count, bytes FF 00 80 7F 01 ..; missing elements are (0,0,0,1)[k] (VTX-09). */
EACH_MACHINE(fetch, VTX_02_VTX_09_types_and_element_counts)
{
    static const uint8_t bytes[16] = { 0xFF, 0x00, 0x80, 0x7F, 0x01, 0xFE, 0xFF, 0x7F,
                                       0x00, 0x80, 0xC0, 0x3F, 0x00, 0x00, 0x80, 0xFF };
    const uint32_t rows[4][4] = {
        { integer(-1), 0, integer(-128), integer(127) },
        { integer(255), 0, integer(128), integer(127) },
        { integer(255), integer(0x7F80), integer(-0x1FF), integer(0x7FFF) },
        { 0x7F8000FF, 0x7FFFFE01, 0x3FC08000, 0xFF800000 },
    };
    for (uint32_t type = 0; type < 4; type++)
        for (uint32_t n = 1; n <= 4; n++) {
            machine_row(m, "type %u, %u elements", (unsigned)type, (unsigned)n);
            machine_load(m, ARRAY, bytes, sizeof bytes);
            struct list setup = { .count = 0 };
            list_format(&setup, type | (n - 1u) << 2, 1, 0);
            list_array(&setup, 0, 0, 0, 16, 1);
            fetch(m, &setup);
            const struct pica_vector out = shader_output(m, 0);
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t element = k < n ? rows[type][k] : k == 3u ? ONE : 0;
                const bool nan = (element & 0x7FFFFFFFu) > 0x7F800000u;
                EXPECT_EQ(m, "VTX-02", out.bits[k], nan ? 0x7FC00000 : element);
            }
        }
}

/* Profile f24: f32 elements pass R24 (FLT-20), integers are representable. */
EACH_MACHINE(fetch, VTX_02_f32_elements_are_rounded_in_profile_f24)
{
    machine_load_profile(m, PICA_PROFILE_F24);
    static const uint32_t words[4] = { 0x3DCCCCCD, 0x80000000, 0x7F000000, 0x00000001 };
    machine_load_words(m, ARRAY, words, 4);
    struct list setup = { .count = 0 };
    list_format(&setup, 0xAF, 2, 0); /* attribute 0: 4 x f32, attribute 1: 3 x s16 (0xA) */
    list_array(&setup, 0, 0, 0x10, 24, 2);
    static const uint8_t shorts[6] = { 0xFF, 0x7F, 0x00, 0x80, 0x01, 0x00 };
    machine_load(m, ARRAY + 16, shorts, 6);
    fetch(m, &setup);
    const struct pica_vector out0 = shader_output(m, 0);
    const struct pica_vector out1 = shader_output(m, 1);
    EXPECT_VECTOR(m, "VTX-02", out0, 0x3DCCCD00, 0, 0x7F800000, 0);
    EXPECT_VECTOR(m, "VTX-02", out1, integer(32767), integer(-32768), integer(1), ONE);
}

/* Descriptors are nibbles of 0x202:0x201: attributes 8-11 in the low half of 0x202. All 12 array attributes at once. */
EACH_MACHINE(fetch, VTX_02_VTX_03_component_lists_have_twelve_nibbles)
{
    static const uint8_t bytes[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    for (uint32_t i = 0; i < 12; i++) {
        machine_row(m, "attribute %u", (unsigned)i);
        machine_load(m, ARRAY, bytes, 12);
        struct list setup = { .count = 0 };
        list_write(&setup, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0x11111111);
        list_write(&setup, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0xB0001111);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_OFFSET), 0);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_CONFIG1), 0x76543210);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_CONFIG2), 0xC00CBA98);
        /* v0 = attribute i, the others to v15 */
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, i < 8u ? ~(0xFu << (4 * i)) : 0xFFFFFFFF);
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, i >= 8u ? ~(0xFu << (4 * i - 32)) : 0xFFFFFFFF);
        fetch(m, &setup);
        EXPECT_EQ(m, "VTX-03", shader_output(m, 0).bits[0], integer((int32_t)i + 1));
    }
}

/* Array L at 0x203 + 3L, for each L; offset has 28 bits. */
EACH_MACHINE(fetch, VTX_03_there_are_twelve_arrays)
{
    for (uint32_t array = 0; array < 12; array++) {
        machine_row(m, "array %u", (unsigned)array);
        machine_load_word(m, ARRAY + 0x40, 0x40400000);
        struct list setup = { .count = 0 };
        list_format(&setup, 0x3, 1, 0);
        list_array(&setup, 0, 0, 0, 0, 0);
        list_array(&setup, array, 0xF0000040, 0, 4, 1);
        fetch(m, &setup);
        EXPECT_EQ(m, "VTX-03", shader_output(m, 0).bits[0], 0x40400000);
        EXPECT_NO_EVENT(m, "VTX-05", PICA_EVENT_LOADER_DUPLICATE);
        EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_ATTR_NO_SOURCE);
    }
}

/* VTX-01: base = field * 16; NA from 0x202[31:28]; attributes from NA on are not loaded (VTX-11). */
EACH_MACHINE(fetch, VTX_01_VTX_11_entries_from_na_on_are_0_0_0_1)
{
    for (uint32_t attributes = 1; attributes <= 5; attributes++) {
        machine_row(m, "NA = %u", (unsigned)attributes);
        static const uint8_t bytes[5] = { 11, 12, 13, 14, 15 };
        machine_load(m, ARRAY, bytes, 5);
        struct list setup = { .count = 0 };
        list_format(&setup, 0x11111, attributes, 0);
        list_array(&setup, 0, 0, 0x43210, 5, 5);
        fetch(m, &setup);
        for (uint32_t k = 0; k < FIVE; k++) {
            const struct pica_vector out = shader_output(m, k);
            EXPECT_VECTOR(m, k < attributes ? "VTX-01" : "VTX-11", out, k < attributes ? integer((int32_t)(11 + k)) : 0,
                          0, 0, ONE);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- VTX-04 */

/* Expected: byte offset of each attribute's first element, read as u8 (memory holds its own offset). */
EACH_MACHINE(fetch, VTX_04_elements_are_aligned_and_paddings_are_multiples_of_four)
{
    static const struct {
        const char *what;
        uint32_t low, components, count;
        uint32_t offsets[3]; /* of attributes 0, 1, 2; 0xFF = no source */
        uint32_t stride;     /* final o: no stride-mismatch */
    } rows[] = {
        { "u8 x3, u8", 0x19, 0x10, 2, { 0, 3, 0xFF }, 4 },
        { "example: u8 x3 then f32 x2", 0x79, 0x10, 2, { 0, 4, 0xFF }, 12 },
        { "u8, s16", 0x21, 0x10, 2, { 0, 2, 0xFF }, 4 },
        { "s16, u8, s16", 0x212, 0x210, 3, { 0, 2, 4 }, 6 },
        { "example: u8, pad 4, f32 x2", 0x71, 0x1C0, 3, { 0, 8, 0xFF }, 16 },
        { "u8, pad 4, u8", 0x11, 0x1C0, 3, { 0, 8, 0xFF }, 9 },
        { "u8, pad 8, u8", 0x11, 0x1D0, 3, { 0, 12, 0xFF }, 13 },
        { "u8, pad 12, u8", 0x11, 0x1E0, 3, { 0, 16, 0xFF }, 17 },
        { "u8, pad 16, u8", 0x11, 0x1F0, 3, { 0, 20, 0xFF }, 21 },
        { "pad 4 first", 0x01, 0x0C, 2, { 4, 0xFF, 0xFF }, 5 },
        { "pad 4, pad 8, u8", 0x01, 0x0DC, 3, { 12, 0xFF, 0xFF }, 13 },
        { "order 1, 0", 0x21, 0x01, 2, { 2, 0, 0xFF }, 3 },
        { "count 1 of 2", 0x11, 0x10, 1, { 0, 0xFF, 0xFF }, 1 },
        { "attribute 2 behind f32", 0x103, 0x20, 2, { 0, 0xFF, 4 }, 5 },
    };
    uint8_t bytes[64];
    for (uint32_t i = 0; i < 64; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        machine_load(m, ARRAY, bytes, sizeof bytes);
        struct list setup = { .count = 0 };
        list_format(&setup, rows[i].low, 3, 0);
        list_array(&setup, 0, 0, rows[i].components, rows[i].stride, rows[i].count);
        fetch(m, &setup);
        for (uint32_t a = 0; a < 3; a++) {
            const uint32_t at = rows[i].offsets[a];
            const uint32_t type = rows[i].low >> (4 * a) & 3u;
            uint32_t expected = 0;
            if (at != 0xFFu && type <= 1u)
                expected = integer((int32_t)at);
            else if (at != 0xFFu && type == 2u)
                expected = integer((int32_t)(at | (at + 1) << 8));
            else if (at != 0xFFu)
                expected = at | (at + 1) << 8 | (at + 2) << 16 | (at + 3) << 24;
            EXPECT_EQ(m, "VTX-04", shader_output(m, a).bits[0], expected);
        }
        EXPECT_NO_EVENT(m, "VTX-07", PICA_EVENT_STRIDE_MISMATCH);
    }
}

/* --------------------------------------------------------------------------------------------- VTX-05, VTX-06, 07 */

EACH_MACHINE(fetch, VTX_05_the_last_assignment_wins)
{
    static const uint8_t bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    machine_load(m, ARRAY, bytes, 8);
    struct list setup = { .count = 0 };
    list_format(&setup, 0x1, 1, 0);
    list_array(&setup, 0, 1, 0, 1, 1);
    list_array(&setup, 5, 3, 0, 1, 1);
    list_array(&setup, 2, 6, 0, 1, 1);
    fetch(m, &setup);
    EXPECT_EQ(m, "VTX-05", shader_output(m, 0).bits[0], integer(4)); /* array 5, not the one written last */
    EXPECT_EVENT(m, "VTX-05", PICA_EVENT_LOADER_DUPLICATE);
    /* Twice in one array: the second place. */
    machine_reset(m);
    machine_load(m, ARRAY, bytes, 8);
    setup.count = 0;
    list_format(&setup, 0x1, 1, 0);
    list_array(&setup, 0, 0, 0x00, 2, 2);
    fetch(m, &setup);
    EXPECT_EQ(m, "VTX-05", shader_output(m, 0).bits[0], integer(2));
    EXPECT_EVENT(m, "VTX-05", PICA_EVENT_LOADER_DUPLICATE);
    /* The duplicate is an attribute >= NA: no event (section 6: "those tied to an attribute only if it is < NA"). */
    machine_reset(m);
    setup.count = 0;
    list_format(&setup, 0x11, 1, 0);
    list_array(&setup, 0, 0, 0x110, 3, 3);
    fetch(m, &setup);
    EXPECT_NO_EVENT(m, "VTX-05", PICA_EVENT_LOADER_DUPLICATE);
}

EACH_MACHINE(fetch, VTX_06_components_beyond_the_twelfth_are_ignored)
{
    static const uint8_t bytes[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    for (uint32_t count = 11; count <= 15; count++) {
        machine_row(m, "count %u", (unsigned)count);
        machine_load(m, ARRAY, bytes, 16);
        struct list setup = { .count = 0 };
        list_format(&setup, 0x11111111, 2, 0);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_OFFSET), 0);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_CONFIG1), 0x22222220);
        list_write(&setup, pica_reg_attribbuffer(0, PICA_REG_ATTRIBBUFFER0_CONFIG2), count << 28 | 12u << 16 | 0x1222);
        fetch(m, &setup);
        EXPECT_EQ(m, "VTX-06", shader_output(m, 0).bits[0], integer(1));
        EXPECT_EQ(m, "VTX-06", shader_output(m, 1).bits[0], count >= 12u ? integer(12) : 0);
        EXPECT(m, "VTX-06", machine_event(m, PICA_EVENT_LOADER_COUNT) == (count > 12u));
    }
}

/* stride-mismatch: stride < o or stride >= roundup(o, 4) + 4, for arrays with an attribute < NA. */
EACH_MACHINE(fetch, VTX_07_stride_mismatch_allows_padding_to_four_bytes)
{
    static const struct {
        uint32_t low, components, count, attributes; /* o by VTX-04 */
        uint32_t stride;
        bool event;
    } rows[] = {
        { 0x1, 0, 1, 1, 1, false },      { 0x1, 0, 1, 1, 0, true },       { 0x1, 0, 1, 1, 4, false },
        { 0x1, 0, 1, 1, 7, false },      { 0x1, 0, 1, 1, 8, true },       { 0xF, 0, 1, 1, 16, false },
        { 0xF, 0, 1, 1, 15, true },      { 0xF, 0, 1, 1, 19, false },     { 0xF, 0, 1, 1, 20, true },
        { 0x7F, 0x10, 2, 2, 24, false }, { 0x7F, 0x10, 2, 2, 255, true }, { 0x5, 0, 1, 1, 2, false }, /* 2 x u8 */
        { 0x1, 0xC0, 2, 1, 8, false },   { 0x1, 0xC0, 2, 1, 7, true },    { 0x1, 0xC0, 2, 1, 12, true },
        { 0x1, 0, 0, 1, 99, false },    /* count 0: no array */
        { 0x11, 1, 1, 1, 99, false },   /* attribute 1 >= NA */
        { 0x1, 0xCC, 2, 1, 99, false }, /* paddings only */
        { 0x11, 0x10, 2, 1, 2, false }, /* attribute 1 >= NA counts in o */
        { 0x11, 0x10, 2, 1, 1, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u, stride %u", (unsigned)i, (unsigned)rows[i].stride);
        struct list setup = { .count = 0 };
        list_format(&setup, rows[i].low, rows[i].attributes, 0);
        list_array(&setup, 0, 0, rows[i].components, rows[i].stride, rows[i].count);
        fetch(m, &setup);
        EXPECT(m, "VTX-07", machine_event(m, PICA_EVENT_STRIDE_MISMATCH) == rows[i].event);
    }
}

/* ---------------------------------------------------------------------------------------------------------- VTX-08 */

/* Attribute 0: array, fixed mask, both, none; fixed[0] = 3.0. */
EACH_MACHINE(fetch, VTX_08_an_array_beats_the_fixed_value_beats_nothing)
{
    static const struct {
        bool array, fixed;
        uint32_t x;
        uint32_t w;
        bool both, none;
    } rows[] = {
        { true, false, 0x40A00000, 0x3F800000, false, false },
        { false, true, 0x40400000, 0x40400000, false, false },
        { true, true, 0x40A00000, 0x3F800000, true, false },
        { false, false, 0, 0x3F800000, false, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "array %d fixed %d", rows[i].array, rows[i].fixed);
        static const uint8_t five = 5;
        machine_load(m, ARRAY, &five, 1);
        struct list setup = { .count = 0 };
        list_fixed_attribute(&setup, 0, 0x408000, 0x408000, 0x408000, 0x408000);
        list_format(&setup, 0x1, 1, rows[i].fixed ? 1 : 0);
        list_array(&setup, 0, 0, 0, 1, rows[i].array ? 1 : 0);
        fetch(m, &setup);
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_EQ(m, "VTX-08", out.bits[0], rows[i].x);
        EXPECT_EQ(m, "VTX-08", out.bits[3], rows[i].w);
        EXPECT(m, "VTX-08", machine_event(m, PICA_EVENT_FIXED_AND_ARRAY) == rows[i].both);
        EXPECT(m, "VTX-08", machine_event(m, PICA_EVENT_ATTR_NO_SOURCE) == rows[i].none);
    }
}

/* `fixed-and-array` is what H06 does not show: a masked attribute that occurs twice, or beside no unmasked one. */
EACH_MACHINE(fetch, VTX_08_fixed_and_array_where_no_console_was_seen)
{
    static const struct {
        const char *what;
        uint32_t attributes, mask;
        struct {
            uint32_t components, count;
        } arrays[2];
        bool event;
    } rows[] = {
        { "H06: once, beside one without a mask", 2, 0x2, { { 0x10, 2 } }, false },
        { "once, the other in another array", 2, 0x2, { { 0x0, 1 }, { 0x1, 1 } }, false },
        { "all are masked", 2, 0x3, { { 0x10, 2 } }, true },
        { "the only one", 1, 0x1, { { 0x0, 1 } }, true },
        { "the unmasked one occurs in no array", 2, 0x2, { { 0x1, 1 } }, true },
        { "the unmasked one is no attribute of this draw", 1, 0x1, { { 0x10, 2 } }, true },
        { "beside padding alone", 1, 0x1, { { 0xC0, 2 } }, true },
        { "twice in one list", 2, 0x2, { { 0x110, 3 } }, true },
        { "twice in two arrays", 2, 0x2, { { 0x10, 2 }, { 0x1, 1 } }, true },
        { "behind the end of the list", 2, 0x2, { { 0x10, 1 } }, false },
        { "in an array without entries", 2, 0x2, { { 0x0, 1 }, { 0x1, 0 } }, false },
        { "another attribute occurs twice", 3, 0x4, { { 0x210, 3 }, { 0x1, 1 } }, false },
        { "of two masked ones the second twice", 3, 0x6, { { 0x210, 3 }, { 0x2, 1 } }, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct list setup = { .count = 0 };
        list_format(&setup, 0x111, rows[i].attributes, rows[i].mask);
        for (uint32_t k = 0; k < 2; k++)
            list_array(&setup, k, 0, rows[i].arrays[k].components, rows[i].arrays[k].count, rows[i].arrays[k].count);
        fetch(m, &setup);
        EXPECT(m, "VTX-08", machine_event(m, PICA_EVENT_FIXED_AND_ARRAY) == rows[i].event);
    }
}

/* H06: attribute 1 has two elements in an array, a fixed value and its mask bit: x and y are the array's, then 0, 1. */
EACH_MACHINE(fetch, VTX_08_VTX_09_a_masked_attribute_takes_nothing_from_its_fixed_value)
{
    static const uint8_t bytes[3] = { 9, 5, 7 };
    struct list setup = { .count = 0 };
    machine_load(m, ARRAY, bytes, 3);
    list_fixed_attribute(&setup, 1, 0x408000, 0x408000, 0x408000, 0x408000);
    list_format(&setup, 0x51, 2, 0x2); /* one and two unsigned bytes */
    list_array(&setup, 0, 0, 0x10, 3, 2);
    fetch(m, &setup);
    const struct pica_vector out = shader_output(m, 1);
    EXPECT_VECTOR(m, "VTX-08, VTX-09", out, integer(5), integer(7), 0, ONE);
    EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_FIXED_AND_ARRAY);
}

/* i = 12..15 are fixed whatever the mask says (it has bits for 0-11 only); v0 = attribute 12 + i. */
EACH_MACHINE(fetch, VTX_08_attributes_from_12_on_are_fixed)
{
    for (uint32_t i = 12; i < 16; i++) {
        machine_row(m, "attribute %u", (unsigned)i);
        struct list setup = { .count = 0 };
        if (i < 15u)
            list_fixed_attribute(&setup, i, 0x3F0000, 0x3F0000, 0x3F0000, 0x408000);
        list_format(&setup, 0, 16, 0x0FFF);
        list_array(&setup, 0, 0, 0, 0, 0);
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0xFFFFFFFF);
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, ~(0xFu << (4 * i - 32)));
        fetch(m, &setup);
        const struct pica_vector out = shader_output(m, 0);
        if (i < 15u)
            EXPECT_VECTOR(m, "VTX-08", out, ONE, ONE, ONE, 0x40400000);
        else
            EXPECT_VECTOR(m, "REG-04", out, 0, 0, 0, 0); /* fixed[15] is never written */
        EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_ATTR_NO_SOURCE);
        EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_FIXED_AND_ARRAY);
    }
}

/* Attribute 1 >= NA has both, or none: no event. */
EACH_MACHINE(fetch, VTX_08_attributes_from_na_on_record_nothing)
{
    struct list setup = { .count = 0 };
    list_format(&setup, 0x11, 1, 2);
    list_array(&setup, 0, 0, 0x10, 2, 2);
    fetch(m, &setup);
    EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_FIXED_AND_ARRAY);
    EXPECT_NO_EVENT(m, "VTX-08", PICA_EVENT_ATTR_NO_SOURCE);
}

/* ---------------------------------------------------------------------------------------------- VTX-09, 10, 46 */

/* The address is base + source + stride * v + k * es: vertex 3 of stride 5 at offset 2. */
EACH_MACHINE(fetch, VTX_09_address_of_an_element)
{
    static const uint8_t bytes[32] = { [17] = 0x11, [18] = 0x22, [19] = 0x33, [20] = 0x44 };
    machine_load(m, ARRAY, bytes, sizeof bytes);
    struct list setup = { .count = 0 };
    list_format(&setup, 0x6, 1, 0); /* 2 x s16 */
    list_array(&setup, 0, 2, 0, 5, 1);
    list_write(&setup, PICA_REG_VERTEX_OFFSET, 3);
    fetch(m, &setup);
    const struct pica_vector out = shader_output(m, 0);
    EXPECT_VECTOR(m, "VTX-09", out, integer(0x2211), integer(0x4433), 0, ONE);
}

/* attr-unaligned: base + source or stride no multiple of es, es > 1, of a fetched attribute. */
EACH_MACHINE(fetch, VTX_10_attr_unaligned_looks_at_base_plus_source_and_stride)
{
    static const struct {
        uint32_t descriptor, offset, stride;
        bool event;
    } rows[] = {
        { 0x1, 1, 1, false }, { 0x0, 3, 3, false }, { 0x2, 0, 2, false }, { 0x2, 1, 2, true },
        { 0x2, 0, 3, true },  { 0x2, 2, 6, false }, { 0x3, 0, 4, false }, { 0x3, 2, 4, true },
        { 0x3, 0, 6, true },  { 0x3, 1, 7, true },  { 0x3, 4, 7, true },  { 0x3, 8, 4, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t fetched = 0; fetched < 2; fetched++) {
            machine_row(m, "descriptor %X offset %u stride %u, %s", (unsigned)rows[i].descriptor,
                        (unsigned)rows[i].offset, (unsigned)rows[i].stride, fetched != 0u ? "fetched" : ">= NA");
            struct list setup = { .count = 0 };
            if (fetched != 0u) {
                list_format(&setup, rows[i].descriptor, 1, 0);
                list_array(&setup, 0, rows[i].offset, 0, rows[i].stride, 1);
            } else {
                list_format(&setup, rows[i].descriptor << 4, 1, 1);
                list_array(&setup, 0, rows[i].offset, 1, rows[i].stride, 1);
            }
            fetch(m, &setup);
            EXPECT(m, "VTX-10", machine_event(m, PICA_EVENT_ATTR_UNALIGNED) == (rows[i].event && fetched != 0u));
        }
}

/* VTX-46: fetched whether or not the VS reads it (NI = 1: attribute 1 reaches no input). */
EACH_MACHINE(fetch, VTX_46_every_attribute_below_na_is_fetched)
{
    static const struct {
        uint32_t attributes, offset;
        bool event;
    } rows[] = { { 2, 0x38000, true }, { 1, 0x38000, false }, { 2, 0x37FFC, false }, { 2, 0x37FFD, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "NA %u, offset %X", (unsigned)rows[i].attributes, (unsigned)rows[i].offset);
        struct list setup = { .count = 0 };
        list_format(&setup, 0xD1, rows[i].attributes, 0); /* attribute 1: 4 x u8 */
        list_array(&setup, 0, 0, 0, 1, 1);
        list_array(&setup, 1, rows[i].offset, 1, 4, 1);
        list_write(&setup, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
        fetch(m, &setup);
        EXPECT(m, "VTX-46", machine_event(m, PICA_EVENT_MEM_OOB) == rows[i].event);
    }
}

/* ------------------------------------------------------------------------------------------------- VTX-12, VTX-13 */

EACH_MACHINE(fetch, VTX_12_input_registers_by_permutation)
{
    static const struct {
        uint32_t inputs, low, high;
        uint32_t x[FIVE]; /* v0-v4; 9 = (0,0,0,0), 8 = (0,0,0,1) */
    } rows[] = {
        { 5, 0x43210, 0, { 1, 2, 3, 4, 5 } },
        { 5, 0x01234, 0, { 5, 4, 3, 2, 1 } },
        { 1, 0x43210, 0, { 1, 9, 9, 9, 9 } },
        { 3, 0x43000, 0, { 3, 9, 9, 9, 9 } }, /* later j overwrite */
        { 2, 0x00003, 0, { 2, 9, 9, 1, 9 } },
        { 7, 0x0043210, 0, { 8, 2, 3, 4, 5 } }, /* j = 5, 6 >= NA: (0,0,0,1) */
        { 16, 0xFFFFFFFF, 0x4FFFFFFF, { 9, 9, 9, 9, 8 } },
    };
    static const uint8_t bytes[5] = { 1, 2, 3, 4, 5 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "NI %u perm %08X", (unsigned)rows[i].inputs, (unsigned)rows[i].low);
        machine_load(m, ARRAY, bytes, 5);
        struct list setup = { .count = 0 };
        list_format(&setup, 0x11111, 5, 0);
        list_array(&setup, 0, 0, 0x43210, 5, 5);
        list_write(&setup, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0x5A5A5AF0 | (rows[i].inputs - 1u));
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, rows[i].low);
        list_write(&setup, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, rows[i].high);
        fetch(m, &setup);
        for (uint32_t k = 0; k < FIVE; k++) {
            const uint32_t x = rows[i].x[k];
            const struct pica_vector out = shader_output(m, k);
            EXPECT_VECTOR(m, "VTX-12", out, x < 8u ? integer((int32_t)x) : 0, 0, 0, x == 9u ? 0 : ONE);
        }
    }
}

EACH_MACHINE(fetch, VTX_13_attr_count_compares_three_counts)
{
    static const struct {
        uint32_t na, ni, immediate; /* NA, NI, 0x242[3:0] + 1 */
        bool event;
    } rows[] = { { 3, 3, 3, false },    { 3, 2, 3, true },  { 3, 3, 2, true }, { 2, 3, 3, true },
                 { 16, 16, 16, false }, { 1, 1, 1, false }, { 1, 16, 1, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "NA %u NI %u 242 %u", (unsigned)rows[i].na, (unsigned)rows[i].ni, (unsigned)rows[i].immediate);
        struct list setup = { .count = 0 };
        list_format(&setup, 0, rows[i].na, 0xFFF);
        list_write(&setup, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000 | (rows[i].ni - 1u));
        list_write(&setup, PICA_REG_VSH_NUM_ATTR, 0xFFFFFFF0 | (rows[i].immediate - 1u));
        fetch(m, &setup);
        EXPECT(m, "VTX-13", machine_event(m, PICA_EVENT_ATTR_COUNT) == rows[i].event);
    }
}
