/* Does it come back? If not, on what does it depend? Experiments in fresh processes. */
#include "harness/trial/stable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    ROOM = 16 << 20, /* for cases that ran before, which may be larger than the one in question */
    REPEATS = 6,     /* runs in each condition, where chance may decide */
    DOUBLED = 2      /* runs after the same cases: what is found once must be found again */
};

/* Of the three fresh processes. */
static const struct {
    struct harness_probe_condition condition;
    const char *words;
} conditions[HARNESS_STABLE_TRIES] = {
    { { .fill = 0, .shift = 0 }, "fresh memory as it is" },
    { { .fill = 0x55, .shift = 1 }, "fresh memory full of 0xAA" }, /* malloc gives the complement */
    { { .fill = 0xAA, .shift = 2 }, "fresh memory full of 0x55" },
};

struct trial {
    const struct harness_stable_question *question;
    struct harness_probe *probe;
    struct harness_case *scratch; /* a case that ran before */
    bool by_value;                /* answers that differ in what was left are different */
    struct harness_error *error;
    enum harness_status status; /* the first that is not HARNESS_OK: the rest does nothing */
};

const char *harness_dependence_name(enum harness_dependence dependence)
{
    switch (dependence) {
    case HARNESS_DEPENDS_ON_NOTHING: return "";
    case HARNESS_DEPENDS_ON_MEMORY: return "memory";
    case HARNESS_DEPENDS_ON_ADDRESSES: return "addresses";
    case HARNESS_DEPENDS_ON_THREADS: return "threads";
    case HARNESS_DEPENDS_ON_CASE_BEFORE: return "case-before";
    case HARNESS_DEPENDS_ON_CASES_BEFORE: return "cases-before";
    case HARNESS_DEPENDS_ON_CHANCE: return "chance";
    }
    return ""; /* not reached */
}

/* -------------------------------------------------------------------------------------------------------- a process */

/* Does it show what it showed? A backend that dies may crash one time and hang another. */
static bool shows(enum harness_outcome kind, enum harness_outcome now)
{
    return now == kind || (kind == HARNESS_CRASH && now == HARNESS_HANG);
}

/* What the case shows now, in the worker that is there. 0: not what it showed before. Else 1, or with `by_value` a
 * number other than 0 that stands for the memory that was left. Where only results are in question (kind AGREE) always
 * such a number. */
static uint64_t answer(struct trial *trial)
{
    const enum harness_outcome kind = trial->question->kind;
    struct harness_symptom symptom = { .kind = HARNESS_AGREE };
    if (trial->status == HARNESS_OK)
        trial->status = harness_probe_try(trial->probe, trial->question->test_case, false, &symptom, trial->error);
    if (kind == HARNESS_AGREE)
        return symptom.kind == HARNESS_AGREE ? harness_probe_digest(trial->probe) : (uint64_t)symptom.kind;
    if (!shows(kind, symptom.kind))
        return 0;
    return trial->by_value && kind == HARNESS_DIVERGE ? harness_probe_digest(trial->probe) | 1 : 1;
}

/* In a fresh process. */
static uint64_t answer_in(struct trial *trial, const struct harness_probe_condition *condition)
{
    harness_probe_set(trial->probe, condition);
    return answer(trial);
}

/* Runs a case that ran before in the worker that is there; what it shows does not matter. One that is too large is left
 * out. */
static void run_before(struct trial *trial, size_t back)
{
    const struct harness_past *const past = trial->question->past;
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    if (trial->status != HARNESS_OK || !past->before(past->what, back, trial->scratch))
        return;
    const enum harness_status status = harness_probe_try(trial->probe, trial->scratch, false, &symptom, &error);
    if (status == HARNESS_HOST || status == HARNESS_NO_MEMORY) {
        trial->status = status;
        *trial->error = error;
    }
}

/* What the case shows in a fresh process after the cases from `first` down to `last` places before it, if it shows the
 * same twice; else what it shows alone. */
static uint64_t answer_after(struct trial *trial, size_t first, size_t last, uint64_t alone)
{
    static const struct harness_probe_condition usual = { .fill = 0 };
    uint64_t answers[DOUBLED];
    for (size_t i = 0; i < DOUBLED; i++) {
        harness_probe_set(trial->probe, &usual);
        for (size_t back = first; back >= last; back--)
            run_before(trial, back);
        answers[i] = answer(trial);
        if (answers[i] == alone)
            return alone;
    }
    return answers[0] == answers[1] ? answers[0] : alone;
}

/* ------------------------------------------------------------------------------------------------------------ words */

static void say(struct harness_stability *out, const char *format, ...)
{
    const size_t length = strlen(out->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out->text + length, sizeof out->text - length, format, arguments);
    va_end(arguments);
}

/* "the difference came back in 1 of 3 fresh processes; it depends on ": what follows completes it. */
static void say_how_often(const struct harness_stable_question *question, struct harness_stability *out)
{
    static const char *const results = "the first backend does not give the same result each time";
    const char *const what = question->kind == HARNESS_DIVERGE    ? "the difference"
                             : question->kind == HARNESS_CRASH    ? "the crash"
                             : question->kind == HARNESS_HANG     ? "the hang"
                             : question->kind == HARNESS_RELATION ? "the failure of the relation"
                                                                  : NULL;
    if (what == NULL)
        say(out, "%s", results);
    else
        say(out, "%s came back in %u of %d fresh processes", what, out->came_back, HARNESS_STABLE_TRIES);
    say(out, "; it depends on ");
}

/* ": with fresh memory as it is they differ, with ... they agree" */
static void say_fills(const struct harness_stable_question *question, const uint64_t answers[HARNESS_STABLE_TRIES],
                      struct harness_stability *out)
{
    const bool diverges = question->kind == HARNESS_DIVERGE;
    for (size_t i = 0; i < HARNESS_STABLE_TRIES && question->kind != HARNESS_AGREE; i++)
        say(out, "%s with %s %s", i == 0 ? ":" : ",", conditions[i].words,
            answers[i] != 0 ? (diverges ? "they differ" : "it is there") : (diverges ? "they agree" : "it is not"));
}

/* ------------------------------------------------------------------------------------------------------ experiments */

static bool all_alike(const uint64_t *answers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (answers[i] != answers[0])
            return false;
    return true;
}

/* The three conditions give three answers, each time the same: fresh memory, or where it lies? */
static enum harness_dependence look_at_memory(struct trial *trial, uint64_t filled[HARNESS_STABLE_TRIES])
{
    uint64_t moved[HARNESS_STABLE_TRIES] = { filled[0] };
    for (size_t i = 1; i < HARNESS_STABLE_TRIES; i++) {
        filled[i] = answer_in(trial, &(struct harness_probe_condition){ .fill = conditions[i].condition.fill });
        moved[i] = answer_in(trial, &(struct harness_probe_condition){ .shift = conditions[i].condition.shift });
    }
    return all_alike(filled, HARNESS_STABLE_TRIES) && !all_alike(moved, HARNESS_STABLE_TRIES)
               ? HARNESS_DEPENDS_ON_ADDRESSES
               : HARNESS_DEPENDS_ON_MEMORY;
}

static void say_memory(struct trial *trial, const uint64_t answers[HARNESS_STABLE_TRIES], struct harness_stability *out)
{
    uint64_t filled[HARNESS_STABLE_TRIES] = { answers[0] };
    out->depends_on = look_at_memory(trial, filled);
    if (out->depends_on == HARNESS_DEPENDS_ON_ADDRESSES) {
        say(out, "addresses: where its memory lies decides, not what is in it");
        return;
    }
    say(out, "memory that was never written");
    say_fills(trial->question, all_alike(filled, HARNESS_STABLE_TRIES) ? answers : filled, out);
}

/* It came back each time, but not with the same memory left. If that depends on fresh memory or addresses, and on
 * nothing else, it is unstable, too. */
static void look_at_values(struct trial *trial, const uint64_t answers[HARNESS_STABLE_TRIES],
                           struct harness_stability *out)
{
    uint64_t again[HARNESS_STABLE_TRIES], filled[HARNESS_STABLE_TRIES] = { answers[0] };
    for (size_t i = 0; i < HARNESS_STABLE_TRIES; i++)
        again[i] = answer_in(trial, &conditions[i].condition);
    out->stable = memcmp(answers, again, sizeof again) != 0;
    if (out->stable)
        return;
    out->depends_on = look_at_memory(trial, filled);
    say(out, "the difference came back in %u of %d fresh processes, but not the same; it depends on ", out->came_back,
        HARNESS_STABLE_TRIES);
    if (out->depends_on == HARNESS_DEPENDS_ON_MEMORY)
        say(out, "memory that was never written: with other bytes in fresh memory other bytes are left");
    else
        say(out, "addresses: with its memory elsewhere other bytes are left");
}

/* The same condition gives another answer: does it always give the same on one processor? */
static void look_at_threads(struct trial *trial, struct harness_stability *out)
{
    static const struct harness_probe_condition usual = { .fill = 0 }, alone = { .one_processor = true };
    uint64_t many[REPEATS], one[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
        many[i] = answer_in(trial, &usual);
        one[i] = answer_in(trial, &alone);
    }
    if (!all_alike(many, REPEATS) && all_alike(one, REPEATS)) {
        out->depends_on = HARNESS_DEPENDS_ON_THREADS;
        say(out, "threads: on one processor %d runs gave the same, on all of them they did not", REPEATS);
        return;
    }
    out->depends_on = HARNESS_DEPENDS_ON_CHANCE;
    say(out, "nothing that can be set here: time, threads, files");
}

/* Is it enough that a single one of the cases from `first` down to `last` places before it runs? Puts that place into
 * *back. */
static bool one_is_enough(struct trial *trial, size_t first, size_t last, uint64_t alone, size_t *back)
{
    for (*back = last; *back <= first; (*back)++)
        if (answer_after(trial, *back, *back, alone) != alone)
            return true;
    return false;
}

/* It never comes back alone. Does it after the cases that ran before it? Tries more and more of them. */
static bool comes_after_others(struct trial *trial, uint64_t alone, struct harness_stability *out)
{
    const size_t ran = trial->question->past->count, most = ran < HARNESS_STABLE_BEFORE ? ran : HARNESS_STABLE_BEFORE;
    size_t less = 0;
    for (size_t count = 1; less < most; less = count, count *= 2) {
        count = count < most ? count : most;
        if (answer_after(trial, count, 1, alone) == alone)
            continue;
        if (one_is_enough(trial, count, less + 1, alone, &out->back)) {
            out->depends_on = HARNESS_DEPENDS_ON_CASE_BEFORE;
            return true;
        }
        out->depends_on = HARNESS_DEPENDS_ON_CASES_BEFORE;
        out->back = count;
        return true;
    }
    return false;
}

static bool itself(const void *what, size_t back, struct harness_case *out)
{
    (void)back;
    return harness_case_copy(out, what);
}

static void look_before(struct trial *trial, uint64_t alone, struct harness_stability *out)
{
    if (trial->question->past != NULL && comes_after_others(trial, alone, out)) {
        if (out->depends_on == HARNESS_DEPENDS_ON_CASES_BEFORE)
            say(out, "the %zu cases before it, in their order: after them it comes back, after one of them it does not",
                out->back);
        else if (out->back == 1)
            say(out, "the case before it: after that it comes back, so state leaks from case to case");
        else
            say(out, "a case before it: after the one %zu cases back it comes back, so state leaks from case to case",
                out->back);
        return;
    }
    struct harness_stable_question twice = *trial->question;
    twice.past = &(struct harness_past){ itself, trial->question->test_case, 1 };
    struct trial again = *trial;
    again.question = &twice;
    out->back = 0;
    const bool leaks = answer_after(&again, 1, 1, alone) != alone;
    trial->status = again.status;
    out->depends_on = leaks ? HARNESS_DEPENDS_ON_CASE_BEFORE : HARNESS_DEPENDS_ON_CHANCE;
    if (leaks)
        say(out, "what ran before: when the case runs a second time it comes back, so state leaks from case to case");
    else
        say(out, "nothing that can be set here: what ran before it, time, threads, files");
}

/* --------------------------------------------------------------------------------------------------------- together */

static void look(struct trial *trial, struct harness_stability *out)
{
    const bool of_results = trial->question->kind == HARNESS_AGREE;
    uint64_t first[HARNESS_STABLE_TRIES], second[HARNESS_STABLE_TRIES];
    trial->by_value = true;
    for (size_t i = 0; i < HARNESS_STABLE_TRIES; i++) {
        first[i] = answer_in(trial, &conditions[i].condition);
        out->came_back += !of_results && first[i] != 0;
    }
    if (!of_results && out->came_back == HARNESS_STABLE_TRIES) {
        out->stable = all_alike(first, HARNESS_STABLE_TRIES);
        if (!out->stable)
            look_at_values(trial, first, out);
        return;
    }
    if (trial->status != HARNESS_OK)
        return;
    trial->by_value = of_results;
    for (size_t i = 0; i < HARNESS_STABLE_TRIES && !of_results; i++)
        first[i] = first[i] != 0;
    say_how_often(trial->question, out);
    for (size_t i = 0; i < HARNESS_STABLE_TRIES; i++)
        second[i] = answer_in(trial, &conditions[i].condition);
    if (memcmp(first, second, sizeof first) != 0)
        look_at_threads(trial, out);
    else if (!all_alike(first, HARNESS_STABLE_TRIES))
        say_memory(trial, first, out);
    else
        look_before(trial, first[0], out);
}

enum harness_status harness_stable(const struct harness_stable_question *question, struct harness_stability *out,
                                   struct harness_error *error)
{
    struct harness_probe_options options = *question->probe;
    struct trial trial = { .question = question, .scratch = harness_case_create(), .error = error };
    struct harness_program *const program = harness_program_create();
    memset(out, 0, sizeof *out);
    trial.status = program != NULL && trial.scratch != NULL ? harness_case_setup(question->test_case, program, error)
                                                            : harness_fail_memory(error);
    options.jobs = 1;
    options.digest = true;
    options.measure = options.ends_well = false;
    options.case_bytes = trial.status == HARNESS_OK ? harness_probe_size(program) : 0;
    if (question->past != NULL && options.case_bytes < ROOM)
        options.case_bytes = ROOM;
    if (trial.status == HARNESS_OK)
        trial.status = harness_probe_create(&options, &trial.probe, error);
    if (trial.status == HARNESS_OK)
        look(&trial, out);
    harness_probe_destroy(trial.probe);
    harness_program_destroy(program);
    harness_case_destroy(trial.scratch);
    return trial.status;
}
