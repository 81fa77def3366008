/*
 * The cases of corpus/questions: open questions about the hardware, and rules that nobody tells another result of. They
 * are of the pack `splits`. The head of a case says what memory holds if this or that is the answer, that of docs/spec
 * first:
 *
 *     # 41-depth-off (DPT-03): the depth test is off, depth writes are on.
 *     # expect written: 0x18000468 = 0x7FFF7FFF
 *     # expect kept: 0x18000468 = 0xFFFFFFFF
 *
 * A line "# if kept: DEPTH_COLOR_MASK { ... }" before a line makes the *twin* of an answer: the case with that line in
 * place of the next one, which leaves on `reference` what the case leaves where this is the answer.
 */
#ifndef HARNESS_CONSOLE_PACKS_QUESTIONS_H
#define HARNESS_CONSOLE_PACKS_QUESTIONS_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/fingerprint/places.h"
#include "pica/splits.h"

enum {
    CONSOLE_MOST_ANSWERS = 6,
    CONSOLE_MOST_ASKED = 192, /* cases of corpus/questions */
    CONSOLE_WORD_BYTES = 32
};

/* The cases by name, in order; the last one has no name. */
struct console_asked_text {
    const char *name, *text;
    size_t size;
};
extern const struct console_asked_text console_asked_texts[];

struct console_asked_answer {
    char word[CONSOLE_WORD_BYTES];
    struct harness_words words; /* as worked out */
    bool has_twin;
};

/* A case, or a twin of it. */
struct console_asked {
    struct harness_case *test_case;
    struct harness_program *program; /* borrows from it */
    struct harness_places places;
    struct console_asked_answer answers[CONSOLE_MOST_ANSWERS];
    uint32_t answer_count;
};

/* How many there are. */
uint32_t console_asked_count(void);

/* The index of a name; console_asked_count() if there is no such case. */
uint32_t console_asked_by_name(const char *name);

/* Of a case, by its name and its first line: the question (0: none, a rule alone), and the rule. */
uint32_t console_asked_number(uint32_t index);
void console_asked_rule(uint32_t index, char out[CONSOLE_WORD_BYTES]);

/* Is there a case of that rule? */
bool console_asked_has_rule(const char *rule);

/* Why no case asks about a rule of pica/splits.def that has no switch; "" if there is one. Static. */
const char *console_unasked_reason(const struct pica_unswitched_info *rule);

/* Reads a text, which ends with a zero; `answer` 0 is the case itself, another the twin of that answer.
 * HARNESS_BAD_INPUT: "NAME.pcase: ...", also where that answer has no twin; *out needs no free then. */
enum harness_status console_asked_read(struct console_asked *out, const char *name, const char *text, size_t size,
                                       uint32_t answer, struct harness_error *error);

/* The same of a case that the program holds. */
enum harness_status console_asked_open(struct console_asked *out, uint32_t index, uint32_t answer,
                                       struct harness_error *error);
void console_asked_free(struct console_asked *asked);

/* The answer that leaves these words, or CONSOLE_MOST_ANSWERS. */
uint32_t console_asked_answer_of(const struct console_asked *asked, const struct harness_words *words);

#endif
