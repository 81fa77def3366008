/* AFL++'s custom mutator beside libFuzzer's hooks: the same bytes; and the conventions that afl-fuzz 4.04c expects. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/run/pair.h"
#include "harness/targets/target.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the loader of afl-fuzz declares them. */
struct library {
    void *(*init)(void *afl, unsigned int seed);
    void (*deinit)(void *data);
    size_t (*fuzz)(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf, size_t add_buf_size,
                   size_t max_size);
    unsigned int (*fuzz_count)(void *data, const uint8_t *buf, size_t buf_size);
    const char *(*describe)(void *data, size_t max_description_len);
    int (*init_trim)(void *data, uint8_t *buf, size_t buf_size);
    size_t (*trim)(void *data, uint8_t **out_buf);
    int (*post_trim)(void *data, unsigned char success);
    void *data;
};

static void take_symbol(void *opened, const char *name, void *function)
{
    void *const symbol = dlsym(opened, name);
    cr_assert_not_null(symbol, "%s is missing", name);
    memcpy(function, &symbol, sizeof symbol); /* POSIX lets an object pointer become a function pointer */
}

static struct library load(unsigned int seed)
{
    struct library library;
    void *const opened = dlopen(PICAFUZZ_BINARY_DIR "/lib/mutator_afl.so", RTLD_NOW);
    cr_assert_not_null(opened, "%s", dlerror());
    take_symbol(opened, "afl_custom_init", &library.init);
    take_symbol(opened, "afl_custom_deinit", &library.deinit);
    take_symbol(opened, "afl_custom_fuzz", &library.fuzz);
    take_symbol(opened, "afl_custom_fuzz_count", &library.fuzz_count);
    take_symbol(opened, "afl_custom_describe", &library.describe);
    take_symbol(opened, "afl_custom_init_trim", &library.init_trim);
    take_symbol(opened, "afl_custom_trim", &library.trim);
    take_symbol(opened, "afl_custom_post_trim", &library.post_trim);
    cr_assert_null(dlsym(opened, "afl_custom_post_process"), "the queue would hold processed bytes");
    library.data = library.init(NULL, seed);
    cr_assert_not_null(library.data);
    return library;
}

static uint8_t inputs[2][1 << 18], expected[HARNESS_MAX_INPUT + 64], garbage[1 << 18];

static size_t generate(uint64_t seed, uint8_t *out)
{
    size_t size = 0;
    struct harness_case *const test_case = harness_case_create();
    harness_generate(test_case, seed, NULL);
    cr_assert_eq(harness_pcb_encode(test_case, out, HARNESS_MAX_INPUT, &size, NULL), HARNESS_OK);
    harness_case_destroy(test_case);
    return size;
}

/* What libFuzzer's hooks do with it: one draw is the seed, one says whether the second input is used. */
static size_t expect(struct harness_random *random, size_t size, size_t other_size, size_t most)
{
    const unsigned int seed = (unsigned int)harness_random_next(random);
    const bool both = harness_random_percent(random, 50);
    if (both && other_size != 0)
        return LLVMFuzzerCustomCrossOver(inputs[0], size, inputs[1], other_size, expected, most, seed);
    memcpy(expected, inputs[0], size < most ? size : most);
    return LLVMFuzzerCustomMutator(expected, size, most, seed);
}

/* The engines' own shares of cases made anew differ. */
Test(engines, both_hooks_give_the_same_bytes_for_the_same_input_seed_size_and_share)
{
    static const size_t maxima[] = { 1u << 20, 1u << 14, 2000, 100 };
    cr_assert_eq(setenv("PICAFUZZ_FRESH", "20", 1), 0);
    struct library library = load(77);
    struct harness_random random;
    harness_random_init(&random, 77);
    uint32_t combined = 0, changed = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        const size_t size = generate(i % 100, inputs[0]);
        const size_t other_size = i % 4 == 3 ? 0 : generate(1000 + i % 90, inputs[1]);
        const size_t most = maxima[i % 5 < 3 ? 0 : i % 4];
        const size_t limit = most < HARNESS_MAX_INPUT ? most : HARNESS_MAX_INPUT;
        const size_t wanted = expect(&random, size, other_size, limit);
        uint8_t *out = NULL;
        const size_t got =
            library.fuzz(library.data, inputs[0], size, &out, other_size != 0 ? inputs[1] : NULL, other_size, most);
        cr_assert_eq(got, wanted, "call %d: %zu bytes, libFuzzer's hook gives %zu", (int)i, got, wanted);
        cr_assert_eq(memcmp(out, expected, got), 0, "call %d: other bytes", (int)i);
        combined += strcmp(library.describe(library.data, 64), "pica-combine") == 0;
        changed += got != size || memcmp(out, inputs[0], size) != 0;
    }
    cr_expect(combined > 900 && combined < 1400, "%u of 3000 calls saw the second input", combined);
    cr_expect_gt(changed, 2600, "only %u of 3000 calls changed anything", changed);
    library.deinit(library.data);
}

Test(engines, any_bytes_of_any_size_give_a_bounded_case)
{
    struct library library = load(1);
    struct harness_random random;
    harness_random_init(&random, 5);
    for (uint32_t i = 0; i < 600; i++) {
        const size_t size = i % 50 == 0 ? sizeof garbage : harness_random_below(&random, 3000);
        for (size_t b = 0; b < size; b++)
            garbage[b] = (uint8_t)harness_random_next(&random);
        uint8_t *out = NULL;
        const size_t got = library.fuzz(library.data, garbage, size, &out, i % 2 != 0 ? garbage + 7 : NULL,
                                        i % 2 != 0 ? size / 2 : 0, 1u << 20);
        cr_assert_not_null(out);
        cr_assert(got >= 1 && got <= HARNESS_MAX_INPUT, "%zu bytes", got);
        const unsigned int count = library.fuzz_count(library.data, garbage, size);
        cr_assert(count >= 16 && count <= 4096);
        const char *const text = library.describe(library.data, 20);
        cr_assert(strlen(text) <= 20 && strpbrk(text, "/ :,") == NULL, "'%s' goes into file names", text);
        cr_assert_str_empty(library.describe(library.data, 3));
    }
    library.deinit(library.data);
}

/* afl-fuzz loops while there are candidates; a negative number of them would be four billion. */
Test(engines, nothing_is_trimmed)
{
    struct library library = load(1);
    cr_assert_eq(library.init_trim(library.data, inputs[0], generate(1, inputs[0])), 0);
    cr_assert_eq(library.init_trim(library.data, garbage, sizeof garbage), 0);
    library.deinit(library.data);
}
