/* 20-geometry.md section 2: fixed attributes and immediate mode (VTX-40 to VTX-45), the attribute counts (VTX-13). */
#include "tests/conformance/fetch_probe.h"

static const uint32_t ONE = 0x3F800000;

/* x, y, z, w = n, 0, 0, 1 as immediate vector; small integers are exact in float24. */
static void list_vector(struct list *list, uint32_t n)
{
    uint32_t words[3];
    float24_words(float24(n), 0, 0, 0x3F0000, words);
    list_write_many(list, PICA_REG_FIXEDATTRIB_DATA0, true, words, 3);
}

EACH_MACHINE(fetch, VTX_40_a_write_of_the_index_clears_queue_and_counter_and_arms_the_reset)
{
    struct list list = { .count = 0 };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_VSH_NUM_ATTR, 2); /* three vectors a vertex */
    byte_pipeline(m, &list, &changes);
    list_draw(&list, 2); /* two vertices wait */
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_vector(&list, 7);
    list_vector(&list, 8);
    list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 0x123);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-41", machine_state(m)->immediate_count, 2);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->fixed_queue_length, 1);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->reset_armed, 1);
    machine_list_write(m, PICA_REG_FIXEDATTRIB_INDEX, 15);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->immediate_count, 0);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->fixed_queue_length, 0);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->reset_armed, 1);
    EXPECT_EQ(m, "VTX-40", byte_assembler(m)->count, 2); /* the assembler is not reset */
    EXPECT_EQ(m, "VTX-42", machine_state(m)->immediate[1].bits[0], integer(8));
}

/* Without any write of 0x232 fifteen vectors lead to immediate mode (REG-25), and its vertices latch nothing. */
EACH_MACHINE(fetch, VTX_40_at_power_up_the_reset_is_not_armed)
{
    EXPECT_EQ(m, "VTX-40, REG-04", machine_state(m)->reset_armed, 0);
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 2);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 3);
    for (uint32_t i = 0; i < 16; i++)
        list_vector(&list, 20u + i);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-25", machine_state(m)->immediate[0].bits[0], integer(35));
    EXPECT_EQ(m, "VTX-40", machine_state(m)->geometry.vectors_per_vertex, 0);
    EXPECT_EQ(m, "VTX-40", machine_state(m)->geometry.in_use, 0);
    EXPECT_EQ(m, "VTX-40, GSH-02", buffered_x(m, 0), integer(35)); /* straight to the assembler */
}

/* 0x242[3:0] + 1 vectors make a vertex, whatever 0x202 says. */
EACH_MACHINE(fetch, VTX_41_0x242_says_how_many_vectors_make_a_vertex)
{
    for (uint32_t attributes = 1; attributes <= 16; attributes++) {
        machine_row(m, "%u vectors", (unsigned)attributes);
        struct list list = { .count = 0 };
        struct list changes = { .count = 0 };
        list_write(&changes, PICA_REG_VSH_NUM_ATTR, 0xFFFFFF00 | (attributes - 1u));
        byte_pipeline(m, &list, &changes);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        for (uint32_t k = 0; k < attributes - 1u; k++)
            list_vector(&list, k + 1u);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-41", byte_assembler(m)->count, 0);
        EXPECT_EQ(m, "VTX-41", machine_state(m)->immediate_count, attributes - 1u);
        list.count = 0;
        list_vector(&list, 100);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-41", byte_assembler(m)->count, 1);
        EXPECT_EQ(m, "VTX-41", machine_state(m)->immediate_count, 0);
        EXPECT_EQ(m, "VTX-41", machine_state(m)->immediate[attributes - 1u].bits[0], integer(100));
        EXPECT_EQ(m, "VTX-42", buffered_x(m, 0), attributes == 1u ? integer(100) : integer(1));
        EXPECT_EQ(m, "VTX-42", machine_state(m)->reset_armed, 0);
    }
}

/* VTX-42, VTX-45: the permutation applies; imm[] keeps old vectors in entries that a vertex does not write. */
EACH_MACHINE(fetch, VTX_42_VTX_45_immediate_vertices_use_the_permutation_and_old_vectors)
{
    struct list list = { .count = 0 };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_VSH_NUM_ATTR, 1);
    list_write(&changes, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000001);
    list_write(&changes, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x01); /* v1 = imm[0], v0 = imm[1] */
    byte_pipeline(m, &list, &changes);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_vector(&list, 5);
    list_vector(&list, 6);
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 0);
    list_vector(&list, 7);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-45", byte_assembler(m)->count, 2);
    EXPECT_EQ(m, "VTX-45", byte_assembler(m)->buffer[0].slots[0], integer(6));
    EXPECT_EQ(m, "VTX-45", byte_assembler(m)->buffer[0].slots[4], integer(5));
    EXPECT_EQ(m, "VTX-42", byte_assembler(m)->buffer[1].slots[0], integer(6)); /* imm[1] of the vertex before */
    EXPECT_EQ(m, "VTX-42", byte_assembler(m)->buffer[1].slots[4], integer(7));
}

/* Entries never written are 0, not (0,0,0,1): NI = 2 with one vector. */
EACH_MACHINE(fetch, VTX_42_immediate_entries_start_as_zero)
{
    struct list list = { .count = 0 };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000001);
    byte_pipeline(m, &list, &changes);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_vector(&list, 5);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", byte_assembler(m)->buffer[0].slots[3], ONE);
    EXPECT_EQ(m, "VTX-42", byte_assembler(m)->buffer[0].slots[7], 0);
}

/* The first vertex after the write of 0x232 latches the configuration, later ones do not. */
EACH_MACHINE(fetch, VTX_42_the_first_immediate_vertex_latches_the_configuration)
{
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 3);
    list_vector(&list, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 8);
    list_vector(&list, 2);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->geometry.vectors_per_vertex, 4);
    list.count = 0;
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->geometry.vectors_per_vertex, 4);
    list.count = 0;
    list_vector(&list, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->geometry.vectors_per_vertex, 9);
}

/*
 * One triangle by immediate vertices of six vectors; the colour register changes after the third vertex are too late.
 */
EACH_MACHINE(fetch, VTX_44_immediate_triangles_see_the_registers_of_their_moment)
{
    static const double corners[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    for (uint32_t v = 0; v < 4; v++) {
        for (uint32_t k = 0; k < 6; k++) {
            uint32_t words[3];
            if (k == 0u)
                float24_words(float24(corners[v][0]), float24(corners[v][1]), float24(-0.5), 0x3F0000, words);
            else
                float24_words(0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000, words);
            list_write_many(&list, PICA_REG_FIXEDATTRIB_DATA0, true, words, 3);
        }
        if (v == 2u)
            list_write(&list, PICA_REG_DEPTH_COLOR_MASK, 0x1100); /* only red for the second triangle */
    }
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-44", probe_covered(m, 0), 64);
    EXPECT_PIXEL(m, "VTX-44", 0, 0, 255, 255, 255, 255);
    EXPECT_PIXEL(m, "VTX-44", 7, 7, 255, 0, 0, 0);
    EXPECT_NO_EVENTS(m, "VTX-44");
}

/* Limit 1, used up by a draw of one vertex: the immediate vertex is discarded. */
EACH_MACHINE(fetch, VTX_44_immediate_vertices_beyond_the_budget_are_discarded)
{
    LOAD_LIMIT(m, vertices, 1);
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 0);  /* would be outmap-total */
    list_write(&list, PICA_REG_VSH_ENTRYPOINT, 600); /* would be entry-range */
    list_vector(&list, 9);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-44", byte_assembler(m)->count, 1);
    EXPECT_EQ(m, "VTX-44", machine_state(m)->immediate_count, 0);
    EXPECT_EQ(m, "VTX-44", machine_state(m)->immediate[0].bits[0], integer(9));
    EXPECT_EQ(m, "VTX-44", machine_state(m)->reset_armed, 1);
    EXPECT_EVENT(m, "VTX-44", PICA_EVENT_BUDGET_VERTS);
    EXPECT_NO_EVENT(m, "VTX-44", PICA_EVENT_OUTMAP_TOTAL);
    EXPECT_NO_EVENT(m, "VTX-44", PICA_EVENT_ENTRY_RANGE);
}

/* attr-count: both kinds of draws. */
EACH_MACHINE(fetch, VTX_13_array_and_element_draws_compare_the_counts)
{
    for (uint32_t trigger = PICA_REG_DRAWARRAYS; trigger <= PICA_REG_DRAWELEMENTS; trigger++)
        for (uint32_t vectors = 0; vectors < 2; vectors++) {
            machine_row(m, "%03X, 242 = %u", (unsigned)trigger, (unsigned)vectors);
            struct list list = byte_list(m, NULL);
            list_write(&list, PICA_REG_VSH_NUM_ATTR, vectors);
            list_write(&list, trigger, 1);
            machine_submit(m, &list);
            EXPECT(m, "VTX-13", machine_event(m, PICA_EVENT_ATTR_COUNT) == (vectors == 1u));
        }
}

/* A draw between the write of 0x232 and the vertex neither disarms the reset nor replaces it. */
EACH_MACHINE(fetch, VTX_42_a_draw_does_not_disarm_the_reset)
{
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->reset_armed, 1);
    list.count = 0;
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 11);
    list_vector(&list, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->reset_armed, 0);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->geometry.vectors_per_vertex, 12);
}

/* Loader events exist in draws only: with an unaligned, duplicate, overlong array configured, a vertex records none. */
EACH_MACHINE(fetch, VTX_13_loader_and_attribute_events_exist_in_draws_only)
{
    struct list list = { .count = 0 };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 3);
    list_write(&changes, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0x10010000);
    list_write(&changes, PICA_REG_ATTRIBBUFFER0_OFFSET, 1);
    list_write(&changes, PICA_REG_ATTRIBBUFFER0_CONFIG2, 15u << 28 | 1u << 16);
    byte_pipeline(m, &list, &changes);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    list_vector(&list, 1);
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 0);
    list_vector(&list, 2);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", byte_assembler(m)->count, 2);
    EXPECT_ONLY_EVENTS(m, "VTX-13", PICA_EVENT_OUTMAP_TOTAL);
}

/* fourth-unit-differs (R) is decided behind the configuration that this vertex latches. */
EACH_MACHINE(fetch, SHD_12_VTX_42_the_fourth_unit_may_take_immediate_vertices_too)
{
    for (uint32_t in_use = 0; in_use < 2; in_use++) {
        machine_row(m, "geometry stage %s", in_use != 0 ? "on" : "off");
        struct list list = byte_list(m, NULL);
        list_write(&list, PICA_REG_GSH_BOOLUNIFORM, 1);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 2 * in_use);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        list_vector(&list, 5);
        machine_submit(m, &list);
        if (in_use == 0)
            EXPECT_EVENT(m, "SHD-12", PICA_EVENT_FOURTH_UNIT_DIFFERS);
        else
            EXPECT_NO_EVENT(m, "SHD-12", PICA_EVENT_FOURTH_UNIT_DIFFERS);
    }
}
