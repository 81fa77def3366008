/*
 * Every case that the corpus holds, on the reference, on `fast`, on `fast` without SIMD and with workers, and on `fast`
 * with room for three of anything: they agree on everything, change some memory, and touch undefined behaviour only
 * where the case announces it.
 */
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/load.h"
#include "pica/events.h"
#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNNERS = 4,
    LEAST_SEEDS = 60,
    MOST_SEED_LINES = 120,
    LEAST_COMMENT_LINES = 2,
    MOST_COMMENT_LINES = 7 /* five, and those of the events */
};

/* Captures have no comment that could announce their events. */
static const struct {
    const char *name;
    const char *comment;
} capture_events[] = {
    { "hall-f0", "events: early-depth" },         { "hall-f5", "events: early-depth" },
    { "mesh-f0", "events: fourth-unit-differs" }, { "mesh-f5", "events: fourth-unit-differs" },
    { "shade-f5", "events: feedback-loop" },
};

struct replayer {
    struct harness_runner *runners[RUNNERS];
    size_t compared; /* of these; 1: nothing is compared, only the reference's events count */
    struct harness_case *test_case;
    struct harness_program *program;
};

static void replayer_create(struct replayer *replayer)
{
    uint32_t scalar = 0;
    cr_assert(harness_instruction_set("scalar", &scalar));
    const struct pica_options plain = { .instruction_sets = UINT32_MAX };
    const struct pica_options threaded = { .threads = 2, .instruction_sets = scalar };
    const struct pica_options small = { .threads = 2, .instruction_sets = UINT32_MAX, .capacity = 3 };
    replayer->compared = getenv("PICAFUZZ_BACKEND") == NULL ? RUNNERS : 1; /* set by ci/mutants */
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &plain, &replayer->runners[0]),
                 PICA_OK);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_FAST), &plain, &replayer->runners[1]), PICA_OK);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_FAST), &threaded, &replayer->runners[2]),
                 PICA_OK);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_FAST), &small, &replayer->runners[3]), PICA_OK);
    replayer->test_case = harness_case_create();
    replayer->program = harness_program_create();
    cr_assert_not_null(replayer->test_case);
    cr_assert_not_null(replayer->program);
}

static void replayer_destroy(struct replayer *replayer)
{
    for (size_t i = 0; i < RUNNERS; i++)
        harness_runner_destroy(replayer->runners[i]);
    harness_program_destroy(replayer->program);
    harness_case_destroy(replayer->test_case);
}

/* ---------------------------------------------------------------------------------------------------------- events */

/* Names with blanks between them, up to the end of the line. */
static void add_events(struct pica_events *events, const char *text, const char *path)
{
    for (;;) {
        text += strspn(text, " ");
        const size_t length = strcspn(text, " \n");
        char name[64] = "";
        if (length == 0)
            return;
        cr_assert_lt(length, sizeof name, "%s: an event's name is too long", path);
        memcpy(name, text, length);
        const struct pica_event_info *const info = pica_event_by_name(name);
        cr_assert_not_null(info, "%s: announces '%s', which is no event", path, name);
        pica_events_add(events, info->event);
        text += length;
    }
}

/* What the lines "events: name name" of a case's comment announce. */
static struct pica_events announced_events(const char *comment, const char *path)
{
    static const char mark[] = "events:";
    struct pica_events events = { { 0 } };
    for (const char *line = comment; line != NULL;) {
        if (strncmp(line, mark, strlen(mark)) == 0)
            add_events(&events, line + strlen(mark), path);
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return events;
}

static void describe(const struct pica_events *events, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < (int)PICA_EVENT_TOTAL; i++)
        if (pica_events_has(events, (enum pica_event)i) && used < size)
            used += (size_t)snprintf(out + used, size - used, " %s", pica_event_info((enum pica_event)i)->name);
}

static void check_events(struct replayer *replayer, const char *comment, const char *path)
{
    struct oracle_run run;
    char found_text[2048], announced_text[2048];
    cr_assert_eq(harness_runner_collect(replayer->runners[0], &run), PICA_OK, "%s", path);
    const struct pica_events wanted = announced_events(comment, path);
    describe(&run.events, found_text, sizeof found_text);
    describe(&wanted, announced_text, sizeof announced_text);
    cr_expect(pica_events_equal(&run.events, &wanted), "%s: recorded events:%s; announced:%s", path, found_text,
              announced_text);
}

/* --------------------------------------------------------------------------------------------------------- replays */

/* `comment` announces events; NULL: the comment that the case itself opens with. */
static void replay(struct replayer *replayer, const char *path, const char *comment)
{
    const struct harness_compare_options options = { .every_operation = true, .slow = true, .check_vacuity = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    harness_case_reset(replayer->test_case);
    cr_assert_eq(harness_load(replayer->test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(replayer->test_case, replayer->program, &error), HARNESS_OK, "%s: %s", path,
                 error.message);
    cr_assert_eq(
        harness_compare(replayer->runners, replayer->compared, replayer->program, &options, &comparison, &error),
        HARNESS_OK, "%s: %s", path, error.message);
    cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s: %s after operation %u\n%s", path,
                 oracle_verdict_name(comparison.report.verdict), (unsigned)comparison.operation,
                 comparison.report.message);
    if (comparison.report.verdict == ORACLE_AGREE)
        check_events(replayer, comment != NULL ? comment : replayer->test_case->comment, path);
}

static void replay_directory(const char *directory, size_t least)
{
    struct corpus_files files;
    struct replayer replayer;
    replayer_create(&replayer);
    corpus_files_find(&files, directory, ".pcase");
    cr_expect_geq(files.count, least, "corpus/%s holds %zu cases", directory, files.count);
    for (size_t i = 0; i < files.count; i++)
        replay(&replayer, files.items[i].path, NULL);
    corpus_files_free(&files);
    replayer_destroy(&replayer);
}

Test(corpus, seeds_agree_change_memory_and_announce_their_events)
{
    replay_directory("seeds", LEAST_SEEDS);
}

Test(corpus, regressions_agree_change_memory_and_announce_their_events)
{
    replay_directory("regressions", 0);
}

Test(corpus, cases_of_consoles_agree_change_memory_and_announce_their_events)
{
    replay_directory("hardware/cases", 1);
}

/* --------------------------------------------------------------------------------------------------- without an end */

static void count_draw(void *user, const struct pica_draw *draw)
{
    (void)draw;
    ++*(uint32_t *)user;
}

/* Draws of a case, and its events. */
static uint32_t count_draws(struct harness_runner *runner, const struct harness_program *program,
                            struct pica_events *events)
{
    uint32_t draws = 0;
    cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
    cr_assert_eq(harness_runner_backend(runner)->observe_draws(harness_runner_instance(runner), count_draw, &draws),
                 PICA_OK);
    cr_assert_eq(harness_runner_run(runner, program->operations, program->count), PICA_OK);
    cr_assert_eq(harness_runner_events(runner, events), PICA_OK);
    return draws;
}

/* The lists of these two draw three vertices again and again; a limit of commands is what ends them. Without it each
 * draw still counts its trigger, its vertices and their seven instructions, so that a case has no more draws than the
 * default work has room for, however little they show. What a draw costs is no test's but ci/worst's, which begins with
 * these cases. */
Test(corpus, CMD_24_small_draws_without_an_end_are_ended_by_the_work_they_count)
{
    enum {
        STEPS = 128 + 3 * (64 + 7),
        MOST = HARNESS_DEFAULT_WORK / STEPS
    };
    static const char *const names[] = { "FBF-18-small-draws-on-meeting-surfaces",
                                         "TEX-30-small-draws-over-large-textures" };
    struct replayer replayer;
    struct harness_error error = { "" };
    replayer_create(&replayer);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char path[1024];
        (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/corpus/regressions/%s.pcase", names[n]);
        harness_case_reset(replayer.test_case);
        cr_assert_eq(harness_load(replayer.test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
        replayer.test_case->limits = harness_limits_default();
        cr_assert_eq(harness_case_setup(replayer.test_case, replayer.program, &error), HARNESS_OK, "%s", error.message);
        for (size_t i = 0; i < replayer.compared; i++) {
            struct pica_events events;
            const uint32_t draws = count_draws(replayer.runners[i], replayer.program, &events);
            cr_expect(pica_events_has(&events, PICA_EVENT_BUDGET_WORK), "%s, runner %zu", names[n], i);
            cr_expect_not(pica_events_has(&events, PICA_EVENT_BUDGET_CMDS), "%s, runner %zu", names[n], i);
            cr_expect(draws <= MOST && draws > MOST / 100 * 99, "%s, runner %zu: %u draws of %d", names[n], i,
                      (unsigned)draws, (int)MOST);
        }
    }
    replayer_destroy(&replayer);
}

static const char *comment_of_capture(const char *name)
{
    for (size_t i = 0; i < sizeof capture_events / sizeof capture_events[0]; i++)
        if (strcmp(capture_events[i].name, name) == 0)
            return capture_events[i].comment;
    return "";
}

Test(corpus, captures_agree_change_memory_and_record_known_events)
{
    struct corpus_files files;
    struct replayer replayer;
    replayer_create(&replayer);
    corpus_files_find(&files, "captures", ".picacap");
    cr_expect_eq(files.count, 28);
    for (size_t i = 0; i < files.count; i++)
        replay(&replayer, files.items[i].path, comment_of_capture(files.items[i].name));
    corpus_files_free(&files);
    replayer_destroy(&replayer);
}

/* ----------------------------------------------------------------------------------------------------------- texts */

static size_t count_lines(const char *text)
{
    size_t lines = text[0] != '\0';
    for (; *text != '\0'; text++)
        lines += text[0] == '\n' && text[1] != '\0';
    return lines;
}

/* show and asm: what is written reads back as the same case, in both forms. */
static void round_trips(const struct harness_case *test_case, const char *path)
{
    struct harness_error error = { "" };
    struct harness_text text = { 0 };
    struct harness_case *const again = harness_case_create();
    cr_assert_not_null(again);
    cr_assert_eq(harness_pcase_write(test_case, &text, &error), HARNESS_OK, "%s: %s", path, error.message);
    cr_assert_eq(harness_pcase_read(again, harness_text_string(&text), text.size, path, &error), HARNESS_OK, "%s",
                 error.message);
    cr_expect(harness_case_equal(test_case, again, true), "%s: the text reads back as another case", path);
    size_t size = 0;
    (void)harness_pcb_encode(test_case, NULL, 0, &size, &error);
    uint8_t *const bytes = malloc(size != 0 ? size : 1);
    cr_assert_not_null(bytes);
    cr_assert_eq(harness_pcb_encode(test_case, bytes, size, &size, &error), HARNESS_OK, "%s: %s", path, error.message);
    cr_assert(harness_pcb_decode(again, bytes, size));
    cr_expect(harness_case_equal(test_case, again, false), "%s: the bytes decode to another case", path);
    free(bytes);
    harness_case_destroy(again);
    harness_text_free(&text);
}

static void check_text(const struct corpus_file *file, const char *readme)
{
    struct harness_error error = { "" };
    uint8_t *bytes;
    size_t size;
    char row[512];
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    cr_assert_eq(harness_file_read(file->path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_pcase_read(test_case, (const char *)bytes, size, file->path, &error), HARNESS_OK, "%s",
                 error.message);
    const char *const comment = test_case->comment != NULL ? test_case->comment : "";
    const size_t lines = count_lines(comment);
    cr_expect(lines >= LEAST_COMMENT_LINES && lines <= MOST_COMMENT_LINES, "%s: a comment of %zu lines", file->path,
              lines);
    cr_expect_leq(count_lines((const char *)bytes), MOST_SEED_LINES, "%s: too long to read", file->path);
    (void)snprintf(row, sizeof row, "\n| %s | %s | ", file->area, file->name);
    cr_expect_not_null(strstr(readme, row), "corpus/seeds/README.md lacks the row '%s'", row + 1);
    round_trips(test_case, file->path);
    free(bytes);
    harness_case_destroy(test_case);
}

/* Pictures and the corpora of campaigns are named after the case alone. */
static void check_names(const struct corpus_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        for (size_t j = 0; j < i; j++)
            cr_expect_str_neq(files->items[i].name, files->items[j].name, "two seeds have one name: %s, %s",
                              files->items[i].path, files->items[j].path);
}

Test(corpus, seeds_are_short_explained_listed_and_read_back_as_written)
{
    struct corpus_files files;
    struct harness_error error = { "" };
    uint8_t *readme;
    size_t size, rows = 0;
    corpus_files_find(&files, "seeds", ".pcase");
    cr_expect_eq(files.empty, 0, "corpus/seeds: %zu directories hold no case", files.empty);
    cr_expect_geq(files.directories, 18);
    check_names(&files);
    cr_assert_eq(harness_file_read(PICAFUZZ_SOURCE_DIR "/corpus/seeds/README.md", &readme, &size, &error), HARNESS_OK,
                 "%s", error.message);
    for (size_t i = 0; i < files.count; i++)
        check_text(&files.items[i], (const char *)readme);
    for (const char *at = (const char *)readme; (at = strstr(at, "\n| ")) != NULL; at++)
        rows++;
    cr_expect_eq(rows, files.count + 1, "corpus/seeds/README.md lists %zu cases, there are %zu", rows - 1, files.count);
    free(readme);
    corpus_files_free(&files);
}
