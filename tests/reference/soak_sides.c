/*
 * Generated cases by seed on the reference with other sides of the known choices (pica/splits.def): two for each case,
 * a random half of all for some. Whatever the sides, a run has to end and to depend on nothing but case and sides: two
 * instances, of which only one takes the shortcuts of reference/shortcuts.h, must agree on memory and state. Meant for
 * builds with sanitizers. --effects counts instead in how many cases each side changes something.
 */
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "harness/run/runner.h"
#include "pica/splits.h"
#include "reference/reference.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIDES = PICA_CHOICES * PICA_MOST_SIDES
};

struct request {
    struct cli_seeds seeds;
    bool effects;
};

struct soak {
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
    const struct pica_side_info *sides[MOST_SIDES]; /* those that are not normative */
    uint32_t side_count;
    uint32_t effects[MOST_SIDES]; /* cases in which the side changed something */
    uint32_t cases;               /* that were run */
    bool has_failed;              /* host trouble */
};

/* ------------------------------------------------------------------------------------------------- choice of sides */

/* Spreads a seed over 64 bits (splitmix64). */
static uint64_t spread(uint64_t seed)
{
    uint64_t x = seed + UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static void take(struct pica_choices *choices, const struct pica_side_info *side)
{
    choices->sides[side->choice] = (uint8_t)side->number;
}

/* Seeds in a row go through all pairs; every eighth one takes about half of all sides. */
static struct pica_choices sides_of_seed(const struct soak *soak, uint64_t seed)
{
    struct pica_choices choices = { { 0 } };
    const uint64_t pair = seed - seed / 8u;
    if (seed % 8u == 7u) {
        for (uint32_t i = 0; i < soak->side_count; i++)
            if (spread(seed * MOST_SIDES + i) % 2u == 0)
                take(&choices, soak->sides[i]);
        return choices;
    }
    take(&choices, soak->sides[pair % soak->side_count]);
    take(&choices, soak->sides[pair / soak->side_count % soak->side_count]);
    return choices;
}

static void list_sides(struct soak *soak)
{
    for (uint32_t c = 0; c < PICA_CHOICES; c++)
        for (uint32_t s = 1; s < pica_side_count(c); s++)
            soak->sides[soak->side_count++] = pica_side_info(c, s);
}

/* ------------------------------------------------------------------------------------------------------------ runs */

/* What the loaded case leaves on a runner with these sides. */
static struct harness_digest run(struct soak *soak, struct harness_runner *runner, const struct pica_choices *choices)
{
    struct harness_digest digest = { 0, 0, 0 };
    struct oracle_run left;
    struct harness_error error;
    const bool has_run = ref_set_choices(harness_runner_instance(runner), choices) == PICA_OK &&
                         harness_runner_load(runner, &soak->program->setup) == PICA_OK &&
                         harness_runner_run(runner, soak->program->operations, soak->program->count) == PICA_OK &&
                         harness_runner_collect(runner, &left) == PICA_OK &&
                         harness_digest(&left, &digest, &error) == HARNESS_OK;
    soak->has_failed = soak->has_failed || !has_run;
    return digest;
}

static bool is_same(const struct harness_digest *a, const struct harness_digest *b)
{
    return a->memory == b->memory && a->state == b->state;
}

/* The case is set up. False: the two instances differ. */
static bool agree(struct soak *soak, uint64_t seed)
{
    const struct pica_choices choices = sides_of_seed(soak, seed);
    const struct harness_digest with = run(soak, soak->runners[0], &choices);
    const struct harness_digest without = run(soak, soak->runners[1], &choices);
    return is_same(&with, &without);
}

static void count_effects(struct soak *soak)
{
    const struct harness_digest normative = run(soak, soak->runners[0], NULL);
    for (uint32_t i = 0; i < soak->side_count; i++) {
        struct pica_choices choices = { { 0 } };
        take(&choices, soak->sides[i]);
        const struct harness_digest other = run(soak, soak->runners[0], &choices);
        soak->effects[i] += is_same(&normative, &other) ? 0u : 1u;
    }
}

static void print_effects(const struct soak *soak)
{
    for (uint32_t i = 0; i < soak->side_count; i++)
        printf("%8u  %s = %s\n", (unsigned)soak->effects[i], pica_choice_info(soak->sides[i]->choice)->name,
               soak->sides[i]->word);
}

/* ---------------------------------------------------------------------------------------------------------- program */

static bool prepare(struct soak *soak, const char *name)
{
    struct harness_error error = { "" };
    if (harness_case_setup(soak->test_case, soak->program, &error) == HARNESS_OK)
        return true;
    fprintf(stderr, "soak_sides: %s: %s\n", name, error.message);
    soak->has_failed = true;
    return false;
}

/* The exit code; the case is loaded. */
static int one(struct soak *soak, const struct request *request, uint64_t seed, const char *name)
{
    soak->cases += 1u;
    if (prepare(soak, name) && request->effects)
        count_effects(soak);
    else if (!soak->has_failed && !agree(soak, seed) && !soak->has_failed) {
        printf("%s: with its sides, the shortcuts of the reference change the result\n", name);
        return 1;
    }
    return soak->has_failed ? 4 : 0;
}

static int over_seeds(struct soak *soak, const struct request *request)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED };
    int code = 0;
    for (uint64_t i = 0; i < request->seeds.count && code == 0; i++) {
        const uint64_t seed = request->seeds.first + i;
        char name[40];
        (void)snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        harness_case_reset(soak->test_case);
        harness_generate(soak->test_case, seed, &options);
        code = one(soak, request, seed, name);
    }
    return code;
}

static int over_files(struct soak *soak, const struct request *request, char **files, int count)
{
    int code = 0;
    for (int i = 0; i < count && code == 0; i++) {
        struct harness_error error = { "" };
        harness_case_reset(soak->test_case);
        if (harness_load(soak->test_case, files[i], NULL, &error) != HARNESS_OK) {
            fprintf(stderr, "soak_sides: %s\n", error.message);
            return 2;
        }
        code = one(soak, request, (uint64_t)i, files[i]);
    }
    return code;
}

static bool soak_create(struct soak *soak)
{
    const struct pica_options options = { 0 };
    for (int i = 0; i < 2; i++)
        if (harness_runner_create(ref_backend(), &options, &soak->runners[i]) != PICA_OK)
            return false;
    ref_set_shortcuts(harness_runner_instance(soak->runners[1]), false);
    soak->test_case = harness_case_create();
    soak->program = harness_program_create();
    list_sides(soak);
    return soak->test_case != NULL && soak->program != NULL;
}

static void soak_destroy(struct soak *soak)
{
    for (int i = 0; i < 2; i++)
        harness_runner_destroy(soak->runners[i]);
    harness_program_destroy(soak->program);
    harness_case_destroy(soak->test_case);
}

static const char about[] =
    "soak_sides - the reference with other sides of the known choices, on generated cases and files\n"
    "\n"
    "usage: soak_sides [options] [FILE...]\n"
    "\n"
    "  soak_sides --generated 1 100000                    pairs of sides, and random halves of all\n"
    "  soak_sides corpus/captures/*.picacap               the same over the captures\n"
    "  soak_sides --effects corpus/seeds/*/*.pcase        in how many cases each side changes something\n"
    "\n"
    "A run may not crash, and not depend on the shortcuts of the reference. Meant for `--preset asan`.\n";

static const char exits[] = "exit codes: 0 no difference, 1 a difference, 2 usage or bad input, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "generated", 'g', CLI_SEEDS, 0, UINT32_MAX, offsetof(struct request, seeds), "SEED COUNT",
      "these generated cases, too", NULL },
    { "effects", 0, CLI_FLAG, 0, 0, offsetof(struct request, effects), NULL, "count what each side changes", NULL },
};

static const struct request defaults = { .effects = false };

static const struct cli_program program = {
    .options = { "soak_sides", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 0,
    .most_words = 100000,
};

int main(int argc, char **argv)
{
    static struct soak soak;
    struct request request;
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    if (first < 0)
        return code;
    if (!soak_create(&soak)) {
        fprintf(stderr, "soak_sides: out of memory\n");
        return 4;
    }
    code = over_files(&soak, &request, argv + first, argc - first);
    if (code == 0)
        code = over_seeds(&soak, &request);
    if (code == 0 && request.effects)
        print_effects(&soak);
    else if (code == 0)
        printf("%u cases with other sides: the shortcuts change nothing\n", (unsigned)soak.cases);
    soak_destroy(&soak);
    return code;
}
