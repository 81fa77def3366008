#include "harness/cli/console_table.h"

#include "harness/cli/cli.h"

#include <stdio.h>
#include <string.h>

static void print_rows(const struct console_splits_table *table)
{
    cli_print(stdout, "\n%-11s %-20s %-13s %s\n", "rule", "choice", "verdict", "side; what was left; why");
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        const struct console_split_row *const row = &table->rows[i];
        const struct pica_choice_info *const info = pica_choice_info(i);
        cli_print(stdout, "%-11s %-20s %-13s %s\n", info->rule, info->name, console_verdict_name(row->verdict),
                  row->remark);
    }
}

/* Rules that have no case, with the reason of pica/splits.def. */
static void print_unswitched(void)
{
    const struct pica_unswitched_info *info = NULL;
    for (uint32_t i = 0; (info = pica_unswitched_info(i)) != NULL; i++)
        cli_print(stdout, "%-11s %-20s %-13s no case: %s\n", info->rule, "-", console_verdict_name(CONSOLE_NOT_COVERED),
                  info->why);
}

/* "fill-rule: confirmed (top-left), ..." of the choices that a question names. */
static void print_answers(const struct console_splits_table *table, const struct console_question *question)
{
    char names[200];
    char *rest = NULL;
    (void)snprintf(names, sizeof names, "%s", question->choices);
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        const struct pica_choice_info *const info = pica_choice_by_name(name);
        const struct console_split_row *const row = &table->rows[info->choice];
        cli_print(stdout, "     %s: %s%s%s\n", name, console_verdict_name(row->verdict),
                  row->verdict == CONSOLE_CONTRADICTED ? ": " : "",
                  row->verdict == CONSOLE_CONTRADICTED ? row->remark : "");
    }
}

static void print_questions(const struct console_splits_table *table)
{
    const struct console_question *question = NULL;
    cli_print(stdout, "\nopen questions\n");
    for (uint32_t i = 0; (question = console_question(i)) != NULL; i++) {
        cli_print(stdout, "%3u  %s\n", (unsigned)question->number, question->question);
        print_answers(table, question);
        if (question->open[0] != '\0')
            cli_print(stdout, "     %s: %s\n", question->choices[0] != '\0' ? "left open" : "not covered",
                      question->open);
    }
}

static void print_totals(const struct console_splits_table *table)
{
    uint32_t totals[CONSOLE_VERDICTS] = { 0 };
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        totals[table->rows[i].verdict]++;
    cli_print(stdout, "\n%u choices:", (unsigned)PICA_CHOICES);
    for (uint32_t i = 1; i <= CONSOLE_VERDICTS; i++) {
        const enum console_verdict verdict = (enum console_verdict)(i % CONSOLE_VERDICTS);
        cli_print(stdout, "%s %u %s", i == 1 ? "" : ",", (unsigned)totals[verdict], console_verdict_name(verdict));
    }
    cli_print(stdout, "\n");
}

enum harness_status cli_print_console_table(struct console_splits_table *table, const char *recorded_path,
                                            struct harness_error *error)
{
    const enum harness_status status = console_splits_judge(table, recorded_path, error);
    if (status != HARNESS_OK)
        return status;
    print_rows(table);
    print_unswitched();
    print_questions(table);
    print_totals(table);
    return HARNESS_OK;
}
