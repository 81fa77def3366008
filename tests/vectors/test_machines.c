/*
 * Where sources differ, each machine of open sides is right: `reference` under them has the full score, whatever they
 * are, and only it: a side that a console was seen not to take, and a part that is missing, lose in their own case.
 */
#include "harness/run/backends.h"
#include "harness/vectors/score.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum {
    MACHINES = 17,    /* with a few open sides each */
    COMBINATIONS = 9, /* with about half of them */
    STRIDE = 101      /* every so many-th case of the pack runs; on another machine others */
};

static const struct pica_options options = { .instruction_sets = UINT32_MAX };
static struct harness_error error;
static struct vectors *pack;
static bool all[PICA_CHOICES];

static void open_pack(void)
{
    size_t size = 0;
    const uint8_t *const bytes = vectors_builtin(&size);
    cr_assert_eq(vectors_parse("corpus/vectors", bytes, size, &pack, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(vectors_format(pack), VECTORS_VERSION);
    memset(all, 1, sizeof all);
}

static void close_pack(void)
{
    vectors_close(pack);
}

TestSuite(machines, .init = open_pack, .fini = close_pack);

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool is_open(uint32_t choice, uint32_t side)
{
    return pica_side_info(choice, side)->standing == PICA_STANDING_OPEN;
}

static void name_of(const struct pica_choices *choices, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < PICA_CHOICES && used < size; i++)
        if (choices->sides[i] != 0)
            used += (size_t)snprintf(out + used, size - used, "+%s=%s", pica_choice_info(i)->name,
                                     pica_side_info(i, choices->sides[i])->word);
}

/* A machine and what scores it. */
struct bench {
    struct harness_backend backend;
    struct vectors_scorer *scorer;
    struct harness_fingerprint fingerprint;
    char name[4096];
};

static void open_bench(struct bench *bench, const struct pica_choices *choices)
{
    name_of(choices, bench->name, sizeof bench->name);
    cr_assert_eq(harness_backend_open_chosen(choices, &bench->backend, &error), HARNESS_OK, "%s", error.message);
    const struct harness_finger_taker taker = { harness_finger_take_here, &bench->backend };
    cr_assert_eq(vectors_scorer_create(pack, &bench->backend, &options, &bench->scorer, &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(harness_fingerprint_take(&taker, all, &bench->fingerprint, &error), HARNESS_OK, "%s", error.message);
    vectors_scorer_know(bench->scorer, &bench->fingerprint);
}

static void close_bench(struct bench *bench)
{
    vectors_scorer_destroy(bench->scorer);
    harness_backend_close(&bench->backend);
}

static enum vectors_result result_of(struct bench *bench, size_t index, struct vectors_scored *scored)
{
    cr_assert_eq(vectors_score(bench->scorer, index, NULL, scored, &error), HARNESS_OK, "%s", error.message);
    return scored->result;
}

static bool is_split_of(size_t index, const struct pica_choices *choices)
{
    const char *const name = vectors_about(pack, index)->name;
    if (strncmp(name, "splits/", 7) != 0)
        return false;
    uint32_t choice = 0;
    while (choice < PICA_CHOICES && strcmp(pica_choice_info(choice)->name, name + 7) != 0)
        choice++;
    return choice == PICA_CHOICES || choices->sides[choice] != 0;
}

/* The splits of what this machine chose, and some of the rest. */
static bool is_taken(size_t index, const struct pica_choices *choices, size_t first)
{
    return is_split_of(index, choices) || index % STRIDE == first % STRIDE;
}

static void expect_full_score(const struct pica_choices *choices, size_t first)
{
    static struct bench bench; /* large */
    open_bench(&bench, choices);
    for (size_t i = 0; i < vectors_count(pack); i++) {
        struct vectors_scored scored;
        if (!is_taken(i, choices, first))
            continue;
        const enum vectors_result result = result_of(&bench, i, &scored);
        cr_expect(result == VECTORS_PASSED || result == VECTORS_ACCEPTABLE, "%s: %s: %s", bench.name,
                  vectors_about(pack, i)->name, scored.note);
    }
    close_bench(&bench);
}

/* GEN-07: each open side is that of one machine. */
Test(machines, of_a_few_open_sides_have_the_full_score, .timeout = 600)
{
    for (uint32_t machine = 0; machine < MACHINES; machine += TEST_PART) {
        struct pica_choices choices = { { 0 } };
        uint32_t open = 0;
        for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
            for (uint32_t side = 1; side < pica_side_count(choice); side++)
                if (is_open(choice, side) && open++ % MACHINES == machine)
                    choices.sides[choice] = (uint8_t)side;
        expect_full_score(&choices, machine);
    }
}

Test(machines, of_any_open_sides_have_the_full_score, .timeout = 600)
{
    uint32_t random = 1;
    for (uint32_t i = 0; i < COMBINATIONS / TEST_PART; i++) {
        struct pica_choices choices = { { 0 } };
        for (uint32_t choice = 0; choice < PICA_CHOICES; choice++) {
            const uint32_t side = next_random(&random) % (2 * pica_side_count(choice)); /* every other one normative */
            if (side < pica_side_count(choice) && is_open(choice, side))
                choices.sides[choice] = (uint8_t)side;
        }
        expect_full_score(&choices, MACHINES + i);
    }
}

static size_t find_split(uint32_t choice)
{
    char name[VECTORS_TEXT];
    (void)snprintf(name, sizeof name, "splits/%s", pica_choice_info(choice)->name);
    for (size_t i = 0; i < vectors_count(pack); i++)
        if (strcmp(vectors_about(pack, i)->name, name) == 0)
            return i;
    return SIZE_MAX;
}

Test(machines, of_a_refuted_side_or_a_lack_lose_in_its_case, .timeout = 600)
{
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        for (uint32_t side = 1; side < pica_side_count(choice); side++) {
            static struct bench bench;
            struct vectors_scored scored;
            struct pica_choices choices = { { 0 } };
            const size_t split = find_split(choice);
            choices.sides[choice] = (uint8_t)side;
            if (is_open(choice, side) || split == SIZE_MAX)
                continue;
            open_bench(&bench, &choices);
            cr_expect_eq(result_of(&bench, split, &scored), VECTORS_FAILED, "%s: %s", bench.name, scored.note);
            close_bench(&bench);
        }
}

/* A register's value at reset shows in nearly every case: that it is wrong is no reason to blame, say, the combiner. */
Test(machines, of_a_refuted_reset_value_lose_no_case_of_other_rules_that_shows_it_in_registers_alone, .timeout = 600)
{
    static struct bench bench;
    const struct pica_choice_info *const info = pica_choice_by_name("reset-irq-mask");
    const uint32_t choice = (uint32_t)info->choice;
    struct pica_choices choices = { { 0 } }, every; /* has all splits */
    choices.sides[choice] = 1;
    memset(&every, 1, sizeof every);
    cr_assert_eq(pica_side_info(choice, 1)->standing, PICA_STANDING_REFUTED);
    open_bench(&bench, &choices);
    size_t acceptable = 0, failed = 0;
    for (size_t i = 0; i < vectors_count(pack); i++) {
        struct vectors_scored scored;
        const struct vectors_case *const about = vectors_about(pack, i);
        if (!is_taken(i, &every, 0))
            continue;
        const enum vectors_result result = result_of(&bench, i, &scored);
        if (about->touched[choice] == VECTORS_IN_MEMORY || strstr(about->rules, info->rule) != NULL)
            failed += result == VECTORS_FAILED;
        else
            cr_expect(result == VECTORS_PASSED || result == VECTORS_ACCEPTABLE, "%s: %s", about->name, scored.note);
        acceptable += result == VECTORS_ACCEPTABLE;
    }
    cr_expect_geq(failed, 1);
    cr_expect_geq(acceptable, 50);
    close_bench(&bench);
}
