/*
 * The program on the console: starts, tests itself, runs every case twice, survives hangs, leaves. Each step is
 * written to the journal before it is done, so that where it stops can be read from the card (docs/console-facts.md).
 */
#include "harness/console/runner/applet.h"
#include "harness/console/runner/cases.h"
#include "harness/console/runner/message.h"
#include "harness/console/runner/screen.h"

extern const struct console_payload payload; /* the rodata segment */

enum {
    MOST_INTERRUPTIONS = 8, /* of the self-tests, by the HOME menu */
    READING_SLICES = 40,    /* so long a text can be read before the screens go black */
    KERNEL_VERSION = 0x1FF80000,
    FIRMWARE_VERSION = 0x1FF80060,
    HARDWARE_ID = 0x400000
};

static const uint64_t READING_SLICE = 100000000; /* ns */

enum ending {
    ALL_DONE,
    CARD_GONE,
    GPU_GONE, /* it hangs, and does not come back */
    TOLD_TO_LEAVE
};

struct runner {
    uint32_t srv;
    struct files files;
    struct applet applet;
    struct gpu gpu;
    struct screen screen;
    struct cases cases;
    struct store store;
    bool is_strict;                          /* a console: it goes on only if all that is required works */
    bool are_tests_journaled;                /* not after a recovery: there, not a test is the culprit */
    bool gpu_answers;                        /* a self-test came to an end */
    struct console_way_choice tests, choice; /* what the last self-tests said; and those of the way that was taken */
    bool has_failed_required, choice_failed_required;
    struct console_end end;
};

static void stage(struct runner *runner, enum console_stage stage)
{
    store_journal(&runner->store, CONSOLE_JOURNAL_STAGE, stage);
}

/* ------------------------------------------------------------------------------------------------------- self-tests */

static void record_run(struct runner *runner, uint32_t kind, const struct console_run_result *result)
{
    store_record(&runner->store, kind, result, sizeof *result, NULL, 0);
}

/* GPU after a hang, or never used: ours again, and its registers set. Whether it works the self-tests say (CON-52). */
static void revive(struct runner *runner)
{
    stage(runner, CONSOLE_STAGE_RECOVER);
    gpu_reset(&runner->gpu);
    gpu_first_use(&runner->gpu);
}

/* Where it is not clear that the console comes back, the journal says what was tried: if it needs the power button, or
 * an emulator dies, the next start leaves that out. */
static enum console_run_status run_self_test(struct runner *runner, uint32_t index)
{
    const uint32_t way = runner->cases.way, flags = cases_at(&payload, index)->flags;
    struct console_run_result result = { .run = (uint32_t)STORE_SELF_TEST + (way << STORE_WAY_SHIFT) + index,
                                         .case_index = index,
                                         .pass = way };
    const bool is_journaled =
        runner->are_tests_journaled && (!runner->is_strict || (flags & CONSOLE_CASE_REQUIRED) == 0);
    if (is_journaled)
        store_journal(&runner->store, CONSOLE_JOURNAL_START, result.run);
    cases_execute(&runner->cases, &result);
    record_run(runner, CONSOLE_RECORD_TEST, &result);
    if (is_journaled)
        store_journal(&runner->store, CONSOLE_JOURNAL_DONE, result.run);
    if (result.status == CONSOLE_RUN_HANG && (flags & CONSOLE_CASE_LOADED) == 0)
        store_set_hung(&runner->store, index);
    return (enum console_run_status)result.status;
}

/* Other bytes than expected come back as well as any: what the GPU does with them is what is to be found out. */
static void note_test(struct runner *runner, uint32_t flags, enum console_run_status status)
{
    const bool comes_back = status == CONSOLE_RUN_OK || (status == CONSOLE_RUN_DIFFERS &&
                                                         (flags & (CONSOLE_CASE_LOADED | CONSOLE_CASE_VRAM_LIST)) == 0);
    if (comes_back)
        runner->tests.works |= flags & (CONSOLE_CASE_CAPABILITIES | CONSOLE_CASE_VRAM_LIST);
    else
        runner->tests.missing |= flags & (CONSOLE_CASE_CAPABILITIES | CONSOLE_CASE_VRAM_LIST);
    if (status != CONSOLE_RUN_OK && (flags & CONSOLE_CASE_REQUIRED) != 0)
        runner->has_failed_required = true;
}

/* All tests, but those that hung before. Stops at the first that does not end by itself, and where loaded bytes do not
 * come back: then nothing does. */
static enum console_run_status run_self_tests_once(struct runner *runner)
{
    for (uint32_t i = 0; i < payload.self_test_count; i++) {
        const bool hung = store_is_hung(&runner->store, i);
        const enum console_run_status status = hung ? CONSOLE_RUN_HANG : run_self_test(runner, i);
        const uint32_t flags = cases_at(&payload, i)->flags;
        note_test(runner, flags, status);
        if (!hung && (status == CONSOLE_RUN_HANG || status == CONSOLE_RUN_INTERRUPTED))
            return status;
        runner->gpu_answers = true;
        if ((runner->tests.missing & CONSOLE_CASE_LOADED) != 0)
            break;
    }
    return CONSOLE_RUN_OK;
}

/* The tests by the way at hand; what they say is in runner->tests. Each round but the last knows one more that hangs.
 * False: the GPU does not come to the end of them. */
static bool run_self_tests(struct runner *runner)
{
    uint32_t rounds = payload.self_test_count + MOST_INTERRUPTIONS;
    while (rounds-- > 0) {
        runner->tests = (struct console_way_choice){ .way = runner->cases.way };
        runner->has_failed_required = false;
        const enum console_run_status status = run_self_tests_once(runner);
        if (status == CONSOLE_RUN_OK)
            return true;
        if (status == CONSOLE_RUN_HANG)
            revive(runner);
        else
            gpu_acquire(&runner->gpu);
        if (status == CONSOLE_RUN_HANG && (runner->tests.missing & CONSOLE_CASE_LOADED) != 0)
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------------- ways */

/* A console's results come by what no case tests. Elsewhere what programs use comes first: a DMA out of VRAM is used by
 * none, and an emulator is known that stops at it. */
static const uint8_t ways_of_consoles[] = { CONSOLE_READ_DMA,
                                            CONSOLE_READ_COPY,
                                            CONSOLE_READ_TRANSFER,
                                            CONSOLE_READ_CPU,
                                            CONSOLE_LOAD_COPY | CONSOLE_READ_COPY,
                                            CONSOLE_LOAD_COPY | CONSOLE_READ_CPU };
static const uint8_t ways_of_others[] = { CONSOLE_READ_COPY,
                                          CONSOLE_READ_TRANSFER,
                                          CONSOLE_LOAD_COPY | CONSOLE_READ_COPY,
                                          CONSOLE_LOAD_COPY | CONSOLE_READ_TRANSFER,
                                          CONSOLE_READ_CPU,
                                          CONSOLE_READ_DMA,
                                          CONSOLE_LOAD_COPY | CONSOLE_READ_CPU };

static uint32_t count_bits(uint32_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

/* Tries a way. True: all that a way can bring back comes back, so no other is tried. */
static bool try_way(struct runner *runner, uint32_t way)
{
    const uint32_t readable = CONSOLE_CASE_CAPABILITIES & ~(uint32_t)CONSOLE_CASE_REGISTERS;
    runner->cases.way = way;
    const bool ended = run_self_tests(runner);
    const uint32_t tried = runner->choice.tried | 1u << way;
    const bool is_first = runner->choice.tried == 0;
    if (is_first || (ended && count_bits(runner->tests.works) > count_bits(runner->choice.works))) {
        runner->choice = runner->tests;
        runner->choice_failed_required = !ended || runner->has_failed_required;
    }
    runner->choice.tried = tried;
    return ended && (runner->tests.missing & readable) == 0;
}

/* The first way by which all comes back, or the one by which most does. False: a console must not go on like this. */
static bool choose_way(struct runner *runner)
{
    const uint8_t *ways = runner->is_strict ? ways_of_consoles : ways_of_others;
    const uint32_t count = runner->is_strict ? sizeof ways_of_consoles : sizeof ways_of_others;
    stage(runner, CONSOLE_STAGE_SELF_TEST);
    runner->are_tests_journaled = true;
    runner->gpu_answers = payload.self_test_count == 0;
    runner->choice = (struct console_way_choice){ .way = ways[0], .missing = CONSOLE_CASE_CAPABILITIES };
    for (uint32_t i = 0; i < count && runner->store.error == 0; i++)
        if ((runner->store.dead_ways >> ways[i] & 1) == 0 && try_way(runner, ways[i]))
            break;
    runner->are_tests_journaled = false;
    runner->cases.way = runner->choice.way;
    store_record(&runner->store, CONSOLE_RECORD_WAY, &runner->choice, sizeof runner->choice, NULL, 0);
    return !runner->is_strict || !runner->choice_failed_required;
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* Why a run is not begun; 0: it is. */
static uint32_t reason_to_skip(const struct runner *runner, const struct console_run *run)
{
    const struct console_case *test_case = cases_at(&payload, run->case_index);
    if (!runner->gpu_answers)
        return CONSOLE_SKIP_NO_GPU;
    if (test_case != NULL && (test_case->flags & runner->choice.missing & CONSOLE_CASE_VRAM_LIST) != 0)
        return CONSOLE_SKIP_VRAM_LIST;
    return store_is_hung(&runner->store, run->case_index) ? CONSOLE_SKIP_HUNG : 0;
}

static void count(struct runner *runner, uint32_t status)
{
    if (status == CONSOLE_RUN_SKIPPED)
        runner->end.skipped++;
    else if (status == CONSOLE_RUN_HANG || status == CONSOLE_RUN_POWER)
        runner->end.hung++;
    else
        runner->end.done++;
}

static void finish_run(struct runner *runner, const struct console_run_result *result)
{
    if (result->status == CONSOLE_RUN_HANG || result->status == CONSOLE_RUN_POWER)
        store_set_hung(&runner->store, result->case_index);
    record_run(runner, CONSOLE_RECORD_RUN, result);
    store_journal(&runner->store, CONSOLE_JOURNAL_DONE, result->run);
    count(runner, result->status);
}

static enum console_run_status execute_run(struct runner *runner, uint32_t index)
{
    const struct console_run *run = cases_run_at(&payload, index);
    struct console_run_result result = { .run = index, .case_index = run->case_index, .pass = run->pass };
    result.detail = reason_to_skip(runner, run);
    result.status = CONSOLE_RUN_SKIPPED;
    if (result.detail == 0) {
        store_journal(&runner->store, CONSOLE_JOURNAL_START, index);
        cases_execute(&runner->cases, &result);
    }
    finish_run(runner, &result);
    return (enum console_run_status)result.status;
}

/* The GPU after a run that did not end by itself. False: it does not come back as it was. */
static bool bring_back(struct runner *runner, enum console_run_status status)
{
    if (status == CONSOLE_RUN_HANG)
        revive(runner);
    else if (status == CONSOLE_RUN_INTERRUPTED)
        gpu_acquire(&runner->gpu);
    else
        return true;
    stage(runner, CONSOLE_STAGE_SELF_TEST);
    if (!run_self_tests(runner))
        return false;
    return runner->is_strict
               ? !runner->has_failed_required
               : (runner->tests.missing & ~runner->choice.missing & ~(uint32_t)CONSOLE_CASE_VRAM_LIST) == 0;
}

static enum ending run_all(struct runner *runner)
{
    for (uint32_t i = runner->store.next_run; i < payload.run_count; i++) {
        screen_progress(&runner->screen, i, payload.run_count);
        if (!bring_back(runner, execute_run(runner, i)))
            return GPU_GONE;
        if (runner->store.error != 0)
            return CARD_GONE;
        if (applet_must_leave(&runner->applet))
            return TOLD_TO_LEAVE;
    }
    store_record(&runner->store, CONSOLE_RECORD_END, &runner->end, sizeof runner->end, NULL, 0);
    store_journal(&runner->store, CONSOLE_JOURNAL_END, 0);
    screen_progress(&runner->screen, 1, 1);
    return runner->store.error == 0 ? ALL_DONE : CARD_GONE;
}

/* --------------------------------------------------------------------------------------------------------- starting */

/* One block, as programs take it; the screen lies behind what the cases use, and what they show behind that. */
static bool allocate(struct runner *runner)
{
    struct console_linear *linear = &runner->cases.linear;
    const uint32_t shown = payload.show_blanks != 0 ? CASES_SHOW_BYTES : 0;
    linear->bytes = payload.linear_bytes;
    if (system_control_memory(&linear->address, SYSTEM_MEMORY_LINEAR, 0, linear->bytes + SCREEN_BYTES + shown,
                              SYSTEM_PERMISSION_READ_WRITE) < 0)
        return false;
    runner->cases.shown = linear->address + linear->bytes + SCREEN_BYTES;
    screen_start(&runner->screen, &runner->gpu, (uint16_t *)(uintptr_t)(linear->address + linear->bytes));
    screen_title(&runner->screen, payload.name);
    return true;
}

static bool start_gpu(struct runner *runner)
{
    stage(runner, CONSOLE_STAGE_APPLET);
    if (applet_start(&runner->applet, runner->srv) < 0)
        return false;
    stage(runner, CONSOLE_STAGE_RIGHT);
    if (gpu_open(&runner->gpu, runner->srv) < 0 || gpu_acquire(&runner->gpu) < 0)
        return false;
    stage(runner, CONSOLE_STAGE_QUEUE);
    if (gpu_share(&runner->gpu) < 0)
        return false;
    stage(runner, CONSOLE_STAGE_FIRST_USE);
    if (runner->gpu.first_user && gpu_first_use(&runner->gpu) < 0)
        return false;
    stage(runner, CONSOLE_STAGE_MEMORY);
    return allocate(runner);
}

static void write_about(struct runner *runner)
{
    uint32_t hardware = 0, luma[2] = { 0, 0 }, base[2] = { 0, 0 };
    if (runner->gpu.reads_registers)
        gpu_read_registers(&runner->gpu, HARDWARE_ID, &hardware, 4);
    if (system_get_process_info(base, SYSTEM_CURRENT_PROCESS, SYSTEM_PROCESS_LINEAR_BASE) < 0)
        base[0] = 0u - runner->cases.linear.address; /* so the physical address is 0: unknown */
    if (system_get_system_info(luma, SYSTEM_INFO_LUMA, 0) < 0)
        luma[0] = 0;
    struct console_about about = { .version = CONSOLE_RESULTS_VERSION,
                                   .id = { payload.id[0], payload.id[1] },
                                   .payload_crc = payload.crc,
                                   .runtime = CONSOLE_RUNTIME_VERSION,
                                   .hardware = hardware,
                                   .kernel_version = *(const volatile uint32_t *)(uintptr_t)KERNEL_VERSION,
                                   .firmware_version = *(const volatile uint32_t *)(uintptr_t)FIRMWARE_VERSION,
                                   .luma_version = luma[0],
                                   .linear_virtual = runner->cases.linear.address,
                                   .linear_physical = runner->cases.linear.address + base[0],
                                   .client_index = runner->gpu.client,
                                   .starts = runner->store.starts };
    runner->is_strict = luma[0] != 0;
    about.flags = (runner->gpu.first_user ? CONSOLE_ABOUT_FIRST_USER : 0u) |
                  (runner->store.starts != 0 ? CONSOLE_ABOUT_RESUMED : 0u) |
                  (runner->is_strict ? CONSOLE_ABOUT_STRICT : 0u) |
                  (runner->gpu.reads_registers ? 0u : CONSOLE_ABOUT_NO_REGISTERS);
    memcpy(about.name, payload.name, sizeof about.name);
    store_record(&runner->store, CONSOLE_RECORD_ABOUT, &about, sizeof about, NULL, 0);
}

/* What the power button ended: a run or a self-test that was begun and never done. */
static void close_open_run(struct runner *runner)
{
    struct store *store = &runner->store;
    if (!store->is_open)
        return;
    struct console_run_result result = { .run = store->open_run, .status = CONSOLE_RUN_POWER };
    if (store->open_run >= (uint32_t)STORE_SELF_TEST) {
        result.case_index = store->open_run & (STORE_MOST_CASES - 1);
        result.pass = store->open_run >> STORE_WAY_SHIFT & (CONSOLE_WAYS - 1);
        store_test_died(store, result.case_index, result.pass);
        record_run(runner, CONSOLE_RECORD_TEST, &result);
        store_journal(store, CONSOLE_JOURNAL_DONE, result.run);
    } else if (store->open_run < payload.run_count) {
        result.case_index = cases_run_at(&payload, store->open_run)->case_index;
        result.pass = cases_run_at(&payload, store->open_run)->pass;
        finish_run(runner, &result);
        store->next_run = store->open_run + 1;
    }
}

/* ------------------------------------------------------------------------------------------------------------- ends */

/* From wherever we are: what was begun is undone, in the order of any program, and APT comes last. */
static void leave(struct runner *runner, const char *first, const char *second)
{
    const bool has_screen = runner->screen.pixels != NULL;
    stage(runner, CONSOLE_STAGE_LEAVE);
    if (has_screen)
        screen_message(&runner->screen, first, second);
    store_close(&runner->store);
    files_stop(&runner->files);
    for (uint32_t i = 0; has_screen && i < READING_SLICES && !applet_must_leave(&runner->applet); i++)
        system_sleep(READING_SLICE);
    if (has_screen)
        screen_stop(&runner->screen);
    gpu_close(&runner->gpu);
    applet_leave(&runner->applet);
}

/* Nothing of the GPU can be trusted: leaving would hang the HOME menu, too. */
static void wait_for_power_button(struct runner *runner)
{
    screen_message(&runner->screen, "THE GPU HANGS. HOLD POWER", "THEN START IT AGAIN");
    while (!applet_must_leave(&runner->applet))
        system_sleep(READING_SLICE);
    leave(runner, "", "");
}

static void run_and_leave(struct runner *runner)
{
    write_about(runner);
    close_open_run(runner);
    stage(runner, CONSOLE_STAGE_SPACE);
    if (store_reserve(&runner->store) < 0) {
        leave(runner, "NO ROOM ON THE CARD", "OR NO CARD");
        return;
    }
    if (!choose_way(runner)) {
        leave(runner, "A SELF-TEST FAILED", "PLEASE SEND THE RESULTS");
        return;
    }
    switch (run_all(runner)) {
    case ALL_DONE: leave(runner, "DONE. RESULTS ON THE CARD", ""); break;
    case CARD_GONE: leave(runner, "THE CARD IS FULL OR GONE", ""); break;
    case TOLD_TO_LEAVE: leave(runner, "TOLD TO END BEFORE IT IS", "DONE. START IT AGAIN"); break;
    case GPU_GONE:
        if (runner->is_strict)
            wait_for_power_button(runner);
        else
            leave(runner, "THE GPU HANGS", "START IT AGAIN");
        break;
    }
}

/* Without a screen yet, all that can be said is in the journal; without a journal, nothing can: then we come and go. */
static bool open_files(struct runner *runner)
{
    if (message_open_srv(&runner->srv) < 0)
        return false;
    if (cases_check(&payload) && files_start(&runner->files, runner->srv) >= 0 &&
        store_open(&runner->store, &runner->files, &payload) >= 0)
        return true;
    applet_start(&runner->applet, runner->srv);
    applet_leave(&runner->applet);
    return false;
}

void runner_main(void);
void runner_main(void)
{
    static struct runner runner; /* in bss: the stack is small */
    if (!open_files(&runner))
        return;
    runner.cases =
        (struct cases){ &payload, &runner.gpu, &runner.store, { 0, 0 }, CONSOLE_READ_DMA, &runner.screen, 0 };
    store_journal(&runner.store, CONSOLE_JOURNAL_OPEN, runner.store.starts);
    if (!start_gpu(&runner))
        leave(&runner, "", "");
    else if (runner.store.is_over)
        leave(&runner, "ALL IS DONE ALREADY", "");
    else
        run_and_leave(&runner);
}
