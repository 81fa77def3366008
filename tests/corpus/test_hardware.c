/*
 * What consoles left (corpus/hardware): each case that ci/hardware makes of the tables leaves on both GPUs the words at
 * its head.
 */
#include "harness/fingerprint/places.h"
#include "harness/run/backends.h"
#include "harness/run/load.h"
#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 8, /* of places, in one head */
    LEAST_CASES = 90,
    H01_WORDS = 2816 /* products in the table of H01 */
};

/* A case, and what the console left: a set of places for each line of its head. */
struct shown {
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_places places[MOST_LINES];
    struct harness_words words[MOST_LINES];
    uint32_t lines;
};

static struct harness_error error;

static void read_line(struct shown *shown, char *line, const char *path)
{
    static const char expect[] = "expect console: ";
    if (strncmp(line, expect, strlen(expect)) != 0)
        return;
    cr_assert_lt(shown->lines, MOST_LINES, "%s: too many lines", path);
    cr_assert(
        harness_places_read(&shown->places[shown->lines], line + strlen(expect), true, &shown->words[shown->lines]),
        "%s: line %u of places", path, (unsigned)shown->lines);
    shown->lines++;
}

static void open_shown(struct shown *shown, const char *path)
{
    *shown = (struct shown){ .test_case = harness_case_create(), .program = harness_program_create() };
    cr_assert(shown->test_case != NULL && shown->program != NULL);
    cr_assert_eq(harness_load(shown->test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(shown->test_case, shown->program, &error), HARNESS_OK, "%s", error.message);
    char *const head = strdup(shown->test_case->comment);
    char *rest = NULL;
    cr_assert_not_null(head);
    for (char *line = strtok_r(head, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        read_line(shown, line, path);
    free(head);
    cr_assert_gt(shown->lines, 0, "%s: says nothing of a console", path);
}

static void close_shown(struct shown *shown)
{
    harness_program_destroy(shown->program);
    harness_case_destroy(shown->test_case);
}

/* How many words backend 0 (reference) or 1 (fast) leaves otherwise; *message says the first of them. */
static uint32_t wrong_words(const struct shown *shown, size_t backend, char message[128])
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner = NULL;
    uint32_t wrong = 0;
    cr_assert_eq(harness_runner_create(harness_linked_backend(backend), &options, &runner), PICA_OK);
    for (uint32_t line = 0; line < shown->lines; line++) {
        const struct harness_places *const places = &shown->places[line];
        struct harness_words found;
        cr_assert_eq(harness_places_run(places, shown->program, runner, &found), PICA_OK);
        for (uint32_t i = 0; i < places->count; i++)
            if (found.at[i] != shown->words[line].at[i] && wrong++ == 0)
                (void)snprintf(message, 128, "0x%08X: a console left 0x%08X, %s 0x%08X",
                               (unsigned)places->at[i].address, (unsigned)shown->words[line].at[i],
                               backend == 0 ? "reference" : "fast", (unsigned)found.at[i]);
    }
    harness_runner_destroy(runner);
    return wrong;
}

static uint32_t count_words(const struct shown *shown)
{
    uint32_t words = 0;
    for (uint32_t line = 0; line < shown->lines; line++)
        words += shown->places[line].count;
    return words;
}

/* TEV-10 FLT-24 FLT-25 FLT-26 SHD-30 VTX-04 VTX-08 VTX-09 SHD-81 TEX-23 PPF-05 to PPF-12 */
Test(hardware, each_case_leaves_what_a_console_left)
{
    struct corpus_files files;
    uint32_t products = 0;
    corpus_files_find(&files, "hardware/cases", ".pcase");
    cr_expect_geq(files.count, LEAST_CASES);
    for (size_t i = 0; i < files.count; i++) {
        struct shown shown;
        char message[128];
        open_shown(&shown, files.items[i].path);
        for (size_t backend = 0; backend < HARNESS_LINKED_BACKENDS; backend++)
            cr_expect_eq(wrong_words(&shown, backend, message), 0, "%s: %s", files.items[i].name, message);
        if (strncmp(files.items[i].name, "h01-", 4) == 0)
            products += count_words(&shown);
        close_shown(&shown);
    }
    cr_expect_eq(products, H01_WORDS, "H01 has %d products, the cases %u", H01_WORDS, (unsigned)products);
    corpus_files_free(&files);
}

/* A wrong value in a table is a wrong word in a case, and that is seen at each place. */
Test(hardware, each_wrong_word_is_seen)
{
    struct corpus_files files;
    corpus_files_find(&files, "hardware/cases", ".pcase");
    for (size_t i = 0; i < files.count; i++) {
        struct shown shown;
        char message[128];
        open_shown(&shown, files.items[i].path);
        for (uint32_t line = 0; line < shown.lines; line++)
            for (uint32_t place = 0; place < shown.places[line].count; place++)
                shown.words[line].at[place] ^= 0x100;
        cr_expect_eq(wrong_words(&shown, 0, message), count_words(&shown), "%s", files.items[i].name);
        close_shown(&shown);
    }
    corpus_files_free(&files);
}
