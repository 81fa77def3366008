/* What programs send and what they do not: the captures of real programs hold nothing odd, generated cases little. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/plausible.h"
#include "pica/fields.h"

#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static uint64_t total(const struct harness_shares *shares, enum pica_stage_word stage)
{
    const uint64_t *const counts = shares->counts[stage];
    return counts[HARNESS_SHARE_PLAIN] + counts[HARNESS_SHARE_ONE] + counts[HARNESS_SHARE_SEVERAL];
}

static uint32_t percent(const struct harness_shares *shares, enum pica_stage_word stage, enum harness_share share)
{
    const uint64_t all = total(shares, stage);
    return all == 0 ? 0 : (uint32_t)(100u * shares->counts[stage][share] / all);
}

/* --------------------------------------------------------------------------------------------------------- captures */

static void add_capture(struct harness_shares *shares, struct harness_case *test_case, const char *name)
{
    char path[1024];
    struct harness_error error = { "" };
    (void)snprintf(path, sizeof path, "%s/corpus/captures/%s", PICAFUZZ_SOURCE_DIR, name);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const uint32_t odd = harness_operation_odd(test_case, &test_case->operations[i]);
        cr_expect_eq(odd, 0, "%s, operation %u: %X", name, (unsigned)i, (unsigned)odd);
    }
    harness_shares_add(shares, test_case);
}

Test(plausible, nothing_that_captured_programs_do_is_odd)
{
    static struct harness_shares shares;
    struct harness_case *const test_case = harness_case_create();
    DIR *const directory = opendir(PICAFUZZ_SOURCE_DIR "/corpus/captures");
    uint32_t captures = 0;
    cr_assert_not_null(directory);
    harness_shares_init(&shares);
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (strstr(entry->d_name, ".picacap") == NULL && strstr(entry->d_name, ".ctf") == NULL)
            continue;
        add_capture(&shares, test_case, entry->d_name);
        captures++;
    }
    (void)closedir(directory);
    cr_assert_geq(captures, 20);
    for (uint32_t stage = 0; stage < PICA_STAGE_WORDS; stage++)
        cr_expect_eq(shares.counts[stage][HARNESS_SHARE_PLAIN], total(&shares, (enum pica_stage_word)stage), "%s",
                     pica_stage_word_info((enum pica_stage_word)stage)->text);
    cr_expect_gt(total(&shares, PICA_STAGE_WORD_FILL), 0);
    cr_expect_gt(total(&shares, PICA_STAGE_WORD_TRANSFER), 0);
    cr_expect_gt(total(&shares, PICA_STAGE_WORD_COPY), 0);
    cr_expect_gt(total(&shares, PICA_STAGE_WORD_BLEND), 0);
    harness_case_destroy(test_case);
}

/* ---------------------------------------------------------------------------------------------------- one odd value */

/* A plain operation, and what becomes odd if word `index` has another value. */
static const struct {
    enum harness_operation_kind kind;
    uint32_t words[9];
    uint32_t index;
    uint32_t value;
    uint32_t odd;
} changes[] = {
    { HARNESS_FILL, { 0x3000000, 0x3000200, 0x1234, 0x001 }, 2, 0x12345678, HARNESS_ODD_VALUE },
    { HARNESS_FILL, { 0x3000000, 0x3000200, 0x1234, 0x001 }, 0, 0x3000001, HARNESS_ODD_ADDRESS },
    { HARNESS_FILL, { 0x3000000, 0x3000200, 0x1234, 0x001 }, 1, 0x3000000, HARNESS_ODD_SIZE },
    { HARNESS_FILL, { 0x3000000, 0x3000200, 0x1234, 0x001 }, 1, 0x2FFFFFE, HARNESS_ODD_SIZE },
    { HARNESS_FILL, { 0x3000000, 0x3000200, 0x1234, 0x001 }, 3, 0x003, HARNESS_ODD_OTHER_BITS },
    { HARNESS_FILL, { 0x3000000, 0x3000006, 0x1234, 0x101 }, 3, 0x301, HARNESS_ODD_FORMAT },
    { HARNESS_FILL, { 0x3000000, 0x3000006, 0x1234, 0x101 }, 1, 0x3000008, HARNESS_ODD_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 3, 0x10, HARNESS_ODD_INPUT_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 3, 0x100018, HARNESS_ODD_INPUT_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100018, 0x1004 }, 4, 0x1000, HARNESS_ODD_INPUT_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x080008, 0x100010, 0x1004 }, 2, 0x080009, HARNESS_ODD_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x080008, 0x100010, 0x1004 }, 2, 0x000008, HARNESS_ODD_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x5000, HARNESS_ODD_FORMAT },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x1200, HARNESS_ODD_FORMAT },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x1022, HARNESS_ODD_LAYOUT },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x11000, HARNESS_ODD_LAYOUT },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x3001000, HARNESS_ODD_SCALE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 4, 0x101000, HARNESS_ODD_OTHER_BITS },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 5, 1, HARNESS_ODD_OTHER_BITS },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0x100010, 0x100010, 0x1000 }, 1, 0, HARNESS_ODD_ADDRESS },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 4, 0x108, HARNESS_ODD_OTHER_BITS },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 6, 0x84, HARNESS_ODD_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 6, 0, HARNESS_ODD_SIZE },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 7, 0x10003, HARNESS_ODD_LINES },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 8, 0x20002, HARNESS_ODD_LINES },
    { HARNESS_TRANSFER, { 0x3000000, 0x3000400, 0, 0, 8, 0, 0x80, 0x10004, 4 }, 7, 0x10000, HARNESS_ODD_LINES },
};

Test(plausible, one_odd_value_is_noticed_and_nothing_else)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert(harness_case_add_window(test_case, 0x18000000, 0x4000));
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct harness_operation operation = { .kind = changes[i].kind };
        memcpy(operation.words, changes[i].words, sizeof operation.words);
        cr_expect_eq(harness_operation_odd(test_case, &operation), 0, "line %zu", i);
        operation.words[changes[i].index] = changes[i].value;
        cr_expect_eq(harness_operation_odd(test_case, &operation), changes[i].odd, "line %zu: %X", i,
                     (unsigned)harness_operation_odd(test_case, &operation));
    }
    harness_case_destroy(test_case);
}

/* -------------------------------------------------------------------------------------------------- generated cases */

static void generate(struct harness_shares *shares, enum harness_generate_mode mode, uint32_t plain, uint64_t count)
{
    const struct harness_generate_options options = { .mode = mode, .plain = plain };
    struct harness_case *const test_case = harness_case_create();
    harness_shares_init(shares);
    for (uint64_t seed = 0; seed < count; seed++) {
        harness_generate(test_case, seed, &options);
        harness_shares_add(shares, test_case);
    }
    harness_case_destroy(test_case);
}

static const enum pica_stage_word engines[] = { PICA_STAGE_WORD_FILL, PICA_STAGE_WORD_TRANSFER, PICA_STAGE_WORD_COPY };

Test(plausible, every_engine_is_plain_in_four_of_five_operations, .timeout = 120)
{
    static struct harness_shares shares;
    generate(&shares, HARNESS_GENERATE_MIXED, 0, 6000);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_geq(percent(&shares, engines[i], HARNESS_SHARE_PLAIN), 80, "%s: %u %%",
                      pica_stage_word_info(engines[i])->text,
                      (unsigned)percent(&shares, engines[i], HARNESS_SHARE_PLAIN));
        cr_expect_gt(shares.counts[engines[i]][HARNESS_SHARE_ONE], 0);
    }
}

Test(plausible, most_odd_operations_of_defined_cases_have_one_odd_value, .timeout = 120)
{
    static struct harness_shares shares;
    generate(&shares, HARNESS_GENERATE_DEFINED, 0, 6000);
    for (size_t i = 0; i < 3; i++)
        cr_expect_gt(shares.counts[engines[i]][HARNESS_SHARE_ONE], 2 * shares.counts[engines[i]][HARNESS_SHARE_SEVERAL],
                     "%s", pica_stage_word_info(engines[i])->text);
}

Test(plausible, the_knob_decides_how_many, .timeout = 120)
{
    static struct harness_shares plain, half;
    generate(&plain, HARNESS_GENERATE_DEFINED, 100, 3000);
    generate(&half, HARNESS_GENERATE_DEFINED, 50, 3000);
    for (uint32_t stage = 0; stage < PICA_STAGE_WORDS; stage++)
        cr_expect_eq(plain.counts[stage][HARNESS_SHARE_PLAIN], total(&plain, (enum pica_stage_word)stage), "%s",
                     pica_stage_word_info((enum pica_stage_word)stage)->text);
    for (size_t i = 0; i < 3; i++) {
        const uint32_t share = percent(&half, engines[i], HARNESS_SHARE_PLAIN);
        cr_expect(share > 35 && share < 85, "%s: %u %%", pica_stage_word_info(engines[i])->text, (unsigned)share);
    }
}
