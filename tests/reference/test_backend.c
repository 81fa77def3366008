/* The reference behind pica_backend: refused arguments, pages, snapshots, a host without memory. */
#include "reference/reference.h"

#include "pica/extregs.h"
#include "pica/memory.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    PAGES = 16,
    MEBIBYTE = 1 << 20
};

static const struct pica_window one_window = { PICA_VRAM_ADDRESS, PAGES *PICA_PAGE_SIZE };

static struct pica_setup good_setup(void)
{
    const struct pica_setup setup = { .windows = &one_window,
                                      .window_count = 1,
                                      .limits = { 0x1000, 0x1000, 0x1000, 0x1000, 0x100000 } };
    return setup;
}

static void *create(uint32_t flags)
{
    const struct pica_options options = { .flags = flags };
    const struct pica_setup setup = good_setup();
    void *instance = NULL;
    cr_assert_eq(ref_backend()->create(&options, &instance), PICA_OK);
    cr_assert_eq(ref_backend()->load(instance, &setup), PICA_OK);
    return instance;
}

/* A 16-bit fill of [first, last) pages with 0xA5A5. */
static void fill_pages(void *instance, uint32_t first, uint32_t last)
{
    const uint32_t unit = PICA_PAGE_SIZE / 8u, base = PICA_VRAM_ADDRESS / 8u;
    const struct pica_operation fill = { .kind = PICA_OPERATION_MEMORY_FILL,
                                         .words = { base + first * unit, base + last * unit, 0xA5A5, 1 } };
    cr_assert_eq(ref_backend()->run(instance, &fill), PICA_OK);
}

static uint32_t byte_of_page(void *instance, uint32_t page)
{
    uint8_t byte = 0;
    cr_assert_eq(ref_backend()->read_memory(instance, PICA_VRAM_ADDRESS + page * PICA_PAGE_SIZE, &byte, 1), PICA_OK);
    return byte;
}

/* --------------------------------------------------------------------------------------------------- bad arguments */

Test(backend, options_may_be_missing_and_instances_too)
{
    void *instance = NULL;
    cr_assert_eq(ref_backend()->create(NULL, &instance), PICA_OK);
    ref_backend()->destroy(instance);
    ref_backend()->destroy(NULL);
}

/* Nothing of a refused setup is used: the case before goes on. */
static void expect_refused(void *instance, const char *what, const struct pica_setup *setup)
{
    cr_expect_eq(ref_backend()->load(instance, setup), PICA_BAD_ARGUMENT, "%s", what);
    cr_expect_eq(byte_of_page(instance, 3), 0xA5, "%s", what);
}

Test(backend, CMD_20_limits_have_ranges)
{
    void *const instance = create(0);
    fill_pages(instance, 3, 4);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t value = 0; value <= 0x10000001u; value += 0x10000001u) {
            struct pica_setup setup = good_setup();
            uint32_t *const limits[5] = { &setup.limits.commands, &setup.limits.vertices, &setup.limits.instructions,
                                          &setup.limits.emits, &setup.limits.pixels };
            *limits[i] = value;
            expect_refused(instance, "limit", &setup);
        }
    struct pica_setup setup = good_setup();
    setup.profile = (enum pica_profile)2;
    expect_refused(instance, "profile", &setup);
    ref_backend()->destroy(instance);
}

Test(backend, MEM_01_windows_lie_in_their_regions)
{
    static const struct {
        const char *what;
        uint32_t count;
        struct pica_window windows[2];
    } rows[] = {
        { "no window", 0, { { PICA_VRAM_ADDRESS, 0x1000 } } },
        { "unaligned address", 1, { { PICA_VRAM_ADDRESS + 4, 0x1000 } } },
        { "unaligned size", 1, { { PICA_VRAM_ADDRESS, 0x1004 } } },
        { "no size", 1, { { PICA_VRAM_ADDRESS, 0 } } },
        { "below VRAM", 1, { { PICA_VRAM_ADDRESS - 0x1000, 0x1000 } } },
        { "beyond VRAM", 1, { { PICA_VRAM_ADDRESS + PICA_VRAM_SIZE - 0x1000, 0x2000 } } },
        { "beyond FCRAM", 1, { { PICA_FCRAM_ADDRESS + PICA_FCRAM_SIZE, 0x1000 } } },
        { "overlap", 2, { { PICA_FCRAM_ADDRESS, 0x2000 }, { PICA_FCRAM_ADDRESS + 0x1000, 0x1000 } } },
        { "overlap, other order", 2, { { PICA_FCRAM_ADDRESS + 0x1000, 0x1000 }, { PICA_FCRAM_ADDRESS, 0x2000 } } },
    };
    void *const instance = create(0);
    fill_pages(instance, 3, 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pica_setup setup = good_setup();
        setup.windows = rows[i].windows;
        setup.window_count = rows[i].count;
        expect_refused(instance, rows[i].what, &setup);
    }
    static struct pica_window many[PICA_MAX_WINDOWS + 1];
    for (uint32_t i = 0; i <= PICA_MAX_WINDOWS; i++)
        many[i] = (struct pica_window){ PICA_VRAM_ADDRESS + i * PICA_PAGE_SIZE, PICA_PAGE_SIZE };
    struct pica_setup setup = good_setup();
    setup.windows = many;
    setup.window_count = PICA_MAX_WINDOWS + 1;
    expect_refused(instance, "17 windows", &setup);
    setup.windows = NULL;
    setup.window_count = 1;
    expect_refused(instance, "NULL", &setup);
    ref_backend()->destroy(instance);
}

/* The first value of a member that counts or chooses something and is out of range (pica/backend.h, REG-04). */
Test(backend, REG_45_states_have_ranges)
{
    struct pica_state *const state = calloc(1, sizeof *state);
    cr_assert_not_null(state);
    struct pica_geometry_state *const g = &state->geometry;
    struct pica_assembler_state *const a = &state->assembler;
    const struct {
        uint8_t *member;
        uint8_t value;
    } rows[] = {
        { &state->fixed_queue_length, 3 },
        { &state->immediate_count, 16 },
        { &state->reset_armed, 2 },
        { &g->compare[0], 2 },
        { &g->compare[1], 2 },
        { &g->bank, 2 },
        { &g->emit_vertex, 4 },
        { &g->emit_primitive, 2 },
        { &g->emit_winding, 2 },
        { &g->in_use, 2 },
        { &g->mode, 4 },
        { &g->vectors_per_vertex, 17 },
        { &g->input_vectors, 17 },
        { &g->fixed_vertices, 17 },
        { &g->want_count, 2 },
        { &g->buffer_length, 16 },
        { &a->topology, 4 },
        { &a->count, 3 },
        { &a->ready, 2 },
        { &a->winding, 2 },
    };
    void *const instance = create(0);
    fill_pages(instance, 3, 4);
    struct pica_setup setup = good_setup();
    setup.initial_state = state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *rows[i].member = rows[i].value;
        expect_refused(instance, "state", &setup);
        *rows[i].member = 0;
    }
    for (uint32_t unit = 0; unit < 2; unit++) {
        state->units[unit].queue_length = 4;
        expect_refused(instance, "queue", &setup);
        state->units[unit].queue_length = 0;
    }
    g->in_use = 1;
    g->input_vectors = 1;
    expect_refused(instance, "in use without vectors", &setup);
    g->vectors_per_vertex = 1;
    g->input_vectors = 0;
    expect_refused(instance, "in use without inputs", &setup);
    g->input_vectors = 1;
    cr_expect_eq(ref_backend()->load(instance, &setup), PICA_OK);
    ref_backend()->destroy(instance);
    free(state);
}

Test(backend, operations_name_one_of_two_units)
{
    void *const instance = create(0);
    struct pica_operation operation = { .kind = PICA_OPERATION_MEMORY_FILL, .unit = 2 };
    cr_expect_eq(ref_backend()->run(instance, &operation), PICA_BAD_ARGUMENT);
    operation.kind = PICA_OPERATION_VERTICAL_BLANK;
    cr_expect_eq(ref_backend()->run(instance, &operation), PICA_BAD_ARGUMENT);
    operation.kind = (enum pica_operation_kind)99;
    cr_expect_eq(ref_backend()->run(instance, &operation), PICA_BAD_ARGUMENT);
    ref_backend()->destroy(instance);
}

Test(backend, PDC_08_pictures_have_exactly_one_size)
{
    static uint8_t picture[PICA_TOP_COLUMNS * PICA_SCREEN_LINES * 3 + 1];
    void *const instance = create(0);
    const size_t top = sizeof picture - 1u;
    cr_expect_eq(ref_backend()->scan_out(instance, 0, 0, picture, top), PICA_OK);
    cr_expect_eq(ref_backend()->scan_out(instance, 0, 1, picture, top + 1u), PICA_BAD_ARGUMENT);
    cr_expect_eq(ref_backend()->scan_out(instance, 1, 0, picture, top), PICA_BAD_ARGUMENT);
    cr_expect_eq(ref_backend()->scan_out(instance, 2, 0, picture, top), PICA_BAD_ARGUMENT);
    ref_backend()->destroy(instance);
}

/* ----------------------------------------------------------------------------------------------------------- pages */

Test(backend, pages_that_were_written_and_read)
{
    void *const instance = create(PICA_OPTION_TRACK_READS);
    const struct pica_backend *const backend = ref_backend();
    uint64_t bitmap = 0;
    const uint8_t *bytes = NULL;
    fill_pages(instance, 2, 4);
    (void)byte_of_page(instance, 9); /* the caller's reads are not the GPU's */
    cr_expect_eq(backend->touched_pages(instance, 0, PICA_PAGES_WRITTEN, &bitmap, 1), PICA_OK);
    cr_expect_eq(bitmap, 0xC);
    bitmap = 0;
    const struct pica_operation list = { .kind = PICA_OPERATION_SUBMIT_LIST,
                                         .address = PICA_VRAM_ADDRESS + 5u * PICA_PAGE_SIZE,
                                         .size = 0x10 };
    cr_assert_eq(backend->run(instance, &list), PICA_OK);
    cr_expect_eq(backend->touched_pages(instance, 0, PICA_PAGES_READ, &bitmap, 1), PICA_OK);
    cr_expect_eq(bitmap, 0x20);
    cr_expect_eq(backend->touched_pages(instance, 1, PICA_PAGES_READ, &bitmap, 1), PICA_BAD_ARGUMENT);
    cr_expect_eq(backend->touched_pages(instance, 0, 2, &bitmap, 1), PICA_BAD_ARGUMENT);
    cr_expect_eq(backend->touched_pages(instance, 0, PICA_PAGES_READ, &bitmap, 0), PICA_BAD_ARGUMENT);
    cr_expect_eq(backend->view_memory(instance, 1, &bytes), PICA_BAD_ARGUMENT);
    cr_expect_eq(backend->view_memory(instance, 0, &bytes), PICA_OK);
    cr_expect_eq(bytes[2 * PICA_PAGE_SIZE], 0xA5);

    const struct pica_setup setup = good_setup(); /* the next case starts with neither */
    cr_assert_eq(backend->load(instance, &setup), PICA_OK);
    bitmap = 0;
    cr_expect_eq(backend->touched_pages(instance, 0, PICA_PAGES_READ, &bitmap, 1), PICA_OK);
    cr_expect_eq(backend->touched_pages(instance, 0, PICA_PAGES_WRITTEN, &bitmap, 1), PICA_OK);
    cr_expect_eq(bitmap, 0);
    cr_expect_eq(byte_of_page(instance, 2), 0);
    backend->destroy(instance);

    void *const plain = create(0);
    cr_expect_eq(backend->touched_pages(plain, 0, PICA_PAGES_READ, &bitmap, 1), PICA_NOT_SUPPORTED);
    backend->destroy(plain);
}

/* ------------------------------------------------------------------------------------------------------- snapshots */

Test(backend, snapshots_bring_back_memory_state_and_events)
{
    const struct pica_backend *const backend = ref_backend();
    struct pica_state *const states = calloc(2, sizeof *states);
    void *const instance = create(0);
    void *snapshot = NULL;
    struct pica_events events[2];
    const struct pica_operation blank = { .kind = PICA_OPERATION_VERTICAL_BLANK };
    cr_assert_not_null(states);
    fill_pages(instance, 1, 2);
    cr_assert_eq(backend->save(instance, &snapshot), PICA_OK);
    backend->read_state(instance, &states[0]);
    backend->read_events(instance, &events[0]);

    const uint8_t changed = 7;
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = PICA_VRAM_ADDRESS + PICA_PAGE_SIZE, .size = 1, .data = &changed
    };
    cr_assert_eq(backend->run(instance, &load), PICA_OK);
    cr_assert_eq(backend->run(instance, &blank), PICA_OK);
    fill_pages(instance, 6, 7);
    fill_pages(instance, 9, 8); /* inverted: an event */
    cr_assert_eq(backend->restore(instance, snapshot), PICA_OK);
    backend->read_state(instance, &states[1]);
    backend->read_events(instance, &events[1]);
    cr_expect_eq(memcmp(&states[0], &states[1], sizeof states[0]), 0);
    cr_expect_arr_eq(events[0].words, events[1].words, sizeof events[0].words);
    cr_expect_eq(byte_of_page(instance, 1), 0xA5);
    cr_expect_eq(byte_of_page(instance, 6), 0);
    backend->discard(instance, snapshot);
    backend->discard(instance, NULL);
    backend->destroy(instance);
    free(states);
}

/* ---------------------------------------------------------------------------------------------- host without memory */

#if defined(__SANITIZE_ADDRESS__)
#define HOST_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HOST_IS_SANITIZED 1
#endif
#endif

#ifndef HOST_IS_SANITIZED
/* Lets this process have `extra` bytes of address space more than it has now. Allocates nothing itself, so that
 * nothing is left over to use. */
static void limit_memory(size_t extra)
{
    char text[64] = "";
    struct rlimit limit = { 0, 0 };
    const int file = open("/proc/self/statm", O_RDONLY);
    const ssize_t length = read(file, text, sizeof text - 1);
    const unsigned long pages = strtoul(text, NULL, 10);
    const bool known = length > 0 && pages != 0 && close(file) == 0 && getrlimit(RLIMIT_AS, &limit) == 0;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + extra;
    if (!known || setrlimit(RLIMIT_AS, &limit) != 0)
        abort();
}

/* Memory that the C library had at hand, so that it must ask the host for the next byte. */
struct hoard {
    struct hoard *next;
};

static struct hoard *take_all_memory(void)
{
    struct hoard *hoard = NULL;
    for (size_t size = (size_t)64 * MEBIBYTE; size >= sizeof *hoard; size /= 2)
        for (struct hoard *one; (one = malloc(size)) != NULL; hoard = one)
            one->next = hoard;
    return hoard;
}

static void give_back(struct hoard *hoard)
{
    while (hoard != NULL) {
        struct hoard *const next = hoard->next;
        free(hoard);
        hoard = next;
    }
}

/* With one page more at a time, each of the first allocations is the one that fails. */
Test(backend, an_instance_is_refused_whatever_part_of_it_finds_no_memory)
{
    uint32_t refusals = 0, contradictions = 0;
    enum pica_status status = PICA_NO_MEMORY;
    void *instance = NULL;
    (void)mallopt(M_MMAP_THRESHOLD, 4 * PICA_PAGE_SIZE); /* the large parts in pages of their own, no more than asked */
    limit_memory(0);
    struct hoard *const hoard = take_all_memory();
    for (size_t extra = 0; status == PICA_NO_MEMORY && extra < (size_t)128 * MEBIBYTE;
         extra += extra < (size_t)4 * MEBIBYTE ? PICA_PAGE_SIZE : MEBIBYTE) {
        limit_memory(extra);
        status = ref_backend()->create(NULL, &instance);
        refusals += status == PICA_NO_MEMORY;
        contradictions += (instance == NULL) != (status != PICA_OK);
    }
    limit_memory((size_t)128 * MEBIBYTE);
    give_back(hoard);
    cr_assert_eq(status, PICA_OK);
    cr_expect_eq(contradictions, 0);
    cr_expect_gt(refusals, 100);
    ref_backend()->destroy(instance);
}

Test(backend, a_snapshot_that_finds_no_memory_is_none)
{
    void *const instance = create(0);
    void *snapshot = instance;
    fill_pages(instance, 3, 4);
    limit_memory(0);
    struct hoard *const hoard = take_all_memory();
    const enum pica_status refused = ref_backend()->save(instance, &snapshot);
    limit_memory((size_t)128 * MEBIBYTE);
    give_back(hoard);
    cr_expect_eq(refused, PICA_NO_MEMORY);
    cr_expect_null(snapshot);
    cr_assert_eq(ref_backend()->save(instance, &snapshot), PICA_OK, "the instance goes on");
    fill_pages(instance, 5, 6);
    cr_assert_eq(ref_backend()->restore(instance, snapshot), PICA_OK);
    cr_expect_eq(byte_of_page(instance, 3), 0xA5);
    cr_expect_eq(byte_of_page(instance, 5), 0);
    ref_backend()->discard(instance, snapshot);
    ref_backend()->destroy(instance);
}

/* Each refusal on the way to the first success leaves nothing allocated. */
Test(backend, a_host_without_memory_is_reported)
{
    uint32_t refusals = 0;
    enum pica_status status = PICA_NO_MEMORY;
    void *instance = NULL;
    for (size_t extra = 0; status == PICA_NO_MEMORY && extra < (size_t)128 * MEBIBYTE; extra += MEBIBYTE / 4) {
        limit_memory(extra);
        const struct pica_options options = { .flags = PICA_OPTION_TRACK_READS };
        status = ref_backend()->create(&options, &instance);
        refusals += status == PICA_NO_MEMORY;
        cr_expect_eq(instance == NULL, status != PICA_OK);
    }
    cr_assert_eq(status, PICA_OK);
    cr_expect_gt(refusals, 30);

    const struct pica_window all = { PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE };
    struct pica_setup setup = good_setup();
    void *snapshot = &setup;
    setup.windows = &all;
    limit_memory(MEBIBYTE);
    cr_expect_eq(ref_backend()->load(instance, &setup), PICA_NO_MEMORY);
    limit_memory((size_t)160 * MEBIBYTE);
    cr_expect_eq(ref_backend()->load(instance, &setup), PICA_OK);
    const struct pica_operation fill = { .kind = PICA_OPERATION_MEMORY_FILL,
                                         .words = { PICA_FCRAM_ADDRESS / 8u,
                                                    (PICA_FCRAM_ADDRESS + PICA_FCRAM_SIZE / 2u) / 8u, 1, 1 } };
    cr_assert_eq(ref_backend()->run(instance, &fill), PICA_OK);
    limit_memory(MEBIBYTE);
    cr_expect_eq(ref_backend()->save(instance, &snapshot), PICA_NO_MEMORY);
    cr_expect_null(snapshot);
    ref_backend()->destroy(instance);
}
#endif
