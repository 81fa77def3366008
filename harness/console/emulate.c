#include "harness/console/emulate.h"

#include "harness/console/journal.h"
#include "harness/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WATCH_MS = 20,
    FIRST_FACTOR = 3,    /* until the first change of its files the limit is so many times as long */
    MOST_FRUITLESS = 3,  /* starts in a row in which no run was begun, before it is given up */
    MOST_BEGINNINGS = 64 /* the same, in which no run came to its end */
};

static const double END_SECONDS = 2.0; /* from the end of all runs, or a request to end, until it is killed */

/* One start. */
struct start {
    const struct console_emulate *emulate;
    struct harness_child child;
    int said; /* what it prints */
    char words[CONSOLE_EMULATE_WHY / 2];
    size_t word_count;
    struct console_journal_state state; /* as it was seen last */
    off_t sizes[2];                     /* of journal and results, then */
    bool has_changed;
    double changed; /* when */
    bool had_ended; /* the process that was started, when the files were looked at last */
    bool lives_on;  /* they changed after that: it was a launcher */
    bool is_stuck;
    bool was_asked; /* it was told to end, so its end is not a crash */
    struct harness_child_end end;
};

/* ------------------------------------------------------------------------------------------------------- the child */

static int become(void *user)
{
    const struct console_emulate *const emulate = user;
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(emulate->command[0], emulate->command);
    fprintf(stderr, "%s: %s\n", emulate->command[0], strerror(errno));
    return HARNESS_CHILD_NOT_RUN;
}

static bool begin(struct start *start)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const struct harness_child_setup setup = {
        .group = true, .silent = true, .said = ends[1], .death_signal = SIGKILL
    };
    struct console_emulate emulate = *start->emulate;
    const bool good = harness_child_start(&start->child, &setup, become, &emulate);
    const int trouble = errno;
    (void)close(ends[1]);
    if (!good)
        (void)close(ends[0]);
    start->said = ends[0];
    start->changed = harness_seconds_now();
    errno = trouble;
    return good;
}

/* Waits a moment for what it prints, and keeps the end of that. */
static void listen(struct start *start)
{
    char bytes[4096];
    struct pollfd ready = { .fd = start->said, .events = POLLIN };
    if (poll(&ready, 1, WATCH_MS) <= 0)
        return;
    const ssize_t count = read(start->said, bytes, sizeof bytes);
    if (count == 0) { /* closed: nothing to wait for */
        const struct timespec moment = { .tv_nsec = WATCH_MS * 1000000L };
        (void)nanosleep(&moment, NULL);
    }
    for (ssize_t i = 0; i < count; i++) {
        if (start->word_count + 1 == sizeof start->words) {
            memmove(start->words, start->words + sizeof start->words / 2, sizeof start->words / 2);
            start->word_count -= sizeof start->words / 2;
        }
        start->words[start->word_count++] = bytes[i] != '\0' ? bytes[i] : ' ';
        start->words[start->word_count] = '\0';
    }
}

static void note(const struct console_emulate *emulate, enum console_emulate_kind kind, uint32_t done)
{
    const struct console_emulate_note told = { .kind = kind, .done = done, .total = emulate->view->head.run_count };
    emulate->observer(emulate->user, &told);
}

static enum harness_status read_journal(const struct console_emulate *emulate, struct console_journal_state *out,
                                        struct harness_error *error)
{
    return console_journal_read(emulate->journal, emulate->results, emulate->view, out, error);
}

/* Has one of the files changed? A program that begins anew makes them smaller. */
static enum harness_status look(struct start *start, struct harness_error *error)
{
    const bool has_ended = harness_child_has_ended(&start->child); /* asked first: what it did last is seen now */
    const off_t sizes[2] = { console_file_size(start->emulate->journal), console_file_size(start->emulate->results) };
    enum harness_status status = HARNESS_OK;
    if (memcmp(sizes, start->sizes, sizeof sizes) != 0) {
        memcpy(start->sizes, sizes, sizeof sizes);
        start->has_changed = true;
        start->changed = harness_seconds_now();
        start->lives_on = start->had_ended;
        status = read_journal(start->emulate, &start->state, error);
        note(start->emulate, CONSOLE_EMULATE_RUN, start->state.next_run);
    }
    start->had_ended = has_ended;
    return status;
}

static void wait_a_while(struct start *start)
{
    const double deadline = harness_seconds_now() + END_SECONDS;
    while (!harness_child_is_over(&start->child) && harness_seconds_now() < deadline)
        listen(start);
}

/* Where all is done it may end by itself; then it is asked to, which lets it write what it holds; then it is killed,
 * and all that it started. */
static void end(struct start *start)
{
    if (start->state.is_over)
        wait_a_while(start);
    harness_child_ask(&start->child);
    wait_a_while(start);
    listen(start);
    harness_child_stop(&start->child, true);
    start->end = harness_child_wait(&start->child);
    harness_child_end_all();
    (void)close(start->said);
}

/* Until it ends, all is done, it stands still, or somebody interrupts. */
static enum harness_status watch(struct start *start, struct harness_error *error)
{
    const struct console_emulate *const emulate = start->emulate;
    enum harness_status status = HARNESS_OK;
    bool is_late = false, has_ended = false;
    while (status == HARNESS_OK && !start->state.is_over && !is_late && !has_ended && !emulate->is_interrupted()) {
        listen(start);
        has_ended = harness_child_is_over(&start->child);
        status = look(start, error);
        is_late = harness_seconds_now() - start->changed > emulate->limit * (start->has_changed ? 1 : FIRST_FACTOR);
    }
    has_ended = has_ended || (is_late && start->had_ended && !start->lives_on); /* all but a helper */
    start->is_stuck = is_late && !has_ended;
    start->was_asked = !has_ended;
    end(start);
    return status;
}

/* ------------------------------------------------------------------------------------------------- how it went out */

/* Over all starts. */
struct going {
    const struct console_emulate *emulate;
    struct console_emulated *out;
    bool has_tried; /* what was open when it died last: */
    uint32_t tried;
    uint32_t fruitless, beginnings; /* in a row: starts that began nothing, or did no run to its end */
    struct harness_error *error;
};

static const char *how_it_ended(struct harness_child_end end, char *out, size_t size)
{
    if (end.how == HARNESS_CHILD_SIGNALLED)
        (void)snprintf(out, size, "%s", strsignal(end.number));
    else
        (void)snprintf(out, size, "exit code %d", end.number);
    return out;
}

static void tell(const struct going *going, enum console_emulate_kind kind, uint32_t open, const char *how)
{
    const struct console_view *const view = going->emulate->view;
    const struct console_emulate_note told = { .kind = kind,
                                               .name = console_view_case_name(view, console_journal_case(view, open)),
                                               .is_self_test = open >= (uint32_t)CONSOLE_JOURNAL_TEST,
                                               .how = how };
    going->emulate->observer(going->emulate->user, &told);
}

/* It died for the second time, or stood still: that closes the run. A self-test is closed by the program itself. */
static enum harness_status blame(struct going *going, const struct console_journal_state *state,
                                 const struct start *start, const char *how)
{
    const struct console_emulate *const emulate = going->emulate;
    const uint32_t detail = start->is_stuck ? CONSOLE_POWER_HUNG
                                            : CONSOLE_POWER_CRASHED | (uint32_t)harness_child_code(start->end)
                                                                          << CONSOLE_POWER_CODE_SHIFT;
    tell(going, start->is_stuck ? CONSOLE_EMULATE_HUNG : CONSOLE_EMULATE_CRASHED, state->open, how);
    going->has_tried = false;
    if (state->open >= (uint32_t)CONSOLE_JOURNAL_TEST)
        return HARNESS_OK;
    going->beginnings = 0;
    return console_journal_close(emulate->journal, emulate->results, emulate->view, state, detail, going->error);
}

/* Is the run that was begun in this start and is not done to blame for the end? Not if something came after it, nor if
 * the emulator was told to end. */
static enum harness_status judge_open(struct going *going, const struct console_journal_state *state,
                                      const struct start *start)
{
    const bool is_last = !state->is_behind && state->entries == start->state.entries;
    const bool died = is_last && !start->was_asked;
    char how[64];
    (void)how_it_ended(start->end, how, sizeof how);
    if (is_last && (start->is_stuck || (died && going->has_tried && going->tried == state->open)))
        return blame(going, state, start, how);
    if (died) {
        tell(going, CONSOLE_EMULATE_AGAIN, state->open, how);
        going->has_tried = true;
        going->tried = state->open;
    }
    return console_journal_cut(going->emulate->journal, state->open_entry, going->error);
}

/* Why it is given up after starts that began nothing, or did nothing to its end. */
static void give_up(const struct going *going, const struct console_journal_state *state, const struct start *start)
{
    static const char *const stages[] = { [0] = "before its first step",
                                          [CONSOLE_STAGE_FILES] = "at its files",
                                          [CONSOLE_STAGE_APPLET] = "at APT",
                                          [CONSOLE_STAGE_RIGHT] = "at the right to the GPU",
                                          [CONSOLE_STAGE_QUEUE] = "at gsp's shared memory",
                                          [CONSOLE_STAGE_FIRST_USE] = "at the GPU's first use",
                                          [CONSOLE_STAGE_MEMORY] = "at linear memory",
                                          [CONSOLE_STAGE_SPACE] = "at the card's room",
                                          [CONSOLE_STAGE_SELF_TEST] = "in its self-tests",
                                          [CONSOLE_STAGE_RECOVER] = "when the GPU was reset",
                                          [CONSOLE_STAGE_LEAVE] = "after it had left by itself" };
    char how[64];
    const size_t stage = state->stage < sizeof stages / sizeof stages[0] ? state->stage : 0;
    const char *const said = start->words[0] != '\0' ? "; it said:\n" : "";
    const int size = (int)sizeof going->out->why;
    const int used =
        state->entries == 0
            ? snprintf(going->out->why, (size_t)size,
                       "the program left no journal, %s: the emulator did not start it, or uses another directory as "
                       "its SD card",
                       going->emulate->journal)
            : snprintf(going->out->why, (size_t)size, "%u starts came to nothing, the last one ended %s",
                       (unsigned)(going->fruitless == MOST_FRUITLESS ? going->fruitless : going->beginnings),
                       stages[stage]);
    if (used < size)
        (void)snprintf(going->out->why + used, (size_t)(size - used), " (%s)%s%s",
                       start->is_stuck ? "it stood still" : how_it_ended(start->end, how, sizeof how), said,
                       start->words);
}

/* Reads journal and results, and cuts off what does not count of the journal: else the program would go on behind
 * it. */
static enum harness_status settle(const struct going *going, struct console_journal_state *out)
{
    const enum harness_status status = read_journal(going->emulate, out, going->error);
    return status == HARNESS_OK ? console_journal_cut(going->emulate->journal, out->entries, going->error) : status;
}

/* What a start came to. *goes_on: another one may come further. */
static enum harness_status judge(struct going *going, const struct start *start,
                                 const struct console_journal_state *before, bool *goes_on)
{
    struct console_journal_state state;
    enum harness_status status = settle(going, &state);
    const bool has_begun = state.is_open && state.open_entry >= before->entries;
    const bool came_further = state.next_run > before->next_run;
    const bool not_run = start->end.how == HARNESS_CHILD_EXITED && start->end.number == HARNESS_CHILD_NOT_RUN;
    going->out->is_over = state.is_over;
    going->fruitless = has_begun || came_further ? 0 : going->fruitless + 1;
    going->beginnings = came_further ? 0 : going->beginnings + 1;
    if (status == HARNESS_OK && has_begun && !state.is_over)
        status = judge_open(going, &state, start);
    *goes_on = !state.is_over && !going->emulate->is_interrupted();
    if (status == HARNESS_OK && *goes_on &&
        (going->fruitless == MOST_FRUITLESS || going->beginnings == MOST_BEGINNINGS ||
         (not_run && !start->has_changed))) {
        give_up(going, &state, start);
        *goes_on = false;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ all */

static enum harness_status start_once(struct going *going, bool *goes_on)
{
    const struct console_emulate *const emulate = going->emulate;
    struct console_journal_state before;
    enum harness_status status = settle(going, &before);
    if (status != HARNESS_OK)
        return status;
    struct start start = { .emulate = emulate,
                           .state = before,
                           .sizes = { console_file_size(emulate->journal), console_file_size(emulate->results) } };
    note(emulate, CONSOLE_EMULATE_START, before.next_run);
    if (!begin(&start))
        return harness_fail(going->error, HARNESS_HOST, "the emulator cannot be started: %s", strerror(errno));
    going->out->starts++;
    status = watch(&start, going->error);
    return status == HARNESS_OK ? judge(going, &start, &before, goes_on) : status;
}

enum harness_status console_emulate_run(const struct console_emulate *emulate, struct console_emulated *out,
                                        struct harness_error *error)
{
    struct going going = { .emulate = emulate, .out = out, .error = error };
    struct console_journal_state state;
    bool goes_on = true;
    *out = (struct console_emulated){ .starts = 0 };
    enum harness_status status = settle(&going, &state);
    if (status == HARNESS_OK && state.is_open && !state.is_over) /* nobody saw it die, so it is not to blame */
        status = console_journal_cut(emulate->journal, state.open_entry, error);
    out->is_over = state.is_over;
    (void)harness_child_adopt();
    while (status == HARNESS_OK && goes_on && !out->is_over && !emulate->is_interrupted())
        status = start_once(&going, &goes_on);
    return status;
}
