/* `picafuzz show --c`: the file is compiled as any emulator would, and replays to the same state and bytes. */
#include "fast/fast.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/load.h"
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the generated files declare it. */
struct picafuzz_hooks {
    void *user;
    void (*set_state)(void *user, const char *part, uint32_t first, const uint32_t *words, uint32_t count);
    void (*write_memory)(void *user, uint32_t address, const uint8_t *bytes, uint32_t size);
    void (*write_register)(void *user, uint32_t address, uint32_t value);
    void (*submit_list)(void *user, uint32_t address, uint32_t size);
    void (*fill)(void *user, unsigned unit, const uint32_t words[4]);
    void (*transfer)(void *user, const uint32_t words[9]);
    void (*vertical_blank)(void *user, unsigned screen);
};

/* An emulator whose GPU is `fast`. It is loaded when the state is complete: with the first of the other calls. */
struct emulator {
    struct pica_setup setup;
    struct pica_state state;
    void *gpu;
    bool is_loaded;
};

static char directory[1024];
static struct command_result result;
static uint32_t called[8]; /* of all cases, by the place of the hook */

static void run(struct emulator *emulator, const struct pica_operation *operation)
{
    if (!emulator->is_loaded)
        cr_assert_eq(fast_backend()->load(emulator->gpu, &emulator->setup), PICA_OK);
    emulator->is_loaded = true;
    cr_assert_eq(fast_backend()->run(emulator->gpu, operation), PICA_OK);
}

static void set_state(void *user, const char *part, uint32_t first, const uint32_t *words, uint32_t count)
{
    struct emulator *const emulator = user;
    cr_assert(!emulator->is_loaded, "the state comes first");
    cr_assert_lt(harness_part_find(part), harness_part_count, "%s", part);
    for (uint32_t i = 0; i < count; i++)
        harness_part_set(&emulator->state, harness_part_find(part), first + i, words[i]);
    emulator->setup.initial_state = &emulator->state;
    called[1]++;
}

static void write_memory(void *user, uint32_t address, const uint8_t *bytes, uint32_t size)
{
    run(user, &(struct pica_operation){
                  .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .data = bytes, .size = size });
    called[2]++;
}

static void write_register(void *user, uint32_t address, uint32_t value)
{
    run(user,
        &(struct pica_operation){ .kind = PICA_OPERATION_WRITE_REGISTER, .address = address, .words = { value } });
    called[3]++;
}

static void submit_list(void *user, uint32_t address, uint32_t size)
{
    run(user, &(struct pica_operation){ .kind = PICA_OPERATION_SUBMIT_LIST, .address = address, .size = size });
    called[4]++;
}

static void fill(void *user, unsigned unit, const uint32_t words[4])
{
    struct pica_operation operation = { .kind = PICA_OPERATION_MEMORY_FILL, .unit = unit };
    memcpy(operation.words, words, 4 * sizeof *words);
    run(user, &operation);
    called[5]++;
}

static void transfer(void *user, const uint32_t words[9])
{
    struct pica_operation operation = { .kind = PICA_OPERATION_DISPLAY_TRANSFER };
    memcpy(operation.words, words, 9 * sizeof *words);
    run(user, &operation);
    called[6]++;
}

static void vertical_blank(void *user, unsigned screen)
{
    run(user, &(struct pica_operation){ .kind = PICA_OPERATION_VERTICAL_BLANK, .unit = screen });
    called[7]++;
}

/* The case as a C file, compiled as strictly as an emulator may, and run. */
static void compile_and_replay(struct emulator *emulator, const char *path)
{
    struct picafuzz_hooks hooks = { emulator,    set_state, write_memory, write_register,
                                    submit_list, fill,      transfer,     vertical_blank };
    char line[1 << 14];
    void (*replay)(const struct picafuzz_hooks *hooks) = NULL;
    (void)snprintf(line, sizeof line,
                   "cd '%s' && '%s/bin/picafuzz' show --c '%s' > case.c && '%s' -std=c99 -Wall -Wextra -pedantic "
                   "-Werror -shared -fPIC case.c -o case.so",
                   directory, PICAFUZZ_BINARY_DIR, path, PICAFUZZ_C_COMPILER);
    run_command(&result, line);
    cr_assert_eq(result.exit_code, 0, "%s: %s", path, result.output);
    (void)snprintf(line, sizeof line, "%s/case.so", directory);
    void *const library = dlopen(line, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    void *const symbol = dlsym(library, "picafuzz_replay");
    cr_assert_not_null(symbol);
    memcpy(&replay, &symbol, sizeof replay);
    replay(&hooks);
    cr_assert(emulator->is_loaded);
    (void)dlclose(library);
}

/* The last file is C++, too. */
static void compile_as_cpp(void)
{
    char line[1 << 14];
    (void)snprintf(line, sizeof line,
                   "cd '%s' && '%s' -x c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only case.c", directory,
                   PICAFUZZ_CXX_COMPILER);
    if (PICAFUZZ_CXX_COMPILER[0] == '\0')
        return;
    run_command(&result, line);
    cr_expect_eq(result.exit_code, 0, "%s", result.output);
}

static void *new_gpu(void)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    void *gpu = NULL;
    cr_assert_eq(fast_backend()->create(&options, &gpu), PICA_OK);
    return gpu;
}

static void expect_same(void *a, void *b, const struct pica_setup *setup, const char *path)
{
    static struct pica_state of_a, of_b;
    cr_assert_eq(fast_backend()->read_state(a, &of_a), PICA_OK);
    cr_assert_eq(fast_backend()->read_state(b, &of_b), PICA_OK);
    cr_expect(memcmp(&of_a, &of_b, sizeof of_a) == 0, "%s: the states differ", path);
    for (uint32_t i = 0; i < setup->window_count; i++) {
        const uint8_t *in_a = NULL, *in_b = NULL;
        cr_assert_eq(fast_backend()->view_memory(a, i, &in_a), PICA_OK);
        cr_assert_eq(fast_backend()->view_memory(b, i, &in_b), PICA_OK);
        cr_expect(memcmp(in_a, in_b, setup->windows[i].size) == 0, "%s: window %u differs", path, i);
    }
}

/* By the file of C on one GPU, by the case itself on another. */
static void replay_both_ways(const char *path)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct emulator *const emulator = calloc(1, sizeof *emulator);
    cr_assert_eq(harness_load(test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    void *const itself = new_gpu();
    cr_assert_eq(fast_backend()->load(itself, &program->setup), PICA_OK);
    for (uint32_t i = 0; i < program->count; i++)
        cr_assert_eq(fast_backend()->run(itself, &program->operations[i]), PICA_OK);
    emulator->setup = program->setup;
    emulator->setup.chunks = NULL;
    emulator->setup.chunk_count = 0;
    emulator->setup.initial_state = NULL;
    emulator->gpu = new_gpu();
    harness_state_reset(&emulator->state);
    compile_and_replay(emulator, path);
    expect_same(itself, emulator->gpu, &program->setup, path);
    fast_backend()->destroy(itself);
    fast_backend()->destroy(emulator->gpu);
    free(emulator);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

static void replay_source(const char *name)
{
    char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", PICAFUZZ_SOURCE_DIR, name);
    replay_both_ways(path);
}

Test(c_source, replays_to_the_same_state_and_bytes)
{
    char path[2048];
    struct harness_case *const test_case = harness_case_create();
    fresh_directory(directory, sizeof directory, "c_source");
    replay_source("corpus/seeds/texture/wrap-modes.pcase");
    compile_as_cpp();
    replay_source("corpus/captures/mesh-f0.picacap");
    replay_source("corpus/captures/jumps-f0.picacap");
    for (uint64_t seed = 1; seed <= 12; seed++) { /* between them they have an initial state and all operations */
        harness_generate(test_case, seed, NULL);
        (void)snprintf(path, sizeof path, "%s/seed.pcb", directory);
        cr_assert_eq(harness_case_save_file(test_case, path, NULL), HARNESS_OK);
        replay_both_ways(path);
    }
    for (size_t i = 1; i < sizeof called / sizeof called[0]; i++)
        cr_expect_gt(called[i], 0, "hook %zu was never called", i);
    harness_case_destroy(test_case);
}

/* Comments and notes of a case may hold anything. */
Test(c_source, text_of_a_case_stays_in_its_comment)
{
    static const char text[] = "*/ #error \"out\" /* \\\n?\?/\n*//* //\n\033[2J\xC3\xA4";
    char path[2048];
    struct harness_case *const test_case = harness_case_create();
    fresh_directory(directory, sizeof directory, "c_source_text");
    (void)snprintf(path, sizeof path, "%s/text.pcase", directory);
    cr_assert(harness_case_add_window(test_case, 0x18000000, 0x1000));
    struct harness_operation *const list = harness_case_add_run(test_case, 0x18000000);
    list->comment = harness_case_text(test_case, text, false);
    cr_assert(harness_list_write(test_case, &list->data.list, 0x10, 0x12345678));
    harness_list_edit(&list->data.list, 0)->comment = harness_case_text(test_case, text, false);
    harness_case_append(test_case, HARNESS_NOTE)->text = harness_case_text(test_case, text, true);
    harness_case_add_vblank(test_case, 1)->comment = harness_case_text(test_case, text, false);
    test_case->comment = harness_case_text(test_case, text, false);
    cr_assert_eq(harness_case_save_file(test_case, path, NULL), HARNESS_OK);
    replay_both_ways(path);
    compile_as_cpp();
    harness_case_destroy(test_case);
}

Test(c_source, too_much_memory_is_refused)
{
    struct harness_text text = { 0 };
    struct harness_error error = { "" };
    struct harness_data data;
    struct harness_case *const test_case = harness_case_create();
    cr_assert(harness_case_add_window(test_case, 0x18000000, 0x1000));
    harness_data_pattern(&data, HARNESS_PATTERN_FILL, 1, 0x800001);
    (void)harness_case_add_load(test_case, 0x18000000, &data);
    cr_expect_eq(harness_c_write(test_case, "large", &text, &error), HARNESS_TOO_LARGE);
    cr_expect_str_eq(error.message,
                     "large: expected at most 8388608 bytes of memory contents for C, found 8388609: reduce it first");
    harness_text_free(&text);
    harness_case_destroy(test_case);
}
