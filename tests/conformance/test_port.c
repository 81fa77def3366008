/* 10-command-stream.md section 5: FIFO ports, index registers, sharing between the shader units, tables. */
#include "tests/conformance/machine.h"

enum {
    VS = PICA_UNIT_VERTEX,
    GS = PICA_UNIT_GEOMETRY
};

/* --------------------------------------------------------------------------------------------------------- REG-20 */

/* One word through every alias of every port; each moves the index by one (or fills a third of a vector). */
EACH_MACHINE(port, REG_20_every_alias_of_a_port_consumes_one_word)
{
    static const struct {
        uint32_t first, last, index_id;
        uint32_t words; /* per step of the index */
    } rows[] = {
        { 0x0B0, 0x0B7, 0x0AF, 1 }, { 0x0E8, 0x0EF, 0x0E6, 1 }, { 0x124, 0x124, 0x123, 1 }, { 0x1C8, 0x1CF, 0x1C5, 1 },
        { 0x233, 0x235, 0x232, 3 }, { 0x291, 0x298, 0x290, 3 }, { 0x29C, 0x2A3, 0x29B, 1 }, { 0x2A6, 0x2AD, 0x2A5, 1 },
        { 0x2C1, 0x2C8, 0x2C0, 3 }, { 0x2CC, 0x2D3, 0x2CB, 1 }, { 0x2D6, 0x2DD, 0x2D5, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_reset(m);
        uint32_t words = 0;
        for (uint32_t round = 0; round < 3; round++)
            for (uint32_t id = rows[i].first; id <= rows[i].last; id++) {
                machine_case(m, "%03X round %u", (unsigned)id, (unsigned)round);
                machine_list_write(m, id, 0xB00 + words);
                words++;
                EXPECT_EQ(m, "REG-20", machine_register(m, id), 0xB00 + words - 1);
                EXPECT_EQ(m, "REG-20", machine_register(m, rows[i].index_id), words / rows[i].words);
            }
        EXPECT_NO_EVENTS(m, "REG-20");
    }
}

/* Index word before, number of words, index word after. */
EACH_MACHINE(port, REG_20_REG_32_REG_33_index_fields_count_and_wrap_inside_themselves)
{
    static const struct {
        uint32_t index_id, port, before, words, after;
    } rows[] = {
        { 0x0AF, 0x0B0, 0x000000FF, 1, 0x00000000 }, /* [7:0] wraps, other bits stay */
        { 0x0AF, 0x0B0, 0xFFFFF2FF, 1, 0xFFFFF200 },
        { 0x0AF, 0x0B0, 0x0000037F, 1, 0x00000380 },
        { 0x0E6, 0x0E8, 0x0000007F, 1, 0x00000080 }, /* REG-32: 16 bits, not 7 */
        { 0x0E6, 0x0E8, 0x0000FFFF, 1, 0x00000000 },
        { 0x0E6, 0x0E8, 0xABCDFFFF, 2, 0xABCD0001 },
        { 0x123, 0x124, 0x0000000F, 1, 0x00000010 }, /* REG-33 */
        { 0x123, 0x124, 0x1234FFFF, 1, 0x12340000 },
        { 0x1C5, 0x1C8, 0x000000FF, 1, 0x00000000 }, /* the table does not change */
        { 0x1C5, 0x1C8, 0x000003FE, 4, 0x00000302 },
        { 0x1C5, 0x1C8, 0xFFFFE3FF, 1, 0xFFFFE300 },
        { 0x29B, 0x29C, 4095, 1, 4096 },
        { 0x29B, 0x29C, 4096, 1, 4096 },
        { 0x29B, 0x29C, 0xFFFFFFFF, 1, 0xFFFFFFFF },
        { 0x29B, 0x29C, 0x80000000, 1, 0x80000000 },
        { 0x2A5, 0x2A6, 4095, 2, 4096 },
        { 0x2A5, 0x2A6, 0x10000, 2, 0x10000 },
        { 0x2CB, 0x2CC, 511, 1, 512 },
        { 0x2CB, 0x2CC, 512, 1, 512 },
        { 0x2CB, 0x2CC, 0xFFFFFFFF, 1, 0xFFFFFFFF },
        { 0x2D5, 0x2D6, 4095, 1, 4096 },
        { 0x2D5, 0x2D6, 4096, 1, 4096 },
        { 0x2C0, 0x2C1, 0x0000005F, 3, 0x00000060 }, /* 95 -> 96 */
        { 0x2C0, 0x2C1, 0x00000060, 3, 0x00000060 },
        { 0x2C0, 0x2C1, 0x0000007F, 3, 0x0000007F },
        { 0x2C0, 0x2C1, 0x7FFFFF05, 3, 0x7FFFFF06 },
        { 0x2C0, 0x2C1, 0x80000005, 4, 0x80000006 },
        { 0x290, 0x291, 0x80000005, 3, 0x80000005 },
        { 0x290, 0x291, 0x0000005E, 6, 0x00000060 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%03X = %08X, %u words", (unsigned)rows[i].index_id, (unsigned)rows[i].before,
                    (unsigned)rows[i].words);
        struct list list = { .count = 0 };
        list_write(&list, rows[i].index_id, rows[i].before);
        for (uint32_t k = 0; k < rows[i].words; k++)
            list_write(&list, rows[i].port, 0x100 + k);
        machine_submit(m, &list);
        EXPECT_EQ(m, "REG-20", machine_register(m, rows[i].index_id), rows[i].after);
    }
}

/* ------------------------------------------------------------------------------------------------- REG-21: code */

EACH_MACHINE(port, REG_21_REG_24_a_code_upload_across_the_limit_stores_word_by_word)
{
    struct list list = { .count = 0 };
    static const uint32_t words[4] = { 0x84000001, 0x84000002, 0x84000003, 0x84000004 };
    list_write(&list, PICA_REG_VSH_CODETRANSFER_INDEX, 0x1FE);
    list_write_many(&list, PICA_REG_VSH_CODETRANSFER_DATA0, false, words, 4);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "REG-21", state->units[VS].code[510], 0x84000001);
    EXPECT_EQ(m, "REG-21", state->units[VS].code[511], 0x84000002);
    EXPECT_EQ(m, "REG-21", state->units[VS].code[512], 0);
    EXPECT_EQ(m, "REG-24", state->registers[PICA_REG_VSH_CODETRANSFER_INDEX], 0x200);
    EXPECT_EQ(m, "REG-21", state->registers[PICA_REG_VSH_CODETRANSFER_DATA0], 0x84000004);
    EXPECT_EQ(m, "REG-27", state->units[GS].code[511], 0x84000002);
    EXPECT_EQ(m, "REG-27", state->units[GS].code[512], 0);
    EXPECT_ONLY_EVENTS(m, "REG-21", PICA_EVENT_CODE_INDEX_RANGE);
}

EACH_MACHINE(port, REG_21_vs_code_has_512_writable_words_and_gs_code_4096)
{
    static const struct {
        uint32_t unit, index;
        bool stored;
    } rows[] = {
        { VS, 0, true },           { VS, 511, true },         { VS, 512, false }, { VS, 4095, false },
        { GS, 511, true },         { GS, 512, true },         { GS, 4095, true }, { GS, 4096, false },
        { VS, 0x80000000, false }, { GS, 0xFFFFFFFF, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "unit %u index %u", (unsigned)rows[i].unit, (unsigned)rows[i].index);
        struct list list = { .count = 0 };
        list_write(&list, pica_reg_shader(rows[i].unit, PICA_REG_VSH_CODETRANSFER_INDEX), rows[i].index);
        list_write(&list, pica_reg_shader(rows[i].unit, PICA_REG_VSH_CODETRANSFER_DATA0), 0x84001234);
        machine_submit(m, &list);
        const uint32_t *const code = machine_state(m)->units[rows[i].unit].code;
        uint32_t sum = 0;
        for (uint32_t k = 0; k < PICA_CODE_WORDS; k++)
            sum += code[k] != 0u ? 1u : 0u;
        EXPECT_EQ(m, "REG-21", sum, rows[i].stored ? 1 : 0);
        if (rows[i].stored) {
            EXPECT_EQ(m, "REG-21", code[rows[i].index], 0x84001234);
            EXPECT_NO_EVENTS(m, "REG-21");
        } else {
            EXPECT_ONLY_EVENTS(m, "REG-21", PICA_EVENT_CODE_INDEX_RANGE);
        }
    }
}

EACH_MACHINE(port, REG_21_descriptors_128_to_4095_are_accepted_with_an_event)
{
    static const struct {
        uint32_t unit, index;
        bool stored, event;
    } rows[] = {
        { VS, 0, true, false },   { VS, 127, true, false },  { VS, 128, true, true },
        { VS, 4095, true, true }, { VS, 4096, false, true }, { GS, 127, true, false },
        { GS, 128, true, true },  { GS, 4095, true, true },  { GS, 0xFFFFFFFF, false, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "unit %u index %u", (unsigned)rows[i].unit, (unsigned)rows[i].index);
        struct list list = { .count = 0 };
        list_write(&list, pica_reg_shader(rows[i].unit, PICA_REG_VSH_OPDESCS_INDEX), rows[i].index);
        list_write(&list, pica_reg_shader(rows[i].unit, PICA_REG_VSH_OPDESCS_DATA0), 0x80001234);
        machine_submit(m, &list);
        if (rows[i].stored)
            EXPECT_EQ(m, "REG-21", machine_state(m)->units[rows[i].unit].opdesc[rows[i].index], 0x80001234);
        EXPECT_EQ(m, "REG-21", machine_state(m)->units[rows[i].unit].opdesc[0], rows[i].index == 0u ? 0x80001234 : 0);
        EXPECT(m, "REG-21", machine_event(m, PICA_EVENT_OPDESC_INDEX_RANGE) == rows[i].event);
    }
}

/* ------------------------------------------------------------------------------------------- REG-22, 23: uniforms */

/* Worked example 1 of section 5: c10 = (1, -1, 0.5, 3) in float24. */
EACH_MACHINE(port, REG_23_the_worked_float24_upload)
{
    static const uint32_t words[] = { 0x0000000A, 0x803F02C0, 0x4080003E, 0x0000BF00,
                                      0x003F0000, 0,          0x12345678, 0x000F0010 };
    machine_submit_words(m, words, 8);
    const struct pica_state *const state = machine_state(m);
    for (uint32_t unit = 0; unit < 2; unit++) {
        machine_case(m, "unit %u", (unsigned)unit);
        EXPECT_VECTOR(m, "REG-23", state->units[unit].uniforms[10], 0x3F800000, 0xBF800000, 0x3F000000, 0x40400000);
        EXPECT_EQ(m, "REG-22", state->units[unit].queue_length, 0);
    }
    EXPECT_EQ(m, "REG-22", state->registers[0x2C0], 0x0000000B);
    EXPECT_EQ(m, "REG-20", state->registers[0x2C1], 0x4080003E);
    EXPECT_EQ(m, "REG-20", state->registers[0x2C2], 0x0000BF00);
    EXPECT_EQ(m, "REG-20", state->registers[0x2C3], 0x003F0000);
    EXPECT_NO_EVENTS(m, "REG-22");
}

EACH_MACHINE(port, REG_23_float32_mode_takes_w_z_y_x)
{
    struct list list = { .count = 0 };
    static const uint32_t words[4] = { 0x44444444, 0x33333333, 0x22222222, 0x11111111 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000000);
    list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 4);
    list_write(&list, PICA_REG_GSH_FLOATUNIFORM_INDEX, 0x8000005F);
    list_write_many(&list, PICA_REG_GSH_FLOATUNIFORM_DATA0, true, words, 4);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_VECTOR(m, "REG-23", state->units[VS].uniforms[0], 0x11111111, 0x22222222, 0x33333333, 0x44444444);
    EXPECT_VECTOR(m, "REG-23", state->units[GS].uniforms[95], 0x11111111, 0x22222222, 0x33333333, 0x44444444);
    EXPECT_VECTOR(m, "REG-28", state->units[VS].uniforms[95], 0, 0, 0, 0);
    EXPECT_NO_EVENTS(m, "REG-22");
}

/* Each row: mode bits seen before each of the words; FLT-10 values of 24-bit pieces. */
EACH_MACHINE(port, REG_22_the_queue_survives_writes_of_the_index_register)
{
    struct list list = { .count = 0 };
    /* Two words in float24 mode, then float32 mode: the vector closes at 4 words as f32. */
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 1);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40000000);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40400000);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000002);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40800000);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-22", machine_state(m)->units[VS].queue_length, 3);
    EXPECT_ONLY_EVENTS(m, "REG-22", PICA_EVENT_UNIFORM_QUEUE_PARTIAL);
    machine_list_write(m, PICA_REG_VSH_FLOATUNIFORM_DATA0 + 3, 0x40A00000);
    EXPECT_VECTOR(m, "REG-22", machine_state(m)->units[VS].uniforms[2], 0x40A00000, 0x40800000, 0x40400000, 0x40000000);
    EXPECT_EQ(m, "REG-22", machine_register(m, PICA_REG_VSH_FLOATUNIFORM_INDEX), 0x80000003);
    /* Three words in float32 mode, then float24 mode: the fourth word closes it and is ignored. */
    machine_reset(m);
    list.count = 0;
    static const uint32_t words[3] = { 0x4080003E, 0x0000BF00, 0x003F0000 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000007);
    list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x00000008);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-22", machine_state(m)->units[VS].queue_length, 3); /* the step is taken when a word comes */
    machine_list_write(m, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0xFFFFFFFF);
    EXPECT_VECTOR(m, "REG-23", machine_state(m)->units[VS].uniforms[8], 0x3F800000, 0xBF800000, 0x3F000000, 0x40400000);
    EXPECT_EQ(m, "REG-22", machine_state(m)->units[VS].queue_length, 0);
    EXPECT_ONLY_EVENTS(m, "REG-22", PICA_EVENT_UNIFORM_QUEUE_PARTIAL);
}

/* The event needs 1-3 words in the queue of the same unit; masked writes to the index count as writes. */
EACH_MACHINE(port, REG_22_uniform_queue_partial_needs_one_to_three_queued_words)
{
    for (uint32_t words = 0; words <= 4; words++)
        for (uint32_t unit = 0; unit < 2; unit++) {
            machine_row(m, "%u words in the VS queue, index of unit %u", (unsigned)words, (unsigned)unit);
            struct list list = { .count = 0 };
            list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000000);
            for (uint32_t k = 0; k < words; k++)
                list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0);
            list_write_masked(&list, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX), 0, 0);
            machine_submit(m, &list);
            EXPECT(m, "REG-22",
                   machine_event(m, PICA_EVENT_UNIFORM_QUEUE_PARTIAL) == (unit == VS && words >= 1u && words <= 3u));
        }
}

EACH_MACHINE(port, REG_22_vectors_beyond_c95_are_dropped)
{
    static const struct {
        uint32_t index;
        bool stored;
        uint32_t after;
        bool range, bit7;
    } rows[] = {
        { 0x00, true, 0x01, false, false },
        { 0x5F, true, 0x60, false, false },
        { 0x60, false, 0x60, true, false },
        { 0x7F, false, 0x7F, true, false },
        { 0x80, true, 0x81, false, true },
        { 0xDF, true, 0xE0, false, true },
        { 0xE0, false, 0xE0, true, false },
        { 0x100, true, 0x101, false, false },
        { 0x7FFFFF00, true, 0x7FFFFF01, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t unit = 0; unit < 2; unit++) {
            machine_row(m, "unit %u index %08X", (unsigned)unit, (unsigned)rows[i].index);
            struct list list = { .count = 0 };
            static const uint32_t words[3] = { 0x4080003E, 0x0000BF00, 0x003F0000 };
            list_write(&list, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX), rows[i].index);
            list_write_many(&list, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_DATA0), false, words, 3);
            machine_submit(m, &list);
            const struct pica_state *const state = machine_state(m);
            uint32_t stored = 0;
            for (uint32_t c = 0; c < PICA_FLOAT_UNIFORMS; c++)
                stored += state->units[unit].uniforms[c].bits[0] == 0x3F800000u ? 1u : 0u;
            EXPECT_EQ(m, "REG-22", stored, rows[i].stored ? 1 : 0);
            if (rows[i].stored)
                EXPECT_EQ(m, "REG-22", state->units[unit].uniforms[rows[i].index & 0x7Fu].bits[0], 0x3F800000);
            EXPECT_EQ(m, "REG-22", state->registers[pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)],
                      rows[i].after);
            EXPECT_EQ(m, "REG-22", state->units[unit].queue_length, 0);
            EXPECT(m, "REG-22", machine_event(m, PICA_EVENT_UNIFORM_INDEX_RANGE) == rows[i].range);
            EXPECT(m, "REG-22", machine_event(m, PICA_EVENT_UNIFORM_INDEX_BIT7) == rows[i].bit7);
        }
}

/* 95, then two more vectors: c95 stored, index 96, the rest dropped (REG-24: not a stop of consumption). */
EACH_MACHINE(port, REG_24_words_beyond_the_last_vector_are_still_consumed)
{
    struct list list = { .count = 0 };
    static const uint32_t words[10] = { 1, 1, 1, 1, 2, 2, 2, 2, 3, 3 };
    list_write(&list, PICA_REG_GSH_FLOATUNIFORM_INDEX, 0x8000005F);
    list_write_many(&list, PICA_REG_GSH_FLOATUNIFORM_DATA0, false, words, 10);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_VECTOR(m, "REG-24", state->units[GS].uniforms[95], 1, 1, 1, 1);
    EXPECT_VECTOR(m, "REG-24", state->units[GS].uniforms[0], 0, 0, 0, 0);
    EXPECT_EQ(m, "REG-24", state->units[GS].queue_length, 2);
    EXPECT_EQ(m, "REG-24", state->units[GS].queue[0], 3);
    EXPECT_EQ(m, "REG-24", state->registers[PICA_REG_GSH_FLOATUNIFORM_INDEX], 0x80000060);
    EXPECT_ONLY_EVENTS(m, "REG-22", PICA_EVENT_UNIFORM_INDEX_RANGE);
}

/* Profile f24: float32-mode values are rounded by FLT-20. */
EACH_MACHINE(port, REG_23_float32_uniforms_are_rounded_in_profile_f24)
{
    machine_load_profile(m, PICA_PROFILE_F24);
    struct list list = { .count = 0 };
    list_uniform(&list, VS, 4, 0x3DCCCCCD, 0x80000000, 0x207FFFBF, 0x5F7FFFC0);
    machine_submit(m, &list);
    EXPECT_VECTOR(m, "REG-23", machine_state(m)->units[VS].uniforms[4], 0x3DCCCD00, 0, 0, 0x7F800000);
    EXPECT_VECTOR(m, "REG-27", machine_state(m)->units[GS].uniforms[4], 0x3DCCCD00, 0, 0, 0x7F800000);
}

/* -------------------------------------------------------------------------------------------- REG-25, 26: others */

EACH_MACHINE(port, REG_25_fixed_attributes_take_three_words_each)
{
    struct list list = { .count = 0 };
    list_fixed_attribute(&list, 0, 0x3F0000, 0xBF0000, 0x3E0000, 0x408000);
    machine_submit(m, &list);
    EXPECT_VECTOR(m, "REG-25", machine_state(m)->fixed[0], 0x3F800000, 0xBF800000, 0x3F000000, 0x40400000);
    EXPECT_EQ(m, "REG-25", machine_register(m, 0x232), 1);
    EXPECT_EQ(m, "REG-25", machine_state(m)->reset_armed, 1);
    EXPECT_NO_EVENTS(m, "REG-25");
    /* The index counts on: the next vector is fixed[1]. A write to 0x232 drops two queued words. */
    uint32_t words[3];
    float24_words(0x408000, 0, 0, 0x3F0000, words);
    list.count = 0;
    list_write_many(&list, 0x234, false, words, 3);
    list_write_many(&list, 0x235, false, words, 2);
    list_write(&list, 0x232, 7);
    list_write_many(&list, 0x233, false, words, 3);
    machine_submit(m, &list);
    EXPECT_VECTOR(m, "REG-25", machine_state(m)->fixed[1], 0x40400000, 0, 0, 0x3F800000);
    EXPECT_VECTOR(m, "REG-25", machine_state(m)->fixed[2], 0, 0, 0, 0);
    EXPECT_VECTOR(m, "REG-25", machine_state(m)->fixed[7], 0x40400000, 0, 0, 0x3F800000);
    EXPECT_EQ(m, "REG-25", machine_register(m, 0x232), 8);
    EXPECT_EQ(m, "REG-25", machine_state(m)->fixed_queue_length, 0);
    EXPECT_NO_EVENTS(m, "REG-25");
}

EACH_MACHINE(port, REG_25_the_index_has_four_bits_and_fifteen_is_immediate_mode)
{
    static const struct {
        uint32_t index, after;
        bool event;
    } rows[] = {
        { 0, 1, false },      { 11, 12, false }, { 12, 13, true },     { 13, 14, true },
        { 14, 15, true },     { 15, 15, false }, { 0x10, 0x11, true }, { 0x8000000B, 0x8000000C, true },
        { 0x1F, 0x1F, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "index %08X", (unsigned)rows[i].index);
        struct list list = { .count = 0 };
        list_write(&list, 0x242, 5); /* immediate vertices stay incomplete */
        list_fixed_attribute(&list, rows[i].index, 0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000);
        machine_submit(m, &list);
        const struct pica_state *const state = machine_state(m);
        const uint32_t i4 = rows[i].index & 15u;
        if (i4 != 15u)
            EXPECT_EQ(m, "REG-25", state->fixed[i4].bits[0], 0x3F800000);
        EXPECT_EQ(m, "REG-25", state->fixed[15].bits[0], 0);
        EXPECT_EQ(m, "REG-25", state->immediate[0].bits[0], i4 == 15u ? 0x3F800000 : 0);
        EXPECT_EQ(m, "REG-25", state->immediate_count, i4 == 15u ? 1 : 0);
        EXPECT_EQ(m, "REG-25", state->registers[0x232], rows[i].after);
        EXPECT(m, "REG-25", machine_event(m, PICA_EVENT_FIXATTR_INDEX) == rows[i].event);
    }
}

/* Sixteen vectors from index 0: fixed[0..14], then immediate mode. */
EACH_MACHINE(port, REG_25_after_14_comes_immediate_mode)
{
    struct list list = { .count = 0 };
    list_write(&list, 0x242, 5);
    list_write(&list, 0x232, 0);
    for (uint32_t i = 0; i < 17; i++) {
        uint32_t words[3];
        float24_words(0x3F0000 + i, 0, 0, 0, words);
        list_write_many(&list, 0x233, true, words, 3);
    }
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    for (uint32_t i = 0; i < 15; i++)
        EXPECT_EQ(m, "REG-25", state->fixed[i].bits[0], 0x3F800000 + (i << 7));
    EXPECT_EQ(m, "REG-25", state->immediate[0].bits[0], 0x3F800000 + (15 << 7));
    EXPECT_EQ(m, "REG-25", state->immediate[1].bits[0], 0x3F800000 + (16 << 7));
    EXPECT_EQ(m, "REG-25", state->immediate_count, 2);
    EXPECT_EQ(m, "REG-25", state->registers[0x232], 15);
    EXPECT_ONLY_EVENTS(m, "REG-25", PICA_EVENT_FIXATTR_INDEX);
}

EACH_MACHINE(port, REG_26_booleans_and_integers_come_from_the_merged_word)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_BOOLUNIFORM, 0xFFFF8001);
    list_write(&list, PICA_REG_GSH_BOOLUNIFORM, 0x00010F00);
    for (uint32_t k = 0; k < 4; k++) {
        list_write(&list, PICA_REG_VSH_INTUNIFORM_I0 + k, 0x04030201 + 0x10101010 * k);
        list_write(&list, PICA_REG_GSH_INTUNIFORM_I0 + k, 0xF4F3F2F1 - 0x10101010 * k);
    }
    list_write_masked(&list, PICA_REG_VSH_INTUNIFORM_I2, 0xAABBCCDD, 0x6);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "REG-26", state->units[VS].booleans, 0x8001);
    EXPECT_EQ(m, "REG-26", state->units[GS].booleans, 0x0F00);
    static const uint8_t vs[4][4] = {
        { 1, 2, 3, 4 }, { 0x11, 0x12, 0x13, 0x14 }, { 0x21, 0xCC, 0xBB, 0x24 }, { 0x31, 0x32, 0x33, 0x34 }
    };
    static const uint8_t gs[4][4] = { { 0xF1, 0xF2, 0xF3, 0xF4 },
                                      { 0xE1, 0xE2, 0xE3, 0xE4 },
                                      { 0x21, 0xCC, 0xBB, 0x24 }, /* REG-27: the later VS write copies all of i2 */
                                      { 0xC1, 0xC2, 0xC3, 0xC4 } };
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t c = 0; c < 4; c++) {
            machine_case(m, "i%u component %u", (unsigned)k, (unsigned)c);
            EXPECT_EQ(m, "REG-26", state->units[VS].integers[k][c], vs[k][c]);
            EXPECT_EQ(m, "REG-27", state->units[GS].integers[k][c], gs[k][c]);
        }
    EXPECT_EQ(m, "REG-27", state->registers[PICA_REG_GSH_INTUNIFORM_I2], 0xD4D3D2D1);
}
