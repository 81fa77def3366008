/* 10-command-stream.md section 1: physical memory. */
#include "tests/conformance/machine.h"

/* A storage register without any effect (REG-06). */
enum {
    SCRATCH = 0x045
};

static const uint32_t FCRAM_END = 0x20000000u + FCRAM_WINDOW_SIZE;

/* Draws one vertex of one attribute with `type_and_size` from address base + offset; the vertex stays buffered. */
static void fetch_one(struct machine *m, uint32_t base, uint32_t offset, uint32_t descriptor)
{
    struct list list = probe_list();
    list_write(&list, PICA_REG_ATTRIBBUFFERS_LOC, base >> 3);
    list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, descriptor);
    list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
    list_write(&list, PICA_REG_ATTRIBBUFFER0_OFFSET, offset);
    list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0);
    list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 16u << 16);
    list_write(&list, PICA_REG_NUMVERTICES, 1);
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, 0);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
}

static uint32_t fetched(struct machine *m, uint32_t component)
{
    return machine_state(m)->assembler.buffer[0].slots[component];
}

/* ------------------------------------------------------------------------------------------------- MEM-01 windows */

EACH_MACHINE(memory, MEM_01_window_bytes_that_the_case_does_not_set_start_as_zero)
{
    machine_load_word(m, 0x20000000, 0x11223344);
    machine_reset(m);
    for (uint32_t address = 0x20000000u; address < FCRAM_END; address += 0x1000) {
        machine_case(m, "%08X", (unsigned)address);
        EXPECT_EQ(m, "MEM-01", machine_word(m, address), 0);
    }
    EXPECT_EQ(m, "MEM-01", machine_word(m, FCRAM_END - 4), 0);
    EXPECT_NO_EVENTS(m, "MEM-01");
}

EACH_MACHINE(memory, MEM_01_initial_contents_are_applied_in_order)
{
    static const uint8_t first[4] = { 1, 2, 3, 4 };
    static const uint8_t second[2] = { 9, 8 };
    const struct pica_chunk chunks[] = { { 0x20000FFE, 4, first }, { 0x20001000, 2, second } };
    struct pica_setup setup = machine_default_setup();
    setup.chunks = chunks;
    setup.chunk_count = 2;
    machine_load_setup(m, &setup);
    static const uint8_t expected[5] = { 1, 2, 9, 8, 0 };
    EXPECT_BYTES(m, "MEM-01", 0x20000FFE, expected, 5);
    EXPECT_NO_EVENTS(m, "MEM-08");
}

static enum pica_status load_windows(struct machine *m, const struct pica_window *windows, uint32_t count)
{
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = count;
    return m->backend->load(m->instance, &setup);
}

EACH_MACHINE(memory, MEM_01_only_windows_inside_vram_or_fcram_are_accepted)
{
    static const struct {
        const char *what;
        uint32_t count;
        struct pica_window windows[2];
        enum pica_status expected;
    } rows[] = {
        { "all of VRAM", 1, { { 0x18000000, 0x600000 } }, PICA_OK },
        { "last page of VRAM", 1, { { 0x185FF000, 0x1000 } }, PICA_OK },
        { "last page of FCRAM", 1, { { 0x27FFF000, 0x1000 } }, PICA_OK },
        { "touching", 2, { { 0x18001000, 0x1000 }, { 0x18000000, 0x1000 } }, PICA_OK },
        { "below VRAM", 1, { { 0x17FFF000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "VRAM hole", 1, { { 0x18600000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "past the end of VRAM", 1, { { 0x185FF000, 0x2000 } }, PICA_BAD_ARGUMENT },
        { "New-3DS RAM", 1, { { 0x1F000000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "AXI WRAM", 1, { { 0x1FF80000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "past the end of FCRAM", 1, { { 0x27FFF000, 0x2000 } }, PICA_BAD_ARGUMENT },
        { "past FCRAM", 1, { { 0x28000000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "I/O", 1, { { 0x10400000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "base no multiple of 0x1000", 1, { { 0x20000800, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "size no multiple of 0x1000", 1, { { 0x20000000, 0x1800 } }, PICA_BAD_ARGUMENT },
        { "size 0", 1, { { 0x20000000, 0 } }, PICA_BAD_ARGUMENT },
        { "size wraps", 1, { { 0x20001000, 0xFFFFF000 } }, PICA_BAD_ARGUMENT },
        { "overlap", 2, { { 0x20000000, 0x2000 }, { 0x20001000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "same", 2, { { 0x20000000, 0x1000 }, { 0x20000000, 0x1000 } }, PICA_BAD_ARGUMENT },
        { "none", 0, { { 0x20000000, 0x1000 } }, PICA_BAD_ARGUMENT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%s", rows[i].what);
        EXPECT_EQ(m, "MEM-01", (uint32_t)load_windows(m, rows[i].windows, rows[i].count), (uint32_t)rows[i].expected);
    }
}

EACH_MACHINE(memory, MEM_01_there_may_be_sixteen_windows)
{
    struct pica_window windows[17];
    for (uint32_t i = 0; i < 17; i++)
        windows[i] = (struct pica_window){ 0x20000000u + 0x2000u * i, 0x1000 };
    EXPECT_EQ(m, "MEM-01", (uint32_t)load_windows(m, windows, 17), (uint32_t)PICA_BAD_ARGUMENT);
    EXPECT_EQ(m, "MEM-01", (uint32_t)load_windows(m, windows, 16), (uint32_t)PICA_OK);
    for (uint32_t i = 0; i < 16; i++) {
        machine_load_word(m, windows[i].address + 0xFFC, 0x5A000000u + i);
        machine_load_word(m, windows[i].address + 0x1000, 0xFFFFFFFF);
    }
    for (uint32_t i = 0; i < 16; i++) {
        machine_case(m, "window %u", (unsigned)i);
        EXPECT_EQ(m, "MEM-01", machine_word(m, windows[i].address + 0xFFC), 0x5A000000u + i);
        EXPECT_EQ(m, "MEM-02", machine_word(m, windows[i].address + 0x1000), 0);
    }
}

/* Two windows that touch, declared in the wrong order; a list and a vertex lie across the border. */
EACH_MACHINE(memory, MEM_01_two_windows_that_touch_behave_like_one)
{
    const struct pica_window windows[] = { { 0x20001000, 0x40000 }, { 0x20000000, 0x1000 }, { 0x18000000, 0x20000 } };
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = 3;
    machine_load_setup(m, &setup);
    static const uint32_t words[] = { 0x12345678, 0x802F0045, 0xA, 0xB, 0x12345678, 0x000F0010, 0, 0 };
    machine_load_words(m, 0x20000FF0, words, 8); /* 16-byte aligned; header and parameters straddle */
    machine_submit_raw(m, 0x20000FF0, 32);
    EXPECT_EQ(m, "MEM-01", machine_register(m, SCRATCH), 0x12345678);
    EXPECT_EQ(m, "MEM-01", machine_register(m, SCRATCH + 1), 0xA);
    EXPECT_EQ(m, "MEM-01", machine_register(m, SCRATCH + 2), 0xB);
    const uint32_t vector[4] = { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 };
    machine_load_words(m, 0x20000FF6, vector, 4);
    fetch_one(m, 0x20000000, 0xFF6, 0xF);
    for (uint32_t c = 0; c < 4; c++)
        EXPECT_EQ(m, "MEM-01", fetched(m, c), vector[c]);
    EXPECT_NO_EVENT(m, "MEM-01", PICA_EVENT_MEM_OOB);
}

/* ------------------------------------------------------------------------------------------ MEM-02, MEM-03 outside */

/* Extra parameters of a list that runs out of its window (CMD-08): the words after it read 0. */
EACH_MACHINE(memory, MEM_03_reading_an_outside_word_gives_zero_and_mem_oob)
{
    static const uint32_t words[4] = { 1, 0x804F0045, 2, 3 };
    machine_load_words(m, FCRAM_END - 16, words, 4);
    struct list list = { .count = 0 };
    for (uint32_t k = 0; k < 5; k++)
        list_write(&list, SCRATCH + k, 0xEEEEEEEE);
    machine_submit(m, &list);
    machine_submit_raw(m, FCRAM_END - 16, 16);
    static const uint32_t expected[5] = { 1, 2, 3, 0, 0 };
    for (uint32_t k = 0; k < 5; k++) {
        machine_case(m, "parameter %u", (unsigned)k);
        EXPECT_EQ(m, "MEM-03", machine_register(m, SCRATCH + k), expected[k]);
    }
    EXPECT_EVENT(m, "MEM-03", PICA_EVENT_MEM_OOB);
}

/* One f32 x 4 attribute whose bytes cross the end of the window: per byte, the rest is 0. */
EACH_MACHINE(memory, MEM_03_an_access_across_the_end_of_a_window_is_split_per_byte)
{
    static const struct {
        uint32_t inside; /* bytes of the 16 that lie in the window */
        uint32_t expected[4];
        bool event;
    } rows[] = {
        { 16, { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x428CCDEF }, false },
        { 15, { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x008CCDEF }, true },
        { 14, { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x0000CDEF }, true },
        { 13, { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x000000EF }, true },
        { 12, { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0 }, true },
        { 6, { 0x3F8CCDEF, 0x0000CDEF, 0, 0 }, true },
        { 1, { 0x000000EF, 0, 0, 0 }, true },
        { 0, { 0, 0, 0, 0 }, true },
    };
    static const uint32_t vector[4] = { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x428CCDEF };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%u bytes inside", (unsigned)rows[i].inside);
        machine_load_words(m, FCRAM_END - rows[i].inside, vector, 4);
        fetch_one(m, 0x20000000, FCRAM_WINDOW_SIZE - rows[i].inside, 0xF);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(m, "MEM-03", fetched(m, c), rows[i].expected[c]);
        EXPECT(m, "MEM-03", machine_event(m, PICA_EVENT_MEM_OOB) == rows[i].event);
    }
}

/* The same at the beginning of a window: the first bytes are outside. */
EACH_MACHINE(memory, MEM_02_bytes_in_front_of_a_window_are_outside)
{
    const struct pica_window windows[] = { { 0x20001000, 0x3F000 }, { 0x18000000, 0x20000 } };
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = 2;
    machine_load_setup(m, &setup);
    static const uint32_t vector[4] = { 0x3F8CCDEF, 0x408CCDEF, 0x418CCDEF, 0x428CCDEF };
    machine_load_words(m, 0x20000FFB, vector, 4);
    fetch_one(m, 0x20000000, 0xFFB, 0xF);
    static const uint32_t expected[4] = { 0, 0x408CCD00, 0x418CCDEF, 0x428CCDEF };
    for (uint32_t c = 0; c < 4; c++)
        EXPECT_EQ(m, "MEM-02", fetched(m, c), expected[c]);
    EXPECT_EVENT(m, "MEM-03", PICA_EVENT_MEM_OOB);
}

/* PSC-09: a fill across the end of the window writes what is inside and drops the rest. */
EACH_MACHINE(memory, MEM_03_writing_an_outside_byte_is_dropped)
{
    machine_fill(m, 0, FCRAM_END - 16, FCRAM_END + 32, 0xA1B2C3D4, 0x201);
    EXPECT_EQ(m, "MEM-03", machine_word(m, FCRAM_END - 4), 0xA1B2C3D4);
    EXPECT_EQ(m, "MEM-03", machine_word(m, FCRAM_END), 0);
    EXPECT_ONLY_EVENTS(m, "MEM-03", PICA_EVENT_MEM_OOB);
    EXPECT_EQ(m, "EXT-CMD-10", machine_interrupts(m, 0), 1);
}

/* ---------------------------------------------------------------------------------------------------------- MEM-04 */

EACH_MACHINE(memory, MEM_04_accesses_need_no_alignment)
{
    static const uint8_t bytes[] = { 0x11, 0x22, 0x33, 0x44, 0xFF, 0x7F, 0x00, 0x80 };
    machine_load(m, 0x20000101, bytes, sizeof bytes);
    fetch_one(m, 0x20000000, 0x101, 0xE);                      /* 4 x s16 */
    EXPECT_EQ(m, "MEM-04", fetched(m, 0), f32_bits(8721.0f));  /* 0x2211 */
    EXPECT_EQ(m, "MEM-04", fetched(m, 1), f32_bits(17459.0f)); /* 0x4433 */
    EXPECT_EQ(m, "MEM-04", fetched(m, 2), f32_bits(32767.0f));
    EXPECT_EQ(m, "MEM-04", fetched(m, 3), f32_bits(-32768.0f));
    EXPECT_NO_EVENT(m, "MEM-04", PICA_EVENT_MEM_OOB);
    machine_load_word(m, 0x20000203, 0x3FC00000);
    fetch_one(m, 0x20000000, 0x203, 0x3); /* 1 x f32 */
    EXPECT_EQ(m, "MEM-04", fetched(m, 0), 0x3FC00000);
}

/* base + stride * v wraps: 16 * 0x10000001 = 0x100000010 = 0x10 (GEN-04). */
EACH_MACHINE(memory, MEM_04_GEN_04_addresses_are_modulo_2_to_the_32)
{
    machine_load_word(m, 0x20000010, 0x3FC00000);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VERTEX_OFFSET, 0x10000001);
    machine_submit(m, &list);
    fetch_one(m, 0x20000000, 0, 0x3);
    EXPECT_EQ(m, "MEM-04", fetched(m, 0), 0x3FC00000);
    EXPECT_NO_EVENT(m, "MEM-04", PICA_EVENT_MEM_OOB);
}

/* ---------------------------------------------------------------------------------------------------------- MEM-05 */

/* A fill writes a command (0x000F0045 is its own parameter and header), the list that runs next reads it. */
EACH_MACHINE(memory, MEM_05_a_write_of_an_engine_is_visible_to_every_later_read)
{
    struct list list = { .count = 0 };
    list_write(&list, SCRATCH + 1, 0x77);
    list_write(&list, SCRATCH + 1, 0x78);
    machine_submit(m, &list);
    machine_fill(m, 1, LIST_ADDRESS, LIST_ADDRESS + 16, 0x000F0045, 0x201);
    machine_submit_raw(m, LIST_ADDRESS, 16);
    EXPECT_EQ(m, "MEM-05", machine_register(m, SCRATCH), 0x000F0045);
    EXPECT_EQ(m, "MEM-05", machine_register(m, SCRATCH + 1), 0x78);
}

/* Draw 1 paints position bytes: its colour buffer is the vertex buffer of draw 2 (w of vertex 0 = pixel 3). */
EACH_MACHINE(memory, MEM_05_what_a_draw_wrote_is_visible_to_the_next_draw)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 0x3F, 0x80, 0, 0); /* pixels 0x3F800000 = 1.0 */
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    machine_load_word(m, COLOR_ADDRESS + 0x100, 0);
    fetch_one(m, COLOR_ADDRESS, 0xF4, 0xF);
    static const uint32_t expected[4] = { 0x3F800000, 0x3F800000, 0x3F800000, 0 };
    for (uint32_t c = 0; c < 4; c++)
        EXPECT_EQ(m, "MEM-05", fetched(m, c), expected[c]);
}

EACH_MACHINE(memory, MEM_05_registers_that_flush_or_clear_caches_have_no_effect_on_data)
{
    static const struct {
        uint32_t id, value;
    } rows[] = { { 0x110, 1 }, { 0x111, 1 }, { 0x231, 1 }, { 0x080, 0x10000 }, { 0x110, 0xFFFFFFFF } };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 1, 2, 3, 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%03X = %08X", (unsigned)rows[i].id, (unsigned)rows[i].value);
        struct list list = probe_list();
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        machine_list_write(m, rows[i].id, rows[i].value);
        EXPECT_EQ(m, "MEM-05", machine_register(m, rows[i].id), rows[i].value);
        EXPECT_EQ(m, "MEM-05", probe_covered(m, 0x01020304), 0);
        EXPECT_EQ(m, "MEM-05", probe_depth(m, 5, 5), 0x7FFFFF);
        EXPECT_NO_EVENTS(m, "MEM-05");
    }
}

/* -------------------------------------------------------------------------------------------------- MEM-06, MEM-07 */

/* 0x200 [28:1] * 16: bit 0 and bits 31:29 do not count. 0x203 is a byte offset. */
EACH_MACHINE(memory, MEM_06_the_vertex_base_is_bits_28_to_1_times_16)
{
    static const uint32_t words[] = { 0x04000020, 0x04000021, 0xE4000020, 0xE4000021 };
    machine_load_word(m, 0x20000100, 0x40400000);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        machine_case(m, "%08X", (unsigned)words[i]);
        struct list list = probe_list();
        list_write(&list, PICA_REG_ATTRIBBUFFERS_LOC, words[i]);
        list_write(&list, PICA_REG_NUMVERTICES, 1);
        list_write(&list, PICA_REG_PRIMITIVE_CONFIG, 0);
        list_write(&list, PICA_REG_DRAWARRAYS, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "MEM-06", fetched(m, 0), 0x40400000);
        EXPECT_NO_EVENTS(m, "MEM-06");
    }
}

/* 0x14000000 is FCRAM for a user program (MEM-07); in a register it is a physical address, and outside. */
EACH_MACHINE(memory, MEM_07_registers_hold_physical_addresses)
{
    machine_load_word(m, 0x20000000, 0x40400000);
    machine_cpu_write(m, 0x1EF01000 + 4 * SCRATCH, 5); /* EXT-CMD-01: the user virtual address */
    EXPECT_EQ(m, "MEM-07", machine_register(m, SCRATCH), 0);
    fetch_one(m, 0x14000000, 0, 0x3);
    EXPECT_EQ(m, "MEM-07", fetched(m, 0), 0);
    EXPECT_EVENT(m, "MEM-07", PICA_EVENT_MEM_OOB);
    fetch_one(m, 0x20000000, 0, 0x3);
    EXPECT_EQ(m, "MEM-07", fetched(m, 0), 0x40400000);
}

/* ---------------------------------------------------------------------------------------------------------- MEM-08 */

EACH_MACHINE(memory, MEM_08_outside_bytes_of_a_load_are_dropped_without_an_event)
{
    static const uint8_t bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    machine_load(m, FCRAM_END - 3, bytes, 8);
    EXPECT_EQ(m, "MEM-08", machine_byte(m, FCRAM_END - 4), 0);
    EXPECT_BYTES(m, "MEM-08", FCRAM_END - 3, bytes, 3);
    EXPECT_EQ(m, "MEM-08", machine_byte(m, FCRAM_END), 0);
    machine_load(m, 0x1FFFFFFC, bytes, 8); /* the other end */
    EXPECT_EQ(m, "MEM-08", machine_word(m, 0x20000000), 0x08070605);
    machine_load(m, 0x10401000 + 4 * SCRATCH, bytes, 4); /* registers are not memory */
    EXPECT_EQ(m, "MEM-08", machine_register(m, SCRATCH), 0);
    machine_load(m, 0x18000000, bytes, 0);
    EXPECT_EQ(m, "MEM-08", machine_word(m, 0x18000000), 0);
    EXPECT_NO_EVENTS(m, "MEM-08");
    machine_load(m, 0xFFFFFFFC, bytes, 8); /* wraps */
    EXPECT_NO_EVENTS(m, "MEM-08");
}
