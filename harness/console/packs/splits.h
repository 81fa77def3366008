/*
 * The pack `splits`: the cases of corpus/splits, one for each known choice, and those of corpus/questions, with what
 * each side or answer leaves worked out beforehand; and the table that its results make: which of them a console gives.
 *
 * A case that another choice touches is judged by `reference` with the sides that were found (harness/fingerprint).
 */
#ifndef HARNESS_CONSOLE_PACKS_SPLITS_H
#define HARNESS_CONSOLE_PACKS_SPLITS_H

#include "harness/console/export.h"
#include "harness/console/import.h"
#include "harness/console/packs/questions.h"
#include "harness/fingerprint/fingerprint.h"

enum console_verdict {
    CONSOLE_NOT_COVERED = 0,
    CONSOLE_CONFIRMED,    /* the normative side of docs/spec */
    CONSOLE_CONTRADICTED, /* another side or answer, or none that is known */
    CONSOLE_UNSTABLE,
    CONSOLE_HUNG,
    CONSOLE_VERDICTS
};

/* "confirmed", ...; static. */
const char *console_verdict_name(enum console_verdict verdict);

/* As console_pack_adder (packs.h). */
enum harness_status console_splits_add(struct console_asking *asking, struct harness_error *error);

/* Of a choice, or of a case of corpus/questions. */
struct console_split_row {
    bool is_in_file;
    enum console_outcome outcome; /* what came back of its case */
    uint32_t missing;             /* what it needs and did not come back; 0: a page of it */
    enum console_verdict verdict;
    uint32_t side;    /* of a choice that was confirmed or contradicted; CONSOLE_NO_SIDE: none that is known */
    char left[200];   /* what it left */
    char remark[320]; /* the side and who else takes it; what was left; why it is not covered */
};

enum {
    CONSOLE_NO_SIDE = PICA_MOST_SIDES,
    CONSOLE_MOST_SEEDS = 32
};

/* Cases of corpus/seeds that the pack `decide` holds, "blend/equations"; the last one has no name. */
extern const struct console_asked_text console_seed_texts[];
uint32_t console_seed_by_name(const char *name); /* UINT32_MAX: there is none */

struct console_splits_table {
    struct console_split_row rows[PICA_CHOICES];
    struct console_split_row asked[CONSOLE_MOST_ASKED]; /* by index of console_asked_texts */
    struct console_split_row seeds[CONSOLE_MOST_SEEDS]; /* by index of console_seed_texts */
};

/* Notes what the import said of a case. False: no case of this pack. Start from zeros. */
bool console_splits_note(struct console_splits_table *table, const struct console_imported *imported);

/* Judges what was noted by recorded results. */
enum harness_status console_splits_judge(struct console_splits_table *table, const char *recorded_path,
                                         struct harness_error *error);

/* Asks the gates about one case. */
enum harness_status console_splits_ask(struct console_export *export, uint32_t choice, struct console_answer *answer,
                                       struct harness_error *error);
enum harness_status console_questions_ask(struct console_export *export, uint32_t index, struct console_answer *answer,
                                          struct harness_error *error);
enum harness_status console_seed_ask(struct console_export *export, uint32_t index, struct console_answer *answer,
                                     struct harness_error *error);

/* Part of the above: the cases of corpus/questions and corpus/seeds. `found` are the sides of the choices. */
enum harness_status console_questions_add(struct console_asking *asking, struct harness_error *error);
enum harness_status console_questions_judge(struct console_split_row rows[CONSOLE_MOST_ASKED],
                                            const struct harness_backend *recorded, const struct pica_choices *found,
                                            struct harness_error *error);

enum harness_status console_seeds_judge(struct console_split_row rows[CONSOLE_MOST_SEEDS],
                                        const struct harness_backend *recorded, const struct pica_choices *found,
                                        struct harness_error *error);

/* By how a case ended, if that alone is a verdict; else false, and what it left decides. */
bool console_row_judge_outcome(struct console_split_row *row);

struct console_question {
    uint32_t number;
    const char *question, *choices, *open;
};

/* The open questions in order; NULL behind the last. */
const struct console_question *console_question(uint32_t index);

#endif
