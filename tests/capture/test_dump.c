/* `picafuzz import --list`: what a debugger dumps of an emulator becomes a case that ends in the same bytes. */
#include "fast/fast.h"
#include "harness/case/formats.h"
#include "harness/run/load.h"
#include "pica/events.h"
#include "pica/memory.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[1024], options[1 << 14];
static struct command_result result;

static void add_option(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add_option(const char *format, ...)
{
    const size_t length = strlen(options);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(options + length, sizeof options - length, format, arguments);
    va_end(arguments);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    cr_assert_eq(harness_file_write_lazily(path, bytes, size, NULL), HARNESS_OK);
}

static void import(int code, const char *words)
{
    char line[1 << 15];
    (void)snprintf(line, sizeof line, "cd '%s' && '%s/bin/picafuzz' import -o . %s", directory, PICAFUZZ_BINARY_DIR,
                   options);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, code, "%s: %s", line, result.output);
    cr_expect_not_null(strstr(result.output, words), "no '%s': %s", words, result.output);
    options[0] = '\0';
}

static void begin(const char *test)
{
    fresh_directory(directory, sizeof directory, test);
    options[0] = '\0';
}

/* ------------------------------------------------------------------------------------------------- there and back */

static void *new_gpu(const struct pica_setup *setup)
{
    const struct pica_options gpu_options = { .instruction_sets = UINT32_MAX };
    void *gpu = NULL;
    cr_assert_eq(fast_backend()->create(&gpu_options, &gpu), PICA_OK);
    cr_assert_eq(fast_backend()->load(gpu, setup), PICA_OK);
    return gpu;
}

/* A part as text, a line for each element. */
static void write_text(const char *name, const struct pica_state *state, uint32_t part)
{
    struct harness_text text = { 0 };
    harness_text_add(&text, "# part of a dump\n\n");
    for (uint32_t i = 0; i < harness_parts[part].count; i++)
        harness_text_format(&text, i % 2 == 0 ? "0x%03X: 0x%08X\r\n" : "0x%X = 0x%X # odd\n", i,
                            harness_part_get(state, part, i));
    write_file(name, text.data, text.size);
    harness_text_free(&text);
}

/* A file for each window, and one for each part of the state, raw words and text by turns. */
static void dump(void *gpu, const struct harness_case *test_case, uint32_t as_text)
{
    static struct pica_state state;
    static uint8_t words[4 * 24 * 256];
    char name[128];
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const uint8_t *bytes = NULL;
        cr_assert_eq(fast_backend()->view_memory(gpu, i, &bytes), PICA_OK);
        (void)snprintf(name, sizeof name, "window%u", i);
        write_file(name, bytes, test_case->windows[i].size);
        add_option(" --memory 0x%X=%s", test_case->windows[i].address, name);
    }
    cr_assert_eq(fast_backend()->read_state(gpu, &state), PICA_OK);
    for (uint32_t part = 0; part < harness_part_count; part++) {
        for (uint32_t i = 0; i < 4 * harness_parts[part].count; i++)
            words[i] = (uint8_t)(harness_part_get(&state, part, i / 4) >> 8 * (i % 4));
        if (part % 2 == as_text)
            write_text(harness_parts[part].name, &state, part);
        else
            write_file(harness_parts[part].name, words, 4 * (size_t)harness_parts[part].count);
        if (part == 0)
            add_option(" --registers registers");
        else
            add_option(" --state %s=%s", harness_parts[part].name, harness_parts[part].name);
    }
}

static struct harness_case *load(const char *path)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_load(test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

static struct harness_program *lower(const struct harness_case *test_case)
{
    struct harness_program *const program = harness_program_create();
    cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
    return program;
}

/* Pages that the replay touched; the list reads and draws to no others. */
static void expect_same(void *gpu, void *replay, const struct harness_case *imported, const char *path)
{
    static uint64_t touched[0x8000 / 64];
    static uint8_t a[PICA_PAGE_SIZE], b[PICA_PAGE_SIZE];
    uint32_t pages = 0;
    for (uint32_t i = 0; i < imported->window_count; i++) {
        memset(touched, 0, sizeof touched);
        cr_assert_eq(fast_backend()->touched_pages(replay, i, PICA_PAGES_WRITTEN, touched, 0x8000 / 64), PICA_OK);
        for (uint32_t page = 0; page < imported->windows[i].size / PICA_PAGE_SIZE; page++) {
            const uint32_t address = imported->windows[i].address + page * PICA_PAGE_SIZE;
            if ((touched[page / 64] >> page % 64 & 1) == 0)
                continue;
            cr_assert_eq(fast_backend()->read_memory(gpu, address, a, sizeof a), PICA_OK);
            cr_assert_eq(fast_backend()->read_memory(replay, address, b, sizeof b), PICA_OK);
            cr_expect(memcmp(a, b, sizeof a) == 0, "%s: the page at 0x%08X differs", path, address);
            pages++;
        }
    }
    cr_expect_gt(pages, 1, "%s: compared too little", path);
}

/* The case has every buffer whole, also where the list does not draw. */
static void expect_whole_buffers(void *replay, const char *file)
{
    struct pica_events events;
    cr_assert_eq(fast_backend()->read_events(replay, &events), PICA_OK);
    cr_expect(!pica_events_has(&events, PICA_EVENT_FB_UNMAPPED), "%s: a buffer is outside the windows", file);
}

/* Dumps before the first list, imports, runs that list on both. The replay's state is that of the emulator. */
static void there_and_back(const char *file, uint32_t as_text)
{
    static struct pica_state a, b;
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", PICAFUZZ_SOURCE_DIR, file);
    struct harness_case *const test_case = load(path);
    struct harness_program *const program = lower(test_case);
    void *const gpu = new_gpu(&program->setup);
    uint32_t i = 0;
    while (program->operations[i].kind != PICA_OPERATION_SUBMIT_LIST)
        cr_assert_eq(fast_backend()->run(gpu, &program->operations[i++]), PICA_OK);
    dump(gpu, test_case, as_text);
    add_option(" --list 0x%X+%u", program->operations[i].address, program->operations[i].size);
    import(0, "window(s)");
    cr_assert_eq(fast_backend()->run(gpu, &program->operations[i]), PICA_OK);
    (void)snprintf(path, sizeof path, "%s/list-%08X.pcase", directory, program->operations[i].address);
    struct harness_case *const imported = load(path);
    struct harness_program *const replayed = lower(imported);
    void *const replay = new_gpu(&replayed->setup);
    for (uint32_t k = 0; k < replayed->count; k++)
        cr_assert_eq(fast_backend()->run(replay, &replayed->operations[k]), PICA_OK);
    cr_assert_eq(fast_backend()->read_state(gpu, &a), PICA_OK);
    cr_assert_eq(fast_backend()->read_state(replay, &b), PICA_OK);
    cr_expect(memcmp(&a, &b, sizeof a) == 0, "%s: the states differ", file);
    expect_same(gpu, replay, imported, file);
    expect_whole_buffers(replay, file);
    fast_backend()->destroy(gpu);
    fast_backend()->destroy(replay);
    harness_program_destroy(program);
    harness_program_destroy(replayed);
    harness_case_destroy(test_case);
    harness_case_destroy(imported);
}

Test(dump, a_list_with_all_that_a_debugger_dumps_ends_in_the_same_bytes_and_state)
{
    begin("dump_there_and_back");
    there_and_back("corpus/captures/hall-f5.picacap", 0);
    there_and_back("corpus/captures/jumps-f0.picacap", 1);
    there_and_back("corpus/seeds/texture/wrap-modes.pcase", 0);
}

/* ----------------------------------------------------------------------------------------------------- the options */

Test(dump, memory_that_the_list_reads_and_nobody_gives_is_named)
{
    static const uint8_t list[16] = { 0x78, 0x56, 0x34, 0x12, 0x10, 0x00, 0x0F, 0x00 };
    begin("dump_missing");
    write_file("list.bin", list, sizeof list);
    add_option("--list 0x20001000+16");
    import(2, "--list 0x20001000+16: expected bytes that --memory gives, found none there");
    add_option("--list 0x20000FF0+32 --memory 0x20001000=list.bin");
    import(0, "the list reads 0x20000000-0x20000FFF, which is not given: zeros there");
    add_option("--list 0x20001000=list.bin");
    import(0, "list-20001000.pcase: 1 window(s)");
    cr_expect_null(strstr(result.output, "zeros"), "%s", result.output);
    add_option("--list list.bin");
    import(0, "list-27FFF000.pcase: 1 window(s)");
}

/* One line, which stays short. */
Test(dump, all_memory_that_is_missing_is_one_line)
{
    static const uint8_t bytes[16] = { 0 };
    char given[64];
    begin("dump_ranges");
    write_file("zeros.bin", bytes, sizeof bytes);
    add_option("--list 0x20000000+73728"); /* 18 pages; every other one is given */
    for (unsigned page = 1; page < 18; page += 2) {
        (void)snprintf(given, sizeof given, " --memory 0x%X=zeros.bin", 0x20000000u + page * 4096u);
        add_option("%s", given);
    }
    import(0, ": the list reads 0x20000000-0x20000FFF, 0x20002000-0x20002FFF, 0x20004000-0x20004FFF, "
              "0x20006000-0x20006FFF, 0x20008000-0x20008FFF, 0x2000A000-0x2000AFFF, 0x2000C000-0x2000CFFF, "
              "0x2000E000-0x2000EFFF and 1 more, which are not given: zeros there\n");
    cr_expect_null(strstr(strstr(result.output, "not given") + 1, "not given"), "%s", result.output);
}

Test(dump, what_is_wrong_is_said_by_option_file_and_offset)
{
    static const uint8_t bytes[0xC04] = { [3] = 1 };
    begin("dump_wrong");
    write_file("list.bin", bytes, 16);
    write_file("long.bin", bytes, sizeof bytes);
    write_file("odd.bin", bytes, 7);
    write_file("empty.bin", bytes, 0);
    add_option("--list 0x1FF80000=list.bin");
    import(2, "--list 0x1FF80000=list.bin: expected bytes in VRAM (0x18000000-0x185FFFFF) or FCRAM");
    add_option("--list list.bin --memory 0x185FFFF8=list.bin");
    import(2, "--memory 0x185FFFF8=list.bin: expected bytes in VRAM");
    add_option("--list list.bin --memory list.bin");
    import(2, "--memory list.bin: expected ADDRESS=FILE");
    add_option("--list list.bin --registers long.bin");
    import(2, "long.bin: expected at most 768 words (registers), found 3076 bytes");
    add_option("--list list.bin --registers odd.bin");
    import(2, "odd.bin: expected at most 768 words (registers), found 7 bytes");
    add_option("--list list.bin --state vertex.booleans=list.bin");
    import(2, "list.bin: expected at most 1 words (vertex.booleans)");
    add_option("--list list.bin --state vertex.integers=list.bin");
    import(2, "list.bin: offset 0x0: expected a value that the element can have, found 0x1000000 for "
              "vertex.integers[0]");
    add_option("--list list.bin --state code=list.bin");
    import(2, "--state code=list.bin: expected PART=FILE with a part of pica/state.def");
    add_option("--list empty.bin");
    import(2, "empty.bin: expected bytes, found an empty file");
    add_option("--list nowhere.bin");
    import(2, "nowhere.bin: No such file");
    add_option("--memory 0x18000000=list.bin");
    import(2, "--memory, --registers and --state go with --list");
    add_option("--list list.bin list.bin");
    import(2, "give captures or --list, not both");
    add_option("--list list.bin --registers list.bin --state registers=list.bin");
    import(2, "list.bin: expected each part once, found registers again");
}

Test(dump, files_that_overlap_must_tell_the_same)
{
    static const uint8_t bytes[64] = { [32] = 7 };
    static const uint8_t other[16] = { 0, 0, 6 };
    begin("dump_overlap");
    write_file("memory.bin", bytes, sizeof bytes);
    write_file("part.bin", other, 2);
    write_file("other.bin", other, sizeof other);
    add_option("--memory 0x20000000=memory.bin --list 0x20000020=other.bin");
    import(2, "--list 0x20000020=other.bin: offset 0x0: expected 0x07, which 0x20000000=memory.bin has at 0x20000020, "
              "found 0x00");
    add_option("--memory 0x20000000=memory.bin --memory 0x2000001E=part.bin --list 0x20000000+64");
    import(0, "list-20000000.pcase");
    add_option("--memory 0x27FFFFC0=memory.bin --list other.bin");
    import(0, "list-27FFE000.pcase");
}

Test(dump, output_is_a_directory_or_a_file)
{
    static const uint8_t list[16] = { 0 };
    begin("dump_output");
    write_file("list.bin", list, sizeof list);
    add_option("--list list.bin -o crash.pcase");
    import(0, "crash.pcase: 1 window(s)");
    add_option("--list list.bin -o crash.pcb");
    import(0, "crash.pcb: 1 window(s)");
    add_option("--list list.bin -o there");
    import(0, "there/list-27FFF000.pcase: 1 window(s)");
}

/* From a debugger to C source, as docs/crash-in-a-debugger.md has it: a GPU that cannot draw with shadow cubes. */
Test(dump, a_crash_becomes_a_few_commands_with_the_same_signal_and_function, .timeout = 60)
{
    static const uint8_t list[] = { 3, 0, 0, 0, 0x28, 2, 0xF, 0, 1, 0, 0, 0, 0x2E, 2, 0xF, 0,
                                    2, 0, 0, 0, 0x41, 0, 0xF, 0, 1, 0, 0, 0, 0x10, 0, 0xF, 0 };
    static const char registers[] = "TEXUNIT_CONFIG 1\nTEXUNIT0_PARAM 0x40000000\nFRAMEBUFFER_DIM 0x0100F030\n";
    char line[1 << 13];
    begin("dump_crash");
    write_file("list.bin", list, sizeof list);
    write_file("registers.txt", registers, sizeof registers - 1);
    add_option("--list list.bin --registers registers.txt -o crash.pcase");
    import(0, "crash.pcase: 1 window(s)");
    (void)snprintf(line, sizeof line,
                   "cd '%s' && CROOKED=crash '%s/bin/picafuzz' reduce -b '%s/lib/crooked.so' crash.pcase "
                   "-o small.pcase --show --c small.c && cat small.c",
                   directory, PICAFUZZ_BINARY_DIR, PICAFUZZ_BINARY_DIR);
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
    cr_expect_not_null(strstr(result.output, "_draw: signal 11"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "\n    DRAWARRAYS = "), "not printed: %s", result.output);
    cr_expect_not_null(strstr(result.output, "    /* DRAWARRAYS = "), "not in C: %s", result.output);
    cr_expect_not_null(strstr(result.output, "type = shadow-cube"), "%s", result.output);
    cr_expect_null(strstr(result.output, "VIEWPORT_WIDTH"), "nobody needs it: %s", result.output);
}
