#include "harness/vectors/console.h"

#include <stdio.h>
#include <string.h>

static enum harness_status read_line(struct vectors_console *console, const char *text, size_t length,
                                     struct harness_error *error)
{
    char line[512]; /* eight places are shorter; a longer line is cut and does not fit what it says */
    (void)snprintf(line, sizeof line, "%.*s", (int)length, text);
    if (length >= sizeof line || console->count == VECTORS_MOST_LINES ||
        !harness_places_read(&console->places[console->count], line, true, &console->words[console->count]))
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "expected at most %d lines 'expect console: PLACE = WORD, ...', found '%.*s'",
                            (int)VECTORS_MOST_LINES, (int)length, text);
    console->count++;
    return HARNESS_OK;
}

enum harness_status vectors_console_read(const struct harness_case *test_case, struct vectors_console *out,
                                         struct harness_error *error)
{
    static const char expect[] = "expect console: ", under[] = "under: ";
    enum harness_status status = HARNESS_OK;
    out->count = 0;
    out->under[0] = '\0';
    for (const char *at = test_case->comment; status == HARNESS_OK && at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "\n"), head = sizeof expect - 1;
        if (strncmp(at, expect, head) == 0)
            status = read_line(out, at + head, length - head, error);
        if (strncmp(at, under, sizeof under - 1) == 0)
            (void)snprintf(out->under, sizeof out->under, "%.*s", (int)(length - (sizeof under - 1)),
                           at + sizeof under - 1);
        at += length + (at[length] == '\n');
    }
    return status;
}

bool vectors_console_is_left(const struct vectors_console *console, const struct harness_program *program,
                             struct harness_runner *runner)
{
    struct oracle_run run;
    bool is_left = harness_runner_run_case(runner, &program->setup, program->operations, program->count) == PICA_OK &&
                   harness_runner_collect(runner, &run) == PICA_OK;
    for (uint32_t i = 0; i < console->count && is_left; i++) {
        struct harness_words words;
        harness_places_look(&console->places[i], &run, &words);
        is_left = harness_places_equal(&console->places[i], &words, &console->words[i]);
    }
    return is_left;
}
