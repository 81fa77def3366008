#include "tests/capture/player.h"

#include "fast/fast.h"
#include "harness/capture/picafuzz_capture.h"
#include "harness/case/formats.h"
#include "pica/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOTHING_MISSING = 1,
    MOST_WORDS = 0x8000 / 64
};

static const struct pica_window windows[] = { { 0x18000000, 0x600000 }, { 0x20000000, 0x8000000 } };

static void *new_gpu(void)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    void *gpu = NULL;
    cr_assert_eq(fast_backend()->create(&options, &gpu), PICA_OK);
    return gpu;
}

void player_init(struct player *player)
{
    *player = (struct player){ .gpu = new_gpu(), .missing = NOTHING_MISSING };
}

void player_free(struct player *player)
{
    fast_backend()->destroy(player->gpu);
}

static bool is_memory(uint32_t address)
{
    return address - PICA_VRAM_ADDRESS < PICA_VRAM_SIZE || address - PICA_FCRAM_ADDRESS < PICA_FCRAM_SIZE;
}

static int read_guest(void *user, uint32_t address, uint8_t *out, uint32_t size)
{
    struct player *const player = user;
    player->asked++;
    player->asked_wrongly += size == 0 || address % PICA_PAGE_SIZE + size > PICA_PAGE_SIZE;
    if (address / PICA_PAGE_SIZE == player->missing / PICA_PAGE_SIZE)
        return 0;
    if (!is_memory(address) && player->has_more)
        memset(out, 0, size);
    return is_memory(address) ? fast_backend()->read_memory(player->gpu, address, out, size) == PICA_OK
                              : player->has_more;
}

/* The case lowered, with windows and budgets as a capture has them. */
static struct harness_program *lower(const struct harness_case *test_case)
{
    struct harness_error error = { "" };
    struct harness_program *const program = harness_program_create();
    cr_assert_not_null(program);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    program->setup.windows = windows;
    program->setup.window_count = 2;
    program->setup.limits = harness_limits_default();
    program->setup.work = 0x1000000;            /* CMD-23: a capture does not say it */
    program->setup.limits.instructions = 0x800; /* a broken shader for each of 100 000 vertices would take minutes */
    while (program->count != 0 && program->operations[program->count - 1].kind == PICA_OPERATION_LOAD_MEMORY)
        program->count--;
    return program;
}

static void give_state(struct picafuzz_capture *capture, void *gpu)
{
    static struct pica_state state;
    static uint32_t words[24 * 256];
    cr_assert_eq(fast_backend()->read_state(gpu, &state), PICA_OK);
    for (uint32_t part = 0; part < harness_part_count; part++) {
        for (uint32_t i = 0; i < harness_parts[part].count; i++)
            words[i] = harness_part_get(&state, part, i);
        picafuzz_capture_state(capture, (int)part, words, harness_parts[part].count);
    }
}

static void tell(struct picafuzz_capture *capture, const struct pica_operation *operation)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY: return; /* told afterwards */
    case PICA_OPERATION_SUBMIT_LIST: picafuzz_capture_list(capture, operation->address, operation->size); return;
    case PICA_OPERATION_WRITE_REGISTER:
        picafuzz_capture_write(capture, operation->address, operation->words[0]);
        return;
    case PICA_OPERATION_MEMORY_FILL: picafuzz_capture_fill(capture, (int)operation->unit, operation->words); return;
    case PICA_OPERATION_DISPLAY_TRANSFER: picafuzz_capture_transfer(capture, operation->words); return;
    case PICA_OPERATION_VERTICAL_BLANK: picafuzz_capture_vblank(capture, (int)operation->unit); return;
    }
}

static void play(void *gpu, const struct harness_program *program, struct picafuzz_capture *capture)
{
    for (uint32_t i = 0; i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        tell(capture, operation);
        cr_assert_eq(fast_backend()->run(gpu, operation), PICA_OK);
        if (operation->kind == PICA_OPERATION_LOAD_MEMORY)
            picafuzz_capture_changed(capture, operation->address, operation->size);
    }
}

bool player_capture(struct player *player, const struct harness_case *test_case, const char *path)
{
    struct harness_program *const program = lower(test_case);
    cr_assert_eq(fast_backend()->load(player->gpu, &program->setup), PICA_OK);
    struct picafuzz_capture *const capture = picafuzz_capture_begin(read_guest, player);
    give_state(capture, player->gpu);
    play(player->gpu, program, capture);
    harness_program_destroy(program);
    return picafuzz_capture_end(capture, path, player->why, sizeof player->why) == 1;
}

void *player_replay(const char *path)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    struct harness_program *const program = lower(test_case);
    void *const gpu = new_gpu();
    cr_assert_eq(fast_backend()->load(gpu, &program->setup), PICA_OK);
    play(gpu, program, NULL);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return gpu;
}

/* What loads alone leave. */
static void *load_only(const struct harness_case *test_case)
{
    struct harness_program *const program = lower(test_case);
    void *const gpu = new_gpu();
    cr_assert_eq(fast_backend()->load(gpu, &program->setup), PICA_OK);
    for (uint32_t i = 0; i < program->count; i++)
        if (program->operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            cr_assert_eq(fast_backend()->run(gpu, &program->operations[i]), PICA_OK);
    harness_program_destroy(program);
    return gpu;
}

static bool bit(const uint64_t *bitmap, uint32_t page)
{
    return (bitmap[page / 64] >> page % 64 & 1) != 0;
}

static void expect_window(const struct player *player, void *replay, void *loaded, uint32_t window, const char *name)
{
    static uint64_t played[MOST_WORDS], replayed[MOST_WORDS];
    const uint8_t *a = NULL, *b = NULL, *pure = NULL;
    const size_t words = (windows[window].size / PICA_PAGE_SIZE + 63) / 64;
    memset(played, 0, sizeof played);
    memset(replayed, 0, sizeof replayed);
    cr_assert_eq(fast_backend()->touched_pages(player->gpu, window, PICA_PAGES_WRITTEN, played, words), PICA_OK);
    cr_assert_eq(fast_backend()->touched_pages(replay, window, PICA_PAGES_WRITTEN, replayed, words), PICA_OK);
    cr_assert_eq(fast_backend()->view_memory(player->gpu, window, &a), PICA_OK);
    cr_assert_eq(fast_backend()->view_memory(replay, window, &b), PICA_OK);
    cr_assert_eq(fast_backend()->view_memory(loaded, window, &pure), PICA_OK);
    for (uint32_t page = 0; page < windows[window].size / PICA_PAGE_SIZE; page++) {
        const size_t at = (size_t)page * PICA_PAGE_SIZE;
        if (!bit(played, page) && !bit(replayed, page))
            continue;
        const uint8_t *const expected = bit(replayed, page) ? b + at : pure + at;
        cr_expect(memcmp(a + at, expected, PICA_PAGE_SIZE) == 0, "%s: the page at 0x%08zX differs (%s)", name,
                  windows[window].address + at, bit(replayed, page) ? "replayed" : "not in the capture");
    }
}

void player_expect_same(const struct player *player, const struct harness_case *test_case, void *replay,
                        const char *name)
{
    static struct pica_state a, b;
    void *const loaded = load_only(test_case);
    cr_assert_eq(fast_backend()->read_state(player->gpu, &a), PICA_OK);
    cr_assert_eq(fast_backend()->read_state(replay, &b), PICA_OK);
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++)
            cr_expect_eq(harness_part_get(&a, part, i), harness_part_get(&b, part, i),
                         "%s: %s[%u]: played 0x%X, replayed 0x%X", name, harness_parts[part].name, i,
                         harness_part_get(&a, part, i), harness_part_get(&b, part, i));
    for (uint32_t window = 0; window < 2; window++)
        expect_window(player, replay, loaded, window, name);
    fast_backend()->destroy(loaded);
}
