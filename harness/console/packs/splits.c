#include "harness/console/packs/splits.h"

#include <stdio.h>
#include <string.h>

const char *console_verdict_name(enum console_verdict verdict)
{
    switch (verdict) {
    case CONSOLE_NOT_COVERED: return "not covered";
    case CONSOLE_CONFIRMED: return "confirmed";
    case CONSOLE_CONTRADICTED: return "contradicted";
    case CONSOLE_UNSTABLE: return "unstable";
    case CONSOLE_HUNG: return "hang";
    case CONSOLE_VERDICTS: break;
    }
    return "unknown";
}

const struct console_question *console_question(uint32_t index)
{
    static const struct console_question questions[] = {
#define QUESTION(number, question, choices, open) { number, question, choices, open },
#include "harness/console/packs/questions.def"
    };
    return index < sizeof questions / sizeof questions[0] ? &questions[index] : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- export */

/* Why a console would run the case for nothing; NULL: it would not. */
static const char *vain_reason(const struct harness_split *split)
{
    static const struct oracle_scope memory_alone = { .parts = PICA_PART_MEMORY };
    static const char reset[] = "reset-";
    if (strncmp(pica_choice_info((uint32_t)split->choice)->name, reset, sizeof reset - 1) == 0)
        return "asks for a value after reset, which the prologue of every case has set\n";
    if (!harness_places_are_seen(&split->places, &memory_alone))
        return "memory does not show it, and nothing else comes back\n";
    return NULL;
}

enum harness_status console_splits_ask(struct console_export *export, uint32_t choice, struct console_answer *answer,
                                       struct harness_error *error)
{
    struct harness_split split;
    *answer = (struct console_answer){ .taken = false };
    enum harness_status status = harness_split_open(&split, choice, error);
    if (status != HARNESS_OK)
        return status;
    const char *const vain = vain_reason(&split);
    if (vain == NULL)
        status = console_export_ask(export, pica_choice_info(choice)->name, split.test_case, answer, error);
    else
        harness_text_add(&answer->reasons, vain);
    harness_split_free(&split);
    return status;
}

enum harness_status console_splits_add(struct console_asking *asking, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < PICA_CHOICES; i++) {
        struct console_answer answer;
        status = console_splits_ask(asking->export, i, &answer, error);
        if (status != HARNESS_OK)
            break;
        console_asking_note(asking, pica_choice_info(i)->name, &answer);
    }
    return status == HARNESS_OK ? console_questions_add(asking, error) : status;
}

/* --------------------------------------------------------------------------------------------------------- results */

/* The row of a case; NULL: it is none of this pack. */
static struct console_split_row *row_of(struct console_splits_table *table, const char *name)
{
    const struct pica_choice_info *const info = pica_choice_by_name(name);
    const uint32_t index = console_asked_by_name(name), seed = console_seed_by_name(name);
    if (info != NULL)
        return &table->rows[info->choice];
    if (seed != UINT32_MAX)
        return &table->seeds[seed];
    return index < console_asked_count() ? &table->asked[index] : NULL;
}

bool console_splits_note(struct console_splits_table *table, const struct console_imported *imported)
{
    struct console_split_row *const row = row_of(table, imported->name);
    if (row == NULL)
        return false;
    row->is_in_file = true;
    row->outcome = imported->is_partial ? CONSOLE_OUTCOME_NOT_TESTED : imported->outcome;
    row->missing = imported->is_partial ? (uint32_t)CONSOLE_CASE_DEPTH : imported->missing;
    return true;
}

static void say_words(uint32_t choice, const struct harness_finger *finger, struct console_split_row *row)
{
    struct harness_split split;
    struct harness_text text = { 0 };
    if (harness_split_open(&split, choice, NULL) != HARNESS_OK)
        return;
    harness_places_text(&split.places, &finger->words, &text);
    (void)snprintf(row->left, sizeof row->left, "%s", harness_text_string(&text));
    harness_text_free(&text);
    harness_split_free(&split);
}

/* By what was left: the case ended both times in the same way, or ran once. */
static void judge_finger(uint32_t choice, const struct harness_finger *finger, struct console_split_row *row)
{
    row->side = finger->kind == HARNESS_FINGER_SIDE ? finger->side : (uint32_t)CONSOLE_NO_SIDE;
    if (finger->kind == HARNESS_FINGER_SIDE || finger->kind == HARNESS_FINGER_NEITHER)
        say_words(choice, finger, row);
    if (finger->kind == HARNESS_FINGER_SIDE) {
        const struct pica_side_info *const side = pica_side_info(choice, finger->side);
        row->verdict = finger->side == 0 ? CONSOLE_CONFIRMED : CONSOLE_CONTRADICTED;
        (void)snprintf(row->remark, sizeof row->remark, "%s%s%s%s", side->word, side->who[0] != '\0' ? ", as " : "",
                       side->who, row->outcome == CONSOLE_OUTCOME_ONCE ? " (run once only)" : "");
    } else if (finger->kind == HARNESS_FINGER_NEITHER) {
        row->verdict = CONSOLE_CONTRADICTED;
        (void)snprintf(row->remark, sizeof row->remark, "no known side; it left %s", row->left);
    } else {
        row->verdict = CONSOLE_NOT_COVERED;
        (void)snprintf(row->remark, sizeof row->remark, "%s", finger->why);
    }
}

static void say_missing(struct console_split_row *row)
{
    struct harness_text text = { 0 };
    console_capabilities_say(row->missing, &text);
    row->verdict = CONSOLE_NOT_COVERED;
    (void)snprintf(row->remark, sizeof row->remark, "not tested: %s did not come back",
                   row->missing != 0 ? harness_text_string(&text) : "a page of its memory");
    harness_text_free(&text);
}

bool console_row_judge_outcome(struct console_split_row *row)
{
    const char *remark = console_outcome_name(row->outcome);
    row->remark[0] = '\0';
    switch (row->outcome) {
    case CONSOLE_OUTCOME_OK:
    case CONSOLE_OUTCOME_ONCE: return false;
    case CONSOLE_OUTCOME_UNSTABLE:
        row->verdict = CONSOLE_UNSTABLE;
        remark = "two results";
        break;
    case CONSOLE_OUTCOME_HANG:
        row->verdict = CONSOLE_HUNG;
        remark = "it never ended";
        break;
    case CONSOLE_OUTCOME_CRASH:
        row->verdict = CONSOLE_HUNG;
        remark = "it crashed";
        break;
    case CONSOLE_OUTCOME_NOT_TESTED: say_missing(row); return true;
    case CONSOLE_OUTCOME_SHOWN: /* alpha, and all memory but a colour buffer, are not known */
    case CONSOLE_OUTCOME_NOT_HELD:
    case CONSOLE_OUTCOME_NOT_RUN:
    case CONSOLE_OUTCOMES: row->verdict = CONSOLE_NOT_COVERED; break;
    }
    (void)snprintf(row->remark, sizeof row->remark, "%s", remark);
    return true;
}

/* The first reason why a case is not in the file. */
static void say_absent(void *user, const char *name, const struct console_answer *answer)
{
    struct console_splits_table *const table = user;
    struct console_split_row *const row = row_of(table, name);
    const char *const reasons = harness_text_string(&answer->reasons);
    if (row->is_in_file)
        return;
    if (!answer->taken)
        (void)snprintf(row->remark, sizeof row->remark, "%.*s", (int)strcspn(reasons, "\n"), reasons);
    else
        (void)snprintf(row->remark, sizeof row->remark, "not in this file%s%s",
                       answer->suspect != NULL ? "; may hang: " : "", answer->suspect != NULL ? answer->suspect : "");
}

static enum harness_status explain_absent(struct console_splits_table *table, struct harness_error *error)
{
    struct console_asking asking = { .observer = say_absent, .user = table };
    enum harness_status status = console_export_create("splits", true, &asking.export, error);
    if (status == HARNESS_OK)
        status = console_splits_add(&asking, error);
    console_export_destroy(asking.export);
    return status;
}

enum harness_status console_splits_judge(struct console_splits_table *table, const char *recorded_path,
                                         struct harness_error *error)
{
    char name[4200];
    bool asked[PICA_CHOICES];
    struct harness_backend backend;
    struct harness_fingerprint fingerprint;
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        asked[i] = table->rows[i].is_in_file;
    (void)snprintf(name, sizeof name, "recorded:%s", recorded_path);
    enum harness_status status = harness_backend_open(name, &backend, error);
    if (status != HARNESS_OK)
        return status;
    const struct harness_finger_taker taker = { harness_finger_take_here, &backend };
    status = harness_fingerprint_take(&taker, asked, &fingerprint, error);
    for (uint32_t i = 0; status == HARNESS_OK && i < PICA_CHOICES; i++)
        if (asked[i] && !console_row_judge_outcome(&table->rows[i]))
            judge_finger(i, &fingerprint.fingers[i], &table->rows[i]);
    if (status == HARNESS_OK) {
        struct pica_choices found;
        bool known[PICA_CHOICES];
        harness_fingerprint_choices(&fingerprint, &found, known);
        status = console_questions_judge(table->asked, &backend, &found, error);
        if (status == HARNESS_OK)
            status = console_seeds_judge(table->seeds, &backend, &found, error);
    }
    harness_backend_close(&backend);
    return status == HARNESS_OK ? explain_absent(table, error) : status;
}
