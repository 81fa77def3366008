#include "harness/cli/console_table.h"

#include "harness/case/formats.h"
#include "harness/case/numbers.h"
#include "harness/cli/cli.h"
#include "harness/console/packs/decide.h"
#include "harness/pages/json.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
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

/* The cases of corpus/questions. */
static void print_asked(const struct console_splits_table *table, uint32_t totals[CONSOLE_VERDICTS])
{
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        const struct console_split_row *const row = &table->asked[i];
        char rule[CONSOLE_WORD_BYTES];
        console_asked_rule(i, rule);
        cli_print(stdout, "%-11s %-20s %-13s %s\n", rule, console_asked_texts[i].name,
                  console_verdict_name(row->verdict), row->remark);
        totals[row->verdict]++;
    }
}

/* Those of corpus/seeds that were in the file. */
static void print_seeds(const struct console_splits_table *table)
{
    struct console_decide list[CONSOLE_DECIDE_ROOM];
    const uint32_t count = console_decide_list(list);
    for (uint32_t i = 0; i < count; i++) {
        const struct console_split_row *const row =
            list[i].kind == CONSOLE_DECIDE_SEED ? &table->seeds[list[i].index] : NULL;
        if (row != NULL && row->is_in_file)
            cli_print(stdout, "%-11.*s %-20s %-13s %s\n", (int)strcspn(list[i].rules, " "), list[i].rules, list[i].name,
                      console_verdict_name(row->verdict), row->remark);
    }
}

/* Rules that have no case, and why. */
static void print_unasked(void)
{
    const struct pica_unswitched_info *info = NULL;
    for (uint32_t i = 0; (info = pica_unswitched_info(i)) != NULL; i++) {
        const char *const why = console_unasked_reason(info);
        if (why[0] != '\0')
            cli_print(stdout, "%-11s %-20s %-13s no case: %s (%s)\n", info->rule, "-",
                      console_verdict_name(CONSOLE_NOT_COVERED), why, info->why);
    }
}

/* One of the answers below a question. */
static void print_answer(const char *name, const struct console_split_row *row)
{
    cli_print(stdout, "     %s: %s%s%s\n", name, console_verdict_name(row->verdict), row->remark[0] != '\0' ? ": " : "",
              row->remark);
}

/* Of the choices that a question names, and of its own cases. */
static void print_answers(const struct console_splits_table *table, const struct console_question *question)
{
    char names[200];
    char *rest = NULL;
    (void)snprintf(names, sizeof names, "%s", question->choices);
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        print_answer(name, &table->rows[pica_choice_by_name(name)->choice]);
    }
    for (uint32_t i = 0; i < console_asked_count(); i++)
        if (console_asked_number(i) == question->number)
            print_answer(console_asked_texts[i].name, &table->asked[i]);
}

static void print_questions(const struct console_splits_table *table)
{
    const struct console_question *question = NULL;
    cli_print(stdout, "\nopen questions\n");
    for (uint32_t i = 0; (question = console_question(i)) != NULL; i++) {
        cli_print(stdout, "%3u  %s\n", (unsigned)question->number, question->question);
        print_answers(table, question);
        if (question->open[0] != '\0')
            cli_print(stdout, "     left open: %s\n", question->open);
    }
}

static void print_totals(uint32_t count, const char *what, const uint32_t totals[CONSOLE_VERDICTS])
{
    cli_print(stdout, "\n%u %s:", (unsigned)count, what);
    for (uint32_t i = 1; i <= CONSOLE_VERDICTS; i++) {
        const enum console_verdict verdict = (enum console_verdict)(i % CONSOLE_VERDICTS);
        cli_print(stdout, "%s %u %s", i == 1 ? "" : ",", (unsigned)totals[verdict], console_verdict_name(verdict));
    }
    cli_print(stdout, "\n");
}

enum harness_status cli_print_console_table(struct console_splits_table *table, const char *recorded_path,
                                            struct harness_error *error)
{
    uint32_t totals[CONSOLE_VERDICTS] = { 0 }, asked[CONSOLE_VERDICTS] = { 0 };
    const enum harness_status status = console_splits_judge(table, recorded_path, error);
    if (status != HARNESS_OK)
        return status;
    print_rows(table);
    print_asked(table, asked);
    print_seeds(table);
    print_unasked();
    print_questions(table);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        totals[table->rows[i].verdict]++;
    print_totals(PICA_CHOICES, "choices", totals);
    print_totals(console_asked_count(), "questions of corpus/questions", asked);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------ the machine */

/* By which way, and what of the machine comes back. */
static void say_choice(const struct console_results *results)
{
    const struct console_way_choice *const choice = &results->choice;
    struct harness_text works = { 0 }, missing = { 0 };
    console_capabilities_say(choice->works, &works);
    console_capabilities_say(choice->missing, &missing);
    cli_print(stdout, "  read by %s, loaded by %s: comes back: %s\n", console_way_name(choice->way),
              (choice->way & CONSOLE_LOAD_COPY) != 0 ? "texture copy" : "DMA",
              choice->works != 0 ? harness_text_string(&works) : "nothing");
    if (choice->missing != 0)
        cli_print(stdout, "  does not come back: %s\n", harness_text_string(&missing));
    harness_text_free(&works);
    harness_text_free(&missing);
}

/* A self-test that ended the machine: by a way that was not taken again, or in any. */
static void say_ends(const struct console_view *view, const struct console_results *results)
{
    for (uint32_t way = 0; way < CONSOLE_WAYS; way++)
        for (uint32_t i = 0; i < results->test_count; i++) {
            const size_t at = (size_t)way * results->test_count + i;
            if (results->tested[at] && results->tests[at].status == CONSOLE_RUN_POWER)
                cli_print(stdout, "  self-test %s ended the machine, or it was switched off: read by %s\n",
                          console_view_case_name(view, i), console_way_name(way));
        }
}

void cli_print_console_machine(const struct console_view *view, const struct console_results *results)
{
    const struct console_about *const told = &results->about;
    cli_print(stdout,
              "%s: %s, kernel 0x%08" PRIX32 ", firmware 0x%08" PRIX32 ", luma 0x%08" PRIX32 ", %" PRIu32
              " start(s)%s%s\n",
              results->name, console_model(told), told->kernel_version, told->firmware_version, told->luma_version,
              results->starts, results->is_complete ? "" : ", not finished", results->is_cut ? ", cut" : "");
    if (results->has_choice)
        say_choice(results);
    for (uint32_t i = 0; i < results->test_count; i++) {
        const size_t at = (size_t)results->choice.way * results->test_count + i;
        if (results->tested[at] && results->tests[at].status != CONSOLE_RUN_OK &&
            results->tests[at].status != CONSOLE_RUN_POWER)
            cli_print(stdout, "  self-test %s: %s\n", console_view_case_name(view, i),
                      console_run_status_name(results->tests[at].status));
    }
    say_ends(view, results);
}

void cli_print_outcomes(const uint32_t outcomes[CONSOLE_OUTCOMES])
{
    const char *between = "";
    for (uint32_t i = 0; i < CONSOLE_OUTCOMES; i++)
        if (outcomes[i] != 0) {
            cli_print(stdout, "%s%" PRIu32 " %s", between, outcomes[i], console_outcome_name((enum console_outcome)i));
            between = ", ";
        }
    cli_print(stdout, "%s", between[0] != '\0' ? "; " : "");
}

/* ------------------------------------------------------------------------------------------------------- decisions */

/* Only what both runs say decides anything. */
static bool is_sure(const struct console_split_row *row)
{
    return row->is_in_file && row->outcome == CONSOLE_OUTCOME_OK &&
           (row->verdict == CONSOLE_CONFIRMED || row->verdict == CONSOLE_CONTRADICTED);
}

/* For ci/amend: which side it is, and of which rules. */
static void add_decision(cJSON *decisions, const struct console_decide *decide, const struct console_split_row *row)
{
    static const char *const kinds[] = { "choice", "question", "seed" };
    char names[sizeof decide->rules];
    char *rest = NULL;
    cJSON *const decision = harness_json_row(decisions);
    const struct pica_side_info *const side =
        decide->kind == CONSOLE_DECIDE_CHOICE ? pica_side_info(decide->index, row->side) : NULL;
    (void)snprintf(names, sizeof names, "%s", decide->rules);
    cJSON_AddStringToObject(decision, "name", decide->name);
    cJSON_AddStringToObject(decision, "kind", kinds[decide->kind]);
    cJSON *const rules = cJSON_AddArrayToObject(decision, "rules");
    for (char *rule = strtok_r(names, " ", &rest); rule != NULL; rule = strtok_r(NULL, " ", &rest))
        cJSON_AddItemToArray(rules, cJSON_CreateString(rule));
    cJSON_AddStringToObject(decision, "verdict", console_verdict_name(row->verdict));
    cJSON_AddItemToObject(decision, "side", side != NULL ? cJSON_CreateString(side->word) : cJSON_CreateNull());
    cJSON_AddStringToObject(decision, "left", row->left);
    cJSON_AddStringToObject(decision, "remark", row->remark);
}

enum harness_status cli_print_decisions(struct console_splits_table *table, const char *path, const char *where,
                                        struct harness_error *error)
{
    struct console_decide list[CONSOLE_DECIDE_ROOM];
    const uint32_t count = console_decide_list(list);
    cJSON *const answers = cJSON_CreateObject();
    cJSON_AddStringToObject(answers, "where", where);
    cJSON *const decisions = cJSON_AddArrayToObject(answers, "decisions");
    uint32_t decided = 0, contradicted = 0;
    cli_print(stdout, "\nwhat this decides\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct console_split_row *const row = console_decide_row(table, &list[i]);
        if (!is_sure(row))
            continue;
        cli_print(stdout, "%s (%s): it left %s\n     %s: %s\n", list[i].name, list[i].rules, row->left,
                  console_verdict_name(row->verdict), row->remark);
        add_decision(decisions, &list[i], row);
        decided++;
        contradicted += row->verdict == CONSOLE_CONTRADICTED;
    }
    cli_print(stdout, "%" PRIu32 " cases say the same in both runs: %" PRIu32 " as docs/spec, %" PRIu32 " otherwise\n",
              decided, decided - contradicted, contradicted);
    if (path != NULL)
        return harness_json_write(path, answers, error);
    cJSON_Delete(answers);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- registers */

static void print_register(uint32_t id, const struct console_register_row *row)
{
    char kept[12] = "-";
    if (row->verdict == CONSOLE_CONFIRMED || row->verdict == CONSOLE_CONTRADICTED)
        (void)snprintf(kept, sizeof kept, "0x%08" PRIX32, row->kept);
    cli_print(stdout, "0x%03" PRIX32 "  %-26s 0x%08" PRIX32 "  %-10s  %-13s %s", id, pica_reg_info(id)->name,
              console_register_documented(id), kept, console_verdict_name(row->verdict), row->remark);
    if (row->verdict == CONSOLE_CONTRADICTED && row->ones != 0)
        cli_print(stdout, "; always 1: 0x%08" PRIX32, row->ones);
    cli_print(stdout, "\n");
}

static void print_registers(const struct console_registers_table *table)
{
    uint32_t totals[CONSOLE_VERDICTS] = { 0 };
    cli_print(stdout, "\nREG-01: which bits of a register are stored\n");
    cli_print(stdout, "id     %-26s %-10s  %-10s  %-13s %s\n", "register", "documented", "stored", "verdict", "remark");
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++) {
        print_register(id, &table->rows[id]);
        totals[table->rows[id].verdict]++;
    }
    print_totals(PICA_REG_TOTAL, "registers", totals);
}

enum harness_status cli_print_register_table(const struct console_view *view, const struct console_results *results,
                                             size_t count, struct harness_error *error)
{
    struct console_registers_table table;
    const enum harness_status status = console_registers_judge(view, results, count, &table, error);
    if (status == HARNESS_OK && table.cases != 0)
        print_registers(&table);
    console_registers_free(&table);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* "17", "0x3F0001 (1.00002)", "0x3F800001 (1.0000001)". */
static void print_number(uint32_t number, uint32_t bits)
{
    const struct harness_float_format format = bits == 32 ? HARNESS_FLOAT32 : HARNESS_FLOAT24;
    const uint32_t infinity = bits == 32 ? 0x7F800000 : 0x7F0000;
    char decimal[HARNESS_NUMBER_TEXT] = "NaN";
    if (number == CONSOLE_NUMBER_NOTHING) {
        cli_print(stdout, "nothing");
    } else if (bits == 8) {
        cli_print(stdout, "%" PRIu32, number);
    } else {
        if ((number & ~(1u << (bits - 1))) <= infinity)
            harness_float_print(decimal, format, number);
        cli_print(stdout, "0x%0*" PRIX32 " (%s)", (int)bits / 4, number, decimal);
    }
}

static uint32_t result_bits(const struct console_numbers_row *row)
{
    return row->is_float ? 24 : 8;
}

static uint32_t operand_bits(const struct console_numbers_row *row)
{
    return row->takes_binary32 ? 32 : result_bits(row);
}

static void print_wrong(const struct console_numbers_row *row, const struct console_wrong_number *wrong)
{
    cli_print(stdout, "           of");
    for (uint32_t i = 0; i < row->operand_count; i++) {
        cli_print(stdout, "%s ", i == 0 ? "" : ",");
        print_number(wrong->operands[i], operand_bits(row));
    }
    cli_print(stdout, ": computed ");
    print_number(wrong->computed, result_bits(row));
    cli_print(stdout, ", expected ");
    print_number(wrong->expected, result_bits(row));
    cli_print(stdout, "\n");
}

/* How the cases of an operation ended that are not compared: those that stand in no results are not in the file. */
static void print_outcomes(const struct console_numbers_row *row)
{
    uint32_t known = row->compared;
    cli_print(stdout, "           %" PRIu32 " of %" PRIu32 " cases compared", row->compared, row->cases);
    for (uint32_t i = CONSOLE_OUTCOME_UNSTABLE; i < CONSOLE_OUTCOMES; i++) {
        if (row->outcomes[i] != 0)
            cli_print(stdout, ", %" PRIu32 " %s", row->outcomes[i], console_outcome_name((enum console_outcome)i));
        known += row->outcomes[i];
    }
    if (known < row->cases)
        cli_print(stdout, ", %" PRIu32 " not in this file", row->cases - known);
    cli_print(stdout, "\n");
}

static void print_operation(const struct console_numbers_row *row)
{
    cli_print(stdout, "%-8s %-24s %-13s", row->rule, row->name, console_verdict_name(row->verdict));
    if (row->compared != 0)
        cli_print(stdout, " %" PRIu32 " of %" PRIu32 " wrong", row->wrong, row->inputs);
    if (row->below + row->above != 0)
        cli_print(stdout,
                  ": %" PRIu32 " too small, %" PRIu32 " too large, by %" PRIu32 " units in the last place at most",
                  row->below, row->above, row->furthest);
    cli_print(stdout, "\n");
    if (row->compared != row->cases)
        print_outcomes(row);
    if (row->fits[0] != '\0')
        cli_print(stdout, "           all results are as with %s\n", row->fits);
    for (uint32_t i = 0; i < row->wrong && i < CONSOLE_WRONG_SHOWN; i++)
        print_wrong(row, &row->shown[i]);
}

static void add_number(uint32_t number, uint32_t bits, struct harness_text *out)
{
    if (number == CONSOLE_NUMBER_NOTHING)
        harness_text_add(out, ",nothing");
    else if (bits == 8)
        harness_text_format(out, ",%" PRIu32, number);
    else
        harness_text_format(out, ",0x%0*" PRIX32, (int)bits / 4, number);
}

/* A line of --wrong: operation, three operands or fewer, computed, expected. */
static void write_wrong(void *user, const struct console_numbers_row *row, const struct console_wrong_number *wrong)
{
    struct harness_text *const out = user;
    harness_text_add(out, row->name);
    for (uint32_t i = 0; i < row->operand_count; i++)
        add_number(wrong->operands[i], operand_bits(row), out);
    for (uint32_t i = row->operand_count; i < CONSOLE_MOST_OPERANDS; i++)
        harness_text_add(out, ",");
    add_number(wrong->computed, result_bits(row), out);
    add_number(wrong->expected, result_bits(row), out);
    harness_text_add(out, "\n");
}

static void print_numbers(const struct console_numbers_table *table)
{
    uint32_t totals[CONSOLE_VERDICTS] = { 0 };
    cli_print(stdout, "\n%-8s %-24s %-13s inputs; of bytes, or of float24 numbers\n", "rule", "operation", "verdict");
    for (size_t i = 0; i < CONSOLE_NUMBERS; i++) {
        print_operation(&table->rows[i]);
        totals[table->rows[i].verdict]++;
    }
    if (!console_numbers_can_read(table))
        cli_print(stdout, "mov is not confirmed here: the bits of float24 numbers may have been read wrongly\n");
    print_totals(CONSOLE_NUMBERS, "operations", totals);
}

enum harness_status cli_print_number_table(struct console_numbers_table *table, const char *recorded_path,
                                           const char *wrong_path, struct harness_error *error)
{
    struct harness_text wrong = { 0 };
    harness_text_add(&wrong, "operation,first,second,third,computed,expected\n");
    enum harness_status status =
        console_numbers_judge(table, recorded_path, wrong_path != NULL ? write_wrong : NULL, &wrong, error);
    if (status == HARNESS_OK)
        print_numbers(table);
    if (status == HARNESS_OK && wrong_path != NULL)
        status = harness_file_write_text(wrong_path, &wrong, error);
    harness_text_free(&wrong);
    return status;
}
