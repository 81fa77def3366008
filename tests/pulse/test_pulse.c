/* Totals over several starts, stats.json and the page. */
#include "harness/pulse/page.h"
#include "harness/pulse/pulse.h"
#include "harness/pulse/totals.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[256];
static char corpus[300];
static struct harness_error error;

static void begin(void)
{
    (void)snprintf(directory, sizeof directory, "/tmp/picafuzz-pulse-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    (void)snprintf(corpus, sizeof corpus, "%s/corpus", directory);
    cr_assert_eq(mkdir(corpus, 0777), 0);
}

static void end(void)
{
    char line[400];
    (void)snprintf(line, sizeof line, "rm -r '%s'", directory);
    cr_assert_eq(system(line), 0);
}

TestSuite(pulse, .init = begin, .fini = end);

static char *read_file(const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "r");
    char *const text = calloc(1, 1 << 20);
    if (file != NULL) {
        (void)!fread(text, 1, (1 << 20) - 1, file);
        (void)fclose(file);
    }
    return text;
}

static void write_file(const char *name, const char *text)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

/* A start of a campaign that runs for so long and executes so much. */
static void run(const char *name, double seconds, uint64_t executions, char *said, size_t size)
{
    const struct harness_pulse_options options = { directory, corpus };
    const struct harness_pair_statistics statistics = { .mutations = 3 };
    const struct harness_pulse_instance instance = { .name = name,
                                                     .engine = "libfuzzer",
                                                     .target = "fuzz_pair",
                                                     .running = true,
                                                     .seconds = seconds,
                                                     .executions = executions,
                                                     .findings = 1,
                                                     .statistics = &statistics,
                                                     .edges = executions };
    const struct harness_pulse_sample sample = {
        .elapsed = seconds, .instances = &instance, .count = 1, .findings = 1, .trouble = ""
    };
    struct harness_pulse *pulse = NULL;
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, size, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_pulse_take(pulse, &sample, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(harness_pulse_line(pulse), "");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
}

static struct harness_pulse_totals read_stats(void)
{
    struct harness_pulse_totals totals;
    char *const text = read_file("stats.json");
    cr_assert_eq(harness_totals_parse(text, strlen(text), &totals, &error), HARNESS_OK, "%s: %s", error.message, text);
    free(text);
    return totals;
}

Test(pulse, totals_go_on_where_the_start_before_ended)
{
    char said[600];
    run("pair", 10.0, 100, said, sizeof said);
    run("pair", 5.0, 50, said, sizeof said);
    run("afl", 2.0, 7, said, sizeof said);
    cr_expect_str_eq(said, "");
    const struct harness_pulse_totals totals = read_stats();
    cr_expect_eq(totals.starts, 3);
    cr_expect_eq(totals.executions, 157);
    cr_expect_eq(totals.findings, 3);
    cr_expect_eq(totals.mutations, 9);
    cr_expect_float_eq(totals.seconds, 17.0, 1e-6);
    cr_assert_eq(totals.count, 2);
    cr_expect_str_eq(totals.instances[0].name, "pair");
    cr_expect_eq(totals.instances[0].executions, 150);
    cr_expect_eq(totals.instances[0].edges, 100, "the most it had");
    cr_expect_float_eq(totals.instances[0].seconds, 15.0, 1e-6);
    cr_expect_not(totals.instances[0].running);
    char *const history = read_file("history.tsv");
    cr_expect_eq(strncmp(history, "# picafuzz history 1\n", 21), 0, "%s", history);
    free(history);
}

/* A look at an instance that runs; `counts`: its target counts, not its engine. */
static const char *look(struct harness_pulse *pulse, double seconds, uint64_t executions, bool counts)
{
    const struct harness_pair_statistics statistics = { .executions = counts ? executions : 0 };
    const struct harness_pulse_instance instance = { .name = "pair",
                                                     .engine = "libfuzzer",
                                                     .target = "fuzz_pair",
                                                     .running = true,
                                                     .seconds = seconds,
                                                     .executions = executions,
                                                     .statistics = &statistics };
    const struct harness_pulse_sample sample = {
        .elapsed = seconds, .instances = &instance, .count = 1, .trouble = ""
    };
    cr_assert_eq(harness_pulse_take(pulse, &sample, &error), HARNESS_OK, "%s", error.message);
    return harness_pulse_line(pulse);
}

Test(pulse, an_instance_that_stops_executing_is_named)
{
    const struct harness_pulse_options options = { directory, corpus };
    struct harness_pulse *pulse = NULL;
    char said[600];
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(look(pulse, 100.0, 1000, true), "");
    cr_expect_str_eq(look(pulse, 699.0, 1000, true), "");
    cr_expect_str_eq(look(pulse, 760.0, 1000, true), "pair executed nothing in 11 minutes");
    cr_expect_str_eq(look(pulse, 770.0, 1001, true), "");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
    /* the next start, of which it executes nothing at all */
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(look(pulse, 599.0, 0, true), "");
    cr_expect_str_eq(look(pulse, 660.0, 0, true), "pair executed nothing in 11 minutes");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
}

/* A start before had its first hour; the next one is slow. */
Test(pulse, a_slow_instance_is_known_over_starts)
{
    const struct harness_pulse_options options = { directory, corpus };
    struct harness_pulse *pulse = NULL;
    char said[600];
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(look(pulse, 3600.0, 7200000, true), "");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(look(pulse, 1799.0, 300000, true), "");
    cr_expect_str_eq(look(pulse, 1800.0, 360000, true),
                     "slow: pair makes 200 executions a second, 2000 in its first hour");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
}

/* It did not keep what instances did when; their first hour begins now. */
Test(pulse, a_file_of_version_1_is_read)
{
    char said[600];
    const struct harness_pulse_options options = { directory, corpus };
    struct harness_pulse *pulse = NULL;
    FILE *const file = fopen(SEEDS "/stats/stats.json", "r");
    char text[4096] = "";
    cr_assert_not_null(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    write_file("stats.json", text);
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(said, "");
    cr_expect_str_eq(look(pulse, 3600.0, 7200000, true), "");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
    const struct harness_pulse_totals totals = read_stats();
    cr_expect_eq(totals.starts, 4);
    cr_assert_eq(totals.count, 2);
    cr_expect_eq(totals.instances[0].executions, 10360 + 7200000);
    cr_expect_float_eq(totals.instances[0].pace.first.seconds, 3600.0, 1e-6);
    cr_expect_eq(totals.instances[0].pace.first.executions, 7200000);
    cr_expect_eq(totals.instances[0].pace.begun.executions, totals.instances[0].executions);
    cr_expect_eq(totals.instances[1].pace.begun.executions, 9582);
}

/* libFuzzer says a number at the 1024th, 2048th, ... execution. */
Test(pulse, an_engine_that_does_not_say_its_count_is_not_idle)
{
    const struct harness_pulse_options options = { directory, corpus };
    struct harness_pulse *pulse = NULL;
    char said[600];
    cr_assert_eq(harness_pulse_open(&options, &pulse, said, sizeof said, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(look(pulse, 100.0, 1024, false), "");
    cr_expect_str_eq(look(pulse, 5000.0, 1024, false), "");
    cr_assert_eq(harness_pulse_close(pulse, &error), HARNESS_OK, "%s", error.message);
}

Test(pulse, what_cannot_be_read_is_kept_beside_and_said)
{
    char said[600];
    write_file("stats.json", "{\"format\": \"picafuzz stats\", \"version\": 3}");
    run("pair", 10.0, 100, said, sizeof said);
    cr_expect_not_null(strstr(said, "version: expected 1 to 2, found 3"), "%s", said);
    char *const aside = read_file("stats.json.damaged");
    cr_expect_not_null(strstr(aside, "\"version\": 3"), "%s", aside);
    free(aside);
    cr_expect_eq(read_stats().starts, 1);
    write_file("history.tsv", "nonsense\n");
    run("pair", 10.0, 100, said, sizeof said);
    cr_expect_not_null(strstr(said, "history.tsv: line 1"), "%s", said);
}

Test(pulse, what_is_no_file_of_stats_is_refused_with_the_field)
{
    static const struct {
        const char *text, *words;
    } cases[] = { { "", "expected JSON" },
                  { "[]", "format" },
                  { "{\"format\": \"other\"}", "format" },
                  { "{\"format\": \"picafuzz stats\"}", "version" },
                  { "{\"format\": \"picafuzz stats\", \"version\": 1}", "began" },
                  { "{\"format\": \"picafuzz stats\", \"version\": -1}", "version" } };
    struct harness_pulse_totals totals;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(harness_totals_parse(cases[i].text, strlen(cases[i].text), &totals, &error), HARNESS_BAD_INPUT);
        cr_expect_not_null(strstr(error.message, cases[i].words), "case %zu: %s", i, error.message);
    }
}

/* Each byte of a good file changed: read or refused, never more than there is room for. */
Test(pulse, no_bytes_harm_the_reader_of_stats)
{
    struct harness_pulse_totals totals = { .began = 1, .count = 2 }, read;
    (void)snprintf(totals.instances[0].name, sizeof totals.instances[0].name, "pair");
    char *const good = harness_totals_print(&totals);
    const size_t size = strlen(good);
    for (size_t i = 0; i < size; i++)
        for (int k = 0; k < 3; k++) {
            const char before = good[i];
            good[i] = "9\"}"[k];
            (void)harness_totals_parse(good, size, &read, &error);
            cr_expect_leq(read.count, HARNESS_PULSE_INSTANCES);
            good[i] = before;
        }
    cr_expect_eq(harness_totals_parse(good, size, &read, &error), HARNESS_OK, "%s", error.message);
    cr_expect_str_eq(read.instances[0].name, "pair");
    free(good);
}

/* They may be cut in a character, or never have been text: no reader of JSON takes such bytes. */
Test(pulse, names_that_are_no_text_become_text)
{
    static const char *const files[] = { "stats.json", "index.html" };
    char said[HARNESS_ERROR_SIZE];
    run("caf\xC3\xA9 caf\xC3", 60.0, 100, said, sizeof said);
    for (size_t i = 0; i < 2; i++) {
        char *const text = read_file(files[i]);
        cr_expect_not_null(strstr(text, "caf\xC3\xA9 caf?"), "%s: %s", files[i], text);
        free(text);
    }
}

/* What counts each second is not another trouble each second. */
Test(pulse, a_line_is_another_one_if_more_than_its_numbers_is)
{
    static const struct {
        const char *one, *other;
        bool differs;
    } cases[] = { { "", "", false },
                  { "disk: 812 MiB left", "disk: 811 MiB left", false },
                  { "stuck for 9 h: nothing new", "stuck for 10 h: nothing new", false },
                  { "disk 90 %; memory: 1 MiB left", "disk 91 %; memory: 22 MiB left", false },
                  { "7", "12", false },
                  { "slow: pair makes 9.9 executions a second", "slow: pair makes 10 executions a second", false },
                  { "pair-avx2 does not run: x", "pair-avx512 does not run: x", true },
                  { "job-2 does not run: x", "job-3 does not run: x", true },
                  { "disk 90. ", "disk 91. ", false },
                  { "", "disk 90 %", true },
                  { "disk 90 %", "", true },
                  { "disk 90 %", "disk: 90 MiB left", true },
                  { "disk 90 %", "disk 90 %; memory: 1 MiB left", true },
                  { "disk 90 %; memory: 1 MiB left", "disk 90 %", true },
                  { "disk 9", "disk ", true },
                  { "disk ", "disk 9", true },
                  { "disk x", "disk 9", true },
                  { "disk 9", "disk x", true } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(harness_pulse_is_other(cases[i].one, cases[i].other), cases[i].differs, "%s | %s", cases[i].one,
                     cases[i].other);
}

/* Names come from files and programs: they are text on the page, not HTML. */
Test(pulse, the_page_escapes_what_it_shows)
{
    struct harness_pulse_totals totals = { .count = 1 };
    struct harness_pulse_history history = { NULL, 0, 0 };
    struct harness_text text;
    const char *const evil = "<script>x</script>";
    (void)snprintf(totals.line, sizeof totals.line, "%s", evil);
    (void)snprintf(totals.instances[0].name, sizeof totals.instances[0].name, "%s", evil);
    (void)snprintf(totals.instances[0].trouble, sizeof totals.instances[0].trouble, "%s", evil);
    totals.survey.slow_count = 1;
    (void)snprintf(totals.survey.slowest[0].name, sizeof totals.survey.slowest[0].name, "%s", evil);
    for (uint64_t i = 0; i < 3; i++) {
        const struct harness_pulse_point point = { .time = 60 * i + 1, .executions = 100 * i };
        cr_assert_eq(harness_pulse_history_add(&history, &point), HARNESS_OK);
    }
    harness_text_init(&text);
    harness_pulse_page(&totals, &history, &text);
    cr_expect_null(strstr(harness_text_string(&text), evil));
    cr_expect_not_null(strstr(harness_text_string(&text), "<polyline points="));
    cr_expect_not_null(strstr(harness_text_string(&text), "&lt;script&gt;x"));
    harness_text_free(&text);
    harness_pulse_history_free(&history);
}

/* What earlier starts reached is known before the survey of this one is. */
Test(pulse, the_page_says_nothing_of_a_corpus_that_was_not_looked_at)
{
    struct harness_pulse_totals totals = { .survey = { .semantic = 17600 } };
    const struct harness_pulse_history history = { NULL, 0, 0 };
    struct harness_text text;
    harness_text_init(&text);
    harness_pulse_page(&totals, &history, &text);
    cr_expect_not_null(strstr(harness_text_string(&text), "<th>semantic items</th><td>17.6 k</td>"));
    cr_expect_null(strstr(harness_text_string(&text), "0 inputs"));
    harness_text_free(&text);
    totals.survey.semantic_total = 20000;
    totals.survey.inputs = 3;
    harness_text_init(&text);
    harness_pulse_page(&totals, &history, &text);
    cr_expect_not_null(strstr(harness_text_string(&text), "<td>17.6 k of 20 k</td>"));
    cr_expect_not_null(strstr(harness_text_string(&text), "3 inputs"));
    harness_text_free(&text);
}

/* A rate needs two points of a start, so the first one is alone. */
Test(pulse, a_value_that_stands_alone_is_seen)
{
    const struct harness_pulse_totals totals = { .count = 0 };
    struct harness_pulse_history history = { NULL, 0, 0 };
    struct harness_text text;
    for (uint64_t i = 0; i < 2; i++) {
        const struct harness_pulse_point point = { .time = 60 * i + 1, .seconds = 60 * i, .executions = 6000 * i };
        cr_assert_eq(harness_pulse_history_add(&history, &point), HARNESS_OK);
    }
    harness_text_init(&text);
    harness_pulse_page(&totals, &history, &text);
    const char *const plot = strstr(harness_text_string(&text), "executions a second");
    cr_assert_not_null(plot);
    const char *const line = strstr(plot, "points=\"");
    cr_assert_not_null(line);
    const char *const first = line + strlen("points=\""), *const second = strchr(first, ' ') + 1;
    cr_expect(second[0] >= '0' && second[0] <= '9', "one point alone: %.40s", first);
    cr_expect_neq(strncmp(first, second, (size_t)(second - first)), 0, "a line without length: %.40s", first);
    harness_text_free(&text);
    harness_pulse_history_free(&history);
}

/* It began in a year that has not come yet. */
Test(pulse, a_clock_that_is_set_back_makes_no_campaign_old)
{
    const struct harness_pulse_totals totals = { .began = 2000000000, .written = 1900000000, .seconds = 120.0 };
    struct harness_pulse_history history = { NULL, 0, 0 };
    struct harness_text text;
    harness_text_init(&text);
    harness_pulse_page(&totals, &history, &text);
    cr_expect_not_null(strstr(harness_text_string(&text), "2 min in 2 min,"), "%s", harness_text_string(&text));
    harness_text_free(&text);
}

/* The child looks at what is there, and says so within some seconds. */
Test(pulse, the_survey_looks_at_the_corpus)
{
    char path[400];
    struct harness_survey_result result = { .inputs = 0 };
    (void)snprintf(path, sizeof path, "%s/one.pcb", corpus);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    (void)fputc(0, file);
    (void)fclose(file);
    cr_assert_eq(mkfifo((strcat(path, "-fifo"), path), 0666), 0, "what is no file does not hold it up");
    struct harness_survey *const survey = harness_survey_open(corpus);
    for (int i = 0; i < 200 && result.inputs == 0; i++) {
        harness_survey_tend(survey, &result);
        (void)usleep(50000);
    }
    harness_survey_close(survey);
    cr_assert_eq(result.inputs, 1);
    cr_expect_eq(result.bytes, 1);
    cr_expect_float_eq(result.vacuous, 1.0, 1e-9, "an empty case changes nothing");
    cr_expect_gt(result.semantic_total, 1000);
    cr_expect_eq(result.slow_count, 1);
    cr_expect_str_eq(result.slowest[0].name, "one.pcb");
}
