/* The one parser of options: every kind of target, complaints, the printed table. */
#include "harness/cli/options.h"
#include "harness/cli/print.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    uint32_t threads;
    struct cli_seconds timeout;
};

struct request {
    bool json;
    uint32_t jobs;
    uint64_t seed;
    const char *output;
    struct cli_list names;
    struct cli_list each;
    uint32_t engine;
    struct cli_seeds seeds;
    double time;
    struct part part;
};

static const struct cli_choices engines = { "libfuzzer, afl", NULL };

static const struct cli_option own[] = {
    { "json", 'j', CLI_FLAG, 0, 0, offsetof(struct request, json), NULL, "for programs", NULL },
    { "jobs", 0, CLI_NUMBER, 1, 64, offsetof(struct request, jobs), "N", "processes", NULL },
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "the first seed", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct request, output), "FILE", "where to", NULL },
    { "names", 0, CLI_LIST, 2, 3, offsetof(struct request, names), "A,B[,C]", "of them", NULL },
    { "without", 0, CLI_EACH, 1, 2, offsetof(struct request, each), "NAME", "one of them", NULL },
    { "engine", 0, CLI_CHOICE, 0, 0, offsetof(struct request, engine), "NAME",
      "what makes the inputs, in words that need more than one line of a page that is a hundred columns wide",
      &engines },
    { "generate", 0, CLI_SEEDS, 1, 1000, offsetof(struct request, seeds), "SEED COUNT", "cases", NULL },
    { "time", 0, CLI_TIME, 0, 90, offsetof(struct request, time), "SECONDS", "how long", NULL },
};

static const struct cli_option shared[] = {
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct part, threads), "N", "workers", NULL },
    { "timeout", 0, CLI_SECONDS, 0, 60, offsetof(struct part, timeout), "SECONDS", "at most", NULL },
};

static const struct cli_options all = { "tool", { { own, 9, 0 }, { shared, 2, offsetof(struct request, part) } } };

static const struct request defaults = {
    .jobs = 2, .seed = 1, .names = { { "a", "b" }, 2 }, .time = 0.5, .part = { 3, { 9000, 0 } }
};

static struct request request;

/* Words with spaces between them. */
static int parse(const char *line)
{
    static char words[256];
    static char *argv[32];
    int argc = 1;
    (void)snprintf(words, sizeof words, "%s", line);
    argv[0] = "tool";
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    request = defaults;
    return cli_options_parse(&all, argc, argv, &request);
}

Test(options, each_kind_fills_its_target)
{
    cr_expect_eq(parse("-j --jobs 64 -s 0xFFFFFFFFFFFFFFFF --output=x --names p,q,r --without x,y --without z --engine "
                       "afl --generate 7 1000 "
                       "--threads 0 --timeout 9.25 file"),
                 22);
    cr_expect(request.json);
    cr_expect_eq(request.jobs, 64);
    cr_expect_eq(request.seed, UINT64_MAX);
    cr_expect_str_eq(request.output, "x");
    cr_expect_eq(request.names.count, 3);
    cr_expect_str_eq(request.names.items[0], "p");
    cr_expect_str_eq(request.names.items[2], "r");
    cr_expect_eq(request.each.count, 2);
    cr_expect_str_eq(request.each.items[0], "x,y");
    cr_expect_str_eq(request.each.items[1], "z");
    cr_expect_eq(request.engine, 1);
    cr_expect_eq(request.seeds.first, 7);
    cr_expect_eq(request.seeds.count, 1000);
    cr_expect_eq(request.part.threads, 0);
    cr_expect_eq(request.part.timeout.ms, 9250);
    cr_expect(request.part.timeout.is_given, "the default's value is not the default");
}

Test(options, files_may_stand_before_and_between)
{
    static char *argv[] = { "tool", "one", "--generate", "5", "6", "two", "--jobs", "1", NULL };
    request = defaults;
    cr_expect_eq(cli_options_parse(&all, 8, argv, &request), 6);
    cr_expect_str_eq(argv[6], "one");
    cr_expect_str_eq(argv[7], "two");
    cr_expect_eq(request.seeds.first, 5);
    cr_expect_eq(request.jobs, 1);
}

Test(options, what_is_not_given_keeps_its_default)
{
    cr_expect_eq(parse("file"), 1);
    cr_expect_eq(memcmp(&request, &defaults, sizeof request), 0);
}

Test(options, help_is_asked_for_anywhere)
{
    cr_expect_eq(parse("--jobs 3 --help"), CLI_PARSE_HELP);
    cr_expect_eq(parse("file -h"), CLI_PARSE_HELP);
}

struct complaint {
    const char *line;
    const char *message;
};

static const struct complaint complaints[] = {
    { "--jobs 0", "tool: --jobs: '0' is not a number from 1 to 64; see `tool --help`\n" },
    { "--jobs 65", "'65' is not a number from 1 to 64" },
    { "--jobs 010", "'010' is not a number" },
    { "--jobs -1", "'-1' is not a number" },
    { "--jobs 1x", "'1x' is not a number" },
    { "--seed 18446744073709551616", "--seed: '18446744073709551616' is not a number;" },
    { "--timeout 0.0001", "'0.0001' is not 0, or seconds from 0.001 to 60" },
    { "--timeout 0x1", "'0x1' is not 0, or seconds from 0.001 to 60" },
    { "--timeout -0", "'-0' is not 0, or seconds from 0.001 to 60" },
    { "--timeout 1s", "'1s' is not 0, or seconds from 0.001 to 60" },
    { "--timeout 61", "'61' is not 0, or seconds from 0.001 to 60" },
    { "--names a", "--names wants 2 to 3 names with commas between them" },
    { "--names a,,b", "--names wants" },
    { "--names a,b,c,d", "--names wants" },
    { "--without a --without b --without c", "--without: at most 2 of them" },
    { "--engine x", "--engine: 'x' is not one of libfuzzer, afl" },
    { "--engine lib", "'lib' is not one of" },
    { "--generate 1", "--generate: '1 ' is not a seed and a count" },
    { "--generate 1 1001", "'1 1001' is not a seed and a count" },
    { "--time 0", "--time: '0' is no time in seconds, above 0 and up to 90" },
    { "--time 90.5", "'90.5' is no time" },
    { "--time 1s", "'1s' is no time" },
    { "--time nan", "'nan' is no time" },
    { "--output", "--output wants a value" },
    { "-o", "--output wants a value" },
    { "--json=1", "--json takes no value" },
    { "--thread=65", "--threads: '65' is not" }, /* the beginning of a name is enough */
    { "--theads 1", "unknown option '--theads', did you mean --threads?" },
    { "--hepl", "did you mean --help?" },
    { "--unheard-of", "unknown option '--unheard-of'; see" },
    { "-x", "unknown option '-x'; see" },
};

Test(options, complaints_name_option_value_and_range, .init = cr_redirect_stderr)
{
    char said[4096];
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++)
        cr_expect_eq(parse(complaints[i].line), CLI_PARSE_BAD, "%s", complaints[i].line);
    fflush(stderr);
    FILE *const from = cr_get_redirected_stderr();
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++) {
        cr_assert_not_null(fgets(said, sizeof said, from));
        cr_expect_not_null(strstr(said, complaints[i].message), "%s: %s", complaints[i].line, said);
    }
}

Test(options, the_printed_table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    cr_assert_not_null(to);
    cli_options_print(&all, &defaults, to);
    (void)fclose(to);
    cr_expect_str_eq(
        text, "  -j, --json                 for programs\n"
              "      --jobs N               processes (1 to 64; default 2)\n"
              "  -s, --seed N               the first seed (default 1)\n"
              "  -o, --output FILE          where to\n"
              "      --names A,B[,C]        of them (default a,b)\n"
              "      --without NAME         one of them\n"
              "      --engine NAME          what makes the inputs, in words that need more than one line of a page\n"
              "                             that is a hundred columns wide (libfuzzer, afl; default libfuzzer)\n"
              "      --generate SEED COUNT  cases\n"
              "      --time SECONDS         how long (default 0.5)\n"
              "      --threads N            workers (0 to 64; default 3)\n"
              "      --timeout SECONDS      at most (0 to 60; default 9)\n");
    free(text);
}

/* --------------------------------------------------------------------------------------------------------- programs */

/* ------------------------------------------------------------------------------------------------------- backends */

struct named {
    struct cli_list many;
    const char *one;
};

static const struct cli_option named[] = {
    { "many", 'b', CLI_BACKENDS, 2, 3, offsetof(struct named, many), "A,B[,C]", "backends", NULL },
    { "one", 0, CLI_BACKEND, 0, 0, offsetof(struct named, one), "NAME", "a backend", NULL },
};

Test(options, a_backslash_keeps_a_comma_in_the_path_of_a_backend)
{
    const struct cli_options options = { "tool", { { named, 2, 0 } } };
    struct named got = { .one = NULL };
    char list[] = "a\\,b.so,c\\d,\\,", one[] = "x\\,y,z\\", program_name[] = "tool", b[] = "-b", o[] = "--one";
    char *words[] = { program_name, b, list, o, one, NULL };
    cr_assert_eq(cli_options_parse(&options, 5, words, &got), 5);
    cr_expect_eq(got.many.count, 3);
    cr_expect_str_eq(got.many.items[0], "a,b.so");
    cr_expect_str_eq(got.many.items[1], "c\\d", "no other escape");
    cr_expect_str_eq(got.many.items[2], ",");
    cr_expect_str_eq(got.one, "x,y,z\\", "one name needs no escape");
    char text[32];
    cli_backends_escape("a,b.so", text, sizeof text);
    cr_expect_str_eq(text, "a\\,b.so");
}

Test(options, backends_given_one_by_one_are_a_list_and_one_alone_stands_beside_reference, .init = cr_redirect_stderr)
{
    const struct cli_options options = { "tool", { { named, 2, 0 } } };
    struct named got = { .many = { { "default", "other" }, 2 } };
    char program_name[] = "tool", b[] = "-b", x[] = "x", y[] = "y,z", b2[] = "-b";
    char *words[] = { program_name, b, x, b2, y, NULL };
    cr_assert_eq(cli_options_parse(&options, 5, words, &got), 5);
    cr_expect_eq(got.many.count, 3);
    cr_expect_str_eq(got.many.items[0], "x");
    cr_expect_str_eq(got.many.items[2], "z");
    char lone[] = "x";
    char *few[] = { program_name, b, lone, NULL };
    cr_assert_eq(cli_options_parse(&options, 3, few, &got), 3);
    cr_expect_eq(got.many.count, 2);
    cr_expect_str_eq(got.many.items[0], "reference");
    cr_expect_str_eq(got.many.items[1], "x");
}

Test(options, words_of_others_neither_steer_a_terminal_nor_turn_its_lines, .init = cr_redirect_stdout)
{
    cli_print(stdout, "%s\n",
              "a\x1b[2Jb\x7f\xC2\x9B \xE2\x80\xAE"
              "c\xE2\x81\xA6"
              "d\xD8\x9C \xE2\x80\x93 \xC3\xA4\t\xE2");
    fflush(stdout);
    cr_expect_stdout_eq_str("a?[2Jb??? ???c???d?? \xE2\x80\x93 \xC3\xA4\t\xE2\n");
}

static const struct cli_program program = {
    .options = { "tool", { { own, 9, 0 } } },
    .about = "tool - a tool\n",
    .exits = "exit codes: 0 done\n",
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 1,
    .most_words = 2,
};

static void redirect_both(void)
{
    cr_redirect_stdout();
    cr_redirect_stderr();
}

Test(options, a_program_has_its_request_and_words_or_an_exit_code, .init = redirect_both)
{
    static char *lines[][6] = { { "tool", "--time", "2.25", "a", "b", NULL },
                                { "tool", "--help", NULL },
                                { "tool", NULL },
                                { "tool", "a", "b", "c", NULL },
                                { "tool", "--jobs", "0", "a", NULL } };
    static const int counts[] = { 5, 2, 1, 4, 4 };
    static const int firsts[] = { 3, -1, -1, -1, -1 };
    static const int codes[] = { 0, 0, 2, 2, 2 };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int code = 77;
        cr_expect_eq(cli_program_parse(&program, counts[i], lines[i], &request, &code), firsts[i], "line %zu", i);
        cr_expect(firsts[i] >= 0 || code == codes[i], "line %zu: %d", i, code);
        cr_expect_eq(request.seed, 1, "the rest is as by default");
        if (i == 0)
            cr_expect_eq(request.time, 2.25);
    }
    fflush(stdout);
    fflush(stderr);
    cr_expect_stderr_eq_str("tool: something is missing behind the options; see `tool --help`\n"
                            "tool: 'c' is one word too many; see `tool --help`\n"
                            "tool: --jobs: '0' is not a number from 1 to 64; see `tool --help`\n");
}
