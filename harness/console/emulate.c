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
#include <sys/stat.h>
#include <unistd.h>

enum {
    WATCH_MS = 20,
    FIRST_FACTOR = 3,    /* so many limits until the first change */
    MOST_FRUITLESS = 3,  /* starts that begin nothing */
    MOST_BEGINNINGS = 64 /* starts in which nothing is done to its end */
};

static const double END_SECONDS = 2.0; /* from the end of all runs, or a request to end, until it is killed */

/* One start. */
struct start {
    const struct console_emulate *emulate;
    struct harness_child child;
    int said; /* what it prints */
    char words[CONSOLE_EMULATE_WHY / 2];
    size_t word_count;
    off_t sizes[2]; /* of journal and results, as they were last seen */
    bool has_changed;
    double changed; /* when */
    bool is_stuck;
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
    start->said = ends[0];
    start->changed = harness_seconds_now();
    errno = trouble;
    return good;
}

/* The last that it prints is kept. Waits a moment for it. */
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

static off_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : 0;
}

/* Has one of the files changed? A program that begins anew makes them smaller. */
static bool look(struct start *start)
{
    const off_t sizes[2] = { size_of(start->emulate->journal), size_of(start->emulate->results) };
    if (memcmp(sizes, start->sizes, sizeof sizes) == 0)
        return false;
    memcpy(start->sizes, sizes, sizeof sizes);
    start->has_changed = true;
    start->changed = harness_seconds_now();
    return true;
}

/* Gives it some time to end by itself, asks it, then kills it and all that it started. */
static void end(struct start *start, bool asks)
{
    double deadline = harness_seconds_now() + END_SECONDS;
    if (asks)
        harness_child_ask(&start->child);
    while (!harness_child_is_over(&start->child) && harness_seconds_now() < deadline)
        listen(start);
    if (!asks && !harness_child_is_over(&start->child)) {
        end(start, true);
        return;
    }
    listen(start);
    harness_child_stop(&start->child, true);
    start->end = harness_child_wait(&start->child);
    harness_child_end_all();
    (void)close(start->said);
}

static void note(const struct console_emulate *emulate, enum console_emulate_kind kind, uint32_t done)
{
    const struct console_emulate_note told = { .kind = kind, .done = done, .total = emulate->view->head.run_count };
    emulate->observer(emulate->user, &told);
}

/* Until it ends, all is done, it stands still, or somebody interrupts. */
static enum harness_status watch(struct start *start, struct harness_error *error)
{
    const struct console_emulate *const emulate = start->emulate;
    struct console_journal_state state = { .is_over = false };
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && !state.is_over && !start->is_stuck && !emulate->is_interrupted() &&
           !harness_child_is_over(&start->child)) {
        listen(start);
        if (look(start)) {
            status = console_journal_read(emulate->journal, emulate->view, &state, error);
            note(emulate, CONSOLE_EMULATE_RUN, state.next_run);
        }
        const double limit = emulate->limit * (start->has_changed ? 1 : FIRST_FACTOR);
        start->is_stuck = harness_seconds_now() - start->changed > limit;
    }
    end(start, !state.is_over);
    return status;
}

/* ------------------------------------------------------------------------------------------------- how it went out */

/* Over all starts. */
struct going {
    const struct console_emulate *emulate;
    struct console_emulated *out;
    bool has_tried; /* what was open when it died last: */
    uint32_t tried;
    uint32_t fruitless, beginnings;
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

/* A second time, or it stood still: a run is closed with that; a self-test the program closes itself. */
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
    going->out->hangs += start->is_stuck;
    going->out->crashes += !start->is_stuck;
    return console_journal_close(emulate->journal, emulate->results, emulate->view, state, detail, going->error);
}

/* It died in something. */
static enum harness_status take_death(struct going *going, const struct console_journal_state *state,
                                      const struct start *start)
{
    char how[64];
    (void)how_it_ended(start->end, how, sizeof how);
    if (start->is_stuck || (going->has_tried && going->tried == state->open))
        return blame(going, state, start, how);
    tell(going, CONSOLE_EMULATE_AGAIN, state->open, how);
    going->has_tried = true;
    going->tried = state->open;
    return console_journal_take_back(going->emulate->journal, state, going->error);
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
                       (unsigned)(going->beginnings > going->fruitless ? going->beginnings : going->fruitless),
                       stages[stage]);
    if (used < size)
        (void)snprintf(going->out->why + used, (size_t)(size - used), " (%s)%s%s",
                       start->is_stuck ? "it stood still" : how_it_ended(start->end, how, sizeof how), said,
                       start->words);
}

/* After a start. *goes_on: another one may come further. */
static enum harness_status take_end(struct going *going, const struct start *start, uint32_t next_run, bool *goes_on)
{
    const struct console_emulate *const emulate = going->emulate;
    struct console_journal_state state;
    enum harness_status status = console_journal_read(emulate->journal, emulate->view, &state, going->error);
    going->out->is_over = state.is_over;
    *goes_on = status == HARNESS_OK && !state.is_over && !emulate->is_interrupted();
    if (status == HARNESS_OK && !state.is_over && state.is_open)
        status = *goes_on ? take_death(going, &state, start)
                          : console_journal_take_back(emulate->journal, &state, going->error);
    const bool came_further = state.next_run > next_run || (state.is_open && !going->has_tried);
    going->fruitless = came_further || state.is_open ? 0 : going->fruitless + 1;
    going->beginnings = came_further ? 0 : going->beginnings + 1;
    const bool not_run = start->end.how == HARNESS_CHILD_EXITED && start->end.number == HARNESS_CHILD_NOT_RUN;
    if (*goes_on && (going->fruitless == MOST_FRUITLESS || going->beginnings == MOST_BEGINNINGS ||
                     (not_run && !start->has_changed))) {
        give_up(going, &state, start);
        *goes_on = false;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ all */

static enum harness_status start_once(struct going *going, uint32_t next_run, bool *goes_on)
{
    const struct console_emulate *const emulate = going->emulate;
    struct start start = { .emulate = emulate, .sizes = { size_of(emulate->journal), size_of(emulate->results) } };
    note(emulate, CONSOLE_EMULATE_START, next_run);
    if (!begin(&start))
        return harness_fail(going->error, HARNESS_HOST, "the emulator cannot be started: %s", strerror(errno));
    going->out->starts++;
    const enum harness_status status = watch(&start, going->error);
    return status == HARNESS_OK ? take_end(going, &start, next_run, goes_on) : status;
}

enum harness_status console_emulate_run(const struct console_emulate *emulate, struct console_emulated *out,
                                        struct harness_error *error)
{
    struct going going = { .emulate = emulate, .out = out, .error = error };
    struct console_journal_state state;
    bool goes_on = true;
    *out = (struct console_emulated){ .starts = 0 };
    enum harness_status status = console_journal_read(emulate->journal, emulate->view, &state, error);
    if (status == HARNESS_OK && state.is_other)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: is of other cases", emulate->journal);
    if (status == HARNESS_OK && state.is_open && !state.is_over) /* whoever ended it: nobody saw it die */
        status = console_journal_take_back(emulate->journal, &state, error);
    out->is_over = state.is_over;
    harness_child_adopt();
    while (status == HARNESS_OK && goes_on && !out->is_over && !emulate->is_interrupted()) {
        status = console_journal_read(emulate->journal, emulate->view, &state, error);
        if (status == HARNESS_OK)
            status = start_once(&going, state.next_run, &goes_on);
    }
    return status;
}
