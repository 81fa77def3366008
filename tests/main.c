/*
 * The main function of every test program (picafuzz_test links it). A program that ran no test does not pass: Criterion
 * ends well where it finds none (it reads /proc to find them) and where a filter matches none. Where all tests skip
 * themselves the exit code is 77, which ctest calls "Skipped".
 */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    EXIT_FAILED = 1,
    EXIT_SKIPPED = 77
};

static size_t tests_run, tests_skipped;

void test_failed(char *condition, const char *file, unsigned line, const char *format, ...)
{
    char *message = NULL;
    va_list list;
    va_start(list, format);
    (void)cr_vasprintf(&message, format, list);
    va_end(list);
    const bool speaks = message != NULL && message[1] != '\0';
    criterion_send_assert(&(struct criterion_assert_stats){
        .message = speaks ? message + 1 : condition, .passed = false, .line = line, .file = file });
    cr_asprintf_free(message);
    cr_asprintf_free(condition);
}

/* Not called where Criterion finds nothing of a program, this function included. What a filter leaves out is disabled,
 * and counts as nothing. */
ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    tests_run = stats->tests_passed + stats->tests_failed + stats->tests_crashed;
    for (const struct criterion_suite_stats *suite = stats->suites; suite != NULL; suite = suite->next)
        for (const struct criterion_test_stats *test = suite->tests; test != NULL; test = test->next)
            tests_skipped += test->test_status == CR_STATUS_SKIPPED && !test->test->data->disabled;
}

int main(int argc, char **argv)
{
    struct criterion_test_set *const tests = criterion_initialize();
    const bool runs = criterion_handle_args(argc, argv, true) != 0; /* not with --list or --help */
    int code = runs && criterion_run_all_tests(tests) == 0 ? EXIT_FAILED : 0;
    criterion_finalize(tests);
    if (!runs || code != 0 || tests_run != 0)
        return code;
    fprintf(stderr, "%s: no test was run, %zu skipped\n", argv[0], tests_skipped);
    return tests_skipped != 0 ? EXIT_SKIPPED : EXIT_FAILED;
}
