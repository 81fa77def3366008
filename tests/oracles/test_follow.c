/* The follower of registers and ports: numbers by REG-20 to REG-25 and CMD-05. */
#include "oracles/follow.h"

#include <criterion/criterion.h>

static struct oracle_follower follower;

static void start(void)
{
    oracle_follow_start(&follower, NULL);
}

static struct oracle_element write(uint32_t id, uint32_t value)
{
    return oracle_follow_write(&follower, id, 15, value);
}

TestSuite(follow, .init = start);

Test(follow, CMD_05_a_mask_writes_bytes_and_makes_only_them_known)
{
    write(PICA_REG_FOG_COLOR, 0x11223344);
    (void)oracle_follow_write(&follower, PICA_REG_FOG_COLOR, 5, 0xAABBCCDD);
    cr_expect_eq(follower.values[PICA_REG_FOG_COLOR], 0x11BB33DD);
    oracle_follow_lose(&follower);
    (void)oracle_follow_write(&follower, PICA_REG_FOG_COLOR, 5, 0);
    cr_expect_eq(follower.known[PICA_REG_FOG_COLOR], 0x00FF00FF);
}

Test(follow, REG_05_ids_beyond_the_file_change_nothing)
{
    cr_expect_eq(oracle_follow_write(&follower, PICA_REGISTERS, 15, 1).port, ORACLE_PORT_NONE);
}

Test(follow, REG_20_every_id_of_a_port_takes_a_word)
{
    uint32_t unit = 7;
    cr_expect_eq(oracle_port_of(PICA_REG_GSH_OPDESCS_DATA7, &unit), ORACLE_PORT_OPDESCS);
    cr_expect_eq(unit, PICA_UNIT_GEOMETRY);
    cr_expect_eq(oracle_port_of(PICA_REG_FOG_LUT_DATA0, &unit), ORACLE_PORT_NONE);
    for (uint32_t i = 0; i < 8; i++) {
        const struct oracle_element element = write(PICA_REG_GSH_OPDESCS_DATA0 + i, 0);
        cr_expect_eq(element.port, ORACLE_PORT_OPDESCS);
        cr_expect_eq(element.unit, PICA_UNIT_GEOMETRY);
        cr_expect_eq(element.index, i);
    }
    cr_expect_eq(follower.values[PICA_REG_GSH_OPDESCS_INDEX], 8);
}

Test(follow, REG_21_the_index_of_vertex_code_stops_at_512)
{
    write(PICA_REG_VSH_CODETRANSFER_INDEX, 511);
    cr_expect_eq(write(PICA_REG_VSH_CODETRANSFER_DATA0, 0).index, 511);
    cr_expect_eq(write(PICA_REG_VSH_CODETRANSFER_DATA7, 0).index, 512, "the list goes on");
    cr_expect_eq(follower.values[PICA_REG_VSH_CODETRANSFER_INDEX], 512, "the machine does not");
}

Test(follow, REG_22_a_uniform_takes_three_words_or_four_and_its_queue_outlives_an_index)
{
    write(PICA_REG_VSH_FLOATUNIFORM_INDEX, 5);
    cr_expect_eq(write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0).port, ORACLE_PORT_NONE);
    cr_expect_eq(write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0).port, ORACLE_PORT_NONE);
    write(PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000000 | 95);
    cr_expect_eq(write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0).port, ORACLE_PORT_NONE, "the third of four");
    const struct oracle_element element = write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0);
    cr_expect_eq(element.port, ORACLE_PORT_UNIFORMS);
    cr_expect_eq(element.index, 95);
    cr_expect_eq(element.words, 4);
    cr_expect(element.float32);
    cr_expect_eq(follower.values[PICA_REG_VSH_FLOATUNIFORM_INDEX], 0x80000000 | 96);
    for (uint32_t i = 0; i < 4; i++)
        write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0);
    cr_expect_eq(follower.values[PICA_REG_VSH_FLOATUNIFORM_INDEX], 0x80000000 | 96, "96: the vector is dropped");
}

Test(follow, REG_25_after_attribute_14_come_vertices)
{
    write(PICA_REG_VSH_NUM_ATTR, 1);
    write(PICA_REG_FIXEDATTRIB_INDEX, 14);
    struct oracle_element elements[4];
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t word = 0; word < 3; word++)
            elements[i] = write(PICA_REG_FIXEDATTRIB_DATA0 + word, 0);
    cr_expect(!elements[0].immediate && elements[0].index == 14);
    cr_expect(elements[1].immediate && elements[1].index == 0 && elements[1].vertex == 0);
    cr_expect(elements[2].immediate && elements[2].index == 1 && elements[2].vertex == 0);
    cr_expect(elements[3].immediate && elements[3].index == 0 && elements[3].vertex == 1);
    cr_expect_eq(follower.values[PICA_REG_FIXEDATTRIB_INDEX], 15);
}

Test(follow, REG_25_an_index_empties_the_queue_of_attributes)
{
    write(PICA_REG_FIXEDATTRIB_DATA0, 0);
    write(PICA_REG_FIXEDATTRIB_DATA1, 0);
    write(PICA_REG_FIXEDATTRIB_INDEX, 3);
    cr_expect_eq(write(PICA_REG_FIXEDATTRIB_DATA2, 0).port, ORACLE_PORT_NONE);
    cr_expect_eq(follower.queue[ORACLE_PORT_FIXED][0], 1);
}

Test(follow, what_is_lost_is_known_again_when_it_is_written)
{
    oracle_follow_lose(&follower);
    cr_expect(!write(PICA_REG_VSH_CODETRANSFER_DATA0, 0).is_known);
    write(PICA_REG_VSH_CODETRANSFER_INDEX, 9);
    const struct oracle_element code = write(PICA_REG_VSH_CODETRANSFER_DATA0, 0);
    cr_expect(code.is_known && code.index == 9);
    write(PICA_REG_FIXEDATTRIB_INDEX, 2);
    write(PICA_REG_FIXEDATTRIB_DATA0, 0);
    write(PICA_REG_FIXEDATTRIB_DATA0, 0);
    cr_expect(write(PICA_REG_FIXEDATTRIB_DATA0, 0).is_known);
    write(PICA_REG_VSH_FLOATUNIFORM_INDEX, 2);
    const struct oracle_element uniform = write(PICA_REG_VSH_FLOATUNIFORM_DATA0, 0);
    cr_expect(uniform.port == ORACLE_PORT_UNIFORMS && !uniform.is_known, "nobody knows what waits in the queue");
}
