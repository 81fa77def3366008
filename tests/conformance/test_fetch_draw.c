/* 20-geometry.md section 2: draws (VTX-20 to VTX-26). Immediate mode: test_fetch_immediate.c. */
#include "tests/conformance/fetch_probe.h"

static const uint32_t FCRAM_END = 0x20000000u + FCRAM_WINDOW_SIZE;

/* ------------------------------------------------------------------------------------------------- VTX-20, VTX-21 */

EACH_MACHINE(fetch, VTX_20_array_draws_load_i_plus_the_vertex_offset)
{
    static const uint32_t offsets[] = { 0, 7, 0xFFFFFFFF };
    static const uint32_t first[] = { 1, 8, 0 }; /* vertex 0xFFFFFFFF: stride 1, the byte in front of the array is 0 */
    static const uint32_t second[] = { 2, 9, 1 };
    for (size_t i = 0; i < 3; i++) {
        machine_row(m, "offset %08X", (unsigned)offsets[i]);
        struct list list = byte_list(m, NULL);
        list_write(&list, PICA_REG_VERTEX_OFFSET, offsets[i]);
        list_draw(&list, 2);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-20", byte_assembler(m)->count, 2);
        EXPECT_EQ(m, "VTX-20", buffered_x(m, 0), integer((int32_t)first[i]));
        EXPECT_EQ(m, "VTX-20", buffered_x(m, 1), integer((int32_t)second[i]));
    }
}

/* 8 and 16-bit indices, unaligned; 0xFF and 0xFFFF are ordinary; 0x22A is not used. */
EACH_MACHINE(fetch, VTX_21_indices_have_8_or_16_bits)
{
    static const struct {
        const char *what;
        uint32_t config;
        uint8_t bytes[4];
        int32_t first, second;
    } rows[] = {
        { "8 bits", 0x00000000, { 5, 3, 0, 0 }, 6, 4 },
        { "8 bits, FF", 0x00000000, { 0xFF, 0, 0, 0 }, 256, 1 },
        { "16 bits", 0x80000000, { 5, 0, 3, 0 }, 6, 4 },
        { "16 bits, unaligned", 0x80000001, { 5, 0, 3, 0 }, 6, 4 },
        { "bits 30:28 ignored", 0x70000003, { 9, 8, 0, 0 }, 10, 9 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct list list = { .count = 0 };
        struct list changes = { .count = 0 };
        list_write(&changes, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 2); /* s16, stride 1: 256 fits */
        byte_pipeline(m, &list, &changes);
        /* element v reads bytes v, v + 1: make it the byte v + 1 followed by a zero: 512 bytes, s16 */
        uint8_t shorts[514];
        for (uint32_t v = 0; v < 257; v++) {
            shorts[2 * v] = (uint8_t)((v + 1u) & 0xFFu);
            shorts[2 * v + 1] = (uint8_t)((v + 1u) >> 8);
        }
        machine_load(m, BYTE_ARRAY, shorts, sizeof shorts);
        machine_load(m, BYTE_ARRAY + 0x1000 + (rows[i].config & 0xFFu), rows[i].bytes, 4);
        list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 2u << 16);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, rows[i].config + 0x1000);
        list_write(&list, PICA_REG_VERTEX_OFFSET, 77);
        list_draw_indexed(&list, 2);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-21", buffered_x(m, 0), integer(rows[i].first));
        EXPECT_EQ(m, "VTX-21", buffered_x(m, 1), integer(rows[i].second));
        EXPECT_NO_EVENT(m, "VTX-22", PICA_EVENT_INDEX_OOB);
        EXPECT_NO_EVENT(m, "VTX-22", PICA_EVENT_MEM_OOB);
    }
}

/* 0xFFFF is a vertex number like any other, not a restart: four vertices make one triangle and leave one. */
EACH_MACHINE(fetch, VTX_21_there_is_no_restart_index)
{
    static const uint8_t indices[8] = { 0, 0, 0xFF, 0xFF, 1, 0, 2, 0 };
    struct list list = byte_list(m, NULL);
    machine_load(m, BYTE_ARRAY + 0x1000, indices, 8);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x80001000);
    list_draw_indexed(&list, 4);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-21", byte_assembler(m)->count, 1);
    EXPECT_EQ(m, "VTX-21", buffered_x(m, 0), integer(3));
}

/* ------------------------------------------------------------------------------------------------- VTX-22, VTX-23 */

EACH_MACHINE(fetch, VTX_22_an_index_list_outside_memory_draws_nothing)
{
    static const struct {
        const char *what;
        uint32_t config, count, trigger;
        uint32_t waiting;
        bool index_oob, mem_oob;
    } rows[] = {
        { "first byte outside", 0x38000, 2, 0x22F, 0, true, false },
        { "first byte outside, 16 bits", 0x80038000, 2, 0x22F, 0, true, false },
        { "no vertices", 0x38000, 0, 0x22F, 0, false, false },
        { "array draws do not look", 0x38000, 2, 0x22E, 2, false, false },
        { "second index outside", 0x37FFF, 2, 0x22F, 2, false, true },
        { "half of the first index outside", 0x80037FFF, 1, 0x22F, 1, false, true },
        { "last index inside", 0x80037FFC, 2, 0x22F, 2, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct list list = byte_list(m, NULL);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, rows[i].config);
        list_write(&list, PICA_REG_NUMVERTICES, rows[i].count);
        list_write(&list, rows[i].trigger, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-22", byte_assembler(m)->count, rows[i].waiting);
        EXPECT(m, "VTX-22", machine_event(m, PICA_EVENT_INDEX_OOB) == rows[i].index_oob);
        EXPECT(m, "VTX-22", machine_event(m, PICA_EVENT_MEM_OOB) == rows[i].mem_oob);
    }
}

/* Outside index bytes read 0: 16-bit index 0x??05 with its high byte outside is 5. */
EACH_MACHINE(fetch, VTX_22_later_outside_index_bytes_read_zero)
{
    struct list list = byte_list(m, NULL);
    static const uint8_t five = 5;
    machine_load(m, FCRAM_END - 1, &five, 1);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x80037FFF);
    list_draw_indexed(&list, 2);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-22", buffered_x(m, 0), integer(6));
    EXPECT_EQ(m, "VTX-22", buffered_x(m, 1), integer(1));
}

/* Step (a) and the draw-level events happen although the index list is outside. */
EACH_MACHINE(fetch, VTX_22_VTX_20_the_configuration_is_latched_all_the_same)
{
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 0);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 4);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x38000);
    list_draw_indexed(&list, 2);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-20", machine_state(m)->geometry.vectors_per_vertex, 5);
    EXPECT_EVENT(m, "VTX-22", PICA_EVENT_INDEX_OOB);
    EXPECT_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_TOTAL);
}

/* Indices 0 and 1 lie in memory, the third is outside: with a limit of 2 it is not read. */
EACH_MACHINE(fetch, VTX_23_a_draw_ends_when_the_budget_is_exhausted)
{
    static const struct {
        uint32_t limit, waiting;
        bool budget, mem_oob;
    } rows[] = { { 1, 1, true, false }, { 2, 2, true, false }, { 3, 0, true, true }, { 4, 1, false, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD_LIMIT(m, vertices, rows[i].limit);
        machine_case(m, "limit %u", (unsigned)rows[i].limit);
        struct list list = byte_list(m, NULL);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x37FFE);
        list_draw_indexed(&list, 4);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-23", byte_assembler(m)->count, rows[i].waiting);
        EXPECT(m, "VTX-23", machine_event(m, PICA_EVENT_BUDGET_VERTS) == rows[i].budget);
        EXPECT(m, "VTX-23", machine_event(m, PICA_EVENT_MEM_OOB) == rows[i].mem_oob);
    }
}

/* ------------------------------------------------------------------------------------------------- VTX-24 to VTX-26 */

/* The same index again after the vertex changed in memory is impossible inside a draw; cache registers do nothing. */
EACH_MACHINE(fetch, VTX_24_the_post_vertex_cache_is_unobservable)
{
    static const uint8_t indices[5] = { 4, 4, 4, 9, 4 };
    static const uint32_t values[] = { 0, 1, 0xFF, 0xFFFFFFFF };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        machine_row(m, "22D = %08X", (unsigned)values[i]);
        struct list list = byte_list(m, NULL);
        machine_load(m, BYTE_ARRAY + 0x1000, indices, 5);
        list_write(&list, PICA_REG_POST_VERTEX_CACHE_NUM, values[i]);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x1000);
        list_draw_indexed(&list, 5);
        list_write(&list, PICA_REG_VTX_FUNC, values[i]);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-24", byte_assembler(m)->count, 2);
        EXPECT_EQ(m, "VTX-24", buffered_x(m, 0), integer(10));
        EXPECT_EQ(m, "VTX-24", buffered_x(m, 1), integer(5));
    }
}

/* Between two draws the vertex changes in memory: the second draw sees the new byte whatever a cache keeps. */
EACH_MACHINE(fetch, VTX_24_the_next_draw_loads_its_vertices_anew)
{
    struct list list = byte_list(m, NULL);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-24", buffered_x(m, 0), integer(1));
    static const uint8_t changed = 200;
    machine_load(m, BYTE_ARRAY, &changed, 1);
    machine_list_write(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_EQ(m, "VTX-24", buffered_x(m, 1), integer(200));
}

EACH_MACHINE(fetch, VTX_25_a_draw_of_0_vertices_only_configures)
{
    struct list list = byte_list(m, NULL);
    list_draw(&list, 2);
    list_write(&list, PICA_REG_NUMVERTICES, 0);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 6);
    list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 0); /* its event belongs to draws with vertices */
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-25", byte_assembler(m)->count, 2);
    EXPECT_EQ(m, "VTX-25", machine_state(m)->geometry.vectors_per_vertex, 7);
    EXPECT_NO_EVENT(m, "VTX-25", PICA_EVENT_OUTMAP_TOTAL);
}

/* Any count with any topology: what is left in the assembler (PRM-03, PRM-04). */
EACH_MACHINE(fetch, VTX_26_any_vertex_count_is_legal)
{
    for (uint32_t topology = 0; topology < 4; topology++)
        for (uint32_t n = 1; n <= 7; n++) {
            machine_row(m, "topology %u, %u vertices", (unsigned)topology, (unsigned)n);
            struct list list = byte_list(m, NULL);
            list_write(&list, PICA_REG_PRIMITIVE_CONFIG, topology << 8);
            list_draw(&list, n);
            machine_submit(m, &list);
            const bool list_like = topology == 0u || topology == 3u;
            uint32_t waiting = n % 3u;
            if (topology == 1u)
                waiting = n % 2u;
            if (topology == 2u)
                waiting = 1;
            EXPECT_EQ(m, "VTX-26", byte_assembler(m)->count, waiting);
            EXPECT_EQ(m, "VTX-26", byte_assembler(m)->ready, !list_like && n >= 2u ? 1 : 0);
            EXPECT_EQ(m, "VTX-26", machine_interrupts(m, 5), 1);
        }
}
